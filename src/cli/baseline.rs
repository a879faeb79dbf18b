//! The baseline of a repository: one file with the expected findings of many specifications.
//!
//! Specifications are listed by their paths from the folder of the file, with `/` between the parts, so that
//! the file says the same wherever a check is started.

use super::input::{Input, Unreadable, json_if_there};
use super::output;
use endstep_verdicts::verdict::{Baseline, Expected};
use std::path::{Component, Path, PathBuf};

/// A baseline and where it is.
#[derive(Debug)]
pub(super) struct Listed {
    path: PathBuf,
    baseline: Baseline,
}

impl Listed {
    /// Reads the file; it may be absent only if it is going to be written.
    pub(super) fn load(path: &Path, may_be_absent: bool) -> Result<Self, Unreadable> {
        let name = path.display();
        let baseline = match json_if_there(path)? {
            Some(text) => Baseline::from_json(&text)
                .map_err(|error| Unreadable(format!("cannot read `{name}`: {error}")))?,
            None if may_be_absent => Baseline::default(),
            None => {
                return Err(Unreadable(format!(
                    "cannot read `{name}`: it is not there; --update-baseline writes it"
                )));
            }
        };
        let path = path.to_owned();
        Ok(Self { path, baseline })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What is expected of a specification.
    pub(super) fn of(&self, input: &Input) -> Option<Expected> {
        Some(self.baseline.of(&self.key(input)?))
    }

    /// Replaces what is expected of a specification; standard input is left out.
    pub(super) fn put(&mut self, input: &Input, expected: Expected) {
        if let Some(key) = self.key(input) {
            self.baseline.put(key, expected);
        }
    }

    /// Writes the file, without specifications that are no longer there; says what is in it.
    pub(super) fn write(&mut self) -> Result<String, Unreadable> {
        let folder = self.folder().to_owned();
        self.baseline.retain(&mut |path| folder.join(path).exists());
        output::write(&self.path, &self.baseline.to_json())?;
        let (findings, specifications) = self.baseline.size();
        let count = |number: usize, one: &str| match number {
            1 => format!("1 {one}"),
            _ => format!("{number} {one}s"),
        };
        Ok(format!(
            "{}: {} of {}",
            self.path.display(),
            count(findings, "expected finding"),
            count(specifications, "specification")
        ))
    }

    fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    fn key(&self, input: &Input) -> Option<String> {
        let path = input.path.as_ref()?;
        let (Ok(folder), Ok(path)) = (self.folder().canonicalize(), path.canonicalize()) else {
            return Some(input.name.clone());
        };
        Some(between(&folder, &path))
    }
}

/// The way from a folder to a file, both absolute.
fn between(folder: &Path, file: &Path) -> String {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (folder.components().collect(), file.components().collect());
    let same = from
        .iter()
        .zip(&to)
        .take_while(|(one, other)| one == other)
        .count();
    let up = from.iter().skip(same).map(|_| "..".to_owned());
    let down = to
        .iter()
        .skip(same)
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// Where it is written what is expected.
#[derive(Debug)]
pub(super) enum Known {
    /// Nowhere.
    Nothing,
    /// In a file beside each specification.
    Beside,
    /// In one file.
    Listed(Box<Listed>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specification_is_listed_by_its_way_from_the_folder() {
        let way = |folder, file| between(Path::new(folder), Path::new(file));
        assert_eq!(way("/a/b", "/a/b/c/d.endstep"), "c/d.endstep");
        assert_eq!(way("/a/b", "/a/d.endstep"), "../d.endstep");
        assert_eq!(way("/", "/d.endstep"), "d.endstep");
    }
}
