//! Decides by plain enumeration and plain fixpoints what `analysis` asks: the oracle of all
//! engines.
//!
//! It is written to be obviously right rather than fast. The runs from a board are followed by the
//! interpreter, and everything is decided on their graph by going over all nodes until nothing
//! changes:
//!
//! ```text
//! board [wolf 0, owl 1] ──► graph under zero = exactly   V = {end {owl}}
//!                      └──► graph under zero = or less   V = {end {owl}, end {}}    a reading matters
//! ```
//!
//! *Guarantees.* Those of `analysis`.
//!
//! *Limits.* Those of `analysis`; it has no reductions and packs nothing.

// TRUSTED: the tests of all other engines rest on this module.

mod graph;
mod loops;
mod order;
mod values;

use endstep_language::typing::program::Program;
use endstep_semantics::semantics::{ChoiceKind, Data, Who};
use endstep_semantics::witness::{Ability, Root};
use endstep_verdicts::analysis::{
    self, Blamed, Continuation, Engine, Graph, Halt, Options, Outcomes, Progress, Task, Values,
    Viewer,
};
use endstep_verdicts::verdict::{LoopClass, Results};

/// The engine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Naive;

/// Explores everything a program asks for, and says what was found.
pub fn check(program: &Program, options: &Options, progress: &mut dyn FnMut(&Progress)) -> Results {
    analysis::check(program, options, &Naive, progress)
}

impl Engine for Naive {
    fn graph(&self, task: Task<'_>, root: &Root, board: &Data) -> Result<Graph, Halt> {
        graph::explore(task, root, board)
    }

    fn values(
        &self,
        graph: &Graph,
        viewer: Viewer<'_>,
        outcomes: &mut Outcomes,
    ) -> Result<Values, Halt> {
        values::values(graph, viewer, outcomes)
    }

    fn is_able(&self, graph: &Graph, values: &Values, who: Who, what: (Ability, usize)) -> bool {
        values::able(graph, values, who, what)
    }

    fn loops(&self, graph: &Graph) -> Vec<(Vec<usize>, LoopClass)> {
        loops::classes(graph)
    }

    fn unequal(&self, graph: &Graph, values: &Values, kind: ChoiceKind) -> Vec<usize> {
        order::unequal(graph, values, kind)
    }

    fn blame(&self, graph: &Graph, values: &Values, counts: &dyn Fn(usize) -> bool) -> Vec<Blamed> {
        order::blame(graph, values, counts)
    }

    fn continuation(
        &self,
        graph_and_values: (&Graph, &Values),
        node: usize,
        pair: (usize, usize),
    ) -> Option<Continuation> {
        order::continuation(graph_and_values, node, pair)
    }
}
