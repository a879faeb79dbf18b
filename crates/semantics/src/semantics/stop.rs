//! Why evaluation or execution cannot go on, and which of several reasons is told.
//!
//! ```text
//! every c: Card in row has c.host.health > half of c.power
//!                          owl: no host       wolf: 3 is odd       told: no host, which stands first
//! ```
//!
//! Elements are looked at one after the other, and what is told must not depend on which comes first:
//! a reading that decides about one of them is fixed first; then a number that leaves 64 bits counts
//! before gaps; and of gaps the one whose expression stands first in the specification.

use super::next::{Limit, Tag};
use super::{GapCause, GapName, Site};
use endstep_language::source::Span;
use endstep_language::typing::program::ReadingId;

/// Why evaluation or execution cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The run ends.
    Tag(Tag),
    /// A reading must be fixed first.
    Consult(ReadingId),
}

impl From<Box<Self>> for Stop {
    fn from(stop: Box<Self>) -> Self {
        *stop
    }
}

/// How early a reason is told.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Nothing more can be evaluated.
    Spent,
    Consult(ReadingId),
    Limit,
    Gap(Span, GapCause, Site),
    /// No evaluation comes to it.
    Other,
}

impl Stop {
    fn rank(&self) -> Rank {
        match self {
            Self::Consult(reading) => Rank::Consult(*reading),
            Self::Tag(Tag::Limit(Limit::Expressions)) => Rank::Spent,
            Self::Tag(Tag::Limit(_)) => Rank::Limit,
            Self::Tag(Tag::Gap(GapName::Implicit(cause, site, span))) => {
                Rank::Gap(*span, *cause, *site)
            }
            Self::Tag(_) => Rank::Other,
        }
    }

    /// Whether this is told rather than another one that another element gives.
    pub fn precedes(&self, other: &Self) -> bool {
        self.rank() < other.rank()
    }
}

/// What elements lack that are all looked at.
#[derive(Debug, Default)]
pub(super) struct Lacking(Option<Stop>);

impl Lacking {
    /// The value of one of them, if it has one.
    pub fn value<T>(&mut self, of: Result<T, Stop>) -> Option<T> {
        let stop = match of {
            Ok(value) => return Some(value),
            Err(stop) => stop,
        };
        if self.0.as_ref().is_none_or(|told| stop.precedes(told)) {
            self.0 = Some(stop);
        }
        None
    }

    /// An error if one of them has none.
    pub fn told(self) -> Result<(), Stop> {
        self.0.map_or(Ok(()), Err)
    }
}
