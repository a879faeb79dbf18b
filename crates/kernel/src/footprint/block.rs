//! What operations, steps and triggers can do, with all that they come to.

use std::collections::BTreeSet;

use petgraph::algo::is_cyclic_directed;
use petgraph::graphmap::DiGraphMap;

use super::expr::{Found, announce, raise};
use super::place::places;
use super::total::{heading_may_fail, iterates_badly, may_fail};
use super::{Footprint, Grain, Mode, Place};
use crate::ir::{Each, Expr, ExprKind, OpKind, Policy, Range, System, Target, Until};
use endstep_language::typing::program::{
    BlockId, DomainPolicy, EventId, FieldId, LocalId, SequenceId, SortId, StepId, StmtId,
    TriggerId, Type, ZoneId,
};
use endstep_semantics::semantics::ChoiceKind;

/// A part with locals of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
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
    parts.block(step.body, (unit, None));
    parts.own((unit, None), |found| {
        found.exprs(&step.ensures);
        // The places for which it is done.
        over(found, step.procedure);
    });
    let restart = system.procedures[step.procedure].restart.as_ref();
    if restart.is_some() {
        parts.own((unit, None), |found| restarts(found, step.procedure));
        parts.footprint.partial = true;
    }
    if let Some(before) = restart.and_then(|rule| rule.before) {
        parts.block(before, (unit, None));
    }
    parts.finish()
}

/// What a trigger can do once it matched.
pub fn of_trigger(system: &System, id: TriggerId) -> Footprint {
    let mut parts = Parts::new(system);
    parts.block(system.triggers[id].body, (Unit::Trigger(id), None));
    parts.finish()
}

/// What a block can do, for instance the body of an iteration, in the procedure of a step.
pub fn of_block(system: &System, id: BlockId, procedure: SequenceId) -> Footprint {
    let mut parts = Parts::new(system);
    parts.block(id, (Unit::Procedure(procedure), None));
    parts.finish()
}

/// What an iteration does for one of its elements, seen from that element, in a procedure or a
/// trigger; with what is looked at when its turn comes.
pub fn of_element(system: &System, each: &Each, unit: Unit) -> Footprint {
    let own = Some(each.binder.local);
    let mut parts = Parts::new(system);
    parts.block(each.body, (unit, own));
    let fixed = matches!(each.domain, DomainPolicy::Snapshot);
    if !fixed {
        parts.own((unit, own), |found| found.binder(&each.binder));
    }
    let mut footprint = parts.finish();
    // Whose turn it still is depends on whose it was.
    footprint.particular |= !fixed;
    footprint.partial |= iterates_badly(system, each);
    if let Type::Entity(sort) | Type::Optional(sort) = each.binder.ty
        && footprint.removes.contains(&sort)
    {
        // What was removed meanwhile is left out.
        footprint.access(Place::Sort(sort), Grain::Own, Mode::Read);
    }
    footprint
}

/// What a step of a list can do, with what decides for which places it is done.
pub fn of_listed(system: &System, id: StepId) -> Footprint {
    let step = &system.steps[id];
    let unit = Unit::Procedure(step.procedure);
    let mut parts = Parts::new(system);
    parts.block(step.body, (unit, None));
    parts.own((unit, None), |found| places_of(found, step.procedure));
    parts.footprint.partial |= heading_may_fail(system, step.procedure);
    parts.finish()
}

/// What decides for which places the steps of a procedure are done.
pub(super) fn places_of(found: &mut Found<'_>, id: SequenceId) {
    if let Some((binder, ..)) = &found.system.procedures[id].over {
        over(found, id);
        // What was removed meanwhile is left out.
        if let Type::Entity(sort) | Type::Optional(sort) = binder.ty {
            found.footprint.read(Place::Sort(sort));
        }
    }
}

/// What the steps of a sequence do for one of its places, seen from that place.
pub fn of_places(system: &System, id: SequenceId) -> Footprint {
    let procedure = &system.procedures[id];
    let own = procedure.over.as_ref().map(|(binder, ..)| binder.local);
    let mut parts = Parts::new(system);
    for &step in &procedure.steps {
        parts.block(system.steps[step].body, (Unit::Procedure(id), own));
    }
    // The places are found anew for each step.
    parts.own((Unit::Procedure(id), own), |found| places_of(found, id));
    parts.footprint.partial |= heading_may_fail(system, id);
    // Which of several steps comes next is chosen anew for each place.
    let mut footprint = parts.finish();
    footprint.particular |= procedure.free.is_some();
    footprint
}

/// What a trigger does for one of its listeners, seen from that listener.
pub fn of_listener(system: &System, id: TriggerId) -> Footprint {
    let trigger = &system.triggers[id];
    let own = trigger.listener.as_ref().map(|binder| binder.local);
    let mut parts = Parts::new(system);
    parts.block(trigger.body, (Unit::Trigger(id), own));
    parts.finish()
}

/// What performing a sequence can do.
pub fn of_procedure(system: &System, id: SequenceId) -> Footprint {
    let mut parts = Parts::new(system);
    parts.todo.push((Unit::Procedure(id), None));
    parts.finish()
}

/// Sequences and triggers that running a sequence can come to, itself included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reached {
    /// Sequences.
    pub sequences: BTreeSet<SequenceId>,
    /// Triggers.
    pub triggers: BTreeSet<TriggerId>,
}

/// What running a sequence can come to.
pub fn reached(system: &System, id: SequenceId) -> Reached {
    let mut parts = Parts::new(system);
    parts.todo.push((Unit::Procedure(id), None));
    parts.reached()
}

/// What a step can come to; not its own sequence, unless that is performed again.
pub fn reached_in_step(system: &System, id: StepId) -> Reached {
    let step = &system.steps[id];
    let mut parts = Parts::new(system);
    parts.block(step.body, (Unit::Procedure(step.procedure), None));
    parts.reached()
}

/// What an operation can do, all blocks inside included, in the procedure of a step.
pub fn of_op(system: &System, id: StmtId, procedure: SequenceId) -> Footprint {
    let mut parts = Parts::new(system);
    parts.op(id, (Unit::Procedure(procedure), None));
    parts.finish()
}

/// What a statement can do, all blocks inside included, in a unit.
pub fn of_statement(system: &System, id: StmtId, unit: Unit) -> Footprint {
    let mut parts = Parts::new(system);
    parts.op(id, (unit, None));
    parts.finish()
}

/// A unit and which of its locals is the element for which all this is done.
type Seen = (Unit, Option<LocalId>);

/// Collects what parts can do. Units are looked at once each, however many ways lead to them.
struct Parts<'s> {
    system: &'s System,
    footprint: Footprint,
    seen: BTreeSet<Seen>,
    todo: Vec<Seen>,
    /// What begins what.
    begins: DiGraphMap<Unit, ()>,
}

impl<'s> Parts<'s> {
    fn new(system: &'s System) -> Self {
        Self {
            system,
            footprint: Footprint::default(),
            seen: BTreeSet::new(),
            todo: Vec::new(),
            begins: DiGraphMap::new(),
        }
    }

    fn finish(mut self) -> Footprint {
        self.follow();
        self.footprint.partial |= is_cyclic_directed(&self.begins);
        self.footprint
    }

    fn follow(&mut self) {
        while let Some((unit, own)) = self.todo.pop() {
            if !self.seen.insert((unit, own)) {
                continue;
            }
            match unit {
                Unit::Trigger(id) => self.block(self.system.triggers[id].body, (unit, own)),
                Unit::Procedure(id) => {
                    let procedure = &self.system.procedures[id];
                    self.own((unit, own), |found| heading(found, id));
                    self.footprint.partial |=
                        procedure.restart.is_some() || heading_may_fail(self.system, id);
                    for &step in &procedure.steps {
                        self.block(self.system.steps[step].body, (unit, own));
                    }
                    if let Some(before) = procedure.restart.as_ref().and_then(|one| one.before) {
                        self.block(before, (unit, own));
                    }
                }
            }
        }
    }

    /// What it comes to.
    fn reached(mut self) -> Reached {
        self.follow();
        let mut reached = Reached::default();
        for (unit, _) in self.seen {
            match unit {
                Unit::Procedure(id) => drop(reached.sequences.insert(id)),
                Unit::Trigger(id) => drop(reached.triggers.insert(id)),
            }
        }
        reached
    }

    fn found(&self, (unit, own): Seen) -> Found<'s> {
        Found::new(self.system, types(self.system, unit)).seen_from(own)
    }

    fn own(&mut self, seen: Seen, find: impl FnOnce(&mut Found<'s>)) {
        let mut found = self.found(seen);
        find(&mut found);
        self.footprint.add(&found.footprint);
    }

    fn block(&mut self, block: BlockId, seen: Seen) {
        for &op in &self.system.blocks[block].ops {
            self.op(op, seen);
        }
    }

    fn op(&mut self, id: StmtId, seen: Seen) {
        let op = &self.system.ops[id].kind;
        self.own(seen, |found| alone(found, op));
        self.footprint.partial |= may_fail(self.system, op);
        for begun in come_to(self.system, op) {
            self.begins.add_edge(seen.0, begun, ());
            let passed = match op {
                OpKind::Call(_, args) => self.found(seen).parameter(args),
                _ => None,
            };
            self.todo.push((begun, passed));
        }
        for inner in op.blocks() {
            self.block(inner, seen);
        }
    }
}

/// The types of the locals of a unit.
pub fn types(system: &System, unit: Unit) -> &[Type] {
    match unit {
        Unit::Procedure(id) => &system.procedures[id].types,
        Unit::Trigger(id) => &system.triggers[id].types,
    }
}

/// What an operation may begin: what it performs, what interrupts it, what it resolves.
pub fn come_to(system: &System, op: &OpKind) -> Vec<Unit> {
    let triggers = |event: EventId| system.events[event].triggers.iter().copied();
    let announced = system.announced_by(op).into_iter();
    let at_once = announced.filter(|event| system.events[*event].queue.is_none());
    let interrupts = at_once.flat_map(triggers).map(Unit::Trigger);
    let begun = match op {
        OpKind::Call(id, _) => vec![Unit::Procedure(*id)],
        OpKind::Resolve { queue, .. } => {
            let events = system.events.iter();
            let events = events.filter(|(_, event)| event.queue == Some(*queue));
            let all = events.flat_map(|(id, _)| triggers(id));
            all.map(Unit::Trigger).collect()
        }
        _ => Vec::new(),
    };
    interrupts.chain(begun).collect()
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
pub(super) fn over(found: &mut Found<'_>, id: SequenceId) {
    let procedure = &found.system.procedures[id];
    if let Some((binder, order, nest)) = &procedure.over {
        found.binder(binder);
        found.order(order, Some(binder));
        if let endstep_language::typing::program::Nest::Unspecified(reading) = nest {
            found.footprint.consults.insert(*reading);
        }
    }
}

/// What is looked at to decide whether a pass of a sequence is cancelled.
pub fn of_restart(system: &System, id: SequenceId) -> Footprint {
    let mut found = Found::new(system, types(system, Unit::Procedure(id)));
    if let Some(rule) = &system.procedures[id].restart {
        found.expr(&rule.when);
    }
    found.footprint
}

/// What decides whether a pass is cancelled, and what is dropped then.
fn restarts(found: &mut Found<'_>, id: SequenceId) {
    let system = found.system;
    let procedure = &system.procedures[id];
    let Some(rule) = &procedure.restart else {
        return;
    };
    found.expr(&rule.when);
    let decides =
        |&reading: &_| rule.cancel.depends_on(reading) || rule.unfinished.depends_on(reading);
    let consults = &mut found.footprint.consults;
    consults.extend(system.readings.ids().filter(decides));
    for &step in &procedure.steps {
        for &op in &system.blocks[system.steps[step].body].ops {
            if let OpKind::Each(each) = &system.ops[op].kind {
                found.binder(&each.binder);
            }
        }
    }
}

/// What an operation does apart from the blocks inside and what it comes to, with what is looked at to raise and match.
pub(super) fn alone(found: &mut Found<'_>, op: &OpKind) {
    itself(found, op);
    raise(found, op);
    if let OpKind::Announce(event, _) = op {
        announce(found, *event);
    }
}

/// The same without what is looked at to raise and match.
#[allow(
    clippy::too_many_lines,
    reason = "a flat match with one arm for each form"
)]
pub(super) fn itself(found: &mut Found<'_>, op: &OpKind) {
    found.exprs(op.exprs());
    match op {
        OpKind::Meet(_) => found.footprint.meets = true,
        // That a turn is passed changes nothing but who is asked next.
        OpKind::Skip | OpKind::Pass | OpKind::Let(..) | OpKind::If(..) => {}
        OpKind::Set(to, e) => match e.kind {
            ExprKind::Const(value) => found.changed(to, &[Mode::SetTo(value)]),
            _ => found.changed(to, &[Mode::Write]),
        },
        OpKind::Add {
            place,
            sign,
            by,
            bound,
        } => found.changed(place, &added(*sign, by, bound.as_ref())),
        OpKind::Transfer { from, to, .. } => {
            for place in [from, to] {
                found.changed(place, &[Mode::Add]);
            }
        }
        OpKind::Move(e, to) => {
            moved(found, e);
            target(found, to, found.is_own(e));
        }
        OpKind::MoveAll(zone, to) => {
            found.zone_ref(zone);
            found.changed_zone(zone, Mode::Write);
            target(found, to, false);
            // They arrive as they lay.
            let is_heap =
                matches!(to, Target::Zone(_, to) if found.system.zones[to.zone].unordered);
            if !is_heap {
                found.footprint.arranged.insert(zone.zone);
            }
        }
        OpKind::Shuffle(zone) => {
            found.zone_ref(zone);
            found.changed_zone(zone, Mode::Write);
            found.footprint.asks.insert(ChoiceKind::Chance);
        }
        OpKind::Create {
            sort,
            target: to,
            with,
            ..
        } => create(found, *sort, to.as_ref(), with),
        OpKind::Remove(e, sort) => {
            moved(found, e);
            let grain = match found.is_own(e) {
                true => Grain::Own,
                false => Grain::Any,
            };
            for mode in [Mode::Read, Mode::Write] {
                found.footprint.access(Place::Sort(*sort), grain, mode);
            }
            found.footprint.removes.insert(*sort);
        }
        OpKind::Announce(event, _) => {
            if let Some(queue) = found.system.events[*event].queue {
                found.footprint.update(Place::Queue(queue));
            }
        }
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
        OpKind::Each(each) => found.iteration(each),
        OpKind::Atomic(_) => {
            found
                .footprint
                .asks
                .extend([ChoiceKind::Gap, ChoiceKind::Order]);
            found.footprint.stops = true;
        }
        OpKind::Repeat(until, _) => {
            if matches!(until, Until::Stable) {
                for place in places(found.system) {
                    found.footprint.read(place);
                }
                found.footprint.arranged.extend(found.system.zones.ids());
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
            found.changed(into, &[Mode::Read, Mode::Write]);
            // Units are placed one after the other, and what is placed when a bound is crossed stays.
            let bounds = super::total::domain(found.system, into).bounds;
            if let (Range::Zone(zone), Some(_)) = (&binder.range, bounds.document) {
                found.footprint.arranged.insert(zone.zone);
            }
        }
        OpKind::ChooseValue { place, ty, .. } => {
            found.changed(place, &[Mode::Write]);
            if let Type::Entity(sort) | Type::Optional(sort) = ty {
                found.footprint.read(Place::Sort(*sort));
            }
            found.footprint.asks.insert(ChoiceKind::Gap);
        }
        OpKind::Call(id, _) => drop(found.footprint.performs.insert(*id)),
        OpKind::Resolve { queue, .. } => found.footprint.update(Place::Queue(*queue)),
        OpKind::Leave(_) | OpKind::GoTo(_) | OpKind::Stop(_) => found.footprint.stops = true,
    }
}

/// How a place is changed by an addition.
fn added(sign: i64, by: &Expr, bound: Option<&Expr>) -> Vec<Mode> {
    let Some(bound) = bound else {
        return vec![Mode::Add];
    };
    match (&by.kind, &bound.kind) {
        (ExprKind::Const(by), ExprKind::Const(bound)) if *by >= 0 && sign > 0 => {
            vec![Mode::AddUpTo(*bound)]
        }
        (ExprKind::Const(by), ExprKind::Const(bound)) if *by >= 0 => vec![Mode::TakeDownTo(*bound)],
        _ => vec![Mode::Read, Mode::Write],
    }
}

/// An entity is taken out of where it lies.
fn moved(found: &mut Found<'_>, e: &Expr) {
    match &e.kind {
        // It lies where it was found.
        ExprKind::EndOf(_, zone) => found.changed_zone(zone, Mode::Write),
        _ => {
            let own = found.is_own(e);
            for zone in found.zones_of(e) {
                let place = Place::Zone(zone);
                match own {
                    true => found.footprint.access(place, Grain::Any, Mode::Leave),
                    false => found.footprint.update(place),
                }
            }
        }
    }
    found.existence(e);
}

/// Where an entity arrives; whether it is the element itself.
fn target(found: &mut Found<'_>, to: &Target, own: bool) {
    match to {
        Target::Zone(first, zone) => {
            let unordered = found.system.zones[zone.zone].unordered;
            match own {
                true if unordered => found.changed_zone(zone, Mode::Join),
                true => found.changed_zone(zone, Mode::Arrive(*first)),
                false => {
                    found.zone_ref(zone);
                    found.changed_zone(zone, Mode::Write);
                }
            }
        }
        Target::Beside(_, e) => {
            moved(found, e);
            for zone in found.zones_of(e) {
                found.footprint.update(Place::Zone(zone));
                found.footprint.arranged.insert(zone);
            }
        }
    }
}

fn create(found: &mut Found<'_>, sort: SortId, to: Option<&Target>, with: &[(FieldId, Expr)]) {
    let system = found.system;
    found.footprint.update(Place::Sort(sort));
    found.footprint.creates.insert(sort);
    let fields = system.sorts[sort].fields.iter();
    for &field in fields.chain(with.iter().map(|(field, _)| field)) {
        found.footprint.write(Place::Field(field));
    }
    // Where there is one for each of the sort, there is one more.
    let zones = system.zones.iter();
    let owned: Vec<ZoneId> = zones
        .filter(|(_, zone)| zone.per == Some(sort))
        .map(|(id, _)| id)
        .collect();
    for zone in owned {
        found.footprint.write(Place::Zone(zone));
    }
    // An entity that is forgotten makes room for another one.
    let refers = |ty| matches!(ty, Type::Entity(of) | Type::Optional(of) if of == sort);
    let fields = system.fields.iter();
    let fields = fields.filter(|(_, field)| refers(field.domain.ty));
    let vars = system.vars.iter().filter(|(_, var)| refers(var.domain.ty));
    let fields = fields.map(|(id, _)| Place::Field(id));
    let vars = vars.map(|(id, _)| Place::Var(id));
    for place in fields
        .chain(vars)
        .chain(system.queues.ids().map(Place::Queue))
    {
        found.footprint.read(place);
    }
    if let Some(to) = to {
        target(found, to, false);
    }
}
