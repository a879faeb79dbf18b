//! What `mutate`, `diff`, `coverage` and lists of expected findings once said, and was not so.

use std::fs;

use super::{never_says, printed, says};
use crate::folder::empty;
use crate::usage::endstep;

/// What `diff` prints about two versions, as words with one space between them.
fn compared(name: &str, versions: [&str; 2]) -> String {
    let folder = empty(name);
    for (file, text) in ["old.endstep", "new.endstep"].iter().zip(versions) {
        fs::write(folder.join(file), text).unwrap();
    }
    let output = endstep(&["diff", "old.endstep", "new.endstep"], &folder);
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_mutant_is_not_killed_by_what_is_only_unknown_or_untested_of_it() {
    let text = "game \"g\"\nvar x: integer, explore 0 to 1, reach 0 to 5\nsequence round\n  basis invented \"a test\"\n  \
                step up\n    increase x by 1\n";
    let told = printed(
        "mutate-unknown",
        text,
        &["mutate", "told.endstep", "--only", "6:sign"],
    );
    never_says(&told, "-> unknown");
    let text = "game \"g\"\nentity Fighter, explore up to 2\n  health: integer from 0 to 3, explore 0 to 1\nzone arena \
                of Fighter\nvar seen: integer from 0 to 3, starts 0\nsequence round\n  basis invented \"a test\"\n  \
                step blows\n    for each f: Fighter in arena where f.health > 1, in any order\n      set seen to \
                f.health\nclaim any_order: order irrelevant in round.blows\n";
    let told = printed(
        "mutate-untested",
        text,
        &["mutate", "told.endstep", "--all"],
    );
    never_says(&told, "no longer so: F0613");
    never_says(&told, "new: F0613");
}

#[test]
fn a_clause_is_not_made_formal_by_one_that_is_not() {
    let text = "game \"g\"\nclause d.1 (rule) at \"1\"\n  says \"The player with most cards wins.\"\n  cites d.1\nclause \
                d.2 (rule) at \"2\"\n  says \"And so on.\"\n  cites d.1\nclause d.3 (rule) at \"3\"\n  says \"A rule.\"\n";
    let told = printed("cites-itself", text, &["check", "told.endstep"]);
    says(&told, "F0101");
    says(&told, "3 missing");
    let step = "  cites d.3\nsequence s\n  step a\n    cites d.2\n    nothing\n";
    let told = printed(
        "cites-a-step",
        &format!("{text}{step}"),
        &["coverage", "told.endstep"],
    );
    says(&told, "formalised d.1");
    says(&told, "formalised d.2");
}

#[test]
fn alternatives_in_another_order_are_no_other_ways() {
    let [one, two, again] = [
        "  one \"one more\"\n",
        "  two \"two more\"\n",
        "  again \"one again\"\n",
    ];
    let text = |ways: [&str; 3]| {
        let ways = ways.concat();
        format!(
            "game \"g\"\nvar n: integer from 0 to 9, starts 0\nreading amount\n{ways}sequence s\n  basis invented \
             \"t\"\n  step add\n    increase n by per amount (one: 1 | two: 2 | again: 1)\n"
        )
    };
    let told = compared("ways", [&text([one, two, again]), &text([again, one, two])]);
    says(&told, "verdicts: 0 changed");
}

#[test]
fn another_capacity_of_a_queue_is_another_bound() {
    let text = |most: u32| {
        format!(
            "game \"g\"\nqueue q, first in first out, explore up to {most}\nevent ev, in q\nsequence play\n  basis \
             invented \"t\"\n  step one\n    announce ev\n    announce ev\ntrigger t on ev\n  basis invented \"t\"\n  \
             nothing\n"
        )
    };
    let told = compared("capacity", [&text(2), &text(1)]);
    says(&told, "Not the same was looked at");
}

#[test]
fn another_name_for_what_is_bound_is_no_other_condition() {
    let text = |bound: &str, observer: &str, most: u32| {
        format!(
            "game \"g\"\nentity Card, explore 0 to 2\n  worth: integer from 0 to 2\nobserver {observer} \"all that counts\"\n  sees \
             Card.worth\nsequence play\n  basis invented \"t\"\n  step one\n    nothing\nverify play observing \
             {observer} where every {bound}: Card has {bound}.worth < {most}\n"
        )
    };
    let told = compared(
        "renamed",
        [&text("c", "table", 2), &text("card", "desk", 2)],
    );
    never_says(&told, "Not the same was looked at");
    let told = compared("narrowed", [&text("c", "table", 2), &text("c", "table", 1)]);
    says(
        &told,
        "Not the same was looked at: the `verify` of play differs",
    );
}

#[test]
fn a_gap_in_simultaneous_effects_has_no_mutant_that_stops_there() {
    let text = "game \"g\"\nvar n: integer from 0 to 4, starts 0\nsequence strike\n  basis invented \"t\"\n  step pay\n    \
                simultaneously\n      gap zero \"silence\" and go on\n      increase n by 1\n";
    let told = printed("gap-at-once", text, &["mutate", "told.endstep", "--all"]);
    says(&told, "one after the other, not at once");
    never_says(&told, "the run ends there");
}

#[test]
fn a_mutant_on_whose_board_nothing_ends_otherwise_is_said_to_look_elsewhere() {
    let text = "game \"g\"\nvar n: integer from 0 to 1\nvar k: integer from 0 to 1, starts 0\ndefine low = n < 1\nlegal few: low\nsequence \
                play\n  basis invented \"t\"\n  step one\n    if low\n      nothing\n    set k to 1\nverify play\n";
    let told = printed("elsewhere", text, &["mutate", "told.endstep", "--all"]);
    says(
        &told,
        "notices that a board of play has become legal or explored",
    );
    says(
        &told,
        "notices that a board of play is no longer legal or explored",
    );
}

#[test]
fn a_board_that_no_run_begins_with_any_more_is_not_shown_again() {
    let text = |bounds: &str| {
        format!(
            "game \"g\"\nvar n: integer {bounds}\nsequence s\n  basis invented \"t\"\n  step a\n    nothing\nclaim c: \
             must n >= 0 after s\n"
        )
    };
    let folder = empty("no-board");
    fs::write(folder.join("told.endstep"), text("from -1 to 1")).unwrap();
    endstep(
        &["check", "told.endstep", "--save-witnesses", "saved"],
        &folder,
    );
    let saved = fs::read_dir(folder.join("saved")).unwrap();
    let names = saved.map(|file| format!("saved/{}", file.unwrap().file_name().display()));
    let witness = names
        .into_iter()
        .find(|name| name.contains("F0610"))
        .unwrap();
    assert_eq!(
        endstep(&["replay", &witness], &folder).status.code(),
        Some(0)
    );
    fs::write(folder.join("told.endstep"), text("from 0 to 1")).unwrap();
    let output = endstep(&["replay", &witness], &folder);
    says(
        &String::from_utf8(output.stdout).unwrap(),
        "no run begins with its board",
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_only_an_option_explores_is_shown_again_with_that_option() {
    let text = "game \"g\"\nentity Ship, explore 1 to 2\nvar n: integer from 0 to 9, starts 0\nsequence s\n  basis \
                invented \"t\"\n  step a\n    set n to count of s: Ship\nclaim c: must n < 3 after s\n";
    let told = printed(
        "more",
        text,
        &["check", "told.endstep", "--scope", "Ship=3"],
    );
    says(&told, "replay: endstep replay told.endstep ");
    says(&told, " --scope Ship=3 ");
}

#[test]
fn specifications_do_not_share_a_list_of_expected_findings() {
    let folder = empty("one-list");
    for file in ["a.endstep", "a.txt"] {
        fs::write(
            folder.join(file),
            "game \"g\"\nvar n: integer from 0 to 1\n",
        )
        .unwrap();
    }
    let output = endstep(
        &["check", "a.endstep", "a.txt", "--update-expected"],
        &folder,
    );
    let told = String::from_utf8(output.stderr).unwrap();
    says(&told, "would both be");
    assert_eq!(output.status.code(), Some(64));
    assert!(!folder.join("a.expected.json").exists());
}
