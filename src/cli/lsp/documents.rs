//! The texts that are open in an editor, which go before those on the disk.

use super::lines::{Encoding, Lines};
use super::places::path_of;
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A text that is open.
#[derive(Debug, Clone)]
pub(super) struct Document {
    /// What the editor calls it.
    pub uri: Uri,
    /// Which version of it this is, as the editor counts.
    pub version: i32,
    /// What it says.
    pub text: String,
    /// Its lines.
    pub lines: Lines,
}

impl Document {
    /// A text that was opened.
    pub(super) fn new(uri: Uri, version: i32, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
        Self {
            uri,
            version,
            lines: Lines::of(&text),
            text,
        }
    }

    /// Makes changes, one after the other.
    pub(super) fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        self.version = version;
        for change in changes {
            match change.range {
                None => self.text = change.text,
                Some(range) => {
                    let offset = |at| self.lines.offset(&self.text, at, encoding);
                    let (start, end) = (offset(range.start), offset(range.end));
                    let (start, end) = (start.min(end), start.max(end));
                    self.text.replace_range(start..end, &change.text);
                }
            }
            self.lines = Lines::of(&self.text);
        }
    }
}

/// The texts that are open, by path.
#[derive(Debug, Default)]
pub(super) struct Documents {
    open: BTreeMap<PathBuf, Document>,
}

/// A path under which a file is known, however it is reached.
pub(super) fn known_as(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

impl Documents {
    /// A text is open from now on; its path.
    pub(super) fn open(&mut self, document: Document) -> PathBuf {
        let path = known_as(&path_of(&document.uri));
        self.open.insert(path.clone(), document);
        path
    }

    /// A text is not open any more; its path.
    pub(super) fn close(&mut self, uri: &Uri) -> PathBuf {
        let path = known_as(&path_of(uri));
        self.open.remove(&path);
        path
    }

    /// The text at a path, if it is open.
    pub(super) fn get(&self, path: &Path) -> Option<&Document> {
        self.open.get(path)
    }

    /// The same, to change it.
    pub(super) fn get_mut(&mut self, path: &Path) -> Option<&mut Document> {
        self.open.get_mut(path)
    }

    /// The paths of what is open.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.open.keys().map(PathBuf::as_path)
    }
}
