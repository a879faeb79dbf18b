//! What is not compared, not run, or left: who can bring an end about, sequences that nothing comes to, bounds.

use super::{never_says, printed, says};

const CHECK: &[&str] = &["check", "told.endstep", "--all"];

/// Odds and evens: whoever shows last decides who wins; how each of them chooses, and in which order.
fn odds_and_evens(how: &str) -> String {
    format!(
        "game \"Odds\"\nplayer Child, explore 2\n  fist: boolean, starts false\nvar judge: Child\nsequence play\n  basis \
         text\n  step show\n    for each c: Child, in any order\n{how}  step compare\n    if (every c: Child has c.fist) or \
         (every c: Child has not c.fist)\n      declare win for judge\n    declare win for next after judge\nclaim fair: \
         order irrelevant in play\n"
    )
}

const CAVEAT: &str = "not who can bring that about";

#[test]
fn that_nobody_asked_who_decides_is_said_of_whatever_players_choose() {
    let may = "      may by c\n        set c.fist to true\n";
    let cases = "      cases chosen by c\n        when true\n          set c.fist to true\n        when not c.fist\n          \
                 nothing\n";
    for (name, how) in [("who-may", may), ("who-cases", cases)] {
        says(&printed(name, &odds_and_evens(how), CHECK), CAVEAT);
        let order = &["order", "told.endstep"];
        says(
            &printed(name, &odds_and_evens(how), order),
            "not by who can bring that about",
        );
    }
    let told = "      set c.fist to true\n";
    let told = printed("who-nobody", &odds_and_evens(told), CHECK);
    says(&told, "no order that is left open makes a difference");
    never_says(&told, CAVEAT);
}

/// One of two sequences is verified; the other performs it, and does more.
const ROUND: &str = "game \"Turnips\"\nplayer Gnome, explore 1\n  turnips: integer from 0 to 9, explore 0 to 1\nvar active: \
                     Gnome\nsequence turn\n  basis text\n  step dig\n    increase active.turnips by 1\nsequence \
                     whole_round\n  basis text\n  step turns\n    perform turn\n  step rabbit\n    decrease active.turnips \
                     by 1, at least 0\nverify turn\n";

#[test]
fn what_nothing_runs_is_not_said_to_be_done_by_no_run() {
    let told = printed("not-run", ROUND, CHECK);
    says(
        &told,
        "not run: whole round, since no `verify`, claim, question or example comes to it",
    );
    never_says(&told, "F0703");
    let asked = format!("{ROUND}question ends: terminates whole_round\n");
    never_says(&printed("run-for-a-question", &asked, CHECK), "not run:");
    let tried =
        "experiment shorter: whole_round but without rabbit\nquestion ends: terminates shorter\n";
    let tried = printed("run-by-an-experiment", &format!("{ROUND}{tried}"), CHECK);
    never_says(&tried, "not run: turn");
    let mutants = printed(
        "mutants-not-run",
        ROUND,
        &["mutate", "told.endstep", "--list"],
    );
    says(&mutants, "increase active.turnips by 1");
    never_says(&mutants, "decrease active.turnips by 1, at least 0");
}

#[test]
fn the_row_of_a_scope_names_the_bounds_that_runs_left() {
    let text = "game \"Gold\"\nvar gold: integer, explore 0 to 1, reach 0 to 1\nsequence dig\n  basis text\n  step dig\n    \
                increase gold by 1\nverify dig\n";
    let told = printed("bounds-left", text, CHECK);
    says(&told, "too large (`reach` of gold)");
    let more = text.replace("reach 0 to 1", "reach 0 to 5");
    never_says(&printed("bounds-kept", &more, CHECK), "`reach` of gold");
}

#[test]
fn a_count_that_is_compared_needs_brackets() {
    let text = "game \"g\"\nplayer Player, explore 2\n  lost: boolean\nsequence s\n  basis text\n  step a\n    if count of p: \
                Player where p.lost = 1\n      declare draw\n";
    let told = printed("count-compared", text, &["check", "told.endstep"]);
    says(&told, "to compare the count, put brackets around it");
}
