//! A finding as a page tells it.

use super::source::{Link, Source, label};
use crate::report::causes::leaders;
use crate::report::conditional::title;
use crate::report::exhibit::Exhibit;
use crate::report::film::Film;
use crate::report::finding::{facts, found_on, qualifiers, replay};
use crate::report::headline::{known, origin, standing_line, status};
use crate::report::layout::Style;
use crate::report::paragraph::paragraph;
use crate::report::stood::rests_on;
use crate::report::weight::why;
use crate::report::words::{basis, capital, severity};
use endstep_language::diag::Severity;
use endstep_language::typing::program::ClauseIdx;
use endstep_semantics::witness::Witness;
use endstep_verdicts::verdict::{Finding, Minimality, Origin};

/// A finding.
pub(in crate::report) struct FindingText {
    /// Where it stands on the page.
    pub anchor: String,
    /// Its code.
    pub code: &'static str,
    /// The title of its code, as a sentence without an end.
    pub title: String,
    /// What it is about, for telling those with one code apart.
    pub label: String,
    /// Its verdict, its origin, its basis, and whether it was expected.
    pub standing: String,
    /// Whether it is no fault.
    pub is_note: bool,
    /// Whether nobody asked for it.
    pub is_discovered: bool,
    /// What it is sorted by.
    pub traits: Traits,
    /// What it says.
    pub paragraph: String,
    /// Where it was found and on what it rests, a sentence each, if that is to be said beside it.
    pub qualifiers: Vec<String>,
    /// Why it matters.
    pub why: &'static str,
    /// What shows it.
    pub evidence: Evidence,
    /// The other clauses that it rests on.
    pub clauses: Vec<Link>,
    /// All of them, with what they say.
    pub passages: Vec<Passage>,
    /// Its runs as a film, and the clauses of the film in their order; nothing if no run shows it.
    pub film: Option<(Film, Vec<Passage>)>,
    /// Further facts: names and what they are.
    pub facts: Vec<(&'static str, String)>,
    /// The command that shows it again.
    pub replay: Option<String>,
    /// The other findings of the same cause, the one that leads before all others.
    pub same: Vec<Link>,
    /// Whether another finding leads those of its cause.
    pub follows: bool,
    /// Whether no smaller board in scope shows it without rules of a weaker basis.
    pub is_smallest: bool,
}

impl FindingText {
    /// Whether a few lines are enough: the text alone shows it, another finding shows its cause, or it is a
    /// note that nobody asked for.
    pub(in crate::report) fn is_brief(&self) -> bool {
        let is_unasked_note = self.is_note && self.is_discovered && self.same.is_empty();
        self.follows || is_unasked_note || matches!(self.evidence, Evidence::Text)
    }

    /// What it says where little is shown of it.
    pub(in crate::report) fn in_short(&self) -> String {
        let sentences = self.qualifiers.iter().map(String::as_str);
        let all: Vec<&str> = [self.paragraph.as_str()]
            .into_iter()
            .chain(sentences)
            .collect();
        all.join(" ")
    }
}

/// What findings are sorted by, a word each.
pub(in crate::report) struct Traits {
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// How well it is known.
    pub verdict: &'static str,
    /// Who says so.
    pub origin: &'static str,
    /// On what it rests.
    pub basis: &'static str,
    /// Whether it was expected, and why.
    pub status: String,
}

/// A clause that a finding rests on.
pub(in crate::report) struct Passage {
    /// The clause.
    pub link: Link,
    /// Where it stands in the document.
    pub locator: String,
    /// The paraphrase.
    pub says: String,
}

/// What shows a finding.
pub(in crate::report) enum Evidence {
    /// The text alone.
    Text,
    /// A board and what happens on it.
    Exhibit(Box<Exhibit>),
    /// What shows an earlier finding of the page, and that.
    SameAs(Link, Box<Exhibit>),
}

/// Tells findings in the order of the page.
pub(super) struct Teller<'a> {
    source: Source<'a>,
    /// For each finding the one that leads those of its cause.
    leaders: Vec<usize>,
    /// Findings whose witness was shown.
    shown: Vec<usize>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        Self {
            source,
            leaders: leaders(source.sheet),
            shown: Vec::new(),
        }
    }

    /// The findings that stand at a clause, or outside of any: what is about the text first, notes
    /// after faults.
    pub(super) fn at(&mut self, clause: Option<ClauseIdx>) -> Vec<FindingText> {
        let findings = self.source.sheet.results.findings.iter().enumerate();
        let here = findings.filter(|(_, finding)| finding.clauses.first().copied() == clause);
        let mut here: Vec<(usize, &Finding)> = here.collect();
        here.sort_by_key(|(_, finding)| {
            (
                finding.witness.is_some(),
                finding.severity == Severity::Note,
            )
        });
        here.into_iter()
            .map(|(at, finding)| self.tell(at, finding))
            .collect()
    }

    fn tell(&mut self, at: usize, finding: &Finding) -> FindingText {
        let Source { sheet, words, .. } = self.source;
        let standing = sheet.standings.get(at);
        let standing = standing.map(|one| standing_line(Style::default(), finding, one));
        let status = sheet.standings.get(at).map(status);
        let others = finding.clauses.iter().skip(1);
        let passages = finding.clauses.iter();
        FindingText {
            anchor: self.source.anchors.finding(at),
            code: finding.code.id(),
            title: capital(&title(sheet.program, finding)),
            label: label(words, finding),
            standing: standing.unwrap_or_default(),
            is_note: finding.severity == Severity::Note,
            is_discovered: finding.origin == Origin::Discovered,
            traits: Traits {
                severity: severity(finding.severity),
                verdict: known(finding),
                origin: origin(finding.origin),
                basis: basis(finding.basis),
                status: status.unwrap_or_default(),
            },
            paragraph: paragraph(words, finding),
            qualifiers: qualifiers(
                found_on(words, finding).as_deref(),
                rests_on(sheet.results, words, finding).as_deref(),
            ),
            why: why(finding.code),
            film: finding
                .witness
                .as_ref()
                .and_then(|witness| self.film(witness)),
            evidence: self.evidence(at, finding),
            clauses: others.map(|&id| self.source.clause(id)).collect(),
            passages: passages.map(|&id| self.passage(id)).collect(),
            facts: facts(sheet, words, finding),
            replay: replay(sheet, finding),
            same: self.same(at),
            follows: self.leaders.get(at).is_some_and(|leader| *leader != at),
            is_smallest: finding.minimality == Minimality::Exact,
        }
    }

    /// The other findings of the same cause.
    fn same(&self, at: usize) -> Vec<Link> {
        let Some(&leader) = self.leaders.get(at) else {
            return Vec::new();
        };
        let of_it = |other: &usize| self.leaders.get(*other) == Some(&leader) && *other != leader;
        let others = (0..self.leaders.len()).filter(of_it);
        let all = [leader]
            .into_iter()
            .chain(others)
            .filter(|other| *other != at);
        all.map(|other| self.source.titled(other)).collect()
    }

    fn film(&self, witness: &Witness) -> Option<(Film, Vec<Passage>)> {
        let film = Film::of(self.source.words, witness)?;
        let passages = film.clauses.iter().map(|&id| self.passage(id)).collect();
        Some((film, passages))
    }

    fn passage(&self, id: ClauseIdx) -> Passage {
        let clause = &self.source.sheet.program.clauses[id];
        Passage {
            link: self.source.clause(id),
            locator: clause.locator.clone(),
            says: clause.says.clone(),
        }
    }

    fn evidence(&mut self, at: usize, finding: &Finding) -> Evidence {
        let findings = &self.source.sheet.results.findings;
        let Some(witness) = &finding.witness else {
            return Evidence::Text;
        };
        let is_same = |&&earlier: &&usize| {
            let earlier = findings.get(earlier);
            earlier.is_some_and(|earlier| earlier.witness == finding.witness)
        };
        let earlier = self.shown.iter().find(is_same).copied();
        let Some(exhibit) = Exhibit::of(self.source.words, witness).map(Box::new) else {
            return Evidence::Text;
        };
        match earlier {
            Some(earlier) => Evidence::SameAs(self.source.finding(earlier), exhibit),
            None => {
                // A finding on a single line shows no board to refer to.
                if self.leaders.get(at) == Some(&at) {
                    self.shown.push(at);
                }
                Evidence::Exhibit(exhibit)
            }
        }
    }
}
