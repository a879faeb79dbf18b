//! How mutants are judged.

use std::collections::BTreeSet;

use endstep_engines::explore;
use endstep_language::diag::codes::finding as code;
use endstep_language::typing::program::{Program, SortId};
use endstep_verdicts::analysis::{Boards, Job, Limits, Options, jobs};
use endstep_verdicts::verdict::{Limitation, Results, Scope};

/// Findings that larger boards can take back.
pub(super) const NOT_FOR_EVER: [endstep_language::diag::Code; 5] = [
    code::POWER_DIFFERS,
    code::CHOICES_DIFFER,
    code::DEMANDS_AT_ODDS,
    code::SAME_GAP,
    code::MISSING_RECHECK,
];

/// How mutants are judged.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// Largest numbers of entities; those of the specification where they are smaller.
    pub sizes: Vec<(SortId, u32)>,
    /// Values of fields and readings, as in a check; sizes and limits are left out.
    pub options: Options,
    /// So many micro-steps may be spent on each sequence; sizes are chosen so that the original needs no
    /// more.
    pub steps: u64,
    /// Fingerprints of findings that the original has at sizes beyond these.
    pub known: BTreeSet<String>,
    /// Threads.
    pub jobs: usize,
}

impl Terms {
    pub(super) fn limits(&self) -> Limits {
        Limits {
            steps: self.steps,
            ..Limits::default()
        }
    }
}

pub(super) fn checked(program: &Program, terms: &Terms) -> Results {
    let options = Options {
        limits: terms.limits(),
        faults_only: true,
        threads: 1,
        ..terms.options.clone()
    };
    explore::check(program, &options, &mut |_| {})
}

/// Whether no more of a sort than this leave out boards that the specification asks for.
pub fn leaves_out(program: &Program, (sort, most): (SortId, u32)) -> bool {
    let asked = |job: &Job| Boards::of(program, job, &Options::default()).sizes;
    let is_more = |&(of, _, high): &(SortId, u32, u32)| of == sort && most < high;
    jobs(program, None)
        .iter()
        .any(|job| asked(job).iter().any(is_more))
}

/// Whether all boards of a scope were looked at, whatever came of it.
pub(super) fn is_complete(scope: &Scope) -> bool {
    let cut = |one: &Limitation| {
        matches!(
            one,
            Limitation::Boards(_)
                | Limitation::Candidates(_)
                | Limitation::States { .. }
                | Limitation::Memory(_)
                | Limitation::Steps(_)
                | Limitation::Readings { .. }
                | Limitation::Evaluation(_)
                | Limitation::Interrupted
                | Limitation::Unshown(_)
        )
    };
    !scope.limitations.iter().any(cut)
}
