//! What a decision is about: where it is made, and what else could be meant.

use super::edit::Edit;
use endstep_language::source::Span;
use endstep_language::syntax::ast::QueueDiscipline;
use endstep_language::typing::program::{
    Cancel, ClauseIdx, EventId, QueueId, SequenceId, StmtId, TriggerId, ZoneId,
};

/// What else could be meant.
#[derive(Debug, Clone, PartialEq)]
pub enum Alternative {
    /// Elements of an iteration that do not qualify any more when their turn comes are left out.
    Rechecked,
    /// Elements that come to qualify meanwhile are dealt with, too.
    Newcomers,
    /// All elements are dealt with at once, none sees what another one does.
    Together,
    /// What is done at once is done one after the other.
    OneByOne,
    /// Things come to the first place of a zone, not to the last.
    FirstPlace(ZoneId),
    /// An amount is not cut off.
    Unlimited,
    /// A number does not fall below zero.
    StopsAtZero,
    /// An event is announced here as well, since the same is done where this statement announces it.
    Announced(EventId, StmtId),
    /// A sequence is cancelled at another moment.
    Cancelled(Cancel),
    /// What is left undone by a restart is done later (`true`), or never.
    Carried(bool),
    /// Nothing reacts to what happens to itself.
    NotItself,
    /// What has waited happens only if its condition is still true.
    StillTrue,
    /// What has waited happens only if what reacts is still where it was.
    StillThere,
    /// Reactions to an event happen at once; they do not wait.
    AtOnce(EventId),
    /// Reactions to an event wait in a queue.
    Waits(EventId, QueueId),
    /// A queue has another discipline.
    Discipline(QueueId, QueueDiscipline),
}

impl Alternative {
    /// One word for its kind, one of `DECISIONS`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Rechecked => "rechecked",
            Self::Newcomers => "newcomers",
            Self::Together => "together",
            Self::OneByOne => "one_by_one",
            Self::FirstPlace(_) => "first_place",
            Self::Unlimited => "unlimited",
            Self::StopsAtZero => "stops_at_zero",
            Self::Announced(..) => "announced",
            Self::Cancelled(_) => "cancelled",
            Self::Carried(_) => "carried",
            Self::NotItself => "not_itself",
            Self::StillTrue => "still_true",
            Self::StillThere => "still_there",
            Self::AtOnce(_) => "at_once",
            Self::Waits(..) => "waits",
            Self::Discipline(..) => "discipline",
        }
    }

    /// What its decision is about: alternatives of one decision have the same.
    pub(super) fn decision(&self) -> &'static str {
        match self {
            Self::Rechecked | Self::Newcomers => "elements",
            Self::AtOnce(_) | Self::Waits(..) => "moment",
            other => other.word(),
        }
    }
}

/// Where a decision is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// By a statement.
    Stmt(StmtId),
    /// By a sequence.
    Sequence(SequenceId),
    /// By a trigger.
    Trigger(TriggerId),
    /// By the declaration of an event.
    Event(EventId),
    /// By that of a queue.
    Queue(QueueId),
}

/// A decision without a name.
pub(super) struct Draft {
    pub(super) made: Made,
    pub(super) span: Span,
    pub(super) clause: Option<ClauseIdx>,
    pub(super) alternative: Alternative,
    pub(super) edit: Edit,
}

#[cfg(test)]
mod tests {
    use super::*;
    use endstep_language::index::Id;
    use endstep_language::typing::program::DECISIONS;

    /// One of each kind, in the order in which `accept` knows them.
    fn each() -> [Alternative; 16] {
        use Alternative as A;
        let event = EventId::from_index(0);
        let queue = QueueId::from_index(0);
        [
            A::Rechecked,
            A::Newcomers,
            A::Together,
            A::OneByOne,
            A::FirstPlace(ZoneId::from_index(0)),
            A::Unlimited,
            A::StopsAtZero,
            A::Announced(event, StmtId::from_index(0)),
            A::Cancelled(Cancel::AtOnce),
            A::Carried(true),
            A::NotItself,
            A::StillTrue,
            A::StillThere,
            A::AtOnce(event),
            A::Waits(event, queue),
            A::Discipline(queue, QueueDiscipline::LastInFirstOut),
        ]
    }

    #[test]
    fn an_accept_can_name_every_kind() {
        assert_eq!(each().map(|one| one.word()), DECISIONS);
    }
}
