//! Parts of a check, made on several machines, and the report that they give together.
//!
//! `--shard 2/3` checks the 2nd, 5th, 8th … specification. What it prints is the JSON report on them, with
//! the number of the part, and for each specification its position and what the report as text says of it:
//! so the parts together give the same bytes as a check of everything, in every format.

use crate::report::{Policy, SCHEMA_VERSION, Tally};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::str::FromStr;

use super::exit::Exit;

/// Which part of how many; counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Shard {
    index: usize,
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(format!(
                "found `{text}`, expected I/N such as 2/3, with I from 1 to N"
            )),
        }
    }
}

impl Shard {
    /// Whether the specification at a position, counted from 0, belongs to the part.
    pub(super) fn has(self, position: usize) -> bool {
        position % self.of == self.index - 1
    }
}

/// What is shown of one specification.
#[derive(Debug)]
pub(super) struct Shown {
    /// As JSON.
    pub json: Value,
    /// As text.
    pub text: String,
    /// What is wrong with it, as text for standard error.
    pub complaints: String,
    /// The numbers of findings.
    pub tally: Tally,
}

/// The report on specifications, or on a part of them.
pub(super) fn report(
    shown: Vec<(usize, Shown)>,
    exit: Exit,
    policy: Policy,
    shard: Option<Shard>,
) -> Value {
    let one = |(position, shown): (usize, Shown)| {
        let mut json = shown.json;
        if shard.is_some() {
            json["part"] = json!({
                "position": position,
                "text": shown.text,
                "complaints": shown.complaints,
                "tally": shown.tally,
            });
        }
        json
    };
    let mut report = json!({
        "version": SCHEMA_VERSION,
        "endstep": env!("CARGO_PKG_VERSION"),
        "exit": exit as u8,
        "policy": policy,
        "specifications": shown.into_iter().map(one).collect::<Vec<_>>(),
    });
    if let Some(shard) = shard {
        report["shard"] = json!(shard);
    }
    report
}

/// A part that was read.
#[derive(Deserialize)]
struct Read {
    version: u32,
    endstep: String,
    exit: u8,
    policy: Policy,
    shard: Shard,
    specifications: Vec<Value>,
}

#[derive(Deserialize)]
struct Place {
    position: usize,
    text: String,
    complaints: String,
    tally: Tally,
}

/// What parts give together.
pub(super) struct Joined {
    /// The specifications in order.
    pub shown: Vec<(usize, Shown)>,
    /// The exit code of the check.
    pub exit: Exit,
    /// What failed.
    pub policy: Policy,
}

/// Joins parts, given with the names of their files.
///
/// # Errors
///
/// Why they are not all parts of one check.
pub(super) fn join(parts: Vec<(String, String)>) -> Result<Joined, String> {
    let mut seen: Vec<Shard> = Vec::new();
    let mut shown = Vec::new();
    let mut exit = Exit::Ok;
    let mut common: Option<(usize, Policy)> = None;
    for (name, text) in parts {
        let (part, code) = read(&name, &text)?;
        let (of, policy) = *common.get_or_insert((part.shard.of, part.policy));
        if (of, policy) != (part.shard.of, part.policy) {
            return Err(format!(
                "`{name}` is part of another check than the files before it"
            ));
        }
        if seen.contains(&part.shard) {
            let index = part.shard.index;
            return Err(format!(
                "found part {index} of {of} twice, in `{name}` again"
            ));
        }
        seen.push(part.shard);
        exit = exit.worse(code);
        for json in part.specifications {
            shown.push(specification(&name, json)?);
        }
    }
    let Some((of, policy)) = common else {
        return Err("found no part, expected all parts of a check".to_owned());
    };
    let missing = (1..=of).filter(|index| !seen.iter().any(|one| one.index == *index));
    let missing: Vec<String> = missing.map(|index| index.to_string()).collect();
    if !missing.is_empty() {
        let (found, missing) = (seen.len(), missing.join(", "));
        return Err(format!("found {found} of {of} parts: missing {missing}"));
    }
    shown.sort_by_key(|(position, _)| *position);
    Ok(Joined {
        shown,
        exit,
        policy,
    })
}

/// Reads a part, and the exit code of the check so far.
fn read(name: &str, text: &str) -> Result<(Read, Exit), String> {
    let part: Read = serde_json::from_str(text).map_err(|error| {
        format!("`{name}` is no part of a check (`check --shard I/N`): {error}")
    })?;
    let ours = env!("CARGO_PKG_VERSION");
    if (part.version, part.endstep.as_str()) != (SCHEMA_VERSION, ours) {
        let theirs = &part.endstep;
        return Err(format!(
            "`{name}` was written by endstep {theirs}, expected {ours}"
        ));
    }
    match Exit::of(part.exit) {
        Some(code) => Ok((part, code)),
        None => Err(format!(
            "`{name}` has the exit code {}, which no check has",
            part.exit
        )),
    }
}

/// Takes from a specification what only parts have.
fn specification(name: &str, mut json: Value) -> Result<(usize, Shown), String> {
    let place = json
        .as_object_mut()
        .and_then(|members| members.remove("part"));
    let place: Place = serde_json::from_value(place.unwrap_or_default())
        .map_err(|error| format!("`{name}` is no part of a check: {error}"))?;
    let shown = Shown {
        json,
        text: place.text,
        complaints: place.complaints,
        tally: place.tally,
    };
    Ok((place.position, shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_specification_belongs_to_one_part() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"]
            .map(|text| text.parse().unwrap())
            .into();
        for position in 0..10 {
            assert_eq!(shards.iter().filter(|shard| shard.has(position)).count(), 1);
        }
        for wrong in ["0/3", "4/3", "1", "1/0", "a/b", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
