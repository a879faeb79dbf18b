//! What may be said of the boards of a program: the facts and tests from which formulas are made.

use crate::verdict::{Fact, Test};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    Bounds, FieldId, Program, SortId, Type, Value, VarId, ZoneId,
};

/// A range of more values than this is told by its thresholds only.
const MOST_VALUES: i64 = 12;

/// A sort has at most so many tests.
const MOST_TESTS: usize = 128;

/// What may be said of boards.
#[derive(Debug, Default)]
pub struct Facts {
    /// Of variables.
    pub alone: Vec<Fact>,
    /// Numbers of entities to tell apart.
    pub sizes: Vec<(SortId, u32, u32)>,
    /// Of one entity, by sort.
    pub tests: Vec<Vec<Test>>,
}

impl Facts {
    /// Of a program whose boards have these numbers of entities.
    pub fn new(program: &Program, sizes: &[(SortId, u32, u32)]) -> Self {
        let plain: Vec<Vec<Test>> = program
            .sorts
            .ids()
            .map(|sort| plain(program, sort))
            .collect();
        let tests = program.sorts.ids().map(|sort| {
            let mut tests = plain[sort.index()].clone();
            for &field in &program.sorts[sort].fields {
                linked(program, field, &plain, &mut tests);
            }
            tests.truncate(MOST_TESTS);
            tests
        });
        let tests: Vec<Vec<Test>> = tests.collect();
        Self {
            alone: alone(program, &plain),
            sizes: sizes.to_vec(),
            tests,
        }
    }
}

/// What says which values a place has on boards.
fn domain(program: &Program, ty: Type, bounds: Bounds, starts: Option<Value>) -> Vec<Value> {
    if starts.is_some() {
        return Vec::new();
    }
    match ty {
        Type::Int => match bounds.explore.or(bounds.document) {
            Some((low, high)) => {
                let last = high.min(low.saturating_add(MOST_VALUES - 1));
                (low..=last).map(Value::Int).collect()
            }
            None => Vec::new(),
        },
        Type::Bool => vec![Value::Bool(true), Value::Bool(false)],
        Type::Enum(id) => {
            let numbers = (0..program.enums[id].values.len()).filter_map(|n| u16::try_from(n).ok());
            numbers.map(Value::Enum).collect()
        }
        Type::Optional(_) => vec![Value::None],
        Type::Entity(_) => Vec::new(),
    }
}

/// Tests of an entity that follow no link.
fn plain(program: &Program, sort: SortId) -> Vec<Test> {
    let mut tests = Vec::new();
    for &field in &program.sorts[sort].fields {
        let of = &program.fields[field];
        let values = domain(program, of.ty, of.bounds, of.starts);
        for &value in &values {
            tests.push(Test::Value(field, vec![value]));
        }
        if matches!(of.ty, Type::Optional(_)) || values.len() > 2 {
            for &value in &values {
                tests.push(Test::Not(Box::new(Test::Value(field, vec![value]))));
            }
        }
        if matches!(of.ty, Type::Int) && values.len() > 2 {
            for value in &values[1..values.len() - 1] {
                if let Value::Int(n) = *value {
                    tests.push(Test::AtMost(field, n));
                    tests.push(Test::Not(Box::new(Test::AtMost(field, n))));
                }
            }
        }
    }
    for (id, zone) in program.zones.iter() {
        if zone.sort != sort || zone.starts_empty {
            continue;
        }
        tests.push(Test::In(id));
        tests.extend(owners(program, id).map(|var| Test::InOf(id, var)));
    }
    for (id, var) in program.vars.iter() {
        if var.ty == Type::Entity(sort) {
            tests.push(Test::IsVar(id));
            tests.push(Test::Not(Box::new(Test::IsVar(id))));
        }
    }
    for (one, other) in pairs(program, sort) {
        tests.push(Test::Equal(one, other));
        if program.fields[one].ty == Type::Int {
            tests.push(Test::Less(one, other));
            tests.push(Test::Less(other, one));
        }
    }
    tests
}

/// Variables that always hold the owner of a zone of a family.
fn owners(program: &Program, zone: ZoneId) -> impl Iterator<Item = VarId> + '_ {
    let per = program.zones[zone].per;
    let vars = program.vars.iter();
    vars.filter_map(move |(id, var)| (per.map(Type::Entity) == Some(var.ty)).then_some(id))
}

/// Pairs of fields of one type that vary on boards.
fn pairs(program: &Program, sort: SortId) -> Vec<(FieldId, FieldId)> {
    let varies = |field: &&FieldId| {
        let of = &program.fields[**field];
        let wide = matches!(of.bounds.explore.or(of.bounds.document), Some((a, b)) if a < b);
        of.starts.is_none() && (matches!(of.ty, Type::Enum(_)) || (of.ty == Type::Int && wide))
    };
    let fields: Vec<FieldId> = program.sorts[sort]
        .fields
        .iter()
        .filter(varies)
        .copied()
        .collect();
    let mut pairs = Vec::new();
    for (at, &one) in fields.iter().enumerate() {
        let later = fields[at + 1..].iter();
        let alike = later.filter(|other| program.fields[**other].ty == program.fields[one].ty);
        pairs.extend(alike.map(|&other| (one, other)));
    }
    pairs
}

/// Tests of what a field leads to.
fn linked(program: &Program, field: FieldId, plain: &[Vec<Test>], tests: &mut Vec<Test>) {
    let of = &program.fields[field];
    let (Type::Entity(sort) | Type::Optional(sort)) = of.ty else {
        return;
    };
    if of.starts.is_some() {
        return;
    }
    // What there is of it is said by the tests of the link itself.
    let positive = plain[sort.index()]
        .iter()
        .filter(|test| !matches!(test, Test::Not(_)));
    tests.extend(positive.map(|test| Test::Linked(field, Box::new(test.clone()))));
}

/// What is said of variables.
fn alone(program: &Program, plain: &[Vec<Test>]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let ints: Vec<VarId> = {
        let vars = program.vars.iter();
        let ints = vars.filter(|(_, var)| var.ty == Type::Int && var.starts.is_none());
        ints.map(|(id, _)| id).collect()
    };
    for (id, var) in program.vars.iter() {
        if let Type::Entity(sort) = var.ty {
            let tests = plain[sort.index()].iter();
            let others = tests.filter(|test| !matches!(test, Test::IsVar(_) | Test::Not(_)));
            facts.extend(others.map(|test| Fact::Of(id, test.clone())));
            continue;
        }
        let values = domain(program, var.ty, var.bounds, var.starts);
        facts.extend(values.iter().map(|&value| Fact::Var(id, vec![value])));
        if var.ty == Type::Int && values.len() > 2 {
            for value in &values[1..values.len() - 1] {
                if let Value::Int(n) = *value {
                    facts.push(Fact::VarAtMost(id, n));
                }
            }
        }
    }
    for (at, &one) in ints.iter().enumerate() {
        for &other in &ints[at + 1..] {
            facts.push(Fact::VarLess(one, other));
            facts.push(Fact::VarLess(other, one));
            facts.push(Fact::VarEqual(one, other));
        }
    }
    facts
}
