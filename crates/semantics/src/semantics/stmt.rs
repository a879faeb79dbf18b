//! Statements: what executing one does. Everything is evaluated before anything is written.

use super::GapCause;
use super::eval::overflow;
use super::machine::{Flow, Machine};
use super::next::{ChoiceKind, GapName, Key, Note, Tag};
use super::state::{Frame, Running, Site, Spot, Who, ZoneKey};
use super::stop::Stop;
use endstep_language::index::Id;
use endstep_language::typing::program::{
    BlockId, CasePolicy, Declared, EntityId, Expr, Place, PlaceKind, SequenceId, StepId, Stmt,
    StmtId, StmtKind, Target, Value, Whom,
};

/// Where something is put.
#[derive(Clone, Copy)]
enum Landing {
    /// At an end of a zone; `true`: the first.
    In(ZoneKey, bool),
    /// Next to an entity that lies in a zone; `true`: after it.
    Beside(EntityId, bool),
}

impl Machine<'_> {
    /// Executes a statement.
    pub fn execute(&mut self, id: StmtId) -> Result<Flow, Stop> {
        let stmt: &Stmt = &self.program().stmts[id];
        let site = Site::Stmt(id);
        let before = self.before(&stmt.kind);
        match &stmt.kind {
            StmtKind::Nothing | StmtKind::GapGoesOn { .. } => {}
            StmtKind::Let(local, expr) => {
                let value = self.eval(site, |scope| scope.value(expr))?;
                self.bind(local.index(), value);
            }
            StmtKind::Set(place, expr) => {
                let write =
                    self.eval(site, |scope| Ok((scope.spot(place)?, scope.value(expr)?)))?;
                self.write(&[write])?;
            }
            StmtKind::Increase(place, by, most) => {
                self.change(place, (by, 1), most.as_ref(), site)?;
            }
            StmtKind::Decrease(place, by, least) => {
                self.change(place, (by, -1), least.as_ref(), site)?;
            }
            StmtKind::Transfer { amount, from, to } => self.transfer(amount, from, to, site)?,
            StmtKind::Move(of, target) => self.move_one(of, target, site)?,
            StmtKind::MoveAll(from, target) => {
                let contents = self.eval(site, |scope| scope.contents(from))?;
                self.move_all(contents, target, site)?;
            }
            StmtKind::Remove(of) => {
                let entity = self.eval(site, |scope| scope.entity(of))?;
                self.it.remove(&mut self.state.data, entity);
            }
            StmtKind::Create { .. } => self.create(&stmt.kind, site)?,
            StmtKind::Announce(event, args) => return self.announce_stmt(*event, args, site),
            StmtKind::Resolve { one, queue } => {
                self.push(Frame::Resolve {
                    stmt: id,
                    queue: *queue,
                    one: *one,
                });
            }
            StmtKind::Perform(sequence, args) => return self.perform(*sequence, args, site),
            StmtKind::Pass => self.pass_turn()?,
            StmtKind::Leave(sequence) => self.leave(*sequence, site, stmt)?,
            StmtKind::GoTo(step) => self.go_to(*step),
            StmtKind::Declare(declared) => return self.declare(declared, site),
            StmtKind::Gap(gap) => return Ok(Flow::Done(Tag::Gap(GapName::Named(*gap)))),
            StmtKind::If(..)
            | StmtKind::Cases { .. }
            | StmtKind::Depending(..)
            | StmtKind::ForEach { .. }
            | StmtKind::Repeat(..)
            | StmtKind::Simultaneously(_) => return self.open(id, stmt),
            StmtKind::Shuffle(_)
            | StmtKind::Choose(..)
            | StmtKind::ChooseNumber { .. }
            | StmtKind::ChooseOne { .. }
            | StmtKind::May { .. }
            | StmtKind::Distribute { .. }
            | StmtKind::GapMayChange { .. } => return self.ask(id, stmt),
        }
        if let Some(before) = before {
            self.changed(id, &before)?;
        }
        Ok(Flow::Go)
    }

    /// Statements that have blocks.
    fn open(&mut self, id: StmtId, stmt: &Stmt) -> Result<Flow, Stop> {
        let site = Site::Stmt(id);
        match &stmt.kind {
            StmtKind::If(arms, otherwise) => {
                let mut taken = *otherwise;
                for (condition, block) in arms {
                    if self.eval(site, |scope| scope.truth(condition))? {
                        taken = Some(*block);
                        break;
                    }
                }
                if let Some(block) = taken {
                    self.enter(block);
                }
                Ok(Flow::Go)
            }
            StmtKind::Depending(reading, blocks) => {
                let at = self.eval(site, |scope| scope.reading(*reading))?;
                self.enter(blocks[at]);
                Ok(Flow::Go)
            }
            StmtKind::Cases {
                policy,
                arms,
                otherwise,
            } => self.cases(id, policy, (arms, *otherwise), stmt),
            StmtKind::ForEach { .. } => self.begin_iteration(id),
            StmtKind::Repeat(..) => self.begin_repeat(id),
            StmtKind::Simultaneously(block) => self.together(id, *block),
            other => unreachable!("not a heading: {other:?}"),
        }
    }

    fn cases(
        &mut self,
        id: StmtId,
        policy: &CasePolicy,
        (arms, otherwise): (&[(Expr, BlockId)], Option<BlockId>),
        stmt: &Stmt,
    ) -> Result<Flow, Stop> {
        let site = Site::Stmt(id);
        let mut open = Vec::new();
        for (at, (guard, _)) in arms.iter().enumerate() {
            if self.eval(site, |scope| scope.truth(guard))? {
                open.push(at);
                if *policy == CasePolicy::InOrder {
                    break;
                }
            }
        }
        if open.is_empty() {
            let Some(block) = otherwise else {
                return Err(self.gap(GapCause::NoCase, site, stmt));
            };
            self.enter(block);
            return Ok(Flow::Go);
        }
        let (kind, who) = match policy {
            CasePolicy::Exclusive => (ChoiceKind::Gap, Who::Nobody),
            CasePolicy::InOrder => (ChoiceKind::Selection, Who::Nobody),
            CasePolicy::Chosen(by) => (ChoiceKind::Selection, self.who(by, site)?),
        };
        if kind == ChoiceKind::Gap && open.len() > 1 {
            self.notes.push(Note::Conflict(site));
        }
        let asked = self.asked(kind, who, site);
        let keys = open.into_iter().map(|at| Key::Case(id, at)).collect();
        Ok(self.branch(asked, keys, |machine, key| {
            if let Key::Case(_, at) = key {
                machine.enter(arms[*at].1);
            }
        }))
    }

    /// The gap of a partial statement.
    pub fn gap(&self, cause: GapCause, site: Site, stmt: &Stmt) -> Stop {
        Stop::Tag(Tag::Gap(GapName::Implicit(cause, site, stmt.span)))
    }

    /// Writes places, all or none.
    pub fn write(&mut self, writes: &[(Spot, Value)]) -> Result<(), Stop> {
        let mut spots = writes.iter().map(|(spot, _)| *spot);
        if spots.any(|spot| self.it.variant.keeps(spot)) {
            // Only one place at a time is added to.
            return Ok(());
        }
        self.it.write(&mut self.state.data, writes)
    }

    fn change(
        &mut self,
        place: &Place,
        (by, sign): (&Expr, i64),
        bound: Option<&Expr>,
        site: Site,
    ) -> Result<(), Stop> {
        let (spot, held, by, bound) = self.eval(site, |scope| {
            let spot = scope.spot(place)?;
            let by = scope.int(by)?;
            let bound = match bound {
                Some(bound) => Some(scope.int(bound)?),
                None => None,
            };
            Ok((spot, scope.held(spot), by, bound))
        })?;
        let delta = by.checked_mul(sign).ok_or_else(overflow)?;
        let mut value = held.checked_add(delta).ok_or_else(overflow)?;
        if let Some(bound) = bound
            && by >= 0
        {
            // A bound stops the change; it never turns it round.
            value = if sign > 0 {
                value.min(bound.max(held))
            } else {
                value.max(bound.min(held))
            };
        }
        if value < 0 && self.it.is_supply(spot) {
            let cause = GapCause::ShortSupply;
            return Err(Stop::Tag(Tag::Gap(GapName::Implicit(
                cause, site, place.span,
            ))));
        }
        self.write(&[(spot, Value::Int(value))])
    }

    fn transfer(
        &mut self,
        amount: &Expr,
        from: &Place,
        to: &Place,
        site: Site,
    ) -> Result<(), Stop> {
        let it = self.it;
        let writes = self.eval(site, |scope| {
            let n = scope.int(amount)?;
            if n < 0 {
                return Err(scope.gap(GapCause::NegativeAmount, amount.span));
            }
            let (source, target) = (scope.spot(from)?, scope.spot(to)?);
            let held = scope.held(source);
            if it.is_supply(source) && held < n {
                return Err(scope.gap(GapCause::ShortSupply, from.span));
            }
            if source == target {
                return Ok(Vec::new());
            }
            let left = held.checked_sub(n).ok_or_else(overflow)?;
            let given = scope.held(target).checked_add(n).ok_or_else(overflow)?;
            Ok(vec![
                (source, Value::Int(left)),
                (target, Value::Int(given)),
            ])
        })?;
        self.write(&writes)
    }

    fn move_one(&mut self, of: &Expr, target: &Target, site: Site) -> Result<(), Stop> {
        let entity = self.eval(site, |scope| scope.entity(of))?;
        let landing = self.landing(target, site)?;
        self.place(entity, landing)
    }

    fn move_all(
        &mut self,
        mut contents: Vec<EntityId>,
        target: &Target,
        site: Site,
    ) -> Result<(), Stop> {
        // Looked at once, and whether or not there is anything to move.
        let landing = self.landing(target, site)?;
        // The first to arrive at the top, or right after an entity, ends up lowest there.
        if matches!(target, Target::Zone(true, _) | Target::After(_)) {
            contents.reverse();
        }
        let before = self.state.data.clone();
        for entity in contents {
            if let Err(stop) = self.place(entity, landing) {
                self.state.data = before;
                return Err(stop);
            }
        }
        Ok(())
    }

    /// The place that a target names, if there is such a place.
    fn landing(&mut self, target: &Target, site: Site) -> Result<Landing, Stop> {
        let (beside, after) = match target {
            Target::Zone(first, zone) => {
                let key = self.eval(site, |scope| scope.zone(zone))?;
                return Ok(Landing::In(key, *first));
            }
            Target::Before(beside) => (beside, false),
            Target::After(beside) => (beside, true),
        };
        let other = self.eval(site, |scope| scope.entity(beside))?;
        match self.state.data.place_of(other) {
            Some(_) => Ok(Landing::Beside(other, after)),
            None => Err(lies_nowhere(beside, site)),
        }
    }

    fn place(&mut self, entity: EntityId, landing: Landing) -> Result<(), Stop> {
        let data = &mut self.state.data;
        match landing {
            Landing::In(key, first) => self.it.move_to(data, entity, (key, first)),
            Landing::Beside(other, after) => self.it.move_beside(data, entity, (other, after)),
        }
    }

    fn create(&mut self, kind: &StmtKind, site: Site) -> Result<(), Stop> {
        let StmtKind::Create {
            sort,
            local,
            target,
            with,
        } = kind
        else {
            unreachable!("not a creation");
        };
        let mut values = Vec::with_capacity(with.len());
        for (field, expr) in with {
            values.push((*field, self.eval(site, |scope| scope.value(expr))?));
        }
        let landing = match target {
            Some(target) => Some(self.landing(target, site)?),
            None => None,
        };
        let before = self.state.data.clone();
        let made = self.it.create(&mut self.state, *sort)?;
        let writes: Vec<_> = values
            .into_iter()
            .map(|(field, value)| (Spot::Field(made, field), value))
            .collect();
        let mut done = self.write(&writes);
        if let (Ok(()), Some(landing)) = (&done, landing) {
            done = self.place(made, landing);
        }
        if let Err(stop) = done {
            self.state.data = before;
            return Err(stop);
        }
        if let Some(local) = local {
            self.bind(local.index(), Value::Entity(made));
        }
        Ok(())
    }

    fn perform(&mut self, sequence: SequenceId, args: &[Expr], site: Site) -> Result<Flow, Stop> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.eval(site, |scope| scope.value(arg))?);
        }
        if self.it.variant.contracts.contains(&sequence) {
            return self.by_contract(sequence, &values);
        }
        let activation = self.it.activation(sequence, &values, None);
        self.state.control.push(activation);
        Ok(Flow::Go)
    }

    fn leave(&mut self, sequence: SequenceId, site: Site, stmt: &Stmt) -> Result<(), Stop> {
        let running = |of: &Running| *of == Running::Sequence(sequence);
        let Some(at) = self.state.control.iter().rposition(|one| running(&one.of)) else {
            return Err(self.gap(GapCause::NotRunning, site, stmt));
        };
        self.state.control.truncate(at);
        self.notes.push(Note::SequenceEnded(sequence));
        Ok(())
    }

    /// The step that is under way has nothing left to do, and another one of its list is next.
    fn go_to(&mut self, step: StepId) {
        let declared = &self.program().sequences[self.program().steps[step].sequence];
        let from = declared.steps.iter().position(|one| *one == step);
        let next = declared.steps[from.unwrap_or(0)..].to_vec();
        let params = declared.params.len();
        let frames = self.frames();
        let is_step = |frame: &Frame| matches!(frame, Frame::Step { .. });
        let own = frames.iter().position(is_step).unwrap_or(0);
        frames.truncate(own + 1);
        // Of a step that is done by itself, nothing comes next.
        if let Some(Frame::Pass(pass)) = frames.first_mut()
            && pass.only.is_none()
        {
            pass.steps = next;
        }
        self.top().locals[params..].fill(Value::None);
        self.notes.push(Note::Cut);
    }

    fn declare(&mut self, declared: &Declared, site: Site) -> Result<Flow, Stop> {
        let mut whom = |whom: &Whom| match whom {
            Whom::Everyone => Ok(None),
            Whom::Player(expr) => self.eval(site, |scope| scope.entity(expr)).map(Some),
        };
        Ok(Flow::Done(match declared {
            Declared::Win(of) => Tag::Win(whom(of)?),
            Declared::Loss(of) => Tag::Loss(whom(of)?),
            Declared::Draw => Tag::Draw,
            Declared::End => Tag::End,
        }))
    }

    /// The innermost frame holds writes decided by a choice.
    pub fn write_decided(&mut self) -> Result<Flow, Stop> {
        let Some(Frame::Write { by, writes }) = self.frames().last().cloned() else {
            unreachable!("expected writes");
        };
        let by = by.filter(|_| self.is_watched());
        let watched = by.map(|stmt| (stmt, self.state.data.clone()));
        self.write(&writes)?;
        self.pop();
        if let Some((stmt, before)) = watched {
            self.changed(stmt, &before)?;
        }
        Ok(Flow::Go)
    }

    /// The type of what a place holds, for wording.
    pub fn spot_of(&mut self, place: &Place, site: Site) -> Result<Spot, Stop> {
        match &place.kind {
            PlaceKind::Var(var) => Ok(Spot::Var(*var)),
            PlaceKind::Field(..) => self.eval(site, |scope| scope.spot(place)),
        }
    }
}

/// A place beside something that lies nowhere.
fn lies_nowhere(beside: &Expr, site: Site) -> Stop {
    let name = GapName::Implicit(GapCause::LiesNowhere, site, beside.span);
    Stop::Tag(Tag::Gap(name))
}
