//! Decides what `analysis` asks in time that grows with the size of the graph: the engine of
//! `check`.
//!
//! Nodes that lie on cycles together have one outcome set, so sets are computed once for each
//! strongly connected component, those that follow first, and equal sets are kept once:
//!
//! ```text
//! 0 ──► 1 ⇄ 2 ──► 3 end {owl}        {3}: #0 = {end owl}
//!             └─► 4 end {}           {4}: #1 = {end {}}       {1, 2}: #2 = #0 ∪ #1 ∪ {diverges}
//!                                                             {0}:    #2
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `store`, `memo`, `walk`, `graph` | what can follow a board, on packed states |
//! | `sieve` | which boards need not be looked at |
//! | `space` | how large a state space is |
//! | `component` | strongly connected components |
//! | `set`, `value` | outcome sets |
//! | `attract`, `recur` | who can force what; loops by class |
//! | `turn`, `commute` | which orders matter, and which pairs are to blame |
//!
//! *Guarantees.* Those of `analysis`; the same answers as `exhaust`, which `tests/it/engines.rs`
//! compares call by call.
//!
//! *Limits.* Those of `analysis`.
//!
//! *Background.* R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1(2),
//! 1972 (components). E. Grädel, W. Thomas, T. Wilke (eds.), Automata, Logics, and Infinite Games,
//! LNCS 2500, 2002, chapter 2, and W. Zielonka, Infinite games on finitely coloured graphs, TCS
//! 200, 1998 (attractors). J.-C. Filliâtre, S. Conchon, Type-safe modular hash-consing, ML 2006
//! (sets).

// TRUSTED: verdicts rest on this module as much as on `analysis`.

mod graph;
mod sieve;
mod space;
mod store;

mod component;
mod set;
mod snapshots;
mod value;
mod visited;

mod memo;
mod walk;

mod attract;
mod recur;

mod commute;
mod turn;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use endstep_language::typing::program::{Program, StmtId};
use endstep_semantics::semantics::{ChoiceKind, Data, Readings, Who};
use endstep_semantics::witness::{Ability, Root};
use endstep_verdicts::analysis::{
    self, Blamed, Continuation, Engine, Graph, Ground, Halt, Kept, Options, Outcomes, Progress,
    Sieve, Task, Values, Viewer,
};
use endstep_verdicts::verdict::{LoopClass, Results};

pub use space::{Consulted, Quest, Space, space};
pub use store::Store;

/// The engine, for one program.
#[derive(Debug, Clone)]
pub struct Explorer {
    ground: Arc<Ground>,
    /// What is kept from one board to the next, for as many as are looked at side by side.
    kept: Arc<Mutex<Vec<Kept>>>,
}

impl Explorer {
    /// Lowers a program.
    pub fn new(program: &Program) -> Self {
        Self {
            ground: Arc::new(Ground::new(program)),
            kept: Arc::default(),
        }
    }

    /// The program lowered.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }
}

/// Explores everything a program asks for, and says what was found.
pub fn check(program: &Program, options: &Options, progress: &mut dyn FnMut(&Progress)) -> Results {
    analysis::check(program, options, &Explorer::new(program), progress)
}

impl Engine for Explorer {
    fn graph(&self, task: Task<'_>, root: &Root, board: &Data) -> Result<Graph, Halt> {
        graph::build(&self.ground, task, root, (board, None))
    }

    fn lend(&self) -> Kept {
        memo::locked(&self.kept).pop().unwrap_or_default()
    }

    fn give_back(&self, lent: Kept) {
        memo::locked(&self.kept).push(lent);
    }

    fn path(
        &self,
        task: Task<'_>,
        root: &Root,
        (board, choices): (&Data, &[usize]),
    ) -> Option<Result<Graph, Halt>> {
        Some(graph::build(
            &self.ground,
            task,
            root,
            (board, Some(choices)),
        ))
    }

    fn iterations(&self) -> BTreeSet<StmtId> {
        self.ground.iterations.clone()
    }

    fn sieve<'a>(
        &'a self,
        dealt: &Data,
        readings: &Readings,
        verify: Option<usize>,
    ) -> Option<Box<dyn Sieve + 'a>> {
        let sieve = sieve::Sieve::new(&self.ground, dealt, readings, verify);
        Some(Box::new(sieve))
    }

    fn values(
        &self,
        graph: &Graph,
        viewer: Viewer<'_>,
        outcomes: &mut Outcomes,
    ) -> Result<Values, Halt> {
        value::values(graph, viewer, outcomes)
    }

    fn is_able(
        &self,
        graph: &Graph,
        values: &Values,
        who: Who,
        (ability, outcome): (Ability, usize),
    ) -> bool {
        attract::is_able((graph, values), who, ability, outcome)
    }

    fn loops(&self, graph: &Graph) -> Vec<(Vec<usize>, LoopClass)> {
        recur::loops(graph)
    }

    fn unequal(&self, graph: &Graph, values: &Values, kind: ChoiceKind) -> Vec<usize> {
        commute::unequal(graph, values, kind)
    }

    fn blame(&self, graph: &Graph, values: &Values, counts: &dyn Fn(usize) -> bool) -> Vec<Blamed> {
        commute::blame(graph, values, counts)
    }

    fn continuation(
        &self,
        (graph, values): (&Graph, &Values),
        node: usize,
        pair: (usize, usize),
    ) -> Option<Continuation> {
        commute::continuation(graph, values, node, pair)
    }
}
