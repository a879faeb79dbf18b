//! What all parts keep: conditions that stay true once they are, values that stay the same, and measures
//! that never grow.
//!
//! Candidates are tried together. One that some part may break is dropped, and the others are tried
//! again without it, until those that are left support each other ([`Inductive`]).

use super::context::Context;
use super::instantiate::instantiate;
use super::state::State;
use super::summary::Summary;
use crate::smt::{Choice, Reply, Solver, Term};
use endstep_kernel::ir::Function;
use endstep_verdicts::verdict::{Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

/// What a candidate says of data before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// It is true of all data from the first on.
    Always,
    /// Its value stays the same.
    Same,
    /// Its value does not grow, unless a measure of a level below becomes less.
    NotMore(usize),
}

/// A candidate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<'s> {
    /// Its number, by which values are remembered.
    pub number: usize,
    /// Its value.
    pub of: &'s Function,
    /// What it says.
    pub says: Says,
}

/// Where candidates have to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    /// After every statement.
    Throughout,
    /// Where a part ends or may be cut off.
    Ends,
}

/// Most is told with such a part of the resources, or with all of them not either.
const IN_A_HURRY: u32 = 10;

/// A moment of a part: under which condition it comes, and what there is.
pub(super) type Moment<'s> = (Term, State<'s>);

impl<'s> Summary<'s> {
    /// The moments at which candidates have to hold.
    pub fn moments(&mut self, at: Where) -> Result<Vec<Moment<'s>>> {
        let mut found = match at {
            Where::Throughout => {
                let points = self.points.iter();
                points.map(|one| (one.guard, one.state.clone())).collect()
            }
            Where::Ends => self.cuts()?,
        };
        let goes_on = self.goes_on();
        found.push((goes_on, self.end.clone()));
        Ok(found)
    }

    /// What a candidate says of two data; none if that cannot be told.
    pub fn says(
        &mut self,
        one: Candidate<'s>,
        below: &[Candidate<'s>],
        (before, after): (&State<'s>, &State<'s>),
    ) -> Option<Term> {
        let then = self.valued(one, after)?;
        if one.says == Says::Always {
            return Some(self.c.terms.is_one(then));
        }
        let was = self.valued(one, before)?;
        Some(match one.says {
            Says::Always | Says::Same => self.c.terms.equal(was, then),
            Says::NotMore(level) => {
                let mut any = vec![self.c.terms.at_most(then, was)];
                let below: Vec<Candidate<'s>> = below.to_vec();
                for lower in below {
                    if matches!(lower.says, Says::NotMore(other) if other < level) {
                        any.push(self.less(lower, (before, after))?);
                    }
                }
                self.c.terms.or(&any)
            }
        })
    }

    fn valued(&mut self, one: Candidate<'s>, state: &State<'s>) -> Option<Term> {
        // What a measure counts is never compared with what single entities give.
        let counted = !matches!(one.says, Says::NotMore(_));
        self.value((one.number, one.of), counted, state)
    }

    /// Whether a measure is less after than before.
    pub fn less(
        &mut self,
        one: Candidate<'s>,
        (before, after): (&State<'s>, &State<'s>),
    ) -> Option<Term> {
        let was = self.valued(one, before)?;
        let then = self.valued(one, after)?;
        Some(self.c.terms.less(then, was))
    }

    /// What may be taken for granted if candidates are kept by all parts: what always holds at the
    /// beginning, and all of them around what was not followed.
    pub fn granted(&mut self, kept: &[Candidate<'s>]) -> Vec<Term> {
        let mut found = Vec::new();
        for &one in kept {
            found.extend(self.granted_of(one, kept));
        }
        found
    }
}

/// What supports each other.
#[derive(Debug, Clone)]
pub(super) struct Inductive<'s> {
    /// In order.
    pub all: Vec<Candidate<'s>>,
}

/// Those of some candidates that all parts keep, if the ones given before are kept.
pub(super) fn keep<'s>(
    parts: &mut [Summary<'s>],
    solver: &mut Solver,
    (given, tried): (&[Candidate<'s>], &[Candidate<'s>]),
    at: Where,
) -> Result<Inductive<'s>> {
    let mut alive: Vec<Candidate<'s>> = tried.to_vec();
    let mut again = false;
    loop {
        let before = alive.len();
        for part in parts.iter_mut() {
            // Where everything was followed, and nothing is taken for granted at the beginning, what is
            // dropped elsewhere makes no difference.
            let alone = part.unknown.iter().all(|one| !one.composed)
                && alive.iter().all(|one| one.says != Says::Always);
            if !again || !alone {
                sieve(part, solver, (given, &mut alive), at)?;
            }
        }
        if alive.len() == before {
            return Ok(Inductive { all: alive });
        }
        if solver.gave_up() {
            return Err(Obstacle::Size.into());
        }
        again = true;
    }
}

/// A candidate with what it has to be, and what may be taken for granted of it.
struct Tried<'s> {
    one: Candidate<'s>,
    goal: Term,
    granted: Vec<Term>,
}

/// Drops the candidates that a part may break.
fn sieve<'s>(
    part: &mut Summary<'s>,
    solver: &mut Solver,
    (given, alive): (&[Candidate<'s>], &mut Vec<Candidate<'s>>),
    at: Where,
) -> Result<()> {
    let mut tried = part.tried((given, alive), at)?;
    let truth = part.c.terms.truth(true);
    if tried.iter().all(|one| one.goal == truth) {
        *alive = tried.into_iter().map(|one| one.one).collect();
        return Ok(());
    }
    let mut asserted = part.granted(given);
    asserted.extend(&part.assumed);
    instantiate(&mut part.c)?;
    part.c.check_size()?;
    asserted.extend(&part.c.facts);
    asserted.sort_unstable();
    asserted.dedup();
    solver.about(part.number);
    solver.begin(&part.c.terms, &asserted);
    let options: Vec<Choice> = tried
        .iter()
        .map(|one| solver.option(&part.c.terms, &one.granted))
        .collect();
    let all: Vec<usize> = (0..tried.len()).collect();
    let goal = |at: usize| tried[at].goal;
    let left = hold(&mut part.c, solver, (&all, &options), &goal);
    solver.end();
    let mut at = 0;
    tried.retain(|_| {
        at += 1;
        left.contains(&(at - 1))
    });
    *alive = tried.into_iter().map(|one| one.one).collect();
    Ok(())
}

/// Of goals, each with what may be taken for granted as long as it is left, those that follow from what
/// was asserted and from what is granted for each other.
fn hold(
    c: &mut Context<'_>,
    solver: &mut Solver,
    (all, options): (&[usize], &[Choice]),
    goal: &dyn Fn(usize) -> Term,
) -> Vec<usize> {
    let sure = |c: &Context<'_>, at: usize| c.terms.is_truth(goal(at)) == Some(true);
    let mut left = all.to_vec();
    let granted = |left: &[usize]| -> Vec<usize> {
        let has = |at: &&usize| **at < options.len();
        left.iter().filter(has).copied().collect()
    };
    while !left.is_empty() {
        let open = left.iter().filter(|&&at| !sure(c, at));
        let goals: Vec<Term> = open.map(|&at| goal(at)).collect();
        let together = c.terms.and(&goals);
        if c.terms.is_truth(together) == Some(true) {
            break;
        }
        let wrong = c.terms.not(together);
        let wrong = solver.option(&c.terms, &[wrong]);
        let taken = granted(&left);
        let mut taken: Vec<&Choice> = taken.iter().map(|&at| &options[at]).collect();
        taken.push(&wrong);
        // Many at once are told quickly or not at all.
        solver.hurry(IN_A_HURRY);
        match solver.check(&c.terms, &taken, &goals) {
            Reply::Unsatisfiable => break,
            Reply::Satisfiable(values) => {
                let before = left.len();
                left.retain(|&at| values.evaluate(&c.terms, goal(at)) == Some(1));
                if left.len() == before {
                    left.clear();
                }
            }
            // One after the other.
            Reply::Unknown(_) => {
                let all = left.clone();
                let taken = granted(&all);
                let taken: Vec<&Choice> = taken.iter().map(|&at| &options[at]).collect();
                let mut wrong = Vec::new();
                for &at in &all {
                    if sure(c, at) || wrong.contains(&at) {
                        continue;
                    }
                    match alone(c, solver, (&taken, goal(at)), &goals) {
                        Reply::Unsatisfiable => {}
                        Reply::Unknown(_) => wrong.push(at),
                        Reply::Satisfiable(values) => {
                            let is_wrong =
                                |&at: &usize| values.evaluate(&c.terms, goal(at)) != Some(1);
                            wrong.extend(left.iter().copied().filter(is_wrong));
                            wrong.push(at);
                        }
                    }
                }
                left.retain(|at| !wrong.contains(at));
                if left.len() == all.len() {
                    break;
                }
            }
        }
    }
    solver.hurry(1);
    left
}

/// What is said of one goal.
fn alone(
    c: &mut Context<'_>,
    solver: &mut Solver,
    (taken, goal): (&[&Choice], Term),
    of: &[Term],
) -> Reply {
    let wrong = c.terms.not(goal);
    let wrong = solver.option(&c.terms, &[wrong]);
    let mut taken = taken.to_vec();
    taken.push(&wrong);
    let mut reply = Reply::Unknown(String::new());
    for part in [IN_A_HURRY, 1] {
        solver.hurry(part);
        reply = solver.check(&c.terms, &taken, of);
        if !matches!(reply, Reply::Unknown(_)) {
            break;
        }
    }
    reply
}

impl<'s> Summary<'s> {
    /// What candidates have to be in a part, those left out of which that cannot be told.
    fn tried(
        &mut self,
        (given, alive): (&[Candidate<'s>], &[Candidate<'s>]),
        at: Where,
    ) -> Result<Vec<Tried<'s>>> {
        let moments = self.moments(at)?;
        let start = self.start.clone();
        let mut found = Vec::new();
        for &one in alive {
            let mut goals = Vec::new();
            for (guard, state) in &moments {
                let Some(says) = self.says(one, given, (&start, state)) else {
                    break;
                };
                let goal = self.c.terms.implies(*guard, says);
                goals.push(match self.is_as_before(one, (&start, state)) {
                    true => self.c.terms.truth(true),
                    false => goal,
                });
            }
            if goals.len() == moments.len() {
                let goal = self.c.terms.and(&goals);
                let granted = self.granted_of(one, given);
                found.push(Tried { one, goal, granted });
            }
        }
        Ok(found)
    }

    /// Whether what a candidate says of some data is what it says of those at the beginning, of which
    /// it is taken for granted.
    pub fn is_as_before(
        &mut self,
        one: Candidate<'s>,
        (before, after): (&State<'s>, &State<'s>),
    ) -> bool {
        one.says == Says::Always && self.valued(one, before) == self.valued(one, after)
    }

    /// Of goals, whether each follows if candidates are kept.
    pub fn each_shown(
        &mut self,
        solver: &mut Solver,
        known: &[Candidate<'s>],
        goals: &[Term],
    ) -> Result<Vec<bool>> {
        let (yes, no) = (self.c.terms.truth(true), self.c.terms.truth(false));
        if goals.iter().all(|&goal| goal == yes || goal == no) {
            return Ok(goals.iter().map(|&goal| goal == yes).collect());
        }
        let mut asserted = self.granted(known);
        asserted.extend(&self.assumed);
        instantiate(&mut self.c)?;
        self.c.check_size()?;
        asserted.extend(&self.c.facts);
        asserted.sort_unstable();
        asserted.dedup();
        solver.about(self.number);
        solver.begin(&self.c.terms, &asserted);
        let mut left: Vec<usize> = (0..goals.len()).filter(|&at| goals[at] != no).collect();
        left = hold(&mut self.c, solver, (&left, &[]), &|at| goals[at]);
        solver.end();
        Ok((0..goals.len()).map(|at| left.contains(&at)).collect())
    }

    /// Whether a measure may be less at some moment than at the beginning.
    pub fn changes(&mut self, one: Candidate<'s>) -> Result<bool> {
        let moments = self.moments(Where::Ends)?;
        let start = self.start.clone();
        let was = self.valued(one, &start);
        Ok(moments
            .iter()
            .any(|(_, state)| self.valued(one, state) != was))
    }

    /// What may be taken for granted of a candidate.
    fn granted_of(&mut self, one: Candidate<'s>, below: &[Candidate<'s>]) -> Vec<Term> {
        let mut found = Vec::new();
        if one.says == Says::Always {
            let start = self.start.clone();
            let value = self.valued(one, &start);
            found.extend(value.map(|value| self.c.terms.is_one(value)));
        }
        let around: Vec<(State<'s>, State<'s>)> = self
            .unknown
            .iter()
            .filter(|one| one.composed)
            .map(|one| (one.before.clone(), one.after.clone()))
            .collect();
        for (before, after) in &around {
            let Some(says) = self.says(one, below, (before, after)) else {
                continue;
            };
            // What does not hold before, need not hold after: else a part that breaks it, and then
            // comes to something that was not followed, would be taken for impossible.
            found.push(match one.says {
                Says::Always => match self.valued(one, before) {
                    Some(held) => {
                        let held = self.c.terms.is_one(held);
                        self.c.terms.implies(held, says)
                    }
                    None => continue,
                },
                Says::Same | Says::NotMore(_) => says,
            });
        }
        found
    }
}
