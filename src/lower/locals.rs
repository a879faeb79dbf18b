//! The types of locals, which the interpreter reads off values and a machine of numbers cannot.

use crate::typing::program::{
    Binder, BlockId, Decider, Expr, ExprKind, LocalId, Order, Place, PlaceKind, Program, Range,
    Sequence, SortId, StmtKind, Target, Trigger, Type, When, Whom, ZoneRef,
};

/// The types of the locals of a procedure.
pub fn of_sequence(program: &Program, sequence: &Sequence) -> Vec<Type> {
    let mut found = Types::new(program, sequence.locals);
    for (at, param) in (0..).zip(&sequence.params) {
        found.put(LocalId(at), param.ty);
    }
    if let Some(over) = &sequence.over {
        found.binder(&over.binder);
        found.order(&over.order);
    }
    if let Some(rule) = &sequence.restart {
        found.expr(&rule.when);
        if let Some(before) = rule.before {
            found.block(before);
        }
    }
    for &step in &sequence.steps {
        found.block(program.steps[step].body);
        for e in &program.steps[step].ensures {
            found.expr(e);
        }
    }
    if let crate::typing::program::ListPolicy::Chosen(by) = &sequence.policy {
        found.decider(by);
    }
    if let Some(contract) = &sequence.contract {
        for e in &contract.ensures {
            found.expr(e);
        }
    }
    found.types
}

/// The types of the locals of a trigger.
pub fn of_trigger(program: &Program, trigger: &Trigger) -> Vec<Type> {
    let mut found = Types::new(program, trigger.locals);
    let params = &program.events[trigger.event].params;
    for (local, param) in trigger.args.iter().zip(params) {
        found.put(*local, param.ty);
    }
    if let Some(binder) = &trigger.listener {
        found.binder(binder);
    }
    if let Some(condition) = &trigger.condition {
        found.expr(condition);
    }
    found.block(trigger.body);
    found.types
}

struct Types<'p> {
    program: &'p Program,
    types: Vec<Type>,
}

impl<'p> Types<'p> {
    fn new(program: &'p Program, locals: u32) -> Self {
        Self {
            program,
            types: vec![Type::Bool; locals as usize],
        }
    }

    fn put(&mut self, local: LocalId, ty: Type) {
        if let Some(slot) = self.types.get_mut(local.0 as usize) {
            *slot = ty;
        }
    }

    fn players(&self) -> Option<SortId> {
        let sorts = &self.program.sorts;
        sorts.iter().find(|(_, sort)| sort.player).map(|(id, _)| id)
    }

    fn block(&mut self, block: BlockId) {
        for stmt in &self.program.blocks[block].stmts {
            self.stmt(&self.program.stmts[*stmt].kind);
        }
    }

    fn stmt(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::Let(local, e) => {
                self.put(*local, e.ty);
                self.expr(e);
            }
            StmtKind::ForEach {
                binder,
                order,
                body,
                ..
            } => {
                self.binder(binder);
                self.order(order);
                self.block(*body);
            }
            StmtKind::Create {
                sort,
                local,
                target,
                with,
            } => {
                if let Some(local) = local {
                    self.put(*local, Type::Entity(*sort));
                }
                if let Some(target) = target {
                    self.target(target);
                }
                with.iter().for_each(|(_, e)| self.expr(e));
            }
            StmtKind::Choose(binder, by) => {
                self.binder(binder);
                self.decider(by);
            }
            StmtKind::ChooseNumber {
                local,
                low,
                high,
                by,
            } => {
                self.put(*local, Type::Int);
                self.expr(low);
                self.expr(high);
                self.decider(by);
            }
            StmtKind::Distribute {
                amount,
                binder,
                into,
                by,
                each,
            } => {
                self.expr(amount);
                self.binder(binder);
                self.place(into);
                self.decider(by);
                each.iter().for_each(|e| self.expr(e));
            }
            other => self.plain(other),
        }
    }

    /// Statements that bind nothing themselves.
    #[allow(
        clippy::too_many_lines,
        reason = "a flat match with one arm for each form"
    )]
    fn plain(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::Set(place, e) => {
                self.place(place);
                self.expr(e);
            }
            StmtKind::Increase(place, by, bound) | StmtKind::Decrease(place, by, bound) => {
                self.place(place);
                self.expr(by);
                bound.iter().for_each(|e| self.expr(e));
            }
            StmtKind::Transfer { amount, from, to } => {
                self.expr(amount);
                self.place(from);
                self.place(to);
            }
            StmtKind::Move(e, target) => {
                self.expr(e);
                self.target(target);
            }
            StmtKind::MoveAll(zone, target) => {
                self.zone(zone);
                self.target(target);
            }
            StmtKind::Shuffle(zone) => self.zone(zone),
            StmtKind::Remove(e) => self.expr(e),
            StmtKind::Announce(_, args) | StmtKind::Perform(_, args) => {
                args.iter().for_each(|e| self.expr(e));
            }
            StmtKind::If(arms, otherwise)
            | StmtKind::Cases {
                arms, otherwise, ..
            } => {
                for (guard, body) in arms {
                    self.expr(guard);
                    self.block(*body);
                }
                otherwise.iter().for_each(|body| self.block(*body));
                if let StmtKind::Cases {
                    policy: crate::typing::program::CasePolicy::Chosen(by),
                    ..
                } = stmt
                {
                    self.decider(by);
                }
            }
            StmtKind::Depending(_, blocks) => blocks.iter().for_each(|body| self.block(*body)),
            StmtKind::Simultaneously(body) => self.block(*body),
            StmtKind::Repeat(when, body) => {
                if let When::Until(e) | When::While(e) = when {
                    self.expr(e);
                }
                self.block(*body);
            }
            StmtKind::ChooseOne { by, options } => {
                self.decider(by);
                for (_, guard, body) in options {
                    guard.iter().for_each(|e| self.expr(e));
                    self.block(*body);
                }
            }
            StmtKind::May {
                by,
                body,
                otherwise,
                ..
            } => {
                self.decider(by);
                self.block(*body);
                otherwise.iter().for_each(|body| self.block(*body));
            }
            StmtKind::GapMayChange { place, within, .. } => {
                self.place(place);
                if let Some((a, b)) = within {
                    self.expr(a);
                    self.expr(b);
                }
            }
            StmtKind::Declare(declared) => {
                use crate::typing::program::Declared;
                if let Declared::Win(Whom::Player(e)) | Declared::Loss(Whom::Player(e)) = declared {
                    self.expr(e);
                }
            }
            _ => {}
        }
    }

    fn place(&mut self, place: &Place) {
        if let PlaceKind::Field(e, _) = &place.kind {
            self.expr(e);
        }
    }

    fn target(&mut self, target: &Target) {
        match target {
            Target::Zone(_, zone) => self.zone(zone),
            Target::Before(e) | Target::After(e) => self.expr(e),
        }
    }

    fn zone(&mut self, zone: &ZoneRef) {
        zone.of.iter().for_each(|e| self.expr(e));
    }

    fn decider(&mut self, by: &Decider) {
        if let Decider::Player(e) = by {
            self.expr(e);
        }
    }

    fn order(&mut self, order: &Order) {
        match order {
            Order::Any => {}
            Order::Chosen(by) => self.decider(by),
            Order::Zone { from, .. } | Order::Players { from, .. } => {
                from.iter().for_each(|e| self.expr(e));
            }
            Order::Per(_, all) => all.iter().for_each(|one| self.order(one)),
        }
    }

    fn binder(&mut self, binder: &Binder) {
        self.put(binder.local, binder.ty);
        if let Range::Zone(zone) = &binder.range {
            self.zone(zone);
        }
        binder.filter.iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Count(binder)
            | ExprKind::Sum(_, binder)
            | ExprKind::Extreme(_, _, binder)
            | ExprKind::Quantified(_, binder, _) => self.put(binder.local, binder.ty),
            ExprKind::Turn {
                such_that: Some((local, _)),
                ..
            } => {
                if let Some(players) = self.players() {
                    self.put(*local, Type::Entity(players));
                }
            }
            _ => {}
        }
        for child in e.children() {
            self.expr(child);
        }
    }
}
