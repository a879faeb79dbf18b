//! Which definitions say what is done, and not only what is asked.
//!
//! `define dead(c: Card) = c.health <= 0` is one if a step moves those that are dead, directly or
//! through other definitions; not if only a claim speaks of them.

use std::collections::BTreeSet;

use endstep_language::typing::program::{DefineId, Program, Visit, Walk};

/// The definitions that statements, triggers, restarts and orders use.
pub(super) fn definitions(program: &Program) -> BTreeSet<DefineId> {
    let mut todo = Applied(Vec::new());
    program
        .stmts
        .values()
        .iter()
        .for_each(|one| one.kind.meet(&mut todo));
    for trigger in program.triggers.values() {
        trigger.listener.meet(&mut todo);
        trigger.condition.meet(&mut todo);
    }
    for sequence in program.sequences.values() {
        if let Some(over) = &sequence.over {
            over.binder.meet(&mut todo);
            over.order.meet(&mut todo);
        }
        if let Some(restart) = &sequence.restart {
            restart.when.meet(&mut todo);
        }
    }
    for event in program.events.values() {
        event.listeners.meet(&mut todo);
        if let Some(whenever) = &event.whenever {
            whenever.condition.meet(&mut todo);
            whenever.with.meet(&mut todo);
        }
    }
    let mut used = BTreeSet::new();
    while let Some(id) = todo.0.pop() {
        if used.insert(id) {
            program.defines[id].body.meet(&mut todo);
        }
    }
    used
}

/// The definitions that are applied.
struct Applied(Vec<DefineId>);

impl Visit<'_> for Applied {
    fn define(&mut self, id: DefineId) {
        self.0.push(id);
    }
}
