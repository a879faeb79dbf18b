//! Decisions that a construct of the language makes, though the document may say nothing about them.
//!
//! Whoever writes `for each c: Card in board where c.health <= 0` has decided that the cards are picked before the
//! first of them is dealt with, and may not have noticed. So each decision is named, with what else could be meant:
//!
//! ```text
//! for each c: Card in board where c.health <= 0, left to right     rechecked: who recovers in time is spared
//!   move c to void(holder of c)                                    newcomers: who falls meanwhile goes, too
//!                                                                  together:  all of them go at once
//! ```
//!
//! These are few operators on purpose, unlike [mutants](super::mutate): each is a question that players ask.
//!
//! *Guarantees.* The same program gives the same decisions in the same order. A program that is decided otherwise has
//! the ids of the original, and statements that it has beside them come after these.
//!
//! *Limits.* Only what a clause of the document says is looked at: not experiments, nor rules that are invented, come
//! from elsewhere, or fill a gap; nor decisions that depend on a reading already.

mod alternative;
mod announced;
mod edit;
mod iterations;
mod reactions;
mod said;
mod sequences;
mod writes;

pub use alternative::{Alternative, Made};

use std::collections::BTreeMap;

use edit::Edit;
use endstep_language::source::{SourceMap, Span};
use endstep_language::typing::program::{ClauseIdx, Program};

/// A decision, and one thing that could be meant instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// `cleanup.1:newcomers`: the clause and the alternative, and a number from the second of the same on.
    pub name: String,
    /// Where it is made.
    pub made: Made,
    /// What stands there.
    pub span: Span,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// What else could be meant.
    pub alternative: Alternative,
    edit: Edit,
}

impl Decision {
    /// The program with the alternative instead.
    pub fn apply(&self, program: &Program) -> Program {
        self.edit.apply(program)
    }

    /// Whether it is made at what an `accept` names: a clause, or a step as `cleanup.destroy`, a sequence, a trigger, an
    /// event or a queue, with all that stands in it.
    pub fn stands_at(&self, program: &Program, at: &str) -> bool {
        let clause = self.clause.and_then(|id| program.clauses.get(id));
        let name = declared(program, self.made);
        let path = at.replace('.', "/");
        let rest = name.strip_prefix(path.as_str());
        clause.is_some_and(|clause| clause.id == at)
            || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Whether both are alternatives of one decision.
    pub fn is_with(&self, other: &Self) -> bool {
        self.made == other.made && self.alternative.decision() == other.alternative.decision()
    }
}

/// All decisions of a program, in order of their places.
pub fn decisions(program: &Program, sources: &SourceMap) -> Vec<Decision> {
    let mut drafts = iterations::drafts(program, sources);
    drafts.extend(writes::drafts(program, sources));
    drafts.extend(announced::drafts(program));
    drafts.extend(sequences::drafts(program));
    drafts.extend(reactions::drafts(program));
    // The order in which they are found is that of the alternatives of a decision.
    drafts.sort_by_key(|draft| (draft.span.source, draft.span.start));
    let mut known: BTreeMap<String, u32> = BTreeMap::new();
    let named = drafts.into_iter().map(|draft| {
        let clause = draft.clause.map(|id| program.clauses[id].id.as_str());
        let at = clause.unwrap_or(declared(program, draft.made));
        let stem = format!("{at}:{}", draft.alternative.word());
        let count = known.entry(stem.clone()).or_default();
        *count += 1;
        Decision {
            name: match count {
                1 => stem,
                more => format!("{stem}#{more}"),
            },
            made: draft.made,
            span: draft.span,
            clause: draft.clause,
            alternative: draft.alternative,
            edit: draft.edit,
        }
    });
    named.collect()
}

/// The name of what stands in no clause.
fn declared(program: &Program, made: Made) -> &str {
    match made {
        Made::Stmt(id) => &program.stmts[id].path,
        Made::Sequence(id) => &program.sequences[id].name,
        Made::Trigger(id) => &program.triggers[id].name,
        Made::Event(id) => &program.events[id].name,
        Made::Queue(id) => &program.queues[id].name,
    }
}
