//! Operations: what executing one does. Everything is evaluated before anything is written.

use std::sync::Arc;

use super::eval::{gap, overflow};
use super::groups::{ENTITIES, of_field, of_var};
use super::inst::List;
use super::layout::small;
use super::machine::{Flow, Machine};
use super::point::Take;
use super::state::Frame;
use crate::ir::{Arm, Effect, Expr, NONE, Op, OpKind, Place, Policy, Target};
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{BlockId, EntityId, SequenceId, StepId, StmtId};
use endstep_semantics::semantics::{
    ChoiceKind, GapCause, GapName, Key, Note, Running, Site, Spot, Stop, Tag, Who,
};

/// Where something is put: at an end of a zone (`true`: the first), or next to an entity that lies in one
/// (`true`: after it).
#[derive(Clone, Copy)]
enum Landing {
    In(u16, bool),
    Beside(usize, bool),
}

impl<'s> Machine<'s> {
    /// Executes an operation.
    #[allow(
        clippy::too_many_lines,
        reason = "a flat match with one arm for each form"
    )]
    pub(super) fn execute(&mut self, id: StmtId) -> Result<Flow, Stop> {
        let op: &'s Op = &self.setting.system.ops[id];
        let site = Site::Stmt(id);
        let before = self.before(&op.kind);
        match &op.kind {
            OpKind::Skip | OpKind::Meet(_) => {}
            OpKind::Pass => self.pass_turn()?,
            OpKind::Let(local, e) => {
                let n = self.scope(site).value(e)?;
                self.bind(local.index(), n);
            }
            OpKind::Set(place, e) => {
                let mut scope = self.scope(site);
                let write = (scope.spot(place)?, scope.value(e)?);
                self.write(&[write])?;
            }
            OpKind::Add {
                place,
                sign,
                by,
                bound,
            } => self.add(place, *sign, (by, bound.as_ref()), site)?,
            OpKind::Transfer { amount, from, to } => self.transfer(amount, from, to, site)?,
            OpKind::Move(of, target) => {
                let entity = self.scope(site).entity(of)?;
                let landing = self.landing(target, site)?;
                self.place(entity, landing)?;
            }
            OpKind::MoveAll(from, target) => {
                let contents = self.scope(site).contents(from)?;
                self.move_all(contents, target, site)?;
            }
            OpKind::Remove(of, _) => {
                let entity = self.scope(site).entity(of)?;
                self.touch(ENTITIES);
                self.writer().remove(&mut self.data, entity);
            }
            OpKind::Create { .. } => self.create(&op.kind, site)?,
            OpKind::Announce(event, args) => {
                let mut payload = Vec::with_capacity(args.len());
                for arg in args {
                    payload.push(self.scope(site).value(arg)?);
                }
                self.announce(*event, &payload)?;
            }
            OpKind::Resolve { .. } => self.jump(self.code.back(id)),
            OpKind::Call(sequence, args) => return self.call(*sequence, args, site),
            OpKind::Leave(sequence) => self.leave(*sequence, site, op.span)?,
            OpKind::GoTo(to) => self.go_to(id, *to),
            OpKind::Stop(effect) => return self.stop(effect, site),
            OpKind::If(arms, otherwise) => {
                let taken = self.first(arms, *otherwise, site)?;
                if let Some(block) = taken {
                    self.enter(block);
                }
            }
            OpKind::Switch(reading, blocks) => {
                let at = self.scope(site).reading(*reading)?;
                self.enter(blocks[at]);
            }
            OpKind::Cases {
                policy,
                arms,
                otherwise,
            } => return self.cases(id, policy, (arms, *otherwise), op.span),
            OpKind::Each(_) => return self.begin_iteration(id),
            OpKind::Repeat(..) => return self.begin_repeat(id),
            OpKind::Atomic(block) => return self.together(id, *block),
            OpKind::Shuffle(_)
            | OpKind::ChooseElement(..)
            | OpKind::ChooseNumber { .. }
            | OpKind::ChooseBlock(..)
            | OpKind::Distribute { .. }
            | OpKind::ChooseValue { .. } => return self.ask(id, op),
        }
        if let Some(before) = before {
            self.raise(id, &before)?;
        }
        Ok(Flow::Go)
    }

    /// The block of the first true guard.
    pub(super) fn first(
        &mut self,
        arms: &[(Expr, BlockId)],
        otherwise: Option<BlockId>,
        site: Site,
    ) -> Result<Option<BlockId>, Stop> {
        for (guard, block) in arms {
            if self.scope(site).truth(guard)? {
                return Ok(Some(*block));
            }
        }
        Ok(otherwise)
    }

    fn cases(
        &mut self,
        id: StmtId,
        policy: &Policy,
        (arms, otherwise): (&'s [(Expr, BlockId)], Option<BlockId>),
        span: Span,
    ) -> Result<Flow, Stop> {
        let site = Site::Stmt(id);
        let mut open = Vec::new();
        for (at, (guard, _)) in arms.iter().enumerate() {
            if self.scope(site).truth(guard)? {
                open.push(at);
                if matches!(policy, Policy::InOrder) {
                    break;
                }
            }
        }
        if open.is_empty() {
            let Some(block) = otherwise else {
                return Err(gap(GapCause::NoCase, site, span));
            };
            self.enter(block);
            return Ok(Flow::Go);
        }
        let (kind, who) = match policy {
            Policy::Exclusive => (ChoiceKind::Gap, Who::Nobody),
            Policy::InOrder => (ChoiceKind::Selection, Who::Nobody),
            Policy::Chosen(by) => (ChoiceKind::Selection, self.who(by, site)?),
        };
        if kind == ChoiceKind::Gap && open.len() > 1 {
            self.notes.push(Note::Conflict(site));
        }
        let asked = self.asked(kind, who, site);
        let keys = open.into_iter().map(|at| Key::Case(id, at)).collect();
        Ok(self.branch(asked, keys, Take::Case))
    }

    /// The blocks that are offered.
    pub(super) fn offered(&mut self, arms: &[Arm], id: StmtId) -> Result<Vec<Key>, Stop> {
        let mut keys = Vec::with_capacity(arms.len());
        let mut scope = self.scope(Site::Stmt(id));
        for (at, arm) in arms.iter().enumerate() {
            let offered = match &arm.guard {
                Some(guard) => scope.truth(guard)?,
                None => true,
            };
            if offered {
                keys.push(match arm.taken {
                    Some(taken) => Key::Taken(id, taken),
                    None => Key::Option(id, at),
                });
            }
        }
        Ok(keys)
    }

    /// Writes all or nothing.
    pub(super) fn write(&mut self, writes: &[(Spot, i64)]) -> Result<(), Stop> {
        if writes.iter().any(|(spot, _)| self.keeps(*spot)) {
            // Only one place at a time is added to.
            return Ok(());
        }
        if let Some(trace) = &mut self.trace {
            trace.writes.extend(writes.iter().map(|(spot, _)| *spot));
        }
        for (spot, _) in writes {
            self.touch(match spot {
                Spot::Var(var) => of_var(*var),
                Spot::Field(_, field) => of_field(*field),
            });
        }
        self.writer().write(&mut self.data, writes)
    }

    fn add(
        &mut self,
        place: &Place,
        sign: i64,
        (by, bound): (&Expr, Option<&Expr>),
        site: Site,
    ) -> Result<(), Stop> {
        let mut scope = self.scope(site);
        let spot = scope.spot(place)?;
        let by = scope.value(by)?;
        let bound = match bound {
            Some(bound) => Some(scope.value(bound)?),
            None => None,
        };
        let held = scope.held(spot);
        let delta = by.checked_mul(sign).ok_or_else(overflow)?;
        let mut n = held.checked_add(delta).ok_or_else(overflow)?;
        if let Some(bound) = bound
            && by >= 0
        {
            n = if sign > 0 {
                n.min(bound.max(held))
            } else {
                n.max(bound.min(held))
            };
        }
        if n < 0 && self.writer().domain(spot).supply {
            return Err(gap(GapCause::ShortSupply, site, place.span()));
        }
        self.write(&[(spot, n)])
    }

    fn transfer(
        &mut self,
        amount: &Expr,
        from: &Place,
        to: &Place,
        site: Site,
    ) -> Result<(), Stop> {
        let writer = self.writer();
        let mut scope = self.scope(site);
        let n = scope.value(amount)?;
        if n < 0 {
            return Err(scope.gap(GapCause::NegativeAmount, amount.span));
        }
        let (source, target) = (scope.spot(from)?, scope.spot(to)?);
        let held = scope.held(source);
        if writer.domain(source).supply && held < n {
            return Err(scope.gap(GapCause::ShortSupply, from.span()));
        }
        if source == target {
            return Ok(());
        }
        let left = held.checked_sub(n).ok_or_else(overflow)?;
        let given = scope.held(target).checked_add(n).ok_or_else(overflow)?;
        self.write(&[(source, left), (target, given)])
    }

    fn move_all(&mut self, mut contents: List, target: &Target, site: Site) -> Result<(), Stop> {
        let landing = self.landing(target, site)?;
        if matches!(target, Target::Zone(true, _) | Target::Beside(true, _)) {
            contents.reverse();
        }
        let before = self.data.clone();
        for entity in contents {
            if let Err(stop) = self.place(usize::from(entity), landing) {
                self.data = before;
                return Err(stop);
            }
        }
        Ok(())
    }

    /// The place that a target names, if there is such a place.
    fn landing(&mut self, target: &Target, site: Site) -> Result<Landing, Stop> {
        match target {
            Target::Zone(first, zone) => Ok(Landing::In(self.scope(site).zone(zone)?, *first)),
            Target::Beside(after, beside) => {
                let other = self.scope(site).entity(beside)?;
                match self.data.place_of(other) {
                    Some(_) => Ok(Landing::Beside(other, *after)),
                    None => Err(gap(GapCause::LiesNowhere, site, beside.span)),
                }
            }
        }
    }

    fn place(&mut self, entity: usize, landing: Landing) -> Result<(), Stop> {
        self.touch(ENTITIES);
        let writer = self.writer();
        match landing {
            Landing::In(zone, first) => writer.move_to(&mut self.data, entity, (zone, first)),
            Landing::Beside(other, after) => {
                writer.move_beside(&mut self.data, entity, (other, after))
            }
        }
    }

    fn create(&mut self, op: &OpKind, site: Site) -> Result<(), Stop> {
        let OpKind::Create {
            sort,
            local,
            target,
            with,
        } = op
        else {
            unreachable!("not a creation");
        };
        let mut values = Vec::with_capacity(with.len());
        for (field, e) in with {
            values.push((*field, self.scope(site).value(e)?));
        }
        let landing = match target {
            Some(target) => Some(self.landing(target, site)?),
            None => None,
        };
        self.touch(u64::MAX);
        let before = self.data.clone();
        let reusable = self.reusable(*sort);
        let made = self.writer().create(&mut self.data, *sort, reusable)?;
        let id = EntityId::from_index(made);
        let writes: Vec<_> = values
            .into_iter()
            .map(|(field, n)| (Spot::Field(id, field), n))
            .collect();
        let mut done = self.write(&writes);
        if let (Ok(()), Some(landing)) = (&done, landing) {
            done = self.place(made, landing);
        }
        if let Err(stop) = done {
            self.data = before;
            return Err(stop);
        }
        if let Some(local) = local {
            self.bind(local.index(), i64::from(small(made)));
        }
        Ok(())
    }

    fn call(&mut self, sequence: SequenceId, args: &[Expr], site: Site) -> Result<Flow, Stop> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.scope(site).value(arg)?);
        }
        self.depend(|on| on.on_contract(sequence));
        if self.setting.variant.contracts.contains(&sequence) {
            return self.by_contract(sequence, &values);
        }
        self.begin(sequence, &values, None);
        Ok(Flow::Go)
    }

    fn leave(&mut self, sequence: SequenceId, site: Site, span: Span) -> Result<(), Stop> {
        let running = Running::Sequence(sequence);
        let Some(at) = self.stack.iter().rposition(|one| one.of == running) else {
            return Err(gap(GapCause::NotRunning, site, span));
        };
        self.unsettled = u64::MAX;
        let left = self.stack[at];
        self.stack.truncate(at);
        self.locals.truncate(left.locals);
        self.frames.truncate(left.frames);
        self.notes.push(Note::SequenceEnded(sequence));
        Ok(())
    }

    /// The step that is under way has nothing left to do, and another one of its list is next.
    fn go_to(&mut self, op: StmtId, to: StepId) {
        self.unsettled = u64::MAX;
        // INVARIANT: it stands in steps only.
        let (Some(&top), Some(from)) = (self.stack.last(), self.code.step_of(op)) else {
            return;
        };
        let held = matches!(self.frames.get(top.frames + 1), Some(Frame::Step { .. }));
        self.frames.truncate(top.frames + 1 + usize::from(held));
        let procedure = self.procedure(self.setting.system.steps[to].procedure);
        let at = procedure.steps.iter().position(|one| *one == to);
        // Of a step that is done by itself, nothing comes next.
        if let Some(Frame::Pass(pass)) = self.frames.get_mut(top.frames)
            && pass.only.is_none()
        {
            let pass = Arc::make_mut(pass);
            pass.steps.clear();
            pass.steps
                .extend_from_slice(&procedure.steps[at.unwrap_or(0)..]);
        }
        self.locals[top.locals + procedure.params as usize..].fill(NONE);
        self.jump(self.code.end_of(from));
        self.notes.push(Note::Cut);
    }

    fn stop(&mut self, effect: &Effect, site: Site) -> Result<Flow, Stop> {
        let mut whom = |of: &Option<Expr>| -> Result<_, Stop> {
            let Some(e) = of else {
                return Ok(None);
            };
            let at = self.scope(site).entity(e)?;
            Ok(Some(EntityId::from_index(at)))
        };
        Ok(Flow::Done(match effect {
            Effect::Win(of) => Tag::Win(whom(of)?),
            Effect::Loss(of) => Tag::Loss(whom(of)?),
            Effect::Draw => Tag::Draw,
            Effect::End => Tag::End,
            Effect::Gap(gap) => Tag::Gap(GapName::Named(*gap)),
        }))
    }

    /// The innermost frame holds writes decided by a choice.
    pub(super) fn write_decided(&mut self) -> Result<Flow, Stop> {
        let Some(Frame::Write { by, writes }) = self.frames.last() else {
            unreachable!("expected writes");
        };
        let (by, writes) = (*by, writes.clone());
        let by = by.filter(|_| self.setting.system.is_watched);
        let watched = by.map(|stmt| (stmt, self.data.clone()));
        self.write(&writes)?;
        self.pop();
        if let Some((stmt, before)) = watched {
            self.raise(stmt, &before)?;
        }
        Ok(Flow::Go)
    }

    /// Whether a created entity was removed.
    pub(super) fn has_gone(&self) -> bool {
        (self.setting.layout.board..self.data.count()).any(|at| self.data.removed[at])
    }

    /// A removed created entity of a sort that nothing mentions; the first.
    fn reusable(&self, sort: endstep_language::typing::program::SortId) -> Option<usize> {
        let created = self.setting.layout.board..self.data.count();
        let mut gone = created.filter(|&at| self.data.removed[at] && self.data.sorts[at] == sort);
        gone.find(|&at| !self.mentions(at))
    }
}
