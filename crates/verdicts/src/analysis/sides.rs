//! Two continuations compared: an outcome that one has and the other has not, with runs.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::branch::{Branch, Found, Plainness};
use super::paired;
use super::values::{Outcomes, Set};
use endstep_language::typing::program::{ObserverId, Program};
use endstep_semantics::semantics::Key;
use endstep_semantics::witness::{
    Ending, Outcome, Run, RunEnd, Versus, Violated, Witness, actual_end,
};

/// The outcomes of two sides between which a difference is looked for.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// All of the board.
    pub outcomes: &'a Outcomes,
    /// Which of them can show it.
    pub counts: &'a dyn Fn(usize) -> bool,
}

/// How a run stops, if it does not end normally; `None` of what never ends.
type Stop<'a> = Option<&'a Ending>;

impl Compared<'_> {
    fn stop(&self, number: usize) -> Option<Stop<'_>> {
        match self.outcomes.get(number) {
            Outcome::Diverges => Some(None),
            Outcome::Ended(ending, _) => (!ending.tag().is_outcome()).then_some(Some(ending)),
        }
    }

    /// Whether it is the outcome of runs that end normally.
    pub fn is_normal(&self, number: usize) -> bool {
        self.stop(number).is_none()
    }

    /// How plainly two outcomes show a difference, each with all that are possible on its side.
    pub fn plainness(&self, one: (usize, &Set), other: (usize, &Set)) -> Plainness {
        let is_own = |number: usize, others: &Set| {
            let stop = self.stop(number)?;
            let there = others.iter().any(|one| self.stop(one) == Some(stop));
            Some(!there)
        };
        match (is_own(one.0, other.1), is_own(other.0, one.1)) {
            (None, None) => Plainness::Ends,
            (Some(true), _) | (_, Some(true)) => Plainness::Stops,
            _ => Plainness::Elsewhere,
        }
    }

    /// The plainest that a difference can be between sides that have some of these outcomes.
    pub fn plainest_within(&self, set: &Set) -> Plainness {
        let normal = set.iter().filter(|&number| self.is_normal(number));
        match normal.count() {
            0 | 1 => Plainness::Stops,
            _ => Plainness::Ends,
        }
    }

    /// The plainest that the difference between two sides can be; no pair of runs shows it more plainly.
    pub fn plainest(&self, one: &Set, other: &Set) -> Plainness {
        let is_plain = |mine: &Set, theirs: &Set| {
            let own = mine.iter().filter(|&number| !theirs.contains(number));
            let mut own = own.filter(|&number| (self.counts)(number));
            let mut theirs = theirs.iter();
            own.any(|number| self.is_normal(number)) && theirs.any(|other| self.is_normal(other))
        };
        let stops = |set: &Set| -> BTreeSet<Stop<'_>> {
            set.iter().filter_map(|number| self.stop(number)).collect()
        };
        match () {
            () if is_plain(one, other) || is_plain(other, one) => Plainness::Ends,
            () if stops(one) != stops(other) => Plainness::Stops,
            () => Plainness::Elsewhere,
        }
    }
}

/// Two sides that differ, with runs that show it.
pub struct Contrast<'a> {
    program: &'a Program,
    told: Compared<'a>,
    /// The side with the outcome, and the other.
    sides: (Branch<'a>, Branch<'a>),
    found: Found<Versus>,
}

/// What can be made a witness of.
pub trait Shown {
    /// The witness; `None`: the interpreter does not come there.
    fn shown(self) -> Option<Witness>;
}

impl Shown for Witness {
    fn shown(self) -> Option<Witness> {
        Some(self)
    }
}

/// A run; what the data are where it is left is asked of the interpreter, once it is to be shown.
pub struct RunShown<'p> {
    /// The program.
    pub program: &'p Program,
    /// The run.
    pub run: Run,
    /// What it violates.
    pub violated: Violated,
}

impl Shown for RunShown<'_> {
    fn shown(mut self) -> Option<Witness> {
        if matches!(self.run.end, RunEnd::Stopped { .. }) {
            self.run.end = actual_end(self.program, &self.run).ok()?;
        }
        Some(Witness::Run {
            run: self.run,
            violated: self.violated,
        })
    }
}

impl Shown for Contrast<'_> {
    fn shown(self) -> Option<Witness> {
        let (mine, theirs) = &self.sides;
        let has_it = |one: usize| (self.told.counts)(one) && !theirs.set.contains(one);
        let sides = (mine, theirs);
        let pair = |most: Plainness| {
            let wanted = |one: usize, other: usize| {
                let plain = || self.told.plainness((one, &mine.set), (other, &theirs.set));
                has_it(one) && plain() <= most
            };
            paired::runs(self.program, sides, self.found.basis, &wanted)
        };
        // That the same choices lead to where only one of them stops says more than what others come to.
        let plainest = pair(self.found.plain);
        let agrees = |pair: &(_, bool)| pair.1;
        let other = match &plainest {
            Some((_, false)) if self.found.plain < Plainness::Stops => pair(Plainness::Stops),
            _ => None,
        };
        let pair = other.filter(agrees).or(plainest);
        let mut versus = self.found.witness;
        if let Some(((run, against), _)) = pair {
            (versus.run, versus.against) = (run, against);
        }
        Some(Witness::Versus(Box::new(versus)))
    }
}

/// An outcome, among those that count, that one of two continuations has and the other has not: of the
/// strongest basis, then shown most plainly, then in the fewest steps.
pub fn versus<'a>(
    program: &'a Program,
    (one, other): (Branch<'a>, Branch<'a>),
    told: Compared<'a>,
    observer: Option<ObserverId>,
) -> Option<Found<Contrast<'a>>> {
    if one.set == other.set {
        return None;
    }
    let mut best: Option<(Found<Versus>, bool)> = None;
    for (mine, theirs, turned) in [(&one, &other, false), (&other, &one, true)] {
        for outcome in mine
            .set
            .iter()
            .filter(|&outcome| (told.counts)(outcome) && !theirs.set.contains(outcome))
        {
            let Some(found) = differing(program, (mine, theirs), outcome, told) else {
                continue;
            };
            let size = |found: &Found<Versus>| (found.basis, found.plain, found.steps);
            let better = best
                .as_ref()
                .is_none_or(|(best, _)| size(&found) < size(best));
            if better {
                best = Some((found, turned));
            }
        }
    }
    let (mut found, turned) = best?;
    found.witness.observer = observer;
    let (basis, plain, steps) = (found.basis, found.plain, found.steps);
    let sides = if turned { (other, one) } else { (one, other) };
    Some(Found {
        basis,
        plain,
        steps,
        witness: Contrast {
            program,
            told,
            sides,
            found,
        },
    })
}

fn differing(
    program: &Program,
    (mine, theirs): (&Branch<'_>, &Branch<'_>),
    outcome: usize,
    told: Compared<'_>,
) -> Option<Found<Versus>> {
    let run = mine.shortest(program, outcome)?;
    let like = &run.witness.choices;
    let others = theirs.set.iter().filter_map(|other| {
        let found = theirs.shortest_like(program, other, like)?;
        let plain = told.plainness((outcome, &mine.set), (other, &theirs.set));
        Some((run.basis.max(found.basis), plain, found))
    });
    let (basis, plain, against) = others.min_by_key(|(basis, plain, found)| {
        let alike = Reverse(alike(&found.witness.choices, like));
        (*basis, *plain, found.steps, alike)
    })?;
    Some(Found {
        basis,
        plain,
        steps: run.steps + against.steps,
        witness: Versus {
            run: run.witness,
            side: mine.side.clone(),
            against: against.witness,
            other: theirs.side.clone(),
            outcomes: told.outcomes.sorted(&theirs.set),
            observer: None,
        },
    })
}

/// How many choices two runs begin with that are the same.
fn alike(one: &[Key], other: &[Key]) -> usize {
    let pairs = one.iter().zip(other);
    pairs.take_while(|(one, other)| one == other).count()
}

/// The run of a continuation to an outcome that counts: of strongest basis, then shortest, then with the
/// choices of another run for as long as possible.
pub fn nearest_to(
    program: &Program,
    branch: &Branch<'_>,
    run: &Run,
    counts: &dyn Fn(usize) -> bool,
) -> Option<Found<Run>> {
    let like = &run.choices;
    let outcomes = branch.set.iter().filter(|&outcome| counts(outcome));
    let runs = outcomes.filter_map(|outcome| branch.shortest_like(program, outcome, like));
    runs.min_by_key(|one| {
        let alike = Reverse(alike(&one.witness.choices, like));
        (one.basis, one.steps, alike)
    })
}
