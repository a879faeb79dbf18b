//! How varied the specifications are: which constructs they have, and what the
//! exhaustive checker finds in them.
//!
//! `GENERATOR_DOCS=overwrite cargo test --test it generate::distribution` writes
//! the tables of `docs/generator.md`.

use super::{checked, made, sample};
use endstep::analysis::{Limits, Options};
use endstep::diag::Code;
use endstep::diag::codes::finding;
use endstep::exhaust::check;
use endstep::generate::census;
use endstep::verdict::Results;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many specifications are looked at.
const COUNT: usize = 300;

/// From how many bytes each is made.
const LENGTH: usize = 1024;

/// The page with the tables.
const PAGE: &str = "docs/generator.md";

/// A property, and the findings by which it is recognised.
type Property = (&'static str, &'static [Code]);

/// What the specifications are needed for; the first three have a least share.
const PROPERTIES: [Property; 8] = [
    (
        "the order matters",
        &[finding::ORDER_MATTERS, finding::STEPS_MATTER],
    ),
    (
        "a run may not end",
        &[
            finding::MANDATORY_LOOP,
            finding::ORDER_LOOP,
            finding::CHANCE_LOOP,
            finding::OPTIONAL_LOOP,
        ],
    ),
    (
        "gaps or conflicts",
        &[
            finding::NAMED_GAP,
            finding::IMPLICIT_GAP,
            finding::CONFLICT,
            finding::GAP_MATTERS,
        ],
    ),
    (
        "readings differ",
        &[
            finding::AMBIGUITY,
            finding::CONTRADICTION,
            finding::POWER_DIFFERS,
        ],
    ),
    (
        "values leave the document's bounds",
        &[finding::OUT_OF_RANGE],
    ),
    (
        "something claimed is false",
        &[
            finding::CLAIM_REFUTED,
            finding::QUESTION_NO,
            finding::EXAMPLE_FAILS,
            finding::ENSURES_FAILS,
            finding::CONTRACT_BROKEN,
        ],
    ),
    ("demands are at odds", &[finding::DEMANDS_AT_ODDS]),
    ("there is no legal board", &[finding::NO_BOARD]),
];

/// The least shares in percent, in the order of the properties.
const LEAST: [usize; 3] = [20, 10, 10];

/// What was counted.
#[derive(Default)]
struct Report {
    constructs: BTreeMap<&'static str, usize>,
    properties: [usize; PROPERTIES.len()],
    /// Those of which everything in scope was explored.
    complete: usize,
    legal_boards: u64,
    states: u64,
}

fn options() -> Options {
    Options {
        limits: Limits {
            boards: 200,
            candidates: 5000,
            states: 1000,
            readings: 64,
            steps: 300_000,
        },
        ..Options::default()
    }
}

fn measure() -> Report {
    let mut report = Report::default();
    for bytes in sample(COUNT, LENGTH) {
        let file = made(&bytes);
        for construct in census::constructs(&file) {
            *report.constructs.entry(construct).or_default() += 1;
        }
        let results = check(&checked(&file), &options(), &mut |_| ());
        report.add(&results);
    }
    report
}

impl Report {
    fn add(&mut self, results: &Results) {
        for (count, (_, codes)) in self.properties.iter_mut().zip(PROPERTIES) {
            let found = results.findings.iter().any(|one| codes.contains(&one.code));
            *count += usize::from(found);
        }
        let complete = results
            .scopes
            .iter()
            .all(|scope| scope.limitations.is_empty());
        self.complete += usize::from(complete);
        self.legal_boards += results.scopes.iter().map(|scope| scope.legal).sum::<u64>();
        self.states += results.scopes.iter().map(|scope| scope.states).sum::<u64>();
    }

    fn page(&self) -> String {
        let mut page = format!(
            "# What the generator of specifications makes\n\n\
             Measured on {COUNT} specifications from {LENGTH} random bytes each, checked exhaustively within\n\
             small limits. `tests/it/generate/distribution.rs` says how, and fails if one of the first three\n\
             shares falls below {}, {} and {} percent.\n\n",
            LEAST[0], LEAST[1], LEAST[2]
        );
        let percent = |count: usize| format!("{} %", (100 * count + COUNT / 2) / COUNT);
        let mut row = |left: &str, right: &str| writeln!(page, "| {left} | {right} |").unwrap();
        row("property", "share");
        row("---", "---:");
        for ((property, _), count) in PROPERTIES.iter().zip(self.properties) {
            row(property, &percent(count));
        }
        row("everything in scope explored", &percent(self.complete));
        let each = |total: u64| (total / COUNT as u64).to_string();
        row("legal boards, on average", &each(self.legal_boards));
        row("states, on average", &each(self.states));
        page.push_str("\nHow many of the specifications have each construct:\n\n");
        let mut row = |left: &str, right: &str| writeln!(page, "| {left} | {right} |").unwrap();
        row("construct", "share");
        row("---", "---:");
        for construct in census::all() {
            let count = self.constructs.get(construct).copied().unwrap_or(0);
            row(construct, &percent(count));
        }
        page
    }
}

#[test]
fn orders_loops_and_gaps_are_frequent() {
    let report = measure();
    let page = report.page();
    for (at, least) in LEAST.into_iter().enumerate() {
        let share = 100 * report.properties[at] / COUNT;
        assert!(share >= least, "{}: {share} %\n{page}", PROPERTIES[at].0);
    }
    if std::env::var("GENERATOR_DOCS").is_ok_and(|how| how == "overwrite") {
        std::fs::write(PAGE, page).unwrap();
    }
}
