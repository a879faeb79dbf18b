//! Inputs that no author writes: they end in diagnostics, with work that grows
//! with the input and recursion that does not.

use endstep::source::SourceId;
use endstep::syntax::{MAX_DIAGNOSTICS, MAX_TOKENS, Parsed, parse, print};

/// Parses and prints; returns what was parsed.
fn survives(text: &str) -> Parsed {
    let parsed = parse(SourceId(0), text);
    assert!(parsed.diagnostics.len() <= MAX_DIAGNOSTICS + 1);
    print(&parsed.file);
    parsed
}

/// The codes of what is wrong with a text.
fn codes(text: &str) -> Vec<&'static str> {
    let found = survives(text).diagnostics;
    found.iter().map(|one| one.code.id()).collect()
}

#[test]
fn nothing_is_a_specification() {
    for text in ["", "\n", "   ", "\r\n\r\n", "-- only a comment", "\t\t"] {
        assert!(codes(text).is_empty(), "{text:?}");
    }
}

#[test]
fn deep_expressions_are_an_error_and_not_a_crash() {
    let deep = 40_000;
    let cases = [
        format!("define x = {}1{}", "(".repeat(deep), ")".repeat(deep)),
        format!("define x = {}", "(".repeat(deep)),
        format!("define x = {}y", "- ".repeat(deep)),
        format!("define x = {}y", "not ".repeat(deep)),
        format!("define x = {}y", "half of ".repeat(deep)),
        format!("define x = {}y", "old ".repeat(deep)),
        format!("define x = {}", "if ".repeat(deep)),
        format!("define x = {}y", "every c: C has ".repeat(deep)),
        format!("define x = {}", "f(".repeat(deep)),
        format!("define x = {}", "per r (x: ".repeat(deep)),
        format!("define x = a{}", " + a".repeat(deep)),
        format!("define x = a{}", " and a".repeat(deep)),
        format!("define x = a{}", ".a".repeat(deep)),
        format!("sequence s, over each c: C, {}", "per r (x: ".repeat(deep)),
    ];
    for text in cases {
        let start: String = text.chars().take(40).collect();
        assert_eq!(codes(&text), ["E0114"], "{start}");
    }
}

#[test]
fn expressions_are_at_most_as_high_as_the_limit() {
    // Each bracket holds a chain whose first operand is the next bracket: far
    // higher than it is deep.
    let mut text = "a".to_owned();
    for _ in 0..30 {
        text = format!("({text}){}", " + a".repeat(30));
    }
    assert_eq!(codes(&format!("define x = {text}\n")), ["E0114"]);
    let fits = format!("define x = a{}\n", " + a".repeat(63));
    assert!(codes(&fits).is_empty());
    for (open, close) in [("(", ")"), ("half of (", ")"), ("f(", ")"), ("- ", "")] {
        // `half of (` is two levels.
        let most = if open == "half of (" { 32 } else { 64 };
        let nested = |deep| format!("define x = {}1{}\n", open.repeat(deep), close.repeat(deep));
        assert!(codes(&nested(most)).is_empty(), "{most} times {open}");
        assert_eq!(codes(&nested(most + 1)), ["E0114"], "{open}");
    }
}

#[test]
fn deep_blocks_are_an_error_and_not_a_crash() {
    let mut text = String::from("sequence s\n step t\n");
    for depth in 2..2_000 {
        text += &" ".repeat(depth);
        text += "if a\n";
    }
    assert_eq!(codes(&text), ["E0114"]);
    let mut text = String::new();
    for depth in 0..2_000 {
        text += &" ".repeat(depth);
        text += "clause a (rule) at \"b\"\n";
    }
    assert_eq!(codes(&text), ["E0114"]);
}

#[test]
fn as_many_blocks_as_allowed_are_read() {
    let mut text = String::new();
    for depth in 0..64 {
        text += &format!("{}clause a (rule) at \"b\"\n", "  ".repeat(depth));
    }
    text += &format!("{}game \"g\"\n", "  ".repeat(64));
    assert!(codes(&text).is_empty());
    text += &format!("{}game \"g\"\n", "  ".repeat(65));
    assert_eq!(codes(&text), ["E0113"]);
}

#[test]
fn after_many_errors_the_rest_is_not_read() {
    let found = codes(&"mvoe\n".repeat(500_000));
    assert_eq!(found.len(), MAX_DIAGNOSTICS + 1);
    assert_eq!(found.last(), Some(&"E0118"));
    let found = codes(&"\u{1}\u{2} é \t{}[];\n".repeat(100_000));
    assert_eq!(found.last(), Some(&"E0118"));
}

#[test]
fn long_inputs_are_read_in_time() {
    let (many, long) = (100_000, 4_000_000);
    assert!(codes(&"game \"\"\n".repeat(many / 4)).is_empty());
    assert!(codes(&format!("type t is one of a{}\n", ", a".repeat(many))).is_empty());
    assert!(codes(&"--\n".repeat(many)).is_empty());
    assert!(codes(&"\n".repeat(long)).is_empty());
    assert_eq!(codes(&"\"".repeat(long)).len(), 1);
    assert_eq!(codes(&"a".repeat(long)), ["E0110"]);
    assert_eq!(codes(&"9".repeat(long)), ["E0108"]);
    assert_eq!(codes(&")".repeat(many)), ["E0108"]);
    assert_eq!(
        codes(&format!("define x = {}", "9".repeat(long))),
        ["E0107"]
    );
    // A line that never ends, with comments in it.
    assert_eq!(
        codes(&format!("game (\n{}", " a, -- b\n".repeat(many / 4))),
        ["E0108"]
    );
    // Comments that go down and up again.
    let stairs: String = (0..2_000)
        .map(|depth| format!("{}--\n", " ".repeat(depth)))
        .collect();
    assert!(codes(&stairs).is_empty());
}

#[test]
fn texts_that_are_too_large_are_refused() {
    assert_eq!(codes(&" ".repeat(10 << 20)), ["E0002"]);
    // Of a line that is too much nothing is read, and so nothing else is wrong with it.
    for text in ["(", ") ", "a ", "game \"\"\n", "--\n"] {
        assert_eq!(codes(&text.repeat(MAX_TOKENS + 1)), ["E0119"], "{text}");
    }
}

#[test]
fn truncated_specifications_are_read() {
    let page = include_str!("../../../docs/language.md");
    let text: String = page
        .lines()
        .filter(|line| !line.starts_with("```"))
        .collect();
    for end in (0..text.len()).step_by(97) {
        survives(&text[..text.floor_char_boundary(end)]);
    }
    let code = "sequence s\n  step t\n    if (a and\n      b) \"c\n  -- d\n\te";
    for end in 0..code.len() {
        survives(&code[..end]);
        survives(&code[end..]);
    }
}

#[test]
fn bytes_that_are_no_text_are_read() {
    let mut state = 1_u32;
    for length in [10, 1_000, 100_000] {
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect();
        survives(&String::from_utf8_lossy(&bytes));
    }
}
