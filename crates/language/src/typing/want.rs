//! What the surroundings of an expression want it to be.

use super::program::{Expr, ExprKind, Type};
use crate::source::Span;

/// What the surroundings of an expression want it to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// They do not say.
    Any,
    /// A value of this type; the expression need not have it, but names are read accordingly.
    Of(Type),
    /// They are in error, and nothing should be said about what depends on them.
    Unknown,
}

impl Want {
    /// The type of another part, if that has no error.
    pub(super) fn like(other: Option<&Expr>) -> Self {
        other.map_or(Self::Unknown, |other| Self::Of(other.ty))
    }
}

/// An expression of a type.
pub(super) fn typed(kind: ExprKind, ty: Type, span: impl Into<Span>) -> Option<Expr> {
    let span = span.into();
    Some(Expr { kind, ty, span })
}
