//! What a matrix is made from, and what of it can come to a point.

use std::collections::{BTreeMap, BTreeSet};

use super::At;
use crate::verdict::{Proof, Results};
use endstep_kernel::footprint::{Reached, Unit, reached, reached_in_step, units};
use endstep_kernel::ir::{OpKind, System};
use endstep_language::index::Id;
use endstep_language::typing::program::{Program, SequenceId, StepId, StmtId};

/// What a matrix is made from.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) program: &'a Program,
    pub(super) system: &'a System,
    pub(super) results: Option<&'a Results>,
    pub(super) proofs: &'a [Proof],
    /// In which procedure or trigger each statement stands.
    pub(super) units: BTreeMap<StmtId, Unit>,
    /// What running each sequence can come to.
    reached: Vec<Reached>,
}

impl<'a> Source<'a> {
    pub(super) fn new(
        (program, system): (&'a Program, &'a System),
        results: Option<&'a Results>,
        proofs: &'a [Proof],
    ) -> Self {
        let sequences = system.procedures.ids();
        Self {
            program,
            system,
            results,
            proofs,
            units: units(system),
            reached: sequences.map(|id| reached(system, id)).collect(),
        }
    }

    /// What running a sequence can come to.
    pub(super) fn reached(&self, id: SequenceId) -> &Reached {
        &self.reached[id.index()]
    }
}

/// Whether running a sequence can come to a point.
pub(super) fn is_inside(source: &Source<'_>, at: At, sequence: SequenceId) -> bool {
    comes_to(source, at, (source.reached(sequence), &BTreeSet::new()))
}

/// The same where contracts stand for some sequences: these are not run.
pub(super) fn is_beside(
    source: &Source<'_>,
    at: At,
    (sequence, contracts): (SequenceId, &[SequenceId]),
) -> bool {
    let system = source.system;
    let mut reached = Reached::default();
    let mut todo = vec![Unit::Procedure(sequence)];
    while let Some(unit) = todo.pop() {
        let is_new = match unit {
            Unit::Procedure(id) => !contracts.contains(&id) && reached.sequences.insert(id),
            Unit::Trigger(id) => reached.triggers.insert(id),
        };
        let own = source.units.iter().filter(|(_, of)| is_new && **of == unit);
        for (&stmt, _) in own {
            match system.ops[stmt].kind {
                OpKind::Call(id, _) => todo.push(Unit::Procedure(id)),
                // Nothing else brings another sequence or a trigger about.
                _ => {
                    let announced = system.announced_by(&system.ops[stmt].kind).into_iter();
                    let woken = announced.flat_map(|event| &system.events[event].triggers);
                    todo.extend(woken.map(|&id| Unit::Trigger(id)));
                }
            }
        }
    }
    comes_to(source, at, (&reached, &BTreeSet::new()))
}

/// Whether a step can come to a point.
pub(super) fn is_in_step(source: &Source<'_>, at: At, step: StepId) -> bool {
    let system = source.system;
    let mut own = BTreeSet::new();
    let mut todo = vec![system.steps[step].body];
    while let Some(block) = todo.pop() {
        for &op in &system.blocks[block].ops {
            own.insert(op);
            todo.extend(system.ops[op].kind.blocks());
        }
    }
    comes_to(source, at, (&reached_in_step(system, step), &own))
}

/// Whether a point is among some statements, or in what was reached.
fn comes_to(source: &Source<'_>, at: At, (reached, own): (&Reached, &BTreeSet<StmtId>)) -> bool {
    let inside = |stmt: &StmtId| {
        own.contains(stmt)
            || match source.units.get(stmt) {
                Some(Unit::Procedure(id)) => reached.sequences.contains(id),
                Some(Unit::Trigger(id)) => reached.triggers.contains(id),
                None => false,
            }
    };
    match at {
        At::List(id) | At::Places(id) => reached.sequences.contains(&id),
        At::Each(stmt) | At::Together(stmt) => inside(&stmt),
        At::Event(id) => {
            // They are matched where it is announced, even if they wait then.
            let mut ops = source.system.ops.iter();
            ops.any(|(stmt, op)| {
                source.system.announced_by(&op.kind).contains(&id) && inside(&stmt)
            })
        }
    }
}
