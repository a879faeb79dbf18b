//! Iterations inside of what is compared.
//!
//! If the turns of an iteration have nothing to do with each other, it is one change of all its
//! elements: what an element has afterwards is what its own turn makes of what there was before. Such
//! a change is kept unrolled for no number of elements, and done for those that are looked at.
//! Whether turns have nothing to do with each other is told by footprints, as in the order matrix.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::context::Exec;
use super::state::{Bulk, Layer, State, cells};
use crate::smt::Term;
use endstep_kernel::footprint::{self, Grain, Mode, Place};
use endstep_kernel::ir::{Each, Range};
use endstep_language::typing::program::StmtId;
use endstep_verdicts::verdict::{Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

impl<'s> Exec<'_, 's> {
    /// A `for each`.
    pub fn iterate(&mut self, id: StmtId, each: &'s Each, g: Term) -> Result<()> {
        let system = self.c.system;
        let refuse = |obstacle| Err(Refusal::at(obstacle, system.ops[id].span));
        let unit = self.frame().unit;
        let element = footprint::of_element(system, each, unit);
        if footprint::iterates_badly(system, each) {
            return refuse(Obstacle::InnerOrder);
        }
        if footprint::agree(&element, &element).is_err() {
            return refuse(Obstacle::InnerOrder);
        }
        if let Some(values) = self.listed(&each.binder.range) {
            return self.one_by_one(each, &values, g);
        }
        let shared = element
            .accesses
            .iter()
            .filter(|one| one.grain != Grain::Own && one.mode != Mode::Read);
        let only_zones = shared
            .clone()
            .all(|one| matches!(one.place, Place::Zone(_)));
        // Of several that arrive at an end each has a position of its own.
        let arrives = shared
            .clone()
            .any(|one| matches!(one.mode, Mode::Arrive(_)));
        if !only_zones || arrives {
            return refuse(Obstacle::InnerOrder);
        }
        let of = match &each.binder.range {
            Range::Zone(zone) => self.zone_holder(zone, g)?,
            _ => None,
        };
        let guard = self.live(g);
        let bulk = Rc::new(Bulk {
            each,
            number: self.c.fresh(),
            before: self.s.clone(),
            frame: self.frame().clone(),
            of,
            guard,
            after: RefCell::new(FxHashMap::default()),
        });
        self.any_turn(&bulk)
    }

    /// Values that are known one by one; none has to do with another.
    fn one_by_one(&mut self, each: &'s Each, values: &[Term], g: Term) -> Result<()> {
        let mut belong = Vec::new();
        for &value in values {
            belong.push(self.strictly(|x| x.belongs(&each.binder, None, value))?);
        }
        let left = |x: &Self| x.frames.iter().map(|one| one.left).collect::<Vec<_>>();
        let (ended, before) = (self.s.ended, left(self));
        for (&value, belongs) in values.iter().zip(belong) {
            let live = self.live(g);
            let here = self.both(live, belongs);
            self.bound(&each.binder, value, |x| x.block(each.body, here))?;
        }
        // Where a turn ends the run or leaves, it matters which come before it.
        if left(self) != before {
            return Err(Obstacle::InnerOrder.into());
        }
        let same_end = self.c.terms.equal(self.s.ended, ended);
        if self.c.terms.is_truth(same_end) != Some(true) {
            self.required.push(same_end);
        }
        Ok(())
    }

    /// What the turn of any element changes is changed for all.
    fn any_turn(&mut self, bulk: &Rc<Bulk<'s>>) -> Result<()> {
        let system = self.c.system;
        let name = format!("turn {}", bulk.number);
        let any = self.c.any(&name, bulk.each.binder.ty);
        let (member, after, required) = self.done(bulk, any)?;
        let same_vars = after.vars == bulk.before.vars;
        if !same_vars || after.announced.len() != bulk.before.announced.len() {
            return Err(Obstacle::InnerOrder.into());
        }
        let here = self.both(bulk.guard, member);
        let same_end = self.c.terms.equal(after.ended, bulk.before.ended);
        for one in required.into_iter().chain([same_end]) {
            let holds = self.c.terms.implies(here, one);
            if self.c.terms.is_truth(holds) != Some(true) {
                self.required.push(holds);
            }
        }
        for cell in cells(system) {
            if !after.map(system, cell).is(bulk.before.map(system, cell)) {
                let below = self.s.map(system, cell).clone();
                let bulk = bulk.clone();
                self.s.put(system, cell, Layer::Bulk { below, bulk });
            }
        }
        Ok(())
    }

    /// Whether an entity had its turn, and what was so after it.
    pub fn turn(&mut self, bulk: &Rc<Bulk<'s>>, at: Term) -> Result<(Term, State<'s>)> {
        // Who wants to know what is looked at has to see it.
        let known = match self.c.traces.is_empty() {
            true => bulk.after.borrow().get(&at).cloned(),
            false => None,
        };
        let (member, after) = match known {
            Some(known) => known,
            None => {
                let (member, after, _) = self.done(bulk, at)?;
                let known = (member, after);
                bulk.after.borrow_mut().insert(at, known.clone());
                known
            }
        };
        Ok((member, after))
    }

    fn done(&mut self, bulk: &Bulk<'s>, at: Term) -> Result<(Term, State<'s>, Vec<Term>)> {
        self.c.check_size()?;
        let mut x = Exec::new(self.c, bulk.before.clone(), vec![bulk.frame.clone()]);
        x.alone = true;
        x.frame_mut()
            .bind(bulk.each.binder.local, Some(bulk.each.binder.ty), Some(at));
        let member = x.strictly(|x| x.belongs(&bulk.each.binder, bulk.of, at))?;
        let left = x.frame().left;
        x.block(bulk.each.body, member)?;
        if x.frame().left != left {
            return Err(Obstacle::InnerOrder.into());
        }
        Ok((member, x.s, x.required))
    }
}
