//! Compares findings with those that are expected and those that the specification
//! accepts.

use endstep_language::diag::Code;
use endstep_language::diag::codes::finding as code;
use endstep_language::typing::program::Program;
use endstep_report::report::{Policy, Standing, Unfound};
use endstep_verdicts::verdict::{
    Expected, ExpectedFinding, Finding, Results, accepted, compare, fingerprint, unused_accepts,
};
use std::collections::BTreeSet;

/// The results of a check, and how each finding stands to what was expected.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checked {
    /// What was found.
    pub results: Results,
    /// How it stands.
    pub judged: Standings,
}

/// How findings stand to what was expected.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standings {
    /// For each finding.
    pub standings: Vec<Standing>,
    /// What was expected and is gone.
    pub vanished: Vec<ExpectedFinding>,
    /// Positions of `accept`s that cover nothing.
    pub unused: Vec<usize>,
    /// What was not found, and may be there.
    pub unfound: Vec<Unfound>,
    /// What of that fails.
    pub policy: Policy,
}

/// Judges results. If only some things were looked at (`partial`), nothing is said
/// about what was not found; if a limit kept something from being looked at, only that it may be there.
pub(super) fn judge(
    program: &Program,
    results: Results,
    expected: Option<&Expected>,
    partial: bool,
) -> Checked {
    let none = Expected::of(program, &[]);
    let expected = expected.unwrap_or(&none);
    let comparison = compare(program, &results.findings, expected);
    let reason = |finding: &Finding| {
        let print = fingerprint(program, finding);
        let mut all = expected.findings.iter();
        all.find(|one| one.covers(finding, &print))?.because.clone()
    };
    let standing = |(index, finding)| {
        if let Some(accept) = accepted(program, finding).and_then(|at| program.accepts.get(at)) {
            return Standing::Accepted(accept.because.clone());
        }
        match comparison.expected.contains(&index) {
            true => Standing::Expected(reason(finding)),
            false => Standing::New,
        }
    };
    let standings = results.findings.iter().enumerate().map(standing).collect();
    let mut judged = Standings {
        standings,
        vanished: Vec::new(),
        unused: Vec::new(),
        unfound: Vec::new(),
        policy: Policy::default(),
    };
    if !partial {
        let prints: BTreeSet<String> = results
            .findings
            .iter()
            .map(|finding| fingerprint(program, finding))
            .collect();
        // Under another code it was found.
        let may_be_there = |one: &ExpectedFinding| {
            !prints.contains(&one.fingerprint) && can_be_missed(&results, &one.code)
        };
        let (missed, vanished): (Vec<_>, Vec<_>) =
            comparison.vanished.into_iter().partition(may_be_there);
        let may_cover = |at: &usize| {
            let accept = program.accepts.get(*at);
            accept.is_some_and(|accept| can_be_missed(&results, &accept.code))
        };
        let unused = unused_accepts(program, &results.findings).into_iter();
        let (idle, unused): (Vec<_>, Vec<_>) = unused.partition(may_cover);
        let missed = missed.into_iter().map(Unfound::Expected);
        judged.unfound = missed
            .chain(idle.into_iter().map(Unfound::Accept))
            .collect();
        judged.vanished = vanished;
        judged.unused = unused;
    }
    Checked { results, judged }
}

/// Whether a finding with this code can be there though it was not found, because a limit kept something from being
/// looked at. What the text alone shows is always found.
fn can_be_missed(results: &Results, code: &str) -> bool {
    // From tests that nobody asks for, and that are given up before anything else.
    let by_test = [code::POSITION_MATTERS, code::MISSING_RECHECK, code::IDLE];
    let is_of = |all: &[Code]| all.iter().any(|one| one.id() == code);
    let mut scopes = results.scopes.iter();
    !is_of(&code::BY_TEXT)
        && scopes.any(|scope| {
            let given_up = is_of(&by_test) && !scope.given_up.is_empty();
            !scope.is_exhausted() || scope.unvisited > 0 || given_up
        })
}
