//! What was executed, over all boards, readings and runs.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use endstep_language::index::Id;
use endstep_language::typing::program::{Program, ReadingId, StepId, StmtId, TriggerId};
use endstep_semantics::semantics::Note;

/// What was executed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Coverage {
    stmts: Vec<bool>,
    steps: Vec<bool>,
    triggers: Vec<bool>,
    /// How often each step was begun, and how often it ended having changed nothing.
    begun: Vec<Begun>,
    /// Iterations that had two elements or more.
    wide: BTreeSet<StmtId>,
    /// Readings that some run depends on.
    pub readings: BTreeSet<ReadingId>,
}

/// How often a step was begun, and ended having changed nothing. Only whether these are as many is of interest.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Begun(u64, u64);

impl Begun {
    fn has_effect(self) -> bool {
        self.0 != self.1
    }
}

impl PartialEq for Begun {
    fn eq(&self, other: &Self) -> bool {
        self.has_effect() == other.has_effect()
    }
}

impl Eq for Begun {}

/// Something that was executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Covered {
    /// A statement.
    Stmt(StmtId),
    /// An iteration with two elements or more.
    Wide(StmtId),
    /// A trigger.
    Trigger(TriggerId),
    /// A step.
    Step(StepId),
    /// A step that did something, or of which that is not known.
    Effect(StepId),
}

impl Coverage {
    /// Nothing yet.
    pub fn new(program: &Program) -> Self {
        Self {
            stmts: vec![false; program.stmts.len()],
            steps: vec![false; program.steps.len()],
            triggers: vec![false; program.triggers.len()],
            begun: vec![Begun::default(); program.steps.len()],
            wide: BTreeSet::new(),
            readings: BTreeSet::new(),
        }
    }

    /// Takes down a note.
    pub fn note(&mut self, note: &Note) {
        match note {
            Note::Executed(stmt) => self.stmts[stmt.index()] = true,
            Note::StepBegan(step) => {
                self.steps[step.index()] = true;
                self.begun[step.index()].0 += 1;
            }
            Note::Resolving(trigger) => self.triggers[trigger.index()] = true,
            _ => {}
        }
    }

    /// Takes down what was executed on a walk.
    pub fn add(&mut self, covered: Covered) {
        match covered {
            Covered::Stmt(stmt) => self.stmts[stmt.index()] = true,
            Covered::Wide(stmt) => self.is_wide(stmt),
            Covered::Trigger(trigger) => self.triggers[trigger.index()] = true,
            Covered::Step(step) => self.steps[step.index()] = true,
            Covered::Effect(step) => self.begun[step.index()].0 += 1,
        }
    }

    /// Takes down that a step has ended, changed nothing and asked nothing.
    pub fn was_quiet(&mut self, step: StepId) {
        self.begun[step.index()].1 += 1;
    }

    /// Takes down that an iteration has two elements or more.
    pub fn is_wide(&mut self, stmt: StmtId) {
        self.wide.insert(stmt);
    }

    /// Whether a step ever did anything, as far as is known.
    pub fn has_effect(&self, step: StepId) -> bool {
        self.begun
            .get(step.index())
            .is_some_and(|begun| begun.has_effect())
    }

    /// Whether an iteration ever had two elements or more, as far as is known.
    pub fn has_wide(&self, stmt: StmtId) -> bool {
        self.wide.contains(&stmt)
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
