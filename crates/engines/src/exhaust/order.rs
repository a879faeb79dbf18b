//! Whether the order at a point matters, and which two alternatives are to blame.
//!
//! ```text
//! a := 1, b := 1, a := 2   in any order
//!   first and third do not commute: V(s·1·3) ≠ V(s·3·1)     to blame
//!   first and second do                                      not
//! ```
//!
//! `s·x` runs until the iteration that chose x chooses again. Where it does not, because x ended it
//! or only one element was left, what follows is counted as it is.

use std::collections::BTreeSet;

use super::values::Bits;
use endstep_semantics::semantics::{ChoiceKind, Key, Site};
use endstep_verdicts::analysis::{Blamed, Continuation, DIVERGES, Edge, Graph, Point, Values};

/// What follows one alternative until its iteration chooses again.
struct Turn {
    /// Nodes where it chooses again.
    again: BTreeSet<usize>,
    /// Nodes where it is over.
    left: BTreeSet<usize>,
    /// Nodes in between.
    inner: BTreeSet<usize>,
    /// Whether a run may stay in between for ever.
    stays: bool,
}

/// The order points of a graph whose alternatives do not all have the same outcomes.
pub fn unequal(graph: &Graph, values: &Values, kind: ChoiceKind) -> Vec<usize> {
    let nodes = graph.nodes.iter().enumerate();
    nodes
        .filter(|(_, node)| {
            let wanted = node.point().is_some_and(|point| point.kind == kind);
            let mut sets = node.edges().map(|edge| values.set(edge.to()));
            let first = sets.next();
            wanted && sets.any(|set| Some(set) != first)
        })
        .map(|(at, _)| at)
        .collect()
}

/// The pairs to blame at the order points of those sites where the order matters, among the nodes
/// that count.
pub fn blame(graph: &Graph, values: &Values, counts: &dyn Fn(usize) -> bool) -> Vec<Blamed> {
    let differ: Vec<usize> = unequal(graph, values, ChoiceKind::Order)
        .into_iter()
        .filter(|&node| counts(node))
        .collect();
    let sites: BTreeSet<Site> = differ
        .iter()
        .filter_map(|&node| site(graph, node))
        .collect();
    let mut found = Vec::new();
    for &wanted in &sites {
        let before = found.len();
        for at in 0..graph.nodes.len() {
            let point = graph.nodes.at(at).point();
            let here = point.is_some_and(|one| one.site == wanted && one.kind == ChoiceKind::Order);
            if here && counts(at) {
                pairs(graph, values, at, &mut found);
            }
        }
        if found.len() == before {
            // Without a pair that can change places, the alternatives themselves are to blame.
            let here = differ
                .iter()
                .filter(|&&node| site(graph, node) == Some(wanted));
            found.extend(here.filter_map(|&node| direct(graph, values, node)));
        }
    }
    found
}

fn site(graph: &Graph, node: usize) -> Option<Site> {
    graph.nodes.at(node).point().map(|point| point.site)
}

fn direct(graph: &Graph, values: &Values, node: usize) -> Option<Blamed> {
    let mut edges = graph.nodes.at(node).edges();
    let first = values.set(edges.next()?.to());
    let second = 1 + edges.position(|edge| values.set(edge.to()) != first)?;
    Some(Blamed {
        node,
        first: 0,
        second,
        direct: true,
    })
}

fn pairs(graph: &Graph, values: &Values, node: usize, found: &mut Vec<Blamed>) {
    let one = graph.nodes.at(node);
    let Some(point) = one.point() else {
        return;
    };
    let edges: Vec<Edge<'_>> = one.edges().collect();
    let turns: Vec<Turn> = one.edges().map(|edge| turn(graph, point, edge)).collect();
    for first in 0..edges.len() {
        for second in first + 1..edges.len() {
            let (Some(x), Some(y)) = (edges[first].key(), edges[second].key()) else {
                continue;
            };
            let one = set_of(graph, values, &turns[first], y);
            let other = set_of(graph, values, &turns[second], x);
            if one != other {
                found.push(Blamed {
                    node,
                    first,
                    second,
                    direct: false,
                });
            }
        }
    }
}

/// Whether an edge leaves the iteration of a point.
fn leaves(point: &Point, edge: Edge<'_>) -> bool {
    point.iteration.ends_at(edge.low())
        || edge
            .notes()
            .iter()
            .any(|note| point.iteration.restarts_with(note))
}

fn turn(graph: &Graph, point: &Point, first: Edge<'_>) -> Turn {
    let mut turn = Turn {
        again: BTreeSet::new(),
        left: BTreeSet::new(),
        inner: BTreeSet::new(),
        stays: false,
    };
    let mut todo = Vec::new();
    turn.enter(graph, point, first, &mut todo);
    while let Some(node) = todo.pop() {
        for edge in graph.nodes.at(node).edges() {
            turn.enter(graph, point, edge, &mut todo);
        }
    }
    turn.stays = stays(graph, point, &turn);
    turn
}

impl Turn {
    fn enter(&mut self, graph: &Graph, point: &Point, edge: Edge<'_>, todo: &mut Vec<usize>) {
        let node = graph.nodes.at(edge.to());
        if leaves(point, edge) || node.end().is_some() {
            self.left.insert(edge.to());
            return;
        }
        let again = node.point();
        if again.is_some_and(|again| again.iteration == point.iteration) {
            self.again.insert(edge.to());
        } else if self.inner.insert(edge.to()) {
            todo.push(edge.to());
        }
    }
}

/// Whether a run may stay between two choices of an iteration for ever.
fn stays(graph: &Graph, point: &Point, turn: &Turn) -> bool {
    let mut left = turn.inner.clone();
    loop {
        let stuck = left.iter().copied().find(|&node| {
            let mut edges = graph.nodes.at(node).edges();
            !edges.any(|edge| left.contains(&edge.to()) && !leaves(point, edge))
        });
        match stuck {
            Some(node) => left.remove(&node),
            None => return !left.is_empty(),
        };
    }
}

/// What is possible after a turn if `then` is taken next, where it can be.
fn set_of(graph: &Graph, values: &Values, turn: &Turn, then: &Key) -> Bits {
    let mut set = Bits::default();
    for &node in &turn.left {
        set.extend(&values.set(node).into());
    }
    for &node in &turn.again {
        let taken = graph
            .offered(node, then)
            .map(|at| graph.nodes.at(node).edge(at).to());
        set.extend(&values.set(taken.unwrap_or(node)).into());
    }
    if turn.stays {
        set.insert(DIVERGES);
    }
    set
}

/// What follows an alternative of a node until its iteration chooses again, and then another.
pub fn continuation(
    (graph, values): (&Graph, &Values),
    node: usize,
    (first, second): (usize, usize),
) -> Option<Continuation> {
    let one = graph.nodes.at(node);
    let point = one.point()?;
    let then = one.edge(second).key()?;
    let turn = turn(graph, point, one.edge(first));
    let set = set_of(graph, values, &turn, then).to_set();
    Some(Continuation {
        again: turn.again,
        left: turn.left,
        inner: turn.inner,
        stays: turn.stays,
        set,
    })
}
