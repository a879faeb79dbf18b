//! What differs between two versions of a specification, in findings and verdicts: what an edit of the
//! rules means.
//!
//! ```text
//! Verdicts
//!   claim any_order: refuted -> holds in scope
//! ```
//!
//! Findings are told apart by their fingerprints, questions by what they are about and by the sequence of which
//! they are asked; so an edit that only moves or rewords text, or swaps declarations, shows nothing. A finding is
//! shown with the board and the runs of the version that has it.

use super::causes::leaders;
use super::finding::{facts, shown};
use super::headline::headline;
use super::json::one;
use super::layout::{Style, Tone, hang, wrap};
use super::manner::{Difference, Manner, only_if};
use super::outlook;
use super::paragraph::paragraph;
use super::part::left_out;
use super::stood::unsaid;
use super::verdict::{
    question_called, question_kind, question_parts, question_sequence, question_subject, word,
};
use super::words::Words;
use super::{Sheet, Standing};
use endstep_verdicts::verdict::{Answer, Finding, Outside, Scope, Verdict, fingerprint};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

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

impl Versions<'_> {
    /// Whether all was looked at of the old and of the new version.
    fn complete(self) -> [bool; 2] {
        [self.old, self.new].map(|sheet| {
            let results = sheet.results;
            let is_whole = |scope: &Scope| scope.is_exhausted() && scope.unvisited == 0;
            results.unsuggested == 0 && results.scopes.iter().all(is_whole)
        })
    }

    /// The same, and of tests that nobody asks for.
    fn tested(self) -> [bool; 2] {
        let [old, new] = self.complete();
        let given_up = |sheet: Sheet<'_>| {
            let mut scopes = sheet.results.scopes.iter();
            scopes.any(|scope| !scope.given_up.is_empty())
        };
        [old && !given_up(self.old), new && !given_up(self.new)]
    }

    /// Whether all was looked at of both.
    pub fn are_complete(self) -> bool {
        self.complete() == [true; 2]
    }

    /// That not all was looked at, and what that means; nothing if it was.
    fn left_open(self) -> Option<String> {
        let which = match self.complete() {
            [true, true] => return None,
            [false, true] => "The old version could not",
            [true, false] => "The new version could not",
            [false, false] => "Neither version could",
        };
        Some(format!(
            "{which} be checked completely. On how many boards a finding occurs, and on which, is compared \
             only where that is known of both versions."
        ))
    }
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
    /// Questions with what was the verdict and what it is; `None`: there was none.
    verdicts: Vec<Turned>,
}

/// A question whose verdict is another one.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Turned {
    /// For programs.
    kind: &'static str,
    /// For people, who tell questions from claims.
    called: &'static str,
    subject: String,
    /// Of what is asked of each sequence for itself.
    sequence: Option<String>,
    /// Whether the same is asked of another sequence as well.
    shared: bool,
    before: Option<&'static str>,
    after: Option<&'static str>,
    /// The largest or smallest value, where that is asked for and known.
    values: [Option<Reached>; 2],
    /// What each does not speak of, or rests on.
    but: [Option<String>; 2],
}

impl Turned {
    /// What was the verdict, and what it is.
    fn told(&self, style: Style) -> String {
        let told = |verdict: Option<String>, but: &Option<String>| {
            let but = but.as_ref().map(|but| format!(" ({but})"));
            let verdict = verdict.unwrap_or_else(|| "no verdict".to_owned());
            format!("{verdict}{}", but.unwrap_or_default())
        };
        let [was, is] = &self.values;
        let before = told(verdict_told(self.before, was.as_ref()), &self.but[0]);
        let after = told(verdict_told(self.after, is.as_ref()), &self.but[1]);
        let line = format!("{} {}: {before} -> {after}", self.called, self.about());
        hang(&line, style.width, 2, 4)
    }

    /// What is asked about, with the sequence where that is not clear without it.
    fn about(&self) -> String {
        match &self.sequence {
            Some(sequence) if self.shared => format!("{} in {sequence}", self.subject),
            _ => self.subject.clone(),
        }
    }
}

/// A largest or smallest value.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Reached {
    value: i64,
    /// Under which readings it is reached, if not under all.
    under: Option<String>,
}

/// The largest or smallest value that an answer gives; that of one that is open can be any.
fn known_value(words: Words<'_>, answer: &Answer) -> Option<Reached> {
    let best = answer.best.as_ref()?;
    (answer.verdict == Verdict::Shown).then(|| Reached {
        value: best.value,
        under: only_if(words, &best.readings, best.readings_known),
    })
}

/// A verdict with the value that was asked for: `shown: 7, only if r = one`.
fn verdict_told(verdict: Option<&str>, reached: Option<&Reached>) -> Option<String> {
    let verdict = verdict?;
    let Some(Reached { value, under }) = reached else {
        return Some(verdict.to_owned());
    };
    Some(match under {
        Some(under) => format!("{verdict}: {value}, {under}"),
        None => format!("{verdict}: {value}"),
    })
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
        /// What kind of question, as people call it.
        kind: &'static str,
        /// About what; in which sequence, if the same is asked of several.
        subject: String,
        /// The verdict before, with the value that was asked for; `None`: there was none.
        before: Option<String>,
        /// The verdict after.
        after: Option<String>,
    },
}

impl Changes {
    /// All that differs: new findings, verdicts, findings that are gone, findings that occur otherwise.
    pub fn each(&self) -> Vec<Change> {
        let mut all: Vec<Change> = self.new.iter().copied().map(Change::New).collect();
        all.extend(self.verdicts.iter().map(|one| Change::Verdict {
            kind: one.called,
            subject: one.about(),
            before: verdict_told(one.before, one.values[0].as_ref()),
            after: verdict_told(one.after, one.values[1].as_ref()),
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
            let before = Manner::of(versions.old, &versions.old.results.findings[before]);
            let after = Manner::of(versions.new, &versions.new.results.findings[after]);
            !before.differences(&after).is_empty()
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

/// What an answer is about: its kind, what is asked about, in an order that does not depend on that of the
/// declarations, and of what is asked of each sequence for itself the sequence.
type Asked = (&'static str, Vec<String>, Option<String>);

/// An answer.
struct Answered {
    asked: Asked,
    /// What kind of question, and about what, in words.
    called: &'static str,
    subject: String,
    verdict: &'static str,
    /// The largest or smallest value, where that is asked for and known.
    value: Option<Reached>,
    /// What it does not speak of, or rests on.
    but: Option<String>,
}

fn answered(sheet: Sheet<'_>) -> Vec<Answered> {
    let program = sheet.program;
    let words = Words {
        program,
        sources: sheet.sources,
    };
    let answers = sheet.results.answers.iter().map(|answer| {
        let asked = answer.subject;
        let sequence = question_sequence(asked).map(|id| program.sequences[id].name.clone());
        Answered {
            asked: (
                question_kind(asked),
                question_parts(program, asked),
                sequence,
            ),
            called: question_called(program, asked),
            subject: question_subject(program, asked),
            verdict: word(answer),
            value: known_value(words, answer),
            but: unsaid(words, answer, sheet.results),
        }
    });
    answers.collect()
}

fn turned(versions: Versions<'_>) -> Vec<Turned> {
    let (old, new) = (answered(versions.old), answered(versions.new));
    let find = |all: &[Answered], key: &Asked| {
        let found = all.iter().find(|one| one.asked == *key);
        let verdict = found.map(|one| (one.verdict, one.value.clone()));
        (verdict, found.and_then(|one| one.but.clone()))
    };
    let is_shared = |(kind, parts, sequence): &Asked| {
        let mut all = old.iter().chain(&new).map(|one| &one.asked);
        all.any(|(other, about, of)| (kind, parts) == (other, about) && of != sequence)
    };
    let mut seen: BTreeSet<&Asked> = BTreeSet::new();
    let mut all: Vec<Turned> = Vec::new();
    for one in new.iter().chain(&old) {
        let key = &one.asked;
        let ((before, was_but), (after, is_but)) = (find(&old, key), find(&new, key));
        if seen.insert(key) && before != after {
            all.push(Turned {
                kind: key.0,
                called: one.called,
                subject: one.subject.clone(),
                sequence: key.2.clone(),
                shared: is_shared(key),
                before: before.as_ref().map(|(verdict, _)| *verdict),
                after: after.as_ref().map(|(verdict, _)| *verdict),
                values: [before, after].map(|one| one?.1),
                but: [was_but, is_but],
            });
        }
    }
    all
}

/// The headings over findings that only one version has. "New" needs a complete check of the old version. A finding that
/// is no longer found may still be true: another one may be reported in its place.
fn titles(versions: Versions<'_>, restrictions: &[String]) -> [&'static str; 2] {
    let [old, new] = versions.tested();
    let part = !restrictions.is_empty();
    if outlook::differs(versions.old, versions.new).is_some() && (old, new) == (true, true) {
        return ["Found only now\n", "No longer found\n"];
    }
    [
        match (old, part) {
            (true, false) => "New\n",
            (true, true) => "New in this part\n",
            (false, _) => "Found only now (the old version could not be checked completely)\n",
        },
        match (new, part) {
            (true, false) => "No longer found\n",
            (true, true) => "No longer found in this part\n",
            (false, _) => "No longer found (the new version could not be checked completely)\n",
        },
    ]
}

/// What is said of what was found in one version on a board that the prover suggested: of the other it suggests other
/// boards, and that one need not be among them.
const SUGGESTED: [&str; 2] = [
    "Found only now, on a board that the prover suggested: the old version may have it, too\n",
    "No longer found; the board was one that the prover suggested, and the new version may have it, too\n",
];

/// Those found on boards of a specification, and those found on suggested ones alone.
fn by_suggestion(sheet: Sheet<'_>, positions: &[usize]) -> [Vec<usize>; 2] {
    let findings = &sheet.results.findings;
    let is_suggested = |at: &usize| {
        let finding = findings.get(*at);
        finding.is_some_and(|one| one.outside == Some(Outside::Suggested))
    };
    let (suggested, sure) = positions.iter().partition(|at| is_suggested(at));
    [sure, suggested]
}

/// The changes as text. `restrictions` are the options that kept the checks from looking at everything, or from
/// showing it, as they are written.
pub fn changes_text(
    versions: Versions<'_>,
    changes: &Changes,
    restrictions: &[String],
    style: Style,
) -> String {
    let Versions { old, new } = versions;
    let mut out = style.paint(Tone::Strong, &format!("{} -> {}", old.name, new.name));
    out.push_str("\n\n");
    let narrowed = old.results.narrowed || new.results.narrowed;
    let heads = left_out(restrictions, narrowed).into_iter();
    for told in heads
        .chain(versions.left_open())
        .chain(outlook::differs(versions.old, versions.new))
    {
        out.push_str(&wrap(&told, style.width, 0));
        out.push('\n');
    }
    let [found, gone] = titles(versions, restrictions);
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
    let [sure, lucky] = by_suggestion(new, &changes.new);
    section(found, Tone::Bad, all(new, &sure));
    section(SUGGESTED[0], Tone::Odd, all(new, &lucky));
    let [sure_gone, unlucky] = by_suggestion(old, &changes.gone);
    section(gone, Tone::Good, all(old, &sure_gone));
    section(SUGGESTED[1], Tone::Odd, all(old, &unlucky));
    let altered = changes.altered.iter();
    let altered = altered.map(|&positions| otherwise(versions, positions, style));
    section("Found in both, but otherwise", Tone::Odd, altered.collect());
    let verdicts = changes.verdicts.iter().map(|one| one.told(style));
    section("Verdicts", Tone::Strong, verdicts.collect());
    let alike = outlook::differs(versions.old, versions.new).is_none();
    let [old, new] = versions.tested().map(|complete| complete && alike);
    let found = if old { "new" } else { "found only now" };
    let gone = if new { "gone" } else { "no longer found" };
    out.push_str(&format!(
        "findings: {} {found}, {} {gone}, {} otherwise{}; verdicts: {} changed\n",
        sure.len(),
        sure_gone.len(),
        changes.altered.len(),
        match lucky.len() + unlucky.len() {
            0 => String::new(),
            number => format!(", {number} on suggested boards of one version"),
        },
        changes.verdicts.len()
    ));
    out
}

/// How a finding of both versions occurs otherwise.
fn otherwise(versions: Versions<'_>, (before, after): (usize, usize), style: Style) -> String {
    let finding = &versions.new.results.findings[after];
    let old = Manner::of(versions.old, &versions.old.results.findings[before]);
    let subject = format!("{} at {}", finding.code, finding.subject);
    let mut lines = hang(&subject, style.width, 2, 4);
    for Difference { name, before, now } in old.differences(&Manner::of(versions.new, finding)) {
        for (when, manner) in [("before", &before), ("now", &now)] {
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

/// The changes as JSON; findings are as in the report of a check, `restrictions` as in [`changes_text`].
pub fn changes_json(versions: Versions<'_>, changes: &Changes, restrictions: &[String]) -> Value {
    let [old, new] = versions.complete();
    let [before, after] = [versions.old, versions.new].map(|sheet| (sheet, leaders(sheet)));
    let finding = |side: &(Sheet<'_>, Vec<usize>), at: usize| {
        let (sheet, leaders) = (side.0, &side.1);
        let words = Words {
            program: sheet.program,
            sources: sheet.sources,
        };
        one(sheet, words, at, leaders)
    };
    let all = |side: &(Sheet<'_>, Vec<usize>), positions: &[usize]| -> Vec<Value> {
        let found = positions.iter().filter_map(|&at| finding(side, at));
        found.collect()
    };
    let altered = changes.altered.iter();
    let altered = altered
        .map(|&(old, new)| json!({ "old": finding(&before, old), "new": finding(&after, new) }));
    let verdicts = changes.verdicts.iter().map(|one| {
        json!({
            "kind": one.kind,
            "subject": one.subject,
            "sequence": one.sequence,
            "old": one.before,
            "new": one.after,
            "old_value": one.values[0].as_ref().map(|one| one.value),
            "old_readings": one.values[0].as_ref().and_then(|one| one.under.as_ref()),
            "new_value": one.values[1].as_ref().map(|one| one.value),
            "new_readings": one.values[1].as_ref().and_then(|one| one.under.as_ref()),
        })
    });
    json!({
        "schema": "endstep diff",
        "version": VERSION,
        "old": versions.old.name,
        "new": versions.new.name,
        "restrictions": restrictions,
        "not_the_same": outlook::differs(versions.old, versions.new),
        "only_claims": versions.old.results.narrowed || versions.new.results.narrowed,
        "complete": { "old": old, "new": new },
        "findings": {
            "new": all(&after, &changes.new),
            "gone": all(&before, &changes.gone),
            "altered": altered.collect::<Vec<_>>(),
        },
        "verdicts": verdicts.collect::<Vec<_>>(),
    })
}
