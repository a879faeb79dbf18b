//! Two continuations compared: an outcome that one has and the other has not, with runs.

use std::cmp::Reverse;

use super::graph::{Edge, Graph};
use super::paths::{Route, Scribe, Tree, cycle};
use super::values::{DIVERGES, Outcomes, Set, Values};
use crate::semantics::Key;
use crate::syntax::ast::BasisKind;
use crate::typing::program::{ObserverId, Program};
use crate::witness::{Run, Side, Versus};

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
}

/// A witness with what it costs.
#[derive(Debug, Clone)]
pub struct Found<T> {
    /// The weakest basis of what is executed on it.
    pub basis: BasisKind,
    /// Micro-steps of all its runs.
    pub steps: u64,
    /// The witness.
    pub witness: T,
}

impl<'g> Branch<'g> {
    /// All runs of a graph.
    pub fn whole(graph: &'g Graph, values: &'g Values) -> Self {
        Self::entered(graph, values, Route::default())
    }

    /// All runs that begin so.
    pub fn entered(graph: &'g Graph, values: &'g Values, route: Route) -> Self {
        Self {
            graph,
            values,
            set: values.set(route.end).clone(),
            side: Side {
                fixed: route.choices(graph),
                then: None,
            },
            entries: vec![route],
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
        let bounds = [
            BasisKind::Text,
            BasisKind::External,
            BasisKind::Gap,
            BasisKind::Invented,
        ];
        let mut found = bounds
            .iter()
            .map(|&bound| self.run_to(program, (outcome, bound), like));
        found.find_map(|found| found)
    }

    /// The shortest run on it that ends in an outcome, among those that execute nothing weaker than
    /// `bound`.
    fn run_to(
        &self,
        program: &Program,
        (outcome, bound): (usize, BasisKind),
        like: &[Key],
    ) -> Option<Found<Run>> {
        let allowed = |_: usize, edge: &Edge| edge.basis <= bound;
        let scribe = Scribe {
            program,
            graph: self.graph,
        };
        let mut best: Option<Found<Run>> = None;
        for entry in &self.entries {
            if entry.basis(self.graph) > bound {
                continue;
            }
            let tree = Tree::from(self.graph, entry.end, &allowed);
            let found = if outcome == DIVERGES {
                endless((self.graph, self.values), &tree, &allowed).map(|(stem, round)| {
                    let stem = entry.join(&stem);
                    (
                        stem.cost + round.cost,
                        scribe.lasso(&stem, &round),
                        stem.basis(self.graph).max(round.basis(self.graph)),
                    )
                })
            } else {
                let wanted = |node: usize| self.values.ends[node] == Some(outcome);
                let rest = match like.get(entry.choices(self.graph)..) {
                    Some([]) | None => tree.nearest(wanted).and_then(|end| tree.route(end)),
                    Some(like) => tree.route_like(self.graph, (&wanted, &allowed), like),
                };
                rest.and_then(|rest| {
                    let whole = entry.join(&rest);
                    let run = scribe.ended(&whole)?;
                    Some((whole.cost, run, whole.basis(self.graph)))
                })
            };
            if let Some((steps, witness, basis)) = found
                && best.as_ref().is_none_or(|best| steps < best.steps)
            {
                best = Some(Found {
                    basis,
                    steps,
                    witness,
                });
            }
        }
        best
    }
}

/// The shortest way to a cycle with the cycle; over edges that are allowed.
pub fn endless(
    (graph, values): (&Graph, &Values),
    tree: &Tree,
    allowed: &dyn Fn(usize, &Edge) -> bool,
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

/// An outcome, among those that count, that one of two continuations has and the other has not: the
/// witness of the strongest basis, then of the fewest steps.
pub fn versus(
    program: &Program,
    (one, other): (&Branch<'_>, &Branch<'_>),
    (outcomes, counts): (&Outcomes, &dyn Fn(usize) -> bool),
    observer: Option<ObserverId>,
) -> Option<Found<Versus>> {
    if one.set == other.set {
        return None;
    }
    let mut best: Option<Found<Versus>> = None;
    for (mine, theirs) in [(one, other), (other, one)] {
        for outcome in mine
            .set
            .iter()
            .filter(|&outcome| counts(outcome) && !theirs.set.contains(outcome))
        {
            let Some(found) = differing(program, mine, theirs, outcome, outcomes) else {
                continue;
            };
            let better = best
                .as_ref()
                .is_none_or(|best| (found.basis, found.steps) < (best.basis, best.steps));
            if better {
                best = Some(found);
            }
        }
    }
    if let Some(best) = &mut best {
        best.witness.observer = observer;
    }
    best
}

/// The run of a continuation to an outcome that counts: of strongest basis, then shortest, then with the
/// choices of another run for as long as possible.
pub fn nearest_to(
    program: &Program,
    branch: &Branch<'_>,
    run: &Run,
    counts: &dyn Fn(usize) -> bool,
) -> Option<Found<Run>> {
    let like = &run.choices;
    let outcomes = branch.set.iter().filter(|&outcome| counts(outcome));
    let runs = outcomes.filter_map(|outcome| branch.shortest_like(program, outcome, like));
    let alike = |found: &Found<Run>| {
        let pairs = found.witness.choices.iter().zip(like);
        pairs.take_while(|(one, other)| one == other).count()
    };
    runs.min_by_key(|one| (one.basis, one.steps, Reverse(alike(one))))
}

fn differing(
    program: &Program,
    mine: &Branch<'_>,
    theirs: &Branch<'_>,
    outcome: usize,
    outcomes: &Outcomes,
) -> Option<Found<Versus>> {
    let run = mine.shortest(program, outcome)?;
    let against = nearest_to(program, theirs, &run.witness, &|_| true)?;
    Some(Found {
        basis: run.basis.max(against.basis),
        steps: run.steps + against.steps,
        witness: Versus {
            run: run.witness,
            side: mine.side.clone(),
            against: against.witness,
            other: theirs.side.clone(),
            outcomes: outcomes.sorted(&theirs.set),
            observer: None,
        },
    })
}
