//! The folder of a campaign: inputs and findings, each a file that is there whole or not at all.
//!
//! ```text
//! DIR/game/inputs/3f2a91c0…     an input that leads somewhere new
//! DIR/game/shown/77aa01…        an input whose board shows a finding, by the fingerprint of that
//! DIR/game/F0501-77aa01….json   its witness, for `endstep replay`
//! ```
//!
//! *Guarantees.* Whenever a campaign is killed, what it had kept is there when the next one starts.

use super::exit::Exit;
use super::input::{Input, Unreadable, read};
use super::output::{self, replace};
use super::plain::err;
use super::witnesses;
use crate::driver::campaign::{Archive, Found};
use endstep_language::typing::program::Program;
use endstep_verdicts::verdict::digest;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The bytes of the largest input that is read: far more than any campaign writes.
const MOST_BYTES: u64 = 1 << 20;

/// The bytes of all inputs of a folder that are read.
const MOST_TOGETHER: u64 = 64 << 20;

/// How many digits name an input.
const DIGITS: usize = 24;

/// The folder of one specification.
pub(super) struct Folder<'p> {
    root: PathBuf,
    program: &'p Program,
    specification: String,
    failure: Mutex<Option<String>>,
}

/// Refuses a campaign in which two specifications would have one folder.
pub(super) fn apart(root: &Path, inputs: &[Input]) -> Result<(), (String, Exit)> {
    let folders: Vec<PathBuf> = inputs.iter().map(|input| folder(root, input)).collect();
    output::apart(inputs, &folders, "the inputs and findings")
}

fn folder(root: &Path, input: &Input) -> PathBuf {
    output::folder(root, input, "specification")
}

impl<'p> Folder<'p> {
    /// The folder of a specification in that of a campaign, made if it is not there.
    pub(super) fn open(
        root: &Path,
        input: &Input,
        program: &'p Program,
    ) -> Result<Self, Unreadable> {
        let own = folder(root, input);
        output::make(root)?;
        let name = own.file_name().unwrap_or_default();
        let root = output::make_in(root, name)?;
        for part in ["inputs", "shown"] {
            output::make_in(&root, part)?;
        }
        Ok(Self {
            root,
            program,
            specification: input.name.clone(),
            failure: Mutex::default(),
        })
    }

    /// Why something could not be kept, if so.
    pub(super) fn failure(&self) -> Option<String> {
        let failure = self.failure.lock();
        failure.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where witnesses are.
    pub(super) fn witnesses(&self) -> String {
        self.root.display().to_string()
    }

    fn unless_failed(&self, result: Result<(), Unreadable>) {
        if let Err(Unreadable(why)) = result {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(why);
        }
    }

    fn path(&self, input: &[u8]) -> PathBuf {
        let text: String = input.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut name = digest(&[&text]);
        name.truncate(DIGITS);
        self.root.join("inputs").join(name)
    }

    /// The contents of all files of a folder that are whole, in order of names.
    fn files(&self, part: &str) -> Vec<Vec<u8>> {
        let entries = fs::read_dir(self.root.join(part)).into_iter().flatten();
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        // What begins with a dot was not finished.
        let is_whole = |path: &PathBuf| {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            name.is_some_and(|name| !name.starts_with('.'))
        };
        let mut paths: Vec<PathBuf> = paths.filter(is_whole).collect();
        paths.sort();
        let mut room = MOST_TOGETHER;
        let mut files = Vec::new();
        for path in paths {
            match read(&path, MOST_BYTES.min(room)) {
                Ok(bytes) => {
                    room -= bytes.len() as u64;
                    files.push(bytes);
                }
                // Nobody can be told that standard error is closed.
                Err(Unreadable(why)) => {
                    let _ = writeln!(err(), "note: an input is left out: {why}");
                }
            }
        }
        files
    }
}

impl Archive for Folder<'_> {
    fn inputs(&self) -> Vec<Vec<u8>> {
        self.files("inputs")
    }

    fn shown(&self) -> Vec<Vec<u8>> {
        self.files("shown")
    }

    fn keep(&self, input: &[u8]) {
        self.unless_failed(replace(&self.path(input), input));
    }

    fn forget(&self, input: &[u8]) {
        // One that cannot be removed is read and forgotten again the next time.
        let _ = fs::remove_file(self.path(input));
    }

    fn found(&self, print: &str, found: &Found) {
        let path = self.root.join("shown").join(print);
        self.unless_failed(replace(&path, &found.bytes()));
        let findings = std::slice::from_ref(&found.finding);
        let saved = witnesses::save(&self.root, &self.specification, self.program, findings);
        self.unless_failed(saved);
    }
}
