//! Triggers: what listens to which event, and what then happens.

use super::activation::{Activation, Caller};
use super::basis::{invented, supported};
use super::checker::Checker;
use super::program::{EventId, LocalId, Order, Owner, Trigger, TriggerId, Type};
use super::whenever::written;
use super::words::count;
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::Entry;
use crate::syntax::ast::{self, ItemKind, Name, QueueDiscipline};

impl Checker<'_> {
    /// All triggers.
    pub(super) fn triggers(&mut self) {
        let outline = self.outline;
        let mut unsupported: Vec<&Name> = Vec::new();
        let mut number = 0;
        self.listeners();
        for entry in &outline.items {
            let ItemKind::Trigger(trigger) = entry.kind else {
                continue;
            };
            let (built, rests) = self.trigger(TriggerId::from_index(number), trigger, entry);
            number += 1;
            if let Some(built) = self.needed(built) {
                self.program.triggers.push(built);
            }
            if !rests {
                unsupported.push(&trigger.name);
            }
        }
        for name in unsupported {
            self.warn_unsupported("trigger", &[name]);
        }
        self.one_line();
    }

    /// Where listeners are taken as they lie or in player order, all that can be waiting together lie in
    /// one zone, or are of one sort: nothing says what comes first of two.
    fn one_line(&mut self) {
        let triggers: Vec<&Trigger> = self.program.triggers.values().iter().collect();
        let mut errors = Vec::new();
        for (number, trigger) in triggers.iter().enumerate() {
            let event = &self.program.events[trigger.event];
            let Some(listener) = &trigger.listener else {
                continue;
            };
            if !event.listeners.as_ref().is_some_and(Order::goes_along) {
                continue;
            }
            let apart = |one: &&&Trigger| {
                let other = one.listener.as_ref();
                one.event == trigger.event
                    && one.priority == trigger.priority
                    && other.is_some_and(|other| !other.is_in_line_with(listener))
            };
            if let Some(other) = triggers[..number].iter().find(apart) {
                let message = format!(
                    "found listeners of `{}` that do not lie in one zone, expected an order among them",
                    event.name
                );
                errors.push(
                    Diagnostic::error(codes::forms::NO_ORDER, message)
                        .at(trigger.span, "or what listens here?")
                        .also(other.span, "does what listens here come first")
                        .help("announce an event for each, one after the other, or take the listeners `in any order`"),
                );
            }
        }
        for error in errors {
            self.report(error);
        }
    }

    /// The orders in which the listeners of events act.
    fn listeners(&mut self) {
        for (id, event, entry) in written(self.outline) {
            self.frame = Activation {
                clause: Self::clause_idx(entry.clause),
                ..Activation::default()
            };
            let Some(order) = &event.listeners else {
                continue;
            };
            if let Some((name, sort)) = &event.listener {
                let ty = self.sort(sort).map(Type::Entity);
                self.bind(name, ty);
                self.frame.element = self.frame.hide(0).pop();
            }
            let built = self.order(Some(order), None, event.name.loc);
            if let (Some((name, _)), Some(built)) = (&event.listener, &built)
                && !built.goes_by_ranks()
            {
                let message = format!(
                    "found a name for listeners, `{}`, of which the order does not speak",
                    name.text
                );
                self.error(codes::forms::NO_ORDER, message, name.loc, "leave it out");
            }
            let built = self.needed(built);
            if built.is_some() && id.index() < self.program.events.len() {
                let event = &mut self.program.events[id];
                event.listeners = built;
                event.locals = self.frame.types();
            }
        }
    }

    fn trigger(
        &mut self,
        id: TriggerId,
        trigger: &ast::Trigger,
        entry: &Entry<'_>,
    ) -> (Option<Trigger>, bool) {
        let clause = Self::clause_idx(entry.clause);
        self.frame = Activation {
            clause,
            caller: Some(Caller::Trigger(id)),
            path: format!("trigger {}", trigger.name.text),
            owner: Some(Owner::Trigger(id)),
            ..Activation::default()
        };
        let event = self.event_named(&trigger.event);
        let payload = trigger.args.iter().map(|name| name.text.clone());
        self.frame.payload = payload.collect();
        let listener = trigger
            .listener
            .as_ref()
            .map(|listener| self.binder(listener));
        self.frame.payload.clear();
        let args = self.payload(trigger, event);
        let condition = trigger
            .condition
            .as_ref()
            .map(|condition| self.truth(condition));
        let priority = self.priority(trigger, event);
        let body = self.block(&trigger.body);
        let notes = std::mem::take(&mut self.frame.notes);
        let basis = supported(&notes, self.clause_basis(clause));
        let rests = basis.is_some();
        let mut sound = listener.as_ref().is_none_or(Option::is_some)
            && condition.as_ref().is_none_or(Option::is_some);
        if let (Some(listener), Some(event)) = (listener.iter().flatten().next(), event)
            && let Some(event) = self.program.events.get(event)
            && let Some(order) = event.listeners.clone()
        {
            sound &= self
                .listens_in_order(&order, event.span, listener, trigger.name.loc)
                .is_some();
        }
        let built = event.filter(|_| sound).map(|event| Trigger {
            name: trigger.name.text.clone(),
            listener: listener.flatten(),
            event,
            args,
            condition: condition.flatten().map(|condition| *condition),
            priority,
            body,
            locals: self.frame.types(),
            basis: basis.unwrap_or_else(invented),
            clause,
            cites: notes.cites,
            doc: entry.trivia.documentation(),
            span: trigger.name.loc.span(),
        });
        (built, rests)
    }

    /// The names of the payload, with the types of the event.
    fn payload(&mut self, trigger: &ast::Trigger, event: Option<EventId>) -> Vec<LocalId> {
        let signature = event.and_then(|event| self.event_params.get(event).cloned());
        if let Some(signature) = signature
            .as_ref()
            .filter(|one| one.len() != trigger.args.len())
        {
            let (name, expected) = (&trigger.event.text, signature.len());
            let found = count(trigger.args.len(), "name");
            let message = format!("found {found} for the payload of `{name}`, expected {expected}");
            let names: Vec<&str> = signature.iter().map(|(name, _)| name.as_str()).collect();
            let mut error =
                Diagnostic::error(codes::types::ARGUMENTS, message).at(trigger.event.loc, "");
            if expected > 0 {
                error = error.help(format!("write `on {name}({})`", names.join(", ")));
            }
            self.report(error);
        }
        let signature = signature.unwrap_or_default();
        let each = trigger.args.iter().enumerate().map(|(number, name)| {
            let ty = signature.get(number).and_then(|(_, ty)| *ty);
            self.bind(name, ty)
        });
        each.collect()
    }

    fn priority(&mut self, trigger: &ast::Trigger, event: Option<EventId>) -> i64 {
        let Some(priority) = trigger.priority else {
            return 0;
        };
        let queue = event.and_then(|event| self.program.events.get(event)?.queue);
        let queue = queue.and_then(|queue| self.program.queues.get(queue));
        let by_priority =
            queue.is_some_and(|queue| queue.discipline == QueueDiscipline::ByPriority);
        if event.is_some() && !by_priority {
            let message = "found a priority, expected an event in a queue by priority".to_owned();
            self.error(
                codes::forms::PRIORITY,
                message,
                trigger.name.loc,
                "this would have no effect",
            );
        }
        priority
    }
}
