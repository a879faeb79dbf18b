//! The graph of what can follow a board under an assignment of readings: what engines build.
//!
//! Nodes are the states in which something is chosen, a cycle begins anew, or the run has ended;
//! edges are the micro-steps between them, with what happened on the way:
//!
//! ```text
//! board --7 steps--> [order: wolf | owl] --wolf, 3 steps--> [order: owl | crow] …
//! ```
//!
//! States are behind [`States`], since an engine may keep them packed.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

use super::flat::Nodes;
use super::watch::{Mark, Watch};
use crate::verdict::{Bound, Coverage};
use endstep_language::typing::program::{EntityId, Program, StepId, StmtId};
use endstep_semantics::semantics::{
    Data, Frame, GapName, Limit, Names, Note, Readings, Site, Spot, State, Tag, Variant, Who,
};
use endstep_semantics::witness::Root;

/// A walk without a node is at most so many micro-steps long; a longer one gets a node.
pub const LONGEST_WALK: u64 = 4096;

/// What is explored, and at what cost.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The program.
    pub program: &'a Program,
    /// The readings fixed so far.
    pub readings: &'a Readings,
    /// The variant.
    pub variant: &'a Variant,
    /// The names of the board's entities.
    pub names: &'a Names,
    /// What is evaluated on the way.
    pub watches: &'a [Watch<'a>],
    /// The steps of which it is taken down where they end, with the data if they have changed something.
    pub keep: &'a BTreeSet<StepId>,
    /// Iterations of which one order may stand for all where they come to the same.
    pub orders: &'a BTreeSet<StmtId>,
    /// Most nodes.
    pub states: usize,
    /// Most micro-steps.
    pub steps: u64,
    /// Micro-steps so far; those of explorations that came to nothing count as well.
    pub spent: &'a Cell<u64>,
    /// What the engine keeps from one graph to the next, if there will be more than one.
    pub kept: Option<&'a Kept>,
}

/// What an engine keeps while one graph is made after the other: only the engine knows what that is, and the graphs are
/// the same without it.
#[derive(Debug, Default)]
pub struct Kept(RefCell<Option<Arc<dyn Any + Send + Sync>>>);

impl Kept {
    /// What is kept; something new if there is nothing yet.
    pub fn get<T: Any + Send + Sync + Default>(&self) -> Arc<T> {
        let known = self.0.borrow().clone();
        known
            .and_then(|known| known.downcast().ok())
            .unwrap_or_else(|| {
                let new = Arc::new(T::default());
                *self.0.borrow_mut() = Some(Arc::clone(&new) as _);
                new
            })
    }
}

impl Task<'_> {
    /// Whether a step begins of which it has to be known whether it changes anything: where it ends is taken down, or
    /// nothing is known to come of it yet.
    pub fn asks(&self, note: &Note, coverage: &Coverage) -> bool {
        let known = |step| coverage.has_effect(step);
        matches!(note, Note::StepBegan(step) if self.keep.contains(step) || !known(*step))
    }
}

/// No iterations: every order is visited.
pub static NO_ORDERS: BTreeSet<StmtId> = BTreeSet::new();

/// The graph.
#[derive(Debug)]
pub struct Graph {
    /// What was performed.
    pub root: Root,
    /// Under which readings.
    pub readings: Readings,
    /// Under which variant.
    pub variant: Variant,
    /// On which board.
    pub board: Data,
    /// Iterations of which one order was taken for all of them where they come to the same: what other alternatives lead
    /// to is what the one leads to.
    pub narrowed: BTreeSet<StmtId>,
    /// The names of its entities.
    pub names: Names,
    /// The nodes; the first is the start.
    pub nodes: Nodes,
    /// The states of the nodes.
    pub states: Box<dyn States>,
    /// What is marked on the board itself.
    pub marks: Vec<Mark>,
    /// What was executed.
    pub coverage: Coverage,
}

/// The states of a graph's nodes.
pub trait States: Debug {
    /// The state of a node.
    fn state(&self, node: usize) -> State;
}

impl Graph {
    /// All marks, each with its node, and with the edge out of that on which it is. What happens last in a run is
    /// marked at its end.
    pub fn all_marks(&self) -> impl Iterator<Item = (usize, Option<usize>, &Mark)> {
        let on_board = self.marks.iter().map(|mark| (0, None, mark));
        let others = self.nodes.iter().enumerate().flat_map(|(node, one)| {
            let edges = one.edges().enumerate();
            let on_edges = edges.flat_map(move |(at, edge)| {
                let marks = edge.marks().iter();
                marks.map(move |mark| (node, Some(at), mark))
            });
            let at_end = one.end().into_iter().flat_map(|end| &end.marks);
            on_edges.chain(at_end.map(move |mark| (node, None, mark)))
        });
        on_board.chain(others)
    }

    /// The state of a node.
    pub fn state(&self, node: usize) -> State {
        self.states.state(node)
    }

    /// How many states there are.
    pub fn count(&self) -> u64 {
        self.nodes.states() as u64
    }

    /// Whether some run was given up.
    pub fn is_limited(&self) -> bool {
        self.ends_as(&|tag| matches!(tag, Tag::Limit(_)))
    }

    /// The limits that runs meet.
    pub fn bounds_left(&self) -> BTreeSet<Bound> {
        let ends = self.nodes.iter().filter_map(|node| node.end());
        let left = ends.filter_map(|end| match &end.ended.tag {
            Tag::Limit(limit) => Some(Bound::of(limit)),
            _ => None,
        });
        left.collect()
    }

    /// Whether some run is given up for what a place would hold, if that is one of these.
    pub fn leaves_reach(&self, of: &dyn Fn(Spot) -> bool) -> bool {
        self.ends_as(&|tag| matches!(*tag, Tag::Limit(Limit::Reach(spot, _)) if of(spot)))
    }

    /// Whether some run stops in a gap at a statement: where a fixed order has no beginning, say.
    pub fn stops_at(&self, stmt: StmtId) -> bool {
        let at = Site::Stmt(stmt);
        self.ends_as(&|tag| matches!(*tag, Tag::Gap(GapName::Implicit(_, site, _)) if site == at))
    }

    /// Whether some run was given up because too much was to be evaluated.
    pub fn is_costly(&self) -> bool {
        self.ends_as(&|tag| matches!(tag, Tag::Limit(Limit::Expressions)))
    }

    fn ends_as(&self, is_so: &dyn Fn(&Tag) -> bool) -> bool {
        let mut ends = self.nodes.iter().filter_map(|node| node.end());
        ends.any(|end| is_so(&end.ended.tag))
    }

    /// Whether a node lies inside of a step.
    pub fn inside(&self, node: usize, step: StepId) -> bool {
        let state = self.state(node);
        let frames = state.control.iter().flat_map(|one| &one.frames);
        frames
            .into_iter()
            .any(|frame| matches!(frame, Frame::Step { step: of, .. } if *of == step))
    }

    /// The players that decide anything, in order.
    pub fn deciders(&self) -> Vec<EntityId> {
        let points = self.nodes.iter().filter_map(|node| node.point());
        let mut players: Vec<EntityId> = points
            .filter_map(|point| match point.who {
                Who::Player(player) => Some(player),
                _ => None,
            })
            .collect();
        players.sort_unstable();
        players.dedup();
        players
    }
}
