//! Finds the assignments under which every one of some values is what its expression says.
//!
//! ```text
//! a = not b      b = not a        a: true, b: false, and a: false, b: true: ambiguous
//! a = not a                       nothing fits: contradictory
//! a = b and c    b = true         b is true; a lacks c, so c is tried
//! ```
//!
//! What an expression comes to while some of the values are not known yet it comes to whatever they are, so most values are
//! found without being tried.
//!
//! *Background.* M. Gelfond, V. Lifschitz, The stable model semantics for logic programming, ICLP 1988, where no value may
//! rest on itself alone; here it may, and an assignment is stable if the expressions reproduce it (a supported model).

use std::cell::Cell;

use super::next::{Limit, Tag};
use super::stop::Stop;
use endstep_language::typing::program::{DefineId, EntityId, GapCause, Solutions};

/// One of the values of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Which value.
    pub value: DefineId,
    /// Of which entity; `None`: of nothing.
    pub of: Option<EntityId>,
}

/// An assignment that is being tried.
pub struct Assigned<'a> {
    members: &'a [Member],
    /// Their values, as far as they are known.
    values: &'a [Option<i64>],
    /// The first member that was asked for and is not known yet.
    lacks: Cell<Option<usize>>,
}

impl<'a> Assigned<'a> {
    /// To these members, as far as it is known.
    pub fn new(members: &'a [Member], values: &'a [Option<i64>]) -> Self {
        Self {
            members,
            values,
            lacks: Cell::new(None),
        }
    }

    /// Whether a value is one of the group, and then what is assigned to it; that it is not known yet is taken down.
    pub fn asked(&self, member: Member) -> Option<Option<i64>> {
        let at = self.members.iter().position(|one| *one == member)?;
        let value = self.values[at];
        if value.is_none() {
            self.lacks.set(self.lacks.get().or(Some(at)));
        }
        Some(value)
    }

    /// What an expression of which this came comes to.
    ///
    /// # Errors
    ///
    /// Nothing more can be evaluated.
    pub fn evaluated(&self, came: Result<i64, Stop>) -> Result<Evaluated, Stop> {
        match (came, self.lacks.get()) {
            (Ok(number), _) => Ok(Evaluated::Number(number)),
            (Err(spent @ Stop::Tag(Tag::Limit(Limit::Expressions))), _) => Err(spent),
            (Err(_), Some(on)) => Ok(Evaluated::Lacks(on)),
            (Err(_), None) => Ok(Evaluated::Nothing),
        }
    }
}

/// What an expression comes to.
pub enum Evaluated {
    /// This number.
    Number(i64),
    /// It has no value.
    Nothing,
    /// It depends on a value that is not known yet.
    Lacks(usize),
}

/// The assignments that were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Solved {
    /// None.
    None,
    /// Just one.
    One(Vec<i64>),
    /// At least two, of which these are two.
    Several(Box<[Vec<i64>; 2]>),
}

impl Solved {
    /// How many there are.
    pub fn count(&self) -> Solutions {
        match self {
            Self::None => Solutions::None,
            Self::One(_) => Solutions::One,
            Self::Several(_) => Solutions::Several,
        }
    }

    /// What the only one gives to a member, or why that has no value.
    ///
    /// # Errors
    ///
    /// The kind of gap.
    pub fn value(&self, members: &[Member], member: Member) -> Result<i64, GapCause> {
        match self {
            Self::None => Err(GapCause::Contradictory),
            Self::Several(_) => Err(GapCause::Ambiguous),
            Self::One(values) => {
                let mut known = members.iter().zip(values);
                let found = known.find(|(one, _)| **one == member);
                found.map(|(_, value)| *value).ok_or(GapCause::Absent)
            }
        }
    }
}

/// What an expression, by position, comes to, where some values are known.
pub type Evaluate<'a, S> = &'a mut dyn FnMut(usize, &[Option<i64>]) -> Result<Evaluated, S>;

/// Finds all assignments of values in these ranges.
///
/// # Errors
///
/// The first of the evaluations.
pub fn solve<S>(ranges: &[(i64, i64)], evaluate: Evaluate<'_, S>) -> Result<Solved, S> {
    let mut found = Vec::new();
    search(ranges, Known::nothing(ranges.len()), evaluate, &mut found)?;
    let second = found.pop();
    Ok(match (found.pop(), second) {
        (None, Some(only)) => Solved::One(only),
        (Some(first), Some(second)) => Solved::Several(Box::new([first, second])),
        (_, None) => Solved::None,
    })
}

/// If a value can be more than this many things, it is not said what each of them leads to.
const MOST_TOLD: i64 = 4;

/// What is known of the values.
#[derive(Clone)]
struct Known {
    values: Vec<Option<i64>>,
    /// Of which values it is known that their expressions say so.
    is_settled: Vec<bool>,
    /// The value that each expression was found to depend on.
    waits: Vec<Option<usize>>,
}

impl Known {
    fn nothing(number: usize) -> Self {
        Self {
            values: vec![None; number],
            is_settled: vec![false; number],
            waits: vec![None; number],
        }
    }

    /// What an expression waits for, if that is not known yet.
    fn lacks(&self, at: usize) -> Option<usize> {
        self.waits[at].filter(|&on| self.values[on].is_none())
    }
}

/// Why values do not agree with their expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clash {
    /// What is tried comes to another number.
    Comes(i64),
    /// The n-th comes to a number out of its range.
    Beyond(usize, i64),
    /// The expression of the n-th has no value.
    Nothing(usize),
}

/// Why no assignment is stable, where it takes no more than to try the values of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circle {
    /// Which one is tried; `None`: none has to be.
    pub tried: Option<usize>,
    /// Its values, and what each leads to. Where none is tried, the number means nothing.
    pub clashes: Vec<(i64, Clash)>,
}

/// Why no assignment is stable, if that can be told in a sentence.
///
/// # Errors
///
/// The first of the evaluations.
pub fn circle<S>(ranges: &[(i64, i64)], evaluate: Evaluate<'_, S>) -> Result<Option<Circle>, S> {
    let mut known = Known::nothing(ranges.len());
    if let Some(clash) = propagate(ranges, &mut known, evaluate)? {
        return Ok(Some(Circle {
            tried: None,
            clashes: vec![(0, clash)],
        }));
    }
    let Some(on) = open(ranges, &known) else {
        return Ok(None);
    };
    let (low, high) = ranges[on];
    if high.saturating_sub(low) >= MOST_TOLD {
        return Ok(None);
    }
    let mut clashes = Vec::new();
    for value in low..=high {
        let mut tried = known.clone();
        tried.values[on] = Some(value);
        match propagate(ranges, &mut tried, evaluate)? {
            Some(clash) => clashes.push((value, clash)),
            None => return Ok(None),
        }
    }
    Ok(Some(Circle {
        tried: Some(on),
        clashes,
    }))
}

/// Adds the assignments that agree with what is known, two at most.
fn search<S>(
    ranges: &[(i64, i64)],
    mut known: Known,
    evaluate: Evaluate<'_, S>,
    found: &mut Vec<Vec<i64>>,
) -> Result<(), S> {
    if propagate(ranges, &mut known, evaluate)?.is_some() {
        return Ok(());
    }
    let Some(on) = open(ranges, &known) else {
        // INVARIANT: all are settled, so all are known.
        found.push(known.values.into_iter().flatten().collect());
        return Ok(());
    };
    let (low, high) = ranges[on];
    for value in low..=high {
        if found.len() > 1 {
            break;
        }
        let mut tried = known.clone();
        tried.values[on] = Some(value);
        search(ranges, tried, evaluate, found)?;
    }
    Ok(())
}

/// Adds what follows from what is known, until nothing more does or it does not agree.
fn propagate<S>(
    ranges: &[(i64, i64)],
    known: &mut Known,
    evaluate: Evaluate<'_, S>,
) -> Result<Option<Clash>, S> {
    loop {
        let mut is_new = false;
        for (at, &(low, high)) in ranges.iter().enumerate() {
            if known.is_settled[at] || known.lacks(at).is_some() {
                continue;
            }
            let before = known.values[at];
            match evaluate(at, &known.values)? {
                Evaluated::Number(number) if before.is_some_and(|value| value != number) => {
                    return Ok(Some(Clash::Comes(number)));
                }
                Evaluated::Number(number) if number < low || number > high => {
                    return Ok(Some(Clash::Beyond(at, number)));
                }
                Evaluated::Number(number) => {
                    is_new |= before.is_none();
                    known.values[at] = Some(number);
                    known.is_settled[at] = true;
                }
                Evaluated::Nothing => return Ok(Some(Clash::Nothing(at))),
                Evaluated::Lacks(on) => known.waits[at] = Some(on),
            }
        }
        if !is_new {
            return Ok(None);
        }
    }
}

/// Whose values are tried next: what has few is tried first, since the others often follow from it.
fn open(ranges: &[(i64, i64)], known: &Known) -> Option<usize> {
    let lacking = (0..ranges.len()).filter(|&at| !known.is_settled[at]);
    let lacking = lacking.filter_map(|at| known.lacks(at));
    lacking.min_by_key(|&on| ranges[on].1.saturating_sub(ranges[on].0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By trying every assignment.
    fn by_force(ranges: &[(i64, i64)], of: &dyn Fn(usize, &[i64]) -> Option<i64>) -> Solved {
        let mut all = vec![Vec::new()];
        for &(low, high) in ranges {
            let longer = all.iter().flat_map(|one: &Vec<i64>| {
                (low..=high).map(move |value| [one.as_slice(), &[value]].concat())
            });
            all = longer.collect();
        }
        let is_stable = |one: &Vec<i64>| (0..one.len()).all(|at| of(at, one) == Some(one[at]));
        let mut stable = all.into_iter().filter(is_stable);
        match (stable.next(), stable.next()) {
            (None, _) => Solved::None,
            (Some(one), None) => Solved::One(one),
            (Some(one), Some(two)) => Solved::Several(Box::new([one, two])),
        }
    }

    /// Each value is a sum of some others modulo three, or has none where that is two; at random.
    #[test]
    fn the_same_assignments_are_found_as_by_trying_all() {
        let mut state: u32 = 11;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let mut kinds = [0; 3];
        for _ in 0..600 {
            let count = 1 + next(4) as usize;
            let ranges: Vec<_> = (0..count).map(|_| (0, i64::from(next(3)))).collect();
            let rules: Vec<(Vec<usize>, i64, bool)> = (0..count)
                .map(|_| {
                    let used = (0..next(3)).map(|_| next(count as u32) as usize).collect();
                    (used, i64::from(next(3)), next(4) == 0)
                })
                .collect();
            let value = |at: usize, get: &dyn Fn(usize) -> Option<i64>| {
                let (used, more, fails) = &rules[at];
                let mut sum = *more;
                for &one in used {
                    sum += get(one).ok_or(one)?;
                }
                Ok((!fails || sum % 3 != 2).then_some(sum % 3))
            };
            let found = solve::<()>(&ranges, &mut |at, known| {
                Ok(match value(at, &|one| known[one]) {
                    Ok(Some(number)) => Evaluated::Number(number),
                    Ok(None) => Evaluated::Nothing,
                    Err(on) => Evaluated::Lacks(on),
                })
            });
            let forced = by_force(&ranges, &|at, all| {
                let of: Result<Option<i64>, usize> = value(at, &|one| Some(all[one]));
                of.unwrap_or_default()
            });
            kinds[match &forced {
                Solved::None => 0,
                Solved::One(_) => 1,
                Solved::Several(_) => 2,
            }] += 1;
            match (found, &forced) {
                (Ok(Solved::Several(two)), Solved::Several(_)) => {
                    assert_ne!(two[0], two[1], "{ranges:?} {rules:?}");
                    for one in two.iter() {
                        let agrees = |at| value(at, &|of| Some(one[of])) == Ok(Some(one[at]));
                        assert!((0..count).all(agrees), "{ranges:?} {rules:?}");
                    }
                }
                (found, _) => assert_eq!(found, Ok(forced), "{ranges:?} {rules:?}"),
            }
        }
        assert!(kinds.iter().all(|&count| count > 30), "{kinds:?}");
    }
}
