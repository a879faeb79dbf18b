//! What a sequence promises: what it changes, and what then holds.

use super::{Expr, FieldId, Place};
use crate::source::Span;

/// What a sequence promises.
#[derive(Debug, Clone, PartialEq)]
pub struct Contract {
    /// What it may write, with the values explored. Each place is a variable, or a field of every
    /// entity of a sort (written `Card.health`), or a field of a parameter.
    pub changes: Vec<Change>,
    /// What then holds.
    pub ensures: Vec<Expr>,
}

/// One thing that a contract may change.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What.
    pub target: ChangeTarget,
    /// Values explored; `None`: the explored values of the place.
    pub within: Option<(Expr, Expr)>,
    /// Where it stands.
    pub span: Span,
}

impl Change {
    /// Whether it is about a place of which another line speaks, whatever the parameters of the sequence are.
    pub fn is_about(&self, other: &ChangeTarget) -> bool {
        let whole = |one: &ChangeTarget| match one {
            ChangeTarget::FieldOfAll(field) => Some(*field),
            ChangeTarget::Place(_) => None,
        };
        let field = |one: &ChangeTarget| match one {
            ChangeTarget::FieldOfAll(field) => Some(*field),
            ChangeTarget::Place(place) => place.field(),
        };
        match (&self.target, other) {
            (ChangeTarget::Place(one), ChangeTarget::Place(other)) => one.is_same(other),
            (one, other) => {
                let whole = whole(one).or(whole(other));
                whole.is_some() && field(one) == field(other)
            }
        }
    }
}

/// What a contract may change.
#[derive(Debug, Clone, PartialEq)]
pub enum ChangeTarget {
    /// One place.
    Place(Place),
    /// A field of every entity of its sort.
    FieldOfAll(FieldId),
}
