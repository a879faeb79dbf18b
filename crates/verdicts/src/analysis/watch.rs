//! What is looked at on the way through a graph: claims about intermediate states, and events.

use std::sync::Arc;

use super::halt::Halt;
use crate::verdict::{ClaimFailure, rank};
use endstep_language::syntax::ast::{At, BasisKind, Extreme};
use endstep_language::typing::program::{
    ClaimKind, Expr, GapId, Program, SequenceId, StepId, StmtId, Value,
};
use endstep_semantics::semantics::{Data, Interpreter, Note, Site, Stop, Tag};

/// Something that happened on an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// After so many micro-steps of the edge.
    pub offset: u64,
    /// The weakest basis of what the edge executed until then.
    pub basis: BasisKind,
    /// What happened.
    pub event: Event,
    /// The data there, where they are needed.
    pub data: Option<Arc<Data>>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Two writes, moves or cases compete.
    Conflict(Site),
    /// A gap that goes on is met, by this statement.
    GapMet(GapId, StmtId),
    /// A cancelled pass dropped something that nothing brings back.
    Dropped {
        /// Which sequence.
        sequence: SequenceId,
        /// Steps.
        steps: Vec<StepId>,
        /// Iterations whose elements were dropped.
        iterations: Vec<StmtId>,
    },
    /// An `ensures` failed.
    Ensures(StepId, usize),
    /// A step ended, of those done for each place for this one; whether it changed nothing and asked nothing.
    StepEnded(StepId, Value, bool),
    /// A claim is violated (of `reachable` and `unreachable`: the condition holds; of `largest` and `smallest`: a
    /// value that no state before it on the edge betters).
    Claim(usize, ClaimFailure),
}

impl Event {
    /// The event of a pass that was cancelled, if elements of these iterations are lost with it. The next pass
    /// does its steps again, but need not find the same elements.
    pub fn dropped(sequence: SequenceId, steps: &[StepId], lost: &[StmtId]) -> Option<Self> {
        (!lost.is_empty()).then(|| Self::Dropped {
            sequence,
            steps: steps.to_vec(),
            iterations: lost.to_vec(),
        })
    }
}

/// A claim about states that are no ends.
#[derive(Debug, Clone, Copy)]
pub struct Watch<'p> {
    /// Which claim, by position.
    pub claim: usize,
    what: What<'p>,
}

#[derive(Debug, Clone, Copy)]
enum What<'p> {
    /// True on the board and after every step of the sequence.
    Steps(&'p Expr, SequenceId),
    /// True on the board and after every statement.
    Always(&'p Expr),
    /// Whether it is ever true.
    Ever(&'p Expr),
    /// As on the board, after every statement.
    Constant(&'p Expr),
    /// Which value is the largest or the smallest.
    Extreme(Extreme, &'p Expr),
}

/// The value of a claim's expression, as the interpreter or a packed state has it.
pub trait Evaluated: PartialEq {
    /// Whether it is the value of what is true.
    fn is_true(&self) -> bool;

    /// The number, if it is one.
    fn number(&self) -> Option<i64>;
}

impl Evaluated for Value {
    fn is_true(&self) -> bool {
        *self == Self::Bool(true)
    }

    fn number(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }
}

/// In packed states, truth is a number, too.
impl Evaluated for i64 {
    fn is_true(&self) -> bool {
        *self == 1
    }

    fn number(&self) -> Option<i64> {
        Some(*self)
    }
}

/// The rank of what was noted last for each claim, so that nothing is noted twice.
#[derive(Debug, Default)]
pub struct Noted(Vec<(usize, i64)>);

impl Noted {
    /// Whether there can be anything new about a claim.
    pub fn is_open(&self, watch: Watch<'_>) -> bool {
        matches!(watch.what, What::Extreme(..)) || self.rank(watch).is_none()
    }

    /// Whether what a claim comes to is better than all that was noted for it; then it is noted.
    pub fn betters(&mut self, watch: Watch<'_>, failure: &ClaimFailure) -> bool {
        self.notes(watch, failure, |rank, known| rank < known)
    }

    /// The same if it is as good.
    pub fn equals(&mut self, watch: Watch<'_>, failure: &ClaimFailure) -> bool {
        self.notes(watch, failure, |rank, known| rank <= known)
    }

    fn notes(
        &mut self,
        watch: Watch<'_>,
        failure: &ClaimFailure,
        is_enough: fn(i64, i64) -> bool,
    ) -> bool {
        let rank = watch.rank(failure);
        let mut noted = self.0.iter_mut();
        match noted.find(|(claim, _)| *claim == watch.claim) {
            Some((_, known)) if !is_enough(rank, *known) => return false,
            Some((_, known)) => *known = rank,
            None => self.0.push((watch.claim, rank)),
        }
        true
    }

    fn rank(&self, watch: Watch<'_>) -> Option<i64> {
        let mut noted = self.0.iter();
        let known = noted.find(|(claim, _)| *claim == watch.claim);
        known.map(|(_, rank)| *rank)
    }
}

impl<'p> Watch<'p> {
    /// What is to be looked at for a claim, if it speaks of intermediate states.
    pub fn of(program: &'p Program, claim: usize) -> Option<Self> {
        let what = match &program.claims.get(claim)?.kind {
            ClaimKind::Invariant(e, At::Steps, sequence) => What::Steps(e, *sequence),
            ClaimKind::Invariant(e, At::Throughout, _) => What::Always(e),
            ClaimKind::Reachable(_, e, _) => What::Ever(e),
            ClaimKind::Conserves(e, _) => What::Constant(e),
            ClaimKind::ExtremeIn(extreme, e, _) => What::Extreme(*extreme, e),
            ClaimKind::Invariant(_, At::End, _)
            | ClaimKind::Must(..)
            | ClaimKind::ReachableAfter(..)
            | ClaimKind::ExtremeAfter(..)
            | ClaimKind::OrderIrrelevant(..)
            | ClaimKind::Equivalent(..)
            | ClaimKind::Terminates(..)
            | ClaimKind::Idempotent(..) => return None,
        };
        Some(Self { claim, what })
    }

    /// Whether it compares a state with the board.
    pub fn looks_back(self) -> bool {
        matches!(self.what, What::Constant(_))
    }

    /// Whether it is looked at where steps end, and not in every state.
    pub fn after_steps(self) -> bool {
        matches!(self.what, What::Steps(..))
    }

    /// Whether it is looked at in a state to which a micro-step led, with these notes; `settled`: no
    /// statement is half done there.
    pub fn is_due(self, program: &Program, notes: &[Note], settled: bool) -> bool {
        match self.what {
            What::Steps(_, sequence) => notes.iter().any(|note| {
                matches!(note, Note::StepEnded(step, _) if program.steps[*step].sequence == sequence)
            }),
            What::Always(_) | What::Ever(_) | What::Constant(_) | What::Extreme(..) => settled,
        }
    }

    /// How good what it comes to is, beside others: the lower the better.
    fn rank(self, failure: &ClaimFailure) -> i64 {
        match (self.what, failure) {
            (What::Extreme(extreme, _), ClaimFailure::Takes(value)) => rank(extreme, *value),
            _ => 0,
        }
    }

    /// What is wrong where its expression has the value `now`, and had `then` on the board.
    pub fn judge<T: Evaluated>(
        self,
        now: Result<T, Stop>,
        then: impl FnOnce() -> Result<T, Stop>,
    ) -> Result<Option<ClaimFailure>, Halt> {
        let is_true = |now: Result<T, Stop>| failure(now.map(|value| value.is_true()));
        match self.what {
            What::Steps(..) | What::Always(_) => is_true(now),
            What::Ever(_) => Ok(match is_true(now)? {
                None => Some(ClaimFailure::Reached),
                Some(_) => None,
            }),
            What::Constant(_) => match (now, then()) {
                (Err(Stop::Consult(reading)), _) | (_, Err(Stop::Consult(reading))) => {
                    Err(Halt::Consult(reading))
                }
                (Err(Stop::Tag(Tag::Limit(_))), _) | (_, Err(Stop::Tag(Tag::Limit(_)))) => {
                    Err(Halt::Evaluation)
                }
                (Ok(now), Ok(then)) if now == then => Ok(None),
                (Err(Stop::Tag(now)), Err(Stop::Tag(then))) if now == then => Ok(None),
                _ => Ok(Some(ClaimFailure::Condition)),
            },
            What::Extreme(..) => Ok(taken(now)?.map(ClaimFailure::Takes)),
        }
    }

    /// What is wrong on the board.
    pub fn on_board(self, it: Interpreter<'_>, board: &Data) -> Result<Option<ClaimFailure>, Halt> {
        self.on(it, board, board)
    }

    /// What is wrong in a state in which it is due.
    pub fn on(
        self,
        it: Interpreter<'_>,
        board: &Data,
        data: &Data,
    ) -> Result<Option<ClaimFailure>, Halt> {
        let (What::Steps(e, _)
        | What::Always(e)
        | What::Ever(e)
        | What::Constant(e)
        | What::Extreme(_, e)) = self.what;
        let value = |data| it.value(e, data, Some(board));
        self.judge(value(data), || value(board))
    }
}

/// Why a condition does not hold on data, if it does not; `old` are those of the board.
pub fn fails(
    it: Interpreter<'_>,
    condition: &Expr,
    data: &Data,
    board: &Data,
) -> Result<Option<ClaimFailure>, Halt> {
    failure(it.condition(condition, data, Some(board)))
}

/// The number that an expression is, if it has a value.
pub fn taken<T: Evaluated>(value: Result<T, Stop>) -> Result<Option<i64>, Halt> {
    match value {
        Ok(value) => Ok(value.number()),
        Err(Stop::Consult(reading)) => Err(Halt::Consult(reading)),
        Err(Stop::Tag(Tag::Limit(_))) => Err(Halt::Evaluation),
        Err(Stop::Tag(_)) => Ok(None),
    }
}

/// What is wrong with a condition that has a value, or none.
fn failure(held: Result<bool, Stop>) -> Result<Option<ClaimFailure>, Halt> {
    match held {
        Ok(true) => Ok(None),
        Ok(false) => Ok(Some(ClaimFailure::Condition)),
        Err(Stop::Consult(reading)) => Err(Halt::Consult(reading)),
        Err(Stop::Tag(Tag::Gap(gap))) => Ok(Some(ClaimFailure::Gap(gap))),
        Err(Stop::Tag(Tag::Limit(_))) => Err(Halt::Evaluation),
        Err(Stop::Tag(_)) => Ok(Some(ClaimFailure::Condition)),
    }
}
