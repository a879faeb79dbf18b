//! Numbers to and from bytes: small ones take one.
//!
//! ```text
//! none 00     0 01     -1 02     1 03     -2 04     63 7f     64 81 01
//! ```

use super::inst::{Inst, List};
use crate::ir::NONE;
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, FieldId, VarId};
use endstep_semantics::semantics::{Spot, Who};

/// Bytes to be written.
pub struct Pen<'a>(pub &'a mut Vec<u8>);

impl Pen<'_> {
    pub(super) fn bits(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push((n as u8) | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    /// How many of something, or the number of something.
    pub fn size(&mut self, n: usize) {
        self.bits(n as u64);
    }

    /// Any number: none is 0, the others follow by distance from zero.
    pub(super) fn number(&mut self, n: i64) {
        if n == NONE {
            self.0.push(0);
        } else {
            self.bits((((n << 1) ^ (n >> 63)) as u64) + 1);
        }
    }

    pub(super) fn flag(&mut self, flag: bool) {
        self.0.push(u8::from(flag));
    }

    pub(super) fn flags(&mut self, flags: &[bool]) {
        for chunk in flags.chunks(8) {
            let byte = (0..).zip(chunk).map(|(at, &flag)| u8::from(flag) << at);
            self.0.push(byte.sum());
        }
    }

    pub(super) fn list(&mut self, list: &[u16]) {
        self.size(list.len());
        for &one in list {
            self.bits(u64::from(one));
        }
    }

    pub(super) fn inst(&mut self, one: &Inst) {
        self.size(one.trigger.index());
        self.number(one.listener);
        one.payload.iter().for_each(|&n| self.number(n));
    }

    pub(super) fn insts(&mut self, all: &[Inst]) {
        self.size(all.len());
        all.iter().for_each(|one| self.inst(one));
    }

    pub(super) fn spot(&mut self, spot: Spot) {
        match spot {
            Spot::Var(var) => {
                self.0.push(0);
                self.size(var.index());
            }
            Spot::Field(entity, field) => {
                self.0.push(1);
                self.size(entity.index());
                self.size(field.index());
            }
        }
    }

    pub(super) fn writes(&mut self, writes: &[(Spot, i64)]) {
        self.size(writes.len());
        for &(spot, n) in writes {
            self.spot(spot);
            self.number(n);
        }
    }

    pub(super) fn who(&mut self, who: Who) {
        self.size(match who {
            Who::Nobody => 0,
            Who::Everyone => 1,
            Who::Chance => 2,
            Who::Player(player) => player.index() + 3,
        });
    }

    pub(super) fn maybe(&mut self, id: Option<usize>) {
        self.size(id.map_or(0, |id| id + 1));
    }
}

/// Bytes to be read.
///
/// INVARIANT: reads only what a [`Pen`] wrote for the same instance.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// From the first byte on.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// What was not read yet.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    pub(super) fn byte(&mut self) -> u8 {
        let byte = self.bytes[self.at];
        self.at += 1;
        byte
    }

    pub(super) fn bits(&mut self) -> u64 {
        let first = self.byte();
        if first < 0x80 {
            return u64::from(first);
        }
        let mut n = u64::from(first & 0x7f);
        let mut shift = 7;
        loop {
            let byte = self.byte();
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return n;
            }
            shift += 7;
        }
    }

    /// What [`Pen::size`] wrote.
    pub fn size(&mut self) -> usize {
        self.bits() as usize
    }

    pub(super) fn id(&mut self) -> u32 {
        self.bits() as u32
    }

    pub(super) fn number(&mut self) -> i64 {
        match self.bits() {
            0 => NONE,
            n => {
                let n = n - 1;
                ((n >> 1) as i64) ^ -((n & 1) as i64)
            }
        }
    }

    pub(super) fn flag(&mut self) -> bool {
        self.byte() != 0
    }

    pub(super) fn flags(&mut self, into: &mut [bool]) {
        for chunk in into.chunks_mut(8) {
            let byte = self.byte();
            for (at, flag) in (0..).zip(chunk) {
                *flag = byte >> at & 1 == 1;
            }
        }
    }

    pub(super) fn list(&mut self) -> List {
        let len = self.size();
        (0..len).map(|_| self.bits() as u16).collect()
    }

    pub(super) fn spot(&mut self) -> Spot {
        if self.byte() == 0 {
            Spot::Var(VarId(self.id()))
        } else {
            let entity = EntityId(self.id());
            Spot::Field(entity, FieldId(self.id()))
        }
    }

    pub(super) fn writes<C: FromIterator<(Spot, i64)>>(&mut self) -> C {
        let len = self.size();
        (0..len).map(|_| (self.spot(), self.number())).collect()
    }

    pub(super) fn who(&mut self) -> Who {
        match self.id() {
            0 => Who::Nobody,
            1 => Who::Everyone,
            2 => Who::Chance,
            player => Who::Player(EntityId(player - 3)),
        }
    }

    pub(super) fn maybe(&mut self) -> Option<u32> {
        self.id().checked_sub(1)
    }
}
