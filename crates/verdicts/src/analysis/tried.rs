//! Which alternatives of readings boards were looked at under, and which of them beside each other.
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
use super::under::of_tried;
use crate::verdict::{
    Answer, Finding, Limitation, Question, Scope, ScopeOf, Uncompared, Under, Verdict,
};
use endstep_language::typing::program::{Program, ReadingId, SequenceId};
use endstep_semantics::semantics::Readings;

/// Two alternatives of a reading, the first of them first.
pub type Two = (ReadingId, u16, u16);

/// What is known of some boards.
#[derive(Debug, Default)]
pub struct Tried {
    /// The readings on which it does not always depend what a board comes to.
    open: BTreeSet<ReadingId>,
    /// Alternatives under which a board was looked at.
    under: BTreeSet<(ReadingId, u16)>,
    /// On how many legal boards two alternatives were not compared.
    uncompared: BTreeMap<Two, u64>,
}

impl Tried {
    /// What one board shows, by all assignments under which it is legal and explored.
    ///
    /// `of_boards` are the readings on which it depends which boards these are.
    pub fn of(program: &Program, of_boards: &BTreeSet<ReadingId>, leaves: &[Leaf]) -> Self {
        let mut tried = Self::default();
        if leaves.is_empty() {
            return tried;
        }
        for leaf in leaves {
            let open = program.readings.ids();
            let open = open.filter(|reading| !leaf.readings.contains_key(reading));
            tried.open.extend(open);
            let under = leaf.readings.iter();
            tried
                .under
                .extend(under.map(|(reading, at)| (*reading, *at)));
        }
        let apart = of_boards.iter().filter(|one| !tried.open.contains(one));
        for two in apart.flat_map(|&reading| pairs(program, reading)) {
            if !is_compared(leaves, two) {
                tried.uncompared.insert(two, 1);
            }
        }
        tried
    }

    /// Adds what others show.
    pub fn merge(&mut self, other: Self) {
        self.open.extend(other.open);
        self.under.extend(other.under);
        for (two, boards) in other.uncompared {
            *self.uncompared.entry(two).or_default() += boards;
        }
    }

    /// Alternatives under which no board was looked at, if any board was.
    pub fn untried(&self, program: &Program) -> Vec<(ReadingId, u16)> {
        let split = program.readings.iter();
        let split = split.filter(|(id, _)| self.under.iter().any(|(one, _)| one == id));
        let split = split.filter(|(id, _)| !self.open.contains(id));
        let all = split.flat_map(|(id, reading)| {
            let alternatives = 0..reading.alternatives.len() as u16;
            alternatives.map(move |at| (id, at))
        });
        all.filter(|one| !self.under.contains(one)).collect()
    }

    /// On how many boards which alternatives were not compared.
    pub fn uncompared(self) -> Vec<Uncompared> {
        let one = |((reading, first, second), boards)| Uncompared {
            reading,
            first,
            second,
            boards,
        };
        self.uncompared.into_iter().map(one).collect()
    }
}

/// Each two alternatives of a reading.
pub fn pairs(program: &Program, reading: ReadingId) -> impl Iterator<Item = Two> {
    let count = program.readings[reading].alternatives.len() as u16;
    (0..count).flat_map(move |one| (one + 1..count).map(move |other| (reading, one, other)))
}

/// Whether two assignments of one board differ in this alone.
fn is_compared(leaves: &[Leaf], (reading, first, second): Two) -> bool {
    let under = |at: u16| {
        let those = leaves.iter();
        those.filter(move |leaf| leaf.readings.get(&reading) == Some(&at))
    };
    under(first).any(|one| {
        let differs = |other: &Leaf| only_difference(&one.readings, &other.readings);
        under(second).any(|other| differs(other) == Some(reading))
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
        scopes.all(|scope| scope.uncompared(reading, (one, other)) == scope.legal)
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

/// What is so under all alternatives of a reading under which a board was looked at does not depend on it, as far as that was
/// tried.
pub fn note_untried(program: &Program, scopes: &[Scope], finding: &mut Finding) {
    let untried = untried_in(program, scopes, finding.scope);
    finding.untried = !untried.is_empty();
    let known = (&mut finding.readings, &mut finding.readings_known);
    leave_untried(program, &untried, known);
}

/// The same of the value that answers a question.
pub fn note_untried_of_best(program: &Program, scopes: &[Scope], answer: &mut Answer) {
    let untried = untried_in(program, scopes, answer.scopes.first().copied());
    if let Some(best) = &mut answer.best {
        let known = (&mut best.readings, &mut best.readings_known);
        leave_untried(program, &untried, known);
    }
}

fn leave_untried(
    program: &Program,
    untried: &[(ReadingId, u16)],
    (readings, known): (&mut Under, &mut bool),
) {
    *readings = of_tried(program, untried, readings);
    let is_open = |one: &Readings| untried.iter().any(|(reading, _)| one.contains_key(reading));
    if let Under::Listed(listed) = readings
        && listed.iter().any(is_open)
    {
        *known = false;
    }
}

/// The alternatives under which no board of a sequence was looked at, of any if it is about none.
fn untried_in(program: &Program, scopes: &[Scope], scope: Option<usize>) -> Vec<(ReadingId, u16)> {
    let of = |scope: &Scope| match scope.subject {
        ScopeOf::Verify(_) | ScopeOf::Sequence(_) if scope.legal > 0 => {
            scope.subject.sequence(program)
        }
        _ => None,
    };
    let sequences: BTreeSet<SequenceId> = match scope.and_then(|at| scopes.get(at)) {
        // It is about one board.
        Some(scope) if of(scope).is_none() => return scope.untried.clone(),
        Some(scope) => of(scope).into_iter().collect(),
        None => scopes.iter().filter_map(of).collect(),
    };
    let mut untried = Vec::new();
    for sequence in sequences {
        let mut those = scopes.iter().filter(|scope| of(scope) == Some(sequence));
        let first = those.next().map(|one| one.untried.clone());
        let mut all = first.unwrap_or_default();
        those.for_each(|scope| all.retain(|one| scope.untried.contains(one)));
        untried.extend(all);
    }
    untried
}
