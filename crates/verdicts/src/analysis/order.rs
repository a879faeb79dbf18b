//! What is said of two alternatives that are to blame for an order that matters.

use std::collections::BTreeSet;

use super::branch::{Branch, Stays};
use super::engine::{Blamed, Engine};
use super::graph::Graph;
use super::paths::{Route, Tree};
use super::values::Values;
use crate::verdict::Pair;
use endstep_language::index::Id;
use endstep_language::typing::program::{Decider, EntityId, Order, Program, StmtKind, Value};
use endstep_semantics::semantics::{Key, KeyType, Site, Who};
use endstep_semantics::witness::Side;

impl Graph {
    /// The position of an alternative among those of a node.
    pub fn offered(&self, node: usize, key: &Key) -> Option<usize> {
        self.nodes
            .at(node)
            .edges()
            .position(|edge| edge.key() == Some(key))
    }
}

/// The two continuations that a blamed pair compares.
pub fn branches<'g>(
    engine: &dyn Engine,
    (graph, values): (&'g Graph, &'g Values),
    tree: &Tree,
    blamed: Blamed,
) -> Option<(Branch<'g>, Branch<'g>)> {
    let prefix = tree.route(blamed.node)?;
    if blamed.direct {
        let one = Branch::entered(graph, values, prefix.then(graph, blamed.first));
        let other = Branch::entered(graph, values, prefix.then(graph, blamed.second));
        return Some((one, other));
    }
    let branch = |pair| branch(engine, (graph, values), &prefix, pair);
    Some((
        branch((blamed.first, blamed.second))?,
        branch((blamed.second, blamed.first))?,
    ))
}

fn branch<'g>(
    engine: &dyn Engine,
    (graph, values): (&'g Graph, &'g Values),
    prefix: &Route,
    (first, second): (usize, usize),
) -> Option<Branch<'g>> {
    let then = graph.nodes.at(prefix.end).edge(second).key().cloned()?;
    let turn = engine.continuation((graph, values), prefix.end, (first, second))?;
    let start = prefix.then(graph, first);
    let inside = Tree::from(graph, start.end, &|from, _| turn.inner.contains(&from));
    let mut entries = Vec::new();
    for &at in turn.left.iter().chain(&turn.again) {
        let Some(way) = inside.route(at) else {
            continue;
        };
        let way = start.join(&way);
        match graph
            .offered(at, &then)
            .filter(|_| turn.again.contains(&at))
        {
            Some(edge) => entries.push(way.then(graph, edge)),
            None => entries.push(way),
        }
    }
    let point = graph.nodes.at(prefix.end).point()?;
    let stays = turn.stays.then(|| Stays {
        start: start.clone(),
        iteration: point.iteration.clone(),
        inner: turn.inner,
    });
    let side = Side {
        fixed: start.choices(graph),
        then: Some(then),
    };
    let mut branch = Branch::new(graph, values, side, turn.set, entries);
    branch.stays = stays;
    Some(branch)
}

/// The pair in words that do not depend on the board.
pub fn pair(program: &Program, graph: &Graph, blamed: Blamed) -> Option<Pair> {
    let node = &graph.nodes.at(blamed.node);
    let point = node.point()?;
    let first = node.edge(blamed.first).key().cloned()?;
    let second = node.edge(blamed.second).key().cloned()?;
    let kind = |key: &Key| key_kind(program, graph, blamed.node, key);
    let kinds = (kind(&first), kind(&second));
    // The smaller word first, so that the same two are the same pair on every board.
    let (kinds, first, second) = if kinds.0 <= kinds.1 {
        (kinds, first, second)
    } else {
        ((kinds.1, kinds.0), second, first)
    };
    Some(Pair {
        site: point.site,
        kind: point.kind,
        who: point.who,
        kinds,
        first,
        second,
    })
}

/// What is to blame, by names: the pair, and by whom it is decided where that depends on a reading. What
/// nobody decides is another fault than what somebody chooses.
pub fn cause(program: &Program, pair: &Pair) -> String {
    let names = format!("{} & {}", pair.kinds.0, pair.kinds.1);
    let order = match pair.site {
        Site::Stmt(stmt) => match &program.stmts[stmt].kind {
            StmtKind::ForEach { order, .. } => Some(order),
            _ => None,
        },
        _ => None,
    };
    let mut deciders = BTreeSet::new();
    if let Some(order) = order {
        deciders_of(order, &mut deciders);
    }
    let by = match pair.who {
        Who::Nobody => BY_NOBODY,
        Who::Player(_) => BY_PLAYER,
        Who::Everyone => BY_EVERYONE,
        Who::Chance => BY_CHANCE,
    };
    let by = if deciders.len() > 1 { by } else { BY_NOBODY };
    format!("{names}{by}")
}

const BY_NOBODY: &str = "";
const BY_PLAYER: &str = ", chosen by a player";
const BY_EVERYONE: &str = ", chosen by everyone";
const BY_CHANCE: &str = ", by chance";

/// Who decides about an order under some reading, in the words of [`cause`]; where it is fixed, it is nobody's.
fn deciders_of(order: &Order, found: &mut BTreeSet<&'static str>) {
    let by = match order {
        Order::Zone { .. } | Order::Players { .. } => return,
        Order::Any | Order::Chosen(Decider::Nobody) => BY_NOBODY,
        Order::Chosen(Decider::Player(_)) | Order::Own => BY_PLAYER,
        Order::Ranked(ranked) => return deciders_of(&ranked.then, found),
        Order::Chosen(Decider::Everyone) => BY_EVERYONE,
        Order::Chosen(Decider::Chance) => BY_CHANCE,
        Order::Per(_, alternatives) => {
            return alternatives.iter().for_each(|one| deciders_of(one, found));
        }
    };
    found.insert(by);
}

fn key_kind(program: &Program, graph: &Graph, node: usize, key: &Key) -> String {
    let data = graph.state(node).data;
    let sort = |id: EntityId| {
        let entity = data.entities.get(id.index());
        entity.map_or_else(String::new, |one| program.sorts[one.sort].name.clone())
    };
    match key {
        Key::Element(Value::Entity(id), _) | Key::Insert(id) | Key::Destination(id, ..) => {
            sort(*id)
        }
        Key::Element(_, KeyType::Enum(id)) => program.enums[*id].name.clone(),
        Key::Element(..) => "value".to_owned(),
        Key::Step(step) => program.steps[*step].name.clone(),
        Key::Instance(instance) => program.triggers[instance.trigger].name.clone(),
        Key::Announce(event, _) => program.events[*event].name.clone(),
        Key::Option(..) | Key::Taken(..) | Key::Case(..) | Key::Write(..) | Key::Values(_) => {
            String::new()
        }
    }
}
