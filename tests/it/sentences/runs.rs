//! What was once told wrongly of a run: each time round, of a run that is cut, of what is dropped.

use endstep::analysis::Options;

use super::{Checked, never_says, says, told};

fn report(text: &str) -> String {
    Checked::of(text, &Options::default()).report()
}

/// A document with one clause, in which everything stands.
fn document(rules: &str) -> String {
    let rules: String = rules.lines().map(|line| format!("    {line}\n")).collect();
    format!(
        "game \"Runs\"\ndocument d \"d\"\n  clause d.1 (rule) at \"1\"\n    says \"x\"\n{rules}"
    )
}

#[test]
fn what_happens_each_time_round_is_told_of_what_does_it() {
    let text = told(&document(
        r#"var x: integer, explore 0 to 0
var y: integer, explore 0 to 0
sequence inner
  step b
    set y to 1 - y
sequence s
  step a
    repeat while true
      perform inner
      set x to 1 - x
verify s"#,
    ));
    says(
        &text,
        "Each time round: in \"b\" of inner, y becomes 1; then in \"a\" of s, x becomes 1; then in \"b\" of \
         inner, y becomes 0; then in \"a\" of s, x becomes 0.",
    );
}

#[test]
fn the_reason_why_a_trigger_acts_is_told_of_what_acts() {
    let text = told(&document(
        r#"entity Card, explore 2
  weight: integer, explore 1 to 2
  n: integer, explore 0 to 0
zone row of Card
queue stack, last in first out
event ping(c: Card), in stack
trigger reacts on ping(c) where c.weight > 0
  set c.n to 1 - c.n
sequence s
  step a
    repeat while true
      announce ping(first of row)
      announce ping(last of row)
      resolve next of stack
      resolve next of stack
verify s"#,
    ));
    let acts = |card: u8, n: u8| {
        format!(
            "the trigger \"reacts\" acts, as card {card} has weight of more than 0: n of card {card} \
             becomes {n}"
        )
    };
    let all = [acts(2, 1), acts(1, 1), acts(2, 0), acts(1, 0)];
    says(&text, &format!("Each time round: {}.", all.join("; then ")));
}

#[test]
fn a_trigger_that_acts_at_once_acts_as_its_own_card_does() {
    let text = told(&document(
        r#"entity Card, explore 2
  mark: boolean, starts false
zone row of Card
event e(c: Card), at once
trigger t1 on e(c) where not c.mark
  set c.mark to true
trigger t2 on e(c) where c.mark
  set c.mark to false
sequence s
  step a
    repeat while true
      for each c in row, left to right
        announce e(c)
verify s"#,
    ));
    says(
        &text,
        "the trigger \"t1\" acts, as card 1 is not mark: card 1 is now marked \"mark\"; then the trigger \
         \"t1\" acts, as card 2 is not mark: card 2 is now marked \"mark\"",
    );
}

#[test]
fn what_becomes_true_beside_other_changes_is_told() {
    let text = told(&document(
        r#"entity Card, explore 1
  mark: boolean, starts false
zone row of Card
var x: integer, explore 0 to 0
sequence s
  step a
    repeat while true
      for each c in row, left to right
        set c.mark to true
        set c.mark to false
      perform more
sequence more
  step b
    set x to 1 - x
verify s"#,
    ));
    says(
        &text,
        "in \"a\" of s, card 1 is now marked \"mark\" and card 1 is no longer marked \"mark\"; then in \"b\" \
         of more, x becomes 1",
    );
    never_says(&text, "it is the turn of");
}

#[test]
fn what_grows_is_told_by_how_much() {
    let text = told(&document(
        r#"var x: integer, explore 0 to 1, reach 0 to 40
var y: integer, explore 0 to 0, reach 0 to 60
sequence s
  step a
    if x = 1
      repeat while true
        increase y by 1
verify s"#,
    ));
    says(&text, "Each time round: in \"a\" of s, y grows by 1.");
}

#[test]
fn what_rests_on_clauses_counts_whatever_changes() {
    let text = told(
        r#"game "Rests"
document d "d"
  clause d.0 (definition) at "0"
    says "data"
    entity Card, explore 2
      v: integer, explore 0 to 0
    zone row of Card
    var x: integer, explore 0 to 0
    var z: integer, explore 0 to 0
  sequence s
    clause d.1 (rule) at "1"
      says "one"
      step one
        set x to 1
    clause d.2 (rule) at "2"
      says "two"
      step two
        simultaneously
          for each c in row
            set c.v to 1
    clause d.3 (rule) at "3"
      says "three"
      step three
        distribute 2 over c in row into c.v by nobody in particular
    clause d.4 (rule) at "4"
      says "four"
      step four
        gap left may change z within 1 to 2
    clause d.5 (rule) at "5"
      says "five"
      step five
        nothing
  verify s
  clause d.8 (claim) at "8"
    says "nothing changes"
    claim c: invariant x = 0 at the end of s
"#,
    );
    let said = text.split("What changes there rests on clauses ").nth(1);
    let said = said
        .and_then(|rest| rest.split(". ").next())
        .unwrap_or(&text);
    for clause in ["d.1", "d.2", "d.3", "d.4"] {
        says(said, clause);
    }
    never_says(said, "d.5");
}

/// A run of so many lines that its middle is left out.
fn long(middle: &str) -> String {
    document(&format!(
        r#"entity Card, explore 2
  v: integer, explore 0 to 1, reach 0 to 5
zone row of Card
var x: integer, explore 0 to 0, reach 0 to 100
var z: integer, explore 0 to 0, reach 0 to 100
var q: integer, explore 0 to 0, reach 0 to 100
sequence s
  step first_half
    repeat until x = 32
      increase x by 1
  step middle
{middle}
verify s"#
    ))
}

#[test]
fn a_run_that_is_cut_keeps_what_was_chosen_otherwise() {
    let text = report(&long(
        "    for each c in row
      set q to 2 * q + c.v
      set c.v to min(5, 1 + q)
  step last_half
    repeat until z = 40
      increase z by 1",
    ));
    for card in [1, 2] {
        let title = format!("With card {card} first\n");
        let (_, run) = text.split_once(&title).unwrap_or_else(|| panic!("{text}"));
        let (run, _) = run.split_once("=>").unwrap();
        says(run, "lines are left out …");
        let chosen = format!("s: middle\n      next: card {card} (of ");
        says(run, &chosen);
        says(run, "s: last half\n");
        let (_, tail) = run.split_once("s: last half\n").unwrap();
        assert!(!tail.contains("s: "), "{tail}");
    }
}

#[test]
fn a_run_that_is_cut_says_where_it_repeats() {
    let text = report(&long(
        "    repeat while true
      repeat until z = 32
        increase z by 1
      repeat until z = 0
        decrease z by 1",
    ));
    let (_, run) = text.split_once("What happens, and happens again").unwrap();
    let (run, _) = run.split_once("=>").unwrap();
    says(run, "lines are left out …");
    says(run, "s: middle\n      --- from here it repeats ---");
}

#[test]
fn the_start_is_that_of_the_step_that_ensures() {
    let text = told(&document(
        r#"var x: integer, explore 0 to 0
var y: integer, explore 0 to 0
sequence t
  step a
    set x to x + 1
  step b
    set y to 1
    ensures x > old x
verify t"#,
    ));
    says(
        &text,
        "and it does not: x is more than what it was at the start. The start is that of the step.",
    );
}

#[test]
fn a_trigger_is_resolved_once() {
    let text = told(&document(
        r#"entity Card, explore 1
zone row of Card
var n: integer, explore 0 to 0
var k: integer, explore 0 to 0
queue q, first in first out
event e(c: Card), in q
trigger t on e(c)
  perform quiet
  increase n by 1
  perform loud
  increase n by 1
sequence quiet
  step idle
    if n > 100
      set k to 1
sequence loud
  step sound
    increase k by 1
sequence s
  step a
    announce e(first of row)
    resolve q
verify s
claim z: invariant n = 0 at the end of s"#,
    ));
    says(
        &text,
        "the trigger \"t\" is resolved, for card 1 q: nothing is pending any more n: from 0 to 1 loud: sound k: from 0 \
         to 1 the trigger \"t\" goes on n: from 1 to 2 =>",
    );
}

#[test]
fn what_a_cancelled_pass_has_not_begun_is_told_for_each_place() {
    let lanes = |nest: &str, one: &str, two: &str| {
        told(&document(&format!(
            r#"entity Lane, explore 2
  a: boolean, starts false
  b: boolean, starts false
var hurt: boolean, starts false
var once: boolean, starts false
sequence s, over each l: Lane, left to right, nest {nest}
  restart when hurt
    cancel at once
    unfinished lost
    before restarting
      set hurt to false
  step one
    set l.a to true
{one}  step two
    set l.b to true
{two}verify s
claim z: invariant once = false at the end of s"#
        )))
    };
    let hurt = "    if not once\n      set once to true\n      set hurt to true\n";
    says(
        &lanes("places", "", hurt),
        "s is cancelled; not done: one for lane 2, two for lane 2 s, before",
    );
    says(
        &lanes("places", hurt, ""),
        "s is cancelled; not done: two for lane 1, one for lane 2, two for lane 2 s, before",
    );
    says(
        &lanes("steps", hurt, ""),
        "s is cancelled; not done: one for lane 2, two s, before",
    );
}
