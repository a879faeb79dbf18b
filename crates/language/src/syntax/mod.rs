//! Turns the text of a specification into its syntax tree, and the tree back into text.
//!
//! ```
//! use endstep_language::source::SourceId;
//! use endstep_language::syntax::{parse, print};
//!
//! let parsed = parse(SourceId(0), "zone  dying of Card   -- left to right\n");
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(print(&parsed.file), "zone dying of Card  -- left to right\n");
//! ```
//!
//! The lexer (`lex`) finds lines, depths and comments; the parser ([`parse()`]) reads each line
//! with the block under it; the printer ([`print()`]) writes a tree in the one canonical layout,
//! which is what `endstep fmt` does. The grammar stands in `docs/language.md`.
//!
//! *Guarantees.* Parsing takes time linear in the text and bounded recursion, whatever the bytes;
//! it never panics. What is parsed without errors, printed and parsed again is the same tree, and
//! printing that gives the same text. No comment is lost. Diagnostics come in the order of the
//! text, at most [`MAX_DIAGNOSTICS`] and one that says that there were too many; what follows the last
//! of them is not read.
//!
//! *Limits.* Texts of more than [`MAX_SOURCE_BYTES`] bytes are
//! not read; more than [`MAX_TOKENS`] tokens, and nesting beyond [`MAX_NESTING`], is an error. The printer joins lines that the author
//! has broken, and breaks those that get too long in its own way. The comments in the middle of a
//! line that goes on move above it.

pub mod ast;
mod complaints;
pub mod keywords;
mod lex;
mod parse;
mod print;

pub use complaints::MAX_DIAGNOSTICS;
pub use lex::MAX_TOKENS;
pub use parse::MAX_NESTING;
pub use parse::Parsed;

use crate::diag::{Diagnostic, codes};
use crate::source::{MAX_SOURCE_BYTES, SourceId};
use ast::{Experiment, Expr, File};

/// Reads a text.
pub fn parse(source: SourceId, text: &str) -> Parsed {
    parse_within(source, text, MAX_TOKENS)
}

/// Reads a text, of which at most so many tokens are accepted: one of several that are a specification
/// together.
pub fn parse_within(source: SourceId, text: &str, tokens: usize) -> Parsed {
    if text.len() > MAX_SOURCE_BYTES {
        let message = format!(
            "found {} bytes, expected at most {MAX_SOURCE_BYTES}",
            text.len()
        );
        let wrong = Diagnostic::error(codes::source::TOO_LARGE, message);
        return Parsed {
            file: File::default(),
            diagnostics: vec![wrong.help("split the specification, and include the parts")],
            tokens: 0,
        };
    }
    parse::parse(source, text, tokens)
}

/// Writes a tree in the canonical layout: two spaces for each block, one space between words,
/// lines of about 100 columns at most.
///
/// What an `Error` node stood for is left out, with its comments kept.
pub fn print(file: &File) -> String {
    print::print(file)
}

/// Writes what an experiment changes, as one line.
pub(crate) fn print_alterations(experiment: &Experiment) -> String {
    print::print_alterations(experiment)
}

/// Writes an expression in the canonical layout, as one line.
pub fn print_expr(expr: &Expr) -> String {
    print::print_expr(expr)
}
