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
//! *Source.* L. de Moura, N. Bjørner, *Z3: An Efficient SMT Solver*, TACAS 2008.

mod print;
mod solver;
mod term;

pub use print::script;
pub use solver::{Choice, Reply, Solver, Values};
pub use term::{Node, Symbol, Term, Terms};

/// The version of the Z3 library that was loaded, such as `5.4.0.0`.
pub fn version() -> String {
    z3::full_version().to_owned()
}

/// The solver with its version, such as `Z3 5.4.0.0`.
pub fn solver() -> String {
    format!("Z3 {}", version())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_loaded_library_is_as_new_as_the_bindings_need() {
        let version = super::version();
        let numbers = version.split('.');
        let found: Vec<u32> = numbers.map_while(|part| part.parse().ok()).collect();
        assert!(
            found >= vec![5, 3, 2],
            "found {version}, expected 5.3.2 or newer"
        );
    }
}
