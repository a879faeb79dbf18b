//! Writes: of places, of where entities lie, and of whether they are there.

use super::context::Exec;
use super::state::{ABSENT, Cell, Layer};
use crate::smt::Term;
use endstep_kernel::ir::{Domain, Expr, OpKind, Place, Target};
use endstep_language::index::Id;
use endstep_language::typing::program::{FieldId, Type, VarId, ZoneId};
use endstep_verdicts::verdict::{Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

/// A place found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    Var(VarId),
    Field(Term, FieldId),
}

impl<'s> Exec<'_, 's> {
    pub fn spot(&mut self, place: &'s Place, g: Term) -> Result<Spot> {
        Ok(match place {
            Place::Var(var, _) => Spot::Var(*var),
            Place::Field(of, field, _) => Spot::Field(self.eval(of, g)?, *field),
        })
    }

    pub fn held(&mut self, spot: Spot) -> Result<Term> {
        match spot {
            Spot::Var(var) => Ok(self.s.vars[var.index()]),
            Spot::Field(at, field) => self.read(Cell::Field(field), at),
        }
    }

    pub fn domain(&self, spot: Spot) -> &'s Domain {
        let system = self.c.system;
        match spot {
            Spot::Var(var) => &system.vars[var].domain,
            Spot::Field(_, field) => &system.fields[field].domain,
        }
    }

    /// Writes places, all or none.
    pub fn write(&mut self, g: Term, writes: &[(Spot, Term)]) {
        for &(spot, value) in writes {
            let domain = self.domain(spot);
            let bounds = match domain.bounds.document {
                Some((low, high)) => Some((Some(low), Some(high))),
                // A supply is never below zero.
                None => domain.supply.then_some((Some(0), None)),
            };
            if let (Type::Int, Some((low, high))) = (domain.ty, bounds) {
                let inside = self.c.within(value, low, high);
                let outside = self.c.terms.not(inside);
                // Whosever it is, and whatever the value.
                let tag = match spot {
                    Spot::Var(var) => format!("range of variable {}", var.index()),
                    Spot::Field(_, field) => format!("range of field {}", field.index()),
                };
                self.end(g, outside, &tag, &[]);
            }
        }
        let guard = self.live(g);
        for &(spot, value) in writes {
            match spot {
                Spot::Var(var) => {
                    let held = self.s.vars[var.index()];
                    self.s.vars[var.index()] = self.c.terms.choose(guard, value, held);
                }
                Spot::Field(at, field) => self.point(Cell::Field(field), guard, at, value),
            }
        }
    }

    pub fn point(&mut self, cell: Cell, guard: Term, at: Term, value: Term) {
        if self.c.terms.is_truth(guard) == Some(false) {
            return;
        }
        let system = self.c.system;
        if let Some(sort) = super::state::sort_of(system, cell) {
            self.c.see(sort, at);
        }
        let below = self.s.map(system, cell).clone();
        self.s.put(
            system,
            cell,
            Layer::Point {
                below,
                guard,
                at,
                value,
            },
        );
    }

    pub fn change(&mut self, op: &'s OpKind, g: Term) -> Result<()> {
        match op {
            OpKind::Set(place, e) => {
                let spot = self.spot(place, g)?;
                let value = self.eval(e, g)?;
                self.write(g, &[(spot, value)]);
                Ok(())
            }
            OpKind::Add {
                place,
                sign,
                by,
                bound,
            } => {
                let spot = self.spot(place, g)?;
                let by = self.eval(by, g)?;
                let bound = match bound {
                    Some(bound) => Some(self.eval(bound, g)?),
                    None => None,
                };
                let held = self.held(spot)?;
                let value = self.sum(held, (by, *sign), bound)?;
                if self.domain(spot).supply {
                    let zero = self.c.terms.number(0);
                    let short = self.c.terms.less(value, zero);
                    self.lacks(g, short, ("short supply", place.span()))?;
                }
                self.write(g, &[(spot, value)]);
                Ok(())
            }
            OpKind::Transfer { amount, from, to } => self.transfer(amount, from, to, g),
            OpKind::Move(of, to) => {
                let entity = self.eval(of, g)?;
                match to {
                    Target::Zone(first, zone) => {
                        let holder = self.zone_holder(zone, g)?;
                        self.arrive(entity, *first, (zone.zone, holder), g)
                    }
                    Target::Beside(..) => Err(Obstacle::Arranges.into()),
                }
            }
            OpKind::Remove(of, sort) => {
                let sort = *sort;
                let entity = self.eval(of, g)?;
                let guard = self.live(g);
                let (zero, absent) = (self.c.terms.number(0), self.c.terms.number(ABSENT));
                self.point(Cell::There(sort), guard, entity, zero);
                self.point(Cell::Zone(sort), guard, entity, zero);
                self.point(Cell::Holder(sort), guard, entity, absent);
                self.point(Cell::Position(sort), guard, entity, zero);
                Ok(())
            }
            _ => Err(Obstacle::Form.into()),
        }
    }

    pub fn sum(
        &mut self,
        held: Term,
        (by, sign): (Term, i64),
        bound: Option<Term>,
    ) -> Result<Term> {
        use endstep_kernel::ir::Compute::{Max, Min};
        let by_signed = self.c.terms.times(sign, by);
        let value = self.c.terms.add(&[held, by_signed]);
        let Some(bound) = bound else {
            return Ok(value);
        };
        // A bound stops the change; it never turns it round.
        let (inner, outer) = if sign > 0 { (Max, Min) } else { (Min, Max) };
        let limit = self.compute(inner, bound, held)?;
        let stopped = self.compute(outer, value, limit)?;
        let zero = self.c.terms.number(0);
        let forward = self.c.terms.at_most(zero, by);
        Ok(self.c.terms.choose(forward, stopped, value))
    }

    pub fn transfer(
        &mut self,
        amount: &'s Expr,
        from: &'s Place,
        to: &'s Place,
        g: Term,
    ) -> Result<()> {
        let n = self.eval(amount, g)?;
        let zero = self.c.terms.number(0);
        let negative = self.c.terms.less(n, zero);
        self.lacks(g, negative, ("negative amount", amount.span))?;
        let (source, target) = (self.spot(from, g)?, self.spot(to, g)?);
        let held = self.held(source)?;
        if self.domain(source).supply {
            let short = self.c.terms.less(held, n);
            self.lacks(g, short, ("short supply", from.span()))?;
        }
        let same = match (source, target) {
            (Spot::Var(a), Spot::Var(b)) => self.c.terms.truth(a == b),
            (Spot::Field(a, f), Spot::Field(b, h)) if f == h => self.c.terms.equal(a, b),
            _ => self.c.terms.truth(false),
        };
        let differ = self.c.terms.not(same);
        let here = self.both(g, differ);
        let left = self.c.terms.subtract(held, n);
        let had = self.held(target)?;
        let given = self.c.terms.add(&[had, n]);
        self.write(here, &[(source, left), (target, given)]);
        Ok(())
    }

    /// An entity comes to an end of a zone.
    pub fn arrive(
        &mut self,
        entity: Term,
        first: bool,
        (zone, holder): (ZoneId, Option<Term>),
        g: Term,
    ) -> Result<()> {
        let system = self.c.system;
        let declared = &system.zones[zone];
        let sort = declared.sort;
        let there = self.read(Cell::There(sort), entity)?;
        let there = self.c.terms.is_one(there);
        let g = self.both(g, there);
        if declared.capacity.is_some() {
            return Err(Obstacle::Arranges.into());
        }
        let guard = self.live(g);
        let number = self.c.terms.number(zone.index() as i64 + 1);
        let absent = self.c.terms.number(ABSENT);
        let zero = self.c.terms.number(0);
        let position = match declared.unordered {
            true => zero,
            false => {
                let (cell, step) = match first {
                    true => (Cell::Low(zone), -1),
                    false => (Cell::High(zone), 1),
                };
                let of = holder.unwrap_or(zero);
                let end = self.read(cell, of)?;
                let step = self.c.terms.number(step);
                let beyond = self.c.terms.add(&[end, step]);
                self.point(cell, guard, of, beyond);
                end
            }
        };
        self.point(Cell::Zone(sort), guard, entity, number);
        self.point(Cell::Holder(sort), guard, entity, holder.unwrap_or(absent));
        self.point(Cell::Position(sort), guard, entity, position);
        Ok(())
    }
}
