//! The grammar reads what the compiler reads: the same specifications, and in them the same lines
//! and expressions.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod agreement;
mod broken;
mod compiler;
mod expressions;
mod generated;
mod line;
mod queries;
mod tree;
