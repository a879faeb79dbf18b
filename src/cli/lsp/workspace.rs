//! Which specifications there are, and of which of them a file is part.
//!
//! ```text
//! game.endstep         include "cards.endstep"
//! cards.endstep        is part of game.endstep; what is wrong in it is found by reading game.endstep
//! ```

use super::documents::{Documents, known_as};
use crate::cli::input::{self, ENDING};
use crate::driver::included;
use endstep_language::source::SourceId;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// So many entries of folders are looked at, so that whoever opens a whole disk does not wait for it.
const MOST_ENTRIES: usize = 20_000;

/// The folders that are open, and the specifications in them.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    folders: Vec<PathBuf>,
    /// What each file includes.
    includes: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

impl Workspace {
    /// These folders are open, and what is in them is looked at.
    pub(super) fn open(&mut self, folders: &[PathBuf], documents: &Documents) {
        for folder in folders {
            let folder = known_as(folder);
            for file in files(&folder) {
                self.look(&file, documents);
            }
            self.folders.push(folder);
        }
    }

    /// These folders are not open any more.
    pub(super) fn close(&mut self, folders: &[PathBuf]) {
        for folder in folders {
            let folder = known_as(folder);
            self.folders.retain(|one| *one != folder);
        }
    }

    /// The folder in which a file is, the innermost one.
    pub(super) fn folder(&self, path: &Path) -> Option<&Path> {
        let folders = self.folders.iter().filter(|one| path.starts_with(one));
        let inner = folders.max_by_key(|one| one.components().count());
        inner.map(PathBuf::as_path)
    }

    /// The files that are known.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.includes.keys().map(PathBuf::as_path)
    }

    /// Finds out what a file includes; forgets one that is gone.
    pub(super) fn look(&mut self, path: &Path, documents: &Documents) {
        let open = documents.get(path).map(|one| one.text.clone());
        let text = open.or_else(|| {
            let found = input::one(path).ok()?;
            Some(String::from_utf8_lossy(&found.bytes).into_owned())
        });
        let Some(text) = text else {
            self.includes.remove(path);
            return;
        };
        let base = path.parent().unwrap_or(Path::new(""));
        // Most texts include nothing, and need not be read for that.
        let mut lines = text.lines();
        let paths = match lines.any(|line| line.trim_start().starts_with("include")) {
            true => included(SourceId::default(), &text),
            false => Vec::new(),
        };
        let paths = paths.iter().map(|one| known_as(&base.join(one)));
        self.includes.insert(path.to_owned(), paths.collect());
    }

    /// The specifications of which a file is part: those that reach it and that nothing includes; the file itself
    /// if there is no such one.
    pub(super) fn roots(&self, path: &Path) -> BTreeSet<PathBuf> {
        let includers = |of: &Path| {
            let of = of.to_owned();
            let all = self.includes.iter();
            all.filter(move |(_, included)| included.contains(&of))
        };
        let mut roots = BTreeSet::new();
        let mut seen: BTreeSet<&Path> = BTreeSet::from([path]);
        let mut left = vec![path];
        while let Some(next) = left.pop() {
            let mut is_root = true;
            for (includer, _) in includers(next) {
                is_root = false;
                if seen.insert(includer) {
                    left.push(includer);
                }
            }
            if is_root {
                roots.insert(next.to_owned());
            }
        }
        if roots.is_empty() {
            roots.insert(path.to_owned());
        }
        roots
    }
}

/// The specifications in a folder and below.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    let mut entries = 0;
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MOST_ENTRIES {
                return found;
            }
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let is_other = name.starts_with('.') || name == "target" || name == "node_modules";
            // Links are not followed.
            let kind = entry.file_type();
            if kind.as_ref().is_ok_and(fs::FileType::is_dir) && !is_other {
                left.push(path);
            } else if kind.is_ok_and(|kind| kind.is_file())
                && path.extension().is_some_and(|end| end == ENDING)
            {
                found.push(known_as(&path));
            }
        }
    }
    found
}
