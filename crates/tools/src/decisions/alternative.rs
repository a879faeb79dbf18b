//! What a decision is about: where it is made, and what else could be meant.

use super::edit::Edit;
use endstep_language::source::Span;
use endstep_language::syntax::ast::QueueDiscipline;
use endstep_language::typing::program::{
    Cancel, ClauseIdx, DECISIONS, EventId, QueueId, SequenceId, StmtId, TriggerId, ZoneId,
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
    /// One word for its kind, one of [`DECISIONS`].
    pub fn word(&self) -> &'static str {
        let at = match self {
            Self::Rechecked => 0,
            Self::Newcomers => 1,
            Self::Together => 2,
            Self::OneByOne => 3,
            Self::FirstPlace(_) => 4,
            Self::Unlimited => 5,
            Self::StopsAtZero => 6,
            Self::Announced(..) => 7,
            Self::Cancelled(_) => 8,
            Self::Carried(_) => 9,
            Self::NotItself => 10,
            Self::StillTrue => 11,
            Self::StillThere => 12,
            Self::AtOnce(_) => 13,
            Self::Waits(..) => 14,
            Self::Discipline(..) => 15,
        };
        DECISIONS[at]
    }

    /// Of several alternatives of one decision only the first that makes a difference is told: which these are.
    pub(super) fn decision(&self) -> &'static str {
        match self {
            Self::Rechecked | Self::Newcomers => "elements",
            Self::AtOnce(_) | Self::Waits(..) => "moment",
            Self::Announced(..) => "announced",
            other => other.word(),
        }
    }
}

/// Where a decision is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
    use super::DECISIONS;

    #[test]
    fn every_word_names_one_kind() {
        let mut words = DECISIONS.to_vec();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), DECISIONS.len());
    }
}
