//! Zones of which nobody looks at the arrangement.
//!
//! ```text
//! for each c: Card in board, in any order
//!   move c to void                    the cards lie in the void in another order, and nobody sees it
//! ```
//!
//! If no rule and no observer looks at the arrangement of a zone, data that differ in nothing else have
//! the same outcomes, and a system that does not tell arrangements there apart has the outcomes of the
//! given one: what is proved of it holds. An iteration that takes what lies there in order does look,
//! unless its elements can be exchanged.
//!
//! *Background.* D. Park, *Concurrency and automata on infinite sequences*, 1981: that two data differ in
//! such an arrangement only is a bisimulation.

use std::collections::BTreeSet;

use crate::verdict::Exchangeable;
use endstep_kernel::footprint::{arranged, together};
use endstep_kernel::ir::{Binder, OpKind, Order, Range, System};
use endstep_language::typing::program::{
    ClaimKind, DomainPolicy, Program, Type, Unfinished, ZoneId,
};
use endstep_semantics::witness::Lens;

/// The zones of which nobody looks at the arrangement, if it is known what can be exchanged.
pub fn overlooked(
    program: &Program,
    system: &System,
    exchangeable: &Exchangeable,
) -> BTreeSet<ZoneId> {
    let mut seen = arranged(system);
    seen.extend(observed(program));
    let together = together(system);
    for (id, op) in system.ops.iter() {
        let OpKind::Each(each) = &op.kind else {
            continue;
        };
        let by_position = is_by_position(&each.domain);
        let free = exchangeable.iterations.contains_key(&id) && !together.contains(&id);
        let in_order = is_fixed(&each.order) && !free;
        if by_position || in_order {
            seen.extend(lying(system, &each.binder));
        }
    }
    for procedure in system.procedures.values() {
        if let Some((binder, order, _)) = &procedure.over
            && is_fixed(order)
        {
            seen.extend(lying(system, binder));
        }
    }
    for trigger in system.triggers.values() {
        let order = &system.events[trigger.event].listeners;
        if let (Some(order), Some(listener)) = (order, &trigger.listener)
            && is_fixed(order)
        {
            seen.extend(lying(system, listener));
        }
    }
    let zones = system.zones.iter();
    let zones = zones.filter(|(id, zone)| !zone.unordered && !seen.contains(id));
    zones.map(|(id, _)| id).collect()
}

/// A system in which arrangements of some zones are not told apart.
pub fn overlooking(system: &System, zones: &BTreeSet<ZoneId>) -> System {
    let mut system = system.clone();
    for &zone in zones {
        system.zones[zone].unordered = true;
    }
    system
}

/// The zones of which an observer with whom something is compared sees the arrangement.
fn observed(program: &Program) -> BTreeSet<ZoneId> {
    let verified = program.verifies.iter().map(|one| one.observer);
    let mut observers: BTreeSet<_> = verified.collect();
    // Without a `verify` nothing is compared, and whoever looks at more than the text says sees all.
    if observers.is_empty() {
        observers.insert(None);
    }
    for claim in &program.claims {
        let sequence = claim.kind.sequence();
        let mut verifies = program.verifies.iter();
        let verified = verifies.any(|one| one.sequence == sequence);
        // Of what is claimed of a sequence that nothing verifies, everything counts if nothing else is said.
        if claim.observer.is_some() || (!verified && compares(&claim.kind)) {
            observers.insert(claim.observer);
        }
    }
    let seen = observers
        .into_iter()
        .map(|one| Lens::new(program, one).arranged());
    seen.flatten().collect()
}

/// Whether outcomes are compared.
fn compares(kind: &ClaimKind) -> bool {
    use ClaimKind::{Equivalent, Idempotent, OrderIrrelevant};
    matches!(kind, OrderIrrelevant(..) | Equivalent(..) | Idempotent(..))
}

fn is_fixed(order: &Order) -> bool {
    match order {
        Order::Any | Order::Chosen(_) | Order::Own => false,
        Order::Ranked(ranked) => is_fixed(&ranked.then),
        Order::Zone { .. } | Order::Players { .. } => true,
        Order::Per(_, all) => all.iter().any(is_fixed),
    }
}

fn is_by_position(domain: &DomainPolicy) -> bool {
    match domain {
        DomainPolicy::Snapshot
        | DomainPolicy::Rechecked
        | DomainPolicy::Live
        | DomainPolicy::UntilAllPass => false,
        DomainPolicy::LiveByPosition => true,
        DomainPolicy::Per(_, all) => all.iter().any(is_by_position),
    }
}

/// Where the elements of a binder lie.
fn lying(system: &System, binder: &Binder) -> Vec<ZoneId> {
    let carried = system.procedures.values().iter().any(|one| {
        let rule = one.restart.as_ref();
        rule.is_some_and(|rule| !matches!(rule.unfinished, Unfinished::Lost))
    });
    // What was not visited when a pass was cancelled can lie anywhere when it is visited in the next.
    if let Range::Zone(zone) = &binder.range
        && !carried
    {
        return vec![zone.zone];
    }
    let (Type::Entity(sort) | Type::Optional(sort)) = binder.ty else {
        return Vec::new();
    };
    let zones = system.zones.iter();
    let zones = zones.filter(|(_, zone)| zone.sort == sort);
    zones.map(|(id, _)| id).collect()
}
