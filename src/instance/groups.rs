//! Groups of places of the data, one bit each: what an operation changes, coarsely.
//!
//! A claim that is looked at after every step is evaluated only if something in a group that it
//! reads may have changed. Several fields may share a group: then it is evaluated more often.

use crate::typing::program::{FieldId, VarId};

/// Which entities there are and where they lie.
pub const ENTITIES: u64 = 1;

/// What is pending.
pub const QUEUES: u64 = 2;

/// The group of a field.
pub fn of_field(field: FieldId) -> u64 {
    1 << (2 + field.0 % 40)
}

/// The group of a variable.
pub fn of_var(var: VarId) -> u64 {
    1 << (42 + var.0 % 22)
}
