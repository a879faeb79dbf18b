//! Restarts: when a pass is cancelled, what it drops, and what the next one owes.

use std::cell::RefCell;

use super::iterate::lies;
use super::machine::{Flow, Machine};
use super::next::{Note, Tag};
use super::state::{Frame, Running, Site};
use super::stop::Stop;
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{
    Binder, Cancel, Expr, ExprKind, Order, Restart, SequenceId, StmtId, StmtKind, Unfinished, Value,
};

impl Machine<'_> {
    /// Whether the restart rule of the pass at a place of the stack has this policy and is true. Where
    /// it has another one the condition is not looked at.
    pub(super) fn cancels(
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
        let frames = self.state.control.last().map(|one| one.frames.as_slice());
        match frames {
            Some([.., Frame::Commit(_), Frame::Interrupt { .. }]) => true,
            Some([.., Frame::Interrupt { todo }]) => !todo.is_empty(),
            _ => !self.state.is_settled(),
        }
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
    pub(super) fn cancel(&mut self, (activation, frame): (usize, usize)) -> Result<(), Stop> {
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
        let lost = Note::lost(&elements, &pass.carried);
        self.notes.push(Note::Cancelled {
            sequence,
            steps,
            elements,
            lost,
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
            // Nobody is left out whose turn has not come: turns go round.
            if self.takes_turns(*stmt)? {
                continue;
            }
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
                let StmtKind::ForEach { binder, order, .. } = &program.stmts[stmt].kind else {
                    continue;
                };
                if depends_on_step(binder, params) || self.drops_no_turn(stmt, lost)? {
                    continue;
                }
                let mut elements = self.dropped(activation, (stmt, binder), lost)?;
                if !lost {
                    let asked = (order, lies(binder), Site::Stmt(stmt));
                    elements = self.as_taken(asked, elements)?;
                }
                found.extend(elements.into_iter().map(|element| (stmt, element)));
            }
        }
        Ok(found)
    }

    /// Whether an iteration that has not begun takes turns, of which none is dropped; so too where a reading that is
    /// not fixed decides that, and what is dropped is only told.
    fn drops_no_turn(&mut self, stmt: StmtId, lost: bool) -> Result<bool, Stop> {
        let StmtKind::ForEach { domain, .. } = &self.program().stmts[stmt].kind else {
            return Ok(false);
        };
        if !domain.takes_turns() {
            return Ok(false);
        }
        match self.takes_turns(stmt) {
            Err(Stop::Consult(_)) if lost => Ok(true),
            turns => turns,
        }
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

    /// Elements in the order in which they would be taken now; as they are if that has no value.
    fn as_taken(
        &mut self,
        (order, lying, site): (&Order, bool, Site),
        elements: Vec<Value>,
    ) -> Result<Vec<Value>, Stop> {
        let arranged = self.arrange(order, lying, elements.clone(), site);
        match arranged.and_then(|arranged| self.ranked((order, lying, site), arranged, &[])) {
            Err(Stop::Tag(Tag::Gap(_))) => Ok(elements),
            taken => Ok(taken?.0),
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
                | ExprKind::Endmost(_, inner)
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
