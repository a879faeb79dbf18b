//! Proofs that two ways to read a sentence play alike: each is told from a mutant that breaks what it
//! rests on, and no proof is refuted by a board.

use endstep::analysis::Options;
use endstep::explore;
use endstep::lower::lower;
use endstep::prove::coincide;
use endstep::typing::program::ReadingId;
use endstep::verdict::{Argument, Question, Verdict};

use super::always::{cleanup, exchangeable};
use super::z3::assert_no_answer;

const BEGIN: &str = r#"game "g"
player Player, explore 1 to 2
entity Card, explore up to 2
  health: integer from -9 to 9, explore 0 to 1
  dead: boolean
  due: boolean, starts false
zone board of Card per Player
zone void of Card, starts empty
var score: integer, explore 0 to 0, reach -99 to 99, starts 0
var active: Player
var chosen: optional Player
queue pending, first in first out, explore up to 6
event dies(c: Card), in pending
define hurt(c: Card) = per way (one: c.health <= 0 | other: not (c.health > 0))
define frail(c: Card) = per way (one: c.health <= 0 | other: c.health < 0)

document d "D"
  clause d.1 (rule) at "1"
    says "It can be read in two ways."
    reading way
      one "this way"
      other "that way"
"#;

/// Whether two ways to read a body are proved to play alike, and whether a board refutes it.
fn told(body: &str, beside: &str) -> (bool, bool) {
    let indented: String = body
        .lines()
        .map(|line| format!("        {line}\n"))
        .collect();
    let text = format!(
        "{BEGIN}    sequence cleanup, steps in order\n      step go\n{indented}{beside}\nverify cleanup\n"
    );
    let (program, sequence) = cleanup(&text);
    let system = lower(&program);
    let reading: ReadingId = program.readings.ids().next().unwrap();
    let (system, exchangeable) = exchangeable(&program, &system);
    let proof = coincide(&system, (sequence, reading), &exchangeable);
    if let Ok(certificate) = &proof {
        assert_eq!(certificate.argument, Argument::Alike);
        certificate
            .questions
            .iter()
            .for_each(|one| assert_no_answer(one));
    }
    let results = explore::check(&program, &Options::default(), &mut |_| {});
    let question = Question::Reading(sequence, reading);
    let answer = results.answers.iter().find(|one| one.subject == question);
    let refuted = answer.is_some_and(|one| one.verdict == Verdict::Refuted);
    (proof.is_ok(), refuted)
}

const RESTART: &str = "      restart when score > 0
        cancel at once
        unfinished lost
        before restarting
          set score to 0
";

/// Bodies of which the first is proved to play alike and the second is not; and what stands beside them.
fn tell(cases: &[(&str, &str, &str)]) {
    for (sound, broken, beside) in cases {
        assert_eq!(told(sound, beside), (true, false), "{sound}");
        assert!(!told(broken, beside).0, "{broken}");
    }
}

#[test]
fn what_breaks_a_side_condition_is_not_proved() {
    tell(&[
        // A condition that says the same in other words.
        (
            "for each c: Card where hurt(c), in any order\n  set c.dead to true",
            "for each c: Card where frail(c), in any order\n  set c.dead to true",
            "",
        ),
        // Turns that have nothing to do with each other can come in any order.
        (
            "for each c: Card in board, per way (one: left to right from active | other: in any order)\n  set c.due to true",
            "for each c: Card in board, per way (one: left to right from active | other: in any order)\n  set c.health to score\n  increase score by 1",
            "",
        ),
        // One statement before the other.
        (
            "depending on way\n  when one\n    set score to 1\n    for each c: Card, in any order\n      set c.due to true\n  when other\n    for each c: Card, in any order\n      set c.due to true\n    set score to 1",
            "depending on way\n  when one\n    set score to 1\n    increase score by 1\n  when other\n    increase score by 1\n    set score to 1",
            "",
        ),
        // What differs for a while, and not in the end.
        (
            "set score to per way (one: 1 | other: 2)\nset score to 3",
            "set score to per way (one: 1 | other: 2)\nincrease score by 3",
            "",
        ),
        // The same, but a rule looks at it meanwhile.
        (
            "let least = per way (one: 1 | other: 2)\nfor each c: Card where c.health > 3 + least - least, in any order\n  set c.due to true",
            "set score to per way (one: 0 | other: 2)\nset score to 0",
            RESTART,
        ),
        // Who is among those who can be chosen.
        (
            "if some c: Card in board has hurt(c)\n  choose c: Card in board where hurt(c) by active\n  set c.dead to true",
            "if some c: Card in board has c.health <= 0\n  if some d: Card in board has frail(d)\n    choose c: Card in board where frail(c) by active\n    set c.dead to true",
            "",
        ),
        // How many there are.
        (
            "if (count of c: Card where hurt(c)) > 0\n  set score to 1",
            "if (count of c: Card where frail(c)) > 0\n  set score to 1",
            "",
        ),
        // What waits in a queue is not compared, but who announces it is.
        (
            "for each c: Card in board where hurt(c), in any order\n  announce dies(c)",
            "for each c: Card in board where frail(c), in any order\n  announce dies(c)",
            "",
        ),
    ]);
}

#[test]
fn what_only_decides_about_an_order_needs_an_order_that_makes_no_difference() {
    tell(&[
        // Turns that add to the same thing can come in any order too.
        (
            "for each c: Card in board, per way (one: left to right from active | other: in any order)\n  increase score by c.health",
            "for each c: Card in board, per way (one: left to right from active | other: in any order)\n  if score < 1\n    increase score by c.health",
            "",
        ),
        // An order that begins with nobody is none.
        (
            "for each c: Card in board, per way (one: left to right | other: in any order)\n  increase score by c.health",
            "for each c: Card in board, per way (one: left to right from chosen | other: in any order)\n  increase score by c.health",
            "",
        ),
        // The same, but a rule can cut in between.
        (
            "for each c: Card in board where c.health > 3, per way (one: left to right from active | other: in any order)\n  set c.health to 3",
            "for each c: Card in board, per way (one: left to right from active | other: in any order)\n  increase score by c.health",
            RESTART,
        ),
        // Who has a turn, and in which order.
        (
            "for each c: Card in board where hurt(c), per way (one: left to right from active | other: in any order)\n  increase score by c.health",
            "for each c: Card in board where frail(c), per way (one: left to right from active | other: in any order)\n  increase score by c.health",
            "",
        ),
    ]);
}

#[test]
fn what_is_only_looked_at_must_not_depend_on_it() {
    // Which boards are legal.
    let legal = "legal only_those: every c: Card has not frail(c)\n";
    let body = "if score > 3\n  set score to per way (one: 4 | other: 4)";
    assert!(told(body, "").0);
    assert!(!told(body, legal).0);
    // What a trigger matches.
    let trigger = "trigger t on dies(c) where frail(c)\n  set c.dead to true\n";
    let announces = format!(
        "{body}\nfor each c: Card in board, in any order\n  announce dies(c)\nresolve pending"
    );
    assert!(told(&announces, "").0);
    assert!(!told(&announces, trigger).0);
}

#[test]
fn what_takes_effect_together_is_not_compared_one_after_the_other() {
    // One after the other, the second would find what the first has written.
    let broken = "simultaneously\n  set score to 1\n  depending on way\n    when one\n      if score = 0\n        \
                  for each c: Card, in any order\n          set c.dead to true\n    when other\n      nothing";
    assert_eq!(told(broken, ""), (false, true));
    let sound = "simultaneously\n  for each c: Card, in any order\n    if hurt(c)\n      set c.dead to true";
    assert_eq!(told(sound, ""), (true, false));
}
