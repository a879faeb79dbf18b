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
use super::layout::Shape;
use super::words::Words;
use crate::ir::{Domain, NONE, System};
use endstep_language::index::Id;
use endstep_language::typing::program::Type;
use endstep_semantics::semantics::Data;

/// Wider numbers are written as others are.
const WIDEST: u32 = 24;

/// A place of few values.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// Its position among fields or variables.
    at: usize,
    /// The smallest value; it may also be none if that is `NONE`.
    low: i64,
    /// How many bits.
    width: u32,
}

/// The places of few values of a board, and the others that can change.
#[derive(Debug, Clone, Default)]
pub struct Narrow {
    fields: Vec<Slot>,
    vars: Vec<Slot>,
    wide_fields: Vec<usize>,
    wide_vars: Vec<usize>,
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

    /// What is written of a number, if it fits.
    #[inline]
    fn code(self, n: i64) -> Option<u64> {
        let code = match self.low {
            NONE if n == NONE => 0,
            NONE => n.checked_add(1).filter(|&code| code > 0)? as u64,
            low => n.wrapping_sub(low) as u64,
        };
        (code >> self.width == 0).then_some(code)
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
    /// Of a board with so many entities at most.
    pub fn new(
        system: &System,
        shape: &Shape,
        (board, given): (&Data, usize),
        most: usize,
    ) -> Self {
        let mut narrow = Self::default();
        let stride = system.sorts.values().iter().map(|sort| sort.fields.len());
        let stride = stride.max().unwrap_or(0);
        for (entity, one) in board.entities.iter().take(given).enumerate() {
            let fields = &system.sorts[one.sort].fields;
            for &field in &shape.changing[one.sort.index()] {
                let at = entity * stride + field;
                let domain = &system.fields[fields[field]].domain;
                match Slot::of(at, domain, (system, most)) {
                    Some(slot) => narrow.fields.push(slot),
                    None => narrow.wide_fields.push(at),
                }
            }
        }
        for (at, var) in system.vars.values().iter().enumerate() {
            match Slot::of(at, &var.domain, (system, most)) {
                _ if !shape.vars[at] => {}
                Some(slot) => narrow.vars.push(slot),
                None => narrow.wide_vars.push(at),
            }
        }
        narrow
    }

    /// Writes what can change of the board's entities and of the variables.
    pub fn pack(&self, pen: &mut Pen<'_>, data: &Words) {
        if !(self.fields.is_empty() && self.vars.is_empty()) {
            let start = pen.0.len();
            if !self.pack_bits(pen, data) {
                pen.0.truncate(start);
                pen.0.push(0);
                self.fields
                    .iter()
                    .for_each(|slot| pen.number(data.fields[slot.at]));
                self.vars
                    .iter()
                    .for_each(|slot| pen.number(data.vars[slot.at]));
            }
        }
        self.wide_fields
            .iter()
            .for_each(|&at| pen.number(data.fields[at]));
        self.wide_vars
            .iter()
            .for_each(|&at| pen.number(data.vars[at]));
    }

    /// False if something does not fit.
    fn pack_bits(&self, pen: &mut Pen<'_>, data: &Words) -> bool {
        let (mut bits, mut filled) = (1_u64, 1);
        let fields = self
            .fields
            .iter()
            .map(|slot| slot.code(data.fields[slot.at]));
        let vars = self.vars.iter().map(|slot| slot.code(data.vars[slot.at]));
        let widths = self.fields.iter().chain(&self.vars).map(|slot| slot.width);
        for (code, width) in fields.chain(vars).zip(widths) {
            let Some(code) = code else { return false };
            bits |= code << filled;
            filled += width;
            while filled >= 8 {
                pen.0.push(bits as u8);
                bits >>= 8;
                filled -= 8;
            }
        }
        if filled > 0 {
            pen.0.push(bits as u8);
        }
        true
    }

    /// Reads what [`pack`](Self::pack) wrote.
    pub fn unpack(&self, reader: &mut Reader<'_>, data: &mut Words) {
        if !(self.fields.is_empty() && self.vars.is_empty()) {
            let (mut bits, mut filled) = (u64::from(reader.byte()), 8_u32);
            if bits & 1 == 0 {
                self.fields
                    .iter()
                    .for_each(|slot| data.fields[slot.at] = reader.number());
                self.vars
                    .iter()
                    .for_each(|slot| data.vars[slot.at] = reader.number());
            } else {
                bits >>= 1;
                filled -= 1;
                let mut next = |slot: &Slot| {
                    while filled < slot.width {
                        bits |= u64::from(reader.byte()) << filled;
                        filled += 8;
                    }
                    let code = bits & ((1 << slot.width) - 1);
                    bits >>= slot.width;
                    filled -= slot.width;
                    slot.number(code)
                };
                self.fields
                    .iter()
                    .for_each(|slot| data.fields[slot.at] = next(slot));
                self.vars
                    .iter()
                    .for_each(|slot| data.vars[slot.at] = next(slot));
            }
        }
        self.wide_fields
            .iter()
            .for_each(|&at| data.fields[at] = reader.number());
        self.wide_vars
            .iter()
            .for_each(|&at| data.vars[at] = reader.number());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(fields: [i64; 4]) -> usize {
        let slot = |at, low, width| Slot { at, low, width };
        let narrow = Narrow {
            fields: vec![slot(0, -2, 3), slot(1, NONE, 2), slot(2, 0, 0)],
            wide_fields: vec![3],
            ..Narrow::default()
        };
        let of = |fields: [i64; 4]| Words {
            fields: fields.to_vec(),
            ..Words::default()
        };
        let mut bytes = Vec::new();
        narrow.pack(&mut Pen(&mut bytes), &of(fields));
        let mut read = of([0; 4]);
        narrow.unpack(&mut Reader::new(&bytes), &mut read);
        assert_eq!(read.fields, fields);
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
