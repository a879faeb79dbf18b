//! Why a board cannot be explored as it is.

use std::fmt::Debug;

use endstep_language::typing::program::ReadingId;
use endstep_semantics::semantics::{Stop, Tag};

/// Why a board cannot be explored as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// A reading must be fixed first.
    Consult(ReadingId),
    /// Too many states.
    States,
    /// States that take too much memory.
    Memory,
    /// Too many assignments of readings.
    Readings,
    /// The budget of micro-steps is used up.
    Steps,
    /// Too many created entities in one outcome.
    Created,
    /// A condition, or what is observed, has no value within the limits.
    Evaluation,
}

/// What an evaluation that did not come to a value means for an exploration.
pub fn unless_consulted<T>(result: Result<T, Stop>) -> Result<Option<T>, Halt> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Tag(Tag::Limit(_))) => Err(Halt::Evaluation),
        Err(Stop::Tag(_)) => Ok(None),
        Err(Stop::Consult(reading)) => Err(Halt::Consult(reading)),
    }
}
