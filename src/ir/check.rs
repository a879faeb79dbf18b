//! Whether a system is well formed.
//!
//! Every number names something that exists, every local is within its frame, procedures do not
//! call themselves, readings have as many alternatives as wherever they are consulted, and
//! operations stand in one block only. It takes time linear in the size of the system.

use std::collections::BTreeSet;

use petgraph::algo::toposort;
use petgraph::graphmap::DiGraphMap;

use super::{
    Binder, Block, Decider, Effect, Expr, ExprKind, OpKind, Order, Place, Policy, Range, System,
    Target, ZoneRef,
};
use crate::index::Id;
use crate::typing::program::{BlockId, FieldId, LocalId, ReadingId, SequenceId, SortId, StmtId};

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
            self.expr(&function.body, function.locals)?;
        }
        let conditions = system.legal.iter().chain(&system.explored);
        let conditions = conditions.chain(system.verified.iter().flatten());
        for function in conditions.chain(system.claims.iter().flatten()) {
            self.expr(&function.body, function.locals)?;
        }
        for event in system.events.values() {
            if let Some(order) = &event.listeners {
                self.order(order, event.locals)?;
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
                self.binder(over, trigger.locals)?;
            }
            if let Some(condition) = &trigger.condition {
                self.expr(condition, trigger.locals)?;
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
                self.expr(e, locals)?;
            }
        }
        if let Some((by, _)) = &procedure.free {
            self.decider(by, locals)?;
        }
        if let Some((over, order, _)) = &procedure.over {
            self.binder(over, locals)?;
            self.order(order, locals)?;
        }
        if let Some(rule) = &procedure.restart {
            self.expr(&rule.when, locals)?;
            if let Some(before) = rule.before {
                self.block(before, locals, seen)?;
            }
        }
        for change in &procedure.changes {
            if let Ok((place, _)) = &change.target {
                self.place(place, locals)?;
            }
            if let Some((a, b)) = &change.within {
                self.expr(a, locals)?;
                self.expr(b, locals)?;
            }
        }
        procedure
            .ensures
            .iter()
            .try_for_each(|e| self.expr(e, locals))
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
            self.op(&self.system.ops[op].kind, locals)?;
            for inner in self.system.ops[op].kind.blocks() {
                self.block(inner, locals, seen)?;
            }
        }
        Ok(())
    }

    #[allow(
        clippy::too_many_lines,
        reason = "a flat match with one arm for each form"
    )]
    fn op(&self, op: &OpKind, locals: u32) -> Verdict {
        for e in op.exprs() {
            self.expr(e, locals)?;
        }
        match op {
            OpKind::Move(_, to) => self.target(to),
            OpKind::MoveAll(zone, to) => {
                self.zone(zone)?;
                self.target(to)
            }
            OpKind::Shuffle(zone) => self.zone(zone),
            OpKind::Create {
                sort,
                local,
                target,
                with,
            } => self.create(*sort, *local, (target.as_ref(), with), locals),
            OpKind::ChooseNumber { local, by, .. } => {
                within(local.index(), locals as usize, "local")?;
                self.decider(by, locals)
            }
            OpKind::ChooseBlock(_, by)
            | OpKind::Cases {
                policy: Policy::Chosen(by),
                ..
            } => self.decider(by, locals),
            OpKind::Let(local, _) => within(local.index(), locals as usize, "local"),
            OpKind::Set(place, _)
            | OpKind::Add { place, .. }
            | OpKind::ChooseValue { place, .. } => self.place(place, locals),
            OpKind::Transfer { from, to, .. } => {
                self.place(from, locals)?;
                self.place(to, locals)
            }
            OpKind::Announce(event, args) => {
                within(event.index(), self.system.events.len(), "event")?;
                let wanted = self.system.events[*event].payload.len();
                if args.len() == wanted {
                    Ok(())
                } else {
                    Err(format!("{} values announced, not {wanted}", args.len()))
                }
            }
            OpKind::Call(of, args) => {
                within(of.index(), self.system.procedures.len(), "procedure")?;
                let wanted = self.system.procedures[*of].params as usize;
                if args.len() == wanted {
                    Ok(())
                } else {
                    Err(format!("called with {} values, not {wanted}", args.len()))
                }
            }
            OpKind::Switch(reading, blocks) => self.alternatives(*reading, blocks.len()),
            OpKind::Each(each) => {
                self.binder(&each.binder, locals)?;
                self.order(&each.order, locals)
            }
            OpKind::ChooseElement(over, by) => {
                self.binder(over, locals)?;
                self.decider(by, locals)
            }
            OpKind::Distribute {
                binder, into, by, ..
            } => {
                self.binder(binder, locals)?;
                self.place(into, locals)?;
                self.decider(by, locals)
            }
            OpKind::Resolve { queue, .. } => {
                within(queue.index(), self.system.queues.len(), "queue")
            }
            OpKind::Stop(Effect::Gap(gap)) => within(gap.index(), self.system.gaps.len(), "gap"),
            OpKind::Leave(of) => within(of.index(), self.system.procedures.len(), "procedure"),
            _ => Ok(()),
        }
    }

    fn create(
        &self,
        sort: SortId,
        local: Option<LocalId>,
        (target, with): (Option<&Target>, &[(FieldId, Expr)]),
        locals: u32,
    ) -> Verdict {
        within(sort.index(), self.system.sorts.len(), "sort")?;
        if let Some(local) = local {
            within(local.index(), locals as usize, "local")?;
        }
        for (field, _) in with {
            within(field.index(), self.system.fields.len(), "field")?;
            let field = &self.system.fields[*field];
            if field.sort != sort {
                let sort = &self.system.sorts[sort].name;
                return Err(format!("{} is no field of {sort}", field.name));
            }
        }
        target.map_or(Ok(()), |to| self.target(to))
    }

    fn target(&self, to: &Target) -> Verdict {
        match to {
            Target::Zone(_, zone) => self.zone(zone),
            Target::Beside(..) => Ok(()),
        }
    }

    fn order(&self, order: &Order, locals: u32) -> Verdict {
        match order {
            Order::Any => Ok(()),
            Order::Chosen(by) => self.decider(by, locals),
            Order::Zone { from, .. } | Order::Players { from, .. } => {
                from.iter().try_for_each(|e| self.expr(e, locals))
            }
            Order::Per(reading, all) => {
                self.alternatives(*reading, all.len())?;
                all.iter().try_for_each(|one| self.order(one, locals))
            }
        }
    }

    /// A form with so many alternatives depends on a reading.
    fn alternatives(&self, reading: ReadingId, count: usize) -> Verdict {
        within(reading.index(), self.system.readings.len(), "reading")?;
        let of = &self.system.readings[reading];
        let wanted = usize::from(of.alternatives);
        if count == wanted {
            Ok(())
        } else {
            Err(format!("{count} alternatives for {wanted} of {}", of.name))
        }
    }

    fn decider(&self, by: &Decider, locals: u32) -> Verdict {
        match by {
            Decider::Player(e) => self.expr(e, locals),
            Decider::Everyone | Decider::Chance | Decider::Nobody => Ok(()),
        }
    }

    fn place(&self, place: &Place, locals: u32) -> Verdict {
        match place {
            Place::Var(var, _) => within(var.index(), self.system.vars.len(), "variable"),
            Place::Field(e, field, _) => {
                within(field.index(), self.system.fields.len(), "field")?;
                self.expr(e, locals)
            }
        }
    }

    fn zone(&self, zone: &ZoneRef) -> Verdict {
        within(zone.zone.index(), self.system.zones.len(), "zone")
    }

    fn binder(&self, over: &Binder, locals: u32) -> Verdict {
        within(over.local.index(), locals as usize, "local")?;
        self.range(over)?;
        over.children()
            .into_iter()
            .try_for_each(|e| self.expr(e, locals))
    }

    fn range(&self, over: &Binder) -> Verdict {
        match &over.range {
            Range::Sort(sort) => within(sort.index(), self.system.sorts.len(), "sort"),
            Range::Zone(zone) => self.zone(zone),
            Range::Enum(id, _) => within(id.index(), self.system.enums.len(), "enumeration"),
            Range::Bool => Ok(()),
        }
    }

    fn expr(&self, e: &Expr, locals: u32) -> Verdict {
        let system = self.system;
        match &e.kind {
            ExprKind::Local(local) => within(local.index(), locals as usize, "local")?,
            ExprKind::Var(var) => within(var.index(), system.vars.len(), "variable")?,
            ExprKind::Field(_, field) => within(field.index(), system.fields.len(), "field")?,
            ExprKind::Call(of, args) => {
                within(of.index(), system.functions.len(), "function")?;
                let wanted = system.functions[*of].params.len();
                if args.len() != wanted {
                    return Err(format!("a function of {wanted} values gets {}", args.len()));
                }
            }
            ExprKind::Size(zone) | ExprKind::EndOf(_, zone) | ExprKind::IsIn(_, zone) => {
                self.zone(zone)?;
            }
            ExprKind::Pending(queue) => within(queue.index(), system.queues.len(), "queue")?,
            ExprKind::ReadingIs(reading, at) => {
                within(reading.index(), system.readings.len(), "reading")?;
                let count = system.readings[*reading].alternatives;
                within(usize::from(*at), usize::from(count), "alternative")?;
            }
            ExprKind::Per(reading, all) => {
                self.alternatives(*reading, all.len())?;
            }
            ExprKind::Fold(_, over, _) => {
                // What is inside of the binder is among the children.
                within(over.local.index(), locals as usize, "local")?;
                self.range(over)?;
            }
            ExprKind::Turn {
                such_that: Some((local, _)),
                ..
            } => within(local.index(), locals as usize, "local")?,
            _ => {}
        }
        e.children()
            .into_iter()
            .try_for_each(|e| self.expr(e, locals))
    }
}
