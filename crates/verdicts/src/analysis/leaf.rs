//! What is known of one board under one assignment of the readings it consults.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::branch::Found;
use super::graph::Graph;
use super::halt::Halt;
use super::odds::Odds;
use super::setup::Failure;
use super::values::{Outcomes, Values};
use crate::verdict::{Coverage, Extra};
use endstep_language::typing::program::{ReadingId, StepId, StmtId};
use endstep_semantics::semantics::{Data, Readings};
use endstep_semantics::witness::{Root, Witness};

/// A board under an assignment.
#[derive(Debug)]
pub struct Leaf {
    /// The assignment; readings that no run from the board consults are absent.
    pub readings: Readings,
    /// The graph.
    pub graph: Graph,
    /// What is possible, for each observer of the setup.
    pub values: Vec<Values>,
    /// Some run was given up: nothing can be compared.
    pub limited: bool,
    /// For each claim of the job, and then for each that it looks at also, whether the board meets its
    /// condition.
    pub concerned: Vec<bool>,
    /// What is wrong at ends: the node, and what.
    pub failures: Vec<(usize, Failure)>,
    /// The values that are asked for at ends.
    pub taken: Vec<Taken>,
    /// Which demands are at odds.
    pub odds: Odds,
    /// Fixed iterations run in any order.
    pub freed: Vec<(StmtId, Graph, Values)>,
    /// The runs with nothing counted, where others leave the bounds of exploration by what they count.
    pub uncounted: Option<Graph>,
    /// Steps left out: whether that makes a difference.
    pub skipped: Vec<(StepId, bool)>,
    /// The other sequences of claims of equivalence.
    pub others: Vec<(usize, Graph, Values)>,
    /// What doing something again changes.
    pub again: Again,
    /// What nobody asked for and was given up.
    pub given_up: BTreeSet<Extra>,
}

/// A value at an end, of a question for the largest or smallest.
#[derive(Debug, Clone, Copy)]
pub struct Taken {
    /// The node of the end.
    pub node: usize,
    /// The question, by position.
    pub claim: usize,
    /// The value.
    pub value: i64,
}

/// What was met on a board, under all readings.
#[derive(Debug, Default)]
pub struct Met {
    /// Outcomes, for each observer.
    pub outcomes: Vec<Outcomes>,
    /// Readings that runs depend on.
    pub consulted: BTreeSet<ReadingId>,
    /// What doing something again does.
    pub effects: Effects,
    /// What was executed where a claim asks for that.
    pub repeated: Option<Coverage>,
    /// Nodes.
    pub states: u64,
    /// Whether the board is looked at.
    pub explored: Lasting<bool>,
    /// Whether it is legal, and not looked at, under some assignment.
    pub left_out: bool,
    /// For each claim whether the board meets its condition.
    pub concerned: Lasting<Vec<bool>>,
}

/// What was found out of a board under readings: under more of them it is the same.
#[derive(Debug)]
pub struct Lasting<T>(Option<(Readings, T)>);

impl<T> Default for Lasting<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Clone> Lasting<T> {
    /// What is known, or else is found out now.
    pub fn get(
        &mut self,
        readings: &Readings,
        find: impl FnOnce() -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        if let Some((under, known)) = &self.0 {
            let mut under = under.iter();
            if under.all(|(reading, at)| readings.get(reading) == Some(at)) {
                return Ok(known.clone());
            }
        }
        let found = find()?;
        self.0 = Some((readings.clone(), found.clone()));
        Ok(found)
    }
}

impl Leaf {
    /// What a test comes to on which nothing else depends; `None`: it was given up.
    pub(super) fn unless_given_up<T>(
        &mut self,
        extra: Extra,
        come_to: Option<Result<T, Halt>>,
    ) -> Result<Option<T>, Halt> {
        match come_to {
            Some(Ok(found)) => return Ok(Some(found)),
            Some(Err(Halt::Consult(reading))) => return Err(Halt::Consult(reading)),
            Some(Err(_)) | None => {}
        }
        self.given_up.insert(extra);
        Ok(None)
    }
}

/// What doing something again changes on a board.
#[derive(Debug, Default)]
pub struct Again {
    /// Steps that are not idempotent in place.
    pub in_place: BTreeSet<StepId>,
    /// Steps that change something if they are done again at a normal end of a run that has done
    /// them, with a witness.
    pub at_end: BTreeMap<StepId, Option<Found<Witness>>>,
    /// Claims of idempotence that are violated, with a witness.
    pub claims: BTreeMap<usize, Option<Found<Witness>>>,
    /// Claims of idempotence of which nothing is known here: a second run was given up, or there is no
    /// run to show of what it does.
    pub open: BTreeSet<usize>,
    /// Steps of which it was given up to look.
    pub given_up: BTreeSet<StepId>,
}

/// Whether a root, done on data, changes anything that an observer sees, under the readings that it
/// consults.
#[derive(Debug, Default)]
pub struct Effects(FxHashMap<(Root, usize), OnData>);

/// The same of one root and observer.
type OnData = FxHashMap<Arc<Data>, Vec<(Readings, Effect)>>;

impl Effects {
    /// What is known of a root and an observer, on data, under readings.
    pub fn known(&self, of: &(Root, usize), data: &Data, readings: &Readings) -> Option<Effect> {
        let known = self.0.get(of)?.get(data)?;
        let mut known = known.iter().filter(|(under, _)| {
            let mut under = under.iter();
            under.all(|(reading, at)| readings.get(reading) == Some(at))
        });
        known.next().map(|(_, effect)| *effect)
    }

    /// Takes down what is so under those readings that were consulted.
    pub fn learn(&mut self, of: (Root, usize), data: &Arc<Data>, told: (Readings, Effect)) {
        let known = self.0.entry(of).or_default();
        known.entry(Arc::clone(data)).or_default().push(told);
    }
}

/// What doing something again does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Every run of it ends normally with the same observed data.
    Nothing,
    /// Some run ends, or never does, with others, or otherwise.
    Something,
    /// Some run ends with others or never, not counting those that end otherwise with the same.
    Change,
    /// Some run was given up, and none is known to change anything.
    Unknown,
}
