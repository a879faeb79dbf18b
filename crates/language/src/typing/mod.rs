//! Turns syntax trees into the typed program, or into what is wrong with them.
//!
//! First every declaration gets its id and type, then every body is checked once, from the outside
//! in: an expression is told the type that its place wants, which decides what the value `red` in
//! `c.colour = red` belongs to, and where an optional has to be followed:
//!
//! ```text
//! role champion: Player
//! set champion.glory to 3        -- Field(Unwrap(Var(champion)), glory)
//! ```
//!
//! What has an error has no type, and whatever is built from it is silent, so that one mistake
//! gives one message and all mistakes are reported in one run.
//!
//! *Guarantees.* A program is returned exactly if there is no error, here or in the tree. It is
//! well typed, its calls are acyclic, and its ids are in the order of the text. An expression of
//! type `Entity(S)` may stand where `Optional(S)` is wanted; no other conversion is left implicit.
//!
//! *Limits.* Nesting beyond [`MAX_DEPTH`](crate::resolve::MAX_DEPTH) is refused.

pub mod program;

// What is known while checking.
mod activation;
mod checker;
mod words;

// Declarations.
mod alike;
mod bounds;
mod clauses;
mod constant;
mod declare;
mod define;
mod misread;
mod signature;
mod sorts;
mod state;
mod table;

// Expressions.
mod binder;
mod compare;
mod continuous;
mod convert;
mod expr;
mod name;
mod named;
mod operator;
mod turn;
mod want;
mod whenever;
mod zone;

// Statements and what holds them.
mod basis;
mod choice;
mod create;
mod place;
mod policy;
mod rank;
mod sequence;
mod stmt;
mod trigger;

// What is asked.
mod ask;
mod board;
mod example;
mod experiment;
mod observer;

// The program as a whole.
mod calls;
mod usage;
mod wording;

use crate::diag::{Diagnostic, has_errors, sort};
use crate::resolve::{Outline, Uses};
use crate::syntax::ast::File;
pub use alike::plain;
use checker::Checker;
pub use constant::quotient;
use program::Program;

/// Checks a specification: the trees of its files, included ones first (see
/// [`expand`](crate::resolve::expand)).
///
/// The program is there unless a diagnostic is an error or a tree has error nodes. Diagnostics are
/// in the order of their places.
pub fn check(files: &[File]) -> (Option<Program>, Vec<Diagnostic>) {
    let mut uses = Uses::default();
    check_names(files, &mut uses)
}

/// As [`check`]; what names mean is taken down, as far as it can be told where something is in error.
pub fn check_names(files: &[File], uses: &mut Uses) -> (Option<Program>, Vec<Diagnostic>) {
    let (outline, diagnostics) = Outline::new(files);
    let mut checker = Checker::new(&outline, std::mem::take(uses), diagnostics);
    checker.declare_names();
    checker.declare_types();
    checker.declare_state();
    checker.declare_signatures();
    checker.tables();
    checker.clauses();
    checker.defines();
    checker.groups();
    checker.legals();
    checker.sequences();
    checker.triggers();
    checker.raised();
    checker.experiments();
    checker.observers();
    checker.verifies();
    checker.boards();
    checker.claims();
    checker.examples();
    checker.accepts();
    checker.formalised();
    checker.calls();
    checker.unused();
    let warned = checker.alike();
    checker.misread(&warned);
    checker.declarations();
    checker.steps_that_are_meant();
    *uses = std::mem::take(&mut checker.uses);
    let broken = outline.broken || checker.failed;
    let mut diagnostics = checker.diagnostics;
    sort(&mut diagnostics);

    let sound = !broken && !has_errors(&diagnostics);
    checker.program.wording = checker.wordbook.wording();
    (sound.then_some(checker.program), diagnostics)
}
