//! What goes through the runs of a specification: all of them, fast or plainly, or a sample of them.

pub mod exhaust;
pub mod explore;
pub mod sample;
