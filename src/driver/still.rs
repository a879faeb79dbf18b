//! Whether a board still shows what a saved witness was saved for.
//!
//! ```text
//! F0701 at round, unfinished lost       the pass is cancelled, and card 2 is dropped
//! the same run, unfinished carried      it is cancelled, too, and nothing is dropped: no F0701
//! ```
//!
//! That the runs of a witness are possible, and end as they did, is looked at by replaying them. What they show
//! can rest on more: that nobody decides, that no end is in reach, that nothing is carried over.
//!
//! *Limits.* Of findings that no single board shows (F0702), and of growth, which a replay looks at as a whole,
//! nothing is said.

use endstep_engines::explore::Explorer;
use endstep_language::diag::Code;
use endstep_language::diag::codes::finding::{EXAMPLE_FAILS, GROWTH, OUT_OF_RANGE};
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::Data;
use endstep_semantics::witness::{Run, Witness};
use endstep_verdicts::analysis::{Job, Options, all_of_it, examine, is_of_one_board, jobs};
use endstep_verdicts::verdict::{Finding, fingerprint};

/// What a check of one board says of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Still {
    /// It finds it.
    Found,
    /// It does not, and everything was looked at.
    Gone,
    /// It does not, and not everything was looked at.
    Open,
    /// It finds an example's failure, from another board or with other arguments.
    Otherwise,
    /// No check of one board finds what has this code.
    Elsewhere,
}

/// Whether anything that a job looks at compares what a witness compares.
fn compares(program: &Program, job: &Job, witness: &Witness) -> bool {
    let observer = match witness {
        Witness::Versus(versus) => versus.observer,
        Witness::Again { observer, .. } => *observer,
        Witness::Power(power) => power.observer,
        Witness::Demands(demands) => demands.observer,
        Witness::Run { .. } | Witness::Lasso { .. } | Witness::Growth { .. } => return true,
    };
    let of_claim = |&claim: &usize| program.claims[claim].observer.or(job.observer) == observer;
    job.observer == observer || job.claims.iter().any(of_claim)
}

/// Whether all runs from the board of a witness still show what has this code and this subject.
///
/// `print`: the fingerprint that it had.
pub fn still_found(
    program: &Program,
    code: &str,
    subject: &str,
    print: &str,
    witness: &Witness,
) -> Still {
    let runs = witness.runs();
    if code == EXAMPLE_FAILS.id() {
        return example_still_fails(program, subject, runs.first().copied());
    }
    let code = Code::find(code).filter(|&code| is_of_one_board(code) && code != GROWTH);
    let (Some(run), Some(code)) = (runs.first(), code) else {
        return Still::Elsewhere;
    };
    let engine = Explorer::new(program);
    let options = Options {
        board: Some(run.board.clone()),
        threads: 1,
        ..Options::default()
    };
    // Which statement leaves the bounds of a place is not said by the place.
    let same = |one: &Finding| code != OUT_OF_RANGE || fingerprint(program, one) == print;
    let is_it = |one: &Finding| one.code == code && one.subject == subject && same(one);
    let mut all = true;
    for mut job in jobs(program, None) {
        // What counts, and what contracts stand for, can be something else by now.
        if job.variant.contracts != run.variant.contracts || !compares(program, &job, witness) {
            continue;
        }
        let here = job
            .on
            .map(|on| Data::from_board(program, &program.boards[on]).0);
        if here.is_some_and(|board| board != run.board) {
            continue;
        }
        // It need not be one that is explored.
        job.all_legal = true;
        job.variant.extra = run.variant.extra;
        let close = all_of_it((program, &engine), &job, &options, &is_it);
        if !close.findings.is_empty() {
            return Still::Found;
        }
        all &= close.complete && close.given_up.is_empty();
    }
    match all {
        true => Still::Gone,
        false => Still::Open,
    }
}

/// Whether an example still does not come out, from the board and with the arguments of a run.
fn example_still_fails(program: &Program, name: &str, run: Option<&Run>) -> Still {
    let mut examples = program.examples.iter();
    let Some(index) = examples.position(|one| one.name == name) else {
        return Still::Gone;
    };
    let examined = examine(program, index, &Options::default(), 0);
    let begins = |one: &Run| run.is_some_and(|run| one.board == run.board && one.root == run.root);
    let found = examined.findings.iter();
    let found: Vec<&Witness> = found.filter_map(|(_, one)| one.witness.as_ref()).collect();
    let complete = examined.scope.limitations.is_empty();
    match found
        .iter()
        .any(|one| one.runs().first().is_some_and(|run| begins(run)))
    {
        true => Still::Found,
        false if !found.is_empty() => Still::Otherwise,
        false if complete => Still::Gone,
        false => Still::Open,
    }
}
