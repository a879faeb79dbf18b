//! Sentences about what was, about what may be missing, and about what has no value.

use super::{never_says, printed, says};

#[test]
fn what_stands_for_another_thing_now_is_not_told_as_if_it_were_the_same() {
    let text = "game \"g\"\nplayer Player, explore 2\n  up: boolean\nvar active: Player\nexplore only one_up: every p: Player has p.up = (p = \
                active)\nsequence s\n  basis invented \"t\"\n  step a\n    set active to next after active\nclaim was_up: must old active.up \
                after s\nclaim alike: must active.up = old active.up after s\n";
    let told = printed("past", text, &["check", "told.endstep"]);
    never_says(&told, "active was up");
    says(&told, "must active.up = old active.up after s");
    says(&told, "claim was_up: after s, at the start, active is up");
    let text = "game \"g\"\nplayer Player, explore 2\n  g: integer from 0 to 9, explore 0 to 1\nvar active: Player\nsequence s\n  basis invented \
                \"t\"\n  step a\n    set active to next after active\nclaim more: must active.g > old active.g after s\nclaim own: must every \
                p: Player has p.g = old p.g after s\n";
    let told = printed("other", text, &["check", "told.endstep"]);
    never_says(&told, "what g of active was at the start");
    says(&told, "must active.g > old active.g after s");
    says(&told, "every Player has the same g as at the start");
}

#[test]
fn what_was_removed_meanwhile_is_not_left_out_silently() {
    let text = "game \"g\"\nentity Card, explore 1 to 2\nzone row of Card\nzone bag of Card, starts empty\nsequence s\n  basis invented \"t\"\n  \
                step a\n    for each c in row, in any order\n      remove c\nclaim none: must not (some c: Card has old (c is in row)) after \
                s\nclaim all: must every c: Card where old (c is in row) has c is in bag after s\n";
    let told = printed("removed", text, &["check", "told.endstep"]);
    never_says(&told, "no Card was in row");
    never_says(&told, "every Card that was in row");
    says(
        &told,
        "must not (some c: Card has old (c is in row)) after s",
    );
}

#[test]
fn two_things_that_are_both_missing_have_not_each_other() {
    let text = "game \"g\"\nentity Card, explore 1\n  host: optional Card, starts none\nzone row of Card\nrole boss: Card, starts none\nsequence \
                s\n  basis invented \"t\"\n  step a\n    nothing\nclaim hosted: must every c in row has c.host = boss after s\nclaim led: \
                must every c in row has c != boss after s\n";
    let told = printed("missing", text, &["check", "told.endstep"]);
    never_says(&told, "has boss as its host");
    says(&told, "must every c in row has c.host = boss after s");
    says(&told, "no Card in row is boss");
}

#[test]
fn what_has_no_value_is_neither_so_nor_not_so() {
    let example = |name, expected| {
        format!(
            "example {name}\n  given\n    Player ann with up = true\n  perform s\n  {expected}\n"
        )
    };
    let text = format!(
        "game \"g\"\nplayer Player, explore 1\n  up: boolean\nrole boss: Player, starts none\nsequence s\n  basis invented \"t\"\n  step go\n    \
         nothing\n{}{}{}{}",
        example("one", "expect boss.up"),
        example("two", "expect not boss.up"),
        example("three", "after s.go expect boss.up"),
        example("four", "expect every p: Player has not p.up"),
    );
    let told = printed("example", &text, &["check", "told.endstep"]);
    for name in ["one", "two", "three"] {
        let said = format!(
            "The example \"{name}\" does not come out as the document tells it: it cannot be said whether this is true:"
        );
        says(&told, &said);
    }
    says(&told, "this is not true: no Player is up");
}

#[test]
fn a_run_that_is_given_up_need_not_have_left_any_bounds() {
    let text = "game \"g\"\nvar n: integer from 0 to 1\nsequence s\n  basis invented \"t\"\n  step go\n    if n * 9223372036854775807 + 1 > 5\n      \
                nothing\nverify s\nclaim j: must n <= 1 after s\n";
    let told = printed("large", text, &["check", "told.endstep"]);
    never_says(&told, "board left the bounds");
    says(
        &told,
        "runs from 1 board were given up because they left the bounds of exploration or something in them became too large",
    );
}

#[test]
fn a_value_that_rests_on_no_other_contradicts_none() {
    let text = "game \"g\"\nvar n: integer from 0 to 2\nvar told: integer from 0 to 9, starts 0\ncontinuous a: integer from 0 to 1 = \
                n\ncontinuous b: integer from 0 to 1 = n\nsequence s\n  basis invented \"t\"\n  step go\n    set told to a + b\nverify s\n";
    let told = printed("alone", text, &["check", "told.endstep"]);
    says(&told, "no value of a from 0 to 1 agrees with its rule");
    never_says(&told, "each other");
}

#[test]
fn the_same_gap_in_two_places_of_a_clause_is_one_way_to_end() {
    let text = "game \"g\"\nvar n: integer from 0 to 9, explore 1 to 1\nvar m: integer from 0 to 9, explore 0 to 0\nvar k: integer \
                from 0 to 9, explore 0 to 0\nclause d.1 (rule) at \"1\"\n  says \"Text.\"\n  sequence play\n    step s\n      choose one by nobody in \
                particular\n        option \"b\"\n          set k to half of n\n        option \"a\"\n          set m to 1\n          set k to \
                half of n\nverify play\n";
    let told = printed("same", text, &["check", "told.endstep"]);
    says(&told, "Where they end differently");
    never_says(&told, "a chosen outcome");
    never_says(&told, "With b chosen, it stops");
}

#[test]
fn what_had_no_value_before_is_not_told_as_if_it_had_none_now() {
    let ensured = "game \"g\"\nentity Card, explore 1\nzone row of Card\nzone pile of Card, starts empty\nsequence play\n  basis invented \
                   \"t\"\n  step s\n    for each c in row\n      move c to pile\n    ensures old (top of pile) = top of pile\nverify play\n";
    let told = printed("ensured", ensured, &["check", "told.endstep"]);
    says(&told, "F0302");
    never_says(&told, "pile is empty");
    let raised = "game \"g\"\nentity Card, explore 1\n  h: integer from 0 to 9, explore 1 to 1\nzone row of Card\nvar n: integer from 0 to 9, \
                  explore 2 to 2\nevent e(c: Card), whenever old (half of c.h) = 1, at once\nevent f, whenever n = 5 and 4 divided by old n = 2, \
                  at once\nsequence play\n  basis invented \"t\"\n  step s\n    for each c in row\n      increase c.h by 1\nsequence other\n  basis \
                  invented \"t\"\n  step s\n    set n to 0\n    set n to 5\nverify play\nverify other\n";
    let told = printed("raised", raised, &["check", "told.endstep"]);
    says(&told, "F0302");
    never_says(&told, "is odd");
    never_says(&told, "at the start");
}
