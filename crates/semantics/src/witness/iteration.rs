//! When two choice points of a run belong to the same iteration.
//!
//! ```text
//! for each c in board       s: choose wolf | owl | crow
//!   …                       s·wolf … chooses again: owl | crow     the same iteration
//! repeat                    … round 2: wolf | owl                  another one
//! ```
//!
//! They do if site, frame and kind of what is chosen are equal and the frame was there all the
//! time. Frames that stay while their content begins anew (a pass that restarts, a second
//! announcement) are told apart by what happened in between.

use std::mem::discriminant;

use crate::semantics::{ChoicePoint, Frame, Key, Note, Site, State};
use endstep_language::typing::program::{StepId, Value};

/// An iteration that has chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Iteration {
    site: Site,
    level: (usize, usize),
    kind: Option<std::mem::Discriminant<Key>>,
    /// Of a pass: the current step when a place is chosen, the places left when a step is.
    place: Option<(Option<StepId>, Vec<Value>)>,
}

impl Iteration {
    /// The iteration that chooses at a point; `state` is the state there.
    pub fn at(state: &State, point: &ChoicePoint) -> Self {
        let first = point.alternatives.first().map(|one| &one.key);
        Self::new(state, point.site, point.level, first)
    }

    /// The same from its parts; `place` as in the field.
    pub fn of(
        site: Site,
        level: (usize, usize),
        key: Option<&Key>,
        place: Option<(Option<StepId>, Vec<Value>)>,
    ) -> Self {
        Self {
            site,
            level,
            kind: key.map(discriminant),
            place,
        }
    }

    /// The same, taken apart.
    pub fn new(state: &State, site: Site, level: (usize, usize), key: Option<&Key>) -> Self {
        let frame = state
            .control
            .get(level.0)
            .and_then(|one| one.frames.get(level.1));
        let place = match (frame, key) {
            (Some(Frame::Pass(pass)), Some(Key::Step(_))) => Some((None, pass.places.clone())),
            (Some(Frame::Pass(pass)), Some(_)) => Some((pass.current, Vec::new())),
            _ => None,
        };
        Self {
            site,
            level,
            kind: key.map(discriminant),
            place,
        }
    }

    /// Whether the iteration is over once its stack was as low as this: the number of activations,
    /// and of frames of the innermost.
    pub fn ends_at(&self, low: (usize, usize)) -> bool {
        low < (self.level.0 + 1, self.level.1 + 1)
    }

    /// Whether the frame begins anew with this.
    pub fn restarts_with(&self, note: &Note) -> bool {
        match (note, self.site) {
            (Note::Cancelled { sequence, .. }, Site::Sequence(mine) | Site::Places(mine)) => {
                *sequence == mine
            }
            (Note::Announced(event, _), Site::Event(mine)) => *event == mine,
            _ => false,
        }
    }
}

/// How many activations a state has, and how many frames the innermost has.
pub fn height(state: &State) -> (usize, usize) {
    let frames = state.control.last().map_or(0, |top| top.frames.len());
    (state.control.len(), frames)
}
