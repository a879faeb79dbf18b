//! Any bytes: they make a specification that prints, parses back equal and type
//! checks, and that the interpreter plays.

#![no_main]

#[path = "../../tests/it/generate/walk.rs"]
mod walk;

use arbitrary::Unstructured;
use endstep::generate::specification;
use endstep::source::SourceId;
use endstep::syntax::{parse, print};
use libfuzzer_sys::fuzz_target;

/// How many bytes choose the board and what happens there.
const CHOICES: usize = 64;

fuzz_target!(|bytes: &[u8]| {
    let (choices, bytes) = bytes.split_at(bytes.len().min(CHOICES));
    let file = match specification(&mut Unstructured::new(bytes)) {
        Ok(file) => file,
        Err(error) => panic!("no specification: {error}"),
    };
    let text = print(&file);
    let parsed = parse(SourceId(0), &text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    assert_eq!(parsed.file, file, "{text}");
    let (program, diagnostics) = endstep::typing::check(&[parsed.file]);
    let Some(program) = program else {
        panic!("not well typed: {diagnostics:#?}\n{text}");
    };
    // `cargo fuzz fmt` shows the bytes, this the specification that they make.
    if std::env::var_os("SHOW_SPECIFICATION").is_some() {
        eprintln!("{text}");
    }
    if let Err(error) = walk::walk(&program, &mut Unstructured::new(choices)) {
        panic!("no walk: {error}");
    }
});
