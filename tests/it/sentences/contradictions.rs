//! What one output says, and another line of it, or another output, spoke against.

use super::{never_says, printed, says};
use crate::folder::empty;
use crate::usage::endstep;
use std::fs;

fn checked(name: &str, text: &str, more: &[&str]) -> String {
    let check = ["check", "told.endstep", "--all"];
    printed(name, text, &[&check[..], more].concat())
}

#[test]
fn rounds_that_end_are_not_called_endless() {
    let text = "game \"g\"\nvar n: integer from -20 to 20, explore -3 to -3\nsequence play\n  step a\n    \
                repeat while n != 0\n      decrease n by 1\nclaim t: terminates play\n";
    let told = checked("growing", text, &["--prove"]);
    says(&told, "F0505");
    says(&told, "This alone does not show whether it ever ends.");
    never_says(&told, "is not known");
}

#[test]
fn what_a_number_may_be_besides_is_not_guessed() {
    let text = "game \"g\"\nvar m: integer, explore 0 to 1\nsupply s: integer from 0 to 4, explore 1 to 4\nsequence \
                play\n  step a\n    repeat while m > 0\n      increase m by 1\nquestion l: smallest s in play\nverify \
                play\n";
    let told = checked("bounded", text, &[]);
    says(
        &told,
        "s comes to 1 during play, and may come to less: not all runs were followed to their end;",
    );
    let told = checked(
        "at-bound",
        &text.replace("explore 1 to", "explore 0 to"),
        &[],
    );
    says(
        &told,
        "s comes to 0 during play, and the document allows no less; not all runs were followed to their end;",
    );
}

#[test]
fn a_run_of_an_example_is_tried_for_no_question() {
    let text = "game \"g\"\nvar n: integer from 0 to 50, explore 0 to 3, starts 0\nsequence play\n  step a\n    \
                increase n by 1\nquestion q: reachable n = 4 in play\nverify play\nexample e\n  given\n    n = 3\n  \
                perform play\n  expect n = 4\n";
    let told = checked("of-example", text, &[]);
    says(&told, "It happens in no run that was tried for it.");
}

/// An announcement that is answered with itself, if n is 3.
const ROUND: &str = "game \"g\"\nentity Card, explore up to 1\nzone row of Card\nvar n: integer from 0 to 9, \
                     explore 0 to 1\nqueue q, first in first out\nevent ev(e: Card), in q\ntrigger t on ev(e) \
                     where n = 3\n  announce ev(e)\nsequence play\n  step s\n    for each c in row, left to \
                     right\n      announce ev(c)\n    resolve q\nverify play\n";

#[test]
fn what_goes_round_in_an_example_goes_round() {
    let graph = ["graph", "--kind", "triggers", "told.endstep"];
    says(&printed("no-round", ROUND, &graph), "in scope, no run does");
    let example =
        "example b\n  given\n    Card u in row\n    n = 3\n  perform play\n  expect n = 3\n";
    let told = printed("round", &format!("{ROUND}{example}"), &graph);
    never_says(&told, "no run does");
    says(&told, "it is not known whether a run does");
}

#[test]
fn what_is_proved_to_end_goes_round_in_no_run() {
    let text = ROUND.replace("from 0 to 9, explore", "from 0 to 5000, explore");
    let text = text.replace(
        "where n = 3\n  announce",
        "where n < 1000\n  set n to n * 2 + 1\n  announce",
    ) + "claim k: terminates play\n";
    let graph = ["graph", "--kind", "triggers", "told.endstep"];
    says(
        &printed("may-round", &text, &graph),
        "it is not known whether a run does",
    );
    let graph = [&graph[..], &["--prove"]].concat();
    says(&printed("never-round", &text, &graph), "no run does");
}

#[test]
fn examples_are_tried_whatever_is_left_out() {
    let text = "game \"g\"\nvar n: integer from 0 to 9, starts 0\nreading rr\n  aa \"one\"\n  bb \"two\"\n\
                sequence play\n  step a\n    set n to per rr (aa: 1 | bb: 2)\nverify play\nexample e\n  given\n  \
                reading rr is bb\n  perform play\n  expect n = 1\n";
    let text = text.replace("  given\n", "  given\n    n = 0\n");
    let told = checked("examples", &text, &["--reading", "rr=aa"]);
    says(
        &told,
        "Boards that the prover suggests were not tried, nor claims on boards of the file that they do not name.",
    );
    says(&told, "F0612");
}

/// Two steps whose order matters on the board in the file alone.
const BESIDE: &str = "game \"g\"\nvar n: integer from 0 to 50, explore 0 to 0\nvar lim: integer from 0 to 9, \
                      explore 0 to 1\nsequence play, steps in any order\n  step a\n    if lim = 3\n      \
                      repeat while n < 4\n        increase n by 3\n  step c\n    if lim = 3\n      increase n by \
                      1\nclaim k: order irrelevant in play\nverify play\nboard big\n  lim = 3\n";

#[test]
fn an_order_that_matters_on_a_board_of_the_file_matters() {
    let told = checked("order-beside", BESIDE, &[]);
    says(&told, "F0610");
    never_says(&told, "can change places");
    never_says(&told, "the order does not matter in the list of steps");
    let graph = printed("graph-beside", BESIDE, &["graph", "told.endstep"]);
    never_says(&graph, "can change places");
    let order = printed("matrix-beside", BESIDE, &["order", "told.endstep"]);
    says(&order, "a & c: refuted by F0610");
}

#[test]
fn what_is_shown_on_a_suggested_board_is_told_so() {
    let text = "game \"g\"\nvar n: integer from 0 to 50, explore 0 to 0\nvar lim: integer from 0 to 9, explore 0 \
                to 1\nsequence play, steps in any order\n  step b\n    if lim = 5\n      set n to 7\n  step c\n    \
                if lim > 3\n      increase n by 1\nverify play\nquestion q: reachable n = 8 in play\n";
    let told = checked("suggested-shown", text, &[]);
    says(
        &told,
        "in play it can happen that n is 8 (on a board that the prover suggested, outside of the explored scope)",
    );
    let json = checked("suggested-json", text, &["--format", "json"]);
    says(&json, "\"suggested\": true, \"text\":");
}

#[test]
fn a_list_is_as_open_as_its_steps() {
    let text = "game \"g\"\nvar n: integer from 0 to 9, explore 0 to 1\nlegal l: n < 1\nsequence play, steps in any \
                order\n  step a\n    set n to min(n * 2, 4)\n  step b\n    repeat while n > 0\n      decrease n by \
                1\nverify play where n = 1\nverify play where n = 0\n";
    let told = checked("as-open", text, &[]);
    never_says(&told, "Holds");
    says(
        &told,
        "the order does not matter in the list of steps of play: there is a scope of which no board",
    );
}

#[test]
fn there_is_no_the_neighbour() {
    let text = "game \"g\"\nentity Card, explore 1\nzone row of Card\nsequence play\n  step s\n    nothing\n\
                question c: invariant neighbour before top of row is none and neighbour after (bottom of row) is not \
                none at the end of play\n";
    let told = checked("neighbours", text, &[]);
    says(&told, "there is no neighbour before the first Card in row");
    says(&told, "there is a neighbour after the last Card in row");
}

/// Where a contract stands for what another step performs.
const PAID: &str = "game \"g\"\nentity Card, explore 1\nzone row of Card\nvar x: integer from 0 to 9, explore 0 \
                    to 0\nvar y: integer from 0 to 9, starts 0\nsequence pay\n  contract\n    changes x\n  step a\n    \
                    for each d in row\n      nothing\nsequence s\n  step a\n    for each c in row\n      perform pay\n      \
                    set y to x\nverify s with pay by contract\n";

#[test]
fn what_runs_beside_a_contract_was_run() {
    let told = printed("by-contract", PAID, &["order", "told.endstep"]);
    let (own, paid) = (
        "`for each c in row` (told.endstep:14) one Card & another Card: exhausted, never two at once",
        "`for each d in row` (told.endstep:10) one Card & another Card: unknown, nothing that is verified comes to it",
    );
    says(&told, own);
    says(&told, paid);
}

#[test]
fn a_witness_of_what_no_longer_counts_shows_nothing() {
    let folder = empty("counts-no-more");
    let text = "game \"g\"\nentity Card, explore 2\n  h: integer from 0 to 1\nzone row of Card\nvar x: integer \
                from 0 to 1, starts 0\nvar y: integer from 0 to 1, starts 0\nreading r\n  one \"a\"\n  two \"b\"\n\
                sequence s\n  step a\n    for each c in row\n      set x to c.h\n      if r is one\n        set y to \
                c.h\nverify s";
    fs::write(folder.join("m.endstep"), text).unwrap();
    let observed = text.replace(
        "verify s",
        "observer o \"o\"\n  sees y\nverify s observing o",
    );
    fs::write(folder.join("o.endstep"), observed).unwrap();
    endstep(&["check", "m.endstep", "--save-witnesses", "w"], &folder);
    let all = fs::read_dir(folder.join("w")).unwrap();
    let mut all = all.map(|one| one.unwrap().file_name().into_string().unwrap());
    let of_order = all.find(|one| one.starts_with("F0201")).unwrap();
    let saved = format!("w/{of_order}");
    let same = endstep(&["replay", &saved, "m.endstep"], &folder);
    assert_eq!(same.status.code(), Some(0));
    let other = endstep(&["replay", &saved, "o.endstep"], &folder);
    assert_eq!(other.status.code(), Some(1));
}

#[test]
fn parts_of_a_check_that_cannot_be_made_are_told_so() {
    let folder = empty("parts-that-fail");
    let text = "game \"g\"\nvar x: integer from 0 to 1\nsequence s\n  step a\n    set x to 1\n";
    fs::write(folder.join("b.endstep"), text).unwrap();
    let claim = "claim low: invariant x < 1 throughout s\n";
    fs::write(folder.join("a.endstep"), format!("{text}{claim}")).unwrap();
    for (name, shard) in [("1.json", "1/2"), ("2.json", "2/2")] {
        let part = endstep(&["check", "--only", "low", "--shard", shard, "."], &folder);
        fs::write(folder.join(name), part.stdout).unwrap();
    }
    let merged = endstep(&["merge", "1.json", "2.json"], &folder);
    let why = String::from_utf8(merged.stderr).unwrap();
    says(
        &why,
        "`2.json` is a part of a check that could not be made (exit code 64)",
    );
}

/// A sequence with a trigger and a branch that only an experiment comes to.
const BRANCH: &str = "game \"g\"\nvar n: integer from 0 to 9, explore 0 to 1\nevent boom, at once\ntrigger tr on boom\n  \
                      nothing\nsequence s\n  step a\n    set n to 0\n  step b\n    if n = 1\n      announce boom\n\
                      verify s\nexperiment e: s but b first\nquestion q: must n = 0 after e\n";

#[test]
fn what_only_an_experiment_does_is_done_by_no_rule() {
    let told = checked("made-up-branch", BRANCH, &[]);
    says(
        &told,
        "The trigger \"tr\": no run that follows the document gets here",
    );
    let compared = BRANCH.replace("must n = 0 after e", "equivalent s, e");
    let told = checked("made-up-beside", &compared, &[]);
    says(
        &told,
        "The trigger \"tr\": no run that follows the document gets here",
    );
    let json = printed("made-up-vectors", BRANCH, &["testgen", "told.endstep"]);
    never_says(&json, "e/b");
    let made_up = printed(
        "made-up-asked",
        BRANCH,
        &["testgen", "told.endstep", "--sequence", "e"],
    );
    says(
        &made_up,
        "found the verified sequence `e`, expected one of `s`",
    );
}

#[test]
fn what_goes_round_in_an_experiment_goes_round_in_no_rule() {
    let text = "game \"g\"\nvar n: integer from 0 to 9, explore 0 to 1\nqueue q, first in first out\nevent e2, in q\n\
                trigger ta on e2 where n = 1\n  announce e2\nsequence s\n  step a\n    set n to 0\n  step b\n    \
                announce e2\n    resolve q\nverify s\nexperiment x: s but without a\nquestion q1: terminates x\n";
    let told = printed(
        "made-up-round",
        text,
        &["graph", "--kind", "triggers", "told.endstep"],
    );
    says(&told, "in scope, no run does");
    never_says(&told, "a run does (");
}

#[test]
fn an_order_that_matters_to_a_claim_alone_matters() {
    let text = "game \"g\"\nvar n: integer, explore 0 to 1, reach 0 to 90\nsequence s, steps in any order\n  step b\n    \
                set n to n * 2\n  step c\n    set n to n + 1\nsequence top\n  step t\n    perform s\n  step u\n    set n to \
                0\nverify top\nquestion q4: order irrelevant in s\n";
    let told = printed("of-a-claim", text, &["order", "told.endstep"]);
    says(&told, "b & c: refuted by F0611");
    let made_up = text.replace(
        "question q4: order irrelevant in s",
        "experiment e: top but u first\nquestion q4: order irrelevant in e",
    );
    let told = printed("of-an-experiment", &made_up, &["order", "told.endstep"]);
    says(&told, "b & c: exhausted, no difference");
}
