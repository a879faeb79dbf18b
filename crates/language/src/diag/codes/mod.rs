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
const FAMILIES: &[&[Code]] = &[
    source::ALL,
    syntax::ALL,
    names::ALL,
    types::ALL,
    forms::ALL,
    warnings::ALL,
    finding::ALL,
];

impl Code {
    /// The code of a name, in capitals or not.
    pub fn find(id: &str) -> Option<Self> {
        Self::all().find(|code| code.id.eq_ignore_ascii_case(id.trim()))
    }

    /// All codes, family by family.
    pub fn all() -> impl Iterator<Item = Self> {
        FAMILIES.iter().copied().flatten().copied()
    }
}
