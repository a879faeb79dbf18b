//! A system as text, for people who develop or distrust the engines.
//!
//! ```text
//! procedure cleanup()
//!   step cleanup.destroy
//!     %3 each l0: Card in board if (l0.health <= 0), as they lie, snapshot
//!       %4 move l0 to bottom of dying
//! ```
//!
//! Operations are named `%3` by number, locals `l0`; what stands indented belongs to what is above.
//! Conditionals that lowering made of `and` and `or` are printed as those.

mod expr;
mod op;
mod types;

use std::fmt::Write as _;

use super::{Event, Function, System, Trigger};
use endstep_language::syntax::ast::QueueDiscipline;
use endstep_language::typing::program::{Cancel, Nest, SequenceId, Type, Unfinished};

/// The text of a system.
pub fn print(system: &System) -> String {
    let mut printer = Printer {
        system,
        types: Vec::new(),
        out: String::new(),
    };
    printer.entities();
    printer.state();
    printer.functions();
    for event in system.events.values() {
        printer.event(event);
    }
    for id in system.procedures.ids() {
        printer.procedure(id);
    }
    for trigger in system.triggers.values() {
        printer.trigger(trigger);
    }
    printer.out
}

struct Printer<'s> {
    system: &'s System,
    /// The types of the locals, as far as they are known.
    types: Vec<Option<Type>>,
    out: String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", depth * 2);
    }

    fn functions(&mut self) {
        for function in self.system.functions.values() {
            self.types = Self::types_in(function);
            let params = (0..).zip(&function.params);
            let params = params.map(|(at, ty)| format!("l{at}: {}", self.type_name(*ty)));
            let params: Vec<String> = params.collect();
            let body = self.expr_as(&function.body, Some(function.ty));
            let (kind, bounds) = match &function.continuous {
                Some(one) if one.ty == Type::Int => (
                    "continuous",
                    format!(" from {} to {}", one.range.0, one.range.1),
                ),
                Some(_) => ("continuous", String::new()),
                None => ("define", String::new()),
            };
            let head = format!("{kind} {}({})", function.name, params.join(", "));
            self.line(
                0,
                &format!("{head}: {}{bounds} = {body}", self.type_name(function.ty)),
            );
        }
        self.conditions("legal", &self.system.legal);
        self.conditions("explore only", &self.system.explored);
        for verified in &self.system.verified {
            self.conditions("verify", verified.as_slice());
        }
        for claim in &self.system.claims {
            self.conditions("claim", claim);
        }
    }

    fn conditions(&mut self, what: &str, all: &[Function]) {
        for one in all {
            self.types = Self::types_in(one);
            let body = self.expr_as(&one.body, Some(one.ty));
            self.line(0, &format!("{what} {}: {body}", one.name));
        }
    }

    fn entities(&mut self) {
        let system = self.system;
        for one in system.enums.values() {
            self.line(0, &format!("enum {}: {}", one.name, one.values.join(", ")));
        }
        for (id, sort) in system.sorts.iter() {
            let what = match system.players == Some(id) {
                true => "player",
                false => "entity",
            };
            let room = match sort.headroom {
                0 => String::new(),
                n => format!(", headroom {n}"),
            };
            self.line(0, &format!("{what} {}{room}", sort.name));
            for &field in &sort.fields {
                let field = &system.fields[field];
                let domain = self.domain_of(&field.domain);
                let default = self.constant(field.default, Some(field.domain.ty));
                let text = format!("field {}: {domain}, created with {default}", field.name);
                self.line(1, &text);
            }
        }
    }

    fn state(&mut self) {
        let system = self.system;
        for var in system.vars.values() {
            let domain = self.domain_of(&var.domain);
            self.line(0, &format!("var {}: {domain}", var.name));
        }
        for zone in system.zones.values() {
            let mut text = format!("zone {} of {}", zone.name, system.sorts[zone.sort].name);
            if let Some(per) = zone.per {
                text.push_str(&format!(" per {}", system.sorts[per].name));
            }
            if let Some(capacity) = zone.capacity {
                text.push_str(&format!(", holds at most {capacity}"));
            }
            if zone.unordered {
                text.push_str(", unordered");
            }
            self.line(0, &text);
        }
        for queue in system.queues.values() {
            let next = match queue.discipline {
                QueueDiscipline::FirstInFirstOut => "first in first out",
                QueueDiscipline::LastInFirstOut => "last in first out",
                QueueDiscipline::ByPriority => "by priority",
            };
            let text = format!("queue {}, {next}, up to {}", queue.name, queue.capacity);
            self.line(0, &text);
        }
        for reading in system.readings.values() {
            let all = reading.names.join(" | ");
            self.line(0, &format!("reading {}: {all}", reading.name));
        }
    }

    fn event(&mut self, event: &Event) {
        let types = event.payload.iter().map(|ty| self.type_name(*ty));
        let types = types.collect::<Vec<_>>().join(", ");
        let mut text = format!("event {}({types})", event.name);
        if let Some(whenever) = &event.whenever {
            self.types = whenever.types.iter().map(|ty| Some(*ty)).collect();
            let _ = write!(text, ", whenever {}", self.expr(&whenever.condition));
            for value in &whenever.with {
                let _ = write!(text, ", with {}", self.expr(value));
            }
        }
        match event.queue {
            None => text.push_str(", at once"),
            Some(queue) => {
                let _ = write!(text, ", in {}", self.system.queues[queue].name);
            }
        }
        if let Some(order) = &event.listeners {
            self.types.clear();
            let _ = write!(text, ", listeners {}", self.order(order));
        }
        self.line(0, &text);
    }

    fn procedure(&mut self, id: SequenceId) {
        let procedure = &self.system.procedures[id];
        self.types = procedure.types.iter().map(|ty| Some(*ty)).collect();
        let params = procedure.types.iter().take(procedure.params as usize);
        let params = (0..).zip(params);
        let params = params.map(|(at, ty)| format!("l{at}: {}", self.type_name(*ty)));
        let params = params.collect::<Vec<_>>().join(", ");
        let mut head = format!("procedure {}({params})", procedure.name);
        if let Some((by, reading)) = &procedure.free {
            let _ = write!(head, ", steps in any order by {}", self.decider(by));
            if let Some(reading) = reading {
                let free = self.alternative(*reading, 1);
                let name = &self.system.readings[*reading].name;
                let _ = write!(head, " if {name} is {free}");
            }
        }
        if let Some((binder, order, nest)) = &procedure.over {
            let (binder, order) = (self.binder(binder), self.order(order));
            let nest = match nest {
                Nest::Steps => "nest steps".to_owned(),
                Nest::Places => "nest places".to_owned(),
                Nest::Unspecified(reading) => {
                    format!("nest by {}", self.system.readings[*reading].name)
                }
            };
            let _ = write!(head, ", over {binder}, {order}, {nest}");
        }
        self.line(0, &head);
        self.restart(id);
        self.contract(id);
        for &step in &procedure.steps {
            let step = &self.system.steps[step];
            self.line(1, &format!("step {}", step.name));
            self.block(step.body, 2);
            for e in &step.ensures {
                let e = self.expr(e);
                self.line(2, &format!("ensures {e}"));
            }
        }
    }

    fn restart(&mut self, id: SequenceId) {
        let Some(rule) = &self.system.procedures[id].restart else {
            return;
        };
        let when = self.expr(&rule.when);
        let (cancel, rest) = (self.cancel(&rule.cancel), self.unfinished(&rule.unfinished));
        self.line(1, &format!("restart when {when}, {cancel}, {rest}"));
        if let Some(before) = rule.before {
            self.line(2, "before restarting");
            self.block(before, 3);
        }
    }

    fn contract(&mut self, id: SequenceId) {
        let procedure = &self.system.procedures[id];
        if !procedure.contract {
            return;
        }
        self.line(1, "contract");
        for change in &procedure.changes {
            let what = match &change.target {
                Ok((place, _)) => self.place(place),
                Err(field) => {
                    let field = &self.system.fields[*field];
                    let sort = &self.system.sorts[field.sort].name;
                    format!("{} of every {sort}", field.name)
                }
            };
            let within = change.within.as_ref().map_or(String::new(), |(a, b)| {
                format!(", {} to {}", self.expr(a), self.expr(b))
            });
            self.line(2, &format!("may change {what}{within}"));
        }
        for e in &procedure.ensures {
            let e = self.expr(e);
            self.line(2, &format!("ensures {e}"));
        }
    }

    fn cancel(&self, cancel: &Cancel) -> String {
        match cancel {
            Cancel::AtOnce => "at once".to_owned(),
            Cancel::EndOfStep => "at end of step".to_owned(),
            Cancel::EndOfPass => "at end of pass".to_owned(),
            Cancel::Per(reading, all) => self.per(*reading, all, &|one| self.cancel(one)),
        }
    }

    fn unfinished(&self, unfinished: &Unfinished) -> String {
        match unfinished {
            Unfinished::Lost => "unfinished lost".to_owned(),
            Unfinished::Carried => "unfinished carried".to_owned(),
            Unfinished::Per(reading, all) => self.per(*reading, all, &|one| self.unfinished(one)),
        }
    }

    fn trigger(&mut self, trigger: &Trigger) {
        self.types = trigger.types.iter().map(|ty| Some(*ty)).collect();
        let mut head = format!("trigger {}", trigger.name);
        if let Some(listener) = &trigger.listener {
            let _ = write!(head, " for each {}", self.binder(listener));
        }
        let args = trigger.args.iter();
        let args: Vec<String> = args.map(|local| format!("l{}", local.0)).collect();
        let event = &self.system.events[trigger.event].name;
        let _ = write!(head, " on {event}({})", args.join(", "));
        if let Some(condition) = &trigger.condition {
            let _ = write!(head, " where {}", self.expr(condition));
        }
        if trigger.priority != 0 {
            let _ = write!(head, ", priority {}", trigger.priority);
        }
        self.line(0, &head);
        self.block(trigger.body, 1);
    }
}
