//! Names to types: the resolver and the type checker.

pub mod program;
