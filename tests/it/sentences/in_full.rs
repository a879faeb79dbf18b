//! What was not tried in full: boards of which it cannot be said whether they are legal, values that a gap or a
//! contract may take and that are not explored, readings that were given up, findings that are kept back.

use super::{never_says, printed, says};

/// Of the board with 3 it takes too much to say whether it is legal.
const HUGE: &str = "game \"g\"\nvar n: integer from 0 to 3\nlegal few: n < 3 or n * 4000000000000000000 < 5\nsequence \
                    play\n  basis text\n  step count\n    nothing\nclaim c: must n != 2 after play\n";

#[test]
fn boards_that_are_not_known_to_be_legal_are_not_counted() {
    let check = |name: &str, text: &str| printed(name, text, &["check", "told.endstep"]);
    let text = check("huge", HUGE);
    says(&text, "at least 1 of 3 legal boards that were tried");
    says(&text, "play (n 0 to 3): 3 legal boards");
    says(&text, "not known, because not everything could be tried: n");
    let told = "board b\n  n = 3\nexample e\n  on b\n  perform play\n  expect outcome end\n";
    let text = check("huge-example", &format!("{HUGE}{told}"));
    says(&text, "the example \"e\": 0 legal boards");
    says(&text, "1 board in the file could not be tried in full");
    // Another condition says that it is none, whatever the first one comes to.
    let text = check("huge-no", &format!("{HUGE}legal fewer: n < 3\n"));
    says(&text, "occurs on: 1 of 3 legal boards which");
    never_says(&text, "Unknown: a limit was reached");
}

/// A contract and a gap that may change a place to values that the document allows, and that are not explored.
const CONTRACT: &str = "game \"g\"\nvar y: integer, explore 0 to 1, reach 0 to 5\nsequence pay\n  contract\n    changes \
                        y\n  basis text\n  step p\n    set y to 2\nsequence s\n  basis text\n  step a\n    perform \
                        pay\n  step b\n    if y = 2\n      set y to 0\nverify s with pay by contract\nverify \
                        pay\nclaim low: must y < 2 after s\n";

#[test]
fn what_no_run_does_rests_on_the_values_that_were_tried() {
    let check = |name: &str, more: &[&str]| {
        let all = [&["check", "told.endstep"], more].concat();
        printed(name, CONTRACT, &all)
    };
    says(
        &check("contract-text", &["--all"]),
        "rests on: the contract of pay, if it is kept; the values tried for what a gap or contract may \
         change: y 0 to 1",
    );
    // A verdict that rests on a contract says so in every format.
    let rests = "provided pay keeps its contract";
    says(&check("contract-json", &["--format", "json"]), rests);
    says(&check("contract-junit", &["--format", "junit"]), rests);
}

#[test]
fn ways_to_end_are_all_only_if_all_values_were_tried() {
    let text = "game \"g\"\nvar y: integer from 0 to 5, explore 0 to 1\nsequence s\n  basis text\n  step z\n    gap g \
                \"what is y then\" may change y\nverify s\n";
    let ends = printed(
        "may-change",
        text,
        &["ends", "told.endstep", "--board", "1"],
    );
    says(
        &ends,
        "There may be more: of what a gap or contract may change, only y 0 to 1 was tried.",
    );
    let vectors = printed(
        "may-change-vectors",
        text,
        &["testgen", "told.endstep", "--exhaust"],
    );
    says(&vectors, "\"allowed\": null");
    never_says(&vectors, "\"allowed\": [");
    let whole = text.replace(", explore 0 to 1", "");
    let ends = printed(
        "may-change-whole",
        &whole,
        &["ends", "told.endstep", "--board", "1"],
    );
    never_says(&ends, "There may be more");
}

#[test]
fn ways_to_end_under_one_reading_are_found_if_another_was_given_up() {
    let text = "game \"g\"\nvar n: integer from 0 to 9\nreading r\n  a \"a\"\n  b \"b\"\nsequence play\n  basis text\n  \
                step count\n    if r is a\n      choose number k from 1 to 9 by chance\n      set n to k\nboard z\n  n \
                = 0\n";
    let ends = |name: &str, more: &[&str]| {
        let all = [&["ends", "told.endstep", "--board", "z"], more].concat();
        printed(name, text, &all)
    };
    says(&ends("one-reading", &[]), "only if r = b");
    let few = ends("one-reading-given-up", &["--states", "5"]);
    says(&few, "1. it ends normally, found if r = b");
}

#[test]
fn what_never_happens_is_on_the_basis_of_its_step() {
    let text = "game \"g\"\nvar n: integer from 0 to 1\nsequence s\n  step a\n    if n > 1\n      set n to 0\n";
    says(
        &printed("invented", text, &["check", "told.endstep", "--all"]),
        "F0703 no run ever does this holds in scope · discovered · basis invented · note",
    );
}

#[test]
fn an_option_that_leaves_nothing_out_is_not_named_beside_one_that_does() {
    let text = "game \"g\"\nentity Card, explore up to 2\nreading r\n  a \"a\"\n  b \"b\"\nsequence s\n  basis text\n  \
                step one\n    if r is a\n      nothing\nverify s\n";
    let options = [
        "check",
        "told.endstep",
        "--scope",
        "Card=2",
        "--reading",
        "r=a",
    ];
    let told = printed("no-less", text, &options);
    says(&told, "Only a part was explored: `--reading r=a`.");
}

#[test]
fn a_question_about_orders_is_no_claim() {
    let text = "game \"g\"\nvar n: integer from 0 to 1, starts 0\nsequence s, steps in any order\n  basis text\n  step \
                a\n    set n to 1\n  step b\n    nothing\nquestion q: order irrelevant in s\n";
    let told = printed("asked-order", text, &["order", "told.endstep"]);
    says(&told, "Questions whether order does not matter q:");
    never_says(&told, "Claims that order does not matter");
}

#[test]
fn boards_that_the_prover_suggests_and_are_left_out_are_named_wherever_orders_are() {
    let text = "game \"g\"\nvar n: integer from 0 to 1, starts 0\nsequence s, steps in any order\n  basis text\n  step \
                a\n    set n to 1\n  step b\n    nothing\nclaim q: order irrelevant in s\n";
    for command in ["order", "graph"] {
        let name = format!("suggested-{command}");
        let told = printed(&name, text, &[command, "told.endstep", "--only", "q"]);
        says(&told, "Boards that the prover suggests were not tried");
    }
}

#[test]
fn boards_that_are_legal_under_one_reading_are_not_said_to_be_compared() {
    let text = "game \"g\"\nvar n: integer from 0 to 1\nreading r\n  one \"a\"\n  two \"b\"\nlegal l: r is two or n = \
                0\nsequence s\n  basis text\n  step a\n    if n = 1 and r is two\n      gap g \"silence\"\n";
    says(
        &printed("legal-under-one", text, &["check", "told.endstep"]),
        "both ways of the reading \"r\" play alike (on 1 of 2 boards they were not compared throughout)",
    );
}

#[test]
fn alternatives_under_which_no_board_was_looked_at_are_left_out() {
    let text = "game \"g\"\nvar n: integer from 0 to 3, explore 0 to 1\nreading r\n  one \"a\"\n  two \"b\"\nsequence \
                s\n  basis text\n  step a\n    depending on r\n      when one\n        set n to 1\n      when two\n        \
                set n to 2\n  step b\n    if n = 2\n      set n to 3\nverify s where r is one\nclaim q: must n = 0 \
                after s\n";
    let told = printed("one-tried", text, &["check", "--all", "told.endstep"]);
    says(
        &told,
        "from any board that was explored and under any reading that was tried.",
    );
    says(
        &told,
        "from every board of its scope that was tried and under every reading that was tried.",
    );
    says(
        &told,
        "F0610 a claim of the document is not true, at least under one reading of the text refuted",
    );
    says(
        &told,
        "every legal board that was tried (2), found only if r = one",
    );
    says(
        &told,
        "both ways of the reading \"r\" play alike: two of these ways were compared on no board: none is legal, and explored, \
         under both of them with all other readings the same",
    );
}

#[test]
fn boards_of_the_file_do_not_make_up_for_those_that_were_left_out() {
    let text = "game \"g\"\nplayer Player, explore 1\nvar n: integer from 0 to 9, explore 4\nreading r\n  one \"a\"\n  two \
                \"b\"\nsequence s\n  basis text\n  step a\n    if r is one\n      decrease n by 1\n    otherwise\n      if n < \
                5\n        increase n by 1\n      otherwise\n        decrease n by 2\nverify s where r is one\nquestion e: \
                largest n after s\nboard rich\n  Player ann\n  n = 6\n";
    let told = printed("left-out-beside", text, &["check", "--all", "told.endstep"]);
    says(
        &told,
        "n is 5 at most after s (found only if r = one; on the board \"rich\"",
    );
    says(
        &told,
        "from any board that was explored and under any reading that was tried.",
    );
}

#[test]
fn one_side_of_two_passages_can_have_none_to_itself() {
    let text = "game \"g\"\nvar n: integer from 0 to 3, explore 0 to 1\nreading r\n  one \"a\" cites c.2\n  two \"b\" \
                cites c.2, c.3\nclause c.1 (rule) at \"1\"\n  sequence s\n    step a\n      if r is one\n        set n \
                to 2\nclause c.2 (rule) at \"2\"\n  says \"Two things.\"\n  yields to c.3\nclause c.3 (rule) at \
                \"3\"\n  says \"One thing.\"\nverify s\n";
    says(
        &printed("one-passage", text, &["check", "--all", "told.endstep"]),
        "The text can be read in two ways, though a passage to which another yields settles which, and they play \
         differently. (a) A. Then it ends like this: n is 2. (b) B. Then it ends",
    );
}

#[test]
fn places_that_had_no_turn_are_not_named_with_what_another_had_left() {
    let text = "game \"g\"\nplayer Player, explore 2\nentity Card, explore 2\nzone row of Card per Player\nvar k: \
                integer from 0 to 2, starts 0\nrole act: Player\nsequence s, over each p: Player, in player order from \
                act, nest steps\n  basis text\n  restart when k = 1\n    cancel at once\n    unfinished carried\n    \
                before restarting\n      set k to 2\n  step a\n    for each c: Card in row(p), left to right\n      if \
                k = 0\n        set k to 1\n      remove c\nboard b\n  Player p, q\n  Card bb, cc in row(p)\n  act = \
                p\n";
    let ends = ["ends", "told.endstep", "s", "--board", "b"];
    says(
        &printed("rest-of-place", text, &ends),
        "s is cancelled; kept for the next pass: the rest of a (cc); not done: a for q",
    );
}
