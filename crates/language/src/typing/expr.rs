//! Expressions: what each form wants of its parts, and the type it has.
//!
//! `count of c: Card in hand(p) where c.ready` wants a binder and a truth value, and is an integer.

use super::checker::Checker;
use super::compare::in_places;
use super::program::{Binder, Expr, ExprKind, Type, Value};
use super::want::{Want, typed};
use super::words::count;
use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{self, Builtin, End, Loc, Name};
use crate::syntax::print_expr;

impl Checker<'_> {
    /// An expression of whatever type it has. None: it has an error, which was reported.
    pub(super) fn expr(&mut self, expr: &ast::Expr, want: Want) -> Option<Expr> {
        if !self.enter(expr.loc) {
            return None;
        }
        self.wordbook.expr(expr);
        let checked = self.form(expr, want);
        self.exit();
        checked
    }

    /// An expression of this type.
    pub(super) fn expect(&mut self, expr: &ast::Expr, ty: Type) -> Option<Expr> {
        let found = self.expr(expr, Want::Of(ty))?;
        self.convert(found, ty)
    }

    /// An integer.
    pub(super) fn int(&mut self, expr: &ast::Expr) -> Option<Box<Expr>> {
        self.expect(expr, Type::Int).map(Box::new)
    }

    /// A truth value.
    pub(super) fn truth(&mut self, expr: &ast::Expr) -> Option<Box<Expr>> {
        self.expect(expr, Type::Bool).map(Box::new)
    }

    fn form(&mut self, expr: &ast::Expr, want: Want) -> Option<Expr> {
        use ast::ExprKind as E;
        let loc = expr.loc;
        match &expr.kind {
            E::Error => self.needed(None),
            E::Int(value) => typed(ExprKind::Const(Value::Int(*value)), Type::Int, loc),
            E::Bool(value) => typed(ExprKind::Const(Value::Bool(*value)), Type::Bool, loc),
            E::None => self.none(loc, want),
            E::Name(name) => self.name(name, want),
            E::Field(owner, field) => self.field(owner, field, loc),
            E::Call(name, arguments) => self.call(name, arguments, loc),
            E::Paren(inner) => self.expr(inner, want),
            E::Not(inner) => {
                let inner = self.truth(inner)?;
                typed(ExprKind::Not(inner), Type::Bool, loc)
            }
            E::Negate(inner) => {
                let inner = self.int(inner)?;
                typed(ExprKind::Negate(inner), Type::Int, loc)
            }
            E::Binary(op, left, right) => self.binary(*op, left, right, loc),
            E::Is {
                subject,
                negated,
                test,
            } => {
                self.frame.asked_of_old = old_test(expr, subject);
                let test = self.is(subject, *negated, test, loc);
                self.frame.asked_of_old = None;
                test
            }
            E::Cond(condition, yes, no) => self.cond(condition, [&**yes, &**no], want, loc),
            E::Half(inner, rounding) => {
                let inner = self.int(inner)?;
                typed(ExprKind::Half(inner, *rounding), Type::Int, loc)
            }
            E::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, loc),
            E::Count(binder) => self.count_of(binder, loc),
            E::Sum(inner, binder) => self.over(inner, binder, loc, ExprKind::Sum),
            E::Extreme(extreme, inner, binder) => {
                let kind = |inner, binder| ExprKind::Extreme(*extreme, inner, binder);
                self.over(inner, binder, loc, kind)
            }
            E::Quantified(quantifier, binder, body) => {
                self.quantified(*quantifier, binder, body, loc)
            }
            E::EndOf(end, zone) => self.end_of(*end, zone, loc),
            E::Endmost(end, binder) => self.endmost(is_first(*end), binder, loc),
            E::Size(zone) => self.size_of(zone, loc),
            E::Turn {
                forward,
                from,
                such_that,
            } => self.turn(*forward, from, such_that, loc),
            E::Neighbour(side, inner) => self.neighbour(*side, inner, loc),
            E::Holder(inner) => self.holder(inner, loc),
            E::Old(inner) => self.old(inner, want, loc),
            E::Per(reading, alternatives) => self.per(reading, alternatives, want, loc),
        }
    }

    fn count_of(&mut self, binder: &ast::Binder, loc: Loc) -> Option<Expr> {
        let bound = self.frame.bound();
        let said = self.diagnostics.len();
        let is_compared = binder.filter.as_ref().is_some_and(|filter| {
            matches!(
                &filter.kind,
                ast::ExprKind::Binary(ast::BinaryOp::Equal | ast::BinaryOp::NotEqual, ..)
            )
        });
        let binder = self.binder(binder);
        // Perhaps the count itself was to be compared.
        let mut wrong = self.diagnostics.iter_mut().skip(said);
        if let Some(wrong) = wrong.find(|one| is_compared && one.code == codes::types::MISMATCH) {
            let help = "a `where` goes on as far as it can; to compare the count, put brackets around it: \
                        `(count of c: Card where …) = 1`";
            wrong.help.push(help.to_owned());
        }
        self.frame.unbind(bound);
        typed(ExprKind::Count(Box::new(binder?)), Type::Int, loc)
    }

    /// A sum or extreme: the value is an integer in terms of the bound name.
    fn over(
        &mut self,
        inner: &ast::Expr,
        binder: &ast::Binder,
        loc: Loc,
        kind: impl FnOnce(Box<Expr>, Box<Binder>) -> ExprKind,
    ) -> Option<Expr> {
        let bound = self.frame.bound();
        let binder = self.binder(binder);
        let inner = self.int(inner);
        self.frame.unbind(bound);
        typed(kind(inner?, Box::new(binder?)), Type::Int, loc)
    }

    fn quantified(
        &mut self,
        quantifier: ast::Quantifier,
        binder: &ast::Binder,
        body: &ast::Expr,
        loc: Loc,
    ) -> Option<Expr> {
        let bound = self.frame.bound();
        let binder = self.binder(binder);
        let body = self.truth(body);
        self.frame.unbind(bound);
        typed(
            ExprKind::Quantified(quantifier, Box::new(binder?), body?),
            Type::Bool,
            loc,
        )
    }

    fn end_of(&mut self, end: End, zone: &ast::Expr, loc: Loc) -> Option<Expr> {
        let zone = self.zone(zone, false)?;
        self.has_ends(&zone)?;
        let sort = self.program.zones.get(zone.zone)?.sort;
        typed(
            ExprKind::EndOf(is_first(end), zone),
            Type::Entity(sort),
            loc,
        )
    }

    fn builtin(&mut self, builtin: Builtin, arguments: &[ast::Expr], loc: Loc) -> Option<Expr> {
        let (is_right, expected) = match builtin {
            Builtin::Min | Builtin::Max => (arguments.len() >= 2, "2 or more"),
            Builtin::Clamp => (arguments.len() == 3, "3"),
        };
        let checked: Vec<Option<Box<Expr>>> = arguments.iter().map(|one| self.int(one)).collect();
        if !is_right {
            let found = count(arguments.len(), "argument");
            let message = format!("found {found}, expected {expected}");
            self.error(codes::types::ARGUMENTS, message, loc, "");
            return None;
        }
        let checked: Option<Vec<Box<Expr>>> = checked.into_iter().collect();
        let mut checked = checked?.into_iter();
        let mut value = checked.next()?;
        match builtin {
            Builtin::Clamp => {
                let kind = ExprKind::Clamp(value, checked.next()?, checked.next()?);
                typed(kind, Type::Int, loc)
            }
            Builtin::Min | Builtin::Max => {
                let kind = match builtin {
                    Builtin::Min => ExprKind::Min,
                    _ => ExprKind::Max,
                };
                for next in checked {
                    value = Box::new(typed(kind(value, next), Type::Int, loc)?);
                }
                Some(*value)
            }
        }
    }

    fn per(
        &mut self,
        name: &Name,
        alternatives: &[(Name, ast::Expr)],
        want: Want,
        loc: Loc,
    ) -> Option<Expr> {
        let reading = self.reading(name);
        let places = reading.and_then(|reading| self.alternatives(name, reading, alternatives));
        let branches: Vec<_> = alternatives.iter().map(|(_, one)| one).collect();
        let (checked, ty) = self.branches(&branches, want)?;
        let checked = in_places(checked, &places?);
        typed(ExprKind::Per(reading?, checked), ty, loc)
    }

    fn cond(
        &mut self,
        condition: &ast::Expr,
        branches: [&ast::Expr; 2],
        want: Want,
        loc: Loc,
    ) -> Option<Expr> {
        let condition = self.truth(condition);
        let (branches, ty) = self.branches(&branches, want)?;
        let mut branches = branches.into_iter().map(Box::new);
        let (yes, no) = (branches.next()?, branches.next()?);
        typed(ExprKind::Cond(condition?, yes, no), ty, loc)
    }

    fn old(&mut self, inner: &ast::Expr, want: Want, loc: Loc) -> Option<Expr> {
        if !self.frame.old {
            let message = "found `old`, expected an expression of the present".to_owned();
            let label = "nothing began here";
            self.error(codes::forms::OLD_OUTSIDE, message, loc, label);
        }
        let asked = self.frame.asked_of_old.take();
        let written = inner;
        let inner = self.expr(inner, want)?;
        if let (ExprKind::Local(_), Some(name)) = (&inner.kind, name_in(written)) {
            self.same_as_now(&name.text, asked, loc);
        }
        let ty = inner.ty;
        typed(ExprKind::Old(Box::new(inner)), ty, loc)
    }

    /// Warns of `old c`: a bound name stands for the same thing throughout.
    fn same_as_now(&mut self, name: &str, asked: Option<String>, loc: Loc) {
        if !self.frame.old {
            return;
        }
        let message = format!("`old {name}` is the same as `{name}`");
        let help = match asked {
            Some(asked) => format!("`{asked}` asks for the past"),
            None => "leave out `old`, or put what is asked of the past after it".to_owned(),
        };
        let warning = Diagnostic::warning(codes::warnings::SAME_AS_NOW, message)
            .at(loc, "a bound name stands for one thing, then and now")
            .help(help);
        self.report(warning);
    }
}

/// The name that an expression is, if it is no more.
fn name_in(expr: &ast::Expr) -> Option<&Name> {
    match &expr.kind {
        ast::ExprKind::Name(name) => Some(name),
        ast::ExprKind::Paren(inner) => name_in(inner),
        _ => None,
    }
}

/// `old (c is in hand)` for the test `old c is in hand`.
fn old_test(test: &ast::Expr, subject: &ast::Expr) -> Option<String> {
    use ast::ExprKind as E;
    let (
        E::Old(of),
        E::Is {
            negated, test: is, ..
        },
    ) = (&subject.kind, &test.kind)
    else {
        return None;
    };
    let put = |kind| ast::Expr {
        kind,
        loc: test.loc,
    };
    let now = E::Is {
        subject: of.clone(),
        negated: *negated,
        test: is.clone(),
    };
    let now = E::Paren(Box::new(put(now)));
    Some(print_expr(&put(E::Old(Box::new(put(now))))))
}

/// Whether an end of a zone is the first place.
pub(super) fn is_first(end: End) -> bool {
    matches!(end, End::Top | End::First)
}
