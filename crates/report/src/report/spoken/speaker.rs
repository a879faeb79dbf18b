//! Who says it: the words of a program, and names for what is spoken of.

use super::super::words::Words;
use endstep_language::typing::program::{Binder, LocalId, Program};
use endstep_semantics::semantics::Names;

/// What is spoken about, and how bound variables are called.
#[derive(Clone)]
pub(super) struct Speaker<'a> {
    pub(super) words: Words<'a>,
    pub(super) names: &'a Names,
    pub(super) bound: Vec<(LocalId, String)>,
    /// `old` speaks of the start of a run; in what a step ensures and in what raises an event it does not.
    pub(super) from_start: bool,
}

impl<'a> Speaker<'a> {
    pub(super) fn new(words: Words<'a>, names: &'a Names) -> Self {
        Self {
            words,
            names,
            bound: Vec::new(),
            from_start: true,
        }
    }

    pub(super) fn program(&self) -> &'a Program {
        self.words.program
    }

    /// How a bound variable is called.
    pub(super) fn bound(&self, local: LocalId) -> Option<String> {
        let mut bound = self.bound.iter();
        let found = bound.find(|(id, _)| *id == local);
        found.map(|(_, name)| name.clone())
    }

    /// Inside of what a binder binds; nothing if two could be taken for each other.
    pub(super) fn inside(&self, binder: &Binder) -> Option<Self> {
        let name = format!("that {}", self.of_binder(binder)?);
        if self.bound.iter().any(|(_, other)| *other == name) {
            return None;
        }
        let mut inside = self.clone();
        inside.bound.push((binder.local, name));
        Some(inside)
    }
}
