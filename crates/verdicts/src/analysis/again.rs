//! What happens if something that has just been done is done once more.
//!
//! ```text
//! destroy   those without health leave        again at once: nothing changes
//! poison    everyone loses a health
//! end                                         again here: somebody else leaves   a missing re-check
//! ```
//!
//! A step that was not done in a run does not count at the end of that run: to do it there would be
//! a first look, not a second one.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::branch::{Found, Plainness, endless};
use super::flat::Edge;
use super::graph::Graph;
use super::halt::Halt;
use super::leaf::{Again, Effect, Effects, Leaf};
use super::paths::{Route, RunBuilder, Tree};
use super::setup::{Open, Setup, Start};
use super::values::{DIVERGES, Outcomes, Values};
use super::watch::{Event, Mark};
use crate::verdict::Coverage;
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{ClaimKind, Program, StepId, Value};
use endstep_semantics::semantics::{Data, Ended, Interpreter, Readings, Tag};
use endstep_semantics::witness::{Root, Run, RunEnd, Witness};

/// At most so many places of a board are tried for the smallest witness.
const MOST_TRIED: usize = 16;

/// What is done again, where: after so many steps of an edge, or at an end.
struct Spot<'a> {
    node: usize,
    /// Of a step that is done for each place, for which.
    place: Value,
    within: Option<(usize, u64)>,
    data: &'a Arc<Data>,
}

/// What is done again, and how it is looked at.
struct Repeated<'l> {
    leaf: &'l Leaf,
    root: Root,
    observer: usize,
    /// A step that the run up to there has to have done.
    done: Option<StepId>,
}

impl Repeated<'_> {
    /// What is done at a spot: a step for the place for which it has just been done.
    fn at(&self, spot: &Spot<'_>) -> Root {
        match &self.root {
            Root::Step(step, _) => Root::Step(*step, spot.place),
            root @ Root::Sequence(..) => root.clone(),
        }
    }

    /// The shortest run up to a spot, over edges that are allowed.
    fn up_to(
        &self,
        program: &Program,
        spot: &Spot<'_>,
        allowed: &dyn Fn(usize, Edge<'_>) -> bool,
    ) -> Option<Costed> {
        let graph = &self.leaf.graph;
        let tree = Tree::from(graph, 0, allowed);
        let way = match self.done.filter(|_| spot.within.is_none()) {
            Some(step) => route_after(graph, &tree, (step, spot.node), allowed)?,
            None => tree.route(spot.node)?,
        };
        let builder = RunBuilder { program, graph };
        let run = match spot.within {
            Some(within) => builder.stopped(&way, Some(within))?,
            None => builder.ended(&way)?,
        };
        let within = spot.within.map_or(0, |(_, offset)| offset);
        Some((run, way.cost + within, way.basis(graph)))
    }
}

/// Does things again, on one board under one assignment.
pub struct Repeats<'a, 'b> {
    /// What stays the same.
    pub setup: &'a Setup<'b>,
    /// The board.
    pub start: Start<'a>,
    /// What is known already.
    pub known: &'a mut Effects,
    /// What was executed where a claim asks what a second time does.
    pub covered: &'a mut Option<Coverage>,
}

impl Repeats<'_, '_> {
    /// All that matters to the job.
    pub fn look(
        &mut self,
        leaf: &Leaf,
        open: &Open,
        outcomes: &mut [Outcomes],
    ) -> Result<Again, Halt> {
        let mut again = Again::default();
        let claims = self.setup.job.claims.iter();
        let claims = claims.filter_map(|&claim| match self.setup.program.claims[claim].kind {
            ClaimKind::Idempotent(sequence, step) => Some((claim, sequence, step)),
            _ => None,
        });
        let claims: Vec<_> = claims.collect();
        if open.recheck.is_empty() && claims.is_empty() {
            return Ok(again);
        }
        let tree = Tree::from(&leaf.graph, 0, &|_, _| true);
        let start = self.start;
        for &step in &open.recheck {
            if !leaf.graph.coverage.has_step(step) {
                continue;
            }
            let found = start.aside().map(|aside| {
                self.start = aside;
                self.recheck((leaf, step), outcomes, (&tree, &mut again))
            });
            self.start = start;
            match found {
                Some(Ok(())) => {}
                Some(Err(Halt::Consult(reading))) => return Err(Halt::Consult(reading)),
                // What was not looked at may change something at once.
                Some(Err(_)) | None => {
                    again.given_up.insert(step);
                    again.in_place.insert(step);
                }
            }
        }
        for (claim, sequence, step) in claims {
            let (root, spots) = match step {
                Some(step) => (Root::Step(step, Value::None), in_place(leaf, step, &tree)),
                None => (Root::Sequence(sequence, Vec::new()), at_ends(leaf, &tree)),
            };
            let repeated = Repeated {
                leaf,
                root,
                observer: self.setup.observer_of(claim),
                done: None,
            };
            match self.find(&repeated, outcomes, &spots, true) {
                Ok(Some(witness @ Some(_))) => {
                    again.claims.insert(claim, witness);
                }
                Err(Halt::Consult(reading)) => return Err(Halt::Consult(reading)),
                // No other claim speaks of a second time: what is known without it stays known.
                Ok(Some(None)) | Err(_) => {
                    again.open.insert(claim);
                }
                Ok(None) => {}
            }
        }
        Ok(again)
    }

    /// What doing a step again changes, where it has just ended, or at an end.
    fn recheck(
        &mut self,
        (leaf, step): (&Leaf, StepId),
        outcomes: &mut [Outcomes],
        (tree, again): (&Tree, &mut Again),
    ) -> Result<(), Halt> {
        let repeated = Repeated {
            leaf,
            root: Root::Step(step, Value::None),
            observer: 0,
            done: Some(step),
        };
        let here = in_place(leaf, step, tree);
        if self.find(&repeated, outcomes, &here, true)?.is_some() {
            again.in_place.insert(step);
            return Ok(());
        }
        let ends = at_ends_after(leaf, step, tree);
        if let Some(witness) = self.find(&repeated, outcomes, &ends, false)? {
            again.at_end.insert(step, witness);
        }
        Ok(())
    }

    /// Whether doing a root again changes anything at one of some spots (nearest first), with the
    /// smallest witness. `strict`: ending otherwise counts as well.
    fn find(
        &mut self,
        repeated: &Repeated<'_>,
        outcomes: &mut [Outcomes],
        spots: &[Spot<'_>],
        strict: bool,
    ) -> Result<Option<Option<Found<Witness>>>, Halt> {
        let mut changing = Vec::new();
        for spot in spots {
            let effect = self.effect(repeated, outcomes, spot)?;
            let counts = match effect {
                Effect::Nothing => false,
                Effect::Something | Effect::Unknown => strict,
                Effect::Change => true,
            };
            if counts {
                changing.push((spot, effect));
            }
        }
        if changing.is_empty() {
            return Ok(None);
        }
        let mut best: Option<Found<Witness>> = None;
        let known = changing
            .iter()
            .filter(|(_, effect)| *effect != Effect::Unknown);
        for (spot, _) in known.take(MOST_TRIED) {
            let found = self.witness(repeated, spot, strict)?;
            let better = |found: &Found<Witness>| {
                let key = |one: &Found<Witness>| (one.basis, one.plain, one.steps);
                best.as_ref().is_none_or(|best| key(found) < key(best))
            };
            if let Some(found) = found.filter(better) {
                best = Some(found);
            }
        }
        Ok(Some(best))
    }

    fn effect(
        &mut self,
        repeated: &Repeated<'_>,
        outcomes: &mut [Outcomes],
        spot: &Spot<'_>,
    ) -> Result<Effect, Halt> {
        let of = (repeated.at(spot), repeated.observer);
        let all = &repeated.leaf.readings;
        if let Some(effect) = self.known.known(&of, spot.data, all) {
            return Ok(effect);
        }
        // Only the readings that are consulted count.
        let mut under = Readings::new();
        let effect = loop {
            match self.effect_of(repeated, &under, &mut outcomes[repeated.observer], spot) {
                Err(Halt::Consult(reading)) => match all.get(&reading) {
                    Some(&at) => under.insert(reading, at),
                    None => return Err(Halt::Consult(reading)),
                },
                other => break other?,
            };
        };
        self.known.learn(of, spot.data, (under, effect));
        Ok(effect)
    }

    /// Whether a claim says that doing something again changes nothing.
    fn is_claimed(&self, root: &Root) -> bool {
        let mut claims = self.setup.job.claims.iter();
        claims.any(|&claim| match self.setup.program.claims[claim].kind {
            ClaimKind::Idempotent(_, Some(step)) => {
                matches!(root, Root::Step(of, _) if *of == step)
            }
            ClaimKind::Idempotent(sequence, None) => {
                matches!(root, Root::Sequence(of, _) if *of == sequence)
            }
            _ => false,
        })
    }

    fn effect_of(
        &mut self,
        repeated: &Repeated<'_>,
        readings: &Readings,
        outcomes: &mut Outcomes,
        spot: &Spot<'_>,
    ) -> Result<Effect, Halt> {
        let (setup, data) = (self.setup, spot.data);
        let start = Start {
            board: data,
            ..self.start
        };
        let variant = &setup.job.variant;
        let nothing = (&[][..], &BTreeSet::new());
        let graph = setup.explore(start, &repeated.at(spot), (readings, variant), nothing)?;
        let values = setup
            .engine
            .values(&graph, setup.viewer(repeated.observer), outcomes)?;
        if self.is_claimed(&repeated.root) {
            self.covered
                .get_or_insert_with(|| Coverage::new(setup.program))
                .merge(&graph.coverage);
        }
        let Some(same) = self.unchanged(repeated, data) else {
            return Ok(Effect::Unknown);
        };
        let (mut effect, mut given_up) = (Effect::Nothing, false);
        for number in values.set(0).iter() {
            let one = match outcomes.get(number) {
                _ if number == DIVERGES => Effect::Change,
                endstep_semantics::witness::Outcome::Ended(ending, observed) => {
                    match ending.tag() {
                        Tag::Limit(_) => {
                            given_up = true;
                            Effect::Nothing
                        }
                        Tag::End if *observed == same => Effect::Nothing,
                        _ if *observed == same => Effect::Something,
                        _ => Effect::Change,
                    }
                }
                endstep_semantics::witness::Outcome::Diverges => Effect::Change,
            };
            effect = match (effect, one) {
                (Effect::Change, _) | (_, Effect::Change) => Effect::Change,
                (Effect::Something, _) | (_, Effect::Something) => Effect::Something,
                _ => Effect::Nothing,
            };
        }
        // What one run changes is changed, whatever others do.
        Ok(match effect {
            Effect::Nothing if given_up => Effect::Unknown,
            effect => effect,
        })
    }

    /// What is observed of data as they are.
    fn unchanged(
        &self,
        repeated: &Repeated<'_>,
        data: &Arc<Data>,
    ) -> Option<endstep_semantics::witness::Observed> {
        let it = Interpreter {
            program: self.setup.program,
            readings: &repeated.leaf.readings,
            variant: &self.setup.job.variant,
        };
        let ended = Ended {
            tag: Tag::End,
            data: Arc::clone(data),
        };
        match self.setup.lenses[repeated.observer].outcome(it, &ended, data) {
            Ok(endstep_semantics::witness::Outcome::Ended(_, observed)) => Some(observed),
            _ => None,
        }
    }

    /// A run up to a spot, and one from there that ends with other data. `strict`: or otherwise than
    /// normally, or never.
    fn witness(
        &self,
        repeated: &Repeated<'_>,
        spot: &Spot<'_>,
        strict: bool,
    ) -> Result<Option<Found<Witness>>, Halt> {
        let setup = self.setup;
        let program = setup.program;
        let start = Start {
            board: spot.data,
            ..self.start
        };
        let graph = setup.explore(
            start,
            &repeated.at(spot),
            (&repeated.leaf.readings, &setup.job.variant),
            (&[], &BTreeSet::new()),
        )?;
        let graph = &graph;
        let mut outcomes = Outcomes::default();
        let values = setup
            .engine
            .values(graph, setup.viewer(repeated.observer), &mut outcomes)?;
        let same = self.unchanged(repeated, spot.data);
        let changed = |node: usize| match values.ends[node].map(|number| outcomes.get(number)) {
            Some(endstep_semantics::witness::Outcome::Ended(ending, observed)) => {
                match ending.tag() {
                    Tag::Limit(_) => false,
                    Tag::End => Some(observed) != same.as_ref(),
                    _ => strict || Some(observed) != same.as_ref(),
                }
            }
            _ => false,
        };
        for bound in BOUNDS {
            let allowed = |_: usize, edge: Edge<'_>| edge.basis() <= bound;
            let second = Tree::from(graph, 0, &allowed);
            let end = second.nearest(changed).and_then(|end| second.route(end));
            let second = match end {
                Some(way) => RunBuilder { program, graph }
                    .ended(&way)
                    .map(|run| (run, way.cost, way.basis(graph))),
                None if strict => for_ever(program, (graph, &values), &second, &allowed),
                None => None,
            };
            let first = repeated.up_to(program, spot, &allowed);
            if let (Some((first, before, one)), Some((second, after, other))) = (first, second) {
                return Ok(Some(Found {
                    basis: one.max(other),
                    plain: match second.end {
                        RunEnd::Loop { .. } => Plainness::Stops,
                        _ => Plainness::Ends,
                    },
                    steps: before + after,
                    witness: Witness::Again {
                        first,
                        second,
                        observer: setup.observers[repeated.observer],
                    },
                }));
            }
        }
        Ok(None)
    }
}

/// A run, with its micro-steps and the weakest basis of what is executed on it.
type Costed = (Run, u64, BasisKind);

/// The shortest run that goes on for ever over edges that are allowed.
fn for_ever(
    program: &Program,
    of: (&Graph, &Values),
    tree: &Tree,
    allowed: &dyn Fn(usize, Edge<'_>) -> bool,
) -> Option<Costed> {
    let graph = of.0;
    let (stem, round) = endless(of, tree, allowed)?;
    let run = RunBuilder { program, graph }.lasso(&stem, &round);
    let basis = stem.basis(graph).max(round.basis(graph));
    Some((run, stem.cost + round.cost, basis))
}

const BOUNDS: [BasisKind; 4] = [
    BasisKind::Text,
    BasisKind::External,
    BasisKind::Gap,
    BasisKind::Invented,
];

/// Where a step has just ended, nearest first.
fn in_place<'l>(leaf: &'l Leaf, step: StepId, tree: &Tree) -> Vec<Spot<'l>> {
    let mut found = Vec::new();
    for (node, one) in leaf.graph.nodes.iter().enumerate() {
        for (at, edge) in one.edges().enumerate() {
            for mark in edge.marks() {
                // A step that did nothing does nothing again.
                let Some(data) = &mark.data else { continue };
                if let Event::StepEnded(ended, place, false) = mark.event
                    && ended == step
                {
                    found.push(Spot {
                        node,
                        place,
                        within: Some((at, mark.offset)),
                        data,
                    });
                }
            }
        }
    }
    found.sort_by_key(|spot| {
        let offset = spot.within.map_or(0, |(_, offset)| offset);
        tree.cost(spot.node).map(|cost| cost + offset)
    });
    found
}

/// The normal ends, nearest first.
fn at_ends<'l>(leaf: &'l Leaf, tree: &Tree) -> Vec<Spot<'l>> {
    let nodes = leaf.graph.nodes.iter().enumerate();
    let mut found: Vec<Spot<'l>> = nodes
        .filter_map(|(node, one)| {
            let ended = &one.end()?.ended;
            (ended.tag == Tag::End).then_some(Spot {
                node,
                place: Value::None,
                within: None,
                data: &ended.data,
            })
        })
        .collect();
    found.sort_by_key(|spot| tree.cost(spot.node));
    found
}

/// Whether a step ended on an edge, or when a run did.
fn has_done(marks: &[Mark], step: StepId) -> bool {
    let mut marks = marks.iter();
    marks.any(|mark| matches!(mark.event, Event::StepEnded(one, ..) if one == step))
}

/// The normal ends of runs that have done a step, nearest first.
fn at_ends_after<'l>(leaf: &'l Leaf, step: StepId, tree: &Tree) -> Vec<Spot<'l>> {
    let passed = |edge: Edge<'_>| has_done(edge.marks(), step);
    let through = tree.through(&leaf.graph, &passed, &|_, _| true);
    let last = |node: usize| {
        let end = leaf.graph.nodes.at(node).end();
        end.is_some_and(|end| has_done(&end.marks, step))
    };
    let cost = |spot: &Spot<'_>| match last(spot.node) {
        true => tree.cost(spot.node),
        false => through.cost(spot.node),
    };
    let mut found = at_ends(leaf, tree);
    found.retain(|spot| cost(spot).is_some());
    found.sort_by_key(cost);
    found
}

/// The shortest way to an end on which a step was done.
fn route_after(
    graph: &Graph,
    tree: &Tree,
    (step, node): (StepId, usize),
    allowed: &dyn Fn(usize, Edge<'_>) -> bool,
) -> Option<Route> {
    let end = graph.nodes.at(node).end();
    if end.is_some_and(|end| has_done(&end.marks, step)) {
        return tree.route(node);
    }
    let passed = |edge: Edge<'_>| has_done(edge.marks(), step);
    tree.through(graph, &passed, allowed).route(node)
}
