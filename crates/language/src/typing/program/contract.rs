//! What a sequence promises: what it changes, and what then holds.

use super::{Expr, FieldId, Place, PlaceKind};
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
        match (&self.target, other) {
            (ChangeTarget::Place(one), ChangeTarget::Place(other)) => one.kind.is_same(&other.kind),
            (ChangeTarget::FieldOfAll(one), ChangeTarget::FieldOfAll(other)) => one == other,
            (ChangeTarget::FieldOfAll(field), ChangeTarget::Place(place))
            | (ChangeTarget::Place(place), ChangeTarget::FieldOfAll(field)) => {
                matches!(place.kind, PlaceKind::Field(_, of) if of == *field)
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
