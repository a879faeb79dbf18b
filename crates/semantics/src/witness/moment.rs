//! What a person sees of a run: moments, and what each of them changes.

use std::sync::Arc;

use crate::semantics::{ChoiceKind, Data, Group, Instance, Key, Member, Site, Spot, Who, ZoneKey};
use endstep_language::typing::program::{
    EntityId, EventId, Owner, QueueId, SequenceId, StepId, StmtId, TriggerId, Value,
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
    /// The groups of continuous values that have no value at the end.
    pub open: Vec<Group>,
}

/// Something that happened, with the changes it made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// After which micro-step, counted from 1.
    pub step: u64,
    /// What it stands in, innermost last: not what was begun last, but what does it.
    pub within: Vec<Within>,
    /// The statement that does it.
    pub by: Option<StmtId>,
    /// What happened.
    pub what: Happening,
    /// What it changed, in the order of [`Difference`].
    pub changes: Vec<Difference>,
    /// The continuous values that are something else therefore.
    pub follows: Vec<Follows>,
    /// The data after it, of a moment that changes something, where that was wanted.
    pub data: Option<Arc<Data>>,
}

/// A continuous value that is something else than before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Follows {
    /// Which one.
    pub member: Member,
    /// What it was; `None`: nothing, or one of several things.
    pub before: Option<Value>,
    /// What it is.
    pub after: Option<Value>,
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
    Trigger(Instance),
    /// An event was announced, and so many triggers matched.
    Announced(EventId, usize),
    /// A choice was made.
    Choice(Made),
    /// A pass was cancelled: steps and elements dropped, and what is carried over.
    Cancelled {
        /// Which sequence.
        sequence: SequenceId,
        /// Steps not begun, and for which place, if they were begun for others.
        steps: Vec<(StepId, Option<Value>)>,
        /// Elements not begun.
        elements: Vec<(StmtId, Value)>,
        /// The iterations among them whose elements do not join the next pass.
        lost: Vec<StmtId>,
    },
    /// A turn of an iteration that goes on until all pass is passed, by whom.
    Passed(Value),
    /// Two sentences compete.
    Conflict(Site),
    /// Here the cycle of a loop begins.
    CycleBegins,
    /// A change that no statement of its own makes (a bound element, a frame that ended).
    Other,
}

/// What a choice has to do with an order that the document fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixedOrder {
    /// Nothing: the run leaves no such order.
    Kept,
    /// The document fixes this order, and the run tries others all the same.
    Tried,
    /// So it is, but here the document's order has no beginning.
    WithoutBeginning,
}

/// A choice that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Its kind.
    pub kind: ChoiceKind,
    /// What it has to do with an order that the document fixes.
    pub fixed: FixedOrder,
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

/// Something that goes on, told from others of its kind by when it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Within {
    /// What.
    pub what: Ongoing,
    /// On which micro-step it began.
    pub since: u64,
}

/// What can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ongoing {
    /// A pass of a sequence.
    Pass {
        /// Which sequence.
        sequence: SequenceId,
        /// Whether a step of the pass has begun.
        begun: bool,
    },
    /// A step.
    Step(StepId),
    /// What is done before a sequence begins again.
    Restart(SequenceId),
    /// A trigger.
    Trigger(TriggerId),
}

impl Ongoing {
    /// Whether a body that belongs to this stands directly in it.
    pub(super) fn is(self, owner: Owner) -> bool {
        match (self, owner) {
            (Self::Step(one), Owner::Step(other)) => one == other,
            (Self::Trigger(one), Owner::Trigger(other)) => one == other,
            (Self::Restart(one), Owner::Restart(other)) => one == other,
            _ => false,
        }
    }

    pub(super) fn is_same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Pass { sequence: one, .. }, Self::Pass { sequence, .. }) => one == sequence,
            _ => self == other,
        }
    }
}
