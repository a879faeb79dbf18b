//! Sentences where there is less than they take for granted: no board, no player, one witness too few, a contract
//! of several, two things of one name.

use endstep::analysis::Options;
use endstep::verdict::fingerprint;

use super::{Checked, never_says, printed, says, told};

const NO_BOARD: &str = r#"game "No boards"
entity Card, explore 0 to 1
zone row of Card
explore only enough: (count of c: Card) > 3
sequence s
  step one
    for each c: Card in row
      move c to top of row
verify s
claim a: terminates s
question b: reachable size of row > 9 in s
"#;

#[test]
fn without_a_board_something_is_said_all_the_same() {
    let text = told(NO_BOARD);
    says(
        &text,
        "No board within the explored sizes is both legal and one of those to be tried: s was explored from none.",
    );
    let check = printed("no-board-check", NO_BOARD, &["check", "told.endstep"]);
    says(&check, "Proved: so on boards of every size");
    says(&text, "Unknown: there was no board to look at");
    never_says(&text, "nothing can be said");
    never_says(&text, "a limit was reached");
    let page = printed("no-board-page", NO_BOARD, &["report", "told.endstep"]);
    says(
        &page,
        "2 questions are open, because there was no board to look at.",
    );
}

#[test]
fn a_start_is_refused_for_what_keeps_boards_out() {
    let only = "no board within the explored sizes is both legal and one of those that `explore only` leaves";
    says(
        &printed("start-only", NO_BOARD, &["run", "told.endstep"]),
        only,
    );
    says(
        &printed("count-only", NO_BOARD, &["explore", "told.endstep"]),
        only,
    );
    let condition = "game \"g\"\nvar n: integer from 0 to 3\nsequence s\n  step a\n    set n to 1\nverify s where n > 5\n";
    says(
        &printed("start-where", condition, &["run", "told.endstep"]),
        "no board within the explored sizes is both legal and one of those that the `where` of its `verify` leaves",
    );
    let legal = "game \"g\"\nvar n: integer from 0 to 3\nlegal l: n > 5\nsequence s\n  step a\n    set n to 1\nverify s\n";
    says(
        &printed("start-legal", legal, &["run", "told.endstep"]),
        "no board within the explored sizes is legal",
    );
    let fuzz = printed(
        "fuzz-only",
        condition,
        &["fuzz", "told.endstep", "--runs", "10"],
    );
    says(&fuzz, "nothing: no board to start from was found");
}

const NEVER: &str = r#"game "Never"
var n: integer from 0 to 9, starts 0
document d "D"
  clause d.1 (rule) at "1"
    says "It is set"
    sequence s
      step a
        set n to 1
      step b
        set n to n
    claim nine: reachable n = 9 in s
"#;

#[test]
fn what_no_run_shows_is_said_to_be_shown_by_none() {
    let text = told(NEVER);
    says(&text, "refuted by no single run · declared");
    says(
        &text,
        "In short, the document says: It is set. This was taken to claim: In s it can happen that n is 9.",
    );
    let page = printed("never-page", NEVER, &["report", "told.endstep"]);
    says(&page, "*(refuted by no single run · declared");
    let checked = Checked::of(NEVER, &Options::default());
    let findings = checked.results.findings.iter();
    let mut prints = findings
        .filter(|one| one.witness.is_none() && one.code.id() == "F0610")
        .map(|one| fingerprint(&checked.program, one));
    let print = &prints.next().unwrap();
    let replayed = printed("never-replay", NEVER, &["replay", "told.endstep", print]);
    says(
        &replayed,
        "no single run shows this finding; there is nothing to replay",
    );
    never_says(&replayed, "about the text");
}

#[test]
fn findings_that_are_not_shown_are_not_said_to_be_none() {
    let only = ["report", "told.endstep", "--only", "F0702"];
    let page = printed("only-page", NEVER, &only);
    says(
        &page,
        "**This is about a part only:** `--only F0702`. Other findings are not shown.",
    );
    never_says(&page, "nothing was found here");
    never_says(&page, "Nothing is said about the rest");
    says(
        &page,
        "stands what a clause says as the specification has it, which need not be in the words of the document.",
    );
    says(
        &page,
        "Unless the file writes a board down, what is not shown of it is as all boards of the scopes have it: n = 0.",
    );
    says(
        &page,
        "1 claim, question or example: 0 as they should be, 1 not.",
    );
}

/// A choice that goes on until somebody stops it.
fn until(players: &str, choice: &str) -> String {
    format!(
        "game \"Until\"\n{players}var done: boolean, starts false\nsequence s\n  step a\n    repeat until done\n{choice}\
         verify s\n"
    )
}

const BY_CHANCE: &str = "      choose b: boolean by chance\n      set done to b\n";
const TOGETHER: &str = "      may by everyone together \"stop\"\n        set done to true\n";
const BY_NOBODY: &str = "      choose b: boolean by nobody in particular\n      set done to b\n";

#[test]
fn who_could_end_a_loop_is_said_of_those_who_play() {
    let chance = |players| told(&until(players, BY_CHANCE));
    says(
        &chance(""),
        "with luck it can be brought to an end, but nobody can make sure of it.",
    );
    says(
        &chance("player Player, explore 1\n"),
        "with luck it can be brought to an end, but player 1 cannot make sure of it.",
    );
    says(
        &chance("player Player, explore 2\n"),
        "but the players cannot make sure of it, not even together.",
    );
    let together = |players| told(&until(players, TOGETHER));
    says(
        &together(""),
        "but need not: what everyone together chooses can end it.",
    );
    says(
        &together("player Player, explore 2\n"),
        "from there the players can bring it to an end together, and none of them alone.",
    );
    let nobody = told(&until("", BY_NOBODY));
    says(
        &nobody,
        "F0502 what is left to nobody can keep it going for ever",
    );
    never_says(&nobody, "by an order left open");
}

#[test]
fn of_several_contracts_those_are_named_that_are_broken() {
    let text = told(
        r#"game "Contracts"
var score: integer from 0 to 3
var other: integer from 0 to 3
sequence gain
  contract
    changes score within 0 to 3
    ensures score = 1
  step g
    set score to 2
sequence keep
  contract
    changes other within 0 to 3
  step k
    set other to 1
sequence main
  step m
    perform gain
    perform keep
verify gain
verify keep
verify main with gain, keep by contract
claim c: must score = 1 after main
"#,
    );
    says(
        &text,
        "relies on the contracts of gain and keep; that of gain is broken: F0603",
    );
}

#[test]
fn a_circle_of_precedence_settles_nothing() {
    let text = r#"game "Circle"
var n: integer from 0 to 9, starts 0
document d "D"
  clause d.1 (rule) at "1"
    says "One."
    yields to d.2
  clause d.2 (rule) at "2"
    says "Two."
    yields to d.1
  reading r
    one "first" cites d.1
    two "second" cites d.2
  clause d.4 (rule) at "4"
    says "n is set."
    sequence s
      step a
        set n to per r (one: 1 | two: 2)
"#;
    says(&told(text), "F0402");
    never_says(&told(text), "F0403");
    let check = printed("circle", text, &["check", "told.endstep"]);
    says(&check, "warning[W0508]: `d.1` yields to itself");
    let settled = text.replace("    yields to d.1\n", "");
    says(&told(&settled), "F0403");
    never_says(
        &printed("no-circle", &settled, &["check", "told.endstep"]),
        "W0508",
    );
}

#[test]
fn no_two_entities_are_shown_with_one_name() {
    let text = told(
        r#"game "Names"
entity Card, explore 1, headroom 1
entity card, explore 1
entity Created, explore 1
zone row of Card
zone pit of card
zone den of Created
var n: integer from 0 to 9, starts 0
sequence s
  step one
    create Card in row
    set n to 1
verify s
claim never: must n = 0 after s
"#,
    );
    says(&text, "Card 1");
    says(&text, "card 1");
    says(&text, "created 1");
    says(&text, "new 1 is new and comes to row");
    never_says(&text, "created 1 is new");
}

#[test]
fn a_name_of_another_kind_is_not_said_to_be_undeclared() {
    let text = "game \"g\"\nvar n: integer from 0 to 3\nsequence s\n  step one\n    resolve s\nsequence t\n  step uno\n    \
                set n to 1\nclaim k: idempotent s.uno\n";
    let check = printed("other-kind", text, &["check", "told.endstep"]);
    says(&check, "nothing of this kind has this name here");
    never_says(&check, "nothing declares this");
}
