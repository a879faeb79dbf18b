//! Sentences that were true in most cases of their kind, and not in all.

use std::fs;
use std::path::Path;

use endstep::analysis::Options;
use endstep::diag::Code;
use endstep::typing::program::Program;

use super::{Checked, never_says, says, told};
use crate::folder::empty;
use crate::usage::endstep;

/// What a command prints about a text, as words with one space between them.
fn printed(name: &str, text: &str, arguments: &[&str]) -> String {
    let folder = empty(name);
    fs::write(folder.join("told.endstep"), text).unwrap();
    let output = endstep(arguments, &folder);
    let all = [output.stdout, output.stderr].concat();
    let all = String::from_utf8(all).unwrap();
    all.split_whitespace().collect::<Vec<_>>().join(" ")
}

const BACK: &str = r#"game "Changed and changed back"
var tax: integer from 0 to 2, starts 0
sequence upkeep
  contract
    changes tax within 0 to 2
    ensures tax = old tax
  step grow
    increase tax by 1
  step shrink
    decrease tax by 1
verify upkeep
claim any: invariant tax < 2 throughout upkeep
"#;

#[test]
fn what_changes_back_could_have_broken_a_contract() {
    let text = told(BACK);
    says(&text, "F0613 it holds, and was hardly put to the test");
    says(
        &text,
        "Upkeep keeps its contract, but at every normal end all that it lists is as it was at the start.",
    );
    says(
        &text,
        "upkeep keeps its contract (at every end all that it lists is as it was at the start)",
    );
    never_says(&text, "could not have failed");
    never_says(&text, "ever changes");
    let kept = BACK.replace("  step shrink\n    decrease tax by 1\n", "");
    never_says(&told(&kept), "F0613");
}
