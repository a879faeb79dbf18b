//! Shows loops: which there are on a board, the shortest lasso through one, and what it goes through.

use std::collections::BTreeSet;

use super::branch::{Found, Plainness};
use super::flat::Edge;
use super::graph::Graph;
use super::leaf::Leaf;
use super::paths::{Route, RunBuilder, Tree, cycle};
use super::setup::Setup;
use super::sides::Shown;
use super::subject;
use crate::verdict::LoopClass;
use endstep_language::source::Span;
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{ClauseIdx, Program, StmtId, Tallies};
use endstep_semantics::semantics::{
    Activation, Frame, Interpreter, Next, Note, Site, State, Tag, Variant,
};
use endstep_semantics::witness::{Run, Witness, closed_region, trace};

/// At most so many nodes on cycles are tried for the shortest lasso.
const MOST_TRIED: usize = 64;

/// Whether some run of a leaf stops where it cannot go on, or need not end.
pub fn is_without_end(setup: &Setup<'_>, leaf: &Leaf) -> bool {
    let stops = |tag: &Tag| match tag {
        Tag::Gap(_) | Tag::Conflict(_) | Tag::Range(_) | Tag::Stuck(_) => true,
        Tag::End | Tag::Win(_) | Tag::Loss(_) | Tag::Draw | Tag::Limit(_) => false,
    };
    let mut ends = leaf.graph.nodes.iter().filter_map(|node| node.end());
    ends.any(|end| stops(&end.ended.tag)) || !of(setup, leaf).1.is_empty()
}

/// The loops of a leaf, each with its class, and the graph in which they are. Whether somebody could end a run that was
/// given up is not known.
pub fn of<'l>(setup: &Setup<'_>, leaf: &'l Leaf) -> (&'l Graph, Vec<(Vec<usize>, LoopClass)>) {
    let graph = leaf.uncounted.as_ref().unwrap_or(&leaf.graph);
    let mut all = setup.engine.loops(graph);
    if graph.is_limited() {
        all.retain(|(_, class)| *class == LoopClass::Mandatory);
    }
    (graph, all)
}

/// What a round goes through, and where it stands in the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Through {
    /// The triggers, else the steps, else the steps around it, by name.
    pub cause: String,
    /// The same.
    pub passes: Vec<Site>,
    /// The clauses of what comes round again.
    pub clauses: Vec<ClauseIdx>,
    /// Where that stands.
    pub spans: Vec<Span>,
}

/// What a round goes through.
///
/// It stands where a clause says what comes round again: the restart of a pass that is cancelled; else the
/// triggers that are resolved; else the innermost `repeat`, `resolve` or iteration that the round does not
/// leave; else the steps that it goes through, or those around it.
pub fn through(program: &Program, graph: &Graph, round: &Route) -> Through {
    let mut triggers = BTreeSet::new();
    let mut steps = BTreeSet::new();
    let mut restarts = BTreeSet::new();
    for note in notes_of(program, graph, round) {
        match note {
            Note::Resolving(trigger) => {
                triggers.insert(trigger);
            }
            Note::StepBegan(step) => {
                steps.insert(step);
            }
            Note::Cancelled { sequence, .. } => {
                restarts.insert(sequence);
            }
            _ => {}
        }
    }
    let state = graph.state(round.end);
    if steps.is_empty() {
        // The cycle lies inside of a step.
        let frames = state.control.iter().flat_map(|one| &one.frames);
        steps.extend(frames.filter_map(|frame| match frame {
            Frame::Step { step, .. } => Some(*step),
            _ => None,
        }));
    }
    let mut names: Vec<&str> = match triggers.is_empty() {
        true => steps.iter().map(|id| &*program.steps[*id].name).collect(),
        false => {
            let names = triggers.iter().map(|id| &*program.triggers[*id].name);
            names.collect()
        }
    };
    names.sort_unstable();
    names.dedup();
    let mut found = Through {
        cause: names.join(" + "),
        passes: match triggers.is_empty() {
            true => steps.iter().copied().map(Site::Step).collect(),
            false => triggers.iter().copied().map(Site::Trigger).collect(),
        },
        clauses: Vec::new(),
        spans: Vec::new(),
    };
    let rules = restarts
        .iter()
        .filter_map(|id| program.sequences[*id].restart.as_ref());
    for rule in rules {
        found.clauses.extend(rule.clause);
        found.spans.push(rule.span);
    }
    if found.clauses.is_empty() {
        for &trigger in &triggers {
            found.at(program, Site::Trigger(trigger));
        }
    }
    if found.clauses.is_empty()
        && let Some(stmt) = innermost(&state, lowest(graph, round))
    {
        found.at(program, Site::Stmt(stmt));
    }
    if found.clauses.is_empty() {
        for &step in &steps {
            found.at(program, Site::Step(step));
        }
    }
    found
}

impl Through {
    fn at(&mut self, program: &Program, site: Site) {
        self.clauses.extend(subject::clauses(program, site));
        self.spans.push(site.span(program));
    }
}

/// The lowest height of the stack on a round: activations, and frames of the last of them.
fn lowest(graph: &Graph, round: &Route) -> (usize, usize) {
    let lows = round
        .edges
        .iter()
        .map(|&(node, at)| graph.nodes.at(node).edge(at).low());
    lows.min().unwrap_or((0, 0))
}

/// The innermost statement below a height that does something again and again.
fn innermost(state: &State, (activations, frames): (usize, usize)) -> Option<StmtId> {
    let below = |(at, one): (usize, &'_ Activation)| -> Vec<Frame> {
        let most = if at + 1 < activations {
            usize::MAX
        } else {
            frames
        };
        one.frames.iter().take(most).cloned().collect()
    };
    let control = state.control.iter().enumerate().take(activations);
    let all: Vec<Frame> = control.flat_map(below).collect();
    all.iter().rev().find_map(|frame| match frame {
        Frame::Repeat { stmt, .. } | Frame::Resolve { stmt, .. } | Frame::Iterate { stmt, .. } => {
            Some(*stmt)
        }
        _ => None,
    })
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
        let edge = &graph.nodes.at(node).edge(at);
        let mut state = graph.state(node);
        for _ in 0..edge.length() {
            match it.next(state.clone()) {
                Next::Step(after, notes) => {
                    found.extend(notes);
                    state = after;
                }
                Next::Choose(point) => {
                    let taken = point
                        .alternatives
                        .into_iter()
                        .find(|one| Some(&one.key) == edge.key());
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

/// A run that goes round.
#[derive(Debug, Clone)]
pub struct Lasso<'p> {
    program: &'p Program,
    run: Run,
    /// Whether no end can be reached from it, which is counted only if it is shown.
    mandatory: bool,
}

impl Shown for Lasso<'_> {
    fn shown(self) -> Option<Witness> {
        let closed = match self.mandatory {
            true => closed_region(self.program, &self.run).ok()?,
            false => None,
        };
        let run = self.run;
        Some(Witness::Lasso { run, closed })
    }
}

/// The shortest lasso through one of some nodes, with what its cycle goes through.
pub fn lasso<'p>(
    program: &'p Program,
    graph: &Graph,
    nodes: &[usize],
    mandatory: bool,
) -> Option<(Found<Lasso<'p>>, Through)> {
    let bounds = [
        BasisKind::Text,
        BasisKind::External,
        BasisKind::Gap,
        BasisKind::Invented,
    ];
    let (stem, round) = bounds
        .iter()
        .find_map(|&bound| shortest(graph, nodes, bound))?;
    let builder = RunBuilder { program, graph };
    let run = counting(program, builder.lasso(&stem, &round))?;
    let through = through(program, graph, &round);
    let found = Found {
        basis: stem.basis(graph).max(round.basis(graph)),
        plain: Plainness::Ends,
        steps: stem.cost + round.cost,
        witness: Lasso {
            program,
            run,
            mandatory,
        },
    };
    Some((found, through))
}

/// A run with what it counts, which may take it beyond the bounds of exploration.
fn counting(program: &Program, run: Run) -> Option<Run> {
    let bounds = [0, 64, 4_096, 1 << 20].into_iter();
    let mut wider = bounds.map(|extra| Run {
        variant: Variant {
            still: Tallies::default(),
            extra: run.variant.extra.max(extra),
            ..run.variant.clone()
        },
        ..run.clone()
    });
    match run.variant.still.is_empty() {
        true => Some(run),
        false => wider.find(|run| trace(program, run).is_ok()),
    }
}

fn shortest(graph: &Graph, nodes: &[usize], bound: BasisKind) -> Option<(Route, Route)> {
    let allowed = |_: usize, edge: Edge<'_>| edge.basis() <= bound;
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
