//! Choice points, and what taking an alternative does.

use endstep_language::typing::program::{LocalId, QueueId, SequenceId, StepId, StmtId};
use endstep_semantics::semantics::{ChoiceKind, Key, Site, Spot, Who};

/// A choice point.
#[derive(Debug)]
pub struct Point {
    /// The kind.
    pub kind: ChoiceKind,
    /// The decider.
    pub who: Who,
    /// Where.
    pub site: Site,
    /// Which frame chooses.
    pub level: (usize, usize),
    /// The alternatives.
    pub keys: Vec<Key>,
    /// What taking one does.
    pub(super) take: Take,
}

/// What taking an alternative of a point does.
#[derive(Debug, Clone)]
pub(super) enum Take {
    /// Binds an element or number.
    Bind(LocalId),
    /// Visits an element of an iteration.
    Visit {
        stmt: StmtId,
        live: bool,
        again: bool,
    },
    /// Takes a step of a list.
    Step { keep: bool },
    /// Goes to a place.
    Place {
        sequence: SequenceId,
        step: Option<StepId>,
    },
    /// Puts a match into the queue or among those that interrupt.
    Match(Option<QueueId>),
    /// Enters a case.
    Case,
    /// Enters a chosen block.
    Arm,
    /// Writes what the key says, for a statement.
    Write(Option<StmtId>),
    /// Decides about simultaneous effects; the key tells what: a write, a destination, an
    /// insertion, an announcement.
    Commit,
    /// Places a unit: element, its position, the place, and what it then holds.
    Unit(Vec<(i64, usize, Spot, i64)>),
    /// Settles a place of a shuffle.
    Shuffle(u16),
}
