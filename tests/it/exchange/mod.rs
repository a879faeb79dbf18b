//! Reports in the formats of other programs: they are valid, and nothing is lost in them.

mod github;
mod junit;
mod sarif;
mod xsd;

use serde_json::Value;
use std::path::{Path, PathBuf};

use crate::usage::endstep;

/// Specifications with all that a report can tell: errors, new, expected, accepted and vanished findings,
/// `accept`s that cover nothing, open questions, loops, readings.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let names = ["cli/check.in", "corpus/limit", "corpus/typing/fail"];
    names.into_iter().map(|name| root.join(name)).collect()
}

/// What a check of a folder prints in a format.
fn check(folder: &Path, format: &str) -> String {
    let output = endstep(&["check", ".", "--format", format], folder);
    assert!(output.status.code().is_some_and(|code| code < 64));
    String::from_utf8(output.stdout).unwrap()
}

fn check_json(folder: &Path) -> Value {
    serde_json::from_str(&check(folder, "json")).unwrap()
}

/// The members of an array.
fn all<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value[name].as_array().into_iter().flatten()
}

/// What the JSON report has of something, in all specifications.
fn each<'v>(report: &'v Value, name: &str) -> Vec<&'v Value> {
    let specifications = all(report, "specifications");
    specifications.flat_map(|one| all(one, name)).collect()
}
