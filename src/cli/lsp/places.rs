//! Files: paths here, URIs with an editor.

use lsp_types::Uri;
use percent_encoding::{
    AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode,
};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What is escaped in the path of a URI.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// What is escaped in what cannot be told.
const ODD: &AsciiSet = CONTROLS;

/// The path of a file; of what is no file a path that no file has.
pub(super) fn path_of(uri: &Uri) -> PathBuf {
    let text = uri.as_str();
    let Some(rest) = text.strip_prefix("file://") else {
        return PathBuf::from(text);
    };
    // The host is this machine.
    let path = rest.find('/').map_or(rest, |at| &rest[at..]);
    let path = percent_decode_str(path).decode_utf8_lossy().into_owned();
    // `/c:/games` is a path of Windows.
    let drive = path.strip_prefix('/').filter(|rest| {
        let mut letters = rest.chars();
        let is_letter = letters.next().is_some_and(|one| one.is_ascii_alphabetic());
        cfg!(windows) && is_letter && letters.next() == Some(':')
    });
    PathBuf::from(drive.unwrap_or(&path))
}

/// The URI of a file.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let text = path.to_str()?;
    if !path.is_absolute() {
        return Uri::from_str(&utf8_percent_encode(text, ODD).to_string()).ok();
    }
    // How Windows writes a path that it has followed.
    let text = text.strip_prefix("\\\\?\\").unwrap_or(text);
    let text = text.replace('\\', "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    let path = utf8_percent_encode(&text, ESCAPED);
    Uri::from_str(&format!("file://{slash}{path}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_same_there_and_back() {
        for path in ["/a b/ä#?%41.endstep", "/rules/x.endstep"] {
            let uri = uri_of(Path::new(path)).unwrap();
            assert!(uri.as_str().starts_with("file:///"), "{}", uri.as_str());
            assert_eq!(path_of(&uri), Path::new(path));
        }
        let unsaved = Uri::from_str("untitled:Untitled-1").unwrap();
        assert_eq!(uri_of(&path_of(&unsaved)).as_ref(), Some(&unsaved));
        let host = Uri::from_str("file://localhost/a/b").unwrap();
        assert_eq!(path_of(&host), Path::new("/a/b"));
    }
}
