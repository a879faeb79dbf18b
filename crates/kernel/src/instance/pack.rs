//! Working states to and from bytes.
//!
//! Every number is a byte as long as it is small; numbers that no operation can change are left out
//! and taken from the board. What is written says how much follows, so that no two states have the
//! same bytes.

use std::hash::Hasher as _;
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::bytes::{Pen, Reader};
use super::cells::{Cells, End};
use super::inst::{Inst, Rank};
use super::layout::{NOWHERE, small};
use super::machine::Machine;
use super::state::{Activation, Frame, Pass, Together};
use crate::ir::NONE;
use endstep_language::index::Id;
use endstep_language::typing::program::{EventId, SequenceId, SortId, StepId, StmtId, TriggerId};
use endstep_semantics::semantics::Running;

/// A state as bytes; equal states, and no others, have equal bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packed {
    /// What lies where.
    pub data: Vec<u8>,
    /// What is in progress, with its locals.
    pub control: Vec<u8>,
}

impl Machine<'_> {
    /// Writes the state as bytes.
    pub fn pack(&self, packed: &mut Packed) {
        self.pack_only_data(&mut packed.data);
        self.pack_only_control(&mut packed.control);
    }

    /// Writes what is in progress alone.
    pub fn pack_only_control(&self, bytes: &mut Vec<u8>) {
        bytes.clear();
        self.pack_control(&mut Pen(bytes));
    }

    /// A hash of the state; equal states of runs from one board have equal hashes. The data are hashed
    /// as they are, without being packed.
    pub fn hash(&self, bytes: &mut Vec<u8>) -> u64 {
        let layout = self.setting.layout;
        let data = &self.data;
        let mut hasher = FxHasher::default();
        // Leading zeros would leave no trace.
        hasher.write_usize(data.count() + 1);
        for sort in &data.sorts[layout.board.min(data.count())..] {
            hasher.write_u32(sort.0);
        }
        // What is absent is the highest bit alone. This hash only adds and multiplies, so that of two such bits one
        // would cancel the other, wherever they stand; turned round, none does.
        let turned = data.cells.iter().map(|&n| n.rotate_left(32));
        turned.for_each(|n| hasher.write_i64(n));
        if layout.shape.moves {
            for (at, contents) in data.zones.iter().enumerate() {
                let late = layout.comes_late(at) && data.present[at];
                hasher.write_usize(contents.len() * 2 + usize::from(late));
                contents.iter().for_each(|&one| hasher.write_u16(one));
            }
        }
        bytes.clear();
        let mut pen = Pen(bytes);
        if layout.shape.removes {
            pen.flags(&data.removed);
        }
        for pending in &data.queues {
            pen.insts(pending);
        }
        self.pack_control(&mut pen);
        hasher.write(bytes);
        hasher.finish()
    }

    fn pack_control(&self, pen: &mut Pen<'_>) {
        pen.size(self.stack.len());
        for (at, one) in self.stack.iter().enumerate() {
            let next = self.stack.get(at + 1);
            match one.of {
                Running::Sequence(id) => pen.size(id.index() * 2),
                Running::Trigger(id) => pen.size(id.index() * 2 + 1),
            }
            let locals = one.locals..next.map_or(self.locals.len(), |next| next.locals);
            for &n in &self.locals[locals] {
                pen.number(n);
            }
            let frames = one.frames..next.map_or(self.frames.len(), |next| next.frames);
            pen.size(one.at as usize);
            pen.size(frames.len());
            for frame in &self.frames[frames] {
                self.pack_frame(pen, frame);
            }
        }
    }

    /// Writes the data alone as bytes; equal data, and no others, have equal bytes.
    pub fn pack_only_data(&self, bytes: &mut Vec<u8>) {
        bytes.clear();
        self.pack_more_data(bytes);
    }

    /// The same after other bytes.
    pub fn pack_more_data(&self, bytes: &mut Vec<u8>) {
        self.pack_data(&mut Pen(bytes), &self.data);
    }

    /// Forgets the state and stands on a board, with nothing to do.
    pub fn restart(&mut self, board: &Cells) {
        self.data.clone_from(board);
        self.stack.clear();
        self.locals.clear();
        self.frames.clear();
        self.notes.clear();
        self.forget();
    }

    /// Reads a state that [`pack`](Self::pack) wrote for the same instance, of this board: its data and its control.
    pub fn unpack(&mut self, board: &Cells, data: &[u8], control: &[u8]) {
        self.unpack_only_data(data);
        self.unpack_only_control(board, control);
    }

    /// Reads data alone.
    pub fn unpack_only_data(&mut self, data: &[u8]) {
        let mut cells = std::mem::take(&mut self.data);
        self.unpack_data(&mut Reader::new(data), &mut cells);
        self.data = cells;
    }

    /// Reads what is in progress alone.
    pub fn unpack_only_control(&mut self, board: &Cells, control: &[u8]) {
        let mut reader = Reader::new(control);
        self.stack.clear();
        self.locals.clear();
        self.frames.clear();
        self.notes.clear();
        self.forget();
        for _ in 0..reader.size() {
            let of = reader.id();
            let of = if of.is_multiple_of(2) {
                Running::Sequence(SequenceId(of / 2))
            } else {
                Running::Trigger(TriggerId(of / 2))
            };
            self.stack.push(Activation {
                of,
                locals: self.locals.len(),
                frames: self.frames.len(),
                at: 0,
            });
            for _ in 0..self.types(of).len() {
                self.locals.push(reader.number());
            }
            self.jump(reader.id());
            for _ in 0..reader.size() {
                let frame = self.unpack_frame(&mut reader, board);
                self.frames.push(frame);
            }
        }
    }

    fn pack_data(&self, pen: &mut Pen<'_>, data: &Cells) {
        let layout = self.setting.layout;
        if layout.shape.creates {
            let created = data.count().saturating_sub(layout.board);
            pen.size(created);
            for sort in &data.sorts[layout.board.min(data.count())..] {
                pen.size(sort.index());
            }
        }
        if layout.shape.removes {
            pen.flags(&data.removed);
        }
        layout.narrow.pack(pen, &data.cells);
        for at in layout.board..data.count() {
            let base = layout.cells_of(at);
            let count = self.setting.system.sorts[data.sorts[at]].fields.len();
            for &n in &data.cells[base..base + count] {
                pen.number(n);
            }
        }
        if layout.shape.moves {
            for (at, contents) in data.zones.iter().enumerate() {
                if layout.comes_late(at) {
                    pen.flag(data.present[at]);
                }
                pen.list(contents);
            }
        }
        for pending in &data.queues {
            pen.insts(pending);
        }
    }

    /// Sets what can change.
    ///
    /// INVARIANT: what cannot is that of the board, in whatever state `data` is.
    fn unpack_data(&self, reader: &mut Reader<'_>, data: &mut Cells) {
        let layout = self.setting.layout;
        let system = self.setting.system;
        let shape = &layout.shape;
        if shape.creates {
            let created = reader.size();
            data.sorts.truncate(layout.board);
            data.sorts.extend((0..created).map(|_| SortId(reader.id())));
            data.removed.resize(data.sorts.len(), false);
            data.cells.truncate(layout.cells_of(layout.board));
            data.cells.resize(layout.cells_of(data.sorts.len()), NONE);
        }
        let count = data.sorts.len();
        if shape.removes {
            reader.flags(&mut data.removed);
        }
        layout.narrow.unpack(reader, &mut data.cells);
        for at in layout.board..count {
            let base = layout.cells_of(at);
            let count = system.sorts[data.sorts[at]].fields.len();
            for n in &mut data.cells[base..base + count] {
                *n = reader.number();
            }
        }
        if shape.moves {
            self.unpack_zones(reader, data);
        }
        for at in 0..data.queues.len() {
            data.queues[at] = self.insts(reader);
        }
    }

    fn unpack_zones(&self, reader: &mut Reader<'_>, data: &mut Cells) {
        let layout = self.setting.layout;
        data.place.clear();
        data.place.resize(data.sorts.len(), NOWHERE);
        for at in 0..layout.zones.len() {
            if layout.comes_late(at) {
                data.present[at] = reader.flag();
            }
            let contents = &mut data.zones[at];
            contents.clear();
            for _ in 0..reader.size() {
                let one = reader.bits() as u16;
                contents.push(one);
                data.place[usize::from(one)] = small(at);
            }
        }
    }

    fn inst(&self, reader: &mut Reader<'_>) -> Inst {
        let trigger = TriggerId(reader.id());
        let listener = reader.number();
        let count = self.setting.system.triggers[trigger].args.len();
        Inst {
            trigger,
            listener,
            payload: (0..count).map(|_| reader.number()).collect(),
        }
    }

    fn insts(&self, reader: &mut Reader<'_>) -> Vec<Inst> {
        let len = reader.size();
        (0..len).map(|_| self.inst(reader)).collect()
    }

    fn unpack_copy(&self, reader: &mut Reader<'_>, board: &Cells) -> Box<Cells> {
        let mut copy = board.clone();
        self.unpack_data(reader, &mut copy);
        Box::new(copy)
    }

    #[allow(
        clippy::too_many_lines,
        reason = "a flat match with one arm for each form"
    )]
    fn pack_frame(&self, pen: &mut Pen<'_>, frame: &Frame) {
        match frame {
            Frame::Iterate {
                stmt,
                todo,
                ranks,
                visited,
                position,
            } => {
                pen.0.push(0);
                pen.size(stmt.index());
                pen.list(todo);
                if self.each(*stmt).order.goes_by_ranks() {
                    pen.size(ranks.len());
                    for rank in ranks {
                        pen.size(usize::from(rank.number));
                        pen.size(usize::from(rank.player));
                    }
                }
                pen.list(visited);
                pen.size(*position as usize);
            }
            Frame::Repeat { stmt, before } => {
                pen.0.push(1);
                pen.size(stmt.index());
                self.pack_data(pen, before);
            }
            Frame::Commit(together) => {
                pen.0.push(2);
                pack_together(pen, together);
            }
            Frame::Write { by, writes } => {
                pen.0.push(3);
                pen.size(by.map_or(0, |stmt| stmt.index() + 1));
                pen.writes(writes);
            }
            Frame::Match {
                event,
                instances,
                placed,
            } => {
                pen.0.push(4);
                pen.size(event.index());
                pen.insts(instances);
                pen.insts(placed);
            }
            Frame::Interrupt { todo } => {
                pen.0.push(5);
                pen.insts(todo);
            }
            Frame::Shuffle { stmt, zone, placed } => {
                pen.0.push(6);
                pen.size(stmt.index());
                pen.size(usize::from(*zone));
                pen.size(*placed as usize);
            }
            Frame::Distribute {
                stmt,
                left,
                elements,
                into,
                who,
                before,
            } => {
                pen.0.push(7);
                pen.size(stmt.index());
                pen.number(*left);
                pen.list(elements);
                pen.writes(into);
                pen.who(*who);
                if let Some(before) = before {
                    self.pack_data(pen, before);
                }
            }
            Frame::Pass(pass) => {
                pen.0.push(8);
                pack_pass(pen, pass);
            }
            Frame::Step { step, old } => {
                pen.0.push(9);
                pen.size(step.index());
                self.pack_data(pen, old);
            }
        }
    }

    fn unpack_frame(&self, reader: &mut Reader<'_>, board: &Cells) -> Frame {
        match reader.byte() {
            0 => {
                let stmt = StmtId(reader.id());
                let todo = reader.list();
                let count = match self.each(stmt).order.goes_by_ranks() {
                    true => reader.size(),
                    false => 0,
                };
                let ranks = (0..count).map(|_| Rank {
                    number: reader.bits() as u16,
                    player: reader.bits() as u16,
                });
                Frame::Iterate {
                    stmt,
                    todo,
                    ranks: ranks.collect(),
                    visited: reader.list(),
                    position: reader.id(),
                }
            }
            1 => Frame::Repeat {
                stmt: StmtId(reader.id()),
                before: self.unpack_copy(reader, board),
            },
            2 => Frame::Commit(Box::new(self.unpack_together(reader))),
            3 => {
                let by = reader.size().checked_sub(1).map(StmtId::from_index);
                let writes = reader.writes();
                Frame::Write { by, writes }
            }
            4 => Frame::Match {
                event: EventId(reader.id()),
                instances: self.insts(reader),
                placed: self.insts(reader),
            },
            5 => Frame::Interrupt {
                todo: self.insts(reader),
            },
            6 => Frame::Shuffle {
                stmt: StmtId(reader.id()),
                zone: reader.bits() as u16,
                placed: reader.id(),
            },
            7 => Frame::Distribute {
                stmt: StmtId(reader.id()),
                left: reader.number(),
                elements: reader.list(),
                into: reader.writes(),
                who: reader.who(),
                before: self
                    .setting
                    .system
                    .is_watched
                    .then(|| self.unpack_copy(reader, board)),
            },
            8 => Frame::Pass(Arc::new(unpack_pass(reader))),
            9 => Frame::Step {
                step: StepId(reader.id()),
                old: self.unpack_copy(reader, board),
            },
            other => unreachable!("no frame is written as {other}"),
        }
    }

    fn unpack_together(&self, reader: &mut Reader<'_>) -> Together {
        let stmt = StmtId(reader.id());
        let conflicts = (0..reader.size())
            .map(|_| {
                let spot = reader.spot();
                let len = reader.size();
                (spot, (0..len).map(|_| reader.number()).collect())
            })
            .collect();
        let torn = (0..reader.size())
            .map(|_| {
                let one = reader.bits() as u16;
                let len = reader.size();
                (one, (0..len).map(|_| end(reader)).collect())
            })
            .collect();
        let writes = reader.writes();
        let moves = moves(reader);
        let ordered = self::moves(reader);
        let made = reader.flag();
        let announcements = (0..reader.size())
            .map(|_| self.announcement(reader))
            .collect();
        let chosen = reader.flag().then(|| self.announcement(reader));
        Together {
            stmt,
            conflicts,
            torn,
            writes,
            moves,
            ordered,
            made,
            announcements,
            chosen,
        }
    }

    fn announcement(&self, reader: &mut Reader<'_>) -> (EventId, Vec<i64>) {
        let event = EventId(reader.id());
        let len = self.setting.system.events[event].payload.len();
        (event, (0..len).map(|_| reader.number()).collect())
    }
}

fn pack_pass(pen: &mut Pen<'_>, pass: &Pass) {
    pen.size(pass.sequence.index());
    pen.maybe(pass.only.map(Id::index));
    pen.size(pass.steps.len());
    for step in &pass.steps {
        pen.size(step.index());
    }
    pen.list(&pass.places);
    pen.maybe(pass.current.map(Id::index));
    pen.flags(&[pass.begun, pass.placed, pass.fresh]);
    pen.size(pass.carried.len());
    for (stmt, one) in &pass.carried {
        pen.size(stmt.index());
        pen.bits(u64::from(*one));
    }
}

fn unpack_pass(reader: &mut Reader<'_>) -> Pass {
    let sequence = SequenceId(reader.id());
    let only = reader.maybe().map(StepId);
    let len = reader.size();
    let steps = (0..len).map(|_| StepId(reader.id())).collect();
    let places = reader.list();
    let current = reader.maybe().map(StepId);
    let mut flags = [false; 3];
    reader.flags(&mut flags);
    let len = reader.size();
    let carried = (0..len)
        .map(|_| (StmtId(reader.id()), reader.bits() as u16))
        .collect();
    let [begun, placed, fresh] = flags;
    Pass {
        sequence,
        only,
        steps,
        places,
        current,
        begun,
        placed,
        fresh,
        carried,
    }
}

fn pack_together(pen: &mut Pen<'_>, now: &Together) {
    pen.size(now.stmt.index());
    pen.size(now.conflicts.len());
    for (spot, all) in &now.conflicts {
        pen.spot(*spot);
        pen.size(all.len());
        all.iter().for_each(|&n| pen.number(n));
    }
    let put_end = |pen: &mut Pen<'_>, (zone, first): End| {
        pen.size(usize::from(zone) * 2 + usize::from(first));
    };
    pen.size(now.torn.len());
    for (one, ends) in &now.torn {
        pen.size(usize::from(*one));
        pen.size(ends.len());
        ends.iter().for_each(|&to| put_end(pen, to));
    }
    pen.writes(&now.writes);
    for moves in [&now.moves, &now.ordered] {
        pen.size(moves.len());
        for &(one, to) in moves {
            pen.size(usize::from(one));
            put_end(pen, to);
        }
    }
    pen.flag(now.made);
    let put = |pen: &mut Pen<'_>, (event, payload): &(EventId, Vec<i64>)| {
        pen.size(event.index());
        payload.iter().for_each(|&n| pen.number(n));
    };
    pen.size(now.announcements.len());
    now.announcements.iter().for_each(|one| put(pen, one));
    pen.flag(now.chosen.is_some());
    now.chosen.iter().for_each(|one| put(pen, one));
}

fn end(reader: &mut Reader<'_>) -> End {
    let end = reader.id();
    ((end / 2) as u16, end % 2 == 1)
}

fn moves(reader: &mut Reader<'_>) -> Vec<(u16, End)> {
    let len = reader.size();
    (0..len)
        .map(|_| {
            let one = reader.bits() as u16;
            (one, end(reader))
        })
        .collect()
}
