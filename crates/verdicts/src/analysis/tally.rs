//! What is counted while the boards of a job are looked at.

use std::collections::{BTreeMap, BTreeSet};

use crate::verdict::{Bound, Extra};

/// Counts of a job.
#[derive(Debug, Default)]
pub struct Tally {
    /// Boards, those left out by a sieve included.
    pub boards: u64,
    /// Boards that were looked at.
    pub visited: u64,
    /// Those that are known to be legal.
    pub legal: u64,
    /// States of all of them.
    pub states: u64,
    /// Micro-steps.
    pub steps: u64,
    /// Of what nobody asked for.
    pub aside: u64,
    /// On how many boards what nobody asked for was given up.
    pub given_up: BTreeMap<Extra, u64>,
    /// How many assignments of the readings the board with the most needs.
    pub readings: u64,
    /// Boards with runs that were given up.
    pub bounds: u64,
    /// Which limits these met.
    pub left: BTreeSet<Bound>,
    /// Boards with too many states.
    pub too_large: u64,
    /// Boards with states that take too much memory.
    pub too_big: u64,
    /// Boards with too many assignments of readings.
    pub too_many_readings: u64,
    /// Boards with too many created entities.
    pub created: u64,
    /// Boards on which something could not be evaluated.
    pub evaluation: u64,
    /// More boards than the limit.
    pub too_many: bool,
    /// The budget of steps is used up.
    pub exhausted: bool,
    /// Somebody has had enough.
    pub interrupted: bool,
    /// Where only claims are looked at: whether some run stops, or need not end.
    pub without_end: bool,
}
