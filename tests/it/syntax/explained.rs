//! What `explain` shows as an example can be written so.

use endstep::diag::Code;
use endstep::source::SourceId;
use endstep::syntax::parse;
use std::collections::BTreeSet;

/// Where an example may stand, and how far it is indented there.
const PLACES: [(&str, usize); 5] = [
    ("", 0),
    ("clause c (rule) at \"1\"\n", 2),
    ("sequence s\n", 2),
    ("sequence s\n  step t\n    nothing\n", 2),
    ("sequence s\n  step t\n", 4),
];

/// Codes that are no more than a limit, or speak of no specification.
const WITHOUT: [&str; 1] = ["E0002"];

/// The examples of an explanation: its indented lines, as far as they stand together.
fn examples(code: Code) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in code.explanation().lines() {
        let last = all.len() - 1;
        match line.strip_prefix("    ") {
            Some(line) => all[last].push_str(&format!("{line}\n")),
            None if !line.is_empty() => all.push(String::new()),
            None => {}
        }
    }
    all.retain(|example| !example.is_empty());
    all
}

/// What is wrong with an example at a place.
fn faults(example: &str, (before, indent): (&str, usize)) -> BTreeSet<&'static str> {
    let line = |line: &str| format!("{}{line}\n", " ".repeat(indent));
    let lines: String = example.lines().map(line).collect();
    let found = parse(SourceId(0), &format!("{before}{lines}")).diagnostics;
    found.iter().map(|one| one.code.id()).collect()
}

/// At one of these places it has no fault, or just the one of which the code speaks.
fn fits(code: Code, example: &str) -> bool {
    PLACES.iter().any(|&place| {
        let faults = faults(example, place);
        faults.iter().all(|fault| *fault == code.id())
    })
}

#[test]
fn every_example_of_an_explanation_is_in_the_language() {
    let mut wrong = Vec::new();
    for code in Code::all() {
        let examples = examples(code);
        let has_one = !examples.is_empty() || WITHOUT.contains(&code.id());
        assert!(has_one, "{code} is explained without an example");
        for example in examples {
            // What to do on the command line.
            if !example.starts_with("endstep ") && !fits(code, &example) {
                wrong.push(format!("{code}\n{example}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
