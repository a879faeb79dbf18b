//! What is met on a run that tells what has no exact form by what it may change.

use super::state::State;
use crate::smt::Term;
use endstep_kernel::footprint::{Place, Unit};
use endstep_language::typing::program::{BlockId, StmtId, TriggerId};

/// What was met on the way.
#[derive(Debug, Default)]
pub(super) struct Met<'s> {
    /// What there is after each statement.
    pub points: Vec<Point<'s>>,
    /// Operations of which only the places are known that they may change, and iterations.
    pub unknown: Vec<Unknown<'s>>,
    /// What is done inside of operations that were not followed.
    pub inner: Vec<Inner>,
}

/// After a statement.
#[derive(Debug)]
pub(super) struct Point<'s> {
    /// Whether it was reached.
    pub guard: Term,
    /// What there is.
    pub state: State<'s>,
}

/// An operation that was not followed, or not turn by turn.
#[derive(Debug)]
pub(super) struct Unknown<'s> {
    /// Whether it was reached.
    pub guard: Term,
    /// What there was.
    pub before: State<'s>,
    /// What there is.
    pub after: State<'s>,
    /// Whether all that it does is done by [`Inner`] parts, so that what they keep it keeps.
    pub composed: bool,
    /// What it may change.
    pub writes: std::collections::BTreeSet<Place>,
}

/// A part of a system that is looked at by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Inner {
    /// The turn of any element.
    Element(StmtId, Unit),
    /// A block.
    Block(BlockId, Unit),
    /// What a trigger does.
    Trigger(TriggerId),
}
