//! Continuous values in a working state (`docs/semantics.md`, 2.1).

use std::cell::Cell;

use super::eval::{Raised, Scope, Value};
use crate::ir::{Expr, NONE};
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{Continuous, DefineId, EntityId, Solutions, Type};
use endstep_semantics::semantics::{
    Assigned, Evaluated, GapCause, Limit, Member, Solved, Stop, Tag, solve,
};

impl Scope<'_> {
    /// A continuous value.
    #[inline(never)]
    pub(super) fn continuous(&mut self, id: DefineId, of: Option<&Expr>, span: Span) -> Value {
        let of = of.map(|of| self.one(of)).transpose()?;
        let is_gone = |entity: usize| self.data.removed.get(entity).is_none_or(|&removed| removed);
        if of.is_some_and(is_gone) {
            return Err(Box::new(self.gap(GapCause::Absent, span)));
        }
        let member = (id, of.map(EntityId::from_index));
        if let Some(assigned) = self.assigned
            && let Some(at) = assigned.members.iter().position(|one| *one == member)
        {
            return assigned.values[at].ok_or_else(|| {
                assigned.lacks.set(assigned.lacks.get().or(Some(at)));
                Box::new(self.gap(GapCause::Ambiguous, span))
            });
        }
        let (members, solved) = self.stable(id)?;
        let cause = match solved {
            Solved::None => GapCause::Contradictory,
            Solved::Several => GapCause::Ambiguous,
            Solved::One(values) => {
                let at = members.iter().position(|one| *one == member);
                if let Some(&value) = at.and_then(|at| values.get(at)) {
                    return Ok(value);
                }
                GapCause::Absent
            }
        };
        Err(Box::new(self.gap(cause, span)))
    }

    /// Whether the group of a continuous value has so many stable assignments.
    #[inline(never)]
    pub(super) fn has_solutions(&mut self, id: DefineId, wanted: Solutions) -> Value {
        let (_, solved) = self.stable(id)?;
        let found = match solved {
            Solved::None => Solutions::None,
            Solved::One(_) => Solutions::One,
            Solved::Several => Solutions::Several,
        };
        Ok(i64::from(found == wanted))
    }

    /// What a function is as a continuous value.
    fn continuous_of(&self, id: DefineId) -> &Continuous {
        let continuous = self.system.functions[id].continuous.as_ref();
        // INVARIANT: systems are checked for that.
        continuous.expect("a function that is asked for as a continuous value is one")
    }

    /// The members of the group of a continuous value, and the assignments that are stable.
    fn stable(&mut self, id: DefineId) -> Raised<(Vec<Member>, Solved)> {
        let continuous = self.continuous_of(id);
        for &reading in &continuous.readings {
            self.reading(reading)?;
        }
        let mut members: Vec<Member> = Vec::new();
        for &one in &continuous.group {
            match self.system.functions[one].params.first() {
                Some(Type::Entity(sort)) => {
                    let all = self.data.sorts.iter().zip(&self.data.removed).enumerate();
                    let there = all.filter(|(_, (of, removed))| *of == sort && !**removed);
                    members.extend(there.map(|(at, _)| (one, Some(EntityId::from_index(at)))));
                }
                _ => members.push((one, None)),
            }
        }
        let ranges = members
            .iter()
            .map(|(one, _)| self.continuous_of(*one).range);
        let ranges: Vec<(i64, i64)> = ranges.collect();
        let solved = solve(&ranges, &mut |at, values| {
            let assigned = Assigned {
                members: &members,
                values,
                lacks: Cell::new(None),
            };
            match self.comes_to(members[at], &assigned) {
                Ok(number) => Ok(Evaluated::Number(number)),
                Err(stop) => match (*stop, assigned.lacks.get()) {
                    (spent @ Stop::Tag(Tag::Limit(Limit::Expressions)), _) => Err(Box::new(spent)),
                    (_, Some(on)) => Ok(Evaluated::Lacks(on)),
                    (_, None) => Ok(Evaluated::Nothing),
                },
            }
        })?;
        Ok((members, solved))
    }

    /// What the expression of a member comes to.
    fn comes_to(&self, (id, of): Member, assigned: &Assigned<'_>) -> Value {
        let function = &self.system.functions[id];
        let mut locals = vec![NONE; function.locals as usize];
        if let (Some(first), Some(of)) = (locals.first_mut(), of) {
            *first = of.index() as i64;
        }
        let mut inner = Scope {
            system: self.system,
            layout: self.layout,
            readings: self.readings,
            depended: self.depended,
            data: self.data,
            old: None,
            locals: &mut locals,
            assigned: Some(assigned),
            site: self.site,
            budget: self.budget,
            trace: self.trace,
        };
        inner.number(&function.body)
    }
}
