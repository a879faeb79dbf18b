//! What parts of a system can read and write, and what can influence what.
//!
//! ```text
//! step draw                                     reads   deck, hand
//!   move top of deck to hand                    writes  deck, hand
//!   if hurry                                    reads   hurry, round
//!     increase round by 1                       writes  round
//! ```
//!
//! Two parts whose footprints do not [conflict](Footprint::conflicts), as `draw` and one that only
//! counts gold, leave the same data in either order. The *cone* of places is all that can influence
//! them when a sequence runs: the cone of `round` holds `hurry`, which decides whether it is
//! increased, and `deck`, since a run stops where the deck is empty, before it comes to the round.
//!
//! *Guarantees.* Sound for every board and reading: what a part writes on any run is in `writes`,
//! and what is not in `reads` does not change what it does. Calls, functions, events with the
//! triggers that interrupt, and the triggers that a queue resolves are followed. Of a step, this
//! includes the restart of its own sequence, not that of one which performs it.
//!
//! *Grain.* `reads` and `writes` speak of fields, variables and families of zones as a whole: two
//! cards' health is one place. [Accesses](Access) are finer: seen from one element of an iteration,
//! a place is the element's own, that of what it is linked to, or of any entity, and a change may be
//! one that changes places with others of its kind ([`Mode`]). [`agree`] compares two parts by them.
//!
//! *Limits.* A part that moves an entity counts as reading and writing all zones of its sort.
//! For the cone, every change of an integer can end a run (a bound), so what it reads influences
//! everything after it. Locals are no places: operations of one block also depend on what the ones
//! before bind. Contracts are not looked at, the sequences are.
//!
//! *Background.* A. J. Bernstein, *Analysis of programs for parallel processing* (1966): no part
//! writes what the other reads or writes. M. Weiser, *Program slicing* (1981): the cone is a slice,
//! of places instead of statements, that also keeps whether a run ends.

mod access;
mod arranged;
mod block;
mod bystander;
mod cone;
mod expr;
mod print;
mod reader;
mod total;

pub use access::{Access, Agreement, Grain, Mode, agree};
pub use arranged::{arranged, together, units};
pub use block::{
    Reached, Unit, come_to, of_block, of_element, of_listed, of_listener, of_op, of_places,
    of_procedure, of_restart, of_statement, of_step, of_trigger, reached, reached_in_step, types,
};
pub use bystander::{Aside, Atom, Executed, aside};
pub use cone::cone;
pub use expr::of_condition;
pub use print::{name, print};
pub use reader::{Alone, Reader, claimed, of_heading, of_matching};
pub use total::{heading_may_fail, iterates_badly, unsettled};

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

    fn read(&mut self, place: Place) {
        self.access(place, Grain::Any, Mode::Read);
    }

    fn write(&mut self, place: Place) {
        self.access(place, Grain::Any, Mode::Write);
    }

    /// What is changed depending on what it was.
    fn update(&mut self, place: Place) {
        self.read(place);
        self.write(place);
    }

    fn access(&mut self, place: Place, grain: Grain, mode: Mode) {
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
fn places(system: &System) -> impl Iterator<Item = Place> + '_ {
    let fields = system.fields.ids().map(Place::Field);
    let vars = system.vars.ids().map(Place::Var);
    let zones = system.zones.ids().map(Place::Zone);
    let sorts = system.sorts.ids().map(Place::Sort);
    let queues = system.queues.ids().map(Place::Queue);
    fields.chain(vars).chain(zones).chain(sorts).chain(queues)
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
