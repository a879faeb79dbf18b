//! Whether a board still shows what a saved witness was saved for.
//!
//! ```text
//! F0701 at round, unfinished lost       the pass is cancelled, and card 2 is dropped
//! the same run, unfinished carried      it is cancelled, too, and nothing is dropped: no F0701
//! ```
//!
//! That the runs of a witness are possible, and end as they did, is looked at by replaying them. What they show
//! can rest on more: that nobody decides, that no end is in reach, that nothing is carried over.

use endstep_engines::explore::Explorer;
use endstep_language::typing::program::Program;
use endstep_semantics::witness::Witness;
use endstep_verdicts::analysis::{Options, closely, jobs};

/// What a check of one board says of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Still {
    /// It finds it.
    Found,
    /// It does not, and everything was looked at.
    Gone,
    /// It does not, and not everything was looked at; or the board is none of those that are looked at.
    Open,
}

/// Whether all runs from the board of a witness still show what has this code and this subject.
pub fn still_found(program: &Program, (code, subject): (&str, &str), witness: &Witness) -> Still {
    let engine = Explorer::new(program);
    let runs = witness.runs();
    let Some(run) = runs.first() else {
        return Still::Open;
    };
    let options = Options {
        board: Some(run.board.clone()),
        threads: 1,
        ..Options::default()
    };
    let mut all = true;
    for mut job in jobs(program, None) {
        // It need not be one that is explored.
        job.all_legal = true;
        job.variant.extra = run.variant.extra;
        let close = closely((program, &engine), &job, &options);
        let mut findings = close.findings.iter();
        if findings.any(|one| one.code.id() == code && one.subject == subject) {
            return Still::Found;
        }
        all &= close.complete && close.given_up.is_empty();
    }
    match all {
        true => Still::Gone,
        false => Still::Open,
    }
}
