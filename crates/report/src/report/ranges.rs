//! The values of integers on the boards of a scope: what "holds in scope" ranges over.
//!
//! ```text
//! entity Card, explore up to 2
//!   health: integer, explore 0 to 2        Card.health 0 to 2
//! ```

use super::words::Words;
use endstep_language::typing::program::{Bounds, FieldId, SortId, Type, Value};
use endstep_verdicts::verdict::{Scope, ScopeOf};

/// The values of each integer that boards of a scope differ in: `Card.health`, from, to. Those that start
/// somehow, belong to a sort of which there are none, or are restricted from outside, are left out.
pub(super) fn values(words: Words<'_>, scope: &Scope) -> Vec<(String, i64, i64)> {
    let program = words.program;
    if matches!(scope.subject, ScopeOf::Example(_)) {
        return Vec::new();
    }
    let range = |ty: Type, bounds: Bounds, default: Value| {
        let (low, high) = bounds.explore.or(bounds.document).unwrap_or(match default {
            Value::Int(n) => (n, n),
            _ => (0, 0),
        });
        (ty == Type::Int).then_some((low, high))
    };
    let some = |sort: SortId| {
        let mut sizes = scope.sizes.iter();
        sizes.any(|(one, _, high)| *one == sort && *high > 0)
    };
    let fields = program.fields.iter();
    let restricted = |field: FieldId| scope.values.iter().any(|(one, _)| *one == field);
    let fields = fields
        .filter(|(id, _)| !restricted(*id))
        .map(|(_, field)| field);
    let fields = fields.filter(|field| field.starts.is_none() && some(field.sort));
    let fields = fields.filter_map(|field| {
        let (low, high) = range(field.ty, field.bounds, field.default)?;
        let sort = &program.sorts[field.sort].name;
        Some((format!("{sort}.{}", field.name), low, high))
    });
    let vars = program.vars.values().iter();
    let vars = vars.filter(|var| var.starts.is_none());
    let vars = vars.filter_map(|var| {
        let (low, high) = range(var.ty, var.bounds, var.default)?;
        Some((var.name.clone(), low, high))
    });
    vars.chain(fields).collect()
}

/// The same in words: `round 1 to 3, Card.health 0 to 2`.
pub(super) fn ranges(words: Words<'_>, scope: &Scope) -> String {
    let one = |(place, low, high): (String, i64, i64)| match low == high {
        true => format!("{place} {low}"),
        false => format!("{place} {low} to {high}"),
    };
    let all = values(words, scope).into_iter().map(one);
    all.collect::<Vec<_>>().join(", ")
}
