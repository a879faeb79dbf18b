//! Which decisions of a specification make a difference, and are answered nowhere.
//!
//! ```text
//! decision ──accepted──▶ meant: the author says why
//!          ──lower──▶ the same system, or one without meaning: no decision
//!          ──boards on which it is made, smallest first──▶ no further end: makes no difference there
//!          ──examples of the document──▶ one fails: settled by the example
//!          ──otherwise──▶ open: on this board what is not said decides how it ends
//! ```
//!
//! Boards are visited once, for all decisions; of those on which a decision is made the smallest are tried, and of the
//! others ever fewer.
//!
//! *Guarantees.* The same program and terms give the same, whatever the number of threads. Both runs of an open
//! decision were replayed by the interpreter, the one by the rules as they are written, the other with the alternative;
//! and no run by the rules as they are written comes to the end of the other from that board under these readings.
//!
//! *Limits.* Micro-steps for each sequence, and for each decision. Whatever was not tried can make a difference.

use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use endstep_engines::explore::Explorer;
use endstep_kernel::ir;
use endstep_kernel::lower::lower;
use endstep_language::syntax::ast::ClauseKind;
use endstep_language::typing::program::{Concern, EventId, Named, Program, StmtKind};
use endstep_report::report::{Open, Ruling};
use endstep_semantics::semantics::{Data, Names};
use endstep_semantics::witness::{Outcome, trace};
use endstep_tools::decisions::{Alternative, Decision, Made};
use endstep_verdicts::analysis::{
    Coverage, Halt, Job, Limits, Options, Reachable, Visited, Way, comes_further, each_visited,
    ends, examine, jobs,
};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The stack of a thread.
const STACK: usize = 64 << 20;

/// For each so many micro-steps one board on which a decision is made is kept; of twice as many every second one, and
/// so on.
const STEPS_FOR_A_BOARD: u64 = 10_000;

/// How decisions are judged.
#[derive(Debug, Clone, Default)]
pub struct Inquiry {
    /// Sizes, fields and readings, as in a check.
    pub options: Options,
    /// So many micro-steps may be spent on the boards of each sequence, and a quarter of them on each decision.
    pub steps: u64,
    /// Threads.
    pub jobs: usize,
}

/// The boards of a job on which decisions are made.
struct Visits {
    job: Job,
    visited: Vec<Visited>,
    /// For each decision those on which it is made, by position.
    made: Vec<Vec<usize>>,
    /// Whether these are all there are, for each decision.
    complete: Vec<bool>,
}

/// What decisions are judged with.
struct Court<'a> {
    program: &'a Program,
    decisions: &'a [Decision],
    engine: &'a Explorer,
    /// The system, as text.
    system: String,
    /// Those with the fewest statements first: they show most plainly what is meant.
    visits: Vec<Visits>,
    /// The examples of the document that come out as they should, with what they perform.
    examples: Vec<(usize, Reachable)>,
    options: Options,
    /// Micro-steps for a decision in a sequence.
    steps: u64,
}

/// What becomes of decisions, in their order; `told` after each.
pub fn audit(
    program: &Program,
    decisions: &[Decision],
    inquiry: &Inquiry,
    told: &(dyn Fn() + Sync),
) -> Vec<Ruling> {
    let builder = ThreadPoolBuilder::new().num_threads(inquiry.jobs.max(1));
    match builder.stack_size(STACK).build() {
        Ok(pool) => pool.install(|| judged(program, decisions, inquiry, told)),
        // It goes on with what threads there are.
        Err(_) => judged(program, decisions, inquiry, told),
    }
}

fn judged(
    program: &Program,
    decisions: &[Decision],
    inquiry: &Inquiry,
    told: &(dyn Fn() + Sync),
) -> Vec<Ruling> {
    let engine = Explorer::new(program);
    let court = Court::new((program, &engine), decisions, inquiry);
    let stop = &inquiry.options.stop;
    let all: Vec<usize> = (0..decisions.len()).collect();
    let groups: Vec<&[usize]> = all
        .chunk_by(|&one, &other| decisions[one].is_with(&decisions[other]))
        .collect();
    let one = |group: &[usize]| {
        let mut is_told = false;
        let rulings = group.iter().map(|&at| {
            let ruling = match is_told {
                true => Ruling::Beside,
                false if stop.is_wanted() => Ruling::Unknown,
                false => court.rule(at),
            };
            is_told |= matches!(ruling, Ruling::Open(_));
            told();
            ruling
        });
        rulings.collect::<Vec<Ruling>>()
    };
    let rulings: Vec<Vec<Ruling>> = groups.into_par_iter().map(one).collect();
    rulings.into_iter().flatten().collect()
}

impl<'a> Court<'a> {
    fn new(
        (program, engine): (&'a Program, &'a Explorer),
        decisions: &'a [Decision],
        inquiry: &Inquiry,
    ) -> Self {
        let options = Options {
            limits: Limits {
                steps: inquiry.steps,
                ..Limits::default()
            },
            threads: 1,
            ..inquiry.options.clone()
        };
        let verified = jobs(program, None).into_iter().filter(|job| job.full);
        let mut reaches: Vec<(Job, Reachable)> = verified
            .map(|job| {
                let reach = Reachable::from(program, job.sequence, &job.variant.contracts);
                (job, reach)
            })
            .collect();
        reaches.sort_by_key(|(_, reach)| reach.stmts.len());
        let beside = spoken_of(program, &reaches, decisions);
        let visits = reaches.into_par_iter().map(|(job, reach)| {
            let reached = |one: &Decision| is_made(program, &reach, one.made);
            let reached: Vec<bool> = decisions.iter().map(reached).collect();
            let options = Options {
                beside: beside.clone(),
                ..options.clone()
            };
            Visits::of((program, engine), job, (decisions, &reached), &options)
        });
        Self {
            program,
            decisions,
            engine,
            system: ir::print(&lower(program)),
            visits: visits.collect(),
            examples: examples(program, &options),
            options,
            steps: inquiry.steps / 4,
        }
    }

    fn rule(&self, at: usize) -> Ruling {
        let decision = &self.decisions[at];
        if let Some(at) = accepted(self.program, decision) {
            return Ruling::Accepted(at);
        }
        let changed = decision.apply(self.program);
        let system = lower(&changed);
        // Not everything can be meant everywhere.
        if ir::fault(&system).is_some() || ir::print(&system) == self.system {
            return Ruling::Same(None);
        }
        let engine = Explorer::new(&changed);
        let (mut tried, mut is_complete) = (0, true);
        for visits in &self.visits {
            let mut left = self.steps;
            let mut last: Option<&Arc<Data>> = None;
            is_complete &= visits.complete[at];
            for &number in &visits.made[at] {
                let visited = &visits.visited[number];
                let job = &visits.job;
                // Where the rules as written only fall silent, or are broken, that is another finding.
                if !visited.ends.iter().any(Outcome::is_by_the_rules) {
                    continue;
                }
                let on = (visited, &self.options);
                match comes_further((&changed, &engine), job, on, &mut left) {
                    Ok(false) => {
                        // One board stands there under each of its readings.
                        let is_new = last.is_none_or(|last| !Arc::ptr_eq(last, &visited.board));
                        tried += u64::from(is_new);
                        last = Some(&visited.board);
                    }
                    Ok(true) => match self.open(job, (&changed, &engine), visited) {
                        Some(open) => return self.settled(decision, &changed, open),
                        None => is_complete = false,
                    },
                    Err(Halt::Steps) => {
                        is_complete = false;
                        break;
                    }
                    Err(_) => is_complete = false,
                }
            }
        }
        match is_complete {
            true => Ruling::Same(Some(tried)),
            false if tried == 0 => Ruling::Unknown,
            false => Ruling::SoFar(tried),
        }
    }

    /// What is shown of a decision on a board: a run by the rules as they are, and one with the alternative to which
    /// no such run comes. `None` if a limit is met, or one of them does not replay.
    fn open(
        &self,
        job: &Job,
        (changed, engine): (&Program, &Explorer),
        visited: &Visited,
    ) -> Option<Open> {
        let board = &*visited.board;
        let names = Names::numbered(self.program, board);
        let options = Options {
            readings: visited.readings.clone(),
            ..self.options.clone()
        };
        let written = ends((self.program, self.engine), job, (board, &names), &options);
        let otherwise = ends((changed, engine), job, (board, &names), &options);
        if written.given_up.is_some() || written.limited {
            return None;
        }
        let known: BTreeSet<_> = written.ways.iter().map(|way| &way.outcome).collect();
        let is_new = |way: &&Way| way.outcome.is_by_the_rules() && !known.contains(&way.outcome);
        let new = otherwise.ways.iter().find(is_new)?;
        // Of runs that differ in nothing else it is seen best what makes the difference.
        let alike = |way: &&Way| Reverse((way.outcome.is_by_the_rules(), in_common(way, new)));
        let shown = written.ways.iter().min_by_key(alike)?;
        let all_is_known = otherwise.given_up.is_none() && !otherwise.limited;
        let ends_so = |way: &Way| known.contains(&way.outcome);
        trace(self.program, &shown.run).ok()?;
        trace(changed, &new.run).ok()?;
        Some(Open {
            sequence: job.sequence,
            observer: job.observer,
            written: shown.run.clone(),
            otherwise: new.run.clone(),
            changed: changed.clone(),
            always: all_is_known && !otherwise.ways.iter().any(ends_so),
        })
    }

    /// That a decision is open, unless an example of the document does not come out with the alternative.
    fn settled(&self, decision: &Decision, changed: &Program, open: Open) -> Ruling {
        let mut examples = self.examples.iter();
        let settles = |(at, reach): &&(usize, Reachable)| {
            is_made(self.program, reach, decision.made)
                && !examine(changed, *at, &self.options, 0).findings.is_empty()
        };
        match examples.find(settles) {
            Some((at, _)) => Ruling::Settled(*at),
            None => Ruling::Open(Box::new(open)),
        }
    }
}

/// What the alternatives of decisions speak of that are made in jobs, by the names of the sequences: on boards that
/// differ in nothing else they can make a difference.
fn spoken_of(
    program: &Program,
    jobs: &[(Job, Reachable)],
    decisions: &[Decision],
) -> BTreeMap<String, Named> {
    let mut found: BTreeMap<String, Named> = BTreeMap::new();
    for decision in decisions {
        let changed = decision.apply(program);
        let made = jobs.iter();
        for (job, _) in made.filter(|(_, reach)| is_made(program, reach, decision.made)) {
            let named = Concern::of(&changed, job.sequence).named(&changed);
            let name = program.sequences[job.sequence].name.clone();
            let known = found.entry(name).or_default();
            *known = std::mem::take(known).with(named);
        }
    }
    found
}

impl Visits {
    fn of(
        (program, engine): (&Program, &Explorer),
        job: Job,
        (decisions, reached): (&[Decision], &[bool]),
        options: &Options,
    ) -> Self {
        let mut visited: Vec<Visited> = Vec::new();
        let mut made: Vec<Vec<usize>> = decisions.iter().map(|_| Vec::new()).collect();
        let mut seen: Vec<u64> = vec![0; decisions.len()];
        let is_all = each_visited((program, engine), &job, options, &mut |one| {
            let mut is_kept = false;
            for (at, decision) in decisions.iter().enumerate() {
                if !reached[at] || !may_differ(program, decision, &one.coverage) {
                    continue;
                }
                seen[at] += 1;
                if is_tried(seen[at], options.limits.steps / STEPS_FOR_A_BOARD) {
                    made[at].push(visited.len());
                    is_kept = true;
                }
            }
            if is_kept {
                visited.push(one);
            }
        });
        let kept = seen.iter().zip(&made);
        let complete = kept.map(|(seen, made)| is_all && *seen == made.len() as u64);
        Self {
            complete: complete
                .zip(reached)
                .map(|(is_all, is_reached)| is_all || !is_reached)
                .collect(),
            job,
            visited,
            made,
        }
    }
}

/// Whether of the boards on which a decision is made this one, counted from 1, is tried: of the first `all` each.
fn is_tried(number: u64, all: u64) -> bool {
    let every = (number / all.max(1)).max(1).next_power_of_two();
    number.is_multiple_of(every)
}

/// Whether a decision can make a difference where this was executed.
fn may_differ(program: &Program, decision: &Decision, coverage: &Coverage) -> bool {
    let announced = |event: EventId| {
        let mut stmts = program.stmts.iter();
        let is_it = |kind: &StmtKind| matches!(kind, StmtKind::Announce(id, _) if *id == event);
        // The state can raise it anywhere.
        program.events[event].whenever.is_some()
            || stmts.any(|(id, stmt)| is_it(&stmt.kind) && coverage.has_stmt(id))
    };
    let resolved = |event: EventId| {
        let mut triggers = program.triggers.iter();
        triggers.any(|(id, one)| one.event == event && coverage.has_trigger(id))
    };
    match decision.made {
        Made::Stmt(id) => {
            let needs_two = matches!(
                decision.alternative,
                Alternative::Rechecked | Alternative::Together
            );
            coverage.has_stmt(id) && (!needs_two || coverage.has_wide(id))
        }
        // Whatever waits for ever can differ, too.
        Made::Trigger(id) if decision.alternative == Alternative::NotItself => {
            announced(program.triggers[id].event)
        }
        Made::Trigger(id) => coverage.has_trigger(id),
        Made::Event(id) => announced(id),
        Made::Queue(id) => {
            let mut events = program.events.iter();
            events.any(|(event, one)| one.queue == Some(id) && resolved(event))
        }
        // Whatever a restart does can be seen from the first statement on.
        Made::Sequence(_) => true,
    }
}

/// How many choices two ways have in common at the beginning.
fn in_common(one: &Way, other: &Way) -> usize {
    let both = one.run.choices.iter().zip(&other.run.choices);
    both.take_while(|(one, other)| one == other).count()
}

/// The examples that the document gives and that come out, with what they may execute.
fn examples(program: &Program, options: &Options) -> Vec<(usize, Reachable)> {
    let all = program.examples.iter().enumerate();
    let of_the_document = all.filter(|(_, example)| {
        let clause = example.clause.and_then(|id| program.clauses.get(id));
        clause.is_some_and(|clause| clause.kind == ClauseKind::Example)
    });
    let good = of_the_document.filter(|(at, _)| {
        let examined = examine(program, *at, options, 0);
        examined.findings.is_empty() && examined.scope.limitations.is_empty()
    });
    let with_reach = good.map(|(at, example)| {
        let none = BTreeSet::new();
        (at, Reachable::from(program, example.sequence, &none))
    });
    with_reach.collect()
}

/// Whether what is executed depends on a decision.
fn is_made(program: &Program, reach: &Reachable, made: Made) -> bool {
    let announces = |event| reach.announced(program).any(|one| one == event);
    match made {
        Made::Stmt(id) => reach.stmts.contains(&id),
        Made::Sequence(id) => reach.sequences.contains(&id),
        Made::Trigger(id) => announces(program.triggers[id].event),
        Made::Event(id) => announces(id),
        Made::Queue(id) => {
            let mut events = program.events.iter();
            events.any(|(event, one)| one.queue == Some(id) && announces(event))
        }
    }
}

/// The `accept` of the program that says that a decision is meant, by position.
pub fn accepted(program: &Program, decision: &Decision) -> Option<usize> {
    let mut all = program.accepts.iter();
    all.position(|accept| {
        let at = accept.at.as_deref();
        accept.code == decision.alternative.word()
            && at.is_none_or(|at| decision.stands_at(program, at))
    })
}
