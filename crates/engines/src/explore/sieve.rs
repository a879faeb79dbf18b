//! Leaves out boards that are not legal, many at once.
//!
//! The conditions of legality are evaluated on a board, and the places that they read are taken
//! down. Every board that has the same values there is not legal either, whatever else it holds:
//!
//! ```text
//! legal ward_without_ability: c.ability is nothing_special or c.keyword is not ward
//! board: ability comes_back, keyword ward, health 0      read: ability, keyword
//! left out with it: the same with health 1, 2, 3 …
//! ```
//!
//! Of several conditions that fail, the one counts with which most boards are left out, so how many boards
//! are looked at does not depend on the order of the conditions. Likewise a condition that is met is
//! evaluated again only when one of the places that it read has changed.
//!
//! *Guarantees.* A board is left out only if a condition is false on it, or ends in a gap, under
//! every reading that is not fixed.
//!
//! *Background.* C. Boyapati, S. Khurshid, D. Marinov, Korat: automated testing based on Java
//! predicates, ISSTA 2002; here over the places of a board in the order in which they are
//! enumerated.

use endstep_kernel::instance::{Cells, Machine};
use endstep_kernel::ir::Function;
use endstep_semantics::semantics::{Data, Readings, Stop, Tag, Variant};
use endstep_verdicts::analysis::{self, Ground, Instance, Told};

/// A sieve for boards with the same entities, dealt in the same way.
pub struct Sieve<'g> {
    ground: &'g Ground,
    instance: Instance,
    /// What the boards of a `verify` meet besides.
    only: Option<&'g Function>,
}

impl<'g> Sieve<'g> {
    /// For boards like this one, of the n-th `verify`.
    pub fn new(
        ground: &'g Ground,
        dealt: &Data,
        readings: &Readings,
        verify: Option<usize>,
    ) -> Self {
        let only = verify.and_then(|at| ground.system.verified.get(at));
        Self {
            only: only.and_then(Option::as_ref),
            ground,
            instance: ground.instance(dealt, readings, &Variant::default()),
        }
    }

    /// The conditions, in a fixed order.
    fn all(&self) -> impl Iterator<Item = &Function> {
        let system = &self.ground.system;
        let conditions = self.only.into_iter().chain(&system.explored);
        conditions.chain(&system.legal)
    }
}

impl analysis::Sieve for Sieve<'_> {
    fn conditions(&self) -> usize {
        self.all().count()
    }

    fn judge(&self, board: &Data, unknown: &dyn Fn(usize) -> bool, told: Told<'_>) {
        let conditions = self.all().enumerate();
        let mut conditions = conditions.filter(|(at, _)| unknown(*at)).peekable();
        if conditions.peek().is_none() {
            return;
        }
        let cells = Cells::of(&self.ground.system, &self.instance.layout, board);
        let machine = Machine::new(self.instance.setting(self.ground), Cells::default());
        for (at, condition) in conditions {
            let (value, read) = machine.condition_traced(condition, &cells);
            // A limit, or a reading that is not fixed, is dealt with where the board is looked at.
            let is_met = matches!(
                value,
                Ok(1..) | Err(Stop::Consult(_) | Stop::Tag(Tag::Limit(_)))
            );
            if told(at, !is_met, &read) {
                return;
            }
        }
    }
}
