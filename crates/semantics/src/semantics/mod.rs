//! The reference interpreter: from a typed program and a state to what may happen next.
//!
//! It implements `docs/semantics.md` and is written to be obviously right rather than fast: plain
//! values, one small step at a time, no sharing with any engine but of what looks for the assignments of continuous
//! values (`solve`). Every other engine is tested
//! against it, and every witness is replayed by it.
//!
//! ```text
//! rules:  for each c: Card in board        state:  board = [wolf, owl]
//!           decrease c.health by 1
//! next:   Choose { kind: Order, who: Nobody, alternatives: [wolf, owl] }
//! ```
//!
//! *Guarantees.* [`Interpreter::next`] is a function of the program, the readings, the variant and
//! the state; it never panics on a state that it produced itself.
//!
//! *Limits.* Values outside `reach`, more entities than headroom, and the like end a run as
//! [`Tag::Limit`].

// TRUSTED: every verdict rests on this module.

mod budget;
mod cancel;
mod choice;
mod continuous;
mod data;
mod entities;
mod eval;
mod event;
mod interpreter;
mod iterate;
mod machine;
mod manner;
mod mentions;
mod names;
mod next;
mod raise;
mod rank;
mod sequence;
mod solve;
mod state;
mod stmt;
mod stop;
mod together;
mod turns;

pub use budget::MOST_EXPRESSIONS;
pub use continuous::Group;
pub use endstep_language::typing::program::GapCause;
pub use interpreter::{Interpreter, Readings, Variant};
pub use manner::{Bounded, Manner, Phrase};
pub use names::Names;
pub use next::{
    Alternative, ChoiceKind, ChoicePoint, Ended, Exceeded, GapName, Key, KeyType, Limit, Next,
    Note, Tag,
};
pub use solve::{Assigned, Circle, Clash, Evaluate, Evaluated, Member, Solved, solve};
pub use state::{
    Activation, Data, Destination, Entity, Frame, Instance, Pass, Rank, Running, Site, Spot, State,
    Together, Who, ZoneKey,
};
pub use stop::Stop;
