//! How a run ends, as far as two ends are told apart by it (`docs/semantics.md`, §5 and §6).
//!
//! A [`Tag`] says where a run ended and with which value, for those who read of it. Two runs that stop
//! in the same words of the same clause end in the same manner, whichever statement it was:
//!
//! ```text
//! sequence s              sequence t
//!   step a                  step b
//!     set hero.h to 1         set hero.h to 1       both: vacant role, no clause, the words `hero`
//! ```

// TRUSTED: whatever is compared is compared by this.

use super::next::{Exceeded, GapName, Limit, Tag};
use super::state::{Site, Spot};
use endstep_language::source::Span;
use endstep_language::typing::program::{
    ClauseIdx, EntityId, FieldId, GapCause, GapId, Program, SequenceId, VarId, ZoneId,
};
use serde::{Deserialize, Serialize};

/// What of a tag counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as in `Tag`")]
pub enum Manner {
    End,
    Win(Option<EntityId>),
    Loss(Option<EntityId>),
    Draw,
    /// A named gap.
    Gap(GapId),
    /// An implicit one: its kind, the innermost clause, the words of what has no value.
    Silence(GapCause, Option<ClauseIdx>, Phrase),
    Conflict(Option<ClauseIdx>, Phrase),
    Range(Bounded),
    Stuck(SequenceId),
    /// Given up. Nothing is compared with it.
    Limit(Limit),
}

/// The words of an expression or a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Phrase {
    /// By number; see [`Wording`](endstep_language::typing::program::Wording).
    Words(u32),
    /// What stands there, which is compared with nothing else.
    At(Span),
}

/// What has a bound of the document, whosever it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Bounded {
    Var(VarId),
    Field(FieldId),
    Zone(ZoneId),
}

impl Manner {
    /// Of a tag.
    pub fn of(program: &Program, tag: &Tag) -> Self {
        match tag {
            Tag::End => Self::End,
            Tag::Win(who) => Self::Win(*who),
            Tag::Loss(who) => Self::Loss(*who),
            Tag::Draw => Self::Draw,
            Tag::Gap(GapName::Named(gap)) => Self::Gap(*gap),
            Tag::Gap(GapName::Implicit(cause, site, span)) => {
                let said = said(program, *cause, *site, *span);
                Self::Silence(*cause, site.clause(program), said)
            }
            Tag::Conflict(site) => {
                let said = match site {
                    Site::Stmt(id) => program.wording.stmt(*id),
                    _ => None,
                };
                let said = said.map_or(Phrase::At(site.span(program)), Phrase::Words);
                Self::Conflict(site.clause(program), said)
            }
            Tag::Range(Exceeded::Spot(Spot::Var(var), _)) => Self::Range(Bounded::Var(*var)),
            Tag::Range(Exceeded::Spot(Spot::Field(_, field), _)) => {
                Self::Range(Bounded::Field(*field))
            }
            Tag::Range(Exceeded::Zone(zone)) => Self::Range(Bounded::Zone(*zone)),
            Tag::Stuck(sequence) => Self::Stuck(*sequence),
            Tag::Limit(Limit::Reach(spot, _)) => Self::Limit(Limit::Reach(*spot, 0)),
            Tag::Limit(limit) => Self::Limit(*limit),
        }
    }

    /// The same with other names for the entities that it speaks of.
    #[must_use]
    pub fn renamed(self, mut rename: impl FnMut(EntityId) -> EntityId) -> Self {
        match self {
            Self::Win(who) => Self::Win(who.map(rename)),
            Self::Loss(who) => Self::Loss(who.map(rename)),
            Self::Limit(Limit::Reach(Spot::Field(of, field), value)) => {
                Self::Limit(Limit::Reach(Spot::Field(rename(of), field), value))
            }
            Self::End
            | Self::Draw
            | Self::Gap(_)
            | Self::Silence(..)
            | Self::Conflict(..)
            | Self::Range(_)
            | Self::Stuck(_)
            | Self::Limit(_) => self,
        }
    }
}

/// The words of what has no value or holds too little, or of the statement that falls silent.
fn said(program: &Program, cause: GapCause, site: Site, span: Span) -> Phrase {
    let words = match (cause.is_of_expression(), site) {
        (true, _) => program.wording.expr(span),
        (false, Site::Stmt(id)) => program.wording.stmt(id),
        (false, _) => None,
    };
    words.map_or(Phrase::At(span), Phrase::Words)
}

impl Site {
    /// The clause in which it stands in the specification.
    pub fn clause(self, program: &Program) -> Option<ClauseIdx> {
        match self {
            Self::Stmt(id) => program.stmts[id].clause,
            Self::Sequence(id) | Self::Places(id) => program.sequences[id].clause,
            Self::Step(id) => program.steps[id].clause,
            Self::Trigger(id) => program.triggers[id].clause,
            Self::Event(_) | Self::Outside(_) => None,
        }
    }

    /// Where it stands in the specification.
    pub fn span(self, program: &Program) -> Span {
        match self {
            Self::Stmt(id) => program.stmts[id].span,
            Self::Sequence(id) | Self::Places(id) => program.sequences[id].span,
            Self::Step(id) => program.steps[id].span,
            Self::Trigger(id) => program.triggers[id].span,
            Self::Event(id) => program.events[id].span,
            Self::Outside(span) => span,
        }
    }
}
