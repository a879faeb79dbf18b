//! Specifications as they were in a revision of a git repository: `HEAD~1:rules/game.endstep`.
//!
//! git itself is asked (`git show`), so whatever it understands as a revision is one. Paths count from the
//! current folder; what a specification includes is read from the same revision.

use super::input::Unreadable;
use crate::driver::Reader;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// A file in a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Revision {
    revision: String,
    path: PathBuf,
}

impl Revision {
    /// `REVISION:PATH`, if it is neither a file nor something else.
    pub(super) fn of(text: &Path) -> Option<Self> {
        if text.exists() {
            return None;
        }
        let (revision, path) = text.to_str()?.split_once(':')?;
        // What begins so would be an option of git.
        let is_one = !revision.is_empty() && !revision.starts_with('-') && !path.is_empty();
        is_one.then(|| Self {
            revision: revision.to_owned(),
            path: plain(Path::new(path)),
        })
    }

    /// Its name in messages.
    pub(super) fn name(&self) -> String {
        format!("{}:{}", self.revision, self.path.display())
    }

    /// What it holds.
    pub(super) fn read(&self) -> Result<Vec<u8>, Unreadable> {
        let name = self.name();
        let object = format!("{}:./{}", self.revision, self.path.display());
        let output = Command::new("git").args(["show", &object]).output();
        let output = output.map_err(|error| {
            Unreadable(format!(
                "cannot read `{name}`: git cannot be started: {error}"
            ))
        })?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => {
                let why = String::from_utf8_lossy(&output.stderr);
                let why = why.trim().trim_start_matches("fatal: ");
                Err(Unreadable(format!("cannot read `{name}`: git says: {why}")))
            }
        }
    }
}

impl Reader for Revision {
    fn read(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), String> {
        let prefix = format!("{}:", self.revision);
        let from = Path::new(from.strip_prefix(&prefix).unwrap_or(from));
        let base = from.parent().unwrap_or(Path::new(""));
        let included = Self {
            revision: self.revision.clone(),
            path: plain(&base.join(path)),
        };
        let bytes = Self::read(&included).map_err(|Unreadable(why)| why)?;
        Ok((included.name(), bytes))
    }
}

/// A path without `.`, and without `..` behind a folder.
fn plain(path: &Path) -> PathBuf {
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
    fn a_revision_is_told_from_a_path() {
        let of = |text: &str| Revision::of(Path::new(text)).map(|one| one.name());
        assert_eq!(
            of("HEAD~1:./rules/../game.endstep").unwrap(),
            "HEAD~1:game.endstep"
        );
        assert_eq!(of("v1:../game.endstep").unwrap(), "v1:../game.endstep");
        for other in [
            "nowhere.endstep",
            "Cargo.toml",
            "--output=x:y",
            ":x",
            "HEAD:",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
