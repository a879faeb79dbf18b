//! Sentences that left out what stood beside them: a contract, another class of loop, a reading under which the
//! board is not legal, a smaller board.

use super::{never_says, printed, says, told};
use crate::folder::empty;
use crate::usage::endstep;
use endstep::driver::Still;
use endstep::verdict::fingerprint;
use std::fs;
use std::path::Path;

/// What is paid depends on `a` by the contract alone.
const PAID: &str = r#"game "Paid"
var a: integer from 0 to 1
var j: integer from 0 to 9, starts 0
var k: integer from 0 to 9, starts 0
sequence pay
  basis text
  contract
    changes j within 0 to a
  step x
    set j to 0
sequence s
  basis text
  step one
    perform pay
  step two
    set k to j
verify s with pay by contract
verify pay
claim c: must k = 0 after s
"#;

#[test]
fn a_graph_and_a_count_say_that_a_contract_stands() {
    let stands = "Where other sequences are checked, the contract of pay can stand for the rules. Shown here is what the \
                  rules do, and not what a contract reads or allows beyond that.";
    let graph = |text: &str| {
        printed(
            "beside-graph",
            text,
            &["graph", "told.endstep", "--kind", "fields"],
        )
    };
    says(&graph(PAID), stands);
    never_says(
        &graph(&PAID.replace(" with pay by contract", "")),
        "the contract of pay",
    );
    let allowed = "rests on: the contract of pay: whatever it allows, of the values that were tried, counts as possible";
    let counted = printed("beside-count", PAID, &["explore", "told.endstep"]);
    says(&counted, allowed);
    let json = printed(
        "beside-json",
        PAID,
        &["explore", "told.endstep", "--format", "json"],
    );
    says(&json, r#""rests_on": "the contract of pay: "#);
    let own = printed("beside-own", PAID, &["explore", "told.endstep", "pay"]);
    never_says(&own, "rests on");
}

#[test]
fn a_replay_says_that_a_contract_stands() {
    let folder = empty("beside-replay");
    fs::write(folder.join("told.endstep"), PAID).unwrap();
    endstep(
        &["check", "told.endstep", "--save-witnesses", "saved"],
        &folder,
    );
    let saved = saved(&folder, "F0610");
    let shown = said(&folder, &["replay", &saved]);
    says(&shown, "rests on: the contract of pay: whatever it allows");
}

/// The one saved witness of a code.
fn saved(folder: &Path, code: &str) -> String {
    let mut files = fs::read_dir(folder.join("saved")).unwrap();
    let name = files.find_map(|file| {
        let name = file.unwrap().file_name().into_string().unwrap();
        name.starts_with(code).then_some(name)
    });
    format!("saved/{}", name.unwrap())
}

/// What a command prints, as words with one space between them.
fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = endstep(arguments, folder);
    let all = String::from_utf8(output.stdout).unwrap();
    all.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_triggers_of_triggers_do_is_not_called_dead_where_a_contract_stood() {
    let text = r#"game "Told"
var x: integer from 0 to 3, starts 0
var y: integer from 0 to 3, starts 0
event h, at once
trigger t on h
  basis text
  perform more
event h2, at once
trigger t2 on h2
  basis text
  set y to 1
trigger t3 on h2
  basis text
  set y to 2
sequence more
  basis text
  step m
    announce h2
sequence pay
  basis text
  contract
    changes x
    changes y
  step p
    announce h
sequence s
  basis text
  step a
    perform pay
verify s with pay by contract
claim ord: order irrelevant in s
"#;
    let by_contract = told(text);
    never_says(&by_contract, "F0703");
    says(
        &by_contract,
        "rests on: what the contract of pay allows: with the rules themselves it may be otherwise",
    );
    // By the rules it is refuted, and where the event is never announced, nothing is heard.
    says(&told(&text.replace(" with pay by contract", "")), "F0610");
    let silent = text.replace("    announce h\n", "    nothing\n");
    says(&told(&silent), "F0703");
}

#[test]
fn a_loop_that_others_can_end_is_not_the_same_again() {
    let text = r#"game "Told"
player Player, explore 1
var x: boolean, starts false
sequence s
  basis text
  step a
    repeat until x
      choose number n from 0 to 1 by everyone together
      if n = 1
        set x to true
verify s
"#;
    let folder = empty("beside-loop");
    fs::write(folder.join("told.endstep"), text).unwrap();
    endstep(
        &["check", "told.endstep", "--save-witnesses", "saved"],
        &folder,
    );
    let saved = saved(&folder, "F0504");
    says(
        &said(&folder, &["replay", &saved]),
        "replayed: the interpreter comes to the same",
    );
    let others = [
        ("set x to true", "set x to false"),
        ("by everyone together", "by nobody in particular"),
        ("by everyone together", "by chance"),
    ];
    for (one, other) in others {
        gone(&folder, &saved, &text.replace(one, other));
    }
}

/// The runs of a saved witness are possible in another text, too, or not any more: it does not show what it showed.
#[track_caller]
fn gone(folder: &Path, saved: &str, edited: &str) -> String {
    fs::write(folder.join("edited.endstep"), edited).unwrap();
    let output = endstep(&["replay", saved, "edited.endstep"], folder);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{shown}");
    shown
}

#[test]
fn what_is_carried_agreed_or_decided_now_is_not_the_same_again() {
    let begun = "game \"Told\"\nplayer Player, explore 1\nentity Card, explore 2\n  done: boolean, starts false\n  n: integer, \
                 explore 0 to 0, reach 0 to 9\nzone row of Card\nzone out of Card, starts empty\nvar stop: boolean, starts true\nvar y: \
                 integer from 0 to 5, starts 0\nsequence s\n  basis text\n";
    let cases = [
        (
            "F0701",
            "  restart when stop\n    cancel at end of step\n    unfinished lost\n    before restarting\n      set stop to \
             false\n  step a\n    nothing\n  step b\n    for each c in row\n      set c.done to true\n",
            ("unfinished lost", "unfinished carried"),
        ),
        (
            "F0303",
            "  step c\n    simultaneously\n      set y to 1\n      set y to 2\n",
            ("set y to 2", "set y to 1"),
        ),
        (
            "F0306",
            "  step c\n    choose number k from 1 to 2 by nobody in particular\n    set y to k\n",
            ("nobody in particular", "everyone together"),
        ),
        (
            "F0201",
            "  step c\n    for each c in row, in any order\n      move c to bottom of out\n",
            ("in any order", "in an order chosen by chance"),
        ),
        (
            "F0203",
            "  step c\n    for each c in row, left to right\n      move c to bottom of out\n",
            ("left to right", "in any order"),
        ),
    ];
    for (code, steps, (one, other)) in cases {
        let text = format!("{begun}{steps}verify s\n");
        let folder = empty("beside-again");
        fs::write(folder.join("told.endstep"), &text).unwrap();
        endstep(
            &["check", "told.endstep", "--save-witnesses", "saved"],
            &folder,
        );
        let saved = saved(&folder, code);
        let same = said(&folder, &["replay", &saved]);
        says(&same, "replayed: the interpreter comes to the same");
        never_says(&same, "no longer");
        let shown = gone(&folder, &saved, &text.replace(one, other));
        says(
            &shown,
            &format!("but a check of this board no longer finds this: {code} at "),
        );
    }
}

/// Zero is legal under `b` alone, three under `a` alone.
const HALF_LEGAL: &str = r#"game "Told"
var x: integer from 0 to 9, explore 0 to 3
var y: integer, starts 0
reading r
  a "a"
  b "b"
legal l: per r (a: x > 0 | b: x < 3)
sequence s
  basis text
  step a
    set y to per r (a: 1 | b: 2)
verify s
board b0
  x = 0
example e
  on b0
  perform s
  expect y = 1
"#;

#[test]
fn a_board_that_is_legal_under_one_reading_is_told_so() {
    let tell = |arguments: &[&str]| printed("beside-half", HALF_LEGAL, arguments);
    let ends = tell(&["ends", "told.endstep", "--board", "b0"]);
    says(
        &ends,
        "the board is not legal if r = a, so nothing is played there",
    );
    // Each legal board has a number, and is counted under the readings that make it legal.
    let states = [1, 2, 2, 1];
    for (number, states) in (1..).zip(states) {
        let number = number.to_string();
        let counted = tell(&["explore", "told.endstep", "--board", &number]);
        says(&counted, &format!("distinct states {states} "));
    }
    let beyond = tell(&["explore", "told.endstep", "--board", "5"]);
    says(&beyond, "expected a number from 1 to 4");
    let played = tell(&["run", "told.endstep", "--board", "b0"]);
    says(
        &played,
        "under these readings the board does not meet all conditions of `legal`",
    );
    let read = tell(&["run", "told.endstep", "--board", "b0", "--reading", "r=b"]);
    never_says(&read, "does not meet all conditions");
    says(&told(HALF_LEGAL), "occurs on: the board of the example");
}

#[test]
fn a_legend_speaks_of_what_is_in_the_list() {
    let text = r#"game "Told"
entity Card, explore 2
  v: integer, explore 0 to 1
var last: integer, starts 0
var n: integer, explore 0 to 1
sequence s
  basis text
  step a
    for each c: Card
      set last to c.v
  step b
    set last to 0
sequence t
  basis text
  step b
    set n to 0
verify s
verify t where n = 1
"#;
    let listed = |text: &str| printed("beside-legend", text, &["order", "told.endstep"]);
    says(
        &listed(text),
        "no run from any board of the sizes and values explored comes out differently",
    );
    let ordered = text.replace("verify s\n", "verify s where n = 1\n");
    says(
        &listed(&ordered),
        "explored that meets the `where` of its `verify` comes out differently",
    );
}

#[test]
fn a_board_outside_of_the_scope_is_not_called_the_smallest() {
    let text = r#"game "Told"
entity Card, explore up to 1
  v: integer from 0 to 3, explore 0 to 1
zone row of Card
var x: integer from 0 to 9, explore 0 to 1
sequence s
  basis text
  step a
    for each c in row
      if x = 7
        set x to c.v
verify s
board far
  Card c1, c2 in row with v = 3
  Card c3 in row with v = 1
  x = 7
claim ord: order irrelevant in s
"#;
    let text = printed("beside-far", text, &["check", "told.endstep"]);
    says(
        &text,
        "size: whether a smaller board shows it was not looked at",
    );
    never_says(&text, "the smallest board");
}

#[test]
fn what_is_demanded_at_every_step_is_one_finding() {
    let text = r#"game "Told"
var x: integer, explore 0 to 0, reach 0 to 3
sequence s
  basis text
  step a
    set x to 1
verify s
claim c: invariant x = 0 at every step of s
"#;
    for when in ["at every step of", "at the end of", "throughout"] {
        let text = told(&text.replace("at every step of", when));
        says(&text, "No run from this board");
        says(&text, "1 finding: 1 new");
        never_says(&text, "F0405");
    }
}

#[test]
fn what_changes_rests_on_the_clauses_that_ask_for_it() {
    let text = r#"game "Told"
document d "The rules"
  var x: integer from 0 to 9, starts 0
  var y: integer from 0 to 9, starts 0
  var f: boolean, starts false
  sequence s
    step a
      simultaneously
        clause d.1 (rule) at "1"
          says "Add one."
          increase x by 1
        clause d.2 (rule) at "2"
          says "If f, add one to y."
          if f
            increase y by 1
        clause d.3 (rule) at "3"
          says "Add nothing to y."
          increase y by 0
  verify s
  claim k: must x = 0 after s
"#;
    says(&told(text), "What changes there rests on clause d.1.");
    let free = text.replace("        clause d.3 (rule) at \"3\"\n", "");
    let free = free.replace("          says \"Add nothing to y.\"\n", "");
    let free = free.replace("          increase y by 0\n", "        increase y by 1\n");
    says(
        &told(&free),
        "What changes there rests on clause d.1; some of what the step \"a\" changes rests on no clause.",
    );
}

/// What was found a moment ago is still there, whatever it is: also what no single board shows (F0702), and demands
/// that a check of their board alone tells in another finding (F0405).
#[test]
fn what_was_just_found_is_still_found() {
    let mut files = Vec::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    crate::corpus::files(&corpus, &mut files);
    let (mut found, mut elsewhere) = (0, 0);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let Some(program) = crate::engines::compiled(&text) else {
            continue;
        };
        let results = endstep::explore::check(&program, &Default::default(), &mut |_| {});
        for finding in &results.findings {
            let Some(witness) = &finding.witness else {
                continue;
            };
            if finding.code.id() == "F0612" {
                continue;
            }
            match endstep::driver::still_found(
                &program,
                finding.code.id(),
                &finding.subject,
                &fingerprint(&program, finding),
                witness,
            ) {
                Still::Found => found += 1,
                Still::Elsewhere => elsewhere += 1,
                other => panic!("{other:?} {} {path:?}", finding.code),
            }
        }
    }
    assert!(found > 150 && elsewhere > 5, "{found} {elsewhere}");
}

/// A board in the file that is legal under one reading alone says nothing of what is not so under others.
#[test]
fn a_board_of_one_reading_leaves_no_other_open() {
    let text = r#"game "Legal under one"
var x: integer from 0 to 5, explore 0 to 1
clause d.1 (rule) at "1"
  reading r
    strict "less than 2"
    loose "less than 3"
  reading s
    up "up"
    down "down"
  legal small: per r (strict: x < 2 | loose: x < 3)
  sequence main
    step s1
      if s is up
        set x to 4
  verify main
  claim c: must x != 4 after main
  question q: largest x after main
board bb
  x = 2
"#;
    let found = told(text);
    says(
        &found,
        "Such a board was found only if the reading \"s\" is taken as \"up\".",
    );
    says(&found, "x is 4 at most after main (only if s = up)");
    never_says(&found, "other readings may have one");
    never_says(&found, "found only if s");
}
