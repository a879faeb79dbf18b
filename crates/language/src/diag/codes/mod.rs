//! The tables of codes, one file for each family of numbers.

use super::Code;

pub mod finding;
pub mod forms;
pub mod names;
pub mod source;
pub mod syntax;
pub mod types;
pub mod warnings;

/// All tables, in the order of their numbers.
pub(super) const FAMILIES: &[&[Code]] = &[
    source::ALL,
    syntax::ALL,
    names::ALL,
    types::ALL,
    forms::ALL,
    warnings::ALL,
    finding::ALL,
];
