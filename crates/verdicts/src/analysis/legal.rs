//! Which boards are legal, and of those which are explored.

use super::halt::Halt;
use super::watch::fails;
use endstep_language::typing::program::Expr;
use endstep_semantics::semantics::{Data, Interpreter};

/// Whether a board meets all conditions of legality, and no others are asked.
///
/// # Errors
///
/// As [`is_legal`].
pub fn is_legal_at_all(it: Interpreter<'_>, board: &Data) -> Result<bool, Halt> {
    all_hold(
        it,
        it.program.legals.iter().map(|one| &one.condition),
        board,
    )
}

/// Whether a board meets all conditions of legality, those of what is explored, and that of a `verify`.
///
/// # Errors
///
/// [`Halt::Consult`]: a reading must be fixed first. [`Halt::Evaluation`]: it takes too much to say.
pub fn is_legal(it: Interpreter<'_>, only: Option<&Expr>, board: &Data) -> Result<bool, Halt> {
    let program = it.program;
    let conditions = program.legals.iter().chain(&program.explored);
    let conditions = conditions.map(|one| &one.condition);
    all_hold(it, conditions.chain(only), board)
}

fn all_hold<'p>(
    it: Interpreter<'_>,
    conditions: impl Iterator<Item = &'p Expr>,
    board: &Data,
) -> Result<bool, Halt> {
    let mut said = Ok(true);
    for condition in conditions {
        match fails(it, condition, board, board) {
            Ok(None) => {}
            Ok(Some(_)) => return Ok(false),
            // Another one may say that it is not.
            Err(Halt::Evaluation) => said = Err(Halt::Evaluation),
            Err(halt) => return Err(halt),
        }
    }
    said
}
