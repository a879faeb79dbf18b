//! The JSON report of a check as data: as much of it as other formats tell.

use crate::report::Policy;
use crate::report::finding::qualifiers;
use crate::report::layout::count;
use crate::report::part::{
    ONLY, keeps_findings_back, left_out, missed, open, options_in_words, part,
};
use endstep_language::diag::codes::finding::{
    BY_TEXT, CLAIM_REFUTED, IDLE, MISSING_RECHECK, POSITION_MATTERS, QUESTION_NO,
};
use endstep_language::diag::{Code, Severity};
use serde::Deserialize;
use std::collections::BTreeSet;

/// A report on several specifications.
#[derive(Deserialize, Debug)]
pub struct Record {
    /// The version of Endstep that made it.
    pub(super) endstep: String,
    /// The exit code of the check.
    pub(super) exit: u8,
    /// What fails.
    pub(super) policy: Policy,
    /// One for each specification.
    pub(super) specifications: Vec<Checked>,
}

/// What is told of one specification. One in error has only diagnostics.
#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Checked {
    pub name: String,
    pub compiled: bool,
    pub diagnostics: Vec<Fault>,
    #[serde(default)]
    pub findings: Vec<Found>,
    #[serde(default)]
    pub vanished: Vec<Vanished>,
    #[serde(default)]
    pub unused_accepts: Vec<Unused>,
    /// What was not found, and may be there; reports of earlier versions do not say.
    #[serde(default)]
    pub unfound: Unfound,
    /// Of what it is open what else can happen, where no question is; reports of earlier versions do not say.
    #[serde(default)]
    pub unseen: Vec<String>,
    #[serde(default)]
    pub answers: Vec<Answered>,
    #[serde(default)]
    pub scopes: Vec<Scope>,
    /// The options that kept the check from looking at everything, or from showing it.
    #[serde(default)]
    pub restrictions: Vec<String>,
    /// Whether nothing was looked at but claims that these name; reports of earlier versions do not say.
    #[serde(default)]
    pub only_claims: bool,
}

impl Checked {
    /// What was not found, and may be there, a line for each.
    pub(super) fn unfound_told(&self) -> Vec<String> {
        let expected = self.unfound.expected.iter();
        let expected = expected.map(|one| missed(&one.code, &one.subject));
        let idle = self.unfound.accepts.iter().map(|one| open(&one.told()));
        let unseen = self.unseen.iter().cloned();
        expected.chain(idle).chain(unseen).collect()
    }

    /// That an answer is no, and that the finding that says so is not shown; nothing if it is, or the answer is
    /// another.
    pub(super) fn kept_back(&self, answer: &Answered) -> Option<String> {
        // That something never has a value is an answer like any value.
        let is_no =
            answer.asks.is_none() && matches!(answer.verdict.as_str(), "refuted" | "none in scope");
        let only = self
            .restrictions
            .iter()
            .filter(|one| keeps_findings_back(one));
        let only = options_in_words(only);
        (is_no && answer.findings.is_empty() && !only.is_empty()).then(|| {
            let verdict = &answer.verdict;
            format!("The verdict is \"{verdict}\"; the finding that says why is not shown: {only}.")
        })
    }

    /// What options kept the check from looking at, or from showing; nothing if there are none.
    pub(super) fn restricted(&self) -> Option<String> {
        left_out(&self.restrictions, self.only_claims)
    }

    /// Why a finding with a code may not have been found, or is not shown; nothing if all was looked at.
    pub(super) fn left_out(&self, code: Code) -> Option<String> {
        let only = |one: &String| keeps_findings_back(one);
        let named = format!("{ONLY}{code}");
        let is_shown = self.restrictions.contains(&named) || !self.restrictions.iter().any(only);
        if is_shown && BY_TEXT.contains(&code) {
            return None;
        }
        let options = self.restrictions.iter();
        let options = options.filter(|one| !is_shown || !only(one));
        let options: Vec<String> = options.cloned().collect();
        // Of a board that claims and questions name nothing else is asked.
        let is_asked =
            |scope: &&Scope| scope.on.is_none() || [CLAIM_REFUTED, QUESTION_NO].contains(&code);
        let limits = self.scopes.iter().filter(is_asked);
        let limits: BTreeSet<&str> = limits
            .flat_map(|scope| scope.limits.iter().map(String::as_str))
            .collect();
        let given_up = self.scopes.iter().filter(is_asked).flat_map(|scope| {
            let about = scope.given_up.iter().filter(|one| one.is_about(code));
            about.map(|one| one.told(scope))
        });
        let limits = limits.into_iter().map(str::to_owned);
        let limits = limits.chain(given_up).collect::<Vec<_>>().join("; ");
        let limits =
            (!limits.is_empty()).then(|| format!("Not everything was looked at: {limits}."));
        let parts: Vec<String> = part(&options).into_iter().chain(limits).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

/// Expected findings that were not found, and `accept`s that cover nothing that was found, where not everything could
/// be looked at.
#[derive(Deserialize, Debug, Default)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Unfound {
    pub expected: Vec<Vanished>,
    pub accepts: Vec<Unused>,
}

/// Something that was explored.
#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Scope {
    /// What it is.
    pub subject: String,
    /// The board of which alone claims and questions are asked, if it is of one.
    #[serde(default)]
    pub on: Option<String>,
    /// Why not all of it was looked at.
    pub limits: Vec<String>,
    /// Tests that nobody asked for and that were given up; reports of earlier versions do not say.
    #[serde(default)]
    pub given_up: Vec<GivenUp>,
}

/// A test that was given up.
#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct GivenUp {
    kind: String,
    at: String,
    boards: u64,
}

impl GivenUp {
    /// Whether a finding with a code is what it might have shown.
    fn is_about(&self, code: Code) -> bool {
        match self.kind.as_str() {
            "position" => code == POSITION_MATTERS,
            "idle step" => code == IDLE,
            "second look" => code == MISSING_RECHECK,
            "second time" | "other sequence" => matches!(code.id(), "F0610" | "F0611"),
            // A test of which this version does not know what it shows.
            _ => true,
        }
    }

    fn told(&self, scope: &Scope) -> String {
        let Self { kind, at, boards } = self;
        let boards = count(*boards, "board", "boards");
        format!(
            "{} ({kind} at {at}) was given up on {boards}",
            scope.subject
        )
    }
}

/// A diagnostic.
#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Fault {
    pub code: String,
    pub severity: Severity,
    pub message: String,
    pub labels: Vec<Label>,
    pub help: Vec<String>,
}

impl Fault {
    /// The label where the fault is, if it is about a place.
    pub(super) fn primary(&self) -> Option<&Label> {
        let primary = self.labels.iter().find(|label| label.primary);
        primary.or(self.labels.first())
    }

    /// The message with what could be done.
    pub(super) fn told(&self) -> String {
        let help = self.help.iter().map(|help| format!("\nhelp: {help}"));
        self.message.clone() + &help.collect::<String>()
    }
}

#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Label {
    pub file: Option<String>,
    pub start: At,
    pub end: At,
    pub text: String,
    pub primary: bool,
}

impl Label {
    /// Where it is, if its file is known.
    pub(super) fn place(&self) -> Option<Place> {
        Some(Place {
            file: self.file.clone()?,
            line: self.start.line?,
            column: self.start.column?,
            end_line: self.end.line?,
            end_column: self.end.column?,
        })
    }
}

#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct At {
    pub line: Option<u32>,
    pub column: Option<u32>,
}

/// A finding.
#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Found {
    pub code: String,
    pub title: String,
    pub severity: Severity,
    pub fingerprint: String,
    pub status: Status,
    pub reason: Option<String>,
    pub verdict: String,
    pub origin: String,
    pub basis: String,
    pub subject: String,
    pub cause: String,
    pub text: String,
    pub clauses: Vec<Clause>,
    pub places: Vec<Option<Place>>,
    /// On how many boards, in words; reports of earlier versions do not say.
    #[serde(default)]
    pub occurs_on: Option<String>,
    pub occurs: Option<Occurs>,
    /// Where its board comes from, if it is in no scope; reports of earlier versions do not say.
    #[serde(default)]
    pub found_on: Option<String>,
    /// The contracts on which it rests, in words; reports of earlier versions do not say.
    #[serde(default)]
    pub rests_on: Option<String>,
    /// What would mend it; reports of earlier versions do not say.
    #[serde(default)]
    pub repair: Option<Repair>,
    pub witness: Option<Witness>,
}

/// A change that mends what was found.
#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Repair {
    pub text: String,
}

impl Found {
    /// Whether it makes the check fail.
    pub(super) fn fails(&self, policy: Policy) -> bool {
        self.status == Status::New && policy.fails(self.severity)
    }

    /// The most telling place.
    pub fn place(&self) -> Option<&Place> {
        self.places.iter().flatten().next()
    }

    /// What it says, on which boards it occurs or was found, and on which contracts it rests.
    pub fn told(&self) -> String {
        let mut told = self.text.clone();
        if let Some(boards) = &self.occurs_on {
            told.push_str(&format!("\nIt occurs on {boards}"));
            let words = self.occurs.as_ref().map(|occurs| occurs.words.as_str());
            match words.filter(|words| !words.is_empty()) {
                Some(words) => told.push_str(&format!(": {words}.")),
                None => told.push('.'),
            }
        }
        for sentence in qualifiers(self.found_on.as_deref(), self.rests_on.as_deref()) {
            told.push_str(&format!("\n{sentence}"));
        }
        told
    }
}

/// How a finding stands.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub enum Status {
    New,
    Expected,
    Accepted,
}

#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Clause {
    pub id: String,
    pub document: Option<String>,
    pub locator: String,
}

#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Occurs {
    pub words: String,
}

/// A place; lines and columns count from 1, columns in characters.
#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Witness {
    pub runs: Vec<Run>,
}

#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Run {
    pub text: String,
    pub trace: Option<Vec<Moment>>,
}

/// A moment of a run: a heading, a choice or changes.
#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Moment {
    heading: Option<String>,
    choice: Option<Choice>,
    changes: Vec<String>,
    pub place: Option<Place>,
}

impl Moment {
    /// What happens, in a line.
    pub(super) fn told(&self) -> String {
        let choice = self.choice.as_ref().map(|choice| {
            let offered = choice.offered.join("; ");
            format!("{} (of {offered}; {})", choice.taken, choice.decider)
        });
        let mut parts: Vec<String> = self.heading.iter().cloned().collect();
        parts.extend(choice);
        parts.extend(self.changes.iter().cloned());
        parts.join("; ")
    }
}

#[derive(Deserialize, Debug)]
struct Choice {
    decider: String,
    taken: String,
    offered: Vec<String>,
}

/// An expected finding that is gone.
#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Vanished {
    pub code: String,
    pub subject: String,
    pub fingerprint: String,
    #[serde(default)]
    pub because: Option<String>,
}

impl Vanished {
    /// What is gone, in words.
    pub fn told(&self) -> String {
        let Self { code, subject, .. } = self;
        let decided = self.because.as_ref();
        let decided = decided.map_or_else(String::new, |one| format!(" (decided: {one})"));
        format!("{code} at {subject} was known and is gone{decided}")
    }
}

/// An `accept` that covers nothing.
#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Unused {
    pub code: String,
    pub place: Option<Place>,
}

impl Unused {
    /// What it does not cover, in words.
    pub fn told(&self) -> String {
        format!(
            "accept {} covers nothing, or nothing that another one does not",
            self.code
        )
    }
}

/// What was asked, and the verdict.
#[derive(Deserialize, Debug)]
#[allow(missing_docs, reason = "what the schema of the report says")]
pub struct Answered {
    pub kind: String,
    pub subject: String,
    /// Of what is asked of each sequence for itself; reports of earlier versions do not say.
    #[serde(default)]
    pub sequence: Option<String>,
    pub text: String,
    pub verdict: String,
    /// Which value is asked for, `largest` or `smallest`; reports of earlier versions do not say.
    #[serde(default)]
    pub asks: Option<String>,
    /// The value, of such a question; reports of earlier versions do not say.
    #[serde(default)]
    pub value: Option<i64>,
    pub limits: Vec<String>,
    /// What is to be added to what holds; reports of earlier versions do not say.
    #[serde(default)]
    pub caveat: Option<String>,
    pub findings: Vec<String>,
    pub place: Option<Place>,
}

impl Answered {
    /// Whether a limit kept it from being answered.
    pub(super) fn is_unknown(&self) -> bool {
        self.verdict == "unknown"
    }

    /// What was asked and why it is open.
    pub(super) fn told(&self) -> String {
        format!("{}: {}", self.text, self.limits.join("; "))
    }
}
