//! What operations, steps and triggers can do, with all that they come to.

use std::collections::BTreeSet;

use super::cone::ends;
use super::expr::Found;
use super::reader::of_matching;
use super::{Footprint, Place, places};
use crate::ir::{Each, Expr, OpKind, Policy, System, Target, Until};
use crate::semantics::ChoiceKind;
use crate::typing::program::{
    BlockId, EventId, FieldId, SequenceId, SortId, StepId, StmtId, TriggerId, Type,
};

/// A part with locals of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Unit {
    /// A procedure.
    Procedure(SequenceId),
    /// A trigger.
    Trigger(TriggerId),
}

/// What a step can do, the restart of its sequence included.
pub fn of_step(system: &System, id: StepId) -> Footprint {
    let step = &system.steps[id];
    let unit = Unit::Procedure(step.procedure);
    let mut parts = Parts::new(system);
    parts.block(step.body, unit);
    parts.own(unit, |found| {
        found.exprs(&step.ensures);
        // The places for which it is done.
        over(found, step.procedure);
    });
    let restart = system.procedures[step.procedure].restart.as_ref();
    if restart.is_some() {
        parts.own(unit, |found| restarts(found, step.procedure));
        parts.footprint.partial = true;
    }
    if let Some(before) = restart.and_then(|rule| rule.before) {
        parts.block(before, unit);
    }
    parts.finish()
}

/// What a trigger can do once it matched.
pub fn of_trigger(system: &System, id: TriggerId) -> Footprint {
    let mut parts = Parts::new(system);
    parts.block(system.triggers[id].body, Unit::Trigger(id));
    parts.finish()
}

/// What a block can do, for instance the body of an iteration, in the procedure of a step.
pub fn of_block(system: &System, id: BlockId, procedure: SequenceId) -> Footprint {
    let mut parts = Parts::new(system);
    parts.block(id, Unit::Procedure(procedure));
    parts.finish()
}

/// What an operation can do, all blocks inside included, in the procedure of a step.
pub fn of_op(system: &System, id: StmtId, procedure: SequenceId) -> Footprint {
    let mut parts = Parts::new(system);
    parts.op(id, Unit::Procedure(procedure));
    parts.finish()
}

/// Collects what parts can do. Units are looked at once each, however many ways lead to them.
struct Parts<'s> {
    system: &'s System,
    footprint: Footprint,
    seen: BTreeSet<Unit>,
    todo: Vec<Unit>,
}

impl<'s> Parts<'s> {
    fn new(system: &'s System) -> Self {
        Self {
            system,
            footprint: Footprint::default(),
            seen: BTreeSet::new(),
            todo: Vec::new(),
        }
    }

    fn finish(mut self) -> Footprint {
        while let Some(unit) = self.todo.pop() {
            if !self.seen.insert(unit) {
                continue;
            }
            match unit {
                Unit::Trigger(id) => self.block(self.system.triggers[id].body, unit),
                Unit::Procedure(id) => {
                    let procedure = &self.system.procedures[id];
                    self.own(unit, |found| heading(found, id));
                    self.footprint.partial |= procedure.restart.is_some();
                    for &step in &procedure.steps {
                        self.block(self.system.steps[step].body, unit);
                    }
                    if let Some(before) = procedure.restart.as_ref().and_then(|one| one.before) {
                        self.block(before, unit);
                    }
                }
            }
        }
        self.footprint
    }

    fn own(&mut self, unit: Unit, find: impl FnOnce(&mut Found<'s>)) -> Footprint {
        let mut found = Found::new(self.system, types(self.system, unit));
        find(&mut found);
        self.footprint.add(&found.footprint);
        found.footprint
    }

    fn block(&mut self, block: BlockId, unit: Unit) {
        for &op in &self.system.blocks[block].ops {
            self.op(op, unit);
        }
    }

    fn op(&mut self, id: StmtId, unit: Unit) {
        let op = &self.system.ops[id].kind;
        let own = self.own(unit, |found| alone(found, op));
        self.footprint.partial |= ends(self.system, op, &own);
        self.todo.extend(come_to(self.system, op));
        for inner in op.blocks() {
            self.block(inner, unit);
        }
    }
}

/// The types of the locals of a unit.
pub(super) fn types(system: &System, unit: Unit) -> &[Type] {
    match unit {
        Unit::Procedure(id) => &system.procedures[id].types,
        Unit::Trigger(id) => &system.triggers[id].types,
    }
}

/// What an operation may begin: what it performs, what interrupts it, what it resolves.
pub(super) fn come_to(system: &System, op: &OpKind) -> Vec<Unit> {
    let triggers = |event: EventId| system.events[event].triggers.iter().copied();
    match op {
        OpKind::Call(id, _) => vec![Unit::Procedure(*id)],
        OpKind::Announce(event, _) if system.events[*event].queue.is_none() => {
            triggers(*event).map(Unit::Trigger).collect()
        }
        OpKind::Resolve { queue, .. } => {
            let events = system.events.iter();
            let events = events.filter(|(_, event)| event.queue == Some(*queue));
            let all = events.flat_map(|(id, _)| triggers(id));
            all.map(Unit::Trigger).collect()
        }
        _ => Vec::new(),
    }
}

/// What a procedure does apart from its blocks.
pub(super) fn heading(found: &mut Found<'_>, id: SequenceId) {
    let procedure = &found.system.procedures[id];
    for &step in &procedure.steps {
        found.exprs(&found.system.steps[step].ensures);
    }
    if let Some((by, reading)) = &procedure.free {
        found.asked(ChoiceKind::Order, by);
        found.footprint.consults.extend(reading);
    }
    over(found, id);
    if procedure.restart.is_some() {
        restarts(found, id);
    }
}

/// The places for which the steps of a procedure are done.
fn over(found: &mut Found<'_>, id: SequenceId) {
    let procedure = &found.system.procedures[id];
    if let Some((binder, order, nest)) = &procedure.over {
        found.binder(binder);
        found.order(order, Some(binder));
        if let crate::typing::program::Nest::Unspecified(reading) = nest {
            found.footprint.consults.insert(*reading);
        }
    }
}

/// What decides whether a pass is cancelled, and what is dropped then.
fn restarts(found: &mut Found<'_>, id: SequenceId) {
    use crate::typing::program::{Cancel, Unfinished};
    let system = found.system;
    let procedure = &system.procedures[id];
    let Some(rule) = &procedure.restart else {
        return;
    };
    found.expr(&rule.when);
    let consults = &mut found.footprint.consults;
    if let Cancel::Per(reading, _) = &rule.cancel {
        consults.insert(*reading);
    }
    if let Unfinished::Per(reading, _) = &rule.unfinished {
        consults.insert(*reading);
    }
    for &step in &procedure.steps {
        for &op in &system.blocks[system.steps[step].body].ops {
            if let OpKind::Each(each) = &system.ops[op].kind {
                found.binder(&each.binder);
            }
        }
    }
}

/// What an operation does apart from the blocks inside, and what it comes to.
#[allow(
    clippy::too_many_lines,
    reason = "a flat match with one arm for each form"
)]
pub(super) fn alone(found: &mut Found<'_>, op: &OpKind) {
    found.exprs(op.exprs());
    match op {
        OpKind::Skip | OpKind::Let(..) | OpKind::If(..) => {}
        OpKind::Set(to, _) => {
            let place = found.place(to);
            found.footprint.write(place);
        }
        OpKind::Add { place, .. } => {
            let place = found.place(place);
            found.footprint.update(place);
        }
        OpKind::Transfer { from, to, .. } => {
            for place in [from, to] {
                let place = found.place(place);
                found.footprint.update(place);
            }
        }
        OpKind::Move(e, to) => {
            moved(found, e);
            target(found, to);
        }
        OpKind::MoveAll(zone, to) => {
            found.zone_ref(zone);
            found.footprint.write(Place::Zone(zone.zone));
            target(found, to);
        }
        OpKind::Shuffle(zone) => {
            found.zone_ref(zone);
            found.footprint.write(Place::Zone(zone.zone));
            found.footprint.asks.insert(ChoiceKind::Chance);
        }
        OpKind::Create {
            sort,
            target: to,
            with,
            ..
        } => create(found, *sort, to.as_ref(), with),
        OpKind::Remove(e) => {
            moved(found, e);
            for sort in found.sorts(e) {
                found.footprint.update(Place::Sort(sort));
                found.footprint.removes.insert(sort);
            }
        }
        OpKind::Announce(event, _) => announce(found, *event),
        OpKind::Cases {
            policy, otherwise, ..
        } => {
            match policy {
                Policy::Exclusive => drop(found.footprint.asks.insert(ChoiceKind::Gap)),
                Policy::InOrder => {}
                Policy::Chosen(by) => found.asked(ChoiceKind::Selection, by),
            }
            found.footprint.stops |= otherwise.is_none();
        }
        OpKind::Switch(reading, _) => drop(found.footprint.consults.insert(*reading)),
        OpKind::Each(each) => iteration(found, each),
        OpKind::Atomic(_) => {
            found
                .footprint
                .asks
                .extend([ChoiceKind::Gap, ChoiceKind::Order]);
            found.footprint.stops = true;
        }
        OpKind::Repeat(until, _) => {
            if matches!(until, Until::Stable) {
                found.footprint.reads.extend(places(found.system));
            }
        }
        OpKind::ChooseElement(binder, by) => {
            found.binder(binder);
            found.asked(ChoiceKind::Selection, by);
        }
        OpKind::ChooseNumber { by, .. } | OpKind::ChooseBlock(_, by) => {
            found.asked(ChoiceKind::Selection, by);
        }
        OpKind::Distribute {
            binder, into, by, ..
        } => {
            found.binder(binder);
            found.asked(ChoiceKind::Distribution, by);
            let place = found.place(into);
            found.footprint.update(place);
        }
        OpKind::ChooseValue { place, ty, .. } => {
            let place = found.place(place);
            found.footprint.write(place);
            if let Type::Entity(sort) | Type::Optional(sort) = ty {
                found.footprint.read(Place::Sort(*sort));
            }
            found.footprint.asks.insert(ChoiceKind::Gap);
        }
        OpKind::Call(id, _) => drop(found.footprint.performs.insert(*id)),
        OpKind::Resolve { queue, .. } => found.footprint.update(Place::Queue(*queue)),
        OpKind::Leave(_) | OpKind::Stop(_) => found.footprint.stops = true,
    }
}

/// An entity is taken out of where it lies.
fn moved(found: &mut Found<'_>, e: &Expr) {
    for zone in found.zones_of(e) {
        found.footprint.update(Place::Zone(zone));
    }
    for sort in found.sorts(e) {
        found.footprint.read(Place::Sort(sort));
    }
}

fn target(found: &mut Found<'_>, to: &Target) {
    match to {
        Target::Zone(_, zone) => {
            found.zone_ref(zone);
            found.footprint.write(Place::Zone(zone.zone));
        }
        Target::Beside(_, e) => moved(found, e),
    }
}

fn create(found: &mut Found<'_>, sort: SortId, to: Option<&Target>, with: &[(FieldId, Expr)]) {
    let system = found.system;
    found.footprint.update(Place::Sort(sort));
    found.footprint.creates.insert(sort);
    let fields = system.sorts[sort].fields.iter();
    let fields = fields.chain(with.iter().map(|(field, _)| field));
    found
        .footprint
        .writes
        .extend(fields.map(|&field| Place::Field(field)));
    // Where there is one for each of the sort, there is one more.
    let owned = system
        .zones
        .iter()
        .filter(|(_, zone)| zone.per == Some(sort));
    let owned: Vec<_> = owned.map(|(id, _)| Place::Zone(id)).collect();
    found.footprint.writes.extend(owned);
    // An entity that is forgotten makes room for another one.
    let refers = |ty| matches!(ty, Type::Entity(of) | Type::Optional(of) if of == sort);
    let fields = system.fields.iter();
    let fields = fields.filter(|(_, field)| refers(field.domain.ty));
    let vars = system.vars.iter().filter(|(_, var)| refers(var.domain.ty));
    let reads = &mut found.footprint.reads;
    reads.extend(fields.map(|(id, _)| Place::Field(id)));
    reads.extend(vars.map(|(id, _)| Place::Var(id)));
    reads.extend(system.queues.ids().map(Place::Queue));
    if let Some(to) = to {
        target(found, to);
    }
}

/// Listeners and conditions are looked at when an event is announced, also if it waits in a queue.
fn announce(found: &mut Found<'_>, id: EventId) {
    let system = found.system;
    let event = &system.events[id];
    found.footprint.announces.insert(id);
    if let Some(queue) = event.queue {
        found.footprint.update(Place::Queue(queue));
    }
    if let Some(order) = &event.listeners {
        found.order(order, None);
    }
    if !event.triggers.is_empty() {
        found.footprint.asks.insert(ChoiceKind::Order);
    }
    for &trigger in &event.triggers {
        found.footprint.add(&of_matching(system, trigger));
    }
}

fn iteration(found: &mut Found<'_>, each: &Each) {
    use crate::typing::program::DomainPolicy;
    found.binder(&each.binder);
    found.order(&each.order, Some(&each.binder));
    if let DomainPolicy::Per(reading, _) = &each.domain {
        found.footprint.consults.insert(*reading);
    }
    // What was removed meanwhile is left out.
    if let Type::Entity(sort) | Type::Optional(sort) = each.binder.ty {
        found.footprint.read(Place::Sort(sort));
    }
}
