//! What has been declared, as far as later parts of the specification have to know it.

use std::collections::BTreeSet;

/// A type of expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ty {
    Int,
    Bool,
    /// By position in [`World::enums`].
    Enum(usize),
    /// By position in [`World::sorts`].
    Entity(usize),
    /// As for `Entity`, or none.
    Optional(usize),
}

/// An enumeration.
#[derive(Debug, Clone)]
pub(super) struct Enum {
    pub name: String,
    pub values: Vec<String>,
    /// What is printed for each value, if it is a table.
    pub columns: Vec<Place>,
}

/// A variable or field.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub name: String,
    pub ty: Ty,
    /// The values that it can take on boards, if it is an integer.
    pub range: (i64, i64),
}

/// A sort of entities.
#[derive(Debug, Clone)]
pub(super) struct Sort {
    pub name: String,
    pub player: bool,
    /// Fewest and most on boards.
    pub sizes: (i64, i64),
    pub headroom: bool,
    pub fields: Vec<Place>,
}

/// A zone or family.
#[derive(Debug, Clone)]
pub(super) struct Zone {
    pub name: String,
    pub sort: usize,
    pub per: Option<usize>,
    pub unordered: bool,
    pub most: Option<i64>,
}

/// A queue.
#[derive(Debug, Clone)]
pub(super) struct Queue {
    pub name: String,
    pub by_priority: bool,
}

/// An event.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub name: String,
    pub params: Vec<Ty>,
    /// By position in [`World::queues`]; none: at once.
    pub queue: Option<usize>,
    /// The state raises it.
    pub raised: bool,
    /// Whether listeners are taken as they lie.
    pub along: bool,
    /// Whether listeners are taken in player order.
    pub seated: bool,
    /// The sort of all listeners, if they are taken by what they are.
    pub listens: Option<usize>,
    /// What the first trigger listens with, if listeners are taken as they lie or in player order:
    /// all others do so, too.
    pub line: Option<Line>,
}

/// What lies in one order.
#[derive(Debug, Clone, Copy)]
pub(super) enum Line {
    /// A sort without zones.
    Sort(usize),
    /// A zone, or a family of zones, by position in [`World::zones`].
    Zone(usize),
}

/// A reading.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub name: String,
    pub alternatives: Vec<String>,
}

/// A definition.
#[derive(Debug, Clone)]
pub(super) struct Define {
    pub name: String,
    pub params: Vec<Ty>,
    pub ty: Ty,
    /// It is a continuous value.
    pub continuous: bool,
}

/// A sequence that is still to be written.
#[derive(Debug, Clone)]
pub(super) struct Sequence {
    pub name: String,
    pub params: Vec<(String, Ty)>,
    pub steps: Vec<String>,
    pub contract: bool,
    /// Its steps are done in any order, or in one that somebody chooses.
    pub is_open: bool,
    pub restarts: bool,
    /// Some step goes to another one.
    pub jumps: bool,
}

/// A gap, and the words for it.
pub(super) const GAPS: [(&str, &str); 3] = [
    ("unsaid", "the document does not say"),
    ("unclear", "two sentences could be meant"),
    ("unheard_of", "nobody has thought of this"),
];

/// A gap that goes on, and the words for it.
pub(super) const MET: [(&str, &str); 2] = [
    ("left_open", "nobody has decided this"),
    ("passed_over", "the document skips this"),
];

/// Everything declared.
#[derive(Debug, Clone, Default)]
pub(super) struct World {
    /// Gaps that some statement meets and goes on from.
    pub met: Vec<&'static str>,
    pub enums: Vec<Enum>,
    pub sorts: Vec<Sort>,
    pub vars: Vec<Place>,
    pub supplies: Vec<Place>,
    pub zones: Vec<Zone>,
    pub queues: Vec<Queue>,
    pub events: Vec<Event>,
    pub readings: Vec<Reading>,
    pub defines: Vec<Define>,
    pub sequences: Vec<Sequence>,
    /// Sequences that some statement leaves.
    pub left: BTreeSet<String>,
    pub observers: Vec<String>,
    pub clauses: Vec<String>,
}

impl World {
    /// The sort of the players.
    pub fn players(&self) -> Option<usize> {
        self.sorts.iter().position(|sort| sort.player)
    }

    /// The sorts whose entities come and go; by position.
    pub fn things(&self) -> impl Iterator<Item = usize> + '_ {
        let sorts = self.sorts.iter().enumerate();
        sorts.filter(|(_, sort)| !sort.player).map(|(at, _)| at)
    }

    /// The zones in which a sort lies.
    pub fn zones_of(&self, sort: usize) -> impl Iterator<Item = &Zone> {
        self.zones.iter().filter(move |zone| zone.sort == sort)
    }

    /// Whether a sort has an order without zones: all of it was there from the beginning.
    pub fn goes_by_number(&self, sort: usize) -> bool {
        self.zones_of(sort).next().is_none() && !self.sorts[sort].headroom
    }

    /// The sort that holds the zones of a sort, if it is one sort.
    pub fn holder(&self, sort: usize) -> Option<usize> {
        let mut owners: Vec<usize> = self.zones_of(sort).filter_map(|zone| zone.per).collect();
        owners.sort_unstable();
        owners.dedup();
        match owners.as_slice() {
            [owner] => Some(*owner),
            _ => None,
        }
    }

    /// The types that a binder without a zone can range over, with their names.
    pub fn ranges(&self) -> Vec<(String, Ty)> {
        let sorts = self.sorts.iter().enumerate();
        let sorts = sorts.map(|(at, sort)| (sort.name.clone(), Ty::Entity(at)));
        let enums = self.enums.iter().enumerate();
        // One without a name cannot be ranged over.
        let enums = enums.filter(|(_, one)| !one.name.is_empty());
        let enums = enums.map(|(at, one)| (one.name.clone(), Ty::Enum(at)));
        let boolean = std::iter::once(("boolean".to_owned(), Ty::Bool));
        sorts.chain(enums).chain(boolean).collect()
    }
}
