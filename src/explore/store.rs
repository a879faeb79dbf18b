//! The states that have been seen, whole, one after the other in one string of bytes.
//!
//! ```text
//! bytes: 07 03 00 | 07 02 00 | 07 02 01 01      ends: 3, 6, 10      table: hash ─▶ number
//! ```
//!
//! *Guarantees.* A state counts as seen only if all of its bytes are equal to those of one that is
//! stored: no verdict rests on a hash.
//!
//! *Limits.* 4 GiB of bytes; [`insert`](Store::insert) then says that there is no room.
//!
//! *Background.* Storing full states in one arena with a table of numbers follows the exact mode of
//! SPIN (Holzmann 2003, §8); about 9 bytes are added to each state.

use std::hash::Hasher as _;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// States by number.
#[derive(Debug, Default)]
pub struct Store {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    table: HashTable<u32>,
}

impl Store {
    /// The number of a state, and whether it is new; `None`: there is no room.
    pub fn insert(&mut self, state: &[u8]) -> Option<(usize, bool)> {
        let (bytes, ends) = (&self.bytes, &self.ends);
        let hash = hash(state);
        let found = self
            .table
            .find(hash, |&at| slice(bytes, ends, at as usize) == state);
        if let Some(&at) = found {
            return Some((at as usize, false));
        }
        let number = u32::try_from(self.ends.len()).ok()?;
        let end = u32::try_from(self.bytes.len() + state.len()).ok()?;
        self.bytes.extend_from_slice(state);
        self.ends.push(end);
        let (bytes, ends) = (&self.bytes, &self.ends);
        self.table.insert_unique(hash, number, |&at| {
            self::hash(slice(bytes, ends, at as usize))
        });
        Some((number as usize, true))
    }

    /// The number of a state, if it is there.
    pub fn find(&self, state: &[u8]) -> Option<usize> {
        let is_it = |at: &u32| slice(&self.bytes, &self.ends, *at as usize) == state;
        let found = self.table.find(hash(state), is_it);
        found.map(|&at| at as usize)
    }

    /// The bytes of a state.
    pub fn get(&self, number: usize) -> &[u8] {
        slice(&self.bytes, &self.ends, number)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many bytes of memory are in use for them.
    pub fn memory(&self) -> usize {
        self.bytes.len()
            + self.ends.len() * size_of::<u32>()
            + self.table.capacity() * (size_of::<u32>() + 1)
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[u32], number: usize) -> &'a [u8] {
    let start = match number.checked_sub(1) {
        Some(before) => ends[before] as usize,
        None => 0,
    };
    &bytes[start..ends[number] as usize]
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
}
