//! The type checker: what it accepts, what it reports, and the programs it makes.

mod corpus;
mod documented;
mod help;
mod limits;
mod program;

use endstep::diag::{Diagnostic, Style, render};
use endstep::source::{SourceId, SourceMap};
use endstep::syntax::parse;
use endstep::typing::check;
use endstep::typing::program::Program;

/// The program of a text, if there is one, and what the parser and the checker say of it.
fn checked(text: &str) -> (Option<Program>, Vec<Diagnostic>) {
    let parsed = parse(SourceId(0), text);
    let (program, found) = check(&[parsed.file]);
    let mut all = parsed.diagnostics;
    all.extend(found);
    (program, all)
}

/// Diagnostics as a terminal shows them.
fn shown(name: &str, text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut sources = SourceMap::new();
    sources.load(name, text.as_bytes()).unwrap();
    render::text(diagnostics, &sources, &Style::default())
}

/// The program of a text without errors.
fn program(text: &str) -> Program {
    let (program, found) = checked(text);
    program.unwrap_or_else(|| panic!("{}", shown("test", text, &found)))
}
