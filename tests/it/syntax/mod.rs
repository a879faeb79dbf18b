//! The front end: printing is parsing undone, every code has an input that
//! fails with it, and no input makes it panic or take long.

mod editor;
mod explained;
mod faults;
mod files;
mod hostile;
mod language;
mod layout;
mod trees;

use endstep::diag::Style;
use endstep::diag::render;
use endstep::source::{SourceId, SourceMap};
use endstep::syntax::{Parsed, parse, print};

/// The diagnostics of a text as a terminal shows them.
fn shown(name: &str, text: &str) -> String {
    let mut sources = SourceMap::new();
    let id = sources.load(name, text.as_bytes()).unwrap();
    let parsed = parse(id, text);
    render::text(&parsed.diagnostics, &sources, &Style::default())
}

/// Parses a text that has no errors.
fn parsed(name: &str, text: &str) -> Parsed {
    let parsed = parse(SourceId(0), text);
    assert!(parsed.diagnostics.is_empty(), "{}", shown(name, text));
    parsed
}

/// Checks that a text without errors is printed so that the same tree comes
/// back, and that printing it again changes nothing. Returns what was printed.
fn round_trip(name: &str, text: &str) -> String {
    let first = parsed(name, text);
    let printed = print(&first.file);
    let second = parsed(&format!("printed {name}"), &printed);
    assert_eq!(first.file, second.file, "{name}, printed as\n{printed}");
    assert_eq!(printed, print(&second.file), "{name}: printed twice");
    printed
}
