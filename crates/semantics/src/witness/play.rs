//! Does a run again, one micro-step at a time, with the interpreter alone.

use super::error::ReplayError;
use super::moment::{FixedOrder, Made};
use super::run::{Root, Run};
use crate::semantics::{Ended, Group, Interpreter, Key, Next, Note, Site, State, Who};
use endstep_language::typing::program::{Program, StmtId};
use std::collections::BTreeSet;

/// More micro-steps than this are not replayed.
pub(crate) const MOST_STEPS: u64 = 5_000_000;

/// A run that is being done again.
pub(crate) struct Player<'p> {
    interpreter: Interpreter<'p>,
    choices: &'p [Key],
    /// How many choices were taken.
    pub taken: usize,
    /// How many micro-steps were made.
    pub steps: u64,
    /// Where it stands.
    pub state: State,
    /// The iterations, with how deep they stand, whose elements were put in order when they began, and in which the
    /// order that the document fixes would have had no beginning then.
    headless: BTreeSet<(StmtId, usize)>,
}

/// One micro-step.
pub(crate) enum Move {
    /// On to another state.
    Step(Vec<Note>, Option<Made>),
    /// To the end.
    Ended(Ended, Vec<Note>),
}

impl<'p> Player<'p> {
    /// At the start of a run.
    pub fn new(program: &'p Program, run: &'p Run) -> Self {
        let interpreter = interpreter(program, run);
        Self {
            interpreter,
            choices: &run.choices,
            taken: 0,
            steps: 0,
            state: start(interpreter, run),
            headless: BTreeSet::new(),
        }
    }

    /// The continuous values where it stands.
    pub fn groups(&self) -> Vec<Group> {
        self.interpreter.groups(&self.state.data)
    }

    /// The next micro-step. The end is reached without being counted as one.
    pub fn advance(&mut self) -> Result<Move, ReplayError> {
        if self.steps >= MOST_STEPS {
            return Err(ReplayError::TooLong(MOST_STEPS));
        }
        match self.interpreter.next(self.state.clone()) {
            Next::Step(state, notes) => {
                self.look_at_orders(&state, &notes);
                self.state = state;
                self.steps += 1;
                Ok(Move::Step(notes, None))
            }
            Next::Done(ended, notes) => Ok(Move::Ended(ended, notes)),
            Next::Consult(reading) => Err(ReplayError::ReadingNotFixed(reading)),
            Next::Choose(point) => {
                let Some(key) = self.choices.get(self.taken) else {
                    return Err(ReplayError::ChoiceMissing {
                        taken: self.taken,
                        site: point.site,
                    });
                };
                let offered: Vec<Key> = point
                    .alternatives
                    .iter()
                    .map(|one| one.key.clone())
                    .collect();
                let taken = point.alternatives.into_iter().find(|one| one.key == *key);
                let Some(taken) = taken else {
                    return Err(ReplayError::NotOffered {
                        choice: self.taken,
                        key: key.clone(),
                    });
                };
                let fixed = match point.who {
                    Who::Nobody => self.fixed_order(point.site),
                    Who::Player(_) | Who::Everyone | Who::Chance => FixedOrder::Kept,
                };
                self.state = taken.state;
                self.taken += 1;
                self.steps += 1;
                let made = Made {
                    kind: point.kind,
                    fixed,
                    who: point.who,
                    site: point.site,
                    taken: taken.key,
                    offered,
                };
                Ok(Move::Step(taken.notes, Some(made)))
            }
        }
    }

    /// Notes whether an iteration that begins with this step has an order of the document that has no beginning.
    fn look_at_orders(&mut self, after: &State, notes: &[Note]) {
        for note in notes {
            let Note::Executed(stmt) = note else {
                continue;
            };
            if let Some(true) = self.stops_there(*stmt) {
                self.headless.insert((*stmt, depth(after)));
            } else if !self.headless.is_empty() {
                self.headless.remove(&(*stmt, depth(after)));
            }
        }
    }

    /// Whether the run would stop where it stands if it kept the order that the document fixes for an iteration;
    /// nothing of one that the run keeps anyway.
    fn stops_there(&self, stmt: StmtId) -> Option<bool> {
        let variant = self.interpreter.variant;
        if !variant.free.contains(&stmt) {
            return None;
        }
        let mut kept = variant.clone();
        kept.free.remove(&stmt);
        let interpreter = Interpreter {
            variant: &kept,
            ..self.interpreter
        };
        let next = interpreter.next(self.state.clone());
        Some(matches!(next, Next::Done(..)))
    }

    /// What a choice of nobody at a place has to do with an order that the document fixes: kept, the order would let
    /// the run go on from here, or stop it.
    fn fixed_order(&self, site: Site) -> FixedOrder {
        let Site::Stmt(stmt) = site else {
            return FixedOrder::Kept;
        };
        match self.stops_there(stmt) {
            None => FixedOrder::Kept,
            Some(false) if !self.headless.contains(&(stmt, depth(&self.state))) => {
                FixedOrder::Tried
            }
            Some(_) => FixedOrder::WithoutBeginning,
        }
    }
}

/// The number of frames on the stack.
fn depth(state: &State) -> usize {
    state.control.iter().map(|one| one.frames.len()).sum()
}

/// The interpreter of a run.
pub(crate) fn interpreter<'p>(program: &'p Program, run: &'p Run) -> Interpreter<'p> {
    Interpreter {
        program,
        readings: &run.readings,
        variant: &run.variant,
    }
}

/// The state in which a run starts.
pub(crate) fn start(interpreter: Interpreter<'_>, run: &Run) -> State {
    match &run.root {
        Root::Sequence(sequence, args) => interpreter.start(*sequence, args, run.board.clone()),
        Root::Step(step, place) => interpreter.start_step(*step, *place, run.board.clone()),
    }
}
