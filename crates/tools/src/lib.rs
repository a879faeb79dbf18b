//! What needs nothing but the language: random specifications, mutants, decisions, and what of a source text is modelled.

pub mod coverage;
pub mod decisions;
pub mod generate;
pub mod mutate;
pub mod questions;
