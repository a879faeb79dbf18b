//! Whether two versions of a program come to the same from every board.
//!
//! Both must have the same declarations, so that a board, a reading and an outcome mean the same in the one
//! and in the other; only what is done may differ:
//!
//! ```text
//! board [wolf 0, owl 1]    V = {end {owl}}    V' = {end {owl}}
//! board [wolf 0, owl 0]    V = {end {}}       V' = {end {wolf}, end {}}     apart
//! ```
//!
//! *Guarantees.* [`Apart::Nowhere`] only if every run of both was visited, from every legal board up to the
//! sizes and under every reading that either consults and nobody fixed, and the outcome sets are equal, as far as the
//! observer of the job sees. The first board that is found is a smallest one.

use std::ops::ControlFlow;

use super::boards::Boards;
use super::engine::Engine;
use super::halt::Halt;
use super::job::Job;
use super::options::Options;
use super::readings::under_each;
use super::setup::Setup;
use super::sieve::{Sieve, Told};
use super::values::{Outcomes, Set};
use endstep_language::typing::program::{Concern, Program};
use endstep_semantics::semantics::{Data, Readings, Spot};

/// Where two versions come to different ends.
#[derive(Debug, Clone, PartialEq)]
pub enum Apart {
    /// On none of so many legal boards.
    Nowhere(u64),
    /// On this board, under these readings.
    On(Box<Data>, Readings, Contrast),
    /// It cannot be said.
    Unknown(Unsaid),
}

/// How two versions differ on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contrast {
    /// Runs can end otherwise.
    Ends,
    /// The board is legal, and one of those that are explored, in the first version only.
    FirstOnly,
    /// The same of the second version.
    SecondOnly,
}

/// Why it cannot be said whether two versions come to the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsaid {
    /// There are too many boards, states, steps or assignments of readings.
    Large,
    /// Runs leave the bounds of exploration.
    Bounds,
    /// Something has no value within the limits, or has too many created entities to be compared.
    Evaluation,
    /// There is no legal board.
    NoBoard,
}

/// A version with the engine that visits its runs.
pub type Version<'a> = (&'a Program, &'a dyn Engine);

/// Compares two versions from the boards of a job. Limits, sizes, fields and readings are those of the
/// options.
pub fn apart(versions: [Version<'_>; 2], job: &Job, options: &Options) -> Apart {
    let job = Job {
        claims: Vec::new(),
        also: Vec::new(),
        ..job.clone()
    };
    let benches = versions.map(|version| Setup::new(version, &job, options.limits, Vec::new()));
    let [one, _] = &benches;
    let boards = Boards::new(one.program, &job.sizes, options);
    let [concern, of_other] = versions.map(|(program, _)| Concern::of(program, job.sequence));
    let boards = match options.every_value {
        true => boards,
        false => boards.about(concern.and(one.program, &of_other.named(benches[1].program))),
    };
    let mut pair = Pair {
        benches: &benches,
        fixed: &options.readings,
        left: options.limits.steps,
        candidates: options.limits.candidates,
        legal: 0,
        left_bounds: false,
    };
    let mut found = Apart::Unknown(Unsaid::Large);
    let sieves = |dealt: &Data| -> Option<Box<dyn Sieve + '_>> {
        let [one, other] =
            versions.map(|(_, engine)| engine.sieve(dealt, &options.readings, job.verify()));
        Some(Box::new(Both(one?, other?)))
    };
    let flow = boards.each(&sieves, &mut |_, board| {
        let Some(left) = pair.candidates.checked_sub(1) else {
            return ControlFlow::Break(());
        };
        pair.candidates = left;
        match pair.on(board) {
            Ok(None) => ControlFlow::Continue(()),
            Ok(Some((readings, contrast))) => {
                found = Apart::On(Box::new(board.clone()), readings, contrast);
                ControlFlow::Break(())
            }
            Err(halt) => {
                found = Apart::Unknown(pair.unsaid(halt));
                ControlFlow::Break(())
            }
        }
    });
    match flow {
        ControlFlow::Continue(_) if !boards.gave_up() => Apart::Nowhere(pair.legal),
        _ => found,
    }
}

/// Refutes what both refute.
struct Both<'a>(Box<dyn Sieve + 'a>, Box<dyn Sieve + 'a>);

impl Sieve for Both<'_> {
    fn conditions(&self) -> usize {
        1
    }

    fn judge(&self, board: &Data, _: &dyn Fn(usize) -> bool, told: Told<'_>) {
        let mut first: Vec<Vec<Spot>> = Vec::new();
        let all = |_| true;
        self.0.judge(board, &all, &mut |_, is_refuted, read| {
            first.extend(is_refuted.then(|| read.to_vec()));
            false
        });
        if first.is_empty() {
            return;
        }
        // A board with the same values where a condition of either was read is refuted by both.
        self.1.judge(board, &all, &mut |_, is_refuted, read| {
            let mut first = first.iter();
            is_refuted && first.any(|one| told(0, true, &[one, read].concat()))
        });
    }
}

/// What two versions are on a board under readings.
#[derive(PartialEq)]
enum Under {
    /// Neither looks at the board.
    Illegal,
    Same,
    Apart(Contrast),
}

struct Pair<'a> {
    benches: &'a [Setup<'a>; 2],
    /// Readings that are fixed from the beginning.
    fixed: &'a Readings,
    /// Micro-steps.
    left: u64,
    /// Boards, legal or not.
    candidates: u64,
    legal: u64,
    /// Whether some run left the bounds of exploration.
    left_bounds: bool,
}

impl Pair<'_> {
    /// Why nothing is said, if that stopped it.
    fn unsaid(&self, halt: Halt) -> Unsaid {
        match halt {
            _ if self.left_bounds => Unsaid::Bounds,
            Halt::Created | Halt::Evaluation => Unsaid::Evaluation,
            Halt::Consult(_) | Halt::States | Halt::Memory | Halt::Readings | Halt::Steps => {
                Unsaid::Large
            }
        }
    }

    /// The readings under which the versions differ, if there are any, and how.
    fn on(&mut self, board: &Data) -> Result<Option<(Readings, Contrast)>, Halt> {
        let program = self.benches[0].program;
        let most = self.benches[0].limits.readings;
        let (mut is_legal, mut differ) = (false, None);
        let fixed = self.fixed;
        let flow = under_each((program, fixed), most, &mut |readings| {
            let under = self.under(board, readings)?;
            is_legal |= under == Under::Same;
            let Under::Apart(contrast) = under else {
                return Ok(ControlFlow::Continue(()));
            };
            differ = Some((readings.clone(), contrast));
            Ok(ControlFlow::Break(()))
        })?;
        if flow.is_break() {
            return Ok(differ);
        }
        self.legal += u64::from(is_legal);
        Ok(None)
    }

    fn under(&mut self, board: &Data, readings: &Readings) -> Result<Under, Halt> {
        let [one, other] = self.benches;
        let legal = |setup: &Setup<'_>| setup.takes((board, readings));
        match (legal(one)?, legal(other)?) {
            (false, false) => return Ok(Under::Illegal),
            (true, false) => return Ok(Under::Apart(Contrast::FirstOnly)),
            (false, true) => return Ok(Under::Apart(Contrast::SecondOnly)),
            (true, true) => {}
        }
        let mut outcomes = Outcomes::default();
        let first = self.possible(one, (board, readings), &mut outcomes)?;
        let second = self.possible(other, (board, readings), &mut outcomes)?;
        Ok(match first == second {
            true => Under::Same,
            false => Under::Apart(Contrast::Ends),
        })
    }

    fn possible(
        &mut self,
        setup: &Setup<'_>,
        (board, readings): (&Data, &Readings),
        outcomes: &mut Outcomes,
    ) -> Result<Set, Halt> {
        let graph = setup.whole((board, readings), &mut self.left)?;
        if graph.is_limited() {
            self.left_bounds = true;
            return Err(Halt::Evaluation);
        }
        let values = setup.engine.values(&graph, setup.viewer(0), outcomes)?;
        Ok(values.set(0).clone())
    }
}
