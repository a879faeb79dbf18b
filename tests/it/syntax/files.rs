//! Every specification in the repository that parses survives printing.

use super::{round_trip, shown};
use endstep::source::SourceId;
use endstep::syntax::{parse, print};
use std::fs;
use std::path::{Path, PathBuf};

/// The specifications in a folder and below, in the order of their paths.
fn specifications(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return found;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(specifications(&path));
        } else if path.extension().is_some_and(|ending| ending == "endstep") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn all() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["specs", "tests/corpus", "tests/regressions"];
    let folders = folders.iter().map(|folder| root.join(folder));
    folders.flat_map(|folder| specifications(&folder)).collect()
}

#[test]
fn files_survive_printing() {
    for path in all() {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.display().to_string();
        if parse(SourceId(0), &text).diagnostics.is_empty() {
            round_trip(&name, &text);
        } else {
            // A file that shows an error in its grammar; printing must not panic.
            print(&parse(SourceId(0), &text).file);
        }
    }
}

#[test]
fn the_real_specifications_have_no_errors_of_grammar() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    for path in specifications(&root) {
        let text = fs::read_to_string(&path).unwrap();
        let diagnostics = parse(SourceId(0), &text).diagnostics;
        assert!(
            diagnostics.is_empty(),
            "{}",
            shown(&path.display().to_string(), &text)
        );
    }
}
