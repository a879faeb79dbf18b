//! Visits every expression of something, to be changed in place.
//!
//! `for each c: Card in board(p) where c.health <= 0` has the filter `c.health <= 0`, which is a
//! condition, and in it `c.health`, `c` and `0`; and `p`.

use crate::typing::program::{
    Binder, CasePolicy, Decider, Declared, Expr, ExprKind, Order, Place, PlaceKind, Range,
    StmtKind, Target, When, Whom, ZoneRef,
};

/// What an expression is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Something happens, or counts, only if it is true.
    Condition,
    /// Its value is used.
    Value,
}

/// Told of each expression, the outer before the inner.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&mut Expr, Role);

/// An expression and all inside it.
pub(super) fn expr(of: &mut Expr, role: Role, visit: Visit<'_>) {
    visit(of, role);
    match &mut of.kind {
        ExprKind::Const(_)
        | ExprKind::Local(_)
        | ExprKind::Var(_)
        | ExprKind::QueueEmpty(_)
        | ExprKind::ReadingIs(..)
        | ExprKind::QueueSize(_) => {}
        ExprKind::Field(e, _)
        | ExprKind::Unwrap(e)
        | ExprKind::Not(e)
        | ExprKind::Negate(e)
        | ExprKind::IsNone(e)
        | ExprKind::IsRemoved(e)
        | ExprKind::Half(e, _)
        | ExprKind::Neighbour(_, e)
        | ExprKind::Holder(e)
        | ExprKind::Old(e) => expr(e, Role::Value, visit),
        ExprKind::Call(_, many) | ExprKind::Per(_, many) => {
            many.iter_mut().for_each(|e| expr(e, Role::Value, visit));
        }
        ExprKind::Binary(_, a, b) | ExprKind::Min(a, b) | ExprKind::Max(a, b) => {
            expr(a, Role::Value, visit);
            expr(b, Role::Value, visit);
        }
        ExprKind::Cond(a, b, c) => {
            expr(a, Role::Condition, visit);
            expr(b, Role::Value, visit);
            expr(c, Role::Value, visit);
        }
        ExprKind::Clamp(a, b, c) => {
            for e in [a, b, c] {
                expr(e, Role::Value, visit);
            }
        }
        ExprKind::ZoneEmpty(of) | ExprKind::EndOf(_, of) | ExprKind::ZoneSize(of) => {
            zone(of, visit);
        }
        ExprKind::IsIn(e, of) => {
            expr(e, Role::Value, visit);
            zone(of, visit);
        }
        ExprKind::Count(of) => binder(of, visit),
        ExprKind::Sum(e, of) | ExprKind::Extreme(_, e, of) => {
            binder(of, visit);
            expr(e, Role::Value, visit);
        }
        ExprKind::Quantified(_, of, e) => {
            binder(of, visit);
            expr(e, Role::Condition, visit);
        }
        ExprKind::Turn {
            from, such_that, ..
        } => {
            expr(from, Role::Value, visit);
            if let Some((_, e)) = such_that {
                expr(e, Role::Condition, visit);
            }
        }
    }
}

fn zone(of: &mut ZoneRef, visit: Visit<'_>) {
    if let Some(e) = &mut of.of {
        expr(e, Role::Value, visit);
    }
}

/// The range and the filter of a binder.
pub(super) fn binder(of: &mut Binder, visit: Visit<'_>) {
    if let Range::Zone(of) = &mut of.range {
        zone(of, visit);
    }
    if let Some(e) = &mut of.filter {
        expr(e, Role::Condition, visit);
    }
}

fn place(of: &mut Place, visit: Visit<'_>) {
    if let PlaceKind::Field(e, _) = &mut of.kind {
        expr(e, Role::Value, visit);
    }
}

fn target(of: &mut Target, visit: Visit<'_>) {
    match of {
        Target::Zone(_, of) => zone(of, visit),
        Target::Before(e) | Target::After(e) => expr(e, Role::Value, visit),
    }
}

fn decider(of: &mut Decider, visit: Visit<'_>) {
    if let Decider::Player(e) = of {
        expr(e, Role::Value, visit);
    }
}

/// From whom an order starts, and who chooses it.
pub(super) fn order(of: &mut Order, visit: Visit<'_>) {
    match of {
        Order::Any => {}
        Order::Zone { from, .. } | Order::Players { from, .. } => {
            if let Some(e) = from {
                expr(e, Role::Value, visit);
            }
        }
        Order::Chosen(by) => decider(by, visit),
        Order::Per(_, many) => many.iter_mut().for_each(|one| order(one, visit)),
    }
}

/// What stands in the heading of a statement, and in those of its alternatives.
pub(super) fn stmt(of: &mut StmtKind, visit: Visit<'_>) {
    match of {
        StmtKind::Nothing
        | StmtKind::Shuffle(_)
        | StmtKind::Depending(..)
        | StmtKind::Simultaneously(_)
        | StmtKind::Resolve { .. }
        | StmtKind::Leave(_)
        | StmtKind::Gap(_)
        | StmtKind::Repeat(When::Stable, _) => {}
        StmtKind::Let(_, e) | StmtKind::Remove(e) => expr(e, Role::Value, visit),
        StmtKind::Repeat(When::Until(e) | When::While(e), _) => expr(e, Role::Condition, visit),
        StmtKind::Set(at, e) => {
            place(at, visit);
            expr(e, Role::Value, visit);
        }
        StmtKind::Increase(at, e, clamp) | StmtKind::Decrease(at, e, clamp) => {
            place(at, visit);
            expr(e, Role::Value, visit);
            clamp.iter_mut().for_each(|e| expr(e, Role::Value, visit));
        }
        StmtKind::Transfer { amount, from, to } => {
            expr(amount, Role::Value, visit);
            place(from, visit);
            place(to, visit);
        }
        StmtKind::Move(e, to) => {
            expr(e, Role::Value, visit);
            target(to, visit);
        }
        StmtKind::MoveAll(from, to) => {
            zone(from, visit);
            target(to, visit);
        }
        StmtKind::Create {
            target: to, with, ..
        } => {
            to.iter_mut().for_each(|to| target(to, visit));
            with.iter_mut()
                .for_each(|(_, e)| expr(e, Role::Value, visit));
        }
        StmtKind::Announce(_, many) | StmtKind::Perform(_, many) => {
            many.iter_mut().for_each(|e| expr(e, Role::Value, visit));
        }
        StmtKind::If(arms, _) => {
            arms.iter_mut()
                .for_each(|(e, _)| expr(e, Role::Condition, visit));
        }
        _ => chosen(of, visit),
    }
}

/// The statements in which something is chosen or gone through.
fn chosen(of: &mut StmtKind, visit: Visit<'_>) {
    match of {
        StmtKind::Cases { policy, arms, .. } => {
            if let CasePolicy::Chosen(by) = policy {
                decider(by, visit);
            }
            arms.iter_mut()
                .for_each(|(e, _)| expr(e, Role::Condition, visit));
        }
        StmtKind::ForEach {
            binder: of,
            order: by,
            ..
        } => {
            binder(of, visit);
            order(by, visit);
        }
        StmtKind::Choose(of, by) => {
            binder(of, visit);
            decider(by, visit);
        }
        StmtKind::ChooseNumber { low, high, by, .. } => {
            expr(low, Role::Value, visit);
            expr(high, Role::Value, visit);
            decider(by, visit);
        }
        StmtKind::ChooseOne { by, options } => {
            decider(by, visit);
            for (_, guard, _) in options {
                guard
                    .iter_mut()
                    .for_each(|e| expr(e, Role::Condition, visit));
            }
        }
        StmtKind::May { by, .. } => decider(by, visit),
        StmtKind::Distribute {
            amount,
            binder: of,
            into,
            by,
            each,
        } => {
            expr(amount, Role::Value, visit);
            binder(of, visit);
            place(into, visit);
            decider(by, visit);
            each.iter_mut().for_each(|e| expr(e, Role::Value, visit));
        }
        StmtKind::Declare(Declared::Win(Whom::Player(e)) | Declared::Loss(Whom::Player(e))) => {
            expr(e, Role::Value, visit)
        }
        StmtKind::GapMayChange {
            place: at, within, ..
        } => {
            place(at, visit);
            if let Some((low, high)) = within {
                expr(low, Role::Value, visit);
                expr(high, Role::Value, visit);
            }
        }
        _ => {}
    }
}
