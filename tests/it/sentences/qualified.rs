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
        "It holds, but it could not have failed: no run tried for it from a board that meets the condition comes to an end; each \
         stops where the rules cannot be followed, or never ends.",
    );
    says(
        &text,
        "after s, out is not empty (no run tried for it from a board that meets the condition ends normally)",
    );
    says(
        &text,
        "at no end of a run tried for it from a board that meets the condition is there anything of which it speaks.",
    );
    says(
        &text,
        "every Card in out is in row (from boards that meet the condition, there is nothing of which it speaks; ",
    );
    let always = CONDITIONAL.replace("where n = 1 and row is empty", "");
    let always = always.replace("explore 0 to 2\nsequence", "explore 1 to 1\nsequence");
    let always = always.replace("entity Card, explore 0 to 2", "entity Card, explore 0 to 0");
    let text = told(&always);
    says(
        &text,
        "it could not have failed: no run tried for it comes to an end; ",
    );
    says(
        &text,
        "after s, out is not empty (no run tried for it ends normally)",
    );
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
    let limits = "specifications = [\"told.endstep\"]\n[limits]\nstates = 1\n";
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
    // Of a step of which not all runs were looked at it is not said that doing it twice is the same.
    never_says(&text, "F0702");
    says(&text, "no findings; 2 questions are open");
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

/// Of its two readings one sets k to another number.
const READ: &str = r#"game "Told"
entity Card, explore 0 to 2
  v: integer from 0 to 9, explore 0 to 1
zone row of Card
var k: integer from 0 to 9, starts 0
reading r
  one "one"
  two "two"
sequence s
  step a
    depending on r
      when one
        set k to 1
      when two
        set k to 2
    for each c in row, left to right
      increase k by c.v
sequence t
  step a
    set k to size of row
explore only few: size of row < 2
verify s where k = 0
verify t
claim m: must k > 0 after s
"#;

#[test]
fn options_that_leave_mutants_uncompared_are_named() {
    let said = |more: &[&str]| {
        let arguments = ["mutate", "told.endstep", "--all", "--quiet", "--jobs", "1"];
        printed("qualified-mutants", READ, &[&arguments, more].concat())
    };
    let part = said(&[
        "--reading",
        "r=one",
        "--scope",
        "Card.v=0",
        "--scope",
        "Card=1",
    ]);
    says(
        &part,
        "Only a part was explored: `--scope Card.v=0`, `--scope Card=1` and `--reading r=one`. compared: s up to Card = 1 \
         (2 boards, ",
    );
    // Boards of two sequences are not added up.
    says(
        &part,
        "the same outcomes from each of 2 boards of s and each of 2 boards of t",
    );
    let whole = said(&["--scope", "Card=2"]);
    never_says(&whole, "Only a part");
    let json = said(&["--format", "json", "--reading", "r=one"]);
    says(&json, r#""restrictions": [ "--reading r=one" ]"#);
}

#[test]
fn on_what_is_counted_is_said_with_the_numbers() {
    let explored = |more: &[&str]| {
        let arguments = ["explore", "told.endstep", "--sequence"];
        printed("qualified-space", READ, &[&arguments, more].concat())
    };
    says(
        &explored(&["s", "--reading", "r=one", "--scope", "Card.v=0"]),
        "s of told.endstep, on 2 legal boards that meet `explore only` and the `where` of its `verify` with `--scope \
         Card.v=0` and `--reading r=one` ",
    );
    says(
        &explored(&["t"]),
        "t of told.endstep, on 2 legal boards that meet `explore only` distinct",
    );
    let json = explored(&["s", "--format", "json", "--reading", "r=one"]);
    says(&json, r#""only": [ "few" ]"#);
    says(&json, r#""options": [ "--reading r=one" ]"#);
    says(&json, r#""where": "k = 0""#);
}

#[test]
fn a_board_that_is_dealt_again_is_no_other() {
    let fuzzed = |more: &[&str]| {
        let arguments = [
            "fuzz",
            "told.endstep",
            "--runs",
            "300",
            "--jobs",
            "1",
            "--seed",
            "7",
        ];
        printed("qualified-deals", READ, &[&arguments, more].concat())
    };
    let text = fuzzed(&["--reading", "r=one"]);
    says(
        &text,
        "; 3 different legal boards that meet `explore only` and the `where` of its `verify` (with `--reading r=one`), dealt ",
    );
    let json: serde_json::Value =
        serde_json::from_str(&fuzzed(&["--all-legal", "--format", "json"])).unwrap();
    let sampled = &json["specifications"][0]["sampled"];
    assert_eq!(sampled["options"], serde_json::json!(["--all-legal"]));
    assert_eq!(sampled["boards_at_least"], false);
    let [boards, deals] = ["boards", "deals"].map(|of| sampled[of].as_u64().unwrap());
    assert!(3 < boards && boards < deals, "{sampled}");
}

#[test]
fn what_rests_on_no_clause_is_not_passed_over() {
    let text = r#"game "Told"
var k: integer from 0 to 3, starts 0
var h: integer from 0 to 9, starts 0
event e, at once
clause d.1 (rule) at "d"
  says "It is heard."
trigger t on e
  set h to 7
clause s.1 (rule) at "1"
  says "It is done."
  sequence s
    step a
      set k to 2
      announce e
verify s
claim m: must h = 0 after s
"#;
    says(
        &told(text),
        "What changes there rests on clause s.1; what the trigger \"t\" changes rests on no clause.",
    );
    let cited = text.replace("trigger t on e\n", "trigger t on e\n  cites d.1\n");
    says(
        &told(&cited),
        "What changes there rests on clauses d.1 and s.1.",
    );
    let alone = text.replace("      set k to 2\n", "");
    says(&told(&alone), "What changes there rests on no clause.");
    let own = text.replace("trigger t on e\n", "trigger t on e\n  basis invented\n");
    says(
        &told(&own),
        "; what the trigger \"t\" changes rests on no clause.",
    );
    let partly = text.replace(
        "trigger t on e\n  set h to 7\n",
        "trigger t on e\n  set h to 7\n  clause t.1 (rule) at \"t\"\n    says \"And this.\"\n    set k to 3\n",
    );
    says(
        &told(&partly),
        "rests on clauses t.1 and s.1; some of what the trigger \"t\" changes rests on no clause.",
    );
}

#[test]
fn passages_disagree_only_where_each_side_has_one() {
    let of = |first: &str, second: &str| {
        told(&format!(
            r#"game "Told"
var n: integer from 0 to 3, starts 0
clause a (rule) at "a"
  says "aa"
clause b (rule) at "b"
  says "bb"
clause c (rule) at "c"
  says "cc"
reading r
  one "1"{first}
  two "2"{second}
clause s.1 (rule) at "1"
  says "It is set."
  sequence s
    step a
      set n to per r (one: 1 | two: 2)
verify s
"#
        ))
    };
    for (first, second) in [
        (" cites a", ""),
        (" cites a, c", " cites c"),
        (" cites a", " cites a"),
    ] {
        let text = of(first, second);
        says(&text, "F0401");
        says(
            &text,
            "The text can be read in two ways, and they play differently. (a) 1. Then it ends like this: n is 1. (b) 2.",
        );
        never_says(&text, "disagree");
    }
    let text = of(" cites a, c", " cites b, c");
    says(&text, "F0402");
    says(
        &text,
        "Two passages of the text disagree. One side (a): \"aa\" By it, 1; on the board below it ends \
         like this: n is 1. The other (b): \"bb\" By it, 2;",
    );
}

/// What is chosen twice, and seen once.
const SEEN: &str = r#"game "Told"
player P, explore 1
var k: integer from 0 to 9, starts 0
var sec: integer from 0 to 9, starts 0
observer o "table"
  sees k
sequence s
  step a
    choose number z from 1 to 3 by chance
    set sec to z
  step b
    may by everyone together
      set k to 1
verify s observing o
claim m3: must sec > 1 after s
claim m4: must sec < 2 after s
"#;

#[test]
fn ways_to_end_are_those_of_the_observer() {
    says(
        &told(SEEN),
        "s can end in 4 ways that differ in what \"o\" sees or in what is not met, and none of them meets both: in 2 m3 is \
         not met, in 2 m4 is not met.",
    );
    let one = SEEN.replace("must sec > 1 after", "must k > 0 after");
    says(
        &told(&one.replace("must sec < 2 after", "must k < 1 after")),
        "s can end in 2 ways for what \"o\" sees, and neither meets both:",
    );
    let all = SEEN.replace(" observing o", "");
    says(
        &told(&all),
        "s can end in 6 ways, and none of them meets both: in 2 m3 is not met, in 4 m4 is not met.",
    );
}

#[test]
fn boards_of_several_scopes_are_not_told_as_one_number() {
    let text = r#"game "Told"
var n: integer from 0 to 9, explore 0 to 2
var k: integer from 0 to 9, starts 0
sequence s, steps in any order
  step a
    set k to 1
  step b
    set k to 2
verify s where n < 3
verify s where n < 2
claim o: order irrelevant in s
"#;
    let arguments = ["check", "told.endstep", "--repairs"];
    let several = printed("qualified-repair", text, &arguments);
    says(
        &several,
        "with that, a new check of 5 legal boards, counted in each of 2 scopes, no longer finds this",
    );
    let one = text.replace("verify s where n < 2\n", "");
    let one = printed("qualified-repair-one", &one, &arguments);
    says(
        &one,
        "with that, a new check of 3 legal boards no longer finds this",
    );
}
