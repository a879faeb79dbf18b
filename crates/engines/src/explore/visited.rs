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

use super::store::{Store, Tag};
use endstep_kernel::instance::{Cells, Control, Machine, Pen, Reader};

/// States by number.
#[derive(Debug, Default)]
pub struct Visited {
    controls: Store,
    states: Store,
    control: Vec<u8>,
    /// Whether there was room for the control of the state that was packed last.
    packed: bool,
    /// The controls by number, the first [`MOST_KEPT`] of them, as machines have them, once they were met again: most
    /// graphs are small, and come to most of their controls once.
    kept: Vec<Option<Control>>,
    /// The control of the state that was visited last: most that follow it have it, too.
    here: usize,
    /// What control came last of one control and one address; numbers, one more each, by a hash of both.
    hints: Vec<u32>,
    deferred: Deferred,
}

/// So many controls are kept unpacked.
const MOST_KEPT: usize = 4096;

/// So many hints there are; a power of two.
const HINTS: usize = 1024;

/// States that are to be inserted.
#[derive(Debug, Default)]
struct Deferred {
    /// One after the other; behind them the one that was packed last.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    tags: Vec<Tag>,
    /// For some there was no room.
    lost: bool,
}

impl Visited {
    /// Packs the state of a machine, for [`insert`](Self::insert), [`defer`](Self::defer) and
    /// [`find`](Self::find).
    pub fn pack(&mut self, machine: &Machine<'_>) {
        let control = self.control(machine);
        let bytes = &mut self.deferred.bytes;
        bytes.truncate(self.deferred.ends.last().copied().unwrap_or(0));
        self.packed = control.is_some();
        if let Some(control) = control {
            Pen(bytes).size(control);
            machine.pack_more_data(bytes);
        }
    }

    /// The number of what is in progress; `None`: there is no room.
    fn control(&mut self, machine: &Machine<'_>) -> Option<usize> {
        let is = |number: usize| {
            let kept = self.kept.get(number).and_then(Option::as_ref);
            kept.is_some_and(|kept| machine.has_control(kept))
        };
        if is(self.here) {
            return Some(self.here);
        }
        let at = machine.stack.last().map_or(0, |top| top.at as usize);
        let hint = (self.here.wrapping_mul(31) + at) % HINTS;
        let hinted = self.hints.get(hint).copied().unwrap_or(0) as usize;
        if hinted > 0 && is(hinted - 1) {
            return Some(hinted - 1);
        }
        machine.pack_only_control(&mut self.control);
        let (number, new) = self.controls.insert(&self.control)?;
        if new && number < MOST_KEPT {
            self.kept.push(None);
        }
        if !new && number < self.kept.len() {
            self.kept[number].get_or_insert_with(|| {
                let mut control = Control::default();
                machine.keep_control(&mut control);
                control
            });
            self.hints.resize(HINTS, 0);
            self.hints[hint] = number as u32 + 1;
        }
        Some(number)
    }

    /// The state that was packed last; `None`: there was no room for its control.
    fn last(&self) -> Option<&[u8]> {
        let start = self.deferred.ends.last().copied().unwrap_or(0);
        self.packed.then(|| &self.deferred.bytes[start..])
    }

    /// The number of the state that was packed last, and whether it is new; `None`: there is no room.
    pub fn insert(&mut self) -> Option<(usize, bool)> {
        let start = self.deferred.ends.last().copied().unwrap_or(0);
        let state = self.packed.then(|| &self.deferred.bytes[start..]);
        self.states.insert(state?)
    }

    /// How many bytes all states have together.
    pub fn bytes(&self) -> usize {
        self.controls.bytes() + self.states.bytes()
    }

    /// How many bytes the data of a state have, and the number of its control.
    pub fn bytes_of(&self, number: usize) -> (usize, usize) {
        let mut reader = Reader::new(self.states.get(number));
        let control = reader.size();
        (reader.rest().len(), control)
    }

    /// How many bytes a control has.
    pub fn control_bytes(&self, control: usize) -> usize {
        self.controls.get(control).len()
    }

    /// Leaves the state that was packed last for [`settle`](Self::settle).
    pub fn defer(&mut self) {
        let Some(tag) = self.last().map(Tag::of) else {
            self.deferred.lost = true;
            return;
        };
        self.deferred.ends.push(self.deferred.bytes.len());
        self.deferred.tags.push(tag);
    }

    /// How many states were left for later.
    pub fn deferred(&self) -> usize {
        self.deferred.tags.len()
    }

    /// Inserts what was left for later, in that order; whether there was room for all of it.
    pub fn settle(&mut self) -> bool {
        let later = &mut self.deferred;
        self.states.approach(&later.tags);
        let mut start = 0;
        for (&tag, &end) in later.tags.iter().zip(&later.ends) {
            let inserted = self.states.insert_tagged(tag, &later.bytes[start..end]);
            later.lost |= inserted.is_none();
            start = end;
        }
        // What was packed last stays.
        later.bytes.drain(..start);
        later.ends.clear();
        later.tags.clear();
        !later.lost
    }

    /// The number of the state that was packed last, if it is there.
    pub fn find(&self) -> Option<usize> {
        self.states.find(self.last()?)
    }

    /// Puts a machine into a state.
    pub fn unpack(&self, machine: &mut Machine<'_>, board: &Cells, number: usize) {
        let mut reader = Reader::new(self.states.get(number));
        let control = self.controls.get(reader.size());
        machine.unpack(board, reader.rest(), control);
    }

    /// The same with a state from which the next ones are packed.
    pub fn visit(&mut self, machine: &mut Machine<'_>, board: &Cells, number: usize) {
        let mut reader = Reader::new(self.states.get(number));
        let control = reader.size();
        machine.unpack_only_data(reader.rest());
        self.here = control;
        match self.kept.get(control) {
            Some(Some(kept)) => machine.set_control(kept),
            Some(None) | None => machine.unpack_only_control(board, self.controls.get(control)),
        }
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
