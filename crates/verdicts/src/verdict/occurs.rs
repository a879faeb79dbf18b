//! On which boards a finding occurs, as a formula over what can be seen on a board.
//!
//! ```text
//! some Card has health 0 and ability comes_back     Fact::Count(Card, [health 0, ability ..], 1)
//! the active player's god has a health of 0         Fact::Of(active, [god_health 0])
//! not: two Cards have health 0                      Literal { Fact::Count(Card, [..], 2), holds: false }
//! ```
//!
//! *Guarantees.* What a formula says of a board depends on the board alone, not on the names of its
//! entities.

use endstep_language::typing::program::{EntityId, FieldId, Program, SortId, Value, VarId, ZoneId};
use endstep_semantics::semantics::{Data, Spot};
use serde::{Deserialize, Serialize};

/// On which of the legal boards of a scope something occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Occurs {
    /// On all.
    Everywhere,
    /// On those of which this is true, and on no others.
    Exactly(Formula),
    /// No short formula is true of just these boards.
    Between {
        /// What is true of all of them (nothing, if there is nothing short), and of how many boards
        /// it is true.
        only: (Vec<Literal>, u64),
        /// What is true only of boards on which it occurs, and of how many.
        always: Option<(Vec<Literal>, u64)>,
    },
}

/// All of the one and, unless there are none, one row of the other.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Formula {
    /// What is true of every board.
    pub all: Vec<Literal>,
    /// Cases.
    pub any: Vec<Vec<Literal>>,
}

/// A fact, or that it is not one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Literal {
    /// Which.
    pub fact: Fact,
    /// Whether it is one.
    pub holds: bool,
}

/// Something that is true of a board or not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Fact {
    /// A variable has one of these values.
    Var(VarId, Vec<Value>),
    /// An integer variable is at most so large.
    VarAtMost(VarId, i64),
    /// Two integer variables: the first is smaller.
    VarLess(VarId, VarId),
    /// Two variables have one value.
    VarEqual(VarId, VarId),
    /// The entity in a variable passes.
    Of(VarId, Test),
    /// At least so many entities of a sort pass all tests.
    Count(SortId, Vec<Test>, u32),
    /// An entity passes one test, and another one the other.
    Two(SortId, Test, Test),
}

/// Something that is true of an entity or not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Test {
    /// A field has one of these values; of a link, only that there is none.
    Value(FieldId, Vec<Value>),
    /// An integer field is at most so large.
    AtMost(FieldId, i64),
    /// Two integer fields: the first is smaller.
    Less(FieldId, FieldId),
    /// Two fields have one value.
    Equal(FieldId, FieldId),
    /// It lies in a zone, or in one of a family.
    In(ZoneId),
    /// It lies in the zone of the entity in a variable.
    InOf(ZoneId, VarId),
    /// It is the entity in a variable.
    IsVar(VarId),
    /// There is a linked entity, and it passes.
    Linked(FieldId, Box<Self>),
    /// It does not pass.
    Not(Box<Self>),
}

impl Test {
    /// Whether an entity of a board passes.
    pub fn passes(&self, program: &Program, data: &Data, id: EntityId) -> bool {
        let value = |field: FieldId| data.read(program, Spot::Field(id, field));
        let var = |var: VarId| data.read(program, Spot::Var(var));
        match self {
            Self::Value(field, values) => values.contains(&value(*field)),
            Self::AtMost(field, most) => matches!(value(*field), Value::Int(n) if n <= *most),
            Self::Less(one, other) => match (value(*one), value(*other)) {
                (Value::Int(one), Value::Int(other)) => one < other,
                _ => false,
            },
            Self::Equal(one, other) => value(*one) == value(*other),
            Self::In(zone) => matches!(data.place_of(id), Some(((of, _), _)) if of == *zone),
            Self::InOf(zone, of) => match (data.place_of(id), var(*of)) {
                (Some(((lies, Some(owner)), _)), Value::Entity(who)) => {
                    lies == *zone && owner == who
                }
                _ => false,
            },
            Self::IsVar(of) => var(*of) == Value::Entity(id),
            Self::Linked(field, test) => match value(*field) {
                Value::Entity(other) => test.passes(program, data, other),
                _ => false,
            },
            Self::Not(test) => !test.passes(program, data, id),
        }
    }
}

impl Fact {
    /// Whether it is true of a board.
    pub fn is_true(&self, program: &Program, data: &Data) -> bool {
        let value = |var: VarId| data.read(program, Spot::Var(var));
        let number = |var: VarId| match value(var) {
            Value::Int(n) => Some(n),
            _ => None,
        };
        let passing = |sort: SortId, tests: &[Test]| -> Vec<EntityId> {
            let members = data.members(sort);
            members
                .filter(|id| tests.iter().all(|test| test.passes(program, data, *id)))
                .collect()
        };
        match self {
            Self::Var(var, values) => values.contains(&value(*var)),
            Self::VarAtMost(var, most) => number(*var).is_some_and(|n| n <= *most),
            Self::VarLess(one, other) => {
                matches!((number(*one), number(*other)), (Some(a), Some(b)) if a < b)
            }
            Self::VarEqual(one, other) => value(*one) == value(*other),
            Self::Of(var, test) => match value(*var) {
                Value::Entity(id) => test.passes(program, data, id),
                _ => false,
            },
            Self::Count(sort, tests, least) => passing(*sort, tests).len() >= *least as usize,
            Self::Two(sort, one, other) => {
                let others = passing(*sort, std::slice::from_ref(other));
                let ones = passing(*sort, std::slice::from_ref(one));
                ones.iter().any(|a| others.iter().any(|b| a != b))
            }
        }
    }
}
