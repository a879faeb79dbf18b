//! What a part does to the measures of a loop: where progress is missing, where they become less, and what
//! has to be so before another round begins.

use super::context::Exec;
use super::ends::Loop;
use super::exec::open_locals;
use super::keep::{Candidate, Where};
use super::met::Inner;
use super::state::State;
use super::summary::Summary;
use crate::smt::{Solver, Term};
use endstep_kernel::footprint::Unit;
use endstep_kernel::ir::{OpKind, Until};
use endstep_language::index::Id;
use endstep_verdicts::verdict::Refusal;

type Result<T> = std::result::Result<T, Refusal>;

impl<'s> Summary<'s> {
    /// Where a part begins no rule that is looked at after every statement is due: it would have cut off
    /// what comes before. Of the first pass that is not so; of the loop that is asked about only later
    /// passes count.
    pub(super) fn uncut(&mut self, round: Loop) -> Result<()> {
        let start = self.start.clone();
        for id in self.key.1.clone() {
            let first = matches!(self.key.0, Inner::Block(_, Unit::Procedure(own)) if own == id);
            if first && round != Loop::Restart(id) {
                continue;
            }
            let (at_once, due) = (self.at_once(id), self.due(id, &start)?);
            let cut = self.c.terms.and(&[at_once, due]);
            let not = self.c.terms.not(cut);
            self.assumed.push(not);
            self.uncut.insert(id);
        }
        Ok(())
    }

    /// The moments at which progress is not shown.
    pub(super) fn lacking(
        &mut self,
        solver: &mut Solver,
        (round, known, ranks): (Loop, &[Candidate<'s>], &[Candidate<'s>]),
    ) -> Result<Vec<usize>> {
        let start = self.start.clone();
        let moments = self.moments(Where::Ends)?;
        let last = moments.len().saturating_sub(1);
        let mut goals = Vec::new();
        for (at, (guard, state)) in moments.iter().enumerate() {
            let mut all = vec![self.progress(round, ranks, (&start, state))?];
            if at == last {
                all.extend(self.next_round(round, ranks)?);
            }
            let goal = self.c.terms.and(&all);
            goals.push(self.c.terms.implies(*guard, goal));
        }
        let shown = self.each_shown(solver, known, &goals)?;
        Ok((0..goals.len()).filter(|&at| !shown[at]).collect())
    }

    /// The measures that are less at a moment than at the beginning.
    pub(super) fn falling(
        &mut self,
        solver: &mut Solver,
        known: &[Candidate<'s>],
        (moment, all): (usize, &[Candidate<'s>]),
    ) -> Result<Vec<Candidate<'s>>> {
        let start = self.start.clone();
        let moments = self.moments(Where::Ends)?;
        let Some((guard, state)) = moments.get(moment) else {
            return Ok(Vec::new());
        };
        let mut goals = Vec::new();
        for &one in all {
            goals.push(match self.less(one, (&start, state)) {
                Some(less) if self.c.terms.is_truth(less) != Some(false) => {
                    self.c.terms.implies(*guard, less)
                }
                _ => self.c.terms.truth(false),
            });
        }
        let shown = self.each_shown(solver, known, &goals)?;
        let found = all.iter().zip(shown).filter(|(_, shown)| *shown);
        Ok(found.map(|(one, _)| *one).collect())
    }

    /// The moments at which one of some measures may be more than at the beginning.
    pub(super) fn growing(
        &mut self,
        solver: &mut Solver,
        known: &[Candidate<'s>],
        some: &[Candidate<'s>],
    ) -> Result<Vec<usize>> {
        let start = self.start.clone();
        let moments = self.moments(Where::Ends)?;
        let mut goals = Vec::new();
        for (guard, state) in &moments {
            let mut all = Vec::new();
            for &one in some {
                all.extend(self.says(one, known, (&start, state)));
            }
            let goal = self.c.terms.and(&all);
            goals.push(self.c.terms.implies(*guard, goal));
        }
        let shown = self.each_shown(solver, known, &goals)?;
        Ok((0..goals.len()).filter(|&at| !shown[at]).collect())
    }

    /// Whether some measure is less after than before.
    pub(super) fn lessened(
        &mut self,
        ranks: &[Candidate<'s>],
        data: (&State<'s>, &State<'s>),
    ) -> Term {
        let mut any = Vec::new();
        for &one in ranks {
            any.extend(self.less(one, data));
        }
        self.c.terms.or(&any)
    }

    /// What brings on another round happens only where a measure becomes less.
    pub(super) fn progress(
        &mut self,
        round: Loop,
        ranks: &[Candidate<'s>],
        (before, after): (&State<'s>, &State<'s>),
    ) -> Result<Term> {
        let lessened = self.lessened(ranks, (before, after));
        Ok(match round {
            Loop::Restart(id) => {
                let (was, is) = (self.due(id, before)?, self.due(id, after)?);
                let not = self.c.terms.not(is);
                self.c.terms.or(&[was, not, lessened])
            }
            Loop::Resolve(queue) => {
                let at = queue.index();
                let no_more = self.c.terms.at_most(after.queues[at], before.queues[at]);
                self.c.terms.or(&[no_more, lessened])
            }
            Loop::Repeat(..) => self.c.terms.truth(true),
        })
    }

    /// What is so when a round of a `repeat` begins.
    pub(super) fn while_so(&mut self, round: Loop) -> Result<Option<Term>> {
        let Loop::Repeat(stmt, body, unit) = round else {
            return Ok(None);
        };
        let system = self.c.system;
        let OpKind::Repeat(Until::While(e), _) = &system.ops[stmt].kind else {
            return Ok(None);
        };
        if self.key.0 != Inner::Block(body, unit) {
            return Ok(None);
        }
        let start = self.start.clone();
        let frame = open_locals(&mut self.c, unit);
        let mut x = Exec::new(&mut self.c, start, vec![frame]);
        let always = x.c.terms.truth(true);
        Ok(x.strictly(|x| x.truth(e, always)).ok())
    }

    /// What has to be so at the end of a part if another round begins.
    pub(super) fn next_round(&mut self, round: Loop, ranks: &[Candidate<'s>]) -> Result<Vec<Term>> {
        let system = self.c.system;
        let (start, end) = (self.start.clone(), self.end.clone());
        let zero = self.c.terms.number(0);
        let goes_on = self.c.terms.equal(end.ended, zero);
        match (round, self.key.0) {
            (Loop::Restart(id), Inner::Block(block, unit)) => {
                let rule = system.procedures[id].restart.as_ref();
                let before = rule.and_then(|rule| rule.before);
                if unit != Unit::Procedure(id) {
                    return Ok(Vec::new());
                }
                match before {
                    None => Ok(vec![self.c.terms.truth(false)]),
                    Some(before) if before == block => {
                        let due = self.due(id, &end)?;
                        let not = self.c.terms.not(due);
                        Ok(vec![self.c.terms.implies(goes_on, not)])
                    }
                    Some(_) => Ok(Vec::new()),
                }
            }
            (Loop::Repeat(stmt, body, unit), inner) if inner == Inner::Block(body, unit) => {
                let lessened = self.lessened(ranks, (&start, &end));
                let over = match &system.ops[stmt].kind {
                    OpKind::Repeat(Until::Until(e), _) => {
                        let frame = open_locals(&mut self.c, unit);
                        let mut x = Exec::new(&mut self.c, end.clone(), vec![frame]);
                        let always = x.c.terms.truth(true);
                        let over = x.strictly(|x| x.truth(e, always));
                        over.unwrap_or_else(|_| x.c.terms.truth(false))
                    }
                    OpKind::Repeat(Until::Stable, _) => {
                        let same = super::commute::same(&mut self.c, &start, &end)?;
                        self.c.terms.and(&same)
                    }
                    _ => self.c.terms.truth(false),
                };
                let goal = self.c.terms.or(&[over, lessened]);
                Ok(vec![self.c.terms.implies(goes_on, goal)])
            }
            _ => Ok(Vec::new()),
        }
    }
}
