//! Whether a system is well formed.
//!
//! Every number names something that exists, every local is within its frame, procedures do not
//! call themselves, readings have as many alternatives as wherever they are consulted, and
//! operations stand in one block only. It takes time linear in the size of the system.

use std::collections::BTreeSet;

use petgraph::algo::toposort;
use petgraph::graphmap::DiGraphMap;

use super::{Block, Expr, ExprKind, OpKind, Order, System, Visit, Walk};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    BlockId, DefineId, EnumId, EventId, FieldId, GapId, LocalId, QueueId, ReadingId, SequenceId,
    SortId, StmtId, VarId, ZoneId,
};

/// What is wrong with a system; `None`: nothing.
pub fn fault(system: &System) -> Option<String> {
    let check = Check { system };
    check.all().err()
}

struct Check<'s> {
    system: &'s System,
}

type Verdict = Result<(), String>;

fn within(index: usize, len: usize, what: &str) -> Verdict {
    if index < len {
        Ok(())
    } else {
        Err(format!("{what} {index} does not exist: there are {len}"))
    }
}

impl Check<'_> {
    fn all(&self) -> Verdict {
        let system = self.system;
        let mut seen = BTreeSet::new();
        for function in system.functions.values() {
            if function.params.len() > function.locals as usize {
                return Err(format!("{} has more parameters than locals", function.name));
            }
            self.part(&function.body, function.locals)?;
        }
        let conditions = system.legal.iter().chain(&system.explored);
        let conditions = conditions.chain(system.verified.iter().flatten());
        for function in conditions.chain(system.claims.iter().flatten()) {
            self.part(&function.body, function.locals)?;
        }
        for event in system.events.values() {
            if let Some(order) = &event.listeners {
                self.part(order, event.locals)?;
            }
            if let Some(whenever) = &event.whenever {
                let carried = usize::from(whenever.element.is_some()) + whenever.with.len();
                if carried != event.payload.len() {
                    return Err(format!(
                        "{} carries another payload than it has",
                        event.name
                    ));
                }
                let locals = whenever.types.len() as u32;
                for e in [&whenever.condition].into_iter().chain(&whenever.with) {
                    self.part(e, locals)?;
                }
            }
        }
        for trigger in system.triggers.values() {
            within(trigger.event.index(), system.events.len(), "event")?;
            if trigger.args.len() != system.events[trigger.event].payload.len() {
                return Err(format!(
                    "{} takes another payload than its event has",
                    trigger.name
                ));
            }
            if let Some(over) = &trigger.listener {
                self.part(over, trigger.locals)?;
            }
            if let Some(condition) = &trigger.condition {
                self.part(condition, trigger.locals)?;
            }
            self.block(trigger.body, trigger.locals, &mut seen)?;
        }
        for id in system.procedures.ids() {
            self.procedure(id, &mut seen)?;
        }
        self.calls()?;
        self.applications()
    }

    fn procedure(&self, id: SequenceId, seen: &mut BTreeSet<StmtId>) -> Verdict {
        let procedure = &self.system.procedures[id];
        let locals = procedure.locals;
        for &step in &procedure.steps {
            within(step.index(), self.system.steps.len(), "step")?;
            if self.system.steps[step].procedure != id {
                return Err(format!("a step of {} belongs to another", procedure.name));
            }
            self.block(self.system.steps[step].body, locals, seen)?;
            for e in &self.system.steps[step].ensures {
                self.part(e, locals)?;
            }
        }
        if let Some((by, _)) = &procedure.free {
            self.part(by, locals)?;
        }
        if let Some((over, order, _)) = &procedure.over {
            self.part(over, locals)?;
            self.part(order, locals)?;
        }
        if let Some(rule) = &procedure.restart {
            self.part(&rule.when, locals)?;
            if let Some(before) = rule.before {
                self.block(before, locals, seen)?;
            }
        }
        for change in &procedure.changes {
            if let Ok((place, _)) = &change.target {
                self.part(place, locals)?;
            }
            if let Some((a, b)) = &change.within {
                self.part(a, locals)?;
                self.part(b, locals)?;
            }
        }
        procedure
            .ensures
            .iter()
            .try_for_each(|e| self.part(e, locals))
    }

    /// Procedures do not come to themselves by calls. Calls from triggers are left out: how deep
    /// those are nested is bounded when they run.
    fn calls(&self) -> Verdict {
        let mut graph = DiGraphMap::<_, ()>::new();
        for (caller, procedure) in self.system.procedures.iter() {
            graph.add_node(caller);
            for &step in &procedure.steps {
                self.called(caller, self.system.steps[step].body, &mut graph);
            }
            if let Some(before) = procedure.restart.as_ref().and_then(|rule| rule.before) {
                self.called(caller, before, &mut graph);
            }
        }
        toposort(&graph, None).map(|_| ()).map_err(|cycle| {
            let name = &self.system.procedures[cycle.node_id()].name;
            format!("{name} performs itself")
        })
    }

    /// Functions do not come to themselves.
    fn applications(&self) -> Verdict {
        let mut graph = DiGraphMap::<_, ()>::new();
        for (id, function) in self.system.functions.iter() {
            graph.add_node(id);
            let mut todo = vec![&function.body];
            while let Some(e) = todo.pop() {
                if let ExprKind::Call(of, _) = e.kind {
                    graph.add_edge(id, of, ());
                }
                todo.extend(e.children());
            }
        }
        toposort(&graph, None).map(|_| ()).map_err(|cycle| {
            let name = &self.system.functions[cycle.node_id()].name;
            format!("{name} is defined by itself")
        })
    }

    fn called(&self, caller: SequenceId, body: BlockId, graph: &mut DiGraphMap<SequenceId, ()>) {
        let mut todo = vec![body];
        while let Some(block) = todo.pop() {
            for &op in &self.system.blocks[block].ops {
                let kind = &self.system.ops[op].kind;
                if let OpKind::Call(callee, _) = kind {
                    graph.add_edge(caller, *callee, ());
                }
                todo.extend(kind.blocks());
            }
        }
    }

    fn block(&self, id: BlockId, locals: u32, seen: &mut BTreeSet<StmtId>) -> Verdict {
        within(id.index(), self.system.blocks.len(), "block")?;
        let Block { ops, binds } = &self.system.blocks[id];
        for local in binds {
            within(local.index(), locals as usize, "local")?;
        }
        for &op in ops {
            within(op.index(), self.system.ops.len(), "operation")?;
            if !seen.insert(op) {
                return Err(format!("operation {} stands in two blocks", op.0));
            }
            self.part(&self.system.ops[op].kind, locals)?;
            if let OpKind::Atomic(body) = self.system.ops[op].kind {
                self.together(body)?;
            }
            for inner in self.system.ops[op].kind.blocks() {
                self.block(inner, locals, seen)?;
            }
        }
        Ok(())
    }

    /// What comes about at once takes a single small step, and asks nobody.
    fn together(&self, id: BlockId) -> Verdict {
        within(id.index(), self.system.blocks.len(), "block")?;
        for &op in &self.system.blocks[id].ops {
            within(op.index(), self.system.ops.len(), "operation")?;
            match &self.system.ops[op].kind {
                OpKind::Skip
                | OpKind::Meet(_)
                | OpKind::Let(..)
                | OpKind::Set(..)
                | OpKind::Add { .. }
                | OpKind::Transfer { .. }
                | OpKind::Move(..)
                | OpKind::Announce(..) => {}
                kind @ (OpKind::If(..) | OpKind::Switch(..) | OpKind::Each(_)) => {
                    let mut blocks = kind.blocks().into_iter();
                    blocks.try_for_each(|block| self.together(block))?;
                }
                // Whatever else there is asks somebody, takes several steps, or ends the run.
                _ => {
                    return Err(format!(
                        "operation {} cannot come about at once with others",
                        op.0
                    ));
                }
            }
        }
        Ok(())
    }

    /// What is wrong inside of a part that has so many locals.
    fn part(&self, part: &impl Walk, locals: u32) -> Verdict {
        let mut inside = Inside {
            system: self.system,
            locals: locals as usize,
            fault: None,
        };
        part.meet(&mut inside);
        inside.fault.map_or(Ok(()), Err)
    }
}

/// Looks for the first fault inside of an expression or operation, but for the blocks in it.
struct Inside<'s> {
    system: &'s System,
    locals: usize,
    fault: Option<String>,
}

/// Every number names something that exists.
macro_rules! exists {
    ($($id:ident: $Id:ty, $all:ident, $what:literal;)*) => {
        $(fn $id(&mut self, id: $Id) {
            self.note(within(id.index(), self.system.$all.len(), $what));
        })*
    };
}

impl<'t> Visit<'t> for Inside<'_> {
    exists! {
        field: FieldId, fields, "field";
        var: VarId, vars, "variable";
        zone_id: ZoneId, zones, "zone";
        queue: QueueId, queues, "queue";
        event: EventId, events, "event";
        function: DefineId, functions, "function";
        procedure: SequenceId, procedures, "procedure";
        reading: ReadingId, readings, "reading";
        sort: SortId, sorts, "sort";
        enumeration: EnumId, enums, "enumeration";
        gap: GapId, gaps, "gap";
    }

    fn local(&mut self, id: LocalId) {
        self.note(within(id.index(), self.locals, "local"));
    }

    fn op(&mut self, op: &'t OpKind) {
        op.inside(self);
        if self.fault.is_none() {
            self.note(self.counts(op));
        }
    }

    fn expr(&mut self, e: &'t Expr) {
        e.inside(self);
        if self.fault.is_none() {
            self.note(self.numbers(e));
        }
    }

    fn order(&mut self, order: &'t Order) {
        order.inside(self);
        if let (Order::Per(reading, all), None) = (order, &self.fault) {
            self.note(self.alternatives(*reading, all.len()));
        }
    }
}

impl Inside<'_> {
    fn note(&mut self, verdict: Verdict) {
        self.fault = self.fault.take().or(verdict.err());
    }

    /// How many values or blocks an operation has, and whose fields.
    fn counts(&self, op: &OpKind) -> Verdict {
        let system = self.system;
        match op {
            OpKind::Announce(event, args) => {
                let wanted = system.events[*event].payload.len();
                as_many(args.len(), wanted, "values announced")
            }
            OpKind::Call(of, args) => {
                let wanted = system.procedures[*of].params as usize;
                as_many(args.len(), wanted, "values in a call")
            }
            OpKind::Switch(reading, blocks) => self.alternatives(*reading, blocks.len()),
            OpKind::Create { sort, with, .. } => with.iter().try_for_each(|(field, _)| {
                let field = &system.fields[*field];
                if field.sort == *sort {
                    return Ok(());
                }
                let sort = &system.sorts[*sort].name;
                Err(format!("{} is no field of {sort}", field.name))
            }),
            _ => Ok(()),
        }
    }

    /// The same of an expression.
    fn numbers(&self, e: &Expr) -> Verdict {
        let system = self.system;
        match &e.kind {
            ExprKind::Call(of, args) => {
                let wanted = system.functions[*of].params.len();
                match args.len() == wanted {
                    true => Ok(()),
                    false => Err(format!("a function of {wanted} values gets {}", args.len())),
                }
            }
            ExprKind::Continuous(id, of) => {
                let function = &system.functions[*id];
                match function.continuous.is_some()
                    && function.params.len() == usize::from(of.is_some())
                {
                    true => Ok(()),
                    false => Err(format!("{} is no such continuous value", function.name)),
                }
            }
            ExprKind::Solutions(id, _) => {
                let function = &system.functions[*id];
                match function.continuous {
                    Some(_) => Ok(()),
                    None => Err(format!("{} is no continuous value", function.name)),
                }
            }
            ExprKind::ReadingIs(reading, at) => {
                let count = system.readings[*reading].alternatives;
                within(usize::from(*at), usize::from(count), "alternative")
            }
            ExprKind::Per(reading, all) => self.alternatives(*reading, all.len()),
            _ => Ok(()),
        }
    }

    /// A form with so many alternatives depends on a reading.
    fn alternatives(&self, reading: ReadingId, count: usize) -> Verdict {
        let of = &self.system.readings[reading];
        let wanted = usize::from(of.alternatives);
        match count == wanted {
            true => Ok(()),
            false => Err(format!("{count} alternatives for {wanted} of {}", of.name)),
        }
    }
}

fn as_many(count: usize, wanted: usize, what: &str) -> Verdict {
    match count == wanted {
        true => Ok(()),
        false => Err(format!("{count} {what}, not {wanted}")),
    }
}
