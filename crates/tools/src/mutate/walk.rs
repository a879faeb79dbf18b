//! Visits every expression of something, to be changed in place.
//!
//! `for each c: Card in board(p) where c.health <= 0` has the filter `c.health <= 0`, which is a
//! condition, and in it `c.health`, `c` and `0`; and `p`.

use endstep_language::typing::program::{Expr, VisitMut, Walk};

/// What an expression is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Something happens, or counts, only if it is true.
    Condition,
    /// Its value is used.
    Value,
}

/// Tells of each expression, the outer before the inner.
pub(super) struct Exprs<'a>(pub(super) &'a mut dyn FnMut(&mut Expr, Role));

impl VisitMut for Exprs<'_> {
    fn expr_mut(&mut self, e: &mut Expr) {
        self.0(e, Role::Value);
        e.inside_mut(self);
    }

    fn condition_mut(&mut self, e: &mut Expr) {
        self.0(e, Role::Condition);
        e.inside_mut(self);
    }
}
