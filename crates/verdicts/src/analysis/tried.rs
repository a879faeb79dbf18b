//! Under which alternatives of readings boards were looked at, and which of them beside each other.
//!
//! Where it depends on a reading which boards are legal, or explored, a board can be there under one alternative alone:
//!
//! ```text
//! legal: r is one or n = 0      n = 0   looked at under one and two, which are compared
//!                               n = 1   looked at under one: nothing is compared
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::leaf::Leaf;
use super::under::joined;
use crate::verdict::{Answer, Finding, Limitation, Question, Scope, ScopeOf, Uncompared, Verdict};
use endstep_language::typing::program::{Program, ReadingId, SequenceId};
use endstep_semantics::semantics::Readings;

/// Of no more assignments than this it is found out which alternatives were compared throughout.
const MOST_ASSIGNMENTS: u64 = 4096;

/// Two alternatives of a reading, the first of them first.
pub type Two = (ReadingId, u16, u16);

/// What is known of some boards.
#[derive(Debug, Default)]
pub struct Tried {
    /// On how many legal boards two alternatives were not compared throughout, and on how many not at all.
    uncompared: BTreeMap<Two, (u64, u64)>,
    /// On how many boards that were looked at some assignment of readings was left out, under which they are legal.
    restricted: u64,
}

impl Tried {
    /// What one board shows, by all assignments under which it is legal and explored, and whether it is legal, and not explored, under
    /// others.
    ///
    /// `of_boards` are the readings on which it depends which boards are legal, or explored.
    pub fn of(
        program: &Program,
        of_boards: &BTreeSet<ReadingId>,
        leaves: &[Leaf],
        left_out: bool,
    ) -> Self {
        let mut tried = Self::default();
        if leaves.is_empty() {
            return tried;
        }
        tried.restricted = u64::from(left_out);
        let Some(missing) = Missing::of(program, leaves) else {
            return tried;
        };
        let split = of_boards
            .iter()
            .filter(|one| missing.involved.contains_key(one));
        for two in split.flat_map(|&reading| pairs(program, reading)) {
            let never = u64::from(!missing.is_compared(two));
            let not = never.max(u64::from(!missing.is_compared_throughout(two)));
            if not > 0 {
                tried.uncompared.insert(two, (not, never));
            }
        }
        tried
    }

    /// Adds what others show.
    pub fn merge(&mut self, other: Self) {
        self.restricted += other.restricted;
        for (two, (not, never)) in other.uncompared {
            let mine = self.uncompared.entry(two).or_default();
            mine.0 += not;
            mine.1 += never;
        }
    }

    /// On how many boards some assignment of readings was left out, under which they are legal.
    pub fn restricted(&self) -> u64 {
        self.restricted
    }

    /// On how many boards which alternatives were not compared.
    pub fn uncompared(self) -> Vec<Uncompared> {
        let one = |((reading, first, second), (boards, never))| Uncompared {
            reading,
            first,
            second,
            boards,
            never,
        };
        self.uncompared.into_iter().map(one).collect()
    }
}

/// Each two alternatives of a reading.
pub fn pairs(program: &Program, reading: ReadingId) -> impl Iterator<Item = Two> {
    let count = program.readings[reading].alternatives.len() as u16;
    (0..count).flat_map(move |one| (one + 1..count).map(move |other| (reading, one, other)))
}

/// A board that is not legal, or not explored, under some assignments.
struct Missing<'a> {
    leaves: &'a [Leaf],
    /// The readings on which anything depends there, with the number of their alternatives.
    involved: BTreeMap<ReadingId, u16>,
    /// Whether there are too many assignments to go through.
    too_many: bool,
}

impl<'a> Missing<'a> {
    /// Of the assignments under which a board is there; `None`: these are all.
    fn of(program: &Program, leaves: &'a [Leaf]) -> Option<Self> {
        let keys = leaves.iter().flat_map(|leaf| leaf.readings.keys());
        let number = |id: &ReadingId| program.readings[*id].alternatives.len() as u16;
        let involved: BTreeMap<ReadingId, u16> = keys.map(|id| (*id, number(id))).collect();
        let product = |fixed: &Readings| -> Option<u64> {
            let mut open = involved.iter().filter(|(id, _)| !fixed.contains_key(id));
            open.try_fold(1_u64, |all, (_, number)| {
                all.checked_mul(u64::from(*number))
            })
        };
        // No two of them have an assignment in common.
        let mut there = leaves.iter().map(|leaf| product(&leaf.readings));
        let there = there.try_fold(0_u64, |sum, one| sum.checked_add(one?));
        let all = product(&Readings::new());
        (all.is_none() || there != all).then_some(Self {
            leaves,
            too_many: all.is_none_or(|all| all > MOST_ASSIGNMENTS),
            involved,
        })
    }

    fn is_there(&self, assignment: &Readings) -> bool {
        let is_in = |leaf: &Leaf| {
            let mut fixed = leaf.readings.iter();
            fixed.all(|(reading, at)| assignment.get(reading) == Some(at))
        };
        self.leaves.iter().any(is_in)
    }

    /// Whether the board is there under each of two assignments that differ in a reading alone.
    fn both(&self, (reading, first, second): Two) -> impl Iterator<Item = [bool; 2]> {
        let mut all = vec![Readings::new()];
        for (&id, &number) in self.involved.iter().filter(|(id, _)| **id != reading) {
            let each = all
                .iter()
                .flat_map(|one| (0..number).map(move |at| (one.clone(), at)));
            let longer = each.map(|(mut one, at)| {
                one.insert(id, at);
                one
            });
            all = longer.collect();
        }
        all.into_iter().map(move |one| {
            [first, second].map(|at| {
                let mut one = one.clone();
                one.insert(reading, at);
                self.is_there(&one)
            })
        })
    }

    /// Whether two assignments under which the board is there differ in this alone, as far as that is known.
    fn is_compared(&self, two: Two) -> bool {
        !self.too_many && self.both(two).any(|there| there == [true, true])
    }

    /// Whether each assignment under the one alternative has one under the other from which it differs in this alone.
    fn is_compared_throughout(&self, two: Two) -> bool {
        !self.too_many && self.both(two).all(|[one, other]| one == other)
    }
}

/// Of ways to read a sentence that were compared on no board it is not known whether they play alike.
pub fn leave_uncompared(program: &Program, scopes: &[Scope], answer: &mut Answer) {
    let mut two: Vec<Two> = match answer.subject {
        Question::Reading(_, reading) => pairs(program, reading).collect(),
        Question::Ways(_, reading, one, other) => vec![(reading, one, other)],
        // Nothing else compares readings.
        _ => return,
    };
    let scopes = answer.scopes.iter().map(|&at| &scopes[at]);
    let scopes: Vec<&Scope> = scopes.filter(|scope| scope.legal > 0).collect();
    let never = |(reading, one, other)| {
        let mut scopes = scopes.iter();
        scopes.all(|scope| scope.never_compared(reading, (one, other)) == scope.legal)
    };
    two.retain(|two| never(*two));
    if scopes.is_empty() || two.is_empty() {
        return;
    }
    match &mut answer.verdict {
        verdict @ Verdict::HoldsInScope => {
            *verdict = Verdict::Unknown(vec![Limitation::Uncompared]);
        }
        Verdict::Unknown(why) => why.push(Limitation::Uncompared),
        Verdict::Refuted | Verdict::Shown | Verdict::NoneInScope => {}
    }
}

/// The sequences and readings of which each two alternatives are told by themselves: not all are known to play alike, since some
/// differ, or were never compared.
pub fn told_by_two<'a>(
    answers: impl Iterator<Item = &'a Answer>,
) -> BTreeSet<(SequenceId, ReadingId)> {
    let one = |answer: &Answer| {
        let Question::Reading(sequence, reading) = answer.subject else {
            return None;
        };
        let differ = match &answer.verdict {
            Verdict::Refuted => true,
            Verdict::Unknown(why) => why.contains(&Limitation::Uncompared),
            Verdict::HoldsInScope | Verdict::Shown | Verdict::NoneInScope => false,
        };
        differ.then_some((sequence, reading))
    };
    answers.filter_map(one).collect()
}

/// Under which readings a finding occurs in all scopes together; whether it is known that it occurs under no others; and whether
/// boards were left out under some.
pub fn note_untried(program: &Program, scopes: &[Scope], finding: &mut Finding) {
    let all = finding.counted.iter().map(|one| &one.readings);
    if finding.counted.len() > 1 {
        finding.readings = joined(program, all);
    }
    finding.untried = is_restricted(program, scopes, finding.scope);
    finding.readings_known &= !finding.untried;
}

/// The same of the value that answers a question.
pub fn note_untried_of_best(program: &Program, scopes: &[Scope], answer: &mut Answer) {
    if let Some(best) = &mut answer.best {
        best.readings = joined(program, [&best.readings]);
        best.readings_known &= !is_restricted(program, scopes, answer.scopes.first().copied());
    }
}

/// Whether boards were left out under some readings of the sequence to which a scope belongs; of any, where there is no scope.
fn is_restricted(program: &Program, scopes: &[Scope], scope: Option<usize>) -> bool {
    let of = |scope: &Scope| match scope.subject {
        ScopeOf::Verify(_) | ScopeOf::Sequence(_) => scope.subject.sequence(program),
        ScopeOf::Example(_) | ScopeOf::On(..) => None,
    };
    let here = scope.and_then(|at| of(scopes.get(at)?));
    let mut those = scopes.iter().filter(|one| match scope {
        Some(_) => here.is_some() && of(one) == here,
        None => of(one).is_some(),
    });
    those.any(|scope| scope.restricted > 0)
}
