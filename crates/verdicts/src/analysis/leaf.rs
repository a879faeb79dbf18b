//! All that is known about one board under one assignment of the readings it consults.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::again::{Again, Effects, Repeats};
use super::demands::Odds;
use super::engine::Engine;
use super::graph::{Graph, Halt, Task, unless_consulted};
use super::job::{Job, is_fixed_under};
use super::legal::{is_legal, is_legal_at_all};
use super::options::Limits;
use super::trial;
use super::values::{Outcomes, Values, Viewer};
use super::watch::{Watch, fails};
use crate::verdict::{ClaimFailure, Extra};
use endstep_language::syntax::ast::At;
use endstep_language::typing::program::{
    ClaimKind, Expr, ObserverId, Program, ReadingId, SequenceId, StepId, StmtId, StmtKind,
};
use endstep_semantics::semantics::{Data, Interpreter, Names, Readings, Tag, Variant};
use endstep_semantics::witness::{Lens, Outside, Root, is_outcome, outside_contract};

/// A board under an assignment.
#[derive(Debug)]
pub struct Leaf {
    /// The assignment; readings that no run from the board consults are absent.
    pub readings: Readings,
    /// The graph.
    pub graph: Graph,
    /// What is possible, for each observer of the bench.
    pub values: Vec<Values>,
    /// Some run was given up: nothing can be compared.
    pub limited: bool,
    /// For each claim of the job, and then for each that it looks at also, whether the board meets its
    /// condition.
    pub concerned: Vec<bool>,
    /// What is wrong at ends: the node, and what.
    pub failures: Vec<(usize, Failure)>,
    /// Which demands are at odds.
    pub odds: Odds,
    /// Fixed iterations run in any order.
    pub freed: Vec<(StmtId, Graph, Values)>,
    /// Steps left out: whether that makes a difference.
    pub skipped: Vec<(StepId, bool)>,
    /// The other sequences of claims of equivalence.
    pub others: Vec<(usize, Graph, Values)>,
    /// What doing something again changes.
    pub again: Again,
    /// What nobody asked for and was given up.
    pub given_up: BTreeSet<Extra>,
}

/// What is wrong at an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// A condition of legality.
    Legal(usize),
    /// An `ensures` of the contract.
    Contract(usize),
    /// A change that the contract does not list.
    Frame(Outside),
    /// A claim.
    Claim(usize, ClaimFailure),
}

/// What stays the same for all boards of a job.
pub struct Bench<'a> {
    /// The program.
    pub program: &'a Program,
    /// The engine.
    pub engine: &'a dyn Engine,
    /// The job.
    pub job: &'a Job,
    /// The limits.
    pub limits: Limits,
    /// Observers, that of the job first.
    pub observers: Vec<Option<ObserverId>>,
    /// Their lenses.
    pub lenses: Vec<Lens<'a>>,
    /// What is evaluated on the way.
    pub watches: Vec<Watch<'a>>,
    /// Iterations whose order the document fixes.
    pub fixed: Vec<StmtId>,
    /// For each claim whether there is anything that it speaks of, if it speaks of every one of some.
    pub subjects: Vec<Option<Expr>>,
}

/// What is still worth looking at.
#[derive(Debug, Clone, Default)]
pub struct Open {
    /// Steps whose absence has made no difference yet.
    pub idle: BTreeSet<StepId>,
    /// Steps that were idempotent in place so far.
    pub recheck: BTreeSet<StepId>,
}

/// What was met on a board, under all readings.
#[derive(Debug, Default)]
pub struct Met {
    /// Outcomes, for each observer.
    pub outcomes: Vec<Outcomes>,
    /// Readings that runs depend on.
    pub consulted: BTreeSet<ReadingId>,
    /// What doing something again does.
    pub effects: Effects,
    /// Nodes.
    pub states: u64,
}

/// One board.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The data.
    pub board: &'a Data,
    /// The names.
    pub names: &'a Names,
    /// Micro-steps spent on it so far.
    pub spent: &'a Cell<u64>,
    /// Micro-steps that may be spent on it.
    pub budget: u64,
    /// What was spent on what nobody asked for, and may be. `None`: it is not looked at.
    pub aside: Option<(&'a Cell<u64>, u64)>,
}

impl Start<'_> {
    /// The same, paid for from what there is for what nobody asked for. `None`: it is not looked at.
    pub fn aside(self) -> Option<Self> {
        let (spent, budget) = self.aside?;
        Some(Self {
            spent,
            budget,
            ..self
        })
    }
}

impl Leaf {
    /// What a test that nobody asked for comes to; `None`: it was given up.
    fn unless_given_up<T>(
        &mut self,
        extra: Extra,
        come_to: Option<Result<T, Halt>>,
    ) -> Result<Option<T>, Halt> {
        match come_to {
            Some(Ok(found)) => return Ok(Some(found)),
            Some(Err(Halt::Consult(reading))) => return Err(Halt::Consult(reading)),
            Some(Err(_)) | None => {}
        }
        self.given_up.insert(extra);
        Ok(None)
    }
}

impl<'a> Bench<'a> {
    /// For a job.
    pub fn new(
        (program, engine): (&'a Program, &'a dyn Engine),
        job: &'a Job,
        limits: Limits,
        fixed: Vec<StmtId>,
    ) -> Self {
        let mut observers = vec![job.observer];
        for &claim in &job.claims {
            let observer = program.claims[claim].observer.or(job.observer);
            if !observers.contains(&observer) {
                observers.push(observer);
            }
        }
        let lenses = observers.iter().map(|one| Lens::new(program, *one));
        let watches = job
            .claims
            .iter()
            .filter_map(|&claim| Watch::of(program, claim));
        Self {
            program,
            engine,
            job,
            limits,
            lenses: lenses.collect(),
            observers,
            watches: watches.collect(),
            fixed,
            subjects: trial::subjects(program, &job.claims),
        }
    }

    /// The position of the observer of a claim.
    pub fn observer_of(&self, claim: usize) -> usize {
        let observer = self.program.claims[claim].observer.or(self.job.observer);
        self.observers
            .iter()
            .position(|one| *one == observer)
            .unwrap_or(0)
    }

    /// A view through an observer's lens.
    pub fn viewer(&self, observer: usize) -> Viewer<'_> {
        Viewer {
            lens: &self.lenses[observer],
            program: self.program,
        }
    }

    /// Explores a root from a board, and pays for it.
    pub fn explore(
        &self,
        start: Start<'_>,
        root: &Root,
        (readings, variant): (&Readings, &Variant),
        (watches, keep): (&[Watch<'_>], &BTreeSet<StepId>),
    ) -> Result<Graph, Halt> {
        let task = Task {
            program: self.program,
            readings,
            variant,
            names: start.names,
            watches,
            keep,
            states: self.limits.states,
            steps: start.budget,
            spent: start.spent,
        };
        self.engine.graph(task, root, start.board)
    }

    /// The graph of all runs from a board; what it took is taken off what is
    /// left of the micro-steps.
    ///
    /// # Errors
    ///
    /// Why it cannot be explored as it is.
    pub fn whole(
        &self,
        (board, readings): (&Data, &Readings),
        left: &mut u64,
    ) -> Result<Graph, Halt> {
        let names = Names::numbered(self.program, board);
        let spent = Cell::new(0);
        let start = Start {
            board,
            names: &names,
            spent: &spent,
            budget: *left,
            aside: None,
        };
        let looks = (&[][..], &BTreeSet::new());
        let variant = &self.job.variant;
        let graph = self.explore(start, &self.root(), (readings, variant), looks);
        *left = left.saturating_sub(spent.get());
        graph
    }

    /// Whether a board is one of the job's under readings.
    ///
    /// # Errors
    ///
    /// Why that cannot be said.
    pub fn takes(&self, (board, readings): (&Data, &Readings)) -> Result<bool, Halt> {
        let it = Interpreter {
            program: self.program,
            readings,
            variant: &self.job.variant,
        };
        is_legal(it, self.job.only(self.program), board)
    }

    /// The steps whose data are needed where they end: those that may still lack a second check, and
    /// those of claims of idempotence.
    fn keep(&self, open: &Open) -> BTreeSet<StepId> {
        let claims = self.job.claims.iter();
        let claimed = claims.filter_map(|&claim| match self.program.claims[claim].kind {
            ClaimKind::Idempotent(_, step) => step,
            _ => None,
        });
        open.recheck.iter().copied().chain(claimed).collect()
    }

    fn root(&self) -> Root {
        Root::Sequence(self.job.sequence, Vec::new())
    }

    /// Everything about a board under readings; `None`: it is not legal.
    pub fn leaf(
        &self,
        start: Start<'_>,
        readings: &Readings,
        open: &Open,
        met: &mut Met,
    ) -> Result<Option<Leaf>, Halt> {
        let it = Interpreter {
            program: self.program,
            readings,
            variant: &self.job.variant,
        };
        if !self.is_explored(it, start.board)? {
            return Ok(None);
        }
        let base = &self.job.variant;
        let keep = self.keep(open);
        let looks = (self.watches.as_slice(), &keep);
        let graph = self.explore(start, &self.root(), (readings, base), looks);
        if let Err(Halt::Consult(reading)) = graph {
            met.consulted.insert(reading);
        }
        let graph = graph?;
        met.states += graph.nodes.len() as u64;
        let outcomes = &mut met.outcomes;
        let mut values = Vec::new();
        for (observer, outcomes) in outcomes.iter_mut().enumerate() {
            values.push(
                self.engine
                    .values(&graph, self.viewer(observer), outcomes)?,
            );
        }
        let limited = graph.is_limited();
        let failures = self.failures(it, &graph)?;
        let concerned = self.concerned(it, start.board)?;
        let mut leaf = Leaf {
            readings: readings.clone(),
            odds: Odds::of(self, &graph, (&failures, &concerned)),
            graph,
            values,
            limited,
            concerned,
            failures,
            freed: Vec::new(),
            skipped: Vec::new(),
            others: Vec::new(),
            again: Again::default(),
            given_up: BTreeSet::new(),
        };
        let mut repeats = Repeats {
            bench: self,
            start,
            known: &mut met.effects,
        };
        leaf.again = repeats.look(&leaf, open, outcomes)?;
        let given_up = leaf.again.given_up.iter().copied();
        leaf.given_up.extend(given_up.map(Extra::Recheck));
        let claims = leaf.again.open.iter().copied();
        leaf.given_up.extend(claims.map(Extra::Again));
        if !limited {
            self.free(start, &mut leaf, &mut outcomes[0])?;
            self.skip(start, &mut leaf, open, &mut outcomes[0])?;
            self.other_sequences(start, &mut leaf, outcomes)?;
        }
        Ok(Some(leaf))
    }

    /// What a single run from a board shows; `None`: it is not looked at, or cannot be.
    pub fn path(
        &self,
        start: Start<'_>,
        readings: &Readings,
        choices: &[usize],
    ) -> Result<Option<Leaf>, Halt> {
        let it = Interpreter {
            program: self.program,
            readings,
            variant: &self.job.variant,
        };
        if !self.is_explored(it, start.board)? {
            return Ok(None);
        }
        let task = Task {
            program: self.program,
            readings,
            variant: &self.job.variant,
            names: start.names,
            watches: &self.watches,
            keep: &BTreeSet::new(),
            states: self.limits.states,
            steps: start.budget,
            spent: start.spent,
        };
        let Some(graph) = self.engine.path(task, &self.root(), (start.board, choices)) else {
            return Ok(None);
        };
        let graph = graph?;
        Ok(Some(Leaf {
            readings: readings.clone(),
            values: Vec::new(),
            limited: graph.is_limited(),
            failures: self.failures(it, &graph)?,
            // Other runs may meet what this one does not.
            odds: Odds::default(),
            concerned: self.concerned(it, start.board)?,
            graph,
            freed: Vec::new(),
            skipped: Vec::new(),
            others: Vec::new(),
            again: Again::default(),
            given_up: BTreeSet::new(),
        }))
    }

    /// Whether a board is one of those that are looked at.
    fn is_explored(&self, it: Interpreter<'_>, board: &Data) -> Result<bool, Halt> {
        match self.job.all_legal {
            true => is_legal_at_all(it, board),
            false => is_legal(it, self.job.only(self.program), board),
        }
    }

    fn concerned(&self, it: Interpreter<'_>, board: &Data) -> Result<Vec<bool>, Halt> {
        let mut concerned = Vec::new();
        for &claim in self.job.claims.iter().chain(&self.job.also) {
            let condition = match &self.program.claims[claim].kind {
                ClaimKind::Equivalent(_, _, condition)
                | ClaimKind::Terminates(_, condition)
                | ClaimKind::Must(_, _, condition) => condition.as_ref(),
                _ => None,
            };
            concerned.push(match condition {
                Some(condition) => fails(it, condition, board, board)?.is_none(),
                None => true,
            });
        }
        Ok(concerned)
    }

    fn failures(&self, it: Interpreter<'_>, graph: &Graph) -> Result<Vec<(usize, Failure)>, Halt> {
        let mut found = Vec::new();
        // What is promised is a demand beside those that are claimed.
        let demands = self.job.verify().is_some() && self.job.demands(self.program);
        let promised = self.job.full || demands;
        for (at, node) in graph.nodes.iter().enumerate() {
            let Some(end) = &node.end else { continue };
            let data = &end.ended.data;
            let mut add = |failure| found.push((at, failure));
            if end.ended.tag == Tag::End && promised {
                for (index, legal) in self.program.legals.iter().enumerate() {
                    if fails(it, &legal.condition, data, &graph.board)?.is_some() {
                        add(Failure::Legal(index));
                    }
                }
                self.contract(it, graph, data, &mut add)?;
            }
            let ends = is_outcome(&end.ended.tag);
            for &claim in self.job.claims.iter().chain(&self.job.also) {
                let condition = match &self.program.claims[claim].kind {
                    ClaimKind::Must(e, ..) => e,
                    // A declared outcome is not the end of the sequence.
                    ClaimKind::Invariant(e, At::End, _) if end.ended.tag == Tag::End => e,
                    ClaimKind::Invariant(e, At::Steps | At::Throughout, _) => e,
                    _ => continue,
                };
                if ends && let Some(why) = fails(it, condition, data, &graph.board)? {
                    add(Failure::Claim(claim, why));
                }
            }
        }
        Ok(found)
    }

    fn contract(
        &self,
        it: Interpreter<'_>,
        graph: &Graph,
        data: &Data,
        add: &mut dyn FnMut(Failure),
    ) -> Result<(), Halt> {
        let sequence: SequenceId = self.job.sequence;
        let Some(contract) = &self.program.sequences[sequence].contract else {
            return Ok(());
        };
        for (index, condition) in contract.ensures.iter().enumerate() {
            if fails(it, condition, data, &graph.board)?.is_some() {
                add(Failure::Contract(index));
            }
        }
        let changed = outside_contract(it, sequence, &graph.board, data);
        for outside in unless_consulted(changed)?.unwrap_or_default() {
            add(Failure::Frame(outside));
        }
        Ok(())
    }

    /// The runs of another variant, and what is possible on them.
    fn other(
        &self,
        start: Start<'_>,
        (readings, variant): (&Readings, &Variant),
        outcomes: &mut Outcomes,
    ) -> Result<(Graph, Values), Halt> {
        let nothing = (&[][..], &BTreeSet::new());
        let graph = self.explore(start, &self.root(), (readings, variant), nothing)?;
        let values = self.engine.values(&graph, self.viewer(0), outcomes)?;
        Ok((graph, values))
    }

    fn free(&self, start: Start<'_>, leaf: &mut Leaf, outcomes: &mut Outcomes) -> Result<(), Halt> {
        for &stmt in self.fixed.iter().filter(|_| self.job.full) {
            let StmtKind::ForEach { order, .. } = &self.program.stmts[stmt].kind else {
                continue;
            };
            // Under another reading the order can be open: what it decides is told as such.
            if !leaf.graph.coverage.has_wide(stmt) || !is_fixed_under(order, &leaf.readings) {
                continue;
            }
            let mut variant = self.job.variant.clone();
            variant.free.insert(stmt);
            let come_to = start
                .aside()
                .map(|start| self.other(start, (&leaf.readings, &variant), outcomes));
            let extra = Extra::Position(stmt);
            match leaf.unless_given_up(extra, come_to)? {
                // What cannot be compared is not known either.
                Some((graph, _)) if graph.is_limited() => {
                    leaf.given_up.insert(extra);
                }
                Some((graph, values)) => leaf.freed.push((stmt, graph, values)),
                None => {}
            }
        }
        Ok(())
    }

    fn skip(
        &self,
        start: Start<'_>,
        leaf: &mut Leaf,
        open: &Open,
        outcomes: &mut Outcomes,
    ) -> Result<(), Halt> {
        for &step in &open.idle {
            if !leaf.graph.coverage.has_step(step) {
                continue;
            }
            if !leaf.graph.coverage.has_effect(step) {
                leaf.skipped.push((step, false));
                continue;
            }
            let mut variant = self.job.variant.clone();
            variant.skip = Some(step);
            let come_to = start
                .aside()
                .map(|start| self.other(start, (&leaf.readings, &variant), outcomes));
            if let Some((_, values)) = leaf.unless_given_up(Extra::Idle(step), come_to)? {
                let differs = values.set(0) != leaf.values[0].set(0);
                leaf.skipped.push((step, differs));
            }
        }
        Ok(())
    }

    fn other_sequences(
        &self,
        start: Start<'_>,
        leaf: &mut Leaf,
        outcomes: &mut [Outcomes],
    ) -> Result<(), Halt> {
        for (at, &claim) in self.job.claims.iter().enumerate() {
            let ClaimKind::Equivalent(_, other, _) = &self.program.claims[claim].kind else {
                continue;
            };
            if !leaf.concerned[at] {
                continue;
            }
            let root = Root::Sequence(*other, Vec::new());
            let base = &self.job.variant;
            let nothing = (&[][..], &BTreeSet::new());
            let graph = self.explore(start, &root, (&leaf.readings, base), nothing)?;
            let observer = self.observer_of(claim);
            let values =
                self.engine
                    .values(&graph, self.viewer(observer), &mut outcomes[observer])?;
            // What cannot be compared is not known.
            if graph.is_limited() {
                leaf.given_up.insert(Extra::Compared(claim));
            }
            leaf.others.push((claim, graph, values));
        }
        Ok(())
    }
}
