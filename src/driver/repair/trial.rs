//! Makes a change and checks again: what is found then.

use std::collections::BTreeSet;

use super::change::make;
use crate::driver::engine::{Engine, explored};
use endstep_language::diag::Severity;
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::Data;
use endstep_verdicts::analysis::{Options, Progress};
use endstep_verdicts::verdict::{Change, Detail, Finding, Results, Scope, ScopeOf, fingerprint};

/// What is checked again: a `verify`, or a claim, and nothing else.
#[derive(Clone, Copy)]
pub(super) struct Recheck<'a> {
    /// The specification as it is.
    pub program: &'a Program,
    /// The options of the check.
    pub options: &'a Options,
    /// What visits the runs.
    pub engine: Engine,
    /// What the finding is about.
    pub subject: ScopeOf,
    /// The claim, if it is about one.
    pub claim: Option<usize>,
}

/// What a check with a change came to.
#[derive(Debug, Clone)]
pub(super) struct Checked {
    /// The scopes.
    parts: Vec<Part>,
    /// Micro-steps.
    pub steps: u64,
    /// What was found.
    pub seen: Vec<Seen>,
}

/// A scope of such a check.
#[derive(Debug, Clone)]
struct Part {
    subject: ScopeOf,
    /// Legal boards.
    boards: u64,
    /// Some limit was met.
    limited: bool,
}

/// A finding of such a check.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    about: About,
    /// Its fingerprint, if it is a fault.
    fault: Option<String>,
    /// It was found in what was explored.
    explored: bool,
}

/// What a finding is about, whatever shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum About {
    Claim(usize),
    Cause(&'static str, String, String),
}

fn about(finding: &Finding) -> About {
    match finding.detail {
        Detail::Claim(claim, _) => About::Claim(claim),
        _ => About::Cause(
            finding.code.id(),
            finding.subject.clone(),
            finding.cause.clone(),
        ),
    }
}

/// The fingerprint of a fault.
pub(super) fn fault(program: &Program, finding: &Finding) -> Option<String> {
    let is_fault = finding.severity != Severity::Note;
    is_fault.then(|| fingerprint(program, finding))
}

impl Checked {
    /// Whether a finding is gone for certain.
    pub fn is_without(&self, finding: &Finding) -> bool {
        let is_limited = self.parts.iter().any(|part| part.limited);
        !is_limited && self.boards() > 0 && self.shows_nothing_of(finding)
    }

    /// Whether a finding is gone for certain from some scopes, and not shown by others: the legal boards of those, and how
    /// many there are.
    pub fn without(&self, finding: &Finding, subjects: &[ScopeOf]) -> Option<(u64, usize)> {
        let parts = self.parts.iter();
        let parts: Vec<&Part> = parts
            .filter(|part| subjects.contains(&part.subject))
            .collect();
        let is_gone = parts.iter().all(|part| !part.limited) && self.shows_nothing_of(finding);
        let boards = parts.iter().map(|part| part.boards).sum();
        (is_gone && boards > 0).then_some((boards, parts.len()))
    }

    fn shows_nothing_of(&self, finding: &Finding) -> bool {
        let about = about(finding);
        self.seen.iter().all(|one| one.about != about)
    }

    /// Legal boards, those of each scope.
    pub fn boards(&self) -> u64 {
        self.parts.iter().map(|part| part.boards).sum()
    }

    /// Whether nothing in what was explored is at fault but what is known.
    pub fn has_only(&self, known: &BTreeSet<String>) -> bool {
        let mut seen = self.seen.iter().filter(|one| one.explored);
        seen.all(|one| one.is_known(known))
    }

    /// Whether nothing at all is at fault but what is known, as far as that was looked at.
    pub fn has_nothing_but(&self, known: &BTreeSet<String>) -> bool {
        self.seen.iter().all(|one| one.is_known(known))
    }

    /// What is at fault.
    pub fn faults(&self) -> BTreeSet<String> {
        let faults = self.seen.iter().filter_map(|one| one.fault.clone());
        faults.collect()
    }
}

impl Seen {
    fn is_known(&self, known: &BTreeSet<String>) -> bool {
        self.fault
            .as_ref()
            .is_none_or(|fault| known.contains(fault))
    }
}

impl Recheck<'_> {
    /// Checks with a change, if one is made, on one board or on all; `None` if the change cannot be made.
    pub fn check(
        self,
        change: Option<Change>,
        board: Option<&Data>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Option<Checked> {
        let mut program = self.program.clone();
        let mut options = self.plain();
        options.board = board.cloned();
        program.examples.clear();
        match (self.claim, self.subject) {
            (Some(claim), _) => options.claims = Some(vec![claim]),
            (None, ScopeOf::Verify(at)) => {
                let verify = program.verifies.get(at)?.clone();
                program.verifies = vec![verify];
                program.claims.clear();
                options.claims = None;
            }
            _ => return None,
        }
        self.explored((program, options), change, progress)
    }

    /// Checks all that the specification asks, its examples included, with a change, if one is made.
    pub fn check_all(
        self,
        change: Option<Change>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Option<Checked> {
        self.explored((self.program.clone(), self.plain()), change, progress)
    }

    /// The options of a check that looks for faults.
    fn plain(self) -> Options {
        Options {
            only: Vec::new(),
            repairs: false,
            faults_only: true,
            ..self.options.clone()
        }
    }

    fn explored(
        self,
        (mut program, mut options): (Program, Options),
        change: Option<Change>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Option<Checked> {
        if let Some(change) = change {
            make(change, &mut program, &mut options)?;
        }
        let results = explored(&program, (&options, self.engine), progress);
        Some(checked(&program, &results))
    }
}

fn checked(program: &Program, results: &Results) -> Checked {
    let seen = results.findings.iter().map(|one| Seen {
        about: about(one),
        fault: fault(program, one),
        explored: one.scope.is_some(),
    });
    let part = |scope: &Scope| Part {
        subject: scope.subject,
        boards: scope.legal,
        limited: !scope.limitations.is_empty(),
    };
    Checked {
        parts: results.scopes.iter().map(part).collect(),
        steps: results.scopes.iter().map(|one| one.steps).sum(),
        seen: seen.collect(),
    }
}
