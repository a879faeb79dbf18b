//! Runs the machine from a node to the next one, and takes down what happens on the way.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::memo::{Cover, Happened, Memo, Way};
use endstep_kernel::instance::{Cells, Frame, Machine, Outcome};
use endstep_kernel::ir::{OpKind, System};
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{StepId, StmtId, Value};
use endstep_semantics::semantics::{Data, Key, Note};
use endstep_verdicts::analysis::{
    Coverage, Covered, Event, Ground, Halt, Instance, LONGEST_WALK, Mark, NewEdge, Nodes, Noted,
    Task, Watch,
};
use endstep_verdicts::verdict::ClaimFailure;

/// A claim that is looked at on the way.
pub struct Look<'a> {
    /// The claim.
    pub watch: Watch<'a>,
    /// The groups of places that its condition reads.
    pub reads: u64,
}

/// What runs.
pub struct Walker<'a> {
    /// What is explored.
    pub task: Task<'a>,
    /// The system.
    pub system: &'a System,
    /// The board.
    pub board: &'a Cells,
    /// The state that runs.
    pub machine: Machine<'a>,
    /// A state to which a walk is run again.
    pub before: Machine<'a>,
    /// The data when the step begun last began.
    pub begun: Cells,
    /// The claims that are looked at.
    pub looks: Vec<Look<'a>>,
    /// States, and what is known of them.
    pub memo: &'a mut Memo,
}

/// An edge in the making.
pub struct Walk {
    /// What it comes to.
    pub way: Way,
    /// What claims came to on it.
    noted: Noted,
    /// The step begun last on it.
    begun: Option<StepId>,
    /// The claims were looked at on this edge.
    looked: bool,
    /// Whether the run stops on it, but for an outcome: nothing is done where it does.
    pub stops: bool,
    /// Whether a statement is half done where the run ends on it.
    pub ends_within: bool,
    /// The state that it leaves.
    from: usize,
}

/// Pays for so many micro-steps.
pub fn pay(task: &Task<'_>, cost: u64) -> Result<(), Halt> {
    let spent = task.spent.get();
    if cost > 0 && spent + cost > task.steps {
        // As if they had been paid for one by one.
        task.spent.set(spent.max(task.steps) + 1);
        return Err(Halt::Steps);
    }
    task.spent.set(spent + cost);
    Ok(())
}

impl<'a> Walker<'a> {
    /// On a board.
    pub fn new(
        task: Task<'a>,
        ground: &'a Ground,
        instance: &'a Instance,
        memo: &'a mut Memo,
    ) -> Self {
        let machine = || Machine::new(instance.setting(ground), instance.board.clone());
        let looks = task.watches.iter().map(|&watch| Look {
            watch,
            reads: ground.reads[watch.claim],
        });
        Self {
            task,
            system: &ground.system,
            board: &instance.board,
            machine: machine(),
            before: machine(),
            begun: instance.board.clone(),
            looks: looks.collect(),
            memo,
        }
    }

    /// The number of the state that was packed.
    pub fn state(&mut self) -> Result<usize, Halt> {
        let (state, _) = self.memo.store.insert().ok_or(Halt::States)?;
        Ok(state)
    }

    /// Goes on from the state after a first micro-step to the next node.
    pub fn walk(
        &mut self,
        mut walk: Walk,
        nodes: &Nodes,
        coverage: &Coverage,
    ) -> Result<Way, Halt> {
        let (to, paid) = loop {
            walk.way.edge.length += 1;
            self.note(&mut walk, coverage)?;
            let notes = &self.machine.notes;
            let cut = notes.iter().any(|note| matches!(note, Note::Cut));
            if cut || walk.way.edge.length >= LONGEST_WALK {
                self.memo.store.pack(&self.machine);
                break (self.state()?, false);
            }
            let foreseen = self.machine.may_branch();
            pay(&self.task, 1)?;
            walk.way.cost += 1;
            if foreseen {
                self.memo.store.pack(&self.machine);
                if let Some(state) = self.branching(nodes) {
                    let depends = self.machine.depended.get();
                    let reason = self.memo.reason(state);
                    self.machine.depended.set(depends.and(reason));
                    break (state, true);
                }
            }
            match self.machine.step() {
                Outcome::Consult(reading) => return Err(Halt::Consult(reading)),
                Outcome::Step => {}
                Outcome::Choose(_) | Outcome::Done(_) => {
                    if !foreseen {
                        let before = &mut self.before;
                        self.memo.store.unpack(before, self.board, walk.from);
                        before.retake(walk.way.alternative, walk.way.edge.length);
                        self.memo.store.pack(before);
                    }
                    break (self.state()?, true);
                }
            }
        };
        (walk.way.edge.to, walk.way.paid) = (to, paid);
        let depends = self.machine.depended.get();
        self.memo.keep_way(walk.from, depends, &mut walk.way);
        // It is paid for.
        walk.way.cost = 0;
        Ok(walk.way)
    }

    /// The state that was packed, if it is known to be a choice or an end of the graph.
    fn branching(&self, nodes: &Nodes) -> Option<usize> {
        let state = self.memo.store.find()?;
        let known = nodes.at(self.memo.node(state)?);
        (known.point().is_some() || known.end().is_some()).then_some(state)
    }

    /// Takes down that a step begins, with what data if that is asked.
    fn step_began(&mut self, walk: &mut Walk, step: StepId, asked: bool) {
        walk.rest_on(self.task.program.steps[step].basis.kind);
        walk.cover(Covered::Step(step));
        walk.cover(Covered::Effect(step));
        walk.begun = asked.then_some(step);
        if asked {
            self.machine.keep_data(&mut self.begun);
        }
    }

    /// Takes down that a step has ended.
    fn step_ended(&mut self, walk: &mut Walk, step: StepId, place: Value) {
        let quiet =
            walk.begun.take().is_some_and(|begun| begun == step) && self.begun == self.machine.data;
        if quiet {
            walk.was_quiet(step);
        }
        if self.task.keep.contains(&step) {
            let data = (!quiet).then(|| {
                let (number, data) = self.memo.keep_data(&self.machine);
                walk.way.happened.data.extend(number);
                data
            });
            walk.mark(Event::StepEnded(step, place, quiet), data);
        }
    }

    /// Data that are known, on this board.
    pub fn data(&mut self, number: u32) -> Arc<Data> {
        self.memo.data(number, &mut self.before)
    }

    /// Takes down what happened on a micro-step.
    pub fn note(&mut self, walk: &mut Walk, coverage: &Coverage) -> Result<(), Halt> {
        let program = self.task.program;
        walk.way.edge.low = walk.way.edge.low.min(self.machine.height());
        let from = walk.way.happened.marks.len();
        let mut met = BTreeSet::new();
        let notes = std::mem::take(&mut self.machine.notes);
        for note in &notes {
            match note {
                Note::StepBegan(step) => {
                    // Another graph may want to know what this one knows already.
                    let asked = self.memo.keeps() || self.task.asks(note, coverage);
                    self.step_began(walk, *step, asked);
                }
                Note::Resolving(trigger) => {
                    walk.cover(Covered::Trigger(*trigger));
                    walk.rest_on(program.triggers[*trigger].basis.kind);
                }
                Note::Executed(stmt) => {
                    walk.cover(Covered::Stmt(*stmt));
                    match self.system.ops[*stmt].kind {
                        OpKind::ChooseValue { .. } => walk.rest_on(BasisKind::Gap),
                        OpKind::Meet(gap) if met.insert(gap) => {
                            walk.mark(Event::GapMet(gap, *stmt), None);
                        }
                        _ => {}
                    }
                    if self.is_wide(*stmt) {
                        walk.cover(Covered::Wide(*stmt));
                    }
                }
                Note::EnsuresFailed(step, at) => walk.mark(Event::Ensures(*step, *at), None),
                Note::StepEnded(step, place) => self.step_ended(walk, *step, *place),
                Note::Conflict(site) => walk.mark(Event::Conflict(*site), None),
                Note::Cancelled {
                    sequence,
                    steps,
                    lost,
                    ..
                } => {
                    walk.way.happened.notes.push(note.clone());
                    if let Some(event) = Event::dropped(*sequence, steps, lost) {
                        walk.mark(event, None);
                    }
                }
                Note::Announced(..) => walk.way.happened.notes.push(note.clone()),
                Note::PassBegan(_) | Note::SequenceEnded(_) | Note::Cut => {}
            }
        }
        self.look_all(walk, &notes)?;
        self.machine.notes = notes;
        // What is executed by the micro-step counts for all that happens on it.
        for mark in &mut walk.way.happened.marks[from..] {
            mark.basis = walk.way.edge.basis;
        }
        // What is assumed comes after the step on which a gap is met.
        if !met.is_empty() {
            walk.rest_on(BasisKind::Gap);
        }
        Ok(())
    }

    fn look_all(&mut self, walk: &mut Walk, notes: &[Note]) -> Result<(), Halt> {
        if self.looks.is_empty() || walk.stops {
            return Ok(());
        }
        let settled = self.machine.is_settled() && !walk.ends_within;
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
            {
                walk.mark(Event::Claim(watch.claim, failure), None);
            }
        }
        Ok(())
    }

    /// What is wrong with a claim in the state as it is.
    pub fn look(&self, watch: Watch<'_>) -> Result<Option<ClaimFailure>, Halt> {
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
    /// From a state, by an alternative.
    pub fn new(from: usize, alternative: Option<usize>, key: Option<Key>) -> Self {
        Self {
            way: Way {
                alternative,
                edge: NewEdge {
                    key,
                    to: 0,
                    length: 0,
                    basis: BasisKind::Text,
                    low: (usize::MAX, usize::MAX),
                },
                paid: false,
                cost: 0,
                happened: Happened::default(),
            },
            noted: Noted::default(),
            begun: None,
            looked: false,
            stops: false,
            ends_within: false,
            from,
        }
    }

    fn rest_on(&mut self, basis: BasisKind) {
        self.way.edge.basis = self.way.edge.basis.max(basis);
    }

    fn cover(&mut self, covered: Covered) {
        if let Cover::List(list) = &mut self.way.happened.covered {
            list.push(covered);
        }
    }

    /// The step that began on it did nothing.
    fn was_quiet(&mut self, step: StepId) {
        if let Cover::List(list) = &mut self.way.happened.covered
            && let Some(at) = list.iter().rposition(|one| *one == Covered::Effect(step))
        {
            list.remove(at);
        }
    }

    fn mark(&mut self, event: Event, data: Option<Arc<Data>>) {
        self.way.happened.marks.push(Mark {
            offset: self.way.edge.length,
            basis: self.way.edge.basis,
            event,
            data,
        });
    }
}
