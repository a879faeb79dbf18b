//! Events: matching triggers, putting them in order, resolving them.

use super::machine::{Flow, Machine};
use super::next::{ChoiceKind, Key, Limit, Note, Tag};
use super::rank::foremost;
use super::state::{Frame, Instance, Running, Site, Who};
use super::stop::{Lacking, Stop};
use endstep_language::index::Id;
use endstep_language::syntax::ast::QueueDiscipline;
use endstep_language::typing::program::{EventId, Expr, Order, QueueId, TriggerId, Value};

/// More nested trigger activations than this end a run.
const MOST_INTERRUPTS: usize = 16;

/// Where so many are nested, each that begins may be the beginning of a round.
const MANY_INTERRUPTS: usize = 2;

impl Machine<'_> {
    /// Executes `announce`.
    pub fn announce_stmt(
        &mut self,
        event: EventId,
        args: &[Expr],
        site: Site,
    ) -> Result<Flow, Stop> {
        let mut payload = Vec::with_capacity(args.len());
        for arg in args {
            payload.push(self.eval(site, |scope| scope.value(arg))?);
        }
        self.announce(event, &payload)?;
        Ok(Flow::Go)
    }

    /// Matches the triggers of an event with a frozen payload.
    pub fn announce(&mut self, event: EventId, payload: &[Value]) -> Result<(), Stop> {
        let mut instances = Vec::new();
        let mut lacking = Lacking::default();
        for (id, trigger) in self.program().triggers.iter() {
            if trigger.event == event {
                let matched = self.matches(id, payload, &mut instances);
                lacking.value(matched);
            }
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
        payload: &[Value],
        found: &mut Vec<Instance>,
    ) -> Result<(), Stop> {
        let trigger = &self.program().triggers[id];
        let mut locals = vec![Value::None; trigger.locals.len()];
        for (local, value) in trigger.args.iter().zip(payload) {
            locals[local.index()] = *value;
        }
        let mut scope = self.it.scope(
            (&self.state.data, None),
            &mut locals,
            Site::Trigger(id),
            &self.budget,
        );
        let listeners = match &trigger.listener {
            Some(binder) => scope.elements(binder)?,
            None => vec![Value::None],
        };
        let mut lacking = Lacking::default();
        for listener in listeners {
            if let Some(binder) = &trigger.listener {
                scope.locals[binder.local.index()] = listener;
            }
            let met = match &trigger.condition {
                Some(condition) => scope.truth(condition),
                None => Ok(true),
            };
            if lacking.value(met) == Some(true) {
                found.push(Instance {
                    trigger: id,
                    listener,
                    payload: payload.to_vec(),
                });
            }
        }
        lacking.told()
    }

    /// The innermost frame holds matches that are still to be put in order.
    pub fn order_matches(&mut self) -> Result<Flow, Stop> {
        let Some(Frame::Match {
            event,
            instances,
            placed,
        }) = self.frames().last().cloned()
        else {
            unreachable!("expected matches");
        };
        let queue = self.program().events[event].queue;
        if instances.is_empty() {
            self.pop();
            if queue.is_none() {
                self.push(Frame::Interrupt { todo: placed });
            }
            return Ok(Flow::On);
        }
        let by_priority = queue
            .is_some_and(|q| self.program().queues[q].discipline == QueueDiscipline::ByPriority);
        let priority = |one: &Instance| self.program().triggers[one.trigger].priority;
        let highest = instances.iter().map(priority).max();
        let equal = instances
            .iter()
            .filter(|one| !by_priority || Some(priority(one)) == highest);
        let (first, who) = self.first_listeners(event, equal.cloned().collect())?;
        // What the document is silent about counts before the bounds of exploration.
        if let Some(queue) = queue {
            let pending = self.state.data.queues[queue.index()].len() + instances.len();
            let capacity = self.program().queues[queue].capacity;
            let capacity = capacity.saturating_add(self.it.variant.extra);
            if pending > capacity as usize {
                return Err(Stop::Tag(Tag::Limit(Limit::Queue(queue))));
            }
        }
        let mut keys: Vec<Key> = first.into_iter().map(Key::Instance).collect();
        keys.dedup();
        let asked = self.asked(ChoiceKind::Order, who, Site::Event(event));
        Ok(self.branch(asked, keys, |machine, key| {
            let Key::Instance(instance) = key else { return };
            machine.place_match(instance, queue);
        }))
    }

    /// The instances of which one may come next, and who decides which.
    fn first_listeners(
        &mut self,
        event: EventId,
        instances: Vec<Instance>,
    ) -> Result<(Vec<Instance>, Who), Stop> {
        let site = Site::Event(event);
        let Some(order) = &self.program().events[event].listeners else {
            return Ok((instances, Who::Nobody));
        };
        if instances.len() < 2 {
            return Ok((instances, Who::Nobody));
        }
        let order = self.meant(order, site)?;
        let by_rank = matches!(order, Order::Ranked(_));
        if !by_rank && let Some(who) = self.chooser(order, None, site)? {
            return Ok((instances, who));
        }
        let mut listeners: Vec<Value> = instances.iter().map(|one| one.listener).collect();
        listeners.sort_unstable();
        listeners.dedup();
        // Instances without a listener belong to no place and come last.
        listeners.retain(|listener| *listener != Value::None);
        let listeners = self.arrange(order, true, listeners, site)?;
        // Several triggers of one listener are to be put in order, too.
        let each = listeners.into_iter().flat_map(|listener| {
            let of_it = instances.iter().filter(move |one| one.listener == listener);
            of_it.map(|one| one.listener)
        });
        let (mut listeners, ranks) = self.ranked((order, true, site), each.collect(), &[])?;
        let player = foremost(&mut listeners, &ranks);
        // One for each instance: of one alone the order is not looked at.
        let who = match by_rank && listeners.len() > 1 {
            true => self.chooser(order, player, site)?,
            false => None,
        };
        let alone = listeners.first().copied().unwrap_or(Value::None);
        let comes = |one: &Value| match who {
            Some(_) => listeners.contains(one),
            None => *one == alone,
        };
        let first = instances.into_iter().filter(|one| comes(&one.listener));
        Ok((first.collect(), who.unwrap_or(Who::Nobody)))
    }

    fn place_match(&mut self, instance: &Instance, queue: Option<QueueId>) {
        if let Some(Frame::Match {
            instances, placed, ..
        }) = self.frames().last_mut()
        {
            if let Some(at) = instances.iter().position(|one| one == instance) {
                instances.remove(at);
            }
            if queue.is_none() {
                placed.push(instance.clone());
            }
        }
        if let Some(queue) = queue {
            self.state.data.queues[queue.index()].push(instance.clone());
        }
    }

    /// The innermost frame is an interrupt: resolve the next instance, or resume the rule.
    pub fn interrupt(&mut self) -> Result<Flow, Stop> {
        let Some(Frame::Interrupt { todo }) = self.frames().last_mut() else {
            unreachable!("expected an interrupt");
        };
        if todo.is_empty() {
            self.pop();
            return Ok(Flow::On);
        }
        let instance = todo.remove(0);
        self.begin_instance(&instance)
    }

    /// The innermost frame resolves a queue.
    pub fn resolve(&mut self, queue: QueueId, one: bool) -> Result<Flow, Stop> {
        let pending = &self.state.data.queues[queue.index()];
        let next = match self.program().queues[queue].discipline {
            QueueDiscipline::FirstInFirstOut => 0,
            QueueDiscipline::LastInFirstOut => pending.len().saturating_sub(1),
            QueueDiscipline::ByPriority => {
                let priority = |at: &usize| self.program().triggers[pending[*at].trigger].priority;
                // Of equal ones the first: `max_by_key` would give the last.
                (0..pending.len()).rev().max_by_key(priority).unwrap_or(0)
            }
        };
        if pending.is_empty() {
            self.pop();
            return Ok(Flow::On);
        }
        let instance = self.state.data.queues[queue.index()].remove(next);
        if one {
            self.pop();
        } else {
            self.notes.push(Note::Cut);
        }
        self.begin_instance(&instance)
    }

    fn begin_instance(&mut self, instance: &Instance) -> Result<Flow, Stop> {
        let running = self.state.control.iter();
        let depth = running
            .filter(|one| matches!(one.of, Running::Trigger(_)))
            .count();
        if depth >= MOST_INTERRUPTS + self.it.variant.extra as usize {
            return Err(Stop::Tag(Tag::Limit(Limit::Interrupts)));
        }
        if depth >= MANY_INTERRUPTS {
            self.notes.push(Note::Cut);
        }
        self.begin_trigger(instance.trigger, instance.listener, &instance.payload);
        Ok(Flow::Go)
    }
}
