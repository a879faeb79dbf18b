//! One small step: looks at the innermost frame and does what it says.
//!
//! A step executes one statement, or begins or ends something that leaves a note. Frames that are
//! finished and leave no note are popped on the way.

use std::sync::Arc;

use super::budget::Budget;
use super::eval::Scope;
use super::interpreter::Interpreter;
use super::next::{Alternative, ChoiceKind, ChoicePoint, Ended, Key, Next, Note, Tag};
use super::state::{Activation, Data, Frame, Pass, Running, Site, State, Who};
use super::stop::{Lacking, Stop};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    BlockId, Decider, EntityId, Expr, Kinds, Program, Range, SequenceId, StepId, StmtKind,
    TriggerId, Value,
};

/// A state in the making, with what happened on the way to it.
pub(super) struct Machine<'p> {
    pub it: Interpreter<'p>,
    pub state: State,
    pub notes: Vec<Note>,
    /// What it may still evaluate.
    pub budget: Budget,
}

/// What a step came to.
pub(super) enum Flow {
    /// The machine holds the successor.
    Go,
    /// Nothing worth a step has happened yet.
    On,
    /// Several successors.
    Choose(ChoicePoint),
    /// The end.
    Done(Tag),
}

/// Where and by whom is chosen.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub kind: ChoiceKind,
    pub who: Who,
    pub site: Site,
    /// Index of the frame that chooses, in the top activation.
    pub frame: usize,
}

impl<'p> Interpreter<'p> {
    /// The state in which a sequence begins.
    pub fn start(self, sequence: SequenceId, args: &[Value], data: Data) -> State {
        let control = vec![self.activation(sequence, args, None)];
        State { data, control }
    }

    /// The state in which a step begins, alone: its sequence neither continues nor restarts. Of one that is
    /// done for each place it is done for this place, or if it is none for all of them.
    pub fn start_step(self, step: StepId, place: Value, data: Data) -> State {
        let sequence = self.program.steps[step].sequence;
        let mut activation = self.activation(sequence, &[], Some(step));
        if place != Value::None
            && let Some(Frame::Pass(pass)) = activation.frames.last_mut()
        {
            pass.current = Some(step);
            pass.places = vec![place];
            pass.begun = true;
            pass.placed = true;
        }
        let control = vec![activation];
        State { data, control }
    }

    /// What may happen next.
    pub fn next(self, state: State) -> Next {
        let mut machine = Machine {
            it: self,
            state,
            notes: Vec::new(),
            budget: Budget::new(),
        };
        match machine.run() {
            Ok(Flow::Go | Flow::On) => {
                machine.end_blocks();
                Next::Step(machine.state, machine.notes)
            }
            Ok(Flow::Choose(point)) => Next::Choose(point),
            Ok(Flow::Done(tag)) | Err(Stop::Tag(tag)) => {
                let data = Arc::new(machine.state.data);
                Next::Done(Ended { tag, data }, machine.notes)
            }
            Err(Stop::Consult(reading)) => Next::Consult(reading),
        }
    }

    /// The value of an expression without locals.
    pub fn value(self, expr: &Expr, data: &Data, old: Option<&Data>) -> Result<Value, Stop> {
        let site = Site::Outside(expr.span);
        self.scope((data, old), &mut Vec::new(), site, &Budget::new())
            .value(expr)
    }

    /// Of each of several things whose zone it lies in, and what is seen of it.
    pub fn kinds(
        self,
        seen: &Kinds,
        data: &Data,
        old: &Data,
    ) -> Result<Vec<(Option<EntityId>, Value)>, Stop> {
        let Kinds { binder, by, .. } = seen;
        let site = Site::Outside(by.span);
        let budget = Budget::new();
        let mut locals = Vec::new();
        let mut scope = self.scope((data, Some(old)), &mut locals, site, &budget);
        let mut kinds = Vec::new();
        let mut lacking = Lacking::default();
        for element in scope.elements(binder)? {
            let whose = match (&binder.range, element) {
                // Of a family it is seen as what lies with somebody; of one zone, as what lies there.
                (Range::Zone(zone), Value::Entity(id)) if zone.of.is_none() => {
                    data.place_of(id).and_then(|((_, whose), _)| whose)
                }
                (Range::Zone(_) | Range::Sort(_) | Range::Enum(_) | Range::Bool, _) => None,
            };
            let value = scope.with(binder.local, element, |scope| scope.value(by));
            kinds.extend(lacking.value(value).map(|value| (whose, value)));
        }
        lacking.told()?;
        Ok(kinds)
    }

    /// Whether a condition without locals holds.
    pub fn condition(self, expr: &Expr, data: &Data, old: Option<&Data>) -> Result<bool, Stop> {
        let site = Site::Outside(expr.span);
        self.scope((data, old), &mut Vec::new(), site, &Budget::new())
            .truth(expr)
    }

    pub(super) fn scope<'a>(
        self,
        (data, old): (&'a Data, Option<&'a Data>),
        locals: &'a mut Vec<Value>,
        site: Site,
        budget: &'a Budget,
    ) -> Scope<'a>
    where
        'p: 'a,
    {
        Scope {
            program: self.program,
            readings: self.readings,
            data,
            old,
            locals,
            assigned: None,
            site,
            budget,
        }
    }

    pub(super) fn activation(
        self,
        sequence: SequenceId,
        args: &[Value],
        only: Option<StepId>,
    ) -> Activation {
        let mut locals = args.to_vec();
        // INVARIANT: binders of quantifiers and the like also have their slots here.
        locals.resize(self.program.sequences[sequence].locals.len(), Value::None);
        let pass = Pass {
            sequence,
            only,
            steps: Vec::new(),
            places: Vec::new(),
            current: None,
            fresh: true,
            begun: false,
            placed: false,
            carried: Vec::new(),
        };
        Activation {
            of: Running::Sequence(sequence),
            locals,
            frames: vec![Frame::Pass(pass)],
        }
    }
}

impl<'p> Machine<'p> {
    fn run(&mut self) -> Result<Flow, Stop> {
        if self.restart_at_once()? {
            return Ok(Flow::Go);
        }
        loop {
            let half_done = self.is_half_done();
            match self.advance()? {
                // What takes several small steps is done, and looked at before anything else happens.
                Flow::On if half_done && !self.is_half_done() => return Ok(Flow::Go),
                Flow::On => {}
                flow => return Ok(flow),
            }
        }
    }

    fn advance(&mut self) -> Result<Flow, Stop> {
        let Some(top) = self.state.control.last() else {
            return Ok(Flow::Done(Tag::End));
        };
        let Some(frame) = top.frames.last() else {
            return Ok(self.end_activation());
        };
        match frame {
            Frame::Block { block, next } => {
                let (block, next) = (*block, *next);
                self.block(block, next)
            }
            Frame::Iterate { stmt, .. } => self.iterate(*stmt),
            Frame::Recheck { stmt } => self.recheck(*stmt),
            Frame::Repeat { stmt, .. } => self.repeat(*stmt),
            Frame::Commit(_) => self.commit(),
            Frame::Write { .. } => self.write_decided(),
            Frame::Match { .. } => self.order_matches(),
            Frame::Interrupt { .. } => self.interrupt(),
            Frame::Resolve { queue, one, .. } => {
                let (queue, one) = (*queue, *one);
                self.resolve(queue, one)
            }
            Frame::Shuffle { stmt, zone, placed } => {
                let (stmt, zone, placed) = (*stmt, *zone, *placed);
                self.shuffle(stmt, zone, placed)
            }
            Frame::Distribute { stmt, .. } => self.distribute(*stmt),
            Frame::Pass(_) => self.pass(),
            Frame::Before => self.end_before(),
            Frame::Step { .. } => self.end_step(),
        }
    }

    /// Ends the blocks of which nothing is left, with what they bind and the element for which they were done.
    fn end_blocks(&mut self) {
        let program = self.program();
        while let Some(top) = self.state.control.last()
            && let Some(&Frame::Block { block, next }) = top.frames.last()
            && next >= program.blocks[block].stmts.len()
        {
            self.end_block(block);
            let around = self.frames().last();
            if let Some(&Frame::Iterate { stmt, .. }) = around
                && let StmtKind::ForEach { binder, .. } = &program.stmts[stmt].kind
            {
                self.bind(binder.local.index(), Value::None);
            }
        }
    }

    fn end_block(&mut self, block: BlockId) {
        self.pop();
        for local in &self.program().blocks[block].binds {
            self.bind(local.index(), Value::None);
        }
    }

    fn block(&mut self, block: BlockId, next: usize) -> Result<Flow, Stop> {
        let Some(&stmt) = self.program().blocks[block].stmts.get(next) else {
            self.end_block(block);
            return Ok(Flow::On);
        };
        if let Some(Frame::Block { next, .. }) = self.frames().last_mut() {
            *next += 1;
        }
        self.notes.push(Note::Executed(stmt));
        for activation in &mut self.state.control {
            for frame in &mut activation.frames {
                if let Frame::Pass(pass) = frame {
                    pass.fresh = false;
                }
            }
        }
        self.execute(stmt)
    }

    fn end_activation(&mut self) -> Flow {
        match self.state.control.pop().map(|activation| activation.of) {
            Some(Running::Sequence(sequence)) => {
                self.notes.push(Note::SequenceEnded(sequence));
                Flow::Go
            }
            // What it has done may be a reason to begin again, before anything else happens.
            Some(Running::Trigger(_)) if self.restarts() => Flow::Go,
            Some(Running::Trigger(_)) | None => Flow::On,
        }
    }

    fn restarts(&self) -> bool {
        let mut sequences = self.program().sequences.values().iter();
        sequences.any(|one| one.restart.is_some())
    }

    pub fn program(&self) -> &'p Program {
        self.it.program
    }

    /// Frames of the innermost activation.
    pub fn frames(&mut self) -> &mut Vec<Frame> {
        &mut self.top().frames
    }

    pub fn top(&mut self) -> &mut Activation {
        // INVARIANT: called only while an activation is on the stack.
        match self.state.control.last_mut() {
            Some(top) => top,
            None => unreachable!("no activation is running"),
        }
    }

    pub fn pop(&mut self) {
        self.frames().pop();
    }

    pub fn push(&mut self, frame: Frame) {
        self.frames().push(frame);
    }

    pub fn enter(&mut self, block: BlockId) {
        self.push(Frame::Block { block, next: 0 });
    }

    pub fn bind(&mut self, local: usize, value: Value) {
        self.top().locals[local] = value;
    }

    /// Evaluates in the innermost activation.
    pub fn eval<T>(
        &mut self,
        site: Site,
        with: impl FnOnce(&mut Scope<'_>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let State { data, control } = &mut self.state;
        let mut none = Vec::new();
        let locals = control.last_mut().map_or(&mut none, |top| &mut top.locals);
        with(&mut self.it.scope((data, None), locals, site, &self.budget))
    }

    /// Who decides, and whether that makes the choice one of chance.
    pub fn who(&mut self, by: &Decider, site: Site) -> Result<Who, Stop> {
        Ok(match by {
            Decider::Player(expr) => Who::Player(self.eval(site, |scope| scope.entity(expr))?),
            Decider::Everyone => self.all_players(),
            Decider::Chance => Who::Chance,
            Decider::Nobody => Who::Nobody,
        })
    }

    /// The players as one; a single player decides alone.
    fn all_players(&self) -> Who {
        let mut sorts = self.program().sorts.iter();
        let players = sorts.find(|(_, sort)| sort.player).map(|(id, _)| id);
        let players = players.map(|sort| self.state.data.members(sort).collect::<Vec<_>>());
        match players.as_deref() {
            Some([only]) => Who::Player(*only),
            _ => Who::Everyone,
        }
    }

    /// A question asked by the innermost frame.
    pub fn asked(&mut self, kind: ChoiceKind, who: Who, site: Site) -> Asked {
        let kind = if who == Who::Chance {
            ChoiceKind::Chance
        } else {
            kind
        };
        let frame = self.frames().len().saturating_sub(1);
        Asked {
            kind,
            who,
            site,
            frame,
        }
    }

    /// Takes the only alternative, or makes a choice point. `take` must not fail: writes that may
    /// leave their bounds are left to a frame.
    pub fn branch(
        &mut self,
        asked: Asked,
        keys: Vec<Key>,
        take: impl Fn(&mut Machine<'p>, &Key),
    ) -> Flow {
        if let [key] = keys.as_slice() {
            take(self, key);
            return Flow::Go;
        }
        let level = (self.state.control.len().saturating_sub(1), asked.frame);
        let alternatives = keys.into_iter().map(|key| {
            let mut machine = Machine {
                it: self.it,
                state: self.state.clone(),
                notes: self.notes.clone(),
                budget: Budget::new(),
            };
            take(&mut machine, &key);
            machine.end_blocks();
            Alternative {
                key,
                state: machine.state,
                notes: machine.notes,
            }
        });
        Flow::Choose(ChoicePoint {
            kind: asked.kind,
            who: asked.who,
            site: asked.site,
            level,
            alternatives: alternatives.collect(),
        })
    }

    /// Begins the body of a trigger.
    pub fn begin_trigger(&mut self, trigger: TriggerId, listener: Value, payload: &[Value]) {
        let declared = &self.program().triggers[trigger];
        let mut locals = vec![Value::None; declared.locals.len()];
        for (local, value) in declared.args.iter().zip(payload) {
            locals[local.index()] = *value;
        }
        if let Some(binder) = &declared.listener {
            locals[binder.local.index()] = listener;
        }
        self.notes.push(Note::Resolving(trigger));
        self.state.control.push(Activation {
            of: Running::Trigger(trigger),
            locals,
            frames: vec![Frame::Block {
                block: declared.body,
                next: 0,
            }],
        });
    }
}
