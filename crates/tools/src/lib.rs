//! What needs nothing but the language: random specifications, mutants, and what of a source text is modelled.

pub mod coverage;
pub mod generate;
pub mod mutate;
