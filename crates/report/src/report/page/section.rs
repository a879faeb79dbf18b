//! A clause as a page tells it, with its readings.

use super::asked::{Asked, asked_at};
use super::formal::{Formal, formal};
use super::source::{Link, Source};
use super::told::{FindingText, Teller};
use crate::report::caveat::caveat;
use crate::report::stood::{LEFT_OUT, allows, by_contract_left_out};
use crate::report::verdict::{question_sequence, why_unknown};
use crate::report::words::plain;
use endstep_language::typing::program::{ClauseIdx, DocumentId, ReadingId, ReadingOrigin};
use endstep_tools::coverage::{ClauseState, ClauseStatus, Clauses};
use endstep_verdicts::verdict::{Answer, Detail, Finding, Question, Verdict};
use std::collections::BTreeMap;

/// A document.
pub(in crate::report) struct Chapter {
    /// Its title.
    pub title: String,
    /// Its clauses, in their order.
    pub sections: Vec<Section>,
}

/// A clause.
pub(in crate::report) struct Section {
    /// Where it stands on the page.
    pub anchor: String,
    /// Its id.
    pub id: String,
    /// Where it stands in the document.
    pub locator: String,
    /// The paraphrase.
    pub says: String,
    /// How far it got.
    pub state: ClauseState,
    /// Why it is waived.
    pub reason: Option<String>,
    /// What stands under it in the specification.
    pub formal: Formal,
    /// Clauses that prevail over it.
    pub yields_to: Vec<Link>,
    /// Its readings.
    pub ways: Vec<Ways>,
    /// What it claims.
    pub asked: Vec<Asked>,
    /// What was found at it.
    pub told: Vec<FindingText>,
    /// Findings that have to do with it and are told at another clause.
    pub elsewhere: Vec<Link>,
    /// Whether all findings are told that there are.
    pub all_told: bool,
}

impl Section {
    /// Whether it is formalised, and nothing was found at it.
    pub(in crate::report) fn is_faultless(&self) -> bool {
        let nothing = self.told.is_empty() && self.elsewhere.is_empty();
        nothing && self.all_told && self.state == ClauseState::Formalised
    }

    /// Whether it is formalised, and that is all that is to be said of it.
    pub(in crate::report) fn is_plain(&self) -> bool {
        let alone = self.yields_to.is_empty() && self.elsewhere.is_empty();
        alone && self.reason.is_none() && self.state == ClauseState::Formalised
    }

    /// How far it got, in a word or two.
    pub(in crate::report) fn got(&self) -> &'static str {
        match self.state {
            ClauseState::Formalised => "Formalised",
            ClauseState::Waived => "Waived",
            ClauseState::Informal => "Nothing to formalise",
            ClauseState::Missing => "Missing",
        }
    }
}

/// A reading.
pub(in crate::report) struct Ways {
    /// What is read in several ways.
    pub name: String,
    /// The alternatives in words.
    pub alternatives: Vec<String>,
    /// Whether it makes a difference.
    pub matters: Matters,
}

/// Whether a reading makes a difference.
pub(in crate::report) enum Matters {
    /// It does, as findings show.
    Yes(Vec<Link>),
    /// It does, as findings show that are left out here; and on which contracts they rest, in words.
    Hidden(String),
    /// It does not, on any board that was tried; and what that does not say.
    No(Option<String>),
    /// No run depends on it.
    Unused(Link),
    /// It is not known, and why.
    Unknown(String),
    /// Nothing was compared that could show it.
    NotAsked,
}

impl Matters {
    /// In words, without what shows it.
    pub(in crate::report) fn words(&self) -> String {
        match self {
            Self::Yes(_) => "it matters which".to_owned(),
            Self::Hidden(allows) => format!("it matters which, by {LEFT_OUT}{allows}"),
            Self::No(caveat) => {
                let caveat = caveat.as_ref();
                let caveat = caveat.map_or_else(String::new, |caveat| format!(" ({caveat})"));
                format!(
                    "whichever is meant, everything verified comes out the same on every board in scope that was tried{caveat}"
                )
            }
            Self::Unused(_) => "no run depends on it".to_owned(),
            Self::Unknown(why) => format!("whether it matters is unknown: {why}"),
            Self::NotAsked => "nothing was compared that could show whether it matters".to_owned(),
        }
    }
}

/// The documents with their clauses; those outside of any document come last.
pub(super) fn chapters(
    source: Source<'_>,
    covered: &Clauses,
    teller: &mut Teller<'_>,
) -> Vec<Chapter> {
    let program = source.sheet.program;
    let mut documents: BTreeMap<(bool, Option<DocumentId>), Vec<Section>> = BTreeMap::new();
    for ((id, clause), status) in program.clauses.iter().zip(&covered.all) {
        let document = (clause.document.is_none(), clause.document);
        let section = section(source, (id, status), teller);
        documents.entry(document).or_default().push(section);
    }
    let chapter = |((_, document), sections): ((bool, Option<DocumentId>), _)| {
        let document = document.and_then(|id| program.documents.get(id));
        let title = document.map(|document| document.title.clone());
        Chapter {
            title: title.unwrap_or_else(|| "Outside of any document".to_owned()),
            sections,
        }
    };
    documents.into_iter().map(chapter).collect()
}

fn section(
    source: Source<'_>,
    (id, status): (ClauseIdx, &ClauseStatus),
    teller: &mut Teller<'_>,
) -> Section {
    let clause = &source.sheet.program.clauses[id];
    let findings = source.sheet.results.findings.iter().enumerate();
    let elsewhere = findings.filter(|(_, one)| one.clauses.iter().skip(1).any(|one| *one == id));
    let elsewhere = elsewhere.map(|(at, _)| source.titled(at));
    let yields_to = clause.yields_to.iter();
    Section {
        anchor: source.anchors.clause(id),
        id: status.id.clone(),
        locator: status.locator.clone(),
        says: status.says.clone(),
        state: status.state,
        reason: status.reason.clone(),
        formal: formal(source.words, id),
        yields_to: yields_to.map(|&one| source.clause(one)).collect(),
        ways: ways(source, Some(id)),
        asked: asked_at(source, id),
        told: teller.at(Some(id)),
        elsewhere: elsewhere.collect(),
        all_told: true,
    }
}

/// The readings that stand at a clause, or outside of any.
pub(super) fn ways(source: Source<'_>, clause: Option<ClauseIdx>) -> Vec<Ways> {
    let readings = source.sheet.program.readings.iter();
    let here = readings.filter(|(_, reading)| reading.clause == clause);
    let one = |(id, reading): (ReadingId, &endstep_language::typing::program::Reading)| Ways {
        name: match reading.origin {
            ReadingOrigin::Declared => plain(&reading.name),
            _ => source.words.reading(id),
        },
        alternatives: (0..reading.alternatives.len())
            .map(|at| alternative(source, id, at))
            .collect(),
        matters: matters(source, id),
    };
    here.map(one).collect()
}

/// An alternative in words, and the clauses it rests on, if they are others.
fn alternative(source: Source<'_>, id: ReadingId, at: usize) -> String {
    let text = source.words.alternative(id, at as u16);
    let reading = &source.sheet.program.readings[id];
    let cites = reading
        .alternatives
        .get(at)
        .map_or(&[][..], |one| &one.cites);
    let cites = cites.iter().filter(|one| Some(**one) != reading.clause);
    let cites = cites.map(|&one| source.sheet.program.clauses[one].id.as_str());
    let cites: Vec<&str> = cites.collect();
    match cites.is_empty() {
        true => text,
        false => format!("{text}, as in {}", cites.join(", ")),
    }
}

/// Whether a reading makes a difference.
pub(super) fn matters(source: Source<'_>, id: ReadingId) -> Matters {
    let about = |wanted: &dyn Fn(&Finding) -> bool| -> Vec<Link> {
        let findings = source.sheet.results.findings.iter().enumerate();
        let findings = findings.filter(|(_, finding)| wanted(finding));
        findings.map(|(at, _)| source.finding(at)).collect()
    };
    let differ = about(&|finding| match finding.detail {
        Detail::Reading { reading, .. } | Detail::ReadingPower { reading, .. } => reading == id,
        _ => false,
    });
    if !differ.is_empty() {
        return Matters::Yes(differ);
    }
    let unused = about(&|finding| matches!(finding.detail, Detail::DeadReading(one) if one == id));
    if let Some(link) = unused.into_iter().next() {
        return Matters::Unused(link);
    }
    let answers = source.sheet.results.answers.iter();
    let answers =
        answers.filter(|answer| matches!(answer.subject, Question::Reading(_, one) if one == id));
    let answers: Vec<&Answer> = answers.collect();
    if answers.iter().any(|one| one.verdict == Verdict::Refuted) {
        let results = source.sheet.results;
        let left_out = answers.iter().flat_map(|one| &one.left_out);
        let left_out = left_out.filter_map(|&at| results.left_out.get(at));
        let contracts = by_contract_left_out(source.words, left_out);
        return Matters::Hidden(allows(source.words, contracts));
    }
    let mut alike: Vec<&Answer> = Vec::new();
    for answer in answers {
        match &answer.verdict {
            Verdict::Unknown(why) if answer.is_open() => {
                let why: Vec<String> = why_unknown(why);
                return Matters::Unknown(why.join("; "));
            }
            Verdict::HoldsInScope | Verdict::Unknown(_) => alike.push(answer),
            Verdict::Refuted | Verdict::Shown | Verdict::NoneInScope => {}
        }
    }
    match alike.is_empty() {
        true => Matters::NotAsked,
        false => Matters::No(unsaid(source, &alike)),
    }
}

/// What it does not say that two readings play alike, in each of several sequences.
fn unsaid(source: Source<'_>, alike: &[&Answer]) -> Option<String> {
    let told = |answer: &Answer| caveat(source.words, answer, source.sheet.results);
    let all: Vec<Option<String>> = alike.iter().map(|one| told(one)).collect();
    let [first, others @ ..] = &all[..] else {
        return None;
    };
    if others.iter().all(|one| one == first) {
        return first.clone();
    }
    let parts = all.iter().zip(alike).filter_map(|(told, answer)| {
        let sequence = question_sequence(answer.subject)?;
        let sequence = &source.sheet.program.sequences[sequence].name;
        Some(format!("in {}, {}", plain(sequence), told.as_ref()?))
    });
    Some(parts.collect::<Vec<_>>().join("; "))
}
