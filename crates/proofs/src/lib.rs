//! Proofs for boards of every size, with an SMT solver: the only crate that needs Z3.

pub mod prove;
pub mod smt;
