//! Shows loops: the shortest lasso through one, and what it goes through.

use std::collections::BTreeSet;

use super::graph::{Edge, Graph};
use super::paths::{Route, Scribe, Tree, cycle};
use super::sides::Found;
use crate::semantics::{Frame, Interpreter, Next, Note};
use crate::syntax::ast::BasisKind;
use crate::typing::program::Program;
use crate::witness::{Witness, closed_region};

/// At most so many nodes on cycles are tried for the shortest lasso.
const MOST_TRIED: usize = 64;

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
        let state = graph.state(round.end);
        let frames = state.control.iter().flat_map(|one| &one.frames);
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
    let it = Interpreter {
        program,
        readings: &graph.readings,
        variant: &graph.variant,
    };
    let mut found = Vec::new();
    for &(node, at) in &round.edges {
        let edge = &graph.nodes[node].edges[at];
        let mut state = graph.state(node);
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
