//! What expressions read.

use std::collections::BTreeSet;

use super::total::raises;
use super::{Footprint, Grain, Mode, Place};
use crate::ir::{
    Binder, Decider, Each, Event, Expr, ExprKind, Function, OpKind, Order, Place as Spot, Range,
    Rank, System, ZoneRef,
};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    DefineId, DomainPolicy, EventId, LocalId, SortId, TriggerId, Type, ZoneId,
};
use endstep_semantics::semantics::ChoiceKind;

/// What a condition reads, or the expression of an observer.
pub fn of_condition(system: &System, function: &Function) -> Footprint {
    let mut found = Found::new(system, &function.params);
    found.expr(&function.body);
    found.footprint
}

/// What was found so far.
pub(super) struct Found<'s> {
    pub(super) system: &'s System,
    /// The types of the locals, as far as they are known.
    types: &'s [Type],
    pub(super) footprint: Footprint,
    /// The locals that are read.
    pub(super) locals: BTreeSet<LocalId>,
    /// The functions that are called, here or by what is called here, and which of their parameters
    /// the element is.
    called: BTreeSet<(DefineId, Option<LocalId>)>,
    /// The element for which it is done, if it is done for one.
    own: Option<LocalId>,
    /// A local of which it is known in which zone it lies.
    pub(super) placed: Option<(LocalId, ZoneId)>,
}

impl<'s> Found<'s> {
    /// Nothing yet, with locals of these types.
    pub(super) fn new(system: &'s System, types: &'s [Type]) -> Self {
        Self {
            system,
            types,
            footprint: Footprint::default(),
            locals: BTreeSet::new(),
            called: BTreeSet::new(),
            own: None,
            placed: None,
        }
    }

    /// Seen from an element.
    pub(super) fn seen_from(mut self, own: Option<LocalId>) -> Self {
        self.own = own;
        self
    }

    /// Whether an expression is the element for which it is done.
    pub(super) fn is_own(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Local(local) if Some(local) == self.own)
    }

    /// Whose a field of an entity is.
    fn grain(&self, of: &Expr) -> Grain {
        match &of.kind {
            _ if self.is_own(of) => Grain::Own,
            ExprKind::Field(inner, _) if self.is_own(inner) => Grain::Linked,
            ExprKind::Unwrap(inner) => self.grain(inner).max(Grain::Linked),
            _ => Grain::Any,
        }
    }

    /// Whose a zone is.
    fn zone_grain(&self, zone: &ZoneRef) -> Grain {
        match &zone.of {
            Some(of) if self.is_own(of) => Grain::Own,
            _ => Grain::Any,
        }
    }

    pub(super) fn exprs<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>) {
        for e in all {
            self.expr(e);
        }
    }

    pub(super) fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(var) => self.footprint.read(Place::Var(*var)),
            ExprKind::Field(of, field) => {
                let grain = self.grain(of);
                let place = Place::Field(*field);
                self.footprint.access(place, grain, Mode::Read);
            }
            ExprKind::Pending(queue) => self.footprint.read(Place::Queue(*queue)),
            ExprKind::ReadingIs(reading, _) | ExprKind::Per(reading, _) => {
                self.footprint.consults.insert(*reading);
            }
            ExprKind::Call(id, args) => self.call(*id, args),
            ExprKind::Continuous(id, _) | ExprKind::Solutions(id, _) => self.continuous(*id),
            ExprKind::IsRemoved(of) => self.existence(of),
            ExprKind::IsIn(_, zone) | ExprKind::Size(zone) => self.zone(zone),
            ExprKind::EndOf(_, zone) => {
                self.zone(zone);
                self.footprint.arranged.insert(zone.zone);
            }
            ExprKind::Endmost(_, binder) => {
                self.range(&binder.range);
                if let Range::Zone(zone) = &binder.range {
                    self.footprint.arranged.insert(zone.zone);
                }
            }
            ExprKind::Beside(_, of, other) => {
                self.lies(other);
                self.lies_beside(of);
            }
            ExprKind::Neighbour(_, of) => self.lies_beside(of),
            ExprKind::Holder(of) => self.lies(of),
            ExprKind::Fold(_, binder, _) => self.range(&binder.range),
            ExprKind::Turn { .. } => self.players(),
            ExprKind::Local(local) => {
                self.footprint.particular |= Some(*local) == self.own;
                self.locals.insert(*local);
            }
            ExprKind::Const(_)
            | ExprKind::Unwrap(_)
            | ExprKind::Not(_)
            | ExprKind::Negate(_)
            | ExprKind::Compare(..)
            | ExprKind::Compute(..)
            | ExprKind::Clamp(..)
            | ExprKind::Half(..)
            | ExprKind::If(..)
            | ExprKind::Old(_) => {}
        }
        self.exprs(e.children());
    }

    /// What a continuous value depends on: there is one for each entity of a sort.
    fn continuous(&mut self, id: DefineId) {
        let system = self.system;
        for &one in system.functions[id].group() {
            if let Some(sort) = system.functions[one].of() {
                self.footprint.read(Place::Sort(sort));
            }
            self.call(one, &[]);
        }
    }

    /// What a function reads, unless that was added before: a chain of functions each of which is
    /// used twice by the next would be gone through very often.
    fn call(&mut self, id: DefineId, args: &[Expr]) {
        let own = self.parameter(args);
        if !self.called.insert((id, own)) {
            return;
        }
        let function = &self.system.functions[id];
        // Its locals are its own.
        let mut inner = Found::new(self.system, &function.params).seen_from(own);
        inner.called = std::mem::take(&mut self.called);
        inner.expr(&function.body);
        self.called = inner.called;
        self.footprint.add(&inner.footprint);
    }

    /// Which parameter the element becomes where something is called with these.
    pub(super) fn parameter(&self, args: &[Expr]) -> Option<LocalId> {
        args.iter()
            .position(|arg| self.is_own(arg))
            .map(LocalId::from_index)
    }

    /// What lies in a zone. Of a family, the zones are those of the entities that there are.
    fn zone(&mut self, zone: &ZoneRef) {
        let grain = self.zone_grain(zone);
        self.footprint
            .access(Place::Zone(zone.zone), grain, Mode::Read);
        if let Some(per) = self.system.zones[zone.zone].per {
            self.footprint.read(Place::Sort(per));
        }
    }

    pub(super) fn zone_ref(&mut self, zone: &ZoneRef) {
        self.zone(zone);
        self.exprs(zone.of.as_deref());
    }

    fn range(&mut self, range: &Range) {
        match range {
            Range::Sort(sort) => self.footprint.read(Place::Sort(*sort)),
            Range::Zone(zone) => self.zone(zone),
            Range::Enum(..) | Range::Bool => {}
        }
    }

    pub(super) fn players(&mut self) {
        if let Some(players) = self.system.players {
            self.footprint.read(Place::Sort(players));
        }
    }

    /// Whether an entity was removed.
    pub(super) fn existence(&mut self, of: &Expr) {
        let grain = match self.is_own(of) {
            true => Grain::Own,
            false => Grain::Any,
        };
        for sort in self.sorts(of) {
            self.footprint.access(Place::Sort(sort), grain, Mode::Read);
        }
    }

    /// Where an entity lies.
    pub(super) fn lies(&mut self, of: &Expr) {
        for zone in self.zones_of(of) {
            self.footprint.read(Place::Zone(zone));
        }
        self.players();
    }

    /// Beside what an entity lies.
    fn lies_beside(&mut self, of: &Expr) {
        self.lies(of);
        let zones = match (&of.kind, self.placed) {
            (ExprKind::Local(local), Some((placed, zone))) if *local == placed => vec![zone],
            _ => self.zones_of(of),
        };
        self.footprint.arranged.extend(zones);
    }

    /// The zones in which the value of an expression can lie.
    pub(super) fn zones_of(&self, of: &Expr) -> Vec<ZoneId> {
        let sorts = self.sorts(of);
        let zones = self.system.zones.iter();
        let zones = zones.filter(|(_, zone)| sorts.contains(&zone.sort));
        zones.map(|(id, _)| id).collect()
    }

    /// The sorts of which the value of an expression can be: all, if that is not known.
    pub(super) fn sorts(&self, of: &Expr) -> Vec<SortId> {
        match self.sort(of) {
            Some(sort) => vec![sort],
            None => self.system.sorts.ids().collect(),
        }
    }

    fn sort(&self, of: &Expr) -> Option<SortId> {
        let ty = match &of.kind {
            ExprKind::Local(local) => *self.types.get(local.index())?,
            ExprKind::Var(var) => self.system.vars[*var].domain.ty,
            ExprKind::Field(_, field) => self.system.fields[*field].domain.ty,
            ExprKind::Call(id, _) => self.system.functions[*id].ty,
            ExprKind::Unwrap(of) | ExprKind::Old(of) | ExprKind::Neighbour(_, of) => {
                return self.sort(of);
            }
            ExprKind::EndOf(_, zone) => return Some(self.system.zones[zone.zone].sort),
            ExprKind::Endmost(_, binder) => binder.ty,
            ExprKind::Turn { .. } => return self.system.players,
            _ => return None,
        };
        match ty {
            Type::Entity(sort) | Type::Optional(sort) => Some(sort),
            Type::Int | Type::Bool | Type::Enum(_) => None,
        }
    }

    pub(super) fn binder(&mut self, binder: &Binder) {
        self.range(&binder.range);
        self.exprs(binder.children());
    }

    /// The heading of an iteration.
    pub(super) fn iteration(&mut self, each: &Each) {
        self.binder(&each.binder);
        self.order(&each.order, Some(&each.binder));
        if let DomainPolicy::Per(reading, _) = &each.domain {
            self.footprint.consults.insert(*reading);
        }
        // What was removed meanwhile is left out.
        if let Type::Entity(sort) | Type::Optional(sort) = each.binder.ty {
            self.footprint.read(Place::Sort(sort));
        }
    }

    /// A place that is written, and what is read to find it.
    pub(super) fn changed(&mut self, spot: &Spot, modes: &[Mode]) {
        let (place, grain) = match spot {
            Spot::Var(var, _) => (Place::Var(*var), Grain::Any),
            Spot::Field(e, field, _) => {
                self.expr(e);
                (Place::Field(*field), self.grain(e))
            }
        };
        for &mode in modes {
            self.footprint.access(place, grain, mode);
        }
    }

    /// A zone that is changed, and what is read to find it.
    pub(super) fn changed_zone(&mut self, zone: &ZoneRef, mode: Mode) {
        if let Some(per) = self.system.zones[zone.zone].per {
            self.footprint.read(Place::Sort(per));
        }
        self.exprs(zone.of.as_deref());
        let grain = self.zone_grain(zone);
        self.footprint.access(Place::Zone(zone.zone), grain, mode);
    }

    /// A choice of a kind, unless chance decides.
    pub(super) fn asked(&mut self, kind: ChoiceKind, by: &Decider) {
        let kind = match by {
            Decider::Chance => ChoiceKind::Chance,
            Decider::Player(_) | Decider::Everyone | Decider::Nobody => kind,
        };
        self.footprint.asks.insert(kind);
        if let Decider::Player(e) = by {
            self.expr(e);
            self.players();
        }
    }

    /// An order of the elements of a binder, or of what listens.
    pub(super) fn order(&mut self, order: &Order, binder: Option<&Binder>) {
        match order {
            Order::Any => self.asked(ChoiceKind::Order, &Decider::Nobody),
            Order::Chosen(by) => self.asked(ChoiceKind::Order, by),
            Order::Zone { from, .. } | Order::Players { from, .. } => {
                self.exprs(from);
                self.players();
                let lying = self.system.zones.iter().filter(|(_, zone)| {
                    binder.is_none_or(|over| match over.ty {
                        Type::Entity(sort) | Type::Optional(sort) => zone.sort == sort,
                        Type::Int | Type::Bool | Type::Enum(_) => false,
                    })
                });
                let lying: Vec<ZoneId> = lying.map(|(id, _)| id).collect();
                for zone in lying {
                    self.footprint.read(Place::Zone(zone));
                }
            }
            Order::Own => self.asked(ChoiceKind::Order, &Decider::Everyone),
            Order::Ranked(ranked) => {
                self.expr(&ranked.key);
                if let Rank::Turn { from, .. } = &ranked.by {
                    self.exprs(from);
                    self.players();
                }
                self.order(&ranked.then, binder);
            }
            Order::Per(reading, all) => {
                self.footprint.consults.insert(*reading);
                for one in all {
                    self.order(one, binder);
                }
            }
        }
    }

    /// What decides in which order those who listen for an event are taken.
    pub(super) fn listeners(&mut self, event: &Event) {
        let Some(order) = &event.listeners else {
            return;
        };
        let triggers = event.triggers.iter().map(|&id| &self.system.triggers[id]);
        let listeners: Vec<_> = triggers.filter_map(|one| one.listener.as_ref()).collect();
        if listeners.is_empty() {
            self.order(order, None);
        }
        for listener in listeners {
            self.order(order, Some(listener));
        }
    }
}

/// What decides whether a trigger matches: its listeners and its condition.
pub fn of_matching(system: &System, id: TriggerId) -> Footprint {
    let trigger = &system.triggers[id];
    let mut found = Found::new(system, &trigger.types);
    if let Some(listener) = &trigger.listener {
        found.binder(listener);
    }
    found.exprs(&trigger.condition);
    found.footprint
}

/// What is looked at to tell whether the state raises an event, and what it carries then.
pub fn of_raising(system: &System, id: EventId) -> Footprint {
    let Some(whenever) = &system.events[id].whenever else {
        return Footprint::default();
    };
    let mut found = Found::new(system, &whenever.types);
    if let Some(sort) = whenever.element {
        found
            .footprint
            .access(Place::Sort(sort), Grain::Any, Mode::Read);
    }
    found.expr(&whenever.condition);
    found.exprs(&whenever.with);
    found.footprint
}

/// What is looked at where an operation may raise events, and what is announced then.
pub(super) fn raise(found: &mut Found<'_>, op: &OpKind) {
    let system = found.system;
    if raises(system, op) {
        for event in system.events.ids() {
            found.footprint.add(&of_raising(system, event));
        }
    }
    for event in system.raised_by(op) {
        announce(found, event);
    }
}

/// Listeners and conditions are looked at when an event is announced, also if it waits in a queue.
pub(super) fn announce(found: &mut Found<'_>, id: EventId) {
    let system = found.system;
    let event = &system.events[id];
    found.footprint.announces.insert(id);
    if let Some(queue) = event.queue {
        found.footprint.update(Place::Queue(queue));
    }
    found.listeners(event);
    if !event.triggers.is_empty() {
        found.footprint.asks.insert(ChoiceKind::Order);
    }
    for &trigger in &event.triggers {
        found.footprint.add(&of_matching(system, trigger));
    }
}
