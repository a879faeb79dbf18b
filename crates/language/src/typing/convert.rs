//! Fits an expression to the type its place wants: optionals are followed, anything else is
//! refused.

use super::checker::{Checker, Global};
use super::program::{Expr, ExprKind, SortId, Type, Value};
use super::want::{Want, typed};
use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{self, ExprKind as E, Loc};

impl Checker<'_> {
    /// The expression as one of this type.
    pub(super) fn convert(&mut self, found: Expr, ty: Type) -> Option<Expr> {
        match (found.ty, ty) {
            (have, want) if have == want => Some(found),
            (Type::Entity(have), Type::Optional(want)) if have == want => Some(found),
            (Type::Optional(have), Type::Entity(want)) if have == want => {
                if found.kind == ExprKind::Const(Value::None) {
                    return self.never_none(found.span.into(), ty);
                }
                let span = found.span;
                typed(ExprKind::Unwrap(Box::new(found)), ty, span)
            }
            _ => {
                let (have, want) = (self.describe(found.ty), self.describe(ty));
                self.mismatch(found.span.into(), &have, &want)
            }
        }
    }

    /// Reports one type where another is wanted.
    pub(super) fn mismatch<T>(&mut self, loc: Loc, found: &str, expected: &str) -> Option<T> {
        let message = format!("found {found}, expected {expected}");
        self.error(
            codes::types::MISMATCH,
            message,
            loc,
            &format!("this is {found}"),
        );
        None
    }

    /// Reports `none` where a value is always there.
    pub(super) fn never_none(&mut self, loc: Loc, ty: Type) -> Option<Expr> {
        let message = format!("found `none`, expected {}", self.describe(ty));
        let error = Diagnostic::error(codes::types::NEVER_NONE, message)
            .at(loc, "this is never none")
            .help(match ty {
                Type::Entity(_) => {
                    "only roles can be, and fields, variables and parameters that are `optional`"
                }
                _ => {
                    "only what is of a sort can be `optional`; choose a value that stands for none"
                }
            });
        self.report(error);
        None
    }

    /// An entity of whatever sort, followed if it is optional.
    pub(super) fn entity(&mut self, expr: &ast::Expr) -> Option<(Expr, SortId)> {
        let found = self.expr(expr, Want::Any)?;
        self.followed(found)
    }

    /// What was found, as an entity.
    pub(super) fn followed(&mut self, found: Expr) -> Option<(Expr, SortId)> {
        match found.ty {
            Type::Entity(sort) | Type::Optional(sort) => {
                let entity = self.convert(found, Type::Entity(sort))?;
                Some((entity, sort))
            }
            other => {
                let found_type = self.describe(other);
                self.mismatch(found.span.into(), &found_type, "an entity")
            }
        }
    }

    /// `none`
    pub(super) fn none(&mut self, loc: Loc, want: Want) -> Option<Expr> {
        match want {
            Want::Of(Type::Optional(sort)) => {
                typed(ExprKind::Const(Value::None), Type::Optional(sort), loc)
            }
            Want::Of(other) => self.never_none(loc, other),
            Want::Unknown => None,
            Want::Any => {
                let message =
                    "found `none`, expected something that tells of which sort".to_owned();
                self.error(codes::types::UNTYPED_NONE, message, loc, "of which sort?");
                None
            }
        }
    }

    /// Whether only the surroundings can tell the type of an expression.
    pub(super) fn needs_hint(&self, expr: &ast::Expr, depth: u32) -> bool {
        if depth > crate::resolve::MAX_DEPTH {
            return false;
        }
        match &expr.kind {
            E::None => true,
            E::Name(name) => {
                let known = self.frame.local(&name.text).is_some()
                    || self.names.globals.get(&name.text).is_some()
                    || self.frame.entities.contains_key(&name.text);
                !known || self.names.values.contains_key(&name.text) && self.only_value(&name.text)
            }
            E::Paren(inner) | E::Old(inner) => self.needs_hint(inner, depth + 1),
            E::Cond(_, yes, no) => {
                self.needs_hint(yes, depth + 1) && self.needs_hint(no, depth + 1)
            }
            E::Per(_, all) => all.iter().all(|(_, one)| self.needs_hint(one, depth + 1)),
            _ => false,
        }
    }

    /// Whether a name that is declared in some way is still read as a value of an enumeration.
    fn only_value(&self, name: &str) -> bool {
        let global = self.names.globals.get(name);
        self.frame.local(name).is_none()
            && !matches!(global, Some(Global::Var(_) | Global::Define(_)))
    }

    /// Two expressions of which each may tell the type of the other.
    pub(super) fn pair(&mut self, left: &ast::Expr, right: &ast::Expr) -> Option<(Expr, Expr)> {
        let (left, right) = if self.needs_hint(left, 0) && !self.needs_hint(right, 0) {
            let right = self.expr(right, Want::Any);
            let left = self.expr(left, Want::like(right.as_ref()));
            (left, right)
        } else {
            let left = self.expr(left, Want::Any);
            let right = self.expr(right, Want::like(left.as_ref()));
            (left, right)
        };
        left.zip(right)
    }

    /// Alternatives of one value, and their common type.
    pub(super) fn branches(
        &mut self,
        branches: &[&ast::Expr],
        want: Want,
    ) -> Option<(Vec<Expr>, Type)> {
        let clear = branches
            .iter()
            .position(|branch| !self.needs_hint(branch, 0));
        let first = clear.unwrap_or(0);
        let told = branches
            .get(first)
            .and_then(|branch| self.expr(branch, want));
        let hint = match (want, told.as_ref().map(|told| told.ty)) {
            (_, None) => Want::Unknown,
            (_, Some(Type::Entity(sort))) => Want::Of(Type::Optional(sort)),
            (_, Some(ty)) => Want::Of(ty),
        };
        let mut told = Some(told);
        let checked: Vec<Option<Expr>> = branches
            .iter()
            .enumerate()
            .map(|(number, branch)| match told.take_if(|_| number == first) {
                Some(told) => told,
                None => self.expr(branch, hint),
            })
            .collect();
        let checked: Option<Vec<Expr>> = checked.into_iter().collect();
        let checked = checked?;
        let mut types = checked.iter().map(|one| (one.ty, one.span));
        let (mut ty, _) = types.next()?;
        let types: Vec<_> = types.collect();
        for (other, span) in types {
            match join(ty, other) {
                Some(joined) => ty = joined,
                None => {
                    let (found, expected) = (self.describe(other), self.describe(ty));
                    return self.mismatch(span.into(), &found, &expected);
                }
            }
        }
        Some((checked, ty))
    }
}

/// The type that has the values of both.
pub(super) fn join(a: Type, b: Type) -> Option<Type> {
    match (a, b) {
        (a, b) if a == b => Some(a),
        (Type::Entity(a) | Type::Optional(a), Type::Entity(b) | Type::Optional(b)) if a == b => {
            Some(Type::Optional(a))
        }
        _ => None,
    }
}
