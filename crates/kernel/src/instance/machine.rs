//! One small step: looks at the innermost frame and does what it says.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use smallvec::SmallVec;

use super::cells::{Cells, Writer};
use super::code::{Address, Code, Instr, PASS, RETURN};
use super::dependence::Dependence;
use super::eval::{MOST_EXPRESSIONS, Scope, Trace};
use super::point::{Point, Take};
use super::setting::Setting;
use super::state::{Activation, Frame, Pass};
use crate::ir::{Decider, Function, NONE, System};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    BlockId, EntityId, ReadingId, SequenceId, StepId, StmtId, TriggerId, Type,
};
use endstep_semantics::semantics::{
    ChoiceKind, Key, KeyType, Note, Running, Site, Spot, Stop, Tag, Who,
};

/// A working state.
#[derive(Debug)]
pub struct Machine<'s> {
    /// What is fixed.
    pub setting: Setting<'s>,
    pub(super) code: &'s Code,
    /// The data.
    pub data: Cells,
    /// The stack, outermost first.
    pub stack: Vec<Activation>,
    /// The locals of all activations.
    pub locals: Vec<i64>,
    /// The frames of all activations.
    pub frames: Vec<Frame>,
    /// What happened on the last step.
    pub notes: Vec<Note>,
    /// Whether notes tell which operations were executed.
    pub tells: bool,
    /// The [`groups`](super::groups) in which something may have changed since this was set to 0.
    pub changed: u64,
    /// The groups in which something may have changed since no pass was found that restarts at once;
    /// all of them if other passes are to be looked at than then.
    pub(super) unsettled: u64,
    /// Some pass may not have executed anything yet.
    pub(super) fresh: bool,
    /// How many expressions the step may still evaluate.
    pub(super) budget: Cell<u32>,
    /// What is read and written, if that is to be known.
    pub(super) trace: Option<Box<Trace>>,
    /// What everything depended on that was done since this was emptied.
    pub depended: Cell<Dependence>,
}

/// What a step came to.
#[derive(Debug)]
pub enum Outcome {
    /// The machine holds the successor.
    Step,
    /// There are several; the machine still holds the state, with whatever happened on the way to
    /// the question already done.
    Choose(Point),
    /// The run has ended.
    Done(Tag),
    /// A reading must be fixed first.
    Consult(endstep_language::typing::program::ReadingId),
}

/// What a part of a step came to.
pub(super) enum Flow {
    Go,
    On,
    Choose(Box<Point>),
    Done(Tag),
}

/// Where and by whom is chosen.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub kind: ChoiceKind,
    pub who: Who,
    pub site: Site,
    pub frame: usize,
}

impl<'s> Machine<'s> {
    /// On data, with nothing to do.
    pub fn new(setting: Setting<'s>, data: Cells) -> Self {
        Self {
            setting,
            code: &setting.layout.shape.code,
            data,
            stack: Vec::new(),
            locals: Vec::new(),
            frames: Vec::new(),
            notes: Vec::new(),
            tells: true,
            changed: u64::MAX,
            unsettled: u64::MAX,
            fresh: true,
            budget: Cell::new(MOST_EXPRESSIONS),
            trace: None,
            depended: Cell::default(),
        }
    }

    /// Begins a procedure, or one step of it alone, for a place or for all of them.
    pub fn begin(
        &mut self,
        sequence: SequenceId,
        args: &[i64],
        only: Option<(StepId, Option<u16>)>,
    ) {
        self.stack.push(Activation {
            of: Running::Sequence(sequence),
            locals: self.locals.len(),
            frames: self.frames.len(),
            at: PASS,
        });
        self.fresh = true;
        let count = self.system().procedures[sequence].locals as usize;
        let end = self.locals.len() + count;
        self.locals.extend_from_slice(args);
        self.locals.resize(end, NONE);
        let place = only.and_then(|(_, place)| place);
        self.frames.push(Frame::Pass(Arc::new(Pass {
            sequence,
            only: only.map(|(step, _)| step),
            steps: SmallVec::new(),
            places: place.into_iter().collect(),
            current: only.map(|(step, _)| step).filter(|_| place.is_some()),
            fresh: true,
            begun: place.is_some(),
            placed: place.is_some(),
            carried: Vec::new(),
        })));
    }

    /// Takes one small step. The notes of the step before are forgotten.
    pub fn step(&mut self) -> Outcome {
        self.notes.clear();
        self.budget.set(MOST_EXPRESSIONS);
        match self.run() {
            Ok(Flow::Go | Flow::On) => {
                self.end_blocks();
                Outcome::Step
            }
            Ok(Flow::Choose(point)) => Outcome::Choose(*point),
            Ok(Flow::Done(tag)) | Err(Stop::Tag(tag)) => Outcome::Done(tag),
            Err(Stop::Consult(reading)) => Outcome::Consult(reading),
        }
    }

    /// Takes the steps of a walk again: from the state it is in, by an alternative if it is a choice
    /// point, and on until `length` steps have been taken.
    ///
    /// INVARIANT: the walk was taken before, and went so far without another choice or an end.
    pub fn retake(&mut self, alternative: Option<usize>, length: u64) {
        if let (Outcome::Choose(point), Some(at)) = (self.step(), alternative) {
            self.take(&point, at);
        }
        for _ in 1..length {
            self.step();
        }
    }

    fn run(&mut self) -> Result<Flow, Stop> {
        let restarts = self.setting.layout.shape.restarts;
        if restarts && self.restart_at_once()? {
            return Ok(Flow::Go);
        }
        // Only an operation that takes several small steps leaves a frame above all others.
        while !self.top().is_some_and(Frame::is_half_done) {
            match self.advance()? {
                Flow::On => {}
                flow => return Ok(flow),
            }
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

    /// Takes at most so many small steps, for as long as what comes next looks as if it were no choice and no end, and no control
    /// cycle begins anew. How many were taken; and what the next one came to, if it did not succeed. The notes are
    /// those of the last one.
    pub fn stride(&mut self, most: u64) -> (u64, Option<Outcome>) {
        let mut taken = 0;
        if self.setting.layout.shape.restarts {
            return (taken, None);
        }
        while taken < most && self.is_plain() {
            match self.step() {
                Outcome::Step => taken += 1,
                other => return (taken, Some(other)),
            }
            if self.notes.iter().any(|note| matches!(note, Note::Cut)) {
                break;
            }
        }
        (taken, None)
    }

    fn advance(&mut self) -> Result<Flow, Stop> {
        let Some(top) = self.stack.last() else {
            return Ok(Flow::Done(Tag::End));
        };
        let at = top.at;
        // What is half done comes before what stands where the activation is.
        match self.frames[top.frames..].last() {
            Some(Frame::Commit(_)) => return self.commit(),
            Some(Frame::Write { .. }) => return self.write_decided(),
            Some(Frame::Match { .. }) => return self.order_matches(),
            Some(Frame::Interrupt { .. }) => return self.interrupt(),
            Some(&Frame::Shuffle { stmt, zone, placed }) => {
                return Ok(self.shuffle(stmt, zone, placed as usize));
            }
            Some(&Frame::Distribute { stmt, .. }) => return self.distribute(stmt),
            None
            | Some(
                Frame::Iterate { .. } | Frame::Repeat { .. } | Frame::Pass(_) | Frame::Step { .. },
            ) => {}
        }
        match self.code.at(at) {
            Instr::Op(op) => self.operation(op),
            Instr::End(block, then) => {
                self.end_block(block, then);
                Ok(Flow::On)
            }
            Instr::Next(stmt) => self.iterate(stmt),
            Instr::Recheck(stmt) => self.recheck(stmt),
            Instr::Again(stmt) => self.repeat(stmt),
            Instr::Resolve { stmt, queue, one } => self.resolve(stmt, queue, one),
            Instr::Pass => self.pass(),
            Instr::EndBefore => {
                self.unsettled = u64::MAX;
                self.jump(PASS);
                Ok(Flow::On)
            }
            Instr::EndStep(step) => self.end_step(step),
            Instr::Return => Ok(self.end_activation()),
        }
    }

    /// Ends a block and goes on elsewhere.
    pub(super) fn end_block(&mut self, block: BlockId, then: Address) {
        for local in &self.setting.system.blocks[block].binds {
            self.bind(local.index(), NONE);
        }
        self.jump(then);
    }

    fn operation(&mut self, op: StmtId) -> Result<Flow, Stop> {
        self.jump(self.code.after(op));
        if self.tells {
            self.notes.push(Note::Executed(op));
        }
        if self.fresh {
            for frame in &mut self.frames {
                if let Frame::Pass(pass) = frame
                    && pass.fresh
                {
                    Arc::make_mut(pass).fresh = false;
                }
            }
            self.fresh = false;
            self.unsettled = u64::MAX;
        }
        self.execute(op)
    }

    fn end_activation(&mut self) -> Flow {
        // INVARIANT: called with an activation on the stack.
        let Some(ended) = self.stack.pop() else {
            return Flow::On;
        };
        self.locals.truncate(ended.locals);
        self.unsettled = u64::MAX;
        match ended.of {
            Running::Sequence(sequence) => {
                self.notes.push(Note::SequenceEnded(sequence));
                Flow::Go
            }
            // What it has done may be a reason to begin again, before anything else happens.
            Running::Trigger(_) if self.setting.layout.shape.restarts => Flow::Go,
            Running::Trigger(_) => Flow::On,
        }
    }

    pub(super) fn system(&self) -> &'s System {
        self.setting.system
    }

    pub(super) fn writer(&self) -> Writer<'s> {
        Writer {
            system: self.setting.system,
            layout: self.setting.layout,
            extra: self.setting.variant.extra,
        }
    }

    /// Something in some groups changes.
    pub(super) fn touch(&mut self, groups: u64) {
        self.changed |= groups;
        self.unsettled |= groups;
    }

    /// Nothing is known of the state any more.
    pub(super) fn forget(&mut self) {
        self.touch(u64::MAX);
        self.fresh = true;
    }

    pub(super) fn pop(&mut self) {
        self.frames.pop();
    }

    pub(super) fn push(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    /// Goes on elsewhere in the innermost activation.
    #[inline]
    pub(super) fn jump(&mut self, to: Address) {
        if let Some(top) = self.stack.last_mut() {
            top.at = to;
        }
    }

    pub(super) fn enter(&mut self, block: BlockId) {
        self.jump(self.code.entry(block));
    }

    /// Binds a local of the innermost activation.
    pub(super) fn bind(&mut self, local: usize, n: i64) {
        let base = self.stack.last().map_or(0, |top| top.locals);
        self.locals[base + local] = n;
    }

    /// A scope in the innermost activation.
    pub(super) fn scope(&mut self, site: Site) -> Scope<'_> {
        let base = self.stack.last().map_or(0, |top| top.locals);
        self.scope_at(base, site)
    }

    /// A scope in an activation.
    pub(super) fn scope_of(&mut self, activation: usize, site: Site) -> Scope<'_> {
        let base = self.stack[activation].locals;
        self.scope_at(base, site)
    }

    pub(super) fn scope_at(&mut self, base: usize, site: Site) -> Scope<'_> {
        Scope {
            system: self.setting.system,
            layout: self.setting.layout,
            readings: self.setting.readings,
            data: &self.data,
            old: None,
            locals: &mut self.locals[base..],
            assigned: None,
            site,
            budget: &self.budget,
            depended: &self.depended,
            trace: self.trace.as_ref().map(|trace| &trace.reads),
        }
    }

    /// The value of a condition without parameters, `old` being other data.
    ///
    /// # Errors
    ///
    /// [`Stop`]: a gap, a limit, or a reading that is not fixed.
    pub fn condition(&self, function: &Function, old: &Cells) -> Result<i64, Stop> {
        self.condition_on(function, &self.data, old)
    }

    /// The same on other data.
    ///
    /// # Errors
    ///
    /// As [`condition`](Self::condition).
    pub fn condition_on(
        &self,
        function: &Function,
        data: &Cells,
        old: &Cells,
    ) -> Result<i64, Stop> {
        self.evaluate(function, (data, old), None)
    }

    /// The value of a condition on a board, and the places that were read for it.
    ///
    /// # Errors
    ///
    /// As [`condition`](Self::condition), of the value; the places are known in any case.
    pub fn condition_traced(
        &self,
        function: &Function,
        board: &Cells,
    ) -> (Result<i64, Stop>, Vec<Spot>) {
        let trace = RefCell::new(Vec::new());
        let value = self.evaluate(function, (board, board), Some(&trace));
        (value, trace.into_inner())
    }

    fn evaluate(
        &self,
        function: &Function,
        (data, old): (&Cells, &Cells),
        trace: Option<&RefCell<Vec<Spot>>>,
    ) -> Result<i64, Stop> {
        let mut locals: SmallVec<[i64; 8]> = SmallVec::new();
        locals.resize(function.locals as usize, NONE);
        let mut scope = Scope {
            system: self.setting.system,
            layout: self.setting.layout,
            readings: self.setting.readings,
            data,
            old: Some(old),
            locals: &mut locals,
            assigned: None,
            site: Site::Outside(function.body.span),
            budget: &Cell::new(MOST_EXPRESSIONS),
            depended: &self.depended,
            trace,
        };
        scope.value(&function.body)
    }

    /// Who decides.
    pub(super) fn who(&mut self, by: &Decider, site: Site) -> Result<Who, Stop> {
        Ok(match by {
            Decider::Player(e) => Who::Player(EntityId::from_index(self.scope(site).entity(e)?)),
            Decider::Everyone => self.all_players(),
            Decider::Chance => Who::Chance,
            Decider::Nobody => Who::Nobody,
        })
    }

    /// The players as one; a single player decides alone.
    fn all_players(&self) -> Who {
        let Some(players) = self.setting.system.players else {
            return Who::Everyone;
        };
        let mut members = self.data.members(players);
        match (members.next(), members.next()) {
            (Some(only), None) => Who::Player(EntityId::from_index(only)),
            _ => Who::Everyone,
        }
    }

    /// A question asked by the innermost frame.
    pub(super) fn asked(&self, kind: ChoiceKind, who: Who, site: Site) -> Asked {
        let kind = if who == Who::Chance {
            ChoiceKind::Chance
        } else {
            kind
        };
        Asked {
            kind,
            who,
            site,
            frame: self.height().1.saturating_sub(1),
        }
    }

    /// Takes the only alternative, or makes a choice point.
    pub(super) fn branch(&mut self, asked: Asked, keys: Vec<Key>, take: Take) -> Flow {
        if let [key] = keys.as_slice() {
            self.take_key(&take, key);
            return Flow::Go;
        }
        Flow::Choose(Box::new(Point {
            kind: asked.kind,
            who: asked.who,
            site: asked.site,
            level: (self.stack.len().saturating_sub(1), asked.frame),
            keys,
            take,
        }))
    }

    /// The same for elements.
    pub(super) fn branch_elements(
        &mut self,
        asked: Asked,
        elements: &[u16],
        ty: Type,
        take: Take,
    ) -> Flow {
        let keys = elements.iter().map(|&one| element_key(i64::from(one), ty));
        self.branch(asked, keys.collect(), take)
    }

    /// Begins the body of a trigger.
    pub(super) fn begin_trigger(&mut self, trigger: TriggerId, listener: i64, payload: &[i64]) {
        let declared = &self.setting.system.triggers[trigger];
        let base = self.locals.len();
        self.locals.resize(base + declared.locals as usize, NONE);
        for (local, n) in declared.args.iter().zip(payload) {
            self.locals[base + local.index()] = *n;
        }
        if let Some(binder) = &declared.listener {
            self.locals[base + binder.local.index()] = listener;
        }
        self.notes.push(Note::Resolving(trigger));
        self.stack.push(Activation {
            of: Running::Trigger(trigger),
            locals: base,
            frames: self.frames.len(),
            at: RETURN,
        });
        self.enter(declared.body);
    }

    /// Takes down on what a step depends.
    pub(super) fn depend(&self, on: impl FnOnce(&mut Dependence)) {
        Dependence::add(&self.depended, on);
    }

    /// The alternative of a reading, [`NOWHERE`](super::layout::NOWHERE) if it is not fixed.
    pub(super) fn reading(&self, reading: ReadingId) -> u16 {
        self.depend(|on| on.on_reading(reading));
        self.setting.readings[reading.index()]
    }

    /// Whether a place stays as it is, whatever is added to it.
    pub(super) fn keeps(&self, spot: Spot) -> bool {
        self.depend(|on| on.on_still(spot));
        self.setting.variant.keeps(spot)
    }

    /// Whether an iteration runs in any order, whatever the system says.
    pub(super) fn is_freed(&self, stmt: StmtId) -> bool {
        self.depend(|on| on.on_freed(stmt));
        self.setting.variant.free.contains(&stmt)
    }
}

/// The key of an element.
pub(super) fn element_key(n: i64, ty: Type) -> Key {
    Key::Element(crate::lower::value(n, ty), KeyType::from(ty))
}
