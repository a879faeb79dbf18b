//! The language server, as an editor speaks with it.

mod editor;
mod edits;
mod session;

use editor::{Editor, uri};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A folder of its own for each test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("lsp")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder.canonicalize().unwrap()
}

/// The position of a part of a text, plus some characters; texts of ASCII only.
pub fn position(text: &str, part: &str, plus: usize) -> Value {
    let at = text.find(part).unwrap_or_else(|| panic!("no {part:?}")) + plus;
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": text[..at].matches('\n').count(), "character": at - start })
}
