//! Explores one job: all boards, smallest first, each under all readings it depends on.
//!
//! Boards are looked at in chunks, by several threads. A chunk knows what was found before it, not
//! what its own boards say, so that the results are the same with any number of threads.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::board::{BoardResult, Known, look};
use super::boards::Boards;
use super::branch::{Found, Plainness};
use super::bucket::{BucketKey, Buckets, Place, WEAK};
use super::describe::Describer;
use super::engine::Engine;
use super::halt::Halt;
use super::harvest::{Asked, discovered};
use super::job::{Job, Reachable, title};
use super::mentions;
use super::options::{Limits, Options, Progress, Stop};
use super::partial::{leaves_out, less_than_explored};
use super::setup::{Open, Setup};
use super::tally::Tally;
use super::threads::Threads;
use super::trial::{self, Trials};
use super::tried::{Tried, pairs};
use super::unknown::Unknown;
use crate::verdict::{Coverage, Detail, Extra, Finding, Limitation, Question, Scope};
use endstep_language::diag::Severity;
use endstep_language::diag::codes::finding as code;
use endstep_language::typing::program::{
    Program, ReadingId, SequenceId, StepId, Stmt, StmtId, StmtKind,
};
use endstep_semantics::semantics::{Data, Readings, Site};
use endstep_semantics::witness::{Witness, step_path};

/// How many boards are looked at before anything is made of what they say. The first chunks are small:
/// what is known of the smallest boards spares work on all others.
const FIRST_CHUNK: usize = 4;

/// The same, later on. INVARIANT: the chunks do not depend on the number of threads.
const LARGEST_CHUNK: usize = 64;

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
    /// How far that was put to the test.
    pub trials: Trials,
    /// What was executed.
    pub coverage: Coverage,
    /// Where only claims were looked at: whether some run stops, or need not end.
    pub without_end: bool,
    /// Readings that the rules speak of.
    pub mentioned: BTreeSet<ReadingId>,
    /// What was performed.
    pub sequence: SequenceId,
    /// Steps that were executed, and without which nothing is different.
    pub idle: BTreeSet<StepId>,
    /// Steps without which something is different, or may be on what was given up.
    pub differing: BTreeSet<StepId>,
    /// Steps that are not idempotent in place.
    pub unstable: BTreeSet<StepId>,
}

struct Exploration<'a, 'b> {
    setup: &'a Setup<'b>,
    limits: Limits,
    stop: &'a Stop,
    /// Readings that are fixed.
    readings: &'a Readings,
    /// Readings of which one alternative is looked at, where a run depends on them.
    guide: &'a Readings,
    /// All that was asked for.
    options: &'a Options,
    /// Nothing is said about on which boards something occurs.
    undescribed: bool,
    tally: Tally,
    /// What was worth looking at in the beginning.
    first: Open,
    open: Open,
    /// Iterations of which one order may stand for all.
    orders: Arc<BTreeSet<StmtId>>,
    /// Boards of which not all is known.
    unknown: Unknown,
    buckets: Buckets,
    shown: Buckets,
    describer: Describer,
    asked: Asked,
    weighty: BTreeSet<Site>,
    coverage: Coverage,
    /// Steps without which something is different, or that were never tried.
    tried: BTreeSet<StepId>,
    /// How far questions were put to the test.
    trials: Trials,
    /// Under which alternatives of readings boards were looked at.
    under: Tried,
}

/// Explores a job; of steps that are settled it is not asked what nobody asked.
pub fn explore(
    (program, engine): (&Program, &dyn Engine),
    job: &Job,
    (options, index): (&Options, usize),
    settled: &Open,
    progress: &mut dyn FnMut(&Progress),
) -> Explored {
    let reachable = Reachable::from(program, job.sequence, &job.variant.contracts);
    let setup = Setup::new(
        (program, engine),
        job,
        options.limits,
        fixed_iterations(program, options, &reachable),
    );
    let boards = Boards::of(program, job, options);
    let mut open = open(program, job, &reachable).without(settled);
    if options.faults_only {
        open.idle.clear();
    }
    let mut exploration = Exploration {
        setup: &setup,
        limits: options.limits,
        stop: &options.stop,
        readings: &options.readings,
        guide: &options.guide,
        options,
        undescribed: options.faults_only,
        tally: Tally::default(),
        first: open.clone(),
        orders: Arc::new(match options.every_order {
            true => BTreeSet::new(),
            false => engine.iterations(),
        }),
        open,
        unknown: Unknown::default(),
        buckets: Buckets::new(program).under(&options.readings, &options.guide),
        shown: Buckets::new(program).under(&options.readings, &options.guide),
        describer: Describer::new(program, &boards.sizes, &boards.alone(&options.alone)),
        asked: Asked::new(),
        weighty: BTreeSet::new(),
        coverage: Coverage::new(program),
        tried: BTreeSet::new(),
        trials: Trials::new(),
        under: Tried::default(),
    };
    let mentioned = mentions::readings(program, &reachable);
    exploration.ask_first(program, job, &mentioned);
    let subject = title(program, job);
    let threads = Threads::new(options.threads);
    let mut after_each = |exploration: &Exploration<'_, '_>| {
        progress(&exploration.progress(&subject, boards.known()));
    };
    let mut chunk: Vec<(u64, Data)> = Vec::new();
    let mut size = FIRST_CHUNK;
    let sieves = |dealt: &Data| engine.sieve(dealt, &options.readings, job.verify());
    let flow = boards.each(&sieves, &mut |number, board| {
        chunk.push((number, board.clone()));
        if chunk.len() < size {
            return ControlFlow::Continue(());
        }
        size = (2 * size).min(LARGEST_CHUNK);
        let flow = exploration.chunk(&chunk, &threads, &mut after_each);
        chunk.clear();
        flow
    });
    if flow.is_continue() || boards.gave_up() {
        let rest = exploration.chunk(&chunk, &threads, &mut after_each);
        match flow {
            ControlFlow::Continue(all) if rest.is_continue() => exploration.tally.boards = all,
            ControlFlow::Continue(_) => {}
            ControlFlow::Break(()) => exploration.tally.too_many = !exploration.tally.interrupted,
        }
    }
    let mut explored = exploration.finish(boards.sizes, index);
    explored.mentioned = mentioned;
    explored.mentioned.extend(mentions::compared(program, job));
    explored
}

fn fixed_iterations(program: &Program, options: &Options, reachable: &Reachable) -> Vec<StmtId> {
    match options.faults_only {
        true => Vec::new(),
        false => reachable.fixed_iterations(program),
    }
}

fn open(program: &Program, job: &Job, reachable: &Reachable) -> Open {
    if !job.full {
        return Open::default();
    }
    let sequence = &program.sequences[job.sequence];
    let leaves = |stmt: &Stmt| stmt.kind == StmtKind::Leave(job.sequence);
    // A place that had no turn, since somebody left before, would be looked at for the first time.
    let has_turns = sequence.over.is_none() || !program.stmts.values().iter().any(leaves);
    let steps = sequence.steps.iter().filter(|_| has_turns);
    Open {
        idle: reachable.steps.clone(),
        recheck: steps.copied().collect(),
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
        let asked = mentions::asked(program, job, mentioned.clone());
        for &reading in asked.iter().filter(open) {
            let all = Question::Reading(sequence, reading);
            self.asked.entry(all).or_default();
            let two = pairs(program, reading);
            let others = program.readings[reading].alternatives.len() > 2;
            for (_, one, other) in two.filter(|_| others) {
                let ways = Question::Ways(sequence, reading, one, other);
                self.asked.entry(ways).or_default();
            }
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

    /// How far it is, where so many boards are known.
    fn progress(&self, subject: &str, (known, largest): (u64, bool)) -> Progress {
        Progress {
            subject: subject.to_owned(),
            part: (1, 1),
            passed: (self.tally.boards, known),
            largest,
            boards: self.tally.legal,
            steps: self.tally.steps,
            findings: self.buckets.len(),
        }
    }

    /// Looks at some boards, on all threads, and takes down what they say in their order.
    fn chunk(
        &mut self,
        boards: &[(u64, Data)],
        threads: &Threads,
        after_each: &mut dyn FnMut(&Self),
    ) -> ControlFlow<()> {
        if self.stop.is_wanted() {
            self.tally.interrupted = true;
            return ControlFlow::Break(());
        }
        let known = Known {
            readings: self.readings,
            guide: self.guide,
            open: self.open.clone(),
            orders: Arc::clone(&self.orders),
            sizes: Arc::new(self.buckets.sizes()),
            shown: Arc::new(self.shown.sizes()),
            trials: Arc::new(self.trials.clone()),
            budget: self.limits.steps - self.tally.steps,
            aside: self
                .limits
                .aside()
                .min(self.limits.steps.saturating_sub(self.tally.aside)),
        };
        let setup = self.setup;
        let none = || boards.iter().map(|_| AtomicU64::new(0));
        let (steps, costly): (Vec<_>, Vec<_>) = none().zip(none()).unzip();
        let most_costly = MOST_COSTLY - self.tally.evaluation;
        let one = |(at, (number, board)): (usize, &(u64, Data))| {
            let before = |of: &[AtomicU64]| of[..at].iter().map(|one| one.load(Relaxed)).sum();
            let (spent, many): (u64, u64) = (before(&steps), before(&costly));
            if spent > known.budget || many >= most_costly || self.stop.is_wanted() {
                // INVARIANT: the exploration ends at a board before this one.
                return BoardResult::nothing(setup, &known);
            }
            let said = look(setup, &known, (*number, board));
            steps[at].store(said.steps, Relaxed);
            costly[at].store(u64::from(said.is_costly()), Relaxed);
            said
        };
        let all = threads.map(boards, one);
        // Boards were left out, nobody knows which: nothing is taken down of any of them.
        if self.stop.is_wanted() {
            self.tally.interrupted = true;
            return ControlFlow::Break(());
        }
        for (said, (number, board)) in all.into_iter().zip(boards) {
            let complete = !said.limited && said.leaves.is_ok();
            let legal = said.legal;
            let entities = board.entities.len();
            let given_up = said.given_up.clone();
            self.take_down(said, *number)?;
            if !complete {
                self.unknown.add(entities);
            }
            for extra in given_up {
                self.unknown.add_extra(extra, entities);
            }
            if legal && !self.undescribed {
                let program = self.setup.program;
                self.describer.take_down(program, *number, board);
            }
            after_each(self);
        }
        ControlFlow::Continue(())
    }

    fn take_down(&mut self, said: BoardResult, number: u64) -> ControlFlow<()> {
        let (tally, limits) = (&mut self.tally, &self.limits);
        if tally.visited >= limits.candidates || tally.legal >= limits.boards {
            tally.too_many = true;
            return ControlFlow::Break(());
        }
        tally.visited += 1;
        tally.boards = number;
        if said.steps > limits.steps - tally.steps {
            // Where it would have ended if boards were looked at one by one.
            tally.steps = limits.steps;
            tally.exhausted = true;
            return ControlFlow::Break(());
        }
        tally.steps += said.steps;
        tally.aside += said.aside;
        for &extra in &said.given_up {
            *tally.given_up.entry(extra).or_default() += 1;
        }
        tally.states += said.states;
        tally.left.extend(&said.left);
        tally.without_end |= said.without_end;
        tally.evaluation += u64::from(said.is_costly());
        // Of some it takes too much to say.
        tally.legal += u64::from(said.legal);
        match said.leaves {
            Ok(0) | Err(Halt::Evaluation) => {}
            Ok(leaves) => {
                tally.readings = tally.readings.max(leaves);
                tally.bounds += u64::from(said.limited);
            }
            Err(Halt::Created) => tally.created += 1,
            Err(Halt::Readings) => tally.too_many_readings += 1,
            Err(Halt::Memory) => tally.too_big += 1,
            Err(Halt::States | Halt::Steps | Halt::Consult(_)) => tally.too_large += 1,
        }
        self.buckets.merge(said.buckets);
        self.shown.merge(said.shown);
        for (question, keys) in said.asked {
            self.asked.entry(question).or_default().extend(keys);
        }
        trial::merge(&mut self.trials, said.trials);
        self.under.merge(said.tried);
        self.weighty.extend(said.weighty);
        self.coverage.merge(&said.coverage);
        for step in &said.in_place {
            self.open.recheck.remove(step);
        }
        for extra in said.given_up {
            if let Extra::Idle(step) = extra {
                self.open.idle.remove(&step);
            }
        }
        for (step, differs) in said.skipped {
            self.tried.insert(step);
            if differs {
                self.open.idle.remove(&step);
            }
        }
        // Each of them costs as much as very many others.
        if self.tally.evaluation >= MOST_COSTLY {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn limitations(&self) -> Vec<Limitation> {
        let tally = &self.tally;
        let mut found = Vec::new();
        if tally.interrupted {
            found.push(Limitation::Interrupted);
        }
        if tally.too_many && tally.legal >= self.limits.boards {
            found.push(Limitation::Boards(self.limits.boards));
        } else if tally.too_many {
            found.push(Limitation::Candidates(self.limits.candidates));
        }
        if tally.too_large > 0 {
            found.push(Limitation::States {
                limit: self.limits.states as u64,
                boards: tally.too_large,
            });
        }
        if tally.too_big > 0 {
            found.push(Limitation::Memory(tally.too_big));
        }
        if tally.too_many_readings > 0 {
            found.push(Limitation::Readings {
                limit: self.limits.readings as u64,
                boards: tally.too_many_readings,
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
            let job = self.setup.job;
            found.push(match job.on {
                Some(_) if leaves_out(self.setup.program, job, self.options) => {
                    Limitation::NotLegalAsRead
                }
                Some(_) => Limitation::NotLegal,
                None => Limitation::NoBoard,
            });
        }
        found
    }

    fn finish(
        mut self,
        sizes: Vec<(endstep_language::typing::program::SortId, u32, u32)>,
        index: usize,
    ) -> Explored {
        let limitations = self.limitations();
        let program = self.setup.program;
        if self.setup.job.full {
            for weak in WEAK {
                self.buckets.forget_weaker(weak);
            }
            self.not_idempotent(program, &limitations);
            self.no_board(&limitations);
        }
        let (idle, differing) = self.idle_steps(&limitations);
        let scope = Scope {
            subject: self.setup.job.subject,
            fixed: self.readings.clone(),
            values: match self.setup.job.on {
                Some(_) => Vec::new(),
                None => less_than_explored(program, &self.options.fields),
            },
            partial: leaves_out(program, self.setup.job, self.options),
            sizes,
            boards: self.tally.boards,
            legal: self.tally.legal,
            states: self.tally.states,
            steps: self.tally.steps,
            given_up: std::mem::take(&mut self.tally.given_up),
            limited: self.tally.bounds,
            left: std::mem::take(&mut self.tally.left),
            readings: self.tally.readings,
            limitations,
            restricted: self.under.restricted(),
            uncompared: std::mem::take(&mut self.under).uncompared(),
            written: 0,
            unvisited: 0,
        };
        // A board that was given up could have a smaller witness.
        let mut limitations = scope.limitations.iter();
        if limitations.any(|one| !one.is_of_no_board()) {
            self.unknown.add_rest();
        }
        let describer = &mut self.describer;
        let undescribed = self.undescribed;
        let mut describe = |boards: &[u64]| match undescribed {
            true => None,
            false => describer.describe(boards),
        };
        let (at, unknown) = (Some(index), &self.unknown);
        let mut findings = self.buckets.finish(program, at, unknown, &mut describe);
        for (_, finding) in &mut findings {
            if let Detail::Conflict(site, Some(matters)) = &mut finding.detail {
                *matters = self.weighty.contains(site);
            }
        }
        Explored {
            scope,
            findings,
            shown: self.shown.finish(program, at, unknown, &mut describe),
            asked: self.asked,
            trials: self.trials,
            coverage: self.coverage,
            without_end: self.tally.without_end,
            mentioned: BTreeSet::new(),
            sequence: self.setup.job.sequence,
            idle,
            differing,
            unstable: &self.first.recheck - &self.open.recheck,
        }
    }

    /// Steps that were executed and without which nothing was different, and those of which that is not
    /// so, or not known.
    fn idle_steps(&self, limitations: &[Limitation]) -> (BTreeSet<StepId>, BTreeSet<StepId>) {
        if !limitations.is_empty() {
            return (BTreeSet::new(), self.first.idle.clone());
        }
        let idle = &self.open.idle & &self.tried;
        (idle, &self.first.idle - &self.open.idle)
    }

    /// Steps are candidates for a re-check only if they are known to be idempotent in place on all boards.
    fn not_idempotent(&mut self, program: &Program, limitations: &[Limitation]) {
        for &step in &program.sequences[self.setup.job.sequence].steps {
            if !self.open.recheck.contains(&step) || !limitations.is_empty() {
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
        let program = self.setup.program;
        let sequence = self.setup.job.sequence;
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
            oblique: false,
            mixed: false,
            plainest: Plainness::Ends,
        };
        self.buckets
            .record(place, hit, 0, || None::<Found<Witness>>);
    }
}
