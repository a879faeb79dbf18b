//! What an exploration may cost, and to what it is restricted.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::memory::Memory;
use endstep_language::typing::program::{FieldId, Named, SortId, Value};
use endstep_semantics::semantics::{Data, Readings};

/// Limits; meeting one makes verdicts `unknown`, and is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Legal boards of one scope.
    pub boards: u64,
    /// Boards of one scope, legal or not.
    pub candidates: u64,
    /// States of one board under one assignment of readings.
    pub states: usize,
    /// Assignments of readings on one board.
    pub readings: usize,
    /// Micro-steps of one scope.
    pub steps: u64,
}

impl Limits {
    /// Micro-steps of one board that may go into what nobody asked for; all boards of a scope together may
    /// take as many as what is asked.
    pub fn aside(self) -> u64 {
        (self.steps / 64).max(100_000)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            boards: 200_000,
            candidates: 4_000_000,
            states: 20_000,
            readings: 1024,
            steps: 400_000_000,
        }
    }
}

/// How a program is explored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// The limits.
    pub limits: Limits,
    /// Largest numbers of entities, instead of those of the specification.
    pub sizes: Vec<(SortId, u32)>,
    /// Fields that take only some of their values on boards.
    pub fields: Vec<(FieldId, Vec<Value>)>,
    /// Alternatives of readings; only runs under these are explored.
    pub readings: Readings,
    /// Of a reading on which a run depends and that is listed here, only this alternative is looked
    /// at. Unlike `readings`, those on which nothing depends stay open.
    pub guide: Readings,
    /// Only findings with one of these codes, clauses, claims, subjects or readings; all if empty.
    pub only: Vec<String>,
    /// Only these claims, by position, and nothing else is looked at.
    pub claims: Option<Vec<usize>>,
    /// Whether changes are looked for after which what matters does not matter any more.
    pub repairs: bool,
    /// Whether measures and conditions are looked for that show something of boards of every size.
    pub prove: bool,
    /// Whether all numberings of entities are enumerated, those too that nothing can tell apart.
    pub all_numberings: bool,
    /// Whether everything takes all its values, also that with which a sequence has nothing to do.
    pub every_value: bool,
    /// With what sequences have to do beside what is found out about them, by the names of the sequences: what another
    /// version of them speaks of.
    pub beside: BTreeMap<String, Named>,
    /// What this version declares and the one with which it is compared does not: on boards that have nothing to do with
    /// it, it makes no difference.
    pub alone: Named,
    /// Only this board, and no other.
    pub board: Option<Data>,
    /// Leaves out what is only worth knowing and costs most: which steps make no difference, what another
    /// order than a fixed one would do, on which boards something occurs.
    pub faults_only: bool,
    /// Every order of every iteration is visited.
    pub every_order: bool,
    /// How many threads work on boards; as many as there are processors if 0, and one without
    /// the feature `threads`. Results do not depend on it.
    pub threads: usize,
    /// Whether somebody has had enough.
    pub stop: Stop,
    /// What was found out before.
    pub memory: Memory,
}

/// Ends an exploration from outside: what was not looked at by then is unknown. It is no part of what is
/// asked, so any two are equal.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the exploration soon.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is to end.
    pub fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for Stop {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Stop {}

impl Options {
    /// All on which results depend.
    pub fn that_matter(&self) -> Self {
        Self {
            threads: 0,
            stop: Stop::default(),
            ..self.clone()
        }
    }
}

/// How far an exploration is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What is explored: the name of a sequence.
    pub subject: String,
    /// Which of how many explorations it is, the first being 1.
    pub part: (usize, usize),
    /// How many boards were passed, and how many there are with no more entities than the one looked at last, those
    /// that are not legal included in both.
    pub passed: (u64, u64),
    /// Whether there are none with more entities.
    pub largest: bool,
    /// Legal boards so far.
    pub boards: u64,
    /// Micro-steps so far.
    pub steps: u64,
    /// Findings so far.
    pub findings: usize,
}

impl Progress {
    /// Something is looked at of which nothing is counted.
    pub fn phase(subject: &str) -> Self {
        Self {
            subject: subject.to_owned(),
            part: (1, 1),
            passed: (0, 0),
            largest: false,
            boards: 0,
            findings: 0,
            steps: 0,
        }
    }
}
