//! What a generated specification may have.

use std::collections::BTreeSet;

/// Parts of the language that can be left out, for an engine that does not support them yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Who plays: player order, deciders, `win for p`, zones per player.
    Players,
    /// Optional fields that hold an entity.
    Links,
    /// Roles.
    Roles,
    /// Supplies.
    Supplies,
    /// Zones.
    Zones,
    /// Families of zones.
    Families,
    /// `create`, headroom.
    Creation,
    /// `remove`
    Removal,
    /// Queues, and events in them.
    Queues,
    /// Events that interrupt at once.
    Interrupts,
    /// Declared readings, and lists and nestings that are unspecified.
    Readings,
    /// `gap`
    Gaps,
    /// `restart`
    Restarts,
    /// `over each`
    Nesting,
    /// Lists of steps that are not in order.
    FreeLists,
    /// `rechecked`, `live`, `live by position`
    Domains,
    /// `repeat`
    Repeats,
    /// `simultaneously`
    Simultaneous,
    /// `distribute`
    Distribution,
    /// `shuffle`, and choices by chance.
    Chance,
    /// `choose`, `may`, `cases chosen by`.
    Choices,
    /// `contract`
    Contracts,
    /// `define`
    Definitions,
    /// `continuous`
    Continuous,
    /// `event …, whenever`
    Raised,
    /// `perform`, `leave`
    Calls,
    /// `declare`
    Outcomes,
    /// Documents and clauses.
    Documents,
    /// `legal`, `explore only`
    Legality,
    /// Observers.
    Observers,
    /// Claims and questions.
    Claims,
    /// Boards and examples.
    Examples,
}

impl Feature {
    /// All of them.
    pub const ALL: [Self; 32] = [
        Self::Players,
        Self::Links,
        Self::Roles,
        Self::Supplies,
        Self::Zones,
        Self::Families,
        Self::Creation,
        Self::Removal,
        Self::Queues,
        Self::Interrupts,
        Self::Readings,
        Self::Gaps,
        Self::Restarts,
        Self::Nesting,
        Self::FreeLists,
        Self::Domains,
        Self::Repeats,
        Self::Simultaneous,
        Self::Distribution,
        Self::Chance,
        Self::Choices,
        Self::Contracts,
        Self::Definitions,
        Self::Continuous,
        Self::Raised,
        Self::Calls,
        Self::Outcomes,
        Self::Documents,
        Self::Legality,
        Self::Observers,
        Self::Claims,
        Self::Examples,
    ];
}

/// What a specification may contain.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What it may not.
    pub without: BTreeSet<Feature>,
}

impl Options {
    /// Whether something may occur.
    pub fn allows(&self, feature: Feature) -> bool {
        !self.without.contains(&feature)
    }
}
