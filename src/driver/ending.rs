//! All ways in which a sequence can end from one board.

use super::NotFound;
use super::start::{Starts, sequence};
use endstep_engines::explore::Explorer;
use endstep_language::typing::program::{Program, SequenceId};
use endstep_semantics::semantics::{Data, Names};
use endstep_verdicts::analysis::{self, Ends, Job, Options};

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The name of the sequence; without it, the first that is verified.
    pub sequence: Option<&'a str>,
    /// A written board, or the number of a legal one.
    pub board: &'a str,
    /// The readings, and the limits.
    pub options: &'a Options,
}

/// What was asked, and found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The sequence, as its first `verify` wants it if it has one.
    pub job: Job,
    /// The board.
    pub board: Data,
    /// The names of its entities.
    pub names: Names,
    /// The ways to end.
    pub ends: Ends,
}

impl Found {
    /// What was performed.
    pub fn sequence(&self) -> SequenceId {
        self.job.sequence
    }
}

/// Finds all ways to end.
///
/// # Errors
///
/// If there is no such sequence or board, or the board is not a legal one.
pub fn ends(program: &Program, asked: Asked<'_>) -> Result<Found, NotFound> {
    let sequence = sequence(program, asked.sequence)?;
    let starts = Starts::new(program, &asked.options.readings, sequence);
    let (board, names) = starts.called(asked.board)?;
    let job = Job::of(program, sequence);
    let engine = Explorer::new(program);
    let ends = analysis::ends((program, &engine), &job, (&board, &names), asked.options);
    match ends.combinations.is_empty() && ends.given_up.is_none() {
        true => Err(NotFound(format!(
            "the board `{}` does not meet all conditions of `legal`, so nothing is said of it",
            asked.board
        ))),
        false => Ok(Found {
            job,
            board,
            names,
            ends,
        }),
    }
}
