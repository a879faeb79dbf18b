//! What two commands, or a command and the documentation, have to say alike.

use super::super::folder::empty;
use super::super::usage::endstep;
use super::{never_says, printed, says};
use std::fs;

/// Two choices in one block, of which the first leads to blocks that are over at once.
const IN_ONE_BLOCK: &str = "game \"g\"\nplayer Player, explore 1\nrole who: Player\nsequence s\n  basis invented \"t\"\n  \
                            step a\n    may by who\n      nothing\n    may by who\n      nothing\nverify s\n";

#[test]
fn a_block_that_is_over_tells_no_states_apart() {
    let explored = printed("explored", IN_ONE_BLOCK, &["explore", "told.endstep"]);
    says(&explored, "distinct states 4 ");
    for engine in ["fast", "naive"] {
        let checked = ["check", "told.endstep", "--engine", engine];
        says(
            &printed("checked", IN_ONE_BLOCK, &checked),
            "2 legal boards, 4 states,",
        );
    }
}

#[test]
fn states_are_those_of_the_combinations_of_readings_that_are_told() {
    let text = "game \"g\"\nvar k: integer from 0 to 9, starts 0\nreading r\n  one \"one\"\n  two \"two\"\nsequence s\n  basis invented \
                \"t\"\n  step a\n    set k to 1\nsequence t\n  basis invented \"t\"\n  step a\n    set k to per r (one: 1 | two: 2)\nclaim \
                c: equivalent s, t\n";
    for engine in ["fast", "naive"] {
        let told = printed(
            "several",
            text,
            &["check", "told.endstep", "--engine", engine],
        );
        says(&told, "s: 1 legal board, 2 states,");
    }
}

#[test]
fn who_listens_in_player_order_looks_at_no_zone_of_others() {
    let text = "game \"g\"\nplayer Player, explore 2\n  gold: integer from 0 to 3, explore 0 to 1\nentity Card, explore up to 2\nzone hand of \
                Card per Player\nzone pile of Card, starts empty\nvar active: Player\nvar k: integer from 0 to 9, starts 0\nevent tick, at \
                once, listeners in player order from active\ntrigger t for each p: Player, on tick\n  basis invented \"t\"\n  set k to \
                p.gold\nsequence round, steps in any order\n  basis invented \"t\"\n  step mv\n    for each c: Card in hand(active)\n      \
                move c to pile\n  step finish\n    announce tick\n";
    let told = printed("listeners", text, &["order", "told.endstep", "--no-check"]);
    says(&told, "mv & finish: disjoint");
}

#[test]
fn where_boards_are_given_up_every_reading_is_said_of_those_that_show_it_under_each() {
    let text = "game \"g\"\nplayer Player, explore 1\nvar active: Player\nvar k: integer from 0 to 1\nvar u: integer, starts 0\nreading \
                r\n  x \"x\"\n  y \"y\"\nsequence s\n  basis invented \"t\"\n  step go\n    if k = 0\n      may by active \"far\"\n        \
                increase u by 100\n    if r is x or k = 0\n      gap g\n";
    let told = printed("given-up", text, &["check", "told.endstep"]);
    says(
        &told,
        "every legal board that was tried (2), under some reading, on at least 1 of them under every reading",
    );
}

#[test]
fn as_many_states_as_are_allowed_are_looked_at() {
    let text = "game \"g\"\nplayer Player, explore 1\ntype T is one of a, b, c\nsequence s\n  basis invented \"t\"\n  step a\n    \
                choose v: T by chance\n    choose w: T by chance\nverify s\n";
    for engine in ["fast", "naive"] {
        let told = |states: &str| {
            let folder = empty(&format!("limit-{engine}-{states}"));
            fs::write(folder.join("told.endstep"), text).unwrap();
            let limits = format!("[limits]\nstates = {states}\n");
            fs::write(folder.join("endstep.toml"), limits).unwrap();
            let checked = ["check", "told.endstep", "--engine", engine];
            let output = endstep(&checked, &folder);
            String::from_utf8(output.stdout).unwrap()
        };
        says(&told("5"), "1 legal board, 5 states,");
        never_says(&told("5"), "more than");
        says(&told("4"), "more than 4 states");
    }
}

#[test]
fn a_step_under_over_each_may_miss_a_second_look() {
    let text = "game \"g\"\nentity Lane, explore 1 to 2\n  n: integer from 0 to 1\nsequence s, over each l: Lane, left to right, nest \
                steps\n  basis invented \"t\"\n  step a\n    set l.n to 0\n  step b\n    set l.n to 1\n";
    for engine in ["fast", "naive"] {
        let told = printed("over", text, &["check", "told.endstep", "--engine", engine]);
        says(&told, "F0702 what a step did can be undone later");
        says(
            &told,
            "What the step \"a\" does can be undone later: when s is over, doing the same again for each place can change something",
        );
    }
}

#[test]
fn of_what_stands_under_something_else_it_is_not_said_that_nothing_waited() {
    let text = "game \"g\"\nentity Card, explore 1\n  hp: integer from 0 to 1\nzone row of Card\nzone out of Card, starts empty\nvar \
                alarm: boolean, starts false\nsequence sweep\n  basis invented \"t\"\n  restart when alarm\n    cancel at \
                once\n    unfinished lost\n    before restarting\n      set alarm to false\n      leave sweep\n  step hit\n    for \
                each c: Card in row where c.hp > 0, left to right\n      decrease c.hp by 1\n      set alarm to true\n  step \
                clear\n    if row is not empty\n      for each c: Card in row where c.hp = 0\n        move c to out\n  step \
                tidy\n    for each c: Card in row where c.hp = 0, left to right\n      move c to out\n";
    let told = printed("waited", text, &["check", "told.endstep"]);
    says(&told, "for the step \"tidy\"");
    says(
        &told,
        "The step \"clear\" was still to be done; another pass, if one comes to it, does it like any other.",
    );
}

#[test]
fn under_over_each_a_step_has_begun_for_some_places() {
    let text = "game \"g\"\nentity Lane, explore 2\nentity Card, explore 2\nzone row of Card\nvar alarm: boolean, starts \
                false\nvar n: integer from 0 to 1, starts 0\nsequence s, over each l: Lane, left to right, nest steps\n  basis \
                invented \"t\"\n  restart when alarm\n    cancel at once\n    unfinished lost\n    before \
                restarting\n      set alarm to false\n  step a\n    for each c: Card in row where n = 0, left to right\n      set \
                alarm to true\n      set n to 1\nverify s\n";
    let told = printed("places", text, &["check", "told.endstep"]);
    says(
        &told,
        "The step \"a\" had not yet been done for every place; another pass",
    );
}

#[test]
fn what_only_a_contract_lets_change_is_not_called_written() {
    let text = "game \"g\"\nvar i: integer from 0 to 1\nsequence s\n  basis invented \"t\"\n  contract\n    changes i\n  step a\n    \
                nothing\n";
    let told = printed("contract", text, &["check", "told.endstep"]);
    says(&told, "`i` may be changed, and is never read");
}

#[test]
fn the_command_that_replays_reads_what_was_read() {
    let folder = empty("outside");
    fs::create_dir(folder.join("rules")).unwrap();
    let included = "sequence s\n  basis invented \"t\"\n  step a\n    set n to 1\nclaim c: must n = 0 after s\n";
    fs::write(folder.join("common.endstep"), included).unwrap();
    let text = "game \"g\"\ninclude \"../common.endstep\"\nvar n: integer from 0 to 1\n";
    fs::write(folder.join("rules/told.endstep"), text).unwrap();
    let told = endstep(
        &["check", "rules/told.endstep", "--include-root", "."],
        &folder,
    );
    let told = String::from_utf8(told.stdout).unwrap();
    let line = told
        .lines()
        .find_map(|line| line.trim().strip_prefix("replay: endstep "));
    let words: Vec<&str> = line.unwrap().split(' ').collect();
    let again = endstep(&words, &folder);
    assert_eq!(again.status.code(), Some(0), "{words:?}");
    says(&String::from_utf8(again.stdout).unwrap(), "replayed");
}

#[test]
fn no_command_replays_what_came_from_standard_input() {
    let text = "game \"g\"\nvar n: integer from 0 to 1\nsequence s\n  basis invented \"t\"\n  step a\n    set n to 1\nclaim c: must n = 0 after s\n";
    let folder = empty("from-input");
    fs::write(folder.join("told.endstep"), text).unwrap();
    let from = fs::File::open(folder.join("told.endstep")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_endstep"));
    let output = command.args(["check", "-"]).stdin(from).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    says(&told, "F0610");
    never_says(&told, "replay:");
}

#[test]
fn the_boards_of_every_verify_have_a_number() {
    let text = "game \"g\"\nvar n: integer from 0 to 3\nsequence s\n  basis invented \"t\"\n  step a\n    nothing\nverify s where n \
                < 2\nverify s where n = 3\n";
    let told = |board: &str| printed("numbered", text, &["run", "told.endstep", "--board", board]);
    says(&told("2"), "n = 1");
    says(&told("3"), "n = 3");
    says(&told("4"), "expected a number from 1 to 3");
}

#[test]
fn only_names_events_and_triggers_too() {
    let text = "game \"g\"\nvar n: integer from 0 to 2, starts 0\nevent bell, at once\ntrigger rings on bell\n  basis invented \
                \"t\"\n  choose number k from 1 to 0 by chance\ntrigger unrings on bell\n  basis invented \"t\"\n  set n to \
                2\nsequence s\n  basis invented \"t\"\n  step a\n    announce bell\nverify s\n";
    for word in ["bell", "event bell", "rings"] {
        let told = printed("named", text, &["check", "told.endstep", "--only", word]);
        never_says(&told, "no findings");
        never_says(&told, "expected the code");
    }
}

#[test]
fn a_line_break_in_a_text_is_printed_as_a_blank() {
    let text = "game \"g\\n\\nno findings\"\nvar n: integer from 0 to 2, starts 0\nsequence s\n  basis invented \"t\"\n  step a\n    \
                choose one by nobody in particular\n      option \"one\\n    => it stops\"\n        set n to 1\n      option \
                \"two\"\n        set n to 2\nverify s\n";
    let folder = empty("broken");
    fs::write(folder.join("told.endstep"), text).unwrap();
    let told = endstep(&["check", "told.endstep"], &folder).stdout;
    let told = String::from_utf8(told).unwrap();
    assert!(
        told.starts_with("g  no findings (told.endstep)\n"),
        "{told}"
    );
    assert!(told.contains("With one     => it stops chosen\n"), "{told}");
}

#[test]
fn what_is_included_is_declared_where_it_is_included() {
    let step = "sequence s\n  basis invented \"t\"\n  step a\n    simultaneously\n      increase b by 20\n      increase a by 20\nverify s\n";
    let folder = empty("include-order");
    let text = format!(
        "game \"g\"\nvar a: integer from 0 to 1\ninclude \"other.endstep\"\nvar c: integer from 0 to 1\n{step}"
    );
    fs::write(folder.join("told.endstep"), text).unwrap();
    fs::write(folder.join("other.endstep"), "var b: integer from 0 to 1\n").unwrap();
    for engine in ["fast", "naive"] {
        let output = endstep(&["check", "told.endstep", "--engine", engine], &folder);
        let told = String::from_utf8(output.stdout).unwrap();
        says(&told, "F0304");
        says(&told, "A would become");
    }
}

const FAILS: &str = "game \"g\"\nvar k: integer from 0 to 9, explore 0 to 1\nreading r\n  one \"one\"\n  two \"two\"\nsequence \
                     main\n  basis invented \"t\"\n  step x\n    set k to 1\nsequence other(q: integer)\n  basis invented \
                     \"t\"\n  step y\n    set k to per r (one: 2 | two: 2 * q)\nexample e\n  given\n    k = 0\n  reading r is \
                     two\n  perform other(2)\n  expect k = 3\nverify main\n";

#[test]
fn a_reading_of_which_an_example_makes_use_is_not_called_unused() {
    let told = printed("used", FAILS, &["check", "told.endstep"]);
    never_says(&told, "F0703");
    let without = FAILS.replace("set k to per r (one: 2 | two: 2 * q)", "set k to 2 * q");
    let told = printed("unused", &without, &["check", "told.endstep"]);
    says(&told, "F0703");
}

#[test]
fn a_saved_witness_of_an_example_is_held_against_the_example() {
    let folder = empty("example-replayed");
    let write = |text: &str| fs::write(folder.join("told.endstep"), text).unwrap();
    write(FAILS);
    endstep(&["check", "told.endstep", "--save-witnesses", "w"], &folder);
    let saved = fs::read_dir(folder.join("w")).unwrap();
    let saved = saved.map(|one| one.unwrap().path());
    let saved = saved.map(|path| path.display().to_string());
    let saved = saved.filter(|path| path.contains("F0612")).last().unwrap();
    let told = || {
        let output = endstep(&["replay", &saved, "told.endstep"], &folder);
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    assert_eq!(told().0, Some(0));
    for (from, to, why) in [
        ("k = 0\n", "k = 1\n", "now has another board"),
        ("other(2)", "other(3)", "performs something else"),
        (
            "other(2)\n  expect k = 3",
            "other(3)\n  expect k = 6",
            "no longer finds this",
        ),
        ("expect k = 3", "expect k = 4", "not replayed"),
    ] {
        write(&FAILS.replace(from, to));
        let (code, said) = told();
        assert_eq!(code, Some(1), "{to}: {said}");
        says(&said, why);
    }
}

#[test]
fn what_is_not_shown_keeps_no_board_from_being_suggested() {
    let text = "game \"g\"\nplayer Player, explore 1\nvar z: integer from 0 to 2, starts 0\nvar act: Player\nsequence s\n  basis \
                invented \"t\"\n  step st1\n    for each p: Player where p != act or z = 1, in an order chosen by act, live\n      \
                set z to if z = 0 then 1 else 0\n  step two\n    gap g and go on\nclaim oi: order irrelevant in s\nverify s\n";
    let all = printed("suggested", text, &["check", "told.endstep"]);
    says(&all, "also tried: 2 boards suggested by the prover");
    let told = printed(
        "suggested-only",
        text,
        &["check", "told.endstep", "--only", "F0201"],
    );
    says(&told, "F0201");
    never_says(&told, "F0301");
    says(&told, "also tried: 2 boards suggested by the prover");
}

#[test]
fn notes_of_a_scope_yield_to_what_a_suggested_board_shows() {
    let steps = ("F0204", "F0201", YIELDS_STEPS);
    let readings = ("F0404", "F0401", YIELDS_READINGS);
    for (note, finding, text) in [steps, readings] {
        let told = printed("yielding", text, &["check", "told.endstep"]);
        says(&told, &format!("{finding} "));
        never_says(&told, &format!("{note} "));
        let told = printed("yielding", text, &["check", "told.endstep", "--only", note]);
        says(&told, "no findings");
    }
}

const YIELDS_STEPS: &str = "game \"f4\"\nplayer Player, explore 1\nentity Card, explore 0\nzone row of Card\nvar x: integer from 0 to 2, starts 0\nvar w: integer from 0 to 9, starts 0\nsequence list, steps in any order\n  step a\n    set x to 1\n  step b\n    set x to 2\nsequence other, steps in any order\n  step c\n    increase w by size of row\n  step d\n    set w to 2 * w\nsequence main\n  step one\n    perform list\n    perform other\n  step two\n    if row is empty\n      gap g\nverify main\n";

const YIELDS_READINGS: &str = "game \"f5\"\nplayer Player, explore 2\nentity Card, explore 0\nzone row of Card\nvar x: integer from 0 to 2, starts 0\nvar w: integer from 0 to 9, starts 0\nvar ann: Player\nreading r\n  one \"one\"\n  two \"two\"\nsequence other, steps in any order\n  step c\n    increase w by size of row\n  step d\n    set w to 2 * w\nsequence main\n  step one\n    choose number n from 0 to 1 by per r (one: ann | two: next after ann)\n    set x to n\n    if row is not empty\n      set x to per r (one: 1 | two: 2)\n    set w to 0\n    perform other\n    set w to 0\nverify main\n";

#[test]
fn a_board_of_any_verify_is_counted() {
    let text = "game \"g\"\nvar x: integer from 0 to 9, explore 0 to 1\nsequence s\n  basis invented \"t\"\n  step a\n    increase x by \
                1\nverify s where x = 0\nverify s where x = 1\n";
    for board in ["1", "2"] {
        let explored = ["explore", "told.endstep", "--board", board];
        says(&printed("numbered", text, &explored), "distinct states 1 ");
    }
}

#[test]
fn a_long_list_is_broken_off_whatever_is_counted() {
    let mut text = "game \"g\"\nvar x: integer from 0 to 9, starts 0\nsequence s\n  basis invented \"t\"\n  step a\n".to_owned();
    for n in 0..9000 {
        text.push_str(&format!("    set x to {}\n", n % 10));
    }
    text.push_str("verify s\n");
    for more in [&[][..], &["--no-points"]] {
        let arguments: Vec<&str> = ["explore", "told.endstep"]
            .iter()
            .chain(more)
            .copied()
            .collect();
        says(&printed("long", &text, &arguments), "distinct states 3 ");
    }
    says(
        &printed("long", &text, &["check", "told.endstep"]),
        "3 states,",
    );
}

#[test]
fn values_that_are_all_that_are_explored_are_no_part() {
    let text = "game \"g\"\nentity Card, explore up to 1\n  hp: integer from 0 to 9, explore 0 to 2\nsequence s\n  basis invented \
                \"t\"\n  step a\n    for each c: Card\n      set c.hp to 1\nverify s\n";
    let scoped = |values| {
        printed(
            "values",
            text,
            &["check", "told.endstep", "--scope", values],
        )
    };
    never_says(&scoped("Card.hp=0,1,2"), "a part only");
    says(&scoped("Card.hp=0,1"), "a part only: Card.hp = 0 or 1");
}

#[test]
fn a_contract_with_bounds_is_tried_within_them() {
    let text = "game \"g\"\nvar x: integer from 0 to 2, explore 0 to 0\nsequence pay\n  contract\n    changes x within 0 to 1\n  basis \
                invented \"t\"\n  step a\n    set x to 1\nsequence s\n  basis invented \"t\"\n  step go\n    perform pay\nquestion q: \
                largest x in s\nverify s with pay by contract\nverify pay\n";
    let told = printed("bounds", text, &["check", "told.endstep", "--all"]);
    says(&told, "x is 1 at most");
    never_says(&told, "only explored values");
    says(&told, "within the bounds of its contract");
}

#[test]
fn more_boards_change_no_witness() {
    let text = |most: u32| {
        format!(
            "game \"g\"\nvar x: integer from 0 to 1\nvar y: integer from 0 to {most}\nvar b: boolean, starts false\nsequence s\n  basis \
             invented \"t\"\n  step a\n    if x = 0\n      set b to true\nverify s\nclaim c: invariant b at every step of s\n"
        )
    };
    // What is found on the first eight boards is known when later ones are looked at.
    for most in [0, 2, 3, 9] {
        let told = printed("witness", &text(most), &["check", "told.endstep"]);
        says(&told, "No run from this board satisfies it");
        never_says(&told, "F0405");
    }
}
