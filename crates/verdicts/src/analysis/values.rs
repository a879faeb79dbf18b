//! Which outcomes are possible from each node: what engines compute, and how it is kept.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::graph::Graph;
use super::halt::Halt;
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::Interpreter;
use endstep_semantics::witness::{Lens, Outcome, Unobservable};

/// A set of outcomes, as their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Set(Arc<[u32]>);

impl FromIterator<u32> for Set {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut sorted: Vec<u32> = numbers.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self(sorted.into())
    }
}

impl Set {
    /// Whether a number is in it.
    pub fn contains(&self, number: usize) -> bool {
        u32::try_from(number).is_ok_and(|number| self.0.binary_search(&number).is_ok())
    }

    /// Its numbers, smallest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().map(|&number| number as usize)
    }
}

/// The outcomes met on one board with one observer; number 0 is `diverges`.
#[derive(Debug, Clone)]
pub struct Outcomes {
    known: IndexSet<Outcome, FxBuildHasher>,
}

/// The number of `diverges`.
pub const DIVERGES: usize = 0;

impl Default for Outcomes {
    fn default() -> Self {
        let mut known = IndexSet::default();
        known.insert(Outcome::Diverges);
        Self { known }
    }
}

impl Outcomes {
    /// The number of an outcome, a new one if it was not met before.
    pub fn number(&mut self, outcome: Outcome) -> usize {
        self.known.insert_full(outcome).0
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// Forgets all that were met since there were so many.
    pub fn forget_since(&mut self, count: usize) {
        self.known.truncate(count);
    }

    /// The outcome with a number.
    pub fn get(&self, number: usize) -> &Outcome {
        &self.known[number]
    }

    /// The outcomes with these numbers, smallest first.
    pub fn sorted(&self, numbers: &Set) -> Vec<Outcome> {
        let mut found: Vec<Outcome> = numbers.iter().map(|one| self.get(one).clone()).collect();
        found.sort();
        found
    }
}

/// What is possible from each node.
#[derive(Debug)]
pub struct Values {
    /// Sets that are all different.
    distinct: Vec<Set>,
    /// Which of them each node has.
    of: Vec<u32>,
    /// The outcome of each end.
    pub ends: Vec<Option<usize>>,
}

impl Values {
    /// From sets that are all different, the position of the set of each node among them, and the
    /// outcome of each end.
    pub fn new(distinct: Vec<Set>, of: Vec<u32>, ends: Vec<Option<usize>>) -> Self {
        Self { distinct, of, ends }
    }

    /// `V` of a node.
    pub fn set(&self, node: usize) -> &Set {
        &self.distinct[self.class(node)]
    }

    /// A number that two nodes share if and only if their sets are equal.
    pub fn class(&self, node: usize) -> usize {
        self.of[node] as usize
    }

    /// Sets that are all different, by their classes; some may be those of no node.
    pub fn distinct(&self) -> &[Set] {
        &self.distinct
    }
}

/// The lens and the program with which ends are observed.
#[derive(Clone, Copy)]
pub struct Viewer<'a> {
    /// What counts.
    pub lens: &'a Lens<'a>,
    /// The program.
    pub program: &'a Program,
}

impl Viewer<'_> {
    /// The number of the outcome of a node; none if it is no end.
    pub fn end(
        self,
        graph: &Graph,
        node: usize,
        outcomes: &mut Outcomes,
    ) -> Result<Option<usize>, Halt> {
        let Some(end) = graph.nodes.at(node).end() else {
            return Ok(None);
        };
        let it = Interpreter {
            program: self.program,
            readings: &graph.readings,
            variant: &graph.variant,
        };
        let outcome = self.lens.outcome(it, &end.ended, &graph.board);
        let outcome = outcome.map_err(|why| match why {
            Unobservable::Consult(reading) => Halt::Consult(reading),
            Unobservable::TooManyCreated => Halt::Created,
            Unobservable::Limit => Halt::Evaluation,
        })?;
        Ok(Some(outcomes.number(outcome)))
    }
}
