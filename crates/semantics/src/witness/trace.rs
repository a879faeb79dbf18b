//! A run as a person follows it: what was executed, what was chosen, what changed.

use super::error::ReplayError;
use super::frame::differences;
use super::play::{Move, Player};
use super::run::{Run, RunEnd};
use super::within::{Taken, Within, Writer};
use crate::semantics::{
    ChoiceKind, Data, Ended, Instance, Key, Note, Site, Spot, State, Who, ZoneKey,
};
use endstep_language::typing::program::{
    EntityId, EventId, Program, QueueId, SequenceId, StepId, StmtId, Value,
};

/// A run as a list of moments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// In order.
    pub moments: Vec<Moment>,
    /// The data at the end, or where the run is left; of a loop, where the cycle closes.
    pub data: Data,
    /// Micro-steps.
    pub steps: u64,
}

/// Something that happened, with the changes it made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// After which micro-step, counted from 1.
    pub step: u64,
    /// What it stands in, innermost last: not what was begun last, but what does it.
    pub within: Vec<Within>,
    /// The statement that does it.
    pub by: Option<StmtId>,
    /// What happened.
    pub what: Happening,
    /// What it changed, in the order of [`Difference`].
    pub changes: Vec<Difference>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// A pass of a sequence began.
    Pass(SequenceId),
    /// A step began.
    Step(StepId),
    /// A step ended.
    StepEnd(StepId),
    /// A statement was executed.
    Statement(StmtId),
    /// A trigger is resolved.
    Trigger(Instance),
    /// An event was announced, and so many triggers matched.
    Announced(EventId, usize),
    /// A choice was made.
    Choice(Made),
    /// A pass was cancelled: steps and elements dropped, and whether they are carried over.
    Cancelled {
        /// Which sequence.
        sequence: SequenceId,
        /// Steps not begun, and for which place, if they were begun for others.
        steps: Vec<(StepId, Option<Value>)>,
        /// Elements not begun.
        elements: Vec<(StmtId, Value)>,
        /// Whether they join the next pass.
        carried: bool,
    },
    /// Two sentences compete.
    Conflict(Site),
    /// Here the cycle of a loop begins.
    CycleBegins,
    /// A change that no statement of its own makes (a bound element, a frame that ended).
    Other,
}

/// A choice that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Its kind.
    pub kind: ChoiceKind,
    /// The document fixes this order, and the run tries others all the same.
    pub freed: bool,
    /// Who decided.
    pub who: Who,
    /// Where.
    pub site: Site,
    /// What was taken.
    pub taken: Key,
    /// All that could be, in order.
    pub offered: Vec<Key>,
}

/// One change of the data.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// A new entity.
    Created(EntityId),
    /// An entity left the game.
    Removed(EntityId),
    /// Another value in a place.
    Spot(Spot, Value, Value),
    /// Other contents of a zone: before and after.
    Zone(ZoneKey, Vec<EntityId>, Vec<EntityId>),
    /// Other pending triggers: before and after.
    Queue(QueueId, Vec<Instance>, Vec<Instance>),
}

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
                player.state.data.clone_from(&end.data);
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
