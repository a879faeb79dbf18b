//! Outputs that dropped a restriction which the text of a check has: contracts, options, which boards, who sees what.

use super::left_out::{case, folder, said};
use super::{never_says, printed, says};
use crate::usage::endstep;

/// `order irrelevant` and two others are refuted, by the prover's boards alone.
const HIDDEN: &str = r#"game "Told"
player P, explore 1
entity Card, explore up to 1
  v: integer from 0 to 9, explore 0 to 2
zone row of Card
var k: integer from 0 to 9, starts 0
var n: integer from 0 to 9, explore 0 to 1
sequence s
  step a
    for each c in row, in any order
      set k to c.v
verify s where n = 0
claim any_order: order irrelevant in s
question large: reachable k = 7 in s
"#;

#[test]
fn a_claim_whose_refutation_is_not_shown_does_not_pass() {
    let folder = folder("dropped-hidden", &[("told.endstep", HIDDEN)]);
    let report = |arguments: &[&str]| {
        let arguments = [&["check", "told.endstep", "--format", "junit"], arguments].concat();
        String::from_utf8(endstep(&arguments, &folder).stdout).unwrap()
    };
    let only = report(&["--only", "F0704"]);
    let only = roxmltree::Document::parse(&only).unwrap();
    let hidden = |verdict: &str| {
        format!(
            "The verdict is \"{verdict}\"; the finding that says why is not shown: `--only F0704`."
        )
    };
    assert_eq!(
        case(&only, "claim any_order"),
        Some(hidden("refuted").as_str())
    );
    assert_eq!(
        case(&only, "question large"),
        Some(hidden("none in scope").as_str())
    );
    assert_eq!(case(&only, "terminates s"), None);
    let list = "what is expected and accepted is still found";
    assert_eq!(
        case(&only, list),
        Some("Other findings are not shown: `--only F0704`.")
    );
    let whole = report(&[]);
    let whole = roxmltree::Document::parse(&whole).unwrap();
    assert_eq!(case(&whole, "claim any_order"), None);
    assert_eq!(case(&whole, list), None);
}

#[test]
fn every_format_says_that_a_board_is_in_no_scope() {
    let board = "on a board that the prover suggested, outside of the explored scope";
    for format in ["github", "sarif", "junit"] {
        let arguments = ["check", "told.endstep", "--format", format];
        let text = printed(&format!("dropped-found-{format}"), HIDDEN, &arguments);
        says(&text, &format!("It was found {board}."));
    }
    let text = printed(
        "dropped-found-quiet",
        HIDDEN,
        &["check", "told.endstep", "-q"],
    );
    says(&text, "found on: a board that the prover suggested");
}

/// By the rules, `k` is 2 in the end; the contract allows other values. The gap is met by contract alone.
const BY_CONTRACT: &str = r#"game "Told"
player P, explore 1
var n: integer from 0 to 5, explore 0 to 1
var k: integer from 0 to 2, starts 0
var h: integer from 0 to 3, starts 0
sequence sub
  contract
    changes k within 0 to 2
  step x
    set n to n
sequence s
  step a
    set k to 2
  step b
    perform sub
  step c
    if k = 1
      set h to 3
verify s with sub by contract
verify sub
claim no_h: must h = 0 after s
"#;

#[test]
fn what_rests_on_a_contract_says_so_in_every_output() {
    let run = "the contract of sub: whatever it allows, of the values that were tried, counts as possible, even if \
               the rules never do it";
    let idle =
        "what the contract of sub allows: with the rules themselves it may make a difference";
    let text = printed("dropped-contract", BY_CONTRACT, &["check", "told.endstep"]);
    says(&text, &format!("rests on: {run}"));
    says(&text, &format!("rests on: {idle}"));
    let quiet = printed(
        "dropped-quiet",
        BY_CONTRACT,
        &["check", "told.endstep", "-q"],
    );
    says(&quiet, &format!("rests on: {run}"));
    for format in ["github", "sarif", "junit"] {
        let arguments = ["check", "told.endstep", "--format", format];
        let text = printed(&format!("dropped-{format}"), BY_CONTRACT, &arguments);
        says(&text, &format!("It rests on {run}."));
        says(&text, &format!("It rests on {idle}."));
    }
    let page = printed("dropped-page", BY_CONTRACT, &["report", "told.endstep"]);
    says(&page, &format!("It rests on {idle}."));
    let folder = folder("dropped-site", &[("told.endstep", BY_CONTRACT)]);
    said(&folder, &["report", "told.endstep", "-o", "site"]);
    for page in ["site/index.html", "site/told/index.html"] {
        let html = std::fs::read_to_string(folder.join(page)).unwrap();
        says(&html, &format!("It rests on {run}."));
        never_says(&html, "the rules do not bear this out");
    }
}

#[test]
fn what_a_contract_alone_allows_is_not_called_a_difference_of_the_rules() {
    let text = r#"game "Told"
player P, explore 1
var n: integer from 0 to 5, explore 0 to 1
var k: integer from 0 to 2, starts 0
sequence sub
  contract
    changes k within 0 to 2
  step x
    set n to n
sequence s, steps in any order
  step a
    if k = 2
      set n to 4
  step b
    perform sub
verify s with sub by contract
verify sub
claim any: order irrelevant in s
"#;
    let order = ["order", "told.endstep"];
    let told = printed("dropped-order", text, &order);
    let by = "(by what the contract of sub allows)";
    says(&told, "any: refuted by F0610 [");
    says(&told, by);
    never_says(&told, "both concern");
    says(
        &told,
        "a board, replayed, on which the order decides, by the rules or by what a contract allows",
    );
    let json = printed(
        "dropped-order-json",
        text,
        &[&order[..], &["--format", "json"]].concat(),
    );
    says(&json, r#""contracts": [ "sub" ]"#);
    says(
        &printed("dropped-graph", text, &["graph", "told.endstep"]),
        by,
    );
    let rules = text.replace(" with sub by contract", "");
    let told = printed("dropped-rules", &rules, &order);
    never_says(&told, "by what the contract");
}

/// Under each reading the claim is false on some board with three cards, of which none is explored.
const SAMPLED: &str = r#"game "Told"
player P, explore 1
entity Card, explore up to 1
zone row of Card
var k: integer from 0 to 9, starts 0
var n: integer from 0 to 9, explore 0 to 1
reading r
  one "1"
  two "2"
sequence s
  step b
    if r is two and size of row = 3
      set k to 8
    if r is one and size of row = 3 and n = 1
      set k to 7
verify s
claim low: must k < 3 after s
"#;

#[test]
fn a_campaign_does_not_say_under_which_readings_alone_a_claim_is_false() {
    for seed in ["0", "1", "2"] {
        let fuzz = [
            "fuzz",
            "told.endstep",
            "--runs",
            "300",
            "--jobs",
            "1",
            "--seed",
            seed,
        ];
        let text = printed(&format!("dropped-fuzz-{seed}"), SAMPLED, &fuzz);
        says(&text, "F0610");
        never_says(&text, "found only if");
        never_says(&text, "if the text is read in one way");
    }
}

#[test]
fn what_does_not_count_is_said_where_only_a_claim_was_looked_at() {
    let text = r#"game "Told"
var n: integer from 0 to 2
var k: integer from 0 to 9, starts 0
sequence s
  step a
    if n = 1
      gap silent
    set k to n
verify s
claim low: must k < 3 after s
"#;
    let check = ["check", "told.endstep"];
    says(
        &printed("dropped-stops", text, &check),
        "k is less than 3 (runs that stop or never end do not count: F0301)",
    );
    says(
        &printed(
            "dropped-stops-only",
            text,
            &["check", "told.endstep", "--only", "low"],
        ),
        "k is less than 3 (runs that stop or never end, if any do, do not count)",
    );
}

#[test]
fn nothing_is_said_of_runs_that_were_tried_for_something_else() {
    let text = r#"game "Told"
player P, explore 1
var n: integer from 0 to 9, explore 0 to 1
var k: integer from 0 to 9, starts 0
sequence s
  contract
    changes k
  step a
    if n < 7
      gap silent
board b
  P p
  n = 7
verify s
claim low: must k = 9 after s
"#;
    let told = printed("dropped-trial", text, &["check", "told.endstep"]);
    says(&told, "=> it ends normally");
    says(
        &told,
        "S keeps its contract, but it could not have failed: no run tried for it ends normally.",
    );
}

/// Of `s` all boards are looked at, of `t` some.
const COVERED: &str = r#"game "Told"
player P, explore 1
var n: integer from 0 to 9, explore 0 to 2
var k: integer from 0 to 9, starts 0
sequence s
  step a
    if n = 5
      set k to 3
sequence t
  step a
    if n > 6
      set k to 4
verify s where n < 1
verify s
verify t where n = 1
claim c: must k = 0 after t
"#;

#[test]
fn what_was_looked_at_is_said_of_the_sequences_that_it_concerns() {
    let run = |name: &str, more: &[&str]| {
        let arguments = [
            &[
                "testgen",
                "told.endstep",
                "--exhaust",
                "--runs",
                "50",
                "-o",
                "v.json",
            ],
            more,
        ]
        .concat();
        printed(name, COVERED, &arguments)
    };
    let text = run("dropped-exhaust", &[]);
    says(
        &text,
        "no run from any legal board of the sizes and values explored does it (looked at: t only where n = 1)",
    );
    let text = run("dropped-exhaust-one", &["--sequence", "t"]);
    says(&text, "(looked at: t only where n = 1)");
}

#[test]
fn an_exploration_says_which_of_several_verify_it_takes() {
    let explore = ["explore", "told.endstep", "--sequence", "s"];
    says(
        &printed("dropped-explore", COVERED, &explore),
        "on 1 legal board that meets the `where` of its first `verify`",
    );
    let other = COVERED.replace(
        "verify s where n < 1\nverify s\n",
        "verify s\nverify s where n < 1\n",
    );
    says(
        &printed("dropped-explore-whole", &other, &explore),
        "on 3 legal boards, as its first `verify` asks",
    );
}

#[test]
fn mutants_are_alike_for_whom_they_were_compared() {
    let text = r#"game "Told"
var k: integer from 0 to 9, starts 0
var n: integer from 0 to 9, explore 0 to 1
observer o "table"
  sees k
sequence s
  step a
    increase n by 1
verify s observing o
"#;
    let told = printed(
        "dropped-mutants",
        text,
        &["mutate", "told.endstep", "--all"],
    );
    says(
        &told,
        "the same outcomes from each of 2 boards (comparing only what \"o\" sees)",
    );
    says(
        &told,
        "compared: s (2 boards) (comparing only what \"o\" sees)",
    );
}

#[test]
fn passages_of_two_documents_are_told_apart() {
    let text = r#"game "Told"
document d "The first"
  clause a.1 (rule) at "1"
    says "One."
document e "The second"
  clause b.1 (rule) at "1"
    says "Two."
reading r
  one "it is 1" cites a.1
  two "it is 2" cites b.1
var k: integer from 0 to 9, starts 0
sequence s
  step x
    set k to per r (one: 1 | two: 2)
verify s
"#;
    let told = printed("dropped-passages", text, &["check", "told.endstep"]);
    says(&told, "One side (The first, 1): \"One.\"");
    says(&told, "The other (The second, 1): \"Two.\"");
}

#[test]
fn steps_of_which_one_decides_in_which_order_places_come_are_not_proved() {
    let text = r#"game "Told"
player P, explore 2
  gold: integer from 0 to 9, explore 0 to 0
var k: integer from 0 to 9, starts 0
var act: P
sequence s, steps in any order, over each p: P, in player order from act, nest steps
  step b
    set act to p
  step c
    set k to p.gold
verify s
claim c1: order irrelevant in s
"#;
    let told = printed("dropped-proof", text, &["check", "told.endstep"]);
    never_says(&told, "any two can change places");
    let richer = text.replace("explore 0 to 0", "explore 0 to 1");
    let told = printed("dropped-richer", &richer, &["check", "told.endstep"]);
    says(&told, "F0610");
}

#[test]
fn a_difference_says_that_the_versions_look_at_different_things() {
    let old = r#"game "Told"
player P, explore 1
var k: integer from 0 to 9, starts 0
var n: integer from 0 to 9, explore 0 to 1
observer o "table"
  sees n
sequence s, steps in any order
  step a
    set k to 1
  step b
    set k to 2
verify s
claim c1: order irrelevant in s
"#;
    let new = old.replace("verify s", "verify s observing o");
    let folder = folder(
        "dropped-diff",
        &[("old.endstep", old), ("new.endstep", &new)],
    );
    let (text, _) = said(&folder, &["diff", "old.endstep", "new.endstep"]);
    says(
        &text,
        "Not the same was looked at: the `verify` of s differs. What only one version shows need not be new or gone.",
    );
    says(&text, "No longer found F0201");
    says(
        &text,
        "claim c1: refuted -> holds in scope (comparing only what \"o\" sees)",
    );
    let (text, _) = said(&folder, &["diff", "old.endstep", "old.endstep"]);
    never_says(&text, "Not the same");
}

#[test]
fn what_influences_a_claim_by_contract_is_not_told() {
    let fields = ["graph", "told.endstep", "--kind", "fields"];
    let text = printed("dropped-cone", BY_CONTRACT, &fields);
    never_says(&text, "can influence");
    let rules = BY_CONTRACT.replace(" with sub by contract", "");
    says(&printed("dropped-cone-rules", &rules, &fields), "influence");
}

#[test]
fn an_order_of_places_is_not_called_one_of_steps() {
    let text = r#"game "Told"
player P, explore 2
  gold: integer from 0 to 9, explore 0 to 1
var k: integer from 0 to 9, starts 0
sequence s, over each p: P, nest steps
  step b
    set k to p.gold
verify s
"#;
    let told = printed("dropped-places", text, &["check", "told.endstep"]);
    says(
        &told,
        "whether p 1 or p 2 comes first among the places for which s is done, and it makes a difference",
    );
}
