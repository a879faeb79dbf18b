//! Builds the graph of what can follow a board, on packed states.
//!
//! Nodes and edges are those of `analysis::Graph`. The machine runs from node to node without
//! storing what lies in between. Where a choice or an end may come next, the state before it is
//! packed, since the node is that state; where one comes unforeseen (a gap in an expression), the
//! edge is run again. What was found out for another graph is not run at all (`memo`).
//!
//! *Guarantees.* Node for node and edge for edge the graph of the reference interpreter.
//!
//! *Limits.* As the task says: nodes and micro-steps; and 128 MiB of states, or 256 bytes for each node that the task
//! allows, if that is more: a queue may hold ten thousand triggers.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashSet;

use super::memo::{Choice, Cover, Happened, Memo, Memos, Stop, Way, locked};
use super::walk::{Walk, Walker, pay};
use endstep_kernel::instance::{self, Machine, Outcome};
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{StmtId, Value};
use endstep_semantics::semantics::{Data, Ended, State};
use endstep_semantics::witness::{Iteration, Root};
use endstep_verdicts::analysis::{
    Coverage, Event, Graph, Ground, Halt, Instance, Mark, NewEdge, Nodes, Noted, Point, States,
    Task,
};

/// The states of a graph may take so many bytes together.
const MOST_BYTES: usize = 128 << 20;

/// Or so many for each that there may be, if that is more.
const AMPLE: usize = 256;

/// The states of a graph.
#[derive(Debug)]
struct Packed {
    ground: Arc<Ground>,
    instance: Instance,
    memo: Arc<Mutex<Memo>>,
    /// The state of each node.
    states: Vec<u32>,
}

impl States for Packed {
    fn state(&self, node: usize) -> State {
        let setting = self.instance.setting(&self.ground);
        let mut machine = Machine::new(setting, self.instance.board.clone());
        let store = &locked(&self.memo).store;
        store.unpack(
            &mut machine,
            &self.instance.board,
            self.states[node] as usize,
        );
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
    let shared = match task.kept {
        Some(kept) => locked(&kept.get::<Mutex<Memos>>()).of(&instance.layout, &machine()),
        None => Arc::default(),
    };
    let mut memo = locked(&shared);
    let looks_back = looks_back(ground, &task);
    memo.begin(setting, &task, &instance.board, looks_back);
    let mut builder = Builder {
        task,
        at: machine(),
        nodes: Nodes::default(),
        states: Vec::new(),
        bytes: 0,
        walker: Walker::new(task, ground, &instance, &mut memo),
        paid: Vec::new(),
        marks: Vec::new(),
        coverage: Coverage::new(task.program),
        covered: Vec::new(),
        narrowed: BTreeSet::new(),
        settled: FxHashSet::default(),
        best: Noted::default(),
        path: path.map(<[usize]>::iter),
    };
    builder.run(root)?;
    let Builder {
        nodes,
        states,
        marks,
        coverage,
        narrowed,
        ..
    } = builder;
    drop(memo);
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
            memo: shared,
            states,
        }),
        marks,
        coverage,
        narrowed,
    })
}

/// Whether a claim that is looked at speaks of the board.
fn looks_back(ground: &Ground, task: &Task<'_>) -> bool {
    let mut watches = task.watches.iter();
    watches.any(|watch| watch.looks_back() || ground.looks_back[watch.claim])
}

struct Builder<'a> {
    task: Task<'a>,
    walker: Walker<'a>,
    /// The choice point whose alternatives are being taken.
    at: Machine<'a>,
    nodes: Nodes,
    /// The state of each node.
    states: Vec<u32>,
    /// How many bytes they have together.
    bytes: usize,
    /// Whether the step out of a node was counted when it was found.
    paid: Vec<bool>,
    marks: Vec<Mark>,
    coverage: Coverage,
    /// Which of the covers that are kept are in it.
    covered: Vec<bool>,
    /// Iterations of which one order was taken for all somewhere.
    narrowed: BTreeSet<StmtId>,
    /// Choice points of which it is known that the elements that are left are apart.
    settled: FxHashSet<usize>,
    /// The best values of claims that ask for the largest or smallest.
    best: Noted,
    /// What a single run has still to choose.
    path: Option<std::slice::Iter<'a, usize>>,
}

impl Builder<'_> {
    fn run(&mut self, root: &Root) -> Result<(), Halt> {
        match root {
            Root::Sequence(sequence, args) => {
                let args: Vec<i64> = args
                    .iter()
                    .map(|one| endstep_kernel::lower::number(*one))
                    .collect();
                self.walker.machine.begin(*sequence, &args, None);
            }
            Root::Step(step, place) => {
                let sequence = self.walker.system.steps[*step].procedure;
                let place = match place {
                    Value::None => None,
                    place => u16::try_from(endstep_kernel::lower::number(*place)).ok(),
                };
                self.walker
                    .machine
                    .begin(sequence, &[], Some((*step, place)));
            }
        }
        for look in &self.walker.looks {
            if let Some(failure) = self.walker.look(look.watch)? {
                self.best.equals(look.watch, &failure);
                self.marks.push(Mark {
                    offset: 0,
                    basis: BasisKind::Text,
                    event: Event::Claim(look.watch.claim, failure),
                    data: None,
                });
            }
        }
        self.walker.memo.store.pack(&self.walker.machine);
        let state = self.walker.state()?;
        self.node(state, false)?;
        let mut next = 0;
        while next < self.nodes.len() {
            self.expand(next)?;
            next += 1;
        }
        Ok(())
    }

    /// The node of a state.
    fn node(&mut self, state: usize, paid: bool) -> Result<usize, Halt> {
        if let Some(node) = self.walker.memo.node(state) {
            return Ok(node);
        }
        if self.nodes.states() >= self.task.states {
            return Err(Halt::States);
        }
        self.bytes += self.walker.memo.bytes_of(state);
        if self.bytes > MOST_BYTES.max(self.task.states.saturating_mul(AMPLE)) {
            return Err(Halt::Memory);
        }
        let node = self.nodes.len();
        self.walker.memo.set_node(state, node);
        self.nodes.add();
        self.states.push(state as u32);
        self.paid.push(paid);
        Ok(node)
    }

    fn expand(&mut self, node: usize) -> Result<(), Halt> {
        self.nodes.expand(node);
        let state = self.states[node] as usize;
        if self.recall(node, state)? {
            return Ok(());
        }
        self.walker
            .memo
            .store
            .visit(&mut self.walker.machine, self.walker.board, state);
        if !self.paid[node] {
            pay(&self.task, 1)?;
        }
        self.walker.machine.depended.take();
        let settled = self.walker.machine.is_settled();
        match self.walker.machine.step() {
            Outcome::Consult(reading) => Err(Halt::Consult(reading)),
            Outcome::Done(tag) => {
                let mut walk = Walk::new(state, None, None);
                self.walker.machine.stack.clear();
                walk.stops = !tag.is_outcome();
                walk.ends_within = !settled;
                self.walker.note(&mut walk, &self.coverage)?;
                let depends = self.walker.machine.depended.get();
                self.walker.memo.rests_on(state, depends);
                let (number, data) = self.walker.memo.keep_data(&self.walker.machine);
                let happened = walk.way.happened;
                if let Some(number) = number {
                    let stop = Stop::End(tag.clone(), number, happened.clone());
                    self.walker.memo.keep_stop(state, depends, stop);
                }
                self.end(node, Ended { tag, data }, happened);
                Ok(())
            }
            Outcome::Step => {
                let way = self.walk(Walk::new(state, None, None))?;
                self.follow(way)?;
                Ok(())
            }
            Outcome::Choose(point) => self.choose(node, &point),
        }
    }

    /// Expands a node by what is known of its state; whether enough is.
    fn recall(&mut self, node: usize, state: usize) -> Result<bool, Halt> {
        let first = u64::from(!self.paid[node]);
        if let Some(way) = self.walker.memo.way(state, None) {
            let way = way.clone();
            pay(&self.task, first)?;
            self.follow(way)?;
            return Ok(true);
        }
        let Some((stop, depends)) = self.walker.memo.stop(state) else {
            return Ok(false);
        };
        let (point, choice) = match stop {
            Stop::End(tag, number, happened) => {
                let (tag, number, happened) = (tag.clone(), *number, happened.clone());
                self.walker.memo.rests_on(state, depends);
                pay(&self.task, first)?;
                let data = self.walker.data(number);
                self.end(node, Ended { tag, data }, happened);
                return Ok(true);
            }
            Stop::Choice(point, choice) => (point, *choice),
        };
        let asked = choice.filter(|choice| self.is_asked(choice.stmt));
        let apart = match asked {
            Some(_) if self.settled.contains(&node) => Some((0, true)),
            Some(choice) => choice
                .apart
                .map(|found| (found.steps, self.stand_apart(found.changes))),
            None => Some((0, false)),
        };
        let Some((steps, apart)) = apart else {
            return Ok(false);
        };
        let all = match apart {
            true => 1,
            false => point.alternatives,
        };
        let ways = (0..all).map(|at| self.walker.memo.way(state, Some(at)).cloned());
        let Some(ways) = ways.collect::<Option<Vec<Way>>>() else {
            return Ok(false);
        };
        let alternatives = point.alternatives;
        let point = point.clone();
        self.walker.memo.rests_on(state, depends);
        pay(&self.task, first)?;
        self.task.spent.set(self.task.spent.get() + steps);
        self.nodes.choice(node, point);
        if let Some(choice) = asked.filter(|_| apart) {
            self.narrowed.insert(choice.stmt);
        }
        for way in ways {
            let to = self.follow(way)?;
            if apart && alternatives > 2 {
                self.settled.insert(to);
            }
        }
        Ok(true)
    }

    /// Takes the alternatives of a choice point at which the machine stands.
    fn choose(&mut self, node: usize, point: &instance::Point) -> Result<(), Halt> {
        let place = self.walker.machine.chosen_place(point);
        let key = point.keys.first();
        let new = Point {
            kind: point.kind,
            who: point.who,
            site: point.site,
            iteration: Iteration::of(point.site, point.level, key, place),
            alternatives: point.keys.len(),
        };
        let state = self.states[node] as usize;
        std::mem::swap(&mut self.at, &mut self.walker.machine);
        let mut choice = self
            .at
            .iteration(point)
            .map(|stmt| Choice { stmt, apart: None });
        let one_for_all = match &mut choice {
            Some(choice) if self.path.is_none() && self.is_asked(choice.stmt) => {
                self.is_apart(node, point, choice)
            }
            _ => false,
        };
        let depends = self.at.depended.get();
        self.walker.memo.rests_on(state, depends);
        if self.walker.memo.keeps() {
            let depends = depends.and(self.walker.before.depended.take());
            let stop = Stop::Choice(new.clone(), choice);
            self.walker.memo.keep_stop(state, depends, stop);
        }
        self.nodes.choice(node, new);
        let all = 0..point.keys.len();
        let taken = match &mut self.path {
            None if one_for_all => 0..1,
            None => all,
            Some(path) => {
                let at = path.next().map_or(0, |&at| at % all.len().max(1));
                at..at + 1
            }
        };
        for at in taken {
            let way = match self.walker.memo.way(state, Some(at)) {
                Some(way) => way.clone(),
                None => {
                    self.walker.machine.copy_from(&self.at);
                    self.walker.machine.depended.set(depends);
                    self.walker.machine.take(point, at);
                    let key = Some(point.keys[at].clone());
                    self.walk(Walk::new(state, Some(at), key))?
                }
            };
            let to = self.follow(way)?;
            if one_for_all && point.keys.len() > 2 {
                self.settled.insert(to);
            }
        }
        Ok(())
    }

    /// Whether one order of an iteration may stand for all.
    fn is_asked(&self, stmt: StmtId) -> bool {
        self.task.orders.contains(&stmt)
    }

    /// Whether one order of an iteration stands for all: its elements have nothing to do with each other, and
    /// no claim looks at what they change in between.
    fn is_apart(&mut self, node: usize, point: &instance::Point, choice: &mut Choice) -> bool {
        let apart = self.settled.contains(&node) || {
            self.walker.before.depended.take();
            let found = self.walker.before.apart(&self.at, point);
            self.task.spent.set(self.task.spent.get() + found.steps);
            choice.apart = Some(found);
            self.stand_apart(found.changes)
        };
        if apart {
            self.narrowed.insert(choice.stmt);
        }
        apart
    }

    /// Whether elements that change something in these groups, if they are apart, are so for all claims.
    fn stand_apart(&self, changes: Option<u64>) -> bool {
        changes.is_some_and(|changes| {
            let mut looks = self.walker.looks.iter();
            !looks.any(|look| !look.watch.after_steps() && look.reads & changes != 0)
        })
    }

    /// Goes on from the state after a first micro-step to the next node.
    fn walk(&mut self, walk: Walk) -> Result<Way, Halt> {
        self.walker.walk(walk, &self.nodes, &self.coverage)
    }

    /// Adds the edge of a way; the node it leads to.
    fn follow(&mut self, way: Way) -> Result<usize, Halt> {
        pay(&self.task, way.cost)?;
        self.happened(way.happened);
        let to = self.node(way.edge.to, way.paid)?;
        self.nodes.lead(NewEdge { to, ..way.edge });
        Ok(to)
    }

    fn end(&mut self, node: usize, ended: Ended, happened: Happened) {
        self.happened(happened);
        self.nodes.end(node, ended);
    }

    /// Takes down what happened on the edge that is added next.
    fn happened(&mut self, happened: Happened) {
        match happened.covered {
            Cover::List(list) => list.into_iter().for_each(|one| self.coverage.add(one)),
            Cover::Kept(number) => {
                let at = number as usize;
                if self.covered.len() <= at {
                    self.covered.resize(at + 1, false);
                }
                if !std::mem::replace(&mut self.covered[at], true) {
                    let list = self.walker.memo.covered(number).iter();
                    list.for_each(|&one| self.coverage.add(one));
                }
            }
        }
        happened
            .notes
            .into_iter()
            .for_each(|note| self.nodes.note(note));
        let mut data = happened.data.into_iter().peekable();
        for mut mark in happened.marks {
            let has_data = matches!(mark.event, Event::StepEnded(_, _, false));
            let number = data.next_if(|_| has_data);
            let counts = match &mark.event {
                Event::Claim(claim, failure) => {
                    let look = self
                        .walker
                        .looks
                        .iter()
                        .find(|look| look.watch.claim == *claim);
                    look.is_some_and(|look| self.best.equals(look.watch, failure))
                }
                Event::StepEnded(step, ..) => self.task.keep.contains(step),
                Event::Conflict(_)
                | Event::GapMet(..)
                | Event::Dropped { .. }
                | Event::Ensures(..) => true,
            };
            if counts {
                // Ways are kept without data.
                if let (None, Some(number)) = (&mark.data, number) {
                    mark.data = Some(self.walker.data(number));
                }
                self.nodes.mark(mark);
            }
        }
    }
}
