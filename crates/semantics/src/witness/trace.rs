//! A run as a person follows it: what was executed, what was chosen, what changed.

use super::error::ReplayError;
use super::frame::differences;
use super::moment::Trace;
use super::play::{Move, Player};
use super::run::{Run, RunEnd};
use super::within::{Taken, Writer};
use crate::semantics::{Data, Ended, Note, State};
use endstep_language::typing::program::Program;

/// A run that was followed to its end, or for as many steps as it says.
pub(crate) struct Followed {
    pub trace: Trace,
    pub ended: Option<Ended>,
    /// What happened on the last micro-step.
    pub notes: Vec<Note>,
    /// Where it is left.
    pub state: State,
    /// Of a loop and of growth: the state after the stem.
    pub stem: Option<State>,
}

/// Does a run again.
pub(crate) fn follow(program: &Program, run: &Run) -> Result<Followed, ReplayError> {
    let mut player = Player::new(program, run);
    let (stem, most) = match &run.end {
        RunEnd::Ended(_) => (None, None),
        RunEnd::Loop { stem, cycle } | RunEnd::Grows { stem, cycle } => {
            (Some(*stem), Some(stem + cycle))
        }
        RunEnd::Stopped { steps, .. } => (None, Some(*steps)),
    };
    let mut writer = Writer::new(program, &player.state);
    let mut notes = Vec::new();
    let mut ended = None;
    let mut at_stem = None;
    loop {
        if stem == Some(player.steps) {
            at_stem = Some(player.state.clone());
            writer.cycle(player.steps);
        }
        if most == Some(player.steps) {
            break;
        }
        let before = player.state.clone();
        let last;
        let made = match player.advance()? {
            Move::Step(found, made) => {
                last = false;
                notes = found;
                made
            }
            Move::Ended(end, found) => {
                last = true;
                notes = found;
                player.state.data = Data::clone(&end.data);
                ended = Some(end);
                None
            }
        };
        let changes = differences(program, &before.data, &player.state.data);
        let taken = Taken {
            step: player.steps,
            before: &before,
            after: &player.state,
            notes: &notes,
        };
        writer.write(taken, made, changes);
        if last {
            break;
        }
    }
    if player.taken < run.choices.len() {
        return Err(ReplayError::ChoicesLeft(run.choices.len() - player.taken));
    }
    let trace = Trace {
        moments: writer.finish(ended.as_ref()),
        data: player.state.data.clone(),
        steps: player.steps,
    };
    Ok(Followed {
        trace,
        ended,
        notes,
        state: player.state,
        stem: at_stem,
    })
}
