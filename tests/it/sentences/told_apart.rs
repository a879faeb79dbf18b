//! What is different is told so that it is seen: in which things that were created two ends differ, in which way a board
//! is legal, under which title findings stand.

use super::{never_says, printed, says, told};

/// Each card makes another one, with its health; they lie in the order in which they were made.
const MADE: &str = r#"game "Made"
entity Card, explore 2, headroom 2
  hp: integer from 0 to 3, explore 0 to 1
zone row of Card
zone bin of Card, starts empty
sequence turn
  basis text
  step q
    for each c in row, per r (x: left to right | y: right to left)
      create Card as k in bin with hp = c.hp
reading r
  x "left"
  y "right"
verify turn
"#;

#[test]
fn ends_that_differ_in_what_was_created_are_not_told_by_the_same_names() {
    let alike = "created 1, created 2 created 1, created 2";
    let text = told(MADE);
    says(
        &text,
        "(a) Left. Then it ends like this: hp of created 1 is 0, hp of created 2 is 1. (b) Right. Then it ends like \
         this: hp of created 1 is 1, hp of created 2 is 0.",
    );
    says(
        &text,
        "Where they end differently r = x r = y hp of created 1 0 1 hp of created 2 1 0 at:",
    );
    never_says(&text, alike);
    let ends = ["ends", "told.endstep", "--board", "2"];
    let text = printed("told-apart-ends", MADE, &ends);
    says(&text, "at the end 1 2 hp of created 1 0 1");
    never_says(&text, alike);
}

/// Two cards are made, of which one lies over the other, or the other way round; the names of a run cannot tell.
#[test]
fn what_has_another_name_in_the_other_run_is_told_by_both() {
    let text = r#"game "Both"
entity Card, explore 1, headroom 3
  hp: integer from 0 to 3, explore 0 to 1
  a: integer from 0 to 3, default 0
  b: integer from 0 to 3, default 0
  c: integer from 0 to 3, default 0
zone row of Card
zone bin of Card, starts empty
reading r
  x "left"
  y "right"
sequence turn
  basis text
  step q
    if r is x
      create Card as one in bin with a = 1, b = 1, c = 1
      create Card as two in bin with a = 2, b = 2, c = 2
    otherwise
      create Card as one in bin with a = 2, b = 2, c = 2
      create Card as two in bin with a = 1, b = 1, c = 1
      move top of row to bin
verify turn
"#;
    let text = told(text);
    says(
        &text,
        "(a) Left. Then it ends like this: row holds card 1, bin holds created 1 / created 2, created 2 / created 1. (b) \
         Right. Then it ends like this: row is empty, bin holds created 2 / created 1, created 1 / created 2, card 1.",
    );
}

/// Under one way to read it the board that the file writes down is legal.
const AS_READ: &str = r#"game "As read"
player Player, explore 1
var n: integer from 0 to 5, explore 0 to 2
reading r
  one "one"
  two "two"
legal small: n < 4 or r is one
board w
  Player ann
  n = 4
sequence s
  basis text
  step a
    if n < 5
      increase n by 1
claim c: must n <= 5 after s on w
claim d: must n <= 5 after s
example e
  on w
  perform s
  expect n = 5
"#;

#[test]
fn a_board_that_is_not_legal_as_it_was_read_may_be_otherwise() {
    let arguments = ["check", "told.endstep", "--all", "--reading"];
    let two = [&arguments[..], &["r=two"]].concat();
    let text = printed("told-apart-legal", AS_READ, &two);
    says(
        &text,
        "after s, n is at most 5: the board is not legal under the readings that were tried, so that there is no board to \
         look at",
    );
    says(
        &text,
        "its board is not legal under the readings that were tried: \"small\" does not hold on it",
    );
    never_says(&text, "is not legal, so that");
    never_says(&text, "is not legal: ");
    let never = AS_READ.replace(" or r is one", "");
    let text = told(&never);
    says(
        &text,
        "the board is not legal, so that there is no board to look at",
    );
    says(
        &text,
        "its board is not legal: \"small\" does not hold on it",
    );
}

/// What is asked of a board that the file writes down was tried on it.
#[test]
fn a_row_of_a_board_that_is_written_down_is_not_said_to_leave_it_out() {
    let one = ["check", "told.endstep", "--all", "--reading", "r=one"];
    let text = printed("told-apart-row", AS_READ, &one);
    says(
        &text,
        "s with 1 Player (n 0 to 2): 3 legal boards, 3 states, 21 steps; a part only: r = one; claims on none of the boards \
         that the file writes down but those that they name",
    );
    says(
        &text,
        "s from the board \"w\": 1 legal board, 1 state, 7 steps; a part only: r = one the example",
    );
}

/// There is a title for what was never put to the test, and one for what hardly was.
#[test]
fn a_summary_has_the_titles_that_findings_have() {
    let contract = r#"game "Titles"
var n: integer from 0 to 9, starts 0
sequence pay
  basis text
  contract
    changes n within 0 to 2
  step a
    nothing
verify pay
"#;
    let report = ["report", "told.endstep"];
    let hardly = "| It holds, and was hardly put to the test (F0613) | 1 | [pay](";
    let text = printed("told-apart-title", contract, &report);
    says(&text, hardly);
    never_says(&text, "was never put to the test");
    let both = format!("{contract}claim o: order irrelevant in pay\n");
    let text = printed("told-apart-titles", &both, &report);
    says(&text, hardly);
    says(
        &text,
        "| It holds, and was never put to the test (F0613) | 1 | [o](",
    );
}

/// On each board there is a loop, under one way to read it and not under the other.
#[test]
fn a_loop_under_every_reading_need_not_be_one_of_the_board_that_is_shown() {
    let text = |repeat: &str| {
        format!(
            "game \"Loops\"\nplayer Player, explore 1\nvar n: integer from 0 to 1\nreading r\n  one \"one\"\n  two \
             \"two\"\nsequence s\n  basis text\n  step a\n    repeat while {repeat}\n      nothing\nverify s\n"
        )
    };
    let here =
        "There is a loop there under every reading of the text, though it need not be this one.";
    let somewhere = "Under every reading of the text some board has a loop there.";
    let apart = told(&text("(if r is one then n = 0 else n = 1)"));
    says(&apart, somewhere);
    never_says(&apart, here);
    let both = told(&text("n = 0 and (r is one or r is two)"));
    says(&both, here);
    never_says(&both, somewhere);
    // Of other readings nothing was asked.
    let asked = text("n = 0 and r is one") + "claim t: terminates s where r is one\n";
    let asked = told(&asked);
    says(&asked, "every run of s ends");
    never_says(&asked, here);
    never_says(&asked, somewhere);
}

#[test]
fn a_value_is_not_said_to_come_to_more_than_the_document_allows() {
    let text = r#"game "Most"
var n: integer from 0 to 2, explore 0 to 2
var score: integer, explore 0 to 0
var odd: boolean, starts false
sequence s
  basis text
  step a
    repeat until odd
      increase score by 1
question l: largest n in s
question m: largest n + 1 in s
"#;
    let text = told(text);
    says(
        &text,
        "n comes to 2 during s, and the document allows no more; not all runs were followed to their end; runs from",
    );
    says(&text, "comes to 3 during s, and may come to more: not all");
}

/// On the boards that are explored nothing stops; on one that the file writes down something does.
#[test]
fn runs_that_stop_on_a_board_in_the_file_are_told_beside_what_is_asked_about_ends() {
    let text = r#"game "Rich"
player Player, explore 1
  gold: integer from 0 to 3, explore 0 to 1
var n: integer from 0 to 6, starts 0
board rich
  Player ann with gold = 3
sequence play
  basis text
  step pay
    for each p: Player
      choose number k from 0 to p.gold by p
      increase n by 2 * k
    if n = 6
      gap six
question most: largest n after play
claim small: must n <= 4 after play
"#;
    let stops = "runs that stop or never end, from boards that the file writes down, do not count";
    let check = ["check", "told.endstep"];
    let stopping = printed("told-apart-stops", text, &check);
    says(
        &stopping,
        &format!("on the board \"rich\" that the file writes down; {stops})"),
    );
    says(&stopping, &format!("after play, n is at most 4 ({stops})"));
    let never = printed(
        "told-apart-never",
        &text.replace("if n = 6", "if n = 5"),
        &check,
    );
    says(&never, "n is 6 at most after play");
    never_says(&never, stops);
}
