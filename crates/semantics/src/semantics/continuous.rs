//! Continuous values in one state (`docs/semantics.md`, 2.1).

use std::cell::Cell;

use super::GapCause;
use super::budget::Budget;
use super::eval::Scope;
use super::next::{Limit, Tag};
use super::solve::{Assigned, Evaluated, Member, Solved, solve};
use super::stop::Stop;
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{
    DefineId, EntityId, Expr, Program, Solutions, Type, Value,
};

impl Scope<'_> {
    /// A continuous value.
    pub(super) fn continuous(
        &mut self,
        id: DefineId,
        of: Option<&Expr>,
        span: Span,
    ) -> Result<Value, Stop> {
        let of = of.map(|of| self.entity(of)).transpose()?;
        let is_there = |entity: EntityId| {
            let held = self.data.entities.get(entity.index());
            held.is_some_and(|held| !held.removed)
        };
        if of.is_some_and(|of| !is_there(of)) {
            return Err(self.gap(GapCause::Absent, span));
        }
        let member = (id, of);
        if let Some(assigned) = self.assigned
            && let Some(at) = assigned.members.iter().position(|one| *one == member)
        {
            return match assigned.values[at] {
                Some(number) => Ok(value(self.program, id, number)),
                None => {
                    assigned.lacks.set(assigned.lacks.get().or(Some(at)));
                    Err(self.gap(GapCause::Ambiguous, span))
                }
            };
        }
        let (members, solved) = self.stable(id)?;
        match solved {
            Solved::None => Err(self.gap(GapCause::Contradictory, span)),
            Solved::Several => Err(self.gap(GapCause::Ambiguous, span)),
            Solved::One(values) => {
                let at = members.iter().position(|one| *one == member);
                // INVARIANT: every entity of the sort that is there is one of them.
                let number = at.and_then(|at| values.get(at));
                number
                    .map(|&number| value(self.program, id, number))
                    .ok_or_else(|| self.gap(GapCause::Absent, span))
            }
        }
    }

    /// Whether the group of a continuous value has so many stable assignments.
    pub(super) fn has_solutions(&mut self, id: DefineId, wanted: Solutions) -> Result<bool, Stop> {
        let (_, solved) = self.stable(id)?;
        Ok(matches!(
            (solved, wanted),
            (Solved::None, Solutions::None)
                | (Solved::One(_), Solutions::One)
                | (Solved::Several, Solutions::Several)
        ))
    }

    /// The members of the group of a continuous value, and the assignments that are stable.
    fn stable(&mut self, id: DefineId) -> Result<(Vec<Member>, Solved), Stop> {
        let program = self.program;
        let Some(continuous) = &program.defines[id].continuous else {
            unreachable!("only continuous values have stable assignments")
        };
        for &reading in &continuous.readings {
            self.reading(reading)?;
        }
        let mut members: Vec<Member> = Vec::new();
        for &one in &continuous.group {
            match program.defines[one].of() {
                Some(sort) => members.extend(self.data.members(sort).map(|of| (one, Some(of)))),
                None => members.push((one, None)),
            }
        }
        let ranges = members.iter().map(|(one, _)| {
            let continuous = program.defines[*one].continuous.as_ref();
            continuous.map_or((0, 0), |one| one.range)
        });
        let ranges: Vec<(i64, i64)> = ranges.collect();
        let solved = solve(&ranges, &mut |at, values| {
            let assigned = Assigned {
                members: &members,
                values,
                lacks: Cell::new(None),
            };
            let come_to = self.comes_to(members[at], &assigned);
            match come_to {
                Ok(value) => Ok(Evaluated::Number(number(value))),
                Err(spent @ Stop::Tag(Tag::Limit(Limit::Expressions))) => Err(spent),
                Err(_) => Ok(match assigned.lacks.get() {
                    Some(on) => Evaluated::Lacks(on),
                    None => Evaluated::Nothing,
                }),
            }
        })?;
        Ok((members, solved))
    }

    /// What the expression of a member comes to.
    fn comes_to(&self, (id, of): Member, assigned: &Assigned<'_>) -> Result<Value, Stop> {
        let define = &self.program.defines[id];
        let mut locals = vec![Value::None; define.locals.len()];
        if let (Some(first), Some(of)) = (locals.first_mut(), of) {
            *first = Value::Entity(of);
        }
        let budget: &Budget = self.budget;
        let mut inner = Scope {
            program: self.program,
            readings: self.readings,
            data: self.data,
            old: None,
            locals: &mut locals,
            assigned: Some(assigned),
            site: self.site,
            budget,
        };
        inner.value(&define.body)
    }
}

/// The value that a number stands for.
fn value(program: &Program, id: DefineId, number: i64) -> Value {
    let ty = program.defines[id].continuous.as_ref().map(|one| one.ty);
    match ty {
        Some(Type::Bool) => Value::Bool(number != 0),
        // INVARIANT: in the range of the values of the type.
        Some(Type::Enum(_)) => Value::Enum(u16::try_from(number).unwrap_or(u16::MAX)),
        _ => Value::Int(number),
    }
}

/// The number that stands for a value.
fn number(value: Value) -> i64 {
    match value {
        Value::Int(number) => number,
        Value::Bool(is_so) => i64::from(is_so),
        Value::Enum(at) => i64::from(at),
        Value::None | Value::Entity(_) => unreachable!("no continuous value is an entity"),
    }
}
