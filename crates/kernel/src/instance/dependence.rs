//! On which readings, on which changes of the system, and on which values of the board steps depended.
//!
//! ```text
//! under   dying: "at once"   loyal: not fixed      the step asked for "dying" alone
//! under   dying: "at once"   loyal: "stays"        … so it comes to the same here
//! under   dying: "later"     loyal: "stays"        … and need not here
//! ```
//!
//! Of the board only [constants](super::Layout::constants) count: variables and fields that no operation writes. What can
//! be written is part of the state.
//!
//! *Guarantees.* A step that is taken from the same state under two settings comes to the same, if what it depended on
//! under the first does not meet what [differs](Under::differs_from) between them, and the constants that it depended on
//! have the same values.
//!
//! *Limits.* What it depended on is kept in a fixed number of bits, so that two things may share one. Then something seems
//! to have been asked that was not, which costs time and never an answer.

use std::cell::Cell;

use super::groups::{of_field, of_var};
use super::setting::Setting;
use endstep_language::index::Id;
use endstep_language::typing::program::{ReadingId, SequenceId, StepId, StmtId};
use endstep_semantics::semantics::{Spot, Variant};

/// A set of readings, freed iterations, steps that are left out, sequences that contracts stand for, places that
/// stay as they are, and constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Dependence {
    readings: u128,
    freed: u128,
    skipped: u128,
    contracts: u128,
    still: u64,
    constants: u128,
}

impl Dependence {
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

    /// Adds whether a contract stands for a sequence.
    pub fn on_contract(&mut self, sequence: SequenceId) {
        self.contracts |= bit(sequence);
    }

    /// Adds whether a place stays as it is.
    #[inline]
    pub fn on_still(&mut self, spot: Spot) {
        self.still |= match spot {
            Spot::Var(var) => of_var(var),
            Spot::Field(_, field) => of_field(field),
        };
    }

    /// Adds the n-th constant.
    #[inline]
    pub fn on_constant(&mut self, at: usize) {
        self.constants |= 1 << (at % 128);
    }

    /// The constants: of `count` all that may be in it.
    pub fn constants(self, count: usize) -> impl Iterator<Item = usize> {
        let mut left = self.constants;
        let bits = std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (bit < 128).then_some(bit)
        });
        bits.flat_map(move |bit| (bit..count).step_by(128))
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
            contracts: self.contracts | other.contracts,
            still: self.still | other.still,
            constants: self.constants | other.constants,
        }
    }

    /// Whether something is in both.
    pub fn meets(self, other: Self) -> bool {
        self.readings & other.readings != 0
            || self.freed & other.freed != 0
            || self.skipped & other.skipped != 0
            || self.contracts & other.contracts != 0
            || self.still & other.still != 0
            || self.constants & other.constants != 0
    }
}

/// Readings and a variant under which something was found out.
#[derive(Debug)]
pub struct Under {
    readings: Vec<u16>,
    variant: Variant,
}

impl Under {
    /// Those of a setting.
    pub fn of(setting: Setting<'_>) -> Self {
        Self {
            readings: setting.readings.to_vec(),
            variant: setting.variant.clone(),
        }
    }

    /// The readings.
    pub fn readings(&self) -> &[u16] {
        &self.readings
    }

    /// Whether they are those of a setting with the same readings.
    pub fn has_variant_of(&self, setting: Setting<'_>) -> bool {
        self.variant == *setting.variant
    }

    /// What differs from others with one layout, but for constants.
    pub fn differs_from(&self, other: &Self) -> Dependence {
        let (mine, theirs) = (&self.variant, &other.variant);
        debug_assert_eq!(mine.extra, theirs.extra, "layouts differ");
        let mut differs = Dependence::default();
        for &sequence in mine.contracts.symmetric_difference(&theirs.contracts) {
            differs.on_contract(sequence);
        }
        let readings = self.readings.iter().zip(&other.readings).enumerate();
        for (at, _) in readings.filter(|(_, (mine, theirs))| mine != theirs) {
            differs.on_reading(ReadingId::from_index(at));
        }
        for &stmt in mine.free.symmetric_difference(&theirs.free) {
            differs.on_freed(stmt);
        }
        for &var in mine.still.vars.symmetric_difference(&theirs.still.vars) {
            differs.still |= of_var(var);
        }
        for &field in mine.still.fields.symmetric_difference(&theirs.still.fields) {
            differs.still |= of_field(field);
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
