//! Endstep verifies rules documents: it turns a formalised board-game rules text
//! into verdicts about what the text claims and findings about what it gets
//! wrong, each with the smallest board that shows it.
//!
//! This package is the application: [`driver`] is the whole pipeline, [`cli`] the
//! program. What it is made of are crates of their own, re-exported here in the
//! order of their layers.

pub use endstep_language::{define_id, diag, index, resolve, source, syntax, typing, walkable};

pub use endstep_semantics::{semantics, witness};

pub use endstep_kernel::{footprint, instance, ir, lower};

pub use endstep_verdicts::{analysis, order, verdict};

pub use endstep_engines::{exhaust, explore, sample};

pub use endstep_proofs::{prove, smt};

pub use endstep_tools::{coverage, decisions, generate, mutate, questions};

pub use endstep_report::{depend, report};

pub mod driver;

pub mod cli;
