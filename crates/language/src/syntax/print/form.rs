//! Writes the forms of expressions that begin with words, and binders.

use super::Printer;
use super::expr::{Follow, Level};
use crate::syntax::ast::{Binder, End, Expr, ExprKind, Name, Quantifier, Range, Rounding, Side};

impl Printer {
    /// A form that begins with a word, before `follow`.
    pub(super) fn form(&mut self, expr: &Expr, follow: Follow) -> &mut Self {
        match &expr.kind {
            ExprKind::Cond(condition, yes, no) => {
                self.put("if ").expr(condition);
                self.put(" then ").expr(yes);
                self.put(" else ").expr_at(no, Level::Or, follow)
            }
            ExprKind::Half(whole, None) => {
                self.put("half of ").expr_at(whole, Level::Unary, follow)
            }
            ExprKind::Half(whole, Some(rounding)) => {
                self.put("half of ")
                    .expr_at(whole, Level::Unary, Follow::ROUNDED);
                self.put(match rounding {
                    Rounding::Up => " rounded up",
                    Rounding::Down => " rounded down",
                })
            }
            ExprKind::Count(binder) => self.put("count of ").binder(binder, follow),
            ExprKind::Sum(value, binder) => self
                .put("sum of ")
                .expr(value)
                .put(" over ")
                .binder(binder, follow),
            ExprKind::Extreme(extreme, value, binder) => {
                self.put(extreme.word()).put(" ");
                self.expr(value).put(" over ").binder(binder, follow)
            }
            ExprKind::Quantified(quantifier, binder, body) => {
                self.put(match quantifier {
                    Quantifier::Every => "every ",
                    Quantifier::Some => "some ",
                });
                self.binder(binder, Follow::NOTHING).put(" has ");
                self.expr_at(body, Level::Or, follow)
            }
            ExprKind::EndOf(end, zone) => {
                self.put(end_word(*end)).put(" of ");
                self.expr_at(zone, Level::Unary, follow)
            }
            ExprKind::Endmost(end, binder) => {
                self.put(end_word(*end)).put(" ").binder(binder, follow)
            }
            ExprKind::Size(zone) => self.put("size of ").expr_at(zone, Level::Unary, follow),
            ExprKind::Holder(of) => self.put("holder of ").expr_at(of, Level::Unary, follow),
            ExprKind::Old(of) => self.put("old ").expr_at(of, Level::Unary, follow),
            ExprKind::Neighbour(side, of) => {
                self.put(match side {
                    Side::Before => "neighbour before ",
                    Side::After => "neighbour after ",
                });
                self.expr_at(of, Level::Unary, follow)
            }
            ExprKind::Turn {
                forward,
                from,
                such_that,
            } => self.turn(*forward, from, such_that.as_ref(), follow),
            _ => self.expr_at(expr, Level::Or, follow),
        }
    }

    fn turn(
        &mut self,
        forward: bool,
        from: &Expr,
        such_that: Option<&(Name, Box<Expr>)>,
        follow: Follow,
    ) -> &mut Self {
        self.put(if forward { "next " } else { "previous " });
        if let Some((name, _)) = such_that {
            self.name(name).put(" ");
        }
        self.put(if forward { "after " } else { "before " });
        match such_that {
            None => self.expr_at(from, Level::Unary, follow),
            Some((_, condition)) => {
                self.expr_at(from, Level::Unary, Follow::WHERE)
                    .put(" where ");
                self.expr_at(condition, Level::Or, follow)
            }
        }
    }

    /// A binder, before `follow`.
    pub(super) fn binder(&mut self, binder: &Binder, follow: Follow) -> &mut Self {
        self.name(&binder.name);
        if let Some(sort) = &binder.sort {
            self.put(": ").name(sort);
        }
        if let Some(zone) = &binder.zone {
            let before = if binder.filter.is_some() {
                Follow::WHERE
            } else {
                follow
            };
            self.put(" in ").expr_at(zone, Level::Unary, before);
        }
        if let Some(filter) = &binder.filter {
            self.break_here()
                .put(" where ")
                .expr_at(filter, Level::Or, follow);
        }
        self
    }

    /// ` where e`, if there is a condition.
    pub(super) fn condition(&mut self, condition: Option<&Expr>) -> &mut Self {
        if let Some(condition) = condition {
            self.break_here().put(" where ").expr(condition);
        }
        self
    }

    /// `a to b`
    pub(super) fn range(&mut self, range: &Range) -> &mut Self {
        self.sum(&range.low).put(" to ").sum(&range.high)
    }

    /// ` within a to b`, if there is a range.
    pub(super) fn within(&mut self, range: Option<&Range>) -> &mut Self {
        if let Some(range) = range {
            self.put(" within ").range(range);
        }
        self
    }

    /// `per READING `
    pub(super) fn per_head(&mut self, reading: &str) -> &mut Self {
        self.put("per ").put(reading).put(" ")
    }

    /// `(x: a | y: b)`
    pub(super) fn alternatives<T>(
        &mut self,
        alternatives: &[(Name, T)],
        write: impl Fn(&mut Self, &T),
    ) -> &mut Self {
        for (index, (name, alternative)) in alternatives.iter().enumerate() {
            self.put(if index == 0 { "(" } else { " | " });
            self.name(name).put(": ");
            write(self, alternative);
        }
        self.put(")")
    }
}

/// How an end of a zone is written.
pub(super) fn end_word(end: End) -> &'static str {
    match end {
        End::Top => "top",
        End::Bottom => "bottom",
        End::First => "first",
        End::Last => "last",
    }
}
