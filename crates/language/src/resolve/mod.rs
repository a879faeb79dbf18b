//! Turns the syntax trees of a specification and of what it includes into one list of items, and
//! names into ids.
//!
//! [`expand`] follows `include`; [`Outline`] takes items out of the documents, clauses and
//! sequences they stand in and remembers the clause; a [`Table`] gives every name of one kind its
//! id, refuses a second declaration, and proposes a name that was probably meant:
//!
//! ```text
//! sequence clenup        -- sequences: clenup
//! verify cleanup         -- nothing declares the sequence `cleanup`; did you mean `clenup`?
//! ```
//!
//! [`Uses`] are all names with what they mean, for whoever shows or changes them.
//!
//! *Guarantees.* Items keep the order of the text; an included file stands before the one that
//! includes it, and once however often it is included. Nothing here knows a type.
//!
//! *Limits.* Clauses and statements nested more than [`MAX_DEPTH`] deep are refused.

mod include;
mod outline;
mod table;
mod uses;

pub(crate) use crate::syntax::keywords::nearest;
pub use include::{Loader, expand};
pub(crate) use outline::too_deep;
pub use outline::{ClauseEntry, Entry, MAX_DEPTH, Outline};
pub use table::Table;
pub(crate) use table::{declared_twice, unknown};
pub use uses::{NameKind, Offer, Use, Uses};
