//! Text to and from the syntax tree.

pub mod ast;
