//! Two things of one name are told apart: the places of a sequence and its list of steps, what is asked under one
//! name, and what is found in two specifications.

use super::{never_says, printed, says};
use crate::folder::empty;
use crate::usage::endstep;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// The steps are in order, which matters; the places are in any order, which does not.
const PLACES: &str = r#"game "Places"
player Player, explore 1
entity Card, explore 2
  a: integer, explore 0 to 0, reach 0 to 99
zone row of Card
var n: integer, explore 0 to 0, reach 0 to 99
clause c.1 (rule) at "1"
  sequence e, over each x: Card in row, in any order, nest steps
    step p
      increase n by n + 1
    step q
      increase n by n + 1
      increase n by 1
  verify e
"#;

/// The verdicts on orders, by what they are about.
fn orders(name: &str, text: &str) -> Vec<(String, String)> {
    let json = printed(name, text, &["check", "told.endstep", "--format", "json"]);
    let report: Value = serde_json::from_str(&json).unwrap();
    let answers = report["specifications"][0]["answers"].as_array().unwrap();
    let answers = answers.iter().filter(|one| one["kind"] == "order");
    let text = |one: &Value| one.as_str().unwrap().to_owned();
    answers
        .map(|one| (text(&one["subject"]), text(&one["verdict"])))
        .collect()
}

#[test]
fn the_places_of_a_sequence_are_not_its_list_of_steps() {
    let is = |name: &str, text: &str, expected: &[(&str, &str)]| {
        let found = orders(name, text);
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(found, expected);
    };
    is("apart-places", PLACES, &[("places of e", "holds in scope")]);
    let check = ["check", "told.endstep", "--all"];
    let text = printed("apart-text", PLACES, &check);
    says(
        &text,
        "the order does not matter among the places for which e is done",
    );
    never_says(&text, "list of steps");
    let explored = printed("apart-explore", PLACES, &["explore", "told.endstep"]);
    says(&explored, "the places for which e is done");
    never_says(&explored, "list of steps");
    // Both are open: each has a verdict of its own.
    let both = PLACES.replace("sequence e,", "sequence e, steps in any order,");
    let verdicts = [("e", "refuted"), ("places of e", "holds in scope")];
    is("apart-both", &both, &verdicts);
    let placed = PLACES.replace("nest steps", "nest places");
    let placed = placed.replace("increase n by 1\n", "increase x.a by n\n");
    is("apart-refuted", &placed, &[("places of e", "refuted")]);
}

#[test]
fn a_claim_an_example_and_a_contract_of_one_name_are_each_told() {
    let text = r#"game "One name"
var n: integer from 0 to 9, explore 0 to 0
sequence k
  basis text
  contract
    changes n
  step a
    nothing
verify k
claim k: must n = 1 after k where n = 3
sequence l
  basis text
  step b
    repeat while true
      nothing
example k
  given
    n = 0
  perform l
  expect n = 0
"#;
    let json = printed(
        "apart-names",
        text,
        &["check", "told.endstep", "--format", "json"],
    );
    let report: Value = serde_json::from_str(&json).unwrap();
    let findings = report["specifications"][0]["findings"].as_array().unwrap();
    let untested = findings.iter().filter(|one| one["code"] == "F0613");
    let prints: BTreeSet<String> = untested
        .map(|one| one["fingerprint"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(prints.len(), 3, "{json}");
}

#[test]
fn witnesses_of_two_specifications_do_not_overwrite_each_other() {
    let folder = empty("apart-witnesses");
    let open = PLACES.replace("sequence e,", "sequence e, steps in any order,");
    for name in ["one.endstep", "two.endstep"] {
        fs::write(folder.join(name), &open).unwrap();
    }
    let check = [
        "check",
        "one.endstep",
        "two.endstep",
        "--save-witnesses",
        "w",
    ];
    let output = endstep(&check, &folder);
    assert_eq!(output.status.code(), Some(1));
    let files = |name: &str| fs::read_dir(folder.join("w").join(name)).unwrap().count();
    assert_eq!((files("one"), files("two")), (1, 1));
}
