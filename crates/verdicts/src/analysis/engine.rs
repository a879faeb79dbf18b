//! What the analysis asks of an engine.
//!
//! Whatever a verdict rests on, each engine decides with code of its own, so that a mistake in one
//! shows when two are compared: the graph, the outcome sets, who can force what, the classes of
//! loops, which orders matter and which pairs are to blame. What is made of the answers is shared,
//! because every witness is replayed anyway.

use std::collections::BTreeSet;

use super::graph::{Graph, Kept, Task};
use super::halt::Halt;
use super::sieve::Sieve;
use super::values::{Outcomes, Set, Values, Viewer};
use crate::verdict::LoopClass;
use endstep_language::typing::program::StmtId;
use endstep_semantics::semantics::{ChoiceKind, Data, Readings, Who};
use endstep_semantics::witness::{Ability, Root};

/// An engine that visits every run from a board.
pub trait Engine: Sync {
    /// The graph of what can follow a board. Node 0 is the start.
    ///
    /// # Errors
    ///
    /// Why the board cannot be explored as it is.
    fn graph(&self, task: Task<'_>, root: &Root, board: &Data) -> Result<Graph, Halt>;

    /// What was given [back](Self::give_back) last, or nothing.
    fn lend(&self) -> Kept {
        Kept::default()
    }

    /// Takes back what was lent, for whoever needs it next.
    fn give_back(&self, kept: Kept) {
        let _ = kept;
    }

    /// The graph of a single run: at the n-th choice the alternative with the n-th position, and the
    /// first one when there are no more positions. `None`: the engine visits no single runs.
    ///
    /// # Errors
    ///
    /// Why the run cannot be followed.
    fn path(
        &self,
        task: Task<'_>,
        root: &Root,
        (board, choices): (&Data, &[usize]),
    ) -> Option<Result<Graph, Halt>> {
        let _ = (task, root, board, choices);
        None
    }

    /// The iterations of which one order can stand for all, where their elements have nothing to do with each other. An
    /// engine that always visits every order has none.
    fn iterations(&self) -> BTreeSet<StmtId> {
        BTreeSet::new()
    }

    /// What tells early that boards with these entities, dealt like this, are not legal under any of the
    /// readings that are not fixed, or not looked at in the n-th `verify`.
    fn sieve<'a>(
        &'a self,
        dealt: &Data,
        readings: &Readings,
        verify: Option<usize>,
    ) -> Option<Box<dyn Sieve + 'a>> {
        let _ = (dealt, readings, verify);
        None
    }

    /// `V` of every node (`docs/semantics.md`, 5). New outcomes are numbered in order of nodes.
    ///
    /// # Errors
    ///
    /// If an end cannot be observed as it is.
    fn values(
        &self,
        graph: &Graph,
        viewer: Viewer<'_>,
        outcomes: &mut Outcomes,
    ) -> Result<Values, Halt>;

    /// Whether somebody (a player, or the players together) can force or avoid an outcome from the
    /// start, everybody and everything else adversarial.
    fn is_able(&self, graph: &Graph, values: &Values, who: Who, what: (Ability, usize)) -> bool;

    /// The loops: nodes that lie on cycles together, in order, each part with its class; the parts
    /// in order of their first nodes, those that reach each other one after the other by class.
    fn loops(&self, graph: &Graph) -> Vec<(Vec<usize>, LoopClass)>;

    /// The choice points of a kind whose alternatives do not all have the same outcomes, in order.
    fn unequal(&self, graph: &Graph, values: &Values, kind: ChoiceKind) -> Vec<usize>;

    /// The pairs to blame where the order matters at a point that counts (`docs/semantics.md`, 7).
    fn blame(&self, graph: &Graph, values: &Values, counts: &dyn Fn(usize) -> bool) -> Vec<Blamed>;

    /// What follows the first of two alternatives of a node until its iteration chooses again, and
    /// then the second; `None` if nothing is chosen there.
    fn continuation(
        &self,
        graph_and_values: (&Graph, &Values),
        node: usize,
        pair: (usize, usize),
    ) -> Option<Continuation>;
}

/// Two alternatives of a node that do not commute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Blamed {
    /// The node.
    pub node: usize,
    /// One alternative, by position.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// They are compared as they are: no pair of this iteration that can change places differs.
    pub direct: bool,
}

/// What follows one alternative of a node until its iteration chooses again, and then another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Continuation {
    /// Nodes where the iteration chooses again, in order.
    pub again: BTreeSet<usize>,
    /// Nodes where it is over, in order.
    pub left: BTreeSet<usize>,
    /// Nodes in between.
    pub inner: BTreeSet<usize>,
    /// Whether a run may stay in between for ever.
    pub stays: bool,
    /// What is possible if the other alternative is taken next, where it can be.
    pub set: Set,
}
