//! The generator of specifications: what it makes is well-formed, whatever the
//! bytes, the interpreter can play it, and it is varied enough to compare
//! engines on.

mod distribution;
mod features;
mod reports;
mod walk;

use arbitrary::Unstructured;
use endstep::diag::{Severity, Style, render};
use endstep::generate::{census, specification};
use endstep::source::SourceMap;
use endstep::syntax::ast::File;
use endstep::syntax::{parse, print};
use endstep::typing::program::Program;
use proptest::collection::vec;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Byte strings of all lengths that matter; long ones shrink to short ones.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![Just(16_usize), Just(128), Just(512), Just(1500)]
        .prop_flat_map(|most| vec(any::<u8>(), 0..=most))
}

/// The specification that bytes make.
fn made(bytes: &[u8]) -> File {
    let made = specification(&mut Unstructured::new(bytes));
    made.unwrap_or_else(|error| panic!("{bytes:?} makes no specification: {error}"))
}

/// Prints, parses and checks a specification.
fn checked(file: &File) -> Program {
    let text = print(file);
    let mut sources = SourceMap::new();
    let id = sources.load("made", text.as_bytes()).unwrap();
    let parsed = parse(id, &text);
    let shown = |diagnostics: &[_]| render::text(diagnostics, &sources, &Style::default());
    assert!(
        parsed.diagnostics.is_empty(),
        "{text}\n{}",
        shown(&parsed.diagnostics)
    );
    assert_eq!(&parsed.file, file, "parsed differently:\n{text}");
    let (program, mut diagnostics) = endstep::typing::check(&[parsed.file]);
    diagnostics.retain(|one| one.severity == Severity::Error);
    program.unwrap_or_else(|| panic!("not well typed:\n{text}\n{}", shown(&diagnostics)))
}

/// Random byte strings of a length, the same ones every time and with every version of every crate
/// (SplitMix64).
fn sample(count: usize, length: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut state = 0_u64;
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as u8
    };
    (0..count).map(move |_| (0..length).map(|_| next()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_made_prints_parses_back_equal_and_type_checks(bytes in bytes()) {
        checked(&made(&bytes));
    }

    #[test]
    fn the_interpreter_plays_what_is_made(bytes in bytes(), choices in vec(any::<u8>(), 0..200)) {
        let file = made(&bytes);
        let program = checked(&file);
        let mut choices = Unstructured::new(&choices);
        let walked = catch_unwind(AssertUnwindSafe(|| walk::walk(&program, &mut choices)));
        if let Err(failure) = walked {
            println!("{}", print(&file));
            resume_unwind(failure);
        }
    }
}

#[test]
fn no_bytes_make_the_smallest_specification() {
    insta::assert_snapshot!(print(&made(&[])), @r#"
    game "A game"
    var score: integer, explore 0 to 1, reach -2 to 3
    sequence main
      step start
        nothing
    "#);
}

#[test]
fn more_bytes_make_more() {
    let lines = |length| -> usize {
        let each = sample(100, length).map(|bytes| print(&made(&bytes)).lines().count());
        each.sum()
    };
    let (few, some, many) = (lines(16), lines(256), lines(1024));
    assert!(few < some && some < many, "{few}, {some}, {many} lines");
}

#[test]
fn every_construct_is_made() {
    let mut found = BTreeSet::new();
    for bytes in sample(2500, 1024) {
        found.extend(census::constructs(&made(&bytes)));
    }
    let mut missing = census::all();
    missing.retain(|one| !found.contains(one));
    assert!(missing.is_empty(), "never made: {missing:?}");
}
