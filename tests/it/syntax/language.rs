//! The examples in docs/language.md and docs/modelling.md parse, and the grammar of the former
//! knows every keyword.

use super::round_trip;
use endstep::syntax::keywords;
use std::fs;
use std::path::Path;

const LANGUAGE: &str = "docs/language.md";
const MODELLING: &str = "docs/modelling.md";

fn page(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The fenced blocks whose first line is exactly this, with their line numbers.
fn blocks(page: &str, fence: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line == fence {
            let inside = lines.by_ref().map(|(_, line)| line);
            let text: Vec<_> = inside.take_while(|line| *line != "```").collect();
            found.push((number + 1, text.join("\n") + "\n"));
        }
    }
    found
}

#[test]
fn examples_of_items_parse() {
    for (path, least) in [(LANGUAGE, 15), (MODELLING, 2)] {
        let found = blocks(&page(path), "```endstep");
        assert!(found.len() > least, "{path}");
        for (line, text) in found {
            round_trip(&format!("{path}:{line}"), &text);
        }
    }
}

#[test]
fn examples_of_statements_parse() {
    for (path, least) in [(LANGUAGE, 8), (MODELLING, 4)] {
        let found = blocks(&page(path), "```endstep statements");
        assert!(found.len() > least, "{path}");
        for (line, text) in found {
            let nested: String = text.lines().map(|line| format!("    {line}\n")).collect();
            let text = format!("sequence s\n  step t\n{nested}");
            round_trip(&format!("{path}:{line}"), &text);
        }
    }
}

#[test]
fn examples_of_expressions_parse() {
    let found = blocks(&page(LANGUAGE), "```endstep expressions");
    assert_eq!(found.len(), 1);
    for line in found[0].1.lines() {
        let printed = round_trip("docs/language.md", &format!("define e = {line}\n"));
        assert_eq!(printed, format!("define e = {line}\n"), "is canonical");
    }
}

#[test]
fn the_grammar_has_every_keyword_and_nothing_else() {
    let page = page(LANGUAGE);
    let grammar: String = blocks(&page, "```ebnf")
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    let mut quoted: Vec<_> = grammar.split('\'').skip(1).step_by(2).collect();
    quoted.retain(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    for word in &quoted {
        assert!(keywords::is_keyword(word), "`{word}` is not in the table");
    }
    // Built-in functions are called like definitions.
    let builtins = ["clamp", "max", "min"];
    for word in keywords::all().filter(|word| !builtins.contains(word)) {
        assert!(quoted.contains(&word), "`{word}` is not in the grammar");
    }
}

#[test]
fn the_page_lists_the_reserved_words() {
    let page = page(LANGUAGE);
    let list: String = page.lines().filter(|line| line.starts_with("> ")).collect();
    let listed: Vec<_> = list.split('`').skip(1).step_by(2).collect();
    assert_eq!(listed, keywords::RESERVED);
}
