//! Which definitions say what is done, and not only what is asked.
//!
//! `define dead(c: Card) = c.health <= 0` is one if a step moves those that are dead, directly or
//! through other definitions; not if only a claim speaks of them.

use std::collections::BTreeSet;

use super::walk::{self, Role};
use crate::typing::program::{DefineId, Expr, ExprKind, Program};

/// The definitions that statements, triggers, restarts and orders use.
pub(super) fn definitions(program: &Program) -> BTreeSet<DefineId> {
    let mut todo = Vec::new();
    let mut note = |expr: &mut Expr, _: Role| {
        if let ExprKind::Call(id, _) = expr.kind {
            todo.push(id);
        }
    };
    for stmt in program.stmts.values() {
        walk::stmt(&mut stmt.kind.clone(), &mut note);
    }
    for trigger in program.triggers.values() {
        let mut trigger = trigger.clone();
        if let Some(binder) = &mut trigger.listener {
            walk::binder(binder, &mut note);
        }
        if let Some(condition) = &mut trigger.condition {
            walk::expr(condition, Role::Condition, &mut note);
        }
    }
    for sequence in program.sequences.values() {
        let mut sequence = sequence.clone();
        if let Some(over) = &mut sequence.over {
            walk::binder(&mut over.binder, &mut note);
            walk::order(&mut over.order, &mut note);
        }
        if let Some(restart) = &mut sequence.restart {
            walk::expr(&mut restart.when, Role::Condition, &mut note);
        }
    }
    for event in program.events.values() {
        if let Some(order) = &mut event.listeners.clone() {
            walk::order(order, &mut note);
        }
    }
    let mut used = BTreeSet::new();
    while let Some(id) = todo.pop() {
        if used.insert(id) {
            let mut body = program.defines[id].body.clone();
            walk::expr(&mut body, Role::Value, &mut |expr, _| {
                if let ExprKind::Call(id, _) = expr.kind {
                    todo.push(id);
                }
            });
        }
    }
    used
}
