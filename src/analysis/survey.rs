//! Explores one job: all boards, smallest first, each under all readings it depends on.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::boards::Boards;
use super::bucket::{BucketKey, Buckets, Place};
use super::coverage::Coverage;
use super::engine::Engine;
use super::graph::Halt;
use super::harvest::{Asked, Basket, Ways, discovered};
use super::job::{Job, Reachable, title};
use super::leaf::{Bench, Leaf, Met, Open, Start};
use super::mentions;
use super::options::{Limits, Options, Progress};
use super::values::Outcomes;
use crate::diag::Severity;
use crate::diag::codes::finding as code;
use crate::semantics::{Data, Names, Readings, Site};
use crate::typing::program::{Program, ReadingId, StepId};
use crate::verdict::{Detail, Finding, Limitation, Question, Scope};
use crate::witness::{Witness, step_path};

/// After so many boards on which something could not be evaluated, the exploration stops.
const MOST_COSTLY: u64 = 10;

/// What a job came to.
pub struct Explored {
    /// What was explored.
    pub scope: Scope,
    /// Findings.
    pub findings: Vec<(BucketKey, Finding)>,
    /// What shows that something is reachable, by claim.
    pub shown: Vec<(BucketKey, Finding)>,
    /// What was asked, and what speaks against it.
    pub asked: Asked,
    /// What was executed.
    pub coverage: Coverage,
    /// Readings that the rules speak of.
    pub mentioned: BTreeSet<ReadingId>,
}

/// Counts of a job.
#[derive(Default)]
struct Tally {
    boards: u64,
    legal: u64,
    readings: u64,
    /// Boards with runs that were given up.
    bounds: u64,
    /// Boards with too many states.
    states: u64,
    /// Boards with too many created entities.
    created: u64,
    /// Boards on which something could not be evaluated.
    evaluation: u64,
    /// More boards than the limit.
    too_many: bool,
    /// The budget of steps is used up.
    exhausted: bool,
}

struct Exploration<'a, 'b> {
    bench: &'a Bench<'b>,
    limits: Limits,
    /// Readings that are fixed.
    readings: &'a Readings,
    tally: Tally,
    open: Open,
    buckets: Buckets,
    shown: Buckets,
    asked: Asked,
    weighty: BTreeSet<Site>,
    coverage: Coverage,
    /// Steps without which something is different, or that were never tried.
    tried: BTreeSet<StepId>,
}

/// Explores a job.
pub fn explore(
    (program, engine): (&Program, &dyn Engine),
    job: &Job,
    (options, index): (&Options, usize),
    progress: &mut dyn FnMut(&Progress),
) -> Explored {
    let reachable = Reachable::from(program, job.sequence, &job.variant.contracts);
    let bench = Bench::new(
        (program, engine),
        job,
        options.limits,
        reachable.fixed_iterations(program),
    );
    let mut exploration = Exploration {
        bench: &bench,
        limits: options.limits,
        readings: &options.readings,
        tally: Tally::default(),
        open: open(program, job, &reachable),
        buckets: Buckets::new(program),
        shown: Buckets::new(program),
        asked: Asked::new(),
        weighty: BTreeSet::new(),
        coverage: Coverage::new(program),
        tried: BTreeSet::new(),
    };
    let mentioned = mentions::readings(program, &reachable);
    exploration.ask_first(program, job, &mentioned);
    let boards = Boards::new(program, &job.sizes, options);
    let subject = title(program, job);
    let _ = boards.each(&mut |board| {
        let flow = exploration.board(board);
        progress(&Progress {
            subject: subject.clone(),
            boards: exploration.tally.legal,
            steps: bench.steps.get(),
            findings: exploration.buckets.len(),
        });
        flow
    });
    let mut explored = exploration.finish(boards.sizes, index);
    explored.mentioned = mentioned;
    explored
}

fn open(program: &Program, job: &Job, reachable: &Reachable) -> Open {
    if !job.full {
        return Open::default();
    }
    let declared = &program.sequences[job.sequence];
    let recheck = declared.steps.iter().copied();
    Open {
        idle: reachable.steps.clone(),
        // Where a step is run for each place, "again at once" is not one thing.
        recheck: recheck.filter(|_| declared.over.is_none()).collect(),
    }
}

impl Exploration<'_, '_> {
    fn ask_first(&mut self, program: &Program, job: &Job, mentioned: &BTreeSet<ReadingId>) {
        let sequence = job.sequence;
        for &claim in &job.claims {
            self.asked.entry(Question::Claim(claim)).or_default();
        }
        if !job.full {
            return;
        }
        self.asked
            .entry(Question::Terminates(sequence))
            .or_default();
        // Of a reading that is fixed there is nothing to compare.
        let open = |reading: &&ReadingId| !self.readings.contains_key(reading);
        for &reading in mentioned.iter().filter(open) {
            self.asked
                .entry(Question::Reading(sequence, reading))
                .or_default();
        }
        for index in 0..program.legals.len() {
            self.asked
                .entry(Question::Legal(sequence, index))
                .or_default();
        }
        if program.sequences[sequence].contract.is_some() {
            self.asked.entry(Question::Contract(sequence)).or_default();
        }
    }

    fn board(&mut self, board: &Data) -> ControlFlow<()> {
        if self.tally.boards >= self.limits.candidates || self.tally.legal >= self.limits.boards {
            self.tally.too_many = true;
            return ControlFlow::Break(());
        }
        self.tally.boards += 1;
        let names = Names::numbered(self.bench.program, board);
        let start = Start {
            board,
            names: &names,
        };
        let mut met = Met::default();
        met.outcomes
            .resize_with(self.bench.lenses.len(), Outcomes::default);
        let number = self.tally.boards;
        match self.leaves(start, &mut met) {
            Ok(leaves) if leaves.is_empty() => {}
            Ok(leaves) => {
                self.tally.legal += 1;
                let costly = leaves.iter().any(|leaf| leaf.graph.is_costly());
                self.tally.evaluation += u64::from(costly);
                self.gather(number, board, &leaves, &met.outcomes);
            }
            Err(Halt::Steps) => {
                self.tally.exhausted = true;
                return ControlFlow::Break(());
            }
            Err(Halt::Evaluation) => {
                self.tally.legal += 1;
                self.tally.evaluation += 1;
            }
            Err(Halt::Created) => {
                self.tally.legal += 1;
                self.tally.created += 1;
            }
            Err(Halt::States | Halt::Consult(_)) => {
                self.tally.legal += 1;
                self.tally.states += 1;
            }
        }
        // Each of them costs as much as very many others.
        if self.tally.evaluation >= MOST_COSTLY {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// The legal leaves of a board: readings are split when one is consulted.
    fn leaves(&mut self, start: Start<'_>, met: &mut Met) -> Result<Vec<Leaf>, Halt> {
        let mut leaves = Vec::new();
        let mut todo = vec![self.readings.clone()];
        while let Some(readings) = todo.pop() {
            if leaves.len() + todo.len() > self.limits.readings {
                return Err(Halt::States);
            }
            match self.bench.leaf(start, &readings, &self.open, met) {
                Ok(leaf) => leaves.extend(leaf),
                Err(Halt::Consult(reading)) => {
                    let count = self.bench.program.readings[reading].alternatives.len();
                    for at in (0..count).rev().filter_map(|at| u16::try_from(at).ok()) {
                        let mut more = readings.clone();
                        more.insert(reading, at);
                        todo.push(more);
                    }
                }
                Err(halt) => return Err(halt),
            }
        }
        self.coverage.readings.extend(&met.consulted);
        Ok(leaves)
    }

    fn gather(&mut self, number: u64, board: &Data, leaves: &[Leaf], outcomes: &[Outcomes]) {
        self.tally.readings = self.tally.readings.max(leaves.len() as u64);
        if leaves.iter().any(|leaf| leaf.limited) {
            self.tally.bounds += 1;
        }
        let mut basket = Basket {
            bench: self.bench,
            buckets: &mut self.buckets,
            shown: &mut self.shown,
            asked: &mut self.asked,
            weighty: &mut self.weighty,
            outcomes,
            board: (number, board.entities.len()),
        };
        for leaf in leaves {
            let ways = Ways::new(leaf);
            basket.leaf(leaf, &ways);
            basket.comparisons(leaf, &ways);
        }
        if self.bench.job.full {
            basket.assignments(leaves);
        }
        for leaf in leaves {
            self.coverage.merge(&leaf.graph.coverage);
            for step in &leaf.again.in_place {
                self.open.recheck.remove(step);
            }
            for &(step, differs) in &leaf.skipped {
                self.tried.insert(step);
                if differs {
                    self.open.idle.remove(&step);
                }
            }
        }
    }

    fn limitations(&self) -> Vec<Limitation> {
        let tally = &self.tally;
        let mut found = Vec::new();
        if tally.too_many {
            found.push(Limitation::Boards(self.limits.boards));
        }
        if tally.states > 0 {
            found.push(Limitation::States {
                limit: self.limits.states as u64,
                boards: tally.states,
            });
        }
        if tally.exhausted {
            found.push(Limitation::Steps(self.limits.steps));
        }
        if tally.bounds > 0 {
            found.push(Limitation::Bounds(tally.bounds));
        }
        if tally.evaluation > 0 {
            found.push(Limitation::Evaluation(tally.evaluation));
        }
        if tally.created > 0 {
            found.push(Limitation::Created(tally.created));
        }
        if tally.legal == 0 && found.is_empty() {
            found.push(Limitation::NoBoard);
        }
        found
    }

    fn finish(
        mut self,
        sizes: Vec<(crate::typing::program::SortId, u32, u32)>,
        index: usize,
    ) -> Explored {
        let limitations = self.limitations();
        let program = self.bench.program;
        if self.bench.job.full {
            self.buckets.forget_weaker(
                code::POWER_DIFFERS,
                &[code::AMBIGUITY, code::CONTRADICTION, code::OVERRULED],
            );
            self.idle_steps(&limitations);
            self.not_idempotent(program);
            self.no_board(&limitations);
        }
        let scope = Scope {
            subject: self.bench.job.subject,
            sizes,
            boards: self.tally.boards,
            legal: self.tally.legal,
            states: self.bench.states.get(),
            steps: self.bench.steps.get(),
            limited: self.tally.bounds,
            readings: self.tally.readings,
            limitations,
        };
        // A board that was given up could have a smaller witness.
        let exact = scope
            .limitations
            .iter()
            .all(|one| matches!(one, Limitation::NoBoard));
        let mut findings = self.buckets.finish(program, Some(index), exact);
        for (_, finding) in &mut findings {
            if let Detail::Conflict(site, Some(matters)) = &mut finding.detail {
                *matters = self.weighty.contains(site);
            }
        }
        Explored {
            scope,
            findings,
            shown: self.shown.finish(program, Some(index), exact),
            asked: self.asked,
            coverage: self.coverage,
            mentioned: BTreeSet::new(),
        }
    }

    /// Steps without which nothing was different.
    fn idle_steps(&mut self, limitations: &[Limitation]) {
        if !limitations.is_empty() {
            return;
        }
        let program = self.bench.program;
        let sequence = self.bench.job.sequence;
        let idle: Vec<StepId> = self.open.idle.intersection(&self.tried).copied().collect();
        for step in idle {
            let detail = Detail::IdleStep(sequence, step);
            let hit = discovered(code::IDLE, Severity::Note, step_path(program, step), detail);
            let hit = hit.at(program, Site::Step(step));
            self.record(hit);
        }
    }

    /// Steps are candidates for a re-check only if they are idempotent in place on all boards.
    fn not_idempotent(&mut self, program: &Program) {
        for &step in &program.sequences[self.bench.job.sequence].steps {
            if !self.open.recheck.contains(&step) {
                let key = (
                    code::MISSING_RECHECK,
                    step_path(program, step),
                    String::new(),
                );
                self.buckets.forget(&key);
            }
        }
    }

    fn no_board(&mut self, limitations: &[Limitation]) {
        if !limitations.contains(&Limitation::NoBoard) {
            return;
        }
        let program = self.bench.program;
        let sequence = self.bench.job.sequence;
        let name = program.sequences[sequence].name.clone();
        let detail = Detail::NoBoard(sequence);
        let hit = discovered(code::NO_BOARD, Severity::Warning, name, detail);
        self.record(hit.at(program, Site::Sequence(sequence)));
    }

    /// Takes down a finding about no board in particular.
    fn record(&mut self, hit: super::bucket::Hit) {
        let readings = Readings::new();
        let place = Place {
            board: 0,
            entities: 0,
            readings: &readings,
        };
        self.buckets
            .record(place, hit, 0, || None::<super::sides::Found<Witness>>);
    }
}
