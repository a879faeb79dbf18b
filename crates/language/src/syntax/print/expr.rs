//! Writes expressions, with brackets where the grammar would group differently.
//!
//! Two things ask for brackets. An operator that binds looser than its place allows:
//! `(a or b) and c`. And a form that would take in what follows: the filter in
//! `count of c in hand(p) where c.ready` goes on as far as it can, so a sum with it on the left is
//! written `(count of c in hand(p) where c.ready) + 1`.

use super::Printer;
use crate::syntax::ast::{BinaryOp, Binder, Builtin, Expr, ExprKind, IsTest, OperatorClass, Side};

/// How tightly an expression binds, from the loosest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Unary,
    Postfix,
}

/// What comes after an expression that some form could take in; a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Follow(u8);

impl Follow {
    /// Nothing of the kind.
    pub(super) const NOTHING: Self = Self(0);
    /// An operator or `is`.
    const OPERATOR: Self = Self(1);
    /// `where`
    pub(super) const WHERE: Self = Self(2);
    /// `in`
    pub(super) const IN: Self = Self(4);
    /// `rounded`
    pub(super) const ROUNDED: Self = Self(8);

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Printer {
    /// A whole expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> &mut Self {
        self.expr_at(expr, Level::Or, Follow::NOTHING)
    }

    /// A sum.
    pub(super) fn sum(&mut self, expr: &Expr) -> &mut Self {
        self.expr_at(expr, Level::Sum, Follow::NOTHING)
    }

    /// A single operand.
    pub(super) fn operand(&mut self, expr: &Expr) -> &mut Self {
        self.expr_at(expr, Level::Unary, Follow::NOTHING)
    }

    /// A place.
    pub(super) fn place(&mut self, expr: &Expr) -> &mut Self {
        self.expr_at(expr, Level::Postfix, Follow::NOTHING)
    }

    /// An expression that has to bind at least as tightly as `level`, before `follow`.
    pub(super) fn expr_at(&mut self, expr: &Expr, level: Level, follow: Follow) -> &mut Self {
        if level_of(expr) < level || takes_in(expr).meets(follow) {
            return self.bracketed(expr);
        }
        match &expr.kind {
            ExprKind::Error => self.put("?"),
            ExprKind::Int(value) => self.number(*value),
            ExprKind::Bool(true) => self.put("true"),
            ExprKind::Bool(false) => self.put("false"),
            ExprKind::None => self.put("none"),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Field(of, field) => self
                .expr_at(of, Level::Postfix, Follow::NOTHING)
                .put(".")
                .name(field),
            ExprKind::Call(name, arguments) => self.name(name).put("(").exprs(arguments).put(")"),
            ExprKind::Builtin(builtin, arguments) => self
                .put(builtin_word(*builtin))
                .put("(")
                .exprs(arguments)
                .put(")"),
            ExprKind::Paren(inner) => self.bracketed(inner),
            ExprKind::Per(reading, alternatives) => {
                self.per_head(&reading.text);
                self.alternatives(alternatives, |printer, one| {
                    printer.expr(one);
                })
            }
            ExprKind::Not(negated) => self.put("not ").expr_at(negated, Level::Not, follow),
            ExprKind::Negate(negated) => {
                let signs = matches!(negated.kind, ExprKind::Negate(_)) || is_negative(negated);
                self.put(if signs { "- " } else { "-" });
                self.expr_at(negated, Level::Unary, follow)
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, follow),
            ExprKind::Is {
                subject,
                negated,
                test,
            } => {
                self.expr_at(subject, Level::Sum, Follow::OPERATOR);
                self.put(if *negated { " is not " } else { " is " });
                self.is_test(test, follow)
            }
            _ => self.form(expr, follow),
        }
    }

    /// An expression in brackets.
    fn bracketed(&mut self, expr: &Expr) -> &mut Self {
        self.put("(").expr(expr).put(")")
    }

    /// Expressions with commas between them.
    pub(super) fn exprs(&mut self, exprs: &[Expr]) -> &mut Self {
        self.list(exprs, |printer, expr| {
            printer.expr(expr);
        })
    }

    fn binary(
        &mut self,
        operator: BinaryOp,
        left: &Expr,
        right: &Expr,
        follow: Follow,
    ) -> &mut Self {
        let (word, level) = operator_word(operator);
        let (left_level, right_level) = match level {
            Level::Or => (Level::Or, Level::And),
            Level::And => (Level::And, Level::Not),
            Level::Sum => (Level::Sum, Level::Product),
            Level::Product => (Level::Product, Level::Unary),
            _ => (Level::Sum, Level::Sum),
        };
        self.expr_at(left, left_level, Follow::OPERATOR);
        if level <= Level::And {
            self.break_here();
        }
        self.put(" ").put(word).put(" ");
        self.expr_at(right, right_level, follow)
    }

    fn is_test(&mut self, test: &IsTest, follow: Follow) -> &mut Self {
        match test {
            IsTest::None => self.put("none"),
            IsTest::Empty => self.put("empty"),
            IsTest::Removed => self.put("removed"),
            IsTest::In(zone) => self.put("in ").expr_at(zone, Level::Unary, follow),
            IsTest::Beside(side, of) => {
                self.put(match side {
                    Side::Before => "before ",
                    Side::After => "after ",
                });
                self.expr_at(of, Level::Unary, follow)
            }
            IsTest::Equal(other) if starts_as_test(other) => self.bracketed(other),
            IsTest::Equal(other) => self.expr_at(other, Level::Sum, follow),
        }
    }
}

fn is_negative(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Int(value) if value < 0)
}

/// How an operator is written and how tightly it binds.
fn operator_word(operator: BinaryOp) -> (&'static str, Level) {
    let level = match operator.class() {
        OperatorClass::Or => Level::Or,
        OperatorClass::And => Level::And,
        OperatorClass::Comparison => Level::Comparison,
        OperatorClass::Sum => Level::Sum,
        OperatorClass::Product => Level::Product,
    };
    (operator.word(), level)
}

fn builtin_word(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Min => "min",
        Builtin::Max => "max",
        Builtin::Clamp => "clamp",
    }
}

/// How tightly an expression binds.
fn level_of(expr: &Expr) -> Level {
    match &expr.kind {
        ExprKind::Binary(operator, ..) => operator_word(*operator).1,
        ExprKind::Not(_) => Level::Not,
        ExprKind::Is { .. } => Level::Comparison,
        ExprKind::Negate(_)
        | ExprKind::Cond(..)
        | ExprKind::Half(..)
        | ExprKind::Count(_)
        | ExprKind::Sum(..)
        | ExprKind::Extreme(..)
        | ExprKind::Quantified(..)
        | ExprKind::EndOf(..)
        | ExprKind::Endmost(..)
        | ExprKind::Size(_)
        | ExprKind::Turn { .. }
        | ExprKind::Neighbour(..)
        | ExprKind::Holder(_)
        | ExprKind::Old(_) => Level::Unary,
        _ if is_negative(expr) => Level::Unary,
        _ => Level::Postfix,
    }
}

/// What an expression would take in if it came next.
fn takes_in(expr: &Expr) -> Follow {
    match &expr.kind {
        ExprKind::Binary(_, _, last) | ExprKind::Not(last) | ExprKind::Negate(last) => {
            takes_in(last)
        }
        ExprKind::Is { test, .. } => match test {
            IsTest::In(last) | IsTest::Beside(_, last) | IsTest::Equal(last) => takes_in(last),
            IsTest::None | IsTest::Empty | IsTest::Removed => Follow::NOTHING,
        },
        ExprKind::EndOf(_, last)
        | ExprKind::Size(last)
        | ExprKind::Neighbour(_, last)
        | ExprKind::Holder(last)
        | ExprKind::Old(last) => takes_in(last),
        ExprKind::Half(last, None) => takes_in(last).and(Follow::ROUNDED),
        ExprKind::Cond(_, _, last) | ExprKind::Quantified(_, _, last) => {
            takes_in(last).and(Follow::OPERATOR)
        }
        ExprKind::Count(binder)
        | ExprKind::Sum(_, binder)
        | ExprKind::Extreme(_, _, binder)
        | ExprKind::Endmost(_, binder) => binder_takes_in(binder),
        ExprKind::Turn {
            such_that: Some((_, last)),
            ..
        } => takes_in(last).and(Follow::OPERATOR),
        ExprKind::Turn { from, .. } => takes_in(from),
        _ => Follow::NOTHING,
    }
}

fn binder_takes_in(binder: &Binder) -> Follow {
    match (&binder.filter, &binder.zone) {
        (Some(filter), _) => takes_in(filter).and(Follow::OPERATOR),
        (None, Some(zone)) => takes_in(zone).and(Follow::WHERE),
        (None, None) => Follow::WHERE.and(Follow::IN),
    }
}

/// Whether an expression after `is` would be read as one of the tests `is none`, `is empty` and
/// `is removed`.
fn starts_as_test(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::None => true,
        ExprKind::Name(name) | ExprKind::Call(name, _) => {
            matches!(name.text.as_str(), "empty" | "removed")
        }
        ExprKind::Field(first, _) | ExprKind::Binary(_, first, _) => starts_as_test(first),
        _ => false,
    }
}
