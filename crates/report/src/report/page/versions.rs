//! The readings matrix: what each way to read a sentence changes, in what comes out, in who decides, and
//! in the answers to what was claimed and asked.
//!
//! ```text
//! no health    exactly | or less    results differ, on 1 Card    all buried: can fail if exactly
//! ```

use super::section::{Matters, matters};
use super::source::{Link, Source};
use crate::report::conditional::found_under;
use crate::report::extreme;
use crate::report::layout::list;
use crate::report::words::plain;
use endstep_language::typing::program::{Reading, ReadingId, ReadingOrigin};
use endstep_semantics::semantics::{Readings, Tag};
use endstep_semantics::witness::{Run, RunEnd};
use endstep_verdicts::verdict::{Answer, Best, Detail, Finding, Question, Under, Verdict};

/// The matrix.
pub(in crate::report) struct Versions {
    /// The claims and questions whose answer depends on a reading.
    pub columns: Vec<Column>,
    /// The readings.
    pub rows: Vec<Row>,
    /// Those whose answer is the same under every reading.
    pub steady: Vec<String>,
    /// What a run shows, by what it is called, and the readings of that run: under which others it can happen was
    /// not asked.
    pub shown: Vec<(String, String)>,
    /// Questions for a largest or smallest value, and under which readings it is that, where others have another.
    pub valued: Vec<(String, String)>,
}

/// A claim or question.
pub(in crate::report) struct Column {
    /// What it is called.
    pub name: String,
    /// Under which readings it can fail, in words.
    pub under: String,
    /// The findings that refute it.
    pub findings: Vec<Link>,
}

/// A reading.
pub(in crate::report) struct Row {
    /// What it is called.
    pub name: String,
    /// The clause at which it stands.
    pub clause: Option<Link>,
    /// The alternatives: what each is called, and in words.
    pub alternatives: Vec<(String, String)>,
    /// Whether it makes a difference.
    pub matters: Matters,
    /// What tells two of the alternatives apart.
    pub apart: Vec<Apart>,
    /// What it does to the answer of each column; nothing if the answer does not depend on it.
    pub answers: Vec<String>,
}

/// What tells two alternatives apart.
pub(in crate::report) struct Apart {
    /// What they are called.
    pub pair: [String; 2],
    /// In what they differ.
    pub effect: Effect,
    /// The board on which it is shown that they do: `2 Card, 1 Player`.
    pub board: String,
    /// The finding that shows it.
    pub finding: Link,
}

/// In what two readings differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) enum Effect {
    /// It comes out differently.
    Results,
    /// Under one of them the document falls silent, under the other not.
    Silence,
    /// Under both it falls silent, after other things or in another place.
    Silences,
    /// It can come out alike, and other players decide.
    Power,
}

impl Effect {
    /// In words.
    pub(in crate::report) fn words(self) -> &'static str {
        match self {
            Self::Results => "results differ",
            Self::Silence => "one falls silent",
            Self::Silences => "both fall silent",
            Self::Power => "who decides differs",
        }
    }
}

/// The matrix of a specification.
pub(super) fn versions(source: Source<'_>) -> Versions {
    let program = source.sheet.program;
    let answers = source.sheet.results.answers.iter();
    let claims: Vec<(String, &Answer)> = answers
        .filter_map(|answer| match answer.subject {
            Question::Claim(at) => Some((plain(&program.claims.get(at)?.name), answer)),
            _ => None,
        })
        .collect();
    let is_moved = |answer: &Answer| {
        let mut readings = program.readings.ids();
        readings.any(|id| mentions(source, answer, id))
    };
    let (moved, others): (Vec<_>, Vec<_>) =
        claims.into_iter().partition(|(_, answer)| is_moved(answer));
    let (steady, others): (Vec<_>, Vec<_>) = others
        .into_iter()
        .partition(|(_, one)| is_steady(source, one));
    let (valued, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(_, one)| one.best.is_some());
    let valued = valued.into_iter().filter_map(|(name, answer)| {
        let under = extreme::under(source.words, answer.best.as_ref()?)?;
        Some((name, plain(&under)))
    });
    let shown = others.into_iter().filter_map(|(name, answer)| {
        let under = source.words.readings(&shown_under(answer)?);
        (!under.is_empty()).then(|| (name, plain(&under)))
    });
    let columns = moved.iter().map(|(name, answer)| Column {
        name: name.clone(),
        under: under(source, answer),
        findings: answer
            .findings
            .iter()
            .map(|&at| source.finding(at))
            .collect(),
    });
    let row = |(id, reading): (ReadingId, &Reading)| Row {
        name: match reading.origin {
            ReadingOrigin::Declared => plain(&reading.name),
            _ => source.words.reading(id),
        },
        clause: reading.clause.map(|clause| source.clause(clause)),
        alternatives: (0..reading.alternatives.len())
            .map(|at| (called(reading, at), source.words.alternative(id, at as u16)))
            .collect(),
        matters: matters(source, id),
        apart: apart(source, id),
        answers: moved
            .iter()
            .map(|(_, answer)| match mentions(source, answer, id) {
                true => told(
                    reading,
                    &failing(source, answer, id),
                    is_known(source, answer),
                ),
                false if is_known(source, answer) => String::new(),
                false => "no difference is known".to_owned(),
            })
            .collect(),
    };
    Versions {
        columns: columns.collect(),
        rows: program.readings.iter().map(row).collect(),
        steady: steady.into_iter().map(|(name, _)| name).collect(),
        shown: shown.collect(),
        valued: valued.collect(),
    }
}

/// What an alternative is called.
fn called(reading: &Reading, at: usize) -> String {
    let found = reading.alternatives.get(at);
    found.map_or_else(|| at.to_string(), |one| plain(&one.name))
}

/// What refutes an answer.
fn refuting<'a>(source: Source<'a>, answer: &Answer) -> Vec<&'a Finding> {
    let findings = answer.findings.iter();
    let findings = findings.filter_map(|&at| source.sheet.results.findings.get(at));
    findings.collect()
}

/// Whether a reading is among those on which it depends that an answer is refuted.
fn mentions(source: Source<'_>, answer: &Answer, id: ReadingId) -> bool {
    let findings = refuting(source, answer);
    let listed = |finding: &&Finding| match &finding.readings {
        Under::All => None,
        Under::Listed(listed) if listed.iter().any(Readings::is_empty) => None,
        Under::Listed(listed) => Some(listed.iter().any(|one| one.contains_key(&id))),
    };
    let mentioned: Option<Vec<bool>> = findings.iter().map(listed).collect();
    mentioned.is_some_and(|all| all.contains(&true))
}

/// Whether an answer that mentions no reading is known to be the same under all.
fn is_steady(source: Source<'_>, answer: &Answer) -> bool {
    let scopes = &source.sheet.results.scopes;
    let scopes: Vec<_> = answer
        .scopes
        .iter()
        .filter_map(|&at| scopes.get(at))
        .collect();
    let is_open = scopes
        .iter()
        .all(|one| one.fixed.is_empty() && one.restricted == 0);
    // Boards of the file count as well.
    let is_all_visited = scopes.iter().all(|one| one.unvisited == 0);
    match answer.verdict {
        // By a finding that does not depend on a reading, and is not left out.
        Verdict::Refuted => is_open && !refuting(source, answer).is_empty(),
        // Nothing was found under any of the readings that were tried.
        Verdict::HoldsInScope | Verdict::NoneInScope => is_open && is_all_visited,
        // That no value is better was seen under all that were tried.
        Verdict::Shown if answer.best.is_some() => {
            let is_everywhere = answer.best.as_ref().is_some_and(Best::is_everywhere);
            is_everywhere && is_open && is_all_visited
        }
        // A run that consults no reading is one under all of them.
        Verdict::Shown => is_open && shown_under(answer).is_some_and(|all| all.is_empty()),
        Verdict::Unknown(_) => answer.proof.is_some(),
    }
}

/// The readings of the run that shows an answer, if one does.
fn shown_under(answer: &Answer) -> Option<Readings> {
    let runs = answer.witness.as_ref()?.runs();
    Some(runs.first()?.readings.clone())
}

/// Under which readings an answer can be refuted, in words.
fn under(source: Source<'_>, answer: &Answer) -> String {
    let findings = refuting(source, answer);
    let words = findings.iter().map(|one| found_under(source.words, one));
    plain(&words.collect::<Vec<_>>().join("; and "))
}

/// The alternatives of a reading under which an answer can be refuted; none if that is so under all.
fn failing(source: Source<'_>, answer: &Answer, id: ReadingId) -> Vec<usize> {
    let number = source.sheet.program.readings[id].alternatives.len();
    let findings = refuting(source, answer);
    let fails = |at: &usize| {
        let mut findings = findings.iter();
        findings.any(|finding| occurs(&finding.readings, id, *at as u16))
    };
    let found: Vec<usize> = (0..number).filter(fails).collect();
    match found.len() == number {
        true => Vec::new(),
        false => found,
    }
}

/// Whether something occurs with an alternative.
fn occurs(under: &Under, id: ReadingId, at: u16) -> bool {
    let fits = |listed: &Readings| listed.get(&id).is_none_or(|one| *one == at);
    match under {
        Under::All => true,
        Under::Listed(listed) => listed.iter().any(fits),
    }
}

/// Whether an answer is known not to be refuted under other readings than those of its findings.
fn is_known(source: Source<'_>, answer: &Answer) -> bool {
    let findings = refuting(source, answer);
    findings.iter().all(|finding| finding.readings_known)
}

fn told(reading: &Reading, failing: &[usize], known: bool) -> String {
    if failing.is_empty() {
        return match known {
            true => "it depends, with another reading",
            false => "whether it depends is not known",
        }
        .to_owned();
    }
    let names = |fails: bool| {
        let all = 0..reading.alternatives.len();
        let some = all.filter(|at| failing.contains(at) == fails);
        let names: Vec<String> = some.map(|at| called(reading, at)).collect();
        list(&names, "or")
    };
    match known {
        true => format!("can fail if {}; not if {}", names(true), names(false)),
        false => format!("can fail if {}; not known if {}", names(true), names(false)),
    }
}

/// What tells alternatives of a reading apart.
fn apart(source: Source<'_>, id: ReadingId) -> Vec<Apart> {
    let reading = &source.sheet.program.readings[id];
    let findings = source.sheet.results.findings.iter().enumerate();
    let one = |(at, finding): (usize, &Finding)| {
        let (pair, effect) = match &finding.detail {
            Detail::Reading {
                reading: of,
                first,
                second,
                ..
            } if *of == id => ([*first, *second], effect(finding)),
            Detail::ReadingPower {
                reading: of,
                able,
                unable,
                ..
            } if *of == id => ([*able, *unable], Effect::Power),
            _ => return None,
        };
        Some(Apart {
            pair: pair.map(|at| called(reading, usize::from(at))),
            effect,
            board: board(source, finding),
            finding: source.finding(at),
        })
    };
    findings.filter_map(one).collect()
}

/// Whether two outcomes differ, or the document falls silent.
fn effect(finding: &Finding) -> Effect {
    let runs = finding.witness.as_ref().map(|witness| witness.runs());
    let is_silent = |run: &&Run| match &run.end {
        RunEnd::Ended(ended) => matches!(ended.tag, Tag::Gap(_)),
        _ => false,
    };
    let silent = runs.map_or(0, |runs| runs.iter().copied().filter(is_silent).count());
    match silent {
        1 => Effect::Silence,
        2 => Effect::Silences,
        _ => Effect::Results,
    }
}

/// How large the board of a finding is.
fn board(source: Source<'_>, finding: &Finding) -> String {
    let runs = finding.witness.as_ref().map(|witness| witness.runs());
    let Some(run) = runs.and_then(|runs| runs.first().copied()) else {
        return String::new();
    };
    let sorts = source.sheet.program.sorts.iter();
    let sizes = sorts.filter_map(|(id, sort)| {
        let number = run.board.members(id).count();
        (number > 0).then(|| format!("{number} {}", sort.name))
    });
    let sizes: Vec<String> = sizes.collect();
    match sizes.is_empty() {
        true => crate::report::board::NOTHING.to_owned(),
        false => sizes.join(", "),
    }
}
