//! Groups of places of the data, one bit each: what an operation changes, coarsely.
//!
//! A claim that is looked at after every step is evaluated only if something in a group that it
//! reads may have changed. Several fields may share a group: then it is evaluated more often.

use std::collections::BTreeSet;

use crate::ir::{Expr, ExprKind, Range, System};
use endstep_language::typing::program::{DefineId, FieldId, VarId};

/// Which entities there are and where they lie.
pub const ENTITIES: u64 = 1;

/// What is pending.
pub const QUEUES: u64 = 2;

/// The group of a field.
pub fn of_field(field: FieldId) -> u64 {
    1 << (2 + field.0 % 40)
}

/// The group of a variable.
pub fn of_var(var: VarId) -> u64 {
    1 << (42 + var.0 % 22)
}

/// The groups of places that an expression reads, in the functions that it applies as well.
pub fn of_expr(system: &System, e: &Expr) -> u64 {
    of_part(system, e, &mut BTreeSet::new())
}

/// The same of a part; the functions that were seen are not looked at again.
fn of_part(system: &System, e: &Expr, seen: &mut BTreeSet<DefineId>) -> u64 {
    let own = match &e.kind {
        ExprKind::Var(var) => of_var(*var),
        ExprKind::Field(_, field) => of_field(*field),
        ExprKind::Pending(_) => QUEUES,
        ExprKind::Call(function, _) => match seen.insert(*function) {
            true => of_part(system, &system.functions[*function].body, seen),
            false => 0,
        },
        ExprKind::Continuous(id, _) | ExprKind::Solutions(id, _) => {
            let group = system.functions[*id].group().iter();
            let new: Vec<DefineId> = group.copied().filter(|one| seen.insert(*one)).collect();
            let bodies = new.into_iter().map(|one| &system.functions[one].body);
            bodies.fold(ENTITIES, |all, body| all | of_part(system, body, seen))
        }
        ExprKind::Fold(_, binder, _) => match &binder.range {
            Range::Sort(_) | Range::Zone(_) => ENTITIES,
            Range::Enum(..) | Range::Bool => 0,
        },
        ExprKind::IsRemoved(_)
        | ExprKind::IsIn(..)
        | ExprKind::Size(_)
        | ExprKind::EndOf(..)
        | ExprKind::Endmost(..)
        | ExprKind::Beside(..)
        | ExprKind::Turn { .. }
        | ExprKind::Neighbour(..)
        | ExprKind::Holder(_) => ENTITIES,
        ExprKind::Const(_)
        | ExprKind::Local(_)
        | ExprKind::Unwrap(_)
        | ExprKind::Not(_)
        | ExprKind::Negate(_)
        | ExprKind::Compare(..)
        | ExprKind::Compute(..)
        | ExprKind::Clamp(..)
        | ExprKind::Half(..)
        | ExprKind::If(..)
        | ExprKind::ReadingIs(..)
        | ExprKind::Per(..)
        | ExprKind::Old(_) => 0,
    };
    let inner = e.children().into_iter();
    inner.fold(own, |all, one| all | of_part(system, one, seen))
}
