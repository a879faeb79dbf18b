//! What a part of a system can do: the places of the data, and how it uses them.

use std::collections::BTreeSet;

use crate::ir::System;
use endstep_language::typing::program::{
    EventId, FieldId, QueueId, ReadingId, SequenceId, SortId, VarId, ZoneId,
};
use endstep_semantics::semantics::ChoiceKind;

/// Part of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A field, of all entities of its sort.
    Field(FieldId),
    /// A variable.
    Var(VarId),
    /// What lies in a zone, or in all zones of a family, and in which order.
    Zone(ZoneId),
    /// Which entities of a sort there are.
    Sort(SortId),
    /// What is pending.
    Queue(QueueId),
}

/// What a part of a system can do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Footprint {
    /// What it can depend on.
    pub reads: BTreeSet<Place>,
    /// What it can change.
    pub writes: BTreeSet<Place>,
    /// The same in detail.
    pub accesses: BTreeSet<Access>,
    /// Sorts of which it can create entities.
    pub creates: BTreeSet<SortId>,
    /// Sorts of which it can remove entities.
    pub removes: BTreeSet<SortId>,
    /// What it can announce.
    pub announces: BTreeSet<EventId>,
    /// What it can perform.
    pub performs: BTreeSet<SequenceId>,
    /// What kinds of choices it can ask for.
    pub asks: BTreeSet<ChoiceKind>,
    /// The readings it can consult.
    pub consults: BTreeSet<ReadingId>,
    /// Whether it can meet a gap that goes on.
    pub meets: bool,
    /// Whether it says somewhere that the run, or a sequence, ends, or has a case that may be
    /// missing. Where something has no value, or leaves its bound, any part can end a run.
    pub stops: bool,
    /// Whether it may end a run, or keep it from ending, in any way: what stops, has no value,
    /// leaves a bound of the document, restarts, or goes round. Bounds of exploration do not count.
    pub partial: bool,
    /// Whether it depends on the element for which it is done, if it is done for one.
    pub particular: bool,
    /// Zones of which it matters in which order something lies there, apart from the order in which an
    /// iteration takes it.
    pub arranged: BTreeSet<ZoneId>,
}

impl Footprint {
    /// Adds what another part can do.
    pub fn add(&mut self, other: &Self) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.accesses.extend(&other.accesses);
        self.creates.extend(&other.creates);
        self.removes.extend(&other.removes);
        self.announces.extend(&other.announces);
        self.performs.extend(&other.performs);
        self.asks.extend(&other.asks);
        self.consults.extend(&other.consults);
        self.meets |= other.meets;
        self.stops |= other.stops;
        self.partial |= other.partial;
        self.particular |= other.particular;
        self.arranged.extend(&other.arranged);
    }

    /// The first place that one part writes and the other reads or writes. Without one, and if
    /// neither ends the run, the data are the same in whichever order both are done.
    pub fn conflicts(&self, other: &Self) -> Option<Place> {
        let touched = |one: &Self, place| one.reads.contains(place) || one.writes.contains(place);
        let both = self.writes.iter().filter(|place| touched(other, place));
        let both = both.chain(other.writes.iter().filter(|place| touched(self, place)));
        both.min().copied()
    }

    /// Whether it can ask for anything but chance and what is left to nobody in a gap.
    pub fn asks_somebody(&self) -> bool {
        let mut asks = self.asks.iter();
        asks.any(|kind| !matches!(kind, ChoiceKind::Chance | ChoiceKind::Gap))
    }

    pub(super) fn read(&mut self, place: Place) {
        self.access(place, Grain::Any, Mode::Read);
    }

    pub(super) fn write(&mut self, place: Place) {
        self.access(place, Grain::Any, Mode::Write);
    }

    /// What is changed depending on what it was.
    pub(super) fn update(&mut self, place: Place) {
        self.read(place);
        self.write(place);
    }

    pub(super) fn access(&mut self, place: Place, grain: Grain, mode: Mode) {
        match mode {
            Mode::Read => drop(self.reads.insert(place)),
            Mode::Write | Mode::SetTo(_) => drop(self.writes.insert(place)),
            _ => {
                self.reads.insert(place);
                self.writes.insert(place);
            }
        }
        self.accesses.insert(Access { place, grain, mode });
    }
}

/// Every place of a system.
pub(super) fn places(system: &System) -> impl Iterator<Item = Place> + '_ {
    let fields = system.fields.ids().map(Place::Field);
    let vars = system.vars.ids().map(Place::Var);
    let zones = system.zones.ids().map(Place::Zone);
    let sorts = system.sorts.ids().map(Place::Sort);
    let queues = system.queues.ids().map(Place::Queue);
    fields.chain(vars).chain(zones).chain(sorts).chain(queues)
}

/// Whose a place is, seen from the element for which a part is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grain {
    /// The element's.
    Own,
    /// That of what a field of the element refers to.
    Linked,
    /// Anybody's; the only one where there is no element, or where a place is nobody's.
    Any,
}

/// What is done there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Looked at.
    Read,
    /// Changed in some way.
    Write,
    /// Made a constant.
    SetTo(i64),
    /// Something is added or taken, without a bound.
    Add,
    /// A constant that is not negative is added, up to a constant.
    AddUpTo(i64),
    /// The same taken, down to a constant.
    TakeDownTo(i64),
    /// The element itself leaves.
    Leave,
    /// The element itself arrives; at the first place, or at the last.
    Arrive(bool),
    /// The element itself arrives where arrangements are not told apart.
    Join,
}

/// An access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// To what.
    pub place: Place,
    /// Whose it is.
    pub grain: Grain,
    /// What is done.
    pub mode: Mode,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footprint(reads: &[u32], writes: &[u32]) -> Footprint {
        let places = |all: &[u32]| all.iter().map(|&at| Place::Var(VarId(at))).collect();
        Footprint {
            reads: places(reads),
            writes: places(writes),
            ..Footprint::default()
        }
    }

    #[test]
    fn parts_conflict_if_one_writes_what_the_other_touches() {
        let (reader, writer) = (footprint(&[0, 1], &[]), footprint(&[2], &[1]));
        assert_eq!(reader.conflicts(&reader), None);
        assert_eq!(reader.conflicts(&writer), Some(Place::Var(VarId(1))));
        assert_eq!(writer.conflicts(&reader), Some(Place::Var(VarId(1))));
        assert_eq!(writer.conflicts(&writer), Some(Place::Var(VarId(1))));
        assert_eq!(
            writer.conflicts(&footprint(&[0], &[2])),
            Some(Place::Var(VarId(2)))
        );
        assert_eq!(writer.conflicts(&footprint(&[0], &[3])), None);
    }
}
