//! Sentences that left out of which boards, runs or moments they speak.

use super::{never_says, printed, says, told};
use crate::folder::empty;
use crate::usage::endstep;
use std::fs;

/// The runs from boards with `n = 1` all stop, those with `n = 2` and a card never end, and those with `n = 0` end.
const CONDITIONAL: &str = r#"game "Told"
player Player, explore 1
entity Card, explore 0 to 2
zone row of Card
zone out of Card, starts empty
var n: integer from 0 to 9, explore 0 to 2
sequence s
  step a
    if n > 0
      move top of row to out
  step b
    if n > 1
      repeat until n < 2
        nothing
verify s
claim c: must out is not empty after s where n = 1 and row is empty
claim e: must n < 9 after s
claim h: must every c in out has c is in row after s where n = 0
"#;

#[test]
fn what_no_run_does_is_said_of_the_boards_of_which_the_claim_speaks() {
    let text = told(CONDITIONAL);
    says(
        &text,
        "It holds, but it could not have failed: no run from a board that meets the condition comes to an end; each \
         stops where the rules cannot be followed, or never ends.",
    );
    says(
        &text,
        "after s, out is not empty (no run from a board that meets the condition ends normally)",
    );
    says(
        &text,
        "at no end of a run from a board that meets the condition is there anything of which it speaks.",
    );
    says(
        &text,
        "every Card in out is in row (from boards that meet the condition, there is nothing of which it speaks; ",
    );
    let always = CONDITIONAL.replace("where n = 1 and row is empty", "");
    let always = always.replace("explore 0 to 2\nsequence", "explore 1 to 1\nsequence");
    let always = always.replace("entity Card, explore 0 to 2", "entity Card, explore 0 to 0");
    let text = told(&always);
    says(&text, "it could not have failed: no run comes to an end; ");
    says(&text, "after s, out is not empty (no run ends normally)");
}

/// Whose order is asked about where a round can go on; with as few states as this, only some boards are visited.
const LIMITED: &str = r#"game "Told"
player Player, explore 1
entity Card, explore 1 to 2
  n: integer from 0 to 2, explore 0 to 2
zone left of Card
zone right of Card, starts empty
var last: integer from 0 to 2, starts 0
sequence turn
  step one
    for each c in left, in any order
      move c to right
      set c.n to size of right
  step two
    for each c in right, left to right
      set last to c.n
  step three
    for each c in right
      increase c.n by 1, at most 2
verify turn
question full: reachable (size of right = 1) in turn
"#;

#[test]
fn an_order_to_which_no_run_came_is_open_where_a_limit_was_met() {
    let folder = empty("qualified-limits");
    fs::write(folder.join("told.endstep"), LIMITED).unwrap();
    let limits = "specifications = [\"told.endstep\"]\n[limits]\nstates = 2\n";
    fs::write(folder.join("endstep.toml"), limits).unwrap();
    let said = |arguments: &[&str]| {
        let output = endstep(arguments, &folder);
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = said(&["check"]);
    says(
        &text,
        "the order does not matter in the step \"one\", at `for each c in left, in any order` (told.endstep:10): from",
    );
    says(&text, "another order would not matter in the step \"two\"");
    // What the text tells is not open.
    never_says(&text, "the order does not matter in the step \"three\"");
    says(&text, "no findings; 3 questions are open");
    // With all boards visited the order matters.
    let whole = printed("qualified-whole", LIMITED, &["check", "told.endstep"]);
    says(&whole, "F0201");
    never_says(&whole, "open");
}

#[test]
fn an_order_that_is_unknown_is_so_in_every_list() {
    let text = r#"game "Told"
entity Token, explore up to 2, headroom 4
  power: integer, explore 0 to 1
zone field of Token
event born(t: Token), in effects
queue effects, last in first out
trigger twin on born(t)
  create Token as x in field with power = t.power
  announce born(x)
sequence breed
  step first
    for each t: Token in field
      announce born(t)
  step work
    resolve effects
verify breed
"#;
    let order = printed("qualified-order", text, &["order", "told.endstep"]);
    says(&order, "one Token & another Token: unknown, runs from");
    let checked = printed("qualified-check", text, &["check", "told.endstep"]);
    says(
        &checked,
        "the order does not matter in the step \"first\", at `for each t: Token in field` (told.endstep:12): runs from",
    );
    says(&checked, "2 questions are open");
}

#[test]
fn what_a_run_shows_does_not_stand_below_what_holds() {
    let folder = empty("qualified-shown");
    fs::write(folder.join("told.endstep"), LIMITED).unwrap();
    let limits = "specifications = [\"told.endstep\"]\n[limits]\nboards = 2\n";
    fs::write(folder.join("endstep.toml"), limits).unwrap();
    let output = endstep(&["check"], &folder);
    let text = String::from_utf8(output.stdout).unwrap();
    never_says(&text, "Holds in scope");
    says(
        &text,
        "Shown: a run that does this was found and replayed\n  question full: in turn it can happen that",
    );
    says(&text, "there are more than 2 boards");
}

#[test]
fn what_some_run_is_expected_to_come_to_is_its_end() {
    let text = told(
        r#"game "Told"
var n: integer from 0 to 3, explore 0 to 0
sequence s
  step a
    increase n by 1
  step b
    increase n by 1
example back
  given
    n = 0
  perform s
  expect possible n = 0
example silent
  given
    n = 0
  perform s
  expect possible gap "odd half"
"#,
    );
    says(
        &text,
        "as the document tells it: no run ends with this: n is 0.",
    );
    says(
        &text,
        "no run ends like this: it stops, because half of an odd number",
    );
    never_says(&text, "comes to this");
}

/// What both runs have is no name of one of them: neither looks at it.
#[test]
fn runs_are_called_by_the_readings_in_which_they_differ() {
    let text = told(
        r#"game "Told"
var n: integer from 0 to 9, explore 0 to 0
reading how
  now "at once"
  later "later"
reading much
  little "1"
  more "2"
sequence s
  step a
    choose one by nobody in particular
      option "jump"
        set n to per how (now: 7 | later: 8)
      option "go"
        set n to per much (little: 1 | more: 2)
verify s
"#,
    );
    says(&text, "readings: how = now First: much = little s: a");
    says(&text, "Second: much = more s: a");
    never_says(&text, "First: how = now, much");
}
