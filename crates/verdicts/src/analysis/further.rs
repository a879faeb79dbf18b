//! Whether another version of a program comes to ends to which the program itself never comes.
//!
//! The program is looked at once, board by board; versions of it are then compared on those boards on which what is
//! changed was executed at all:
//!
//! ```text
//! board [wolf 0, owl 1]   executed {destroy, for each}   V = {end {owl}}
//! board [wolf 0, owl 0]   executed {destroy, for each}   V = {end {}}      V' = {end {}, end {owl}}   further
//! ```
//!
//! *Guarantees.* An end is a further one only if every run of the program from that board under those readings was
//! visited, and none comes to it, as far as the observer of the job sees. An end at which the rules are silent, or are
//! broken, is none.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::boards::Boards;
use super::engine::Engine;
use super::halt::Halt;
use super::job::Job;
use super::options::Options;
use super::readings::under_each;
use super::setup::{Runs, Setup, Start};
use super::values::Outcomes;
use crate::verdict::Coverage;
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::{Data, Readings};
use endstep_semantics::witness::Outcome;

/// A board under readings, with all that can come of it.
#[derive(Debug, Clone)]
pub struct Visited {
    /// The board.
    pub board: Arc<Data>,
    /// The readings that some run consults.
    pub readings: Readings,
    /// What was executed.
    pub coverage: Coverage,
    /// How runs end.
    pub ends: BTreeSet<Outcome>,
}

/// Visits the boards of a job, smallest first, each under all readings; whether that was all of them. Boards of which
/// not every run can be visited are left out.
pub fn each_visited(
    (program, engine): (&Program, &dyn Engine),
    job: &Job,
    options: &Options,
    visit: &mut dyn FnMut(Visited),
) -> bool {
    let setup = Setup::new((program, engine), job, options.limits, Vec::new());
    let boards = Boards::of(program, job, options);
    let mut left = options.limits.steps;
    let mut candidates = options.limits.candidates;
    let mut is_all = true;
    let sieves = |dealt: &Data| engine.sieve(dealt, &options.readings, job.verify());
    let most = options.limits.readings;
    let flow = boards.each(&sieves, &mut |_, board| {
        let Some(fewer) = candidates.checked_sub(1) else {
            return ControlFlow::Break(());
        };
        candidates = fewer;
        if options.stop.is_wanted() {
            return ControlFlow::Break(());
        }
        let board = Arc::new(board.clone());
        let mut look = |readings: &Readings| {
            if !setup.takes((&board, readings))? {
                return Ok(ControlFlow::Continue(()));
            }
            let (ends, coverage) = come_to(&setup, (&board, readings), &mut left)?;
            visit(Visited {
                board: Arc::clone(&board),
                readings: readings.clone(),
                coverage,
                ends,
            });
            Ok(ControlFlow::Continue(()))
        };
        match under_each((program, &options.readings), most, &mut look) {
            Ok(_) => ControlFlow::Continue(()),
            Err(halt) => {
                is_all = false;
                match halt {
                    Halt::Steps => ControlFlow::Break(()),
                    Halt::Consult(_)
                    | Halt::States
                    | Halt::Memory
                    | Halt::Readings
                    | Halt::Created
                    | Halt::Evaluation => ControlFlow::Continue(()),
                }
            }
        }
    });
    flow.is_continue() && !boards.gave_up() && is_all
}

/// Whether another version of the program of a job comes to a further end from a board that was visited. `left` are
/// the micro-steps that may be spent.
///
/// # Errors
///
/// Why not all of its runs were visited; that it comes to no further end is not known then.
pub fn comes_further(
    (changed, engine): (&Program, &dyn Engine),
    job: &Job,
    (visited, options): (&Visited, &Options),
    left: &mut u64,
) -> Result<bool, Halt> {
    let setup = Setup::new((changed, engine), job, options.limits, Vec::new());
    let mut look = |readings: &Readings| {
        let (ends, _) = come_to(&setup, (&visited.board, readings), left)?;
        let mut ends = ends.iter().filter(|end| end.is_by_the_rules());
        Ok(match ends.any(|end| !visited.ends.contains(end)) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    };
    let fixed = (changed, &visited.readings);
    let flow = under_each(fixed, options.limits.readings, &mut look)?;
    Ok(flow.is_break())
}

/// How runs from a board end, and what they execute.
fn come_to(
    setup: &Setup<'_>,
    (board, readings): (&Data, &Readings),
    left: &mut u64,
) -> Result<(BTreeSet<Outcome>, Coverage), Halt> {
    let names = setup.names(board);
    let spent = Cell::new(0);
    let kept = setup.engine.lend();
    let orders = setup.engine.iterations();
    let start = Start {
        board,
        names: &names,
        spent: &spent,
        budget: *left,
        orders: &orders,
        aside: None,
        kept: Some(&kept),
    };
    let root = setup.root();
    let runs = Runs {
        root: &root,
        readings,
        variant: &setup.job.variant,
        watches: &[],
        keep: &BTreeSet::new(),
    };
    let mut outcomes = vec![Outcomes::default()];
    let compared = setup.compared(start, runs, &mut outcomes);
    *left = left.saturating_sub(spent.get());
    setup.engine.give_back(kept);
    let (graph, values) = compared?;
    if graph.is_limited() {
        return Err(Halt::Evaluation);
    }
    let ends = values[0].set(0).iter().map(|one| outcomes[0].get(one));
    Ok((ends.cloned().collect(), graph.coverage))
}
