//! One of two sides that are compared: a graph, and what is possible on it.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::flat::Edge;
use super::graph::Graph;
use super::paths::{Route, RunBuilder, Tree, cycle};
use super::values::{DIVERGES, Set, Values};
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::Key;
use endstep_semantics::witness::{Iteration, Run, Side};

/// What runs rest on, the strongest first.
const BOUNDS: [BasisKind; 4] = [
    BasisKind::Text,
    BasisKind::External,
    BasisKind::Gap,
    BasisKind::Invented,
];

/// One continuation: where it may be entered, and what is then possible.
#[derive(Debug, Clone)]
pub struct Branch<'g> {
    /// The graph.
    pub graph: &'g Graph,
    /// Its values.
    pub values: &'g Values,
    /// Ways from the start to where the continuation is on its own.
    pub entries: Vec<Route>,
    /// What is possible on it.
    pub set: Set,
    /// Which of the choices make it this continuation.
    pub side: Side,
    /// How a run stays in between for ever, so that what makes it this continuation is never chosen.
    pub stays: Option<Stays>,
    /// Of each outcome the strongest basis of a run that ends in it, once it was asked for.
    bases: OnceCell<BTreeMap<usize, BasisKind>>,
    /// Of each entry, shortest ways on over edges that are no weaker than a bound, as far as they were asked for.
    ways: RefCell<BTreeMap<(usize, BasisKind), Tree>>,
}

impl<'g> Branch<'g> {
    /// All runs of a graph.
    pub fn whole(graph: &'g Graph, values: &'g Values) -> Self {
        Self::entered(graph, values, Route::default())
    }

    /// All runs that begin so.
    pub fn entered(graph: &'g Graph, values: &'g Values, route: Route) -> Self {
        let side = Side {
            fixed: route.choices(graph),
            then: None,
        };
        let set = values.set(route.end).clone();
        Self::new(graph, values, side, set, vec![route])
    }

    /// The runs that make it a side, with what is possible on it.
    pub fn new(
        graph: &'g Graph,
        values: &'g Values,
        side: Side,
        set: Set,
        entries: Vec<Route>,
    ) -> Self {
        Self {
            graph,
            values,
            entries,
            set,
            side,
            stays: None,
            bases: OnceCell::new(),
            ways: RefCell::default(),
        }
    }

    /// The run on it that ends in an outcome: of strongest basis, then shortest.
    pub fn shortest(&self, program: &Program, outcome: usize) -> Option<Found<Run>> {
        self.shortest_like(program, outcome, &[])
    }

    /// The same; of runs that are as short, the one that takes the same choices as far as it can.
    pub fn shortest_like(
        &self,
        program: &Program,
        outcome: usize,
        like: &[Key],
    ) -> Option<Found<Run>> {
        if outcome != DIVERGES {
            let &bound = self.bases.get_or_init(|| self.strongest()).get(&outcome)?;
            return self.run_to(program, (outcome, bound), like);
        }
        let mut found = BOUNDS
            .iter()
            .map(|&bound| self.lasso_within(program, bound));
        found.find_map(|found| found)
    }

    /// Of each outcome the strongest basis of a run that ends in it: every node is met by the strongest way to it.
    fn strongest(&self) -> BTreeMap<usize, BasisKind> {
        let mut found = BTreeMap::new();
        let mut met = vec![false; self.graph.nodes.len()];
        let mut todo: BTreeMap<BasisKind, Vec<usize>> = BTreeMap::new();
        for entry in &self.entries {
            let basis = entry.basis(self.graph);
            todo.entry(basis).or_default().push(entry.end);
        }
        while let Some(mut first) = todo.first_entry() {
            let basis = *first.key();
            let Some(node) = first.get_mut().pop() else {
                first.remove();
                continue;
            };
            if std::mem::replace(&mut met[node], true) {
                continue;
            }
            if let Some(outcome) = self.values.ends[node] {
                found.entry(outcome).or_insert(basis);
            }
            for edge in self.graph.nodes.at(node).edges() {
                let weaker = basis.max(edge.basis());
                todo.entry(weaker).or_default().push(edge.to());
            }
        }
        found
    }

    /// The shortest run on it that ends in an outcome, among those that execute nothing weaker than
    /// `bound`.
    fn run_to(
        &self,
        program: &Program,
        (outcome, bound): (usize, BasisKind),
        like: &[Key],
    ) -> Option<Found<Run>> {
        let allowed = |_: usize, edge: Edge<'_>| edge.basis() <= bound;
        let wanted = |node: usize| self.values.ends[node] == Some(outcome);
        let builder = RunBuilder {
            program,
            graph: self.graph,
        };
        let mut best: Option<Found<Run>> = None;
        let mut ways = self.ways.borrow_mut();
        for (at, entry) in self.entries_within(bound) {
            let new = || Tree::new(self.graph, entry.end);
            let tree = ways.entry((at, bound)).or_insert_with(new);
            tree.extend(self.graph, &wanted, &allowed);
            let rest = match like.get(entry.choices(self.graph)..) {
                Some([]) | None => tree.nearest(wanted).and_then(|end| tree.route(end)),
                Some(like) => tree.route_like(self.graph, (&wanted, &allowed), like),
            };
            let found = rest.and_then(|rest| {
                let whole = entry.join(&rest);
                let run = builder.ended(&whole)?;
                Some((whole.cost, run, whole.basis(self.graph)))
            });
            shorter(&mut best, found);
        }
        best
    }

    /// The shortest run on it that never ends, among those that execute nothing weaker than `bound`.
    fn lasso_within(&self, program: &Program, bound: BasisKind) -> Option<Found<Run>> {
        let allowed = |_: usize, edge: Edge<'_>| edge.basis() <= bound;
        let mut best: Option<Found<Run>> = None;
        for (_, entry) in self.entries_within(bound) {
            shorter(&mut best, self.lasso(program, entry, &allowed));
        }
        if let Some(stays) = &self.stays
            && stays.start.basis(self.graph) <= bound
        {
            let inside =
                |from: usize, edge: Edge<'_>| allowed(from, edge) && stays.leads_on(from, edge);
            shorter(&mut best, self.lasso(program, &stays.start, &inside));
        }
        best
    }

    fn entries_within(&self, bound: BasisKind) -> impl Iterator<Item = (usize, &Route)> {
        let entries = self.entries.iter().enumerate();
        entries.filter(move |(_, entry)| entry.basis(self.graph) <= bound)
    }

    /// The shortest run that goes on from an entry over edges that are allowed and never ends, with what it
    /// costs and the weakest basis.
    fn lasso(
        &self,
        program: &Program,
        entry: &Route,
        allowed: &dyn Fn(usize, Edge<'_>) -> bool,
    ) -> Option<(u64, Run, BasisKind)> {
        let builder = RunBuilder {
            program,
            graph: self.graph,
        };
        let tree = Tree::from(self.graph, entry.end, allowed);
        let (stem, round) = endless((self.graph, self.values), &tree, allowed)?;
        let stem = entry.join(&stem);
        let basis = stem.basis(self.graph).max(round.basis(self.graph));
        Some((stem.cost + round.cost, builder.lasso(&stem, &round), basis))
    }
}

/// Where runs of a continuation may go round before the iteration chooses again.
#[derive(Debug, Clone)]
pub struct Stays {
    /// The way to what follows the first alternative.
    pub start: Route,
    /// The iteration, which no round leaves.
    pub iteration: Iteration,
    /// The nodes of rounds.
    pub inner: BTreeSet<usize>,
}

impl Stays {
    /// Whether an edge leads on in between.
    fn leads_on(&self, from: usize, edge: Edge<'_>) -> bool {
        let restarts = |note| self.iteration.restarts_with(note);
        self.inner.contains(&from)
            && self.inner.contains(&edge.to())
            && !self.iteration.ends_at(edge.low())
            && !edge.notes().iter().any(restarts)
    }
}

/// How plainly two runs show a difference; the plainest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plainness {
    /// Both end normally. Of what is no difference: always.
    Ends,
    /// One stops, or never ends, as no run of the other side does.
    Stops,
    /// One stops, or never ends, as runs of both sides can: that has nothing to do with the difference.
    Elsewhere,
}

/// A witness with what it costs.
#[derive(Debug, Clone)]
pub struct Found<T> {
    /// The weakest basis of what is executed on it.
    pub basis: BasisKind,
    /// How plainly it shows a difference.
    pub plain: Plainness,
    /// Micro-steps of all its runs.
    pub steps: u64,
    /// The witness.
    pub witness: T,
}

/// Keeps the shorter of two runs; of equal ones the first.
fn shorter(best: &mut Option<Found<Run>>, found: Option<(u64, Run, BasisKind)>) {
    if let Some((steps, witness, basis)) = found
        && best.as_ref().is_none_or(|best| steps < best.steps)
    {
        *best = Some(Found {
            basis,
            plain: Plainness::Ends,
            steps,
            witness,
        });
    }
}

/// The shortest way to a cycle with the cycle; over edges that are allowed.
pub fn endless(
    (graph, values): (&Graph, &Values),
    tree: &Tree,
    allowed: &dyn Fn(usize, Edge<'_>) -> bool,
) -> Option<(Route, Route)> {
    let mut nodes: Vec<(u64, usize)> = (0..graph.nodes.len())
        .filter(|&node| values.set(node).contains(DIVERGES))
        .filter_map(|node| Some((tree.cost(node)?, node)))
        .collect();
    nodes.sort_unstable();
    let mut best: Option<(Route, Route)> = None;
    for (cost, node) in nodes {
        let least = best.as_ref().map(|(stem, round)| stem.cost + round.cost);
        if least.is_some_and(|least| cost >= least) {
            break;
        }
        let Some(round) = cycle(graph, node, allowed) else {
            continue;
        };
        if least.is_none_or(|least| cost + round.cost < least) {
            best = Some((tree.route(node)?, round));
        }
    }
    best
}
