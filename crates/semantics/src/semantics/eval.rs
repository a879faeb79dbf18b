//! Expressions to values, in one state.
//!
//! `count of c in hand(p) where c.ready` binds `c` to each card of the hand in turn, evaluates the
//! filter, and counts. Evaluation changes nothing but the bound locals, which it clears again.

use super::GapCause;
use super::budget::Budget;
use super::interpreter::Readings;
use super::next::{GapName, Limit, Tag};
use super::solve::Assigned;
use super::state::{Data, Site, ZoneKey};
use super::stop::{Lacking, Stop};
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::syntax::ast::{BinaryOp, Extreme, Quantifier, Rounding, Side};
use endstep_language::typing::program::{
    Binder, DefineId, EntityId, Expr, ExprKind, LocalId, Program, Range, ReadingId, SortId, Value,
    ZoneRef,
};
use endstep_language::typing::quotient;

/// Where an expression is evaluated.
pub struct Scope<'a> {
    /// The program.
    pub program: &'a Program,
    /// Readings fixed so far.
    pub readings: &'a Readings,
    /// The state's data.
    pub data: &'a Data,
    /// The data that `old` speaks of.
    pub old: Option<&'a Data>,
    /// Locals of the activation.
    pub locals: &'a mut Vec<Value>,
    /// The assignment of continuous values that is being tried, if one is.
    pub assigned: Option<&'a Assigned<'a>>,
    /// Where, for naming gaps.
    pub site: Site,
    /// What may still be evaluated.
    pub budget: &'a Budget,
}

impl Scope<'_> {
    /// The gap of a partial operation.
    pub fn gap(&self, cause: GapCause, span: Span) -> Stop {
        Stop::Tag(Tag::Gap(GapName::Implicit(cause, self.site, span)))
    }

    /// The alternative of a reading that holds.
    pub fn reading(&self, reading: ReadingId) -> Result<usize, Stop> {
        self.readings
            .get(&reading)
            .map(|&alternative| usize::from(alternative))
            .ok_or(Stop::Consult(reading))
    }

    /// The value of an expression.
    pub fn value(&mut self, expr: &Expr) -> Result<Value, Stop> {
        self.budget.pay()?;
        match &expr.kind {
            ExprKind::Const(value) => Ok(*value),
            ExprKind::Local(local) => Ok(self.locals[local.index()]),
            ExprKind::Var(var) => Ok(self.data.vars[var.index()]),
            ExprKind::Field(of, field) => {
                let entity = self.entity(of)?;
                let at = self.program.fields[*field].index as usize;
                // `old` data may be older than the entity.
                let held = self.data.entities.get(entity.index());
                held.map(|held| held.fields[at])
                    .ok_or_else(|| self.gap(GapCause::Absent, of.span))
            }
            ExprKind::Unwrap(inner) => match self.value(inner)? {
                Value::None => Err(self.gap(GapCause::Absent, inner.span)),
                value => Ok(value),
            },
            ExprKind::Call(define, args) => self.call(*define, args),
            ExprKind::Continuous(id, of) => self.continuous(*id, of.as_deref(), expr.span),
            ExprKind::Solutions(id, wanted) => self.has_solutions(*id, *wanted).map(Value::Bool),
            ExprKind::Not(inner) => Ok(Value::Bool(!self.truth(inner)?)),
            ExprKind::Binary(op, left, right) => self.binary(*op, (left, right), expr.span),
            ExprKind::IsNone(inner) => Ok(Value::Bool(self.value(inner)? == Value::None)),
            ExprKind::ZoneEmpty(zone) => Ok(Value::Bool(self.contents(zone)?.is_empty())),
            ExprKind::QueueEmpty(queue) => {
                Ok(Value::Bool(self.data.queues[queue.index()].is_empty()))
            }
            ExprKind::IsRemoved(inner) => {
                let entity = self.entity(inner)?;
                let held = self.data.entities.get(entity.index());
                held.map(|held| Value::Bool(held.removed))
                    .ok_or_else(|| self.gap(GapCause::Absent, inner.span))
            }
            ExprKind::IsIn(inner, zone) => {
                let entity = self.entity(inner)?;
                Ok(Value::Bool(self.contents(zone)?.contains(&entity)))
            }
            ExprKind::ReadingIs(reading, alternative) => Ok(Value::Bool(
                self.reading(*reading)? == usize::from(*alternative),
            )),
            ExprKind::Cond(condition, yes, no) => {
                let taken = if self.truth(condition)? { yes } else { no };
                self.value(taken)
            }
            ExprKind::Per(reading, alternatives) => self.per(*reading, alternatives),
            ExprKind::Old(inner) => self.old_value(inner),
            ExprKind::Turn { .. }
            | ExprKind::Endmost(..)
            | ExprKind::Beside(..)
            | ExprKind::Neighbour(..)
            | ExprKind::Holder(..)
            | ExprKind::EndOf(..) => self.found(expr),
            ExprKind::Count(..)
            | ExprKind::Sum(..)
            | ExprKind::Extreme(..)
            | ExprKind::Quantified(..) => self.aggregate(expr),
            ExprKind::Negate(..)
            | ExprKind::Half(..)
            | ExprKind::Min(..)
            | ExprKind::Max(..)
            | ExprKind::Clamp(..)
            | ExprKind::ZoneSize(..)
            | ExprKind::QueueSize(..) => self.number(expr).map(Value::Int),
        }
    }

    /// The value of an integer expression.
    pub fn int(&mut self, expr: &Expr) -> Result<i64, Stop> {
        match self.value(expr)? {
            Value::Int(n) => Ok(n),
            other => unreachable!("an integer expression has the value {other:?}"),
        }
    }

    /// The value of a truth expression.
    pub fn truth(&mut self, expr: &Expr) -> Result<bool, Stop> {
        match self.value(expr)? {
            Value::Bool(b) => Ok(b),
            other => unreachable!("a truth expression has the value {other:?}"),
        }
    }

    /// The value of an entity expression.
    pub fn entity(&mut self, expr: &Expr) -> Result<EntityId, Stop> {
        match self.value(expr)? {
            Value::Entity(id) => Ok(id),
            Value::None => Err(self.gap(GapCause::Absent, expr.span)),
            other => unreachable!("an entity expression has the value {other:?}"),
        }
    }

    /// The zones that a reference means: one, or all of a family in order of identity.
    pub fn zones(&mut self, zone: &ZoneRef) -> Result<Vec<ZoneKey>, Stop> {
        match &zone.of {
            Some(of) => Ok(vec![(zone.zone, Some(self.entity(of)?))]),
            None => Ok(self
                .data
                .zones
                .range((zone.zone, None)..)
                .take_while(|((id, _), _)| *id == zone.zone)
                .map(|(key, _)| *key)
                .collect()),
        }
    }

    /// What lies in a zone or family, first to last.
    pub fn contents(&mut self, zone: &ZoneRef) -> Result<Vec<EntityId>, Stop> {
        let keys = self.zones(zone)?;
        Ok(keys
            .iter()
            .flat_map(|key| self.data.zones.get(key).into_iter().flatten())
            .copied()
            .collect())
    }

    /// The elements of a binder, in canonical order.
    pub fn elements(&mut self, binder: &Binder) -> Result<Vec<Value>, Stop> {
        let mut elements = self.range(&binder.range)?;
        if let Some(filter) = &binder.filter {
            let mut kept = Vec::with_capacity(elements.len());
            let mut lacking = Lacking::default();
            for element in elements {
                let met = self.with(binder.local, element, |scope| scope.truth(filter));
                if lacking.value(met) == Some(true) {
                    kept.push(element);
                }
            }
            lacking.told()?;
            elements = kept;
        }
        Ok(elements)
    }

    /// Whether an element still belongs to a binder.
    pub fn belongs(&mut self, binder: &Binder, element: Value) -> Result<bool, Stop> {
        if !self.range(&binder.range)?.contains(&element) {
            return Ok(false);
        }
        match &binder.filter {
            Some(filter) => self.with(binder.local, element, |scope| scope.truth(filter)),
            None => Ok(true),
        }
    }

    /// Evaluates with a local bound, and restores it.
    pub fn with<T>(
        &mut self,
        local: LocalId,
        value: Value,
        body: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        // Conditions outside of the procedure have no activation whose locals would be there.
        let known = self.locals.len();
        if known <= local.index() {
            self.locals.resize(local.index() + 1, Value::None);
        }
        let before = std::mem::replace(&mut self.locals[local.index()], value);
        let result = body(self);
        self.locals[local.index()] = before;
        self.locals.truncate(known);
        result
    }

    /// The players in order of play, from the first.
    pub fn players(&self) -> Vec<EntityId> {
        let sort = self.program.sorts.iter().find(|(_, sort)| sort.player);
        sort.map_or_else(Vec::new, |(id, _)| self.members(id))
    }

    fn members(&self, sort: SortId) -> Vec<EntityId> {
        self.data.members(sort).collect()
    }

    fn range(&mut self, range: &Range) -> Result<Vec<Value>, Stop> {
        Ok(match range {
            Range::Sort(sort) => self.data.members(*sort).map(Value::Entity).collect(),
            Range::Zone(zone) => {
                let contents = self.contents(zone)?;
                contents.into_iter().map(Value::Entity).collect()
            }
            Range::Enum(id) => (0..self.program.enums[*id].values.len())
                .filter_map(|at| u16::try_from(at).ok())
                .map(Value::Enum)
                .collect(),
            Range::Bool => vec![Value::Bool(false), Value::Bool(true)],
        })
    }

    fn call(&mut self, define: DefineId, args: &[Expr]) -> Result<Value, Stop> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.value(arg)?);
        }
        let define = &self.program.defines[define];
        values.resize(define.locals.len(), Value::None);
        let mut inner = Scope {
            program: self.program,
            readings: self.readings,
            data: self.data,
            old: self.old,
            locals: &mut values,
            assigned: self.assigned,
            site: self.site,
            budget: self.budget,
        };
        inner.value(&define.body)
    }

    /// A reading is consulted only where its alternatives differ in value.
    fn per(&mut self, reading: ReadingId, alternatives: &[Expr]) -> Result<Value, Stop> {
        if let Ok(taken) = self.reading(reading) {
            return self.value(&alternatives[taken]);
        }
        let mut agreed = None;
        for alternative in alternatives {
            match self.value(alternative) {
                Ok(value) if agreed.is_none_or(|agreed| agreed == value) => agreed = Some(value),
                Ok(_) | Err(_) => return Err(Stop::Consult(reading)),
            }
        }
        agreed.ok_or(Stop::Consult(reading))
    }

    fn old_value(&mut self, inner: &Expr) -> Result<Value, Stop> {
        let mut scope = Scope {
            program: self.program,
            readings: self.readings,
            data: self.old.unwrap_or(self.data),
            old: self.old,
            locals: self.locals,
            assigned: self.assigned,
            site: self.site,
            budget: self.budget,
        };
        scope.value(inner)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        (left, right): (&Expr, &Expr),
        span: Span,
    ) -> Result<Value, Stop> {
        let truth = match op {
            BinaryOp::And => self.truth(left)? && self.truth(right)?,
            BinaryOp::Or => self.truth(left)? || self.truth(right)?,
            BinaryOp::Equal => self.value(left)? == self.value(right)?,
            BinaryOp::NotEqual => self.value(left)? != self.value(right)?,
            BinaryOp::Less => self.int(left)? < self.int(right)?,
            BinaryOp::LessEqual => self.int(left)? <= self.int(right)?,
            BinaryOp::Greater => self.int(left)? > self.int(right)?,
            BinaryOp::GreaterEqual => self.int(left)? >= self.int(right)?,
            BinaryOp::Add => return self.arithmetic(left, right, i64::checked_add),
            BinaryOp::Subtract => return self.arithmetic(left, right, i64::checked_sub),
            BinaryOp::Multiply => return self.arithmetic(left, right, i64::checked_mul),
            BinaryOp::Divide => return self.quotient(left, right, span),
        };
        Ok(Value::Bool(truth))
    }

    /// Rounded towards minus infinity.
    fn quotient(&mut self, left: &Expr, right: &Expr, span: Span) -> Result<Value, Stop> {
        let (left, right) = (self.int(left)?, self.int(right)?);
        if right == 0 {
            return Err(self.gap(GapCause::DivisionByZero, span));
        }
        quotient(left, right).map(Value::Int).ok_or_else(overflow)
    }

    fn arithmetic(
        &mut self,
        left: &Expr,
        right: &Expr,
        op: fn(i64, i64) -> Option<i64>,
    ) -> Result<Value, Stop> {
        let (left, right) = (self.int(left)?, self.int(right)?);
        op(left, right).map(Value::Int).ok_or_else(overflow)
    }

    fn number(&mut self, expr: &Expr) -> Result<i64, Stop> {
        Ok(match &expr.kind {
            ExprKind::Negate(inner) => self.int(inner)?.checked_neg().ok_or_else(overflow)?,
            ExprKind::Half(inner, rounding) => {
                let n = self.int(inner)?;
                let odd = n.rem_euclid(2);
                match rounding {
                    Some(Rounding::Up) => n.div_euclid(2) + odd,
                    Some(Rounding::Down) => n.div_euclid(2),
                    None if odd == 0 => n / 2,
                    None => return Err(self.gap(GapCause::OddHalf, expr.span)),
                }
            }
            ExprKind::Min(a, b) => self.int(a)?.min(self.int(b)?),
            ExprKind::Max(a, b) => self.int(a)?.max(self.int(b)?),
            ExprKind::Clamp(e, low, high) => {
                let (e, low, high) = (self.int(e)?, self.int(low)?, self.int(high)?);
                e.min(high).max(low)
            }
            ExprKind::ZoneSize(zone) => length(self.contents(zone)?.len()),
            ExprKind::QueueSize(queue) => length(self.data.queues[queue.index()].len()),
            other => unreachable!("not a number: {other:?}"),
        })
    }

    fn found(&mut self, expr: &Expr) -> Result<Value, Stop> {
        match &expr.kind {
            ExprKind::EndOf(first, zone) => {
                let contents = self.contents(zone)?;
                let end = if *first {
                    contents.first()
                } else {
                    contents.last()
                };
                end.copied()
                    .map(Value::Entity)
                    .ok_or_else(|| self.gap(GapCause::EmptyZone, zone.span))
            }
            ExprKind::Endmost(first, binder) => {
                let elements = self.elements(binder)?;
                let end = if *first {
                    elements.first()
                } else {
                    elements.last()
                };
                Ok(end.copied().unwrap_or(Value::None))
            }
            ExprKind::Beside(side, one, other) => {
                let (one, other) = (self.entity(one)?, self.entity(other)?);
                let places = (self.data.place_of(one), self.data.place_of(other));
                let (Some((zone, at)), Some((other_zone, other_at))) = places else {
                    return Ok(Value::Bool(false));
                };
                let lies = match side {
                    Side::Before => at < other_at,
                    Side::After => at > other_at,
                };
                let ordered = zone == other_zone && !self.program.zones[zone.0].unordered;
                Ok(Value::Bool(ordered && lies))
            }
            ExprKind::Neighbour(side, of) => {
                let entity = self.entity(of)?;
                let Some((key, at)) = self.data.place_of(entity) else {
                    return Ok(Value::None);
                };
                if self.program.zones[key.0].unordered {
                    return Ok(Value::None);
                }
                let next = match side {
                    Side::Before => at.checked_sub(1),
                    Side::After => Some(at + 1),
                };
                let neighbour = next.and_then(|at| self.data.zones[&key].get(at));
                Ok(neighbour.copied().map_or(Value::None, Value::Entity))
            }
            ExprKind::Holder(of) => {
                let entity = self.entity(of)?;
                let holder = self.data.place_of(entity).and_then(|((_, of), _)| of);
                Ok(holder.map_or(Value::None, Value::Entity))
            }
            ExprKind::Turn {
                forward,
                from,
                such_that,
            } => {
                let from = self.entity(from)?;
                self.next_player(*forward, from, such_that.as_ref())
            }
            other => unreachable!("not a search: {other:?}"),
        }
    }

    /// The next player of whom something is so, if there is one.
    fn next_player(
        &mut self,
        forward: bool,
        from: EntityId,
        such_that: Option<&(LocalId, Box<Expr>)>,
    ) -> Result<Value, Stop> {
        let circle = self.circle(from, forward);
        let Some((local, condition)) = such_that else {
            return Ok(circle.first().copied().map_or(Value::None, Value::Entity));
        };
        for player in circle {
            let player = Value::Entity(player);
            if self.with(*local, player, |scope| scope.truth(condition))? {
                return Ok(player);
            }
        }
        Ok(Value::None)
    }

    /// The players after one, once round, that one last.
    fn circle(&self, from: EntityId, forward: bool) -> Vec<EntityId> {
        let mut players = self.players();
        if !forward {
            players.reverse();
        }
        let at = players.iter().position(|&player| player == from);
        let seats = players.len();
        players.rotate_left(at.map_or(0, |at| (at + 1) % seats));
        players
    }

    fn aggregate(&mut self, expr: &Expr) -> Result<Value, Stop> {
        match &expr.kind {
            ExprKind::Count(binder) => Ok(Value::Int(length(self.elements(binder)?.len()))),
            ExprKind::Sum(of, binder) => {
                // Whether the sum leaves 64 bits does not depend on what is added first.
                let numbers = self.numbers(of, binder)?.into_iter();
                let sum: i128 = numbers.map(i128::from).sum();
                i64::try_from(sum).map(Value::Int).map_err(|_| overflow())
            }
            ExprKind::Extreme(which, of, binder) => {
                let numbers = self.numbers(of, binder)?.into_iter();
                let found = match which {
                    Extreme::Largest => numbers.max(),
                    Extreme::Smallest => numbers.min(),
                };
                found
                    .map(Value::Int)
                    .ok_or_else(|| self.gap(GapCause::ExtremeOfNothing, expr.span))
            }
            ExprKind::Quantified(quantifier, binder, condition) => {
                let deciding = *quantifier == Quantifier::Some;
                let mut lacking = Lacking::default();
                for element in self.elements(binder)? {
                    let met = self.with(binder.local, element, |scope| scope.truth(condition));
                    if lacking.value(met) == Some(deciding) {
                        return Ok(Value::Bool(deciding));
                    }
                }
                lacking.told()?;
                Ok(Value::Bool(!deciding))
            }
            other => unreachable!("not an aggregate: {other:?}"),
        }
    }

    fn numbers(&mut self, of: &Expr, binder: &Binder) -> Result<Vec<i64>, Stop> {
        let elements = self.elements(binder)?;
        let mut numbers = Vec::with_capacity(elements.len());
        let mut lacking = Lacking::default();
        for element in elements {
            let n = self.with(binder.local, element, |scope| scope.int(of));
            numbers.extend(lacking.value(n));
        }
        lacking.told()?;
        Ok(numbers)
    }
}

/// The end of a run whose integers leave 64 bits.
pub fn overflow() -> Stop {
    Stop::Tag(Tag::Limit(Limit::Overflow))
}

fn length(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
