//! Which readings the rules that a sequence may execute speak of.
//!
//! A reading that is spoken of but that no run depends on coincides in all its alternatives; one that
//! is not spoken of has nothing to do with the sequence.

use std::collections::BTreeSet;

use super::job::Reachable;
use crate::typing::program::{
    Binder, Cancel, DefineId, DomainPolicy, Expr, ExprKind, ListPolicy, Nest, Order, Program,
    ReadingId, SequenceId, StmtKind, Unfinished,
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

    fn stmt(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Depending(reading, _) => {
                self.found.insert(*reading);
            }
            StmtKind::ForEach { order, domain, .. } => {
                self.order(order);
                self.domain(domain);
            }
            _ => {}
        }
        kind.exprs().into_iter().for_each(|e| self.expr(e));
    }
}
