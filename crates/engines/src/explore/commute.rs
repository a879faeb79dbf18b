//! Whether the order at a point matters, and which pairs are to blame (`docs/semantics.md`, 7).
//!
//! ```text
//! a := 1, b := 1, a := 2   in any order
//!   first and third do not commute: V(s·1·3) ≠ V(s·3·1)     to blame
//!   first and second do                                      not
//! ```

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::set::{SetId, Sets};
use super::turn::Turn;
use endstep_semantics::semantics::{ChoiceKind, Key, Site};
use endstep_verdicts::analysis::{Blamed, Continuation, DIVERGES, Graph, Set, Values};

/// The points of a kind where not all alternatives have one outcome set.
pub fn unequal(graph: &Graph, values: &Values, kind: ChoiceKind) -> Vec<usize> {
    let differs = |node: usize| {
        let mut classes = graph
            .nodes
            .at(node)
            .edges()
            .map(|edge| values.class(edge.to()));
        let first = classes.next();
        classes.any(|class| Some(class) != first)
    };
    let is_one = |node: &usize| {
        let point = graph.nodes.at(*node).point();
        point.is_some_and(|point| point.kind == kind)
    };
    let points = (0..graph.nodes.len()).filter(is_one);
    points.filter(|&node| differs(node)).collect()
}

/// The pairs to blame at points that count. At sites where no pair that can change places differs
/// although the order matters, two alternatives that differ are.
pub fn blame(graph: &Graph, values: &Values, counts: &dyn Fn(usize) -> bool) -> Vec<Blamed> {
    let site = |node: usize| graph.nodes.at(node).point().map(|point| point.site);
    let mut sites: BTreeMap<Site, Vec<usize>> = BTreeMap::new();
    for node in unequal(graph, values, ChoiceKind::Order) {
        if let Some(site) = site(node).filter(|_| counts(node)) {
            sites.entry(site).or_default().push(node);
        }
    }
    if sites.is_empty() {
        return Vec::new();
    }
    let mut pairs: BTreeMap<Site, Vec<Blamed>> = BTreeMap::new();
    let mut sets = SetsAfter::new(graph, values);
    for (node, one) in graph.nodes.iter().enumerate() {
        let Some(point) = one.point() else { continue };
        let asked = point.kind == ChoiceKind::Order && sites.contains_key(&point.site);
        if asked && counts(node) {
            let found = pairs.entry(point.site).or_default();
            found.extend(sets.differing(node));
        }
    }
    let mut blamed = Vec::new();
    for (site, nodes) in sites {
        let found = pairs.remove(&site).unwrap_or_default();
        if found.is_empty() {
            blamed.extend(nodes.into_iter().map(|node| direct(graph, values, node)));
        }
        blamed.extend(found);
    }
    blamed
}

/// The first alternative of an unequal point, and the first that differs from it.
fn direct(graph: &Graph, values: &Values, node: usize) -> Blamed {
    let class = |at: usize| values.class(graph.nodes.at(node).edge(at).to());
    let others = 1..graph.nodes.at(node).degree();
    Blamed {
        node,
        first: 0,
        second: others
            .into_iter()
            .find(|&at| class(at) != class(0))
            .unwrap_or(0),
        direct: true,
    }
}

/// What follows an alternative until its iteration chooses again, and then another.
pub fn continuation(
    graph: &Graph,
    values: &Values,
    node: usize,
    (first, second): (usize, usize),
) -> Option<Continuation> {
    let one = graph.nodes.at(node);
    let point = one.point()?;
    let then = one.edge(second).key()?;
    let turn = Turn::new(graph, point, one.edge(first));
    let mut sets = SetsAfter::new(graph, values);
    let set = sets.after(&turn, then);
    let set = sets.sets.get(set).clone();
    Some(Continuation {
        again: turn.again,
        left: turn.left,
        inner: turn.inner,
        stays: turn.stays,
        set,
    })
}

/// What is possible after two alternatives.
struct SetsAfter<'g> {
    graph: &'g Graph,
    values: &'g Values,
    sets: Sets,
    /// Unions of several classes.
    known: FxHashMap<Vec<SetId>, SetId>,
}

impl<'g> SetsAfter<'g> {
    fn new(graph: &'g Graph, values: &'g Values) -> Self {
        Self {
            graph,
            values,
            // INVARIANT: the number of a set is the class of the nodes that have it.
            sets: Sets::from(values.distinct().iter().cloned()),
            known: FxHashMap::default(),
        }
    }

    fn of(&self, node: usize) -> SetId {
        self.values.class(node) as SetId
    }

    /// What is possible after a turn if `then` is taken next, where it is offered.
    fn after(&mut self, turn: &Turn, then: &Key) -> SetId {
        let mut parts: Vec<SetId> = turn.left.iter().map(|&node| self.of(node)).collect();
        for &node in &turn.again {
            let mut edges = self.graph.nodes.at(node).edges();
            let taken = edges.find(|edge| edge.key() == Some(then));
            parts.push(self.of(taken.map_or(node, |edge| edge.to())));
        }
        if turn.stays {
            let diverges: Set = std::iter::once(DIVERGES as u32).collect();
            parts.push(self.sets.id(diverges));
        }
        parts.sort_unstable();
        parts.dedup();
        if let Some(&known) = self.known.get(&parts) {
            return known;
        }
        let union = self.sets.all(parts.clone());
        self.known.insert(parts, union);
        union
    }

    /// The pairs of alternatives of a node that do not commute.
    fn differing(&mut self, node: usize) -> Vec<Blamed> {
        let graph = self.graph;
        let one = graph.nodes.at(node);
        let edges = one.edges();
        let Some(point) = one.point() else {
            return Vec::new();
        };
        let turns: Vec<Turn> = edges
            .clone()
            .map(|edge| Turn::new(graph, point, edge))
            .collect();
        let mut found = Vec::new();
        for (first, x) in edges.clone().enumerate() {
            for (second, y) in edges.clone().enumerate().skip(first + 1) {
                let (Some(x), Some(y)) = (x.key(), y.key()) else {
                    continue;
                };
                if self.after(&turns[first], y) != self.after(&turns[second], x) {
                    found.push(Blamed {
                        node,
                        first,
                        second,
                        direct: false,
                    });
                }
            }
        }
        found
    }
}
