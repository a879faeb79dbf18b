//! On which readings, and on which changes of the system, steps depended.
//!
//! ```text
//! under   dying: "at once"   loyal: not fixed      the step asked for "dying" alone
//! under   dying: "at once"   loyal: "stays"        … so it comes to the same here
//! under   dying: "later"     loyal: "stays"        … and need not here
//! ```
//!
//! *Guarantees.* A step that is taken from the same state under two settings of one board comes to the same, if what it
//! depended on under the first does not meet what [differs](Dependence::between) between them.
//!
//! *Limits.* What it depended on is kept in a fixed number of bits, so that two things may share one. Then something seems
//! to have been asked that was not, which costs time and never an answer.

use std::cell::Cell;

use super::setting::Setting;
use endstep_language::index::Id;
use endstep_language::typing::program::{ReadingId, StepId, StmtId};

/// A set of readings, freed iterations and steps that are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dependence {
    readings: u128,
    freed: u128,
    skipped: u128,
}

impl Dependence {
    /// Everything.
    const ALL: Self = Self {
        readings: u128::MAX,
        freed: u128::MAX,
        skipped: u128::MAX,
    };

    /// Adds a reading.
    pub fn on_reading(&mut self, reading: ReadingId) {
        self.readings |= bit(reading);
    }

    /// Adds whether an iteration is freed.
    pub fn on_freed(&mut self, stmt: StmtId) {
        self.freed |= bit(stmt);
    }

    /// Adds whether a step is left out.
    pub fn on_skipped(&mut self, step: StepId) {
        self.skipped |= bit(step);
    }

    /// Takes something down.
    pub(super) fn add(to: &Cell<Self>, on: impl FnOnce(&mut Self)) {
        let mut depended = to.get();
        on(&mut depended);
        to.set(depended);
    }

    /// Both.
    pub fn and(self, other: Self) -> Self {
        Self {
            readings: self.readings | other.readings,
            freed: self.freed | other.freed,
            skipped: self.skipped | other.skipped,
        }
    }

    /// Whether something is in both.
    pub fn meets(self, other: Self) -> bool {
        self.readings & other.readings != 0
            || self.freed & other.freed != 0
            || self.skipped & other.skipped != 0
    }

    /// What differs between two settings of one board.
    pub fn between(one: Setting<'_>, other: Setting<'_>) -> Self {
        let (mine, theirs) = (one.variant, other.variant);
        if mine.contracts != theirs.contracts || mine.extra != theirs.extra {
            return Self::ALL;
        }
        let mut differs = Self::default();
        let readings = one.readings.iter().zip(other.readings).enumerate();
        for (at, _) in readings.filter(|(_, (mine, theirs))| mine != theirs) {
            differs.on_reading(ReadingId::from_index(at));
        }
        for &stmt in mine.free.symmetric_difference(&theirs.free) {
            differs.on_freed(stmt);
        }
        if mine.skip != theirs.skip {
            for step in mine.skip.iter().chain(&theirs.skip) {
                differs.on_skipped(*step);
            }
        }
        differs
    }
}

/// The bit of an id.
fn bit(id: impl Id) -> u128 {
    1 << (id.index() % 128)
}
