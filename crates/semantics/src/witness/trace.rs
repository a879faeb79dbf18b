//! A run as a person follows it: what was executed, what was chosen, what changed.

use super::error::ReplayError;
use super::frame::differences;
use super::moment::{Follows, Trace};
use super::play::{Move, Player};
use super::run::{Run, RunEnd};
use super::within::{Taken, Writer};
use crate::semantics::{Data, Ended, GapCause, GapName, Group, Member, Note, Solved, State, Tag};
use endstep_language::typing::program::{Program, Value};

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

/// Does a run again. `values`: it is for people, who want to know what the data and continuous values are on the way.
pub(crate) fn follow(program: &Program, run: &Run, values: bool) -> Result<Followed, ReplayError> {
    let mut player = Player::new(program, run);
    let mut followed = Values::new(&player, values);
    let (stem, most) = length(&run.end);
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
        let changed = !changes.is_empty();
        writer.write(taken, made, changes);
        if changed && values {
            writer.follow(
                player.state.data.clone(),
                followed.changed(program, &player),
            );
        }
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
        open: followed.open(ended.as_ref()),
    };
    Ok(Followed {
        trace,
        ended,
        notes,
        state: player.state,
        stem: at_stem,
    })
}

/// After how many micro-steps a round begins that is done again, and after how many the run is left, if that is known.
fn length(end: &RunEnd) -> (Option<u64>, Option<u64>) {
    match end {
        RunEnd::Ended(_) => (None, None),
        RunEnd::Loop { stem, cycle } | RunEnd::Grows { stem, cycle } => {
            (Some(*stem), Some(stem + cycle))
        }
        RunEnd::Stopped { steps, .. } => (None, Some(*steps)),
    }
}

/// The continuous values where a run stands, if anybody wants to know.
struct Values {
    groups: Vec<Group>,
}

impl Values {
    fn new(player: &Player<'_>, wanted: bool) -> Self {
        let groups = match wanted {
            true => player.groups(),
            false => Vec::new(),
        };
        Self { groups }
    }

    /// What is something else after a change.
    fn changed(&mut self, program: &Program, player: &Player<'_>) -> Vec<Follows> {
        let before = std::mem::replace(&mut self.groups, player.groups());
        followed(program, &before, &self.groups)
    }

    /// The groups that have no value where a run ends for that reason.
    fn open(self, ended: Option<&Ended>) -> Vec<Group> {
        let is_open = |group: &Group| !matches!(group.solved, Solved::One(_));
        match ended.is_some_and(lacks_a_value) {
            true => self.groups.into_iter().filter(is_open).collect(),
            false => Vec::new(),
        }
    }
}

/// Whether a run ends since a continuous value is asked for that has none.
fn lacks_a_value(ended: &Ended) -> bool {
    let Tag::Gap(GapName::Implicit(cause, ..)) = &ended.tag else {
        return false;
    };
    matches!(cause, GapCause::Contradictory | GapCause::Ambiguous)
}

/// The continuous values that are something else than before, of what was there and is.
fn followed(program: &Program, before: &[Group], after: &[Group]) -> Vec<Follows> {
    let values = |groups: &[Group]| -> Vec<(Member, Option<Value>)> {
        groups.iter().flat_map(|one| one.values(program)).collect()
    };
    let (before, after) = (values(before), values(after));
    let was = |member: Member| before.iter().find(|(one, _)| *one == member);
    let changed = after.iter().filter_map(|&(member, after)| {
        let &(_, before) = was(member)?;
        (before != after).then_some(Follows {
            member,
            before,
            after,
        })
    });
    changed.collect()
}
