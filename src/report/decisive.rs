//! The values that decide whether something is found, in words.
//!
//! ```text
//! found -2 -1 0, not 1 2 3        creature 1 has health of at most 0
//! found 1 3, not 0 2              creature 1 has health of 1 or 3
//! found no, not yes               creature 1 is not guest
//! ```

use super::layout::list;
use super::occurs::{test_words, value_name, var_is};
use super::words::{Words, plain};
use crate::semantics::{Names, Spot};
use crate::typing::program::{Program, Type, Value};
use crate::verdict::{Decisive, Test};
use serde_json::{Value as Json, json};

/// All that decides; empty if that is nothing, or not known.
pub(super) fn described(words: Words<'_>, names: &Names, all: &[Decisive]) -> String {
    let told: Vec<String> = all.iter().map(|one| said(words, names, one)).collect();
    match told.is_empty() {
        true => String::new(),
        false => format!(
            "with one value of the board changed, it is found only as long as {}",
            told.join("; ")
        ),
    }
}

/// When it is found, as a sentence.
fn said(words: Words<'_>, names: &Names, one: &Decisive) -> String {
    let program = words.program;
    let numbers = numbers(one);
    let holds = one.found.len() <= one.other.len();
    let shorter = if holds { &one.found } else { &one.other };
    match (one.spot, numbers) {
        (Spot::Var(var), None) => var_is(program, var, shorter, holds),
        (Spot::Var(var), Some(numbers)) => {
            format!("{} is {numbers}", plain(&program.vars[var].name))
        }
        (Spot::Field(id, field), None) => {
            let test = Test::Value(field, shorter.clone());
            let test = test_words(program, &test, holds);
            format!("{} {test}", names.entity(id))
        }
        (Spot::Field(id, field), Some(numbers)) => {
            let name = plain(&program.fields[field].name);
            format!("{} has {name} of {numbers}", names.entity(id))
        }
    }
}

/// Numbers with which it is found, by the numbers that are legal: `at most 0`, `1 to 3 or at least 7`.
/// `None` of what is no number.
fn numbers(one: &Decisive) -> Option<String> {
    let number = |value: &Value| match value {
        Value::Int(number) => Some(*number),
        _ => None,
    };
    let both = one.found.iter().chain(&one.other);
    let mut legal: Vec<i64> = both.map(number).collect::<Option<_>>()?;
    legal.sort_unstable();
    let found = |at: usize| one.found.contains(&Value::Int(legal[at]));
    let mut parts = Vec::new();
    let mut at = 0;
    while at < legal.len() {
        let from = at;
        while at < legal.len() && found(at) {
            at += 1;
        }
        if at == from {
            at += 1;
            continue;
        }
        let (first, last) = (legal[from], legal[at - 1]);
        parts.push(match at - from {
            1 => first.to_string(),
            _ if one.all && from == 0 => format!("at most {last}"),
            _ if one.all && at == legal.len() => format!("at least {first}"),
            2 => format!("{first} or {last}"),
            _ => format!("{first} to {last}"),
        });
    }
    let mut said = list(&parts, "or");
    if let (false, Some(first), Some(last)) = (one.all, legal.first(), legal.last()) {
        said.push_str(&format!(" ({first} to {last} were tried)"));
    }
    Some(said)
}

/// The same as data.
pub(super) fn json(words: Words<'_>, names: &Names, one: &Decisive) -> Json {
    let program = words.program;
    let (entity, name, ty) = match one.spot {
        Spot::Var(var) => (None, &program.vars[var].name, program.vars[var].ty),
        Spot::Field(id, field) => {
            let field = &program.fields[field];
            (Some(names.entity(id)), &field.name, field.ty)
        }
    };
    let values = |values: &[Value]| -> Vec<Json> {
        let values = values.iter();
        values
            .map(|value| value_json(program, ty, *value))
            .collect()
    };
    json!({
        "entity": entity,
        "name": name,
        "found": values(&one.found),
        "other": values(&one.other),
        "all": one.all,
    })
}

fn value_json(program: &Program, ty: Type, value: Value) -> Json {
    match value {
        Value::Int(number) => json!(number),
        Value::Bool(is) => json!(is),
        value => json!(value_name(program, ty, value)),
    }
}

#[cfg(test)]
mod tests {
    use super::numbers;
    use crate::index::Id;
    use crate::semantics::Spot;
    use crate::typing::program::{Value, VarId};
    use crate::verdict::Decisive;

    fn said(found: &[i64], other: &[i64], all: bool) -> Option<String> {
        let values = |all: &[i64]| all.iter().map(|&n| Value::Int(n)).collect();
        numbers(&Decisive {
            spot: Spot::Var(VarId::from_index(0)),
            found: values(found),
            other: values(other),
            all,
        })
    }

    #[test]
    fn numbers_are_told_as_ranges_of_what_is_legal() {
        let said = |found, other, all| said(found, other, all).unwrap();
        assert_eq!(said(&[-1, 0], &[1, 2], true), "at most 0");
        assert_eq!(said(&[2, 4], &[0], true), "at least 2");
        assert_eq!(said(&[0], &[1, 2], true), "0");
        assert_eq!(
            said(&[1, 2, 3, 7, 8], &[0, 5], true),
            "1 to 3 or at least 7"
        );
        assert_eq!(said(&[1, 2], &[0, 3], true), "1 or 2");
        assert_eq!(said(&[0, 1, 2], &[3], false), "0 to 2 (0 to 3 were tried)");
    }

    #[test]
    fn what_is_no_number_is_none() {
        let one = Decisive {
            spot: Spot::Var(VarId::from_index(0)),
            found: vec![Value::Bool(true)],
            other: vec![Value::Bool(false)],
            all: true,
        };
        assert_eq!(numbers(&one), None);
    }
}
