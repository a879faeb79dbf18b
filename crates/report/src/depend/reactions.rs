//! Which clauses bring others about: by what they announce, and by what they perform.
//!
//! ```text
//! step enter          clause 1    announces "grabbed"       clause 1 can bring about clause 4
//! trigger sees_it     clause 4    on grabbed
//! ```

use std::collections::BTreeSet;

use super::Thing;
use super::rests::Rests;
use super::source::{ops, resolved};
use endstep_kernel::footprint::Unit;
use endstep_kernel::ir::{OpKind, System};
use endstep_language::typing::program::{ClauseIdx, QueueId, StmtId};

/// Pairs of clauses of which the first can bring the second about.
pub(super) fn brought(rests: &Rests<'_>) -> BTreeSet<(ClauseIdx, ClauseIdx)> {
    let resolved = resolved(rests.source);
    let mut found = BTreeSet::new();
    for &unit in &rests.units {
        for op in ops(rests.source.system, rests.blocks(unit)) {
            let from = rests.of_statement(unit, op);
            for to in begun(rests.source.system, &resolved, op) {
                let to = rests.whole(to);
                let pairs = from
                    .iter()
                    .flat_map(|&one| to.iter().map(move |&other| (one, other)));
                found.extend(pairs.filter(|(one, other)| one != other));
            }
        }
    }
    found
}

/// The triggers that a statement sets off, at once or when they are resolved, and the first step of what it performs.
fn begun(system: &System, resolved: &BTreeSet<QueueId>, op: StmtId) -> Vec<Thing> {
    let kind = &system.ops[op].kind;
    let events = system.announced_by(kind).into_iter();
    let events = events.map(|event| &system.events[event]);
    let taken = events.filter(|event| event.queue.is_none_or(|queue| resolved.contains(&queue)));
    let triggers = taken.flat_map(|event| &event.triggers);
    let triggers = triggers.map(|&trigger| Thing::Trigger(trigger));
    let first = match kind {
        OpKind::Call(called, _) => system.procedures[*called].steps.first(),
        // Nothing else performs a sequence.
        _ => None,
    };
    triggers
        .chain(first.map(|&step| Thing::Step(step)))
        .collect()
}

/// The clauses on which anything of some units rests.
pub(super) fn acting(rests: &Rests<'_>) -> BTreeSet<ClauseIdx> {
    let of_unit = |&unit: &Unit| {
        let statements = ops(rests.source.system, rests.blocks(unit)).into_iter();
        let statements = statements.flat_map(move |op| rests.of_statement(unit, op));
        let heading = match unit {
            Unit::Procedure(id) => {
                let steps = rests.source.system.procedures[id].steps.iter();
                let steps = steps.flat_map(|&step| rests.whole(Thing::Step(step)));
                let restart = rests.of_restart(id);
                steps.chain(restart).collect::<BTreeSet<ClauseIdx>>()
            }
            Unit::Trigger(id) => rests.all_of(Thing::Trigger(id)),
        };
        statements.chain(heading).collect::<Vec<_>>()
    };
    rests.units.iter().flat_map(of_unit).collect()
}
