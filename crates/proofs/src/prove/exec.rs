//! Operations as changes of terms.
//!
//! A block is run once, on all boards together: each operation is told under which condition it is
//! reached, and what it changes it changes only then. A run that ends (a gap, a bound, a win) leaves
//! the data as they are from there on, and says how it ended.
//!
//! What cannot be told so that it means the same is refused ([`Refusal`]); nothing is left out.

use super::context::{Context, Exec};
use super::frame::Frame;
use super::state::{Announced, State};
use crate::smt::Term;
use endstep_kernel::footprint::{Unit, raises};
use endstep_kernel::ir::{Effect, Expr, OpKind, Policy};
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{
    BlockId, EventId, GapId, LocalId, QueueId, SequenceId, StmtId, Type,
};
use endstep_verdicts::verdict::{Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

impl<'c, 's> Exec<'c, 's> {
    /// A run from some data.
    pub fn new(c: &'c mut Context<'s>, s: State<'s>, frames: Vec<Frame>) -> Self {
        Self {
            c,
            s,
            frames,
            chosen: Vec::new(),
            required: Vec::new(),
            whose: String::new(),
            site: None,
            strict: 0,
            lenient: false,
            alone: false,
            asked: 0,
            loose: None,
        }
    }

    /// From here on it is done for somebody else.
    pub fn turn_of(&mut self, whose: &str, frames: Vec<Frame>) {
        whose.clone_into(&mut self.whose);
        self.frames = frames;
        self.asked = 0;
    }

    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a run has an activation")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a run has an activation")
    }

    /// Whether something is reached if what is around it is.
    pub fn live(&mut self, g: Term) -> Term {
        let zero = self.c.terms.number(0);
        let goes_on = self.c.terms.equal(self.s.ended, zero);
        let mut all = vec![g, goes_on];
        for frame in &self.frames {
            all.push(self.c.terms.not(frame.left));
        }
        self.c.terms.and(&all)
    }

    /// The run ends if something is so.
    pub fn end(&mut self, g: Term, when: Term, tag: &str, detail: &[Term]) {
        let live = self.live(g);
        let ends = self.both(live, when);
        if self.c.terms.is_truth(ends) == Some(false) {
            return;
        }
        let tag = self.c.tag(tag);
        let tag = self.c.terms.number(tag);
        self.s.ended = self.c.terms.choose(ends, tag, self.s.ended);
        for (at, &value) in detail.iter().enumerate() {
            self.s.detail[at] = self.c.terms.choose(ends, value, self.s.detail[at]);
        }
    }

    /// A block.
    pub fn block(&mut self, id: BlockId, g: Term) -> Result<()> {
        let system = self.c.system;
        for &op in &system.blocks[id].ops {
            let live = self.live(g);
            if self.c.terms.is_truth(live) == Some(false) {
                break;
            }
            self.c.check_size()?;
            let kind = &system.ops[op].kind;
            if raises(system, kind) {
                return Err(Refusal::at(Obstacle::Raised, system.ops[op].span));
            }
            match self.loose {
                None => self.op(op, live)?,
                Some(_) => self.loosely(op, live)?,
            }
        }
        Ok(())
    }

    pub(super) fn op(&mut self, id: StmtId, g: Term) -> Result<()> {
        let system = self.c.system;
        let op = &system.ops[id];
        self.site = Some(self.c.twins.get(&id).copied().unwrap_or(id));
        let refuse = |obstacle| Err(Refusal::at(obstacle, op.span));
        match &op.kind {
            OpKind::Skip | OpKind::Meet(_) => Ok(()),
            OpKind::Pass => self.pass(op.span),
            OpKind::Let(local, e) => {
                let value = self.eval(e, g)?;
                self.bind(*local, value);
                Ok(())
            }
            OpKind::Set(..)
            | OpKind::Add { .. }
            | OpKind::Transfer { .. }
            | OpKind::Move(..)
            | OpKind::Remove(..) => self.change(&op.kind, g),
            OpKind::If(arms, otherwise) => self.branch(arms, *otherwise, g),
            OpKind::Cases {
                policy,
                arms,
                otherwise,
            } => self.cases((policy, arms), *otherwise, g),
            OpKind::Switch(reading, blocks) => {
                let reading = self.c.reading(*reading);
                for (at, &block) in blocks.iter().enumerate() {
                    let at = self.c.terms.number(at as i64);
                    let is = self.c.terms.equal(reading, at);
                    let here = self.both(g, is);
                    self.block(block, here)?;
                }
                Ok(())
            }
            OpKind::Each(each) => self.iterate(id, each, g),
            OpKind::Call(sequence, args) => self.call(*sequence, args, g),
            OpKind::Leave(sequence) => {
                self.leave(*sequence, g);
                Ok(())
            }
            OpKind::GoTo(_) => refuse(Obstacle::Jumps),
            OpKind::Stop(effect) => self.stop(effect, g),
            OpKind::Announce(event, args) => self.announce(*event, args, g),
            OpKind::ChooseElement(..)
            | OpKind::ChooseNumber { .. }
            | OpKind::ChooseBlock(..)
            | OpKind::ChooseValue { .. } => self.choice(&op.kind, g),
            OpKind::Repeat(..) => refuse(Obstacle::Repeats),
            OpKind::Shuffle(_) | OpKind::Distribute { .. } => refuse(Obstacle::Chance),
            OpKind::Create {
                sort,
                local,
                target,
                with,
            } if self.loose.is_some() => {
                let new = self.create(*sort, (target.as_ref(), with), g)?;
                if let Some(local) = local {
                    self.bind(*local, new);
                }
                Ok(())
            }
            OpKind::Create { .. } => refuse(Obstacle::Creates),
            OpKind::Atomic(_) => refuse(Obstacle::Together),
            OpKind::Resolve { .. } => refuse(Obstacle::Resolves),
            OpKind::MoveAll(..) => refuse(Obstacle::Arranges),
        }
    }

    /// A turn is passed. Whose turn is next is no part of the data: what is the same in these can go on differently.
    fn pass(&self, span: Span) -> Result<()> {
        match self.loose {
            Some(_) => Ok(()),
            None => Err(Refusal::at(Obstacle::Turns, span)),
        }
    }

    /// Gives a local a value.
    pub fn bind(&mut self, local: LocalId, value: Term) {
        self.frame_mut().bind(local, None, Some(value));
    }

    fn branch(
        &mut self,
        arms: &'s [(Expr, BlockId)],
        otherwise: Option<BlockId>,
        g: Term,
    ) -> Result<()> {
        let mut rest = g;
        let mut taken = Vec::new();
        for (condition, block) in arms {
            let here = self.live(rest);
            let met = self.truth(condition, here)?;
            taken.push((self.both(rest, met), *block));
            let not = self.c.terms.not(met);
            rest = self.both(rest, not);
        }
        taken.extend(otherwise.map(|block| (rest, block)));
        for (here, block) in taken {
            self.block(block, here)?;
        }
        Ok(())
    }

    fn cases(
        &mut self,
        (policy, arms): (&'s Policy, &'s [(Expr, BlockId)]),
        otherwise: Option<BlockId>,
        g: Term,
    ) -> Result<()> {
        if matches!(policy, Policy::InOrder) && otherwise.is_some() {
            return self.branch(arms, otherwise, g);
        }
        let mut met = Vec::new();
        let mut rest = g;
        for (condition, _) in arms {
            let looked_at = match policy {
                Policy::InOrder => rest,
                _ => g,
            };
            let here = self.live(looked_at);
            let one = self.truth(condition, here)?;
            met.push(match policy {
                Policy::InOrder => self.both(rest, one),
                _ => one,
            });
            let not = self.c.terms.not(one);
            rest = self.both(rest, not);
        }
        let some = self.c.terms.or(&met);
        let none = self.c.terms.not(some);
        if otherwise.is_none() {
            self.lacks(g, none, ("no case", Span::default()))?;
        }
        match policy {
            Policy::InOrder => {}
            Policy::Exclusive => {
                let live = self.live(g);
                for (at, &one) in met.iter().enumerate() {
                    for &other in &met[at + 1..] {
                        let two = self.c.terms.and(&[live, one, other]);
                        let not = self.c.terms.not(two);
                        self.required.push(not);
                    }
                }
            }
            Policy::Chosen(by) => {
                let some = self.both(g, some);
                let live = self.live(some);
                let who = self.decider(by, live)?;
                let value = self.ask(Type::Int)?;
                let mut possible = Vec::new();
                for (at, one) in met.iter_mut().enumerate() {
                    let at = self.c.terms.number(at as i64);
                    let is = self.c.terms.equal(value, at);
                    *one = self.both(*one, is);
                    possible.push(*one);
                }
                let possible = self.c.terms.or(&possible);
                self.choose(some, who, value, possible);
            }
        }
        for (&one, (_, block)) in met.iter().zip(arms) {
            let here = self.both(g, one);
            self.block(*block, here)?;
        }
        match otherwise {
            Some(block) => {
                let here = self.both(g, none);
                self.block(block, here)
            }
            None => Ok(()),
        }
    }

    fn call(&mut self, id: SequenceId, args: &'s [Expr], g: Term) -> Result<()> {
        let system = self.c.system;
        let procedure = &system.procedures[id];
        let mut locals = Vec::new();
        for arg in args {
            locals.push(Some(self.eval(arg, g)?));
        }
        if procedure.restart.is_some() {
            return Err(Obstacle::Restarts.into());
        }
        if procedure.free.is_some() || procedure.over.is_some() {
            return Err(Obstacle::OpenList.into());
        }
        if endstep_kernel::footprint::heading_may_fail(system, id) {
            return Err(Obstacle::Lacks.into());
        }
        locals.resize(procedure.locals as usize, None);
        let left = self.c.terms.truth(false);
        let mut frame = Frame::new(locals, &procedure.types, Unit::Procedure(id), left);
        frame.sequence = Some(id);
        self.frames.push(frame);
        let mut done = Ok(());
        for &step in &procedure.steps {
            done = done.and_then(|()| self.block(system.steps[step].body, g));
        }
        self.frames.pop();
        done
    }

    fn leave(&mut self, sequence: SequenceId, g: Term) {
        let live = self.live(g);
        let mut frames = self.frames.iter();
        match frames.rposition(|one| one.sequence == Some(sequence)) {
            Some(at) => {
                for frame in &mut self.frames[at..] {
                    frame.left = self.c.terms.or(&[frame.left, live]);
                }
            }
            // Something around all that is compared.
            None => {
                let always = self.c.terms.truth(true);
                self.end(g, always, &format!("left {}", sequence.index()), &[]);
            }
        }
    }

    fn stop(&mut self, effect: &'s Effect, g: Term) -> Result<()> {
        let always = self.c.terms.truth(true);
        let gap = |id: &GapId| format!("gap {}", id.index());
        let (tag, whom) = match effect {
            Effect::Win(whom) => ("win".to_owned(), whom.as_ref()),
            Effect::Loss(whom) => ("loss".to_owned(), whom.as_ref()),
            Effect::Draw => ("draw".to_owned(), None),
            Effect::End => ("end".to_owned(), None),
            Effect::Gap(id) => (gap(id), None),
        };
        match whom {
            Some(whom) => {
                let whom = self.eval(whom, g)?;
                self.end(g, always, &format!("{tag} of"), &[whom]);
            }
            None => self.end(g, always, &tag, &[]),
        }
        Ok(())
    }

    fn announce(&mut self, id: EventId, args: &'s [Expr], g: Term) -> Result<()> {
        let system = self.c.system;
        let event = &system.events[id];
        let mut payload = Vec::new();
        for arg in args {
            payload.push(self.eval(arg, g)?);
        }
        let mut matched = Vec::new();
        for &at in &event.triggers {
            let trigger = &system.triggers[at];
            if trigger.listener.is_some() {
                return Err(Obstacle::Reacts.into());
            }
            let mut locals = vec![None; trigger.locals as usize];
            for (local, &value) in trigger.args.iter().zip(&payload) {
                locals[local.index()] = Some(value);
            }
            let left = self.c.terms.truth(false);
            let frame = Frame::new(locals, &trigger.types, Unit::Trigger(at), left);
            let mut met = g;
            if let Some(condition) = &trigger.condition {
                self.frames.push(frame.clone());
                let live = self.live(g);
                let truth = self.truth(condition, live);
                self.frames.pop();
                met = self.both(g, truth?);
            }
            matched.push((met, at, frame));
        }
        // Which of two comes first is an order of its own, which says nothing of how many there are.
        let counted = self.loose.is_some() && event.queue.is_some();
        let matched_apart = match counted {
            true => &[][..],
            false => &matched[..],
        };
        let live = self.live(g);
        for (at, (one, ..)) in matched_apart.iter().enumerate() {
            for (other, ..) in &matched_apart[at + 1..] {
                let two = self.c.terms.and(&[live, *one, *other]);
                let not = self.c.terms.not(two);
                self.required.push(not);
            }
        }
        for (met, trigger, frame) in matched {
            if event.queue.is_some() {
                self.waits(event.queue, met);
                continue;
            }
            // One that sets itself off again.
            if self.c.active.contains(&trigger) {
                return Err(Obstacle::Reacts.into());
            }
            self.c.active.push(trigger);
            self.frames.push(frame);
            let done = self.block(system.triggers[trigger].body, met);
            self.frames.pop();
            self.c.active.pop();
            done?;
        }
        Ok(())
    }
}

impl Exec<'_, '_> {
    /// An instance waits from here on.
    fn waits(&mut self, queue: Option<QueueId>, met: Term) {
        let guard = self.live(met);
        self.s.announced.push(Announced { guard });
        if let Some(queue) = queue {
            let one = self.c.terms.bit(guard);
            let before = self.s.queues[queue.index()];
            self.s.queues[queue.index()] = self.c.terms.add(&[before, one]);
        }
    }
}

/// The locals of a unit, of which nothing is known.
pub(super) fn any_locals(c: &mut Context<'_>, unit: Unit) -> Frame {
    let mut frame = open_locals(c, unit);
    for at in 0..frame.locals.len() {
        frame.locals[at] = Some(any_local(c, unit, LocalId::from_index(at)));
    }
    frame
}

/// The same, but that locals are spoken of only when they are looked at.
pub(super) fn open_locals(c: &mut Context<'_>, unit: Unit) -> Frame {
    let types = endstep_kernel::footprint::types(c.system, unit);
    let left = c.terms.truth(false);
    let mut frame = Frame::new(vec![None; types.len()], types, unit, left);
    frame.open = true;
    frame
}

/// A local of a unit, of which nothing is known.
pub(super) fn any_local(c: &mut Context<'_>, unit: Unit, local: LocalId) -> Term {
    let name = format!("local {} of {unit:?}", local.index());
    match endstep_kernel::footprint::types(c.system, unit).get(local.index()) {
        Some(&ty) => {
            let value = c.any(&name, ty);
            c.lasts(ty, value);
            value
        }
        None => c.terms.constant(&name),
    }
}
