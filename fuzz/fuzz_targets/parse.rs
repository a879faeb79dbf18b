//! Any bytes: they are parsed, what is wrong with them can be shown, and if
//! nothing is, printing and parsing undo each other.

#![no_main]

use endstep::diag::{Style, render};
use endstep::source::SourceMap;
use endstep::syntax::{MAX_DIAGNOSTICS, parse, print};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut sources = SourceMap::new();
    let Ok(id) = sources.load("fuzzed", text.as_bytes()) else {
        return;
    };
    let text = sources.file(id).text();
    let first = parse(id, text);
    let printed = print(&first.file);
    assert!(first.diagnostics.len() <= MAX_DIAGNOSTICS + 1);
    if !first.diagnostics.is_empty() {
        // Showing takes far longer than parsing: only a few.
        let few = &first.diagnostics[..first.diagnostics.len().min(2)];
        render::text(few, &sources, &Style::default());
        return;
    }
    let second = parse(id, &printed);
    assert!(
        second.diagnostics.is_empty(),
        "{:?} in\n{printed}",
        second.diagnostics
    );
    assert!(
        first.file == second.file,
        "another tree comes back from\n{printed}"
    );
    assert_eq!(printed, print(&second.file), "printed twice");
});
