//! What one board has to say by comparing continuations: orders, positions, gaps, readings, sequences.

use std::collections::BTreeSet;

use super::branch::{Branch, Found, Plainness};
use super::bucket::{BucketKey, Hit, Place};
use super::engine::{Blamed, Engine};
use super::flat::Edge;
use super::harvest::{Collector, Ways, discovered};
use super::leaf::Leaf;
use super::order;
use super::paths::Tree;
use super::readings;
use super::sides::{Compared, nearest_to, versus};
use super::subject;
use super::values::{Outcomes, Set};
use crate::verdict::{ClaimFailure, Detail, Difference, Extra, Pair, Question};
use endstep_language::diag::codes::finding as code;
use endstep_language::diag::{Code, Severity};
use endstep_language::typing::program::{
    ClaimKind, EntityId, ListPolicy, ObserverId, Program, ReadingId, SequenceId, StmtKind, Value,
};
use endstep_semantics::semantics::{ChoiceKind, Key, Manner, Site, Tag, Who};
use endstep_semantics::witness::{Ability, Outcome, Power, Witness, site_path};

/// Whatever outcome shows a difference.
fn any(_: usize) -> bool {
    true
}

/// Whether no run stops in a gap.
fn gaps_of_none(leaf: &Leaf) -> bool {
    let mut ends = leaf.graph.nodes.iter().filter_map(|node| node.end());
    !ends.any(|end| matches!(end.ended.tag, Tag::Gap(_)))
}

impl Collector<'_, '_> {
    /// Everything that comparisons on one leaf show. Leaves with runs that were given up support none.
    pub fn comparisons(&mut self, leaf: &Leaf, ways: &Ways<'_>) {
        if leaf.limited {
            return;
        }
        if self.setup.job.full {
            self.asked_orders(leaf);
            self.orders(leaf, ways);
            self.gaps(leaf, ways);
            self.unowned(leaf, ways);
            self.positions(leaf);
        }
        self.claimed_orders(leaf, ways);
        self.equivalences(leaf);
    }

    /// Takes down which orders were in question.
    fn asked_orders(&mut self, leaf: &Leaf) {
        let sequence = self.setup.job.sequence;
        let mut questions = BTreeSet::new();
        for node in leaf.graph.nodes.iter() {
            let Some(point) = node.point().filter(|one| one.kind == ChoiceKind::Order) else {
                continue;
            };
            questions.insert(Question::Order(sequence, point.site));
            let keys: Vec<&Key> = node.edges().filter_map(Edge::key).collect();
            for (at, one) in keys.iter().enumerate() {
                let pairs = keys[at + 1..].iter();
                questions
                    .extend(pairs.filter_map(|other| subject::pair_of(sequence, (one, other))));
            }
        }
        for question in questions {
            self.ask(question);
        }
    }

    fn orders(&mut self, leaf: &Leaf, ways: &Ways<'_>) {
        let sequence = self.setup.job.sequence;
        for blamed in nearest(
            self.setup
                .engine
                .blame(&leaf.graph, &leaf.values[0], &|_| true),
            ways.all(),
        ) {
            let Some(pair) = order::pair(self.setup.program, &leaf.graph, blamed) else {
                continue;
            };
            let hit = match self.ends_in_one_gap(leaf, (blamed, ways.all()), &pair) {
                true => same_gap_hit(self.setup.program, sequence, &pair),
                false => order_hit(self.setup.program, sequence, &pair),
            };
            let key = self.versus_at(leaf, 0, (blamed, ways.all()), hit);
            self.refute(Question::Order(sequence, pair.site), key.clone());
            if let Some(question) = subject::pair_of(sequence, (&pair.first, &pair.second)) {
                self.refute(question, key);
            }
        }
    }

    /// Whether all runs stop in the same gaps, whichever of two steps comes first; what was done before
    /// that is all that differs.
    fn ends_in_one_gap(&self, leaf: &Leaf, (blamed, tree): (Blamed, &Tree), pair: &Pair) -> bool {
        let (setup, outcomes) = (self.setup, &self.outcomes[0]);
        let values = &leaf.values[0];
        let gaps = |set: &Set| -> Option<BTreeSet<Manner>> {
            let gaps = set.iter().map(|number| match outcomes.get(number) {
                Outcome::Ended(ending, _) if matches!(ending.tag(), Tag::Gap(_)) => {
                    Some(ending.manner())
                }
                _ => None,
            });
            gaps.collect()
        };
        if !subject::are_steps(pair) || gaps_of_none(leaf) {
            return false;
        }
        let branches = order::branches(setup.engine, (&leaf.graph, values), tree, blamed);
        branches.is_some_and(|(one, other)| {
            let gaps = [&one.set, &other.set].map(gaps);
            gaps[0].is_some() && gaps[0] == gaps[1]
        })
    }

    /// Takes down a finding about a blamed pair of a leaf's own graph.
    fn versus_at(
        &mut self,
        leaf: &Leaf,
        observer: usize,
        (blamed, tree): (Blamed, &Tree),
        hit: Hit,
    ) -> BucketKey {
        let (setup, outcomes) = (self.setup, &self.outcomes[observer]);
        let place = self.place(leaf);
        let least = 2 * tree.cost(blamed.node).unwrap_or(0);
        let values = &leaf.values[observer];
        let told = Compared {
            outcomes,
            counts: &any,
        };
        let place = Place {
            plainest: told.plainest_within(values.set(blamed.node)),
            ..place
        };
        self.buckets.record(place, hit, least, || {
            let branches = order::branches(setup.engine, (&leaf.graph, values), tree, blamed)?;
            versus(setup.program, branches, told, setup.observers[observer])
        })
    }

    fn claimed_orders(&mut self, leaf: &Leaf, ways: &Ways<'_>) {
        let claims = self.setup.job.claims.clone();
        for claim in claims {
            let ClaimKind::OrderIrrelevant(_, step) = self.setup.program.claims[claim].kind else {
                continue;
            };
            let observer = self.setup.observer_of(claim);
            let inside = |node: usize| step.is_none_or(|step| leaf.graph.inside(node, step));
            let values = &leaf.values[observer];
            for blamed in nearest(
                self.setup.engine.blame(&leaf.graph, values, &inside),
                ways.all(),
            ) {
                let Some(pair) = order::pair(self.setup.program, &leaf.graph, blamed) else {
                    continue;
                };
                let hit = self.claimed(claim, ClaimFailure::Order(pair));
                let key = self.versus_at(leaf, observer, (blamed, ways.all()), hit);
                self.refute(Question::Claim(claim), key);
            }
        }
    }

    /// Fixed orders that decide.
    fn positions(&mut self, leaf: &Leaf) {
        let (setup, outcomes) = (self.setup, &self.outcomes[0]);
        let sequence = setup.job.sequence;
        for extra in &leaf.given_up {
            if let Extra::Position(stmt) = *extra {
                self.ask(Question::Position(sequence, stmt));
            }
        }
        for (stmt, graph, values) in &leaf.freed {
            let site = Site::Stmt(*stmt);
            let here = |node: usize| {
                let point = graph.nodes.at(node).point();
                point.is_some_and(|point| point.site == site && point.who == Who::Nobody)
            };
            if !(0..graph.nodes.len()).any(here) {
                continue;
            }
            self.ask(Question::Position(sequence, *stmt));
            let tree = Tree::from(graph, 0, &|_, _| true);
            for blamed in nearest(setup.engine.blame(graph, values, &here), &tree) {
                let Some(pair) = order::pair(setup.program, graph, blamed) else {
                    continue;
                };
                let subject = site_path(setup.program, site);
                let cause = format!("{} & {}", pair.kinds.0, pair.kinds.1);
                let detail = Detail::Position(*stmt, pair);
                let hit = discovered(code::POSITION_MATTERS, Severity::Note, subject, detail);
                let hit = hit.at(setup.program, site).because(cause);
                let least = 2 * tree.cost(blamed.node).unwrap_or(0);
                // What is not possible in the order that the document fixes shows best that it decides.
                let fixed = leaf.values[0].set(0);
                let tries: [(bool, &dyn Fn(usize) -> bool); 2] = [
                    (false, &|outcome| !fixed.contains(outcome)),
                    (true, &|_| true),
                ];
                let mut key = None;
                for (oblique, shows) in tries {
                    if key
                        .as_ref()
                        .is_some_and(|key| self.buckets.has_witness(key))
                    {
                        break;
                    }
                    let told = Compared {
                        outcomes,
                        counts: shows,
                    };
                    let place = Place {
                        oblique,
                        plainest: told.plainest_within(values.set(blamed.node)),
                        ..self.place(leaf)
                    };
                    key = Some(self.buckets.record(place, hit.clone(), least, || {
                        let of = (graph, values);
                        let branches = order::branches(setup.engine, of, &tree, blamed)?;
                        versus(setup.program, branches, told, setup.observers[0])
                    }));
                }
                let Some(key) = key else { continue };
                self.refute(Question::Position(sequence, *stmt), key);
            }
        }
    }

    /// Values of a gap, and competing sentences, that make a difference.
    fn gaps(&mut self, leaf: &Leaf, ways: &Ways<'_>) {
        let (setup, outcomes) = (self.setup, &self.outcomes[0]);
        let sequence = setup.job.sequence;
        let differ = setup
            .engine
            .unequal(&leaf.graph, &leaf.values[0], ChoiceKind::Gap);
        for (node, site) in Self::gap_points(leaf) {
            let stmt = match site {
                Site::Stmt(stmt) => Some((stmt, &setup.program.stmts[stmt].kind)),
                _ => None,
            };
            let Some((stmt, StmtKind::GapMayChange { gap, .. })) = stmt else {
                if differ.contains(&node) {
                    self.weighty.insert(site);
                }
                continue;
            };
            self.ask(Question::Gap(sequence, stmt));
            if !differ.contains(&node) {
                continue;
            }
            let one = leaf.graph.nodes.at(node);
            let first = leaf.values[0].set(one.edge(0).to());
            let other = one
                .edges()
                .position(|edge| leaf.values[0].set(edge.to()) != first);
            let (Some(other), Some(way)) = (other, ways.to(node)) else {
                continue;
            };
            let value = |at: usize| match one.edge(at).key() {
                Some(Key::Write(_, value)) => *value,
                _ => Value::None,
            };
            let name = setup.program.gaps[*gap].name.clone();
            let detail = Detail::GapMatters(*gap, stmt, value(0), value(other));
            let hit = discovered(code::GAP_MATTERS, Severity::Warning, name, detail);
            let hit = hit.at(setup.program, site);
            let values = &leaf.values[0];
            let told = Compared {
                outcomes,
                counts: &any,
            };
            let place = Place {
                plainest: told.plainest(first, values.set(one.edge(other).to())),
                ..self.place(leaf)
            };
            let key = self.buckets.record(place, hit, 2 * way.cost, || {
                let branch = |at| Branch::entered(&leaf.graph, values, way.then(&leaf.graph, at));
                let branches = (branch(0), branch(other));
                versus(setup.program, branches, told, setup.observers[0])
            });
            self.refute(Question::Gap(sequence, stmt), key);
        }
    }

    /// Choices by nobody in particular that make a difference.
    fn unowned(&mut self, leaf: &Leaf, ways: &Ways<'_>) {
        let (setup, outcomes) = (self.setup, &self.outcomes[0]);
        let (program, values) = (setup.program, &leaf.values[0]);
        for kind in [ChoiceKind::Selection, ChoiceKind::Distribution] {
            for node in setup.engine.unequal(&leaf.graph, values, kind) {
                let point = leaf.graph.nodes.at(node).point();
                if point.is_none_or(|point| point.who != Who::Nobody) {
                    continue;
                }
                let one = leaf.graph.nodes.at(node);
                let first = values.set(one.edge(0).to());
                let other = one.edges().position(|edge| values.set(edge.to()) != first);
                let (Some(second), Some(way)) = (other, ways.to(node)) else {
                    continue;
                };
                let blamed = Blamed {
                    node,
                    first: 0,
                    second,
                    direct: true,
                };
                let Some(pair) = order::pair(program, &leaf.graph, blamed) else {
                    continue;
                };
                let site = pair.site;
                let subject = site_path(program, site);
                let detail = Detail::NobodyChooses(pair);
                let hit = discovered(code::NOBODY_CHOOSES, Severity::Warning, subject, detail);
                let hit = hit.at(program, site);
                let told = Compared {
                    outcomes,
                    counts: &any,
                };
                let place = Place {
                    plainest: told.plainest(first, values.set(one.edge(second).to())),
                    ..self.place(leaf)
                };
                self.buckets.record(place, hit, 2 * way.cost, || {
                    let graph = &leaf.graph;
                    let branch = |at| Branch::entered(graph, values, way.then(graph, at));
                    let branches = (branch(0), branch(second));
                    versus(program, branches, told, setup.observers[0])
                });
            }
        }
    }

    fn equivalences(&mut self, leaf: &Leaf) {
        let setup = self.setup;
        for (claim, graph, values) in &leaf.others {
            let observer = setup.observer_of(*claim);
            let mine = &leaf.values[observer];
            if graph.is_limited() || mine.set(0) == values.set(0) {
                continue;
            }
            let hit = self.claimed(*claim, ClaimFailure::Equivalent);
            let told = Compared {
                outcomes: &self.outcomes[observer],
                counts: &any,
            };
            let place = Place {
                plainest: told.plainest(mine.set(0), values.set(0)),
                ..self.place(leaf)
            };
            let key = self.buckets.record(place, hit, 0, || {
                let branches = (
                    Branch::whole(&leaf.graph, mine),
                    Branch::whole(graph, values),
                );
                versus(setup.program, branches, told, setup.observers[observer])
            });
            self.refute(Question::Claim(*claim), key);
        }
    }

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

    fn two_readings<'l>(&mut self, reading: ReadingId, one: &'l Leaf, other: &'l Leaf) {
        let (setup, outcomes) = (self.setup, &self.outcomes[0]);
        let program = setup.program;
        let (first, second) = (one.readings[&reading], other.readings[&reading]);
        let difference = readings::difference(program, reading, first, second);
        if one.values[0].set(0) != other.values[0].set(0) {
            let (code, severity) = match difference {
                Difference::Ambiguity => (code::AMBIGUITY, Severity::Warning),
                Difference::Contradiction => (code::CONTRADICTION, Severity::Warning),
                Difference::Overruled => (code::OVERRULED, Severity::Note),
            };
            let detail = Detail::Reading {
                reading,
                first,
                second,
                difference,
            };
            let hit = reading_hit(program, (code, severity), (reading, first, second), detail);
            let told = Compared {
                outcomes,
                counts: &any,
            };
            let both = readings::both(&one.readings, &other.readings);
            for leaf in [one, other] {
                let place = Place {
                    readings: &both,
                    plainest: told.plainest(one.values[0].set(0), other.values[0].set(0)),
                    ..self.place(leaf)
                };
                let key = self.buckets.record(place, hit.clone(), 0, || {
                    let branch = |leaf: &'l Leaf| Branch::whole(&leaf.graph, &leaf.values[0]);
                    versus(
                        program,
                        (branch(one), branch(other)),
                        told,
                        setup.observers[0],
                    )
                });
                self.apart(reading, (first, second), key);
            }
            return;
        }
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

/// Nearest first, so that the smallest witnesses are tried first.
fn nearest(mut blamed: Vec<Blamed>, tree: &Tree) -> Vec<Blamed> {
    blamed.sort_by_key(|one| (tree.cost(one.node), *one));
    blamed
}

/// A finding about two steps after which the document is silent, whichever comes first.
fn same_gap_hit(program: &Program, sequence: SequenceId, pair: &Pair) -> Hit {
    Hit {
        code: code::SAME_GAP,
        severity: Severity::Note,
        detail: Detail::SameGap(sequence, pair.clone()),
        ..order_hit(program, sequence, pair)
    }
}

fn order_hit(program: &Program, sequence: SequenceId, pair: &Pair) -> Hit {
    let cause = order::cause(program, pair);
    let decided = pair.who != Who::Nobody;
    let severity = if decided {
        Severity::Note
    } else {
        Severity::Warning
    };
    let subject = site_path(program, pair.site);
    let list = match pair.site {
        Site::Sequence(sequence) => Some(sequence),
        _ => None,
    };
    let Some(list) = list.filter(|_| subject::are_steps(pair)) else {
        let hit = discovered(
            code::ORDER_MATTERS,
            severity,
            subject,
            Detail::Order(pair.clone()),
        );
        return hit.at(program, pair.site).because(cause);
    };
    let unspecified = matches!(program.sequences[list].policy, ListPolicy::Unspecified(_));
    let code = if unspecified {
        code::STEPS_MATTER
    } else {
        code::ORDER_MATTERS
    };
    let detail = Detail::Steps(sequence, pair.clone());
    let mut hit = discovered(code, severity, subject, detail).because(cause);
    if let Some(Question::Steps(_, a, b)) = subject::pair_of(sequence, (&pair.first, &pair.second))
    {
        for step in [a, b] {
            hit.clauses.extend(subject::of_step(program, step));
            hit.spans.push(program.steps[step].span);
        }
    }
    hit
}
