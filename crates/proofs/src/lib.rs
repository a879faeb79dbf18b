//! Proofs for boards of every size, with an SMT solver: the only crate that knows Z3, behind a feature.

pub mod prove;
pub mod smt;
