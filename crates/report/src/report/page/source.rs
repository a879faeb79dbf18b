//! What a page is made from, and links to its sections.

use super::super::Sheet;
use super::super::conditional::title;
use super::super::words::{Words, plain};
use super::anchors::Anchors;
use endstep_language::typing::program::ClauseIdx;
use endstep_verdicts::verdict::{Detail, Finding};

/// A place on the page, and what it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::report) struct Link {
    /// What is shown.
    pub text: String,
    /// Where it leads.
    pub anchor: String,
}

/// What the parts of a page are made from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) sheet: Sheet<'a>,
    pub(super) words: Words<'a>,
    pub(super) anchors: &'a Anchors,
}

impl Source<'_> {
    /// A link to a clause, by its id.
    pub(super) fn clause(self, id: ClauseIdx) -> Link {
        Link {
            text: self.sheet.program.clauses[id].id.clone(),
            anchor: self.anchors.clause(id),
        }
    }

    /// A link to the n-th finding, by its code.
    pub(super) fn finding(self, at: usize) -> Link {
        let finding = self.sheet.results.findings.get(at);
        Link {
            text: finding.map_or_else(String::new, |finding| finding.code.id().to_owned()),
            anchor: self.anchors.finding(at),
        }
    }

    /// A link to the n-th finding, by its title and code.
    pub(super) fn titled(self, at: usize) -> Link {
        let (link, findings) = (self.finding(at), &self.sheet.results.findings);
        let title = findings.get(at).map(|one| title(self.sheet.program, one));
        Link {
            text: format!("{} ({})", title.unwrap_or_default(), link.text),
            anchor: link.anchor,
        }
    }
}

/// What a finding is called in an index of those with its code: what it is about.
pub(super) fn label(words: Words<'_>, finding: &Finding) -> String {
    match &finding.detail {
        Detail::UndefinedTerm(clause, term) | Detail::DanglingReference(clause, term) => {
            format!("{term} ({})", words.program.clauses[*clause].id)
        }
        Detail::Loop { .. } | Detail::Demands(..) if !finding.cause.is_empty() => {
            format!("{} ({})", plain(&finding.subject), plain(&finding.cause))
        }
        // Of the path of a statement, what it stands in.
        _ => {
            let parts: Vec<String> = finding.subject.split('/').take(2).map(plain).collect();
            parts.join(": ")
        }
    }
}
