//! The states that have been seen, whole, one after the other in strings of bytes.
//!
//! ```text
//! bytes: 07 03 00 | 07 02 00 | 07 02 01 01      ends: 3, 6, 10      table: hash ─▶ number
//! ```
//!
//! Where all states of a block have one length, as they mostly do, it has no list of ends.
//!
//! The strings are kept in blocks of so many states, so that what is there is never copied to make
//! room for more, and at most one block is larger than what is in it.
//!
//! *Guarantees.* A state counts as seen only if all of its bytes are equal to those of one that is
//! stored: no verdict rests on a hash.
//!
//! *Limits.* 4,294,967,295 states, and 4 GiB of bytes for each block; [`insert`](Store::insert)
//! then says that there is no room.
//!
//! *Background.* Storing full states in one arena with a table of numbers follows the exact mode of
//! SPIN (Holzmann 2003, §8); 6 to 12 bytes are added to each state, and 4 more where lengths differ.

use std::hash::Hasher as _;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// A block holds two to the power of this many states.
const BLOCK: u32 = 14;

/// States by number.
#[derive(Debug, Default)]
pub struct Store {
    blocks: Vec<Block>,
    len: usize,
    table: HashTable<u32>,
}

/// Some states in a row.
#[derive(Debug, Default)]
struct Block {
    bytes: Vec<u8>,
    /// How many states are in it.
    len: usize,
    /// The length of each, as long as `ends` is empty.
    each: usize,
    /// Where each ends, if their lengths differ.
    ends: Vec<u32>,
}

impl Store {
    /// The number of a state, and whether it is new; `None`: there is no room.
    pub fn insert(&mut self, state: &[u8]) -> Option<(usize, bool)> {
        let hash = hash(state);
        if let Some(at) = self.seek(hash, state) {
            return Some((at, false));
        }
        let number = u32::try_from(self.len).ok()?;
        if self.len >> BLOCK == self.blocks.len() {
            if let Some(full) = self.blocks.last_mut() {
                full.bytes.shrink_to_fit();
            }
            self.blocks.push(Block::default());
        }
        self.blocks.last_mut()?.push(state)?;
        self.len += 1;
        let blocks = &self.blocks;
        self.table
            .insert_unique(hash, number, |&at| self::hash(slice(blocks, at as usize)));
        Some((number as usize, true))
    }

    /// The number of a state, if it is there.
    pub fn find(&self, state: &[u8]) -> Option<usize> {
        self.seek(hash(state), state)
    }

    fn seek(&self, hash: u64, state: &[u8]) -> Option<usize> {
        let is_it = |at: &u32| slice(&self.blocks, *at as usize) == state;
        let found = self.table.find(hash, is_it);
        found.map(|&at| at as usize)
    }

    /// The bytes of a state.
    pub fn get(&self, number: usize) -> &[u8] {
        slice(&self.blocks, number)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many bytes of memory are taken for them, unused ones included.
    pub fn memory(&self) -> usize {
        let blocks = self.blocks.iter();
        let blocks: usize = blocks
            .map(|one| one.bytes.capacity() + one.ends.capacity() * size_of::<u32>())
            .sum();
        blocks + self.blocks.capacity() * size_of::<Block>() + self.table.allocation_size()
    }
}

impl Block {
    /// `None`: there is no room.
    fn push(&mut self, state: &[u8]) -> Option<()> {
        let end = u32::try_from(self.bytes.len() + state.len()).ok()?;
        if self.len == 0 {
            self.each = state.len();
        }
        if self.ends.is_empty() && state.len() != self.each {
            let ends = (1..=self.len).map(|at| u32::try_from(at * self.each).ok());
            self.ends = ends.collect::<Option<_>>()?;
        }
        if !self.ends.is_empty() {
            self.ends.push(end);
        }
        self.bytes.extend_from_slice(state);
        self.len += 1;
        Some(())
    }
}

#[inline]
fn slice(blocks: &[Block], number: usize) -> &[u8] {
    let block = &blocks[number >> BLOCK];
    let at = number & ((1 << BLOCK) - 1);
    if block.ends.is_empty() {
        return &block.bytes[at * block.each..(at + 1) * block.each];
    }
    let start = match at.checked_sub(1) {
        Some(before) => block.ends[before] as usize,
        None => 0,
    };
    &block.bytes[start..block.ends[at] as usize]
}

fn hash(state: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(state);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bytes_are_one_state_and_others_are_not() {
        let mut store = Store::default();
        assert_eq!(store.insert(&[1, 2]), Some((0, true)));
        assert_eq!(store.insert(&[1]), Some((1, true)));
        assert_eq!(store.insert(&[]), Some((2, true)));
        assert_eq!(store.insert(&[1, 2]), Some((0, false)));
        assert_eq!(store.insert(&[]), Some((2, false)));
        for n in 0..1000_u16 {
            store.insert(&n.to_le_bytes());
        }
        assert_eq!(store.get(1), &[1]);
        // 513 is `01 02`, which was there.
        assert_eq!(store.len(), 1002);
    }

    #[test]
    fn states_are_found_in_every_block() {
        let mut store = Store::default();
        for n in 0..50_000_u32 {
            assert_eq!(store.insert(&n.to_le_bytes()), Some((n as usize, true)));
        }
        for n in 0..50_000_u32 {
            assert_eq!(store.get(n as usize), n.to_le_bytes());
            assert_eq!(store.find(&n.to_le_bytes()), Some(n as usize));
        }
        assert!(store.memory() >= 50_000 * 8);
    }
}
