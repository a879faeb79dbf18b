//! What of the data an expression reads, coarsely: one bit for each of some groups of places.
//!
//! A claim that is looked at after every step is evaluated only if something in a group that it reads
//! may have changed. Groups may be shared by several fields: then it is evaluated more often.

use crate::ir::{Expr, ExprKind, System};
use crate::typing::program::{FieldId, VarId};

/// Which entities there are and where they lie.
pub const ENTITIES: u64 = 1;

/// What is pending.
pub const QUEUES: u64 = 2;

/// The bit of a field.
pub fn field_bit(field: FieldId) -> u64 {
    1 << (2 + field.0 % 40)
}

/// The bit of a variable.
pub fn var_bit(var: VarId) -> u64 {
    1 << (42 + var.0 % 22)
}

/// The groups that an expression may read, functions included.
pub fn reads(system: &System, e: &Expr) -> u64 {
    let mut seen = vec![false; system.functions.len()];
    collect(system, e, &mut seen)
}

fn collect(system: &System, e: &Expr, seen: &mut [bool]) -> u64 {
    let own = match &e.kind {
        ExprKind::Const(_) | ExprKind::Local(_) => 0,
        ExprKind::Var(var) => var_bit(*var),
        ExprKind::Field(_, field) => field_bit(*field),
        ExprKind::Pending(_) => QUEUES,
        ExprKind::Call(function, _) => {
            let at = function.0 as usize;
            if std::mem::replace(&mut seen[at], true) {
                0
            } else {
                collect(system, &system.functions[*function].body, seen)
            }
        }
        ExprKind::Unwrap(_)
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
        ExprKind::IsRemoved(_)
        | ExprKind::IsIn(..)
        | ExprKind::Size(_)
        | ExprKind::Fold(..)
        | ExprKind::EndOf(..)
        | ExprKind::Turn { .. }
        | ExprKind::Neighbour(..)
        | ExprKind::Holder(_) => ENTITIES,
    };
    let inside = e.children().into_iter();
    inside.fold(own, |bits, child| bits | collect(system, child, seen))
}
