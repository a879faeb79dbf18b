//! What `order` and `graph` say of what was compared: for whom, with which contracts, on how many boards.

use super::{never_says, printed, says};

/// Each of `a` and `b` says last what `sec` is, which the observer does not see.
const SEEN: &str = r#"game "Told"
player P, explore 1
var k: integer from 0 to 9, starts 0
var sec: integer from 0 to 9, explore 0 to 1
observer o "table"
  sees k
observer all "all"
  sees everything
sequence s, steps in any order
  step a
    set sec to 1
  step b
    set sec to 2
verify s observing o
claim oi: order irrelevant in s
claim all_of_it: order irrelevant in s observing all
"#;

const ONLY_O: &str = "(comparing only what \"o\" sees)";

#[test]
fn what_only_an_observer_saw_alike_is_not_said_of_everything() {
    let text = printed("compared-order", SEEN, &["order", "told.endstep"]);
    says(
        &text,
        &format!("a & b: exhausted, no difference on 2 legal boards {ONLY_O}; both"),
    );
    says(
        &text,
        &format!("oi: exhausted, no difference on 2 legal boards {ONLY_O} "),
    );
    says(&text, "all_of_it: refuted by F0610");
    says(&text, "comes out differently, as far as was compared");
    let graph = ["graph", "told.endstep"];
    let text = printed("compared-graph", SEEN, &graph);
    says(
        &text,
        &format!("no difference on any board in scope {ONLY_O}"),
    );
    says(
        &text,
        "the order does not bind, and makes no difference to how it can end, as far as was compared",
    );
    let json = ["order", "told.endstep", "--format", "json"];
    says(
        &printed("compared-json", SEEN, &json),
        "\"observers\": [ \"o\" ]",
    );
    // Who sees everything sees a difference.
    let whole = SEEN.replace("verify s observing o", "verify s");
    let text = printed("compared-whole", &whole, &["order", "told.endstep"]);
    says(&text, "a & b: refuted by F0201");
    never_says(&text, "comparing only");
    never_says(&text, "as far as was compared");
}

#[test]
fn pages_say_for_whom_outcomes_were_compared() {
    let folder = crate::folder::empty("compared-site");
    std::fs::write(folder.join("told.endstep"), SEEN).unwrap();
    crate::usage::endstep(&["report", "told.endstep", "-o", "site"], &folder);
    let page = |name: &str| std::fs::read_to_string(folder.join("site/told").join(name)).unwrap();
    says(
        &page("orders.html"),
        "no difference on 2 legal boards (comparing only what ",
    );
    says(
        &page("graphs.html"),
        "no difference on any board in scope (comparing only what ",
    );
}

/// `a` sets k to n if n is 1, and `b` always to 2; what their contracts allow is the same.
const BY_CONTRACT: &str = r#"game "Told"
player P, explore 1
var n: integer from 0 to 3, explore 0 to 1
var k: integer from 0 to 3, starts 0
sequence sub
  contract
    changes k within 0 to 3
  step x
    set k to n
sequence sub2
  contract
    changes k within 0 to 3
  step x
    set k to 2
sequence s, steps in any order
  step a
    perform sub
  step b
    perform sub2
verify s with sub, sub2 by contract
verify sub
verify sub2
"#;

#[test]
fn what_contracts_allow_alike_is_not_said_of_the_rules() {
    let order = ["order", "told.endstep"];
    let text = printed("compared-contract", BY_CONTRACT, &order);
    says(
        &text,
        "a & b: exhausted, no difference on 1 legal board (with what the contract of sub and sub2 \
         allows, of the values that were tried; with the rules themselves it may be otherwise)",
    );
    let text = printed(
        "compared-contract-graph",
        BY_CONTRACT,
        &["graph", "told.endstep"],
    );
    says(
        &text,
        "in scope (with what the contract of sub and sub2 allows",
    );
    let rules = BY_CONTRACT.replace(" with sub, sub2 by contract", "");
    says(
        &printed("compared-rules", &rules, &order),
        "a & b: refuted by F0201",
    );
}

/// There are two boards, `k = 0` and `k = 1`.
const SEVERAL: &str = r#"game "Told"
player P, explore 1
var k: integer from 0 to 1
var j: integer from 0 to 9, starts 0
sequence s, steps in any order
  step a
    if k > 0
      increase j by 1, at most 5
  step b
    if k > 0
      increase j by 1, at most 4
verify s
verify s where k = 1
verify t
claim o: order irrelevant in s
sequence t
  step x
    perform s
"#;

#[test]
fn a_board_counts_once_in_whichever_scopes_it_is() {
    let order = ["order", "told.endstep"];
    let text = printed("compared-boards", SEVERAL, &order);
    says(&text, "o: exhausted, no difference on 2 legal boards");
    says(&text, "a & b: exhausted, no difference on 2 legal boards;");
    // What two conditions have in common is not known: there are two boards, not three.
    let apart = SEVERAL
        .replace("verify s\nverify s", "verify s where k < 2\nverify s")
        .replace("verify t\n", "");
    let text = printed("compared-conditions", &apart, &order);
    says(
        &text,
        "a & b: exhausted, no difference on at least 2 legal boards;",
    );
    let json = printed(
        "compared-conditions-json",
        &apart,
        &["order", "told.endstep", "--format", "json"],
    );
    says(&json, "\"legal_boards\": 2, \"legal_boards_at_most\": 3,");
}

#[test]
fn the_order_matrix_names_the_values_that_were_explored() {
    let text = SEVERAL.replace("from 0 to 1", "from 0 to 9, explore 0 to 1");
    let text = printed("compared-values", &text, &["order", "told.endstep"]);
    says(
        &text,
        "no run from any board of the sizes and values explored that meets the `where`",
    );
    says(&text, "Explored s with 1 P (k 0 to 1): 2 legal boards");
}

/// Each of two lists has an order that matters.
const LISTS: &str = r#"game "Told"
player P, explore 1
var k: integer from 0 to 9, starts 0
sequence s, steps in any order
  step a
    set k to 1
  step b
    set k to 2
sequence t, steps in any order
  step c
    set k to 1
  step d
    set k to 2
verify s
verify t
claim of_s: order irrelevant in s
claim of_t: order irrelevant in t
"#;

#[test]
fn what_an_option_left_out_is_not_said_to_be_out_of_reach() {
    let text = printed(
        "compared-only",
        LISTS,
        &["order", "told.endstep", "--only", "of_s"],
    );
    // What speaks against the claim speaks against the pair.
    says(&text, "a & b: refuted by F0610");
    for left_out in ["c & d", "of_t"] {
        says(
            &text,
            &format!("{left_out}: unknown, nothing was looked at but what `--only` names"),
        );
    }
    says(&text, "of_s: refuted by F0610");
    never_says(&text, "nothing that is verified comes to it");
    // A sequence that nothing verifies.
    let unverified = LISTS.replace(
        "verify t\nclaim of_s: order irrelevant in s\nclaim of_t: order irrelevant in t\n",
        "",
    );
    let text = printed(
        "compared-unverified",
        &unverified,
        &["order", "told.endstep"],
    );
    says(
        &text,
        "c & d: unknown, nothing that is verified comes to it",
    );
}

/// What is added before a win is seen by nobody who compares outcomes, and by `must` and `largest`.
const WON: &str = r#"game "Won"
player P, explore 1
var active: P
var prize: integer from 0 to 9, starts 0
reading bonus
  one_point "one bonus point"
  two_points "two bonus points"
sequence s
  step give
    increase prize by per bonus (one_point: 1 | two_points: 2)
  step finish
    declare win for active
verify s
claim given: must prize > 0 after s
claim same: equivalent s, other
claim any_order: order irrelevant in s
claim again: idempotent s
sequence other
  step give
    nothing
  step finish
    declare win for active
"#;

#[test]
fn once_the_game_is_decided_only_the_result_counts_and_it_is_said() {
    let told = "comparing only the result once the game is decided";
    let text = printed("compared-won", WON, &["check", "told.endstep"]);
    says(
        &text,
        &format!("both ways of the reading \"bonus\" play alike ({told})"),
    );
    says(&text, &format!("({told}"));
    says(
        &text,
        "Once the game is decided, only its result was compared.",
    );
    // A sequence that declares nothing is compared in full.
    let ends = WON.replace("declare win for active", "nothing");
    let text = printed("compared-ends", &ends, &["check", "told.endstep"]);
    never_says(&text, "is decided");
}

/// Each of two procedures speaks of something of which the other does not.
const APART: &str = r#"game "Apart"
player P, explore 1
entity Guest, explore 2
  bill: integer from 0 to 5, explore 1 to 2
  asleep: boolean
zone table of Guest
var rain: boolean
var feast: boolean
var debt: integer from 0 to 9, explore 0 to 1
var till: integer from 0 to 20, starts 0
sequence pay_up
  step pay
    for each g in table where g.bill < 5
      increase till by g.bill
sequence noon
  step eat
    perform pay_up
    if rain
      increase till by 1
  step owe
    decrease debt by 1
sequence evening
  step dance
    perform pay_up
    if feast
      increase till by 2
verify noon
verify evening
"#;

#[test]
fn what_has_nothing_to_do_with_a_sequence_is_no_part_of_what_is_counted() {
    let text = printed("apart-check", APART, &["check", "told.endstep"]);
    says(
        &text,
        "noon with 1 P, 2 Guest (debt 0 to 1, Guest.bill 1 to 2): 16 legal boards",
    );
    says(
        &text,
        "evening with 1 P, 2 Guest (Guest.bill 1 to 2): 8 legal boards",
    );
    // Not all boards of one are boards of the other.
    let text = printed("apart-order", APART, &["order", "told.endstep"]);
    says(&text, "no difference on at least 16 legal boards");
    // Nobody asks who sleeps, so nothing is left out.
    let scope = ["check", "told.endstep", "--scope", "Guest.asleep=true"];
    never_says(&printed("apart-scope", APART, &scope), "a part only");
    // A mutant that does not speak of rain any more is not noticed by the number of boards.
    let only_noon = APART.replace("verify evening\n", "");
    let mutants = ["mutate", "told.endstep", "--all"];
    let text = printed("apart-mutate", &only_noon, &mutants);
    says(&text, "killed 21:sign");
    never_says(&text, "killed 18:");
}
