//! Campaigns: samples runs for as long as somebody wants, keeps what leads somewhere new, and looks
//! closely at whatever shows a sign.
//!
//! ```text
//! worked examples ──▶ one does not come out: a finding
//! corpus ──mutate──▶ input ──mend──▶ legal board ──sample──▶ somewhere new? into the corpus, made smaller
//!                                                     └────▶ a sign? made smaller, looked at closely,
//!                                                            replayed: a finding
//! ```
//!
//! *Guarantees.* A finding was replayed by the reference interpreter; or that followed all runs of a worked
//! example, and none has what should be possible. With one thread and a number of runs, the same seed and archive give the same campaign. An input is in the archive before
//! anybody is told of it, so that whoever kills a campaign loses nothing.
//!
//! *Limits.* What was not found may be there. Looking closely takes at most about as many steps as sampling.

mod account;
mod closer;
mod found;
pub(super) mod mutate;
mod plan;
mod shared;
mod worker;

use std::thread;

use endstep_engines::explore::{self, Explorer};
use endstep_language::diag::codes::finding as code;
use endstep_language::typing::program::Program;
use endstep_verdicts::analysis::{Job, Options, jobs};
use endstep_verdicts::verdict::{Finding, fingerprint};
use shared::Shared;
use worker::Worker;

pub use account::{Account, checked};
pub use found::Found;
pub use plan::{Archive, Nowhere, Plan, Status, Watcher};

/// The stack of a thread.
const STACK: usize = 64 << 20;

/// Goes on until the plan or the watcher says that it is enough.
pub fn campaign(
    program: &Program,
    plan: &Plan,
    archive: &dyn Archive,
    watcher: Watcher<'_>,
) -> Account {
    let explorer = Explorer::new(program);
    let jobs = sampled(program, plan);
    let shared = Shared::new(plan.runs, archive, watcher);
    if jobs.is_empty() {
        play(program, &shared);
        return shared.into_account();
    }
    let bench = (program, &explorer, jobs.as_slice());
    Worker::new(bench, plan, &shared, 0).resume();
    play(program, &shared);
    thread::scope(|scope| {
        for number in 1..plan.jobs.max(1) {
            let shared = &shared;
            let work = move || Worker::new(bench, plan, shared, number as u64).go();
            // A thread that cannot be had is one less; the first does the work in any case.
            let _ = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work);
        }
        Worker::new(bench, plan, &shared, 0).go();
    });
    shared.into_account()
}

/// Plays the worked examples: they take no time, and no board is more to the point.
fn play(program: &Program, shared: &Shared<'_>) {
    let mut program = program.clone();
    program.verifies.clear();
    program.claims.clear();
    let options = Options {
        faults_only: true,
        threads: 1,
        ..Options::default()
    };
    let findings = explore::check(&program, &options, &mut |_| {}).findings;
    // All runs of an example are followed. That none of them has what should be possible is shown by
    // no run; a witness is missing, and not the proof.
    let fails = |one: &Finding| one.code == code::EXAMPLE_FAILS;
    for finding in findings.into_iter().filter(fails) {
        let found = Found {
            finding,
            input: Vec::new(),
            open: None,
        };
        shared.found(fingerprint(&program, &found.finding), found);
    }
}

/// What is sampled: everything that a check would look at.
fn sampled(program: &Program, plan: &Plan) -> Vec<Job> {
    let mut jobs = jobs(program, None);
    // What is asked of one board is not asked of others.
    jobs.retain(|job| job.on.is_none());
    for job in &mut jobs {
        job.all_legal = plan.scene.all_legal;
        job.variant.extra = plan.extra;
    }
    jobs
}
