//! Turns claims, conditions and expectations into plain English, from the names of the specification.
//!
//! ```text
//! must every c in board has c.health > 0 after cleanup
//! after cleanup, every Card in board has health of more than 0
//! ```
//!
//! *Guarantees.* What is said means what is written: what cannot be said without doubt about which "not",
//! "and", "or" or "every" goes how far is not said at all, and who asks shows the formula instead.

mod speaker;

mod claim;
mod condition;
mod doubt;
mod lack;
mod noun;
mod partial;
pub(super) mod phrase;

#[cfg(test)]
mod tests;

pub(super) use claim::{Sought, claim, sought};

use super::words::Words;
use endstep_language::source::Span;
use endstep_language::typing::program::{Expr, LocalId};
use endstep_semantics::semantics::{GapCause, Names, Site};
use speaker::Speaker;

/// That a condition holds, in words; it may name the entities of a board.
pub(super) fn condition(words: Words<'_>, names: &Names, expr: &Expr) -> Option<String> {
    Speaker::new(words, names).sentence(expr, true)
}

/// The same of a condition with locals, which are called as given.
pub(super) fn condition_of(
    words: Words<'_>,
    names: &Names,
    bound: Vec<(LocalId, String)>,
    expr: &Expr,
) -> Option<String> {
    let speaker = Speaker {
        bound,
        ..Speaker::new(words, names)
    };
    speaker.sentence(expr, true)
}

/// Whether what has no value is not the only expression of its statement that may have none for this reason.
pub(super) fn has_rival(words: Words<'_>, (cause, site, span): (GapCause, Site, Span)) -> bool {
    partial::has_rival(words.program, cause, (site, span))
}

/// Why a rule cannot be followed at a place, as a sentence without its end.
pub(super) fn lack(
    words: Words<'_>,
    (cause, site, span): (GapCause, Site, Span),
) -> Option<String> {
    let names = Names::default();
    let speaker = Speaker {
        from_start: false,
        ..Speaker::new(words, &names)
    };
    speaker.lack(cause, site, span)
}
