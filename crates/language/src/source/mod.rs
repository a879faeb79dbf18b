//! Turns the bytes of files into numbered texts, and places in them into lines
//! and columns.
//!
//! Everything that a diagnostic points at is a [`Span`]: a range of bytes of one
//! text of the [`SourceMap`]. In `game "Gods Unchained"` the name is the span
//! 5..21, and it starts at line 1, column 6.
//!
//! *Guarantees*: a text in the map is valid UTF-8, without a byte order mark,
//! of at most [`MAX_SOURCE_BYTES`] bytes, so that every offset fits a `u32`.
//! Line ends are kept as they are.
//!
//! *Limits*: larger texts and texts in other encodings are refused with a
//! [`LoadError`].
//!
//! Architecture invariant: nothing here opens a file. Bytes come from `cli`.

mod loc;
mod map;
mod span;

pub use loc::Loc;
pub use map::{LoadError, MAX_SOURCE_BYTES, MAX_SOURCES, MAX_TOTAL_BYTES, SourceFile, SourceMap};
pub use span::{LineColumn, SourceId, Span};
