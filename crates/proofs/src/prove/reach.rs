//! What the parts of a sequence come to: which events are announced, what is set, what is removed.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::loose::procedure;
use super::met::Inner;
use endstep_kernel::footprint::{self, Place, Unit};
use endstep_kernel::ir::{OpKind, System};
use endstep_language::typing::program::{BlockId, EventId, SequenceId, SortId};

/// The events that are announced when a sequence is performed while nothing waits.
pub(super) fn heard(system: &System, sequence: SequenceId) -> Rc<BTreeSet<EventId>> {
    let mut events = BTreeSet::new();
    loop {
        let before = events.len();
        let mut seen = BTreeSet::from([Unit::Procedure(sequence)]);
        let mut todo = vec![Unit::Procedure(sequence)];
        while let Some(unit) = todo.pop() {
            let mut blocks = all_blocks(system, unit);
            while let Some(block) = blocks.pop() {
                for &op in &system.blocks[block].ops {
                    let op = &system.ops[op].kind;
                    blocks.extend(op.blocks());
                    events.extend(system.announced_by(op));
                    for begun in footprint::come_to(system, op) {
                        let comes = match begun {
                            Unit::Trigger(id) => events.contains(&system.triggers[id].event),
                            Unit::Procedure(_) => true,
                        };
                        if comes && seen.insert(begun) {
                            todo.push(begun);
                        }
                    }
                }
            }
        }
        if events.len() == before {
            return Rc::new(events);
        }
    }
}

/// Fields and variables that nothing sets in all that some parts come to. What is created had no values
/// before.
pub(super) fn frozen(system: &System, begin: &[Key]) -> BTreeSet<Place> {
    let set = set(system, begin);
    let fields = system.fields.ids().map(Place::Field);
    let vars = system.vars.ids().map(Place::Var);
    fields
        .chain(vars)
        .filter(|place| !set.contains(place))
        .collect()
}

/// Fields and variables that something sets in all that some parts come to.
pub(super) fn set(system: &System, begin: &[Key]) -> BTreeSet<Place> {
    let mut units = BTreeSet::new();
    let mut blocks: Vec<(BlockId, Unit)> = Vec::new();
    let mut set = BTreeSet::new();
    for (inner, _) in begin {
        match *inner {
            Inner::Block(block, unit) => blocks.push((block, unit)),
            Inner::Trigger(id) => blocks.push((system.triggers[id].body, Unit::Trigger(id))),
            Inner::Element(stmt, unit) => {
                let inner = system.ops[stmt].kind.blocks().into_iter();
                blocks.extend(inner.map(|block| (block, unit)));
            }
        }
    }
    while let Some((block, unit)) = blocks.pop() {
        for &op in &system.blocks[block].ops {
            let op = &system.ops[op].kind;
            set.extend(sets(op));
            blocks.extend(op.blocks().into_iter().map(|inner| (inner, unit)));
            for begun in footprint::come_to(system, op) {
                if units.insert(begun) {
                    blocks.extend(
                        all_blocks(system, begun)
                            .into_iter()
                            .map(|one| (one, begun)),
                    );
                }
            }
        }
    }
    set
}

/// The blocks of a unit.
pub(super) fn all_blocks(system: &System, unit: Unit) -> Vec<BlockId> {
    match unit {
        Unit::Trigger(id) => vec![system.triggers[id].body],
        Unit::Procedure(id) => procedure(system, id)
            .into_iter()
            .filter_map(|inner| match inner {
                Inner::Block(block, _) => Some(block),
                Inner::Element(..) | Inner::Trigger(_) => None,
            })
            .collect(),
    }
}

/// The places that an operation itself sets.
fn sets(op: &OpKind) -> Vec<Place> {
    let places: Vec<&endstep_kernel::ir::Place> = match op {
        OpKind::Set(place, _)
        | OpKind::Add { place, .. }
        | OpKind::Distribute { into: place, .. }
        | OpKind::ChooseValue { place, .. } => vec![place],
        OpKind::Transfer { from, to, .. } => vec![from, to],
        _ => Vec::new(),
    };
    let place = |place: &endstep_kernel::ir::Place| match place {
        endstep_kernel::ir::Place::Var(var, _) => Place::Var(*var),
        endstep_kernel::ir::Place::Field(_, field, _) => Place::Field(*field),
    };
    places.into_iter().map(place).collect()
}

/// Whether anything at all removes entities of a sort.
pub(super) fn removes(system: &System, sort: SortId) -> bool {
    let of = |unit| match unit {
        Unit::Procedure(id) => footprint::of_procedure(system, id).removes,
        Unit::Trigger(id) => footprint::of_trigger(system, id).removes,
    };
    let units = system.procedures.ids().map(Unit::Procedure);
    let mut units = units.chain(system.triggers.ids().map(Unit::Trigger));
    units.any(|unit| of(unit).contains(&sort))
}

/// A part, and the restart rules that may cut it off.
pub(super) type Key = (Inner, BTreeSet<SequenceId>);
