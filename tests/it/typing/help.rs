//! What helps with mistakes that are easily made.

use super::{checked, shown};

const HEAD: &str = "game \"help\"
player Player, explore 2
entity Card, explore 0 to 2
zone hand of Card per Player
var bank: integer from 0 to 3
event hurt(by: integer), at once
sequence s
  step a
    basis text
    announce hurt(1)
    for each p: Player
      set bank to size of hand(p)
";

fn says(lines: &str, help: &str) {
    let text = format!("{HEAD}{lines}\n");
    let (program, found) = checked(&text);
    assert!(program.is_none(), "{lines}");
    let shown = shown("help", &text, &found);
    assert!(shown.contains(help), "{shown}");
    assert_eq!(shown.matches("error[").count(), 1, "{shown}");
}

#[test]
fn old_goes_before_the_value_and_not_before_the_zone() {
    let help = "help: put `old` before the value: `old (size of z)`, `old (z is empty)`";
    says(
        "question k: must every p: Player has size of old hand(p) >= 0 after s",
        help,
    );
    says(
        "question k: must every p: Player has (old hand(p)) is empty after s",
        help,
    );
    says("question k: must size of old hand >= 0 after s", help);
}

#[test]
fn a_listener_cannot_ask_for_the_payload() {
    let help = "what is announced is known behind `on …` only; write `on …(by) where …`";
    let body = "  basis text\n  set bank to 0";
    says(
        &format!("trigger t for each c: Card where by > 0, on hurt(by)\n{body}"),
        help,
    );
    let (program, _) = checked(&format!(
        "{HEAD}trigger t for each c: Card, on hurt(by) where by > 0\n{body}\n"
    ));
    assert!(program.is_some());
}

#[test]
fn old_of_a_bound_name_is_not_what_is_meant() {
    let warned = |lines: &str, help: &str| {
        let text = format!("{HEAD}{lines}\n");
        let (program, found) = checked(&text);
        assert!(program.is_some(), "{lines}");
        let shown = shown("help", &text, &found);
        assert!(shown.contains("warning[W0506]"), "{shown}");
        assert!(shown.contains(help), "{shown}");
    };
    let some = |test: &str| format!("question k: must some c: Card has {test} after s");
    warned(
        &some("some p: Player has old c is in hand(p)"),
        "help: `old (c is in hand(p))` asks for the past",
    );
    warned(
        &some("old c is not removed"),
        "help: `old (c is not removed)` asks for the past",
    );
    warned(
        &some("c = old c"),
        "help: leave out `old`, or put what is asked of the past after it",
    );
    let (_, found) = checked(&format!("{HEAD}{}\n", some("old (c is removed)")));
    assert!(
        found.iter().all(|one| one.code.id() != "W0506"),
        "{found:?}"
    );
}

#[test]
fn what_is_proposed_is_no_error_in_its_turn() {
    says(
        "    set bank to none",
        "help: only what is of a sort can be `optional`",
    );
    says(
        "    if bank is none\n      nothing",
        "help: leave out the test: only what is of a sort",
    );
    says(
        "    set bank to max(1)",
        "found 1 argument, expected 2 or more",
    );
    says("    set bank to hand", "or `move all of hand …`");
    let text = "game \"one\"\ngame \"two\"\n";
    let (_, found) = checked(text);
    let shown = shown("help", text, &found);
    assert!(
        shown.contains("found a second game, `two`, expected one"),
        "{shown}"
    );
    assert!(shown.contains("help: leave out one of them"), "{shown}");
}

#[test]
fn a_name_of_another_kind_is_not_proposed() {
    let text = format!("{HEAD}queue later, first in first out\nrole king: Player\n");
    let resolve = |name: &str| {
        let text = format!("{text}sequence t\n  step a\n    resolve {name}\n");
        let (_, found) = checked(&text);
        shown("help", &text, &found)
    };
    assert!(
        !resolve("ping").contains("did you mean"),
        "{}",
        resolve("ping")
    );
    assert!(resolve("latter").contains("did you mean `later`?"));
}

#[test]
fn an_outcome_that_is_expected_wrongly_is_shown_where_it_stands() {
    let text = format!(
        "{HEAD}example e\n  given\n    Player ann\n    bank = 0\n  perform s\n  expect outcome win\n"
    );
    let (_, found) = checked(&text);
    let shown = shown("help", &text, &found);
    assert!(shown.contains("|   expect outcome win\n"), "{shown}");
}
