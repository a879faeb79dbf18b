//! Events: matching triggers, putting them in order, resolving them.

use smallvec::SmallVec;

use super::groups::QUEUES;
use super::inst::{Inst, List};
use super::lacking::Lacking;
use super::layout::{NOWHERE, small};
use super::machine::{Flow, Machine};
use super::point::Take;
use super::rank::foremost;
use super::state::Frame;
use crate::ir::{NONE, Order};
use crate::lower::value;
use endstep_language::index::Id;
use endstep_language::syntax::ast::QueueDiscipline;
use endstep_language::typing::program::{EventId, QueueId, StmtId, TriggerId, Type, Value};
use endstep_semantics::semantics::{
    ChoiceKind, Instance, Key, Limit, Note, Running, Site, Stop, Tag, Who,
};

/// More nested trigger activations than this end a run.
const MOST_INTERRUPTS: usize = 16;

/// Where so many are nested, each that begins may be the beginning of a round.
const MANY_INTERRUPTS: usize = 2;

impl<'s> Machine<'s> {
    /// Matches the triggers of an event with a frozen payload.
    pub(super) fn announce(&mut self, event: EventId, payload: &[i64]) -> Result<(), Stop> {
        let declared = &self.setting.system.events[event];
        let mut instances = Vec::new();
        let mut lacking = Lacking::default();
        for &trigger in &declared.triggers {
            let matched = self.matches(trigger, payload, &mut instances);
            lacking.value(matched);
        }
        lacking.told()?;
        self.notes.push(Note::Announced(event, instances.len()));
        if !instances.is_empty() {
            self.push(Frame::Match {
                event,
                instances,
                placed: Vec::new(),
            });
        }
        Ok(())
    }

    fn matches(
        &mut self,
        id: TriggerId,
        payload: &[i64],
        found: &mut Vec<Inst>,
    ) -> Result<(), Stop> {
        let trigger = &self.setting.system.triggers[id];
        let base = self.locals.len();
        self.locals.resize(base + trigger.locals as usize, NONE);
        for (local, n) in trigger.args.iter().zip(payload) {
            self.locals[base + local.index()] = *n;
        }
        let result = self.matching(id, (base, payload), found);
        self.locals.truncate(base);
        result
    }

    fn matching(
        &mut self,
        id: TriggerId,
        (base, payload): (usize, &[i64]),
        found: &mut Vec<Inst>,
    ) -> Result<(), Stop> {
        let trigger = &self.setting.system.triggers[id];
        let mut scope = self.scope_at(base, Site::Trigger(id));
        let listeners: SmallVec<[i64; 8]> = match &trigger.listener {
            Some(binder) => scope.elements(binder)?.into_iter().map(i64::from).collect(),
            None => SmallVec::from_slice(&[NONE]),
        };
        let mut lacking = Lacking::default();
        for listener in listeners {
            if let Some(binder) = &trigger.listener {
                scope.locals[binder.local.index()] = listener;
            }
            let met = match &trigger.condition {
                Some(condition) => lacking.value(scope.truth(condition)),
                None => Some(true),
            };
            if met == Some(true) {
                found.push(Inst {
                    trigger: id,
                    listener,
                    payload: payload.into(),
                });
            }
        }
        Ok(lacking.told()?)
    }

    /// The innermost frame holds matches that are still to be put in order.
    pub(super) fn order_matches(&mut self) -> Result<Flow, Stop> {
        let system = self.setting.system;
        let Some(Frame::Match {
            event,
            instances,
            placed,
        }) = self.frames.last_mut()
        else {
            unreachable!("expected matches");
        };
        let event = *event;
        let queue = system.events[event].queue;
        if instances.is_empty() {
            let placed = std::mem::take(placed);
            self.pop();
            if queue.is_none() {
                self.push(Frame::Interrupt { todo: placed });
            }
            return Ok(Flow::On);
        }
        let by_priority =
            queue.is_some_and(|q| system.queues[q].discipline == QueueDiscipline::ByPriority);
        let priority = |one: &Inst| system.triggers[one.trigger].priority;
        let highest = instances.iter().map(priority).max();
        let equal = instances
            .iter()
            .filter(|one| !by_priority || Some(priority(one)) == highest);
        let equal: Vec<Inst> = equal.cloned().collect();
        let waiting = instances.len();
        let (first, who) = self.first_listeners(event, equal)?;
        // What the document is silent about counts before the bounds of exploration.
        if let Some(queue) = queue {
            let pending = self.data.queues[queue.index()].len() + waiting;
            let capacity = system.queues[queue].capacity;
            let capacity = capacity.saturating_add(self.setting.variant.extra);
            if pending > capacity as usize {
                return Err(Stop::Tag(Tag::Limit(Limit::Queue(queue))));
            }
        }
        let mut keys: Vec<Key> = first
            .iter()
            .map(|one| Key::Instance(self.instance(one)))
            .collect();
        keys.dedup();
        let asked = self.asked(ChoiceKind::Order, who, Site::Event(event));
        Ok(self.branch(asked, keys, Take::Match(queue)))
    }

    /// The instances of the listeners that are first, and who decides among them.
    fn first_listeners(
        &mut self,
        event: EventId,
        instances: Vec<Inst>,
    ) -> Result<(Vec<Inst>, Who), Stop> {
        // The order of listeners binds names of its own, for which no activation keeps a place.
        let known = self.locals.len();
        let base = self.stack.last().map_or(0, |top| top.locals);
        let own = base + self.setting.system.events[event].locals as usize;
        self.locals.resize(known.max(own), NONE);
        let found = self.first_in_order(event, instances);
        self.locals.truncate(known);
        found
    }

    fn first_in_order(
        &mut self,
        event: EventId,
        instances: Vec<Inst>,
    ) -> Result<(Vec<Inst>, Who), Stop> {
        let site = Site::Event(event);
        let Some(order) = &self.setting.system.events[event].listeners else {
            return Ok((instances, Who::Nobody));
        };
        if instances.len() < 2 {
            return Ok((instances, Who::Nobody));
        }
        let order = self.meant(order, site)?;
        if matches!(order, Order::Ranked(_)) {
            return self.first_by_rank(order, instances, site);
        }
        if let Some(who) = self.chooser(order, NOWHERE, site)? {
            return Ok((instances, who));
        }
        let mut listeners: Vec<Value> = instances.iter().map(|one| self.listens(one)).collect();
        listeners.sort_unstable();
        listeners.dedup();
        // Instances without a listener belong to no place and come last.
        listeners.retain(|listener| *listener != Value::None);
        let pairs: Vec<(u16, bool)> = listeners.iter().map(|one| element(*one)).collect();
        let ranks = self.ranks(order, true, &pairs, site)?;
        let first = ranks.map_or_else(
            || listeners.first().copied(),
            |ranks| ranks.first().map(|&at| listeners[at]),
        );
        let first = first.unwrap_or(Value::None);
        let of = |one: &Inst| self.listens(one) == first;
        let first = instances.into_iter().filter(of).collect();
        Ok((first, Who::Nobody))
    }

    /// The instances of the first rank, each ranked by its listener; those without one come last.
    fn first_by_rank(
        &mut self,
        order: &'s Order,
        instances: Vec<Inst>,
        site: Site,
    ) -> Result<(Vec<Inst>, Who), Stop> {
        let heard = |one: &&Inst| one.listener != NONE;
        let Some(any) = instances.iter().find(heard) else {
            return Ok((instances, Who::Nobody));
        };
        let of = (true, self.listener_type(any.trigger));
        let heard = instances.iter().filter(heard);
        let mut listeners: List = heard.map(|one| element(self.listens(one)).0).collect();
        listeners.sort_unstable();
        let (listeners, ranks) = self.ranked((order, of, site), listeners, &[])?;
        let (count, player) = foremost(&ranks, listeners.len());
        // Of one alone the order is not looked at.
        let who = match count {
            1 => None,
            _ => self.chooser(order, player, site)?,
        };
        let first = &listeners[..if who.is_some() { count } else { 1 }];
        let comes =
            |one: &Inst| one.listener != NONE && first.contains(&element(self.listens(one)).0);
        let first = instances.into_iter().filter(comes).collect();
        Ok((first, who.unwrap_or(Who::Nobody)))
    }

    /// The listener of an instance.
    fn listens(&self, one: &Inst) -> Value {
        value(one.listener, self.listener_type(one.trigger))
    }

    fn listener_type(&self, trigger: TriggerId) -> Type {
        let binder = &self.setting.system.triggers[trigger].listener;
        // Of a trigger without listeners the number is `NONE`, which no type but `integer` has.
        binder.as_ref().map_or(Type::Bool, |binder| binder.ty)
    }

    /// An instance as the interpreter has it.
    pub(super) fn instance(&self, one: &Inst) -> Instance {
        let system = self.setting.system;
        let event = system.triggers[one.trigger].event;
        let types = &system.events[event].payload;
        let payload = one.payload.iter().zip(types);
        Instance {
            trigger: one.trigger,
            listener: value(one.listener, self.listener_type(one.trigger)),
            payload: payload.map(|(&n, &ty)| value(n, ty)).collect(),
        }
    }

    /// Puts a chosen match into its queue, or among those that interrupt.
    pub(super) fn place_match(&mut self, instance: &Instance, queue: Option<QueueId>) {
        let one = inst(instance);
        if let Some(Frame::Match {
            instances, placed, ..
        }) = self.frames.last_mut()
        {
            if let Some(at) = instances.iter().position(|other| *other == one) {
                instances.remove(at);
            }
            if queue.is_none() {
                placed.push(one.clone());
            }
        }
        if let Some(queue) = queue {
            self.touch(QUEUES);
            self.data.queues[queue.index()].push(one);
        }
    }

    /// The innermost frame is an interrupt: resolve the next instance, or resume the rule.
    pub(super) fn interrupt(&mut self) -> Result<Flow, Stop> {
        let Some(Frame::Interrupt { todo }) = self.frames.last_mut() else {
            unreachable!("expected an interrupt");
        };
        if todo.is_empty() {
            self.pop();
            return Ok(Flow::On);
        }
        let one = todo.remove(0);
        self.begin_instance(&one)
    }

    /// A queue is resolved: begin the next instance, or go on.
    pub(super) fn resolve(
        &mut self,
        stmt: StmtId,
        queue: QueueId,
        only: bool,
    ) -> Result<Flow, Stop> {
        let system = self.setting.system;
        let pending = &self.data.queues[queue.index()];
        let next = match system.queues[queue].discipline {
            QueueDiscipline::FirstInFirstOut => 0,
            QueueDiscipline::LastInFirstOut => pending.len().saturating_sub(1),
            QueueDiscipline::ByPriority => {
                let priority = |at: &usize| system.triggers[pending[*at].trigger].priority;
                // Of equal ones the first: `max_by_key` gives the last.
                (0..pending.len()).rev().max_by_key(priority).unwrap_or(0)
            }
        };
        if pending.is_empty() {
            self.jump(self.code.after(stmt));
            return Ok(Flow::On);
        }
        self.touch(QUEUES);
        let one = self.data.queues[queue.index()].remove(next);
        if only {
            self.jump(self.code.after(stmt));
        } else {
            self.notes.push(Note::Cut);
        }
        self.begin_instance(&one)
    }

    fn begin_instance(&mut self, one: &Inst) -> Result<Flow, Stop> {
        let running = self.stack.iter();
        let depth = running
            .filter(|one| matches!(one.of, Running::Trigger(_)))
            .count();
        if depth >= MOST_INTERRUPTS + self.setting.variant.extra as usize {
            return Err(Stop::Tag(Tag::Limit(Limit::Interrupts)));
        }
        if depth >= MANY_INTERRUPTS {
            self.notes.push(Note::Cut);
        }
        self.begin_trigger(one.trigger, one.listener, &one.payload);
        Ok(Flow::Go)
    }
}

/// An instance in numbers.
pub(super) fn inst(instance: &Instance) -> Inst {
    let payload = instance.payload.iter();
    Inst {
        trigger: instance.trigger,
        listener: crate::lower::number(instance.listener),
        payload: payload.map(|one| crate::lower::number(*one)).collect(),
    }
}

/// A listener as an element, and whether it is an entity.
fn element(of: Value) -> (u16, bool) {
    match of {
        Value::Entity(id) => (small(id.index()), true),
        other => (
            u16::try_from(crate::lower::number(other)).unwrap_or(u16::MAX),
            false,
        ),
    }
}
