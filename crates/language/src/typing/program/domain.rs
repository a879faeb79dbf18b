//! Which values a place takes on boards: of a field or a variable, as it is declared.

use super::{Bounds, Field, Type, Value, Var};

/// What says which values a place takes on boards.
#[derive(Debug, Clone, Copy)]
pub struct Domain<'p> {
    /// The type.
    pub ty: Type,
    /// Bounds, of integers.
    pub bounds: Bounds,
    /// From and to, the smaller ones first, if boards do not take all values that the bounds have.
    pub listed: &'p [(i64, i64)],
    /// The value on every board, if there is one.
    pub starts: Option<Value>,
    /// The value where nothing is said.
    pub default: Value,
}

impl Field {
    /// The values that it takes.
    pub fn domain(&self) -> Domain<'_> {
        Domain {
            ty: self.ty,
            bounds: self.bounds,
            listed: &self.listed,
            starts: self.starts,
            default: self.default,
        }
    }
}

impl Var {
    /// The values that it takes.
    pub fn domain(&self) -> Domain<'_> {
        Domain {
            ty: self.ty,
            bounds: self.bounds,
            listed: &self.listed,
            starts: self.starts,
            default: self.default,
        }
    }
}
