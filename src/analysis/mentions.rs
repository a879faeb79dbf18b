//! Which readings the rules that a sequence may execute speak of.
//!
//! A reading that is spoken of but that no run depends on coincides in all its alternatives; one that
//! is not spoken of has nothing to do with the sequence.

use std::collections::BTreeSet;

use super::job::Reachable;
use crate::typing::program::{
    Binder, Cancel, DefineId, DomainPolicy, Expr, ExprKind, ListPolicy, Nest, Order, Place,
    PlaceKind, Program, ReadingId, SequenceId, StmtKind, Target, Unfinished, When,
};

/// The readings that what is reachable speaks of.
pub fn readings(program: &Program, reachable: &Reachable) -> BTreeSet<ReadingId> {
    let mut walk = Walk {
        program,
        found: BTreeSet::new(),
        defines: BTreeSet::new(),
    };
    for &sequence in &reachable.sequences {
        walk.sequence(sequence);
    }
    for &step in &reachable.steps {
        program.steps[step]
            .ensures
            .iter()
            .for_each(|e| walk.expr(e));
    }
    for trigger in program.triggers.values() {
        trigger.condition.iter().for_each(|e| walk.expr(e));
        trigger
            .listener
            .iter()
            .for_each(|binder| walk.binder(binder));
    }
    for &stmt in &reachable.stmts {
        walk.stmt(&program.stmts[stmt].kind);
    }
    walk.found
}

struct Walk<'p> {
    program: &'p Program,
    found: BTreeSet<ReadingId>,
    defines: BTreeSet<DefineId>,
}

impl Walk<'_> {
    fn sequence(&mut self, sequence: SequenceId) {
        let declared = &self.program.sequences[sequence];
        if let ListPolicy::Unspecified(reading) = declared.policy {
            self.found.insert(reading);
        }
        if let Some(over) = &declared.over {
            self.binder(&over.binder);
            self.order(&over.order);
            if let Nest::Unspecified(reading) = over.nest {
                self.found.insert(reading);
            }
        }
        if let Some(rule) = &declared.restart {
            self.expr(&rule.when);
            self.cancel(&rule.cancel);
            self.unfinished(&rule.unfinished);
        }
    }

    fn cancel(&mut self, cancel: &Cancel) {
        if let Cancel::Per(reading, alternatives) = cancel {
            self.found.insert(*reading);
            alternatives.iter().for_each(|one| self.cancel(one));
        }
    }

    fn unfinished(&mut self, unfinished: &Unfinished) {
        if let Unfinished::Per(reading, alternatives) = unfinished {
            self.found.insert(*reading);
            alternatives.iter().for_each(|one| self.unfinished(one));
        }
    }

    fn order(&mut self, order: &Order) {
        match order {
            Order::Per(reading, alternatives) => {
                self.found.insert(*reading);
                alternatives.iter().for_each(|one| self.order(one));
            }
            Order::Zone { from, .. } | Order::Players { from, .. } => {
                from.iter().for_each(|e| self.expr(e));
            }
            Order::Any | Order::Chosen(_) => {}
        }
    }

    fn domain(&mut self, domain: &DomainPolicy) {
        if let DomainPolicy::Per(reading, alternatives) = domain {
            self.found.insert(*reading);
            alternatives.iter().for_each(|one| self.domain(one));
        }
    }

    fn binder(&mut self, binder: &Binder) {
        binder.children().into_iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::ReadingIs(reading, _) | ExprKind::Per(reading, _) => {
                self.found.insert(*reading);
            }
            ExprKind::Call(define, _) if self.defines.insert(*define) => {
                self.expr(&self.program.defines[*define].body);
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|e| self.expr(e));
    }

    fn place(&mut self, place: &Place) {
        if let PlaceKind::Field(of, _) = &place.kind {
            self.expr(of);
        }
    }

    fn target(&mut self, target: &Target) {
        match target {
            Target::Zone(_, zone) => zone.of.iter().for_each(|e| self.expr(e)),
            Target::Before(e) | Target::After(e) => self.expr(e),
        }
    }

    #[allow(clippy::too_many_lines, reason = "a flat match over all statements")]
    fn stmt(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Let(_, e) | StmtKind::Remove(e) => self.expr(e),
            StmtKind::Set(place, e) => {
                self.place(place);
                self.expr(e);
            }
            StmtKind::Increase(place, e, bound) | StmtKind::Decrease(place, e, bound) => {
                self.place(place);
                self.expr(e);
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
            StmtKind::MoveAll(_, target) => self.target(target),
            StmtKind::Create { target, with, .. } => {
                target.iter().for_each(|target| self.target(target));
                with.iter().for_each(|(_, e)| self.expr(e));
            }
            StmtKind::Announce(_, args) | StmtKind::Perform(_, args) => {
                args.iter().for_each(|e| self.expr(e));
            }
            StmtKind::If(arms, _) | StmtKind::Cases { arms, .. } => {
                arms.iter().for_each(|(e, _)| self.expr(e));
            }
            StmtKind::Depending(reading, _) => {
                self.found.insert(*reading);
            }
            StmtKind::ForEach {
                binder,
                order,
                domain,
                ..
            } => {
                self.binder(binder);
                self.order(order);
                self.domain(domain);
            }
            StmtKind::Repeat(When::Until(e) | When::While(e), _) => self.expr(e),
            StmtKind::Choose(binder, _) => self.binder(binder),
            StmtKind::ChooseNumber { low, high, .. } => {
                self.expr(low);
                self.expr(high);
            }
            StmtKind::ChooseOne { options, .. } => {
                let guards = options.iter().filter_map(|option| option.1.as_ref());
                guards.for_each(|e| self.expr(e));
            }
            StmtKind::Distribute {
                amount,
                binder,
                each,
                ..
            } => {
                self.expr(amount);
                self.binder(binder);
                each.iter().for_each(|e| self.expr(e));
            }
            StmtKind::GapMayChange { place, within, .. } => {
                self.place(place);
                for (low, high) in within.iter() {
                    self.expr(low);
                    self.expr(high);
                }
            }
            StmtKind::Nothing
            | StmtKind::Shuffle(_)
            | StmtKind::Simultaneously(_)
            | StmtKind::Repeat(When::Stable, _)
            | StmtKind::May { .. }
            | StmtKind::Resolve { .. }
            | StmtKind::Leave(_)
            | StmtKind::Declare(_)
            | StmtKind::Gap(_) => {}
        }
    }
}
