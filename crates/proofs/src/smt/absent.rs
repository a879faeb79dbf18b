//! The solver of a build without one: every question is unknown.
//!
//! Whoever asks is built as with Z3, and proves what can be told from the terms alone.

use super::reply::Reply;
use super::term::{Term, Terms};

/// Something that would be asserted in one question and not in another.
#[derive(Debug)]
pub struct Choice;

/// No solver; its functions are those of the one with Z3.
#[derive(Debug)]
pub struct Solver;

impl Solver {
    /// No solver.
    pub fn new(_: u32) -> Self {
        Self
    }

    /// No solver.
    pub fn varied(_: u32, _: u32) -> Self {
        Self
    }

    /// Does nothing.
    pub fn hurry(&mut self, _: u32) {}

    /// Does nothing.
    pub fn about(&mut self, _: usize) {}

    /// Does nothing.
    pub fn forget(&mut self) {}

    /// Does not know.
    pub fn ask(&mut self, _: &Terms, _: &[Term]) -> Reply {
        unknown()
    }

    /// Does nothing.
    pub fn begin(&mut self, _: &Terms, _: &[Term]) {}

    /// Does nothing.
    pub fn assert(&mut self, _: &Terms, _: Term) {}

    /// Something that nobody will assert.
    pub fn option(&mut self, _: &Terms, _: &[Term]) -> Choice {
        Choice
    }

    /// Does not know.
    pub fn check(&mut self, _: &Terms, _: &[&Choice], _: &[Term]) -> Reply {
        unknown()
    }

    /// It did from the beginning.
    pub fn gave_up(&self) -> bool {
        true
    }

    /// Does nothing.
    pub fn end(&mut self) {}
}

fn unknown() -> Reply {
    Reply::Unknown("built without a solver".to_owned())
}
