//! Expressions without sugar.

use crate::ir::{
    Binder, Compute, Decider, Expr, ExprKind, Fold, NONE, Order, Place, Range, Rank, Ranked,
    Relation, ZoneRef,
};
use endstep_language::source::Span;
use endstep_language::syntax::ast::{BinaryOp, Extreme, Quantifier};
use endstep_language::typing::program::{self, PlaceKind, Program, Value};

/// An expression.
pub fn lower(program: &Program, e: &program::Expr) -> Expr {
    Expr {
        kind: kind(program, e),
        span: e.span,
    }
}

fn boxed(program: &Program, e: &program::Expr) -> Box<Expr> {
    Box::new(lower(program, e))
}

fn all(program: &Program, list: &[program::Expr]) -> Vec<Expr> {
    list.iter().map(|e| lower(program, e)).collect()
}

fn constant(n: i64, span: Span) -> Box<Expr> {
    Box::new(Expr {
        kind: ExprKind::Const(n),
        span,
    })
}

fn kind(program: &Program, e: &program::Expr) -> ExprKind {
    use program::ExprKind as Typed;
    let low = |e: &program::Expr| boxed(program, e);
    match &e.kind {
        Typed::Const(value) => ExprKind::Const(number(*value)),
        Typed::Local(local) => ExprKind::Local(*local),
        Typed::Var(var) => ExprKind::Var(*var),
        Typed::Field(of, field) => ExprKind::Field(low(of), *field),
        Typed::Unwrap(of) => ExprKind::Unwrap(low(of)),
        Typed::Call(define, args) => ExprKind::Call(*define, all(program, args)),
        Typed::Continuous(id, of) => ExprKind::Continuous(*id, of.as_deref().map(low)),
        Typed::Solutions(id, wanted) => ExprKind::Solutions(*id, *wanted),
        Typed::Not(of) => ExprKind::Not(low(of)),
        Typed::Negate(of) => ExprKind::Negate(low(of)),
        Typed::Binary(op, a, b) => binary(*op, low(a), low(b), e.span),
        Typed::IsNone(of) => ExprKind::Compare(Relation::Equal, low(of), constant(NONE, e.span)),
        Typed::ZoneEmpty(of) => is_zero(ExprKind::Size(zone(program, of)), e.span),
        Typed::QueueEmpty(queue) => is_zero(ExprKind::Pending(*queue), e.span),
        Typed::IsRemoved(of) => ExprKind::IsRemoved(low(of)),
        Typed::IsIn(of, inside) => ExprKind::IsIn(low(of), zone(program, inside)),
        Typed::ReadingIs(reading, at) => ExprKind::ReadingIs(*reading, *at),
        Typed::Cond(c, a, b) => ExprKind::If(low(c), low(a), low(b)),
        Typed::Half(of, rounding) => ExprKind::Half(low(of), *rounding),
        Typed::Min(a, b) => ExprKind::Compute(Compute::Min, low(a), low(b)),
        Typed::Max(a, b) => ExprKind::Compute(Compute::Max, low(a), low(b)),
        Typed::Clamp(a, b, c) => ExprKind::Clamp(low(a), low(b), low(c)),
        Typed::Count(over) => fold(program, Fold::Count, over, None),
        Typed::Sum(of, over) => fold(program, Fold::Sum, over, Some(of)),
        Typed::Extreme(which, of, over) => {
            let which = match which {
                Extreme::Largest => Fold::Largest,
                Extreme::Smallest => Fold::Smallest,
            };
            fold(program, which, over, Some(of))
        }
        Typed::Quantified(which, over, of) => {
            let which = match which {
                Quantifier::Some => Fold::Some,
                Quantifier::Every => Fold::Every,
            };
            fold(program, which, over, Some(of))
        }
        Typed::EndOf(first, of) => ExprKind::EndOf(*first, zone(program, of)),
        Typed::Endmost(first, over) => ExprKind::Endmost(*first, Box::new(binder(program, over))),
        Typed::Beside(side, one, other) => ExprKind::Beside(*side, low(one), low(other)),
        Typed::ZoneSize(of) => ExprKind::Size(zone(program, of)),
        Typed::QueueSize(queue) => ExprKind::Pending(*queue),
        Typed::Turn {
            forward,
            from,
            such_that,
        } => ExprKind::Turn {
            forward: *forward,
            from: low(from),
            such_that: such_that.as_ref().map(|(local, e)| (*local, low(e))),
        },
        Typed::Neighbour(side, of) => ExprKind::Neighbour(*side, low(of)),
        Typed::Holder(of) => ExprKind::Holder(low(of)),
        Typed::Old(of) => ExprKind::Old(low(of)),
        Typed::Per(reading, list) => ExprKind::Per(*reading, all(program, list)),
    }
}

fn is_zero(kind: ExprKind, span: Span) -> ExprKind {
    ExprKind::Compare(
        Relation::Equal,
        Box::new(Expr { kind, span }),
        constant(0, span),
    )
}

fn binary(op: BinaryOp, a: Box<Expr>, b: Box<Expr>, span: Span) -> ExprKind {
    let compare = |relation, a, b| ExprKind::Compare(relation, a, b);
    match op {
        BinaryOp::And => ExprKind::If(a, b, constant(0, span)),
        BinaryOp::Or => ExprKind::If(a, constant(1, span), b),
        BinaryOp::Equal => compare(Relation::Equal, a, b),
        BinaryOp::NotEqual => compare(Relation::NotEqual, a, b),
        BinaryOp::Less => compare(Relation::Less, a, b),
        BinaryOp::LessEqual => compare(Relation::LessEqual, a, b),
        BinaryOp::Greater => compare(Relation::Greater, a, b),
        BinaryOp::GreaterEqual => compare(Relation::GreaterEqual, a, b),
        BinaryOp::Add => ExprKind::Compute(Compute::Add, a, b),
        BinaryOp::Subtract => ExprKind::Compute(Compute::Subtract, a, b),
        BinaryOp::Multiply => ExprKind::Compute(Compute::Multiply, a, b),
        BinaryOp::Divide => ExprKind::Compute(Compute::Divide, a, b),
    }
}

fn fold(
    program: &Program,
    which: Fold,
    over: &program::Binder,
    of: Option<&program::Expr>,
) -> ExprKind {
    let of = of.map(|e| boxed(program, e));
    ExprKind::Fold(which, Box::new(binder(program, over)), of)
}

/// A zone.
pub fn zone(program: &Program, of: &program::ZoneRef) -> ZoneRef {
    ZoneRef {
        zone: of.zone,
        of: of.of.as_ref().map(|e| boxed(program, e)),
        span: of.span,
    }
}

/// A binder.
pub fn binder(program: &Program, of: &program::Binder) -> Binder {
    Binder {
        local: of.local,
        ty: of.ty,
        range: match &of.range {
            program::Range::Sort(sort) => Range::Sort(*sort),
            program::Range::Zone(inside) => Range::Zone(zone(program, inside)),
            program::Range::Enum(id) => {
                let count = program.enums[*id].values.len();
                Range::Enum(*id, u16::try_from(count).unwrap_or(u16::MAX))
            }
            program::Range::Bool => Range::Bool,
        },
        filter: of.filter.as_ref().map(|e| boxed(program, e)),
    }
}

/// A place.
pub fn place(program: &Program, of: &program::Place) -> Place {
    match &of.kind {
        PlaceKind::Var(var) => Place::Var(*var, of.span),
        PlaceKind::Field(e, field) => Place::Field(boxed(program, e), *field, of.span),
    }
}

pub(super) fn decider(program: &Program, by: &program::Decider) -> Decider {
    match by {
        program::Decider::Player(e) => Decider::Player(lower(program, e)),
        program::Decider::Everyone => Decider::Everyone,
        program::Decider::Chance => Decider::Chance,
        program::Decider::Nobody => Decider::Nobody,
    }
}

pub(super) fn order(program: &Program, of: &program::Order) -> Order {
    let from = |e: &Option<program::Expr>| e.as_ref().map(|e| lower(program, e));
    match of {
        program::Order::Any => Order::Any,
        program::Order::Chosen(by) => Order::Chosen(decider(program, by)),
        program::Order::Zone { reversed, from: e } => Order::Zone {
            reversed: *reversed,
            from: from(e),
        },
        program::Order::Players { reversed, from: e } => Order::Players {
            reversed: *reversed,
            from: from(e),
        },
        program::Order::Own => Order::Own,
        program::Order::Ranked(ranked) => Order::Ranked(Box::new(Ranked {
            element: ranked.element,
            key: lower(program, &ranked.key),
            by: match &ranked.by {
                program::Rank::Smallest => Rank::Smallest,
                program::Rank::Largest => Rank::Largest,
                program::Rank::Turn { reversed, from: e } => Rank::Turn {
                    reversed: *reversed,
                    from: from(e),
                },
            },
            then: order(program, &ranked.then),
        })),
        program::Order::Per(reading, all) => Order::Per(
            *reading,
            all.iter().map(|one| order(program, one)).collect(),
        ),
    }
}

/// A value as a number.
pub fn number(value: Value) -> i64 {
    match value {
        Value::None => NONE,
        Value::Bool(b) => i64::from(b),
        Value::Int(n) => n,
        Value::Enum(n) => i64::from(n),
        Value::Entity(id) => i64::from(id.0),
    }
}
