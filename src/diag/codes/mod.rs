//! The tables of codes, one file for each family of numbers.

use super::Code;

pub mod finding;
pub mod source;
pub mod syntax;

/// All tables, in the order of their numbers.
pub(super) const FAMILIES: &[&[Code]] = &[source::ALL, syntax::ALL, finding::ALL];
