//! Proofs: what is proved is never refuted, what breaks a side condition is not proved, and every
//! question can be asked again.

use endstep::analysis::Options;
use endstep::driver::{Orders, orders};
use endstep::explore;
use endstep::lower::lower;
use endstep::order::{Evidence, Settled, Unknown, matrix, overlooking, questions};
use endstep::prove::prove;
use endstep::verdict::{Obstacle, Outcome, Proof};

use super::engines::{LIMITS, compiled, random};
use super::orders::numbers;

const CARDS: &str = r#"game "g"
player Player, explore 1 to 2
entity Card, explore up to 2
  health: integer, explore 0 to 1, reach -99 to 99
  armor: integer from 0 to 1, starts 0
  marked: boolean
  guest: optional Card
  owner: optional Player, starts none
zone board of Card
zone void of Card, starts empty
zone heap of Card, unordered, starts empty
zone hand of Card per Player
var score: integer, explore 0 to 1, reach -99 to 99
var cap: integer, starts 2
supply coins: integer, starts 2
event rung, at once
trigger ringing on rung
  increase score by 1
"#;

/// What the prover says of two elements of an iteration, and what a check says.
fn of_body(heading: &str, body: &str) -> (Outcome, bool) {
    let text =
        format!("{CARDS}sequence cleanup\n  step go\n    {heading}\n{body}\nverify cleanup\n");
    let program = compiled(&text).unwrap_or_else(|| panic!("in error: {text}"));
    let system = lower(&program);
    let asked = questions((&program, &system), None);
    let proofs = prove(&system, &asked);
    let results = explore::check(&program, &Options::default(), &mut |_| {});
    // Proved and refuted is a panic.
    let matrix = matrix((&program, &system), Some(&results), &proofs);
    let open = matrix
        .points
        .iter()
        .find(|one| one.settled == Settled::Open);
    let row = &open.unwrap().rows[0];
    let outcome = proofs.into_iter().next().map(|proof| proof.outcome);
    let refuted = matches!(row.evidence, Evidence::Refuted(_));
    (outcome.unwrap_or(Outcome::Open), refuted)
}

const SNAPSHOT: &str = "for each c in board, in any order";
const RECHECKED: &str = "for each c in board where c.health > 0, in any order, rechecked";

/// Bodies that commute for a reason that the text does not show, each with a change that breaks the
/// reason.
const BODIES: &[(&str, &str, &str)] = &[
    // What two do to one guest adds up; what one sets is not what the other adds to.
    (
        SNAPSHOT,
        "      if c.guest is not none\n        decrease c.guest.health by 1",
        "      if c.guest is not none\n        set c.guest.health to c.health",
    ),
    // A sum that stops at a bound that both have.
    (
        SNAPSHOT,
        "      increase score by c.armor + 1 - c.armor, at most cap + 1",
        "      increase score by 1, at most c.health + 1",
    ),
    // The guest is marked, whoever marks it first; a mark that depends on the mark is not.
    (
        SNAPSHOT,
        "      if c.guest is not none\n        set c.guest.marked to true",
        "      if c.guest is not none\n        set c.guest.marked to not c.marked",
    ),
    // Whether it is its turn depends on nothing that another's turn changes.
    (
        RECHECKED,
        "      if c.guest is not none\n        set c.guest.armor to 1",
        "      if c.guest is not none\n        decrease c.guest.health by 1",
    ),
    // The same is said twice of one number.
    (
        SNAPSHOT,
        "      if score < c.armor + 1 - c.armor\n        set score to 1",
        "      if score < c.health + 1\n        increase score by 1",
    ),
    // Who leaves is counted; how many are left is not looked at.
    (
        SNAPSHOT,
        "      move c to heap\n      set c.health to size of void",
        "      move c to heap\n      set c.health to size of board",
    ),
    // The first card of each hand goes; one hand for two cards' owners is another matter.
    (
        "for each p: Player, in any order",
        "      if hand(p) is not empty\n        let t = top of hand(p)\n        set t.marked to true\n        move t to bottom of hand(p)",
        "      if hand(p) is not empty\n        let t = top of hand(p)\n        move t to bottom of void",
    ),
    // Whoever chooses, the choices are apart; a choice among what all can take is not.
    (
        "for each p: Player, in any order",
        "      if hand(p) is not empty\n        choose t: Card in hand(p) by p\n        set t.armor to 1",
        "      if board is not empty\n        choose t: Card in board by p\n        set t.owner to p",
    ),
    // It rings twice in either order.
    (
        SNAPSHOT,
        "      if score < c.health + c.armor - c.health\n        announce rung\n        set score to 1",
        "      if c.health = 0\n        announce rung\n        set c.health to score",
    ),
    // Values are gone through one by one: a turn that may end the run makes their order matter.
    (
        SNAPSHOT,
        "      for each up: boolean, in any order\n        if c.guest is not none\n          decrease c.guest.health by 1",
        "      for each up: boolean, in any order\n        if up\n          decrease coins by 3\n        otherwise\n          set c.marked to true",
    ),
    // An inner iteration is one change of all.
    (
        SNAPSHOT,
        "      if score < c.armor + 1 - c.armor\n        set score to 1\n      for each d in board\n        set d.marked to true",
        "      if c.health = 0\n        for each d in board\n          set d.marked to true\n      otherwise\n        for each d in board\n          set d.marked to false",
    ),
    // What the state raises where health falls is raised by nothing that leaves health as it is.
    (
        SNAPSHOT,
        "      if c.guest is not none\n        set c.guest.armor to 1\n\
         event dies(c: Card), whenever c.health < 0, at once\n\
         trigger dying on dies(c)\n  move c to bottom of void",
        "      decrease c.health by 1\n\
         event dies(c: Card), whenever c.health < 0, at once\n\
         trigger dying on dies(c)\n  move c to bottom of void",
    ),
];

#[test]
fn what_breaks_a_side_condition_is_not_proved() {
    for (heading, sound, broken) in BODIES {
        let (outcome, refuted) = of_body(heading, sound);
        assert!(
            matches!(&outcome, Outcome::Proved(questions) if !questions.is_empty()),
            "{heading}\n{sound}\n{outcome:?}"
        );
        assert!(!refuted, "{heading}\n{sound}");
        let (outcome, refuted) = of_body(heading, broken);
        assert!(
            !matches!(outcome, Outcome::Proved(_)),
            "{heading}\n{broken}"
        );
        assert!(refuted, "{heading}\n{broken}\n{outcome:?}");
    }
}

#[test]
fn a_question_can_be_asked_again() {
    let (heading, body, _) = BODIES[0];
    let (Outcome::Proved(questions), _) = of_body(heading, body) else {
        panic!("not proved");
    };
    for question in questions {
        let solver = ::z3::Solver::new();
        solver.from_string(question.clone());
        assert_eq!(solver.check(), ::z3::SatResult::Unsat, "{question}");
        assert!(question.contains("(set-info :status unsat)"));
        assert!(!question.contains("forall"));
    }
}

/// What is proved of random specifications no run refutes.
#[test]
fn proofs_about_random_specifications_are_not_refuted() {
    let (mut proved, mut refuted, mut asked, mut looked_away) = (0, 0, 0, 0);
    // A pass that is cancelled after its first step, and a trigger that sets itself off, were once proved.
    let once = [341, 2553];
    for number in numbers("PROOFS", 300).chain(once) {
        let text = random(number);
        let program = compiled(&text).unwrap();
        let system = lower(&program);
        let of = (&program, &system);
        let Orders {
            overlooked, proofs, ..
        } = orders(of, None);
        asked += proofs.len();
        let is_proved = |one: &Proof| matches!(one.outcome, Outcome::Proved(_));
        if !proofs.iter().any(is_proved) {
            continue;
        }
        let options = Options {
            limits: LIMITS,
            ..Options::default()
        };
        let results = explore::check(&program, &options, &mut |_| {});
        // Proved and refuted is a panic.
        println!("number {number}\n{text}");
        let same = overlooking(&system, &overlooked);
        let matrix = matrix((&program, &same), Some(&results), &proofs);
        looked_away += u32::from(!overlooked.is_empty());
        let rows = matrix.points.iter().flat_map(|point| &point.rows);
        for row in rows {
            proved += u32::from(row.evidence == Evidence::Proved);
            refuted += u32::from(matches!(row.evidence, Evidence::Refuted(_)));
        }
    }
    println!(
        "asked {asked}, proved {proved} ({looked_away} overlook something), refuted beside them {refuted}"
    );
    assert!(proved >= 20, "{asked} {proved} {refuted}");
}

#[test]
fn what_a_cancelled_pass_left_over_need_not_belong() {
    let outcome = |unfinished: &str| {
        let text = format!(
            "{CARDS}sequence cleanup\n  restart when score = 9\n    cancel at end of step\n    \
             unfinished {unfinished}\n  step go\n    {SNAPSHOT}\n      move c to heap\n      \
             set c.health to size of void\nverify cleanup\n"
        );
        let program = compiled(&text).unwrap_or_else(|| panic!("in error: {text}"));
        let system = lower(&program);
        let asked = questions((&program, &system), None);
        let proofs = prove(&system, &asked);
        let matrix = matrix((&program, &system), None, &proofs);
        let row = &matrix.points[0].rows[0];
        (row.evidence.clone(), row.unproved.clone())
    };
    assert_eq!(outcome("lost"), (Evidence::Proved, None));
    let cut = Outcome::Refused(Obstacle::Cut.into());
    let unknown = Evidence::Unknown(Unknown::Unchecked);
    assert_eq!(outcome("carried"), (unknown, Some(cut)));
}

/// With `nest steps` each step asks anew in which order the places come, so what one step does to that order decides
/// what the other comes to.
#[test]
fn steps_that_change_the_order_of_places_are_not_proved() {
    let outcome = |changes: &str| {
        let text = format!(
            "{CARDS}var first: Player\nsequence cleanup, steps in any order, over each p: Player, \
             in player order from first, nest steps\n  step begin\n    {changes}\n  step count\n    \
             set cap to size of hand(p)\nverify cleanup\n"
        );
        let program = compiled(&text).unwrap_or_else(|| panic!("in error: {text}"));
        let system = lower(&program);
        let asked = questions((&program, &system), None);
        let proofs = prove(&system, &asked);
        let matrix = matrix((&program, &system), None, &proofs);
        matrix.points[0].rows[0].evidence.clone()
    };
    let unknown = Evidence::Unknown(Unknown::Unchecked);
    assert_eq!(outcome("set first to p"), unknown);
    assert_ne!(outcome("set score to 1"), unknown);
}
