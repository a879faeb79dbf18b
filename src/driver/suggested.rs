//! Tries boards outside of the explored scope that the prover suggests.
//!
//! Where two things cannot be shown to change places, the prover names data from which they cannot. If they
//! are those of a legal board, all its runs are visited:
//!
//! ```text
//! a & b    no difference on 42 legal boards; data may differ ──▶ Card strength 8 ──▶ refuted
//!                                                                              └──▶ nothing is said
//! ```
//!
//! *Guarantees.* Nothing is told but what a run shows that was replayed. Nothing is told of a board that is not
//! legal, or shows nothing: no run need come to such data. The same specification has the same suggestions.
//!
//! *Limits.* So many pairs, questions, states and steps.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use endstep_engines::explore::Explorer;
use endstep_kernel::lower::lower;
use endstep_language::typing::program::{Program, SortId};
use endstep_proofs::prove::suggest;
use endstep_semantics::semantics::Data;
use endstep_verdicts::analysis::{
    self, Boards, Engine, Job, Limits, Looked, Options, beyond, jobs, leaves_boards_out, room,
    sketched,
};
use endstep_verdicts::order::{self, Unsettled};
use endstep_verdicts::verdict::{Outside, Results};

/// As large as that of the main thread usually is.
const STACK: usize = 8 << 20;

/// So many pairs are asked about.
const MOST_PAIRS: usize = 40;

/// So many questions are asked in all; those about a pair are not broken off.
const MOST_QUESTIONS: u32 = 300;

/// So many micro-steps are spent on all boards.
const MOST_STEPS: u64 = 300_000;

/// What looking at one board may cost.
const LIMITS: Limits = Limits {
    boards: 1,
    candidates: 1,
    states: 500,
    readings: 32,
    steps: 20_000,
};

/// What came of suggestions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Suggestions {
    /// Pairs that were asked about.
    pub pairs: usize,
    /// Questions to the solver.
    pub questions: u32,
    /// Boards that the answers are part of.
    pub boards: usize,
    /// Those of them that are legal.
    pub legal: usize,
    /// What they show that was not known.
    pub found: usize,
    /// Micro-steps.
    pub steps: u64,
}

/// Adds to results what boards show that the prover suggests, unless somebody wants to see some boards only.
pub fn suggested(program: &Program, options: &Options, results: &mut Results) -> Suggestions {
    if leaves_boards_out(program, options) || results.narrowed {
        return Suggestions::default();
    }
    // Z3 names other data after other questions. Each thread has a Z3 of its own, and this one was asked nothing.
    thread::scope(|scope| {
        let all = || all(program, options, results);
        let work = thread::Builder::new().stack_size(STACK);
        match work.spawn_scoped(scope, all).map(ScopedJoinHandle::join) {
            Ok(Ok(account)) => account,
            Ok(Err(panic)) => resume_unwind(panic),
            // There are no threads left.
            Err(_) => Suggestions::default(),
        }
    })
}

fn all(program: &Program, options: &Options, results: &mut Results) -> Suggestions {
    let mut account = Suggestions::default();
    let system = &lower(program);
    let same = &order::overlooking(system, &results.overlooked);
    let engine = &Explorer::new(program);
    let mut jobs = jobs(program, options.claims.as_deref());
    jobs.retain(|job| job.on.is_none());
    let proofs = results.proofs.clone();
    let open = |results: &Results| order::unsettled((program, same), (results, &proofs));
    let left = open(results);
    let mut unasked = left.len();
    for asked in left.into_iter().take(MOST_PAIRS) {
        if account.questions >= MOST_QUESTIONS || account.steps >= MOST_STEPS {
            break;
        }
        unasked -= 1;
        // What another board has shown need not be shown again.
        if account.found > 0 && !open(results).iter().any(|one| one.of == asked.of) {
            continue;
        }
        let mut pair = Pair {
            program,
            engine,
            options,
            jobs: own(&jobs, &asked, results),
            results,
            account: &mut account,
        };
        let sizes = pair.sizes();
        if pair.jobs.is_empty() {
            continue;
        }
        let mut trial = |sketch: &_| pair.test(sketched(program, sketch));
        let questions = suggest((program, same), (asked.of, asked.unit), &sizes, &mut trial);
        account.questions += questions;
        account.pairs += 1;
    }
    results.suggested = account.legal;
    results.unsuggested = unasked;
    account
}

/// The jobs whose runs can come to a pair, those first that cost the least.
fn own(jobs: &[Job], asked: &Unsettled, results: &Results) -> Vec<Job> {
    let cost = |job: &Job| {
        let mut scopes = results.scopes.iter();
        let scope = scopes.find(|one| one.subject == job.subject)?;
        let cost = scope.steps / scope.legal.max(1);
        (cost <= LIMITS.steps).then_some(cost)
    };
    let own = jobs
        .iter()
        .filter(|job| asked.inside.contains(&job.sequence));
    let mut own: Vec<(u64, &Job)> = own.filter_map(|job| Some((cost(job)?, job))).collect();
    own.sort_by_key(|(cost, _)| *cost);
    own.into_iter().map(|(_, job)| job.clone()).collect()
}

/// A pair, and what is known until now.
struct Pair<'a> {
    program: &'a Program,
    engine: &'a dyn Engine,
    options: &'a Options,
    jobs: Vec<Job>,
    results: &'a mut Results,
    account: &'a mut Suggestions,
}

impl Pair<'_> {
    /// How many entities of each sort boards of the scopes have.
    fn sizes(&self) -> Vec<(SortId, u32, u32)> {
        let mut all: BTreeMap<SortId, (u32, u32)> = BTreeMap::new();
        for job in &self.jobs {
            for (sort, low, high) in Boards::of(self.program, job, self.options).sizes {
                let known = all.entry(sort).or_insert((low, high));
                *known = (known.0.min(low), known.1.max(high));
            }
        }
        let all = all.into_iter();
        all.map(|(sort, (low, high))| (sort, low, high)).collect()
    }

    /// Visits the runs of a board. Whether that showed something.
    fn test(&mut self, board: Option<Data>) -> bool {
        let Some(board) = board else {
            return false;
        };
        self.account.boards += 1;
        let mut legal = false;
        let mut shown = false;
        for mut job in self.jobs.clone() {
            job.all_legal = true;
            job.variant.extra = room(self.program, &board);
            let engine = (self.program, self.engine);
            let looked = Looked {
                board: &board,
                outside: Outside::Suggested,
                limits: LIMITS,
            };
            let seen = analysis::seen(engine, &job, looked);
            let found = beyond(self.program, seen, self.results);
            legal |= found.legal;
            shown |= !found.new.is_empty();
            self.account.steps += found.steps;
            self.account.found += found.new.len();
            analysis::add(self.program, found, self.results);
        }
        self.account.legal += usize::from(legal);
        shown
    }
}
