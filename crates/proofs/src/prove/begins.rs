//! What is so of all boards besides what is legal: values with which all of them start, zones that start
//! empty, queues in which nothing waits, and that whatever can lie somewhere then does.
//!
//! ```text
//! destroyed: boolean, starts false      every c: Card has not c.destroyed
//! zone void of Card, starts empty       every c: Card has c is not in void
//! zone board of Card, zone void …       every c: Card has c is in board or c is in void
//! ```
//!
//! It is true of the first data of every run (docs/semantics.md, "Boards"). Whether it stays so is tried
//! with the claims that need it.

use endstep_kernel::ir::{Expr, ExprKind, Function, System};
use endstep_language::typing::program::Type;

use super::make::{about_one, either, every, expr, is, is_in, not, own};

/// Conditions that are true of all boards.
pub(super) fn begins(system: &System) -> Vec<Function> {
    let mut found = Vec::new();
    let mut add = |words: &str, body: Expr| {
        found.push(about_one(words, Type::Bool, body));
    };
    for (id, field) in system.fields.iter() {
        if let Some(value) = field.domain.starts {
            let held = expr(ExprKind::Field(Box::new(own()), id));
            add(&field.name, every(field.sort, is(held, value)));
        }
    }
    for (id, var) in system.vars.iter() {
        if let Some(value) = var.domain.starts {
            add(&var.name, is(expr(ExprKind::Var(id)), value));
        }
    }
    for (id, queue) in system.queues.iter() {
        add(&queue.name, is(expr(ExprKind::Pending(id)), 0));
    }
    for (sort, declared) in system.sorts.iter() {
        let mut anywhere: Option<Expr> = None;
        let mut dealt = false;
        for (id, zone) in system.zones.iter().filter(|(_, zone)| zone.sort == sort) {
            if zone.starts_empty {
                add(&zone.name, every(sort, not(is_in(id))));
            }
            dealt |= !zone.starts_empty;
            anywhere = Some(match anywhere {
                None => is_in(id),
                Some(before) => either(before, is_in(id)),
            });
        }
        // What has only zones that start empty lies nowhere.
        if let Some(anywhere) = anywhere.filter(|_| dealt) {
            add(&declared.name, every(sort, anywhere));
        }
    }
    found
}
