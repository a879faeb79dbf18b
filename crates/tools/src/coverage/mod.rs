//! Turns a specification, and the rules text if it is at hand, into an account of
//! what is formalised and what is not.
//!
//! Without the text the account is about clauses: formalised, waived or missing.
//! With the text it is about sentences as well. The text is split into sentences,
//! and a record kept beside the specification ties each, by a hash, to the
//! clauses that speak for it:
//!
//! ```text
//! rules.txt:4    "Creatures with no health are destroyed."   cleanup.1
//! rules.txt:5    "Spell cards go to the Void."               (no clause)
//! ```
//!
//! When the text is edited, sentences whose hash is gone have changed or vanished,
//! and the clauses tied to them want another look.
//!
//! *Guarantees*: every sentence of the text is in the account, and is covered only
//! if the record ties it to a clause that exists or gives a reason to skip it.
//! Nothing is judged to be "no rule" by its looks; only headings are left out.
//!
//! *Limits*: the first ties are guesses from order, locators and common words; the
//! record is there to be corrected. A hash sees a changed sentence, not whether
//! its meaning changed.

mod clauses;
mod propose;
mod record;
mod sentences;
mod text;

pub use clauses::{ClauseState, ClauseStatus, Clauses, clauses};
pub use record::{Record, RecordError, Tie, TiedText};
pub use sentences::{Sentence, SentenceKind, split};
pub use text::{Problem, SentenceAccount, TextAccount, account, update};
