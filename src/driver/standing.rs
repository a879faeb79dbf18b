//! Compares findings with those that are expected and those that the specification
//! accepts.

use endstep_language::typing::program::Program;
use endstep_report::report::{Policy, Standing};
use endstep_verdicts::verdict::{
    Expected, ExpectedFinding, Finding, Results, accepted, compare, fingerprint, unused_accepts,
};

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
    /// What was expected and not found.
    pub vanished: Vec<ExpectedFinding>,
    /// Positions of `accept`s that cover nothing.
    pub unused: Vec<usize>,
    /// What of that fails.
    pub policy: Policy,
}

/// Judges results. If only some things were looked at (`partial`), nothing is said
/// about what was not found.
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
        policy: Policy::default(),
    };
    if !partial {
        judged.vanished = comparison.vanished;
        judged.unused = unused_accepts(program, &results.findings);
    }
    Checked { results, judged }
}
