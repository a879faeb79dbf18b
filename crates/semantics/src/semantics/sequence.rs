//! Passes of sequences: which step comes next, when a step ends, and when everything starts again.
//!
//! ```text
//! sequence cleanup                      control: [Pass{steps: [spells, souls]}, Step(destroy), Block]
//!   restart when effects is not empty   the rule "destroy" queues an effect
//!     cancel at end of step             control: [Pass{}, Before, Block(resolve effects)]
//! ```

use super::iterate::lies;
use super::machine::{Flow, Machine};
use super::next::{ChoiceKind, Key, Note};
use super::state::{Frame, Pass, Site, Who};
use super::stop::Stop;
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{
    Cancel, ExprKind, ListPolicy, Nest, NestOver, SequenceId, StepId, Value,
};

impl Machine<'_> {
    pub(super) fn current_pass(&mut self) -> &mut Pass {
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
        let begins_anew = declared.restart.is_some();
        self.notes.push(Note::PassBegan(sequence));
        self.notes.extend(begins_anew.then_some(Note::Cut));
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
            _ => self.chooser(&over.order, None, site)?,
        };
        let local = over.binder.local.index();
        let ty = over.binder.ty.into();
        if free.is_none() {
            places.truncate(1);
        }
        let who = free.unwrap_or(Who::Nobody);
        let asked = self.asked(ChoiceKind::Order, who, Site::Places(sequence));
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
}
