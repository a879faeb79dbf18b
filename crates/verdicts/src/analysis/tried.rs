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
use super::readings::only_difference;
use super::under::joined;
use crate::verdict::{Answer, Finding, Limitation, Question, Scope, ScopeOf, Uncompared, Verdict};
use endstep_language::typing::program::{Program, ReadingId, SequenceId};

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
        (leaves, left_out): (&[Leaf], bool),
    ) -> Self {
        let mut tried = Self::default();
        if leaves.is_empty() {
            return tried;
        }
        tried.restricted = u64::from(left_out);
        for two in of_boards
            .iter()
            .flat_map(|&reading| pairs(program, reading))
        {
            let not = u64::from(!is_compared_throughout(leaves, two));
            let never = u64::from(!is_compared(leaves, two));
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

/// Whether two assignments of one board differ in this alone, or it has one on which the reading has no bearing.
fn is_compared(leaves: &[Leaf], two: Two) -> bool {
    let open = |leaf: &Leaf| !leaf.readings.contains_key(&two.0);
    let mut under = leaves.iter();
    leaves.iter().any(open) || under.any(|leaf| is_there(leaves, leaf, two, 1))
}

/// Whether each assignment under the one alternative has one under the other from which it differs in this alone.
fn is_compared_throughout(leaves: &[Leaf], two: Two) -> bool {
    let mut under = leaves.iter();
    under.all(|leaf| match leaf.readings.get(&two.0) {
        Some(at) if *at == two.1 => is_there(leaves, leaf, two, 1),
        Some(at) if *at == two.2 => is_there(leaves, leaf, two, 2),
        _ => true,
    })
}

/// Whether an assignment under the n-th of two alternatives has one beside it under the other.
fn is_there(leaves: &[Leaf], one: &Leaf, (reading, first, second): Two, nth: usize) -> bool {
    let (here, there) = match nth {
        1 => (first, second),
        _ => (second, first),
    };
    one.readings.get(&reading) == Some(&here)
        && leaves.iter().any(|other| {
            other.readings.get(&reading) == Some(&there)
                && only_difference(&one.readings, &other.readings) == Some(reading)
        })
}

/// Of ways to read a sentence that were compared on no board it is not known whether they play alike.
pub fn leave_uncompared(program: &Program, scopes: &[Scope], answer: &mut Answer) {
    let mut two: Vec<Two> = match answer.subject {
        Question::Reading(_, reading) => pairs(program, reading).collect(),
        Question::Ways(_, reading, one, other) => vec![(reading, one, other)],
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
