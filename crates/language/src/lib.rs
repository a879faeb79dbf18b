//! The language: texts into syntax trees, and these into one typed program, with what is wrong with them.
//!
//! Everything else in Endstep begins with a [`typing::program::Program`] and never looks at a text again.

pub mod diag;
pub mod index;
pub mod resolve;
pub mod source;
pub mod syntax;
pub mod typing;
