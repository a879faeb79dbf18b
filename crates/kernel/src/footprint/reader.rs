//! Single operations, without what stands inside of them or what they come to, and what decides whether
//! anything in a procedure or trigger is done.

use std::collections::BTreeSet;

use super::block::{Unit, alone, itself, over, places_of, types};
use super::cone::binds;
use super::expr::Found;
use super::{Footprint, Place, of_condition};
use crate::ir::{Expr, OpKind, System};
use endstep_language::typing::program::{LocalId, SequenceId, StmtId, TriggerId};
use endstep_semantics::semantics::ChoiceKind;

/// Reads the operations of one procedure or trigger.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'s> {
    /// The system.
    pub system: &'s System,
    unit: Unit,
}

/// What one operation or expression does by itself.
#[derive(Debug, Clone)]
pub struct Alone {
    /// What it can do.
    pub footprint: Footprint,
    /// The locals that it reads.
    pub locals: BTreeSet<LocalId>,
    /// The local that it binds for what comes after it, or for what stands inside.
    pub binds: Option<LocalId>,
}

impl<'s> Reader<'s> {
    /// Of a procedure or trigger.
    pub fn new(system: &'s System, unit: Unit) -> Self {
        Self { system, unit }
    }

    /// What an operation does, apart from the blocks inside and what it comes to.
    pub fn alone(self, id: StmtId) -> Alone {
        self.of_op(&self.system.ops[id].kind)
    }

    /// The same without what is looked at to find out which events are raised and which triggers match.
    pub fn itself(self, id: StmtId) -> Footprint {
        self.find(|found| itself(found, &self.system.ops[id].kind))
            .footprint
    }

    /// The same as [`alone`](Self::alone) of an operation that need not stand in the system.
    pub fn of_op(self, op: &OpKind) -> Alone {
        Alone {
            binds: binds(op),
            ..self.find(|found| alone(found, op))
        }
    }

    /// What an expression reads.
    pub fn of_expr(self, e: &Expr) -> Alone {
        self.find(|found| found.expr(e))
    }

    /// What decides whether, how often and in which order the blocks of the procedure or trigger are run, once
    /// something begins it: for which places the steps are done, who puts them in order, whether they are
    /// cancelled; or what the trigger listens for.
    pub fn heading(self) -> Alone {
        self.find(|found| match self.unit {
            Unit::Procedure(id) => {
                let procedure = &self.system.procedures[id];
                places_of(found, id);
                if let Some((by, _)) = &procedure.free {
                    found.asked(ChoiceKind::Order, by);
                }
                found.exprs(procedure.restart.iter().map(|rule| &rule.when));
            }
            Unit::Trigger(id) => {
                let trigger = &self.system.triggers[id];
                if let Some(listener) = &trigger.listener {
                    found.binder(listener);
                }
                found.exprs(&trigger.condition);
            }
        })
    }

    /// What decides in which order a trigger and others that listen for the same event are taken. The locals
    /// are those of the event.
    pub fn turn(self, id: TriggerId) -> Alone {
        let trigger = &self.system.triggers[id];
        let order = &self.system.events[trigger.event].listeners;
        self.find(|found| {
            if let Some(order) = order {
                found.order(order, trigger.listener.as_ref());
            }
        })
    }

    fn find(self, find: impl FnOnce(&mut Found<'s>)) -> Alone {
        let mut found = Found::new(self.system, types(self.system, self.unit));
        find(&mut found);
        Alone {
            locals: std::mem::take(&mut found.locals),
            footprint: found.footprint,
            binds: None,
        }
    }
}

/// The places for which the steps of a sequence are done, and their order.
pub fn of_heading(system: &System, id: SequenceId) -> Footprint {
    let mut found = Found::new(system, types(system, Unit::Procedure(id)));
    over(&mut found, id);
    found.footprint
}

/// What decides for which places the steps of a sequence are done, and in which order they come.
pub fn of_list(system: &System, id: SequenceId) -> Footprint {
    let mut found = Found::new(system, types(system, Unit::Procedure(id)));
    places_of(&mut found, id);
    if let Some((by, _)) = &system.procedures[id].free {
        found.asked(ChoiceKind::Order, by);
    }
    found.footprint
}

/// What the steps of a sequence promise of their ends.
pub fn of_ensured(system: &System, id: SequenceId) -> Footprint {
    let procedure = &system.procedures[id];
    let steps = procedure.steps.iter().map(|&step| &system.steps[step]);
    let mut found = Found::new(system, types(system, Unit::Procedure(id)));
    found.exprs(steps.flat_map(|step| &step.ensures));
    found.footprint
}

/// The places of which a claim, by position, speaks.
pub fn claimed(system: &System, claim: usize) -> BTreeSet<Place> {
    let conditions = system.claims.get(claim).into_iter().flatten();
    let reads = conditions.flat_map(|one| of_condition(system, one).reads);
    reads.collect()
}
