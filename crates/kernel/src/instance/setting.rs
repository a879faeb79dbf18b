//! What is the same for all small steps of a run.

use super::layout::Layout;
use crate::ir::System;
use endstep_semantics::semantics::Variant;

/// What is fixed for a run.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'s> {
    /// The system.
    pub system: &'s System,
    /// Where everything lies.
    pub layout: &'s Layout,
    /// The alternative of each reading, `u16::MAX` where it is not fixed.
    pub readings: &'s [u16],
    /// How the system is changed for a check.
    pub variant: &'s Variant,
}
