//! Which boards are legal, and of those which are explored.

use super::graph::Halt;
use super::watch::fails;
use crate::semantics::{Data, Interpreter};

/// Whether a board meets all conditions of legality, and those of what is explored.
///
/// # Errors
///
/// [`Halt::Consult`]: a reading must be fixed first. [`Halt::Evaluation`]: it takes too much to say.
pub fn is_legal(it: Interpreter<'_>, board: &Data) -> Result<bool, Halt> {
    let program = it.program;
    for legal in program.legals.iter().chain(&program.explored) {
        if fails(it, &legal.condition, board, board)?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}
