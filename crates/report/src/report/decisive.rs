//! The values that decide whether something is found, in words.
//!
//! ```text
//! found -2 -1 0, not 1 2 3        creature 1 has health of at most 0
//! found 1 3, not 0 2              creature 1 has health of 1 or 3
//! found no, not yes               creature 1 is not guest
//! ```

use super::layout::list;
use super::occurs::{test_words, value_name, var_is};
use super::words::{Words, beside_others};
use endstep_language::typing::program::{Program, Type, Value};
use endstep_semantics::semantics::{Names, Spot};
use endstep_semantics::witness::Witness;
use endstep_verdicts::verdict::{Decisive, Finding, Obscurity, Test, Undecided};
use serde_json::{Value as Json, json};

/// So many places are named of which nothing is known.
const MOST_NAMED: usize = 4;

/// All that decides, and of what that is not known; empty if nothing decides.
pub(super) fn described(words: Words<'_>, names: &Names, finding: &Finding) -> String {
    let told = finding.decisive.iter().map(|one| said(words, names, one));
    let told: Vec<String> = told.collect();
    let left = finding
        .undecided
        .chunk_by(|one, other| one.why == other.why);
    let left: Vec<String> = left.map(|of_one| undecided(words, names, of_one)).collect();
    let left = left.join("; ");
    let under = finding.witness.as_ref().map(Witness::common_readings);
    let under = under.filter(|readings| !readings.is_empty());
    let under = under.map_or_else(String::new, |one| format!(" and {}", words.readings(&one)));
    match (told.is_empty(), left.is_empty()) {
        (true, _) => left,
        (false, is_all) => format!(
            "with one value of the board changed{under}, it is found only as long as {}{}{left}",
            told.join("; "),
            if is_all { "" } else { "; " },
        ),
    }
}

/// Of which places it is not known, for one reason.
fn undecided(words: Words<'_>, names: &Names, of_one: &[Undecided]) -> String {
    let places = of_one.iter();
    let mut places: Vec<String> = places.map(|one| place(words, names, one.spot)).collect();
    if places.len() > MOST_NAMED {
        let more = places.len() - MOST_NAMED;
        places.truncate(MOST_NAMED);
        places.push(format!("{more} more"));
    }
    let places = list(&places, "and");
    match of_one.first().map(|one| one.why) {
        Some(Obscurity::Values) => format!("not tried, because of too many values: {places}"),
        Some(Obscurity::Runs) => {
            format!("not known, because not everything could be tried: {places}")
        }
        Some(Obscurity::Board) | None => format!(
            "not known, because with wider bounds of exploration this board shows something else: \
             {places}"
        ),
    }
}

/// The same as data.
pub(super) fn undecided_json(words: Words<'_>, names: &Names, one: Undecided) -> Json {
    let mut told = place_json(words, names, one.spot);
    told["because"] = json!(match one.why {
        Obscurity::Values => "values",
        Obscurity::Runs => "runs",
        Obscurity::Board => "board",
    });
    told
}

/// A place of the board.
fn place(words: Words<'_>, names: &Names, spot: Spot) -> String {
    let program = words.program;
    match spot {
        Spot::Var(var) => beside_others(&program.vars[var].name),
        Spot::Field(id, field) => {
            format!(
                "{} of {}",
                beside_others(&program.fields[field].name),
                names.entity(id)
            )
        }
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
            format!("{} is {numbers}", beside_others(&program.vars[var].name))
        }
        (Spot::Field(id, field), None) => {
            let test = Test::Value(field, shorter.clone());
            let test = test_words(program, &test, holds);
            format!("{} {test}", names.entity(id))
        }
        (Spot::Field(id, field), Some(numbers)) => {
            let name = beside_others(&program.fields[field].name);
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
    let ty = match one.spot {
        Spot::Var(var) => program.vars[var].ty,
        Spot::Field(_, field) => program.fields[field].ty,
    };
    let values = |values: &[Value]| -> Vec<Json> {
        let values = values.iter();
        values
            .map(|value| value_json(program, ty, *value))
            .collect()
    };
    let mut told = place_json(words, names, one.spot);
    told["found"] = json!(values(&one.found));
    told["other"] = json!(values(&one.other));
    told["all"] = json!(one.all);
    told
}

/// A place of the board as data.
fn place_json(words: Words<'_>, names: &Names, spot: Spot) -> Json {
    let program = words.program;
    let (entity, name) = match spot {
        Spot::Var(var) => (None, &program.vars[var].name),
        Spot::Field(id, field) => (Some(names.entity(id)), &program.fields[field].name),
    };
    json!({ "entity": entity, "name": name })
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
    use endstep_language::index::Id;
    use endstep_language::typing::program::{Value, VarId};
    use endstep_semantics::semantics::Spot;
    use endstep_verdicts::verdict::Decisive;

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
