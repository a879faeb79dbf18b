//! What options left out is said wherever something holds, and an option that leaves nothing out changes nothing.

use super::left_out::{case, folder, said};
use super::{never_says, says};
use crate::usage::endstep;
use serde_json::Value;

/// With two cards of different values the order decides; only those with the value 0 are explored.
const SUGGESTED: &str = r#"game "Told"
player P, explore 1
entity Card, explore up to 2
  v: integer from 0 to 9, explore 0 to 2
zone row of Card
var k: integer from 0 to 9, starts 0
reading r
  one "1"
  two "2"
sequence s
  step a
    for each c in row, in any order
      set k to c.v
  step b
    if r is two
      set k to k
verify s
claim any_order: order irrelevant in s
"#;

const UNTRIED: &str = "Boards that the prover suggests were not tried.";

const BEYOND: &str = "Boards that the prover suggests were not tried, nor claims on boards of the file that they do not name.";

#[test]
fn an_option_that_leaves_nothing_out_changes_nothing() {
    let narrow = SUGGESTED.replace("explore 0 to 2", "explore 0 to 0");
    let folder = folder(
        "dropped-options",
        &[
            ("old.endstep", SUGGESTED),
            ("new.endstep", &narrow),
            ("same.toml", "[sizes]\nCard = 2\n"),
            ("less.toml", "[sizes]\nCard = 1\n"),
        ],
    );
    let check = |more: &[&str]| said(&folder, &[&["check", "new.endstep"], more].concat());
    for options in [
        &[][..],
        &["--scope", "P=1"],
        &["--scope", "Card=2"],
        &["--scope", "Card=3"],
        &["--scope", "Card.v=0"],
        &["--config", "same.toml"],
    ] {
        let (text, exit) = check(options);
        assert_eq!(exit, 1, "{options:?} {text}");
        says(&text, "found on: a board that the prover suggested");
        never_says(&text, "Only a part");
    }
    let diff = |more: &[&str]| {
        said(
            &folder,
            &[&["diff", "old.endstep", "new.endstep"], more].concat(),
        )
        .0
    };
    for options in [&[][..], &["--scope", "P=1"]] {
        let text = diff(options);
        never_says(&text, "No longer found F");
        never_says(&text, "refuted -> holds in scope");
    }
}

#[test]
fn boards_that_were_not_tried_are_named_wherever_something_holds() {
    let narrow = SUGGESTED.replace("explore 0 to 2", "explore 0 to 0");
    let folder = folder(
        "dropped-untried",
        &[
            ("old.endstep", SUGGESTED),
            ("new.endstep", &narrow),
            ("less.toml", "[sizes]\nCard = 1\n"),
        ],
    );
    let check = |more: &[&str]| said(&folder, &[&["check", "new.endstep"], more].concat()).0;
    let only = ["--only", "any_order"];
    let of_claim = format!("Other findings are not shown: `--only any_order`. {UNTRIED}");
    says(&check(&only), &of_claim);
    let part = format!("Only a part was explored: `--reading r=two`. {BEYOND}");
    says(&check(&["--reading", "r=two"]), &part);
    let sized = format!("Only a part was explored: `sizes.Card = 1`. {BEYOND}");
    says(&check(&["--config", "less.toml"]), &sized);
    for format in ["github", "sarif", "junit"] {
        says(
            &check(&[&only[..], &["--format", format]].concat()),
            &of_claim,
        );
        says(
            &check(&["--config", "less.toml", "--format", format]),
            &sized,
        );
    }
    let json = check(&[&only[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["specifications"][0]["only_claims"], true);
    let diff = |more: &[&str]| {
        said(
            &folder,
            &[&["diff", "old.endstep", "new.endstep"], more].concat(),
        )
        .0
    };
    says(&diff(&only), &of_claim);
    says(&diff(&["--reading", "r=two"]), &part);
    says(
        &said(&folder, &["report", "new.endstep", "--only", "any_order"]).0,
        &format!("Other findings are not shown. {UNTRIED}"),
    );
}

#[test]
fn what_is_expected_is_not_written_where_a_size_left_something_out() {
    let folder = folder(
        "dropped-written",
        &[
            ("told.endstep", SUGGESTED),
            ("less.toml", "[sizes]\nCard = 1\n"),
        ],
    );
    let update = ["check", "told.endstep", "--update-expected"];
    said(&folder, &update);
    let list = || std::fs::read_to_string(folder.join("told.expected.json")).unwrap();
    let before = list();
    says(&before, "F0201");
    let (_, exit) = said(&folder, &[&update[..], &["--config", "less.toml"]].concat());
    assert_eq!((exit, list()), (64, before));
    let junit = [
        "check",
        "told.endstep",
        "--config",
        "less.toml",
        "--format",
        "junit",
    ];
    let report = String::from_utf8(endstep(&junit, &folder).stdout).unwrap();
    let report = roxmltree::Document::parse(&report).unwrap();
    let why = Some("Only a part was explored: `sizes.Card = 1`.");
    assert_eq!(case(&report, "F0201"), why);
    assert!(case(&report, "what is expected and accepted").is_some());
}
