//! Zones of which somebody looks at the arrangement.
//!
//! ```text
//! first of deck, neighbours, `move c before d`, `move all of deck to hand`     the arrangement of deck
//! size of deck, c is in deck, every c: Card in deck has c.ready                what lies there
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::block::alone;
use super::expr::Found;
use super::{
    Mode, Place, Unit, of_condition, of_element, of_heading, of_matching, of_places, of_raising,
    of_restart, of_statement, types, unsettled,
};
use crate::ir::{Each, OpKind, Range, System};
use endstep_language::typing::program::{BlockId, LocalId, SequenceId, StmtId, Unfinished, ZoneId};

/// In which procedure or trigger each statement stands.
pub fn units(system: &System) -> BTreeMap<StmtId, Unit> {
    let mut found = BTreeMap::new();
    let mut todo: Vec<(BlockId, Unit)> = Vec::new();
    for (id, procedure) in system.procedures.iter() {
        let steps = procedure.steps.iter().map(|&step| system.steps[step].body);
        let before = procedure.restart.as_ref().and_then(|rule| rule.before);
        todo.extend(
            steps
                .chain(before)
                .map(|block| (block, Unit::Procedure(id))),
        );
    }
    let triggers = system.triggers.iter();
    todo.extend(triggers.map(|(id, trigger)| (trigger.body, Unit::Trigger(id))));
    while let Some((block, unit)) = todo.pop() {
        for &op in &system.blocks[block].ops {
            found.insert(op, unit);
            todo.extend(
                system.ops[op]
                    .kind
                    .blocks()
                    .into_iter()
                    .map(|inner| (inner, unit)),
            );
        }
    }
    found
}

/// The statements that take effect together with others: they look at the data as they were before, and
/// are not done one after the other.
pub fn together(system: &System) -> BTreeSet<StmtId> {
    let mut found = BTreeSet::new();
    let mut todo: Vec<BlockId> = Vec::new();
    for op in system.ops.values() {
        if let OpKind::Atomic(block) = op.kind {
            todo.push(block);
        }
    }
    while let Some(block) = todo.pop() {
        for &op in &system.blocks[block].ops {
            if found.insert(op) {
                todo.extend(system.ops[op].kind.blocks());
            }
        }
    }
    found
}

/// Zones of which any part of a system looks at the arrangement, apart from the order in which
/// iterations, lists that are done for several places, and listeners take what lies there.
pub fn arranged(system: &System) -> BTreeSet<ZoneId> {
    let mut found = BTreeSet::new();
    let units = units(system);
    let placed = placed(system, &units);
    for (&id, &unit) in &units {
        let mut op = Found::new(system, types(system, unit));
        op.placed = placed.get(&id).copied();
        alone(&mut op, &system.ops[id].kind);
        found.extend(op.footprint.arranged);
    }
    for (id, procedure) in system.procedures.iter() {
        // Whether something else has changed can depend on where it lies.
        if procedure.contract {
            return system.zones.ids().collect();
        }
        let steps = procedure.steps.iter().map(|&step| &system.steps[step]);
        let mut ensured = Found::new(system, &procedure.types);
        ensured.exprs(steps.flat_map(|step| &step.ensures));
        ensured.exprs(&procedure.ensures);
        found.extend(ensured.footprint.arranged);
        for part in [of_heading(system, id), of_restart(system, id)] {
            found.extend(part.arranged);
        }
    }
    for id in system.triggers.ids() {
        found.extend(of_matching(system, id).arranged);
    }
    for id in system.events.ids() {
        found.extend(of_raising(system, id).arranged);
    }
    for legal in &system.legal {
        found.extend(of_condition(system, legal).arranged);
    }
    found
}

/// Operations at which an element still lies where the iteration found it, with the local and the zone.
pub(super) fn placed(
    system: &System,
    units: &BTreeMap<StmtId, Unit>,
) -> BTreeMap<StmtId, (LocalId, ZoneId)> {
    let mut found = BTreeMap::new();
    for (&id, &unit) in units {
        if let OpKind::Each(each) = &system.ops[id].kind
            && let Range::Zone(zone) = &each.binder.range
            && none_moves_another(system, each, unit)
        {
            let still = |op: &&StmtId| !moves(system, **op, unit);
            let ops = &system.blocks[each.body].ops;
            let here = (each.binder.local, zone.zone);
            found.extend(ops.iter().take_while(still).map(|&op| (op, here)));
        }
    }
    found
}

/// Whether a turn moves nothing but its own element, if anything, and elements are those found at first.
fn none_moves_another(system: &System, each: &Each, unit: Unit) -> bool {
    let mut rules = system
        .procedures
        .values()
        .iter()
        .filter_map(|one| one.restart.as_ref());
    let own = |mode| {
        matches!(
            mode,
            Mode::Read | Mode::Leave | Mode::Join | Mode::Arrive(_)
        )
    };
    let turn = of_element(system, each, unit);
    let mut accesses = turn.accesses.iter();
    rules.all(|rule| matches!(rule.unfinished, Unfinished::Lost))
        && accesses.all(|one| !matches!(one.place, Place::Zone(_)) || own(one.mode))
}

/// Whether an operation may move anything.
fn moves(system: &System, id: StmtId, unit: Unit) -> bool {
    let print = of_statement(system, id, unit);
    print.writes.iter().any(|one| matches!(one, Place::Zone(_)))
}

/// Whether nothing that the steps of a sequence do changes in which order its places are taken, which is looked at
/// when each step begins.
pub fn keeps_order_of_places(system: &System, id: SequenceId) -> bool {
    let mut found = Found::new(system, &system.procedures[id].types);
    if let Some((binder, order, _)) = &system.procedures[id].over {
        found.order(order, Some(binder));
    }
    let writes = of_places(system, id).writes;
    found.footprint.reads.is_disjoint(&writes)
}

/// Whether nothing that is done for an element can keep the order of those that are left from being told: who decides,
/// a rank, or from whom they are counted is looked at between them.
pub fn keeps_order_told(system: &System, each: &Each, unit: Unit) -> bool {
    if !unsettled(system, &each.order) {
        return true;
    }
    let mut found = Found::new(system, types(system, unit));
    found.order(&each.order, Some(&each.binder));
    let writes = of_element(system, each, unit).writes;
    found.footprint.reads.is_disjoint(&writes)
}
