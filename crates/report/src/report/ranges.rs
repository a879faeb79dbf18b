//! The sizes of a scope, and the values of integers on its boards: what "holds in scope" ranges over.
//!
//! ```text
//! entity Card, explore up to 2
//!   health: integer, explore 0 to 2        Card.health 0 to 2
//! ```

use std::collections::BTreeSet;

use super::layout::list;
use super::occurs;
use super::words::Words;
use endstep_language::typing::program::{
    Bounds, ChangeTarget, Concern, Field, FieldId, PlaceKind, Program, SequenceId, SortId,
    StmtKind, Type, Value, VarId,
};
use endstep_verdicts::analysis::Reachable;
use endstep_verdicts::verdict::Scope;

/// The sizes of a scope: `0 to 2 Creature, 2 Player`. Sorts of which no board has any are left out,
/// unless there are no others.
pub(super) fn sizes(words: Words<'_>, scope: &Scope) -> String {
    let one = |(sort, low, high): &(_, u32, u32)| {
        let name = &words.program.sorts[*sort].name;
        match low == high {
            true => format!("{high} {name}"),
            false => format!("{low} to {high} {name}"),
        }
    };
    let any = scope.sizes.iter().any(|(_, _, high)| *high > 0);
    let shown = scope.sizes.iter().filter(|(_, _, high)| *high > 0 || !any);
    shown.map(one).collect::<Vec<_>>().join(", ")
}

/// The values of an integer that are tried.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tried {
    /// What has them.
    pub place: String,
    /// The smallest and largest.
    pub range: (i64, i64),
    /// From and to, if they are not all between.
    pub listed: Vec<(i64, i64)>,
}

/// The values of each integer that boards of a scope differ in: `Card.health`. Those that start
/// somehow, belong to a sort of which there are none, have nothing to do with the sequence, or are restricted from
/// outside, are left out.
pub(super) fn values(words: Words<'_>, scope: &Scope) -> Vec<Tried> {
    let program = words.program;
    if scope.subject.board(program).is_some() {
        return Vec::new();
    }
    let some = |sort: SortId| {
        let mut sizes = scope.sizes.iter();
        sizes.any(|(one, _, high)| *one == sort && *high > 0)
    };
    let fields = program.fields.iter();
    let restricted = |field: FieldId| scope.values.iter().any(|(one, _)| *one == field);
    let of = scope.subject.sequence(program);
    let concern = of.map(|id| Concern::of(program, id)).unwrap_or_default();
    let fields = fields
        .filter(|(id, _)| !restricted(*id) && concern.fields.contains(id))
        .map(|(_, field)| field);
    let fields = fields.filter(|field| field.starts.is_none() && some(field.sort));
    let fields = fields.filter_map(|field| {
        Some(Tried {
            place: field_name(program, field),
            range: range(field.ty, field.bounds, field.default)?,
            listed: field.listed.clone(),
        })
    });
    let vars = program.vars.iter();
    let vars = vars.filter(|(id, var)| var.starts.is_none() && concern.vars.contains(id));
    let vars = vars.filter_map(|(_, var)| {
        Some(Tried {
            place: var.name.clone(),
            range: range(var.ty, var.bounds, var.default)?,
            listed: var.listed.clone(),
        })
    });
    vars.chain(fields).collect()
}

/// The integers that a gap or a contract may change in a scope, to values that are explored alone, although the
/// document allows others: `health 0 to 2`, from, to.
pub(super) fn let_change(program: &Program, scope: &Scope) -> Vec<Tried> {
    let Some(sequence) = scope.subject.sequence(program) else {
        return Vec::new();
    };
    let verify = scope.subject.verify(program);
    let replaced: BTreeSet<SequenceId> = verify
        .iter()
        .flat_map(|one| one.contracts.iter().copied())
        .collect();
    changed_by(program, sequence, &replaced)
}

/// The same of what a sequence performs, where contracts stand for some sequences.
pub fn changed_by(
    program: &Program,
    sequence: SequenceId,
    replaced: &BTreeSet<SequenceId>,
) -> Vec<Tried> {
    let rules = Reachable::from(program, sequence, replaced);
    let stmts = rules.stmts.iter().map(|&id| &program.stmts[id]);
    let by_gaps = stmts.filter_map(|stmt| match &stmt.kind {
        StmtKind::GapMayChange {
            place,
            within: None,
            ..
        } => Some(changed(&place.kind)),
        _ => None,
    });
    let contracts = replaced
        .iter()
        .filter_map(|&id| program.sequences[id].contract.as_ref());
    let changes = contracts.flat_map(|contract| &contract.changes);
    let changes = changes.filter(|change| change.within.is_none());
    let by_contracts = changes.map(|change| match &change.target {
        ChangeTarget::Place(place) => changed(&place.kind),
        ChangeTarget::FieldOfAll(field) => Changed::Field(*field),
    });
    let all: BTreeSet<Changed> = by_gaps.chain(by_contracts).collect();
    let named = all.into_iter().filter_map(|one| {
        let (name, ty, bounds, default) = match one {
            Changed::Var(id) => {
                let var = &program.vars[id];
                (var.name.clone(), var.ty, var.bounds, var.default)
            }
            Changed::Field(id) => {
                let field = &program.fields[id];
                (
                    field_name(program, field),
                    field.ty,
                    field.bounds,
                    field.default,
                )
            }
        };
        let (low, high) = range(ty, bounds, default)?;
        let all = bounds
            .document
            .is_some_and(|(least, most)| low <= least && most <= high);
        (!all).then_some(Tried {
            place: name,
            range: (low, high),
            listed: Vec::new(),
        })
    });
    named.collect()
}

/// What is changed, whosever it is.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Changed {
    Var(VarId),
    Field(FieldId),
}

fn changed(place: &PlaceKind) -> Changed {
    match place {
        PlaceKind::Var(id) => Changed::Var(*id),
        PlaceKind::Field(_, id) => Changed::Field(*id),
    }
}

/// The values of an integer that are explored.
fn range(ty: Type, bounds: Bounds, default: Value) -> Option<(i64, i64)> {
    let explored = bounds.explore.or(bounds.document).unwrap_or(match default {
        Value::Int(n) => (n, n),
        _ => (0, 0),
    });
    (ty == Type::Int).then_some(explored)
}

fn field_name(program: &Program, field: &Field) -> String {
    format!("{}.{}", program.sorts[field.sort].name, field.name)
}

/// Values of integers in words: `round 1 to 3, Card.health 0 and 2 to 4`.
pub(super) fn in_words(all: &[Tried]) -> String {
    let between = |(low, high): &(i64, i64)| match low == high {
        true => low.to_string(),
        false => format!("{low} to {high}"),
    };
    let one = |one: &Tried| {
        let listed: Vec<String> = one.listed.iter().map(between).collect();
        match listed.is_empty() {
            true => format!("{} {}", one.place, between(&one.range)),
            false => format!("{} {}", one.place, list(&listed, "and")),
        }
    };
    let all = all.iter().map(one);
    all.collect::<Vec<_>>().join(", ")
}

/// The values to which fields are restricted: `Card.health = 0 or 1`.
pub(super) fn chosen_values(program: &Program, fields: &[(FieldId, Vec<Value>)]) -> Vec<String> {
    let fields = fields.iter().map(|(field, values)| {
        let field = &program.fields[*field];
        let sort = &program.sorts[field.sort].name;
        let values = values
            .iter()
            .map(|value| occurs::value_name(program, field.ty, *value));
        let values: Vec<String> = values.collect();
        format!("{sort}.{} = {}", field.name, list(&values, "or"))
    });
    fields.collect()
}
