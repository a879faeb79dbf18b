//! Specifications as they were in a revision of a git repository: `HEAD~1:rules/game.endstep`.
//!
//! git itself is asked (`git show`), so whatever it understands as a revision is one. Paths count from the
//! current folder; what a specification includes is read from the same revision.

use super::include::{Roots, plain};
use super::input::Unreadable;
use crate::driver::Reader;
use endstep_language::source::MAX_SOURCE_BYTES;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};

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
        let wrong = |why: &str| Unreadable(format!("cannot read `{name}`: {why}"));
        let run = || -> io::Result<Output> {
            let mut git = Command::new("git")
                .args(["show", &object])
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()?;
            let mut stdout = Vec::new();
            if let Some(pipe) = &mut git.stdout {
                // One byte more than is accepted tells that it is too large.
                let most = MAX_SOURCE_BYTES as u64 + 1;
                pipe.take(most).read_to_end(&mut stdout)?;
            }
            if stdout.len() > MAX_SOURCE_BYTES {
                git.kill()?;
                git.wait()?;
                return Ok(Output {
                    status: ExitStatus::default(),
                    stdout,
                    stderr: Vec::new(),
                });
            }
            let rest = git.wait_with_output()?;
            Ok(Output { stdout, ..rest })
        };
        let output = run().map_err(|error| wrong(&format!("git cannot be started: {error}")))?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(wrong(&complaint(&String::from_utf8_lossy(&output.stderr)))),
        }
    }
}

/// What git says, and what helps.
fn complaint(said: &str) -> String {
    let why = said.trim().trim_start_matches("fatal: ");
    let first = why.lines().next().unwrap_or_default();
    match why.contains("dubious ownership") {
        true => format!(
            "git says: {first}; the folder belongs to another user, as it often does in a container: \
             `git config --global --add safe.directory DIR`, with the folder of the repository, tells \
             git that it can be trusted"
        ),
        false => format!("git says: {why}"),
    }
}

/// What a specification in a revision may include.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    revision: String,
    /// The folder of the specification.
    own: PathBuf,
    roots: &'a Roots,
}

impl<'a> Tree<'a> {
    /// What a file may include.
    pub(super) fn of(file: Revision, roots: &'a Roots) -> Self {
        let own = file.path.parent().unwrap_or(Path::new(""));
        Self {
            own: own.to_owned(),
            revision: file.revision,
            roots,
        }
    }

    fn file(&self, path: &str, from: &str) -> Revision {
        let prefix = format!("{}:", self.revision);
        let from = Path::new(from.strip_prefix(&prefix).unwrap_or(from));
        let base = from.parent().unwrap_or(Path::new(""));
        Revision {
            revision: self.revision.clone(),
            path: plain(&base.join(path)),
        }
    }
}

impl Reader for Tree<'_> {
    fn name(&mut self, path: &str, from: &str) -> Option<String> {
        Some(self.file(path, from).name())
    }

    fn read(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), String> {
        let included = self.file(path, from);
        if !self.roots.have(&self.own, &included.path) {
            return Err(Roots::refusal(path, &self.own));
        }
        let bytes = included.read().map_err(|Unreadable(why)| why)?;
        Ok((included.name(), bytes))
    }
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

    #[test]
    fn a_repository_of_another_user_is_explained() {
        let said =
            "fatal: detected dubious ownership in repository at '/rules'\nTo add an exception\n";
        let why = complaint(said);
        assert!(
            why.starts_with("git says: detected dubious ownership"),
            "{why}"
        );
        assert!(
            why.contains("git config --global --add safe.directory DIR"),
            "{why}"
        );
        assert_eq!(complaint("fatal: bad revision\n"), "git says: bad revision");
    }
}
