//! Expressions as terms.
//!
//! Where something has no value, the run ends: `eval` is told under which condition its value is
//! looked at, and notes that the run ends there if the value is missing. A condition of many (`every`,
//! `count`) is evaluated for any one of them; there nothing may be missing.

use super::context::Exec;
use super::frame::Frame;
use super::state::{ABSENT, Cell, Layer, Map, sort_of};
use crate::smt::Term;
use endstep_kernel::ir::{Binder, Compute, Expr, ExprKind, Range, Relation, ZoneRef};
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::syntax::ast::Rounding;
use endstep_language::typing::program::{DefineId, LocalId, ReadingId, SortId};
use endstep_verdicts::verdict::{Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

impl<'s> Exec<'_, 's> {
    /// What an entity has.
    pub fn read(&mut self, cell: Cell, at: Term) -> Result<Term> {
        if let Some(sort) = sort_of(self.c.system, cell) {
            self.c.see(sort, at);
        }
        for (entity, trace) in &mut self.c.traces {
            match *entity == at {
                true => trace.own.insert(cell),
                false => trace.others.insert(cell),
            };
        }
        let map = self.s.map(self.c.system, cell).clone();
        self.read_map(cell, &map, at)
    }

    fn read_map(&mut self, cell: Cell, map: &Map<'s>, at: Term) -> Result<Term> {
        match &*map.0 {
            Layer::Board(symbol) => Ok(self.c.on_board(cell, *symbol, at)),
            Layer::Point {
                below,
                guard,
                at: changed,
                value,
            } => {
                let before = self.read_map(cell, below, at)?;
                let same = self.c.terms.equal(at, *changed);
                let here = self.c.terms.and(&[*guard, same]);
                Ok(self.c.terms.choose(here, *value, before))
            }
            Layer::Unknown {
                below,
                guard,
                symbol,
                ..
            } => {
                let before = self.read_map(cell, below, at)?;
                let after = self.c.on_board(cell, *symbol, at);
                Ok(self.c.terms.choose(*guard, after, before))
            }
            Layer::Bulk { below, bulk } => {
                let before = self.read_map(cell, below, at)?;
                let (member, after) = self.turn(bulk, at)?;
                let value = {
                    let map = after.map(self.c.system, cell).clone();
                    self.read_map(cell, &map, at)?
                };
                let here = self.c.terms.and(&[bulk.guard, member]);
                Ok(self.c.terms.choose(here, value, before))
            }
        }
    }

    /// The value of an expression that is looked at under a condition.
    pub fn eval(&mut self, e: &'s Expr, g: Term) -> Result<Term> {
        let value = self.exactly(e, g);
        let given_up = matches!(&value, Err(refusal) if refusal.obstacle != Obstacle::Size);
        let any = given_up && self.loose.is_some() && self.strict == 0;
        match any && self.c.traces.is_empty() {
            true => Ok(self.any_value(g)),
            false => value,
        }
    }

    fn exactly(&mut self, e: &'s Expr, g: Term) -> Result<Term> {
        self.c.evaluated()?;
        match &e.kind {
            ExprKind::Const(value) if *value == endstep_kernel::ir::NONE => {
                Ok(self.c.terms.number(ABSENT))
            }
            ExprKind::Const(value) => Ok(self.c.terms.number(*value)),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Var(var) => Ok(self.noted(self.s.vars[var.index()])),
            ExprKind::Field(of, field) => {
                let of = self.eval(of, g)?;
                self.read(Cell::Field(*field), of)
            }
            ExprKind::Unwrap(of) => {
                let value = self.eval(of, g)?;
                let absent = self.c.terms.number(ABSENT);
                let missing = self.c.terms.equal(value, absent);
                self.lacks(g, missing, ("absent", of.span))?;
                Ok(value)
            }
            ExprKind::Call(id, args) => self.apply(*id, args, g),
            ExprKind::Not(of) => {
                let of = self.truth(of, g)?;
                let not = self.c.terms.not(of);
                Ok(self.c.terms.bit(not))
            }
            ExprKind::If(condition, yes, no) => {
                let condition = self.truth(condition, g)?;
                let not = self.c.terms.not(condition);
                let (then, otherwise) = (self.both(g, condition), self.both(g, not));
                let (yes, no) = (self.eval(yes, then)?, self.eval(no, otherwise)?);
                Ok(self.c.terms.choose(condition, yes, no))
            }
            ExprKind::ReadingIs(reading, alternative) => {
                let reading = self.c.reading(*reading);
                let alternative = self.c.terms.number(i64::from(*alternative));
                let is = self.c.terms.equal(reading, alternative);
                Ok(self.c.terms.bit(is))
            }
            ExprKind::Per(reading, alternatives) => self.per((*reading, alternatives), g, e.span),
            ExprKind::Fold(fold, binder, of) => self.fold(*fold, binder, of.as_deref(), (g, e)),
            ExprKind::Size(zone) => {
                let holder = self.zone_holder(zone, g)?;
                self.size(zone, holder)
            }
            ExprKind::EndOf(first, zone) => self.end_of(*first, zone, g),
            ExprKind::IsRemoved(_) | ExprKind::IsIn(..) | ExprKind::Holder(_) => {
                self.whereabouts(e, g)
            }
            ExprKind::Old(_) => Err(Refusal::at(Obstacle::Old, e.span)),
            ExprKind::Continuous(..) | ExprKind::Solutions(..) => {
                Err(Refusal::at(Obstacle::Continuous, e.span))
            }
            ExprKind::Pending(queue) => Ok(self.noted(self.s.queues[queue.index()])),
            ExprKind::Turn { .. }
            | ExprKind::Neighbour(..)
            | ExprKind::Endmost(..)
            | ExprKind::Beside(..) => Err(Refusal::at(Obstacle::Search, e.span)),
            ExprKind::Negate(_)
            | ExprKind::Compare(..)
            | ExprKind::Compute(..)
            | ExprKind::Clamp(..)
            | ExprKind::Half(..) => self.number(e, g),
        }
    }

    /// A function applied.
    fn apply(&mut self, id: DefineId, args: &'s [Expr], g: Term) -> Result<Term> {
        let mut locals = Vec::new();
        for arg in args {
            locals.push(Some(self.eval(arg, g)?));
        }
        let function = &self.c.system.functions[id];
        locals.resize(function.locals as usize, None);
        let unit = self.frame().unit;
        let left = self.c.terms.truth(false);
        let frame = Frame::new(locals, &function.params, unit, left);
        self.frames.push(frame);
        let value = self.eval(&function.body, g);
        self.frames.pop();
        value
    }

    /// What goes with the alternative of a reading.
    fn per(
        &mut self,
        (reading, alternatives): (ReadingId, &'s [Expr]),
        g: Term,
        span: Span,
    ) -> Result<Term> {
        let reading = self.c.reading(reading);
        let mut value = None;
        for (at, one) in alternatives.iter().enumerate().rev() {
            let at = self.c.terms.number(at as i64);
            let is = self.c.terms.equal(reading, at);
            let here = self.both(g, is);
            let one = self.eval(one, here)?;
            value = Some(match value {
                None => one,
                Some(other) => self.c.terms.choose(is, one, other),
            });
        }
        value.ok_or_else(|| Refusal::at(Obstacle::Form, span))
    }

    /// Whether an entity is there, and where.
    fn whereabouts(&mut self, e: &'s Expr, g: Term) -> Result<Term> {
        match &e.kind {
            ExprKind::IsRemoved(of) => match self.sort_of_expr(of) {
                Some(sort) => {
                    let of = self.eval(of, g)?;
                    let there = self.read(Cell::There(sort), of)?;
                    let there = self.c.terms.is_one(there);
                    let gone = self.c.terms.not(there);
                    Ok(self.c.terms.bit(gone))
                }
                None => Err(Refusal::at(Obstacle::Form, e.span)),
            },
            ExprKind::IsIn(of, zone) => {
                let entity = self.eval(of, g)?;
                let holder = self.zone_holder(zone, g)?;
                let member = self.lies(entity, zone, holder)?;
                Ok(self.c.terms.bit(member))
            }
            ExprKind::Holder(of) => match self.sort_of_expr(of) {
                Some(sort) => {
                    let of = self.eval(of, g)?;
                    self.read(Cell::Holder(sort), of)
                }
                None => Err(Refusal::at(Obstacle::Form, e.span)),
            },
            _ => Err(Refusal::at(Obstacle::Form, e.span)),
        }
    }

    fn number(&mut self, e: &'s Expr, g: Term) -> Result<Term> {
        match &e.kind {
            ExprKind::Negate(of) => {
                let of = self.eval(of, g)?;
                Ok(self.c.terms.times(-1, of))
            }
            ExprKind::Compare(relation, a, b) => {
                let (a, b) = (self.eval(a, g)?, self.eval(b, g)?);
                let t = &mut self.c.terms;
                let truth = match relation {
                    Relation::Equal => t.equal(a, b),
                    Relation::NotEqual => {
                        let equal = t.equal(a, b);
                        t.not(equal)
                    }
                    Relation::Less => t.less(a, b),
                    Relation::LessEqual => t.at_most(a, b),
                    Relation::Greater => t.less(b, a),
                    Relation::GreaterEqual => t.at_most(b, a),
                };
                Ok(t.bit(truth))
            }
            ExprKind::Compute(compute, a, b) => {
                let (a, b) = (self.eval(a, g)?, self.eval(b, g)?);
                if let Compute::Divide = compute {
                    self.divides(b, g, e.span)?;
                }
                self.compute(*compute, a, b)
            }
            ExprKind::Clamp(of, low, high) => {
                let of = self.eval(of, g)?;
                let (low, high) = (self.eval(low, g)?, self.eval(high, g)?);
                let capped = self.compute(Compute::Min, of, high)?;
                self.compute(Compute::Max, low, capped)
            }
            ExprKind::Half(of, rounding) => {
                let of = self.eval(of, g)?;
                let down = self.c.terms.half(of);
                match rounding {
                    Some(Rounding::Down) => Ok(down),
                    Some(Rounding::Up) => {
                        let negative = self.c.terms.times(-1, of);
                        let down = self.c.terms.half(negative);
                        Ok(self.c.terms.times(-1, down))
                    }
                    None => {
                        let twice = self.c.terms.times(2, down);
                        let even = self.c.terms.equal(twice, of);
                        let odd = self.c.terms.not(even);
                        self.lacks(g, odd, ("odd half", e.span))?;
                        Ok(down)
                    }
                }
            }
            _ => Err(Refusal::at(Obstacle::Form, e.span)),
        }
    }

    /// The run ends if a divisor is zero.
    fn divides(&mut self, by: Term, g: Term, span: Span) -> Result<()> {
        let zero = self.c.terms.number(0);
        let is_zero = self.c.terms.equal(by, zero);
        self.lacks(g, is_zero, ("division by zero", span))
    }

    /// A result, where there is one; quotients by what is not known to be a certain number are refused, since
    /// they decide little.
    pub(super) fn compute(&mut self, compute: Compute, a: Term, b: Term) -> Result<Term> {
        let t = &mut self.c.terms;
        Ok(match compute {
            Compute::Add => t.add(&[a, b]),
            Compute::Subtract => t.subtract(a, b),
            Compute::Multiply => t.product(a, b),
            Compute::Divide => match t.is_number(b) {
                Some(by) if by > 0 => t.quotient(a, by),
                Some(by) if by < 0 && by > i64::MIN => {
                    let negative = t.times(-1, a);
                    t.quotient(negative, -by)
                }
                _ => return Err(Obstacle::Form.into()),
            },
            Compute::Min => {
                let first = t.at_most(a, b);
                t.choose(first, a, b)
            }
            Compute::Max => {
                let first = t.at_most(b, a);
                t.choose(first, a, b)
            }
        })
    }

    /// Whether a condition is true.
    pub fn truth(&mut self, e: &'s Expr, g: Term) -> Result<Term> {
        let bit = self.eval(e, g)?;
        Ok(self.c.terms.is_one(bit))
    }

    fn local(&mut self, local: LocalId) -> Result<Term> {
        let frame = self.frame();
        let (open, unit) = (frame.open, frame.unit);
        let value = match frame.locals.get(local.index()).copied().flatten() {
            Some(value) => value,
            None if open => super::exec::any_local(self.c, unit, local),
            None => return Err(Obstacle::Form.into()),
        };
        self.noted(value);
        Ok(value)
    }

    /// A value that does not belong to an entity was looked at.
    fn noted(&mut self, value: Term) -> Term {
        for (_, trace) in &mut self.c.traces {
            trace.values.push(value);
        }
        value
    }

    /// The sort of an expression, if it is told by its form.
    pub fn sort_of_expr(&self, e: &Expr) -> Option<SortId> {
        let of = super::frame::sort;
        let system = self.c.system;
        match &e.kind {
            ExprKind::Unwrap(of) => self.sort_of_expr(of),
            ExprKind::Field(_, field) => of(system.fields[*field].domain.ty),
            ExprKind::Var(var) => of(system.vars[*var].domain.ty),
            ExprKind::Call(id, _) => of(system.functions[*id].ty),
            ExprKind::EndOf(_, zone) => Some(system.zones[zone.zone].sort),
            ExprKind::If(_, a, b) => self.sort_of_expr(a).or_else(|| self.sort_of_expr(b)),
            ExprKind::Local(local) => self.frame().sort_of(*local),
            _ => None,
        }
    }

    /// Whose zone is meant, if it is somebody's.
    pub fn zone_holder(&mut self, zone: &'s ZoneRef, g: Term) -> Result<Option<Term>> {
        match &zone.of {
            Some(of) => self.eval(of, g).map(Some),
            None => Ok(None),
        }
    }

    /// Whether an entity lies in a zone.
    pub fn lies(&mut self, entity: Term, zone: &ZoneRef, holder: Option<Term>) -> Result<Term> {
        let sort = self.c.system.zones[zone.zone].sort;
        let at = self.read(Cell::Zone(sort), entity)?;
        let here = self.c.lies_in(at, Some(zone.zone.index()));
        match holder {
            None => Ok(here),
            Some(holder) => {
                self.noted(holder);
                let of = self.read(Cell::Holder(sort), entity)?;
                let same = self.c.terms.equal(of, holder);
                Ok(self.c.terms.and(&[here, same]))
            }
        }
    }

    /// Whether an entity is in the range of a binder and passes its filter, which has a value.
    pub fn belongs(&mut self, binder: &'s Binder, of: Option<Term>, entity: Term) -> Result<Term> {
        let (ranges, g) = match &binder.range {
            Range::Zone(zone) => {
                let lies = self.lies(entity, zone, of)?;
                (lies, lies)
            }
            Range::Sort(sort) => {
                let there = self.read(Cell::There(*sort), entity)?;
                let there = self.c.terms.is_one(there);
                (there, there)
            }
            Range::Enum(..) | Range::Bool => {
                let all = self.c.terms.truth(true);
                (all, all)
            }
        };
        let Some(filter) = &binder.filter else {
            return Ok(ranges);
        };
        let passes = self.bound(binder, entity, |x| x.truth(filter, g))?;
        Ok(self.c.terms.and(&[ranges, passes]))
    }

    /// Evaluates with the local of a binder bound.
    pub fn bound<T>(
        &mut self,
        binder: &Binder,
        value: Term,
        then: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let (local, ty) = (binder.local, Some(binder.ty));
        let before = self.frame_mut().bind(local, ty, Some(value));
        let result = then(self);
        self.frame_mut().bind(local, None, before);
        result
    }

    /// The values of a range that are known one by one.
    pub fn listed(&mut self, range: &Range) -> Option<Vec<Term>> {
        let last = match range {
            Range::Enum(_, values) => i64::from(*values),
            Range::Bool => 2,
            Range::Sort(_) | Range::Zone(_) => return None,
        };
        Some((0..last).map(|at| self.c.terms.number(at)).collect())
    }

    /// Evaluates what must not be missing.
    pub fn strictly<T>(&mut self, then: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.strict += 1;
        let result = then(self);
        self.strict -= 1;
        result
    }

    /// The run ends if something is missing.
    pub fn lacks(&mut self, g: Term, missing: Term, (what, span): (&str, Span)) -> Result<()> {
        if self.strict > 0 && self.lenient {
            return Ok(());
        }
        if self.strict > 0 {
            let met = self.c.terms.and(&[g, missing]);
            return match self.c.terms.is_truth(met) {
                Some(false) => Ok(()),
                _ => Err(Refusal::at(Obstacle::Lacks, span)),
            };
        }
        let site = self.site;
        self.end(g, missing, &format!("{what} at {span:?} in {site:?}"), &[]);
        Ok(())
    }

    /// Two conditions.
    pub fn both(&mut self, a: Term, b: Term) -> Term {
        self.c.terms.and(&[a, b])
    }
}
