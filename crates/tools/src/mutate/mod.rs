//! Turns a typed program into programs that differ from it in one small thing: mutants.
//!
//! A specification whose mutants all check out as well as it does itself would not notice a mistake.
//! So each operator makes one mistake that people make:
//!
//! ```text
//! for each c: Card in board where c.health <= 0, left to right
//!                                 ~~~~~~~~~~~~~ compare: `<=` becomes `<`
//!                                               guard:   always true
//!   announce destroyed(c)                       emission: left out
//! ```
//!
//! Programs are changed, not texts: ids and the paths of statements stay what they are, so that findings,
//! fingerprints and outcomes of a mutant can be compared with those of the original one by one.
//!
//! *Guarantees.* The same program gives the same mutants in the same order. A mutant differs from the
//! program in one statement, step, sequence, trigger, event, queue, definition or printed value of a table,
//! and has the types that it had.
//!
//! *Limits.* What is done is changed, not what is asked: claims, `ensures`, contracts, observers,
//! examples, boards, bounds, conditions of legality, and definitions that only these use, stay as they
//! are.

mod draft;
mod expr;
mod list;
mod operator;
mod other;
mod stmt;
mod used;
mod walk;

pub use operator::Operator;

use std::collections::BTreeMap;

use draft::{Draft, Edit};
use endstep_language::source::{SourceMap, Span};
use endstep_language::typing::program::{ClauseIdx, Owner, Program};

/// A change of one small thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutant {
    /// `cleanup.1:71:compare`: the clause, the line, the operator, and a number from the second of
    /// the same on.
    pub name: String,
    /// Of which kind.
    pub operator: Operator,
    /// What is changed.
    pub span: Span,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// What becomes of it, in words: "`<=` becomes `<`".
    pub text: String,
    edit: Edit,
}

impl Mutant {
    /// Whose rules are changed, if it is a step, a trigger or what is done before restarting.
    pub fn owner(&self, program: &Program) -> Option<Owner> {
        match &self.edit {
            Edit::Stmt(id, _) => program.stmts[*id].owner,
            Edit::Block(id, _) => {
                let mut steps = program.steps.iter();
                let step = steps.find(|(_, step)| step.body == *id);
                step.map(|(step, _)| Owner::Step(step))
            }
            Edit::Sequence(id, _) => Some(Owner::Restart(*id)),
            Edit::Trigger(id, _) => Some(Owner::Trigger(*id)),
            Edit::Event(..) | Edit::Queue(..) | Edit::Define(..) => None,
        }
    }

    /// The changed program.
    pub fn apply(&self, program: &Program) -> Program {
        let mut changed = program.clone();
        match self.edit.clone() {
            Edit::Stmt(id, kind) => changed.stmts[id].kind = *kind,
            Edit::Block(id, block) => changed.blocks[id] = block,
            Edit::Sequence(id, sequence) => changed.sequences[id] = *sequence,
            Edit::Trigger(id, trigger) => changed.triggers[id] = *trigger,
            Edit::Event(id, event) => changed.events[id] = *event,
            Edit::Queue(id, queue) => changed.queues[id] = queue,
            Edit::Define(id, body) => changed.defines[id].body = *body,
        }
        changed
    }
}

/// All mutants of a program, in order of their places.
pub fn mutants(program: &Program, sources: &SourceMap) -> Vec<Mutant> {
    let mut drafts = list::drafts(program);
    drafts.extend(stmt::drafts(program));
    drafts.extend(used::definitions(program).into_iter().flat_map(|id| {
        let define = &program.defines[id];
        match &define.printed {
            Some(printed) => expr::of_column(program, id, printed),
            None => expr::of_definition(program, id, define),
        }
    }));
    drafts.sort_by_key(|draft| (draft.span.source, draft.span.start, draft.operator));
    let mut known: BTreeMap<String, u32> = BTreeMap::new();
    let named = drafts.into_iter().map(|draft| {
        let stem = stem(program, sources, &draft);
        let count = known.entry(stem.clone()).or_default();
        *count += 1;
        Mutant {
            name: match count {
                1 => stem,
                more => format!("{stem}#{more}"),
            },
            operator: draft.operator,
            span: draft.span,
            clause: draft.clause,
            text: draft.text,
            edit: draft.edit,
        }
    });
    named.collect()
}

fn stem(program: &Program, sources: &SourceMap, draft: &Draft) -> String {
    let clause = draft.clause.map(|id| program.clauses[id].id.as_str());
    let line = sources
        .file(draft.span.source)
        .line_column(draft.span.start)
        .line;
    let word = draft.operator.word();
    match clause {
        Some(clause) => format!("{clause}:{line}:{word}"),
        None => format!("{line}:{word}"),
    }
}
