//! The tables of codes, one file for each family of numbers.

use super::Code;

pub mod finding;
pub mod source;

/// All tables, in the order of their numbers.
pub(super) const FAMILIES: &[&[Code]] = &[source::ALL, finding::ALL];
