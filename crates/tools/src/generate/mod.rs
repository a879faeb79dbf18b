//! Random specifications: from bytes to a small, well-typed syntax tree.
//!
//! Names are declared first; then every body is made from the outside in, each expression for the
//! type that its place wants, from the names in scope:
//!
//! ```text
//! var round: integer, explore 0 to 1, reach -2 to 4   -- declared: round, an integer
//! sequence main
//!   step first
//!     for each a: Card, in any order                  -- a binder: a is a Card in the body
//!       increase round by a.power                     -- a place of integers, an integer
//! ```
//!
//! The first alternative of every decision is the simplest, and is taken where the bytes have run
//! out. Each part of a specification reads its own slice of the bytes, so that a change in one
//! slice leaves the others as they are. Engines are compared on such specifications, so the
//! boards are few (at most [`MOST_BOARDS`], roughly), and weights favour what is hard to get
//! right: orders that matter, loops, gaps and conflicts.
//!
//! *Guarantees.* Every byte string yields a specification; equal bytes yield equal ones, no bytes
//! the smallest. It prints, parses back equal, and type checks without errors.
//!
//! *Limits.* Comments, `include` and `accept` are not made. Runs may be endless or end as `limit`.

pub mod census;

mod act;
mod announce;
mod ask;
mod block;
mod choose;
mod clause;
mod decide;
mod declare;
mod expr;
mod find;
mod flow;
mod lie;
mod literal;
mod maker;
mod moment;
mod position;
mod rule;
mod sequence;
mod test;
mod tree;
mod world;

pub use declare::MOST_BOARDS;
pub use position::position;

use arbitrary::{Result, Unstructured};
use endstep_language::syntax::ast::File;
use maker::Maker;
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
    pub const ALL: [Self; 30] = [
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

/// A random specification with everything in it. All of the bytes are used.
///
/// # Errors
///
/// None: the type is that of [`arbitrary::Arbitrary::arbitrary`].
pub fn specification(u: &mut Unstructured<'_>) -> Result<File> {
    restricted(u, &Options::default())
}

/// A random specification that leaves some features out. All of the bytes are used.
///
/// # Errors
///
/// None, as for [`specification`].
pub fn restricted(u: &mut Unstructured<'_>, options: &Options) -> Result<File> {
    let bytes = u.bytes(u.len())?;
    Maker::new(bytes, options).file()
}
