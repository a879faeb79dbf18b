//! What is the same for all boards of a program, and what for all runs from one board.

use crate::instance::{Layout, Setting, Shape, Words};
use crate::ir::System;
use crate::lower::lower;
use crate::semantics::{Data, Readings, Variant};
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

    /// A board under readings and a variant.
    pub fn instance(&self, board: &Data, readings: &Readings, variant: &Variant) -> Instance {
        let system = &self.system;
        let layout = Layout::new(system, &self.shape, board, variant.extra);
        let ids = system.readings.ids();
        Instance {
            board: Words::of(system, &layout, board),
            layout,
            readings: ids
                .map(|id| readings.get(&id).copied().unwrap_or(u16::MAX))
                .collect(),
            variant: variant.clone(),
        }
    }
}

/// What is fixed for all runs from a board.
#[derive(Debug)]
pub struct Instance {
    /// Where everything lies.
    pub layout: Layout,
    /// The alternative of each reading, `u16::MAX` where it is not fixed.
    pub readings: Vec<u16>,
    /// How the system is changed for a check.
    pub variant: Variant,
    /// The data of the board.
    pub board: Words,
}

impl Instance {
    /// What a machine needs; `ground` is what the instance was made of.
    pub fn setting<'s>(&'s self, ground: &'s Ground) -> Setting<'s> {
        Setting {
            system: &ground.system,
            layout: &self.layout,
            readings: &self.readings,
            variant: &self.variant,
        }
    }
}
