//! What is chosen: named values, of which all that could be chosen are meant.
//!
//! A choice of one part has the same name in both orders, so that what is chosen in one can be compared
//! with what is chosen in the other.

use super::context::{Chosen, Exec};
use crate::smt::Term;
use endstep_kernel::ir::{Arm, Binder, Decider, Expr, OpKind, Place};
use endstep_language::typing::program::{LocalId, Type};
use endstep_verdicts::verdict::{Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

impl<'s> Exec<'_, 's> {
    /// Who decides; of those who are no player a number that no player has.
    pub fn decider(&mut self, by: &'s Decider, g: Term) -> Result<Term> {
        let nobody = match by {
            Decider::Player(e) => return self.eval(e, g),
            Decider::Nobody => -2,
            Decider::Chance => -3,
            Decider::Everyone => -4,
        };
        Ok(self.c.terms.number(nobody))
    }

    /// Something that is chosen here.
    pub fn ask(&mut self, ty: Type) -> Result<Term> {
        if self.alone || self.strict > 0 || !self.c.traces.is_empty() {
            return Err(Obstacle::InnerOrder.into());
        }
        self.asked += 1;
        let name = format!("choice {} of {} at {:?}", self.asked, self.whose, self.site);
        Ok(self.c.any(&name, ty))
    }

    pub fn choose(&mut self, g: Term, who: Term, value: Term, possible: Term) {
        let guard = self.live(g);
        self.chosen.push(Chosen {
            guard,
            who,
            value,
            possible,
        });
    }

    pub fn nothing_to_choose(&mut self, g: Term, none: Term) -> Result<()> {
        self.lacks(
            g,
            none,
            (
                "nothing to choose",
                endstep_language::source::Span::default(),
            ),
        )
    }

    /// An operation that asks somebody for something.
    pub fn choice(&mut self, kind: &'s OpKind, g: Term) -> Result<()> {
        match kind {
            OpKind::ChooseElement(binder, by) => self.choose_element(binder, by, g),
            OpKind::ChooseNumber {
                local,
                low,
                high,
                by,
            } => self.choose_number(*local, (low, high), by, g),
            OpKind::ChooseBlock(arms, by) => self.choose_block(arms, by, g),
            OpKind::ChooseValue { place, ty, within } => {
                self.choose_value((place, *ty), within.as_ref(), g)
            }
            _ => Err(Obstacle::Form.into()),
        }
    }

    fn choose_element(&mut self, binder: &'s Binder, by: &'s Decider, g: Term) -> Result<()> {
        let live = self.live(g);
        let holder = match &binder.range {
            endstep_kernel::ir::Range::Zone(zone) => self.zone_holder(zone, live)?,
            _ => None,
        };
        let count = self.count(binder, holder)?;
        let who = self.decider(by, g)?;
        let zero = self.c.terms.number(0);
        let none = self.c.terms.equal(count, zero);
        self.nothing_to_choose(g, none)?;
        let value = self.ask(binder.ty)?;
        let possible = self.strictly(|x| x.belongs(binder, holder, value))?;
        self.choose(g, who, value, possible);
        self.bind(binder.local, value);
        Ok(())
    }

    fn choose_number(
        &mut self,
        local: LocalId,
        (low, high): (&'s Expr, &'s Expr),
        by: &'s Decider,
        g: Term,
    ) -> Result<()> {
        let (low, high) = (self.eval(low, g)?, self.eval(high, g)?);
        let who = self.decider(by, g)?;
        let none = self.c.terms.less(high, low);
        self.nothing_to_choose(g, none)?;
        let value = self.ask(Type::Int)?;
        let possible = self.between(low, value, high);
        self.choose(g, who, value, possible);
        self.bind(local, value);
        Ok(())
    }

    fn between(&mut self, low: Term, value: Term, high: Term) -> Term {
        let above = self.c.terms.at_most(low, value);
        let below = self.c.terms.at_most(value, high);
        self.both(above, below)
    }

    fn choose_block(&mut self, arms: &'s [Arm], by: &'s Decider, g: Term) -> Result<()> {
        let who = self.decider(by, g)?;
        let mut offered = Vec::new();
        for arm in arms {
            let live = self.live(g);
            offered.push(match &arm.guard {
                Some(guard) => self.truth(guard, live)?,
                None => self.c.terms.truth(true),
            });
        }
        let some = self.c.terms.or(&offered);
        let none = self.c.terms.not(some);
        self.nothing_to_choose(g, none)?;
        let value = self.ask(Type::Int)?;
        let mut possible = Vec::new();
        let mut taken = Vec::new();
        for (at, &offered) in offered.iter().enumerate() {
            let at = self.c.terms.number(at as i64);
            let is = self.c.terms.equal(value, at);
            taken.push(is);
            possible.push(self.both(offered, is));
        }
        let possible = self.c.terms.or(&possible);
        self.choose(g, who, value, possible);
        let live = self.live(g);
        for (arm, is) in arms.iter().zip(taken) {
            if let Some(body) = arm.body {
                let here = self.both(live, is);
                self.block(body, here)?;
            }
        }
        Ok(())
    }

    fn choose_value(
        &mut self,
        (place, ty): (&'s Place, Type),
        within: Option<&'s (Expr, Expr)>,
        g: Term,
    ) -> Result<()> {
        let spot = self.spot(place, g)?;
        let (value, possible) = match (ty, within) {
            (Type::Int, Some((low, high))) => {
                let (low, high) = (self.eval(low, g)?, self.eval(high, g)?);
                let none = self.c.terms.less(high, low);
                self.nothing_to_choose(g, none)?;
                let value = self.ask(ty)?;
                (value, self.between(low, value, high))
            }
            (Type::Bool | Type::Enum(_), None) => {
                let value = self.ask(ty)?;
                (value, self.c.terms.truth(true))
            }
            _ => return Err(Obstacle::Form.into()),
        };
        let nobody = self.decider(&Decider::Nobody, g)?;
        self.choose(g, nobody, value, possible);
        self.write(g, &[(spot, value)]);
        Ok(())
    }
}
