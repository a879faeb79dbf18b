//! What depends on what: pictures of a specification as graphs, with what the engines know of them.
//!
//! | kind | nodes | arrows |
//! |---|---|---|
//! | steps | the steps and restarts of each sequence | what one writes and a later one reads; pairs of a list whose order is open |
//! | triggers | events, triggers, steps and restarts that announce | what brings what about; what decides whether it happens |
//! | fields | places of the data | what is read to write what, and what decides whether it is written |
//! | clauses | clauses of a document | references, precedence, and what their statements have to do with each other |
//!
//! ```text
//! destroy ──announces──► destroyed ──► feeds ──announces──► destroyed      goes round
//! ```
//!
//! A cycle in the text is a *candidate*: strongly connected components of what brings what about. It
//! is *confirmed* by a loop on whose round some of it keeps itself going: what brings what about there closes a circle,
//! and nothing else announces any of it. It is *cleared* if everything was explored, or proved, and no run loops, and else
//! *possible*; growth confirms nothing. What a loop goes through is confirmed by itself, whatever keeps it going.
//!
//! *Guarantees.* Arrows come from [footprints](endstep_kernel::footprint): where nothing writes what another
//! reads, there is none. In a list whose steps have a fixed order, an arrow comes from the nearest
//! step before that writes; what that one leaves alone comes from those before it, and where the list can be done
//! more than once in a run, from the last step that writes. Results, if given, only add what they have a witness or
//! an exhausted scope for.
//!
//! *Limits.* Those of footprints: two cards' health is one place. Arrows between places leave out that
//! a run can stop at a gap, a conflict or a bound before it comes to what is written; what can influence a claim
//! is told by the [cone](endstep_kernel::footprint::cone), which is sound.
//!
//! *Background.* A. Aiken, J. Hellerstein, J. Widom, *Static analysis techniques for predicting the
//! behavior of active database rules*, TODS 20(1), 1995: the triggering graph. R. Tarjan, *Depth-first
//! search and linear graph algorithms*, 1972.

mod picture;
mod source;

mod flow;

mod fields;
mod known;
mod often;
mod steps;
mod triggers;

mod rests;

mod passed;
mod reactions;

mod clauses;

pub use picture::{Cycle, Dependence, Evidence, Kind, Link, Picture, Round, Shown, Thing};
pub use source::{Source, is_performed, performs, sequences};

/// The picture of a kind.
pub fn picture(source: Source<'_>, kind: Kind) -> Picture {
    match kind {
        Kind::Steps => steps::picture(source),
        Kind::Triggers => triggers::picture(source),
        Kind::Fields => fields::picture(source),
        Kind::Clauses => clauses::picture(source),
    }
}
