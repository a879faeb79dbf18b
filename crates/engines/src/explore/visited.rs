//! The states of runs from one board, whole: the data of each with the number of its control.
//!
//! ```text
//! controls: 0 "turn, before the choice"   1 "turn, in option 2"
//! states:   00 | 07 03 00     00 | 07 02 00     01 | 07 02 00
//! ```
//!
//! Runs come to few places, and to each with many data; so what is in progress is stored once for all states that
//! share it.
//!
//! *Guarantees.* Two states have one number only if all of their bytes are equal, those of the control as well.
//!
//! *Background.* "Collapse" of SPIN (Holzmann, State compression in SPIN, 1997): parts of a state are numbered, and the
//! state is a vector of these numbers.

use super::store::Store;
use endstep_kernel::instance::{Machine, Packed, Words};

/// States by number.
#[derive(Debug, Default)]
pub struct Visited {
    controls: Store,
    states: Store,
    packed: Packed,
    /// The bytes of the state that was packed last.
    bytes: Vec<u8>,
}

impl Visited {
    /// Packs the state of a machine, for [`insert`](Self::insert) and [`find`](Self::find); false: there is no room
    /// for another control.
    pub fn pack(&mut self, machine: &Machine<'_>) -> bool {
        machine.pack(&mut self.packed);
        let Some((control, _)) = self.controls.insert(&self.packed.control) else {
            return false;
        };
        self.bytes.clear();
        write(&mut self.bytes, control);
        self.bytes.extend_from_slice(&self.packed.data);
        true
    }

    /// The number of the state that was packed last, and whether it is new; `None`: there is no room.
    pub fn insert(&mut self) -> Option<(usize, bool)> {
        self.states.insert(&self.bytes)
    }

    /// The number of the state that was packed last, if it is there.
    pub fn find(&self) -> Option<usize> {
        self.states.find(&self.bytes)
    }

    /// Puts a machine into a state.
    pub fn unpack(&self, machine: &mut Machine<'_>, board: &Words, number: usize) {
        let (data, control) = self.parts(number);
        machine.unpack(board, data, control);
    }

    /// The bytes of a state: its data and its control.
    fn parts(&self, number: usize) -> (&[u8], &[u8]) {
        let (control, data) = read(self.states.get(number));
        (data, self.controls.get(control))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// How many bytes of memory are taken for them, unused ones included.
    pub fn memory(&self) -> usize {
        self.states.memory() + self.controls.memory()
    }
}

/// Seven bits a byte, the last one below 128.
fn write(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The number at the beginning, and what comes after it.
fn read(bytes: &[u8]) -> (usize, &[u8]) {
    let (mut number, mut shift) = (0, 0);
    let mut at = 0;
    while bytes[at] >= 128 {
        number |= usize::from(bytes[at] & 127) << shift;
        shift += 7;
        at += 1;
    }
    (number | usize::from(bytes[at]) << shift, &bytes[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        for number in [0, 1, 127, 128, 300, 16_383, 16_384, 4_294_967_295] {
            let mut bytes = Vec::new();
            write(&mut bytes, number);
            bytes.extend_from_slice(&[7, 200]);
            assert_eq!(read(&bytes), (number, &[7, 200][..]));
        }
    }
}
