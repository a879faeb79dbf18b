//! Measures that may show that something comes to an end: how many there are of a kind, sums, flags.
//!
//! None can fall for ever: numbers of things and sums of what is never below nothing are never below
//! nothing, and a variable that the document bounds has a least value.

use std::collections::BTreeSet;

use endstep_kernel::footprint::Place;
use endstep_kernel::ir::{Expr, ExprKind, Fold, Function, NONE, System};
use endstep_language::typing::program::{FieldId, SortId, Type};

use super::make::{about_one, both, expr, fold, is, is_in, not, own};

/// So many values of an enumeration are told apart.
const MOST_VALUES: usize = 8;

/// A measure, and what it is called.
#[derive(Debug, Clone)]
pub(super) struct Measure {
    /// Its value.
    pub of: Function,
}

/// Whether an entity, the local 0, is of a kind.
#[derive(Debug, Clone)]
struct Kind {
    test: Expr,
    words: String,
    /// Whether it is tried together with another.
    pairs: bool,
    /// What decides it.
    of: Place,
}

/// Measures that something which writes these places may change; with conditions that have two parts,
/// if asked for.
pub(super) fn measures(system: &System, writes: &BTreeSet<Place>, two: bool) -> Vec<Measure> {
    let mut found = Vec::new();
    for (sort, _) in system.sorts.iter() {
        let kinds = kinds(system, sort, writes);
        if two {
            for (at, one) in kinds.iter().enumerate() {
                for other in &kinds[at + 1..] {
                    if one.of != other.of && one.pairs && other.pairs {
                        found.push(count(system, sort, &[one, other]));
                    }
                }
            }
            continue;
        }
        if writes.contains(&Place::Sort(sort)) {
            found.push(count(system, sort, &[]));
        }
        found.extend(kinds.iter().map(|one| count(system, sort, &[one])));
        for &field in &system.sorts[sort].fields {
            let domain = &system.fields[field].domain;
            let low = domain.bounds.document.map(|(low, _)| low);
            let bounded = domain.supply || low.is_some_and(|low| low >= 0);
            if domain.ty == Type::Int && bounded && writes.contains(&Place::Field(field)) {
                found.push(sum(system, sort, field));
            }
        }
    }
    if !two {
        found.extend(variables(system, writes));
        for (queue, declared) in system.queues.iter() {
            if writes.contains(&Place::Queue(queue)) {
                let words = format!("how many wait in {}", declared.name);
                found.push(measure(words, Type::Int, expr(ExprKind::Pending(queue))));
            }
        }
    }
    found
}

fn variables(system: &System, writes: &BTreeSet<Place>) -> Vec<Measure> {
    let mut found = Vec::new();
    for (id, var) in system.vars.iter() {
        if !writes.contains(&Place::Var(id)) {
            continue;
        }
        let value = || expr(ExprKind::Var(id));
        let name = &var.name;
        match var.domain.ty {
            Type::Int => {
                if var.domain.supply || var.domain.bounds.document.is_some() {
                    found.push(measure(name.clone(), Type::Int, value()));
                }
                if var.domain.bounds.document.is_some() {
                    let less = expr(ExprKind::Negate(Box::new(value())));
                    let words = format!("how far {name} is from its largest value");
                    found.push(measure(words, Type::Int, less));
                }
            }
            Type::Bool => {
                found.push(measure(format!("whether {name}"), Type::Bool, value()));
                let not = not(value());
                found.push(measure(format!("whether not {name}"), Type::Bool, not));
            }
            Type::Enum(_) | Type::Entity(_) | Type::Optional(_) => {}
        }
    }
    found
}

fn measure(words: String, ty: Type, body: Expr) -> Measure {
    Measure {
        of: about_one(&words, ty, body),
    }
}

/// Conditions of one part on the entities of a sort.
fn kinds(system: &System, sort: SortId, writes: &BTreeSet<Place>) -> Vec<Kind> {
    let mut found = Vec::new();
    for &id in &system.sorts[sort].fields {
        if !writes.contains(&Place::Field(id)) {
            continue;
        }
        let field = &system.fields[id];
        let value = || expr(ExprKind::Field(Box::new(own()), id));
        let of = Place::Field(id);
        let mut add = |words: String, test: Expr| {
            found.push(Kind {
                test,
                words,
                pairs: true,
                of,
            });
        };
        let name = &field.name;
        match field.domain.ty {
            Type::Bool => {
                add(format!("with {name}"), value());
                add(format!("without {name}"), not(value()));
            }
            Type::Enum(values) if system.enums[values].values.len() <= MOST_VALUES => {
                for (at, one) in system.enums[values].values.iter().enumerate() {
                    add(format!("with {name} {one}"), is(value(), at as i64));
                }
            }
            Type::Optional(_) => {
                add(format!("without {name}"), is(value(), NONE));
                let some = not(is(value(), NONE));
                add(format!("with {name}"), some);
            }
            Type::Enum(_) | Type::Int | Type::Entity(_) => {}
        }
    }
    for (id, zone) in system.zones.iter() {
        if zone.sort == sort && writes.contains(&Place::Zone(id)) {
            let of = Place::Zone(id);
            let lies = is_in(id);
            let lies_not = not(lies.clone());
            found.push(Kind {
                test: lies,
                words: format!("in {}", zone.name),
                pairs: true,
                of,
            });
            found.push(Kind {
                test: lies_not,
                words: format!("not in {}", zone.name),
                pairs: false,
                of,
            });
        }
    }
    found
}

/// How many entities of a sort are of all of some kinds.
fn count(system: &System, sort: SortId, kinds: &[&Kind]) -> Measure {
    let mut words = format!("how many {}", system.sorts[sort].name);
    if kinds.is_empty() {
        words.push_str(" there are");
    }
    let mut filter: Option<Expr> = None;
    for (at, kind) in kinds.iter().enumerate() {
        words.push_str(if at == 0 { " are " } else { " and " });
        words.push_str(&kind.words);
        let test = kind.test.clone();
        filter = Some(match filter {
            None => test,
            Some(before) => both(before, test),
        });
    }
    measure(words, Type::Int, fold(Fold::Count, sort, (filter, None)))
}

fn sum(system: &System, sort: SortId, field: FieldId) -> Measure {
    let words = format!(
        "the sum of {} over all {}",
        system.fields[field].name, system.sorts[sort].name
    );
    let value = expr(ExprKind::Field(Box::new(own()), field));
    measure(words, Type::Int, fold(Fold::Sum, sort, (None, Some(value))))
}
