//! Continuous values in one state (`docs/semantics.md`, 2.1).

use super::budget::Budget;
use super::eval::Scope;
use super::interpreter::Interpreter;
use super::solve::{Assigned, Circle, Evaluated, Member, Solved, circle, solve};
use super::stop::Stop;
use super::{Data, GapCause, Site};
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{
    Continuous, DefineId, EntityId, Expr, Program, Solutions, Type, Value,
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
        match number {
            Ok(number) => Ok(value(self.program, id, number)),
            Err(cause) => Err(self.gap(cause, span)),
        }
    }

    /// Whether the group of a continuous value has so many stable assignments.
    pub(super) fn has_solutions(&mut self, id: DefineId, wanted: Solutions) -> Result<bool, Stop> {
        let (_, solved) = self.stable(id)?;
        Ok(solved.count() == wanted)
    }

    /// The members of the group of a continuous value, and the assignments that are stable.
    fn stable(&mut self, id: DefineId) -> Result<(Vec<Member>, Solved), Stop> {
        let members = self.members_of(id)?;
        let ranges = self.ranges(&members);
        let solved = solve(&ranges, &mut |at, values| {
            self.evaluated(&members, at, values)
        })?;
        Ok((members, solved))
    }

    /// The members of the group of a continuous value.
    fn members_of(&mut self, id: DefineId) -> Result<Vec<Member>, Stop> {
        let program = self.program;
        let continuous = continuous(program, id);
        for &reading in &continuous.readings {
            self.reading(reading)?;
        }
        let mut members: Vec<Member> = Vec::new();
        for &value in &continuous.group {
            match program.defines[value].of() {
                Some(sort) => {
                    let all = self.data.members(sort).map(Some);
                    members.extend(all.map(|of| Member { value, of }));
                }
                None => members.push(Member { value, of: None }),
            }
        }
        Ok(members)
    }

    /// Between what each of some members lies.
    fn ranges(&self, members: &[Member]) -> Vec<(i64, i64)> {
        let range = |one: &Member| continuous(self.program, one.value).range;
        members.iter().map(range).collect()
    }

    /// What the expression of a member, by position, comes to, as far as values are known.
    fn evaluated(
        &self,
        members: &[Member],
        at: usize,
        values: &[Option<i64>],
    ) -> Result<Evaluated, Stop> {
        let assigned = Assigned::new(members, values);
        let came = self.comes_to(members[at], &assigned);
        assigned.evaluated(came.map(number))
    }

    /// What the expression of a member comes to.
    fn comes_to(&self, member: Member, assigned: &Assigned<'_>) -> Result<Value, Stop> {
        let define = &self.program.defines[member.value];
        let mut locals = vec![Value::None; define.locals.len()];
        if let (Some(first), Some(of)) = (locals.first_mut(), member.of) {
            *first = Value::Entity(of);
        }
        let mut inner = Scope {
            program: self.program,
            readings: self.readings,
            data: self.data,
            old: None,
            locals: &mut locals,
            assigned: Some(assigned),
            site: self.site,
            budget: self.budget,
        };
        inner.value(&define.body)
    }
}

/// What the continuous values of a group are in a state, and why, if they are nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The values of the group.
    pub members: Vec<Member>,
    /// Which assignments fit.
    pub solved: Solved,
    /// Why none does, if that can be told.
    pub circle: Option<Circle>,
}

impl Group {
    /// The number of the n-th as a value.
    pub fn value(&self, program: &Program, at: usize, number: i64) -> Value {
        value(program, self.members[at].value, number)
    }

    /// Each with its value; with none, if nothing or several fit.
    pub fn values(&self, program: &Program) -> Vec<(Member, Option<Value>)> {
        let value = |(at, member): (usize, &Member)| {
            let only = match &self.solved {
                Solved::One(numbers) => Some(numbers[at]),
                Solved::None | Solved::Several(_) => None,
            };
            (*member, only.map(|one| self.value(program, at, one)))
        };
        self.members.iter().enumerate().map(value).collect()
    }
}

impl Interpreter<'_> {
    /// The continuous values of data, group by group; without groups that consult a reading that is not fixed,
    /// or for which too much has to be evaluated.
    pub fn groups(self, data: &Data) -> Vec<Group> {
        let mut found = Vec::new();
        for (id, define) in self.program.defines.iter() {
            let group = define.continuous.as_ref().map(|one| one.group.as_slice());
            if group.and_then(|group| group.iter().min()) != Some(&id) {
                continue;
            }
            let (budget, mut locals) = (Budget::new(), Vec::new());
            let site = Site::Outside(define.body.span);
            let mut scope = self.scope((data, None), &mut locals, site, &budget);
            found.extend(scope.group(id));
        }
        found
    }
}

impl Scope<'_> {
    fn group(&mut self, id: DefineId) -> Result<Group, Stop> {
        let (members, solved) = self.stable(id)?;
        let circle = match solved {
            Solved::None => {
                let ranges = self.ranges(&members);
                circle(&ranges, &mut |at, values| {
                    self.evaluated(&members, at, values)
                })?
            }
            Solved::One(_) | Solved::Several(_) => None,
        };
        Ok(Group {
            members,
            solved,
            circle,
        })
    }
}

/// A definition as a continuous value.
fn continuous(program: &Program, id: DefineId) -> &Continuous {
    let continuous = program.defines[id].continuous.as_ref();
    // INVARIANT: the checker of types makes no other expressions of this form.
    continuous.expect("a definition that is asked for as a continuous value is one")
}

/// The value that a number stands for.
fn value(program: &Program, id: DefineId, number: i64) -> Value {
    match continuous(program, id).ty {
        Type::Bool => Value::Bool(number != 0),
        // INVARIANT: in the range of the values of the type.
        Type::Enum(_) => Value::Enum(u16::try_from(number).unwrap_or(u16::MAX)),
        Type::Int | Type::Entity(_) | Type::Optional(_) => Value::Int(number),
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
