//! Which boards are looked at (`docs/semantics.md`, 1.2): of boards that are one, what is found on one numbering of
//! each is what is found on all of them; and what a sequence has nothing to do with makes no difference.
//!
//! `NUMBERING=5000 cargo test --test it numbering::random` compares as many random specifications;
//! `NUMBERING=20000..25000` those with these numbers.

use std::collections::BTreeSet;
use std::ops::Range;

use endstep::analysis::{Limits, Options};
use endstep::explore;
use endstep::typing::program::Program;
use endstep::verdict::{Results, fingerprint};

use crate::engines::{LIMITS, compiled, random};

/// How many random specifications are compared if nothing else is said.
const COUNT: u64 = 200;

fn numbers() -> Range<u64> {
    let Ok(given) = std::env::var("NUMBERING") else {
        return 0..COUNT;
    };
    let number = |text: &str| text.parse().expect("a number");
    match given.split_once("..") {
        Some((from, to)) => number(from)..number(to),
        None => 0..number(&given),
    }
}

/// Findings and answers, without numbers of boards. Which readings are named depends on what is counted.
fn said(program: &Program, results: &Results) -> BTreeSet<String> {
    let findings = results.findings.iter().map(|finding| {
        let print = fingerprint(program, finding);
        let (code, subject, cause) = (finding.code, &finding.subject, &finding.cause);
        format!("{code} {subject} | {cause} {print}")
    });
    let answers = results.answers.iter();
    let answers = answers.map(|one| format!("{:?} {:?}", one.subject, one.verdict));
    findings.chain(answers).collect()
}

/// Whether all boards and runs were looked at.
fn is_complete(results: &Results) -> bool {
    results
        .scopes
        .iter()
        .all(|scope| scope.limitations.is_empty() && scope.limited == 0)
}

/// More boards than are looked at by default.
#[derive(Clone, Copy)]
enum More {
    None,
    Numberings,
    Values,
}

/// Where more boards show something else; `None` also where that is unknown.
fn difference(text: &str, more: More) -> Option<String> {
    let program = compiled(text)?;
    let check = |more| {
        let options = Options {
            limits: Limits {
                boards: LIMITS.boards * 12,
                candidates: LIMITS.candidates * 6,
                steps: LIMITS.steps * 4,
                ..LIMITS
            },
            all_numberings: matches!(more, More::Numberings),
            every_value: matches!(more, More::Values),
            threads: 1,
            ..Options::default()
        };
        explore::check(&program, &options, &mut |_| {})
    };
    let (one, all) = (check(More::None), check(more));
    if !is_complete(&one) || !is_complete(&all) {
        return None;
    }
    let (one, all) = (said(&program, &one), said(&program, &all));
    let differ = one.symmetric_difference(&all).cloned();
    let differ: Vec<String> = differ.collect();
    (!differ.is_empty()).then(|| format!("{}\n{text}", differ.join("\n")))
}

#[test]
fn random_specifications_show_the_same_under_all_numberings() {
    let differ: Vec<String> = numbers()
        .filter_map(|number| {
            let found = difference(&random(number), More::Numberings)?;
            Some(format!("{number}: {found}"))
        })
        .collect();
    assert!(differ.is_empty(), "{}", differ.join("\n\n"));
}

#[test]
fn what_a_sequence_has_nothing_to_do_with_makes_no_difference() {
    let differ: Vec<String> = numbers()
        .filter_map(|number| {
            let found = difference(&random(number), More::Values)?;
            Some(format!("{number}: {found}"))
        })
        .collect();
    assert!(differ.is_empty(), "{}", differ.join("\n\n"));
}

#[test]
fn where_numbers_can_be_seen_all_numberings_are_tried_anyway() {
    for file in ["numbered_lanes", "numbered_listeners"] {
        let path = format!("tests/corpus/scope/fail/{file}.endstep");
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(difference(&text, More::Numberings), None, "{path}");
    }
}
