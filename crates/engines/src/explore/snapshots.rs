//! Data that are met on many boards: as bytes without what no operation writes, and as they are on one of them.
//!
//! *Guarantees.* What is read on a board is what was there when it was kept, with the values of this board for what no
//! operation writes.

use std::sync::Arc;

use super::store::Store;
use endstep_kernel::instance::Machine;
use endstep_semantics::semantics::Data;

/// Data by number.
#[derive(Debug, Default)]
pub struct Snapshots {
    packed: Store,
    bytes: Vec<u8>,
    /// Each as it is on the board on which it was looked at last.
    read: Vec<Option<(u32, Arc<Data>)>>,
}

impl Snapshots {
    /// The number of a machine's data; `None`: there is no room.
    pub fn number(&mut self, machine: &Machine<'_>) -> Option<u32> {
        machine.pack_only_data(&mut self.bytes);
        let (number, _) = self.packed.insert(&self.bytes)?;
        Some(number as u32)
    }

    /// Data on a board, of which a machine has them now.
    pub fn on(&mut self, number: u32, board: u32, machine: &Machine<'_>) -> Arc<Data> {
        if let Some(known) = self.known(number, board) {
            return known;
        }
        self.keep(number, board, machine.data())
    }

    /// Data on a board; the machine is one on that board, and may have others.
    pub fn read(&mut self, number: u32, board: u32, machine: &mut Machine<'_>) -> Arc<Data> {
        if let Some(known) = self.known(number, board) {
            return known;
        }
        machine.unpack_only_data(self.packed.get(number as usize));
        self.keep(number, board, machine.data())
    }

    fn known(&self, number: u32, board: u32) -> Option<Arc<Data>> {
        let (on, data) = self.read.get(number as usize)?.as_ref()?;
        (*on == board).then(|| Arc::clone(data))
    }

    fn keep(&mut self, number: u32, board: u32, data: Data) -> Arc<Data> {
        let (at, data) = (number as usize, Arc::new(data));
        if self.read.len() <= at {
            self.read.resize(at + 1, None);
        }
        self.read[at] = Some((board, Arc::clone(&data)));
        data
    }

    /// How many bytes they have together.
    pub fn bytes(&self) -> usize {
        self.packed.bytes()
    }
}
