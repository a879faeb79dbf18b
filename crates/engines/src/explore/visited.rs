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
    /// The state that was packed last; `None`: there was no room for its control.
    packed: Option<Vec<u8>>,
    /// The control of the state that was visited last, and its number: most that follow it have it, too.
    here: Option<(usize, Control)>,
    deferred: Deferred,
}

/// States that are to be inserted.
#[derive(Debug, Default)]
struct Deferred {
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
        let known = self
            .here
            .as_ref()
            .filter(|(_, here)| machine.has_control(here));
        let control = match known {
            Some((control, _)) => Some(*control),
            None => {
                machine.pack_only_control(&mut self.control);
                self.controls
                    .insert(&self.control)
                    .map(|(control, _)| control)
            }
        };
        let mut bytes = self.packed.take().unwrap_or_default();
        self.packed = control.map(|control| {
            bytes.clear();
            Pen(&mut bytes).size(control);
            machine.pack_more_data(&mut bytes);
            bytes
        });
    }

    /// The number of the state that was packed last, and whether it is new; `None`: there is no room.
    pub fn insert(&mut self) -> Option<(usize, bool)> {
        self.states.insert(self.packed.as_deref()?)
    }

    /// Leaves the state that was packed last for [`settle`](Self::settle).
    pub fn defer(&mut self) {
        let later = &mut self.deferred;
        let Some(state) = &self.packed else {
            later.lost = true;
            return;
        };
        later.bytes.extend_from_slice(state);
        later.ends.push(later.bytes.len());
        later.tags.push(Tag::of(state));
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
        later.bytes.clear();
        later.ends.clear();
        later.tags.clear();
        !later.lost
    }

    /// The number of the state that was packed last, if it is there.
    pub fn find(&self) -> Option<usize> {
        self.states.find(self.packed.as_deref()?)
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
        let (of, here) = self
            .here
            .get_or_insert_with(|| (usize::MAX, Control::default()));
        if *of == control {
            machine.set_control(here);
        } else {
            machine.unpack_only_control(board, self.controls.get(control));
            machine.keep_control(here);
            *of = control;
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
