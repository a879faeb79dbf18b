//! `tests/corpus/typing/fail` and `pass`: texts with what is said of them.
//!
//! A line of a failing text ends in `-- E0201: message` for each diagnostic whose place is in it,
//! separated by ` ;; `. A text says all that is reported, no more and no less. Passing texts have
//! no diagnostics.

use super::{checked, shown};
use endstep::diag::{Code, Severity};
use endstep::source::SourceMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn texts(folder: &str) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "endstep"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{folder} is empty");
    let read = |path: PathBuf| {
        (
            path.display().to_string(),
            fs::read_to_string(path).unwrap(),
        )
    };
    paths.into_iter().map(read).collect()
}

/// Line, code and message of everything that a text says is reported.
fn expected(text: &str) -> BTreeSet<(u32, String)> {
    let mut expected = BTreeSet::new();
    for (number, line) in text.lines().enumerate() {
        let Some((_, said)) = line.split_once("-- ") else {
            continue;
        };
        for one in said.split(" ;; ") {
            let code = one.get(..5).filter(|code| Code::find(code).is_some());
            if code.is_some() {
                expected.insert((number as u32 + 1, one.trim_end().to_owned()));
            }
        }
    }
    expected
}

#[test]
fn failing_texts_say_what_is_reported() {
    for (name, text) in texts("tests/corpus/typing/fail") {
        let (program, found) = checked(&text);
        let mut sources = SourceMap::new();
        sources.load(name.as_str(), text.as_bytes()).unwrap();
        let reported: BTreeSet<(u32, String)> = found
            .iter()
            .map(|one| {
                let place = one
                    .place()
                    .unwrap_or_else(|| panic!("{name}: {}", one.message));
                let line = sources.start(place).line;
                (line, format!("{}: {}", one.code, one.message))
            })
            .collect();
        let errors = found.iter().any(|one| one.severity == Severity::Error);
        assert_eq!(program.is_none(), errors, "{name}");
        assert_eq!(reported, expected(&text), "{}", shown(&name, &text, &found));
    }
}

#[test]
fn every_code_has_a_failing_text() {
    let codes: BTreeSet<String> = texts("tests/corpus/typing/fail")
        .iter()
        .flat_map(|(_, text)| expected(text))
        .filter_map(|(_, said)| Some(said.get(..5)?.to_owned()))
        .collect();
    // Files are included in the tests of `resolve`, nesting is tested in `limits`.
    let elsewhere = ["E0206", "E0207", "E0418"];
    for code in Code::all().map(Code::id) {
        let ours = ["E02", "E03", "E04", "W05"]
            .iter()
            .any(|family| code.starts_with(family));
        if ours && !elsewhere.contains(&code) {
            assert!(
                codes.contains(code),
                "no text in tests/corpus/typing/fail has {code}"
            );
        }
    }
}

#[test]
fn passing_texts_have_no_diagnostics() {
    for (name, text) in texts("tests/corpus/typing/pass") {
        let (program, found) = checked(&text);
        assert!(
            found.is_empty() && program.is_some(),
            "{}",
            shown(&name, &text, &found)
        );
    }
}

#[test]
fn real_documents_have_no_errors() {
    for folder in ["tests/corpus/passages", "specs"] {
        for (name, text) in texts(folder) {
            let (program, found) = checked(&text);
            assert!(program.is_some(), "{}", shown(&name, &text, &found));
        }
    }
}

/// The examples of the language reference, one after the other, are one specification.
#[test]
fn the_examples_of_the_reference_have_no_diagnostics() {
    let page = fs::read_to_string("docs/language-types.md").unwrap();
    let mut text = String::new();
    for block in page.split("```endstep\n").skip(1) {
        text.push_str(block.split("```").next().unwrap());
    }
    assert!(text.lines().count() > 60, "the examples were not found");
    let (program, found) = checked(&text);
    let page = shown("docs/language-types.md", &text, &found);
    assert!(found.is_empty() && program.is_some(), "{page}");
}

/// Every code that the reference names exists.
#[test]
fn the_reference_names_codes_that_exist() {
    let page = fs::read_to_string("docs/language-types.md").unwrap();
    let words = page.split(|letter: char| !letter.is_ascii_alphanumeric());
    let codes =
        words.filter(|word| word.len() == 5 && word[1..].bytes().all(|b| b.is_ascii_digit()));
    for code in codes.filter(|word| word.starts_with(['E', 'W', 'F'])) {
        assert!(Code::find(code).is_some(), "{code}");
    }
}
