//! Sums and counts over all entities, and the ends of zones.
//!
//! A sum is a symbol for what it was before single entities were changed, and what these give more or
//! less by now:
//!
//! ```text
//! size of board, after c was moved out of it      size(board) + (0 - (if c was in board then 1 else 0))
//! ```
//!
//! What is known of the symbol (no count is less than what two entities give, and if it is more than
//! nothing some entity gives something) is stated when a question is asked, for the entities that it
//! speaks of.

use std::rc::Rc;

use super::context::{End, Exec, Share, Total, Trace};
use super::state::State;
use crate::smt::Term;
use endstep_kernel::ir::{Binder, Expr, Fold, Range, ZoneRef};
use endstep_language::index::Id;
use endstep_language::typing::program::{SortId, Type};
use endstep_verdicts::verdict::{Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

impl<'s> Exec<'_, 's> {
    pub fn fold(
        &mut self,
        fold: Fold,
        binder: &'s Binder,
        of: Option<&'s Expr>,
        (g, e): (Term, &'s Expr),
    ) -> Result<Term> {
        if matches!(fold, Fold::Largest | Fold::Smallest) {
            return Err(Refusal::at(Obstacle::Search, e.span));
        }
        let holder = match &binder.range {
            Range::Zone(zone) => self.zone_holder(zone, g)?,
            _ => None,
        };
        if let (Fold::Count, None, Range::Zone(zone)) = (fold, &binder.filter, &binder.range) {
            return self.size(zone, holder);
        }
        let share = move |x: &mut Exec<'_, 's>, entity: Term| -> Result<Term> {
            let belongs = x.belongs(binder, holder, entity)?;
            let one = match of {
                None => x.c.terms.number(1),
                Some(of) => x.bound(binder, entity, |x| x.eval(of, belongs))?,
            };
            let one = match fold {
                Fold::Every => {
                    let met = x.c.terms.is_one(one);
                    let not = x.c.terms.not(met);
                    x.c.terms.bit(not)
                }
                _ => one,
            };
            let none = x.c.terms.number(0);
            Ok(x.c.terms.choose(belongs, one, none))
        };
        let total = match self.listed(&binder.range) {
            Some(values) => {
                let mut shares = Vec::new();
                for value in values {
                    shares.push(self.strictly(|x| share(x, value))?);
                }
                self.c.terms.add(&shares)
            }
            None => {
                let sort = match &binder.range {
                    Range::Sort(sort) => *sort,
                    Range::Zone(zone) => self.c.system.zones[zone.zone].sort,
                    Range::Enum(..) | Range::Bool => return Err(Obstacle::Form.into()),
                };
                let key = format!("{fold:?} {}", self.c.number_of(e));
                self.total((&key, sort, fold != Fold::Sum), holder, Rc::new(share))?
            }
        };
        let zero = self.c.terms.number(0);
        let none = self.c.terms.equal(total, zero);
        Ok(match fold {
            Fold::Every => self.c.terms.bit(none),
            Fold::Some => {
                let some = self.c.terms.not(none);
                self.c.terms.bit(some)
            }
            _ => total,
        })
    }

    /// How many a binder ranges over, at a choice.
    pub fn count(&mut self, binder: &'s Binder, holder: Option<Term>) -> Result<Term> {
        let share = move |x: &mut Exec<'_, 's>, entity: Term| -> Result<Term> {
            let belongs = x.belongs(binder, holder, entity)?;
            Ok(x.c.terms.bit(belongs))
        };
        let sort = match &binder.range {
            Range::Sort(sort) => *sort,
            Range::Zone(zone) if binder.filter.is_none() => return self.size(zone, holder),
            Range::Zone(zone) => self.c.system.zones[zone.zone].sort,
            Range::Enum(..) | Range::Bool => {
                let mut shares = Vec::new();
                for value in self.listed(&binder.range).unwrap_or_default() {
                    shares.push(self.strictly(|x| share(x, value))?);
                }
                return Ok(self.c.terms.add(&shares));
            }
        };
        // Copies of one choice stand at one place, and need not be between the same elements.
        let key = match binder.filter.as_deref() {
            Some(filter) => format!("choices such that {}", self.c.number_of(filter)),
            None => format!("choices of sort {}", sort.index()),
        };
        self.total((&key, sort, true), holder, Rc::new(share))
    }

    /// How many lie in a zone.
    pub fn size(&mut self, zone: &'s ZoneRef, holder: Option<Term>) -> Result<Term> {
        let sort = self.c.system.zones[zone.zone].sort;
        let share = move |x: &mut Exec<'_, 's>, entity: Term| -> Result<Term> {
            let lies = x.lies(entity, zone, holder)?;
            Ok(x.c.terms.bit(lies))
        };
        let key = format!("size of {}", zone.zone.index());
        self.total((&key, sort, true), holder, Rc::new(share))
    }

    /// What a share looks at, found with an entity that nobody speaks of; and the data without changes of
    /// single entities.
    fn looked_at(&mut self, share: &Share<'s>) -> Result<(Term, Trace, State<'s>)> {
        // One for each depth: what is known of it is said once.
        let depth = self.c.traces.len();
        let probe = self.c.terms.constant(&format!("probe {depth}"));
        let seen = self.c.seen.clone();
        self.c.traces.push((probe, Trace::default()));
        let board = self.s.without_points();
        let now = std::mem::replace(&mut self.s, board);
        let traced = self.strictly(|x| share(x, probe));
        let board = std::mem::replace(&mut self.s, now);
        self.c.seen = seen;
        let Some((_, trace)) = self.c.traces.pop() else {
            return Err(Obstacle::Form.into());
        };
        traced?;
        // For the sum around this one.
        for (_, around) in &mut self.c.traces {
            around.others.extend(trace.own.iter().chain(&trace.others));
            around.values.extend(&trace.values);
        }
        let system = self.c.system;
        let points = |x: &Self, cell| x.s.map(system, cell).points();
        if trace
            .others
            .iter()
            .any(|&cell| !points(self, cell).is_empty())
        {
            return Err(Obstacle::InnerOrder.into());
        }
        Ok((probe, trace, board))
    }

    /// A sum over all entities of a sort: what it is for the board, a symbol, and what single entities
    /// give more or less by now.
    pub fn total(
        &mut self,
        (key, sort, counts): (&str, SortId, bool),
        holder: Option<Term>,
        share: Share<'s>,
    ) -> Result<Term> {
        let (probe, trace, board) = self.looked_at(&share)?;
        let system = self.c.system;
        let points = |x: &Self, cell| x.s.map(system, cell).points();
        let mut changed: Vec<Term> = Vec::new();
        let mut name = key.to_owned();
        for &cell in trace.own.iter().chain(&trace.others) {
            if let Some(bulk) = self.s.map(system, cell).bulk() {
                name.push_str(&format!(" after {bulk}"));
            }
            for point in points(self, cell) {
                if !changed.contains(&point) {
                    changed.push(point);
                }
            }
        }
        // Values in the order in which they are looked at, which is that of the text; what is about
        // the entity itself is no argument, and keeps its place.
        let mut args: Vec<Term> = holder.into_iter().collect();
        name.push_str(if holder.is_some() { " of 1" } else { " of " });
        for &value in &trace.values {
            match self.c.terms.inside(&[value]).contains(&probe) {
                true => name.push('.'),
                false => {
                    name.push('1');
                    args.push(value);
                }
            }
        }
        let symbol = self.c.terms.declare(&name, args.len());
        let whole = self.c.terms.apply(symbol, &args);
        let mut sum = vec![whole];
        for (at, &entity) in changed.iter().enumerate() {
            let mut first = Vec::new();
            for &earlier in &changed[..at] {
                let same = self.c.terms.equal(entity, earlier);
                first.push(self.c.terms.not(same));
            }
            let first = self.c.terms.and(&first);
            let is = self.strictly(|x| share(x, entity))?;
            let now = std::mem::replace(&mut self.s, board.clone());
            let was = self.strictly(|x| share(x, entity));
            self.s = now;
            let more = self.c.terms.subtract(is, was?);
            let zero = self.c.terms.number(0);
            sum.push(self.c.terms.choose(first, more, zero));
        }
        if counts && self.c.counted {
            let fact = self.c.within(whole, Some(0), None);
            self.c.fact_once(fact);
        }
        if self.c.counted && !self.c.totals.iter().any(|one| one.whole == whole) {
            let frames = self.frames.clone();
            let witness = match counts {
                true => {
                    let number = self.c.fresh();
                    self.c.any(&format!("one of {number}"), Type::Entity(sort))
                }
                false => whole,
            };
            self.c.totals.push(Total {
                whole,
                sort,
                counts,
                witness,
                share,
                state: board,
                frames,
                lenient: self.lenient,
            });
        }
        Ok(self.c.terms.add(&sum))
    }

    pub fn end_of(&mut self, first: bool, zone: &'s ZoneRef, g: Term) -> Result<Term> {
        let sort = self.c.system.zones[zone.zone].sort;
        if self.c.system.zones[zone.zone].unordered || (zone.of.is_none() && self.is_family(zone)) {
            return Err(Refusal::at(Obstacle::Search, zone.span));
        }
        let holder = self.zone_holder(zone, g)?;
        if !self.c.traces.is_empty() {
            return Err(Refusal::at(Obstacle::Search, zone.span));
        }
        let size = self.size(zone, holder)?;
        let zero = self.c.terms.number(0);
        let empty = self.c.terms.equal(size, zero);
        self.lacks(g, empty, ("empty zone", zone.span))?;
        let number = self.c.fresh();
        let entity = self.c.terms.constant(&format!("end {number}"));
        let range = self.c.within(entity, Some(0), None);
        self.c.fact(range);
        self.c.see(sort, entity);
        let lies = self.lies(entity, zone, holder)?;
        let is_there = self.c.terms.or(&[empty, lies]);
        self.c.fact(is_there);
        let member = move |x: &mut Exec<'_, 's>, entity: Term| x.lies(entity, zone, holder);
        let (state, frames) = (self.s.clone(), self.frames.clone());
        self.c.ends.push(End {
            entity,
            sort,
            member: Rc::new(member),
            first,
            state,
            frames,
        });
        Ok(entity)
    }

    pub fn is_family(&self, zone: &ZoneRef) -> bool {
        self.c.system.zones[zone.zone].per.is_some()
    }
}
