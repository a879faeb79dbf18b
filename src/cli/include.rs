//! From where specifications include files: the folder of the specification and what is below it, and
//! folders that the command line names.
//!
//! A specification may come from somebody else, a pull request say, and what is wrong with a file is
//! shown with its lines. So `include "../../secret"` is refused before anything is read:
//!
//! ```text
//! game.endstep            include "cards/all.endstep"     is read
//!                         include "../common.endstep"     only with --include-root ..
//! ```
//!
//! *Guarantees.* A file is read only if it really is, all links followed, in one of the folders.

use super::input::{self, Input, STANDARD_INPUT, Unreadable};
use crate::driver::Reader;
use clap::Args;
use endstep_report::report::shell_word;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Folders from which files may be included.
#[derive(Args, Debug, Clone, Default)]
pub(super) struct Roots {
    /// Let specifications include files from this folder, too, and not only from their own
    #[arg(long = "include-root", value_name = "DIR")]
    folders: Vec<PathBuf>,
}

impl Roots {
    /// The options as they are written.
    pub(super) fn that_matter(&self) -> impl Iterator<Item = String> + '_ {
        let folders = self.folders.iter();
        folders.map(|folder| format!("--include-root {}", folder.display()))
    }

    /// The same as a shell wants it.
    pub(super) fn words(&self) -> impl Iterator<Item = String> + '_ {
        let folders = self.folders.iter();
        folders.map(|folder| {
            let folder = shell_word(&folder.display().to_string());
            format!("--include-root {folder}")
        })
    }

    /// Why a file may not be included.
    pub(super) fn refusal(path: &str, folder: &Path) -> String {
        let folder = match folder == Path::new("") {
            true => ".".into(),
            false => folder.display().to_string(),
        };
        format!(
            "`{path}` is outside of the folder `{folder}`; `--include-root DIR` lets it be read"
        )
    }

    /// Whether a path, all links followed, is in a folder or in one of these; also if it is not there.
    pub(super) fn reach(&self, own: &Path, path: &Path) -> bool {
        let Ok(place) = path.canonicalize() else {
            return true;
        };
        let mut folders = std::iter::once(own).chain(self.folders.iter().map(PathBuf::as_path));
        folders.any(|folder| real(folder).is_some_and(|folder| place.starts_with(folder)))
    }

    /// Whether a path without links, relative to where the folders are, is in one of them.
    pub(super) fn have(&self, own: &Path, path: &Path) -> bool {
        let mut folders = self.folders.iter().map(|folder| plain(folder));
        is_below(own, path) || folders.any(|folder| is_below(&folder, path))
    }
}

/// Whether a path is below a folder, going by the names alone.
fn is_below(folder: &Path, path: &Path) -> bool {
    let Ok(rest) = path.strip_prefix(folder) else {
        return false;
    };
    rest.is_relative() && !rest.components().any(|part| part == Component::ParentDir)
}

/// Reads included files from the disk.
#[derive(Debug)]
pub(super) struct Disk {
    /// Names of files that were read, by where they really are.
    names: BTreeMap<PathBuf, String>,
    /// The folder of the specification, as it is named and as it really is.
    own: (PathBuf, Option<PathBuf>),
    /// The other folders, as they really are.
    others: Vec<PathBuf>,
}

impl Disk {
    /// A disk from which one specification was read already.
    pub(super) fn with(input: &Input, roots: &Roots) -> Self {
        let place = input.path.as_ref();
        let folder = place
            .and_then(|path| path.parent())
            .unwrap_or(Path::new(""));
        let place = place.and_then(|path| path.canonicalize().ok());
        Self {
            own: (folder.to_owned(), real(folder)),
            others: roots.folders.iter().filter_map(|one| real(one)).collect(),
            names: place
                .map(|place| (place, input.name.clone()))
                .into_iter()
                .collect(),
        }
    }

    fn may_read(&self, place: &Path) -> bool {
        let mut folders = self.own.1.iter().chain(&self.others);
        folders.any(|folder| place.starts_with(folder))
    }
}

/// Where a folder really is.
fn real(folder: &Path) -> Option<PathBuf> {
    let named = match folder == Path::new("") {
        true => Path::new("."),
        false => folder,
    };
    named.canonicalize().ok()
}

impl Disk {
    /// The path of a file that is included, and its name.
    pub(super) fn find(&mut self, path: &str, from: &str) -> Result<(PathBuf, String), String> {
        let base = match from {
            STANDARD_INPUT => Path::new(""),
            from => Path::new(from).parent().unwrap_or(Path::new("")),
        };
        let joined = base.join(path);
        let refusal = || Roots::refusal(path, &self.own.0);
        let place = match joined.canonicalize() {
            Ok(place) if self.may_read(&place) => place,
            Ok(_) => return Err(refusal()),
            // Whether there is such a file elsewhere is nobody's business.
            Err(error) => {
                let named = real(base).map(|base| plain(&base.join(path)));
                return Err(match named.is_some_and(|named| self.may_read(&named)) {
                    true => error.to_string(),
                    false => refusal(),
                });
            }
        };
        let name = self.names.entry(place.clone());
        let name = name.or_insert_with(|| joined.display().to_string());
        Ok((place, name.clone()))
    }
}

impl Reader for Disk {
    fn name(&mut self, path: &str, from: &str) -> Option<String> {
        self.find(path, from).ok().map(|(_, name)| name)
    }

    fn read(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), String> {
        let (place, name) = self.find(path, from)?;
        let found = input::one(&place).map_err(|Unreadable(why)| why)?;
        Ok((name, found.bytes))
    }
}

/// A path without `.`, and without `..` behind a folder.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        let up = part == Component::ParentDir;
        let can = matches!(out.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => {}
            _ if up && can => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_below_a_folder_or_not() {
        let below = |folder, path| is_below(Path::new(folder), &plain(Path::new(path)));
        assert!(below("", "a/../b.endstep") && below("rules", "rules/a/b.endstep"));
        assert!(!below("", "../b.endstep") && !below("", "/etc/passwd"));
        assert!(!below("rules", "rules2/a") && !below("rules", "rules/../a"));
    }
}
