//! The solver layer: everything that speaks to Z3, and nothing that speaks of
//! games.
//!
//! *The encoding.* A question is a list of [terms](Terms) that may or may not be true together. Terms
//! are truth values, whole numbers of any size, and functions from numbers to a number that have no
//! meaning of their own: the logic QF_UFLIA of SMT-LIB (QF_UFNIA if two unknown numbers are
//! multiplied). There are no quantifiers: who needs "for every card" names a card of which nothing is
//! known. Things are numbers too; nothing may be concluded from which is larger, and nothing is, since
//! those who ask never compare them but for equality.
//!
//! *Guarantees.* Every model is evaluated again by code of our own before anybody sees it. A question
//! can be [written](script) so that another solver answers it. Resources are limited by count, so that
//! the same question has the same reply on every machine.
//!
//! Architecture invariant: no term here means a creature, a step or a rule;
//! those who ask the solver translate their questions themselves.
//!
//! *Limits.* Without the feature `z3` there is no solver, and every question is unknown.
//!
//! *Source.* L. de Moura, N. Bjørner, *Z3: An Efficient SMT Solver*, TACAS 2008.

mod term;

mod print;
mod reply;

#[cfg(not(feature = "z3"))]
mod absent;
#[cfg(feature = "z3")]
mod solver;

#[cfg(not(feature = "z3"))]
pub use absent::{Choice, Solver};
pub use print::script;
pub use reply::{Reply, Values};
#[cfg(feature = "z3")]
pub use solver::{Choice, Solver, solver, version};
pub use term::{Node, Symbol, Term, Terms};
