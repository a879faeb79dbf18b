//! The values that a place takes on boards.

use endstep_language::typing::program::{Domain, Program, Type, Value};
use endstep_semantics::semantics::Data;

/// The values on boards with the entities of some data.
pub(super) fn values(of: Domain<'_>, program: &Program, data: &Data) -> Vec<Value> {
    if let Some(value) = of.starts {
        return vec![value];
    }
    match of.ty {
        Type::Int if !of.listed.is_empty() => {
            let listed = of.listed.iter().flat_map(|&(low, high)| low..=high);
            listed.map(Value::Int).collect()
        }
        Type::Int => match of.bounds.explore.or(of.bounds.document) {
            Some((low, high)) => (low..=high).map(Value::Int).collect(),
            None => vec![of.default],
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
