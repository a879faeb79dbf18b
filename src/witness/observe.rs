//! What of an end counts: a tag and the observed data, created entities up to renaming.

use crate::semantics::{Tag, ZoneKey};
use crate::typing::program::{EntityId, Value};

/// An outcome of a run, in a form in which equal outcomes are equal values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// It ended.
    Ended(Tag, Observed),
    /// It never ends.
    Diverges,
}

/// The observed part of the data. Created entities are numbered in the way that makes this value
/// the smallest, so that two of them are equal exactly if some renaming makes them so.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Observed {
    /// For each entity of the board, then for each created one: whether it is removed (only if
    /// everything is observed), and the observed fields in the order of their ids.
    pub entities: Vec<(EntityId, Option<bool>, Vec<Value>)>,
    /// The observed variables, in the order of their ids.
    pub vars: Vec<Value>,
    /// The observed zones; those seen as a set in order of identity.
    pub zones: Vec<(ZoneKey, Vec<EntityId>)>,
    /// The values of observed expressions; `None` where one has no value.
    pub exprs: Vec<Option<Value>>,
}
