//! Whether a system is well formed.
//!
//! Every number names something that exists, every local is within its frame, procedures do not call
//! themselves, readings have as many alternatives as wherever they are consulted, and operations stand
//! in one block only.

use std::collections::BTreeSet;

use super::{
    Binder, Block, Decider, Effect, Expr, ExprKind, OpKind, Order, Place, System, Target, Until,
    ZoneRef,
};
use crate::index::Id;
use crate::typing::program::{BlockId, SequenceId, StmtId};

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
        for function in system.functions.values() {
            if function.params > function.locals {
                return Err(format!("{} has more parameters than locals", function.name));
            }
            self.expr(&function.body, function.locals)?;
        }
        let conditions = system.legal.iter().chain(&system.explored);
        for function in conditions.chain(system.claims.iter().flatten()) {
            self.expr(&function.body, function.locals)?;
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
            self.block(trigger.body, trigger.locals, &mut BTreeSet::new())?;
        }
        let mut seen = BTreeSet::new();
        for (id, procedure) in system.procedures.iter() {
            self.procedure(id, &mut seen)?;
            if self.calls(id, &mut Vec::new()) {
                return Err(format!("{} performs itself", procedure.name));
            }
        }
        Ok(())
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

    /// Whether a procedure can come to itself by calls.
    fn calls(&self, id: SequenceId, path: &mut Vec<SequenceId>) -> bool {
        if path.contains(&id) {
            return true;
        }
        path.push(id);
        let mut called = BTreeSet::new();
        for &step in &self.system.procedures[id].steps {
            self.called(self.system.steps[step].body, &mut called);
        }
        let cyclic = called.into_iter().any(|next| self.calls(next, path));
        path.pop();
        cyclic
    }

    fn called(&self, block: BlockId, found: &mut BTreeSet<SequenceId>) {
        for &op in &self.system.blocks[block].ops {
            if let OpKind::Call(of, _) = &self.system.ops[op].kind {
                found.insert(*of);
            }
            for inner in self.system.ops[op].kind.blocks() {
                self.called(inner, found);
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

    fn op(&self, op: &OpKind, locals: u32) -> Verdict {
        for e in op.exprs() {
            self.expr(e, locals)?;
        }
        match op {
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
            OpKind::Switch(reading, blocks) => {
                within(reading.index(), self.system.readings.len(), "reading")?;
                let wanted = usize::from(self.system.readings[*reading].alternatives);
                if blocks.len() == wanted {
                    Ok(())
                } else {
                    Err(format!("{} blocks for {wanted} alternatives", blocks.len()))
                }
            }
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
            OpKind::Leave(of) => within(of.index(), self.system.procedures.len(), "procedure"),
            _ => Ok(()),
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
                within(reading.index(), self.system.readings.len(), "reading")?;
                all.iter().try_for_each(|one| self.order(one, locals))
            }
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
        if let super::Range::Zone(zone) = &over.range {
            self.zone(zone)?;
        }
        over.children()
            .into_iter()
            .try_for_each(|e| self.expr(e, locals))
    }

    fn expr(&self, e: &Expr, locals: u32) -> Verdict {
        let system = self.system;
        match &e.kind {
            ExprKind::Local(local) => within(local.index(), locals as usize, "local")?,
            ExprKind::Var(var) => within(var.index(), system.vars.len(), "variable")?,
            ExprKind::Field(_, field) => within(field.index(), system.fields.len(), "field")?,
            ExprKind::Call(of, args) => {
                within(of.index(), system.functions.len(), "function")?;
                let wanted = system.functions[*of].params as usize;
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
                within(reading.index(), system.readings.len(), "reading")?;
                if all.len() != usize::from(system.readings[*reading].alternatives) {
                    return Err("a reading has another number of alternatives".to_owned());
                }
            }
            ExprKind::Fold(_, over, _) => {
                return self.binder(over, locals).and_then(|()| {
                    e.children()
                        .into_iter()
                        .try_for_each(|e| self.expr(e, locals))
                });
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

impl OpKind {
    /// The blocks directly inside.
    pub fn blocks(&self) -> Vec<BlockId> {
        match self {
            Self::If(arms, otherwise)
            | Self::Cases {
                arms, otherwise, ..
            } => arms
                .iter()
                .map(|(_, body)| *body)
                .chain(*otherwise)
                .collect(),
            Self::Switch(_, blocks) => blocks.clone(),
            Self::Each(each) => vec![each.body],
            Self::Atomic(body) | Self::Repeat(_, body) => vec![*body],
            Self::ChooseBlock(arms, _) => arms.iter().filter_map(|arm| arm.body).collect(),
            _ => Vec::new(),
        }
    }

    /// The expressions directly inside, but for those of places, binders, orders and deciders.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Let(_, e) | Self::Set(_, e) | Self::Remove(e) => vec![e],
            Self::Add { by, bound, .. } => std::iter::once(by).chain(bound).collect(),
            Self::Transfer { amount, .. } => vec![amount],
            Self::Move(e, to) => std::iter::once(e).chain(to.expr()).collect(),
            Self::MoveAll(zone, to) => zone.of.as_deref().into_iter().chain(to.expr()).collect(),
            Self::Shuffle(zone) => zone.of.as_deref().into_iter().collect(),
            Self::Create { target, with, .. } => {
                let values = with.iter().map(|(_, e)| e);
                values
                    .chain(target.as_ref().and_then(Target::expr))
                    .collect()
            }
            Self::Announce(_, args) | Self::Call(_, args) => args.iter().collect(),
            Self::If(arms, _) | Self::Cases { arms, .. } => {
                arms.iter().map(|(guard, _)| guard).collect()
            }
            Self::Repeat(Until::Until(e) | Until::While(e), _) => vec![e],
            Self::ChooseNumber { low, high, .. } => vec![low, high],
            Self::ChooseBlock(arms, _) => {
                arms.iter().filter_map(|arm| arm.guard.as_ref()).collect()
            }
            Self::Distribute { amount, each, .. } => std::iter::once(amount).chain(each).collect(),
            Self::ChooseValue {
                within: Some((a, b)),
                ..
            } => vec![a, b],
            Self::Stop(Effect::Win(Some(e)) | Effect::Loss(Some(e))) => vec![e],
            _ => Vec::new(),
        }
    }
}

impl Target {
    /// The expression inside.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Self::Zone(_, zone) => zone.of.as_deref(),
            Self::Beside(_, e) => Some(e),
        }
    }
}
