//! Single operations, without what stands inside of them or what they come to.

use std::collections::BTreeSet;

use super::block::{Unit, alone, over, types};
use super::cone::binds;
use super::expr::Found;
use super::{Footprint, Place, of_condition};
use crate::ir::{OpKind, System};
use endstep_language::typing::program::{LocalId, SequenceId, StmtId, TriggerId};

/// Reads the operations of one procedure or trigger.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'s> {
    /// The system.
    pub system: &'s System,
    unit: Unit,
}

/// What one operation does by itself.
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
    /// Of a procedure.
    pub fn of_procedure(system: &'s System, id: SequenceId) -> Self {
        Self {
            system,
            unit: Unit::Procedure(id),
        }
    }

    /// Of a trigger.
    pub fn of_trigger(system: &'s System, id: TriggerId) -> Self {
        Self {
            system,
            unit: Unit::Trigger(id),
        }
    }

    /// What an operation does, apart from the blocks inside and what it comes to.
    pub fn alone(self, id: StmtId) -> Alone {
        self.of_op(&self.system.ops[id].kind)
    }

    /// The same of an operation that need not stand in the system.
    pub fn of_op(self, op: &OpKind) -> Alone {
        let mut found = Found::new(self.system, types(self.system, self.unit));
        alone(&mut found, op);
        Alone {
            locals: std::mem::take(&mut found.locals),
            footprint: found.footprint,
            binds: binds(op),
        }
    }
}

/// The places for which the steps of a sequence are done, and their order.
pub fn of_heading(system: &System, id: SequenceId) -> Footprint {
    let mut found = Found::new(system, types(system, Unit::Procedure(id)));
    over(&mut found, id);
    found.footprint
}

/// The places of which a claim, by position, speaks.
pub fn claimed(system: &System, claim: usize) -> BTreeSet<Place> {
    let conditions = system.claims.get(claim).into_iter().flatten();
    let reads = conditions.flat_map(|one| of_condition(system, one).reads);
    reads.collect()
}
