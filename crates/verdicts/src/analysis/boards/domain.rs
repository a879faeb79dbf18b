//! The values that a place takes on boards.

use endstep_language::typing::program::{Bounds, Program, Type, Value};
use endstep_semantics::semantics::Data;

/// What says which values a place takes.
#[derive(Clone, Copy)]
pub(super) struct Domain<'p> {
    pub ty: Type,
    pub bounds: Bounds,
    pub listed: &'p [(i64, i64)],
    pub starts: Option<Value>,
    pub default: Value,
}

impl Domain<'_> {
    /// The values on boards with the entities of some data.
    pub fn values(self, program: &Program, data: &Data) -> Vec<Value> {
        if let Some(value) = self.starts {
            return vec![value];
        }
        match self.ty {
            Type::Int if !self.listed.is_empty() => {
                let listed = self.listed.iter().flat_map(|&(low, high)| low..=high);
                listed.map(Value::Int).collect()
            }
            Type::Int => match self.bounds.explore.or(self.bounds.document) {
                Some((low, high)) => (low..=high).map(Value::Int).collect(),
                None => vec![self.default],
            },
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Enum(id) => {
                let count = program.enums[id].values.len();
                let numbers = (0..count).filter_map(|n| u16::try_from(n).ok());
                numbers.map(Value::Enum).collect()
            }
            Type::Entity(sort) => data.members(sort).map(Value::Entity).collect(),
            Type::Optional(sort) => {
                let members = data.members(sort).map(Value::Entity);
                std::iter::once(Value::None).chain(members).collect()
            }
        }
    }
}
