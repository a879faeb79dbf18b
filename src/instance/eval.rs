//! Expressions to numbers, in one working state.

use std::cell::{Cell, RefCell};

use smallvec::SmallVec;

use super::layout::{Layout, small};
use super::state::List;
use super::words::Words;
use crate::index::Id;
use crate::ir::{
    Binder, Compute, Expr, ExprKind, Fold, Function, NONE, Place, Range, Relation, System, ZoneRef,
};
use crate::semantics::{GapCause, GapName, Limit, Site, Spot, Stop, Tag};
use crate::source::Span;
use crate::syntax::ast::{Rounding, Side};
use crate::typing::program::{EntityId, LocalId, ReadingId};

/// Where an expression is evaluated.
pub struct Scope<'a> {
    /// The system.
    pub system: &'a System,
    /// The layout.
    pub layout: &'a Layout,
    /// Alternatives of readings, [`NOWHERE`](super::layout::NOWHERE) where not fixed.
    pub readings: &'a [u16],
    /// The data.
    pub data: &'a Words,
    /// The data that `old` speaks of.
    pub old: Option<&'a Words>,
    /// The locals.
    pub locals: &'a mut [i64],
    /// Where, for naming gaps.
    pub site: Site,
    /// How many expressions may still be evaluated.
    pub budget: &'a Cell<u32>,
    /// Takes down which places are read.
    pub trace: Option<&'a RefCell<Vec<Spot>>>,
}

/// Most expressions of one small step, and of one condition that is looked at between two. The
/// expressions of the system are counted, which has some more than the text.
pub const MOST_EXPRESSIONS: u32 = 1_000_000;

type Value = Result<i64, Stop>;

impl Scope<'_> {
    /// The gap of a partial operation.
    pub fn gap(&self, cause: GapCause, span: Span) -> Stop {
        Stop::Tag(Tag::Gap(GapName::Implicit(cause, self.site, span)))
    }

    /// The alternative of a reading.
    pub fn reading(&self, reading: ReadingId) -> Result<usize, Stop> {
        match self.readings[reading.index()] {
            super::layout::NOWHERE => Err(Stop::Consult(reading)),
            at => Ok(usize::from(at)),
        }
    }

    /// The value of an expression.
    #[allow(
        clippy::too_many_lines,
        reason = "a flat match with one arm for each form"
    )]
    pub fn value(&mut self, e: &Expr) -> Value {
        let left = self.budget.get().checked_sub(1);
        let spent = || Stop::Tag(Tag::Limit(Limit::Expressions));
        self.budget.set(left.ok_or_else(spent)?);
        match &e.kind {
            ExprKind::Const(n) => Ok(*n),
            ExprKind::Local(local) => Ok(self.locals[local.index()]),
            ExprKind::Var(var) => {
                self.was_read(Spot::Var(*var));
                Ok(self.data.vars[var.index()])
            }
            ExprKind::Field(of, field) => {
                let entity = self.entity(of)?;
                let at = self.system.fields[*field].index as usize;
                self.was_read(Spot::Field(EntityId::from_index(entity), *field));
                // `old` data may be older than the entity.
                let held = self.data.fields.get(entity * self.layout.stride + at);
                held.copied()
                    .ok_or_else(|| self.gap(GapCause::Absent, of.span))
            }
            ExprKind::Unwrap(of) => match self.value(of)? {
                NONE => Err(self.gap(GapCause::Absent, of.span)),
                n => Ok(n),
            },
            ExprKind::Call(function, args) => {
                let mut values: SmallVec<[i64; 8]> = SmallVec::new();
                for arg in args {
                    values.push(self.value(arg)?);
                }
                let function = &self.system.functions[*function];
                self.apply(function, values)
            }
            ExprKind::Not(of) => Ok(i64::from(self.value(of)? == 0)),
            ExprKind::Compare(relation, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                Ok(i64::from(match relation {
                    Relation::Equal => a == b,
                    Relation::NotEqual => a != b,
                    Relation::Less => a < b,
                    Relation::LessEqual => a <= b,
                    Relation::Greater => a > b,
                    Relation::GreaterEqual => a >= b,
                }))
            }
            ExprKind::Compute(compute, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let sum = match compute {
                    Compute::Add => a.checked_add(b),
                    Compute::Subtract => a.checked_sub(b),
                    Compute::Multiply => a.checked_mul(b),
                    Compute::Min => Some(a.min(b)),
                    Compute::Max => Some(a.max(b)),
                };
                sum.ok_or_else(overflow)
            }
            ExprKind::If(c, a, b) => {
                let taken = if self.value(c)? != 0 { a } else { b };
                self.value(taken)
            }
            ExprKind::IsRemoved(of) => {
                let entity = self.entity(of)?;
                let removed = self.data.removed.get(entity);
                removed
                    .map(|&removed| i64::from(removed))
                    .ok_or_else(|| self.gap(GapCause::Absent, of.span))
            }
            ExprKind::IsIn(of, zone) => {
                let entity = self.entity(of)?;
                let zones = self.zones(zone)?;
                let place = self.data.place.get(entity);
                let place = place.map_or(usize::MAX, |&place| usize::from(place));
                Ok(i64::from(zones.contains(&place)))
            }
            ExprKind::Size(zone) => {
                let zones = self.zones(zone)?;
                let sizes = zones.map(|zone| self.data.zones[zone].len());
                Ok(length(sizes.sum()))
            }
            ExprKind::Pending(queue) => Ok(length(self.data.queues[queue.index()].len())),
            ExprKind::ReadingIs(reading, at) => {
                Ok(i64::from(self.reading(*reading)? == usize::from(*at)))
            }
            ExprKind::Per(reading, all) => self.per(*reading, all),
            ExprKind::Fold(fold, binder, of) => self.fold(*fold, binder, of.as_deref(), e.span),
            ExprKind::Negate(_) | ExprKind::Clamp(..) | ExprKind::Half(..) => self.number(e),
            ExprKind::EndOf(..)
            | ExprKind::Turn { .. }
            | ExprKind::Neighbour(..)
            | ExprKind::Holder(_) => self.found(e),
            ExprKind::Old(of) => {
                let mut then = Scope {
                    system: self.system,
                    layout: self.layout,
                    readings: self.readings,
                    data: self.old.unwrap_or(self.data),
                    old: self.old,
                    locals: self.locals,
                    site: self.site,
                    budget: self.budget,
                    trace: self.trace,
                };
                then.value(of)
            }
        }
    }

    fn was_read(&self, spot: Spot) {
        if let Some(trace) = self.trace {
            trace.borrow_mut().push(spot);
        }
    }

    /// Whether a condition holds.
    pub fn truth(&mut self, e: &Expr) -> Result<bool, Stop> {
        Ok(self.value(e)? != 0)
    }

    /// An entity.
    pub fn entity(&mut self, e: &Expr) -> Result<usize, Stop> {
        match self.value(e)? {
            NONE => Err(self.gap(GapCause::Absent, e.span)),
            n => Ok(usize::try_from(n).unwrap_or(usize::MAX)),
        }
    }

    /// A function of values.
    pub fn apply(&mut self, function: &Function, mut values: SmallVec<[i64; 8]>) -> Value {
        values.resize(function.locals as usize, NONE);
        let mut inner = Scope {
            system: self.system,
            layout: self.layout,
            readings: self.readings,
            data: self.data,
            old: self.old,
            locals: &mut values,
            site: self.site,
            budget: self.budget,
            trace: self.trace,
        };
        inner.value(&function.body)
    }

    /// The zones that a reference means.
    pub fn zones(&mut self, zone: &ZoneRef) -> Result<std::ops::Range<usize>, Stop> {
        Ok(match &zone.of {
            None => self.layout.family(zone.zone),
            Some(of) => {
                let owner = self.entity(of)?;
                // An owner without a zone has nothing in it.
                let at = self.layout.owned_by(zone.zone, owner);
                at.map_or(0..0, |at| at..at + 1)
            }
        })
    }

    /// One zone.
    pub fn zone(&mut self, zone: &ZoneRef) -> Result<u16, Stop> {
        let zones = self.zones(zone)?;
        let named = zone.of.is_some();
        let mut there = zones.filter(|&at| named || self.data.present[at]);
        let first = there.next();
        first
            .map(small)
            .ok_or_else(|| self.gap(GapCause::LiesNowhere, zone.span))
    }

    /// What lies in a zone or family.
    pub fn contents(&mut self, zone: &ZoneRef) -> Result<List, Stop> {
        let mut found = List::new();
        for at in self.zones(zone)? {
            found.extend_from_slice(&self.data.zones[at]);
        }
        Ok(found)
    }

    fn range(&mut self, range: &Range) -> Result<List, Stop> {
        Ok(match range {
            Range::Sort(sort) => self.data.members(*sort).map(small).collect(),
            Range::Zone(zone) => self.contents(zone)?,
            Range::Enum(_, count) => (0..*count).collect(),
            Range::Bool => List::from_slice(&[0, 1]),
        })
    }

    /// The elements of a binder.
    pub fn elements(&mut self, binder: &Binder) -> Result<List, Stop> {
        let mut elements = self.range(&binder.range)?;
        if let Some(filter) = &binder.filter {
            let mut kept = 0;
            for at in 0..elements.len() {
                let element = elements[at];
                if self.with(binder.local, element, |scope| scope.truth(filter))? {
                    elements[kept] = element;
                    kept += 1;
                }
            }
            elements.truncate(kept);
        }
        Ok(elements)
    }

    /// Whether an element still belongs to a binder.
    pub fn belongs(&mut self, binder: &Binder, element: u16) -> Result<bool, Stop> {
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
        element: u16,
        body: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let at = local.index();
        let before = std::mem::replace(&mut self.locals[at], i64::from(element));
        let result = body(self);
        self.locals[at] = before;
        result
    }

    /// The players, in order of play.
    pub fn players(&self) -> List {
        let sort = self.system.players;
        sort.map_or_else(List::new, |sort| {
            self.data.members(sort).map(small).collect()
        })
    }

    fn per(&mut self, reading: ReadingId, all: &[Expr]) -> Value {
        if let Ok(at) = self.reading(reading) {
            return self.value(&all[at]);
        }
        let mut agreed = None;
        for one in all {
            match self.value(one) {
                Ok(n) if agreed.is_none_or(|agreed| agreed == n) => agreed = Some(n),
                Ok(_) | Err(_) => return Err(Stop::Consult(reading)),
            }
        }
        agreed.ok_or(Stop::Consult(reading))
    }

    fn fold(&mut self, fold: Fold, binder: &Binder, of: Option<&Expr>, span: Span) -> Value {
        let elements = self.elements(binder)?;
        let Some(of) = of else {
            return Ok(length(elements.len()));
        };
        let mut made = match fold {
            Fold::Count | Fold::Sum | Fold::Some => Some(0),
            Fold::Every => Some(1),
            Fold::Largest | Fold::Smallest => None,
        };
        // Of a sum all operands are evaluated before they are added.
        let mut numbers: SmallVec<[i64; 8]> = SmallVec::new();
        for element in elements {
            let n = self.with(binder.local, element, |scope| scope.value(of))?;
            match fold {
                Fold::Count => {}
                Fold::Sum => numbers.push(n),
                Fold::Largest => made = Some(made.map_or(n, |made| made.max(n))),
                Fold::Smallest => made = Some(made.map_or(n, |made| made.min(n))),
                Fold::Every if n == 0 => return Ok(0),
                Fold::Some if n != 0 => return Ok(1),
                Fold::Every | Fold::Some => {}
            }
        }
        for n in numbers {
            made = Some(made.unwrap_or(0).checked_add(n).ok_or_else(overflow)?);
        }
        made.ok_or_else(|| self.gap(GapCause::ExtremeOfNothing, span))
    }

    fn number(&mut self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::Negate(of) => self.value(of)?.checked_neg().ok_or_else(overflow),
            ExprKind::Clamp(of, low, high) => {
                let (n, low, high) = (self.value(of)?, self.value(low)?, self.value(high)?);
                Ok(n.min(high).max(low))
            }
            ExprKind::Half(of, rounding) => {
                let n = self.value(of)?;
                let odd = n.rem_euclid(2);
                match rounding {
                    Some(Rounding::Up) => Ok(n.div_euclid(2) + odd),
                    Some(Rounding::Down) => Ok(n.div_euclid(2)),
                    None if odd == 0 => Ok(n / 2),
                    None => Err(self.gap(GapCause::OddHalf, e.span)),
                }
            }
            other => unreachable!("not a number: {other:?}"),
        }
    }

    fn found(&mut self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::EndOf(first, zone) => {
                let contents = self.contents(zone)?;
                let end = if *first {
                    contents.first()
                } else {
                    contents.last()
                };
                end.map(|&one| i64::from(one))
                    .ok_or_else(|| self.gap(GapCause::EmptyZone, zone.span))
            }
            ExprKind::Neighbour(side, of) => {
                let entity = self.entity(of)?;
                let Some((zone, at)) = self.data.place_of(entity) else {
                    return Ok(NONE);
                };
                let next = match side {
                    Side::Before => at.checked_sub(1),
                    Side::After => Some(at + 1),
                };
                let neighbour = next.and_then(|at| self.data.zones[zone].get(at));
                Ok(neighbour.map_or(NONE, |&one| i64::from(one)))
            }
            ExprKind::Holder(of) => {
                let entity = self.entity(of)?;
                let place = self.data.place_of(entity);
                let owner = place.and_then(|(zone, _)| self.layout.zones[zone].1);
                Ok(owner.map_or(NONE, |owner| i64::from(owner.0)))
            }
            ExprKind::Turn {
                forward,
                from,
                such_that,
            } => {
                let from = self.entity(from)?;
                let circle = self.circle(from, *forward);
                let Some((local, condition)) = such_that else {
                    return Ok(circle.first().map_or(NONE, |&one| i64::from(one)));
                };
                for player in circle {
                    if self.with(*local, player, |scope| scope.truth(condition))? {
                        return Ok(i64::from(player));
                    }
                }
                Ok(NONE)
            }
            other => unreachable!("not a search: {other:?}"),
        }
    }

    /// The players after one, once round, that one last.
    fn circle(&self, from: usize, forward: bool) -> List {
        let mut players = self.players();
        if !forward {
            players.reverse();
        }
        let at = players.iter().position(|&one| usize::from(one) == from);
        let seats = players.len();
        players.rotate_left(at.map_or(0, |at| (at + 1) % seats));
        players
    }

    /// The place that is named.
    pub fn spot(&mut self, place: &Place) -> Result<Spot, Stop> {
        Ok(match place {
            Place::Var(var, _) => Spot::Var(*var),
            Place::Field(of, field, _) => {
                Spot::Field(EntityId::from_index(self.entity(of)?), *field)
            }
        })
    }

    /// What a place holds.
    pub fn held(&self, spot: Spot) -> i64 {
        match spot {
            Spot::Var(var) => self.data.vars[var.index()],
            Spot::Field(entity, field) => {
                let at = self.system.fields[field].index as usize;
                self.data.fields[entity.index() * self.layout.stride + at]
            }
        }
    }
}

/// The end of a run whose integers leave 64 bits.
pub fn overflow() -> Stop {
    Stop::Tag(Tag::Limit(Limit::Overflow))
}

fn length(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
