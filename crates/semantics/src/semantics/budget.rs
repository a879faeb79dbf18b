//! How much one micro-step may evaluate.
//!
//! Definitions that use others twice double what is evaluated each time, and so do quantifiers
//! inside of quantifiers:
//!
//! ```text
//! define a1 = a0 + a0      2 times a0
//! define a40 = a39 + a39   1,099,511,627,776 times a0
//! ```
//!
//! *Limits.* More than [`MOST_EXPRESSIONS`] in one micro-step, or in one condition that is looked
//! at between two, are [`Limit::Expressions`]. The number depends on the state alone, so the limit
//! is met on every machine or on none.

use std::cell::Cell;

use super::next::{Limit, Tag};
use super::stop::Stop;

/// Most expressions, those inside of others counted one by one, of one micro-step.
pub const MOST_EXPRESSIONS: u32 = 1_000_000;

/// What is left of it.
#[derive(Debug)]
pub struct Budget(Cell<u32>);

impl Budget {
    /// That of a micro-step which has evaluated nothing yet.
    pub fn new() -> Self {
        Self(Cell::new(MOST_EXPRESSIONS))
    }

    /// Pays for one expression.
    pub fn pay(&self) -> Result<(), Stop> {
        let left = self.0.get().checked_sub(1);
        self.0
            .set(left.ok_or(Stop::Tag(Tag::Limit(Limit::Expressions)))?);
        Ok(())
    }
}
