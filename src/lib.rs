//! Endstep verifies rules documents: it turns a formalised board-game rules text
//! into verdicts about what the text claims and findings about what it gets
//! wrong, each with the smallest board that shows it.
//!
//! The modules stand in the order of their layers; each imports only from
//! layers above it in this list.

pub mod index;

pub mod source;

pub mod diag;

pub mod syntax;

pub mod resolve;

pub mod typing;

pub mod mutate;

pub mod semantics;

pub mod ir;

pub mod generate;

pub mod lower;

pub mod smt;

pub mod footprint;
pub mod instance;

pub mod witness;

pub mod verdict;

pub mod coverage;

pub mod analysis;

pub mod exhaust;

pub mod explore;

pub mod depend;

pub mod order;

pub mod prove;

pub mod sample;

pub mod report;

pub mod driver;

pub mod cli;
