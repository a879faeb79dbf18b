//! Which clauses of a specification are formalised, waived or missing.
//!
//! A clause under which something formal stands, or that something cites, is
//! formalised. One with a reason not to formalise it is waived. A note, a
//! cross-reference, and a definition that only gives a term its meaning have
//! nothing to formalise. Any other clause is missing, and the first missing one is
//! what to formalise next.

use endstep_language::source::Span;
use endstep_language::syntax::ast::ClauseKind;
use endstep_language::typing::program::{Clause, Program};
use serde::Serialize;

/// How far a clause got.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClauseState {
    /// Something formal stands under it or cites it.
    Formalised,
    /// The author says why not.
    Waived,
    /// There is nothing to formalise.
    Informal,
    /// None of these.
    Missing,
}

/// A clause and how far it got.
#[derive(Clone, PartialEq, Debug)]
pub struct ClauseStatus {
    /// Its id.
    pub id: String,
    /// The short name of its document, if it stands in one.
    pub document: Option<String>,
    /// Its kind.
    pub kind: ClauseKind,
    /// Where it stands in the document.
    pub locator: String,
    /// The paraphrase.
    pub says: String,
    /// How far it got.
    pub state: ClauseState,
    /// Why it is waived.
    pub reason: Option<String>,
    /// Where it stands in the specification.
    pub span: Span,
}

/// All clauses of a specification.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Clauses {
    /// In the order in which they stand.
    pub all: Vec<ClauseStatus>,
}

impl Clauses {
    /// How many are in a state.
    pub fn count(&self, state: ClauseState) -> usize {
        self.all.iter().filter(|one| one.state == state).count()
    }

    /// The clause to formalise next: the first missing one.
    pub fn next(&self) -> Option<&ClauseStatus> {
        let missing = |one: &&ClauseStatus| one.state == ClauseState::Missing;
        self.all.iter().find(missing)
    }

    /// Those of one document, or all.
    #[must_use]
    pub fn of(&self, document: Option<&str>) -> Self {
        let wanted =
            |one: &&ClauseStatus| document.is_none() || one.document.as_deref() == document;
        let all = self.all.iter().filter(wanted).cloned().collect();
        Self { all }
    }
}

/// The clauses of a specification with their states.
pub fn clauses(program: &Program) -> Clauses {
    let status = |clause: &Clause| ClauseStatus {
        id: clause.id.clone(),
        document: clause
            .document
            .and_then(|id| program.documents.get(id))
            .map(|document| document.name.clone()),
        kind: clause.kind,
        locator: clause.locator.clone(),
        says: clause.says.clone(),
        state: match (clause.formalised, &clause.waived) {
            (true, _) => ClauseState::Formalised,
            (false, Some(_)) => ClauseState::Waived,
            (false, None) if clause.owes_nothing() => ClauseState::Informal,
            (false, None) => ClauseState::Missing,
        },
        reason: clause.waived.clone(),
        span: clause.span,
    };
    Clauses {
        all: program.clauses.values().iter().map(status).collect(),
    }
}
