//! The page about one specification as data: all that a rules editor reads about a document, clause
//! by clause, in plain text. How it looks is a matter of the rendering, `report::markdown`.
//!
//! ```text
//! summary            how many clauses, findings, answers; an index of the findings
//! chapter            a document
//!   section          a clause: what it says, how far it got, its readings, what was asked, what was found
//! outside            what was found outside of any clause
//! asked, unasked     what holds, what does not, what is unknown
//! scopes             what was explored
//! ```
//!
//! *Guarantees*: each finding is told once, at the first of its clauses, and linked from the others.
//! Every link leads to an anchor of the page.

mod anchors;
mod source;

mod asked;
mod formal;
mod overview;
mod section;
mod told;
mod versions;

pub(super) use asked::{ALSO_HOLDS, Asked, Group, Outcome, by_answer};
pub(super) use overview::{Line, legend, meaning};
pub(super) use section::{Chapter, Matters, Section, Ways};
pub(super) use source::Link;
pub(super) use told::{Evidence, FindingText, Passage};
pub(super) use versions::{Apart, Effect, Row, Versions};

use super::causes::leaders;
use super::conditional::title;
use super::coverage::clause_counts_explained;
use super::part::{keeps_findings_back, untried};
use super::ranges::sizes;
use super::scope_line::scope_lines;
use super::text::{beyond, gone_lines, not_run};
use super::verdict::{scope_condition, scope_subject, why_open};
use super::weight::{gravest, ranked};
use super::words::{Words, capital, plain};
use super::{Sheet, Tally, board, made_up, occurs};
use anchors::Anchors;
use endstep_language::diag::Severity;
use endstep_language::typing::program::Program;
use endstep_tools::coverage::clauses;
use endstep_verdicts::verdict::{Finding, ScopeOf};
use source::{Source, label};

/// The page.
pub(super) struct Page {
    /// The game, or what the specification is called.
    pub title: String,
    /// What the specification is called.
    pub name: String,
    /// The titles of its documents.
    pub documents: Vec<String>,
    /// To what the check was restricted.
    pub restrictions: Vec<String>,
    /// Whether nothing was looked at but claims that these name.
    pub only_claims: bool,
    /// How far the clauses got, if there are any.
    pub coverage: Option<String>,
    /// How many findings there are.
    pub tally: Tally,
    /// The anchors of the findings, as they are in the results.
    pub anchors: Vec<String>,
    /// The same, the most serious first.
    pub ranked: Vec<String>,
    /// Of each kind the most serious one, of the most serious kinds.
    pub gravest: Vec<String>,
    /// An index of the findings.
    pub kinds: Vec<Kind>,
    /// What all boards have in common, and boards do not show.
    pub in_common: Vec<String>,
    /// Why questions are open, if some are.
    pub why_open: String,
    /// What was performed, and the sizes of the boards on which.
    pub tried: Vec<String>,
    /// Whether some of these boards or runs were left out because of a limit.
    pub is_limited: bool,
    /// Whether tests that nobody asked for, or boards of the file, were given up.
    pub is_cut: bool,
    /// The documents.
    pub chapters: Vec<Chapter>,
    /// Readings that stand outside of any clause.
    pub ways_outside: Vec<Ways>,
    /// Findings outside of any clause.
    pub outside: Vec<FindingText>,
    /// What the document claims and the author asks.
    pub asked: Vec<Asked>,
    /// What holds without anybody having asked.
    pub unasked: Vec<Group>,
    /// What is unknown, and why, without anybody having asked.
    pub unknown: Vec<String>,
    /// What each reading changes.
    pub versions: Versions,
    /// What was explored, a line for each start.
    pub scopes: Vec<String>,
    /// The conditions of `explore only`: name and condition.
    pub conditions: Vec<(String, String)>,
    /// What was expected and is gone.
    pub gone: Vec<String>,
}

/// The findings with one code.
pub(super) struct Kind {
    /// The code.
    pub code: &'static str,
    /// Its title, as a sentence without an end.
    pub title: String,
    /// The findings.
    pub links: Vec<Link>,
}

/// So many findings are named before all others.
const GRAVEST: usize = 3;

impl Page {
    /// The page about what a sheet holds.
    pub(super) fn of(sheet: Sheet<'_>) -> Self {
        let program = sheet.program;
        let words = Words {
            program,
            sources: sheet.sources,
        };
        let anchors = Anchors::of(sheet);
        let source = Source {
            sheet,
            words,
            anchors: &anchors,
        };
        let title = match program.game.is_empty() {
            true => sheet.name.to_owned(),
            false => program.game.clone(),
        };
        let anchored = |all: Vec<usize>| all.into_iter().map(|at| anchors.finding(at)).collect();
        let covered = clauses(program);
        let documents = program.documents.values().iter();
        let scopes = &sheet.results.scopes;
        let mut teller = told::Teller::new(source);
        let mut chapters = section::chapters(source, &covered, &mut teller);
        let all_told = !sheet
            .restrictions
            .iter()
            .any(|one| keeps_findings_back(one));
        for section in chapters.iter_mut().flat_map(|one| &mut one.sections) {
            section.all_told = all_told;
        }
        let (unasked, unknown) = asked::unasked(source);
        Self {
            title,
            name: sheet.name.to_owned(),
            documents: documents.map(|one| one.title.clone()).collect(),
            restrictions: sheet.restrictions.to_vec(),
            only_claims: sheet.results.narrowed,
            coverage: (!covered.all.is_empty()).then(|| clause_counts_explained(&covered)),
            tally: Tally::of(sheet),
            anchors: anchored((0..sheet.results.findings.len()).collect()),
            ranked: anchored(ranked(sheet)),
            gravest: anchored(gravest(sheet, &leaders(sheet), GRAVEST)),
            kinds: kinds(source),
            in_common: in_common(program),
            tried: tried(source),
            is_limited: scopes
                .iter()
                .filter(|one| one.subject.board(program).is_none() || !one.has_no_board())
                .any(|one| one.limited > 0 || !one.limitations.is_empty()),
            is_cut: scopes
                .iter()
                .any(|one| !one.given_up.is_empty() || one.unvisited > 0),
            chapters,
            ways_outside: section::ways(source, None),
            outside: teller.at(None),
            asked: asked::asked(source),
            unasked,
            unknown,
            versions: versions::versions(source),
            scopes: scope_lines(words, scopes)
                .into_iter()
                .chain(beyond(sheet.results))
                .collect(),
            conditions: conditions(words),
            gone: gone_lines(sheet, words),
            why_open: why_open(sheet.results),
        }
    }

    /// What is said where nothing is shown that is worse than a note: a heading, and a sentence.
    pub(super) fn clean(&self) -> (&'static str, String) {
        let keeps_back = self.restrictions.iter().any(|one| keeps_findings_back(one));
        let is_part = self.is_limited || self.is_cut || !self.restrictions.is_empty();
        let heading = match (keeps_back, is_part) {
            (true, _) => "No problems among what is shown",
            (false, true) => "No problems in what was tried",
            (false, false) => "No problems",
        };
        let found = match keeps_back {
            true => "Nothing that is shown is more than a note.",
            false => "Nothing was found that is more than a note.",
        };
        let rest = match self.is_limited || self.is_cut {
            true => " Not everything could be looked at.",
            false => "",
        };
        (heading, format!("{found}{rest}"))
    }

    /// What is to be said of what the options left out.
    pub(super) fn left_out(&self) -> String {
        let findings = self.restrictions.iter().any(|one| keeps_findings_back(one));
        let rest = self
            .restrictions
            .iter()
            .any(|one| !keeps_findings_back(one));
        let told = match (findings, rest) {
            (true, false) => "Other findings are not shown.",
            (true, true) => "Other findings are not shown, and nothing is said about the rest.",
            (false, _) => "Nothing is said about the rest.",
        };
        match untried(&self.restrictions, self.only_claims) {
            Some(untried) => format!("{told} {untried}"),
            None => told.to_owned(),
        }
    }

    /// All findings, in the order of the page.
    pub(super) fn told(&self) -> impl Iterator<Item = &FindingText> {
        let sections = self.chapters.iter().flat_map(|chapter| &chapter.sections);
        sections
            .flat_map(|section| &section.told)
            .chain(&self.outside)
    }

    /// The findings with some anchors.
    pub(super) fn named<'p>(
        &'p self,
        anchors: &'p [String],
    ) -> impl Iterator<Item = &'p FindingText> {
        let one = |anchor: &String| self.told().find(|told| told.anchor == *anchor);
        anchors.iter().filter_map(one)
    }
}

/// The findings by code, notes last, and what the text alone shows after what happens on a board.
fn kinds(source: Source<'_>) -> Vec<Kind> {
    let findings = source.sheet.results.findings.iter();
    let mut all: Vec<(usize, &Finding)> = findings.enumerate().collect();
    let called = |finding: &Finding| capital(&title(source.sheet.program, finding));
    all.sort_by_cached_key(|(_, finding)| {
        let is_note = finding.severity == Severity::Note;
        (
            is_note,
            finding.witness.is_none(),
            finding.code.id(),
            called(finding),
        )
    });
    let mut found: Vec<Kind> = Vec::new();
    for (at, finding) in all {
        let title = called(finding);
        let link = Link {
            text: label(source.words, finding),
            anchor: source.anchors.finding(at),
        };
        match found.last_mut() {
            Some(kind) if kind.code == finding.code.id() && kind.title == title => {
                kind.links.push(link)
            }
            _ => found.push(Kind {
                code: finding.code.id(),
                title,
                links: vec![link],
            }),
        }
    }
    found
}

/// What all boards that were tried have in common.
fn in_common(program: &Program) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, sort) in program.sorts.iter() {
        let fields = sort.fields.iter().map(|&field| &program.fields[field]);
        let fields = fields.filter_map(|field| {
            let value = occurs::value_name(program, field.ty, field.starts?);
            Some(format!("{} = {}", plain(&field.name), plain(&value)))
        });
        let fields: Vec<String> = fields.collect();
        if board::always(program, id) == Some(0) {
            continue;
        }
        let number = board::always(program, id).map_or_else(String::new, |n| format!("{n} "));
        match (fields.is_empty(), number.is_empty()) {
            (true, true) => {}
            (true, false) => lines.push(format!("{number}{}", sort.name)),
            (false, _) => lines.push(format!("{number}{} with {}", sort.name, fields.join(", "))),
        }
    }
    let vars = program.vars.values().iter().filter_map(|var| {
        let value = occurs::value_name(program, var.ty, var.starts?);
        Some(format!("{} = {}", plain(&var.name), plain(&value)))
    });
    lines.extend(vars);
    lines
}

/// What was performed on all legal boards, and their sizes.
fn tried(source: Source<'_>) -> Vec<String> {
    let scopes = source.sheet.results.scopes.iter();
    let scopes = scopes.filter(|scope| !matches!(scope.subject, ScopeOf::Example(_)));
    let line = |scope| {
        let sizes = sizes(source.words, scope);
        let subject = scope_subject(source.words, scope);
        let condition = scope_condition(source.words, scope);
        let condition = condition.map_or_else(String::new, |one| format!(" where {one}"));
        match sizes.is_empty() {
            true => format!("{subject}{condition}"),
            false => format!("{subject} with {sizes}{condition}"),
        }
    };
    scopes
        .map(line)
        .chain(made_up::lines(source.words))
        .chain(not_run(source.words))
        .collect()
}

/// The conditions under which boards were enumerated.
fn conditions(words: Words<'_>) -> Vec<(String, String)> {
    let all = words.program.explored.iter();
    all.map(|one| (one.name.clone(), words.quote(one.condition.span)))
        .collect()
}
