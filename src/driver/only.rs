//! Turns what people write on a command line, `Card=2` or `zero=exactly`, into ids.

use endstep_language::diag::Code;
use endstep_language::typing::program::{Field, FieldId, Program, SortId, Type, Value};
use endstep_semantics::semantics::Readings;
use endstep_verdicts::analysis::is_about;
use std::collections::BTreeSet;

/// More entities of one sort are not explored.
const MOST_ENTITIES: u32 = 64;

/// So many names are suggested.
const MOST_NAMES: usize = 30;

/// `NAME=VALUE` as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What stands before the `=`.
    pub name: String,
    /// What stands after it.
    pub value: String,
}

/// Something on the command line names what the specification does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotFound(pub String);

impl std::str::FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                Ok(Self {
                    name: name.trim().to_owned(),
                    value: value.trim().to_owned(),
                })
            }
            _ => Err(format!("found `{text}`, expected NAME=VALUE")),
        }
    }
}

pub(super) fn expected(what: &str, found: &str, names: impl Iterator<Item = String>) -> NotFound {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    NotFound(match names.is_empty() {
        true => format!("found {what} `{found}`, and the specification has none"),
        false => format!(
            "found {what} `{found}`, expected one of {}",
            names.join(", ")
        ),
    })
}

/// The readings that are chosen: `zero=exactly`.
///
/// # Errors
///
/// If there is no such reading or alternative.
pub fn readings(program: &Program, choices: &[Choice]) -> Result<Readings, NotFound> {
    let mut chosen = Readings::new();
    for choice in choices {
        let mut all = program.readings.iter();
        let Some((id, reading)) = all.find(|(_, reading)| reading.name == choice.name) else {
            let names = program
                .readings
                .values()
                .iter()
                .map(|reading| reading.name.clone());
            return Err(expected("the reading", &choice.name, names));
        };
        let mut alternatives = reading.alternatives.iter();
        let Some(at) = alternatives.position(|one| one.name == choice.value) else {
            let names = reading.alternatives.iter().map(|one| one.name.clone());
            return Err(expected("the alternative", &choice.value, names));
        };
        chosen.insert(id, at as u16);
    }
    Ok(chosen)
}

/// The numbers of entities that are chosen: `Card=2`.
///
/// # Errors
///
/// If there is no such sort, the value is no number, or no board has so many.
pub fn sizes(program: &Program, choices: &[Choice]) -> Result<Vec<(SortId, u32)>, NotFound> {
    let size = |choice: &Choice| {
        let mut sorts = program.sorts.iter();
        let Some((id, _)) = sorts.find(|(_, sort)| sort.name == choice.name) else {
            let names = program.sorts.values().iter().map(|sort| sort.name.clone());
            return Err(expected("the sort", &choice.name, names));
        };
        let number = choice.value.parse();
        let number = number.map_err(|_| {
            let found = &choice.value;
            NotFound(format!(
                "found `{found}`, expected how many {}",
                choice.name
            ))
        })?;
        let sort = &program.sorts[id];
        let (least, declared) = sort.document.unwrap_or((0, MOST_ENTITIES));
        let (least, most) = (least.max(sort.explore.0), declared.min(MOST_ENTITIES));
        if !(least..=most).contains(&number) {
            return Err(NotFound(format!(
                "found {number} of `{}`, expected a number from {least} to {most}",
                choice.name
            )));
        }
        Ok((id, number))
    };
    choices.iter().map(size).collect()
}

/// The values of fields that are chosen: `Card.afterlife=nothing,draw`.
///
/// # Errors
///
/// If there is no such field or value, or the value is not explored.
pub fn fields(
    program: &Program,
    choices: &[Choice],
) -> Result<Vec<(FieldId, Vec<Value>)>, NotFound> {
    let field = |choice: &Choice| {
        let (sort, name) = choice.name.split_once('.').unwrap_or((&choice.name, ""));
        let mut fields = program.fields.iter();
        let is_it = |field: &Field| field.name == name && program.sorts[field.sort].name == sort;
        let Some((id, field)) = fields.find(|(_, field)| is_it(field)) else {
            let names = program.fields.values().iter();
            let names = names.map(|one| format!("{}.{}", program.sorts[one.sort].name, one.name));
            return Err(expected("the field", &choice.name, names));
        };
        let values = choice
            .value
            .split(',')
            .map(|text| explored(program, field, text.trim()));
        Ok((id, values.collect::<Result<_, _>>()?))
    };
    choices.iter().map(field).collect()
}

/// A value of a field that some board has.
fn explored(program: &Program, field: &Field, text: &str) -> Result<Value, NotFound> {
    let value = value(program, field.ty, text)?;
    let only = |what: String| {
        let path = format!("{}.{}", program.sorts[field.sort].name, field.name);
        NotFound(format!("found `{text}` for `{path}`, expected {what}"))
    };
    if let Some(start) = field.starts {
        return match start == value {
            true => Ok(value),
            false => Err(only("the value with which all boards start".to_owned())),
        };
    }
    let bounds = field.bounds.explore.or(field.bounds.document);
    match (value, bounds) {
        (Value::Int(n), Some((low, high))) if !(low..=high).contains(&n) => Err(only(format!(
            "a value that is explored, from {low} to {high}"
        ))),
        (Value::Int(n), _) if !is_tried(field, n) => {
            Err(only("one of the values that are explored".to_owned()))
        }
        _ => Ok(value),
    }
}

/// Whether a number is one of those that are listed to be tried; without a list, all are.
fn is_tried(field: &Field, number: i64) -> bool {
    let mut listed = field.listed.iter();
    field.listed.is_empty() || listed.any(|(low, high)| (*low..=*high).contains(&number))
}

fn value(program: &Program, ty: Type, text: &str) -> Result<Value, NotFound> {
    let wrong = |wanted: &str| NotFound(format!("found `{text}`, expected {wanted}"));
    match ty {
        Type::Int => text.parse().map(Value::Int).map_err(|_| wrong("a number")),
        Type::Bool => text
            .parse()
            .map(Value::Bool)
            .map_err(|_| wrong("`true` or `false`")),
        Type::Enum(id) => {
            let values = &program.enums[id].values;
            let at = values.iter().position(|value| value == text);
            at.map(|at| Value::Enum(at as u16))
                .ok_or_else(|| expected("the value", text, values.iter().cloned()))
        }
        Type::Optional(_) if text == "none" => Ok(Value::None),
        Type::Entity(_) | Type::Optional(_) => Err(wrong(
            "a field that holds numbers, truth values or named values",
        )),
    }
}

/// What findings are restricted to: codes, clauses, claims and subjects.
///
/// # Errors
///
/// If one of them can be that of no finding.
pub fn only(program: &Program, words: &[String]) -> Result<Vec<String>, NotFound> {
    let names = names(program);
    let events = program.events.values().iter();
    let events: Vec<String> = events.map(|one| format!("event {}", one.name)).collect();
    let paths = program.stmts.values().iter().map(|stmt| &stmt.path);
    let paths: Vec<&String> = paths.chain(&names).chain(&events).collect();
    for word in words {
        let code = Code::find(word).filter(|code| code.id().starts_with('F'));
        if code.is_none() && !paths.iter().any(|name| is_about(word, name)) {
            let mut known: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let more = known.len().saturating_sub(MOST_NAMES);
            known.truncate(MOST_NAMES);
            let mut known = known.join(", ");
            if more > 0 {
                known.push_str(&format!(" and {more} others"));
            }
            return Err(NotFound(format!(
                "found `{word}`, expected the code of a finding such as F0201, or one of {known}"
            )));
        }
    }
    Ok(words.to_vec())
}

/// The claims that words name, by position, if they name nothing else: then nothing else has to be
/// looked at.
pub fn claims(program: &Program, words: &[String]) -> Option<Vec<usize>> {
    let others = names_but_claims(program);
    let paths = program.stmts.values().iter().map(|stmt| &stmt.path);
    let others: Vec<&String> = paths.chain(&others).collect();
    let claim = |word: &String| {
        let is_other = others.iter().any(|name| is_about(word, name));
        let mut claims = program.claims.iter();
        let at = claims.position(|claim| claim.name == *word);
        at.filter(|_| !is_other && Code::find(word).is_none())
    };
    let claims: Option<Vec<usize>> = words.iter().map(claim).collect();
    claims.filter(|claims| !claims.is_empty())
}

/// What findings can be about, each once: claims, examples, clauses, sequences, steps and so on.
fn names(program: &Program) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    names.extend(program.claims.iter().map(|one| one.name.clone()));
    names.extend(names_but_claims(program));
    let mut seen = BTreeSet::new();
    names.retain(|name| !name.is_empty() && seen.insert(name.clone()));
    names
}

fn names_but_claims(program: &Program) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    names.extend(program.examples.iter().map(|one| one.name.clone()));
    names.extend(program.clauses.values().iter().map(|one| one.id.clone()));
    for sequence in program.sequences.values() {
        names.push(sequence.name.clone());
        let steps = sequence.steps.iter().map(|&step| &program.steps[step].name);
        names.extend(steps.map(|step| format!("{}/{step}", sequence.name)));
    }
    names.extend(program.readings.values().iter().map(|one| one.name.clone()));
    names.extend(program.legals.iter().map(|one| one.name.clone()));
    names.extend(program.triggers.values().iter().map(|one| one.name.clone()));
    names.extend(program.events.values().iter().map(|one| one.name.clone()));
    names.extend(program.gaps.values().iter().map(|one| one.name.clone()));
    names.extend(program.zones.values().iter().map(|one| one.name.clone()));
    names.extend(program.vars.values().iter().map(|one| one.name.clone()));
    for field in program.fields.values() {
        names.push(format!("{}.{}", program.sorts[field.sort].name, field.name));
    }
    for document in program.documents.values() {
        names.push(document.name.clone());
    }
    names
}
