//! A run with everything that an implementation can be compared with: what is noted and chosen on the
//! way, the data in between, and all outcomes that were possible.

use std::collections::BTreeMap;

use super::error::ReplayError;
use super::moment::Made;
use super::observe::{Lens, Outcome};
use super::play::{Move, Player, interpreter, start};
use super::region::{Region, outcome};
use super::run::{Run, RunEnd};
use crate::semantics::{Data, Ended, Note};
use endstep_language::typing::program::{ObserverId, Program};

/// A micro-step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instant {
    /// Which, counted from 1.
    pub step: u64,
    /// What is noted.
    pub notes: Vec<Note>,
    /// What was chosen, if something was.
    pub made: Option<Made>,
    /// The data, if they are no longer what they were.
    pub data: Option<Data>,
}

/// All micro-steps of a run.
///
/// # Errors
///
/// If the run cannot be done as it says.
pub fn record(program: &Program, run: &Run) -> Result<Vec<Instant>, ReplayError> {
    let most = match run.end {
        RunEnd::Ended(_) => None,
        RunEnd::Loop { stem, cycle } | RunEnd::Grows { stem, cycle } => Some(stem + cycle),
        RunEnd::Stopped { steps, .. } => Some(steps),
    };
    let mut player = Player::new(program, run);
    let mut found = Vec::new();
    while most != Some(player.steps) {
        let before = player.state.data.clone();
        let (notes, made, ended) = match player.advance()? {
            Move::Step(notes, made) => (notes, made, None),
            Move::Ended(ended, notes) => (notes, None, Some(ended)),
        };
        let after = ended
            .as_ref()
            .map_or(&player.state.data, |ended| &ended.data);
        let data = (before != *after).then(|| after.clone());
        found.push(Instant {
            step: player.steps,
            notes,
            made,
            data,
        });
        if ended.is_some() {
            break;
        }
    }
    Ok(found)
}

/// Outcomes, each with an end that has it; of a run that never ends there is none.
pub type Ends = BTreeMap<Outcome, Option<Ended>>;

/// All outcomes of the board of a run under its readings, whatever is chosen. For its own outcome its own end
/// stands.
///
/// # Errors
///
/// If there are more states than this, or a reading is consulted that is not fixed.
pub fn outcomes_within(
    program: &Program,
    run: &Run,
    (observer, most): (Option<ObserverId>, usize),
) -> Result<Ends, ReplayError> {
    let it = interpreter(program, run);
    let lens = Lens::new(program, observer);
    let region = Region::within(it, start(it, run), most)?;
    let mut found = BTreeMap::new();
    let own = match &run.end {
        RunEnd::Ended(ended) => Some(ended),
        RunEnd::Loop { .. } | RunEnd::Grows { .. } | RunEnd::Stopped { .. } => None,
    };
    for ended in own.into_iter().chain(region.ends()) {
        let outcome = outcome(it, &lens, run, ended)?;
        found.entry(outcome).or_insert_with(|| Some(ended.clone()));
    }
    if region.diverges() {
        found.insert(Outcome::Diverges, None);
    }
    Ok(found)
}
