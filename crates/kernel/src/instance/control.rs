//! Working states, and what is in progress in them, copied and compared.

use std::sync::Arc;

use super::cells::Cells;
use super::machine::Machine;
use super::state::{Control, Frame};

impl Machine<'_> {
    /// Copies what can change of the data into data of the same instance.
    pub fn keep_data(&self, to: &mut Cells) {
        let shape = &self.setting.layout.shape;
        let data = &self.data;
        to.cells.clone_from(&data.cells);
        if shape.creates || shape.removes {
            to.sorts.clone_from(&data.sorts);
            to.removed.clone_from(&data.removed);
        }
        if shape.moves {
            to.zones.clone_from(&data.zones);
            to.present.clone_from(&data.present);
            to.place.clone_from(&data.place);
        }
        if !data.queues.is_empty() {
            to.queues.clone_from(&data.queues);
        }
    }

    /// Copies a working state of the same instance, keeping what is allocated.
    pub fn copy_from(&mut self, from: &Self) {
        from.keep_data(&mut self.data);
        self.stack.clone_from(&from.stack);
        self.locals.clone_from(&from.locals);
        copy_frames(&mut self.frames, &from.frames);
        self.notes.clone_from(&from.notes);
        self.changed = from.changed;
        self.unsettled = from.unsettled;
        self.fresh = from.fresh;
    }

    /// Whether just this is in progress.
    pub fn has_control(&self, control: &Control) -> bool {
        // Comparing two empty lists takes longer than all else here: `memcmp` loads from a dangling address under a
        // mask, and the processor deals with the fault.
        let both_empty = self.locals.is_empty() && control.locals.is_empty();
        self.stack == control.stack
            && (both_empty || self.locals == control.locals)
            && self.frames.len() == control.frames.len()
            && self.frames.iter().zip(&control.frames).all(same_frames)
    }

    /// Copies what is in progress.
    pub fn keep_control(&self, control: &mut Control) {
        control.stack.clone_from(&self.stack);
        control.locals.clone_from(&self.locals);
        copy_frames(&mut control.frames, &self.frames);
    }

    /// Sets what is in progress; it may have been so on a board with other constants.
    pub fn set_control(&mut self, control: &Control) {
        self.stack.clone_from(&control.stack);
        self.locals.clone_from(&control.locals);
        copy_frames(&mut self.frames, &control.frames);
        for frame in &mut self.frames {
            if let Frame::Repeat { before: data, .. }
            | Frame::Step { old: data, .. }
            | Frame::Distribute {
                before: Some(data), ..
            } = frame
            {
                for &at in &self.setting.layout.constants {
                    data.cells[at] = self.data.cells[at];
                }
            }
        }
        self.notes.clear();
        self.forget();
    }
}

/// Whether two frames are equal; of one pass that is known without looking at it.
fn same_frames((one, other): (&Frame, &Frame)) -> bool {
    match (one, other) {
        (Frame::Pass(one), Frame::Pass(other)) => Arc::ptr_eq(one, other) || one == other,
        (one, other) => one == other,
    }
}

/// Copies frames, keeping what is allocated.
fn copy_frames(to: &mut Vec<Frame>, from: &[Frame]) {
    to.truncate(from.len());
    for (to, from) in to.iter_mut().zip(from) {
        match (to, from) {
            // The same one is not counted twice.
            (Frame::Pass(to), Frame::Pass(from)) if Arc::ptr_eq(to, from) => {}
            (to, from) => to.clone_from(from),
        }
    }
    to.extend_from_slice(&from[to.len()..]);
}
