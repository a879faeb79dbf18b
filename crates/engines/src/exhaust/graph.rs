//! Builds the graph of what can follow a board, on the interpreter, breadth first.
//!
//! *Limits.* More nodes than the limit, or more micro-steps than the budget, give up on the board.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{StepId, StmtId, StmtKind};
use endstep_semantics::semantics::{ChoicePoint, Data, Frame, Interpreter, Key, Next, Note, State};
use endstep_semantics::witness::{Iteration, Root, height};
use endstep_verdicts::analysis::{
    Coverage, Event, Graph, Halt, LONGEST_WALK, Mark, NewEdge, Nodes, Noted, Point, States, Task,
};

/// States as they are.
#[derive(Debug, Default)]
struct Plain(IndexSet<State, FxBuildHasher>);

impl States for Plain {
    fn state(&self, node: usize) -> State {
        self.0[node].clone()
    }
}

/// Explores a root from a board.
pub fn explore(task: Task<'_>, root: &Root, board: &Data) -> Result<Graph, Halt> {
    let it = Interpreter {
        program: task.program,
        readings: task.readings,
        variant: task.variant,
    };
    let start = match root {
        Root::Sequence(sequence, args) => it.start(*sequence, args, board.clone()),
        Root::Step(step, place) => it.start_step(*step, *place, board.clone()),
    };
    let mut builder = Builder {
        it,
        task,
        graph: Graph {
            root: root.clone(),
            readings: task.readings.clone(),
            variant: task.variant.clone(),
            board: board.clone(),
            names: task.names.clone(),
            nodes: Nodes::default(),
            states: Box::new(Plain::default()),
            marks: Vec::new(),
            coverage: Coverage::new(task.program),
            narrowed: BTreeSet::new(),
        },
        states: IndexSet::default(),
        best: Noted::default(),
        pending: Vec::new(),
    };
    builder.run(start)?;
    let mut graph = builder.graph;
    graph.states = Box::new(Plain(builder.states));
    Ok(graph)
}

struct Builder<'a> {
    it: Interpreter<'a>,
    task: Task<'a>,
    graph: Graph,
    states: IndexSet<State, FxBuildHasher>,
    /// The best values of claims that ask for the largest or smallest.
    best: Noted,
    /// What follows nodes that were not expanded yet.
    pending: Vec<Option<Next>>,
}

impl Builder<'_> {
    fn run(&mut self, start: State) -> Result<(), Halt> {
        for &watch in self.task.watches {
            if let Some(failure) = watch.on_board(self.it, &start.data)? {
                self.best.equals(watch, &failure);
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
        let (index, new) = self.states.insert_full(state);
        if new {
            if self.graph.nodes.states() >= self.task.states {
                return Err(Halt::States);
            }
            self.graph.nodes.add();
            self.pending.push(following);
        }
        Ok(index)
    }

    fn expand(&mut self, node: usize) -> Result<(), Halt> {
        self.graph.nodes.expand(node);
        let next = match self.pending[node].take() {
            Some(next) => next,
            None => self.next(self.states[node].clone())?,
        };
        match next {
            Next::Consult(reading) => Err(Halt::Consult(reading)),
            Next::Done(ended, notes) => {
                let mut walk = Walk::new(None);
                walk.stops = !ended.tag.is_outcome();
                walk.ends_within = !self.states[node].is_settled();
                self.note(
                    &mut walk,
                    &notes,
                    &State {
                        data: Data::clone(&ended.data),
                        control: Vec::new(),
                    },
                )?;
                self.graph.nodes.end(node, ended);
                Ok(())
            }
            Next::Step(state, notes) => {
                let edge = self.walk(None, state, notes)?;
                self.graph.nodes.lead(edge);
                Ok(())
            }
            Next::Choose(point) => self.choose(node, point),
        }
    }

    fn choose(&mut self, node: usize, point: ChoicePoint) -> Result<(), Halt> {
        let iteration = Iteration::at(&self.states[node], &point);
        self.graph.nodes.choice(
            node,
            Point {
                kind: point.kind,
                who: point.who,
                site: point.site,
                iteration,
                alternatives: point.alternatives.len(),
            },
        );
        for alternative in point.alternatives {
            let edge = self.walk(Some(alternative.key), alternative.state, alternative.notes)?;
            self.graph.nodes.lead(edge);
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
    fn walk(&mut self, key: Option<Key>, state: State, notes: Vec<Note>) -> Result<NewEdge, Halt> {
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
        let mut met = BTreeSet::new();
        for note in notes {
            let begun = self.task.asks(note, &self.graph.coverage);
            self.graph.coverage.note(note);
            match note {
                Note::StepBegan(step) => {
                    walk.rest_on(program.steps[*step].basis.kind);
                    walk.begun = begun.then(|| (*step, state.data.clone()));
                }
                Note::Resolving(trigger) => walk.rest_on(program.triggers[*trigger].basis.kind),
                Note::Executed(stmt) => {
                    match program.stmts[*stmt].kind {
                        StmtKind::GapMayChange { .. } => walk.rest_on(BasisKind::Gap),
                        StmtKind::GapGoesOn { gap, .. } if met.insert(gap) => {
                            events.push((Event::GapMet(gap, *stmt), false));
                        }
                        _ => {}
                    }
                    if is_wide(state, *stmt) {
                        self.graph.coverage.is_wide(*stmt);
                    }
                }
                Note::EnsuresFailed(step, at) => events.push((Event::Ensures(*step, *at), false)),
                Note::StepEnded(step, place) => {
                    let quiet = walk
                        .begun
                        .take()
                        .is_some_and(|(begun, data)| begun == *step && data == state.data);
                    if quiet {
                        self.graph.coverage.was_quiet(*step);
                    }
                    if self.task.keep.contains(step) {
                        events.push((Event::StepEnded(*step, *place, quiet), !quiet));
                    }
                }
                Note::Conflict(site) => events.push((Event::Conflict(*site), false)),
                Note::Cancelled {
                    sequence,
                    steps,
                    lost,
                    ..
                } => {
                    self.graph.nodes.note(note.clone());
                    if let Some(event) = Event::dropped(*sequence, steps, lost) {
                        events.push((event, false));
                    }
                }
                Note::Announced(..) => self.graph.nodes.note(note.clone()),
                Note::PassBegan(_) | Note::SequenceEnded(_) | Note::Cut => {}
            }
        }
        for event in self.look(walk, notes, state)? {
            events.push((event, false));
        }
        for (event, keep) in events {
            self.graph.nodes.mark(Mark {
                offset: walk.edge.length,
                basis: walk.edge.basis,
                event,
                data: keep.then(|| Arc::new(state.data.clone())),
            });
        }
        // What is assumed comes after the step on which a gap is met.
        if !met.is_empty() {
            walk.rest_on(BasisKind::Gap);
        }
        Ok(())
    }

    /// The claims that fail in a state, each once on an edge; and values that better all before them on the edge, and
    /// that no other in the graph so far betters.
    fn look(&mut self, walk: &mut Walk, notes: &[Note], state: &State) -> Result<Vec<Event>, Halt> {
        let mut events = Vec::new();
        if walk.stops {
            return Ok(events);
        }
        let settled = state.is_settled() && !walk.ends_within;
        for &watch in self.task.watches {
            if walk.noted.is_open(watch)
                && watch.is_due(self.it.program, notes, settled)
                && let Some(failure) = watch.on(self.it, &self.graph.board, &state.data)?
                && walk.noted.betters(watch, &failure)
                && self.best.equals(watch, &failure)
            {
                events.push(Event::Claim(watch.claim, failure));
            }
        }
        Ok(events)
    }
}

/// An edge in the making.
struct Walk {
    edge: NewEdge,
    /// What claims came to on it.
    noted: Noted,
    /// The step begun last on it, with the data then.
    begun: Option<(StepId, Data)>,
    /// Whether the run stops on it, but for an outcome: nothing is done where it does.
    stops: bool,
    /// Whether a statement is half done where the run ends on it.
    ends_within: bool,
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
            edge: NewEdge {
                key,
                to: 0,
                length: 0,
                basis: BasisKind::Text,
                low: (usize::MAX, usize::MAX),
            },
            noted: Noted::default(),
            begun: None,
            stops: false,
            ends_within: false,
        }
    }

    fn rest_on(&mut self, basis: BasisKind) {
        self.edge.basis = self.edge.basis.max(basis);
    }
}
