//! Two continuations compared: an outcome that one has and the other has not, with runs.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::graph::{Edge, Graph};
use super::paired;
use super::paths::{Route, Scribe, Tree, cycle};
use super::values::{DIVERGES, Outcomes, Set, Values};
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{ObserverId, Program};
use endstep_semantics::semantics::Key;
use endstep_semantics::witness::{
    Ending, Iteration, Outcome, Run, Side, Versus, Witness, is_outcome,
};

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
    fn leads_on(&self, from: usize, edge: &Edge) -> bool {
        let restarts = |note| self.iteration.restarts_with(note);
        self.inner.contains(&from)
            && self.inner.contains(&edge.to)
            && !self.iteration.ends_at(edge.low)
            && !edge.restarts.iter().any(restarts)
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
            stays: None,
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
                self.lasso(program, entry, &allowed)
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
            shorter(&mut best, found);
        }
        if let (DIVERGES, Some(stays)) = (outcome, &self.stays)
            && stays.start.basis(self.graph) <= bound
        {
            let inside =
                |from: usize, edge: &Edge| allowed(from, edge) && stays.leads_on(from, edge);
            shorter(&mut best, self.lasso(program, &stays.start, &inside));
        }
        best
    }

    /// The shortest run that goes on from an entry over edges that are allowed and never ends, with what it
    /// costs and the weakest basis.
    fn lasso(
        &self,
        program: &Program,
        entry: &Route,
        allowed: &dyn Fn(usize, &Edge) -> bool,
    ) -> Option<(u64, Run, BasisKind)> {
        let scribe = Scribe {
            program,
            graph: self.graph,
        };
        let tree = Tree::from(self.graph, entry.end, allowed);
        let (stem, round) = endless((self.graph, self.values), &tree, allowed)?;
        let stem = entry.join(&stem);
        let basis = stem.basis(self.graph).max(round.basis(self.graph));
        Some((stem.cost + round.cost, scribe.lasso(&stem, &round), basis))
    }
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

/// The outcomes of two sides between which a difference is looked for.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    /// All of the board.
    pub outcomes: &'a Outcomes,
    /// Which of them can show it.
    pub counts: &'a dyn Fn(usize) -> bool,
}

/// How a run stops, if it does not end normally; `None` of what never ends.
type Stop<'a> = Option<&'a Ending>;

impl Told<'_> {
    fn stop(&self, number: usize) -> Option<Stop<'_>> {
        match self.outcomes.get(number) {
            Outcome::Diverges => Some(None),
            Outcome::Ended(ending, _) => (!is_outcome(ending.tag())).then_some(Some(ending)),
        }
    }

    /// Whether it is the outcome of runs that end normally.
    pub fn is_normal(&self, number: usize) -> bool {
        self.stop(number).is_none()
    }

    /// How plainly two outcomes show a difference, each with all that are possible on its side.
    pub fn plainness(&self, one: (usize, &Set), other: (usize, &Set)) -> Plainness {
        let is_own = |number: usize, others: &Set| {
            let stop = self.stop(number)?;
            let there = others.iter().any(|one| self.stop(one) == Some(stop));
            Some(!there)
        };
        match (is_own(one.0, other.1), is_own(other.0, one.1)) {
            (None, None) => Plainness::Ends,
            (Some(true), _) | (_, Some(true)) => Plainness::Stops,
            _ => Plainness::Elsewhere,
        }
    }

    /// The plainest that a difference can be between sides that have some of these outcomes.
    pub fn plainest_within(&self, set: &Set) -> Plainness {
        let normal = set.iter().filter(|&number| self.is_normal(number));
        match normal.count() {
            0 | 1 => Plainness::Stops,
            _ => Plainness::Ends,
        }
    }

    /// The plainest that the difference between two sides can be; no pair of runs shows it more plainly.
    pub fn plainest(&self, one: &Set, other: &Set) -> Plainness {
        let is_plain = |mine: &Set, theirs: &Set| {
            let own = mine.iter().filter(|&number| !theirs.contains(number));
            let mut own = own.filter(|&number| (self.counts)(number));
            let mut theirs = theirs.iter();
            own.any(|number| self.is_normal(number)) && theirs.any(|other| self.is_normal(other))
        };
        let stops = |set: &Set| -> BTreeSet<Stop<'_>> {
            set.iter().filter_map(|number| self.stop(number)).collect()
        };
        match () {
            () if is_plain(one, other) || is_plain(other, one) => Plainness::Ends,
            () if stops(one) != stops(other) => Plainness::Stops,
            () => Plainness::Elsewhere,
        }
    }
}

/// Two sides that differ, with runs that show it.
pub struct Contrast<'a> {
    program: &'a Program,
    told: Told<'a>,
    /// The side with the outcome, and the other.
    sides: (Branch<'a>, Branch<'a>),
    found: Found<Versus>,
}

/// What can be made a witness of.
pub trait Shown {
    /// The witness.
    fn shown(self) -> Witness;
}

impl Shown for Witness {
    fn shown(self) -> Witness {
        self
    }
}

impl Shown for Contrast<'_> {
    fn shown(self) -> Witness {
        let (mine, theirs) = &self.sides;
        let has_it = |one: usize| (self.told.counts)(one) && !theirs.set.contains(one);
        let wanted = |one: usize, other: usize| {
            let plain = || self.told.plainness((one, &mine.set), (other, &theirs.set));
            has_it(one) && plain() <= self.found.plain
        };
        let sides = (mine, theirs);
        let pair = paired::runs(self.program, sides, self.found.basis, &wanted);
        let mut versus = self.found.witness;
        if let Some((run, against)) = pair {
            (versus.run, versus.against) = (run, against);
        }
        Witness::Versus(Box::new(versus))
    }
}

/// An outcome, among those that count, that one of two continuations has and the other has not: of the
/// strongest basis, then shown most plainly, then in the fewest steps.
pub fn versus<'a>(
    program: &'a Program,
    (one, other): (Branch<'a>, Branch<'a>),
    told: Told<'a>,
    observer: Option<ObserverId>,
) -> Option<Found<Contrast<'a>>> {
    if one.set == other.set {
        return None;
    }
    let mut best: Option<(Found<Versus>, bool)> = None;
    for (mine, theirs, turned) in [(&one, &other, false), (&other, &one, true)] {
        for outcome in mine
            .set
            .iter()
            .filter(|&outcome| (told.counts)(outcome) && !theirs.set.contains(outcome))
        {
            let Some(found) = differing(program, (mine, theirs), outcome, told) else {
                continue;
            };
            let size = |found: &Found<Versus>| (found.basis, found.plain, found.steps);
            let better = best
                .as_ref()
                .is_none_or(|(best, _)| size(&found) < size(best));
            if better {
                best = Some((found, turned));
            }
        }
    }
    let (mut found, turned) = best?;
    found.witness.observer = observer;
    let (basis, plain, steps) = (found.basis, found.plain, found.steps);
    let sides = if turned { (other, one) } else { (one, other) };
    Some(Found {
        basis,
        plain,
        steps,
        witness: Contrast {
            program,
            told,
            sides,
            found,
        },
    })
}

fn differing(
    program: &Program,
    (mine, theirs): (&Branch<'_>, &Branch<'_>),
    outcome: usize,
    told: Told<'_>,
) -> Option<Found<Versus>> {
    let run = mine.shortest(program, outcome)?;
    let like = &run.witness.choices;
    let others = theirs.set.iter().filter_map(|other| {
        let found = theirs.shortest_like(program, other, like)?;
        let plain = told.plainness((outcome, &mine.set), (other, &theirs.set));
        Some((run.basis.max(found.basis), plain, found))
    });
    let (basis, plain, against) = others.min_by_key(|(basis, plain, found)| {
        let alike = Reverse(alike(&found.witness.choices, like));
        (*basis, *plain, found.steps, alike)
    })?;
    Some(Found {
        basis,
        plain,
        steps: run.steps + against.steps,
        witness: Versus {
            run: run.witness,
            side: mine.side.clone(),
            against: against.witness,
            other: theirs.side.clone(),
            outcomes: told.outcomes.sorted(&theirs.set),
            observer: None,
        },
    })
}

/// How many choices two runs begin with that are the same.
fn alike(one: &[Key], other: &[Key]) -> usize {
    let pairs = one.iter().zip(other);
    pairs.take_while(|(one, other)| one == other).count()
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
    runs.min_by_key(|one| {
        let alike = Reverse(alike(&one.witness.choices, like));
        (one.basis, one.steps, alike)
    })
}
