//! The boards on which a finding occurs, in words and in the notation of specifications.
//!
//! ```text
//! some Card has health 0 and is in board          some c: Card has c.health = 0 and c is in board
//! no Card has ability draws                       not (some c: Card has c.ability is draws)
//! ```

use super::layout::{digits, list};
use super::spoken::phrase::{fact_words, plural, trait_words};
use super::words::{beside_others, called, with_article};
use endstep_language::typing::program::{EnumId, FieldId, Program, SortId, Type, Value, VarId};
use endstep_semantics::semantics::{KeyType, Names};
use endstep_verdicts::verdict::{Fact, Formula, Literal, Occurs, Test};

/// So many facts are told in a sentence; nobody keeps more of them in mind.
const MOST_FACTS: usize = 2;

/// The boards in words; empty where there is nothing to be said about them, and where it would take
/// more words than somebody would use: more than two facts, or "or" between anything but whole
/// alternatives. [`conditions`] has all.
pub fn described(program: &Program, occurs: &Occurs) -> String {
    match occurs {
        Occurs::Exactly(formula) if !is_sayable(program, formula) => String::new(),
        Occurs::Between { only, always } => {
            let short = |facts: &[Literal]| facts.len() <= MOST_FACTS;
            let sayable = Occurs::Between {
                only: match short(&only.0) {
                    true => only.clone(),
                    false => (Vec::new(), 0),
                },
                always: always.clone().filter(|(facts, _)| short(facts)),
            };
            let is_empty = |one: &Occurs| matches!(one, Occurs::Between { only, always: None } if only.0.is_empty());
            // What was found is too long, so it would be wrong to say that nothing was.
            match is_empty(&sayable) && !is_empty(occurs) {
                true => String::new(),
                false => in_full(program, &sayable),
            }
        }
        other => in_full(program, other),
    }
}

/// Whether somebody would say it.
fn is_sayable(program: &Program, formula: &Formula) -> bool {
    match formula.any.as_slice() {
        [] => formula.all.len() <= MOST_FACTS,
        [one] => formula.all.len() + one.len() <= MOST_FACTS,
        several => {
            let is_whole =
                |case: &Vec<Literal>| case.len() == 1 && !all_words(program, case).contains(" or ");
            formula.all.is_empty() && several.len() <= MOST_FACTS && several.iter().all(is_whole)
        }
    }
}

/// What is said of boards that have nothing in common that can be said shortly.
pub(super) const NO_DESCRIPTION: &str = "no short description was found";

/// The boards in words, however many it takes.
pub(super) fn in_full(program: &Program, occurs: &Occurs) -> String {
    match occurs {
        Occurs::Everywhere => String::new(),
        Occurs::Exactly(formula) => {
            format!("just those on which {}", formula_words(program, formula))
        }
        Occurs::Between { only, always } => {
            let mut parts = Vec::new();
            if !only.0.is_empty() {
                let facts = all_words(program, &only.0);
                parts.push(format!("some of the {} on which {facts}", digits(only.1)));
            }
            if let Some((facts, count)) = always {
                let facts = all_words(program, facts);
                parts.push(format!("all of the {} on which {facts}", digits(*count)));
            }
            match parts.is_empty() {
                true => NO_DESCRIPTION.to_owned(),
                false => parts.join("; among them "),
            }
        }
    }
}

fn all_words(program: &Program, literals: &[Literal]) -> String {
    let words = literals
        .iter()
        .map(|literal| literal_words(program, literal));
    words.collect::<Vec<_>>().join(", and ")
}

fn formula_words(program: &Program, formula: &Formula) -> String {
    let mut parts: Vec<String> = Vec::new();
    if !formula.all.is_empty() {
        parts.push(all_words(program, &formula.all));
    }
    match formula.any.as_slice() {
        [] => {}
        [one] => parts.push(all_words(program, one)),
        several => {
            let cases = several.iter().map(|case| all_words(program, case));
            parts.push(format!(
                "either {}",
                cases.collect::<Vec<_>>().join("; or ")
            ));
        }
    }
    parts.join(", and ")
}

fn literal_words(program: &Program, literal: &Literal) -> String {
    let holds = literal.holds;
    let sort = |id: SortId| program.sorts[id].name.as_str();
    let tests = |tests: &[Test]| {
        let words = tests.iter().map(|test| test_words(program, test, true));
        words.collect::<Vec<_>>().join(" and ")
    };
    match &literal.fact {
        Fact::Var(var, values) => var_is(program, *var, values, holds),
        Fact::VarAtMost(var, most) => {
            let than = if holds { "at most" } else { "more than" };
            format!("{} is {than} {most}", var_name(program, *var))
        }
        Fact::VarLess(one, other) => {
            let than = if holds { "less than" } else { "at least" };
            format!(
                "{} is {than} {}",
                var_name(program, *one),
                var_name(program, *other)
            )
        }
        Fact::VarEqual(one, other) => {
            let is = if holds { "equals" } else { "does not equal" };
            format!(
                "{} {is} {}",
                var_name(program, *one),
                var_name(program, *other)
            )
        }
        Fact::Of(var, test) => {
            format!(
                "{} {}",
                var_name(program, *var),
                test_words(program, test, holds)
            )
        }
        Fact::Count(of, none, least) if none.is_empty() => match (least, holds) {
            (1, true) => format!("there is {}", with_article(sort(*of))),
            (1, false) => format!("there is no {}", sort(*of)),
            (n, true) => format!("there are at least {n} {}", plural(sort(*of))),
            (2, false) => format!("there is at most one {}", sort(*of)),
            (n, false) => format!("there are fewer than {n} {}", plural(sort(*of))),
        },
        // "Every Player is poisoned", and not "no Player is not poisoned".
        Fact::Count(of, one, 1) if !holds && one.len() == 1 && is_negative(&one[0]) => {
            format!(
                "every {} {}",
                sort(*of),
                test_words(program, &one[0], false)
            )
        }
        Fact::Count(of, all, 1) => {
            let some = if holds { "some" } else { "no" };
            // "No Card both is ready and is in hand": what is denied is that it is both at once.
            let both = if !holds && all.len() > 1 { "both " } else { "" };
            format!("{some} {} {both}{}", sort(*of), tests(all))
        }
        Fact::Count(of, all, least) => {
            let some = if holds { "more than" } else { "at most" };
            let number = match least {
                2 => "one".to_owned(),
                n => (n - 1).to_string(),
            };
            format!("{some} {number} {} {}", sort(*of), tests(all))
        }
        Fact::Two(of, one, other) => {
            let [one, other] = [one, other].map(|test| test_words(program, test, true));
            match holds {
                true => format!("some {} {one} and another one {other}", sort(*of)),
                false => format!("no {} {one} while another one {other}", sort(*of)),
            }
        }
    }
}

/// Whether a test says what something is not.
fn is_negative(test: &Test) -> bool {
    match test {
        Test::Not(inner) => !is_negative(inner),
        Test::Value(_, values) => matches!(values.as_slice(), [Value::Bool(false) | Value::None]),
        _ => false,
    }
}

pub(super) fn var_is(program: &Program, var: VarId, values: &[Value], holds: bool) -> String {
    if let [Value::Bool(is)] = values {
        return fact_words(&program.vars[var].name, *is == holds);
    }
    let is = if holds { "is" } else { "is not" };
    let values = var_values(program, var, values);
    format!("{} {is} {values}", var_name(program, var))
}

/// What is true of an entity, as the rest of a sentence about it.
pub(super) fn test_words(program: &Program, test: &Test, holds: bool) -> String {
    let name = |field: &FieldId| called(&program.fields[*field].name);
    match (test, holds) {
        (Test::Not(test), _) => test_words(program, test, !holds),
        (Test::Value(field, values), _) => {
            let field_name = name(field);
            match (values.as_slice(), holds) {
                ([Value::Bool(is)], _) => trait_words(&field_name, *is == holds),
                ([Value::None], true) => format!("has no {field_name}"),
                ([Value::None], false) => format!("has some {field_name}"),
                _ => {
                    let values = values_words(program, program.fields[*field].ty, values);
                    let than = if holds { "" } else { "other than " };
                    format!("has {field_name} {than}{values}")
                }
            }
        }
        (Test::AtMost(field, most), true) => format!("has {} of at most {most}", name(field)),
        (Test::AtMost(field, most), false) => format!("has {} of more than {most}", name(field)),
        (Test::Less(one, other), true) => {
            format!("has {} smaller than its {}", name(one), name(other))
        }
        (Test::Less(one, other), false) => {
            format!("has {} no smaller than its {}", name(one), name(other))
        }
        (Test::Equal(one, other), true) => {
            format!("has {} equal to its {}", name(one), name(other))
        }
        (Test::Equal(one, other), false) => {
            format!("has {} different from its {}", name(one), name(other))
        }
        (Test::In(zone), _) => {
            let is = if holds { "is" } else { "is not" };
            format!("{is} in {}", beside_others(&program.zones[*zone].name))
        }
        (Test::InOf(zone, var), _) => {
            let is = if holds { "is" } else { "is not" };
            let (zone, owner) = (&program.zones[*zone].name, var_name(program, *var));
            format!("{is} in {} of {owner}", beside_others(zone))
        }
        (Test::IsVar(var), true) => format!("is {}", var_name(program, *var)),
        (Test::IsVar(var), false) => format!("is not {}", var_name(program, *var)),
        (Test::Linked(field, test), true) => {
            format!(
                "has {} that {}",
                with_article(&name(field)),
                test_words(program, test, true)
            )
        }
        (Test::Linked(field, test), false) => {
            format!(
                "has no {} that {}",
                name(field),
                test_words(program, test, true)
            )
        }
    }
}

fn var_name(program: &Program, var: VarId) -> String {
    called(&program.vars[var].name)
}

fn var_values(program: &Program, var: VarId, values: &[Value]) -> String {
    values_words(program, program.vars[var].ty, values)
}

/// `0`, `1 to 3`, `red or blue`
fn values_words(program: &Program, ty: Type, values: &[Value]) -> String {
    if let (Some(Value::Int(first)), Some(Value::Int(last))) = (values.first(), values.last())
        && values.len() > 2
        && last - first == values.len() as i64 - 1
    {
        return format!("{first} to {last}");
    }
    let words: Vec<String> = values
        .iter()
        .map(|value| match value {
            Value::None => "none".to_owned(),
            value => called(&value_name(program, ty, *value)),
        })
        .collect();
    list(&words, "or")
}

pub(super) fn value_name(program: &Program, ty: Type, value: Value) -> String {
    let key = match ty {
        Type::Enum(id) => KeyType::Enum(id),
        _ => KeyType::Plain,
    };
    Names::default().value(program, value, key)
}

/// A condition, and the number of boards of which it is true.
type Part = (String, u64);

/// What is true of all the boards, and what is true only of them, as conditions in the notation of
/// specifications, each with the number of boards of which it is true; `all` of them it occurs on.
pub fn conditions(program: &Program, occurs: &Occurs, all: u64) -> (Option<Part>, Option<Part>) {
    let exactly = |when: String| (Some((when.clone(), all)), Some((when, all)));
    let part = |(facts, count): &(Vec<Literal>, u64)| (conjunction(program, facts), *count);
    match occurs {
        Occurs::Everywhere => exactly("true".to_owned()),
        Occurs::Exactly(formula) => exactly(condition(program, formula)),
        Occurs::Between { only, always } => {
            let only = (!only.0.is_empty()).then(|| part(only));
            (only, always.as_ref().map(part))
        }
    }
}

fn condition(program: &Program, formula: &Formula) -> String {
    let all = formula
        .all
        .iter()
        .map(|literal| literal_condition(program, literal));
    let mut parts: Vec<String> = all.collect();
    let cases = formula.any.iter().map(|case| conjunction(program, case));
    let cases: Vec<String> = cases.collect();
    match cases.as_slice() {
        [] => {}
        [one] => parts.push(one.clone()),
        several => parts.push(format!("({})", several.join(" or "))),
    }
    match parts.is_empty() {
        true => "true".to_owned(),
        false => parts.join(" and "),
    }
}

fn conjunction(program: &Program, literals: &[Literal]) -> String {
    let parts = literals
        .iter()
        .map(|literal| literal_condition(program, literal));
    let parts: Vec<String> = parts.collect();
    match parts.is_empty() {
        true => "true".to_owned(),
        false => parts.join(" and "),
    }
}

fn literal_condition(program: &Program, literal: &Literal) -> String {
    let fact = fact_condition(program, &literal.fact);
    match literal.holds {
        true => format!("({fact})"),
        false => format!("not ({fact})"),
    }
}

fn fact_condition(program: &Program, fact: &Fact) -> String {
    let var = |id: &VarId| program.vars[*id].name.as_str();
    let sort = |id: &SortId| program.sorts[*id].name.as_str();
    match fact {
        Fact::Var(id, values) => one_of(program, var(id), program.vars[*id].ty, values),
        Fact::VarAtMost(id, most) => format!("{} <= {most}", var(id)),
        Fact::VarLess(one, other) => format!("{} < {}", var(one), var(other)),
        Fact::VarEqual(one, other) => format!("{} = {}", var(one), var(other)),
        Fact::Of(id, test) => test_condition(program, test, var(id)),
        Fact::Count(of, tests, least) => {
            let it = letter(program, sort(of), 1);
            let tests = tests.iter().map(|test| test_condition(program, test, &it));
            let tests = tests.collect::<Vec<_>>().join(" and ");
            match (least, tests.is_empty()) {
                (_, true) => format!("(count of {it}: {}) >= {least}", sort(of)),
                (1, _) => format!("some {it}: {} has {tests}", sort(of)),
                _ => format!("(count of {it}: {} where {tests}) >= {least}", sort(of)),
            }
        }
        Fact::Two(of, one, other) => {
            let (a, b) = (letter(program, sort(of), 1), letter(program, sort(of), 2));
            let one = test_condition(program, one, &a);
            let other = test_condition(program, other, &b);
            let of = sort(of);
            format!("some {a}: {of} has {one} and some {b}: {of} has {b} != {a} and {other}")
        }
    }
}

fn test_condition(program: &Program, test: &Test, it: &str) -> String {
    let place = |field: &FieldId| format!("{it}.{}", program.fields[*field].name);
    match test {
        Test::Value(field, values) => {
            one_of(program, &place(field), program.fields[*field].ty, values)
        }
        Test::AtMost(field, most) => format!("{} <= {most}", place(field)),
        Test::Less(one, other) => format!("{} < {}", place(one), place(other)),
        Test::Equal(one, other) => format!("{} = {}", place(one), place(other)),
        Test::In(zone) => format!("{it} is in {}", program.zones[*zone].name),
        Test::InOf(zone, var) => {
            let (zone, var) = (&program.zones[*zone].name, &program.vars[*var].name);
            format!("{it} is in {zone}({var})")
        }
        Test::IsVar(var) => format!("{it} = {}", program.vars[*var].name),
        Test::Linked(field, test) => {
            let link = place(field);
            let test = test_condition(program, test, &link);
            match program.fields[*field].ty {
                Type::Optional(_) => format!("({link} is not none and {test})"),
                _ => test,
            }
        }
        Test::Not(test) => format!("not ({})", test_condition(program, test, it)),
    }
}

fn one_of(program: &Program, place: &str, ty: Type, values: &[Value]) -> String {
    let one = |value: &Value| match (ty, value) {
        (_, Value::Bool(true)) => place.to_owned(),
        (_, Value::Bool(false)) => format!("not {place}"),
        (_, Value::Int(n)) => format!("{place} = {n}"),
        _ => format!("{place} is {}", value_name(program, ty, *value)),
    };
    let all: Vec<String> = values.iter().map(one).collect();
    match all.as_slice() {
        [one] => one.clone(),
        several => format!("({})", several.join(" or ")),
    }
}

/// A name for an entity of a sort that means nothing else.
fn letter(program: &Program, sort: &str, number: usize) -> String {
    let first = sort.chars().find(char::is_ascii_alphabetic).unwrap_or('x');
    let first = first.to_ascii_lowercase();
    let mut names = (1..).map(|n| match n {
        1 => first.to_string(),
        n => format!("{first}{n}"),
    });
    let free = |name: &String| !is_taken(program, name);
    let mut free = names.by_ref().filter(free);
    free.nth(number - 1).unwrap_or_default()
}

fn is_taken(program: &Program, name: &str) -> bool {
    let mut names = program
        .vars
        .values()
        .iter()
        .map(|one| &one.name)
        .chain(program.zones.values().iter().map(|one| &one.name))
        .chain(program.defines.values().iter().map(|one| &one.name))
        .chain(program.sorts.values().iter().map(|one| &one.name))
        .chain(program.queues.values().iter().map(|one| &one.name))
        .chain(program.readings.values().iter().map(|one| &one.name))
        .chain(
            program
                .enums
                .ids()
                .flat_map(|id: EnumId| &program.enums[id].values),
        );
    names.any(|one| one == name)
}
