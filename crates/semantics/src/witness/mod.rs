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

mod demand;
mod error;
mod frame;
mod growth;
mod iteration;
mod load;
mod moment;
mod named;
mod observe;
mod play;
mod record;
mod region;
mod replay;
mod run;
mod save;
mod saved;
mod trace;
mod twins;
mod within;
mod words;

pub use demand::is_demand;
pub use error::ReplayError;
pub use frame::{Outside, differences, outside_contract};
pub use growth::{Grown, MORE_ROUNDS, executed, growth, growth_of, shape};
pub use iteration::{Iteration, height};
pub use load::from_json;
pub use moment::{
    Difference, FixedOrder, Follows, Happening, Made, Moment, Ongoing, Trace, Within,
};
pub use named::LoadError;
pub use observe::{Ending, Kind, Lens, Observed, Outcome, Unobservable};
pub use record::{Ends, Instant, outcomes_within, record};
pub use region::MOST_STATES;
pub use replay::{
    Replayed, actual_end, closed_region, declared_tag, replay, side_outcomes, stops_in, trace,
};
pub use run::{
    Ability, Closed, Demands, Power, Root, Run, RunEnd, Side, Versus, Violated, Way, Witness,
};
pub use save::{data_json, key_json, tag, to_json};
pub use twins::permutations;
pub use words::{choice_path, site_path, step_path};
