//! Random specifications: from bytes to a small, well-typed syntax tree.
//!
//! Names are declared first; then every body is made from the outside in, each expression for the
//! type that its place wants, from the names in scope:
//!
//! ```text
//! var round: integer, explore 0 to 1, reach -2 to 4   -- declared: round, an integer
//! sequence main
//!   step first
//!     for each a: Card, in any order                  -- a binder: a is a Card in the body
//!       increase round by a.power                     -- a place of integers, an integer
//! ```
//!
//! The first alternative of every decision is the simplest, and is taken where the bytes have run
//! out. Each part of a specification reads its own slice of the bytes, so that a change in one
//! slice leaves the others as they are. Engines are compared on such specifications, so the
//! boards are few (at most [`MOST_BOARDS`], roughly), and weights favour what is hard to get
//! right: orders that matter, loops, gaps and conflicts.
//!
//! *Guarantees.* Every byte string yields a specification; equal bytes yield equal ones, no bytes
//! the smallest. It prints, parses back equal, and type checks without errors.
//!
//! *Limits.* Comments, `include` and `accept` are not made. Runs may be endless or end as `limit`.

pub mod census;

mod act;
mod announce;
mod ask;
mod block;
mod choose;
mod clause;
mod continuous;
mod decide;
mod declare;
mod experiment;
mod expr;
mod find;
mod flow;
mod lie;
mod literal;
mod maker;
mod moment;
mod options;
mod position;
mod rank;
mod rule;
mod sequence;
mod table;
mod test;
mod tree;
mod whenever;
mod world;

pub use declare::MOST_BOARDS;
pub use options::{Feature, Options};
pub use position::position;

use arbitrary::{Result, Unstructured};
use endstep_language::syntax::ast::File;
use maker::Maker;

/// A random specification with everything in it. All of the bytes are used.
///
/// # Errors
///
/// None: the type is that of [`arbitrary::Arbitrary::arbitrary`].
pub fn specification(u: &mut Unstructured<'_>) -> Result<File> {
    restricted(u, &Options::default())
}

/// A random specification that leaves some features out. All of the bytes are used.
///
/// # Errors
///
/// None, as for [`specification`].
pub fn restricted(u: &mut Unstructured<'_>, options: &Options) -> Result<File> {
    let bytes = u.bytes(u.len())?;
    Maker::new(bytes, options).file()
}
