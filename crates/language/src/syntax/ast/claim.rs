//! What is asked about a specification: observers, roots, claims, boards and worked examples.

use endstep_walk::Walk;

use super::walk::{Visit, VisitMut, Walk};
use super::{
    Binder, ClauseId, Comment, Expr, Extreme, ListPolicy, Loc, Name, OutcomeWord, Text, Trivia,
    Whom,
};

/// `observer NAME "why"`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Observer {
    /// The name.
    pub name: Name,
    /// Why this counts.
    pub why: Text,
    /// What it sees.
    pub sights: Vec<(Trivia, Sight)>,
    /// Comments after the last.
    pub tail: Vec<Comment>,
}

/// What an observer sees.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = sight)]
pub enum Sight {
    /// `sees everything`
    Everything,
    /// `sees Card.health`, `sees board`, `sees round`
    Sees(Expr),
    /// `sees board as a set`
    SeesAsSet(Expr),
    /// `sees c in board by c.kind`, `sees c in board by c.kind as a set`: of each only this.
    SeesBy {
        /// Of what.
        binder: Box<Binder>,
        /// What is seen of each of them.
        by: Expr,
        /// Not in which order they lie.
        as_set: bool,
    },
    /// `ignores Card.health`
    Ignores(Expr),
}

/// `verify SEQUENCE …`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Verify {
    /// The sequence.
    pub sequence: Name,
    /// `observing O`
    pub observer: Option<Name>,
    /// `up to Card = 2, Player = 2`
    pub sizes: Vec<(Name, i64)>,
    /// `with S by contract`
    pub contracts: Vec<Name>,
    /// `where E`
    pub condition: Option<Expr>,
}

/// `experiment NAME: SEQUENCE but CHANGE, …`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Experiment {
    /// The name.
    pub name: Name,
    /// The sequence as it is written.
    pub of: Name,
    /// What is changed, one after the other.
    pub alterations: Vec<(Alteration, Loc)>,
}

/// What an experiment changes of a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = alteration)]
pub enum Alteration {
    /// `steps in any order`
    Steps(ListPolicy),
    /// `without STEP`
    Without(Name),
    /// `STEP first`, `STEP last`
    ToEnd {
        /// Which step.
        step: Name,
        /// `last`
        last: bool,
    },
    /// `STEP before STEP`, `STEP after STEP`
    Beside {
        /// Which step.
        step: Name,
        /// `after`
        after: bool,
        /// Which other.
        other: Name,
    },
    /// `never restarting`
    NeverRestarting,
    /// `EXPERIMENT for SEQUENCE`
    For {
        /// What is performed.
        experiment: Name,
        /// What is not.
        sequence: Name,
    },
}

/// `SEQUENCE` or `SEQUENCE.STEP`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct StepRef {
    /// The sequence.
    pub sequence: Name,
    /// The step.
    pub step: Option<Name>,
}

/// `claim NAME: …` (the document says so) or `question NAME: …` (the author asks).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Claim {
    /// `question`
    pub question: bool,
    /// The name.
    pub name: Name,
    /// What is claimed.
    pub kind: ClaimKind,
    /// `observing O`
    pub observer: Option<Name>,
    /// `on B`, a board that the file writes down
    pub on: Option<Name>,
}

/// The forms of claims.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = claim)]
pub enum ClaimKind {
    /// What the parser could not understand.
    Error,
    /// `order irrelevant in S[.STEP]`
    OrderIrrelevant(StepRef),
    /// `equivalent A, B [where e]`
    Equivalent(Name, Name, Option<Expr>),
    /// `terminates S [where e]`
    Terminates(Name, Option<Expr>),
    /// `invariant e at the end of S`, `at every step of S`, `throughout S`
    Invariant(Expr, At, Name),
    /// `must e after S [where e]`
    Must(Expr, Name, Option<Expr>),
    /// `reachable e in S`, `unreachable e in S`
    Reachable(bool, Expr, Name),
    /// `reachable e after S [where e]`
    ReachableAfter(Expr, Name, Option<Expr>),
    /// `largest e in S`, `smallest e in S`
    ExtremeIn(Extreme, Expr, Name),
    /// `largest e after S [where e]`, `smallest e after S [where e]`
    ExtremeAfter(Extreme, Expr, Name, Option<Expr>),
    /// `conserves e in S`
    Conserves(Expr, Name),
    /// `idempotent S[.STEP]`
    Idempotent(StepRef),
}

/// Where an invariant holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Walk)]
pub enum At {
    /// When the sequence ends.
    End,
    /// At the start, after every step, and at the end.
    Steps,
    /// After every statement.
    Throughout,
}

/// `board NAME`, `board NAME like NAME`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct BoardItem {
    /// The name.
    pub name: Name,
    /// The board of which it has all that its own lines do not say otherwise.
    pub like: Option<Name>,
    /// Its lines.
    pub lines: Vec<(Trivia, BoardLine)>,
    /// Comments after the last.
    pub tail: Vec<Comment>,
}

/// One line of a board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = board_line)]
pub enum BoardLine {
    /// What the parser could not understand.
    Error,
    /// `Card wolf, owl [in board(ann)] [with health = 0, …]`
    Entities {
        /// The sort.
        sort: Name,
        /// Their names.
        names: Vec<Name>,
        /// Where they lie, in this order.
        zone: Option<Expr>,
        /// Fields other than the default.
        with: Vec<(Name, Expr)>,
    },
    /// `active = ann`
    Var(Name, Expr),
}

/// `example NAME`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Example {
    /// The name.
    pub name: Name,
    /// Its lines.
    pub lines: Vec<(Trivia, ExampleLine)>,
    /// Comments after the last.
    pub tail: Vec<Comment>,
}

/// One line of an example.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = example_line)]
pub enum ExampleLine {
    /// What the parser could not understand.
    Error,
    /// `on BOARD`
    On(Name),
    /// `given` with board lines under it.
    Given(Vec<(Trivia, BoardLine)>, Vec<Comment>),
    /// `perform S(args)`
    Perform(Name, Vec<Expr>),
    /// `reading r is alternative`
    Reading(Name, Name),
    /// `choose "option"`: taken at the first choice point that offers it.
    Choose(Text),
    /// `after STEP expect e`: at the first end of that step since the line before.
    After(StepRef, Expr),
    /// `expect e`, `expect possible e`: of every outcome, or of some.
    Expect {
        /// Of some.
        possible: bool,
        /// What holds at the end.
        condition: Expr,
    },
    /// `expect outcome win for p`, and where that stands.
    ExpectOutcome(OutcomeWord, Option<Whom>, Loc),
    /// `expect gap g`, `expect possible gap "empty zone"`: in which gap every run stops, or some run.
    ExpectGap {
        /// Some.
        possible: bool,
        /// Which.
        gap: ExpectedGap,
    },
}

/// A gap in which a run is expected to stop.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub enum ExpectedGap {
    /// One that has a name.
    Named(Name),
    /// Any that has none, of a kind.
    Kind(Text),
}

/// `accept CODE [at NAME] because "…"`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Accept {
    /// The finding's code.
    pub code: Name,
    /// A clause, claim, step or reading.
    pub at: Option<ClauseId>,
    /// Why.
    pub because: Text,
}
