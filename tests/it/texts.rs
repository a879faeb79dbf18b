//! The texts of a specification of this repository: the file and all that it includes.
//!
//! ```text
//! specs/xenoshyft.endstep          include "xenoshyft/combat.endstep"
//! specs/xenoshyft/combat.endstep   …
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use endstep::diag::Severity;
use endstep::driver::{Reader, compile, included};
use endstep::source::SourceMap;
use endstep::typing::program::Program;

/// Texts by the name of their file, the first one in `root`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    root: String,
    texts: BTreeMap<String, String>,
}

/// The name of a file that `path` means in the file called `from`.
fn named(path: &str, from: &str) -> String {
    let folder = Path::new(from).parent().unwrap_or(Path::new(""));
    folder.join(path).to_string_lossy().into_owned()
}

impl Texts {
    /// Reads a file of the repository and what it includes.
    pub fn read(root: &str) -> Self {
        let mut texts = BTreeMap::new();
        let mut left = vec![root.to_owned()];
        while let Some(name) = left.pop() {
            let path = Path::new(crate::ROOT).join(&name);
            let text = std::fs::read_to_string(path).unwrap();
            let id = SourceMap::new().load(&name, text.as_bytes()).unwrap();
            let paths = included(id, &text).into_iter();
            left.extend(paths.map(|path| named(&path, &name)));
            texts.insert(name, text);
        }
        let root = root.to_owned();
        Self { root, texts }
    }

    /// Texts that are written here, by their names.
    pub fn of(texts: &[(&str, &str)]) -> Self {
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        Self {
            root: texts[0].0.to_owned(),
            texts: texts.iter().map(owned).collect(),
        }
    }

    /// Puts a text under the name that `path` means in the file called `from`.
    pub fn add(&mut self, path: &str, from: &str, text: String) {
        self.texts.insert(named(path, from), text);
    }

    /// The first text, which includes the others.
    pub fn root(&mut self) -> &mut String {
        self.texts.get_mut(&self.root).unwrap()
    }

    /// Calls the file that includes the others by another name, in the same folder.
    pub fn rename(&mut self, name: &str) {
        let text = self.texts.remove(&self.root).unwrap();
        self.root = named(name, &self.root);
        self.texts.insert(self.root.clone(), text);
    }

    /// The texts, to be changed.
    pub fn each(&mut self) -> impl Iterator<Item = &mut String> {
        self.texts.values_mut()
    }

    /// The texts with the names of their files, to be changed.
    pub fn each_named(&mut self) -> impl Iterator<Item = (&str, &mut String)> {
        let texts = self.texts.iter_mut();
        texts.map(|(name, text)| (name.as_str(), text))
    }

    /// The program, or the first error.
    pub fn compile(&self) -> Result<Program, String> {
        let mut sources = SourceMap::new();
        let id = sources.load(&self.root, self.texts[&self.root].as_bytes());
        let mut reader = self.clone();
        let compiled = compile(id.unwrap(), &mut sources, &mut reader);
        let mut errors = compiled.diagnostics.into_iter();
        if let Some(error) = errors.find(|one| one.severity == Severity::Error) {
            return Err(error.message);
        }
        compiled.program.ok_or_else(|| "no program".to_owned())
    }
}

impl Reader for Texts {
    fn read(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), String> {
        let name = named(path, from);
        let text = self.texts.get(&name).ok_or("nothing is called so")?;
        Ok((name, text.clone().into_bytes()))
    }
}
