//! Passes of procedures: which step comes next, when a step ends, and when everything starts again.

use std::sync::Arc;

use smallvec::SmallVec;

use super::code::{PASS, RETURN};
use super::convert::local;
use super::inst::List;
use super::iterate::is_entity;
use super::layout::NOWHERE;
use super::machine::{Flow, Machine};
use super::point::Take;
use super::state::{Frame, Pass};
use crate::ir::{Binder, NONE, Order, Procedure};
use crate::lower::value;
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{Cancel, Nest, SequenceId, StepId, Unfinished, Value};
use endstep_semantics::semantics::{ChoiceKind, Key, Note, Running, Site, Stop, Who};

type Over<'s> = &'s (Binder, Order, Nest);

impl<'s> Machine<'s> {
    pub(super) fn current_pass(&mut self) -> &mut Pass {
        match self.frames.last_mut() {
            Some(Frame::Pass(pass)) => Arc::make_mut(pass),
            other => unreachable!("expected a pass, found {other:?}"),
        }
    }

    pub(super) fn procedure(&self, sequence: SequenceId) -> &'s Procedure {
        &self.setting.system.procedures[sequence]
    }

    /// The innermost frame is a pass: begin it, or go on with it, or end it.
    pub(super) fn pass(&mut self) -> Result<Flow, Stop> {
        let sequence = self.current_pass().sequence;
        if !self.current_pass().begun {
            return self.begin_pass(sequence);
        }
        match &self.procedure(sequence).over {
            None => {
                if self.current_pass().steps.is_empty() {
                    return self.end_pass(sequence);
                }
                self.pick_step(sequence, false)
            }
            Some(over) => match self.nest(sequence, over)? {
                Nest::Places => self.next_of_place(sequence, over),
                Nest::Steps | Nest::Unspecified(_) => self.next_place_of_step(sequence, over),
            },
        }
    }

    fn nest(&mut self, sequence: SequenceId, over: Over<'s>) -> Result<Nest, Stop> {
        let Nest::Unspecified(reading) = over.2 else {
            return Ok(over.2);
        };
        // With one step, or no place, there is nothing to nest.
        if self.reading(reading) == NOWHERE {
            let only = self.current_pass().only.is_some();
            let site = Site::Sequence(sequence);
            if only
                || self.procedure(sequence).steps.len() < 2
                || self.scope(site).elements(&over.0)?.is_empty()
            {
                return Ok(Nest::Steps);
            }
        }
        let site = Site::Outside(Span::default());
        Ok(if self.scope(site).reading(reading)? == 0 {
            Nest::Steps
        } else {
            Nest::Places
        })
    }

    fn begin_pass(&mut self, sequence: SequenceId) -> Result<Flow, Stop> {
        let procedure = self.procedure(sequence);
        let by_place = match &procedure.over {
            Some(over) if self.nest(sequence, over)? == Nest::Places => Some(over),
            Some(_) | None => None,
        };
        let places = match by_place {
            Some(over) => self.places(sequence, over)?,
            None => List::new(),
        };
        let pass = self.current_pass();
        pass.steps.clear();
        if by_place.is_none() {
            match pass.only {
                Some(only) => pass.steps.push(only),
                None => pass.steps.extend_from_slice(&procedure.steps),
            }
        }
        pass.places = places;
        pass.current = None;
        pass.fresh = true;
        pass.begun = true;
        self.fresh = true;
        self.notes.push(Note::PassBegan(sequence));
        if procedure.restart.is_some() {
            self.notes.push(Note::Cut);
        }
        Ok(Flow::Go)
    }

    fn places(&mut self, sequence: SequenceId, over: Over<'s>) -> Result<List, Stop> {
        let site = Site::Sequence(sequence);
        let elements = self.scope(site).elements(&over.0)?;
        self.arrange(&over.1, (over.0.lies(), over.0.ty), elements, site)
    }

    /// Takes one of the steps left; `keep`: it becomes the current step of `nest steps`.
    fn pick_step(&mut self, sequence: SequenceId, keep: bool) -> Result<Flow, Stop> {
        let site = Site::Sequence(sequence);
        let free = &self.procedure(sequence).free;
        let steps: SmallVec<[StepId; 6]> = match free {
            Some(_) => self.next_steps(sequence).collect(),
            None => self.next_steps(sequence).take(1).collect(),
        };
        let who = match free {
            Some((by, reading)) if steps.len() > 1 => match reading {
                None => Some(self.who(by, site)?),
                Some(reading) => {
                    let free = self.scope(site).reading(*reading)? == 1;
                    free.then_some(Who::Nobody)
                }
            },
            Some(_) | None => None,
        };
        let Some(who) = who else {
            self.take_step(steps[0], keep);
            return Ok(Flow::Go);
        };
        let asked = self.asked(ChoiceKind::Order, who, site);
        let keys = steps.into_iter().map(Key::Step).collect();
        Ok(self.branch(asked, keys, Take::Step { keep }))
    }

    /// The steps left that need not wait for another one.
    fn next_steps(&mut self, sequence: SequenceId) -> impl Iterator<Item = StepId> {
        let precedes = &self.procedure(sequence).precedes;
        let left = &self.current_pass().steps;
        let waits = |step: StepId| {
            let mut before = precedes.iter().filter(|(_, later)| *later == step);
            before.any(|(earlier, _)| left.contains(earlier))
        };
        left.iter().copied().filter(move |&step| !waits(step))
    }

    /// Begins a step, or makes it the current one.
    pub(super) fn take_step(&mut self, step: StepId, keep: bool) {
        let pass = self.current_pass();
        pass.steps.retain(|other| *other != step);
        if keep {
            pass.current = Some(step);
            self.notes.push(Note::Cut);
        } else {
            self.begin_step(step);
        }
    }

    fn next_of_place(&mut self, sequence: SequenceId, over: Over<'s>) -> Result<Flow, Stop> {
        if !self.current_pass().steps.is_empty() {
            return self.pick_step(sequence, false);
        }
        self.leave_out_removed_places(over);
        if self.current_pass().places.is_empty() {
            self.bind(over.0.local.index(), NONE);
            return self.end_pass(sequence);
        }
        self.pick_place(sequence, over, None)
    }

    fn next_place_of_step(&mut self, sequence: SequenceId, over: Over<'s>) -> Result<Flow, Stop> {
        let Some(step) = self.current_pass().current else {
            if self.current_pass().steps.is_empty() {
                self.bind(over.0.local.index(), NONE);
                return self.end_pass(sequence);
            }
            return self.pick_step(sequence, true);
        };
        if !self.current_pass().placed {
            let places = self.places(sequence, over)?;
            let pass = self.current_pass();
            pass.places = places;
            pass.placed = true;
        }
        self.leave_out_removed_places(over);
        if self.current_pass().places.is_empty() {
            let pass = self.current_pass();
            pass.current = None;
            pass.placed = false;
            return Ok(Flow::On);
        }
        self.pick_place(sequence, over, Some(step))
    }

    /// A place that was removed is skipped in its turn.
    fn leave_out_removed_places(&mut self, over: Over<'s>) {
        if !is_entity(over.0.ty) {
            return;
        }
        let mut places = std::mem::take(&mut self.current_pass().places);
        places.retain(|place| !self.data.removed[usize::from(*place)]);
        self.current_pass().places = places;
    }

    fn pick_place(
        &mut self,
        sequence: SequenceId,
        over: Over<'s>,
        step: Option<StepId>,
    ) -> Result<Flow, Stop> {
        let site = Site::Sequence(sequence);
        let mut places = self.current_pass().places.clone();
        let free = match places.len() {
            1 => None,
            _ => self.chooser(&over.1, NOWHERE, site)?,
        };
        if free.is_none() {
            places.truncate(1);
        }
        let who = free.unwrap_or(Who::Nobody);
        let asked = self.asked(ChoiceKind::Order, who, Site::Places(sequence));
        let take = Take::Place { sequence, step };
        Ok(self.branch_elements(asked, &places, over.0.ty, take))
    }

    /// Goes to a place: begins the step there, or all steps of the place.
    pub(super) fn take_place(&mut self, sequence: SequenceId, step: Option<StepId>, place: u16) {
        let procedure = self.procedure(sequence);
        let Some((binder, ..)) = &procedure.over else {
            return;
        };
        self.current_pass().places.retain(|other| *other != place);
        self.bind(binder.local.index(), i64::from(place));
        match step {
            Some(step) => self.begin_step(step),
            None => {
                let pass = self.current_pass();
                pass.steps.clear();
                match pass.only {
                    Some(only) => pass.steps.push(only),
                    None => pass.steps.extend_from_slice(&procedure.steps),
                }
            }
        }
    }

    fn begin_step(&mut self, step: StepId) {
        let declared = &self.setting.system.steps[step];
        let old = declared.old.then(|| Box::new(self.data.clone()));
        self.notes.push(Note::StepBegan(step));
        if let Some(old) = old {
            self.push(Frame::Step { step, old });
        }
        self.depend(|on| on.on_skipped(step));
        if self.setting.variant.skip == Some(step) {
            self.jump(self.code.end_of(step));
        } else {
            self.enter(declared.body);
        }
    }

    /// The body of a step has ended.
    pub(super) fn end_step(&mut self, step: StepId) -> Result<Flow, Stop> {
        let declared = &self.setting.system.steps[step];
        let held = self
            .frames
            .pop_if(|frame| matches!(frame, Frame::Step { .. }));
        let old = match held {
            Some(Frame::Step { old, .. }) => Some(old),
            // The step does not speak of `old`.
            _ => None,
        };
        self.jump(PASS);
        for (at, condition) in declared.ensures.iter().enumerate() {
            let mut scope = self.scope(Site::Step(step));
            scope.old = old.as_deref();
            if !scope.truth(condition)? {
                self.notes.push(Note::EnsuresFailed(step, at));
            }
        }
        let sequence = self.current_pass().sequence;
        let place = match &self.procedure(sequence).over {
            Some((binder, ..)) => {
                let base = self.stack.last().map_or(0, |top| top.locals);
                local(self.locals[base + binder.local.index()], binder.ty)
            }
            None => Value::None,
        };
        self.notes.push(Note::StepEnded(step, place));
        let at = (self.stack.len() - 1, self.frames.len() - 1);
        if self.cancels(sequence, at, &Cancel::EndOfStep)? {
            self.cancel(at)?;
        }
        Ok(Flow::Go)
    }

    fn end_pass(&mut self, sequence: SequenceId) -> Result<Flow, Stop> {
        let at = (self.stack.len() - 1, self.frames.len() - 1);
        if self.cancels(sequence, at, &Cancel::EndOfPass)? {
            self.cancel(at)?;
            return Ok(Flow::Go);
        }
        self.pop();
        self.jump(RETURN);
        Ok(Flow::On)
    }

    /// Whether the restart rule of the pass in a frame has this policy and is true. Where it has
    /// another one the condition is not looked at.
    fn cancels(
        &mut self,
        sequence: SequenceId,
        (activation, frame): (usize, usize),
        policy: &Cancel,
    ) -> Result<bool, Stop> {
        let Some(rule) = &self.procedure(sequence).restart else {
            return Ok(false);
        };
        match self.frames.get(frame) {
            Some(Frame::Pass(pass)) if pass.only.is_none() => {}
            _ => return Ok(false),
        }
        if !self.may_be(&rule.cancel, policy) {
            return Ok(false);
        }
        let mut scope = self.scope_of(activation, Site::Sequence(sequence));
        let due = scope.truth(&rule.when);
        if matches!(due, Ok(false) | Err(Stop::Consult(_))) {
            return due;
        }
        // How fine the cancel is matters only once there is something to cancel for, or to tell.
        if self.settle_cancel(&rule.cancel)? == *policy {
            return due;
        }
        Ok(false)
    }

    /// Whether a cancel has a policy under some alternative of the readings that are not fixed.
    fn may_be(&self, cancel: &Cancel, policy: &Cancel) -> bool {
        match cancel {
            Cancel::Per(reading, all) => match self.reading(*reading) {
                NOWHERE => all.iter().any(|one| self.may_be(one, policy)),
                at => self.may_be(&all[usize::from(at)], policy),
            },
            other => other == policy,
        }
    }

    fn settle_cancel(&mut self, cancel: &'s Cancel) -> Result<Cancel, Stop> {
        match cancel {
            Cancel::Per(reading, all) => {
                let at = self
                    .scope(Site::Outside(Span::default()))
                    .reading(*reading)?;
                self.settle_cancel(&all[at])
            }
            other => Ok(other.clone()),
        }
    }

    fn carries(&mut self, unfinished: &'s Unfinished) -> Result<bool, Stop> {
        match unfinished {
            Unfinished::Lost => Ok(false),
            Unfinished::Carried => Ok(true),
            Unfinished::Per(reading, all) => {
                let at = self
                    .scope(Site::Outside(Span::default()))
                    .reading(*reading)?;
                self.carries(&all[at])
            }
        }
    }

    /// Whether a statement that takes several small steps has begun and not ended.
    pub(super) fn is_half_done(&self) -> bool {
        let own = self.stack.last().map_or(0, |top| top.frames);
        match &self.frames[own..] {
            [.., Frame::Commit(_), Frame::Interrupt { .. }] => true,
            [.., Frame::Interrupt { todo }] => !todo.is_empty(),
            _ => !self.is_settled(),
        }
    }

    /// Cancels the innermost pass that restarts at once and whose condition holds, if there is one.
    pub(super) fn restart_at_once(&mut self) -> Result<bool, Stop> {
        // A statement that takes several small steps is looked at when it is done.
        if self.is_half_done() {
            return Ok(false);
        }
        // A condition that reads nothing may hold as well, of passes that were not looked at.
        let reads = self.setting.layout.shape.restart_reads;
        let unread = |reads| reads & self.unsettled == 0 && self.unsettled != u64::MAX;
        if reads.is_some_and(unread) {
            debug_assert!(
                self.has_settled(),
                "nothing changed, and yet a pass restarts"
            );
            return Ok(false);
        }
        let Some(pass) = self.restarting()? else {
            self.unsettled = 0;
            return Ok(false);
        };
        self.cancel(pass)?;
        Ok(true)
    }

    /// Whether no pass restarts at once, at no cost.
    fn has_settled(&mut self) -> bool {
        let left = self.budget.get();
        let found = self.restarting();
        self.budget.set(left);
        matches!(found, Ok(None))
    }

    /// The innermost pass that restarts at once and whose condition holds.
    fn restarting(&mut self) -> Result<Option<(usize, usize)>, Stop> {
        for activation in (0..self.stack.len()).rev() {
            let one = self.stack[activation];
            if matches!(one.of, Running::Trigger(_)) {
                return Ok(None);
            }
            // A procedure has its pass before all else.
            let frame = one.frames;
            if let Some(Frame::Pass(pass)) = self.frames.get(frame)
                && !self.code.is_before(one.at)
                && pass.begun
                && !pass.fresh
                && self.cancels(pass.sequence, (activation, frame), &Cancel::AtOnce)?
            {
                return Ok(Some((activation, frame)));
            }
        }
        Ok(None)
    }

    /// Drops what is left of a pass and begins the next.
    fn cancel(&mut self, (activation, frame): (usize, usize)) -> Result<(), Stop> {
        self.fresh = true;
        self.unsettled = u64::MAX;
        let mut elements = Vec::new();
        let mut own = Vec::new();
        let lost = self.loses(frame);
        let mut end = self.frames.len();
        for index in (activation..self.stack.len()).rev() {
            let left = self.unbegun(index, end, lost)?;
            end = self.stack[index].frames;
            if index == activation {
                own.clone_from(&left);
            }
            elements.extend(left);
        }
        if let Some(inner) = self.stack.get(activation + 1) {
            self.locals.truncate(inner.locals);
        }
        self.stack.truncate(activation + 1);
        self.frames.truncate(frame + 1);
        let waiting = self.unbegun_steps(activation, lost)?;
        elements.extend_from_slice(&waiting);
        own.extend(waiting);
        let owed = std::mem::take(&mut self.current_pass().carried);
        elements.extend_from_slice(&owed);
        own.extend(owed);
        let (elements, own) = (self.owed_once(&elements), self.owed_once(&own));
        let sequence = self.current_pass().sequence;
        let procedure = self.procedure(sequence);
        let base = self.stack[activation].locals + procedure.params as usize;
        self.locals[base..].fill(NONE);
        let Some(rule) = &procedure.restart else {
            unreachable!("only a procedure with a restart rule is cancelled");
        };
        let carried = !own.is_empty() && self.carries(&rule.unfinished)?;
        let pass = self.current_pass();
        let mut steps: Vec<StepId> = std::mem::take(&mut pass.steps).into_vec();
        if !pass.places.is_empty() {
            match pass.current {
                Some(step) => steps.push(step),
                None => steps.extend_from_slice(&procedure.steps),
            }
            steps.sort();
            steps.dedup();
        }
        pass.places.clear();
        pass.current = None;
        pass.placed = false;
        pass.begun = false;
        pass.fresh = true;
        pass.carried = if carried { own } else { Vec::new() };
        let lost = Note::lost(&elements, &pass.carried);
        let elements = elements.into_iter();
        let elements = elements.map(|(stmt, one)| {
            let ty = self.each(stmt).binder.ty;
            (stmt, value(i64::from(one), ty))
        });
        let note = Note::Cancelled {
            sequence,
            steps,
            elements: elements.collect(),
            lost,
        };
        self.notes.push(note);
        match rule.before {
            Some(before) => self.enter(before),
            None => self.jump(PASS),
        }
        Ok(())
    }

    /// Whether it is known that nothing is carried over when a pass is cancelled.
    fn loses(&mut self, frame: usize) -> bool {
        let Frame::Pass(pass) = &self.frames[frame] else {
            unreachable!("only a pass is cancelled");
        };
        let rule = &self.procedure(pass.sequence).restart;
        let rule = rule.as_ref().map(|rule| &rule.unfinished);
        rule.is_some_and(|unfinished| matches!(self.carries(unfinished), Ok(false)))
    }
}
