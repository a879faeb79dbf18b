//! Builds the graph of what can follow a board, on packed states.
//!
//! Nodes and edges are those of `analysis::Graph`. The machine runs from node to node without
//! storing what lies in between. Where a choice or an end may come next, the state before it is
//! packed, since the node is that state; where one comes unforeseen (a gap in an expression), the
//! edge is run again.
//!
//! *Guarantees.* Node for node and edge for edge the graph of the reference interpreter.
//!
//! *Limits.* As the task says: nodes and micro-steps; and 128 MiB of states, or 256 bytes for each node that the task
//! allows, if that is more: a queue may hold ten thousand triggers.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::visited::Visited;
use endstep_kernel::instance::{self, Cells, Frame, Machine, Outcome};
use endstep_kernel::ir::{OpKind, System};
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{StepId, StmtId, Value};
use endstep_semantics::semantics::{Data, Ended, Key, Note, State};
use endstep_semantics::witness::{Iteration, Root};
use endstep_verdicts::analysis::{
    Coverage, Event, Graph, Ground, Halt, Instance, LONGEST_WALK, Mark, NewEdge, Nodes, Noted,
    Point, States, Task, Watch,
};
use endstep_verdicts::verdict::ClaimFailure;

/// The states of a graph may take so many bytes together.
const MOST_BYTES: usize = 128 << 20;

/// Or so many for each that there may be, if that is more.
const AMPLE: usize = 256;

/// The states of a graph.
#[derive(Debug)]
struct Packed {
    ground: Arc<Ground>,
    instance: Instance,
    store: Visited,
}

impl States for Packed {
    fn state(&self, node: usize) -> State {
        let setting = self.instance.setting(&self.ground);
        let mut machine = Machine::new(setting, self.instance.board.clone());
        self.store.unpack(&mut machine, &self.instance.board, node);
        machine.state()
    }
}

/// The graph of what follows a board; or of a single run, by the alternatives that it takes.
pub fn build(
    ground: &Arc<Ground>,
    task: Task<'_>,
    root: &Root,
    (board, path): (&Data, Option<&[usize]>),
) -> Result<Graph, Halt> {
    let instance = ground.instance(board, task.readings, task.variant);
    let setting = instance.setting(ground);
    let machine = || Machine::new(setting, instance.board.clone());
    let looks = task.watches.iter().map(|&watch| Look {
        watch,
        reads: ground.reads[watch.claim],
    });
    let mut builder = Builder {
        task,
        system: &ground.system,
        board: &instance.board,
        machine: machine(),
        before: machine(),
        at: machine(),
        begun: instance.board.clone(),
        nodes: Nodes::default(),
        paid: Vec::new(),
        marks: Vec::new(),
        coverage: Coverage::new(task.program),
        narrowed: BTreeSet::new(),
        settled: FxHashSet::default(),
        store: Visited::default(),
        looks: looks.collect(),
        best: Noted::default(),
        path: path.map(<[usize]>::iter),
    };
    builder.run(root)?;
    let Builder {
        nodes,
        marks,
        coverage,
        store,
        narrowed,
        ..
    } = builder;
    Ok(Graph {
        root: root.clone(),
        readings: task.readings.clone(),
        variant: task.variant.clone(),
        board: board.clone(),
        names: task.names.clone(),
        nodes,
        states: Box::new(Packed {
            ground: Arc::clone(ground),
            instance,
            store,
        }),
        marks,
        coverage,
        narrowed,
    })
}

/// A claim that is looked at on the way.
struct Look<'a> {
    watch: Watch<'a>,
    /// The groups of places that its condition reads.
    reads: u64,
}

struct Builder<'a> {
    task: Task<'a>,
    system: &'a System,
    board: &'a Cells,
    /// The state that runs.
    machine: Machine<'a>,
    /// A state to which a walk is run again.
    before: Machine<'a>,
    /// The choice point whose alternatives are being taken.
    at: Machine<'a>,
    /// The data when the step begun last began.
    begun: Cells,
    nodes: Nodes,
    /// Whether the step out of a node was counted when it was found.
    paid: Vec<bool>,
    marks: Vec<Mark>,
    coverage: Coverage,
    /// Iterations of which one order was taken for all somewhere.
    narrowed: BTreeSet<StmtId>,
    /// Choice points of which it is known that the elements that are left are apart.
    settled: FxHashSet<usize>,
    store: Visited,
    looks: Vec<Look<'a>>,
    /// The best values of claims that ask for the largest or smallest.
    best: Noted,
    /// What a single run has still to choose.
    path: Option<std::slice::Iter<'a, usize>>,
}

/// An edge in the making.
struct Walk {
    edge: NewEdge,
    /// What claims came to on it.
    noted: Noted,
    /// The step begun last on it.
    begun: Option<StepId>,
    /// The claims were looked at on this edge.
    looked: bool,
    /// Which alternative of which node it takes.
    from: (usize, Option<usize>),
}

impl Builder<'_> {
    fn run(&mut self, root: &Root) -> Result<(), Halt> {
        match root {
            Root::Sequence(sequence, args) => {
                let args: Vec<i64> = args
                    .iter()
                    .map(|one| endstep_kernel::lower::number(*one))
                    .collect();
                self.machine.begin(*sequence, &args, None);
            }
            Root::Step(step, place) => {
                let sequence = self.system.steps[*step].procedure;
                let place = match place {
                    Value::None => None,
                    place => u16::try_from(endstep_kernel::lower::number(*place)).ok(),
                };
                self.machine.begin(sequence, &[], Some((*step, place)));
            }
        }
        for look in &self.looks {
            if let Some(failure) = self.look(look.watch)? {
                self.best.equals(look.watch, &failure);
                self.marks.push(Mark {
                    offset: 0,
                    basis: BasisKind::Text,
                    event: Event::Claim(look.watch.claim, failure),
                    data: None,
                });
            }
        }
        self.store.pack(&self.machine);
        self.node(false)?;
        let mut next = 0;
        while next < self.nodes.len() {
            self.expand(next)?;
            next += 1;
        }
        Ok(())
    }

    /// The node of the state that was packed.
    fn node(&mut self, paid: bool) -> Result<usize, Halt> {
        let (index, new) = self.store.insert().ok_or(Halt::States)?;
        if new {
            if self.nodes.states() >= self.task.states {
                return Err(Halt::States);
            }
            if self.store.bytes() > MOST_BYTES.max(self.task.states.saturating_mul(AMPLE)) {
                return Err(Halt::Memory);
            }
            self.nodes.add();
            self.paid.push(paid);
        }
        Ok(index)
    }

    fn pay(&mut self) -> Result<(), Halt> {
        let spent = self.task.spent.get() + 1;
        self.task.spent.set(spent);
        if spent > self.task.steps {
            return Err(Halt::Steps);
        }
        Ok(())
    }

    fn expand(&mut self, node: usize) -> Result<(), Halt> {
        self.nodes.expand(node);
        self.store.visit(&mut self.machine, self.board, node);
        if !self.paid[node] {
            self.pay()?;
        }
        match self.machine.step() {
            Outcome::Consult(reading) => Err(Halt::Consult(reading)),
            Outcome::Done(tag) => {
                let mut walk = Walk::new((node, None), None);
                self.machine.stack.clear();
                self.note(&mut walk)?;
                let data = self.machine.data();
                self.nodes.end(node, Ended { tag, data });
                Ok(())
            }
            Outcome::Step => {
                let edge = self.walk((node, None), None)?;
                self.nodes.lead(edge);
                Ok(())
            }
            Outcome::Choose(point) => {
                let place = self.machine.chosen_place(&point);
                let key = point.keys.first();
                self.nodes.choice(
                    node,
                    Point {
                        kind: point.kind,
                        who: point.who,
                        site: point.site,
                        iteration: Iteration::of(point.site, point.level, key, place),
                        alternatives: point.keys.len(),
                    },
                );
                std::mem::swap(&mut self.at, &mut self.machine);
                let all = 0..point.keys.len();
                let one_for_all = self.path.is_none() && self.is_apart(node, &point)?;
                let taken = match &mut self.path {
                    None if one_for_all => 0..1,
                    None => all,
                    Some(path) => {
                        let at = path.next().map_or(0, |&at| at % all.len().max(1));
                        at..at + 1
                    }
                };
                for at in taken {
                    self.machine.copy_from(&self.at);
                    self.machine.take(&point, at);
                    let key = Some(point.keys[at].clone());
                    let edge = self.walk((node, Some(at)), key)?;
                    if one_for_all && point.keys.len() > 2 {
                        self.settled.insert(edge.to);
                    }
                    self.nodes.lead(edge);
                }
                Ok(())
            }
        }
    }

    /// Whether one order of an iteration stands for all: its elements have nothing to do with each other, and
    /// no claim looks at what they change in between.
    fn is_apart(&mut self, node: usize, point: &instance::Point) -> Result<bool, Halt> {
        let stmt = self.at.iteration(point);
        let Some(stmt) = stmt.filter(|stmt| self.task.orders.contains(stmt)) else {
            return Ok(false);
        };
        let apart = self.settled.contains(&node) || {
            let found = self.before.apart(&self.at, point);
            self.task.spent.set(self.task.spent.get() + found.steps);
            found.changes.is_some_and(|changes| {
                let mut looks = self.looks.iter();
                !looks.any(|look| !look.watch.after_steps() && look.reads & changes != 0)
            })
        };
        if apart {
            self.narrowed.insert(stmt);
        }
        Ok(apart)
    }

    /// Goes on from the state after a first micro-step to the next node.
    fn walk(&mut self, from: (usize, Option<usize>), key: Option<Key>) -> Result<NewEdge, Halt> {
        let mut walk = Walk::new(from, key);
        loop {
            walk.edge.length += 1;
            self.note(&mut walk)?;
            let notes = &self.machine.notes;
            let cut = notes.iter().any(|note| matches!(note, Note::Cut));
            if cut || walk.edge.length >= LONGEST_WALK {
                self.store.pack(&self.machine);
                walk.edge.to = self.node(false)?;
                return Ok(walk.edge);
            }
            let foreseen = self.machine.may_branch();
            self.pay()?;
            if foreseen {
                self.store.pack(&self.machine);
                if let Some(node) = self.branching() {
                    walk.edge.to = node;
                    return Ok(walk.edge);
                }
            }
            match self.machine.step() {
                Outcome::Consult(reading) => return Err(Halt::Consult(reading)),
                Outcome::Step => {}
                Outcome::Choose(_) | Outcome::Done(_) => {
                    if !foreseen {
                        let (node, alternative) = walk.from;
                        self.store.unpack(&mut self.before, self.board, node);
                        self.before.retake(alternative, walk.edge.length);
                        self.store.pack(&self.before);
                    }
                    walk.edge.to = self.node(true)?;
                    return Ok(walk.edge);
                }
            }
        }
    }

    /// The node of the state that was packed, if it is known to be a choice or an end.
    fn branching(&self) -> Option<usize> {
        let node = self.store.find()?;
        let known = self.nodes.at(node);
        (known.point().is_some() || known.end().is_some()).then_some(node)
    }

    /// Takes down that a step begins, with what data if that is asked.
    fn step_began(&mut self, walk: &mut Walk, step: StepId, asked: bool) {
        walk.rest_on(self.task.program.steps[step].basis.kind);
        walk.begun = asked.then_some(step);
        if asked {
            self.machine.keep_data(&mut self.begun);
        }
    }

    /// Takes down what happened on a micro-step.
    fn note(&mut self, walk: &mut Walk) -> Result<(), Halt> {
        let program = self.task.program;
        walk.edge.low = walk.edge.low.min(self.machine.height());
        let mut events: Vec<(Event, Option<Box<Data>>)> = Vec::new();
        let mut met = BTreeSet::new();
        let notes = std::mem::take(&mut self.machine.notes);
        for note in &notes {
            let begun = self.task.asks(note, &self.coverage);
            self.coverage.note(note);
            match note {
                Note::StepBegan(step) => self.step_began(walk, *step, begun),
                Note::Resolving(trigger) => walk.rest_on(program.triggers[*trigger].basis.kind),
                Note::Executed(stmt) => {
                    match self.system.ops[*stmt].kind {
                        OpKind::ChooseValue { .. } => walk.rest_on(BasisKind::Gap),
                        OpKind::Meet(gap) if met.insert(gap) => {
                            events.push((Event::GapMet(gap, *stmt), None));
                        }
                        _ => {}
                    }
                    if self.is_wide(*stmt) {
                        self.coverage.is_wide(*stmt);
                    }
                }
                Note::EnsuresFailed(step, at) => events.push((Event::Ensures(*step, *at), None)),
                Note::StepEnded(step, place) => {
                    let quiet = walk.begun.take().is_some_and(|begun| begun == *step)
                        && self.begun == self.machine.data;
                    if quiet {
                        self.coverage.was_quiet(*step);
                    }
                    if self.task.keep.contains(step) {
                        let data = (!quiet).then(|| Box::new(self.machine.data()));
                        events.push((Event::StepEnded(*step, *place, quiet), data));
                    }
                }
                Note::Conflict(site) => events.push((Event::Conflict(*site), None)),
                Note::Cancelled {
                    sequence,
                    steps,
                    lost,
                    ..
                } => {
                    self.nodes.note(note.clone());
                    if let Some(event) = Event::dropped(*sequence, steps, lost) {
                        events.push((event, None));
                    }
                }
                Note::Announced(..) => self.nodes.note(note.clone()),
                Note::PassBegan(_) | Note::SequenceEnded(_) | Note::Cut => {}
            }
        }
        self.look_all(walk, &notes, &mut events)?;
        self.machine.notes = notes;
        for (event, data) in events {
            self.nodes.mark(Mark {
                offset: walk.edge.length,
                basis: walk.edge.basis,
                event,
                data,
            });
        }
        // What is assumed comes after the step on which a gap is met.
        if !met.is_empty() {
            walk.rest_on(BasisKind::Gap);
        }
        Ok(())
    }

    fn look_all(
        &mut self,
        walk: &mut Walk,
        notes: &[Note],
        events: &mut Vec<(Event, Option<Box<Data>>)>,
    ) -> Result<(), Halt> {
        if self.looks.is_empty() {
            return Ok(());
        }
        let settled = self.machine.is_settled();
        // At the first state of an edge everything is looked at, then only what reads something
        // that may have changed since it was looked at last.
        let (first, changed) = (!walk.looked, self.machine.changed);
        if settled {
            walk.looked = true;
            self.machine.changed = 0;
        }
        for Look { watch, reads } in &self.looks {
            // What changed is known since the last settled state, not since a step ended last.
            let fresh = watch.after_steps() || first || changed & reads != 0;
            if fresh
                && watch.is_due(self.task.program, notes, settled)
                && walk.noted.is_open(*watch)
                && let Some(failure) = self.look(*watch)?
                && walk.noted.betters(*watch, &failure)
                && self.best.equals(*watch, &failure)
            {
                events.push((Event::Claim(watch.claim, failure), None));
            }
        }
        Ok(())
    }

    /// What is wrong with a claim in the state as it is.
    fn look(&self, watch: Watch<'_>) -> Result<Option<ClaimFailure>, Halt> {
        let condition = &self.system.claims[watch.claim][0];
        let board = self.board;
        let now = self.machine.condition(condition, board);
        let then = || self.machine.condition_on(condition, board, board);
        watch.judge(now, then)
    }

    /// Whether an iteration that has just begun has two elements or more. Of a live one that is not
    /// known.
    fn is_wide(&self, stmt: StmtId) -> bool {
        match self.machine.top() {
            Some(Frame::Iterate { stmt: of, todo, .. }) => *of == stmt && todo.len() != 1,
            _ => false,
        }
    }
}

impl Walk {
    fn new(from: (usize, Option<usize>), key: Option<Key>) -> Self {
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
            looked: false,
            from,
        }
    }

    fn rest_on(&mut self, basis: BasisKind) {
        self.edge.basis = self.edge.basis.max(basis);
    }
}
