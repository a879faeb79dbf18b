//! The graph of what can follow a board under an assignment of readings.
//!
//! Nodes are the states in which something is chosen, a cycle begins anew, or the run has ended;
//! edges are the micro-steps between them, with what happened on the way:
//!
//! ```text
//! board --7 steps--> [order: wolf | owl] --wolf, 3 steps--> [order: owl | crow] …
//! ```
//!
//! *Limits.* More nodes than the limit, or more micro-steps than the budget, give up on the board.

use std::cell::Cell;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::coverage::Coverage;
use super::watch::{Event, Mark, Watch};
use crate::semantics::{
    ChoiceKind, ChoicePoint, Data, Ended, Frame, Interpreter, Key, Names, Next, Note, Readings,
    Site, State, Stop, Variant, Who,
};
use crate::syntax::ast::BasisKind;
use crate::typing::program::{Program, ReadingId, StepId, StmtId, StmtKind};
use crate::witness::{Iteration, Root, height};

/// A walk without a node is at most so long; a longer one gets a node.
const LONGEST_WALK: u64 = 4096;

/// Why a board cannot be explored as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// A reading must be fixed first.
    Consult(ReadingId),
    /// Too many states.
    States,
    /// The budget of micro-steps is used up.
    Steps,
    /// Too many created entities in one outcome.
    Created,
}

/// What is explored, and at what cost.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The program.
    pub program: &'a Program,
    /// The readings fixed so far.
    pub readings: &'a Readings,
    /// The variant.
    pub variant: &'a Variant,
    /// The names of the board's entities.
    pub names: &'a Names,
    /// What is evaluated on the way.
    pub watches: &'a [Watch<'a>],
    /// Most nodes.
    pub states: usize,
    /// Most micro-steps.
    pub steps: u64,
    /// Micro-steps so far; those of explorations that came to nothing count as well.
    pub spent: &'a Cell<u64>,
}

/// The graph.
#[derive(Debug)]
pub struct Graph {
    /// What was performed.
    pub root: Root,
    /// Under which readings.
    pub readings: Readings,
    /// Under which variant.
    pub variant: Variant,
    /// On which board.
    pub board: Data,
    /// The names of its entities.
    pub names: Names,
    /// The nodes; the first is the start.
    pub nodes: Vec<Node>,
    /// The states of the nodes.
    states: IndexSet<State, FxBuildHasher>,
    /// What is marked on the board itself.
    pub marks: Vec<Mark>,
    /// What was executed.
    pub coverage: Coverage,
}

/// A node.
#[derive(Debug, Default)]
pub struct Node {
    /// What is chosen there, if anything.
    pub point: Option<Point>,
    /// What can follow; of an end nothing.
    pub edges: Vec<Edge>,
    /// The end, if it is one.
    pub end: Option<End>,
}

/// An end.
#[derive(Debug)]
pub struct End {
    /// How the run ends there.
    pub ended: Ended,
    /// What happened last.
    pub marks: Vec<Mark>,
}

/// A choice point.
#[derive(Debug)]
pub struct Point {
    /// Its kind.
    pub kind: ChoiceKind,
    /// Its decider.
    pub who: Who,
    /// Where in the specification.
    pub site: Site,
    /// To which iteration it belongs.
    pub iteration: Iteration,
}

/// What leads from one node to another.
#[derive(Debug)]
pub struct Edge {
    /// What was chosen; `None` where nothing was to be chosen.
    pub key: Option<Key>,
    /// The node it leads to.
    pub to: usize,
    /// Micro-steps, the choice included.
    pub length: u64,
    /// The weakest basis of what was executed.
    pub basis: BasisKind,
    /// The lowest height of the stack on the way.
    pub low: (usize, usize),
    /// Notes with which an iteration may begin anew.
    pub restarts: Vec<Note>,
    /// What happened on the way, in order.
    pub marks: Vec<Mark>,
}

impl Graph {
    /// Explores a root from a board.
    pub fn explore(task: Task<'_>, root: &Root, board: &Data) -> Result<Self, Halt> {
        let it = Interpreter {
            program: task.program,
            readings: task.readings,
            variant: task.variant,
        };
        let start = match root {
            Root::Sequence(sequence, args) => it.start(*sequence, args, board.clone()),
            Root::Step(step) => it.start_step(*step, board.clone()),
        };
        let mut builder = Builder {
            it,
            task,
            graph: Self {
                root: root.clone(),
                readings: task.readings.clone(),
                variant: task.variant.clone(),
                board: board.clone(),
                names: task.names.clone(),
                nodes: Vec::new(),
                states: IndexSet::default(),
                marks: Vec::new(),
                coverage: Coverage::new(task.program),
            },
            pending: Vec::new(),
        };
        builder.run(start)?;
        Ok(builder.graph)
    }

    /// The state of a node.
    pub fn state(&self, node: usize) -> &State {
        &self.states[node]
    }

    /// Whether some run was given up.
    pub fn is_limited(&self) -> bool {
        use crate::semantics::Tag;
        let mut ends = self.nodes.iter().filter_map(|node| node.end.as_ref());
        ends.any(|end| matches!(end.ended.tag, Tag::Limit(_)))
    }

    /// Whether a node lies inside of a step.
    pub fn inside(&self, node: usize, step: StepId) -> bool {
        let frames = self.state(node).control.iter().flat_map(|one| &one.frames);
        frames
            .into_iter()
            .any(|frame| matches!(frame, Frame::Step { step: of, .. } if *of == step))
    }
}

struct Builder<'a> {
    it: Interpreter<'a>,
    task: Task<'a>,
    graph: Graph,
    /// What follows nodes that were not expanded yet.
    pending: Vec<Option<Next>>,
}

impl Builder<'_> {
    fn run(&mut self, start: State) -> Result<(), Halt> {
        for watch in self.task.watches {
            if let Some(failure) = watch.on_board(self.it, &start.data)? {
                self.graph.marks.push(Mark {
                    offset: 0,
                    basis: BasisKind::Text,
                    event: Event::Claim(watch.claim, failure),
                    data: None,
                });
            }
        }
        self.node(start, None)?;
        let mut next = 0;
        while next < self.graph.nodes.len() {
            self.expand(next)?;
            next += 1;
        }
        Ok(())
    }

    /// The node of a state.
    fn node(&mut self, state: State, following: Option<Next>) -> Result<usize, Halt> {
        let (index, new) = self.graph.states.insert_full(state);
        if new {
            if index >= self.task.states {
                return Err(Halt::States);
            }
            self.graph.nodes.push(Node::default());
            self.pending.push(following);
        }
        Ok(index)
    }

    fn expand(&mut self, node: usize) -> Result<(), Halt> {
        let next = match self.pending[node].take() {
            Some(next) => next,
            None => self.next(self.graph.states[node].clone())?,
        };
        match next {
            Next::Consult(reading) => Err(Halt::Consult(reading)),
            Next::Done(ended, notes) => {
                let mut walk = Walk::new(None);
                self.note(
                    &mut walk,
                    &notes,
                    &State {
                        data: ended.data.clone(),
                        control: Vec::new(),
                    },
                )?;
                self.graph.nodes[node].end = Some(End {
                    ended,
                    marks: walk.edge.marks,
                });
                Ok(())
            }
            Next::Step(state, notes) => {
                let edge = self.walk(None, state, notes)?;
                self.graph.nodes[node].edges.push(edge);
                Ok(())
            }
            Next::Choose(point) => self.choose(node, point),
        }
    }

    fn choose(&mut self, node: usize, point: ChoicePoint) -> Result<(), Halt> {
        let iteration = Iteration::at(self.graph.state(node), &point);
        self.graph.nodes[node].point = Some(Point {
            kind: point.kind,
            who: point.who,
            site: point.site,
            iteration,
        });
        for alternative in point.alternatives {
            let edge = self.walk(Some(alternative.key), alternative.state, alternative.notes)?;
            self.graph.nodes[node].edges.push(edge);
        }
        Ok(())
    }

    fn next(&mut self, state: State) -> Result<Next, Halt> {
        let spent = self.task.spent.get() + 1;
        self.task.spent.set(spent);
        if spent > self.task.steps {
            return Err(Halt::Steps);
        }
        Ok(self.it.next(state))
    }

    /// Goes on from the state after a first micro-step to the next node.
    fn walk(&mut self, key: Option<Key>, state: State, notes: Vec<Note>) -> Result<Edge, Halt> {
        let mut walk = Walk::new(key);
        let (mut state, mut notes) = (state, notes);
        loop {
            walk.edge.length += 1;
            self.note(&mut walk, &notes, &state)?;
            if notes.contains(&Note::Cut) || walk.edge.length >= LONGEST_WALK {
                walk.edge.to = self.node(state, None)?;
                return Ok(walk.edge);
            }
            match self.next(state.clone())? {
                Next::Consult(reading) => return Err(Halt::Consult(reading)),
                Next::Step(after, happened) => (state, notes) = (after, happened),
                following @ (Next::Choose(_) | Next::Done(..)) => {
                    walk.edge.to = self.node(state, Some(following))?;
                    return Ok(walk.edge);
                }
            }
        }
    }

    /// Takes down what happened on a micro-step that led to a state.
    fn note(&mut self, walk: &mut Walk, notes: &[Note], state: &State) -> Result<(), Halt> {
        let program = self.task.program;
        walk.edge.low = walk.edge.low.min(height(state));
        let mut events = Vec::new();
        for note in notes {
            self.graph.coverage.note(note);
            match note {
                Note::StepBegan(step) => {
                    walk.rest_on(program.steps[*step].basis.kind);
                    walk.begun = Some((*step, state.data.clone()));
                }
                Note::Resolving(trigger) => walk.rest_on(program.triggers[*trigger].basis.kind),
                Note::Executed(stmt) => {
                    if matches!(program.stmts[*stmt].kind, StmtKind::GapMayChange { .. }) {
                        walk.rest_on(BasisKind::Gap);
                    }
                    if is_wide(state, *stmt) {
                        self.graph.coverage.is_wide(*stmt);
                    }
                }
                Note::EnsuresFailed(step, at) => events.push((Event::Ensures(*step, *at), false)),
                Note::StepEnded(step) => {
                    let quiet = walk
                        .begun
                        .take()
                        .is_some_and(|(begun, data)| begun == *step && data == state.data);
                    if quiet {
                        self.graph.coverage.was_quiet(*step);
                    }
                    events.push((Event::StepEnded(*step, quiet), !quiet));
                }
                Note::Conflict(site) => events.push((Event::Conflict(*site), false)),
                Note::Cancelled {
                    sequence,
                    steps,
                    elements,
                    carried,
                } => {
                    walk.edge.restarts.push(note.clone());
                    if let Some(event) = Event::dropped(*sequence, steps, elements, *carried) {
                        events.push((event, false));
                    }
                }
                Note::Announced(..) => walk.edge.restarts.push(note.clone()),
                Note::PassBegan(_) | Note::SequenceEnded(_) | Note::Cut => {}
            }
        }
        for watch in self.task.watches {
            let known = walk.failed.contains(&watch.claim);
            if !known
                && let Some(failure) = watch.on_state(self.it, &self.graph.board, state, notes)?
            {
                walk.failed.push(watch.claim);
                events.push((Event::Claim(watch.claim, failure), false));
            }
        }
        for (event, keep) in events {
            walk.edge.marks.push(Mark {
                offset: walk.edge.length,
                basis: walk.edge.basis,
                event,
                data: keep.then(|| Box::new(state.data.clone())),
            });
        }
        Ok(())
    }
}

/// An edge in the making.
struct Walk {
    edge: Edge,
    /// Claims that have failed on it.
    failed: Vec<usize>,
    /// The step begun last on it, with the data then.
    begun: Option<(StepId, Data)>,
}

/// Whether an iteration that has just begun has two elements or more. Of a live one that is not
/// known.
fn is_wide(state: &State, stmt: StmtId) -> bool {
    let top = state.control.last().and_then(|one| one.frames.last());
    match top {
        Some(Frame::Iterate { stmt: of, todo, .. }) => *of == stmt && todo.len() != 1,
        _ => false,
    }
}

impl Walk {
    fn new(key: Option<Key>) -> Self {
        Self {
            edge: Edge {
                key,
                to: 0,
                length: 0,
                basis: BasisKind::Text,
                low: (usize::MAX, usize::MAX),
                restarts: Vec::new(),
                marks: Vec::new(),
            },
            failed: Vec::new(),
            begun: None,
        }
    }

    fn rest_on(&mut self, basis: BasisKind) {
        self.edge.basis = self.edge.basis.max(basis);
    }
}

/// What an evaluation that did not come to a value means for an exploration.
pub fn unless_consulted<T>(result: Result<T, Stop>) -> Result<Option<T>, Halt> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Tag(_)) => Ok(None),
        Err(Stop::Consult(reading)) => Err(Halt::Consult(reading)),
    }
}
