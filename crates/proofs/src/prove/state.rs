//! The data of a board of any size, as terms.
//!
//! A field is a function from entities to numbers of which nothing is known, and a list of changes:
//!
//! ```text
//! health                               health(e)
//! set c.health to 0, if g              if g and e = c then 0 else health(e)
//! for each c in board: set …           if e is in board then (the same for e) else health(e)
//! ```
//!
//! so that a field is read by going through its changes, the latest first. Entities are numbers, of
//! which only equality is used; [`ABSENT`] is `none`. Where an entity lies is kept like a field: the
//! zone, whose zone it is, and for ordered zones a position; what arrives at an end gets a number
//! beyond all others. Two data are equal if zones and relative positions are; equal numbers are
//! enough for that.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::frame::Frame;
use crate::smt::{Symbol, Term, Terms};
use endstep_kernel::ir::{Each, System};
use endstep_language::index::Id;
use endstep_language::typing::program::{FieldId, SortId, ZoneId};

/// The number of `none`.
pub(super) const ABSENT: i64 = -1;

/// Something that each entity has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Cell {
    /// A field.
    Field(FieldId),
    /// 1 if it exists and is not removed, else 0.
    There(SortId),
    /// The number of the zone it lies in, from 1, or 0.
    Zone(SortId),
    /// Whose zone it lies in, or [`ABSENT`].
    Holder(SortId),
    /// How far from the first place; 0 where there is no order.
    Position(SortId),
    /// Of a holder (0 if it is no family): less than all positions.
    Low(ZoneId),
    /// Of a holder: more than all positions.
    High(ZoneId),
}

/// What all entities have of one kind.
#[derive(Debug, Clone)]
pub(super) struct Map<'s>(pub Rc<Layer<'s>>);

/// The latest change, or the board.
#[derive(Debug)]
pub(super) enum Layer<'s> {
    /// As on the board.
    Board(Symbol),
    /// A change for one entity.
    Point {
        below: Map<'s>,
        guard: Term,
        at: Term,
        value: Term,
    },
    /// What an iteration changed for each of its elements.
    Bulk { below: Map<'s>, bulk: Rc<Bulk<'s>> },
    /// Anything, after something of which it is only known what it may change.
    Unknown {
        below: Map<'s>,
        guard: Term,
        /// What there is now.
        symbol: Symbol,
        /// Tells it from others.
        number: u32,
    },
}

/// An iteration whose turns have nothing to do with each other.
#[derive(Debug)]
pub(super) struct Bulk<'s> {
    /// The iteration.
    pub each: &'s Each,
    /// Tells it from others.
    pub number: u32,
    /// What was so when it began.
    pub before: State<'s>,
    /// The locals.
    pub frame: Frame,
    /// Whose zone it goes through.
    pub of: Option<Term>,
    /// Whether it was done at all.
    pub guard: Term,
    /// What is so after the turn of an entity.
    pub after: RefCell<FxHashMap<Term, (Term, State<'s>)>>,
}

/// Something that was announced and waits.
#[derive(Debug, Clone)]
pub(super) struct Announced {
    /// Whether it was.
    pub guard: Term,
}

/// Data.
#[derive(Debug, Clone)]
pub(super) struct State<'s> {
    /// By variable.
    pub vars: Vec<Term>,
    cells: Rc<Vec<Map<'s>>>,
    /// By queue: how many wait.
    pub queues: Vec<Term>,
    /// In order.
    pub announced: Vec<Announced>,
    /// 0 while the run goes on, else the number of how it ended.
    pub ended: Term,
    /// More about how it ended.
    pub detail: [Term; 2],
}

/// All cells of a system, in order.
pub(super) fn cells(system: &System) -> Vec<Cell> {
    let sorts: Vec<SortId> = system.sorts.ids().collect();
    let each = |make: fn(SortId) -> Cell| sorts.iter().map(move |&sort| make(sort));
    system
        .fields
        .ids()
        .map(Cell::Field)
        .chain(each(Cell::There))
        .chain(each(Cell::Zone))
        .chain(each(Cell::Holder))
        .chain(each(Cell::Position))
        .chain(system.zones.ids().map(Cell::Low))
        .chain(system.zones.ids().map(Cell::High))
        .collect()
}

fn index(system: &System, cell: Cell) -> usize {
    let (fields, sorts, zones) = (system.fields.len(), system.sorts.len(), system.zones.len());
    match cell {
        Cell::Field(id) => id.index(),
        Cell::There(id) => fields + id.index(),
        Cell::Zone(id) => fields + sorts + id.index(),
        Cell::Holder(id) => fields + 2 * sorts + id.index(),
        Cell::Position(id) => fields + 3 * sorts + id.index(),
        Cell::Low(id) => fields + 4 * sorts + id.index(),
        Cell::High(id) => fields + 4 * sorts + zones + id.index(),
    }
}

/// Of which sort the entities are that have it; none if it is no sort in particular.
pub(super) fn sort_of(system: &System, cell: Cell) -> Option<SortId> {
    match cell {
        Cell::Field(field) => Some(system.fields[field].sort),
        Cell::There(sort) | Cell::Zone(sort) | Cell::Holder(sort) | Cell::Position(sort) => {
            Some(sort)
        }
        Cell::Low(zone) | Cell::High(zone) => system.zones[zone].per,
    }
}

/// What a cell is called in terms.
pub(super) fn name(system: &System, cell: Cell) -> String {
    let sort = |id: SortId| &system.sorts[id].name;
    let zone = |id: ZoneId| &system.zones[id].name;
    match cell {
        Cell::Field(field) => {
            let of = &system.fields[field];
            format!("{}.{}", sort(of.sort), of.name)
        }
        Cell::There(id) => format!("there {}", sort(id)),
        Cell::Zone(id) => format!("zone of {}", sort(id)),
        Cell::Holder(id) => format!("holder of {}", sort(id)),
        Cell::Position(id) => format!("position of {}", sort(id)),
        Cell::Low(id) => format!("before {}", zone(id)),
        Cell::High(id) => format!("behind {}", zone(id)),
    }
}

impl<'s> State<'s> {
    /// Any board.
    pub fn any(system: &System, terms: &mut Terms) -> Self {
        let vars = system.vars.values().iter();
        let vars = vars.map(|var| terms.constant(&format!("var {}", var.name)));
        let vars = vars.collect();
        let maps = cells(system).into_iter().map(|cell| {
            let symbol = terms.declare(&name(system, cell), 1);
            Map(Rc::new(Layer::Board(symbol)))
        });
        let maps = maps.collect();
        let queues = system.queues.values().iter();
        let queues = queues.map(|queue| terms.constant(&format!("waiting in {}", queue.name)));
        let queues = queues.collect();
        let zero = terms.number(0);
        Self {
            queues,
            vars,
            cells: Rc::new(maps),
            announced: Vec::new(),
            ended: zero,
            detail: [zero; 2],
        }
    }

    /// What all entities have of a kind.
    pub fn map(&self, system: &System, cell: Cell) -> &Map<'s> {
        &self.cells[index(system, cell)]
    }

    /// Puts a change on top.
    pub fn put(&mut self, system: &System, cell: Cell, layer: Layer<'s>) {
        Rc::make_mut(&mut self.cells)[index(system, cell)] = Map(Rc::new(layer));
    }

    /// The same without changes for single entities since the last iteration.
    pub fn without_points(&self) -> Self {
        let mut same = self.clone();
        for map in Rc::make_mut(&mut same.cells) {
            while let Layer::Point { below, .. } = &*map.0.clone() {
                *map = below.clone();
            }
        }
        same
    }
}

impl Map<'_> {
    /// Whether both are the same by how they were made.
    pub fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// The entities that were changed one by one since the last iteration.
    pub fn points(&self) -> Vec<Term> {
        let mut found = Vec::new();
        let mut map = self.clone();
        while let Layer::Point { below, at, .. } = &*map.0.clone() {
            found.push(*at);
            map = below.clone();
        }
        found
    }

    /// The number of the last iteration that changed it, or of what changed it nobody knows how.
    pub fn bulk(&self) -> Option<u32> {
        let mut map = self.clone();
        loop {
            match &*map.0.clone() {
                Layer::Board(_) => return None,
                Layer::Bulk { bulk, .. } => return Some(bulk.number),
                Layer::Unknown { number, .. } => return Some(*number),
                Layer::Point { below, .. } => map = below.clone(),
            }
        }
    }
}
