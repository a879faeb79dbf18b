//! Shortest runs through a graph, and runs as witnesses have them.

use std::collections::BTreeMap;

use super::flat::{Edge, small};
use super::graph::Graph;
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::{Data, Ended, Key, Variant};
use endstep_semantics::witness::{Run, RunEnd, actual_end};

/// Whether an edge, from a node, may be taken.
type Allowed<'a> = &'a dyn Fn(usize, Edge<'_>) -> bool;

/// A way through a graph: edges, each as its node and its position there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Route {
    /// In order.
    pub edges: Vec<(usize, usize)>,
    /// Micro-steps.
    pub cost: u64,
    /// Where it leads.
    pub end: usize,
}

impl Route {
    /// The weakest basis of what is executed on it.
    pub fn basis(&self, graph: &Graph) -> BasisKind {
        let edges = self
            .edges
            .iter()
            .map(|&(node, at)| graph.nodes.at(node).edge(at).basis());
        edges.max().unwrap_or(BasisKind::Text)
    }

    /// This, then an edge of its end.
    #[must_use]
    pub fn then(&self, graph: &Graph, at: usize) -> Self {
        let edge = &graph.nodes.at(self.end).edge(at);
        let mut longer = self.clone();
        longer.edges.push((self.end, at));
        longer.cost += edge.length();
        longer.end = edge.to();
        longer
    }

    /// This, then another that starts at its end.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        let mut longer = self.clone();
        longer.edges.extend(&other.edges);
        longer.cost += other.cost;
        longer.end = other.end;
        longer
    }

    /// How many choices are made on it.
    pub fn choices(&self, graph: &Graph) -> usize {
        let keys = self
            .edges
            .iter()
            .filter_map(|&(node, at)| graph.nodes.at(node).edge(at).key());
        keys.count()
    }
}

/// Shortest ways from one node to others, as far as they were looked for.
#[derive(Debug, Clone)]
pub struct Tree {
    start: usize,
    /// The position of each node among those that are reached, or [`NOWHERE`].
    place: Vec<u32>,
    reached: Vec<Reached>,
    queue: Queue,
}

/// Nodes to go on from, by what it costs to reach them: a level holds those of one cost, each at least once. Costs are
/// small and close together, so that there are few levels at a time.
#[derive(Debug, Clone, Default)]
struct Queue(BTreeMap<u64, Vec<usize>>);

impl Queue {
    fn push(&mut self, cost: u64, node: usize) {
        self.0.entry(cost).or_default().push(node);
    }

    /// The nearest nodes, by number. Later ones may cost as much.
    fn level(&mut self) -> Option<(u64, Vec<usize>)> {
        let (cost, mut nodes) = self.0.pop_first()?;
        nodes.sort_unstable();
        nodes.dedup();
        Some((cost, nodes))
    }

    /// Below which cost nothing is left to do.
    fn done(&self) -> u64 {
        self.0.first_key_value().map_or(u64::MAX, |(&cost, _)| cost)
    }
}

/// A node to which there is a way.
#[derive(Debug, Clone, Copy)]
struct Reached {
    node: usize,
    /// Micro-steps to it.
    cost: u64,
    /// The edge by which it is reached: its node, and its position there.
    from: (usize, usize),
}

/// The position of a node that is not reached.
const NOWHERE: u32 = u32::MAX;

/// Shortest ways to all nodes that pass one of some edges.
#[derive(Debug)]
pub struct Through<'t> {
    /// The ways to those edges.
    first: &'t Tree,
    cost: Vec<Option<u64>>,
    from: Vec<Option<(usize, usize)>>,
    /// Where the last edge of the way is the first of those edges.
    entered: Vec<bool>,
}

impl Tree {
    /// From a node to all others, over edges that are allowed.
    pub fn from(graph: &Graph, start: usize, allowed: Allowed<'_>) -> Self {
        let mut tree = Self::new(graph, start);
        tree.extend(graph, &|_| false, allowed);
        tree
    }

    /// From a node, to be extended.
    pub fn new(graph: &Graph, start: usize) -> Self {
        let mut tree = Self {
            start,
            place: vec![NOWHERE; graph.nodes.len()],
            reached: Vec::new(),
            queue: Queue::default(),
        };
        tree.reach(start, 0, (start, 0));
        tree.queue.push(0, start);
        tree
    }

    /// Looks for ways until the nearest of some nodes and all that are no further are reached. The edges that are
    /// allowed are the same each time.
    pub fn extend(&mut self, graph: &Graph, wanted: &dyn Fn(usize) -> bool, allowed: Allowed<'_>) {
        let near = self.nearest(wanted).and_then(|node| self.cost(node));
        let mut nearest = near.filter(|&cost| cost < self.queue.done());
        while nearest.is_none_or(|nearest| self.queue.done() <= nearest) {
            let Some((cost, nodes)) = self.queue.level() else {
                break;
            };
            for node in nodes {
                if self.cost(node) != Some(cost) {
                    continue;
                }
                if wanted(node) {
                    nearest = Some(cost);
                }
                for (at, edge) in graph.nodes.at(node).edges().enumerate() {
                    let total = cost + edge.length();
                    let better = self.cost(edge.to()).is_none_or(|known| total < known);
                    if better && allowed(node, edge) {
                        self.reach(edge.to(), total, (node, at));
                        self.queue.push(total, edge.to());
                    }
                }
            }
        }
    }

    fn reach(&mut self, node: usize, cost: u64, from: (usize, usize)) {
        let new = Reached { node, cost, from };
        match self.reached.get_mut(self.place[node] as usize) {
            Some(known) => *known = new,
            None => {
                self.place[node] = small(self.reached.len());
                self.reached.push(new);
            }
        }
    }

    fn at(&self, node: usize) -> Option<&Reached> {
        self.reached.get(self.place[node] as usize)
    }

    /// The ways of this tree that go on through one of some edges, over edges that are allowed.
    pub fn through(
        &self,
        graph: &Graph,
        passed: &dyn Fn(Edge<'_>) -> bool,
        allowed: &dyn Fn(usize, Edge<'_>) -> bool,
    ) -> Through<'_> {
        let mut found = Through {
            first: self,
            cost: vec![None; graph.nodes.len()],
            from: vec![None; graph.nodes.len()],
            entered: vec![false; graph.nodes.len()],
        };
        let mut queue = Queue::default();
        for (node, one) in graph.nodes.iter().enumerate() {
            let Some(cost) = self.cost(node) else {
                continue;
            };
            for (at, edge) in one.edges().enumerate() {
                if passed(edge) && allowed(node, edge) {
                    let total = cost + edge.length();
                    found.offer(&mut queue, total, (node, at, edge.to()), true);
                }
            }
        }
        while let Some((cost, nodes)) = queue.level() {
            for node in nodes {
                if found.cost[node] != Some(cost) {
                    continue;
                }
                for (at, edge) in graph.nodes.at(node).edges().enumerate() {
                    if allowed(node, edge) {
                        let total = cost + edge.length();
                        found.offer(&mut queue, total, (node, at, edge.to()), false);
                    }
                }
            }
        }
        found
    }

    /// How many micro-steps it is to a node, if there is a way.
    pub fn cost(&self, node: usize) -> Option<u64> {
        Some(self.at(node)?.cost)
    }

    /// The way to a node.
    pub fn route(&self, node: usize) -> Option<Route> {
        let cost = self.cost(node)?;
        let mut edges = Vec::new();
        let mut at = node;
        while at != self.start {
            let from = self.at(at)?.from;
            edges.push(from);
            at = from.0;
        }
        edges.reverse();
        Some(Route {
            edges,
            cost,
            end: node,
        })
    }

    /// The way to the nearest of some nodes, over edges that are allowed; of those that are as short, the
    /// one that takes the same choices as far as it can.
    pub fn route_like(
        &self,
        graph: &Graph,
        (wanted, allowed): (&dyn Fn(usize) -> bool, Allowed<'_>),
        like: &[Key],
    ) -> Option<Route> {
        let nearest = self.cost(self.nearest(wanted)?)?;
        let is_end = |node: usize| self.cost(node) == Some(nearest) && wanted(node);
        let is_short = |node: usize, edge: Edge<'_>| {
            let there = self.cost(node).map(|cost| cost + edge.length());
            edge.length() > 0 && there == self.cost(edge.to()) && allowed(node, edge)
        };
        // From the far end: which nodes lie on a shortest way.
        let near = self.reached.iter().filter(|one| one.cost <= nearest);
        let mut nodes: Vec<(u64, usize)> = near.map(|one| (one.cost, one.node)).collect();
        nodes.sort_unstable();
        let mut on_way = vec![false; graph.nodes.len()];
        for &(_, node) in nodes.iter().rev() {
            let mut edges = graph.nodes.at(node).edges();
            on_way[node] =
                is_end(node) || edges.any(|edge| on_way[edge.to()] && is_short(node, edge));
        }
        let mut route = Route {
            end: self.start,
            ..Route::default()
        };
        let mut like = like.iter();
        while !is_end(route.end) {
            let node = graph.nodes.at(route.end);
            let next = like.clone().next();
            let edges = node.edges().enumerate();
            let good = edges.filter(|&(_, edge)| on_way[edge.to()] && is_short(route.end, edge));
            let (at, edge) =
                good.min_by_key(|(_, edge)| edge.key().is_none() || edge.key() != next)?;
            if edge.key().is_some() {
                like.next();
            }
            route = route.then(graph, at);
        }
        Some(route)
    }

    /// The nearest of some nodes.
    pub fn nearest(&self, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let wanted = self.reached.iter().filter(|one| wanted(one.node));
        let nearest = wanted.min_by_key(|one| (one.cost, one.node));
        nearest.map(|one| one.node)
    }
}

impl Through<'_> {
    fn offer(
        &mut self,
        queue: &mut Queue,
        total: u64,
        (node, at, to): (usize, usize, usize),
        entered: bool,
    ) {
        if self.cost[to].is_none_or(|known| total < known) {
            self.cost[to] = Some(total);
            self.from[to] = Some((node, at));
            self.entered[to] = entered;
            queue.push(total, to);
        }
    }

    /// How many micro-steps it is to a node, if there is such a way.
    pub fn cost(&self, node: usize) -> Option<u64> {
        self.cost[node]
    }

    /// The way to a node.
    pub fn route(&self, node: usize) -> Option<Route> {
        let cost = self.cost[node]?;
        let mut rest = Vec::new();
        let mut at = node;
        let entry = loop {
            let (before, edge) = self.from[at]?;
            rest.push((before, edge));
            if self.entered[at] {
                break before;
            }
            at = before;
        };
        let mut edges = self.first.route(entry)?.edges;
        edges.extend(rest.into_iter().rev());
        Some(Route {
            edges,
            cost,
            end: node,
        })
    }
}

/// The shortest cycle through a node, over edges that are allowed.
pub fn cycle(
    graph: &Graph,
    node: usize,
    allowed: &dyn Fn(usize, Edge<'_>) -> bool,
) -> Option<Route> {
    let mut best: Option<Route> = None;
    for (at, edge) in graph.nodes.at(node).edges().enumerate() {
        if !allowed(node, edge) {
            continue;
        }
        let start = Route {
            end: node,
            ..Route::default()
        };
        let first = start.then(graph, at);
        let back = Tree::from(graph, edge.to(), allowed).route(node);
        let whole = back.map(|back| first.join(&back));
        if let Some(whole) = whole
            && best.as_ref().is_none_or(|best| whole.cost < best.cost)
        {
            best = Some(whole);
        }
    }
    best
}

/// Makes runs out of ways.
#[derive(Clone, Copy)]
pub struct RunBuilder<'a> {
    /// The program.
    pub program: &'a Program,
    /// The graph.
    pub graph: &'a Graph,
}

impl RunBuilder<'_> {
    fn run(&self, route: &Route, end: RunEnd) -> Run {
        let graph = self.graph;
        let keys = route
            .edges
            .iter()
            .filter_map(|&(node, at)| graph.nodes.at(node).edge(at).key().cloned());
        Run {
            root: graph.root.clone(),
            readings: graph.readings.clone(),
            variant: graph.variant.clone(),
            board: graph.board.clone(),
            names: graph.names.clone(),
            choices: keys.collect(),
            end,
        }
    }

    /// The run that leads to an end.
    pub fn ended(&self, route: &Route) -> Option<Run> {
        let ended: &Ended = &self.graph.nodes.at(route.end).end()?.ended;
        Some(self.run(route, RunEnd::Ended(ended.clone())))
    }

    /// The run that is left after so many micro-steps of the last edge of a way.
    pub fn stopped(&self, route: &Route, last: Option<(usize, u64)>) -> Option<Run> {
        let mut run = self.left(route, last);
        run.end = actual_end(self.program, &run).ok()?;
        Some(run)
    }

    /// The same without the data that it has there.
    pub fn left(&self, route: &Route, last: Option<(usize, u64)>) -> Run {
        let (route, steps) = match last {
            Some((edge, offset)) => (route.then(self.graph, edge), route.cost + offset),
            None => (route.clone(), route.cost),
        };
        let data = Data::default();
        self.run(&route, RunEnd::Stopped { steps, data })
    }

    /// The run that goes one round and has more then, within the bounds of a variant.
    pub fn growing(&self, stem: &Route, round: &Route, variant: Variant) -> Run {
        let end = RunEnd::Grows {
            stem: stem.cost,
            cycle: round.cost,
        };
        Run {
            variant,
            ..self.run(&stem.join(round), end)
        }
    }

    /// The run that goes round a cycle.
    pub fn lasso(&self, stem: &Route, cycle: &Route) -> Run {
        self.run(
            &stem.join(cycle),
            RunEnd::Loop {
                stem: stem.cost,
                cycle: cycle.cost,
            },
        )
    }
}
