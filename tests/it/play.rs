//! A run played choice by choice, with answers from a pipe.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// What `run --interactive` prints when these lines are typed.
fn played(arguments: &[&str], answers: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/run.in");
    let mut child = crate::endstep()
        .args(["run", "--interactive"])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(answers.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

/// The lines in which something happened or ended.
fn events(shown: &str) -> Vec<&str> {
    let told = |line: &&str| line.contains("health of") || line.starts_with("=>");
    shown.lines().filter(told).map(str::trim).collect()
}

#[test]
fn a_choice_can_be_taken_back_and_made_otherwise() {
    let shown = played(&["order.endstep", "--board", "7"], "1\nu\n2\nq\n");
    let end = "=> it ends normally";
    let expected = [
        "health of fighter 2: from 1 to 0",
        end,
        "health of fighter 1: from 1 to 0",
        end,
    ];
    assert_eq!(events(&shown), expected, "{shown}");
    assert_eq!(shown.matches("order, nobody decides: the step").count(), 2);
}

#[test]
fn answers_that_make_no_sense_are_asked_for_again() {
    let shown = played(&["order.endstep", "--board", "7"], "0\n9\nx\n\nu\n1\n");
    assert_eq!(events(&shown).len(), 2, "{shown}");
    assert!(shown.contains("there is nothing to take back"), "{shown}");
}

#[test]
fn readings_are_asked_for_and_a_circle_is_noticed() {
    let arguments = ["chess_clock.endstep", "passing", "--board", "one_coin"];
    // Ann passes the coin on, Bob passes it back, Ann stops.
    let shown = played(&arguments, "1\n1\n1\n2\n1\n1\n2\n");
    assert!(shown.contains("the reading \"who may\""), "{shown}");
    assert!(
        shown.contains("the same position as after 0 choices is back"),
        "{shown}"
    );
    assert!(shown.contains("=> it ends normally"), "{shown}");
}

#[test]
fn how_a_sentence_was_read_can_be_taken_back() {
    let arguments = ["chess_clock.endstep", "passing", "--board", "one_coin"];
    let shown = played(&arguments, "1\nu\n2\nq\n");
    assert_eq!(
        shown.matches("the reading \"who may\"").count(),
        2,
        "{shown}"
    );
    assert!(!shown.contains("nothing to take back"), "{shown}");
}

#[test]
fn a_reading_that_was_chosen_is_not_asked_for() {
    let arguments = [
        "chess_clock.endstep",
        "--board",
        "one_coin",
        "--reading",
        "who_may=the_rich",
    ];
    let shown = played(&arguments, "2\n");
    assert!(!shown.contains("the reading \"who may\""), "{shown}");
    // Bob has no coin and can only stop.
    assert!(shown.contains("=> it ends normally"), "{shown}");
}
