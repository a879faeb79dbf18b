//! Turns what is wrong with a specification into data, and that data into text
//! for a terminal or JSON for a program.
//!
//! The phases only ever make [`Diagnostic`]s:
//!
//! ```
//! use endstep_language::diag::{Diagnostic, Style, codes, render};
//! use endstep_language::source::{SourceMap, Span};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.load("end.endstep", b"creature: a crad\n").unwrap();
//! let wrong = Diagnostic::error(codes::source::NOT_UTF8, "found `crad`, expected `card`")
//!     .at(Span::new(file, 12, 16), "not a kind of entity")
//!     .help("write `card`");
//! let text = render::text(&[wrong], &sources, &Style::default());
//! assert!(text.contains("--> end.endstep:1:13"));
//! ```
//!
//! Messages begin with a lower case letter and have no full stop; they put the
//! user's text in backticks, and say what was found and what was expected.
//!
//! *Guarantees*: the order of what is shown depends on the diagnostics alone,
//! not on the order in which they were found. Rendering never panics, whatever
//! the spans.
//!
//! Architecture invariant: a [`Diagnostic`] holds no text of the sources and no
//! colour; the renderers know no phase.

pub mod codes;
mod diagnostic;
mod registry;
pub mod render;

pub use diagnostic::{Diagnostic, Label, Severity, has_errors, sort};
pub use registry::{Code, Kind};
pub use render::Style;
