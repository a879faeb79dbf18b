//! What differs between two versions of a specification, in findings and verdicts: what an edit of the
//! rules means.
//!
//! ```text
//! Verdicts
//!   claim any_order: refuted -> holds in scope
//! ```
//!
//! Findings are told apart by their fingerprints, questions by what they are about; so an edit that only
//! moves or rewords text shows nothing. A finding is shown with the board and the runs of the version
//! that has it.

use super::finding::{facts, of_how_many, shown};
use super::headline::headline;
use super::json::one;
use super::layout::{Style, Tone, digits, hang, wrap};
use super::paragraph::paragraph;
use super::verdict::{of_finding, question_kind, question_subject, word};
use super::words::Words;
use super::{Sheet, Standing, occurs};
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::Readings;
use endstep_verdicts::verdict::{Finding, Occurs, Scope, Under, fingerprint};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of the format of [`changes_json`].
const VERSION: u32 = 1;

/// Two versions of a specification.
#[derive(Clone, Copy, Debug)]
pub struct Versions<'a> {
    /// The one before.
    pub old: Sheet<'a>,
    /// The one after.
    pub new: Sheet<'a>,
}

/// What differs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// Findings that only the new version has, by position.
    new: Vec<usize>,
    /// Findings that only the old version has, by position.
    gone: Vec<usize>,
    /// Findings of both that occur otherwise: positions in the old and the new version.
    altered: Vec<(usize, usize)>,
    /// Questions with what was the verdict and what it is; `None`: it was not asked.
    verdicts: Vec<Turned>,
}

/// A question whose verdict is another one.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Turned {
    kind: &'static str,
    subject: String,
    before: Option<&'static str>,
    after: Option<&'static str>,
}

/// One thing that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A finding that only the new version has, by position there.
    New(usize),
    /// A finding that only the old version has, by position there.
    Gone(usize),
    /// A finding of both that occurs otherwise, by position in the old version.
    Altered(usize),
    /// Another verdict.
    Verdict {
        /// What kind of question.
        kind: &'static str,
        /// About what.
        subject: String,
        /// The verdict before; `None`: it was not asked.
        before: Option<&'static str>,
        /// The verdict after.
        after: Option<&'static str>,
    },
}

impl Changes {
    /// All that differs: new findings, verdicts, findings that are gone, findings that occur otherwise.
    pub fn each(&self) -> Vec<Change> {
        let mut all: Vec<Change> = self.new.iter().copied().map(Change::New).collect();
        all.extend(self.verdicts.iter().map(|one| Change::Verdict {
            kind: one.kind,
            subject: one.subject.clone(),
            before: one.before,
            after: one.after,
        }));
        all.extend(self.gone.iter().copied().map(Change::Gone));
        all.extend(self.altered.iter().map(|&(old, _)| Change::Altered(old)));
        all
    }

    /// Whether anything differs.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Compares two versions.
    pub fn of(versions: Versions<'_>) -> Self {
        let prints = |sheet: Sheet<'_>| -> BTreeMap<String, usize> {
            let findings = sheet.results.findings.iter().enumerate();
            findings
                .map(|(at, finding)| (fingerprint(sheet.program, finding), at))
                .collect()
        };
        let (old, new) = (prints(versions.old), prints(versions.new));
        let only = |one: &BTreeMap<String, usize>, other: &BTreeMap<String, usize>| {
            let only = one.iter().filter(|(print, _)| !other.contains_key(*print));
            let mut only: Vec<usize> = only.map(|(_, &at)| at).collect();
            only.sort_unstable();
            only
        };
        let both = old
            .iter()
            .filter_map(|(print, &at)| Some((at, *new.get(print)?)));
        let differ = |&(before, after): &(usize, usize)| {
            let before = manner(versions.old, &versions.old.results.findings[before]);
            before != manner(versions.new, &versions.new.results.findings[after])
        };
        let mut altered: Vec<_> = both.filter(differ).collect();
        altered.sort_unstable_by_key(|&(_, after)| after);
        Self {
            new: only(&new, &old),
            gone: only(&old, &new),
            altered,
            verdicts: turned(versions),
        }
    }
}

/// How a finding occurs: what has to be equal for it to be the same; in the order of [`MANNERS`].
fn manner(sheet: Sheet<'_>, finding: &Finding) -> [String; 5] {
    let which = finding.occurs.as_ref();
    [
        of_finding(finding).to_owned(),
        readings(sheet, finding),
        on_how_many(sheet, finding),
        which.map_or_else(String::new, |one| occurs::in_full(sheet.program, one)),
        which.map_or_else(String::new, |one| formally(sheet.program, finding, one)),
    ]
}

/// What a finding can occur otherwise in.
const MANNERS: [&str; 5] = [
    "verdict",
    "readings",
    "on how many boards",
    "which boards",
    "which boards, formally",
];

/// Under which readings a finding occurs, with all of them and on how many boards.
fn readings(sheet: Sheet<'_>, finding: &Finding) -> String {
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let mut out = match &finding.readings {
        Under::Listed(listed) if !listed.iter().any(Readings::is_empty) => {
            let all: Vec<String> = listed.iter().map(|one| words.readings(one)).collect();
            let found = if finding.readings_known { "" } else { "found " };
            format!("{found}only if {}", all.join("; or "))
        }
        _ => words.found_under_in_full(finding),
    };
    if finding.boards_each != finding.boards {
        let each = digits(finding.boards_each);
        out.push_str(&format!(", on {each} boards under each"));
    }
    let by = finding.by_reading.iter();
    let by = by.map(|(one, boards)| format!("{}: {}", words.readings(one), digits(*boards)));
    let by: Vec<String> = by.collect();
    if !by.is_empty() {
        out.push_str(&format!(" ({})", by.join("; ")));
    }
    out
}

/// On how many of the legal boards of its scope a finding occurs.
fn on_how_many(sheet: Sheet<'_>, finding: &Finding) -> String {
    let scope = finding.scope.and_then(|at| sheet.results.scopes.get(at));
    let told = scope.filter(|_| finding.witness.is_some());
    told.map_or_else(String::new, |scope| of_how_many(finding, scope))
}

/// On which boards a finding occurs, as conditions; words leave out what nobody would say.
fn formally(program: &Program, finding: &Finding, which: &Occurs) -> String {
    let told = |(when, boards): (String, u64)| format!("{when} ({})", digits(boards));
    let (only, always) = occurs::conditions(program, which, finding.boards);
    let only = only.map(|one| format!("only those with {}", told(one)));
    let always = always.map(|one| format!("all of those with {}", told(one)));
    let parts: Vec<String> = only.into_iter().chain(always).collect();
    parts.join("; ")
}

fn turned(versions: Versions<'_>) -> Vec<Turned> {
    let verdicts = |sheet: Sheet<'_>| -> Vec<((&'static str, String), &'static str)> {
        let answers = sheet.results.answers.iter();
        let key = |subject| {
            (
                question_kind(subject),
                question_subject(sheet.program, subject),
            )
        };
        answers
            .map(|answer| (key(answer.subject), word(answer)))
            .collect()
    };
    let (old, new) = (verdicts(versions.old), verdicts(versions.new));
    let mut keys: Vec<&(&str, String)> = new.iter().map(|(key, _)| key).collect();
    keys.extend(old.iter().map(|(key, _)| key));
    let mut all: Vec<Turned> = Vec::new();
    for key in keys {
        let find = |list: &[((&'static str, String), &'static str)]| {
            list.iter()
                .find(|(one, _)| one == key)
                .map(|(_, verdict)| *verdict)
        };
        let (before, after) = (find(&old), find(&new));
        let known = all
            .iter()
            .any(|one| (one.kind, &one.subject) == (key.0, &key.1));
        if before != after && !known {
            let (kind, subject) = key.clone();
            all.push(Turned {
                kind,
                subject,
                before,
                after,
            });
        }
    }
    all
}

/// What is said of what is no longer found: that it is no longer so only if all was looked at.
fn gone(new: Sheet<'_>) -> &'static str {
    let mut scopes = new.results.scopes.iter();
    match scopes.all(Scope::is_complete) {
        true => "No longer so\n",
        false => "No longer found (the new version could not be checked completely)\n",
    }
}

/// The changes as text.
pub fn changes_text(versions: Versions<'_>, changes: &Changes, style: Style) -> String {
    let Versions { old, new } = versions;
    let mut out = style.paint(Tone::Strong, &format!("{} -> {}", old.name, new.name));
    out.push_str("\n\n");
    let mut section = |title: &str, tone: Tone, parts: Vec<String>| {
        if !parts.is_empty() {
            out.push_str(&format!(
                "{}\n{}\n",
                style.paint(tone, title),
                parts.concat()
            ));
        }
    };
    let all = |sheet: Sheet<'_>, positions: &[usize]| -> Vec<String> {
        let findings = positions
            .iter()
            .filter_map(|&at| sheet.results.findings.get(at));
        findings
            .map(|finding| told(sheet, finding, style))
            .collect()
    };
    section("New\n", Tone::Bad, all(new, &changes.new));
    section(gone(new), Tone::Good, all(old, &changes.gone));
    let altered = changes.altered.iter();
    let altered = altered.map(|&positions| otherwise(versions, positions, style));
    section("Found in both, but otherwise", Tone::Odd, altered.collect());
    let verdicts = changes.verdicts.iter().map(|one| {
        let [before, after] = [one.before, one.after].map(|verdict| verdict.unwrap_or("not asked"));
        hang(
            &format!("{} {}: {before} -> {after}", one.kind, one.subject),
            style.width,
            2,
            4,
        )
    });
    section("Verdicts", Tone::Strong, verdicts.collect());
    out.push_str(&format!(
        "findings: {} new, {} gone, {} otherwise; verdicts: {} changed\n",
        changes.new.len(),
        changes.gone.len(),
        changes.altered.len(),
        changes.verdicts.len()
    ));
    out
}

/// How a finding of both versions occurs otherwise.
fn otherwise(versions: Versions<'_>, (before, after): (usize, usize), style: Style) -> String {
    let finding = &versions.new.results.findings[after];
    let one = manner(versions.old, &versions.old.results.findings[before]);
    let other = manner(versions.new, finding);
    let subject = format!("{} at {}", finding.code, finding.subject);
    let mut lines = hang(&subject, style.width, 2, 4);
    let differs = |at: usize| one[at] != other[at];
    let (words, formally) = (MANNERS.len() - 2, MANNERS.len() - 1);
    for (at, name) in MANNERS.iter().enumerate() {
        // The data are told where the words do not tell the boards apart.
        if !differs(at) || at == formally && differs(words) {
            continue;
        }
        for (when, manner) in [("before", &one[at]), ("now", &other[at])] {
            let manner = if manner.is_empty() { "-" } else { manner };
            lines.push_str(&hang(
                &format!("{name}, {when}: {manner}"),
                style.width,
                4,
                6,
            ));
        }
    }
    lines
}

/// A finding with its board and runs.
fn told(sheet: Sheet<'_>, finding: &Finding, style: Style) -> String {
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let mut out = headline(words.program, style, finding, &Standing::New);
    out.push_str(&wrap(&paragraph(words, finding), style.width, 2));
    if !style.quiet {
        if let Some(witness) = &finding.witness {
            out.push_str(&shown(words, style, witness));
        }
        for (name, text) in facts(sheet, words, finding) {
            out.push_str(&hang(&format!("{name}: {text}"), style.width, 2, 4));
        }
    }
    out.push('\n');
    out
}

/// The changes as JSON; findings are as in the report of a check.
pub fn changes_json(versions: Versions<'_>, changes: &Changes) -> Value {
    let finding = |sheet: Sheet<'_>, at: usize| {
        let words = Words {
            program: sheet.program,
            sources: sheet.sources,
        };
        let finding = sheet.results.findings.get(at)?;
        Some(one(sheet, words, finding, sheet.standings.get(at)?))
    };
    let all = |sheet: Sheet<'_>, positions: &[usize]| -> Vec<Value> {
        positions
            .iter()
            .filter_map(|&at| finding(sheet, at))
            .collect()
    };
    let altered = changes.altered.iter().map(|&(before, after)| {
        json!({ "old": finding(versions.old, before), "new": finding(versions.new, after) })
    });
    let verdicts = changes.verdicts.iter().map(|one| {
        json!({ "kind": one.kind, "subject": one.subject, "old": one.before, "new": one.after })
    });
    json!({
        "schema": "endstep diff",
        "version": VERSION,
        "old": versions.old.name,
        "new": versions.new.name,
        "findings": {
            "new": all(versions.new, &changes.new),
            "gone": all(versions.old, &changes.gone),
            "altered": altered.collect::<Vec<_>>(),
        },
        "verdicts": verdicts.collect::<Vec<_>>(),
    })
}
