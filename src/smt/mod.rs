//! The solver layer: everything that speaks to Z3, and nothing that speaks of
//! games.
//!
//! Architecture invariant: no term here means a creature, a step or a rule;
//! those who ask the solver translate their questions themselves.

/// The version of the Z3 library that was loaded, such as `5.4.0.0`.
pub fn version() -> String {
    z3::full_version().to_owned()
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
