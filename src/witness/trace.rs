//! A run as a person follows it: what was executed, what was chosen, what changed.

use crate::semantics::{ChoiceKind, Data, Instance, Key, Site, Spot, Who, ZoneKey};
use crate::typing::program::{
    EntityId, EventId, QueueId, SequenceId, StepId, StmtId, TriggerId, Value,
};

/// A run as a list of moments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// In order.
    pub moments: Vec<Moment>,
    /// The data at the end, or where the run is left; of a loop, where the cycle closes.
    pub data: Data,
    /// Micro-steps.
    pub steps: u64,
}

/// Something that happened, with the changes it made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// After which micro-step, counted from 1.
    pub step: u64,
    /// How many activations, steps and loops it stands in.
    pub depth: usize,
    /// What happened.
    pub what: Happening,
    /// What it changed, in the order of [`Difference`].
    pub changes: Vec<Difference>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// A pass of a sequence began.
    Pass(SequenceId),
    /// A step began.
    Step(StepId),
    /// A step ended.
    StepEnd(StepId),
    /// A statement was executed.
    Statement(StmtId),
    /// A trigger is resolved.
    Trigger(TriggerId),
    /// An event was announced, and so many triggers matched.
    Announced(EventId, usize),
    /// A choice was made.
    Choice(Made),
    /// A pass was cancelled: steps and elements dropped, and whether they are carried over.
    Cancelled {
        /// Which sequence.
        sequence: SequenceId,
        /// Steps not begun.
        steps: Vec<StepId>,
        /// Elements not begun.
        elements: Vec<(StmtId, Value)>,
        /// Whether they join the next pass.
        carried: bool,
    },
    /// Two sentences compete.
    Conflict(Site),
    /// Here the cycle of a loop begins.
    CycleBegins,
    /// A change that no statement of its own makes (a bound element, a frame that ended).
    Other,
}

/// A choice that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Its kind.
    pub kind: ChoiceKind,
    /// Who decided.
    pub who: Who,
    /// Where.
    pub site: Site,
    /// What was taken.
    pub taken: Key,
    /// All that could be, in order.
    pub offered: Vec<Key>,
}

/// One change of the data.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// A new entity.
    Created(EntityId),
    /// An entity left the game.
    Removed(EntityId),
    /// Another value in a place.
    Spot(Spot, Value, Value),
    /// Other contents of a zone: before and after.
    Zone(ZoneKey, Vec<EntityId>, Vec<EntityId>),
    /// Other pending triggers: before and after.
    Queue(QueueId, Vec<Instance>, Vec<Instance>),
}
