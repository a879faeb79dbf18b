//! Expressions to numbers, in one working state.
//!
//! This is where sampling and exploring spend most of their time, so what is evaluated most is kept
//! small: what ends an evaluation is boxed, for a number and a pointer fit into two registers;
//! constants and locals are read without a call; elements are looked at where they lie, and put into
//! a list only if two passes over them are needed; rare forms have functions of their own.

use std::cell::{Cell, RefCell};

use super::cells::Cells;
use super::dependence::Dependence;
use super::inst::List;
use super::lacking::Lacking;
use super::layout::{Layout, small};
use crate::ir::{Binder, Expr, ExprKind, Fold, NONE, Place, Range, Relation, System, ZoneRef};
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{DefineId, EntityId, LocalId, ReadingId};
use endstep_semantics::semantics::{Assigned, GapCause, GapName, Limit, Site, Spot, Stop, Tag};

/// Where an expression is evaluated.
pub struct Scope<'a> {
    /// The system.
    pub system: &'a System,
    /// The layout.
    pub layout: &'a Layout,
    /// Alternatives of readings, [`NOWHERE`](super::layout::NOWHERE) where not fixed.
    pub readings: &'a [u16],
    /// Takes down which readings and constants are asked for.
    pub depended: &'a Cell<Dependence>,
    /// The data.
    pub data: &'a Cells,
    /// The data that `old` speaks of.
    pub old: Option<&'a Cells>,
    /// The locals.
    pub locals: &'a mut [i64],
    /// The assignment of continuous values that is being tried, if one is.
    pub assigned: Option<&'a Assigned<'a>>,
    /// Where, for naming gaps.
    pub site: Site,
    /// How many expressions may still be evaluated.
    pub budget: &'a Cell<u32>,
    /// Takes down which places are read.
    pub trace: Option<&'a RefCell<Vec<Spot>>>,
}

/// The places that were read and written.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub reads: RefCell<Vec<Spot>>,
    pub writes: Vec<Spot>,
}

/// Most expressions of one small step, and of one condition that is looked at between two. The
/// expressions of the system are counted, which has some more than the text.
pub const MOST_EXPRESSIONS: u32 = 1_000_000;

/// What comes of an evaluation inside.
pub(super) type Raised<T> = Result<T, Box<Stop>>;

pub(super) type Value = Raised<i64>;

/// Functions with more locals than this have them on the heap.
const FEW_LOCALS: usize = 8;

impl<'a> Scope<'a> {
    /// The gap of a partial operation.
    pub fn gap(&self, cause: GapCause, span: Span) -> Stop {
        Stop::Tag(Tag::Gap(GapName::Implicit(cause, self.site, span)))
    }

    /// The alternative of a reading.
    pub fn reading(&self, reading: ReadingId) -> Result<usize, Stop> {
        match self.alternative(reading) {
            super::layout::NOWHERE => Err(Stop::Consult(reading)),
            at => Ok(usize::from(at)),
        }
    }

    fn alternative(&self, reading: ReadingId) -> u16 {
        Dependence::add(self.depended, |on| on.on_reading(reading));
        self.readings[reading.index()]
    }

    /// The value of an expression.
    pub fn value(&mut self, e: &Expr) -> Result<i64, Stop> {
        Ok(self.number(e)?)
    }

    /// Whether a condition holds.
    pub fn truth(&mut self, e: &Expr) -> Result<bool, Stop> {
        Ok(self.number(e)? != 0)
    }

    /// An entity.
    pub fn entity(&mut self, e: &Expr) -> Result<usize, Stop> {
        Ok(self.one(e)?)
    }

    #[inline(always)]
    fn spend(&self) -> Raised<()> {
        let left = self.budget.get().checked_sub(1);
        self.budget.set(left.ok_or_else(spent)?);
        Ok(())
    }

    /// The value of an expression; of the plainest ones without a call.
    #[inline(always)]
    pub(super) fn number(&mut self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::Const(n) => {
                self.spend()?;
                Ok(*n)
            }
            ExprKind::Local(local) => {
                self.spend()?;
                Ok(self.locals[local.index()])
            }
            ExprKind::Var(var) => {
                self.spend()?;
                self.was_read(Spot::Var(*var));
                self.asks_for(var.index());
                Ok(self.data.cells[var.index()])
            }
            _ => self.inner(e),
        }
    }

    /// The value of any other expression.
    #[inline(never)]
    #[allow(
        clippy::too_many_lines,
        reason = "a flat match with one arm for each form"
    )]
    fn inner(&mut self, e: &Expr) -> Value {
        self.spend()?;
        match &e.kind {
            ExprKind::Const(n) => Ok(*n),
            ExprKind::Local(local) => Ok(self.locals[local.index()]),
            ExprKind::Var(var) => {
                self.was_read(Spot::Var(*var));
                self.asks_for(var.index());
                Ok(self.data.cells[var.index()])
            }
            ExprKind::Field(of, field) => {
                let entity = self.one(of)?;
                let at = self.system.fields[*field].index as usize;
                self.was_read(Spot::Field(EntityId::from_index(entity), *field));
                let at = self.layout.cells_of(entity) + at;
                self.asks_for(at);
                // `old` data may be older than the entity.
                match self.data.cells.get(at) {
                    Some(held) => Ok(*held),
                    None => Err(self.absent(of)),
                }
            }
            ExprKind::Unwrap(of) => match self.number(of)? {
                NONE => Err(self.absent(of)),
                n => Ok(n),
            },
            ExprKind::Call(function, args) => self.call(*function, args),
            ExprKind::Not(of) => Ok(i64::from(self.number(of)? == 0)),
            ExprKind::Compare(relation, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
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
                let (a, b) = (self.number(a)?, self.number(b)?);
                compute.apply(a, b).map_err(|why| self.no_number(why, e))
            }
            ExprKind::If(c, a, b) => {
                let taken = if self.number(c)? != 0 { a } else { b };
                self.number(taken)
            }
            ExprKind::IsIn(of, zone) => {
                let entity = self.one(of)?;
                let zones = self.these(zone)?;
                let place = self.data.place.get(entity);
                let place = place.map_or(usize::MAX, |&place| usize::from(place));
                Ok(i64::from(zones.contains(&place)))
            }
            ExprKind::Size(zone) => {
                let zones = self.these(zone)?;
                let sizes = zones.map(|zone| self.data.zones[zone].len());
                Ok(length(sizes.sum()))
            }
            ExprKind::Pending(queue) => Ok(length(self.data.queues[queue.index()].len())),
            ExprKind::Per(reading, all) => self.per(*reading, all),
            ExprKind::Fold(fold, binder, of) => self.fold(*fold, binder, of.as_deref(), e.span),
            ExprKind::Continuous(..)
            | ExprKind::Solutions(..)
            | ExprKind::ReadingIs(..)
            | ExprKind::IsRemoved(_)
            | ExprKind::Negate(_)
            | ExprKind::Clamp(..)
            | ExprKind::Half(..) => self.rare(e),
            ExprKind::EndOf(..)
            | ExprKind::Endmost(..)
            | ExprKind::Beside(..)
            | ExprKind::Turn { .. }
            | ExprKind::Neighbour(..)
            | ExprKind::Holder(_) => self.found(e),
            ExprKind::Old(of) => self.before(of),
        }
    }

    /// Takes down that something is asked for, if it is constant.
    #[inline(always)]
    fn asks_for(&self, cell: usize) {
        if let Some(at) = self.layout.constant(cell) {
            Dependence::add(self.depended, |on| on.on_constant(at));
        }
    }

    #[inline(always)]
    fn was_read(&self, spot: Spot) {
        if let Some(trace) = self.trace {
            trace.borrow_mut().push(spot);
        }
    }

    /// An entity.
    #[inline(always)]
    pub(super) fn one(&mut self, e: &Expr) -> Raised<usize> {
        match self.number(e)? {
            NONE => Err(self.absent(e)),
            n => Ok(usize::try_from(n).unwrap_or(usize::MAX)),
        }
    }

    #[cold]
    pub(super) fn absent(&self, e: &Expr) -> Box<Stop> {
        Box::new(self.gap(GapCause::Absent, e.span))
    }

    /// The same place, in other data and with other locals.
    pub(super) fn elsewhere<'b>(&self, data: &'b Cells, locals: &'b mut [i64]) -> Scope<'b>
    where
        'a: 'b,
    {
        Scope {
            system: self.system,
            layout: self.layout,
            readings: self.readings,
            depended: self.depended,
            data,
            old: self.old,
            locals,
            assigned: self.assigned,
            site: self.site,
            budget: self.budget,
            trace: self.trace,
        }
    }

    #[inline(never)]
    fn before(&mut self, of: &Expr) -> Value {
        let data = self.old.unwrap_or(self.data);
        let locals = std::mem::take(&mut self.locals);
        let mut then = self.elsewhere(data, locals);
        let value = then.number(of);
        self.locals = then.locals;
        value
    }

    /// A function of values.
    #[inline(never)]
    fn call(&mut self, function: DefineId, args: &[Expr]) -> Value {
        let function = &self.system.functions[function];
        let count = function.locals as usize;
        let mut few = [NONE; FEW_LOCALS];
        let mut many = Vec::new();
        let values = if count <= FEW_LOCALS {
            &mut few[..count]
        } else {
            many.resize(count, NONE);
            many.as_mut_slice()
        };
        for (value, arg) in values.iter_mut().zip(args) {
            *value = self.number(arg)?;
        }
        let mut inner = self.elsewhere(self.data, values);
        inner.number(&function.body)
    }

    /// The zones that a reference means.
    fn these(&mut self, zone: &ZoneRef) -> Raised<std::ops::Range<usize>> {
        Ok(match &zone.of {
            None => self.layout.family(zone.zone),
            Some(of) => {
                let owner = self.one(of)?;
                // An owner without a zone has nothing in it.
                let at = self.layout.owned_by(zone.zone, owner);
                at.map_or(0..0, |at| at..at + 1)
            }
        })
    }

    /// One zone.
    pub fn zone(&mut self, zone: &ZoneRef) -> Result<u16, Stop> {
        let zones = self.these(zone)?;
        let named = zone.of.is_some();
        let mut there = zones.filter(|&at| named || self.data.present[at]);
        let first = there.next();
        first
            .map(small)
            .ok_or_else(|| self.gap(GapCause::LiesNowhere, zone.span))
    }

    /// What lies in a zone or family.
    pub fn contents(&mut self, zone: &ZoneRef) -> Result<List, Stop> {
        Ok(self.lying(zone)?)
    }

    pub(super) fn lying(&mut self, zone: &ZoneRef) -> Raised<List> {
        let mut found = List::new();
        for at in self.these(zone)? {
            found.extend_from_slice(&self.data.zones[at]);
        }
        Ok(found)
    }

    /// Goes through a range, for as long as it is told to go on.
    fn walk(&mut self, range: &Range, mut visit: impl FnMut(&mut Self, u16) -> bool) -> Raised<()> {
        let data: &'a Cells = self.data;
        match range {
            Range::Sort(sort) => {
                for (at, of) in data.sorts.iter().enumerate() {
                    if of == sort && !data.removed[at] && !visit(self, small(at)) {
                        return Ok(());
                    }
                }
            }
            Range::Zone(zone) => {
                for at in self.these(zone)? {
                    for &one in &data.zones[at] {
                        if !visit(self, one) {
                            return Ok(());
                        }
                    }
                }
            }
            Range::Enum(_, count) => {
                for one in 0..*count {
                    if !visit(self, one) {
                        return Ok(());
                    }
                }
            }
            Range::Bool => {
                let _ = visit(self, 0) && visit(self, 1);
            }
        }
        Ok(())
    }

    /// The elements of a binder.
    pub fn elements(&mut self, binder: &Binder) -> Result<List, Stop> {
        Ok(self.those(binder)?)
    }

    pub(super) fn those(&mut self, binder: &Binder) -> Raised<List> {
        let mut elements = List::new();
        let mut lacking = Lacking::default();
        self.walk(&binder.range, |scope, element| {
            let kept = match &binder.filter {
                Some(filter) => lacking.value(scope.bound(binder.local, element, filter)),
                None => Some(1),
            };
            if kept.is_some_and(|kept| kept != 0) {
                elements.push(element);
            }
            true
        })?;
        lacking.told()?;
        Ok(elements)
    }

    /// The value of an expression with a local bound.
    #[inline]
    pub(super) fn bound(&mut self, local: LocalId, element: u16, e: &Expr) -> Value {
        let at = local.index();
        let before = std::mem::replace(&mut self.locals[at], i64::from(element));
        let result = self.number(e);
        self.locals[at] = before;
        result
    }

    /// Whether an element still belongs to a binder.
    pub fn belongs(&mut self, binder: &Binder, element: u16) -> Result<bool, Stop> {
        let mut there = false;
        self.walk(&binder.range, |_, one| {
            there = one == element;
            !there
        })?;
        match &binder.filter {
            Some(filter) if there => Ok(self.bound(binder.local, element, filter)? != 0),
            _ => Ok(there),
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
        match self.alternative(reading) {
            super::layout::NOWHERE => self.agreed(reading, all),
            at => self.number(&all[usize::from(at)]),
        }
    }

    #[cold]
    fn agreed(&mut self, reading: ReadingId, all: &[Expr]) -> Value {
        let mut agreed = None;
        for one in all {
            match self.number(one) {
                Ok(n) if agreed.is_none_or(|agreed| agreed == n) => agreed = Some(n),
                Ok(_) | Err(_) => return Err(Box::new(Stop::Consult(reading))),
            }
        }
        agreed.ok_or_else(|| Box::new(Stop::Consult(reading)))
    }

    #[inline(never)]
    fn fold(&mut self, fold: Fold, binder: &Binder, of: Option<&Expr>, span: Span) -> Value {
        let Some(of) = of else {
            return self.count(binder);
        };
        let mut made = match fold {
            Fold::Count | Fold::Sum | Fold::Some => Some(0),
            Fold::Every => Some(1),
            Fold::Largest | Fold::Smallest => None,
        };
        let mut decided = false;
        // Whether a sum leaves 64 bits does not depend on what is added first.
        let mut sum: i128 = 0;
        let mut lacking = Lacking::default();
        let mut add = |scope: &mut Self, element: u16| {
            let Some(n) = lacking.value(scope.bound(binder.local, element, of)) else {
                return true;
            };
            match fold {
                Fold::Count => {}
                Fold::Sum => sum += i128::from(n),
                Fold::Largest => made = Some(made.map_or(n, |made| made.max(n))),
                Fold::Smallest => made = Some(made.map_or(n, |made| made.min(n))),
                Fold::Every | Fold::Some => {
                    decided = (n != 0) == (fold == Fold::Some);
                    return !decided;
                }
            }
            true
        };
        if binder.filter.is_none() {
            self.walk(&binder.range, add)?;
        } else {
            // Whether elements belong is asked of all of them before anything else.
            for element in self.those(binder)? {
                if !add(self, element) {
                    break;
                }
            }
        }
        if decided {
            return Ok(i64::from(fold == Fold::Some));
        }
        lacking.told()?;
        if fold == Fold::Sum {
            return i64::try_from(sum).map_err(|_| too_large());
        }
        made.ok_or_else(|| Box::new(self.gap(GapCause::ExtremeOfNothing, span)))
    }

    fn count(&mut self, binder: &Binder) -> Value {
        let mut count = 0;
        let mut lacking = Lacking::default();
        self.walk(&binder.range, |scope, element| {
            let met = match &binder.filter {
                Some(filter) => lacking.value(scope.bound(binder.local, element, filter)),
                None => Some(1),
            };
            count += i64::from(met.is_some_and(|met| met != 0));
            true
        })?;
        lacking.told()?;
        Ok(count)
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
        self.was_read(spot);
        let at = self.layout.cell(self.system, spot);
        self.asks_for(at);
        self.data.cells[at]
    }
}

/// The gap of a partial operation.
pub(super) fn gap(cause: GapCause, site: Site, span: Span) -> Stop {
    Stop::Tag(Tag::Gap(GapName::Implicit(cause, site, span)))
}

/// The end of a run whose integers leave 64 bits.
pub fn overflow() -> Stop {
    Stop::Tag(Tag::Limit(Limit::Overflow))
}

#[cold]
pub(super) fn too_large() -> Box<Stop> {
    Box::new(overflow())
}

#[cold]
fn spent() -> Box<Stop> {
    Box::new(Stop::Tag(Tag::Limit(Limit::Expressions)))
}

fn length(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
