//! Two runs of one board that differ in one choice, or in one reading, and end differently.
//!
//! ```text
//! owl first  ─▶ end {wolf}       the order of owl and wolf may matter
//! wolf first ─▶ end {}
//! ```
//!
//! If nothing but orders is left open on a board, two ends show that some order matters there; else
//! somebody could make up for it, and only all runs of both sides can tell. Either way this is a
//! reason to look closely.

use super::deal::Decoded;
use super::dice::Dice;
use super::run::{Last, RunResult, Wanted, open_choices};
use super::{Sampler, Sign};
use endstep_language::typing::program::ReadingId;
use endstep_semantics::semantics::{ChoiceKind, Ended, Interpreter, Tag};
use endstep_semantics::witness::{Lens, Outcome};
use std::sync::Arc;

/// Two runs that end differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// What they show.
    pub sign: Sign,
    /// Whether nothing but the order of things is left open in both.
    pub only_orders: bool,
}

/// So many choices of a run are tried otherwise.
const MOST_POINTS: usize = 12;

/// So many alternatives of a choice are tried.
const MOST_KEYS: usize = 6;

const ENDS: Wanted = Wanted {
    data: true,
    choices: true,
    whole: false,
};

impl Sampler<'_> {
    /// Runs a board twice, the second time with another choice where the document says neither how
    /// to choose nor who chooses.
    pub fn other_choice(
        &mut self,
        dealt: &Decoded,
        schedule: &[u8],
        dice: &mut Dice,
    ) -> Option<Contrast> {
        let one = self.run_along(dealt, schedule, ENDS);
        let open = open_choices(&one);
        let at = *open.get(dice.below(open.len()))?;
        let chosen = &one.chosen[at];
        let count = chosen.keys.len();
        let other = (chosen.taken + 1 + dice.below(count - 1)) % count;
        self.otherwise(dealt, (schedule, &one), (at, other))
    }

    /// Compares a run with one that takes another alternative at a choice.
    fn otherwise(
        &mut self,
        dealt: &Decoded,
        (schedule, one): (&[u8], &RunResult),
        (at, alternative): (usize, usize),
    ) -> Option<Contrast> {
        let chosen = &one.chosen[at];
        let mut schedule: Vec<u8> = schedule.to_vec();
        schedule.resize(schedule.len().max(at + 1), 0);
        schedule[at] = u8::try_from(alternative).ok()?;
        let other = self.run_along(dealt, &schedule, ENDS);
        if !self.ends_differ(dealt, dealt, (one, &other)) {
            return None;
        }
        let sign = match chosen.kind {
            ChoiceKind::Order => {
                let keys = (&chosen.keys[chosen.taken], &chosen.keys[alternative]);
                Sign::order(chosen.site, keys.0, keys.1)
            }
            kind => Sign::Choice(chosen.site, kind),
        };
        let orders = |ran: &RunResult| ran.chosen.iter().all(|one| one.kind == ChoiceKind::Order);
        Some(Contrast {
            sign,
            only_orders: orders(one) && orders(&other),
        })
    }

    /// Whether the run of an input, or it and another one of its board, shows a sign.
    pub fn shows(&mut self, dealt: &Decoded, input: &[u8], sign: &Sign) -> bool {
        let schedule = input.get(dealt.schedule..).unwrap_or(&[]);
        match sign {
            Sign::Reading(reading, one, other) => {
                let before = dealt.readings.get(reading.0 as usize).copied();
                let alternative = match before {
                    Some(before) if before == *one => *other,
                    Some(before) if before == *other => *one,
                    _ => return false,
                };
                self.other_reading(dealt, schedule, (*reading, alternative))
                    .is_some()
            }
            Sign::Order(..) | Sign::Choice(..) => {
                let one = self.run_along(dealt, schedule, ENDS);
                let open = open_choices(&one).into_iter().take(MOST_POINTS);
                let mut all = open.flat_map(|at| {
                    let keys = 0..one.chosen[at].keys.len().min(MOST_KEYS);
                    keys.map(move |key| (at, key))
                });
                let others = |&(at, key): &(usize, usize)| one.chosen[at].taken != key;
                all.by_ref().filter(others).any(|(at, key)| {
                    let contrast = self.otherwise(dealt, (schedule, &one), (at, key));
                    contrast.is_some_and(|contrast| contrast.sign == *sign)
                })
            }
            sign => {
                let ran = self.run_along(dealt, schedule, Wanted::default());
                ran.signs.contains(sign)
            }
        }
    }

    /// Runs a board twice, the second time under another alternative of a reading.
    pub fn other_reading(
        &mut self,
        dealt: &Decoded,
        schedule: &[u8],
        (reading, alternative): (ReadingId, u16),
    ) -> Option<Contrast> {
        let mut changed = dealt.clone();
        let held = changed.readings.get_mut(reading.0 as usize)?;
        let before = std::mem::replace(held, alternative);
        let one = self.run_along(dealt, schedule, ENDS);
        let other = self.run_along(&changed, schedule, ENDS);
        if !self.is_legal(&changed) || !self.ends_differ(dealt, &changed, (&one, &other)) {
            return None;
        }
        let (low, high) = (before.min(alternative), before.max(alternative));
        Some(Contrast {
            sign: Sign::Reading(reading, low, high),
            only_orders: one.chosen.is_empty() && other.chosen.is_empty(),
        })
    }

    /// Whether two runs that have ended came out differently, for those who see what counts.
    fn ends_differ(
        &mut self,
        one: &Decoded,
        other: &Decoded,
        ran: (&RunResult, &RunResult),
    ) -> bool {
        match (&ran.0.last, &ran.1.last) {
            (Last::GivenUp, _) | (_, Last::GivenUp) | (Last::Again, Last::Again) => false,
            // What is given up supports no comparison.
            (Last::Ended(Tag::Limit(_)), _) | (_, Last::Ended(Tag::Limit(_))) => false,
            (Last::Again, _) | (_, Last::Again) => true,
            (Last::Ended(first), Last::Ended(second)) => {
                if first == second && ran.0.data == ran.1.data {
                    return false;
                }
                let outcomes = (self.outcome(one, ran.0), self.outcome(other, ran.1));
                match outcomes {
                    (Some(first), Some(second)) => first != second,
                    _ => false,
                }
            }
        }
    }

    /// The outcome of a run that ended, as its observer sees it.
    fn outcome(&mut self, dealt: &Decoded, ran: &RunResult) -> Option<Outcome> {
        let taken = ran.chosen.iter().map(|one| u8::try_from(one.taken));
        let schedule: Vec<u8> = taken.collect::<Result<_, _>>().ok()?;
        let whole = Wanted {
            whole: true,
            ..Wanted::default()
        };
        let again = self.run_along(dealt, &schedule, whole);
        let (Last::Ended(tag), Some(data)) = (again.last, again.whole) else {
            return None;
        };
        let job = self.job_of(dealt);
        let readings = dealt.assignment();
        let it = Interpreter {
            program: self.program,
            readings: &readings,
            variant: &job.variant,
        };
        let lens = Lens::new(self.program, job.observer);
        let data = Arc::new(data);
        let ended = Ended { tag, data };
        lens.outcome(it, &ended, &dealt.data(self.ground)).ok()
    }
}
