//! Turns a run that shows something into data that can be kept, shown and replayed.
//!
//! A witness says where a run starts, what is chosen in it and how it ends; everything between
//! follows from the rules:
//!
//! ```text
//! board     wolf (health 0), owl (health 1)
//! reading   zero = exactly
//! choices   owl, wolf
//! end       gap: nothing to choose from
//! ```
//!
//! *Guarantees.* [`replay`] believes nothing: it runs the interpreter again and checks every
//! sentence of the witness, sets of outcomes and closed regions included. [`to_json`] writes names
//! rather than numbers, so that a file still fits after an unrelated edit of the specification;
//! [`from_json`] says what no longer does.

mod observe;
mod run;
mod trace;

pub use observe::{Observed, Outcome};
pub use run::{Ability, Power, Root, Run, RunEnd, Versus, Violated, Witness};
pub use trace::{Difference, Happening, Made, Moment, Trace};

// Signatures (bodies follow):
//   replay(program: &Program, witness: &Witness) -> Result<Replayed, ReplayError>
//   trace(program: &Program, run: &Run) -> Result<Trace, ReplayError>
//   to_json(program: &Program, witness: &Witness) -> String
//   from_json(program: &Program, text: &str) -> Result<Witness, LoadError>
//   observe(...) -> Result<Outcome, ...>
// exhaust::check(program: &Program, options: &Options, progress: &mut dyn FnMut(&Progress)) -> Results
