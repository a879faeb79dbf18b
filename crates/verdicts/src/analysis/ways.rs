//! What different readings of a sentence lead to on one board.
//!
//! ```text
//! one: n + 1   again: 1 + n   two: n + 2        one and two differ (F0401), one and again play alike
//! ```

use std::collections::{BTreeSet, VecDeque};

use super::branch::{Branch, Found, Plainness};
use super::bucket::{BucketKey, Hit, Place};
use super::compare::any;
use super::engine::Engine;
use super::graph::Graph;
use super::harvest::{Collector, discovered};
use super::leaf::Leaf;
use super::paths::Route;
use super::readings;
use super::sides::{Compared, nearest_to, versus};
use super::values::Outcomes;
use crate::verdict::{Detail, Difference, Question};
use endstep_language::diag::codes::finding as code;
use endstep_language::diag::{Code, Severity};
use endstep_language::typing::program::{EntityId, ObserverId, Program, ReadingId};
use endstep_semantics::semantics::Who;
use endstep_semantics::witness::{Ability, Power, Witness};

impl Collector<'_, '_> {
    /// What different assignments on one board show.
    pub fn assignments(&mut self, leaves: &[Leaf]) {
        for (at, one) in leaves.iter().enumerate() {
            for other in &leaves[at + 1..] {
                let Some(reading) = readings::only_difference(&one.readings, &other.readings)
                else {
                    continue;
                };
                self.ask(Question::Reading(self.setup.job.sequence, reading));
                let two = (one.readings[&reading], other.readings[&reading]);
                if let Some(ways) = self.ways(reading, two) {
                    self.ask(ways);
                }
                if one.limited || other.limited {
                    continue;
                }
                self.two_readings(reading, one, other);
            }
        }
    }

    /// What is asked of two alternatives, where there are others.
    fn ways(&self, reading: ReadingId, (one, other): (u16, u16)) -> Option<Question> {
        let others = self.setup.program.readings[reading].alternatives.len() > 2;
        let sequence = self.setup.job.sequence;
        others.then(|| Question::Ways(sequence, reading, one.min(other), one.max(other)))
    }

    /// Two alternatives differ.
    fn apart(&mut self, reading: ReadingId, two: (u16, u16), key: BucketKey) {
        if let Some(ways) = self.ways(reading, two) {
            self.refute(ways, key.clone());
        }
        self.refute(Question::Reading(self.setup.job.sequence, reading), key);
    }

    fn two_readings(&mut self, reading: ReadingId, one: &Leaf, other: &Leaf) {
        let program = self.setup.program;
        let (first, second) = (one.readings[&reading], other.readings[&reading]);
        let difference = readings::difference(program, reading, first, second);
        let differ = one.values[0].set(0) != other.values[0].set(0);
        let found = match (differ, difference) {
            (true, Difference::Ambiguity) => Some((code::AMBIGUITY, Severity::Warning)),
            (true, Difference::Contradiction) => Some((code::CONTRADICTION, Severity::Warning)),
            (true, Difference::Overruled) => Some((code::OVERRULED, Severity::Note)),
            (false, _) => None,
        };
        let found = found.map(|kind| (kind, <[Route; 2]>::default()));
        let found = found.or_else(|| {
            let routes = parting(one, other)?;
            Some(((code::CHOICES_DIFFER, Severity::Warning), routes))
        });
        let Some((kind, routes)) = found else {
            self.two_powers(reading, one, other);
            return;
        };
        let detail = Detail::Reading {
            reading,
            first,
            second,
            difference,
        };
        let hit = reading_hit(program, kind, (reading, first, second), detail);
        self.differ(reading, [one, other], &routes, &hit);
    }

    /// Two alternatives lead to other outcomes, from the board or once some choices were made.
    fn differ(&mut self, reading: ReadingId, leaves: [&Leaf; 2], routes: &[Route; 2], hit: &Hit) {
        let (setup, outcomes) = (self.setup, &self.outcomes[0]);
        let two = leaves.map(|leaf| leaf.readings[&reading]);
        let both = readings::both(&leaves[0].readings, &leaves[1].readings);
        let told = Compared {
            outcomes,
            counts: &any,
        };
        let [mine, theirs] = [0, 1].map(|at| leaves[at].values[0].set(routes[at].end));
        for leaf in leaves {
            let place = Place {
                readings: &both,
                plainest: told.plainest(mine, theirs),
                ..self.place(leaf)
            };
            let key = self.buckets.record(place, hit.clone(), 0, || {
                let branch = |at: usize| {
                    let leaf = leaves[at];
                    Branch::entered(&leaf.graph, &leaf.values[0], routes[at].clone())
                };
                let sides = (branch(0), branch(1));
                versus(setup.program, sides, told, setup.observers[0])
            });
            self.apart(reading, (two[0], two[1]), key);
        }
    }

    /// Two alternatives differ in who can bring an outcome about, or keep it from coming about.
    fn two_powers(&mut self, reading: ReadingId, one: &Leaf, other: &Leaf) {
        let (setup, outcomes) = (self.setup, &self.outcomes[0]);
        let program = setup.program;
        let (first, second) = (one.readings[&reading], other.readings[&reading]);
        let difference = readings::difference(program, reading, first, second);
        for (able, unable) in [(one, other), (other, one)] {
            let Some(power) = power(setup.engine, able, unable) else {
                continue;
            };
            let detail = Detail::ReadingPower {
                reading,
                able: able.readings[&reading],
                unable: unable.readings[&reading],
                ability: power.1,
                difference,
            };
            let kind = (code::POWER_DIFFERS, Severity::Warning);
            let hit = reading_hit(program, kind, (reading, first, second), detail);
            let both = readings::both(&able.readings, &unable.readings);
            let place = Place {
                readings: &both,
                ..self.place(able)
            };
            let key = self.buckets.record(place, hit, 0, || {
                shown(program, able, unable, power, (outcomes, setup.observers[0]))
            });
            self.apart(reading, (first, second), key);
            return;
        }
    }
}

/// The fewest choices after which two assignments allow other outcomes, though the same is chosen under both: the ways in both
/// graphs. `None`: there are none.
fn parting(one: &Leaf, other: &Leaf) -> Option<[Route; 2]> {
    let any = one.values[0].set(0);
    let is_other =
        |leaf: &Leaf| (0..leaf.graph.nodes.len()).any(|node| leaf.values[0].set(node) != any);
    // Mostly nothing is to be found, and that is seen without a look at the states.
    if !is_other(one) && !is_other(other) {
        return None;
    }
    after_choices(one, other)
}

fn after_choices(one: &Leaf, other: &Leaf) -> Option<[Route; 2]> {
    let leaves = [one, other];
    let asked = |routes: [Route; 2]| -> [Route; 2] {
        let mut routes = routes
            .into_iter()
            .zip(leaves)
            .map(|(route, leaf)| to_choice(&leaf.graph, route));
        [routes.next(), routes.next()].map(Option::unwrap_or_default)
    };
    let mut known = BTreeSet::new();
    let mut todo = VecDeque::from([asked([Route::default(), Route::default()])]);
    while let Some(routes) = todo.pop_front() {
        let [here, there] = [routes[0].end, routes[1].end];
        if !known.insert((here, there)) || !asks_the_same(one, other, (here, there)) {
            continue;
        }
        let others = other.graph.nodes.at(there);
        for (at, edge) in one.graph.nodes.at(here).edges().enumerate() {
            let same = others.edges().position(|other| other.key() == edge.key());
            let Some(same) = same.filter(|_| edge.key().is_some()) else {
                continue;
            };
            let next = [
                routes[0].then(&one.graph, at),
                routes[1].then(&other.graph, same),
            ];
            if one.values[0].set(next[0].end) != other.values[0].set(next[1].end) {
                return Some(next);
            }
            todo.push_back(asked(next));
        }
    }
    None
}

/// Whether the same is to be chosen in a node of each.
fn asks_the_same(one: &Leaf, other: &Leaf, (here, there): (usize, usize)) -> bool {
    let asked = |leaf: &Leaf, at: usize| {
        leaf.graph
            .nodes
            .at(at)
            .point()
            .map(|one| (one.kind, one.site))
    };
    asked(one, here) == asked(other, there)
}

/// The way on to where something is chosen, or the run ends; as far as it goes if there is no such place.
fn to_choice(graph: &Graph, mut route: Route) -> Route {
    let mut passed = BTreeSet::new();
    loop {
        let node = graph.nodes.at(route.end);
        let goes_on = node.edges().next().is_some_and(|edge| edge.key().is_none());
        if !goes_on || !passed.insert(route.end) {
            return route;
        }
        route = route.then(graph, 0);
    }
}

/// A finding about two alternatives of a reading.
fn reading_hit(
    program: &Program,
    (code, severity): (Code, Severity),
    (reading, first, second): (ReadingId, u16, u16),
    detail: Detail,
) -> Hit {
    let declared = &program.readings[reading];
    let alternative = |at: u16| &declared.alternatives[usize::from(at)];
    let cause = format!("{} | {}", alternative(first).name, alternative(second).name);
    let mut hit = discovered(code, severity, declared.name.clone(), detail);
    hit.spans.push(declared.span);
    for at in [first, second] {
        hit.clauses.extend(&alternative(at).cites);
    }
    hit.clauses.extend(declared.clause);
    hit.because(cause)
}

type CanDo = (Option<EntityId>, Ability, usize);

/// Something that a player, or else the players together, can do on one side and not on the other.
fn power(engine: &dyn Engine, one: &Leaf, other: &Leaf) -> Option<CanDo> {
    let mut players = one.graph.deciders();
    players.extend(other.graph.deciders());
    players.sort_unstable();
    players.dedup();
    let can = |leaf: &Leaf, player, ability, outcome| {
        let who = Who::of(player);
        engine.is_able(&leaf.graph, &leaf.values[0], who, (ability, outcome))
    };
    let alone = players.into_iter().map(Some);
    for player in alone.chain([None]) {
        for outcome in one.values[0].set(0).iter() {
            for ability in [Ability::Force, Ability::Avoid] {
                if can(one, player, ability, outcome) && !can(other, player, ability, outcome) {
                    return Some((player, ability, outcome));
                }
            }
        }
    }
    None
}

fn shown(
    program: &Program,
    one: &Leaf,
    other: &Leaf,
    (player, ability, outcome): CanDo,
    (outcomes, observer): (&Outcomes, Option<ObserverId>),
) -> Option<Found<Witness>> {
    let whole = |leaf| -> Branch<'_> {
        let leaf: &Leaf = leaf;
        Branch::whole(&leaf.graph, &leaf.values[0])
    };
    let (one, other) = (whole(one), whole(other));
    // The one that ends so, and beside it one that does not.
    let [so, otherwise] = match ability {
        Ability::Force => [&one, &other],
        Ability::Avoid => [&other, &one],
    };
    let so = so.shortest(program, outcome)?;
    let otherwise = nearest_to(program, otherwise, &so.witness, &|number| number != outcome)?;
    let (able, unable) = match ability {
        Ability::Force => (so, otherwise),
        Ability::Avoid => (otherwise, so),
    };
    Some(Found {
        basis: able.basis.max(unable.basis),
        plain: Plainness::Ends,
        steps: able.steps + unable.steps,
        witness: Witness::Power(Box::new(Power {
            player,
            ability,
            outcome: outcomes.get(outcome).clone(),
            able: able.witness,
            unable: unable.witness,
            observer,
        })),
    })
}
