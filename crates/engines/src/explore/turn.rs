//! What follows an alternative until the iteration that offered it chooses again.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use endstep_verdicts::analysis::{Edge, Graph, Point};

/// What follows an alternative of an iteration.
#[derive(Debug, Default)]
pub struct Turn {
    /// Nodes where the iteration chooses again.
    pub again: BTreeSet<usize>,
    /// Nodes where it is over, or the run is.
    pub left: BTreeSet<usize>,
    /// Nodes in between.
    pub inner: BTreeSet<usize>,
    /// Whether a run may stay in between for ever.
    pub stays: bool,
}

/// Where an edge leads, seen from an iteration.
enum Lead {
    Again,
    Left,
    Inner,
}

fn lead(graph: &Graph, point: &Point, edge: Edge<'_>) -> Lead {
    let iteration = &point.iteration;
    let restarts = || {
        edge.notes()
            .iter()
            .any(|note| iteration.restarts_with(note))
    };
    if iteration.ends_at(edge.low()) || restarts() || graph.nodes.at(edge.to()).end().is_some() {
        return Lead::Left;
    }
    match graph.nodes.at(edge.to()).point() {
        Some(next) if next.iteration == *iteration => Lead::Again,
        _ => Lead::Inner,
    }
}

impl Turn {
    /// What follows an edge of a point.
    pub fn new(graph: &Graph, point: &Point, first: Edge<'_>) -> Self {
        let mut turn = Self::default();
        let mut todo = Vec::new();
        let mut inside = Vec::new();
        turn.follow(graph, point, first, &mut todo);
        while let Some(node) = todo.pop() {
            for edge in graph.nodes.at(node).edges() {
                if turn.follow(graph, point, edge, &mut todo) {
                    inside.push((node, edge.to()));
                }
            }
        }
        turn.stays = has_cycle(&turn.inner, &inside);
        turn
    }

    /// Takes down where an edge leads; whether the iteration neither chooses there nor is over.
    fn follow(
        &mut self,
        graph: &Graph,
        point: &Point,
        edge: Edge<'_>,
        todo: &mut Vec<usize>,
    ) -> bool {
        match lead(graph, point, edge) {
            Lead::Again => {
                self.again.insert(edge.to());
                false
            }
            Lead::Left => {
                self.left.insert(edge.to());
                false
            }
            Lead::Inner => {
                if self.inner.insert(edge.to()) {
                    todo.push(edge.to());
                }
                true
            }
        }
    }
}

/// Whether edges between nodes form a cycle: nodes that no edge is left to are taken away, with
/// their edges, until none is left or none can be taken away (Kahn 1962).
fn has_cycle(nodes: &BTreeSet<usize>, edges: &[(usize, usize)]) -> bool {
    let mut arriving: FxHashMap<usize, usize> = FxHashMap::default();
    let mut leaving: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for &(from, to) in edges {
        *arriving.entry(to).or_default() += 1;
        leaving.entry(from).or_default().push(to);
    }
    let free = nodes.iter().copied();
    let mut todo: Vec<usize> = free.filter(|node| !arriving.contains_key(node)).collect();
    let mut taken: FxHashSet<usize> = FxHashSet::default();
    while let Some(node) = todo.pop() {
        taken.insert(node);
        for to in leaving.remove(&node).unwrap_or_default() {
            let count = arriving.entry(to).or_default();
            *count -= 1;
            if *count == 0 {
                todo.push(to);
            }
        }
    }
    taken.len() < nodes.len()
}
