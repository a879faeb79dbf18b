//! What does not count for a verdict is said beside it, whatever else is shown.

use super::{never_says, printed, says};

/// Runs with `n = 0` end normally, those with `n = 1` declare a win, those with `n = 2` stop.
const DECLARED: &str = r#"game "Told"
var n: integer from 0 to 5, explore 0 to 2
var k: integer from 0 to 9, starts 0
legal small: n < 3
sequence s
  contract
    changes k
    ensures k < 3
  step a
    set k to n + 1
  step b
    if n = 1
      set n to 5
      set k to 9
      declare win for everyone
    if n = 2
      gap silent
verify s
claim again: idempotent s
claim low: must k < 9 after s where n = 0
"#;

fn checked(name: &str, text: &str, more: &[&str]) -> String {
    let arguments = [&["check", "told.endstep"], more].concat();
    printed(name, text, &arguments)
}

#[test]
fn what_is_asked_of_normal_ends_says_so() {
    let text = checked("uncounted-declared", DECLARED, &[]);
    let ends = "runs that declare a win, a loss or a draw do not count; runs that stop or never end do not count: F0301";
    says(&text, &format!("\"small\" still holds after s ({ends})"));
    says(
        &text,
        &format!("claim again: doing s once more at once changes nothing ({ends})"),
    );
    says(&text, &format!("s keeps its contract ({ends})"));
    let all_end = DECLARED.replace("explore 0 to 2", "explore 0 to 0");
    let text = checked("uncounted-none", &all_end, &[]);
    never_says(&text, "do not count");
}

#[test]
fn what_does_not_count_is_said_where_other_findings_are_not_shown() {
    let note = "after s, k is less than 9 (runs that stop or never end do not count: F0301)";
    says(&checked("uncounted-all", DECLARED, &[]), note);
    says(
        &checked("uncounted-only", DECLARED, &["--only", "F0703"]),
        note,
    );
}

/// On the board of the example nobody ever stops.
const ENDLESS: &str = r#"game "Told"
var n: integer from 0 to 9, explore 0 to 1
var k: integer from 0 to 1, starts 0
sequence s
  step a
    if n > 5
      repeat while n > 0
        set k to 1
verify s
example runs_on
  given
    n = 6
  perform s
  expect k = 0
example ends
  given
    n = 1
  perform s
  expect k = 0
"#;

#[test]
fn an_example_that_never_ends_is_not_said_to_come_out() {
    let text = checked("uncounted-example", ENDLESS, &[]);
    says(
        &text,
        "the example \"runs on\" (none of its runs ever ends)",
    );
    says(
        &text,
        "Nothing speaks against the example \"runs on\", but it could not have failed: none of its runs ever ends.",
    );
    never_says(&text, "the example \"ends\" (");
}

/// Two boards in the file show the same; the one that is written down last is the smaller one.
const TWO_BOARDS: &str = r#"game "Told"
player P, explore 1
entity Card from 0 to 3, explore 0 to 1
zone row of Card
var n: integer from 0 to 9, explore 0 to 1
var k: integer from 0 to 9, starts 0
sequence s
  step a
    set k to n
verify s
verify s where n = 7
claim low: must k < 4 after s
board large
  P p
  Card a, b, c in row
  n = 4
board small
  P p
  n = 4
"#;

#[test]
fn of_boards_in_the_file_the_smallest_is_shown() {
    let text = checked("uncounted-boards", TWO_BOARDS, &[]);
    says(
        &text,
        "found on: the board \"small\" that this file writes down",
    );
}

#[test]
fn a_scope_without_boards_is_not_all_that_was_explored() {
    let text = checked("uncounted-scope", TWO_BOARDS, &[]);
    says(
        &text,
        "At least one of the scopes of s has no board: none within its sizes is both legal and one of those to be tried.",
    );
    never_says(&text, "was explored from none");
}
