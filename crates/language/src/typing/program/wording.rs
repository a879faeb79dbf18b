//! Which expressions, and which statements, are the same word for word.
//!
//! Two sentences that are written alike fall silent in one way (`docs/semantics.md`, §6). Words are
//! compared once, when a program is made; from then on they are numbers.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::StmtId;
use crate::source::Span;

/// The words of expressions, zones and statements, as numbers that are the same if the words are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wording(Arc<Phrases>);

/// What is known of the words of a program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Phrases {
    /// Of what stands at a place.
    pub exprs: FxHashMap<Span, u32>,
    /// Of statements that can conflict or fall silent by themselves: with all that stands under them, or their headings.
    pub stmts: FxHashMap<StmtId, u32>,
}

impl Wording {
    /// Of these.
    pub fn new(words: Phrases) -> Self {
        Self(Arc::new(words))
    }

    /// The words of what stands at a place; none of a place that is not in the text of the program.
    pub fn expr(&self, at: Span) -> Option<u32> {
        self.0.exprs.get(&at).copied()
    }

    /// The words of a statement; none if they are compared with nothing.
    pub fn stmt(&self, id: StmtId) -> Option<u32> {
        self.0.stmts.get(&id).copied()
    }
}
