//! What may happen next: one small step, a choice, or the end of the run.

use std::sync::Arc;

use super::state::{Data, Instance, Site, Spot, State, Who};
use endstep_language::source::Span;
use endstep_language::typing::program::{
    EntityId, EventId, ExpectedGap, GapCause, GapId, QueueId, ReadingId, SequenceId, SortId,
    StepId, StmtId, TriggerId, Type, Value, ZoneId,
};
use serde::{Deserialize, Serialize};

/// What the interpreter answers about a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// There is one successor.
    Step(State, Vec<Note>),
    /// There are several.
    Choose(ChoicePoint),
    /// The run has ended; what happened last.
    Done(Ended, Vec<Note>),
    /// The run depends on a reading that has not been fixed.
    Consult(ReadingId),
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ended {
    /// How.
    pub tag: Tag,
    /// With which data.
    pub data: Arc<Data>,
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Tag {
    /// Normally, or `declare end`.
    End,
    /// Won by a player, or by everyone.
    Win(Option<EntityId>),
    /// Lost by a player, or by everyone.
    Loss(Option<EntityId>),
    /// Drawn.
    Draw,
    /// The document does not say what happens.
    Gap(GapName),
    /// What is asked for at once takes more from a supply than it holds.
    Conflict(Site),
    /// A write outside the document's bound.
    Range(Exceeded),
    /// A contract that cannot be met.
    Stuck(SequenceId),
    /// Given up.
    Limit(Limit),
}

impl Tag {
    /// Whether the game is over: nothing else counts then.
    pub fn is_declared(&self) -> bool {
        matches!(self, Self::Win(_) | Self::Loss(_) | Self::Draw)
    }

    /// Whether the run comes to an end by the rules, and does not stop in the middle of them.
    pub fn is_outcome(&self) -> bool {
        *self == Self::End || self.is_declared()
    }
}

impl GapName {
    /// Whether an example that expects a gap expects this one.
    pub fn is(&self, expected: ExpectedGap) -> bool {
        match (self, expected) {
            (Self::Named(found), ExpectedGap::Named(gap)) => *found == gap,
            (Self::Implicit(found, ..), ExpectedGap::Implicit(cause)) => *found == cause,
            _ => false,
        }
    }
}

/// Which gap.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GapName {
    /// `gap NAME`
    Named(GapId),
    /// A partial operation.
    Implicit(GapCause, Site, Span),
}

/// What was written outside the document's bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Exceeded {
    /// A place, and the value.
    Spot(Spot, i64),
    /// A zone that holds no more.
    Zone(ZoneId),
}

/// Which limit of exploration was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Limit {
    /// A value beyond `reach`.
    Reach(Spot, i64),
    /// More entities than `headroom`.
    Headroom(SortId),
    /// More pending than the queue's capacity.
    Queue(QueueId),
    /// More than 16 nested trigger activations.
    Interrupts,
    /// More than 1,000,000 expressions evaluated in one micro-step.
    Expressions,
    /// An integer operation left 64 bits.
    Overflow,
    /// More than 4096 values of a contract, or of a range to choose from.
    Values,
}

/// Kinds of choice points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/semantics.md, 4.1")]
pub enum ChoiceKind {
    Order,
    Selection,
    Distribution,
    Chance,
    Gap,
}

/// A place where more than one thing may happen next; at least two alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoicePoint {
    /// The kind.
    pub kind: ChoiceKind,
    /// The decider.
    pub who: Who,
    /// Where in the specification.
    pub site: Site,
    /// Which frame chooses: the index of its activation and of the frame in it. Two choice points
    /// of one run belong to the same iteration if site and level are equal and the stack has not
    /// been lower in between.
    pub level: (usize, usize),
    /// The alternatives.
    pub alternatives: Vec<Alternative>,
}

/// An alternative of a choice point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// What is chosen; distinct within the point.
    pub key: Key,
    /// The state after it was taken (an element was bound, a value written).
    pub state: State,
    /// What happened.
    pub notes: Vec<Note>,
}

/// What an alternative chooses.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Key {
    /// An element, number or value, with its type index for wording.
    Element(Value, KeyType),
    /// A step of a free list.
    Step(StepId),
    /// A trigger that matched.
    Instance(Instance),
    /// An option of `choose one`, by position.
    Option(StmtId, usize),
    /// `may`: taken or not.
    Taken(StmtId, bool),
    /// A true case, by position.
    Case(StmtId, usize),
    /// A competing write.
    Write(Spot, Value),
    /// A competing destination.
    Destination(EntityId, super::state::ZoneKey, bool),
    /// A move made next, of simultaneous ones.
    Insert(EntityId),
    /// An announcement made next, of simultaneous ones.
    Announce(EventId, Vec<Value>),
    /// Values of a contract's places.
    Values(Vec<(Spot, Value)>),
}

/// A type as far as wording needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum KeyType {
    /// Integer, boolean, entity, none: the value says it.
    Plain,
    /// An enumeration.
    Enum(endstep_language::typing::program::EnumId),
}

impl From<Type> for KeyType {
    fn from(ty: Type) -> Self {
        match ty {
            Type::Enum(id) => Self::Enum(id),
            Type::Int | Type::Bool | Type::Entity(_) | Type::Optional(_) => Self::Plain,
        }
    }
}

/// Something that happened on a step, for traces, coverage and checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A statement was executed (a heading: its condition or domain was evaluated).
    Executed(StmtId),
    /// A step began.
    StepBegan(StepId),
    /// A step ended.
    StepEnded(StepId, Value),
    /// An `ensures` of a step, by position, was false when it ended.
    EnsuresFailed(StepId, usize),
    /// A pass began.
    PassBegan(SequenceId),
    /// A sequence ended (not by an outcome).
    SequenceEnded(SequenceId),
    /// A pass was cancelled; steps not begun, and elements of iterations not begun, were dropped.
    Cancelled {
        /// Which sequence.
        sequence: SequenceId,
        /// Steps not begun.
        steps: Vec<StepId>,
        /// Elements not begun.
        elements: Vec<(StmtId, Value)>,
        /// The iterations among them of which nothing is carried over, in order.
        lost: Vec<StmtId>,
    },
    /// An event was announced; so many instances matched.
    Announced(EventId, usize),
    /// The resolution of a trigger began.
    Resolving(TriggerId),
    /// Two writes, moves or cases compete.
    Conflict(Site),
    /// A control cycle begins anew here: a round of a repeat, a pass of a sequence that can restart, a pump, a live
    /// iteration.
    Cut,
}

impl Note {
    /// Of the elements that a cancelled pass has not come to, the iterations that are not among those whose
    /// elements are carried over: each once, in order.
    pub fn lost<T>(dropped: &[(StmtId, T)], carried: &[(StmtId, T)]) -> Vec<StmtId> {
        let dropped = dropped.iter().map(|(stmt, _)| *stmt);
        let kept = |stmt: &StmtId| carried.iter().any(|(other, _)| other == stmt);
        let mut lost: Vec<StmtId> = dropped.filter(|stmt| !kept(stmt)).collect();
        lost.sort_unstable();
        lost.dedup();
        lost
    }
}
