//! Documents and clauses: their ids, what they define, and where their references lead.
//!
//! A reference that leads nowhere is no error here but part of the program: it is a finding about
//! the document. `yields to` and `cites` are the author's, and must lead somewhere.

use super::checker::Checker;
use super::program::{Clause, ClauseIdx, Document, DocumentId, ReadingId};
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::declared_twice;
use crate::source::Span;
use crate::syntax::ast::{self, ClauseLine, ItemKind, Reference, Text};
use std::collections::BTreeMap;

impl Checker<'_> {
    /// All documents and clauses, and what alternatives of readings cite.
    pub(super) fn clauses(&mut self) {
        let outline = self.outline;
        for document in &outline.documents {
            self.program.documents.push(Document {
                name: document.name.text.clone(),
                title: document.title.line(),
                span: document.name.loc.span(),
            });
        }
        let mut terms: BTreeMap<String, ClauseIdx> = BTreeMap::new();
        for (number, entry) in outline.clauses.iter().enumerate() {
            let id = ClauseIdx::from_index(number);
            let name = &entry.clause.id;
            let declared = self
                .names
                .clauses
                .declare_text(&name.text, name.loc.span(), id);
            self.found(declared);
            for (_, line) in &entry.clause.lines {
                if let ClauseLine::Defines(defined) = line {
                    for term in defined {
                        terms.entry(folded(&term.text)).or_insert(id);
                    }
                }
            }
        }
        for entry in &outline.clauses {
            let clause = self.clause_lines(entry.clause, &terms);
            self.program.clauses.push(Clause {
                document: entry.document.map(DocumentId::from_index),
                ..clause
            });
        }
        self.reading_cites();
    }

    fn clause_lines(
        &mut self,
        clause: &ast::Clause,
        terms: &BTreeMap<String, ClauseIdx>,
    ) -> Clause {
        let mut built = Clause {
            id: clause.id.text.clone(),
            document: None,
            kind: clause.kind,
            locator: clause.locator.line(),
            says: clause.says.as_ref().map(Text::line).unwrap_or_default(),
            waived: None,
            formalised: false,
            refers_to: Vec::new(),
            dangling: Vec::new(),
            defines: Vec::new(),
            undefined: Vec::new(),
            yields_to: Vec::new(),
            span: clause.id.loc.span(),
        };
        let mut waived: Option<Span> = None;
        for (_, line) in &clause.lines {
            match line {
                ClauseLine::Waived(reason) => {
                    if let Some(first) = waived.replace(reason.loc.span()) {
                        let span = reason.loc.span();
                        self.report(declared_twice("waiver of", &clause.id.text, span, first));
                    }
                    built.waived = Some(reason.line());
                }
                ClauseLine::RefersTo(reference) => self.refer(reference, terms, &mut built),
                ClauseLine::Defines(defined) => {
                    built.defines.extend(defined.iter().map(Text::line));
                }
                ClauseLine::Uses(used) => {
                    let missing = used
                        .iter()
                        .filter(|term| !terms.contains_key(&folded(&term.text)));
                    built.undefined.extend(missing.map(placed));
                }
                ClauseLine::YieldsTo(id) => built.yields_to.extend(self.clause(id)),
                ClauseLine::Cites(ids) => {
                    let by = self.names.clauses.get(&clause.id.text);
                    for id in ids {
                        let cited = self.clause(id);
                        self.citing.extend(by.zip(cited));
                    }
                }
                ClauseLine::Basis(_) => {}
            }
        }
        built
    }

    fn refer(
        &mut self,
        reference: &Reference,
        terms: &BTreeMap<String, ClauseIdx>,
        built: &mut Clause,
    ) {
        let (leads_to, dangling) = match reference {
            Reference::Clause(id) => {
                let found = self.clause_quietly(id);
                (found, (id.text.clone(), id.loc.span()))
            }
            Reference::Title(title) => (terms.get(&folded(&title.text)).copied(), placed(title)),
        };
        match leads_to {
            Some(clause) => built.refers_to.push(clause),
            None => built.dangling.push(dangling),
        }
    }

    fn reading_cites(&mut self) {
        let outline = self.outline;
        let readings = outline.items.iter().filter_map(|entry| match entry.kind {
            ItemKind::Reading(reading) => Some((reading, entry.clause)),
            _ => None,
        });
        for (number, (reading, around)) in readings.enumerate() {
            let around: Vec<ClauseIdx> = Self::clause_idx(around).into_iter().collect();
            for (position, alternative) in reading.alternatives.iter().enumerate() {
                let cited = match alternative.cites.as_slice() {
                    [] => around.clone(),
                    cites => self.cite(cites),
                };
                let id = ReadingId::from_index(number);
                let declared = &mut self.program.readings[id];
                if let Some(built) = declared.alternatives.get_mut(position) {
                    built.cites = cited;
                }
            }
        }
    }

    /// Which clauses are formalised; known when everything that cites has been checked.
    pub(super) fn formalised(&mut self) {
        let mut formal = self.cited.clone();
        let own = self
            .outline
            .clauses
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.formal);
        formal.extend(own.map(|(number, _)| ClauseIdx::from_index(number)));
        // A clause that says nothing formal makes none formal that it cites, itself least of all.
        let mut size = 0;
        while size < formal.len() {
            size = formal.len();
            let more = self.citing.iter().filter(|(by, _)| formal.contains(by));
            let more: Vec<ClauseIdx> = more.map(|&(_, cited)| cited).collect();
            formal.extend(more);
        }
        for id in formal {
            self.program.clauses[id].formalised = true;
        }
        let waived = self
            .program
            .clauses
            .values()
            .iter()
            .filter(|one| one.formalised);
        let both: Vec<(String, Span)> = waived
            .filter(|one| one.waived.is_some())
            .map(|one| (one.id.clone(), one.span))
            .collect();
        for (id, span) in both {
            let message =
                format!("the clause `{id}` is waived and formalised, expected one of the two");
            let error = Diagnostic::error(codes::forms::MISPLACED, message)
                .at(span, "formalised below, or cited elsewhere")
                .help("leave out `waived`, or what formalises it");
            self.report(error);
        }
    }
}

/// A term without regard to capitals.
fn folded(term: &str) -> String {
    term.to_lowercase()
}

fn placed(text: &Text) -> (String, Span) {
    (text.line(), text.loc.span())
}
