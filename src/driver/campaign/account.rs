//! What a campaign has come to.

use std::collections::BTreeSet;

use super::found::Found;
use crate::driver::Checked;
use crate::driver::standing::judge;
use endstep_engines::sample::Suspicion;
use endstep_language::diag::Code;
use endstep_language::typing::program::Program;
use endstep_verdicts::analysis::{WEAK, stronger};
use endstep_verdicts::verdict::{Expected, Finding, Results};

/// What a campaign has come to.
#[derive(Debug, Clone, Default)]
pub struct Account {
    /// What was found, in the order of fingerprints.
    pub found: Vec<Found>,
    /// What could not be decided.
    pub suspected: Vec<Suspicion>,
    /// Runs.
    pub runs: u64,
    /// How many different legal boards were dealt; those that only the numbers of entities tell apart are
    /// different.
    pub boards: u64,
    /// There were more: no more are told apart.
    pub more_boards: bool,
    /// How often a legal board was dealt.
    pub deals: u64,
    /// Edges that were taken: statements after statements, triggers after triggers.
    pub edges: usize,
    /// Inputs that are kept.
    pub corpus: usize,
    /// Findings that were there when the campaign began.
    pub resumed: usize,
}

/// The findings of a campaign as those of a check, compared with what is expected. Nothing is said of
/// what was not found.
pub fn checked(program: &Program, account: &Account, expected: Option<&Expected>) -> Checked {
    let found = account.found.iter().map(|found| found.finding.clone());
    let mut findings: Vec<Finding> = found.collect();
    for weak in WEAK {
        forget_weaker(&mut findings, weak, stronger(weak));
    }
    findings.sort_by(|one, other| {
        let place = |finding: &Finding| (finding.severity, finding.spans.first().copied());
        let name = |finding: &Finding| {
            let names = (finding.subject.clone(), finding.cause.clone());
            (finding.code, names)
        };
        let order = place(one).cmp(&place(other));
        order.then_with(|| name(one).cmp(&name(other)))
    });
    let results = Results {
        findings,
        ..Results::default()
    };
    judge(program, results, expected, true)
}

/// Forgets findings that say less of something than others do.
fn forget_weaker(findings: &mut Vec<Finding>, weak: Code, strong: &[Code]) {
    let about = |one: &Finding| (one.subject.clone(), one.cause.clone());
    let said = findings.iter().filter(|one| strong.contains(&one.code));
    let said: BTreeSet<_> = said.map(about).collect();
    findings.retain(|one| one.code != weak || !said.contains(&about(one)));
}
