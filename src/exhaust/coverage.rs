//! What was executed, over all boards, readings and runs.

use std::collections::BTreeSet;

use crate::index::Id;
use crate::semantics::Note;
use crate::typing::program::{Program, ReadingId, StepId, StmtId, TriggerId};

/// What was executed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    stmts: Vec<bool>,
    steps: Vec<bool>,
    triggers: Vec<bool>,
    /// Readings that some run depends on.
    pub readings: BTreeSet<ReadingId>,
}

impl Coverage {
    /// Nothing yet.
    pub fn new(program: &Program) -> Self {
        Self {
            stmts: vec![false; program.stmts.len()],
            steps: vec![false; program.steps.len()],
            triggers: vec![false; program.triggers.len()],
            readings: BTreeSet::new(),
        }
    }

    /// Takes down a note.
    pub fn note(&mut self, note: &Note) {
        match note {
            Note::Executed(stmt) => self.stmts[stmt.index()] = true,
            Note::StepBegan(step) => self.steps[step.index()] = true,
            Note::Resolving(trigger) => self.triggers[trigger.index()] = true,
            _ => {}
        }
    }

    /// Adds what another exploration executed.
    pub fn merge(&mut self, other: &Self) {
        let pairs = [
            (&mut self.stmts, &other.stmts),
            (&mut self.steps, &other.steps),
            (&mut self.triggers, &other.triggers),
        ];
        for (mine, more) in pairs {
            for (one, other) in mine.iter_mut().zip(more) {
                *one |= other;
            }
        }
        self.readings.extend(&other.readings);
    }

    /// Whether a statement was executed.
    pub fn has_stmt(&self, stmt: StmtId) -> bool {
        self.stmts.get(stmt.index()).copied().unwrap_or(false)
    }

    /// Whether a step was begun.
    pub fn has_step(&self, step: StepId) -> bool {
        self.steps.get(step.index()).copied().unwrap_or(false)
    }

    /// Whether a trigger was resolved.
    pub fn has_trigger(&self, trigger: TriggerId) -> bool {
        self.triggers.get(trigger.index()).copied().unwrap_or(false)
    }
}
