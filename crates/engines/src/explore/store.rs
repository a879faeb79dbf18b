//! The states that have been seen, whole, one after the other in strings of bytes.
//!
//! ```text
//! bytes: 07 03 00 | 07 02 00 | 07 02 01 01      ends: 3, 6, 10      slots: part of the hash, number
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
//! *Limits.* 4,294,967,294 states, and 4 GiB of bytes for each block; [`insert`](Store::insert)
//! then says that there is no room.
//!
//! *Speed.* Of a large store nothing is in the caches of the processor, and most of the time goes into waiting for
//! memory. So many states are looked up side by side ([`Store::approach`]), and half of a slot is part of the hash:
//! the bytes of another state are hardly ever looked at.
//!
//! *Background.* Storing full states in one arena with a table of numbers follows the exact mode of
//! SPIN (Holzmann 2003, §8); 11 to 21 bytes are added to each state, and 4 more where lengths differ.

use std::hash::Hasher as _;
use std::hint::black_box;

use rustc_hash::FxHasher;

/// A block holds two to the power of this many states.
const BLOCK: u32 = 14;

/// States by number.
#[derive(Debug, Default)]
pub struct Store {
    blocks: Vec<Block>,
    len: usize,
    /// How many bytes all states have together.
    bytes: usize,
    /// Open addressing; a power of two, at most three quarters of them taken. Above, a hash; below, one more than the
    /// number of a state; 0 if free.
    slots: Vec<u64>,
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

/// A hash of the bytes of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag(u32);

impl Tag {
    /// Of a state.
    #[inline]
    pub fn of(state: &[u8]) -> Self {
        let mut hasher = FxHasher::default();
        hasher.write(state);
        // The product spreads over the upper half, which decides about the slot.
        Self((hasher.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32)
    }
}

impl Store {
    /// The number of a state, and whether it is new; `None`: there is no room.
    pub fn insert(&mut self, state: &[u8]) -> Option<(usize, bool)> {
        self.insert_tagged(Tag::of(state), state)
    }

    /// The same with its tag.
    pub fn insert_tagged(&mut self, tag: Tag, state: &[u8]) -> Option<(usize, bool)> {
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let free = match self.seek(tag, state) {
            Ok(number) => return Some((number, false)),
            Err(free) => free,
        };
        let number = self.len;
        let next = u32::try_from(number + 1).ok()?;
        if number >> BLOCK == self.blocks.len() {
            if let Some(full) = self.blocks.last_mut() {
                full.bytes.shrink_to_fit();
            }
            self.blocks.push(Block::default());
        }
        self.blocks.last_mut()?.push(state)?;
        self.len += 1;
        self.bytes += state.len();
        self.slots[free] = u64::from(tag.0) << 32 | u64::from(next);
        Some((number, true))
    }

    /// How many bytes all states have together.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The number of a state, if it is there.
    pub fn find(&self, state: &[u8]) -> Option<usize> {
        match self.slots.is_empty() {
            true => None,
            false => self.seek(Tag::of(state), state).ok(),
        }
    }

    /// Reads what looking for states will read first, so that it is there by then. None of these reads waits for
    /// another one.
    pub fn approach(&self, tags: &[Tag]) {
        if self.slots.is_empty() {
            return;
        }
        let read = tags.iter().fold(0, |read, &tag| {
            let slot = self.slots[self.first(tag)];
            read ^ slot
        });
        black_box(read);
        let read = tags.iter().fold(0, |read, &tag| {
            let state = self.tagged(tag).map(|number| self.get(number));
            read ^ state.and_then(<[u8]>::first).copied().unwrap_or(0)
        });
        black_box(read);
    }

    /// The first state with a tag.
    #[inline]
    fn tagged(&self, tag: Tag) -> Option<usize> {
        let mut at = self.first(tag);
        loop {
            let slot = self.slots[at];
            let number = (slot as u32).checked_sub(1)?;
            if (slot >> 32) as u32 == tag.0 {
                return Some(number as usize);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// The slot where looking for a tag begins.
    #[inline]
    fn first(&self, tag: Tag) -> usize {
        // INVARIANT: there are slots; as their number is a power of two, these are the upper bits of the tag.
        ((u64::from(tag.0) * self.slots.len() as u64) >> 32) as usize
    }

    /// The number of a state, or the free slot where it belongs.
    #[inline]
    fn seek(&self, tag: Tag, state: &[u8]) -> Result<usize, usize> {
        let mut at = self.first(tag);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            if (slot >> 32) as u32 == tag.0 {
                let number = slot as u32 as usize - 1;
                if slice(&self.blocks, number) == state {
                    return Ok(number);
                }
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    fn grow(&mut self) {
        let larger = (self.slots.len() * 2).max(8);
        let old = std::mem::replace(&mut self.slots, vec![0; larger]);
        for slot in old {
            if slot == 0 {
                continue;
            }
            let mut at = self.first(Tag((slot >> 32) as u32));
            while self.slots[at] != 0 {
                at = (at + 1) & (larger - 1);
            }
            self.slots[at] = slot;
        }
    }

    /// The bytes of a state.
    #[inline]
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
        let slots = self.slots.capacity() * size_of::<u64>();
        blocks + self.blocks.capacity() * size_of::<Block>() + slots
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
