//! Continuous values in a working state (`docs/semantics.md`, 2.1).

use super::eval::{Scope, Value};
use crate::ir::{Expr, NONE};
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{Continuous, DefineId, EntityId, Solutions};
use endstep_semantics::semantics::{Assigned, GapCause, Member, Solved, Stop, solve};

impl Scope<'_> {
    /// A continuous value.
    #[inline(never)]
    pub(super) fn continuous(&mut self, id: DefineId, of: Option<&Expr>, span: Span) -> Value {
        let of = of.map(|of| self.one(of)).transpose()?;
        let is_gone = |entity: usize| self.data.removed.get(entity).is_none_or(|&removed| removed);
        if of.is_some_and(is_gone) {
            return Err(Box::new(self.gap(GapCause::Absent, span)));
        }
        let of = of.map(EntityId::from_index);
        let member = Member { value: id, of };
        let tried = self.assigned.and_then(|assigned| assigned.asked(member));
        let number = match tried {
            // What it is is found out before anybody hears of this gap.
            Some(tried) => tried.ok_or(GapCause::Ambiguous),
            None => {
                let (members, solved) = self.stable(id)?;
                solved.value(&members, member)
            }
        };
        number.map_err(|cause| Box::new(self.gap(cause, span)))
    }

    /// Whether the group of a continuous value has so many stable assignments.
    #[inline(never)]
    pub(super) fn has_solutions(&mut self, id: DefineId, wanted: Solutions) -> Value {
        let (_, solved) = self.stable(id)?;
        Ok(i64::from(solved.count() == wanted))
    }

    /// What a function is as a continuous value.
    fn continuous_of(&self, id: DefineId) -> &Continuous {
        let continuous = self.system.functions[id].continuous.as_ref();
        // INVARIANT: systems are checked for that.
        continuous.expect("a function that is asked for as a continuous value is one")
    }

    /// The members of the group of a continuous value, and the assignments that are stable.
    fn stable(&mut self, id: DefineId) -> Result<(Vec<Member>, Solved), Stop> {
        let continuous = self.continuous_of(id);
        for &reading in &continuous.readings {
            self.reading(reading)?;
        }
        let mut members: Vec<Member> = Vec::new();
        for &value in &continuous.group {
            match self.system.functions[value].of() {
                Some(sort) => {
                    let all = self.data.sorts.iter().zip(&self.data.removed).enumerate();
                    let there = all.filter(|(_, (one, removed))| **one == sort && !**removed);
                    let there = there.map(|(at, _)| Some(EntityId::from_index(at)));
                    members.extend(there.map(|of| Member { value, of }));
                }
                None => members.push(Member { value, of: None }),
            }
        }
        let ranges = members
            .iter()
            .map(|one| self.continuous_of(one.value).range);
        let ranges: Vec<(i64, i64)> = ranges.collect();
        let solved = solve(&ranges, &mut |at, values| {
            let assigned = Assigned::new(&members, values);
            let came = self.comes_to(members[at], &assigned);
            assigned.evaluated(came.map_err(|stop| *stop))
        })?;
        Ok((members, solved))
    }

    /// What the expression of a member comes to.
    fn comes_to(&self, member: Member, assigned: &Assigned<'_>) -> Value {
        let function = &self.system.functions[member.value];
        let mut locals = vec![NONE; function.locals as usize];
        if let (Some(first), Some(of)) = (locals.first_mut(), member.of) {
            *first = of.index() as i64;
        }
        let mut inner = Scope {
            old: None,
            assigned: Some(assigned),
            ..self.elsewhere(self.data, &mut locals)
        };
        inner.number(&function.body)
    }
}
