//! All states that can follow a state, enumerated with the interpreter alone.
//!
//! This is what makes a set of outcomes, a closed region or a player's power more than a claim: it
//! is computed anew, micro-step by micro-step, without any code of the engine that found them.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::error::ReplayError;
use super::iteration::{Iteration, height};
use super::observe::{Lens, Outcome, Unobservable};
use super::play::{Move, Player, interpreter, start};
use super::run::{Ability, Run, RunEnd, Side};
use crate::semantics::{Ended, Interpreter, Next, State, Who};
use endstep_language::typing::program::{ObserverId, Program};

/// More states than this are not enumerated.
pub const MOST_STATES: usize = 400_000;

/// A state, and what is still to be taken when its iteration chooses again.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Position {
    state: State,
    waiting: bool,
}

/// Everything that can follow.
pub(crate) struct Region {
    /// For each state its successors.
    successors: Vec<Vec<usize>>,
    /// For each state who chooses there.
    deciders: Vec<Option<Who>>,
    /// The ends.
    ends: Vec<Option<Ended>>,
}

impl Region {
    /// All that can follow a state of a run.
    pub fn after(it: Interpreter<'_>, state: State) -> Result<Self, ReplayError> {
        let free = Position {
            state,
            waiting: false,
        };
        Self::explore(it, free, None, MOST_STATES)
    }

    /// The same, if that are not more states than this.
    pub fn within(it: Interpreter<'_>, state: State, most: usize) -> Result<Self, ReplayError> {
        let free = Position {
            state,
            waiting: false,
        };
        Self::explore(it, free, None, most)
    }

    /// All that can follow on one side of a run.
    pub fn of_side(program: &Program, run: &Run, side: &Side) -> Result<Self, ReplayError> {
        let it = interpreter(program, run);
        if side.fixed == 0 {
            return Self::after(it, start(it, run));
        }
        let mut player = Player::new(program, run);
        loop {
            let before = player.state.clone();
            let last = player.taken + 1 == side.fixed;
            let moved = player.advance()?;
            if matches!(moved, Move::Ended(..)) {
                return Err(ReplayError::ChoicesLeft(side.fixed - player.taken));
            }
            if !(last && player.taken == side.fixed) {
                continue;
            }
            let state = player.state.clone();
            let Some(then) = &side.then else {
                return Self::after(it, state);
            };
            let Next::Choose(point) = it.next(before.clone()) else {
                return Err(ReplayError::OtherSide);
            };
            let waiting = Iteration::at(&before, &point);
            let position = Position {
                state,
                waiting: true,
            };
            return Self::explore(it, position, Some((&waiting, then)), MOST_STATES);
        }
    }

    fn explore(
        it: Interpreter<'_>,
        first: Position,
        then: Option<(&Iteration, &crate::semantics::Key)>,
        most: usize,
    ) -> Result<Self, ReplayError> {
        let mut region = Self {
            successors: Vec::new(),
            deciders: Vec::new(),
            ends: Vec::new(),
        };
        let mut known: FxHashMap<Position, usize> = FxHashMap::default();
        let mut todo = vec![first.clone()];
        known.insert(first, 0);
        region.grow();
        while let Some(position) = todo.pop() {
            let at = known[&position];
            for next in region.step(it, &position, at, then)? {
                let count = known.len();
                let to = *known.entry(next.clone()).or_insert(count);
                if to == count {
                    if count >= most {
                        return Err(ReplayError::TooLarge(most));
                    }
                    region.grow();
                    todo.push(next);
                }
                region.successors[at].push(to);
            }
        }
        Ok(region)
    }

    fn grow(&mut self) {
        self.successors.push(Vec::new());
        self.deciders.push(None);
        self.ends.push(None);
    }

    fn step(
        &mut self,
        it: Interpreter<'_>,
        position: &Position,
        at: usize,
        then: Option<(&Iteration, &crate::semantics::Key)>,
    ) -> Result<Vec<Position>, ReplayError> {
        let waits = |state: &State, notes: &[crate::semantics::Note]| {
            position.waiting
                && then.is_some_and(|(iteration, _)| {
                    !iteration.ends_at(height(state))
                        && !notes.iter().any(|note| iteration.restarts_with(note))
                })
        };
        match it.next(position.state.clone()) {
            Next::Consult(reading) => Err(ReplayError::ReadingNotFixed(reading)),
            Next::Done(ended, _) => {
                self.ends[at] = Some(ended);
                Ok(Vec::new())
            }
            Next::Step(state, notes) => {
                let waiting = waits(&state, &notes);
                Ok(vec![Position { state, waiting }])
            }
            Next::Choose(point) => {
                self.deciders[at] = Some(point.who);
                let again = position.waiting
                    && then
                        .is_some_and(|(mine, _)| *mine == Iteration::at(&position.state, &point));
                let wanted = then.map(|(_, key)| key).filter(|_| again);
                let offered = point
                    .alternatives
                    .iter()
                    .any(|one| Some(&one.key) == wanted);
                let taken = point.alternatives.into_iter();
                let taken = taken.filter(|one| !offered || Some(&one.key) == wanted);
                Ok(taken
                    .map(|one| {
                        let waiting = !again && waits(&one.state, &one.notes);
                        Position {
                            state: one.state,
                            waiting,
                        }
                    })
                    .collect())
            }
        }
    }

    /// How many states there are, if none of them is an end.
    pub fn closed(&self) -> Option<u64> {
        let open = self.ends.iter().any(Option::is_some);
        (!open).then_some(self.ends.len() as u64)
    }

    /// The ends.
    pub fn ends(&self) -> impl Iterator<Item = &Ended> {
        self.ends.iter().flatten()
    }

    /// Whether an infinite run starts at the first state.
    pub fn diverges(&self) -> bool {
        // Takes away, again and again, the states without a successor.
        let mut left: Vec<usize> = self.successors.iter().map(Vec::len).collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); left.len()];
        for (from, successors) in self.successors.iter().enumerate() {
            for &to in successors {
                before[to].push(from);
            }
        }
        let mut gone: Vec<usize> = (0..left.len()).filter(|&at| left[at] == 0).collect();
        let mut count = 0;
        while let Some(at) = gone.pop() {
            count += 1;
            for &from in &before[at] {
                left[from] -= 1;
                if left[from] == 0 {
                    gone.push(from);
                }
            }
        }
        count < self.ends.len()
    }

    /// The outcomes that are possible.
    pub fn outcomes(
        &self,
        it: Interpreter<'_>,
        lens: &Lens<'_>,
        run: &Run,
    ) -> Result<BTreeSet<Outcome>, ReplayError> {
        let mut outcomes = BTreeSet::new();
        for ended in self.ends.iter().flatten() {
            outcomes.insert(outcome(it, lens, run, ended)?);
        }
        if self.diverges() {
            outcomes.insert(Outcome::Diverges);
        }
        Ok(outcomes)
    }

    /// Whether somebody (a player, or the players together) can force or avoid an outcome, everybody
    /// and everything else adversarial.
    pub fn able(&self, who: Who, ability: Ability, ends_so: &[bool], diverges: bool) -> bool {
        let mine = |at: usize| self.deciders[at].is_some_and(|one| who.speaks_for(one));
        let controlled = |at: usize, set: &[bool]| {
            let successors = &self.successors[at];
            if mine(at) {
                successors.iter().any(|&to| set[to])
            } else {
                !successors.is_empty() && successors.iter().all(|&to| set[to])
            }
        };
        // To reach something is a least fixpoint, to stay in something a greatest one.
        let reach = match ability {
            Ability::Force => !diverges,
            Ability::Avoid => diverges,
        };
        let is_end = |at: usize| self.ends[at].is_some();
        let fine = |at: usize| match (ability, diverges) {
            (Ability::Force, false) => ends_so[at],
            (Ability::Force, true) => false,
            (Ability::Avoid, false) => is_end(at) && !ends_so[at],
            (Ability::Avoid, true) => is_end(at),
        };
        let mut set: Vec<bool> = (0..self.ends.len())
            .map(|at| fine(at) || (!reach && !is_end(at)))
            .collect();
        loop {
            let next: Vec<bool> = (0..set.len())
                .map(|at| fine(at) || (!is_end(at) && controlled(at, &set)))
                .collect();
            if next == set {
                return set[0];
            }
            set = next;
        }
    }

    /// For each state whether it is an end with this outcome.
    pub fn ends_in(
        &self,
        it: Interpreter<'_>,
        lens: &Lens<'_>,
        run: &Run,
        wanted: &Outcome,
    ) -> Result<Vec<bool>, ReplayError> {
        let mut found = Vec::with_capacity(self.ends.len());
        for ended in &self.ends {
            found.push(match ended {
                Some(ended) => outcome(it, lens, run, ended)? == *wanted,
                None => false,
            });
        }
        Ok(found)
    }
}

/// The outcome with which a run ended.
pub(crate) fn outcome(
    it: Interpreter<'_>,
    lens: &Lens<'_>,
    run: &Run,
    ended: &Ended,
) -> Result<Outcome, ReplayError> {
    lens.outcome(it, ended, &run.board)
        .map_err(|why| match why {
            Unobservable::Consult(reading) => ReplayError::ReadingNotFixed(reading),
            Unobservable::TooManyCreated => ReplayError::TooManyCreated,
            Unobservable::Limit => ReplayError::TooCostly,
        })
}

/// The outcome of a run as it says itself.
pub(crate) fn outcome_of(
    program: &Program,
    run: &Run,
    observer: Option<ObserverId>,
) -> Result<Outcome, ReplayError> {
    let lens = Lens::new(program, observer);
    match &run.end {
        RunEnd::Ended(ended) => outcome(interpreter(program, run), &lens, run, ended),
        RunEnd::Loop { .. } => Ok(Outcome::Diverges),
        RunEnd::Grows { .. } | RunEnd::Stopped { .. } => Err(ReplayError::EndsOtherwise),
    }
}
