//! Constants: ends of ranges, defaults, starts, and what boards say.
//!
//! `2 * 3 - 1` is 5, `red` the value of the type that is wanted, `none` an absent optional, and on
//! a board `ann` the player of that name.

use super::checker::Checker;
use super::program::{SortId, Type, Value};
use crate::diag::{Diagnostic, codes};
use crate::resolve::{NameKind, nearest, unknown};
use crate::syntax::ast::{BinaryOp, Builtin, Expr, ExprKind, Name};

/// The quotient, rounded towards minus infinity; `None`: it leaves 64 bits, or the divisor is 0.
pub fn quotient(left: i64, divisor: i64) -> Option<i64> {
    let rest = left.checked_rem(divisor)?;
    let is_below = rest != 0 && (rest < 0) != (divisor < 0);
    Some(left.checked_div(divisor)? - i64::from(is_below))
}

impl Checker<'_> {
    /// The value of an integer constant.
    pub(super) fn integer(&mut self, expr: &Expr) -> Option<i64> {
        if !self.enter(expr.loc) {
            return None;
        }
        let value = match &expr.kind {
            ExprKind::Error => self.needed(None),
            ExprKind::Int(value) => Some(*value),
            ExprKind::Paren(inner) => self.integer(inner),
            ExprKind::Negate(inner) => {
                let inner = self.integer(inner);
                self.folded(expr, inner.map(i64::checked_neg))
            }
            ExprKind::Binary(op, left, right) => self.fold(expr, *op, left, right),
            ExprKind::Builtin(builtin, arguments) => self.fold_builtin(expr, *builtin, arguments),
            _ => self.not_constant(expr, "an integer"),
        };
        self.exit();
        value
    }

    fn fold(&mut self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr) -> Option<i64> {
        let operation = match op {
            BinaryOp::Add => i64::checked_add,
            BinaryOp::Subtract => i64::checked_sub,
            BinaryOp::Multiply => i64::checked_mul,
            BinaryOp::Divide => return self.fold_quotient(expr, left, right),
            _ => return self.not_constant(expr, "an integer"),
        };
        let (left, right) = (self.integer(left), self.integer(right));
        let both = left.zip(right);
        self.folded(expr, both.map(|(left, right)| operation(left, right)))
    }

    /// `a divided by b`, as `docs/semantics.md` §2 defines it; zero divides nothing.
    fn fold_quotient(&mut self, expr: &Expr, left: &Expr, right: &Expr) -> Option<i64> {
        let (left, divisor) = (self.integer(left), self.integer(right)?);
        if divisor == 0 {
            let message = "found a division by zero, expected another number".to_owned();
            self.error(codes::types::NOT_CONSTANT, message, right.loc, "this is 0");
            return None;
        }
        self.folded(expr, left.map(|left| quotient(left, divisor)))
    }

    fn fold_builtin(&mut self, expr: &Expr, builtin: Builtin, arguments: &[Expr]) -> Option<i64> {
        let values: Vec<Option<i64>> = arguments.iter().map(|one| self.integer(one)).collect();
        let values: Option<Vec<i64>> = values.into_iter().collect();
        match (builtin, values?.as_slice()) {
            (Builtin::Min, values) if !values.is_empty() => values.iter().copied().min(),
            (Builtin::Max, values) if !values.is_empty() => values.iter().copied().max(),
            (Builtin::Clamp, &[value, low, high]) => Some(value.min(high).max(low)),
            _ => self.not_constant(expr, "an integer"),
        }
    }

    /// The folded value; outer none: an operand is in error, inner none: too large.
    fn folded(&mut self, expr: &Expr, value: Option<Option<i64>>) -> Option<i64> {
        if value?.is_none() {
            let message = "found a number beyond 64 bits, expected a smaller one".to_owned();
            self.error(codes::types::NOT_CONSTANT, message, expr.loc, "too large");
        }
        value.flatten()
    }

    /// The value of a constant of a type.
    pub(super) fn literal(&mut self, expr: &Expr, ty: Type) -> Option<Value> {
        let mut expr = expr;
        while let ExprKind::Paren(inner) = &expr.kind {
            expr = inner;
        }
        let wanted = self.describe(ty);
        match (&expr.kind, ty) {
            (ExprKind::Error, _) => self.needed(None),
            (_, Type::Int) => self.integer(expr).map(Value::Int),
            (ExprKind::Bool(value), Type::Bool) => Some(Value::Bool(*value)),
            (ExprKind::None, Type::Optional(_)) => Some(Value::None),
            (ExprKind::Name(name), Type::Enum(id)) => {
                let value = self.value_of(name, id)?;
                Some(Value::Enum(value))
            }
            (ExprKind::Name(name), Type::Entity(sort) | Type::Optional(sort)) => {
                self.named_entity(expr, name, sort)
            }
            _ => self.not_constant(expr, &wanted),
        }
    }

    fn named_entity(&mut self, expr: &Expr, name: &Name, sort: SortId) -> Option<Value> {
        let wanted = self.describe(Type::Entity(sort));
        match self.frame.entities.get(&name.text) {
            Some(&(entity, found, _)) if found == sort => {
                self.means_bound(name);
                Some(Value::Entity(entity))
            }
            Some((_, found, _)) => {
                let found = self.describe(Type::Entity(*found));
                let message = format!("found `{}`, {found}, expected {wanted}", name.text);
                self.error(codes::types::MISMATCH, message, name.loc, "of another sort");
                None
            }
            None if self.uses.is_probe(&name.text) => {
                let names = self.frame.entities.keys().map(String::as_str);
                self.uses.offer(Some(NameKind::Entity), names);
                None
            }
            None if self.frame.any_entity => self.needed(None),
            None if self.frame.entities.is_empty() => self.not_constant(expr, &wanted),
            None => {
                let near = nearest(&name.text, self.frame.entities.keys().map(String::as_str));
                let near = near.map(str::to_owned);
                let span = name.loc.span();
                self.report(unknown(
                    "entity of the board",
                    &name.text,
                    span,
                    near.as_deref(),
                ));
                None
            }
        }
    }

    fn not_constant<T>(&mut self, expr: &Expr, wanted: &str) -> Option<T> {
        let (found, label) = match expr.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::None => {
                ("another constant", "of another type")
            }
            _ => ("an expression", "not a constant"),
        };
        let message = format!("found {found}, expected a constant: {wanted}");
        let error = Diagnostic::error(codes::types::NOT_CONSTANT, message).at(expr.loc, label);
        self.report(error);
        None
    }
}
