//! Expressions that are made rather than read. The local 0 is the entity that is spoken of.

use endstep_kernel::ir::{Binder, Expr, ExprKind, Fold, Function, Range, Relation, ZoneRef};
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{LocalId, SortId, Type, ZoneId};

pub(super) fn expr(kind: ExprKind) -> Expr {
    Expr {
        kind,
        span: Span::default(),
    }
}

pub(super) fn own() -> Expr {
    expr(ExprKind::Local(LocalId::from_index(0)))
}

pub(super) fn is(value: Expr, number: i64) -> Expr {
    let number = Box::new(expr(ExprKind::Const(number)));
    expr(ExprKind::Compare(Relation::Equal, Box::new(value), number))
}

pub(super) fn not(e: Expr) -> Expr {
    expr(ExprKind::Not(Box::new(e)))
}

pub(super) fn both(one: Expr, other: Expr) -> Expr {
    let no = Box::new(expr(ExprKind::Const(0)));
    expr(ExprKind::If(Box::new(one), Box::new(other), no))
}

pub(super) fn either(one: Expr, other: Expr) -> Expr {
    let yes = Box::new(expr(ExprKind::Const(1)));
    expr(ExprKind::If(Box::new(one), yes, Box::new(other)))
}

/// What an expression about the entity that is spoken of, or about none, is evaluated as.
pub(super) fn about_one(name: &str, ty: Type, body: Expr) -> Function {
    let mut of = Function::condition(name, ty, body);
    of.locals = of.locals.max(1);
    of
}

/// Whether the entity lies in a zone, or in one of a family.
pub(super) fn is_in(zone: ZoneId) -> Expr {
    let zone = ZoneRef {
        zone,
        of: None,
        span: Span::default(),
    };
    expr(ExprKind::IsIn(Box::new(own()), zone))
}

/// Whether something is true of every entity of a sort.
pub(super) fn every(sort: SortId, body: Expr) -> Expr {
    fold(Fold::Every, sort, (None, Some(body)))
}

pub(super) fn fold(
    fold: Fold,
    sort: SortId,
    (filter, value): (Option<Expr>, Option<Expr>),
) -> Expr {
    let binder = Binder {
        local: LocalId::from_index(0),
        ty: Type::Entity(sort),
        range: Range::Sort(sort),
        filter: filter.map(Box::new),
    };
    expr(ExprKind::Fold(fold, Box::new(binder), value.map(Box::new)))
}
