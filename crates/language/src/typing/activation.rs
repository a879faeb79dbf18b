//! The locals and surroundings of what is being checked: one definition, sequence, trigger or
//! claim.
//!
//! ```text
//! for each c: Card in hand(p)      -- c is local 1 (p is local 0), known until the body ends
//!   let left = c.health            -- left is local 2, known until the block ends
//! ```

use super::program::{
    Basis, ClauseIdx, EntityId, LocalId, Owner, SequenceId, SortId, StepId, TriggerId, Type,
};
use crate::index::Id;
use crate::source::Span;
use std::collections::BTreeMap;

/// A name bound here.
#[derive(Debug, Clone)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) id: LocalId,
    /// None if it is in error.
    pub(super) ty: Option<Type>,
    pub(super) span: Span,
}

/// Who calls, for the checks of [`calls`](super::calls).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Caller {
    Sequence(SequenceId),
    Trigger(TriggerId),
}

/// What is being checked.
#[derive(Debug, Default)]
pub(super) struct Activation {
    pub(super) locals: Vec<Local>,
    /// The types of all locals so far; of one in error, any.
    pub(super) types: Vec<Type>,
    /// Locals bound by statements of the innermost block.
    pub(super) binds: Vec<LocalId>,
    /// `old` has a meaning.
    pub(super) old: bool,
    /// What a test that begins with `old` would ask if all of it were of the past.
    pub(super) asked_of_old: Option<String>,
    /// Where elements are put in order: what stands for each of them.
    pub(super) element: Option<Local>,
    /// The iterations around that go on until all pass, innermost last.
    pub(super) windows: Vec<Window>,
    /// In an order of what each player's is.
    pub(super) turns: bool,
    /// Under `simultaneously`.
    pub(super) together: bool,
    /// The innermost clause.
    pub(super) clause: Option<ClauseIdx>,
    /// The board is in error: any name may be an entity's.
    pub(super) any_entity: bool,
    /// The entities of the board, where they can be named.
    pub(super) entities: BTreeMap<String, (EntityId, SortId, Span)>,
    /// Of the listener of a trigger: the payload, which is not known yet.
    pub(super) payload: Vec<String>,
    /// Whose statements these are, if any.
    pub(super) caller: Option<Caller>,
    /// What the statements belong to.
    pub(super) owner: Option<Owner>,
    /// Where the statements stand in steps that come in order: the first step of the list, and the names of all.
    pub(super) list: Option<(StepId, Vec<String>)>,
    /// What paths of statements begin with.
    pub(super) path: String,
    /// Statements so far, by path and kind.
    pub(super) counts: BTreeMap<String, u32>,
    /// What lines and clauses in the body say about it.
    pub(super) notes: Notes,
}

/// An iteration that goes on until all pass, under some reading.
#[derive(Debug)]
pub(super) struct Window {
    /// Under every reading.
    pub(super) always: bool,
    /// Some `pass` can concern it.
    pub(super) passes: bool,
}

/// What the lines of a step or trigger say about it.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// `basis`
    pub(super) basis: Option<Basis>,
    /// `cites`
    pub(super) cites: Vec<ClauseIdx>,
    /// The bases of the clauses directly in the body.
    pub(super) inner: Vec<Basis>,
    /// A statement stands in no clause of the body.
    pub(super) bare: bool,
    /// How many clauses of the body are open.
    pub(super) open: u32,
}

impl Activation {
    /// Binds a name.
    pub(super) fn bind(&mut self, name: &str, ty: Option<Type>, span: Span) -> LocalId {
        let id = LocalId::from_index(self.types.len());
        self.types.push(ty.unwrap_or(Type::Bool));
        self.locals.push(Local {
            name: name.to_owned(),
            id,
            ty,
            span,
        });
        id
    }

    /// The local of a name.
    pub(super) fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    /// The names that are bound.
    pub(super) fn local_names(&self) -> impl Iterator<Item = &str> {
        self.locals.iter().rev().map(|local| local.name.as_str())
    }

    /// The types of the locals that the activation needs.
    pub(super) fn types(&self) -> Vec<Type> {
        self.types.clone()
    }

    /// The names that are bound now, to come back to by [`unbind`](Self::unbind).
    pub(super) fn bound(&self) -> usize {
        self.locals.len()
    }

    /// Forgets the names bound since.
    pub(super) fn unbind(&mut self, bound: usize) {
        self.locals.truncate(bound);
    }

    /// Takes the names bound since out of sight, until [`show`](Self::show).
    pub(super) fn hide(&mut self, bound: usize) -> Vec<Local> {
        self.locals.split_off(bound.min(self.locals.len()))
    }

    /// Brings hidden names back.
    pub(super) fn show(&mut self, mut hidden: Vec<Local>) {
        self.locals.append(&mut hidden);
    }

    /// The path of the next statement of a kind.
    pub(super) fn statement(&mut self, kind: &str) -> String {
        let path = format!("{}/{kind}", self.path);
        let count = self.counts.entry(path.clone()).or_default();
        *count = count.saturating_add(1);
        format!("{path}#{count}")
    }
}
