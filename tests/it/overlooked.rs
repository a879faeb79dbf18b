//! Zones of which nobody looks at the arrangement: there the order of what arrives makes no difference,
//! and each way of looking brings the difference back.

use endstep::analysis::Options;
use endstep::driver::{Orders, orders};
use endstep::explore;
use endstep::lower::lower;
use endstep::order::{Evidence, Row, Settled, exchangeable, matrix, overlooking};
use endstep::prove::coincide;
use endstep::source::Span;
use endstep::typing::program::{Observer, Program, Sight};
use endstep::verdict::{Outcome, Question, Verdict};

use super::engines::{LIMITS, compiled, random};
use super::orders::numbers;
use super::z3::assert_no_answer;

/// With what the observer sees, a body and further steps.
fn game(sight: &str, body: &str, further: &str) -> String {
    format!(
        r#"game "g"
entity Card, explore 0 to 2
  health: integer, explore 0 to 1, reach -99 to 99
  marked: boolean, starts false
  guest: optional Card, starts none
zone board of Card
zone void of Card, starts empty
zone pile of Card, starts empty
var score: integer, reach -99 to 99, starts 0
legal all_there: every c: Card has c is in board
observer table "what lies open"
  sees Card.health
  sees Card.marked
  sees score
  sees pile
  {sight}
sequence cleanup
  step go
    for each c in board, in any order
{body}
{further}
verify cleanup observing table
"#
    )
}

/// The zones that are overlooked, whether the order of the first iteration is proved to make no difference,
/// and whether a board refutes it.
fn told(text: &str) -> (Vec<String>, bool, bool) {
    let program = compiled(text).unwrap_or_else(|| panic!("in error: {text}"));
    let system = lower(&program);
    let Orders {
        overlooked, proofs, ..
    } = orders((&program, &system), None);
    let names = overlooked
        .iter()
        .map(|&zone| system.zones[zone].name.clone());
    let names = names.collect();
    for proof in &proofs {
        if let Outcome::Proved(questions) = &proof.outcome {
            questions.iter().for_each(|one| assert_no_answer(one));
        }
    }
    let results = explore::check(&program, &Options::default(), &mut |_| {});
    let same = overlooking(&system, &overlooked);
    // Proved and refuted is a panic.
    let matrix = matrix((&program, &same), Some(&results), &proofs);
    let mut points = matrix.points.iter();
    let open = points.find(|one| one.settled == Settled::Open).unwrap();
    let evidence = &open.rows[0].evidence;
    let proved = matches!(
        evidence,
        Evidence::Disjoint | Evidence::Symmetric(_) | Evidence::Proved
    );
    (names, proved, matches!(evidence, Evidence::Refuted(_)))
}

const AS_SET: &str = "sees void as a set";
const BODY: &str = "      move c to void";

#[test]
fn nobody_looks_in_which_order_cards_lie_in_the_void() {
    let held = [
        (BODY, ""),
        // What is asked of all of them does not depend on how they lie.
        (
            BODY,
            "  step count\n    set score to size of void + count of c: Card in void where c.health > 0",
        ),
        // They are visited as they lie, and could be in any other order.
        (
            BODY,
            "  step mark\n    for each c in void, left to right\n      set c.marked to true",
        ),
        // An element lies on the board when its turn comes: the neighbours are those there.
        (
            "      let other = neighbour after c\n      if other is not none\n        increase score by 1 - 1\n      move c to void",
            "",
        ),
    ];
    for (body, further) in held {
        let (names, ..) = told(&game(AS_SET, body, further));
        assert!(names.contains(&"void".to_owned()), "{body}\n{further}");
    }
    for (body, further) in &held[..3] {
        let (_, proved, refuted) = told(&game(AS_SET, body, further));
        assert!(proved && !refuted, "{body}\n{further}");
    }
}

#[test]
fn whoever_looks_sees_the_difference() {
    let looking = [
        ("sees void", BODY, ""),
        (
            AS_SET,
            BODY,
            "  step look\n    if void is not empty\n      set score to (first of void).health",
        ),
        (
            AS_SET,
            BODY,
            "  step look\n    for each c in void, left to right\n      set score to 2 * score + c.health",
        ),
        (
            AS_SET,
            BODY,
            "  step look\n    for each c in void, in any order\n      if neighbour after c is none\n        set c.marked to true",
        ),
        (AS_SET, BODY, "  step collect\n    move all of void to pile"),
        (
            AS_SET,
            "      move c to void\n      let other = neighbour before c\n      if other is not none\n        set other.marked to true",
            "",
        ),
        (
            AS_SET,
            BODY,
            "ensures void is empty or (first of void).health < 9",
        ),
    ];
    for (sight, body, further) in looking {
        let further = further.replace("ensures", "    ensures");
        let (names, proved, refuted) = told(&game(sight, body, &further));
        assert!(!names.contains(&"void".to_owned()), "{body}\n{further}");
        let seen = !further.contains("ensures");
        assert!(!proved && refuted == seen, "{sight}\n{body}\n{further}");
    }
}

/// Of a sequence that nothing verifies everything counts, if a claim about it does not say otherwise.
#[test]
fn who_claims_something_of_what_nobody_verifies_sees_all() {
    let aside = "sequence aside\n  step go\n    for each c in board, in any order\n      move c to void\n\
                 claim any_order: order irrelevant in aside";
    for (observing, overlooks) in [("", false), (" observing table", true)] {
        let program = compiled(&game(AS_SET, BODY, &format!("{aside}{observing}"))).unwrap();
        let system = lower(&program);
        let names: Vec<&str> = orders((&program, &system), None)
            .overlooked
            .iter()
            .map(|&zone| system.zones[zone].name.as_str())
            .collect();
        assert_eq!(names.contains(&"void"), overlooks, "{observing}");
    }
}

/// Whether a card has a value there does not depend on which lies first.
#[test]
fn what_may_have_no_value_is_looked_at_for_all() {
    let missing =
        "  step look\n    if some c: Card in void has c.guest.health > 0\n      set score to 1";
    let (names, proved, refuted) = told(&game(AS_SET, BODY, missing));
    assert!(names.contains(&"void".to_owned()) && proved && !refuted);
}

/// Units are placed one after the other, so where a bound is crossed depends on which card lies first.
#[test]
fn what_units_are_spread_over_lies_in_an_order_where_there_is_a_bound() {
    let spread = "  step spread\n    distribute 2 over c: Card in void into c.health by chance";
    for (bound, overlooked) in [(" from -9 to 9", false), ("", true)] {
        let text = game(AS_SET, BODY, spread);
        let text = text.replace("health: integer", &format!("health: integer{bound}"));
        let (names, ..) = told(&text);
        assert_eq!(names.contains(&"void".to_owned()), overlooked, "{bound}");
    }
}

/// The same program for somebody who sees everything, but no arrangement.
fn seen_as_sets(mut program: Program) -> Program {
    let fields = program.fields.ids().map(Sight::Field);
    let vars = program.vars.ids().map(Sight::Var);
    let zones = program.zones.ids().map(|zone| Sight::Zone(zone, true));
    let sights = fields.chain(vars).chain(zones).collect();
    let observer = program.observers.push(Observer {
        name: "sets".to_owned(),
        why: String::new(),
        sights,
        span: Span::default(),
    });
    for verify in &mut program.verifies {
        verify.observer = Some(observer);
    }
    for claim in &mut program.claims {
        claim.observer = None;
    }
    program
}

/// What is proved of random specifications if no arrangement is seen is refuted on no board.
#[test]
fn what_is_overlooked_in_random_specifications_makes_no_difference() {
    let (mut overlooking_some, mut proved, mut alike) = (0, 0, 0);
    for number in numbers("OVERLOOKED", 150) {
        let program = seen_as_sets(compiled(&random(number)).unwrap());
        let system = lower(&program);
        let of = (&program, &system);
        let Orders {
            overlooked, proofs, ..
        } = orders(of, None);
        if overlooked.is_empty() {
            continue;
        }
        overlooking_some += 1;
        let options = Options {
            limits: LIMITS,
            ..Options::default()
        };
        let results = explore::check(&program, &options, &mut |_| {});
        let same = overlooking(&system, &overlooked);
        // Proved and refuted is a panic.
        println!("number {number}");
        let matrix = matrix((&program, &same), Some(&results), &proofs);
        let rows = matrix.points.iter().flat_map(|point| &point.rows);
        let is_proved = |row: &&Row| matches!(row.evidence, Evidence::Proved);
        proved += rows.filter(is_proved).count();
        let exchangeable = exchangeable(&same, &matrix, &proofs);
        for answer in &results.answers {
            if let Question::Reading(sequence, reading) = answer.subject
                && coincide(&same, (sequence, reading), &exchangeable).is_ok()
            {
                alike += 1;
                assert_ne!(answer.verdict, Verdict::Refuted, "{number}");
            }
        }
    }
    println!("{overlooking_some} overlook something; {proved} proved, {alike} play alike");
    assert!(overlooking_some >= 10, "{overlooking_some}");
}
