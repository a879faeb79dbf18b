//! What a typed program means: the reference interpreter, and runs that it does again.
//!
//! `docs/semantics.md` is the specification of [`semantics`], and the other engines are tested against it. This crate
//! depends on the language alone, so that the interpreter, which judges every witness, can share no mistake with what
//! lowers programs or runs them fast.

pub mod semantics;
pub mod witness;
