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
    /// same is true. It is told no more once it answers that it has heard enough.
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
    /// Of each condition that the board before met, behind which place it read no more.
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

    /// Whether a board is not legal of which this is the first place that changed; with the last place of those for
    /// which that is so (inner `None`: for none, so no board is legal).
    pub(super) fn refuted(&self, board: &Data, changed: usize) -> Option<Option<usize>> {
        for met in &self.met {
            met.set(met.get().filter(|&end| end <= changed));
        }
        let unknown = |condition: usize| self.met[condition].get().is_none();
        let mut shortest: Option<Option<usize>> = None;
        self.sieve
            .judge(board, &unknown, &mut |condition, is_refuted, read| {
                let read = read
                    .iter()
                    .filter_map(|spot| self.positions.get(spot).copied());
                let place = read.max();
                if !is_refuted {
                    self.met[condition].set(Some(place.map_or(0, |place| place + 1)));
                    return false;
                }
                let last = shortest.map_or(place, |last| last.min(place));
                shortest = Some(last);
                // One that reads nothing later would have refuted the board before, too.
                last <= Some(changed)
            });
        shortest
    }
}
