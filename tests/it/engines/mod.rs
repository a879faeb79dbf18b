//! The engines compared: on random specifications and on the corpus they decide everything alike,
//! call by call, and come to the same results.
//!
//! `ENGINES=5000 cargo test --test it engines::random` compares as many random specifications;
//! `ENGINES=20000..25000` those with these numbers. Specifications on which engines once differed
//! are kept in `tests/regressions`.

mod both;
mod lying;
mod orders;
mod threads;

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use arbitrary::Unstructured;
use both::Both;
use endstep::analysis::{self, Limits, Options};
use endstep::generate::specification;
use endstep::source::SourceMap;
use endstep::syntax::{parse, print};
use endstep::typing::program::Program;
use endstep::verdict::{Answer, Limitation, Results, Verdict, fingerprint};
use endstep::{exhaust, explore};

/// How many random specifications are compared if nothing else is said.
const COUNT: u64 = 200;

/// So few that a specification takes milliseconds.
pub const LIMITS: Limits = Limits {
    boards: 60,
    candidates: 2000,
    states: 400,
    readings: 32,
    steps: 60_000,
};

pub fn compiled(text: &str) -> Option<Program> {
    let mut sources = SourceMap::new();
    let id = sources.load("compared", text.as_bytes()).unwrap();
    let parsed = parse(id, text);
    endstep::typing::check(&[parsed.file]).0
}

/// The random specification with a number (SplitMix64).
pub fn random(number: u64) -> String {
    let mut state = number.wrapping_mul(0x2545_f491_4f6c_dd1d);
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as u8
    };
    let bytes: Vec<u8> = (0..256 << (number % 3)).map(|_| next()).collect();
    print(&specification(&mut Unstructured::new(&bytes)).unwrap())
}

/// What results come to: findings by fingerprint, answers, and what was looked at. Which readings were
/// consulted depends on what was still looked for, and that on which illegal boards were counted before.
fn said(program: &Program, results: &Results) -> String {
    let mut said = String::new();
    for finding in &results.findings {
        let print = fingerprint(program, finding);
        let _ = writeln!(
            said,
            "{} {} | {} {print} on {} boards, {:?}, {} {:?}",
            finding.code,
            finding.subject,
            finding.cause,
            finding.boards,
            finding.readings,
            finding.boards_each,
            finding.by_reading
        );
    }
    for answer in &results.answers {
        let findings = &answer.findings;
        let _ = writeln!(
            said,
            "{:?} {:?} {:?} {:?} {findings:?}",
            answer.subject, answer.verdict, answer.untested, answer.best
        );
    }
    for scope in &results.scopes {
        let _ = writeln!(
            said,
            "{:?}: {} boards, {} legal, {} limited, {:?}",
            scope.subject, scope.boards, scope.legal, scope.limited, scope.limitations
        );
    }
    said
}

/// Whether boards were left out for their number or for the steps that others took.
fn is_cut_off(results: &Results) -> bool {
    let scopes = results.scopes.iter();
    let mut limitations = scopes.flat_map(|scope| &scope.limitations);
    limitations.any(|one| matches!(one, Limitation::Steps(_) | Limitation::Boards(_)))
}

/// Questions that two checks answer differently, neither of them with "unknown".
fn contradiction(one: &Results, other: &Results) -> Option<String> {
    let is_open = |answer: &Answer| matches!(answer.verdict, Verdict::Unknown(_));
    let differ = one.answers.iter().filter(|answer| {
        let mut others = other
            .answers
            .iter()
            .filter(|one| one.subject == answer.subject);
        others.any(|one| !is_open(one) && !is_open(answer) && one.verdict != answer.verdict)
    });
    let differ: Vec<String> = differ.map(|one| format!("{one:?}")).collect();
    (!differ.is_empty()).then(|| differ.join("\n"))
}

/// Where the engines differ on a specification.
fn difference(text: &str, limits: Limits) -> Option<String> {
    let program = compiled(text)?;
    let options = |threads| Options {
        limits,
        threads,
        every_order: true,
        ..Options::default()
    };
    let both = Both::new(&program);
    let together = analysis::check(&program, &options(1), &both, &mut |_| {});
    if let Some(differs) = both.difference() {
        return Some(differs);
    }
    let naive = exhaust::check(&program, &options(1), &mut |_| {});
    let fast = explore::check(&program, &options(2), &mut |_| {});
    let narrowed = Options {
        every_order: false,
        ..options(1)
    };
    let narrowed = explore::check(&program, &narrowed, &mut |_| {});
    if let Some(differs) = narrows(&program, (&fast, &narrowed)) {
        return Some(differs);
    }
    let limited = |results: &Results| -> Vec<Vec<Limitation>> {
        let scopes = results.scopes.iter();
        scopes.map(|scope| scope.limitations.clone()).collect()
    };
    if [&naive, &fast].iter().any(|one| is_cut_off(one)) {
        // Which boards are left when the steps are used up depends on how they were counted out.
        return None;
    }
    let given_up = |results: &Results| results.scopes.iter().any(|one| !one.given_up.is_empty());
    if limited(&naive) != limited(&fast) || given_up(&naive) || given_up(&fast) {
        // What is still looked for on a board that is too large for that depends on which illegal boards
        // were counted before it. What each engine says of each board was compared above; here no answer
        // may contradict another.
        return contradiction(&naive, &fast);
    }
    let [naive, fast, together] = [naive, fast, together].map(|one| said(&program, &one));
    let alike = naive == fast && naive == together;
    (!alike).then(|| format!("naive\n{naive}\nfast\n{fast}"))
}

/// Where a check that visits one order for all differs from one that visits every order. It may know more.
fn narrows(program: &Program, (every, one): (&Results, &Results)) -> Option<String> {
    let is_known = |results: &Results| {
        let mut scopes = results.scopes.iter();
        scopes.all(|scope| scope.limitations.is_empty() && scope.given_up.is_empty())
    };
    if !is_known(every) || !is_known(one) {
        return contradiction(every, one);
    }
    let (every, one) = (said(program, every), said(program, one));
    (every != one).then(|| format!("every order\n{every}\none order\n{one}"))
}

fn numbers() -> Range<u64> {
    let Ok(wanted) = std::env::var("ENGINES") else {
        return 0..COUNT;
    };
    let number = |text: &str| {
        text.parse()
            .expect("ENGINES is a number, or two with `..` between")
    };
    match wanted.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => 0..number(&wanted),
    }
}

#[test]
fn random_specifications_have_the_same_results_with_every_engine() {
    let mut compared = 0;
    let mut differing = String::new();
    for at in numbers() {
        let text = random(at);
        compared += u64::from(compiled(&text).is_some());
        if let Some(difference) = difference(&text, LIMITS) {
            let _ = writeln!(differing, "number {at}\n{text}\n{difference}\n");
        }
    }
    assert!(differing.is_empty(), "{differing}");
    assert_eq!(compared, numbers().count() as u64, "all are well typed");
}

fn compare_folder(name: &str, least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let mut all = Vec::new();
    super::corpus::files(&root, &mut all);
    assert!(all.len() >= least, "{name} was not found");
    let limits = Limits {
        boards: 400,
        states: 2000,
        steps: 300_000,
        ..Limits::default()
    };
    let mut differing = String::new();
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        if let Some(difference) = difference(&text, limits) {
            let _ = writeln!(differing, "{}\n{difference}\n", path.display());
        }
    }
    assert!(differing.is_empty(), "{differing}");
}

#[test]
fn the_corpus_has_the_same_results_with_every_engine() {
    compare_folder("tests/corpus", 90);
}

#[test]
fn specifications_on_which_engines_differed_no_longer_differ() {
    compare_folder("tests/regressions", 0);
}
