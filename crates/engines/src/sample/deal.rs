//! Turns bytes into a board and a schedule of choices.
//!
//! ```text
//! 00 | 01 | 02 | 01 00 03 | 01 00 05 | 00 | 01 00      two cards, then second, then first
//! ```
//!
//! *Guarantees.* Total: whatever the bytes, there is a board of the sizes of the form, unless a
//! place has no value at all on it (then nobody could deal it); bytes that are missing are zeros, so
//! fewer bytes are smaller boards and shorter schedules. A byte that is changed changes one place,
//! one entity's lying, or one choice; but a zero where an entity begins ends the board.

use std::collections::BTreeMap;
use std::rc::Rc;

use smallvec::SmallVec;

use super::form::{Form, Seat};
use endstep_kernel::instance::{Cells, Layout, Machine, Setting};
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, ReadingId, SortId, Value};
use endstep_semantics::semantics::{Data, Entity, Readings, Variant};
use endstep_verdicts::analysis::Ground;

/// An entity that is made of no bytes, because there must be so many of its sort.
const MADE_UP: usize = usize::MAX;

/// What there is before anything is dealt: so many of each sort.
#[derive(Debug)]
pub struct Table {
    /// Where everything lies.
    pub layout: Layout,
    /// The entities without values, in no zone.
    bare: Cells,
    /// Where the entities of each sort begin, and how many there are.
    ranges: Vec<(usize, usize)>,
}

/// A board, with the readings and the schedule of its bytes.
#[derive(Debug, Clone)]
pub struct Decoded {
    /// Which sequence, by position of its form.
    pub job: usize,
    /// What there is.
    pub table: Rc<Table>,
    /// The board.
    pub board: Cells,
    /// The alternative of each reading.
    pub readings: Vec<u16>,
    /// Where the schedule begins; beyond the end if there is none.
    pub schedule: usize,
    /// Where the record of each entity begins, or [`MADE_UP`].
    records: Vec<usize>,
}

/// Deals boards of one form. What there is for given numbers of entities is made once.
#[derive(Debug)]
pub struct Dealer<'g> {
    ground: &'g Ground,
    job: usize,
    form: Form,
    extra: u32,
    tables: BTreeMap<Vec<u16>, Rc<Table>>,
}

/// An entity on its way to the table.
#[derive(Debug, Clone, Copy)]
struct Guest {
    record: usize,
    seat: usize,
    whose: usize,
}

impl<'g> Dealer<'g> {
    /// For the inputs of a form; `extra` widens the bounds of exploration.
    pub fn new(ground: &'g Ground, job: usize, form: Form, extra: u32) -> Self {
        Self {
            ground,
            job,
            form,
            extra,
            tables: BTreeMap::new(),
        }
    }

    /// How its inputs are read.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// The board of some bytes; `None`: some place has no value.
    pub fn deal(&mut self, input: &[u8]) -> Option<Decoded> {
        let byte = |at: usize| input.get(at).copied().unwrap_or(0);
        let (mut guests, schedule) = self.guests(input);
        self.seat(&mut guests);
        let counts = self.counts(&guests);
        let table = self.table(counts);
        let mut board = table.bare.clone();
        let entities = |sort: SortId| table.ranges[sort.index()];
        for (at, var) in self.form.vars.iter().enumerate() {
            board.cells[at] = match var {
                Ok(slot) => slot
                    .values
                    .pick(byte(self.form.first_var + slot.at), entities)?,
                Err(number) => *number,
            };
        }
        let mut records = Vec::with_capacity(guests.len());
        for (id, guest) in guests.iter().enumerate() {
            let seat = self.form.seats[guest.seat];
            let fields = &self.form.sorts[seat.sort.index()].fields;
            for (at, field) in fields.iter().enumerate() {
                board.cells[table.layout.cells_of(id) + at] = match field {
                    Ok(slot) => {
                        let byte = match guest.record {
                            MADE_UP => 0,
                            record => byte(record + super::form::RECORD_HEAD + slot.at),
                        };
                        slot.values.pick(byte, entities)?
                    }
                    Err(number) => *number,
                };
            }
            if let Some(zone) = self.zone(&table, seat, guest.whose) {
                board.zones[zone].push(small(id));
                board.place[id] = small(zone);
            }
            records.push(guest.record);
        }
        let readings = self.form.readings.iter().enumerate();
        let readings = readings.map(|(at, (count, fixed))| match fixed {
            Some(fixed) => *fixed,
            None => u16::from(byte(1 + at)) % (*count).max(1),
        });
        Some(Decoded {
            job: self.job,
            readings: readings.collect(),
            table,
            board,
            schedule,
            records,
        })
    }

    /// The entities of the records, as many of each sort as there may be, and at least as many as
    /// there must; and where the schedule begins.
    fn guests(&self, input: &[u8]) -> (SmallVec<[Guest; 16]>, usize) {
        let form = &self.form;
        let mut guests: SmallVec<[Guest; 16]> = SmallVec::new();
        let mut counts: SmallVec<[usize; 8]> = SmallVec::from_elem(0, form.sorts.len());
        let mut record = form.first_record;
        while let Some(&kind) = input.get(record) {
            if kind == 0 {
                record += 1;
                break;
            }
            let seat = usize::from(kind - 1) % form.seats.len().max(1);
            if let Some(of) = form.seats.get(seat) {
                let count = &mut counts[of.sort.index()];
                if *count < form.sorts[of.sort.index()].size.1 {
                    *count += 1;
                    guests.push(Guest {
                        record,
                        seat,
                        whose: usize::from(input.get(record + 1).copied().unwrap_or(0)),
                    });
                }
            }
            record += form.record;
        }
        for (at, seat) in form.seats.iter().enumerate() {
            let count = &mut counts[seat.sort.index()];
            while *count < form.sorts[seat.sort.index()].size.0 {
                *count += 1;
                guests.push(Guest {
                    record: MADE_UP,
                    seat: at,
                    whose: 0,
                });
            }
        }
        (guests, record)
    }

    /// Gives each entity a zone that has room, the next one if the one it wants is full, and puts
    /// them in the order in which they lie; those for which there is no room are left out.
    fn seat(&self, guests: &mut SmallVec<[Guest; 16]>) {
        let form = &self.form;
        let owners = self.counts(guests);
        let mut taken: SmallVec<[(usize, usize, usize); 16]> = SmallVec::new();
        guests.retain(|guest| {
            let wanted = form.seats[guest.seat];
            let all = wanted.per.map_or(1, |per| usize::from(owners[per.index()]));
            if wanted.room == usize::MAX && all > 0 {
                guest.whose %= all;
                return true;
            }
            let sort = form.seats[guest.seat].sort;
            let family = form
                .seats
                .iter()
                .enumerate()
                .filter(|(_, one)| one.sort == sort);
            let family: SmallVec<[usize; 8]> = family.map(|(at, _)| at).collect();
            let first = family.iter().position(|&at| at == guest.seat).unwrap_or(0);
            for turn in 0..family.len() {
                let seat = family[(first + turn) % family.len()];
                let all = form.seats[seat]
                    .per
                    .map_or(1, |per| usize::from(owners[per.index()]));
                for next in 0..all {
                    let whose = (guest.whose + next) % all;
                    let mine = |one: &&mut (usize, usize, usize)| (one.0, one.1) == (seat, whose);
                    let room = form.seats[seat].room;
                    if room == usize::MAX {
                        (guest.seat, guest.whose) = (seat, whose);
                        return true;
                    }
                    match taken.iter_mut().find(mine) {
                        Some(one) if one.2 < room => one.2 += 1,
                        Some(_) => continue,
                        None if room > 0 => taken.push((seat, whose, 1)),
                        None => continue,
                    }
                    (guest.seat, guest.whose) = (seat, whose);
                    return true;
                }
            }
            false
        });
        guests.sort_by_key(|guest| (guest.seat, guest.whose));
    }

    fn counts(&self, guests: &[Guest]) -> Vec<u16> {
        let mut counts = vec![0; self.form.sorts.len()];
        for guest in guests {
            counts[self.form.seats[guest.seat].sort.index()] += 1;
        }
        counts
    }

    fn table(&mut self, counts: Vec<u16>) -> Rc<Table> {
        if let Some(table) = self.tables.get(&counts) {
            return Rc::clone(table);
        }
        let table = Rc::new(self.lay(&counts));
        self.tables.insert(counts, Rc::clone(&table));
        table
    }

    fn lay(&self, counts: &[u16]) -> Table {
        let system = &self.ground.system;
        let mut data = Data {
            vars: vec![Value::None; system.vars.len()],
            queues: vec![Vec::new(); system.queues.len()],
            ..Data::default()
        };
        let mut ranges = Vec::new();
        for (sort, &count) in counts.iter().enumerate() {
            ranges.push((data.entities.len(), usize::from(count)));
            for _ in 0..count {
                data.entities.push(Entity {
                    sort: SortId::from_index(sort),
                    created: false,
                    removed: false,
                    fields: vec![Value::None; self.form.sorts[sort].fields.len()],
                });
            }
        }
        for (id, zone) in system.zones.iter() {
            match zone.per {
                None => {
                    data.zones.insert((id, None), Vec::new());
                }
                Some(owner) => {
                    let (first, count) = ranges[owner.index()];
                    for one in first..first + count {
                        let key = (id, Some(EntityId::from_index(one)));
                        data.zones.insert(key, Vec::new());
                    }
                }
            }
        }
        let layout = Layout::new(system, &self.ground.shape, &data, self.extra);
        Table {
            bare: Cells::of(system, &layout, &data),
            layout,
            ranges,
        }
    }

    /// The zone of a seat; nothing if there is none any more.
    fn zone(&self, table: &Table, seat: Seat, whose: usize) -> Option<usize> {
        let zone = seat.zone?;
        match seat.per {
            None => Some(table.layout.family(zone).start),
            Some(owner) => {
                let (first, count) = table.ranges[owner.index()];
                table.layout.owned_by(zone, first + whose % count.max(1))
            }
        }
    }
}

impl Decoded {
    /// What a machine needs.
    pub fn setting<'s>(&'s self, ground: &'s Ground, variant: &'s Variant) -> Setting<'s> {
        Setting {
            system: &ground.system,
            layout: &self.table.layout,
            readings: &self.readings,
            variant,
        }
    }

    /// The board as the interpreter has it.
    pub fn data(&self, ground: &Ground) -> Data {
        let variant = Variant::default();
        let machine = Machine::new(self.setting(ground, &variant), Cells::default());
        machine.data_of(&self.board)
    }

    /// The readings by name.
    pub fn assignment(&self) -> Readings {
        let all = self.readings.iter().enumerate();
        all.map(|(at, alternative)| (ReadingId::from_index(at), *alternative))
            .collect()
    }

    /// Where the record of an entity begins, if it has one.
    pub fn record(&self, entity: usize) -> Option<usize> {
        let record = self.records.get(entity).copied();
        record.filter(|record| *record != MADE_UP)
    }

    /// How many entities there are.
    pub fn entities(&self) -> usize {
        self.records.len()
    }
}

fn small(n: usize) -> u16 {
    endstep_kernel::instance::small(n)
}
