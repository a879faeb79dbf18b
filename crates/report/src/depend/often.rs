//! Which sequences can be performed more than once in a run: then their last step can come before their first.
//!
//! ```text
//! step x                     "refill" is performed twice: what its last step writes, its first one reads
//!   perform refill
//!   perform refill
//! ```
//!
//! *Guarantees.* A sequence that is left out is performed at most once in every run of the sequences that are shown.
//!
//! *Limits.* Conditions are not looked at: what the text lets happen twice counts as happening twice.

use std::collections::{BTreeMap, BTreeSet};

use super::Source;
use super::source::sequences;
use endstep_kernel::footprint::Unit;
use endstep_kernel::ir::{OpKind, System};
use endstep_language::typing::program::{BlockId, Nest, SequenceId};

/// How often something is begun in a run; more than `OFTEN` is not counted.
type Times = u8;

/// More than once.
const OFTEN: Times = 2;

/// What is begun, and how often.
type Begun = BTreeMap<Unit, Times>;

/// The sequences whose steps can be done again in a run, the first one after the last one; by a restart, the first one is
/// next after the restart.
pub(super) fn again(source: Source<'_>) -> BTreeSet<SequenceId> {
    let system = source.system;
    let shown = sequences(source).into_iter();
    let goes_on = shown.filter(|id| goes_by_place(system, *id));
    let mut found: BTreeSet<SequenceId> = goes_on.collect();
    found.extend(performed_again(source));
    found
}

/// The sequences that can be performed again in a run.
pub(super) fn performed_again(source: Source<'_>) -> BTreeSet<SequenceId> {
    let roots: Vec<SequenceId> = match source.sequence {
        Some(root) => vec![root],
        None => sequences(source),
    };
    let mut found = BTreeSet::new();
    for root in roots {
        let begun = begun(source.system, root);
        let often = begun.iter().filter(|(_, times)| **times >= OFTEN);
        found.extend(often.filter_map(|(unit, _)| match unit {
            Unit::Procedure(id) => Some(*id),
            Unit::Trigger(_) => None,
        }));
    }
    found
}

/// Whether a sequence comes back to its first step for each place.
pub(super) fn goes_by_place(system: &System, id: SequenceId) -> bool {
    let over = system.procedures[id].over.as_ref();
    over.is_some_and(|(.., nest)| match nest {
        Nest::Places | Nest::Unspecified(_) => true,
        Nest::Steps => false,
    })
}

/// How often each sequence and trigger is begun in a run of a sequence.
fn begun(system: &System, root: SequenceId) -> Begun {
    let mut known = Begun::from([(Unit::Procedure(root), 1)]);
    loop {
        let mut found = Begun::from([(Unit::Procedure(root), 1)]);
        for (&unit, &times) in &known {
            join(&mut found, of_unit(system, unit), times);
        }
        if found == known {
            return known;
        }
        known = found;
    }
}

/// Adds what is begun so many times.
fn join(found: &mut Begun, others: Begun, times: Times) {
    for (unit, each) in others {
        let before = found.entry(unit).or_default();
        *before = (*before + each * times).min(OFTEN);
    }
}

/// What one activation of a sequence or trigger begins.
fn of_unit(system: &System, unit: Unit) -> Begun {
    let id = match unit {
        Unit::Trigger(id) => return of_block(system, system.triggers[id].body),
        Unit::Procedure(id) => id,
    };
    let procedure = &system.procedures[id];
    let restart = procedure.restart.as_ref();
    let again = restart.is_some() || procedure.over.is_some() || system.jumps(id);
    let times = if again { OFTEN } else { 1 };
    let steps = procedure.steps.iter().map(|&step| system.steps[step].body);
    let mut found = Begun::new();
    for block in steps.chain(restart.and_then(|rule| rule.before)) {
        join(&mut found, of_block(system, block), times);
    }
    found
}

fn of_block(system: &System, block: BlockId) -> Begun {
    let mut found = Begun::new();
    for &op in &system.blocks[block].ops {
        let kind = &system.ops[op].kind;
        join(&mut found, of_op(system, kind), 1);
        let inner = kind.blocks().into_iter();
        let inner = inner.map(|inner| of_block(system, inner));
        match kind {
            OpKind::Each(_) | OpKind::Repeat(..) => {
                inner.for_each(|begun| join(&mut found, begun, OFTEN));
            }
            // Of everything else that has blocks one is done, or the only one.
            _ => {
                let mut most = Begun::new();
                for (unit, times) in inner.flatten() {
                    let before = most.entry(unit).or_default();
                    *before = times.max(*before);
                }
                join(&mut found, most, 1);
            }
        }
    }
    found
}

/// What an operation begins itself. What waits in a queue is begun once for each announcement.
fn of_op(system: &System, kind: &OpKind) -> Begun {
    match kind {
        OpKind::Call(id, _) => Begun::from([(Unit::Procedure(*id), 1)]),
        OpKind::Announce(event, _) => {
            let triggers = system.events[*event].triggers.iter();
            let times = |listens| if listens { OFTEN } else { 1 };
            triggers
                .map(|&id| {
                    (
                        Unit::Trigger(id),
                        times(system.triggers[id].listener.is_some()),
                    )
                })
                .collect()
        }
        // The state may raise an event for several things.
        _ => {
            let raised = system.raised_by(kind).into_iter();
            let woken = raised.flat_map(|event| &system.events[event].triggers);
            woken.map(|&id| (Unit::Trigger(id), OFTEN)).collect()
        }
    }
}
