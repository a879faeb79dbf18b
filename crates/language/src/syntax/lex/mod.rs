//! Turns text into logical lines of tokens, each with its depth in blocks and its comments.
//!
//! ```text
//! for each c: Card in board,          -- all of them
//!     left to right
//!   move c to dying
//! ```
//!
//! are two logical lines: the heading at depth 0, with the comment moved above it, and the
//! statement at depth 1. A logical line goes on in the next line of the text if that one is
//! indented deeper and either a bracket is open, or the line so far ends with a comma, a colon, an
//! operator, `and` or `or`, or the next line begins with `and`, `or`, `where`, `has`, `then` or
//! `else`. A line that begins with `)` may stand at the indentation of the line that it closes.
//!
//! Comments that stand above a line go with it; comments at the end of a block go to a line
//! without tokens that closes the block. A comment never opens a block.
//!
//! *Guarantees.* Linear time. Every comment of the text is in exactly one line. The depth grows by
//! at most one from line to line, and the first line has depth 0.
//!
//! *Limits.* After [`MAX_TOKENS`] tokens and comments, and after
//! [`MAX_DIAGNOSTICS`](super::MAX_DIAGNOSTICS) complaints, the rest of the text is not read. One bracket left open cannot swallow more than the lines nested under its own.

mod lines;
mod token;

pub use lines::MAX_TOKENS;
pub(crate) use lines::{Lines, lines};
pub(crate) use token::{Kind, Token, shown, unquoted};
