//! What the matrix of orders is made of: points, pairs, and what is known of each.

use std::collections::BTreeSet;

use crate::verdict::{Finding, Limitation, Outcome, Results};
use endstep_kernel::footprint::Place;
use endstep_language::typing::program::{
    EventId, ReadingId, SequenceId, StepId, StmtId, TriggerId,
};

/// Where an order is in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum At {
    /// The list of steps of a sequence.
    List(SequenceId),
    /// The places for which the steps of a sequence are done.
    Places(SequenceId),
    /// An iteration.
    Each(StmtId),
    /// What happens simultaneously.
    Together(StmtId),
    /// The triggers of an event.
    Event(EventId),
}

/// Who settles it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Settled {
    /// Nobody.
    Open,
    /// Somebody chooses.
    Chosen,
    /// Chance does.
    Chance,
    /// It depends on a reading.
    Reading(ReadingId),
    /// The document: any other order is a matter of "what if".
    Fixed,
}

/// Which two things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pair {
    /// Two steps.
    Steps(StepId, StepId),
    /// Two elements of the same iteration, or two places.
    Elements,
    /// First all steps for one place, or first one step for all places.
    Nesting(ReadingId),
    /// Two triggers, or one trigger twice.
    Triggers(TriggerId, TriggerId),
    /// Two things that arrive at the same place or are announced at the same time.
    Arrivals,
}

/// Why nothing is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// Limits were met.
    Limits(Vec<Limitation>),
    /// Nothing that was checked as a whole comes to it.
    Unverified,
    /// A run for claims alone can come to it, and nothing was compared there.
    Uncompared,
    /// What comes to it was looked at for some claims only, because nothing else was asked for.
    Narrowed,
    /// Another order than the fixed one was not tried.
    Untried,
    /// The engines were not asked.
    Unchecked,
}

/// Who decides which of two comes first, so that their order is not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// Chance.
    Chance,
    /// The document.
    Document,
    /// Chance or the document, as is read.
    Either,
    /// Chance or the document, as this alternative of a reading has it; others were not looked at.
    Reading(ReadingId, u16),
}

/// The findings that show that an order matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refuting {
    /// Those among the results, by position.
    pub shown: Vec<usize>,
    /// Those that nobody wants to see, by position among what is left out.
    pub left_out: Vec<usize>,
}

impl Refuting {
    /// Those that nobody wants to see.
    pub fn left_out_of<'r>(&self, results: &'r Results) -> impl Iterator<Item = &'r Finding> {
        let left_out = self.left_out.iter();
        left_out.filter_map(|&at| results.left_out.get(at))
    }
}

/// Whether the order of two things matters, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// It does not: neither touches what the other changes.
    Disjoint,
    /// It does not: what they change of these places gives the same in either order.
    Symmetric(BTreeSet<Place>),
    /// It does not, as the prover shows; of a claim: for some of the pairs.
    Proved,
    /// It does not in these scopes, by position.
    Exhausted(Vec<usize>),
    /// In these scopes there are never two at once.
    NeverTwo(Vec<usize>),
    /// In these scopes there are never two at once whose order is open.
    NeverOpen(Vec<usize>),
    /// It is not open, and nothing was compared.
    Closed(Closed),
    /// It does, as these findings show.
    Refuted(Refuting),
    /// Nobody knows.
    Unknown(Unknown),
}

impl Evidence {
    /// The scopes, by position, of which all was looked at.
    pub fn scopes(&self) -> &[usize] {
        match self {
            Self::Exhausted(scopes) | Self::NeverTwo(scopes) | Self::NeverOpen(scopes) => scopes,
            Self::Disjoint
            | Self::Symmetric(_)
            | Self::Proved
            | Self::Closed(_)
            | Self::Refuted(_)
            | Self::Unknown(_) => &[],
        }
    }
}

/// A pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Which two.
    pub pair: Pair,
    /// What is known.
    pub evidence: Evidence,
    /// The places because of which the text alone does not tell; none if it does, or if the reason
    /// is another one.
    pub shared: BTreeSet<Place>,
    /// Why it is not proved, if the prover was asked.
    pub unproved: Option<Outcome>,
}

impl Row {
    /// Whether nothing is known of boards of every size.
    pub fn is_open(&self) -> bool {
        matches!(
            self.evidence,
            Evidence::Exhausted(_)
                | Evidence::NeverTwo(_)
                | Evidence::NeverOpen(_)
                | Evidence::Closed(_)
                | Evidence::Unknown(_)
        )
    }
}

/// A point with its pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Where.
    pub at: At,
    /// Who settles it.
    pub settled: Settled,
    /// Its pairs.
    pub rows: Vec<Row>,
}

/// The order matrix.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matrix {
    /// Points, as they stand in the specification.
    pub points: Vec<Point>,
    /// Claims that order is irrelevant, by position.
    pub claims: Vec<(usize, Evidence)>,
}
