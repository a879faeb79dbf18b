//! Turns an expression into its parts, one level at a time, so that passes that treat most forms
//! alike need no match of their own.
//!
//! The parts of `count of c in hand(p) where c.ready` are the zone `hand(p)` and the filter
//! `c.ready`; those of the zone are `p`.

use super::{Binder, Expr, ExprKind, IsTest};

impl Expr {
    /// Calls `visit` with every expression directly inside this one, in the order in which they
    /// are written.
    pub fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Error
            | ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Name(_) => {}
            ExprKind::Field(one, _)
            | ExprKind::Not(one)
            | ExprKind::Negate(one)
            | ExprKind::Half(one, _)
            | ExprKind::EndOf(_, one)
            | ExprKind::Size(one)
            | ExprKind::Neighbour(_, one)
            | ExprKind::Holder(one)
            | ExprKind::Old(one)
            | ExprKind::Paren(one) => visit(one),
            ExprKind::Call(_, many) | ExprKind::Builtin(_, many) => many.iter().for_each(visit),
            ExprKind::Per(_, many) => many.iter().for_each(|(_, one)| visit(one)),
            ExprKind::Binary(_, left, right) => {
                visit(left);
                visit(right);
            }
            ExprKind::Is { subject, test, .. } => {
                visit(subject);
                if let IsTest::In(other) | IsTest::Equal(other) = test {
                    visit(other);
                }
            }
            ExprKind::Cond(condition, yes, no) => {
                visit(condition);
                visit(yes);
                visit(no);
            }
            ExprKind::Count(binder) => binder.for_each_child(visit),
            ExprKind::Sum(value, binder) | ExprKind::Extreme(_, value, binder) => {
                visit(value);
                binder.for_each_child(visit);
            }
            ExprKind::Quantified(_, binder, body) => {
                binder.for_each_child(visit);
                visit(body);
            }
            ExprKind::Turn {
                from, such_that, ..
            } => {
                visit(from);
                if let Some((_, condition)) = such_that {
                    visit(condition);
                }
            }
        }
    }

    /// The number of expressions on the longest way from this one to a part without parts; 1 for
    /// a name.
    ///
    /// Recursive: the parser bounds the height of what it returns by
    /// [`MAX_NESTING`](crate::syntax::MAX_NESTING).
    pub fn height(&self) -> usize {
        let mut highest = 0;
        self.for_each_child(&mut |child| highest = highest.max(child.height()));
        highest + 1
    }
}

impl Binder {
    /// Calls `visit` with the zone and the filter, where there are any.
    pub fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        self.zone.iter().for_each(&mut *visit);
        self.filter.iter().for_each(visit);
    }
}
