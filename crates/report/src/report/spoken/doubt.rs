//! What could be taken in two ways if it were said.

use endstep_language::syntax::ast::OperatorClass;
use endstep_language::typing::program::{Expr, ExprKind, Type};

/// Whether words that follow could belong to a condition inside: "the number of Cards that have health of more
/// than 2 plus 1".
pub(super) fn is_open(expr: &Expr) -> bool {
    expr.any(&|e| match &e.kind {
        ExprKind::Count(binder)
        | ExprKind::Sum(_, binder)
        | ExprKind::Endmost(_, binder)
        | ExprKind::Extreme(_, _, binder)
        | ExprKind::Quantified(_, binder, _) => binder.filter.is_some(),
        _ => false,
    })
}

/// Whether a filter says what could be done with the number of what it lets through: "the number of Cards that have
/// health 1 plus n".
pub(super) fn goes_on(filter: &Expr) -> bool {
    filter.any(&|e| matches!(&e.kind, ExprKind::Binary(op, ..) if matches!(op.class(), OperatorClass::Sum | OperatorClass::Product)))
}

/// Whether an expression stands for one thing in one state and for another in the next.
pub(super) fn can_be_another(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Var(_)
            | ExprKind::EndOf(..)
            | ExprKind::Endmost(..)
            | ExprKind::Turn { .. }
            | ExprKind::Neighbour(..)
    )
}

/// Whether what is said is said of something that stands for one thing in one state and for another in the next.
pub(super) fn is_of_another(expr: &Expr) -> bool {
    let is_entity = |e: &Expr| matches!(e.ty, Type::Entity(_) | Type::Optional(_));
    let test = |e: &Expr| is_entity(e) && can_be_another(e);
    expr.children().into_iter().any(|of| of.any(&test))
}

/// An entity without the words that it is there.
pub(super) fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Unwrap(inner) => inner,
        _ => expr,
    }
}
