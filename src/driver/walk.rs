//! One run of the interpreter, choice by choice, with a way back.
//!
//! The walk stops at choice points and at the end. It remembers the positions at
//! which control cycles begin anew, so that a run that goes round in a circle is
//! seen:
//!
//! ```text
//! go()  -> Choice (wolf or owl)      take(1)
//! go()  -> Again { since: 2 choices }    the position of two choices ago is back
//! undo()                                 back at wolf or owl
//! ```
//!
//! *Limits*: more than [`MOST_STEPS`] small steps without a choice are given up.

use endstep_language::typing::program::{Program, ReadingId, SequenceId};
use endstep_semantics::semantics::{
    ChoicePoint, Data, Ended, Interpreter, Names, Next, Note, Readings, State, Variant,
};
use endstep_semantics::witness::{ReplayError, Root, Run, RunEnd, Trace, trace};
use std::collections::BTreeMap;

/// The most small steps of one walk.
pub const MOST_STEPS: u64 = 100_000;

/// Where a walk stands.
#[derive(Debug, Clone, PartialEq)]
pub enum At {
    /// Something has to be chosen.
    Choice(ChoicePoint),
    /// The run has ended.
    Ended(Ended),
    /// The position was there before, after so many choices; since then there was a
    /// choice (it could have gone otherwise), or not (it never ends).
    Again {
        /// After how many choices it was there first.
        since: usize,
        /// Whether nothing was chosen since.
        forced: bool,
    },
    /// It depends on a reading that has not been chosen.
    Reading(ReadingId),
    /// Too many small steps.
    GivenUp,
}

/// What a walk cannot do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WalkError {
    /// There is nothing to choose, or not so many alternatives.
    NoSuchAlternative,
    /// There is nothing to take back.
    NothingToUndo,
}

/// A position on the walk.
#[derive(Debug, Clone)]
struct Position {
    state: State,
    steps: u64,
    choices: usize,
}

/// A position at which something was chosen, or a reading was.
#[derive(Debug, Clone)]
struct Answered {
    at: Position,
    /// Which, if it was a reading.
    reading: Option<ReadingId>,
}

/// A run that is being made.
#[derive(Debug)]
pub struct Walk<'p> {
    program: &'p Program,
    variant: Variant,
    run: Run,
    here: Position,
    /// What was answered so far.
    back: Vec<Answered>,
    /// Positions where a cycle began anew, with the small steps and choices before.
    seen: BTreeMap<State, (u64, usize)>,
}

impl<'p> Walk<'p> {
    /// A walk that begins on a board.
    pub fn new(
        program: &'p Program,
        sequence: SequenceId,
        (board, names): (Data, Names),
        readings: Readings,
    ) -> Self {
        let variant = Variant::default();
        let run = Run {
            root: Root::Sequence(sequence, Vec::new()),
            readings,
            variant: variant.clone(),
            board: board.clone(),
            names,
            choices: Vec::new(),
            end: RunEnd::Stopped {
                steps: 0,
                data: board.clone(),
            },
        };
        let interpreter = Interpreter {
            program,
            readings: &run.readings,
            variant: &variant,
        };
        let state = interpreter.start(sequence, &[], board);
        let here = Position {
            state,
            steps: 0,
            choices: 0,
        };
        Self {
            program,
            variant,
            run,
            here,
            back: Vec::new(),
            seen: BTreeMap::new(),
        }
    }

    /// The run so far; it can be replayed.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The data as they are now.
    pub fn data(&self) -> &Data {
        &self.here.state.data
    }

    /// What happened so far.
    ///
    /// # Errors
    ///
    /// If the run cannot be replayed, which would be a fault of ours.
    pub fn trace(&self) -> Result<Trace, ReplayError> {
        trace(self.program, &self.run)
    }

    /// Chooses an alternative of a reading, for the rest of the walk.
    pub fn read(&mut self, reading: ReadingId, alternative: u16) {
        self.back.push(Answered {
            at: self.here.clone(),
            reading: Some(reading),
        });
        self.run.readings.insert(reading, alternative);
    }

    /// Goes on to the next choice or end.
    pub fn go(&mut self) -> At {
        loop {
            if self.here.steps >= MOST_STEPS {
                return At::GivenUp;
            }
            match self.next() {
                Next::Step(state, notes) => {
                    self.here.state = state;
                    self.here.steps += 1;
                    self.leave_here();
                    if notes.contains(&Note::Cut)
                        && let Some(again) = self.again()
                    {
                        return again;
                    }
                }
                Next::Choose(point) => return At::Choice(point),
                Next::Done(ended, _) => {
                    self.run.end = RunEnd::Ended(ended.clone());
                    return At::Ended(ended);
                }
                Next::Consult(reading) => return At::Reading(reading),
            }
        }
    }

    fn next(&self) -> Next {
        let interpreter = Interpreter {
            program: self.program,
            readings: &self.run.readings,
            variant: &self.variant,
        };
        interpreter.next(self.here.state.clone())
    }

    /// Says of the run that it is left where it is now.
    fn leave_here(&mut self) {
        self.run.end = RunEnd::Stopped {
            steps: self.here.steps,
            data: self.here.state.data.clone(),
        };
    }

    fn again(&mut self) -> Option<At> {
        let now = (self.here.steps, self.here.choices);
        match self.seen.get(&self.here.state) {
            Some(&(steps, choices)) if steps < now.0 => {
                let forced = choices == now.1;
                if forced {
                    self.run.end = RunEnd::Loop {
                        stem: steps,
                        cycle: now.0 - steps,
                    };
                }
                Some(At::Again {
                    since: choices,
                    forced,
                })
            }
            _ => {
                self.seen.insert(self.here.state.clone(), now);
                None
            }
        }
    }

    /// Takes an alternative of the choice point, counted from 0.
    ///
    /// # Errors
    ///
    /// If the walk is not at a choice point, or it has fewer alternatives.
    pub fn take(&mut self, at: usize) -> Result<(), WalkError> {
        let Next::Choose(mut point) = self.next() else {
            return Err(WalkError::NoSuchAlternative);
        };
        if at >= point.alternatives.len() {
            return Err(WalkError::NoSuchAlternative);
        }
        let alternative = point.alternatives.swap_remove(at);
        self.back.push(Answered {
            at: self.here.clone(),
            reading: None,
        });
        self.here = Position {
            state: alternative.state,
            steps: self.here.steps + 1,
            choices: self.here.choices + 1,
        };
        self.run.choices.push(alternative.key);
        self.leave_here();
        Ok(())
    }

    /// Goes back to the last choice, or to where a reading was chosen last.
    ///
    /// # Errors
    ///
    /// If nothing was chosen.
    pub fn undo(&mut self) -> Result<(), WalkError> {
        let last = self.back.pop().ok_or(WalkError::NothingToUndo)?;
        self.here = last.at;
        match last.reading {
            Some(reading) => {
                self.run.readings.remove(&reading);
            }
            None => {
                self.run.choices.pop();
            }
        }
        let steps = self.here.steps;
        self.seen.retain(|_, (at, _)| *at <= steps);
        self.leave_here();
        Ok(())
    }
}
