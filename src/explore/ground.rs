//! What is the same for all boards of a program: its system, and what a run can change.

use crate::instance::Shape;
use crate::ir::System;
use crate::lower::lower;
use crate::typing::program::Program;

/// A system with what a run can change in it.
#[derive(Debug)]
pub struct Ground {
    /// The system.
    pub system: System,
    /// What can change.
    pub shape: Shape,
}

impl Ground {
    /// Of a program.
    pub fn new(program: &Program) -> Self {
        let system = lower(program);
        let shape = Shape::new(&system);
        Self { system, shape }
    }
}
