//! Boards that a specification writes out, drawn.

use super::specification::Specification;
use endstep_report::report::{Play, Style};
use endstep_semantics::semantics::Data;

/// A board of the specification, or the one of an example, as a table.
pub(super) fn drawn(specification: &Specification, name: &str) -> Option<String> {
    let program = specification.program.as_deref()?;
    let mut boards = program.boards.values().iter();
    let board = boards.find(|board| board.name == name)?;
    let (data, names) = Data::from_board(program, board);
    let play = Play {
        program,
        sources: &specification.sources,
        names: &names,
        style: Style::default(),
    };
    Some(format!("{name}\n{}", play.board(&data)))
}
