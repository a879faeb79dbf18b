//! The data of a working state, and how they change.

use super::inst::{Inst, List};
use super::layout::{Layout, NOWHERE, small};
use crate::ir::{Domain, NONE, System};
use endstep_language::index::Id;
use endstep_language::typing::program::{SortId, ZoneId};
use endstep_semantics::semantics::{Exceeded, Limit, Spot, Stop, Tag};

/// Data.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells {
    /// The sort of each entity.
    pub sorts: Vec<SortId>,
    /// Whether it was removed.
    pub removed: Vec<bool>,
    /// The variables, then the fields, `stride` numbers for each entity.
    pub cells: Vec<i64>,
    /// The contents of each zone.
    pub zones: Vec<List>,
    /// Whether each zone is there.
    pub present: Vec<bool>,
    /// In which zone each entity lies.
    pub place: Vec<u16>,
    /// What is pending.
    pub queues: Vec<Vec<Inst>>,
}

impl Clone for Cells {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Keeps what is allocated.
    fn clone_from(&mut self, from: &Self) {
        self.sorts.clone_from(&from.sorts);
        self.removed.clone_from(&from.removed);
        self.cells.clone_from(&from.cells);
        self.zones.clone_from(&from.zones);
        self.present.clone_from(&from.present);
        self.place.clone_from(&from.place);
        self.queues.clone_from(&from.queues);
    }
}

/// An end of a zone: the zone, and whether it is the first place.
pub type End = (u16, bool);

/// What changes data.
#[derive(Debug, Clone, Copy)]
pub struct Writer<'s> {
    /// The system.
    pub system: &'s System,
    /// The layout.
    pub layout: &'s Layout,
    /// How much further a run may go.
    pub extra: u32,
}

impl Cells {
    /// How many entities there are.
    pub fn count(&self) -> usize {
        self.sorts.len()
    }

    /// The entities of a sort that are not removed.
    pub fn members(&self, sort: SortId) -> impl Iterator<Item = usize> + '_ {
        (0..self.sorts.len()).filter(move |&at| self.sorts[at] == sort && !self.removed[at])
    }

    /// Where an entity lies.
    pub fn place_of(&self, entity: usize) -> Option<(usize, usize)> {
        let zone = *self.place.get(entity)?;
        if zone == NOWHERE {
            return None;
        }
        let zone = usize::from(zone);
        let at = self.zones[zone]
            .iter()
            .position(|&other| usize::from(other) == entity)?;
        Some((zone, at))
    }

    /// Takes an entity out of its zone.
    pub fn take_out(&mut self, entity: usize) {
        if let Some((zone, at)) = self.place_of(entity) {
            self.zones[zone].remove(at);
            self.place[entity] = NOWHERE;
        }
    }
}

impl<'s> Writer<'s> {
    /// What a place may hold.
    #[inline]
    pub fn domain(self, spot: Spot) -> &'s Domain {
        match spot {
            Spot::Var(var) => &self.system.vars[var].domain,
            Spot::Field(_, field) => &self.system.fields[field].domain,
        }
    }

    fn put(self, data: &mut Cells, spot: Spot, n: i64) {
        data.cells[self.layout.cell(self.system, spot)] = n;
    }

    /// Whether a number may be written.
    pub fn admits(self, spot: Spot, n: i64) -> Result<(), Stop> {
        let domain = self.domain(spot);
        if domain.ty != endstep_language::typing::program::Type::Int {
            return Ok(());
        }
        let outside = |range: Option<(i64, i64)>| range.is_some_and(|(a, b)| n < a || n > b);
        // A supply is never below zero.
        let below = n < 0 && domain.supply;
        if below || outside(domain.bounds.document) {
            return Err(Stop::Tag(Tag::Range(Exceeded::Spot(spot, n))));
        }
        let extra = i64::from(self.extra);
        let widen = |(a, b): (i64, i64)| (a.saturating_sub(extra), b.saturating_add(extra));
        if outside(domain.bounds.reach.map(widen)) {
            return Err(Stop::Tag(Tag::Limit(Limit::Reach(spot, n))));
        }
        Ok(())
    }

    /// Which bound is left by writes that are made together: one of the document before one of
    /// exploration, variables before fields, what is declared first before what comes later.
    pub fn left_by(self, writes: &[(Spot, i64)]) -> Option<Stop> {
        let mut told: Option<((bool, bool, usize), Stop)> = None;
        for &(spot, n) in writes {
            let Err(stop) = self.admits(spot, n) else {
                continue;
            };
            let explored = matches!(stop, Stop::Tag(Tag::Limit(_)));
            let rank = match spot {
                Spot::Var(var) => (explored, false, var.index()),
                Spot::Field(_, field) => (explored, true, field.index()),
            };
            if told.as_ref().is_none_or(|(first, _)| rank < *first) {
                told = Some((rank, stop));
            }
        }
        told.map(|(_, stop)| stop)
    }

    /// Writes all or nothing.
    pub fn write(self, data: &mut Cells, writes: &[(Spot, i64)]) -> Result<(), Stop> {
        for &(spot, n) in writes {
            self.admits(spot, n)?;
        }
        for &(spot, n) in writes {
            self.put(data, spot, n);
        }
        Ok(())
    }

    /// Moves an entity to an end of a zone. A removed one stays out.
    pub fn move_to(self, data: &mut Cells, entity: usize, (zone, first): End) -> Result<(), Stop> {
        if data.removed[entity] {
            return Ok(());
        }
        let contents = &data.zones[usize::from(zone)];
        let here = data.place[entity] == zone;
        let rest = contents.len() - usize::from(here);
        let at = if self.system.zones[self.layout.zones[usize::from(zone)].0].unordered {
            contents
                .iter()
                .filter(|&&other| usize::from(other) < entity)
                .count()
        } else if first {
            0
        } else {
            rest
        };
        self.insert(data, entity, zone, at)
    }

    /// Moves an entity next to another that lies in a zone: `after`, towards the last.
    pub fn move_beside(
        self,
        data: &mut Cells,
        entity: usize,
        (other, after): (usize, bool),
    ) -> Result<(), Stop> {
        let Some((zone, _)) = data.place_of(other) else {
            unreachable!("lies nowhere: {other}");
        };
        if entity == other || data.removed[entity] {
            return Ok(());
        }
        if self.system.zones[self.layout.zones[zone].0].unordered {
            return self.move_to(data, entity, (small(zone), after));
        }
        let rest = data.zones[zone]
            .iter()
            .filter(|&&one| usize::from(one) != entity);
        let at = rest
            .into_iter()
            .position(|&one| usize::from(one) == other)
            .unwrap_or(0);
        self.insert(data, entity, small(zone), at + usize::from(after))
    }

    fn insert(self, data: &mut Cells, entity: usize, zone: u16, at: usize) -> Result<(), Stop> {
        let id = self.layout.zones[usize::from(zone)].0;
        let here = data.place[entity] == zone;
        let rest = data.zones[usize::from(zone)].len() - usize::from(here);
        let room = self.system.zones[id].capacity;
        if room.is_some_and(|room| rest >= room as usize) {
            return Err(Stop::Tag(Tag::Range(Exceeded::Zone(id))));
        }
        data.take_out(entity);
        let contents = &mut data.zones[usize::from(zone)];
        let at = at.min(contents.len());
        contents.insert(at, small(entity));
        data.place[entity] = zone;
        data.present[usize::from(zone)] = true;
        Ok(())
    }

    /// Makes an entity with default fields that lies nowhere, in a slot that can be used again or
    /// in a new one.
    pub fn create(
        self,
        data: &mut Cells,
        sort: SortId,
        reusable: Option<usize>,
    ) -> Result<usize, Stop> {
        let layout = self.layout;
        let at = if let Some(at) = reusable {
            at
        } else {
            let made = (layout.board..data.count()).filter(|&at| data.sorts[at] == sort);
            if made.count() >= layout.headroom[sort.index()] {
                return Err(Stop::Tag(Tag::Limit(Limit::Headroom(sort))));
            }
            data.sorts.push(sort);
            data.removed.push(false);
            data.place.push(NOWHERE);
            data.cells.resize(data.cells.len() + layout.stride, NONE);
            data.count() - 1
        };
        data.removed[at] = false;
        for &field in &self.system.sorts[sort].fields {
            let field = &self.system.fields[field];
            data.cells[layout.cells_of(at) + field.index as usize] = field.default;
        }
        Ok(at)
    }

    /// Takes an entity out of the game.
    pub fn remove(self, data: &mut Cells, entity: usize) {
        data.take_out(entity);
        data.removed[entity] = true;
    }
}

/// The family of a zone.
pub fn family(layout: &Layout, zone: u16) -> ZoneId {
    layout.zones[usize::from(zone)].0
}
