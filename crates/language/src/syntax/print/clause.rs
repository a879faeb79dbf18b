//! Writes clauses and the lines that belong to them.

use super::Printer;
use crate::syntax::ast::{
    BasisKind, BasisNote, Clause, ClauseId, ClauseKind, ClauseLine, Comment, Reference, Text,
    Trivia,
};

impl Printer {
    /// A clause, with what it formalises written by `inner`.
    pub(super) fn clause(
        &mut self,
        trivia: &Trivia,
        clause: &Clause,
        tail: &[Comment],
        inner: impl FnOnce(&mut Self),
    ) {
        self.put("clause ")
            .put(&clause.id.text)
            .put(" (")
            .put(kind_word(clause.kind));
        self.put(") at ").quoted(&clause.locator).end_line(trivia);
        self.nested(|printer| {
            if let Some(says) = &clause.says {
                printer.put("says ").quoted(says).end_plain_line();
            }
            for (trivia, line) in &clause.lines {
                printer.clause_line(line).end_line(trivia);
            }
            inner(printer);
            printer.comments(tail);
        });
    }

    pub(super) fn clause_line(&mut self, line: &ClauseLine) -> &mut Self {
        match line {
            ClauseLine::Waived(reason) => self.put("waived ").quoted(reason),
            ClauseLine::RefersTo(Reference::Clause(id)) => self.put("refers to ").put(&id.text),
            ClauseLine::RefersTo(Reference::Title(title)) => self.put("refers to ").quoted(title),
            ClauseLine::Defines(terms) => self.put("defines ").terms(terms),
            ClauseLine::Uses(terms) => self.put("uses ").terms(terms),
            ClauseLine::YieldsTo(id) => self.put("yields to ").put(&id.text),
            ClauseLine::Cites(ids) => self.put("cites ").clause_ids(ids),
            ClauseLine::Basis(basis) => self.basis(basis),
        }
    }

    fn terms(&mut self, terms: &[Text]) -> &mut Self {
        self.list(terms, |printer, term| {
            printer.quoted(term);
        })
    }

    pub(super) fn clause_ids(&mut self, ids: &[ClauseId]) -> &mut Self {
        self.list(ids, |printer, id| {
            printer.put(&id.text);
        })
    }

    fn basis(&mut self, basis: &BasisNote) -> &mut Self {
        self.put("basis ").put(match basis.kind {
            BasisKind::Text => "text",
            BasisKind::External => "external",
            BasisKind::Gap => "gap",
            BasisKind::Invented => "invented",
        });
        self.maybe_quoted(basis.note.as_ref())
    }
}

fn kind_word(kind: ClauseKind) -> &'static str {
    match kind {
        ClauseKind::Rule => "rule",
        ClauseKind::Definition => "definition",
        ClauseKind::Example => "example",
        ClauseKind::Claim => "claim",
        ClauseKind::Note => "note",
        ClauseKind::Reference => "reference",
    }
}
