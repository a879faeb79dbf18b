//! Fingerprints of findings, the file of expected ones, and what the author accepts.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::finding::Finding;
use endstep_language::index::Id;
use endstep_language::typing::program::{Accept, ClauseIdx, Program};

/// The version of the file that this code reads and writes.
pub(super) const VERSION: u32 = 1;

/// The findings that are expected of a specification, as a file has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The version of the format.
    pub version: u32,
    /// In order of code, subject and fingerprint.
    pub findings: Vec<ExpectedFinding>,
}

/// One expected finding. The code and the fingerprint are compared; the rest is for readers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedFinding {
    /// Its code.
    pub code: String,
    /// Where it is.
    pub subject: String,
    /// What is to blame there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cause: String,
    /// [`fingerprint`] of it.
    pub fingerprint: String,
    /// What is decided about it, if anything is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// Why a file of expected findings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedError {
    /// It is not JSON of the right shape.
    Malformed(String),
    /// It was written by another version.
    Version(u32),
}

impl std::fmt::Display for ExpectedError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Malformed(why) => write!(out, "no list of expected findings: {why}"),
            Self::Version(found) => {
                write!(out, "found version {found}, expected version {VERSION}")
            }
        }
    }
}

impl std::error::Error for ExpectedError {}

/// How findings stand to those expected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    /// Not expected, by position.
    pub new: Vec<usize>,
    /// Expected, by position.
    pub expected: Vec<usize>,
    /// Expected, but not found.
    pub vanished: Vec<ExpectedFinding>,
}

impl Expected {
    /// A file that expects all of these findings.
    pub fn of(program: &Program, findings: &[Finding]) -> Self {
        let mut findings: Vec<_> = findings
            .iter()
            .map(|finding| ExpectedFinding {
                code: finding.code.id().to_owned(),
                subject: finding.subject.clone(),
                cause: finding.cause.clone(),
                fingerprint: fingerprint(program, finding),
                because: None,
            })
            .collect();
        findings.sort();
        findings.dedup();
        Self::with(findings)
    }

    /// A file that expects these findings, which are in order.
    pub fn with(findings: Vec<ExpectedFinding>) -> Self {
        Self {
            version: VERSION,
            findings,
        }
    }

    /// Reads the text of a file.
    pub fn from_json(text: &str) -> Result<Self, ExpectedError> {
        let read: Self = serde_json::from_str(text)
            .map_err(|error| ExpectedError::Malformed(error.to_string()))?;
        if read.version == VERSION {
            Ok(read)
        } else {
            Err(ExpectedError::Version(read.version))
        }
    }

    /// The text of a file, with a line for each value.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// A name of a finding that survives unrelated edits of the specification: 32 digits in base 16.
///
/// It is made of the code, the subject, the cause and the ids of the clauses, and of nothing else:
/// no spans, no boards, no positions of clauses. What a cause lists (two alternatives of a reading, two
/// things whose order matters) counts in any order.
pub fn fingerprint(program: &Program, finding: &Finding) -> String {
    let mut clauses: Vec<_> = finding
        .clauses
        .iter()
        .map(|&clause| clause_name(program, clause))
        .collect();
    clauses.sort();
    clauses.dedup();
    let mut parts = vec![
        finding.code.id().to_owned(),
        finding.subject.clone(),
        in_any_order(&finding.cause),
    ];
    parts.extend(clauses);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    digest(&parts)
}

/// A cause with what it lists in the order of the alphabet.
fn in_any_order(cause: &str) -> String {
    let between = [" | ", " & ", " + "];
    let Some(between) = between.into_iter().find(|one| cause.contains(one)) else {
        return cause.to_owned();
    };
    let mut parts: Vec<&str> = cause.split(between).collect();
    parts.sort_unstable();
    parts.join(between)
}

/// A hash of texts, in hexadecimal.
pub fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The length keeps ("a", "bc") and ("ab", "c") apart.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    let digest = hash.finalize();
    digest[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn clause_name(program: &Program, clause: ClauseIdx) -> String {
    let clause = &program.clauses[clause];
    let document = clause
        .document
        .map_or("", |document| program.documents[document].name.as_str());
    format!("{document}/{}", clause.id)
}

impl ExpectedFinding {
    /// Whether this entry expects the finding with this code and fingerprint. An entry that calls the
    /// same finding by another code was edited or merged by mistake, and expects nothing.
    pub fn covers(&self, finding: &Finding, print: &str) -> bool {
        self.fingerprint == print && self.code == finding.code.id()
    }
}

/// Compares findings with those expected.
pub fn compare(program: &Program, findings: &[Finding], expected: &Expected) -> Comparison {
    let mut comparison = Comparison::default();
    let prints: Vec<_> = findings
        .iter()
        .map(|finding| (finding, fingerprint(program, finding)))
        .collect();
    for (index, (finding, print)) in prints.iter().enumerate() {
        let mut entries = expected.findings.iter();
        if entries.any(|one| one.covers(finding, print)) {
            comparison.expected.push(index);
        } else {
            comparison.new.push(index);
        }
    }
    let is_found = |one: &&ExpectedFinding| {
        let mut prints = prints.iter();
        prints.any(|(finding, print)| one.covers(finding, print))
    };
    let vanished = expected.findings.iter().filter(|one| !is_found(one));
    comparison.vanished = vanished.cloned().collect();
    comparison
}

/// The `accept` of the program that covers a finding, by position.
pub fn accepted(program: &Program, finding: &Finding) -> Option<usize> {
    let mut all = program.accepts.iter();
    all.position(|accept| accepts(program, accept, finding))
}

/// Whether an `accept` covers a finding, be it that another one does, too.
pub fn accepts(program: &Program, accept: &Accept, finding: &Finding) -> bool {
    accept.code.eq_ignore_ascii_case(finding.code.id())
        && accept
            .at
            .as_ref()
            .is_none_or(|at| stands_at(program, finding, at))
}

/// The `accept`s of the program that cover no finding, though they should, by position.
pub fn unused_accepts(program: &Program, findings: &[Finding]) -> Vec<usize> {
    let used: Vec<_> = findings
        .iter()
        .filter_map(|finding| accepted(program, finding))
        .collect();
    let of_findings = |index: &usize| !program.accepts[*index].is_about_decision();
    (0..program.accepts.len())
        .filter(of_findings)
        .filter(|index| !used.contains(index))
        .collect()
}

/// Whether a finding is at what an `accept` names: a clause, a claim (also one of several that are at odds),
/// a reading, a gap, or a step as `cleanup.destroy`, which covers all that stands in it.
fn stands_at(program: &Program, finding: &Finding, at: &str) -> bool {
    let path = at.replace('.', "/");
    let inside = |subject: &str| {
        subject == at
            || subject == path
            || subject
                .strip_prefix(path.as_str())
                .is_some_and(|rest| rest.starts_with('/'))
    };
    let clause = |index: &ClauseIdx| {
        debug_assert!(index.index() < program.clauses.len());
        program.clauses[*index].id == at
    };
    let demanded = finding.demanded(program);
    inside(&finding.subject) || demanded.contains(&at) || finding.clauses.iter().any(clause)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Detail, Minimality, Origin, Under};
    use endstep_language::diag::Severity;
    use endstep_language::diag::codes::finding as code;
    use endstep_language::source::{SourceId, Span};
    use endstep_language::syntax::ast::{BasisKind, ClauseKind};
    use endstep_language::typing::program::{Accept, Clause, StepId};

    fn clause(id: &str) -> Clause {
        Clause {
            id: id.to_owned(),
            document: None,
            kind: ClauseKind::Rule,
            locator: String::new(),
            says: String::new(),
            waived: None,
            formalised: true,
            refers_to: Vec::new(),
            dangling: Vec::new(),
            defines: Vec::new(),
            undefined: Vec::new(),
            yields_to: Vec::new(),
            span: Span::default(),
        }
    }

    fn finding(subject: &str, clauses: &[u32]) -> Finding {
        Finding {
            untried: false,
            code: code::DEAD,
            origin: Origin::Discovered,
            severity: Severity::Note,
            basis: BasisKind::Text,
            subject: subject.to_owned(),
            cause: String::new(),
            clauses: clauses.iter().copied().map(ClauseIdx).collect(),
            spans: Vec::new(),
            readings: Under::All,
            boards: 0,
            occurs: None,
            scope: None,
            elsewhere: Vec::new(),
            fixed: Default::default(),
            witness: None,
            outside: None,
            minimality: Minimality::Exact,
            wider: Vec::new(),
            decisive: Vec::new(),
            undecided: Vec::new(),
            readings_known: true,
            boards_each: 0,
            by_reading: Vec::new(),
            counted: Vec::new(),
            detail: Detail::DeadStep(StepId(0)),
        }
    }

    fn program(clauses: &[&str]) -> Program {
        Program {
            clauses: clauses.iter().copied().map(clause).collect(),
            ..Program::default()
        }
    }

    #[test]
    fn a_fingerprint_survives_moved_text_and_reordered_clauses() {
        let before = fingerprint(&program(&["a.1", "b.2"]), &finding("play/score", &[0, 1]));
        let mut moved = finding("play/score", &[1, 0]);
        moved.spans.push(Span::new(SourceId(0), 40, 60));
        moved.boards = 7;
        assert_eq!(fingerprint(&program(&["b.2", "a.1"]), &moved), before);
        let other = finding("play/other", &[0, 1]);
        assert_ne!(fingerprint(&program(&["a.1", "b.2"]), &other), before);
        assert_ne!(fingerprint(&program(&["a.1", "b.3"]), &moved), before);
        assert_eq!(before.len(), 32);
        let caused = |cause: &str| {
            let mut one = finding("zero", &[0]);
            cause.clone_into(&mut one.cause);
            fingerprint(&program(&["a.1"]), &one)
        };
        assert_eq!(caused("exactly | or_less"), caused("or_less | exactly"));
        assert_ne!(caused("exactly | or_less"), caused("exactly | or_more"));
    }

    #[test]
    fn findings_are_new_expected_or_vanished() {
        let program = program(&["a.1"]);
        let old = [finding("play/score", &[0]), finding("play/draw", &[0])];
        let expected = Expected::of(&program, &old);
        let read = Expected::from_json(&expected.to_json()).unwrap();
        assert_eq!(read, expected);
        let now = [finding("play/discard", &[0]), finding("play/score", &[0])];
        let comparison = compare(&program, &now, &read);
        assert_eq!((comparison.new, comparison.expected), (vec![0], vec![1]));
        let vanished: Vec<_> = comparison
            .vanished
            .iter()
            .map(|one| one.subject.as_str())
            .collect();
        assert_eq!(vanished, ["play/draw"]);
    }

    #[test]
    fn an_entry_with_another_code_expects_nothing() {
        let program = program(&["a.1"]);
        let found = [finding("play/score", &[0])];
        let mut expected = Expected::of(&program, &found);
        expected.findings[0].code = "F0201".to_owned();
        let comparison = compare(&program, &found, &expected);
        assert_eq!(comparison.new, [0]);
        assert_eq!(comparison.vanished, expected.findings);
    }

    #[test]
    fn files_of_other_versions_and_shapes_are_refused() {
        let refused = |text| Expected::from_json(text).unwrap_err().to_string();
        let version = refused(r#"{ "version": 9, "findings": [] }"#);
        assert_eq!(version, "found version 9, expected version 1");
        assert!(refused("[]").starts_with("no list of expected findings: "));
    }

    #[test]
    fn the_author_accepts_by_clause_or_by_step() {
        let accept = |at: Option<&str>| Accept {
            code: "f0703".to_owned(),
            at: at.map(str::to_owned),
            because: String::new(),
            span: Span::default(),
        };
        let mut program = program(&["a.1"]);
        let inside = finding("play/score/set#1", &[0]);
        for (at, covers) in [
            (None, true),
            (Some("a.1"), true),
            (Some("play.score"), true),
            (Some("play.sc"), false),
            (Some("a.2"), false),
        ] {
            program.accepts = vec![accept(at)];
            assert_eq!(accepted(&program, &inside).is_some(), covers, "{at:?}");
        }
        assert_eq!(unused_accepts(&program, &[inside]), [0]);
    }
}
