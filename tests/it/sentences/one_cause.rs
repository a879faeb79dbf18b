//! What comes of one cause, and what is the same in two versions.

use super::super::folder::empty;
use super::super::usage::endstep;
use super::{never_says, printed, says};
use serde_json::Value;
use std::fs;

/// For each finding of a specification its code with what it is at, and that of the finding with the same cause.
fn causes(name: &str, text: &str) -> Vec<(String, Option<String>)> {
    let report = printed(name, text, &["check", "told.endstep", "--format", "json"]);
    // Warnings stand after it.
    let end = report.rfind("} warning").map_or(report.len(), |at| at + 1);
    let report: Value = serde_json::from_str(&report[..end]).unwrap();
    let findings = report["specifications"][0]["findings"].as_array().unwrap();
    let called = |one: &Value| {
        let [code, subject] = ["code", "subject"].map(|key| one[key].as_str().unwrap());
        format!("{code} {subject}")
    };
    let of_print = |print: &Value| findings.iter().find(|one| one["fingerprint"] == *print);
    let all = findings.iter();
    let mut all: Vec<_> = all
        .map(|one| (called(one), of_print(&one["same_cause_as"]).map(called)))
        .collect();
    all.sort();
    all
}

fn some(of: &str, first: &str) -> (String, Option<String>) {
    (of.to_owned(), Some(first.to_owned()))
}

fn none(of: &str) -> (String, Option<String>) {
    (of.to_owned(), None)
}

#[test]
fn a_list_and_whether_its_order_binds_are_one_cause() {
    let text = "game \"g\"\nvar k: integer from 0 to 9, starts 1\ndocument d \"d\"\n  clause a (rule) at \"1\"\n    says \"Two \
                things are done.\"\n    sequence s, steps unspecified\n      step one\n        set k to k + 1\n      step \
                two\n        set k to k * 2\n    claim high: must k = 4 after s\nverify s\n";
    let found = causes("list", text);
    assert_eq!(
        found,
        [
            none("F0202 s"),
            some("F0401 s order", "F0202 s"),
            some("F0610 high", "F0202 s"),
        ]
    );
}

#[test]
fn a_loop_tells_the_claim_that_it_refutes() {
    let text = "game \"g\"\nplayer P, explore 1\nrole who: P\nvar a: boolean, starts false\ndocument d \"d\"\n  clause a (rule) at \
                \"1\"\n    says \"It ends.\"\n    sequence s\n      step on\n        repeat while not a\n          \
                nothing\n    claim ends: terminates s\nverify s\n";
    let found = causes("loop", text);
    assert!(found.contains(&none("F0501 s")), "{found:?}");
    assert!(found.contains(&some("F0610 ends", "F0501 s")), "{found:?}");
}

#[test]
fn a_term_in_two_clauses_is_one_cause_and_two_terms_are_two() {
    let text = "game \"g\"\ndocument d \"d\"\n  clause a (rule) at \"1\"\n    says \"A grave.\"\n    uses \"grave\", \
                \"tomb\"\n    sequence s\n      step on\n        nothing\n  clause b (rule) at \"2\"\n    says \"The grave.\"\n    \
                uses \"grave\"\n    waived \"said before\"\nverify s\n";
    let found = causes("terms", text);
    let terms: Vec<_> = found
        .iter()
        .filter(|(one, _)| one.starts_with("F0103"))
        .collect();
    assert_eq!(
        terms,
        [
            &none("F0103 a"),
            &none("F0103 a"),
            &some("F0103 b", "F0103 a")
        ]
    );
}

#[test]
fn two_pairs_of_steps_are_two_causes() {
    let text = "game \"g\"\nvar k: integer from 0 to 9, starts 1\nvar m: integer from 0 to 9, starts 1\ndocument d \"d\"\n  clause a \
                (rule) at \"1\"\n    says \"Things are done.\"\n    sequence s, steps unspecified\n      step one\n        set k to k + \
                1\n      step two\n        set k to k * 2\n      step three\n        set m to m + 1\n      step four\n        set m \
                to m * 2\nverify s\n";
    let found = causes("pairs", text);
    let apart = found.iter().filter(|(one, _)| one == "F0202 s");
    assert!(apart.clone().all(|(_, first)| first.is_none()), "{found:?}");
    assert_eq!(apart.count(), 2, "{found:?}");
}

/// Both versions, and what `diff` says of them.
fn compared(name: &str, versions: [&str; 2]) -> String {
    let folder = empty(&format!("one-cause/{name}"));
    for (text, file) in versions.iter().zip(["old.endstep", "new.endstep"]) {
        fs::write(folder.join(file), text).unwrap();
    }
    let output = endstep(&["diff", "old.endstep", "new.endstep"], &folder);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_field_that_nothing_speaks_of_is_no_difference() {
    let old = "game \"g\"\nentity Card, explore 0 to 2\n  hp: integer from 0 to 1\n  mark: boolean\nzone board of Card, \
               unordered\nsequence s\n  basis invented \"t\"\n  step a\n    if some c in board has c.hp = 0\n      gap g\nverify s\n";
    let told = compared("unspoken", [old, &old.replace("  mark: boolean\n", "")]);
    says(&told, "findings: 0 new, 0 gone, 0 otherwise");
    // Where the one version speaks of it, both have the boards that differ in it.
    let spoken = old.replace("c.hp = 0\n", "c.hp = 0 and not c.mark\n");
    let told = compared("spoken", [old, &spoken]);
    says(&told, "9 of 15 legal boards");
    says(&told, "5 of 15 legal boards");
}

#[test]
fn what_both_versions_declare_tells_boards_apart() {
    let old = "game \"g\"\nvar x: integer from 0 to 1, default 0\nentity Card, explore 1\nsequence s\n  basis invented \"t\"\n  step \
               a\n    if x = 0\n      gap g\nverify s\n";
    let new = old.replace("default 0", "default 1");
    let told = compared("default", [old, &new]);
    says(&told, "findings: 0 new, 0 gone, 0 otherwise");
    let told = compared("other", [old, &new.replace("if x = 0", "if x = 1")]);
    says(&told, "which boards, now: just those on which x is not 0");
    let more = old.replace("sequence s", "entity Token, explore 1 to 2\nsequence s");
    let told = compared("sort", [old, &more]);
    says(&told, "findings: 0 new, 0 gone, 0 otherwise");
}

#[test]
fn what_leads_has_its_board_on_the_page() {
    let text = "game \"g\"\nvar a: boolean, starts false\ndocument d \"d\"\n  clause one (claim) at \"1\"\n    says \"It ends.\"\n    \
                claim ends: terminates s\n  clause two (rule) at \"2\"\n    says \"On.\"\n    sequence s\n      step on\n        repeat \
                while not a\n          nothing\nverify s\n";
    let page = printed("leads", text, &["report", "told.endstep"]);
    never_says(&page, "The board and the runs are those of");
    says(&page, "from here it repeats");
}

#[test]
fn fewer_of_a_sort_that_nothing_speaks_of_are_no_more() {
    let text = "game \"g\"\nentity Card, explore 0 to 2\n  hp: integer from 0 to 1\nentity Toy, explore 1 to 3\nzone box of \
                Toy\nsequence s\n  basis invented \"t\"\n  step a\n    if some c: Card has c.hp = 0\n      gap g\nverify s\n";
    let check = ["check", "told.endstep", "--scope", "Toy=2"];
    says(&printed("fewer", text, &check), "s with 0 to 2 Card, 1 Toy");
}

#[test]
fn what_an_alternative_speaks_of_is_tried() {
    let text = "game \"g\"\nentity Card, explore 1\n  mark: integer from 0 to 1\nzone board of Card\nzone bin of Card, starts \
                empty\nvar n: integer from 0 to 9, starts 0\nevent gone(c: Card), at once\ndocument d \"d\"\n  clause a (rule) at \
                \"1\"\n    says \"Marked cards that go count.\"\n    trigger t on gone(c)\n      if c.mark = 1\n        increase n by \
                1\n    sequence s\n      step a\n        let c = top of board\n        move c to top of bin\n    sequence \
                other\n      step z\n        let c = top of board\n        move c to top of bin\n        announce gone(c)\n        \
                set n to 0\nverify s\n";
    let told = printed("alternative", text, &["audit", "told.endstep"]);
    says(&told, "s would end otherwise on this board");
}

#[test]
fn an_order_without_a_beginning_has_none_on_any_turn() {
    let text = "game \"g\"\nplayer Player, explore 2\nrole first: Player\nrole last: Player, starts none\nsequence s\n  basis \
                invented \"t\"\n  step a\n    for each p: Player, in player order from first\n      set last to p\nverify s\n";
    let told = printed("headless", text, &["check", "told.endstep"]);
    says(&told, "the document's order has no beginning here");
    never_says(&told, "as the document says");
}

#[test]
fn of_several_reasons_in_a_trigger_none_is_told_of_all() {
    let text = "game \"g\"\nplayer Player, explore 1\n  boss: optional Player\n  pal: optional Player\n  n: integer from 0 to 3, \
                explore 0\nevent up(p: Player), at once\nreading r\n  one \"the boss counts\"\n  two \"the pal counts\"\ntrigger t on \
                up(p) where per r (one: p.boss.n = 0 | two: p.pal.n = 0)\n  basis invented \"t\"\n  nothing\nsequence s\n  basis \
                invented \"t\"\n  step a\n    for each p: Player\n      announce up(p)\nverify s\n";
    let told = printed("several", text, &["check", "told.endstep"]);
    says(
        &told,
        "somebody or something is named that is not there; on the board shown,",
    );
    never_says(&told, "formally");
    let one = text.replace("two: p.pal.n = 0", "two: p.n = 0");
    let told = printed("only", &one, &["check", "told.endstep"]);
    says(
        &told,
        "there is no boss of that Player, and the rule needs one.",
    );
    says(&told, "formally: p.boss");
}
