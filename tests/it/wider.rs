//! Findings that extend to boards of every size: entities that nothing meets can be added, and each way of
//! meeting them takes that back.

use endstep::analysis::Options;
use endstep::driver::{Engine, check};
use endstep::typing::program::Program;

use super::engines::{LIMITS, compiled, random};
use super::orders::numbers;

/// A card without health keeps a game going for ever, with what is done besides.
fn game(body: &str, further: &str) -> String {
    format!(
        r#"game "g"
entity Card, explore 0 to 1
  health: integer, explore 0 to 2, reach -9 to 9
  guest: boolean
zone board of Card
zone deck of Card
zone void of Card, starts empty
var score: integer, reach -9 to 9, starts 0
event lost(c: Card), at once
legal no_debts: every c: Card has c.health >= 0
sequence cleanup
  step go
    repeat while some c: Card in board has c.health <= 0
      for each c in board where c.health <= 0, in any order
        announce lost(c)
        set c.guest to not c.guest
{body}
trigger back on lost(c)
  set c.health to 0
{further}
verify cleanup
"#
    )
}

/// A specification, and what a check says of it.
pub fn checked(text: &str) -> (Program, endstep::verdict::Results) {
    let program = compiled(text).unwrap_or_else(|| panic!("in error: {text}"));
    let options = Options {
        limits: LIMITS,
        ..Options::default()
    };
    let results = check(&program, (&options, Engine::Fast), None, &mut |_| {}).results;
    (program, results)
}

/// Where Cards stand by at the loop of a game, each with whether that is so without a condition.
fn told(text: &str) -> Vec<(String, bool)> {
    let (program, results) = checked(text);
    let found = results.findings.iter();
    let mut loops = found.filter(|one| one.code.id().starts_with("F05"));
    let found = loops.next().unwrap_or_else(|| panic!("no loop: {text}"));
    let wider = found.wider.iter();
    wider
        .map(|one| {
            let zone = one
                .zone
                .map_or("", |zone| program.zones[zone].name.as_str());
            (zone.to_owned(), one.only.is_empty())
        })
        .collect()
}

#[test]
fn what_nothing_meets_stands_by() {
    let expected = vec![("board".to_owned(), false), ("deck".to_owned(), true)];
    assert_eq!(told(&game("", "")), expected);
}

#[test]
fn each_way_of_meeting_it_takes_that_back() {
    let board = vec!["board"];
    let deck = vec!["deck"];
    for (body, further, left) in [
        // What looks at the deck as a whole, or at where something lies in it.
        ("        set score to size of deck", "", &board),
        (
            "        set score to min(9, count of d: Card in deck)",
            "",
            &board,
        ),
        (
            "        if deck is not empty\n          nothing",
            "",
            &board,
        ),
        (
            "        if deck is not empty\n          let t = top of deck\n          set t.health to 1",
            "",
            &board,
        ),
        (
            "        if some d: Card in deck has d.guest = c.guest\n          nothing",
            "",
            &board,
        ),
        ("        move all of deck to top of void", "", &board),
        ("        shuffle deck", "", &board),
        (
            "        for each d in deck, in any order\n          nothing",
            "",
            &board,
        ),
        (
            "",
            "trigger other for each d: Card in deck, on lost(c)\n  nothing",
            &board,
        ),
        // At what lies beside something on the board, at some of the board, at all there are.
        (
            "        let n = neighbour after c\n        if n is not none\n          nothing",
            "",
            &deck,
        ),
        (
            "        for each d in board where d.guest = c.guest, in any order\n          nothing",
            "",
            &deck,
        ),
        (
            "        if every d: Card has d.guest\n          nothing",
            "",
            &vec!["board", "deck"],
        ),
        (
            "        set score to min(9, sum of d.health over d: Card)",
            "",
            &vec![],
        ),
    ] {
        let text = game(body, further);
        let zones: Vec<String> = told(&text).into_iter().map(|(zone, _)| zone).collect();
        assert_eq!(&zones, left, "{body}{further}");
    }
}

/// That it goes the same way with more of them is looked at for each, and would end the program.
#[test]
fn what_stands_by_in_random_specifications_changes_nothing() {
    let mut told = 0;
    // 924: what a step has to ensure looks at the top of a zone.
    for seed in numbers("WIDER", 120).chain([924]) {
        let Some(program) = compiled(&random(seed)) else {
            continue;
        };
        let options = Options {
            limits: LIMITS,
            ..Options::default()
        };
        let results = check(&program, (&options, Engine::Fast), None, &mut |_| {}).results;
        told += results
            .findings
            .iter()
            .filter(|one| !one.wider.is_empty())
            .count();
    }
    eprintln!("{told} findings extend to larger boards");
    assert!(told > 0, "{told}");
}
