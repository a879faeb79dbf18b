//! What stays the same for all boards of a job, and what is asked of the engine with it.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::engine::Engine;
use super::graph::{Graph, Kept, NO_ORDERS, Task};
use super::halt::Halt;
use super::job::Job;
use super::legal::is_legal;
use super::mentions::of_boards;
use super::options::Limits;
use super::values::{Outcomes, Values, Viewer};
use super::watch::Watch;
use crate::verdict::ClaimFailure;
use endstep_language::syntax::ast::{At, Quantifier};
use endstep_language::typing::program::{
    ClaimKind, Expr, ExprKind, ObserverId, Program, ReadingId, StepId, StmtId, Value,
};
use endstep_semantics::semantics::{ChoiceKind, Data, Interpreter, Names, Readings, Site, Variant};
use endstep_semantics::witness::{Lens, Outside, Root};

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
pub struct Setup<'a> {
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
    /// The rules with nothing counted, if that is something else (`docs/semantics.md`, 8).
    pub uncounting: Option<Variant>,
    /// For each claim whether there is anything that it speaks of, if it speaks of every one of some.
    pub subjects: Vec<Option<Expr>>,
    /// The readings on which it depends which boards are legal, or explored.
    pub of_boards: BTreeSet<ReadingId>,
}

/// What is still worth looking at.
#[derive(Debug, Clone, Default)]
pub struct Open {
    /// Steps whose absence has made no difference yet.
    pub idle: BTreeSet<StepId>,
    /// Steps that were idempotent in place so far.
    pub recheck: BTreeSet<StepId>,
}

impl Open {
    /// All steps of a program.
    pub fn all(program: &Program) -> Self {
        let all: BTreeSet<StepId> = program.steps.ids().collect();
        Self {
            idle: all.clone(),
            recheck: all,
        }
    }

    /// The same without what is settled.
    pub fn without(&self, settled: &Self) -> Self {
        Self {
            idle: &self.idle - &settled.idle,
            recheck: &self.recheck - &settled.recheck,
        }
    }
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
    /// Iterations of which one order may stand for all.
    pub orders: &'a BTreeSet<StmtId>,
    /// What was spent on what nobody asked for, and may be. `None`: it is not looked at.
    pub aside: Option<(&'a Cell<u64>, u64)>,
    /// What the engine keeps.
    pub kept: Option<&'a Kept>,
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

/// Which runs are looked at, and for what.
#[derive(Debug, Clone, Copy)]
pub struct Runs<'a> {
    /// What is performed.
    pub root: &'a Root,
    /// Under these readings.
    pub readings: &'a Readings,
    /// With the rules changed like this.
    pub variant: &'a Variant,
    /// The claims that are looked at on the way.
    pub watches: &'a [Watch<'a>],
    /// The steps whose data are kept where they end.
    pub keep: &'a BTreeSet<StepId>,
}

impl<'a> Setup<'a> {
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
            uncounting: Some(job.variant.uncounting(program)).filter(|one| !one.still.is_empty()),
            subjects: subjects(program, &job.claims),
            of_boards: of_boards(program),
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
            orders: start.orders,
            states: self.limits.states,
            steps: start.budget,
            spent: start.spent,
            kept: start.kept,
        };
        self.engine.graph(task, root, start.board)
    }

    /// Explores a root from a board, and says what is possible, for as many observers as there are outcomes. Where the
    /// order of an iteration matters anywhere, every order of it is visited everywhere, so that any two can be shown.
    pub fn compared(
        &self,
        start: Start<'_>,
        runs: Runs<'_>,
        outcomes: &mut [Outcomes],
    ) -> Result<(Graph, Vec<Values>), Halt> {
        let mut orders = start.orders.clone();
        loop {
            let start = Start {
                orders: &orders,
                ..start
            };
            let (how, looks) = ((runs.readings, runs.variant), (runs.watches, runs.keep));
            let graph = self.explore(start, runs.root, how, looks)?;
            let known: Vec<usize> = outcomes.iter().map(Outcomes::count).collect();
            let mut values = Vec::new();
            for (observer, outcomes) in outcomes.iter_mut().enumerate() {
                let viewer = self.viewer(observer);
                values.push(self.engine.values(&graph, viewer, outcomes)?);
            }
            let matter: BTreeSet<StmtId> = values
                .iter()
                .flat_map(|values| self.engine.unequal(&graph, values, ChoiceKind::Order))
                .filter_map(|node| match graph.nodes.at(node).point()?.site {
                    Site::Stmt(stmt) => graph.narrowed.contains(&stmt).then_some(stmt),
                    _ => None,
                })
                .collect();
            if matter.is_empty() {
                return Ok((graph, values));
            }
            orders = &orders - &matter;
            for (outcomes, known) in outcomes.iter_mut().zip(known) {
                outcomes.forget_since(known);
            }
        }
    }

    /// How the entities of a board are called.
    pub fn names(&self, board: &Data) -> Names {
        match self.job.on {
            Some(on) => Data::from_board(self.program, &self.program.boards[on]).1,
            None => Names::numbered(self.program, board),
        }
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
        let names = self.names(board);
        let spent = Cell::new(0);
        let start = Start {
            board,
            names: &names,
            spent: &spent,
            budget: *left,
            orders: &NO_ORDERS,
            aside: None,
            kept: None,
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
    pub(super) fn keep(&self, open: &Open) -> BTreeSet<StepId> {
        let claims = self.job.claims.iter();
        let claimed = claims.filter_map(|&claim| match self.program.claims[claim].kind {
            ClaimKind::Idempotent(_, step) => step,
            _ => None,
        });
        open.recheck.iter().copied().chain(claimed).collect()
    }

    pub(super) fn root(&self) -> Root {
        Root::Sequence(self.job.sequence, Vec::new())
    }
}

/// For each claim `every … has …` the question whether there is anything that it speaks of.
fn subjects(program: &Program, claims: &[usize]) -> Vec<Option<Expr>> {
    let subject = |&claim: &usize| match &program.claims[claim].kind {
        ClaimKind::Must(e, ..) | ClaimKind::Invariant(e, At::End, _) => some(e),
        _ => None,
    };
    claims.iter().map(subject).collect()
}

fn some(every: &Expr) -> Option<Expr> {
    let ExprKind::Quantified(Quantifier::Every, binder, body) = &every.kind else {
        return None;
    };
    let yes = Expr {
        kind: ExprKind::Const(Value::Bool(true)),
        ..(**body).clone()
    };
    Some(Expr {
        kind: ExprKind::Quantified(Quantifier::Some, binder.clone(), Box::new(yes)),
        ..every.clone()
    })
}
