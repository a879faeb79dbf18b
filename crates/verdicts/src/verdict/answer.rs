//! What is known about a claim, a question, an example, or something the document leaves open.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

use super::Certificate;
use super::under::Under;
use endstep_language::source::Span;
use endstep_language::syntax::ast::Extreme;
use endstep_language::typing::program::{
    BoardId, ClauseIdx, FieldId, Program, QueueId, ReadingId, SequenceId, SortId, StepId, StmtId,
    TriggerId, Value, VarId, Verify,
};
use endstep_semantics::semantics::{Limit, Readings, Site, Spot};
use endstep_semantics::witness::Witness;

/// What is known, and how well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// True of every legal board up to the sizes of the scope, and of every run.
    HoldsInScope,
    /// False, with a witness that was replayed.
    Refuted,
    /// Of "there is a run such that": there is, with a witness that was replayed.
    Shown,
    /// Of "there is a run such that": there is none from any legal board in scope.
    NoneInScope,
    /// Some limit was met before it could be said.
    Unknown(Vec<Limitation>),
}

/// Why something is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Limitation {
    /// More boards than the limit.
    Boards(u64),
    /// More boards looked at in search of legal ones than the limit.
    Candidates(u64),
    /// A board from which more states than the limit can be reached (how many such boards).
    States {
        /// The limit.
        limit: u64,
        /// How many boards met it.
        boards: u64,
    },
    /// More steps in all than the limit.
    Steps(u64),
    /// So many boards had runs that were given up: at the bounds of exploration, or because something became too large.
    Bounds(u64),
    /// On so many boards something could not be evaluated within the limits.
    Evaluation(u64),
    /// More created entities in one outcome than can be compared up to renaming.
    Created(u64),
    /// On so many boards what nobody asked for was given up.
    Unasked(u64),
    /// So many boards from which states that take too much memory can be reached.
    Memory(u64),
    /// Boards on which it is not known what a second time does.
    Again(u64),
    /// Boards on which it is not known what the other sequence of a claim does.
    Compared(u64),
    /// So many boards from which runs consult more assignments of readings than the limit.
    Readings {
        /// The limit.
        limit: u64,
        /// How many boards met it.
        boards: u64,
    },
    /// There is no legal board up to the sizes explored.
    NoBoard,
    /// The board of which it is asked is not legal.
    NotLegal,
    /// It is not legal under the readings that were looked at; others were left out.
    NotLegalAsRead,
    /// Somebody would not wait for the rest.
    Interrupted,
    /// So many findings were withheld because their witnesses do not replay: a fault of Endstep.
    Unshown(u64),
    /// No board was looked at under two ways to read a sentence and otherwise the same.
    Uncompared,
}

impl Limitation {
    /// Whether there was no legal board to look at.
    pub fn is_of_no_board(&self) -> bool {
        matches!(self, Self::NoBoard | Self::NotLegal | Self::NotLegalAsRead)
    }

    /// The same limit on the boards of both, if it is one; no board is among both.
    pub fn and(&self, other: &Self) -> Option<Self> {
        use Limitation::{
            Again, Bounds, Compared, Created, Evaluation, Memory, Readings, States, Unasked,
        };
        Some(match (self, other) {
            (Bounds(a), Bounds(b)) => Bounds(a + b),
            (Evaluation(a), Evaluation(b)) => Evaluation(a + b),
            (Created(a), Created(b)) => Created(a + b),
            (Unasked(a), Unasked(b)) => Unasked(a + b),
            (Memory(a), Memory(b)) => Memory(a + b),
            (Again(a), Again(b)) => Again(a + b),
            (Compared(a), Compared(b)) => Compared(a + b),
            (States { limit, boards }, States { boards: b, .. }) => States {
                limit: *limit,
                boards: boards + b,
            },
            (Readings { limit, boards }, Readings { boards: b, .. }) => Readings {
                limit: *limit,
                boards: boards + b,
            },
            (one, same) if one == same => one.clone(),
            // Limits of different kinds.
            _ => return None,
        })
    }
}

impl Scope {
    /// Whether boards were not looked at at all.
    pub fn leaves_boards_out(&self) -> bool {
        let mut limitations = self.limitations.iter();
        limitations.any(|one| matches!(one, Limitation::Boards(_) | Limitation::Candidates(_)))
    }

    /// Of the board of an example, but for how much was explored.
    pub fn of_example(index: usize, fixed: Readings, limitations: BTreeSet<Limitation>) -> Self {
        Self {
            subject: ScopeOf::Example(index),
            partial: !fixed.is_empty(),
            fixed,
            values: Vec::new(),
            sizes: Vec::new(),
            boards: 1,
            legal: 0,
            states: 0,
            steps: 0,
            readings: 0,
            limited: u64::from(limitations.contains(&Limitation::Bounds(1))),
            given_up: BTreeMap::new(),
            left: BTreeSet::new(),
            limitations: limitations.into_iter().collect(),
            restricted: 0,
            uncompared: Vec::new(),
            written: 0,
            unvisited: 0,
        }
    }

    /// On how many legal boards two alternatives of a reading were not compared throughout.
    pub fn uncompared(&self, reading: ReadingId, two: (u16, u16)) -> u64 {
        self.of_two(reading, two).map_or(0, |it| it.boards)
    }

    /// On how many of them not at all.
    pub fn never_compared(&self, reading: ReadingId, two: (u16, u16)) -> u64 {
        self.of_two(reading, two).map_or(0, |it| it.never)
    }

    fn of_two(&self, reading: ReadingId, (one, other): (u16, u16)) -> Option<&Uncompared> {
        let two = (one.min(other), one.max(other));
        let mut all = self.uncompared.iter();
        all.find(|it| it.reading == reading && (it.first, it.second) == two)
    }

    /// Whether all that was asked of it was looked at.
    pub fn is_complete(&self) -> bool {
        let mut given_up = self.given_up.keys();
        let asked = |extra: &Extra| matches!(extra, Extra::Again(_) | Extra::Compared(_));
        self.limitations.is_empty() && !given_up.any(asked)
    }

    /// Whether there is nothing more to be looked at: all was, or there is no board.
    pub fn is_exhausted(&self) -> bool {
        self.is_complete() || self.has_no_board()
    }

    /// Whether there is no legal board to look at.
    pub fn has_no_board(&self) -> bool {
        matches!(self.limitations.as_slice(), [one] if one.is_of_no_board())
    }
}

/// A test that nobody asks for, and from which notes come. Each has limits of its own: if it meets them it
/// is given up, and nothing that was asked depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Extra {
    /// Which of several demands contradict each other.
    Demands,
    /// What another order than the fixed one of an iteration would do.
    Position(StmtId),
    /// Whether anything is different without a step.
    Idle(StepId),
    /// Whether a step changes something if it is done again.
    Recheck(StepId),
    /// What a sequence or step that is claimed to be idempotent does the second time; the claim, by position.
    Again(usize),
    /// What the other sequence of a claim that two are equivalent does; the claim, by position.
    Compared(usize),
}

/// Why something that holds was never put to the test, or hardly. In the order in which it is looked at:
/// whoever passes the one meets the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Untested {
    /// No legal board meets its condition.
    NoBoard,
    /// No run comes to an end of which it speaks.
    NoEnd,
    /// No run comes to the end of the step.
    NotDone,
    /// There are never two things whose order is open.
    NothingToOrder,
    /// At no end is there anything of which it speaks.
    NothingThere,
    /// At every normal end all that the contract lists is as it was at the start.
    NothingChanges,
}

/// Two alternatives of a reading, the first of them first, and on how many legal boards they were not compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncompared {
    /// The reading.
    pub reading: ReadingId,
    /// The one.
    pub first: u16,
    /// The other.
    pub second: u16,
    /// On how many boards not throughout: under some assignment of all other readings the board is legal and explored under one
    /// of the two alone.
    pub boards: u64,
    /// On how many of them not at all.
    pub never: u64,
}

/// What was explored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// From where.
    pub subject: ScopeOf,
    /// The readings that were fixed from outside: runs under other alternatives were left out.
    pub fixed: Readings,
    /// The values of fields to which boards were restricted from outside.
    pub values: Vec<(FieldId, Vec<Value>)>,
    /// Whether boards or readings were left out from outside that the specification asks for: of this scope, or
    /// boards that it writes down.
    pub partial: bool,
    /// Numbers of entities: smallest and largest.
    pub sizes: Vec<(SortId, u32, u32)>,
    /// Ways to make a board that were gone through: legal or not, and some of them one board but for the
    /// numbers of its entities.
    pub boards: u64,
    /// How many of them were legal.
    pub legal: u64,
    /// Distinct states in which something could be chosen, a cycle began anew, or a run ended; of
    /// all boards and readings.
    pub states: u64,
    /// Micro-steps of the interpreter.
    pub steps: u64,
    /// Boards some of whose runs met a limit of exploration; they support no comparison.
    pub limited: u64,
    /// Boards of which not everything could be explored, and why the exploration stopped.
    pub limitations: Vec<Limitation>,
    /// How many assignments of the readings were needed on the board with the most.
    pub readings: u64,
    /// On how many legal boards some readings were left out, under which they are legal and not to be explored.
    pub restricted: u64,
    /// Alternatives that were not compared on all boards.
    pub uncompared: Vec<Uncompared>,
    /// On how many legal boards that the specification writes down its claims were tried as well.
    pub written: u64,
    /// On how many of these the runs are too many to visit, so that not all is known.
    pub unvisited: u64,
    /// What nobody asked for and was given up, and on how many boards.
    pub given_up: BTreeMap<Extra, u64>,
    /// Which limits runs met, on some of the boards.
    pub left: BTreeSet<Bound>,
}

/// A limit of exploration that a run can meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Bound {
    /// The values of a variable that are explored.
    Var(VarId),
    /// The values of a field.
    Field(FieldId),
    /// How many of a sort may be created.
    Created(SortId),
    /// How much may be pending.
    Queue(QueueId),
    /// How many triggers may interrupt each other.
    Interrupts,
    /// How much may be evaluated at once.
    Expressions,
    /// Integers of 64 bits.
    Numbers,
    /// How many values may be chosen from.
    Values,
}

impl Bound {
    /// That of a run that met a limit.
    pub fn of(limit: &Limit) -> Self {
        match *limit {
            Limit::Reach(Spot::Var(var), _) => Self::Var(var),
            Limit::Reach(Spot::Field(_, field), _) => Self::Field(field),
            Limit::Headroom(sort) => Self::Created(sort),
            Limit::Queue(queue) => Self::Queue(queue),
            Limit::Interrupts => Self::Interrupts,
            Limit::Expressions => Self::Expressions,
            Limit::Overflow => Self::Numbers,
            Limit::Values => Self::Values,
        }
    }
}

/// From where an exploration started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ScopeOf {
    /// All legal boards, with the n-th `verify` of the program.
    Verify(usize),
    /// All legal boards, with a sequence that a claim names and that is not under `verify`.
    Sequence(SequenceId),
    /// The board of the n-th example.
    Example(usize),
    /// A board that the specification writes down, with a sequence: of what is asked of it alone.
    On(BoardId, SequenceId),
}

impl ScopeOf {
    /// The sequence that is run; none of an example.
    pub fn sequence(self, program: &Program) -> Option<SequenceId> {
        match self {
            Self::Verify(_) => Some(self.verify(program)?.sequence),
            Self::Sequence(id) | Self::On(_, id) => Some(id),
            Self::Example(_) => None,
        }
    }

    /// The `verify` that asks for it, if one does.
    pub fn verify(self, program: &Program) -> Option<&Verify> {
        match self {
            Self::Verify(at) => program.verifies.get(at),
            Self::Sequence(_) | Self::Example(_) | Self::On(..) => None,
        }
    }

    /// The one board that is looked at, if it is one that the specification writes down.
    pub fn board(self, program: &Program) -> Option<BoardId> {
        match self {
            Self::On(board, _) => Some(board),
            Self::Example(at) => program.examples.get(at).map(|one| one.board),
            Self::Verify(_) | Self::Sequence(_) => None,
        }
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// To what.
    pub subject: Question,
    /// The answer.
    pub verdict: Verdict,
    /// The scopes that were asked, by position: one for each `verify` of the sequence.
    pub scopes: Vec<usize>,
    /// The findings that refute it, or the finding that shows it, by position.
    pub findings: Vec<usize>,
    /// Those of them that nobody wants to see, by position among what is left out.
    pub left_out: Vec<usize>,
    /// Clauses it has to do with.
    pub clauses: Vec<ClauseIdx>,
    /// Where it stands.
    pub span: Span,
    /// Why it holds without ever having been put to the test, if so.
    pub untested: Option<Untested>,
    /// Of `reachable`: the run that shows it; of `largest` and `smallest` the one that comes to the value.
    pub witness: Option<Witness>,
    /// The board of that run is none of a scope: the prover suggested it.
    pub suggested: bool,
    /// Of `largest` and `smallest`: the best value that was found, if there is any. It is the largest or smallest
    /// only beside [`Verdict::Shown`]; beside [`Verdict::Unknown`] another can be better.
    pub best: Option<Best>,
    /// Why it holds for boards of every size, whatever was explored; never beside [`Verdict::Refuted`].
    pub proof: Option<Certificate>,
}

/// The best value that was found where the largest or the smallest is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Best {
    /// The value.
    pub value: i64,
    /// Under which readings it was found on some board.
    pub readings: Under,
    /// Whether it is known that under other readings it is found on no board.
    pub readings_known: bool,
}

impl Best {
    /// Whether it was found under every reading.
    pub fn is_everywhere(&self) -> bool {
        self.readings.is_everywhere()
    }

    /// The same value was found elsewhere.
    fn also_under(&mut self, other: Self) {
        match (&mut self.readings, other.readings) {
            (Under::Listed(mine), Under::Listed(others)) => mine.extend(others),
            (mine, Under::All) => *mine = Under::All,
            (Under::All, _) => {}
        }
        self.readings_known &= other.readings_known;
    }

    /// Whether another value is better.
    pub fn is_worse(&self, extreme: Extreme, value: i64) -> bool {
        rank(extreme, value) < rank(extreme, self.value)
    }
}

/// Values in the order in which they are preferred, where the largest or the smallest is asked for: the lower the
/// better.
pub fn rank(extreme: Extreme, value: i64) -> i64 {
    match extreme {
        // No number is too small to be turned.
        Extreme::Largest => !value,
        Extreme::Smallest => value,
    }
}

impl Answer {
    /// Takes down a value that was found, and the run that comes to it, unless a better one is known. Of two that are
    /// as good the first stays, and is found under the readings of both.
    pub fn take(&mut self, extreme: Option<Extreme>, mut best: Best, witness: Witness) {
        let Some(extreme) = extreme else { return };
        match &mut self.best {
            Some(known) if known.value == best.value => known.also_under(best),
            Some(known) if !known.is_worse(extreme, best.value) => {}
            _ => {
                // Of the boards before, none comes to it.
                best.readings_known &= self.verdict == Verdict::Shown;
                self.best = Some(best);
                self.witness = Some(witness);
            }
        }
    }

    /// Whether a limit kept it from being answered, and it is not proved either.
    pub fn is_open(&self) -> bool {
        self.proof.is_none() && matches!(self.verdict, Verdict::Unknown(_))
    }

    /// Whether it is open only because what nobody asked for was given up.
    pub fn is_unasked(&self) -> bool {
        let unasked = |why: &Limitation| matches!(why, Limitation::Unasked(_));
        matches!(&self.verdict, Verdict::Unknown(why) if why.iter().all(unasked))
    }
}

/// What is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Question {
    /// The n-th claim or question of the author.
    Claim(usize),
    /// The n-th example.
    Example(usize),
    /// Whether the readings of a sentence coincide.
    Reading(SequenceId, ReadingId),
    /// Whether two of three or more alternatives of a reading coincide, the first of them first. Asked where not all do.
    Ways(SequenceId, ReadingId, u16, u16),
    /// Whether the order at a point that the document leaves open is irrelevant.
    Order(SequenceId, Site),
    /// Whether two steps of a list can change places.
    Steps(SequenceId, StepId, StepId),
    /// Whether two triggers that match together, or one that matches twice, can change places.
    Triggers(SequenceId, TriggerId, TriggerId),
    /// Whether the order that the document fixes for an iteration could be any.
    Position(SequenceId, StmtId),
    /// Whether all runs end, but for players' and chance's doing.
    Terminates(SequenceId),
    /// Whether a condition of legality holds again at every normal end.
    Legal(SequenceId, usize),
    /// Whether the sequence keeps its contract.
    Contract(SequenceId),
    /// Whether a gap's values make no difference.
    Gap(SequenceId, StmtId),
}
