//! Which values of a board decide: what is told is what every board with another value there shows.

use std::collections::BTreeSet;

use endstep::analysis::{Job, Options, all_of_it, jobs, unlimited};
use endstep::exhaust::Naive;
use endstep::index::Id;
use endstep::semantics::{Data, Spot};
use endstep::typing::program::{Program, Value};
use endstep::verdict::{Decisive, Finding, Obscurity, fingerprint};
use endstep::witness::replay;

use super::engines::{LIMITS, random};
use super::orders::numbers;
use super::wider::checked;

/// Two steps of which the order decides where the health of a card is from `low` to `high`.
fn steps(declared: &str, (low, high): (i64, i64)) -> String {
    format!(
        r#"game "g"
entity Card, explore 1
  health: {declared}
  guest: boolean
  kind: one of small, large, odd
zone board of Card
var score: integer, reach -99 to 99, starts 0
sequence cleanup, steps in any order
  step first
    for each c in board where c.health >= {low} and c.health <= {high}, in any order
      set score to 1
  step second
    for each c in board where c.health >= {low} and c.health <= {high} and c.kind is not odd, in any order
      set score to 2
verify cleanup
"#
    )
}

/// What decides on the board of the finding with a code, by names.
fn told(text: &str, code: &str) -> Vec<(String, Decisive)> {
    let (program, results) = checked(text);
    let mut found = results.findings.iter();
    let found = found.find(|one| one.code.id() == code);
    let found = found.unwrap_or_else(|| panic!("no {code}"));
    let name = |spot: Spot| match spot {
        Spot::Var(var) => program.vars[var].name.clone(),
        Spot::Field(_, field) => program.fields[field].name.clone(),
    };
    let all = found.decisive.iter();
    all.map(|one| (name(one.spot), one.clone())).collect()
}

fn ints(values: &[Value]) -> Vec<i64> {
    let number = |value: &Value| match value {
        Value::Int(number) => *number,
        _ => panic!("{value:?}"),
    };
    values.iter().map(number).collect()
}

#[test]
fn the_values_of_a_number_are_the_documents_where_it_bounds_them() {
    let told = told(
        &steps("integer from 0 to 9, explore 4 to 5", (3, 6)),
        "F0201",
    );
    let [(health, found), (kind, kinds)] = &told[..] else {
        panic!("{told:?}");
    };
    assert_eq!((health.as_str(), kind.as_str()), ("health", "kind"));
    assert_eq!(ints(&found.found), [3, 4, 5, 6]);
    assert_eq!(ints(&found.other), [0, 1, 2, 7, 8, 9]);
    assert!(found.all);
    assert_eq!(kinds.found, [Value::Enum(0), Value::Enum(1)]);
    assert_eq!(kinds.other, [Value::Enum(2)]);
}

#[test]
fn else_they_go_on_beyond_what_is_explored() {
    let told = told(&steps("integer, explore 4 to 5", (3, 6)), "F0201");
    let (_, health) = &told[0];
    assert_eq!(ints(&health.found), [3, 4, 5, 6]);
    // Nothing says that there is a health below zero.
    let first: Vec<i64> = (0..=2).chain(7..=13).collect();
    assert_eq!(ints(&health.other), first);
    assert!(!health.all);
}

#[test]
fn boards_that_are_not_legal_are_neither() {
    let text = steps("integer, explore 4 to 5", (3, 6));
    let text = format!("{text}legal even: every c: Card has c.health >= 0 and c.health != 6\n");
    let told = told(&text, "F0201");
    let (_, health) = &told[0];
    assert_eq!(ints(&health.found), [3, 4, 5]);
    assert_eq!(ints(&health.other), [0, 1, 2, 7, 8, 9, 10, 11, 12, 13]);
}

/// What is left out of the exploration is a legal board all the same.
#[test]
fn bounds_of_exploration_leave_no_values_out() {
    let base = steps("integer from 0 to 9, explore 4 to 5", (3, 6));
    let only = format!("{base}explore only few: every c: Card has c.health <= 4\n");
    let first = "every c: Card has c.health <= 4";
    let verify = base.replace(
        "verify cleanup\n",
        &format!("verify cleanup where {first}\nverify cleanup where not ({first})\n"),
    );
    for text in [only, verify] {
        let told = told(&text, "F0201");
        let (_, health) = &told[0];
        assert_eq!(ints(&health.found), [3, 4, 5, 6], "{text}");
        assert_eq!(ints(&health.other), [0, 1, 2, 7, 8, 9], "{text}");
    }
}

#[test]
fn there_is_never_less_than_nothing_of_a_supply() {
    let text = "game \"g\"\nsupply gold: integer, explore 0 to 3\nsequence s\n  step a\n    \
                if gold <= 4\n      decrease gold by gold + 1\nverify s\n";
    let (program, results) = checked(text);
    let mut found = results.findings.iter();
    let found = found.find(|one| !one.decisive.is_empty()).unwrap();
    let [one] = &found.decisive[..] else {
        panic!("{:?}", found.decisive);
    };
    assert_eq!(one.spot, Spot::Var(program.vars.ids().next().unwrap()));
    assert_eq!(ints(&one.found), [0, 1, 2, 3, 4]);
    assert_eq!(ints(&one.other), [5, 6, 7, 8, 9, 10, 11]);
}

#[test]
fn what_decides_nothing_is_not_told() {
    let told = told(
        &steps("integer from 0 to 9, explore 4 to 5", (0, 9)),
        "F0201",
    );
    let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["kind"]);
}

#[test]
fn below_zero_is_tried_only_if_something_is_explored_there() {
    let told = told(&steps("integer, explore -1 to 2", (1, 6)), "F0201");
    let (_, health) = &told[0];
    assert_eq!(ints(&health.found), [1, 2, 3, 4, 5, 6]);
    let other: Vec<i64> = (-9..=0).chain(7..=10).collect();
    assert_eq!(ints(&health.other), other);
}

#[test]
fn places_with_too_many_values_are_named() {
    let text = steps("integer from 0 to 9, explore 4 to 5", (3, 6));
    let text = text.replace("var score", "var far: integer, explore 0 to 99\nvar score");
    let (program, results) = checked(&text);
    let mut found = results.findings.iter();
    let found = found.find(|one| one.code.id() == "F0201").unwrap();
    let [one] = found.undecided[..] else {
        panic!("{:?}", found.undecided);
    };
    let Spot::Var(var) = one.spot else {
        panic!("{one:?}");
    };
    assert_eq!(program.vars[var].name, "far");
    assert_eq!(one.why, Obscurity::Values);
    assert_eq!(found.decisive.len(), 2);
}

/// Each place with several values decides, or does not, or is named.
#[test]
fn places_from_which_there_are_too_many_boards_are_named() {
    let mut text = steps("integer from 0 to 9, explore 4 to 5", (3, 6));
    for at in 0..9 {
        text = text.replace(
            "var score",
            &format!("var x{at}: integer from 0 to 36, explore 0 to 0\nvar score"),
        );
    }
    let (_, results) = checked(&text);
    let mut found = results.findings.iter();
    let found = found.find(|one| one.code.id() == "F0201").unwrap();
    assert_eq!(found.decisive.len(), 2, "{:?}", found.decisive);
    // 2 + 3 + 10 values, and six times 37 fit.
    assert_eq!(found.undecided.len(), 3, "{:?}", found.undecided);
}

fn with(program: &Program, board: &Data, (spot, value): (Spot, Value)) -> Data {
    let mut board = board.clone();
    match spot {
        Spot::Var(var) => board.vars[var.index()] = value,
        Spot::Field(id, field) => {
            let at = program.fields[field].index as usize;
            board.entities[id.index()].fields[at] = value;
        }
    }
    board
}

/// The plain engine finds the same with each value that is told, and with no other: how many were tried.
fn compare(text: &str) -> usize {
    let (program, results) = checked(text);
    let program = unlimited(&program);
    let mut jobs: Vec<Job> = jobs(&program, None);
    for job in &mut jobs {
        job.all_legal = true;
    }
    let mut tried = 0;
    for finding in &results.findings {
        let (Some(scope), Some(witness)) = (finding.scope, &finding.witness) else {
            assert!(finding.decisive.is_empty());
            continue;
        };
        let subject = results.scopes[scope].subject;
        let print = fingerprint(&program, finding);
        for one in &finding.decisive {
            let job = jobs.iter().find(|job| job.subject == subject).unwrap();
            let board = &witness.runs()[0].board;
            let prints = |value: &Value| {
                let options = Options {
                    board: Some(with(&program, board, (one.spot, *value))),
                    readings: witness.common_readings(),
                    limits: LIMITS,
                    threads: 1,
                    ..Options::default()
                };
                // What a check tells in one of two findings on this board is told in both here.
                let close = all_of_it((&program, &Naive), job, &options, &|_| true);
                assert!(close.legal, "{text}");
                let shows = |one: &&Finding| {
                    let witness = one.witness.as_ref();
                    witness.is_some_and(|witness| replay(&program, witness).is_ok())
                };
                let all = close.findings.iter().filter(shows);
                all.map(|one| fingerprint(&program, one))
                    .collect::<BTreeSet<_>>()
            };
            for value in &one.found {
                assert!(prints(value).contains(&print), "{value:?} {one:?}\n{text}");
            }
            for value in &one.other {
                assert!(!prints(value).contains(&print), "{value:?} {one:?}\n{text}");
            }
            tried += one.found.len() + one.other.len();
        }
    }
    tried
}

#[test]
fn the_plain_engine_says_the_same_of_random_specifications() {
    let tried: usize = numbers("DECISIVE", 100)
        .map(|seed| compare(&random(seed)))
        .sum();
    assert!(tried > 100, "{tried}");
}
