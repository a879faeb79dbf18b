//! Counts which constructs of the language a specification has, for the distribution of the
//! generator: `{"repeat until stable", "every", "restart", …}`.
//!
//! The names are made by exhaustive matches over the forms of the syntax tree (`names`), so that
//! a new form cannot be forgotten: the crate does not compile until it is named, and then a test
//! fails until the generator makes it.

mod names;
mod visit;

use endstep_language::syntax::ast::{File, Walk};
use std::collections::BTreeSet;

/// The constructs that a specification has.
pub fn constructs(file: &File) -> BTreeSet<&'static str> {
    let mut census = visit::Census::default();
    file.meet(&mut census);
    census.found.remove("");
    census.found
}

/// All constructs that the generator makes.
pub fn all() -> Vec<&'static str> {
    let mut all: Vec<&'static str> = names::ALL.concat();
    all.retain(|name| !name.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn no_two_constructs_share_a_name() {
        let mut names = all();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
