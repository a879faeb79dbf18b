//! The generator of specifications: what it makes is well-formed, whatever the
//! bytes, and the interpreter can play it.

use endstep::generate::{census, specification};
use endstep::source::SourceMap;
use endstep::syntax::ast::File;
use endstep::syntax::{parse, print};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use std::collections::BTreeSet;

/// Byte strings of all lengths that matter; long ones shrink to short ones.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![Just(16_usize), Just(128), Just(512), Just(1500)]
        .prop_flat_map(|most| proptest::collection::vec(any::<u8>(), 0..=most))
}

/// The specification that bytes make.
fn made(bytes: &[u8]) -> File {
    let made = specification(&mut arbitrary::Unstructured::new(bytes));
    made.unwrap_or_else(|error| panic!("{bytes:?} makes no specification: {error}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn what_is_made_prints_and_parses_back_equal(bytes in bytes()) {
        let file = made(&bytes);
        let text = print(&file);
        let mut sources = SourceMap::new();
        let id = sources.load("made", text.as_bytes()).unwrap();
        let parsed = parse(id, &text);
        assert!(parsed.diagnostics.is_empty(), "{text}\n{:#?}", parsed.diagnostics);
        assert_eq!(parsed.file, file, "\n{text}");
    }
}

#[test]
fn no_bytes_make_the_smallest_specification() {
    insta::assert_snapshot!(print(&made(&[])), @r#""#);
}

#[test]
fn every_construct_is_made() {
    let mut random = proptest::test_runner::TestRng::deterministic_rng(
        proptest::test_runner::RngAlgorithm::ChaCha,
    );
    let mut found = BTreeSet::new();
    for _ in 0..3000 {
        let mut bytes = vec![0; 1024];
        proptest::prelude::RngCore::fill_bytes(&mut random, &mut bytes);
        found.extend(census::constructs(&made(&bytes)));
    }
    let missing: Vec<_> = census::all().into_iter().filter(|one| !found.contains(one)).collect();
    assert!(missing.is_empty(), "never made: {missing:?}");
}
