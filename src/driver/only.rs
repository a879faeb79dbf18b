//! Turns what people write on a command line, `Card=2` or `zero=exactly`, into ids.

use crate::semantics::Readings;
use crate::typing::program::{FieldId, Program, SortId, Type, Value};

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

fn expected(what: &str, found: &str, names: impl Iterator<Item = String>) -> NotFound {
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
/// If there is no such sort, or the value is no number.
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
        Ok((id, number))
    };
    choices.iter().map(size).collect()
}

/// The values of fields that are chosen: `Card.afterlife=nothing,draw`.
///
/// # Errors
///
/// If there is no such field or value.
pub fn fields(
    program: &Program,
    choices: &[Choice],
) -> Result<Vec<(FieldId, Vec<Value>)>, NotFound> {
    let field = |choice: &Choice| {
        let (sort, name) = choice.name.split_once('.').unwrap_or((&choice.name, ""));
        let mut fields = program.fields.iter();
        let is_it = |field: &crate::typing::program::Field| {
            field.name == name && program.sorts[field.sort].name == sort
        };
        let Some((id, field)) = fields.find(|(_, field)| is_it(field)) else {
            let names = program.fields.values().iter();
            let names = names.map(|one| format!("{}.{}", program.sorts[one.sort].name, one.name));
            return Err(expected("the field", &choice.name, names));
        };
        let values = choice
            .value
            .split(',')
            .map(|text| value(program, field.ty, text.trim()));
        Ok((id, values.collect::<Result<_, _>>()?))
    };
    choices.iter().map(field).collect()
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
