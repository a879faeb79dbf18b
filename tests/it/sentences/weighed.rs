//! What is weighed over all scopes: which of two findings tells more, and what a run that was not compared leaves open.

use super::{never_says, printed, says};

fn checked(name: &str, text: &str) -> String {
    printed(name, text, &["check", "told.endstep", "--all"])
}

/// Two boards of one sequence, in scopes of their own.
const CHOOSER: &str = "game \"g\"\nplayer Player, explore 1\nvar w: integer from 0 to 1\nvar result: integer from 0 to 5, \
                       starts 0\nreading chooser\n  one \"one chooses\"\n  die \"a die decides\"\nsequence s\n  basis \
                       text\n  step decide\n    depending on chooser\n      when one\n        choose number n from 1 to 2 \
                       by everyone together\n        set result to n\n      when die\n        choose number n from 1 to \
                       2 by chance\n        set result to n\n  step q\n    if w = 1 and chooser is one\n      set result \
                       to 5\nverify s where w = 0\n";

#[test]
fn who_can_bring_about_what_is_told_where_no_scope_shows_more() {
    let told = checked("power", CHOOSER);
    says(&told, "F0404");
    let told = checked(
        "power-and-play",
        &format!("{CHOOSER}verify s where w = 1\n"),
    );
    says(&told, "F0401");
    never_says(&told, "F0404");
}

/// The order matters to what a sequence does; another sequence ends with a gap after it either way.
const GAP: &str = "game \"g\"\nvar n: integer from 0 to 3, starts 0\nsequence base, steps in any order\n  basis text\n  \
                   step a\n    set n to 1\n  step b\n    set n to 2\nsequence s\n  basis text\n  step p\n    perform \
                   base\n  step q\n    gap g \"silence\"\nsequence t\n  basis text\n  step p\n    perform base\n\
                   verify s\n";

#[test]
fn a_gap_either_way_is_no_finding_where_the_order_matters_elsewhere() {
    let told = checked("gap", GAP);
    says(&told, "F0204");
    let told = checked("gap-and-none", &format!("{GAP}verify t\n"));
    says(&told, "F0201");
    never_says(&told, "F0204");
}

#[test]
fn what_is_run_for_claims_alone_is_not_compared() {
    let text = "game \"g\"\nvar x: integer from 0 to 9, starts 0\nvar n: integer from 0 to 1\nsequence u, steps in any \
                order\n  step ua\n    set x to 1\n  step ub\n    set x to 2\nsequence t\n  step b\n    if n = 1\n      \
                perform u\nverify t where n = 0\nclaim mu: must x > 0 after u\n";
    let told = printed("uncompared", text, &["order", "told.endstep"]);
    says(
        &told,
        "unknown, a run that was tried for claims alone can come to it, and nothing was compared there",
    );
    never_says(&told, "never two");
}

/// Under one reading there are more runs than may be tried.
const MANY: &str = "game \"g\"\nvar n: integer, explore 0 to 0, reach 0 to 900\nreading r\n  a \"a\"\n  b \"b\"\n  c \
                    \"c\"\nsequence s\n  basis text\n  step one\n    depending on r\n      when a\n        set n to 2\n      \
                    when b\n        set n to 3\n      when c\n        repeat until n >= 300\n          increase n by \
                    1\n        set n to 2\nverify s\n";

#[test]
fn a_way_to_end_is_only_under_a_reading_if_all_runs_were_tried() {
    let ends = ["ends", "told.endstep", "--board", "1"];
    says(&printed("all-ends", MANY, &ends), "only if r = b");
    let told = printed(
        "some-ends",
        MANY,
        &[&ends[..], &["--states", "50"]].concat(),
    );
    never_says(&told, "only if");
    says(&told, "found if r = b");
}

#[test]
fn what_was_explored_in_part_makes_nothing_new() {
    let body = [
        "      move c to bottom of pile",
        "      if pile is empty\n        move c to bottom of pile",
    ];
    let text = |body: &str| {
        format!(
            "game \"g\"\nentity Card, explore 8 to 8\nzone row of Card\nzone pile of Card, starts empty\nsequence s\n  \
             step a\n    for each c: Card in row, left to right\n{body}\nverify s\n"
        )
    };
    let folder = crate::folder::empty("sentences/part-of-the-old");
    for (name, body) in ["old", "new"].iter().zip(body) {
        std::fs::write(folder.join(format!("{name}.endstep")), text(body)).unwrap();
    }
    let output = crate::usage::endstep(&["diff", "old.endstep", "new.endstep"], &folder);
    let told = String::from_utf8(output.stdout).unwrap();
    never_says(&told, "\nNew");
    says(&told, "the old version could not be checked completely");
}
