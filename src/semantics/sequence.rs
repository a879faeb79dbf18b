//! Passes of sequences: which step comes next, when a step ends, and when everything starts again.
//!
//! ```text
//! sequence cleanup                      control: [Pass{steps: [spells, souls]}, Step(destroy), Block]
//!   restart when effects is not empty   the rule "destroy" queues an effect
//!     cancel at end of step             control: [Pass{}, Before, Block(resolve effects)]
//! ```

use std::cell::RefCell;

use super::iterate::lies;
use super::machine::{Flow, Machine};
use super::next::{ChoiceKind, Key, Note, Tag, Who};
use super::state::{Frame, Pass, Running, Site};
use super::stop::Stop;
use crate::index::Id;
use crate::source::Span;
use crate::typing::program::{
    Binder, Cancel, Expr, ExprKind, ListPolicy, Nest, NestOver, Restart, SequenceId, StepId,
    StmtId, StmtKind, Unfinished, Value,
};

impl Machine<'_> {
    fn current_pass(&mut self) -> &mut Pass {
        match self.frames().last_mut() {
            Some(Frame::Pass(pass)) => pass,
            other => unreachable!("expected a pass, found {other:?}"),
        }
    }

    /// The innermost frame is a pass: begin it, or go on with it, or end it.
    pub fn pass(&mut self) -> Result<Flow, Stop> {
        let sequence = self.current_pass().sequence;
        if !self.current_pass().begun {
            return self.begin_pass(sequence);
        }
        let declared = &self.program().sequences[sequence];
        match &declared.over {
            None => self.next_step(sequence),
            Some(over) => match self.nest(sequence, over)? {
                Nest::Places => self.next_of_place(sequence, over),
                Nest::Steps | Nest::Unspecified(_) => self.next_place_of_step(sequence, over),
            },
        }
    }

    fn nest(&mut self, sequence: SequenceId, over: &NestOver) -> Result<Nest, Stop> {
        let Nest::Unspecified(reading) = over.nest else {
            return Ok(over.nest);
        };
        // With one step, or no place, there is nothing to nest.
        if !self.it.readings.contains_key(&reading) {
            let only = self.current_pass().only.is_some();
            let site = Site::Sequence(sequence);
            if only
                || self.program().sequences[sequence].steps.len() < 2
                || self
                    .eval(site, |scope| scope.elements(&over.binder))?
                    .is_empty()
            {
                return Ok(Nest::Steps);
            }
        }
        let site = Site::Outside(Span::default());
        let alternative = self.eval(site, |scope| scope.reading(reading))?;
        Ok(if alternative == 0 {
            Nest::Steps
        } else {
            Nest::Places
        })
    }

    fn begin_pass(&mut self, sequence: SequenceId) -> Result<Flow, Stop> {
        let declared = &self.program().sequences[sequence];
        let by_place = match &declared.over {
            Some(over) if self.nest(sequence, over)? == Nest::Places => Some(over),
            Some(_) | None => None,
        };
        let places = match by_place {
            Some(over) => self.places(sequence, over)?,
            None => Vec::new(),
        };
        let pass = self.current_pass();
        let steps = pass
            .only
            .map_or_else(|| declared.steps.clone(), |only| vec![only]);
        pass.steps = if by_place.is_some() {
            Vec::new()
        } else {
            steps
        };
        pass.places = places;
        pass.current = None;
        pass.fresh = true;
        pass.begun = true;
        self.notes.push(Note::PassBegan(sequence));
        self.notes.push(Note::Cut);
        Ok(Flow::Go)
    }

    fn places(&mut self, sequence: SequenceId, over: &NestOver) -> Result<Vec<Value>, Stop> {
        let site = Site::Sequence(sequence);
        let elements = self.eval(site, |scope| scope.elements(&over.binder))?;
        self.arrange(&over.order, lies(&over.binder), elements, site)
    }

    fn next_step(&mut self, sequence: SequenceId) -> Result<Flow, Stop> {
        if self.current_pass().steps.is_empty() {
            return self.end_pass(sequence);
        }
        self.pick_step(sequence, false)
    }

    /// Takes one of the steps left; `keep`: it becomes the current step of `nest steps`.
    fn pick_step(&mut self, sequence: SequenceId, keep: bool) -> Result<Flow, Stop> {
        let site = Site::Sequence(sequence);
        let precedes = &self.program().sequences[sequence].precedes;
        let left = self.current_pass().steps.clone();
        let waits = |step: &StepId| {
            let mut before = precedes.iter().filter(|(_, later)| later == step);
            before.any(|(earlier, _)| left.contains(earlier))
        };
        let mut offered = left.clone();
        // INVARIANT: the pairs form no circle, so that one step is always left.
        offered.retain(|step| !waits(step));
        let who = match &self.program().sequences[sequence].policy {
            _ if left.len() == 1 || offered.len() == 1 => None,
            ListPolicy::InOrder => None,
            ListPolicy::Any => Some(Who::Nobody),
            ListPolicy::Chosen(by) => Some(self.who(by, site)?),
            ListPolicy::Unspecified(reading) => {
                let free = self.eval(site, |scope| scope.reading(*reading))? == 1;
                free.then_some(Who::Nobody)
            }
        };
        let mut keys: Vec<Key> = offered.into_iter().map(Key::Step).collect();
        let who = who.unwrap_or_else(|| {
            keys.truncate(1);
            Who::Nobody
        });
        let asked = self.asked(ChoiceKind::Order, who, site);
        Ok(self.branch(asked, keys, |machine, key| {
            let Key::Step(step) = key else { return };
            let pass = machine.current_pass();
            pass.steps.retain(|other| other != step);
            if keep {
                pass.current = Some(*step);
                machine.notes.push(Note::Cut);
            } else {
                machine.begin_step(*step);
            }
        }))
    }

    /// `nest places`: the next step of the current place, or the next place.
    fn next_of_place(&mut self, sequence: SequenceId, over: &NestOver) -> Result<Flow, Stop> {
        if !self.current_pass().steps.is_empty() {
            return self.pick_step(sequence, false);
        }
        self.leave_out_removed_places();
        if self.current_pass().places.is_empty() {
            self.bind(over.binder.local.index(), Value::None);
            return self.end_pass(sequence);
        }
        let all = self.program().sequences[sequence].steps.clone();
        self.pick_place(sequence, over, move |machine| {
            let pass = machine.current_pass();
            pass.steps = pass.only.map_or_else(|| all.clone(), |only| vec![only]);
        })
    }

    /// `nest steps`: the next place of the current step, or the next step.
    fn next_place_of_step(&mut self, sequence: SequenceId, over: &NestOver) -> Result<Flow, Stop> {
        let Some(step) = self.current_pass().current else {
            if self.current_pass().steps.is_empty() {
                self.bind(over.binder.local.index(), Value::None);
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
        self.leave_out_removed_places();
        if self.current_pass().places.is_empty() {
            let pass = self.current_pass();
            pass.current = None;
            pass.placed = false;
            return Ok(Flow::On);
        }
        self.pick_place(sequence, over, move |machine| machine.begin_step(step))
    }

    /// A place that was removed is skipped in its turn.
    fn leave_out_removed_places(&mut self) {
        let places = std::mem::take(&mut self.current_pass().places);
        self.current_pass().places = self.present(places);
    }

    fn pick_place(
        &mut self,
        sequence: SequenceId,
        over: &NestOver,
        then: impl Fn(&mut Self),
    ) -> Result<Flow, Stop> {
        let site = Site::Sequence(sequence);
        let mut places = self.current_pass().places.clone();
        let free = match places.len() {
            1 => None,
            _ => self.chooser(&over.order, site)?,
        };
        let local = over.binder.local.index();
        let ty = over.binder.ty.into();
        if free.is_none() {
            places.truncate(1);
        }
        let asked = self.asked(ChoiceKind::Order, free.unwrap_or(Who::Nobody), site);
        let keys = places
            .into_iter()
            .map(|place| Key::Element(place, ty))
            .collect();
        Ok(self.branch(asked, keys, |machine, key| {
            let Key::Element(place, _) = key else { return };
            machine.current_pass().places.retain(|other| other != place);
            machine.bind(local, *place);
            then(machine);
        }))
    }

    fn begin_step(&mut self, step: StepId) {
        let declared = &self.program().steps[step];
        let asks = declared
            .ensures
            .iter()
            .any(|e| e.any(&|e| matches!(e.kind, ExprKind::Old(_))));
        let old = asks.then(|| Box::new(self.state.data.clone()));
        self.notes.push(Note::StepBegan(step));
        self.push(Frame::Step { step, old });
        if self.it.variant.skip != Some(step) {
            self.enter(declared.body);
        }
    }

    /// The innermost frame is a step whose body has ended.
    pub fn end_step(&mut self) -> Result<Flow, Stop> {
        let Some(Frame::Step { step, old }) = self.frames().last().cloned() else {
            unreachable!("expected a step");
        };
        let declared = &self.program().steps[step];
        for (at, condition) in declared.ensures.iter().enumerate() {
            let old = old.as_deref();
            let top = self.state.control.last_mut();
            let mut none = Vec::new();
            let locals = top.map_or(&mut none, |top| &mut top.locals);
            let data = &self.state.data;
            if !self
                .it
                .scope((data, old), locals, Site::Step(step), &self.budget)
                .truth(condition)?
            {
                self.notes.push(Note::EnsuresFailed(step, at));
            }
        }
        self.pop();
        let over = &self.program().sequences[self.program().steps[step].sequence].over;
        let place = over.as_ref().map_or(Value::None, |over| {
            self.top().locals[over.binder.local.index()]
        });
        self.notes.push(Note::StepEnded(step, place));
        let pass = match self.frames().last() {
            Some(Frame::Pass(pass)) => pass.sequence,
            other => unreachable!("a step outside a pass: {other:?}"),
        };
        let at = (self.state.control.len() - 1, self.frames().len() - 1);
        if self.cancels(pass, at, &Cancel::EndOfStep)? {
            self.cancel(at)?;
        }
        Ok(Flow::Go)
    }

    fn end_pass(&mut self, sequence: SequenceId) -> Result<Flow, Stop> {
        let at = (self.state.control.len() - 1, self.frames().len() - 1);
        if self.cancels(sequence, at, &Cancel::EndOfPass)? {
            self.cancel(at)?;
            return Ok(Flow::Go);
        }
        self.pop();
        Ok(Flow::On)
    }

    /// Whether the restart rule of the pass at a place of the stack has this policy and is true. Where
    /// it has another one the condition is not looked at.
    fn cancels(
        &mut self,
        sequence: SequenceId,
        (activation, frame): (usize, usize),
        policy: &Cancel,
    ) -> Result<bool, Stop> {
        let Some(Frame::Pass(pass)) = self.state.control[activation].frames.get(frame) else {
            return Ok(false);
        };
        let Some(rule) = &self.program().sequences[sequence].restart else {
            return Ok(false);
        };
        if pass.only.is_some() {
            return Ok(false);
        }
        if !self.may_be(&rule.cancel, policy) {
            return Ok(false);
        }
        let site = Site::Sequence(sequence);
        let locals = &mut self.state.control[activation].locals;
        let mut scope = self
            .it
            .scope((&self.state.data, None), locals, site, &self.budget);
        let due = scope.truth(&rule.when);
        match due {
            Ok(false) | Err(Stop::Consult(_)) => due,
            // How fine the cancel is matters only once there is something to cancel for, or to tell.
            Ok(true) | Err(Stop::Tag(_)) => match self.settle_cancel(&rule.cancel)? == *policy {
                true => due,
                false => Ok(false),
            },
        }
    }

    /// Whether a cancel has a policy under some alternative of the readings that are not fixed.
    fn may_be(&self, cancel: &Cancel, policy: &Cancel) -> bool {
        let Cancel::Per(reading, alternatives) = cancel else {
            return cancel == policy;
        };
        match self.it.readings.get(reading) {
            Some(&at) => self.may_be(&alternatives[usize::from(at)], policy),
            None => alternatives.iter().any(|one| self.may_be(one, policy)),
        }
    }

    fn settle_cancel(&mut self, cancel: &Cancel) -> Result<Cancel, Stop> {
        let Cancel::Per(reading, alternatives) = cancel else {
            return Ok(cancel.clone());
        };
        let site = Site::Outside(Span::default());
        let at = self.eval(site, |scope| scope.reading(*reading))?;
        self.settle_cancel(&alternatives[at])
    }

    fn carries(&mut self, unfinished: &Unfinished) -> Result<bool, Stop> {
        match unfinished {
            Unfinished::Lost => Ok(false),
            Unfinished::Carried => Ok(true),
            Unfinished::Per(reading, alternatives) => {
                let site = Site::Outside(Span::default());
                let at = self.eval(site, |scope| scope.reading(*reading))?;
                self.carries(&alternatives[at])
            }
        }
    }

    /// Whether a statement that takes several small steps has begun and not ended.
    pub(super) fn is_half_done(&self) -> bool {
        let top = self.state.control.last().and_then(|one| one.frames.last());
        let interrupted = matches!(top, Some(Frame::Interrupt { todo }) if !todo.is_empty());
        interrupted || !self.state.is_settled()
    }

    /// Cancels the innermost pass that restarts at once and whose condition holds, if there is one.
    pub fn restart_at_once(&mut self) -> Result<bool, Stop> {
        if self.is_half_done() {
            return Ok(false);
        }
        for activation in (0..self.state.control.len()).rev() {
            if matches!(self.state.control[activation].of, Running::Trigger(_)) {
                return Ok(false);
            }
            let mut suspended = false;
            for frame in (0..self.state.control[activation].frames.len()).rev() {
                match &self.state.control[activation].frames[frame] {
                    Frame::Before => suspended = true,
                    Frame::Pass(pass) if !suspended && pass.begun && !pass.fresh => {
                        let sequence = pass.sequence;
                        let at = (activation, frame);
                        if self.cancels(sequence, at, &Cancel::AtOnce)? {
                            self.cancel(at)?;
                            return Ok(true);
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(false)
    }

    /// Drops what is left of a pass and begins the next.
    fn cancel(&mut self, (activation, frame): (usize, usize)) -> Result<(), Stop> {
        let mut elements = Vec::new();
        let mut own = Vec::new();
        let lost = self.loses((activation, frame));
        for index in (activation..self.state.control.len()).rev() {
            let left = self.unbegun(index, lost)?;
            if index == activation {
                own.clone_from(&left);
            }
            elements.extend(left);
        }
        self.state.control.truncate(activation + 1);
        self.frames().truncate(frame + 1);
        let waiting = self.unbegun_steps((activation, frame), lost)?;
        elements.extend(waiting.iter().copied());
        own.extend(waiting);
        // What an earlier cancel left over and this pass has not come to is left over again.
        let owed = std::mem::take(&mut self.current_pass().carried);
        elements.extend(owed.iter().copied());
        own.extend(owed);
        // An element is owed once, however often it was dropped: else an endless loop never closes.
        let (elements, own) = (self.owed_once(elements), self.owed_once(own));
        let sequence = self.current_pass().sequence;
        let declared = &self.program().sequences[sequence];
        let params = declared.params.len();
        self.top().locals[params..].fill(Value::None);
        let rule: &Restart = match &declared.restart {
            Some(rule) => rule,
            None => unreachable!("only a sequence with a restart rule is cancelled"),
        };
        // What becomes of the rest matters only if there is one.
        let carried = !own.is_empty() && self.carries(&rule.unfinished)?;
        let pass = self.current_pass();
        let mut steps = std::mem::take(&mut pass.steps);
        if !pass.places.is_empty() {
            // Steps of places not begun, or places of the current step not begun.
            steps.extend(
                pass.current
                    .map_or_else(|| declared.steps.clone(), |step| vec![step]),
            );
            steps.sort();
            steps.dedup();
        }
        pass.places.clear();
        pass.current = None;
        pass.placed = false;
        pass.begun = false;
        pass.fresh = true;
        pass.carried = if carried { own } else { Vec::new() };
        self.notes.push(Note::Cancelled {
            sequence,
            steps,
            elements,
            carried,
        });
        if let Some(before) = rule.before {
            self.push(Frame::Before);
            self.enter(before);
        }
        Ok(())
    }

    /// The elements in their order, each once, without those that were removed.
    fn owed_once(&self, elements: Vec<(StmtId, Value)>) -> Vec<(StmtId, Value)> {
        let mut once = Vec::new();
        for (stmt, element) in elements {
            let gone = matches!(
                element,
                Value::Entity(id) if self.state.data.entities[id.index()].removed
            );
            if !gone && !once.contains(&(stmt, element)) {
                once.push((stmt, element));
            }
        }
        once
    }

    /// The elements not begun of the iterations of an activation.
    fn unbegun(&mut self, activation: usize, lost: bool) -> Result<Vec<(StmtId, Value)>, Stop> {
        let mut found = Vec::new();
        let frames = self.state.control[activation].frames.clone();
        for frame in &frames {
            let Frame::Iterate {
                stmt,
                todo,
                visited,
                ..
            } = frame
            else {
                continue;
            };
            let mut left = todo.clone();
            if self.is_live(*stmt)? {
                let StmtKind::ForEach { binder, .. } = &self.program().stmts[*stmt].kind else {
                    continue;
                };
                left.extend(self.dropped(activation, (*stmt, binder), lost)?);
                left.retain(|element| !visited.contains(element));
            }
            found.extend(left.into_iter().map(|element| (*stmt, element)));
        }
        Ok(found)
    }

    /// The elements, now, of the iterations that stand directly in the steps not begun, where they
    /// can be told without running what comes before them in the step.
    fn unbegun_steps(
        &mut self,
        (activation, frame): (usize, usize),
        lost: bool,
    ) -> Result<Vec<(StmtId, Value)>, Stop> {
        let program = self.program();
        let Some(Frame::Pass(pass)) = self.state.control[activation].frames.get(frame) else {
            return Ok(Vec::new());
        };
        let declared = &program.sequences[pass.sequence];
        if declared.over.is_some() {
            return Ok(Vec::new());
        }
        let params = declared.params.len();
        let mut found = Vec::new();
        for step in pass.steps.clone() {
            for &stmt in &program.blocks[program.steps[step].body].stmts {
                let StmtKind::ForEach { binder, .. } = &program.stmts[stmt].kind else {
                    continue;
                };
                if depends_on_step(binder, params) {
                    continue;
                }
                let elements = self.dropped(activation, (stmt, binder), lost)?;
                found.extend(elements.into_iter().map(|element| (stmt, element)));
            }
        }
        Ok(found)
    }

    /// The elements that an iteration would have now; none if they have no value.
    fn dropped(
        &mut self,
        activation: usize,
        (stmt, binder): (StmtId, &Binder),
        lost: bool,
    ) -> Result<Vec<Value>, Stop> {
        let locals = &mut self.state.control[activation].locals;
        let mut scope = self.it.scope(
            (&self.state.data, None),
            locals,
            Site::Stmt(stmt),
            &self.budget,
        );
        match scope.elements(binder) {
            Err(Stop::Tag(Tag::Gap(_))) => Ok(Vec::new()),
            // What is lost is only told: no reading is consulted for it.
            Err(Stop::Consult(_)) if lost => Ok(Vec::new()),
            elements => elements,
        }
    }

    /// Whether it is known that nothing is carried over when a pass is cancelled.
    fn loses(&mut self, (activation, frame): (usize, usize)) -> bool {
        let Some(Frame::Pass(pass)) = self.state.control[activation].frames.get(frame) else {
            unreachable!("only a pass is cancelled");
        };
        let rule = &self.program().sequences[pass.sequence].restart;
        let rule = rule.as_ref().map(|rule| &rule.unfinished);
        rule.is_some_and(|unfinished| self.carries(unfinished) == Ok(false))
    }

    /// `before restarting` has ended.
    pub fn end_before(&mut self) -> Result<Flow, Stop> {
        self.pop();
        Ok(Flow::On)
    }
}

/// Whether a binder uses a local that only the statements before it in its step bind.
fn depends_on_step(binder: &Binder, params: usize) -> bool {
    let mut bound = vec![binder.local];
    for e in binder.children() {
        let own = RefCell::new(Vec::new());
        e.any(&|e| {
            match &e.kind {
                ExprKind::Count(inner)
                | ExprKind::Sum(_, inner)
                | ExprKind::Extreme(_, _, inner)
                | ExprKind::Quantified(_, inner, _) => own.borrow_mut().push(inner.local),
                ExprKind::Turn {
                    such_that: Some((local, _)),
                    ..
                } => own.borrow_mut().push(*local),
                _ => {}
            }
            false
        });
        bound.extend(own.into_inner());
    }
    let foreign = |e: &Expr| match e.kind {
        ExprKind::Local(local) => local.index() >= params && !bound.contains(&local),
        _ => false,
    };
    binder.children().into_iter().any(|e| e.any(&foreign))
}
