//! Operators with two operands.

use super::checker::Checker;
use super::convert::join;
use super::program::{Expr, ExprKind, Type};
use super::want::typed;
use crate::syntax::ast::{self, BinaryOp, Loc, OperatorClass};

impl Checker<'_> {
    /// `a + b`, `a = b`, `a and b`
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        loc: Loc,
    ) -> Option<Expr> {
        if let BinaryOp::Equal | BinaryOp::NotEqual = op {
            return self.equal(op, left, right, loc);
        }
        let (operands, ty) = match op.class() {
            OperatorClass::Or | OperatorClass::And => (Type::Bool, Type::Bool),
            OperatorClass::Comparison => (Type::Int, Type::Bool),
            OperatorClass::Sum | OperatorClass::Product => (Type::Int, Type::Int),
        };
        let (left, right) = (self.expect(left, operands), self.expect(right, operands));
        typed(
            ExprKind::Binary(op, Box::new(left?), Box::new(right?)),
            ty,
            loc,
        )
    }

    /// Two values of one type; an optional may be compared with an entity of its sort.
    pub(super) fn equal(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        loc: Loc,
    ) -> Option<Expr> {
        let (left, right) = self.pair(left, right)?;
        if join(left.ty, right.ty).is_none() {
            let (expected, found) = (self.describe(left.ty), self.describe(right.ty));
            return self.mismatch(right.span.into(), &found, &expected);
        }
        typed(
            ExprKind::Binary(op, Box::new(left), Box::new(right)),
            Type::Bool,
            loc,
        )
    }
}
