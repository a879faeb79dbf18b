//! Typed questions: observers, roots, claims, boards, examples, accepted findings.

use super::{
    Binder, ClauseIdx, Declared, EntityId, Expr, FieldId, GapCause, GapId, ReadingId, SequenceId,
    SortId, StepId, Value, VarId, ZoneId,
};
use crate::source::Span;
use crate::syntax::ast::{At, Extreme};
use std::collections::BTreeMap;

/// What counts when outcomes are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Observer {
    /// The name.
    pub name: String,
    /// Why.
    pub why: String,
    /// What it sees.
    pub sights: Vec<Sight>,
    /// Its heading.
    pub span: Span,
}

/// What an observer sees. Zones are seen in order unless said otherwise; `Everything` is all
/// fields, variables and zones, less what is ignored.
#[derive(Debug, Clone, PartialEq)]
pub enum Sight {
    /// All.
    Everything,
    /// A field of every entity.
    Field(FieldId),
    /// A variable.
    Var(VarId),
    /// A zone or family. `true`: as a set.
    Zone(ZoneId, bool),
    /// The value of an expression.
    Expr(Expr),
    /// Of several things, what is seen of each.
    Kinds(Box<Kinds>),
    /// All but this.
    IgnoreField(FieldId),
    /// All but this.
    IgnoreVar(VarId),
    /// All but this.
    IgnoreZone(ZoneId),
}

/// One value of each of several things, as they lie.
#[derive(Debug, Clone, PartialEq)]
pub struct Kinds {
    /// Of what.
    pub binder: Binder,
    /// What is seen of each.
    pub by: Expr,
    /// Not in which order they lie.
    pub as_set: bool,
    /// Where it stands, from what on.
    pub span: Span,
}

/// A sequence to be checked from every legal board.
#[derive(Debug, Clone, PartialEq)]
pub struct Verify {
    /// Which; it has no parameters.
    pub sequence: SequenceId,
    /// Observer; `None`: everything.
    pub observer: Option<super::ObserverId>,
    /// Largest number of entities, instead of the declared one.
    pub sizes: Vec<(SortId, u32)>,
    /// Sequences replaced by their contracts.
    pub contracts: Vec<SequenceId>,
    /// Which legal boards are looked at; all if `None`.
    pub condition: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// A claim or question.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The author asks; the document does not say.
    pub question: bool,
    /// The name.
    pub name: String,
    /// What is claimed.
    pub kind: ClaimKind,
    /// Observer; `None`: that of the `verify` of the sequence, else everything.
    pub observer: Option<super::ObserverId>,
    /// The only board of which it is asked; `None`: all.
    pub on: Option<super::BoardId>,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// What its comment says; it has no meaning.
    pub doc: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// The forms of claims. Sequences named here have no parameters. Conditions have no locals.
#[derive(Debug, Clone, PartialEq)]
pub enum ClaimKind {
    /// At every point of kind order in the sequence (or step) all alternatives are equal.
    OrderIrrelevant(SequenceId, Option<StepId>),
    /// Equal outcome sets on boards with the condition.
    Equivalent(SequenceId, SequenceId, Option<Expr>),
    /// No run is endless, but for players' or chance's doing.
    Terminates(SequenceId, Option<Expr>),
    /// Holds there.
    Invariant(Expr, At, SequenceId),
    /// Holds in every state in which the sequence ends; `old` is the board.
    Must(Expr, SequenceId, Option<Expr>),
    /// Some (`true`) or no (`false`) state of a run has it.
    Reachable(bool, Expr, SequenceId),
    /// Some state in which the sequence ends has it; `old` is the board.
    ReachableAfter(Expr, SequenceId, Option<Expr>),
    /// Which is the largest or smallest value that it takes in a state of a run; only ever asked.
    ExtremeIn(Extreme, Expr, SequenceId),
    /// The same of the states in which the sequence ends; `old` is the board.
    ExtremeAfter(Extreme, Expr, SequenceId, Option<Expr>),
    /// The value never differs from that on the board, after every statement.
    Conserves(Expr, SequenceId),
    /// Doing it again at once changes nothing observed.
    Idempotent(SequenceId, Option<StepId>),
}

impl ClaimKind {
    /// The sequence that is claimed about; of two, the first.
    pub fn sequence(&self) -> SequenceId {
        match self {
            Self::OrderIrrelevant(sequence, _)
            | Self::Equivalent(sequence, _, _)
            | Self::Terminates(sequence, _)
            | Self::Invariant(_, _, sequence)
            | Self::Must(_, sequence, _)
            | Self::Reachable(_, _, sequence)
            | Self::ReachableAfter(_, sequence, _)
            | Self::ExtremeIn(_, _, sequence)
            | Self::ExtremeAfter(_, _, sequence, _)
            | Self::Conserves(_, sequence)
            | Self::Idempotent(sequence, _) => *sequence,
        }
    }

    /// The sequences that are claimed about.
    pub fn sequences(&self) -> Vec<SequenceId> {
        let other = match self {
            Self::Equivalent(_, other, _) => Some(*other),
            _ => None,
        };
        std::iter::once(self.sequence()).chain(other).collect()
    }

    /// What is claimed or asked for, if that is an expression, and then the condition of the boards that are meant.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Invariant(e, ..)
            | Self::Reachable(_, e, _)
            | Self::ExtremeIn(_, e, _)
            | Self::Conserves(e, _)
            | Self::Equivalent(_, _, Some(e))
            | Self::Terminates(_, Some(e)) => vec![e],
            Self::Must(e, _, when)
            | Self::ReachableAfter(e, _, when)
            | Self::ExtremeAfter(_, e, _, when) => std::iter::once(e).chain(when).collect(),
            Self::OrderIrrelevant(..)
            | Self::Equivalent(_, _, None)
            | Self::Terminates(_, None)
            | Self::Idempotent(..) => Vec::new(),
        }
    }

    /// The value that is asked for, and whether it is the largest or the smallest, if that is asked.
    pub fn extreme(&self) -> Option<(Extreme, &Expr)> {
        match self {
            Self::ExtremeIn(extreme, value, _) | Self::ExtremeAfter(extreme, value, ..) => {
                Some((*extreme, value))
            }
            Self::OrderIrrelevant(..)
            | Self::Equivalent(..)
            | Self::Terminates(..)
            | Self::Invariant(..)
            | Self::Must(..)
            | Self::Reachable(..)
            | Self::ReachableAfter(..)
            | Self::Conserves(..)
            | Self::Idempotent(..) => None,
        }
    }

    /// Whether it says that something can be so: boards and runs on which it is not speak of nothing.
    pub fn is_existential(&self) -> bool {
        matches!(self, Self::Reachable(true, ..) | Self::ReachableAfter(..))
            || self.extreme().is_some()
    }
}

/// A board written out. Entities are in order of sort, then as written; `EntityId(i)` is the i-th.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    /// The name; that of the example for a board under `given`.
    pub name: String,
    /// The entities.
    pub entities: Vec<BoardEntity>,
    /// Every zone with its contents, first to last; whose, for a family.
    pub zones: Vec<(ZoneId, Option<EntityId>, Vec<EntityId>)>,
    /// The values of all variables, by `VarId`.
    pub vars: Vec<Value>,
    /// Its heading.
    pub span: Span,
}

/// An entity of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardEntity {
    /// Its sort.
    pub sort: SortId,
    /// Its name.
    pub name: String,
    /// The values of all fields of the sort, in the order of `Sort::fields`.
    pub fields: Vec<Value>,
}

/// A worked example.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The name.
    pub name: String,
    /// On which board.
    pub board: super::BoardId,
    /// What is performed.
    pub sequence: SequenceId,
    /// Its arguments: constants and entities of the board.
    pub args: Vec<Value>,
    /// Readings that it fixes; all others are tried.
    pub readings: Vec<(ReadingId, u16)>,
    /// Choices and expectations in order.
    pub lines: Vec<(ExampleLine, Span)>,
    /// What the comments of these lines say; they have no meaning.
    pub docs: Vec<Option<String>>,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// What its comment says; it has no meaning.
    pub doc: Option<String>,
    /// Its heading.
    pub span: Span,
}

impl Example {
    /// Of readings that are fixed from outside those that the example does not fix itself.
    pub fn left_open(&self, fixed: &BTreeMap<ReadingId, u16>) -> BTreeMap<ReadingId, u16> {
        let is_own = |id: &ReadingId| self.readings.iter().any(|(own, _)| own == id);
        let open = fixed.iter().filter(|(id, _)| !is_own(id));
        open.map(|(&id, &at)| (id, at)).collect()
    }
}

/// One line of an example. Conditions may name entities of the board.
#[derive(Debug, Clone, PartialEq)]
pub enum ExampleLine {
    /// Taken at the first choice point that offers it.
    Choose(String),
    /// Holds at the first end of the step since the line before.
    After(StepId, Expr),
    /// Holds at every end.
    Expect(Expr),
    /// Holds at some end.
    ExpectPossible(Expr),
    /// Every run ends so. The expression names the player as a constant.
    ExpectOutcome(Declared),
    /// Every run stops in that gap.
    ExpectGap(ExpectedGap),
    /// Some run does.
    ExpectPossibleGap(ExpectedGap),
}

/// A gap in which a run is expected to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedGap {
    /// One that the specification names.
    Named(GapId),
    /// Any implicit one of a kind.
    Implicit(GapCause),
}

/// The kinds of decisions of which `endstep audit` asks, by what could be meant instead.
pub const DECISIONS: [&str; 16] = [
    "rechecked",
    "newcomers",
    "together",
    "one_by_one",
    "first_place",
    "unlimited",
    "stops_at_zero",
    "announced",
    "cancelled",
    "carried",
    "not_itself",
    "still_true",
    "still_there",
    "at_once",
    "waits",
    "discipline",
];

impl Accept {
    /// Whether it is about no finding, but about a decision.
    pub fn is_about_decision(&self) -> bool {
        DECISIONS.contains(&self.code.as_str())
    }
}

/// A finding that is expected, or a decision that is meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Accept {
    /// Its code, or the kind of decision, one of [`DECISIONS`].
    pub code: String,
    /// Clause id, claim, reading, step (`cleanup.destroy`) or gap it is at; `None`: anywhere.
    pub at: Option<String>,
    /// Why.
    pub because: String,
    /// Where it stands.
    pub span: Span,
}
