//! Where orders are in question, and what the text tells of each pair.

use std::collections::BTreeSet;

use super::closed::{Openness, openness, puts_apart};
use super::source::{Source, is_inside};
use super::{At, Evidence, Pair, Row, Settled, known};
use crate::verdict::{Commuting, Obstacle, Outcome, Proof};
use endstep_kernel::footprint::{
    Agreement, Footprint, Grain, Place, Unit, agree, of_element, of_listed, of_listener, of_places,
    of_restart, of_trigger,
};
use endstep_kernel::ir::{Decider, OpKind, Order, System, Target};
use endstep_language::source::Span;
use endstep_language::typing::program::{
    BlockId, EventId, Nest, Program, StmtId, TriggerId, Unfinished,
};

/// Every point at which an order of the document is in question, as they stand in the specification.
pub fn points(program: &Program, system: &System) -> Vec<(At, Settled)> {
    let mut found: Vec<(Span, At, Settled)> = Vec::new();
    for (id, procedure) in system.procedures.iter() {
        let span = program.sequences[id].span;
        if program.sequences[id].is_experiment() {
            continue;
        }
        if let Some((by, reading)) = &procedure.free {
            let settled = match reading {
                Some(reading) => Settled::Reading(*reading),
                None => decided(by),
            };
            found.push((span, At::List(id), settled));
        }
        if let Some((_, order, nest)) = &procedure.over {
            let settled = match (order_of(order), nest) {
                (Settled::Fixed, Nest::Unspecified(reading)) => Settled::Reading(*reading),
                (settled, _) => settled,
            };
            found.push((span, At::Places(id), settled));
        }
    }
    let together = done_together(system);
    let made_up = program.made_up();
    for (stmt, op) in system.ops.iter() {
        match &op.kind {
            // What is done at once has no order.
            OpKind::Each(_) if together.contains(&stmt) => {}
            _ if made_up.contains(&stmt) => {}
            OpKind::Each(each) => {
                found.push((op.span, At::Each(stmt), order_of(&each.order)));
            }
            OpKind::Atomic(block) if puts_in_order(system, *block) => {
                found.push((op.span, At::Together(stmt), Settled::Open));
            }
            kind if !together.contains(&stmt) && raises_several(system, kind) => {
                found.push((op.span, At::Together(stmt), Settled::Open));
            }
            _ => {}
        }
    }
    for (id, event) in system.events.iter() {
        // Whatever becomes of listeners, the order of several triggers of one is open.
        let open = match event.listeners.as_ref().map(order_of) {
            None | Some(Settled::Fixed) => Settled::Open,
            Some(settled) => settled,
        };
        for settled in [open, Settled::Fixed] {
            if !matching(system, id, settled).is_empty() {
                found.push((program.events[id].span, At::Event(id), settled));
            }
        }
    }
    found.sort_by_key(|(span, at, _)| (*span, *at));
    found
        .into_iter()
        .map(|(_, at, settled)| (at, settled))
        .collect()
}

/// What stands in something that happens simultaneously.
fn done_together(system: &System) -> BTreeSet<StmtId> {
    let atomic = |op: &OpKind| match op {
        OpKind::Atomic(block) => Some(*block),
        _ => None,
    };
    let ops = system.ops.iter();
    let mut todo: Vec<BlockId> = ops.filter_map(|(_, op)| atomic(&op.kind)).collect();
    let mut found = BTreeSet::new();
    while let Some(block) = todo.pop() {
        for &op in &system.blocks[block].ops {
            found.insert(op);
            todo.extend(system.ops[op].kind.blocks());
        }
    }
    found
}

fn decided(by: &Decider) -> Settled {
    match by {
        Decider::Nobody => Settled::Open,
        Decider::Player(_) | Decider::Everyone => Settled::Chosen,
        Decider::Chance => Settled::Chance,
    }
}

fn order_of(order: &Order) -> Settled {
    match order {
        Order::Any => Settled::Open,
        Order::Chosen(by) => decided(by),
        Order::Own => Settled::Chosen,
        Order::Ranked(ranked) => order_of(&ranked.then),
        Order::Zone { .. } | Order::Players { .. } => Settled::Fixed,
        Order::Per(reading, all) => match all.iter().all(|one| order_of(one) == Settled::Fixed) {
            true => Settled::Fixed,
            false => Settled::Reading(*reading),
        },
    }
}

/// Whether two things inside of a block can arrive or be announced in one order or the other.
fn puts_in_order(system: &System, block: BlockId) -> bool {
    let ordered = |target: &Target| match target {
        Target::Zone(_, zone) => !system.zones[zone.zone].unordered,
        Target::Beside(..) => true,
    };
    let mut ops = system.blocks[block]
        .ops
        .iter()
        .map(|&op| &system.ops[op].kind);
    ops.any(|op| {
        let here = match op {
            OpKind::Announce(..) => true,
            OpKind::Move(_, to) | OpKind::MoveAll(_, to) => ordered(to),
            OpKind::Create { target, .. } => target.as_ref().is_some_and(ordered),
            _ => false,
        };
        here || raises_several(system, op)
            || op
                .blocks()
                .into_iter()
                .any(|inner| puts_in_order(system, inner))
    })
}

/// Whether the state can raise several events where an operation is done.
fn raises_several(system: &System, op: &OpKind) -> bool {
    let raised = system.raised_by(op);
    let has_elements = |id: &EventId| {
        let whenever = system.events[*id].whenever.as_ref();
        whenever.is_some_and(|one| one.element.is_some())
    };
    raised.len() > 1 || raised.iter().any(has_elements)
}

/// Triggers of an event that may match together: those of which the document fixes which comes first, or all others.
fn matching(system: &System, event: EventId, settled: Settled) -> Vec<(TriggerId, TriggerId)> {
    let all = &system.events[event].triggers;
    let listeners = system.events[event].listeners.as_ref();
    let fixed = listeners.is_some_and(|order| order_of(order) == Settled::Fixed);
    let mut found = Vec::new();
    for (at, &one) in all.iter().enumerate() {
        if system.triggers[one].listener.is_some() && !fixed {
            found.push((one, one));
        }
        found.extend(all[at + 1..].iter().map(|&other| (one, other)));
    }
    let is_fixed = |pair: &_| puts_apart(system, event, *pair);
    found.retain(|pair| is_fixed(pair) == (settled == Settled::Fixed));
    found
}

/// Whether a restart rule could cut in between. It is looked at when an iteration has begun, before
/// any element is taken, and so cuts in between two turns only if they change what it looks at; and
/// what it carries on is visited by whichever iteration begins first. A step or a trigger may be the
/// first thing that a pass does; before that nothing is looked at.
fn cut(source: &Source<'_>, at: At, pair: Pair) -> bool {
    let system = source.system;
    let procedures = system.procedures.iter();
    let mut restarting = procedures.filter(|(_, one)| one.restart.is_some());
    let writes = written(source, at, pair);
    restarting.any(|(id, procedure)| {
        let rule = procedure.restart.as_ref();
        let lost = rule.is_some_and(|rule| matches!(rule.unfinished, Unfinished::Lost));
        let reads = of_restart(system, id).reads;
        let apart = writes
            .as_ref()
            .is_some_and(|writes| reads.is_disjoint(writes));
        let untouched = matches!(at, At::Each(_)) && lost && apart;
        !untouched && is_inside(source, at, id)
    })
}

/// What the two can change.
fn written(source: &Source<'_>, at: At, pair: Pair) -> Option<BTreeSet<Place>> {
    let system = source.system;
    let of = match (pair, at) {
        (Pair::Steps(one, other), _) => {
            let mut both = of_listed(system, one);
            both.add(&of_listed(system, other));
            both
        }
        (Pair::Elements | Pair::Nesting(_), At::Places(id)) => of_places(system, id),
        (Pair::Elements, At::Each(stmt)) => {
            match (&system.ops[stmt].kind, source.units.get(&stmt)) {
                (OpKind::Each(each), Some(&unit)) => of_element(system, each, unit),
                _ => return None,
            }
        }
        (Pair::Triggers(one, other), At::Event(_)) => {
            let mut both = of_trigger(system, one);
            both.add(&of_trigger(system, other));
            both
        }
        _ => return None,
    };
    Some(of.writes)
}

/// The question whether two can change places, as the prover is asked.
pub(super) fn asked_of_prover(
    source: &Source<'_>,
    at: At,
    pair: Pair,
) -> Option<(Commuting, Unit)> {
    let of = commuting(at, pair)?;
    let unit = match at {
        At::List(id) | At::Places(id) => Unit::Procedure(id),
        At::Each(stmt) => *source.units.get(&stmt)?,
        At::Event(id) => Unit::Trigger(*source.system.events[id].triggers.first()?),
        At::Together(_) => return None,
    };
    Some((of, unit))
}

fn commuting(at: At, pair: Pair) -> Option<Commuting> {
    Some(match (pair, at) {
        (Pair::Steps(one, other), _) => Commuting::Steps(one, other),
        (Pair::Elements, At::Each(stmt)) => Commuting::Elements(stmt),
        (Pair::Elements, At::Places(id)) => Commuting::Places(id),
        (Pair::Nesting(_), At::Places(id)) => Commuting::Nesting(id),
        (Pair::Triggers(one, other), _) => Commuting::Triggers(one, other),
        _ => return None,
    })
}

/// Whether a contract may stand for a sequence that is performed there: it may change more.
fn contracted(source: &Source<'_>, at: At) -> bool {
    let verifies = source.program.verifies.iter();
    let mut replaced = verifies.flat_map(|one| &one.contracts);
    replaced.any(|&replaced| {
        let mut performing = source.system.procedures.ids();
        performing
            .any(|id| source.reached(id).sequences.contains(&replaced) && is_inside(source, at, id))
    })
}

/// The pairs of a point.
pub(super) fn rows(source: &Source<'_>, at: At, settled: Settled) -> Vec<Row> {
    let contracted = contracted(source, at);
    let row = |pair| {
        let obstacle = match () {
            () if contracted => Some(Obstacle::Contract),
            () if cut(source, at, pair) => Some(Obstacle::Cut),
            () => None,
        };
        let text = match told(source, at, pair) {
            Ok(_) if obstacle.is_some() => Err(BTreeSet::new()),
            text => text,
        };
        let refused = obstacle.map(|one| Outcome::Refused(one.into()));
        let outcome = refused
            .as_ref()
            .or_else(|| proof_of(at, pair, source.proofs));
        let proved = matches!(outcome, Some(Outcome::Proved(_)));
        let (evidence, shared) = match (asked(source, (at, settled), pair), text) {
            (Some(refuted @ Evidence::Refuted(_)), text) => {
                assert!(!proved, "proof and runs disagree on {pair:?} at {at:?}");
                debug_assert!(
                    text.is_err(),
                    "text and runs disagree on {pair:?} at {at:?}"
                );
                (refuted, text.err().unwrap_or_default())
            }
            (_, Ok(text)) => (text, BTreeSet::new()),
            (_, Err(_)) if proved => (Evidence::Proved, BTreeSet::new()),
            (asked, Err(shared)) => (otherwise(source, (at, settled), (pair, asked)), shared),
        };
        let row = Row {
            pair,
            evidence,
            shared,
            unproved: None,
        };
        Row {
            unproved: outcome.filter(|_| row.is_open()).cloned(),
            ..row
        }
    };
    pairs(source.system, (at, settled))
        .into_iter()
        .map(row)
        .collect()
}

/// What is known of a pair of which neither text nor prover tells, and which no run refutes.
fn otherwise(
    source: &Source<'_>,
    (at, settled): (At, Settled),
    (pair, asked): (Pair, Option<Evidence>),
) -> Evidence {
    // What if it were any other order: that is asked for itself.
    if settled == Settled::Fixed && !matches!(at, At::Event(_)) {
        return asked.unwrap_or_else(|| known::untried(source, at));
    }
    match (openness(source, at, pair), asked) {
        (Openness::Never(why), _) => Evidence::Closed(why),
        (_, Some(asked)) => asked,
        (open, None) => match known::never(source, at) {
            Evidence::NeverTwo(scopes) if open == Openness::Sometimes => {
                Evidence::NeverOpen(scopes)
            }
            never => never,
        },
    }
}

/// What the prover says of a pair, among its proofs.
pub fn proof_of(at: At, pair: Pair, proofs: &[Proof]) -> Option<&Outcome> {
    let of = commuting(at, pair)?;
    let proof = proofs.iter().find(|one| one.of == of)?;
    Some(&proof.outcome)
}

/// Which two are in question at a point.
fn pairs(system: &System, (at, settled): (At, Settled)) -> Vec<Pair> {
    match at {
        At::List(id) => {
            let steps = &system.procedures[id].steps;
            let pair = |(at, &one)| {
                let later = steps[at + 1..].iter();
                later.map(move |&other| Pair::Steps(one, other))
            };
            steps.iter().enumerate().flat_map(pair).collect()
        }
        At::Places(id) => {
            let over = system.procedures[id].over.as_ref();
            let elements = over.filter(|(_, order, _)| order_of(order) != Settled::Fixed);
            let nesting = over.and_then(|(_, _, nest)| match nest {
                Nest::Unspecified(reading) => Some(Pair::Nesting(*reading)),
                Nest::Steps | Nest::Places => None,
            });
            elements
                .map(|_| Pair::Elements)
                .into_iter()
                .chain(nesting)
                .collect()
        }
        At::Each(_) => vec![Pair::Elements],
        At::Together(_) => vec![Pair::Arrivals],
        At::Event(id) => {
            let triggers = matching(system, id, settled).into_iter();
            triggers
                .map(|(one, other)| Pair::Triggers(one, other))
                .collect()
        }
    }
}

/// What the engines say of a pair.
fn asked(source: &Source<'_>, (at, settled): (At, Settled), pair: Pair) -> Option<Evidence> {
    match (pair, at) {
        (Pair::Steps(one, other), _) => known::steps(source, (one, other)),
        (Pair::Triggers(one, other), _) => known::triggers(source, (one, other)),
        (Pair::Nesting(reading), _) => known::reading(source, reading),
        (Pair::Elements, At::Places(id)) => known::places(source, id),
        (Pair::Elements, At::Each(stmt)) if settled == Settled::Fixed => {
            known::position(source, stmt)
        }
        (_, At::Each(stmt) | At::Together(stmt)) => known::at(source, stmt),
        (Pair::Elements | Pair::Arrivals, _) => None,
    }
}

/// What the text tells of a pair; else the places that keep it from telling.
fn told(source: &Source<'_>, at: At, pair: Pair) -> Result<Evidence, BTreeSet<Place>> {
    let system = source.system;
    match (pair, at) {
        (Pair::Steps(one, other), At::List(_)) => {
            apart(&of_listed(system, one), &of_listed(system, other))
        }
        (Pair::Elements, At::Places(id)) => same(&of_places(system, id)),
        // Place by place, the steps could come in another order for each.
        (Pair::Nesting(_), At::Places(id)) if system.procedures[id].free.is_some() => {
            Err(BTreeSet::new())
        }
        (Pair::Nesting(_), At::Places(id)) => exchanged(&of_places(system, id)),
        (Pair::Elements, At::Each(stmt)) => {
            match (&system.ops[stmt].kind, source.units.get(&stmt)) {
                (OpKind::Each(each), Some(&unit)) => same(&of_element(system, each, unit)),
                _ => Err(BTreeSet::new()),
            }
        }
        // Between two that wait in a queue others may come.
        (Pair::Triggers(..), At::Event(id)) if system.events[id].queue.is_some() => {
            Err(BTreeSet::new())
        }
        (Pair::Triggers(one, other), _) if one == other => same(&of_listener(system, one)),
        (Pair::Triggers(one, other), _) => {
            apart(&of_trigger(system, one), &of_trigger(system, other))
        }
        _ => Err(BTreeSet::new()),
    }
}

/// What the text tells of two different parts.
fn apart(one: &Footprint, other: &Footprint) -> Result<Evidence, BTreeSet<Place>> {
    match agree(one, other)? {
        _ if one.partial || other.partial => Err(BTreeSet::new()),
        Agreement::Disjoint => Ok(Evidence::Disjoint),
        Agreement::Symmetric => {
            let touched: BTreeSet<Place> = other.writes.iter().copied().collect();
            Ok(Evidence::Symmetric(
                one.writes.intersection(&touched).copied().collect(),
            ))
        }
    }
}

/// What the text tells of a part that is done for two elements.
fn same(part: &Footprint) -> Result<Evidence, BTreeSet<Place>> {
    // The same is done twice, whichever comes first; unless one of them may be gone by then.
    if !part.particular && part.removes.is_empty() {
        return Ok(match part.writes.is_empty() {
            true => Evidence::Disjoint,
            false => Evidence::Symmetric(part.writes.clone()),
        });
    }
    exchanged(part)
}

/// What the text tells of a part that is done for two elements, one piece of it exchanged with any
/// piece of the other.
fn exchanged(part: &Footprint) -> Result<Evidence, BTreeSet<Place>> {
    match agree(part, part)? {
        _ if part.partial => Err(BTreeSet::new()),
        Agreement::Disjoint => Ok(Evidence::Disjoint),
        Agreement::Symmetric => {
            let shared = part
                .accesses
                .iter()
                .filter(|one| one.grain != Grain::Own && part.writes.contains(&one.place));
            Ok(Evidence::Symmetric(shared.map(|one| one.place).collect()))
        }
    }
}
