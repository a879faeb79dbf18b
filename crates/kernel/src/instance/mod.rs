//! Instances: a system on a board, run fast and stored small.
//!
//! A [`Machine`] holds one working state (flat lists of numbers) and advances it by the small steps
//! of `docs/semantics.md`; [`pack`](Machine::pack) turns it into a short string of bytes and
//! [`unpack`](Machine::unpack) back. Equal states have equal bytes, so that a set of seen states
//! can store them whole and compare them byte by byte.
//!
//! ```text
//! board [wolf 3, owl 0], to do {owl}     07 03 00 | 02 01 …      a few bytes for each entity
//! ```
//!
//! *Guarantees.* The machine reads the system only, never the typed program, and takes exactly the
//! steps that the reference interpreter takes, with the same notes; `tests/it/machine.rs` compares
//! them step by step on random specifications. It never looks at a clock and does the same on every
//! machine.
//!
//! *Limits.* 65,535 entities, and as many values of an enumeration.
//!
//! *Background.* Packing only what a run can change, and relative to the board, is the "collapse"
//! idea of SPIN (Holzmann, The SPIN Model Checker, 2003, §9) taken to the granularity of one field.

// TRUSTED: the verdicts of the explorer rest on this module.

mod apart;
mod bytes;
mod cells;
mod choice;
mod code;
mod continuous;
mod control;
mod convert;
mod dependence;
mod dropped;
mod eval;
mod event;
pub mod groups;
mod inst;
mod iterate;
mod lacking;
mod layout;
mod machine;
mod narrow;
mod op;
mod pack;
mod pass;
mod peek;
mod point;
mod raise;
mod rank;
mod rare;
mod setting;
mod state;
mod together;
mod turns;

pub use apart::{Apart, candidates};
pub use bytes::{Pen, Reader};
pub use cells::Cells;
pub use dependence::{Dependence, Under};
pub use inst::{Inst, List};
pub use layout::{Layout, Shape, small};
pub use machine::{Machine, Outcome};
pub use pack::Packed;
pub use point::Point;
pub use setting::Setting;
pub use state::{Activation, Control, Frame, Pass, Together};
