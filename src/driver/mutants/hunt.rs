//! Whether a campaign on a mutant finds anything that the original has not.
//!
//! ```text
//! mutant ──campaign, from nothing──▶ a finding ──known of the original?──▶ go on
//!                                       └──on the same board, of the original as well?──▶ go on
//!                                                         └──no──▶ killed
//! ```
//!
//! What the original has is what a check and a campaign of the same length find there, and what it shows
//! on the very board, under the same readings, on which the mutant shows it. What is *not* found is no
//! sign of anything.
//!
//! *Limits.* A finding that the original has on other boards alone, where neither check nor campaign met
//! it, counts as one of the mutant.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::terms::NOT_FOR_EVER;
use crate::driver::campaign::{Archive, Found, Plan, Status, campaign};
use endstep_language::typing::program::Program;
use endstep_report::report::By;
use endstep_verdicts::verdict::fingerprint;

/// Asked when a campaign begins; what it gives says after each part of it whether it goes on.
pub type Clock<'a> = &'a (dyn Fn() -> Box<dyn Fn() -> bool + Send + Sync> + Sync);

/// The campaign that is tried on each mutant.
#[derive(Clone)]
pub struct Hunt<'a> {
    /// What it is. It has one thread.
    pub plan: Plan,
    /// When it is enough, besides the runs of the plan.
    pub clock: Clock<'a>,
}

/// Campaigns on mutants, and what the original has.
pub(super) struct Hunting<'a> {
    program: &'a Program,
    hunt: Hunt<'a>,
    known: BTreeSet<String>,
    /// How many runs the campaign on the original had.
    pub runs: u64,
}

impl<'a> Hunting<'a> {
    /// Tries the campaign on the original, of which other findings are known.
    pub fn new(program: &'a Program, hunt: &Hunt<'a>, mut known: BTreeSet<String>) -> Self {
        let plan = Plan {
            jobs: 1,
            ..hunt.plan.clone()
        };
        let goes_on = (hunt.clock)();
        let account = campaign(program, &plan, &Replayed(&[]), &|_| goes_on());
        let found = account.found.iter();
        known.extend(found.map(|one| fingerprint(program, &one.finding)));
        Self {
            program,
            hunt: Hunt {
                plan,
                clock: hunt.clock,
            },
            known,
            runs: account.runs,
        }
    }

    /// What a campaign on a mutant finds first that the original has not, and after how many runs.
    pub fn kill(&self, mutant: &Program) -> Option<(By, u64)> {
        let net = Net {
            hunting: self,
            state: Mutex::default(),
        };
        let goes_on = (self.hunt.clock)();
        let watcher = |status: &Status| !net.has_kill(status.runs) && goes_on();
        let account = campaign(mutant, &self.hunt.plan, &net, &watcher);
        // Nobody is asked after the last run that there may be.
        net.has_kill(account.runs);
        let state = net.state.into_inner();
        state.unwrap_or_else(PoisonError::into_inner).kill
    }

    /// Fingerprints of what the original shows on the board of an input.
    fn there(&self, found: &Found) -> BTreeSet<String> {
        let plan = Plan {
            runs: Some(0),
            ..self.hunt.plan.clone()
        };
        let shown = [found.bytes()];
        let account = campaign(self.program, &plan, &Replayed(&shown), &|_| false);
        let found = account.found.iter();
        let prints = found.map(|one| fingerprint(self.program, &one.finding));
        prints.collect()
    }
}

/// What the campaign on one mutant has come to.
#[derive(Default)]
struct Catch {
    /// Findings that were not looked at yet, by fingerprint.
    news: Vec<(String, Found)>,
    /// What the original turned out to have.
    known: BTreeSet<String>,
    kill: Option<(By, u64)>,
}

/// Gathers what a campaign on a mutant finds; keeps nothing else.
struct Net<'h> {
    hunting: &'h Hunting<'h>,
    state: Mutex<Catch>,
}

impl Net<'_> {
    /// Nothing is done while the state is held that could leave it half done.
    fn state(&self) -> MutexGuard<'_, Catch> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether anything was found, after so many runs, that the original has not.
    fn has_kill(&self, runs: u64) -> bool {
        let mut state = self.state();
        for (print, found) in std::mem::take(&mut state.news) {
            if state.kill.is_some() || state.known.contains(&print) {
                continue;
            }
            let there = self.hunting.there(&found);
            if !there.contains(&print) {
                let finding = &found.finding;
                let by = By::New(finding.code, finding.subject.clone());
                state.kill = Some((by, runs));
            }
            state.known.extend(there);
        }
        state.kill.is_some()
    }
}

impl Archive for Net<'_> {
    fn found(&self, print: &str, found: &Found) {
        let lasts = !NOT_FOR_EVER.contains(&found.finding.code);
        if lasts && !self.hunting.known.contains(print) {
            self.state().news.push((print.to_owned(), found.clone()));
        }
    }
}

/// Inputs whose boards are looked at when a campaign begins; what it finds is not kept.
struct Replayed<'i>(&'i [Vec<u8>]);

impl Archive for Replayed<'_> {
    fn shown(&self) -> Vec<Vec<u8>> {
        self.0.to_vec()
    }

    fn found(&self, _: &str, _: &Found) {}
}
