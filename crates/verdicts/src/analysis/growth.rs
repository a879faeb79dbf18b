//! Looks for runs that go round as before, each time with more, until they leave the bounds.
//!
//! On the way to a bound, two nodes are looked for of which the later one is the earlier one but for what
//! has grown. The segment between them is a round; it is done twelve more times from the later node, in
//! step with the round before, with what was created then taken for what is created now, and with wider
//! bounds ([`endstep_semantics::witness::growth`]).

use std::collections::{BTreeMap, BTreeSet};

use super::branch::{Found, Plainness};
use super::graph::Graph;
use super::loops::{Through, through};
use super::paths::{Route, RunBuilder, Tree};
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, Program};
use endstep_semantics::semantics::{
    Data, Interpreter, Key, Limit, Next, Spot, State, Tag, Variant, Who,
};
use endstep_semantics::witness::{Grown, MORE_ROUNDS, Witness, executed, growth, growth_of, shape};

/// At most so many bounds that are reached are looked at.
const MOST_ENDS: usize = 4;

/// At most so many nodes before a bound are looked at.
const MOST_NODES: usize = 64;

/// Longer rounds are not followed.
const LONGEST_ROUND: u64 = 20_000;

/// A run that grows.
#[derive(Debug, Clone)]
pub struct Growing {
    /// The witness.
    pub found: Found<Witness>,
    /// What a round goes through.
    pub through: Through,
    /// What a round adds.
    pub grown: Vec<Grown>,
    /// Whether a player or chance decides something in a round.
    pub decided: bool,
}

/// For each kind of growth on the way to a bound the first run that grows so.
pub fn find(program: &Program, graph: &Graph) -> Vec<Growing> {
    let tree = Tree::from(graph, 0, &|_, _| true);
    let mut ends: Vec<(u64, usize)> = Vec::new();
    for (node, one) in graph.nodes.iter().enumerate() {
        let tag = one.end().map(|end| &end.ended.tag);
        let bound = matches!(
            tag,
            Some(Tag::Limit(
                Limit::Reach(..) | Limit::Headroom(_) | Limit::Queue(_) | Limit::Interrupts
            ))
        );
        ends.extend(tree.cost(node).filter(|_| bound).map(|cost| (cost, node)));
    }
    ends.sort_unstable();
    let ends = ends.into_iter().take(MOST_ENDS);
    let routes = ends.into_iter().filter_map(|(_, node)| tree.route(node));
    let mut found: Vec<Growing> = Vec::new();
    for growing in routes.filter_map(|route| on(program, graph, &route)) {
        let cause = &growing.through.cause;
        if !found.iter().any(|one| one.through.cause == *cause) {
            found.push(growing);
        }
    }
    found
}

/// On the way to a bound: the first round that grows.
fn on(program: &Program, graph: &Graph, route: &Route) -> Option<Growing> {
    let nodes: Vec<usize> = route.edges.iter().map(|(node, _)| *node).collect();
    let first = nodes.len().saturating_sub(MOST_NODES);
    let states: Vec<State> = nodes[first..]
        .iter()
        .map(|&node| graph.state(node))
        .collect();
    let shapes: Vec<_> = states.iter().map(shape).collect();
    for to in 1..states.len() {
        for from in (0..to).rev() {
            let (before, after) = ((&states[from], &*shapes[from]), (&states[to], &*shapes[to]));
            let Some(grown) = growth_of(program, before, after) else {
                continue;
            };
            let round = part(graph, route, first + from..first + to);
            if round.cost > LONGEST_ROUND {
                break;
            }
            let stem = part(graph, route, 0..first + from);
            if let Some(found) = again(program, graph, (&stem, &round), &grown) {
                return Some(found);
            }
        }
    }
    None
}

/// Some edges of a way.
fn part(graph: &Graph, route: &Route, edges: std::ops::Range<usize>) -> Route {
    let start = route
        .edges
        .get(edges.start)
        .map_or(route.end, |edge| edge.0);
    let edges = route.edges[edges].to_vec();
    let of = |&(node, at): &(usize, usize)| graph.nodes.at(node).edge(at);
    Route {
        cost: edges.iter().map(|edge| of(edge).length()).sum(),
        end: edges.last().map_or(start, |edge| of(edge).to()),
        edges,
    }
}

/// Goes on for more rounds.
fn again(
    program: &Program,
    graph: &Graph,
    (stem, round): (&Route, &Route),
    grown: &[Grown],
) -> Option<Growing> {
    let most = grown.iter().map(|one| match one {
        Grown::Spot(_, by) => by.unsigned_abs(),
        Grown::Entities(_, more) | Grown::Pending(_, more) | Grown::Interrupted(more) => {
            *more as u64
        }
    });
    // Within a round there can be more of it than at its end.
    let extra = most.max()?.saturating_mul(2 + MORE_ROUNDS as u64);
    let variant = Variant {
        extra: u32::try_from(extra).ok()?.saturating_add(16),
        ..graph.variant.clone()
    };
    let it = Interpreter {
        program,
        readings: &graph.readings,
        variant: &variant,
    };
    let of = |&(node, at): &(usize, usize)| graph.nodes.at(node).edge(at).key().cloned();
    let mut keys: Vec<Key> = round.edges.iter().filter_map(of).collect();
    let mut from = graph.state(round.edges.first()?.0);
    let mut to = graph.state(round.end);
    let mut later = Vec::new();
    for _ in 0..MORE_ROUNDS {
        let mut pair = Pair::new(it, from, to.clone());
        let made = pair.go(&keys, round.cost)?;
        if growth(program, &to, &pair.now)? != grown {
            return None;
        }
        (from, to) = (to, pair.now);
        later.push(made.clone());
        keys = made;
    }
    let builder = RunBuilder { program, graph };
    let run = builder.growing(stem, round, variant.clone());
    let decides = |&(node, _): &(usize, usize)| {
        let point = graph.nodes.at(node).point();
        // Where there is one alternative, nothing is decided.
        point.is_some_and(|point| point.alternatives > 1 && point.who != Who::Nobody)
    };
    let decided = round.edges.iter().any(decides);
    let mut through = through(program, graph, round);
    let how = if decided { ", by choice" } else { "" };
    let cause = &mut through.cause;
    cause.push_str(&format!(": {}{how}", names(program, grown)));
    Some(Growing {
        found: Found {
            basis: stem.basis(graph).max(round.basis(graph)),
            plain: Plainness::Ends,
            steps: stem.cost + round.cost,
            witness: Witness::Growth { run, later },
        },
        through,
        grown: grown.to_vec(),
        decided,
    })
}

/// What grows, whosever it is: `gold + Card.age`.
fn names(program: &Program, grown: &[Grown]) -> String {
    let name = |one: &Grown| match one {
        Grown::Spot(Spot::Var(var), _) => program.vars[*var].name.clone(),
        Grown::Spot(Spot::Field(_, field), _) => {
            let field = &program.fields[*field];
            format!("{}.{}", program.sorts[field.sort].name, field.name)
        }
        Grown::Entities(sort, _) => program.sorts[*sort].name.clone(),
        Grown::Pending(queue, _) => program.queues[*queue].name.clone(),
        Grown::Interrupted(_) => "interrupted triggers".to_owned(),
    };
    let names: BTreeSet<String> = grown.iter().map(name).collect();
    names.into_iter().collect::<Vec<_>>().join(" + ")
}

/// What was created and is in the game.
fn created(data: &Data) -> impl DoubleEndedIterator<Item = EntityId> + '_ {
    let all = data.entities.iter().enumerate();
    let created = all.filter(|(_, entity)| entity.created && !entity.removed);
    created.map(|(at, _)| EntityId::from_index(at))
}

/// A run and one that does the same with other entities.
struct Pair<'p> {
    it: Interpreter<'p>,
    before: State,
    now: State,
    /// What was created in the one, and what in the other.
    names: BTreeMap<EntityId, EntityId>,
}

impl<'p> Pair<'p> {
    fn new(it: Interpreter<'p>, before: State, now: State) -> Self {
        // What waits in the one alone is about nothing in the other.
        let waiting = now.control.len() - before.control.len();
        let listed = |state: &State, without: usize| {
            let mut all = Vec::new();
            let last = state.control.len() - 1;
            let mut control = state.control.clone();
            control.drain(last - without..last);
            for activation in &mut control {
                activation.exchange(&mut |id| all.push(*id));
            }
            all
        };
        // What was created last in the one for what was created last in the other, and what they are
        // about for what they are about.
        let last = |state: &State| created(&state.data).rev().collect::<Vec<_>>();
        let mut names: BTreeMap<_, _> = last(&before).into_iter().zip(last(&now)).collect();
        names.extend(listed(&before, 0).into_iter().zip(listed(&now, waiting)));
        Self {
            it,
            before,
            now,
            names,
        }
    }

    /// Does a round; what is chosen in the later run. `None`: they part.
    fn go(&mut self, keys: &[Key], steps: u64) -> Option<Vec<Key>> {
        let mut keys = keys.iter();
        let mut made = Vec::new();
        for _ in 0..steps {
            let next = (
                self.it.next(self.before.clone()),
                self.it.next(self.now.clone()),
            );
            let (before, now) = match next {
                (Next::Step(before, one), Next::Step(now, other)) => {
                    executed(&one).eq(executed(&other)).then_some(())?;
                    (before, now)
                }
                (Next::Choose(one), Next::Choose(other)) => {
                    (one.site == other.site && one.kind == other.kind).then_some(())?;
                    let key = keys.next()?;
                    let here = one.alternatives.iter().position(|one| one.key == *key)?;
                    let wanted = self.renamed(key);
                    let there = other.alternatives.iter().position(|one| one.key == wanted);
                    // What was created in neither of the rounds has no other name.
                    let alike =
                        || (one.alternatives.len() == other.alternatives.len()).then_some(here);
                    let there = there.or_else(alike)?;
                    made.push(other.alternatives[there].key.clone());
                    let taken = |mut point: endstep_semantics::semantics::ChoicePoint,
                                 at: usize| {
                        point.alternatives.swap_remove(at).state
                    };
                    (taken(one, here), taken(other, there))
                }
                _ => return None,
            };
            let born = |from: &Data, to: &Data| -> Vec<EntityId> {
                let all = to.entities.iter().enumerate();
                let new = all.filter(|(at, entity)| {
                    let known = from.entities.get(*at);
                    entity.created && !entity.removed && known.is_none_or(|known| known.removed)
                });
                new.map(|(at, _)| EntityId::from_index(at)).collect()
            };
            let one = born(&self.before.data, &before.data);
            let other = born(&self.now.data, &now.data);
            (one.len() == other.len()).then_some(())?;
            self.names.extend(one.into_iter().zip(other));
            (self.before, self.now) = (before, now);
        }
        Some(made)
    }

    fn renamed(&self, key: &Key) -> Key {
        let mut key = key.clone();
        key.exchange(&mut |id| {
            if let Some(other) = self.names.get(id) {
                *id = *other;
            }
        });
        key
    }
}
