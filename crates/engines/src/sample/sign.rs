//! What a run shows, in terms that do not depend on the board.
//!
//! Two runs with the same sign probably show the same fault. A sign is a reason to look closely and
//! no finding: what is found is decided by the engine that visits every run, and replayed.

use endstep_language::typing::program::{
    FieldId, QueueId, ReadingId, SequenceId, SortId, StepId, StmtId, TriggerId, VarId, ZoneId,
};
use endstep_semantics::semantics::{ChoiceKind, Exceeded, GapName, Key, Limit, Site, Spot, Tag};
use endstep_semantics::witness::Difference;

/// A reason to look closely.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// It ends in a gap, or meets one and goes on.
    Gap(GapName),
    /// It ends because two things cannot both be done.
    Conflict(Site),
    /// Two sentences compete, and it goes on.
    Competing(Site),
    /// It ends beyond a bound of the document, after this statement.
    Range(Edge, Option<StmtId>),
    /// A contract cannot be met.
    Stuck(SequenceId),
    /// It ends at a bound of exploration: perhaps it grows.
    Limit(Edge),
    /// It is very long.
    Long,
    /// It comes back to a state, by way of these.
    Loop(Vec<Stop>),
    /// An `ensures` fails.
    Ensures(StepId, usize),
    /// A cancelled pass has dropped something.
    Dropped(SequenceId),
    /// A claim fails, or shows what it speaks of.
    Claim(usize),
    /// A condition of legality does not hold at its end.
    Legal(usize),
    /// An `ensures` of its contract fails.
    Contract(usize),
    /// Something is other than its contract allows: what it lists `within` bounds, or what it does not list.
    Outside(Edge, bool),
    /// It ends otherwise if two things there change places.
    Order(Site, (Kind, Kind)),
    /// It ends otherwise if something else is chosen where the document does not say who chooses,
    /// or leaves a value open.
    Choice(Site, ChoiceKind),
    /// It ends otherwise under another reading.
    Reading(ReadingId, u16, u16),
}

/// What a round goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Stop {
    Trigger(TriggerId),
    Step(StepId),
}

/// A bound that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Edge {
    Field(FieldId),
    Var(VarId),
    Zone(ZoneId),
    Sort(SortId),
    Queue(QueueId),
    Other,
}

/// What kind of thing is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Kind {
    Element,
    Step(StepId),
    Trigger(TriggerId),
    Other,
}

impl Sign {
    /// What an end shows; `stmt` is what was executed last.
    pub fn of_end(tag: &Tag, stmt: Option<StmtId>) -> Option<Self> {
        Some(match tag {
            Tag::Gap(name) => Self::Gap(name.clone()),
            Tag::Conflict(site) => Self::Conflict(*site),
            Tag::Range(Exceeded::Spot(spot, _)) => Self::Range(Edge::of(*spot), stmt),
            Tag::Range(Exceeded::Zone(zone)) => Self::Range(Edge::Zone(*zone), stmt),
            Tag::Stuck(sequence) => Self::Stuck(*sequence),
            Tag::Limit(limit) => Self::Limit(match limit {
                Limit::Reach(spot, _) => Edge::of(*spot),
                Limit::Headroom(sort) => Edge::Sort(*sort),
                Limit::Queue(queue) => Edge::Queue(*queue),
                Limit::Interrupts | Limit::Expressions | Limit::Overflow | Limit::Values => {
                    Edge::Other
                }
            }),
            Tag::End | Tag::Win(_) | Tag::Loss(_) | Tag::Draw => return None,
        })
    }

    /// Two things whose order makes a difference, the smaller one first.
    pub fn order(site: Site, one: &Key, other: &Key) -> Self {
        let (one, other) = (Kind::of(one), Kind::of(other));
        Self::Order(site, (one.min(other), one.max(other)))
    }

    /// Whether two runs are compared.
    pub fn compares(&self) -> bool {
        matches!(self, Self::Order(..) | Self::Choice(..) | Self::Reading(..))
    }
}

impl Edge {
    /// Where two data differ.
    pub(super) fn between(difference: &Difference) -> Self {
        match difference {
            Difference::Spot(spot, ..) => Self::of(*spot),
            Difference::Zone((zone, _), ..) => Self::Zone(*zone),
            Difference::Queue(queue, ..) => Self::Queue(*queue),
            Difference::Created(_) | Difference::Removed(_) => Self::Other,
        }
    }

    fn of(spot: Spot) -> Self {
        match spot {
            Spot::Var(var) => Self::Var(var),
            Spot::Field(_, field) => Self::Field(field),
        }
    }
}

impl Kind {
    fn of(key: &Key) -> Self {
        match key {
            Key::Element(..) => Self::Element,
            Key::Step(step) => Self::Step(*step),
            Key::Instance(one) => Self::Trigger(one.trigger),
            _ => Self::Other,
        }
    }
}
