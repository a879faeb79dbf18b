//! What continuous values are on a run, and why they are nothing; and what differs between many new things.

use super::{printed, says};

const RULES: &str = r#"game "g"
entity Card, explore 2
  strength: integer from 0 to 3, starts 1
zone row of Card
continuous best(c: Card): boolean = every o: Card in row has might(o) <= might(c)
continuous might(c: Card): integer from 0 to 4 = c.strength
var seen: integer from 0 to 9, starts 0
"#;

#[test]
fn what_follows_from_a_change_is_told_below_it() {
    let text = format!(
        "{RULES}sequence s\n  basis invented \"t\"\n  step a\n    let first = top of row\n    set first.strength to 3\n    \
         increase seen by might(first)\nquestion twice: unreachable seen > 2 in s\nverify s\n"
    );
    let told = printed("follows", &text, &["check", "told.endstep"]);
    says(&told, "best: card 1 true, card 2 true");
    says(&told, "might: card 1 1, card 2 1");
    says(&told, "strength of card 1: from 1 to 3");
    says(&told, "so best of card 2: from true to false");
    says(&told, "so might of card 1: from 1 to 3");
}

#[test]
fn where_several_values_fit_two_of_them_are_told() {
    let text = "game \"g\"\nvar up: boolean\nvar n: integer from 0 to 3, starts 0\ncontinuous one: boolean = other\ncontinuous other: boolean = if up then \
                one else true\nsequence s\n  basis invented \"t\"\n  step a\n    if one\n      increase n by 1\nverify s\n";
    let told = printed("fits", text, &["check", "told.endstep"]);
    says(
        &told,
        "either of these fits: one = false, other = false; or one = true, other = true",
    );
}

#[test]
fn where_nothing_fits_it_is_told_what_each_value_leads_to() {
    let with = |rule: &str| {
        format!(
            "game \"g\"\nvar n: integer from 0 to 3, starts 0\nvar big: integer from 0 to 9, explore 0 to 9\n{rule}\nsequence s\n  basis \
             invented \"t\"\n  step a\n    increase n by size\nverify s\n"
        )
    };
    let told = printed(
        "circle",
        &with("continuous size: integer from 0 to 1 = 1 - size"),
        &["check", "told.endstep"],
    );
    says(
        &told,
        "if size is 0, it comes to 1; if size is 1, it comes to 0",
    );
    let told = printed(
        "bounds",
        &with("continuous size: integer from 0 to 1 = big"),
        &["check", "told.endstep"],
    );
    says(&told, "size comes to 2, which is not from 0 to 1");
}

#[test]
fn many_new_things_are_paired_by_what_they_look_like() {
    let chain = |name: &str, last: u32, down: bool| {
        let mut text =
            format!("sequence {name}\n  basis invented \"t\"\n  step a\n    create Card as c1\n");
        for n in 2..=7 {
            text += &format!("    create Card as c{n}\n");
        }
        for n in 1..=6 {
            let (from, to) = if down { (n, n + 1) } else { (n + 1, n) };
            text += &format!("    set c{from}.host to c{to}\n");
        }
        text + &format!("    set c{}.k to {last}\n", if down { 7 } else { 1 })
    };
    let text = format!(
        "game \"g\"\nentity Card, explore 0, headroom 7\n  k: integer from 0 to 2, default 0\n  host: optional Card, default none\n{}{}verify \
         up\nclaim alike: equivalent up, down\n",
        chain("up", 0, false),
        chain("down", 1, true),
    );
    let told = printed("chains", &text, &["check", "told.endstep"]);
    let only = "Where they end differently up down k of created 1 / k of created 7 0 1 at:";
    says(&told, only);
}
