//! Numbers of which it is known how large they become, in as few bits as that takes: a truth value in one, a field from
//! 0 to 5 in three.
//!
//! ```text
//! alive: true   health: 3 of 0 to 5   owner: none of 3 players     bits: 1 | 1 110 00 …, the first: all of them fit
//! ```
//!
//! *Guarantees.* Nothing rests on the bounds: where a number is outside of its own, as on boards that a file writes
//! down, the first bit is 0 and the numbers are written as others are.

use super::bytes::{Pen, Reader};
use crate::ir::{Domain, NONE, System};
use endstep_language::typing::program::Type;

/// Wider numbers are written as others are.
const WIDEST: u32 = 24;

/// A place of few values.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// Its position among variables and fields.
    at: usize,
    /// The smallest value; it may also be none if that is `NONE`.
    low: i64,
    /// How many bits.
    width: u32,
}

/// The places of few values of a board, and the others that can change.
#[derive(Debug, Clone, Default)]
pub struct Narrow {
    slots: Vec<Slot>,
    wide: Vec<usize>,
}

impl Slot {
    fn of(at: usize, domain: &Domain, (system, most): (&System, usize)) -> Option<Self> {
        let (low, values) = match domain.ty {
            Type::Bool => (0, 2),
            Type::Enum(id) => (0, system.enums[id].values.len() as i64),
            // None comes first.
            Type::Entity(_) | Type::Optional(_) => (NONE, most as i64 + 1),
            Type::Int => {
                let bounds = domain.bounds;
                let (low, high) = bounds.document.or(bounds.reach)?;
                (low, high.checked_sub(low)?.checked_add(1)?)
            }
        };
        let width = u64::try_from(values).ok()?.max(1).next_power_of_two();
        let width = width.trailing_zeros();
        (width <= WIDEST).then_some(Self { at, low, width })
    }

    /// What is written of a number; more than `width` bits if it does not fit.
    #[inline]
    fn code(self, n: i64) -> u64 {
        match self.low {
            NONE if n == NONE => 0,
            // Below zero there is no other.
            NONE if n < 0 => u64::MAX,
            NONE => n as u64 + 1,
            low => n.wrapping_sub(low) as u64,
        }
    }

    #[inline]
    fn number(self, code: u64) -> i64 {
        match self.low {
            NONE if code == 0 => NONE,
            NONE => code as i64 - 1,
            low => low.wrapping_add(code as i64),
        }
    }
}

impl Narrow {
    /// Of places, each with what it may hold; there are so many entities at most.
    pub fn new<'d>(
        system: &System,
        most: usize,
        places: impl Iterator<Item = (usize, &'d Domain)>,
    ) -> Self {
        let mut narrow = Self::default();
        for (at, domain) in places {
            match Slot::of(at, domain, (system, most)) {
                Some(slot) => narrow.slots.push(slot),
                None => narrow.wide.push(at),
            }
        }
        narrow
    }

    /// Writes what can change of the board's entities and of the variables.
    pub fn pack(&self, pen: &mut Pen<'_>, cells: &[i64]) {
        if !self.slots.is_empty() {
            let start = pen.0.len();
            if !self.pack_bits(pen, cells) {
                pen.0.truncate(start);
                pen.0.push(0);
                let numbers = self.slots.iter().map(|slot| cells[slot.at]);
                numbers.for_each(|n| pen.number(n));
            }
        }
        self.wide.iter().for_each(|&at| pen.number(cells[at]));
    }

    /// False if something does not fit.
    fn pack_bits(&self, pen: &mut Pen<'_>, cells: &[i64]) -> bool {
        let (mut bits, mut filled, mut over) = (1_u64, 1, 0);
        for slot in &self.slots {
            let code = slot.code(cells[slot.at]);
            over |= code >> slot.width;
            bits |= code << filled;
            filled += slot.width;
            // Of a wider number than 24 bits there is no slot, so this never runs over.
            if filled >= 32 {
                pen.0.extend_from_slice(&(bits as u32).to_le_bytes());
                bits >>= 32;
                filled -= 32;
            }
        }
        let bytes = filled.div_ceil(8) as usize;
        pen.0.extend_from_slice(&bits.to_le_bytes()[..bytes]);
        over == 0
    }

    /// Reads what [`pack`](Self::pack) wrote.
    pub fn unpack(&self, reader: &mut Reader<'_>, cells: &mut [i64]) {
        if !self.slots.is_empty() {
            let (mut bits, mut filled) = (u64::from(reader.byte()), 8_u32);
            if bits & 1 == 0 {
                for slot in &self.slots {
                    cells[slot.at] = reader.number();
                }
            } else {
                bits >>= 1;
                filled -= 1;
                for slot in &self.slots {
                    while filled < slot.width {
                        bits |= u64::from(reader.byte()) << filled;
                        filled += 8;
                    }
                    let code = bits & ((1 << slot.width) - 1);
                    bits >>= slot.width;
                    filled -= slot.width;
                    cells[slot.at] = slot.number(code);
                }
            }
        }
        self.wide.iter().for_each(|&at| cells[at] = reader.number());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(fields: [i64; 4]) -> usize {
        let slot = |at, low, width| Slot { at, low, width };
        let narrow = Narrow {
            slots: vec![slot(0, -2, 3), slot(1, NONE, 2), slot(2, 0, 0)],
            wide: vec![3],
        };
        let mut bytes = Vec::new();
        narrow.pack(&mut Pen(&mut bytes), &fields);
        let mut read = [0; 4];
        narrow.unpack(&mut Reader::new(&bytes), &mut read);
        assert_eq!(read, fields);
        bytes.len()
    }

    #[test]
    fn what_fits_takes_bits_and_what_does_not_is_not_lost() {
        for first in -2..6 {
            for second in [NONE, 0, 1, 2] {
                assert_eq!(there_and_back([first, second, 0, 5]), 2);
            }
        }
        for odd in [
            [6, 0, 0, 5],
            [-3, 0, 0, 5],
            [0, 3, 0, 5],
            [0, 0, 1, 5],
            [0, -1, 0, 5],
        ] {
            assert_eq!(there_and_back(odd), 5);
        }
        assert!(there_and_back([i64::MAX, i64::MAX, i64::MIN + 1, NONE]) > 5);
    }
}
