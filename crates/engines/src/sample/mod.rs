//! Samples runs: one board and one schedule of choices at a time, from bytes, at any size.
//!
//! Where `explore` visits every run from every board, this takes single ones, tens of thousands in a
//! second, on boards that nobody could enumerate:
//!
//! ```text
//! bytes ──form, deal──▶ board, readings, schedule ──run──▶ signs: comes back to a state; ends in a gap
//!                                                     └──▶ cover: which statement after which
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `form`, `deal` | which byte means what; bytes into boards |
//! | `mend` | bytes of an illegal board into bytes of a legal one near it |
//! | `run`, `sign`, `cover` | one run; what it shows; what it went through |
//! | `contrast` | two runs of one board that differ in one choice or one reading |
//! | `smaller`, `reduce` | inputs into smaller ones, and into smaller ones that show the same |
//! | `strategy` | boards and schedules for property tests, with the feature of that name |
//!
//! *Guarantees.* Every string of bytes is a board and a schedule; small changes of bytes are small
//! changes of the board; fewer bytes are smaller boards. The same bytes give the same run. A run
//! takes the steps that the explorer takes: it is the same machine.
//!
//! *Limits.* A sign is no finding: whoever finds one looks at the board closely (`analysis::closely`)
//! and replays what comes of it. States are compared by a hash of 64 bits here. Runs of more than
//! 20,000 steps are given up.
//!
//! *Background.* K. Claessen, J. Hughes, QuickCheck, ICFP 2000 (random inputs, shrinking); D. R.
//! MacIver, A. F. Donaldson, Test-case reduction via test-case generation, ECOOP 2020 (shrinking the
//! bytes from which an input is made).

mod form;

mod deal;

mod cover;
mod sign;
mod suspicion;

mod run;

mod contrast;
mod mend;

mod reduce;
mod smaller;

#[cfg(feature = "strategy")]
pub mod strategy;

mod dice;

use std::fmt;

pub use contrast::Contrast;
pub use cover::{Cover, Seen};
pub use deal::Decoded;
pub use dice::Dice;
pub use form::{Form, Sizes};
pub use reduce::Question;
pub use run::{Chosen, LONGEST_RUN, Last, RunResult, Wanted};
pub use sign::{Edge, Kind, Sign, Stop};
pub use suspicion::{Suspicion, Why};

use deal::Dealer;
use endstep_kernel::ir::Function;
use endstep_language::typing::program::Program;
use endstep_verdicts::analysis::{Ground, Job};
use run::Runner;

/// Runs inputs of a program, one after the other.
pub struct Sampler<'g> {
    program: &'g Program,
    ground: &'g Ground,
    jobs: &'g [Job],
    /// What the boards of each job meet.
    conditions: Vec<Vec<&'g Function>>,
    dealers: Vec<Dealer<'g>>,
    runners: Vec<Runner<'g>>,
    /// What the last run went through.
    pub cover: Cover,
    /// Runs so far.
    pub runs: u64,
    /// Micro-steps of all of them.
    pub steps: u64,
    /// Boards so far whose conditions could not be evaluated within the limits.
    pub costly: u64,
}

impl fmt::Debug for Sampler<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Sampler")
            .field("jobs", &self.jobs.len())
            .finish_non_exhaustive()
    }
}

/// What inputs are for: the boards that are dealt, and how far runs may go.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// Sizes, values and readings.
    pub sizes: Sizes,
    /// Legal boards that the specification leaves out of what is explored count as well.
    pub all_legal: bool,
}

impl<'g> Sampler<'g> {
    /// For the sequences of jobs; the first byte of an input says which of them.
    pub fn new(
        (program, ground): (&'g Program, &'g Ground),
        jobs: &'g [Job],
        scene: &Scene,
    ) -> Self {
        let dealers = jobs.iter().enumerate().map(|(at, job)| {
            let form = Form::new(program, &job.sizes, &scene.sizes);
            Dealer::new(ground, at, form, job.variant.extra)
        });
        let conditions = jobs.iter();
        let conditions = conditions.map(|job| conditions_of(ground, job, scene.all_legal));
        let runners = jobs.iter().map(|job| Runner::new(program, ground, job));
        Self {
            program,
            ground,
            jobs,
            conditions: conditions.collect(),
            dealers: dealers.collect(),
            runners: runners.collect(),
            cover: Cover::default(),
            runs: 0,
            steps: 0,
            costly: 0,
        }
    }

    /// The program.
    pub fn program(&self) -> &'g Program {
        self.program
    }

    /// The jobs.
    pub fn jobs(&self) -> &'g [Job] {
        self.jobs
    }

    /// What is the same for all boards.
    pub fn ground(&self) -> &'g Ground {
        self.ground
    }

    /// Which job an input is for.
    pub fn job(&self, input: &[u8]) -> usize {
        usize::from(input.first().copied().unwrap_or(0)) % self.jobs.len().max(1)
    }

    /// How the inputs of a job are read.
    pub fn form(&self, job: usize) -> &Form {
        self.dealers[job].form()
    }

    /// The board of an input; `None`: some place has no value on it.
    pub fn deal(&mut self, input: &[u8]) -> Option<Decoded> {
        let job = self.job(input);
        self.dealers.get_mut(job)?.deal(input)
    }

    /// Runs the board of an input along the schedule of that input.
    pub fn run(&mut self, dealt: &Decoded, input: &[u8], wanted: Wanted) -> RunResult {
        let schedule = input.get(dealt.schedule..).unwrap_or(&[]);
        self.run_along(dealt, schedule, wanted)
    }

    /// Runs a board along a schedule.
    pub fn run_along(&mut self, dealt: &Decoded, schedule: &[u8], wanted: Wanted) -> RunResult {
        let runner = &mut self.runners[dealt.job];
        let ran = runner.run(self.program, dealt, (schedule, wanted), &mut self.cover);
        self.runs += 1;
        self.steps += u64::from(ran.steps);
        ran
    }

    /// Deals and runs an input whose board is legal.
    pub fn sample(&mut self, input: &[u8]) -> Option<(Decoded, RunResult)> {
        let dealt = self.deal(input)?;
        if !self.is_legal(&dealt) {
            return None;
        }
        let ran = self.run(&dealt, input, Wanted::default());
        Some((dealt, ran))
    }

    /// The job of a board.
    pub fn job_of(&self, dealt: &Decoded) -> &'g Job {
        &self.jobs[dealt.job]
    }
}

/// What the boards of a job meet.
fn conditions_of<'g>(ground: &'g Ground, job: &Job, all_legal: bool) -> Vec<&'g Function> {
    let system = &ground.system;
    let verify = job.verify();
    let only = verify.and_then(|at| system.verified.get(at)?.as_ref());
    let explored = system.explored.iter().chain(only);
    let explored = explored.filter(move |_| !all_legal);
    explored.chain(&system.legal).collect()
}
