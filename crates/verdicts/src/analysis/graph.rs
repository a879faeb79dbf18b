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

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt::Debug;

use super::watch::{Mark, Watch};
use crate::verdict::Coverage;
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{EntityId, Program, StepId};
use endstep_semantics::semantics::{
    ChoiceKind, Data, Ended, Frame, Key, Limit, Names, Note, Readings, Site, State, Tag, Variant,
    Who,
};
use endstep_semantics::witness::{Iteration, Root};

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
    /// The steps whose data are kept where they end having changed something.
    pub keep: &'a BTreeSet<StepId>,
    /// Most nodes.
    pub states: usize,
    /// Most micro-steps.
    pub steps: u64,
    /// Micro-steps so far; those of explorations that came to nothing count as well.
    pub spent: &'a Cell<u64>,
}

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
    /// The names of its entities.
    pub names: Names,
    /// The nodes; the first is the start.
    pub nodes: Vec<Node>,
    /// The states of the nodes.
    pub states: Box<dyn States>,
    /// What is marked on the board itself.
    pub marks: Vec<Mark>,
    /// What was executed.
    pub coverage: Coverage,
}

/// A node.
#[derive(Debug, Default)]
pub struct Node {
    /// What is chosen there, if anything.
    pub point: Option<Point>,
    /// What can follow; of an end nothing.
    pub edges: Vec<Edge>,
    /// The end, if it is one.
    pub end: Option<End>,
}

/// An end.
#[derive(Debug)]
pub struct End {
    /// How the run ends there.
    pub ended: Ended,
    /// What happened last.
    pub marks: Vec<Mark>,
}

/// A choice point.
#[derive(Debug)]
pub struct Point {
    /// Its kind.
    pub kind: ChoiceKind,
    /// Its decider.
    pub who: Who,
    /// Where in the specification.
    pub site: Site,
    /// To which iteration it belongs.
    pub iteration: Iteration,
}

/// What leads from one node to another.
#[derive(Debug)]
pub struct Edge {
    /// What was chosen; `None` where nothing was to be chosen.
    pub key: Option<Key>,
    /// The node it leads to.
    pub to: usize,
    /// Micro-steps, the choice included.
    pub length: u64,
    /// The weakest basis of what was executed.
    pub basis: BasisKind,
    /// The lowest height of the stack on the way.
    pub low: (usize, usize),
    /// Notes with which an iteration may begin anew.
    pub restarts: Vec<Note>,
    /// What happened on the way, in order.
    pub marks: Vec<Mark>,
}

/// The states of a graph's nodes.
pub trait States: Debug {
    /// The state of a node.
    fn state(&self, node: usize) -> State;
}

impl Graph {
    /// The state of a node.
    pub fn state(&self, node: usize) -> State {
        self.states.state(node)
    }

    /// Whether some run was given up.
    pub fn is_limited(&self) -> bool {
        self.ends_as(&|tag| matches!(tag, Tag::Limit(_)))
    }

    /// Whether some run was given up because too much was to be evaluated.
    pub fn is_costly(&self) -> bool {
        self.ends_as(&|tag| matches!(tag, Tag::Limit(Limit::Expressions)))
    }

    fn ends_as(&self, is_so: &dyn Fn(&Tag) -> bool) -> bool {
        let mut ends = self.nodes.iter().filter_map(|node| node.end.as_ref());
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
        let points = self.nodes.iter().filter_map(|node| node.point.as_ref());
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
