//! Loops by class: who or what could end a run that can go on for ever (`docs/semantics.md`, 8).

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Edge, Graph};
use super::paths::{Route, Scribe, Tree, cycle};
use super::sides::Found;
use super::values::{attractor, deciders, forever};
use crate::semantics::{ChoiceKind, Frame, Interpreter, Note, Who};
use crate::syntax::ast::BasisKind;
use crate::typing::program::Program;
use crate::verdict::LoopClass;
use crate::witness::{Witness, closed_region};

/// At most so many nodes on cycles are tried for the shortest lasso.
const MOST_TRIED: usize = 64;

/// The loops of a graph: nodes that lie on cycles together, with their class.
pub fn classes(graph: &Graph) -> Vec<(Vec<usize>, LoopClass)> {
    let going = forever(graph);
    if !going.contains(&true) {
        return Vec::new();
    }
    let ends: Vec<bool> = graph.nodes.iter().map(|node| node.end.is_some()).collect();
    let who = |at: usize| graph.nodes[at].point.as_ref().map(|point| point.who);
    // Order and gaps that nobody decides.
    let is_luck = |at: usize| {
        graph.nodes[at].point.as_ref().is_some_and(|point| {
            point.who == Who::Nobody && matches!(point.kind, ChoiceKind::Order | ChoiceKind::Gap)
        })
    };
    let is_chance = |at: usize| who(at) == Some(Who::Chance);
    let reachable = attractor(graph, &ends, &|_| true);
    let with_luck = attractor(graph, &ends, &|at| !is_luck(at));
    let with_chance = attractor(graph, &ends, &|at| !is_luck(at) && !is_chance(at));
    let alone: Vec<_> = deciders(graph)
        .into_iter()
        .map(|player| {
            let mine = |at: usize| who(at) == Some(Who::Player(player));
            (player, attractor(graph, &ends, &mine))
        })
        .collect();
    let class = |at: usize| {
        if !reachable[at] {
            LoopClass::Mandatory
        } else if !with_luck[at] {
            LoopClass::OrderDriven
        } else if !with_chance[at] {
            LoopClass::ByChance
        } else {
            let can = alone.iter().find(|(_, set)| set[at]);
            LoopClass::Optional(can.map(|(player, _)| *player))
        }
    };
    let mut found = Vec::new();
    for part in cyclic(graph) {
        let mut by_class: BTreeMap<LoopClass, Vec<usize>> = BTreeMap::new();
        for at in part {
            by_class.entry(class(at)).or_default().push(at);
        }
        found.extend(by_class.into_iter().map(|(class, nodes)| (nodes, class)));
    }
    found
}

/// The nodes that lie on cycles, those that reach each other together.
fn cyclic(graph: &Graph) -> Vec<Vec<usize>> {
    let mut shape = petgraph::graph::DiGraph::<(), ()>::new();
    let ids: Vec<_> = graph.nodes.iter().map(|_| shape.add_node(())).collect();
    for (at, node) in graph.nodes.iter().enumerate() {
        for edge in &node.edges {
            shape.add_edge(ids[at], ids[edge.to], ());
        }
    }
    let mut found = Vec::new();
    for part in petgraph::algo::tarjan_scc(&shape) {
        let mut nodes: Vec<usize> = part.iter().map(|node| node.index()).collect();
        let first = nodes[0];
        let itself = graph.nodes[first].edges.iter().any(|edge| edge.to == first);
        if nodes.len() > 1 || itself {
            nodes.sort_unstable();
            found.push(nodes);
        }
    }
    found.sort();
    found
}

/// What a loop goes through: the triggers on its cycle, else its steps, else those around it.
pub fn cause(program: &Program, graph: &Graph, round: &Route) -> String {
    let mut triggers = BTreeSet::new();
    let mut steps = BTreeSet::new();
    for note in notes_of(program, graph, round) {
        match note {
            Note::Resolving(trigger) => {
                triggers.insert(program.triggers[trigger].name.clone());
            }
            Note::StepBegan(step) => {
                steps.insert(program.steps[step].name.clone());
            }
            _ => {}
        }
    }
    if steps.is_empty() {
        // The cycle lies inside of a step.
        let frames = graph
            .state(round.end)
            .control
            .iter()
            .flat_map(|one| &one.frames);
        steps.extend(frames.filter_map(|frame| match frame {
            Frame::Step { step, .. } => Some(program.steps[*step].name.clone()),
            _ => None,
        }));
    }
    let names = if triggers.is_empty() { steps } else { triggers };
    names.into_iter().collect::<Vec<_>>().join(" + ")
}

/// What happens on a cycle.
fn notes_of(program: &Program, graph: &Graph, round: &Route) -> Vec<Note> {
    use crate::semantics::Next;
    let it = Interpreter {
        program,
        readings: &graph.readings,
        variant: &graph.variant,
    };
    let mut found = Vec::new();
    for &(node, at) in &round.edges {
        let edge = &graph.nodes[node].edges[at];
        let mut state = graph.state(node).clone();
        for _ in 0..edge.length {
            match it.next(state.clone()) {
                Next::Step(after, notes) => {
                    found.extend(notes);
                    state = after;
                }
                Next::Choose(point) => {
                    let taken = point
                        .alternatives
                        .into_iter()
                        .find(|one| Some(&one.key) == edge.key.as_ref());
                    let Some(taken) = taken else { return found };
                    found.extend(taken.notes);
                    state = taken.state;
                }
                Next::Done(..) | Next::Consult(_) => return found,
            }
        }
    }
    found
}

/// The shortest lasso through one of some nodes, with what its cycle goes through.
pub fn lasso(
    program: &Program,
    graph: &Graph,
    nodes: &[usize],
    mandatory: bool,
) -> Option<(Found<Witness>, String)> {
    let bounds = [
        BasisKind::Text,
        BasisKind::External,
        BasisKind::Gap,
        BasisKind::Invented,
    ];
    let (stem, round) = bounds
        .iter()
        .find_map(|&bound| shortest(graph, nodes, bound))?;
    let scribe = Scribe { program, graph };
    let run = scribe.lasso(&stem, &round);
    let closed = if mandatory {
        closed_region(program, &run).ok()?
    } else {
        None
    };
    let cause = cause(program, graph, &round);
    let found = Found {
        basis: stem.basis(graph).max(round.basis(graph)),
        steps: stem.cost + round.cost,
        witness: Witness::Lasso { run, closed },
    };
    Some((found, cause))
}

fn shortest(graph: &Graph, nodes: &[usize], bound: BasisKind) -> Option<(Route, Route)> {
    let allowed = |_: usize, edge: &Edge| edge.basis <= bound;
    let tree = Tree::from(graph, 0, &allowed);
    let mut near: Vec<(u64, usize)> = nodes
        .iter()
        .filter_map(|&node| Some((tree.cost(node)?, node)))
        .collect();
    near.sort_unstable();
    let mut best: Option<(Route, Route)> = None;
    for (cost, node) in near.into_iter().take(MOST_TRIED) {
        let least = best.as_ref().map(|(stem, round)| stem.cost + round.cost);
        if least.is_some_and(|least| cost >= least) {
            break;
        }
        let Some(round) = cycle(graph, node, &allowed) else {
            continue;
        };
        if least.is_none_or(|least| cost + round.cost < least) {
            best = Some((tree.route(node)?, round));
        }
    }
    best
}
