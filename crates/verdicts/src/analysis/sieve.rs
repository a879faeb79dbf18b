//! Tells early that boards are not legal, many at once, and asks no more than it has to.
//!
//! ```text
//! places of a board, the last one changing first      a  b  c  d
//! the first condition is met, and reads               a  b           not asked again until b changes
//! the second is not, and reads                        a     c        no board with this a and c is legal
//! ```

use std::cell::Cell;
use std::collections::BTreeMap;

use endstep_semantics::semantics::{Data, Spot};

/// Tells early that a board is not legal.
pub trait Sieve {
    /// How many conditions boards meet that are legal and to be explored.
    fn conditions(&self) -> usize;

    /// Evaluates on a board those conditions of which nothing is known. `told` gets the position of each, whether
    /// the board does not meet it, and the places that were read: of every board with the same values there the
    /// same is true. Once it returns true, it is not called again.
    fn judge(&self, board: &Data, unknown: &dyn Fn(usize) -> bool, told: Told<'_>);
}

/// Hears what became of a condition.
pub type Told<'a> = &'a mut dyn FnMut(usize, bool, &[Spot]) -> bool;

/// Makes a sieve for boards with these entities, dealt like this.
pub type Sieves<'a> = &'a dyn Fn(&Data) -> Option<Box<dyn Sieve + 'a>>;

/// Goes through boards in order with a sieve.
pub(super) struct Sifter<'s> {
    sieve: Box<dyn Sieve + 's>,
    /// Where each place stands.
    positions: BTreeMap<Spot, usize>,
    /// Of each condition that the board before met, how many of the first places it takes to say so.
    met: Vec<Cell<Option<usize>>>,
}

impl<'s> Sifter<'s> {
    /// With the places of its boards in order.
    pub(super) fn new(sieve: Box<dyn Sieve + 's>, places: impl Iterator<Item = Spot>) -> Self {
        Self {
            positions: places.enumerate().map(|(at, spot)| (spot, at)).collect(),
            met: vec![Cell::new(None); sieve.conditions()],
            sieve,
        }
    }

    /// How many of its first places are enough to say that a board is not legal, of which this is the first place that
    /// changed; nothing if that is not known of it.
    pub(super) fn refuted(&self, board: &Data, changed: usize) -> Option<usize> {
        for met in &self.met {
            met.set(met.get().filter(|&end| end <= changed));
        }
        let unknown = |condition: usize| self.met[condition].get().is_none();
        let mut least: Option<usize> = None;
        self.sieve
            .judge(board, &unknown, &mut |condition, is_refuted, read| {
                let read = read.iter().filter_map(|spot| self.positions.get(spot));
                let end = read.max().map_or(0, |last| last + 1);
                if !is_refuted {
                    self.met[condition].set(Some(end));
                    return false;
                }
                let end = least.map_or(end, |least| least.min(end));
                least = Some(end);
                // One that reads nothing later would have refuted the board before, too.
                end <= changed + 1
            });
        least
    }
}
