//! Parts of a check, made on several machines, and the report that they give together.
//!
//! `--shard 2/3` checks the 2nd, 5th, 8th … specification. What it prints is the JSON report on them, with
//! the number of the part, an account of the whole check, and for each specification its position and what
//! the report as text says of it: so the parts together give the same bytes as a check of everything, in
//! every format.
//!
//! *Guarantees.* Only parts with the same account are joined, each once and none left out.

use super::account::Account;
use super::exit::Exit;
use super::shard::Shard;
use endstep_report::report::{Policy, SCHEMA_VERSION, Tally};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

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
    part: Option<(Shard, &Account)>,
) -> Value {
    let one = |(position, shown): (usize, Shown)| {
        let mut json = shown.json;
        if part.is_some() {
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
    if let Some((shard, account)) = part {
        report["shard"] = json!(shard);
        report["check"] = json!(account);
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
    check: Account,
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
    let mut seen: BTreeMap<usize, String> = BTreeMap::new();
    let mut shown = Vec::new();
    let mut exit = Exit::Ok;
    let mut first: Option<First> = None;
    for (name, text) in parts {
        let (part, code) = read(&name, &text)?;
        let first = first.get_or_insert_with(|| First {
            name: name.clone(),
            of: part.shard.of,
            policy: part.policy,
            account: part.check.clone(),
        });
        if let Some(why) = first.difference(&name, &part) {
            let other = &first.name;
            return Err(format!(
                "`{name}` is part of another check than `{other}`: {why}"
            ));
        }
        if let Some(other) = seen.insert(part.shard.index, name.clone()) {
            let Shard { index, of } = part.shard;
            return Err(format!(
                "found part {index} of {of} twice, in `{other}` and `{name}`"
            ));
        }
        exit = exit.worse(code);
        shown.extend(specifications(&name, part)?);
    }
    let Some(First { of, policy, .. }) = first else {
        return Err("found no part, expected all parts of a check".to_owned());
    };
    let missing = (1..=of).filter(|index| !seen.contains_key(index));
    let named: Vec<String> = missing
        .clone()
        .take(20)
        .map(|index| index.to_string())
        .collect();
    if !named.is_empty() {
        let (found, missing) = (seen.len(), named.join(", "));
        let more = if of - found > named.len() {
            ", …"
        } else {
            ""
        };
        return Err(format!(
            "found {found} of {of} parts: missing {missing}{more}"
        ));
    }
    shown.sort_by_key(|(position, _)| *position);
    Ok(Joined {
        shown,
        exit,
        policy,
    })
}

/// What all parts have in common, as the first one says it.
struct First {
    name: String,
    of: usize,
    policy: Policy,
    account: Account,
}

impl First {
    /// How a part differs from it, if so.
    fn difference(&self, name: &str, part: &Read) -> Option<String> {
        if self.of != part.shard.of {
            return Some(format!(
                "that one was split into {}, this one into {}",
                self.of, part.shard.of
            ));
        }
        let names = (self.name.as_str(), name);
        let other =
            || (self.policy != part.policy).then(|| "what fails is not the same".to_owned());
        self.account.difference(names, &part.check).or_else(other)
    }
}

/// The specifications of a part: those that it has to have, and no others.
fn specifications(name: &str, part: Read) -> Result<Vec<(usize, Shown)>, String> {
    let all = part.check.specifications.iter().enumerate();
    let wanted = all.filter(|(position, _)| part.shard.has(*position));
    let wanted: Vec<(usize, String)> = wanted.map(|(at, name)| (at, name.clone())).collect();
    let mut shown = Vec::new();
    for json in part.specifications {
        shown.push(specification(name, json)?);
    }
    let found = shown
        .iter()
        .map(|(at, shown)| (*at, shown.json["name"].as_str()));
    let expected = wanted.iter().map(|(at, name)| (*at, Some(name.as_str())));
    match found.eq(expected) {
        true => Ok(shown),
        false => Err(format!(
            "`{name}` is no whole part of a check: expected the specifications {}",
            listed(wanted.iter().map(|(_, name)| name.as_str()))
        )),
    }
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => "(none)".to_owned(),
        false => names.join(", "),
    }
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
        _ if part.exit == Exit::Interrupted as u8 => Err(format!(
            "`{name}` is no whole part of a check: it was interrupted"
        )),
        Some(code) => Ok((part, code)),
        None => Err(format!(
            "`{name}` is a part of a check that could not be made (exit code {})",
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
