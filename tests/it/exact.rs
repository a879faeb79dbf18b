//! Numbers and quantities that reports state are just those.

use std::collections::BTreeSet;

use endstep::analysis::{Limits, Options, is_of_one_board};
use endstep::diag::Severity;
use endstep::explore::check;
use endstep::semantics::Readings;
use endstep::typing::program::{Program, Value};
use endstep::verdict::{Detail, Extra, Limitation, Question, Under, Verdict, fingerprint};

use super::engines::{LIMITS, compiled, random};
use super::orders::numbers;
use super::told::Told;
use super::wider::checked;

const TIE: &str = r#"game "Tie"
entity M, explore 2
  a: integer from 0 to 9, explore 2 to 4
  b: boolean, starts false
zone field of M
reading tie
  more "more than three"
  at_least "at least three"
sequence s
  step t
    repeat while some m: M in field has per tie (more: m.a > 3 | at_least: m.a >= 3)
      for each m: M in field, left to right
        set m.b to not m.b
verify s
"#;

#[test]
fn boards_are_counted_under_each_reading() {
    let told = Told::of(TIE);
    let finding = told.finding("F0501", "s");
    // Of nine boards five have a 4, and three more a 3.
    assert_eq!((finding.boards, finding.boards_each), (8, 5));
    let by: Vec<u64> = finding
        .by_reading
        .iter()
        .map(|(_, boards)| *boards)
        .collect();
    assert_eq!(by, [5, 8]);
    assert_eq!(finding.readings, Under::All);
    told.says(
        "occurs on: 8 of 9 legal boards, under some reading, on 5 of them under every reading \
         (tie = more: 5; tie = at_least: 8)",
    );
}

#[test]
fn other_values_are_those_under_the_reading_that_is_shown() {
    let (_, results) = checked(TIE);
    let mut found = results.findings.iter();
    let finding = found.find(|one| one.code.id() == "F0501").unwrap();
    let under = finding.witness.as_ref().unwrap().common_readings();
    let least = match under.values().collect::<Vec<_>>()[..] {
        [0] => 4,
        [1] => 3,
        _ => panic!("{under:?}"),
    };
    let [one] = &finding.decisive[..] else {
        panic!("{:?}", finding.decisive);
    };
    let values: Vec<Value> = (least..=9).map(Value::Int).collect();
    assert_eq!(one.found, values);
}

/// All assignments of a program's readings, unless there are too many.
fn assignments(program: &Program) -> Option<Vec<Readings>> {
    let mut all = vec![Readings::new()];
    for (id, reading) in program.readings.iter() {
        let longer = all.iter().flat_map(|one| {
            (0..reading.alternatives.len()).map(move |at| {
                let mut one = one.clone();
                one.insert(id, u16::try_from(at).unwrap());
                one
            })
        });
        all = longer.collect();
    }
    (all.len() <= 8).then_some(all)
}

/// Compares the numbers of boards with those of checks under each assignment of the readings: how many
/// were compared.
fn compare(text: &str) -> usize {
    let program = compiled(text).unwrap();
    let Some(all) = assignments(&program).filter(|all| all.len() > 1) else {
        return 0;
    };
    let checked = |readings: &Readings| {
        let options = Options {
            limits: LIMITS,
            readings: readings.clone(),
            ..Options::default()
        };
        check(&program, &options, &mut |_| {})
    };
    let results = checked(&Readings::new());
    let parts: Vec<_> = all.iter().map(&checked).collect();
    let mut limits = parts.iter().chain([&results]).flat_map(|one| &one.scopes);
    if limits.any(|scope| !scope.limitations.is_empty()) || results.scopes.len() > 1 {
        return 0;
    }
    let mut compared = 0;
    for finding in &results.findings {
        let compares = matches!(
            finding.detail,
            Detail::Reading { .. } | Detail::ReadingPower { .. } | Detail::Claim(..)
        );
        if compares || !is_of_one_board(finding.code) {
            continue;
        }
        let print = fingerprint(&program, finding);
        let boards = |results: &endstep::verdict::Results| {
            let mut findings = results.findings.iter();
            let found = findings.find(|one| fingerprint(&program, one) == print);
            found.map_or(0, |one| one.boards)
        };
        let counts: Vec<u64> = parts.iter().map(boards).collect();
        let listed = |readings: &Readings| match &finding.readings {
            Under::All => true,
            Under::Listed(listed) => listed.iter().any(|one| {
                let mut one = one.iter();
                one.all(|(id, at)| readings.get(id) == Some(at))
            }),
        };
        for (readings, count) in all.iter().zip(&counts) {
            assert_eq!(listed(readings), *count > 0, "{finding:?}\n{text}");
            assert!(*count <= finding.boards, "{finding:?}\n{text}");
            if *count > 0 {
                assert!(*count >= finding.boards_each, "{finding:?}\n{text}");
            }
        }
        for (readings, boards) in &finding.by_reading {
            let of = |full: &Readings| readings.iter().all(|(id, at)| full.get(id) == Some(at));
            let those = all.iter().zip(&counts).filter(|(full, _)| of(full));
            let those: BTreeSet<u64> = those.map(|(_, count)| *count).collect();
            assert_eq!(those, BTreeSet::from([*boards]), "{finding:?}\n{text}");
        }
        if finding.by_reading.is_empty() {
            let counts: BTreeSet<u64> = counts.iter().copied().filter(|count| *count > 0).collect();
            assert_eq!(counts.len(), 1, "{finding:?}\n{text}");
        }
        compared += 1;
    }
    compared
}

#[test]
fn numbers_of_boards_are_those_of_checks_under_each_reading() {
    let compared: usize = numbers("COUNTED", 300)
        .map(|seed| compare(&random(seed)))
        .sum();
    assert!(compared > 20, "{compared}");
}

/// Cards that are counted from left to right; in any order very much more can happen.
fn in_a_row(cards: u32) -> String {
    format!(
        r#"game "g"
entity Card, explore {cards}
  power: integer from 0 to 99, explore 1 to 1
zone table of Card
var total: integer from 0 to 9999, starts 0
sequence s
  step t
    for each c: Card in table, left to right
      increase total by c.power
      increase c.power by total
verify s
"#
    )
}

fn limited(text: &str, limits: Limits) -> (Program, endstep::verdict::Results) {
    let program = compiled(text).unwrap();
    let options = Options {
        limits,
        ..Options::default()
    };
    let results = check(&program, &options, &mut |_| {});
    (program, results)
}

#[test]
fn a_test_that_nobody_asked_for_costs_no_answer() {
    let few = Limits {
        states: 60,
        ..Limits::default()
    };
    let (program, results) = limited(&in_a_row(6), few);
    let sequence = program.sequences.ids().next().unwrap();
    let verdict = |question| {
        let mut answers = results.answers.iter();
        answers
            .find(|one| one.subject == question)
            .map(|one| one.verdict.clone())
    };
    let ends = verdict(Question::Terminates(sequence));
    assert_eq!(ends, Some(Verdict::HoldsInScope));
    let scope = &results.scopes[0];
    assert!(scope.limitations.is_empty(), "{:?}", scope.limitations);
    let [(Extra::Position(stmt), 1)] = scope
        .given_up
        .iter()
        .map(|(a, b)| (*a, *b))
        .collect::<Vec<_>>()[..]
    else {
        panic!("{:?}", scope.given_up);
    };
    let unknown = Verdict::Unknown(vec![Limitation::Unasked(1)]);
    assert_eq!(verdict(Question::Position(sequence, stmt)), Some(unknown));
    // With fewer cards it is completed.
    let (_, results) = limited(&in_a_row(2), few);
    assert!(results.scopes[0].given_up.is_empty());
}

#[test]
fn the_limit_of_readings_is_said_to_be_one_and_is_exact() {
    let text = r#"game "g"
var total: integer from 0 to 99, starts 0
reading one
  a "a"
  b "b"
reading two
  a "a"
  b "b"
sequence s
  step t
    increase total by per one (a: 1 | b: 2)
    increase total by per two (a: 10 | b: 20)
verify s
"#;
    let with = |readings| {
        let limits = Limits {
            readings,
            ..Limits::default()
        };
        limited(text, limits).1.scopes[0].clone()
    };
    let enough = with(4);
    assert_eq!((enough.readings, enough.limitations.len()), (4, 0));
    let expected = Limitation::Readings {
        limit: 3,
        boards: 1,
    };
    assert_eq!(with(3).limitations, [expected]);
}

#[test]
fn who_decides_an_order_decides() {
    let told = Told::of(
        r#"game "Grow"
player Player, explore 2
entity Card, explore 2
  seen: boolean, starts false
zone table of Card, unordered
entity Token, explore 0, headroom 3
zone pile of Token, starts empty, unordered
var active: Player
sequence go_on
  step go
    repeat while table is not empty
      for each c: Card in table, in an order chosen by active
        set c.seen to not c.seen
      create Token in pile
verify go_on
"#,
    );
    let finding = told.finding("F0505", "go_on");
    assert_eq!(finding.severity, Severity::Note);
    assert!(matches!(
        finding.detail,
        Detail::Growth { decided: true, .. }
    ));
    assert!(
        !told.text.contains("Nobody decides anything"),
        "{}",
        told.text
    );
}

#[test]
fn who_decides_nothing_but_an_order_can_end_a_loop_by_it() {
    let told = |by: &str| {
        Told::of(&format!(
            r#"game "Last"
player Player, explore 2
entity Card, explore 2
  stops: boolean
zone table of Card, unordered
legal some_stop: some c: Card in table has c.stops
legal some_go_on: some c: Card in table has not c.stops
var active: Player
var halted: boolean, starts false
sequence go_on
  step go
    repeat until halted
      for each c: Card in table, in an order chosen by {by}
        set halted to c.stops
verify go_on
"#
        ))
    };
    told("active")
        .says("but need not: from there player 1 can bring it to an end, whatever all others do");
    told("everyone together")
        .says("from there the players can bring it to an end together, and none of them alone");
}

#[test]
fn three_ways_are_not_both() {
    let text = r#"game "Three"
var a: integer from 0 to 9, starts 0
reading way
  one_way "one"
  other_way "two"
  third_way "three"
sequence s
  step t
    increase a by per way (one_way: 1 | other_way: 1 | third_way: 2)
    if a > 0
      set a to 1
verify s
"#;
    let told = Told::of(text);
    told.says("all 3 ways of the reading \"way\" play alike");
    let two = text
        .replace("  third_way \"three\"\n", "")
        .replace(" | third_way: 2", "")
        .replace("other_way: 1", "other_way: 2");
    Told::of(&two).says("both ways of the reading \"way\" play alike");
}
