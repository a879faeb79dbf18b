//! What can follow a board, as a graph: breadth first, on the reference interpreter.
//!
//! Nodes are the choice points, the cut points of cycles and the ends, in the order in which they are
//! found; everything between two of them is one edge.
//!
//! *Limits.* More nodes than the limit, or more micro-steps than the budget, give up on the board.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::analysis::{Coverage, Edge, End, Event, Graph, Halt, Mark, Node, Point, States, Task};
use crate::semantics::{Data, Frame, Interpreter, Key, Next, Note, State};
use crate::syntax::ast::BasisKind;
use crate::typing::program::{StepId, StmtId, StmtKind};
use crate::witness::{Iteration, Root, height};

/// A walk that is as long as this without a choice gets a node.
const LONGEST_EDGE: u64 = 4096;

#[derive(Debug)]
struct Seen(IndexSet<State, FxBuildHasher>);

impl States for Seen {
    fn state(&self, node: usize) -> State {
        self.0[node].clone()
    }
}

/// The graph of what follows a board.
pub fn build(task: Task<'_>, root: &Root, board: &Data) -> Result<Graph, Halt> {
    let it = Interpreter {
        program: task.program,
        readings: task.readings,
        variant: task.variant,
    };
    let start = match root {
        Root::Sequence(sequence, args) => it.start(*sequence, args, board.clone()),
        Root::Step(step) => it.start_step(*step, board.clone()),
    };
    let mut search = Search {
        it,
        task,
        board,
        seen: Seen(IndexSet::default()),
        ready: Vec::new(),
        coverage: Coverage::new(task.program),
    };
    let marks = search.on_board()?;
    search.node(start, None)?;
    let mut nodes = Vec::new();
    while nodes.len() < search.seen.0.len() {
        nodes.push(search.expand(nodes.len())?);
    }
    Ok(Graph {
        root: root.clone(),
        readings: task.readings.clone(),
        variant: task.variant.clone(),
        board: board.clone(),
        names: task.names.clone(),
        nodes,
        states: Box::new(search.seen),
        marks,
        coverage: search.coverage,
    })
}

struct Search<'a> {
    it: Interpreter<'a>,
    task: Task<'a>,
    board: &'a Data,
    seen: Seen,
    /// What follows a node, where finding it has shown that already.
    ready: Vec<Option<Next>>,
    coverage: Coverage,
}

/// An edge in the making, with what is needed only while it is made.
struct Draft {
    edge: Edge,
    /// Claims that were violated on it.
    violated: Vec<usize>,
    /// The step that began last on it, and the data then.
    step: Option<(StepId, Data)>,
}

impl Search<'_> {
    fn on_board(&self) -> Result<Vec<Mark>, Halt> {
        let mut marks = Vec::new();
        for watch in self.task.watches {
            if let Some(why) = watch.on_board(self.it, self.board)? {
                marks.push(Mark {
                    offset: 0,
                    basis: BasisKind::Text,
                    event: Event::Claim(watch.claim, why),
                    data: None,
                });
            }
        }
        Ok(marks)
    }

    fn node(&mut self, state: State, next: Option<Next>) -> Result<usize, Halt> {
        let (node, is_new) = self.seen.0.insert_full(state);
        if is_new {
            self.ready.push(next);
            if node >= self.task.states {
                return Err(Halt::States);
            }
        }
        Ok(node)
    }

    fn next(&self, state: State) -> Result<Next, Halt> {
        self.task.spent.set(self.task.spent.get() + 1);
        if self.task.spent.get() > self.task.steps {
            return Err(Halt::Steps);
        }
        match self.it.next(state) {
            Next::Consult(reading) => Err(Halt::Consult(reading)),
            next => Ok(next),
        }
    }

    fn expand(&mut self, at: usize) -> Result<Node, Halt> {
        let next = match self.ready[at].take() {
            Some(next) => next,
            None => self.next(self.seen.state(at))?,
        };
        let mut node = Node::default();
        match next {
            Next::Consult(reading) => return Err(Halt::Consult(reading)),
            Next::Done(ended, notes) => {
                let mut draft = Draft::new(None);
                let state = State {
                    data: ended.data,
                    control: Vec::new(),
                };
                self.take_down(&mut draft, &notes, &state)?;
                let ended = crate::semantics::Ended {
                    tag: ended.tag,
                    data: state.data,
                };
                let marks = draft.edge.marks;
                node.end = Some(End { ended, marks });
            }
            Next::Step(state, notes) => node.edges.push(self.edge(None, state, notes)?),
            Next::Choose(point) => {
                node.point = Some(Point {
                    kind: point.kind,
                    who: point.who,
                    site: point.site,
                    iteration: Iteration::at(&self.seen.0[at], &point),
                });
                for one in point.alternatives {
                    let edge = self.edge(Some(one.key), one.state, one.notes)?;
                    node.edges.push(edge);
                }
            }
        }
        Ok(node)
    }

    /// The edge that begins with a micro-step to a state.
    fn edge(
        &mut self,
        key: Option<Key>,
        mut state: State,
        mut notes: Vec<Note>,
    ) -> Result<Edge, Halt> {
        let mut draft = Draft::new(key);
        let next = loop {
            draft.edge.length += 1;
            self.take_down(&mut draft, &notes, &state)?;
            if draft.edge.length >= LONGEST_EDGE || notes.contains(&Note::Cut) {
                break None;
            }
            match self.next(state.clone())? {
                Next::Step(after, more) => {
                    state = after;
                    notes = more;
                }
                next => break Some(next),
            }
        };
        draft.edge.to = self.node(state, next)?;
        Ok(draft.edge)
    }

    /// Takes down what happened on a micro-step to a state.
    fn take_down(&mut self, draft: &mut Draft, notes: &[Note], state: &State) -> Result<(), Halt> {
        draft.edge.low = draft.edge.low.min(height(state));
        let first = draft.edge.marks.len();
        for note in notes {
            self.coverage.note(note);
            self.happened(draft, note, state);
        }
        for watch in self.task.watches {
            if draft.violated.contains(&watch.claim) {
                continue;
            }
            if let Some(why) = watch.on_state(self.it, self.board, state, notes)? {
                draft.violated.push(watch.claim);
                draft.mark(Event::Claim(watch.claim, why), None);
            }
        }
        // What a micro-step rests on is known only after all of it.
        for mark in &mut draft.edge.marks[first..] {
            mark.basis = draft.edge.basis;
        }
        Ok(())
    }

    fn happened(&mut self, draft: &mut Draft, note: &Note, state: &State) {
        let program = self.task.program;
        match note {
            Note::StepBegan(step) => {
                draft.rest_on(program.steps[*step].basis.kind);
                draft.step = Some((*step, state.data.clone()));
            }
            Note::Resolving(trigger) => draft.rest_on(program.triggers[*trigger].basis.kind),
            Note::Executed(stmt) => {
                if matches!(program.stmts[*stmt].kind, StmtKind::GapMayChange { .. }) {
                    draft.rest_on(BasisKind::Gap);
                }
                if has_several(state, *stmt) {
                    self.coverage.is_wide(*stmt);
                }
            }
            Note::StepEnded(step) => {
                let begun = draft.step.take();
                let quiet = begun == Some((*step, state.data.clone()));
                if quiet {
                    self.coverage.was_quiet(*step);
                }
                let data = (!quiet).then(|| Box::new(state.data.clone()));
                draft.mark(Event::StepEnded(*step, quiet), data);
            }
            Note::EnsuresFailed(step, at) => draft.mark(Event::Ensures(*step, *at), None),
            Note::Conflict(site) => draft.mark(Event::Conflict(*site), None),
            Note::Announced(..) => draft.edge.restarts.push(note.clone()),
            Note::Cancelled {
                sequence,
                steps,
                elements,
                carried,
            } => {
                draft.edge.restarts.push(note.clone());
                if let Some(event) = Event::dropped(*sequence, steps, elements, *carried) {
                    draft.mark(event, None);
                }
            }
            Note::PassBegan(_) | Note::SequenceEnded(_) | Note::Cut => {}
        }
    }
}

/// Whether an iteration that has just begun has more than one element, as far as is known.
fn has_several(state: &State, stmt: StmtId) -> bool {
    let top = state.control.last().and_then(|one| one.frames.last());
    matches!(top, Some(Frame::Iterate { stmt: of, todo, .. }) if *of == stmt && todo.len() != 1)
}

impl Draft {
    fn new(key: Option<Key>) -> Self {
        let edge = Edge {
            key,
            to: 0,
            length: 0,
            basis: BasisKind::Text,
            low: (usize::MAX, usize::MAX),
            restarts: Vec::new(),
            marks: Vec::new(),
        };
        Self {
            edge,
            violated: Vec::new(),
            step: None,
        }
    }

    fn rest_on(&mut self, basis: BasisKind) {
        self.edge.basis = self.edge.basis.max(basis);
    }

    fn mark(&mut self, event: Event, data: Option<Box<Data>>) {
        self.edge.marks.push(Mark {
            offset: self.edge.length,
            basis: self.edge.basis,
            event,
            data,
        });
    }
}
