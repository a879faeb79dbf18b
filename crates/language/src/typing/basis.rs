//! On what steps, triggers and sequences stand: their `basis` line, else the clause around them.
//!
//! The innermost level that says something counts: the line in the step itself, the clauses around
//! the step in its sequence, the line of the sequence, the clauses around the sequence. On each
//! level an explicit `basis` comes first, and a clause without one is `text`.

use super::activation::Notes;
use super::checker::Checker;
use super::program::{Basis, ClauseIdx};
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::syntax::ast::{BasisKind, BasisNote, Clause, ClauseLine, Loc, Text};

impl Checker<'_> {
    /// A `cites` or `basis` line of what is being checked.
    pub(super) fn annotation(&mut self, line: &ClauseLine, loc: Loc) {
        let (what, expected) = match line {
            ClauseLine::Cites(ids) => {
                let cited = self.cite(ids);
                self.frame.notes.cites.extend(cited);
                return;
            }
            ClauseLine::Basis(note) => {
                if self.frame.notes.basis.is_none() {
                    self.frame.notes.basis = Some(basis(note));
                    return;
                }
                ("a second `basis`", "one")
            }
            ClauseLine::Waived(_) => ("`waived`", "it in a clause"),
            ClauseLine::RefersTo(_) => ("`refers to`", "it in a clause"),
            ClauseLine::Defines(_) => ("`defines`", "it in a clause"),
            ClauseLine::Uses(_) => ("`uses`", "it in a clause"),
            ClauseLine::YieldsTo(_) => ("`yields to`", "it in a clause"),
        };
        let message = format!("found {what}, expected {expected}");
        let error = Diagnostic::error(codes::forms::MISPLACED, message)
            .at(loc, "does not belong here")
            .help("a step, trigger or sequence has `cites` lines and one `basis`");
        self.report(error);
    }

    /// A clause around statements begins.
    pub(super) fn open_clause(&mut self, clause: &Clause) {
        let notes = &mut self.frame.notes;
        let explicit = explicit(clause);
        if notes.open == 0 || explicit.is_some() {
            notes.inner.push(explicit.unwrap_or_else(text));
        }
        notes.open += 1;
    }

    /// A clause around statements ends.
    pub(super) fn close_clause(&mut self) {
        let notes = &mut self.frame.notes;
        notes.open = notes.open.saturating_sub(1);
    }

    /// The basis that a clause and the clauses around it, on the same level, give.
    pub(super) fn clause_basis(&self, clause: Option<ClauseIdx>) -> Option<Basis> {
        let mut at = clause?.index();
        // INVARIANT: parents stand before their clauses, so this ends.
        loop {
            let entry = self.outline.clauses.get(at)?;
            if let Some(basis) = explicit(entry.clause) {
                return Some(basis);
            }
            match entry.parent {
                Some(parent) if parent < at => at = parent,
                _ => return Some(text()),
            }
        }
    }
}

/// The basis of a body with these notes; none if nothing supports it.
pub(super) fn supported(notes: &Notes, around: Option<Basis>) -> Option<Basis> {
    if notes.basis.is_some() {
        return notes.basis.clone();
    }
    let around = around.or_else(|| (!notes.cites.is_empty()).then(text));
    if !notes.bare && !notes.inner.is_empty() {
        return weakest(notes.inner.iter().cloned());
    }
    let around = around?;
    weakest(std::iter::once(around).chain(notes.inner.iter().cloned()))
}

/// The weakest of several; the first of those.
pub(super) fn weakest(bases: impl Iterator<Item = Basis>) -> Option<Basis> {
    bases.reduce(|weakest, next| {
        if next.kind > weakest.kind {
            next
        } else {
            weakest
        }
    })
}

/// What stands on nothing.
pub(super) fn invented() -> Basis {
    Basis {
        kind: BasisKind::Invented,
        note: None,
    }
}

fn text() -> Basis {
    Basis {
        kind: BasisKind::Text,
        note: None,
    }
}

fn basis(note: &BasisNote) -> Basis {
    Basis {
        kind: note.kind,
        note: note.note.as_ref().map(Text::line),
    }
}

fn explicit(clause: &Clause) -> Option<Basis> {
    clause.lines.iter().find_map(|(_, line)| match line {
        ClauseLine::Basis(note) => Some(basis(note)),
        _ => None,
    })
}
