//! What one board has to say by comparing continuations: orders, positions, gaps, readings, sequences.

use std::collections::BTreeSet;

use super::branch::Branch;
use super::bucket::{BucketKey, Hit, Place};
use super::engine::Blamed;
use super::flat::Edge;
use super::harvest::{Collector, Ways, discovered};
use super::leaf::Leaf;
use super::order;
use super::paths::Tree;
use super::sides::{Compared, versus};
use super::subject;
use super::values::Set;
use crate::verdict::{ClaimFailure, Detail, Extra, Pair, Question};
use endstep_language::diag::Severity;
use endstep_language::diag::codes::finding as code;
use endstep_language::typing::program::{
    ClaimKind, ListPolicy, Program, SequenceId, StmtKind, Value,
};
use endstep_semantics::semantics::{ChoiceKind, Key, Manner, Site, Tag, Who};
use endstep_semantics::witness::{Outcome, site_path};

/// Whatever outcome shows a difference.
pub(super) fn any(_: usize) -> bool {
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
            let asked = subject::of_order(sequence, &pair);
            let hit = match self.ends_in_one_gap(leaf, (blamed, ways.all()), &pair) {
                true => same_gap_hit(self.setup.program, sequence, &pair),
                false => order_hit(self.setup.program, sequence, &pair),
            };
            let key = self.versus_at(leaf, 0, (blamed, ways.all()), hit);
            for question in asked {
                self.refute(question, key.clone());
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
                let asked = self.asked_besides(observer, &pair);
                let hit = self.claimed(claim, ClaimFailure::Order(pair));
                let key = self.versus_at(leaf, observer, (blamed, ways.all()), hit);
                for question in asked {
                    self.refute(question, key.clone());
                }
                self.refute(Question::Claim(claim), key);
            }
        }
    }

    /// What an order that matters to a claim speaks against besides, where nothing but claims is looked at.
    fn asked_besides(&self, observer: usize, pair: &Pair) -> Vec<Question> {
        let job = self.setup.job;
        let is_rule = !self.setup.program.sequences[job.sequence].is_experiment();
        if job.full || observer != 0 || !is_rule {
            return Vec::new();
        }
        subject::of_order(job.sequence, pair)
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
                let detail = Detail::Position {
                    stmt: *stmt,
                    pair,
                    begins: !leaf.graph.stops_at(*stmt),
                };
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
                        let (fixed, other) = order::branches(setup.engine, of, &tree, blamed)?;
                        // Of two that show it as well, the run with the other order comes first.
                        versus(setup.program, (other, fixed), told, setup.observers[0])
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
