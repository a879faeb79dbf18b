//! What holds throughout a sequence on every board: conditions and values that each of its parts keeps.
//!
//! ```text
//! legal      every c: Card in deck has is_plain(c)              kept by every statement
//! claim      every c: Card has not c.gone or c is in obliterated  kept, since ...
//! ```
//!
//! A claim that a condition holds at the end, or whenever a step has ended, is proved if it holds
//! throughout; that it is only established on the way is not looked for.
//!
//! *Background.* T. Kahsai, C. Tinelli, *PKind: a parallel k-induction based model checker*, 2011, for
//! invariants that are tried together; here each is kept by single statements (k = 1).

use std::collections::BTreeSet;

use super::begins::begins;
use super::ends::sound;
use super::keep::{Candidate, Says, Where, keep};
use super::reach::heard;
use super::split::apart;
use super::summary::{Summary, parts, uncut};
use crate::smt::{Solver, Term};
use endstep_kernel::footprint::{self, Place, reached};
use endstep_kernel::ir::{Function, System};
use endstep_language::typing::program::SequenceId;
use endstep_verdicts::verdict::{Argument, Certificate, Obstacle, Refusal};

/// What is claimed of all that happens in a sequence.
#[derive(Debug, Clone, Copy)]
pub enum Throughout<'a> {
    /// A condition holds.
    Holds(&'a Function),
    /// A value stays the same.
    Stays(&'a Function),
}

impl<'a> Throughout<'a> {
    /// The condition or value.
    fn of(self) -> &'a Function {
        match self {
            Self::Holds(of) | Self::Stays(of) => of,
        }
    }
}

fn reads(system: &System, of: &Function) -> BTreeSet<Place> {
    footprint::of_condition(system, of).reads
}

/// Which of some claims hold throughout a sequence, on every board of which some conditions are true.
///
/// # Errors
///
/// What stands in the way; nothing is said of any of them.
pub fn throughout(
    system: &System,
    sequence: SequenceId,
    (conditions, claims): (&[Function], &[Throughout<'_>]),
) -> Result<Vec<Option<Certificate>>, Refusal> {
    super::has_terms(system, &reached(system, sequence))?;
    let solver = &mut Solver::varied(super::RESOURCES, super::MOST_QUESTIONS);
    let mut functions: Vec<(Function, Says, Option<usize>)> = Vec::new();
    for one in apart(conditions) {
        functions.push((one, Says::Always, None));
    }
    for (at, claim) in claims.iter().enumerate() {
        match claim {
            Throughout::Holds(of) => {
                for one in apart([*of]) {
                    functions.push((one, Says::Always, Some(at)));
                }
            }
            Throughout::Stays(of) => functions.push(((*of).clone(), Says::Same, Some(at))),
        }
    }
    let touched: BTreeSet<Place> = claims
        .iter()
        .flat_map(|one| reads(system, one.of()))
        .collect();
    let mut begins = begins(system);
    begins.retain(|one| !reads(system, one).is_disjoint(&touched));
    functions.extend(begins.into_iter().map(|one| (one, Says::Always, None)));
    let all: Vec<Candidate<'_>> = functions
        .iter()
        .enumerate()
        .map(|(number, (of, says, _))| Candidate {
            number,
            of,
            says: *says,
        })
        .collect();
    let begin = (parts(system, sequence), &heard(system, sequence));
    let mut whole = uncut(system, solver, begin)?;
    let Some(first) = whole.first_mut() else {
        return Err(Obstacle::Form.into());
    };
    let given: Vec<Candidate<'_>> = all
        .iter()
        .filter(|one| functions[one.number].2.is_none())
        .copied()
        .collect();
    let mut tried = given.clone();
    for &one in &all {
        let claimed = functions[one.number].2.is_some();
        if claimed && (one.says == Says::Same || first.begins_with(solver, &given, one)?) {
            tried.push(one);
        }
    }
    let kept = keep(&mut whole, solver, (&[], &tried), Where::Throughout)?.all;
    let questions = sound(&mut whole, solver, &kept)?;
    let is_kept = |number: usize| kept.iter().any(|one| one.number == number);
    let proved = |at: usize| {
        let mut own = all.iter().filter(|one| functions[one.number].2 == Some(at));
        own.all(|one| is_kept(one.number)).then(|| Certificate {
            argument: Argument::Kept,
            questions: questions.clone(),
        })
    };
    Ok((0..claims.len()).map(proved).collect())
}

impl<'s> Summary<'s> {
    /// Whether a condition holds on every board of which some others are true.
    fn begins_with(
        &mut self,
        solver: &mut Solver,
        given: &[Candidate<'s>],
        one: Candidate<'s>,
    ) -> Result<bool, Refusal> {
        let start = self.start.clone();
        let mut assumed: Vec<Term> = Vec::new();
        for other in given {
            let value = self.value((other.number, other.of), true, &start);
            assumed.extend(value.map(|value| self.c.terms.is_one(value)));
        }
        let Some(value) = self.value((one.number, one.of), true, &start) else {
            return Ok(false);
        };
        let goal = self.c.terms.is_one(value);
        // What is assumed of the part is not so on every board.
        let own = std::mem::take(&mut self.assumed);
        let told = self.follows(solver, &assumed, goal);
        self.assumed = own;
        Ok(told?.is_some())
    }
}
