//! Zones of which nobody looks at the arrangement: there the order of what arrives makes no difference,
//! and each way of looking brings the difference back.

use endstep::analysis::Options;
use endstep::driver::{Orders, orders};
use endstep::explore;
use endstep::lower::lower;
use endstep::order::{Evidence, Settled, matrix, overlooking};
use endstep::verdict::Outcome;

use super::engines::compiled;
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

/// Which card lies first decides what has no value.
#[test]
fn what_may_have_no_value_is_looked_at_one_after_the_other() {
    let missing =
        "  step look\n    if some c: Card in void has c.guest.health > 0\n      set score to 1";
    let (names, proved, _) = told(&game(AS_SET, BODY, missing));
    assert!(!names.contains(&"void".to_owned()) && !proved);
}
