//! Demands on the outcomes of a board: which there are, and whether an outcome meets them.
//!
//! ```text
//! board [wolf 0]      it ends with wolf in play       at_rest is met, none_lost is met not
//!                     it ends with wolf discarded     none_lost is met, at_rest is met not
//! ```
//!
//! *Guarantees.* All runs from the board are visited with the interpreter alone. Runs that stop because
//! the document says nothing, and runs that never end, have no outcome (`docs/semantics.md`, 9.1).

use std::collections::BTreeSet;

use super::error::ReplayError;
use super::observe::Lens;
use super::play::interpreter;
use super::region::{Region, outcome};
use super::run::{Demands, Root, Run, RunEnd, Side, Violated, Way};
use crate::semantics::{Ended, Interpreter, Stop, Tag};
use endstep_language::syntax::ast::At;
use endstep_language::typing::program::{ClaimKind, Expr, ObserverId, Program, SequenceId};

/// Whether a claim, by position, demands anything of the outcomes of its sequence.
pub fn is_demand(program: &Program, claim: usize) -> bool {
    program.claims.get(claim).is_some_and(|claim| {
        !claim.question && matches!(claim.kind, ClaimKind::Must(..) | ClaimKind::Invariant(..))
    })
}

/// What is demanded of ends of a sequence with a tag, if anything.
fn condition<'p>(
    program: &'p Program,
    sequence: SequenceId,
    (demand, tag): (&Violated, &Tag),
) -> Option<&'p Expr> {
    let is_end = *tag == Tag::End;
    match demand {
        Violated::Legal(at) if is_end => Some(&program.legals.get(*at)?.condition),
        Violated::Contract(of, at) if is_end && *of == sequence => {
            program.sequences[*of].contract.as_ref()?.ensures.get(*at)
        }
        Violated::Claim(at) if tag.is_outcome() && is_demand(program, *at) => {
            let kind = &program.claims[*at].kind;
            match kind {
                _ if kind.sequence() != sequence => None,
                ClaimKind::Must(e, ..) => Some(e),
                ClaimKind::Invariant(e, At::Steps | At::Throughout, _) => Some(e),
                ClaimKind::Invariant(e, At::End, _) if is_end => Some(e),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What is demanded of the runs of one board.
struct Claimed<'a> {
    program: &'a Program,
    it: Interpreter<'a>,
    run: &'a Run,
    sequence: SequenceId,
}

impl<'a> Claimed<'a> {
    fn of(program: &'a Program, run: &'a Run) -> Result<Self, ReplayError> {
        match &run.root {
            Root::Sequence(sequence, args) if args.is_empty() => Ok(Self {
                program,
                it: interpreter(program, run),
                run,
                sequence: *sequence,
            }),
            _ => Err(ReplayError::NoDemand),
        }
    }

    fn holds(&self, condition: &Expr, data: &crate::semantics::Data) -> Result<bool, ReplayError> {
        match self.it.condition(condition, data, Some(&self.run.board)) {
            Ok(holds) => Ok(holds),
            Err(Stop::Tag(Tag::Limit(_))) => Err(ReplayError::TooCostly),
            Err(Stop::Tag(_)) => Ok(false),
            Err(Stop::Consult(reading)) => Err(ReplayError::ReadingNotFixed(reading)),
        }
    }

    /// Whether the board is one on which something is demanded.
    fn is_demanded(&self, demand: &Violated) -> Result<bool, ReplayError> {
        if condition(self.program, self.sequence, (demand, &Tag::End)).is_none() {
            return Ok(false);
        }
        match demand {
            Violated::Claim(at) => match &self.program.claims[*at].kind {
                ClaimKind::Must(_, _, Some(only)) => self.holds(only, &self.run.board),
                _ => Ok(true),
            },
            _ => {
                let mut verified = self.program.verifies.iter();
                Ok(verified.any(|one| one.sequence == self.sequence))
            }
        }
    }

    /// Which of some demands are not met at an end, by position.
    fn broken(&self, core: &[Violated], ended: &Ended) -> Result<Vec<usize>, ReplayError> {
        let mut broken = Vec::new();
        for (at, demand) in core.iter().enumerate() {
            let condition = condition(self.program, self.sequence, (demand, &ended.tag));
            if let Some(condition) = condition
                && !self.holds(condition, &ended.data)?
            {
                broken.push(at);
            }
        }
        Ok(broken)
    }
}

/// Gets an outcome, and which of some demands are not met there.
type Visit<'v> = &'v mut dyn FnMut(Interpreter<'_>, &Ended, Vec<usize>) -> Result<(), ReplayError>;

/// Calls `visit` with each outcome of the runs that start as one does, and which of some demands are
/// not met there.
fn each_outcome(
    program: &Program,
    (run, core): (&Run, &[Violated]),
    visit: Visit<'_>,
) -> Result<(), ReplayError> {
    let court = Claimed::of(program, run)?;
    for demand in core {
        if !court.is_demanded(demand)? {
            return Err(ReplayError::NoDemand);
        }
    }
    let region = Region::of_side(program, run, &Side::default())?;
    for ended in region.ends() {
        if matches!(ended.tag, Tag::Limit(_)) {
            return Err(ReplayError::GivenUp);
        }
        if ended.tag.is_outcome() {
            visit(court.it, ended, court.broken(core, ended)?)?;
        }
    }
    Ok(())
}

/// All ways in which runs that start as one does can end, with which of some demands are not met.
pub fn ways(
    program: &Program,
    run: &Run,
    (core, observer): (&[Violated], Option<ObserverId>),
) -> Result<Vec<Way>, ReplayError> {
    let lens = Lens::new(program, observer);
    let mut found = BTreeSet::new();
    each_outcome(program, (run, core), &mut |it, ended, broken| {
        found.insert((outcome(it, &lens, run, ended)?, broken));
        Ok(())
    })?;
    Ok(found.into_iter().collect())
}

/// Checks that no outcome of the board of a run meets a demand.
pub(super) fn replay_everywhere(
    program: &Program,
    run: &Run,
    demand: &Violated,
) -> Result<(), ReplayError> {
    let core = std::slice::from_ref(demand);
    each_outcome(
        program,
        (run, core),
        &mut |_, _, broken| match broken.is_empty() {
            true => Err(ReplayError::AllMet),
            false => Ok(()),
        },
    )
}

/// Checks what is said of demands; that its runs end as they say is for others to check.
pub(super) fn replay(program: &Program, demands: &Demands) -> Result<(), ReplayError> {
    let first = demands.runs.first().ok_or(ReplayError::NoDemand)?;
    if demands.runs.len() != demands.core.len() {
        return Err(ReplayError::NoDemand);
    }
    let found = ways(program, first, (&demands.core, demands.observer))?;
    if found.iter().any(|(_, broken)| broken.is_empty()) {
        return Err(ReplayError::AllMet);
    }
    if found != demands.ways {
        return Err(ReplayError::OtherOutcomes);
    }
    let court = Claimed::of(program, first)?;
    for (at, run) in demands.runs.iter().enumerate() {
        let starts_there = (&run.root, &run.board, &run.readings, &run.variant)
            == (&first.root, &first.board, &first.readings, &first.variant);
        if !starts_there {
            return Err(ReplayError::OtherSide);
        }
        let RunEnd::Ended(ended) = &run.end else {
            return Err(ReplayError::EndsOtherwise);
        };
        if court.broken(&demands.core, ended)? != [at] {
            return Err(ReplayError::OtherDemand);
        }
    }
    Ok(())
}
