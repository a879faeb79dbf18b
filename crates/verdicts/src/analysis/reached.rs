//! From which boards some run executes a statement, or depends on a reading.
//!
//! ```text
//! sought: the `otherwise` of an `if`
//! board []            not executed, whatever is chosen
//! board [wolf 0]      executed under zero = or_less     the first, and so a smallest board
//! ```
//!
//! *Guarantees.* What is not found, and said to have been looked for everywhere, no run executes: every run
//! was visited, from every legal board up to the sizes and under every reading that it consults.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::boards::Boards;
use super::engine::Engine;
use super::halt::Halt;
use super::job::Job;
use super::options::Options;
use super::readings::under_each;
use super::setup::Setup;
use endstep_language::typing::program::{Program, ReadingId, StmtId};
use endstep_semantics::semantics::{Data, Readings};

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct Sought {
    /// Statements that are executed.
    pub stmts: BTreeSet<StmtId>,
    /// Readings on which a run depends.
    pub readings: BTreeSet<ReadingId>,
}

impl Sought {
    /// Whether nothing is looked for any more.
    pub fn is_empty(&self) -> bool {
        self.stmts.is_empty() && self.readings.is_empty()
    }
}

/// Where it was found.
#[derive(Debug, Clone, Default)]
pub struct Reached {
    /// The first board of each statement that is executed, and the readings.
    pub stmts: BTreeMap<StmtId, (Data, Readings)>,
    /// The first board of each reading on which a run depends, and the readings, that one among them.
    pub readings: BTreeMap<ReadingId, (Data, Readings)>,
    /// Whether every run was visited, or everything found.
    pub everywhere: bool,
}

/// Looks for what some run from a board of a job does. Limits, sizes, fields and readings
/// are those of the options.
pub fn reached(
    (program, engine): (&Program, &dyn Engine),
    job: &Job,
    options: &Options,
    sought: Sought,
) -> Reached {
    let bare = Job {
        claims: Vec::new(),
        also: Vec::new(),
        ..job.clone()
    };
    let mut search = Search {
        setup: Setup::new((program, engine), &bare, options.limits, Vec::new()),
        fixed: &options.readings,
        left: options.limits.steps,
        candidates: options.limits.candidates,
        sought,
        found: Reached::default(),
    };
    let boards = Boards::of(program, job, options);
    let mut is_cut = false;
    let sieve = |dealt: &Data| engine.sieve(dealt, &options.readings, job.verify());
    let flow = boards.each(&sieve, &mut |_, board| {
        let Some(left) = search.candidates.checked_sub(1) else {
            is_cut = true;
            return ControlFlow::Break(());
        };
        search.candidates = left;
        if search.on(board).is_err() {
            is_cut = true;
        }
        match search.sought.is_empty() || search.left == 0 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    let all = flow.is_continue() && !boards.gave_up() && !is_cut;
    search.found.everywhere = all || search.sought.is_empty();
    search.found
}

struct Search<'a> {
    setup: Setup<'a>,
    /// Readings that are fixed from the beginning.
    fixed: &'a Readings,
    /// Micro-steps.
    left: u64,
    /// Boards, legal or not.
    candidates: u64,
    sought: Sought,
    found: Reached,
}

impl Search<'_> {
    fn on(&mut self, board: &Data) -> Result<(), Halt> {
        let most = self.setup.limits.readings;
        let flow = under_each((self.setup.program, self.fixed), most, &mut |readings| {
            self.under(board, readings)?;
            Ok(match self.sought.is_empty() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        });
        flow.map(|_| ())
    }

    fn under(&mut self, board: &Data, readings: &Readings) -> Result<(), Halt> {
        let place = (board, readings);
        if !self.setup.takes(place)? {
            return Ok(());
        }
        let graph = self.setup.whole(place, &mut self.left)?;
        let met = |stmt: &StmtId| graph.coverage.has_stmt(*stmt);
        let place = || (board.clone(), graph.readings.clone());
        for stmt in self.sought.stmts.iter().copied().filter(met) {
            self.found.stmts.insert(stmt, place());
        }
        for &reading in graph.readings.keys() {
            if self.sought.readings.remove(&reading) {
                self.found.readings.insert(reading, place());
            }
        }
        self.sought.stmts.retain(|stmt| !met(stmt));
        // What was executed was; of the rest nothing is known.
        match graph.is_limited() {
            true => Err(Halt::Evaluation),
            false => Ok(()),
        }
    }
}
