//! Turns results into text for people and JSON for programs.
//!
//! A finding is data: a code, a place, a witness. A report words it for somebody
//! who knows games but not programs, from the names and paraphrases of the
//! specification itself:
//!
//! ```text
//! F0201  the order matters · refuted · discovered · basis text
//!   In the step "destroy" it makes a difference whether wolf or owl comes first …
//! ```
//!
//! *Guarantees*: the same results give the same bytes. Whatever is in the results
//! can be shown; a witness that does not replay is shown with a remark instead of
//! a trace.
//!
//! Architecture invariant: reports decide nothing. What is new, expected or vanished
//! is told to them.

mod sheet;

mod asserted;
mod audit;
mod board;
mod called;
mod campaign;
mod causes;
mod caveat;
mod certificates;
mod change;
mod changes;
mod compared;
mod conditional;
mod counted;
mod coverage;
mod decisive;
mod demands;
pub mod diagram;
mod differences;
mod endless;
mod ends;
pub mod exchange;
mod exhibit;
mod extreme;
mod film;
mod finding;
mod follows;
mod heading;
mod headline;
mod json;
mod layout;
mod made_up;
mod manner;
mod markdown;
mod matrix;
mod matrix_json;
mod mutants;
mod occurs;
mod order_open;
mod outcome;
mod outlook;
mod page;
mod paired;
mod paragraph;
mod part;
mod place;
mod play;
mod questions;
mod ranges;
mod repair;
mod rests;
mod round;
mod scene;
mod scope_line;
mod sides;
mod silence;
mod site;
mod space;
mod spoken;
mod stood;
mod summary;
mod text;
mod trace;
mod untested;
mod vectors;
mod verdict;
mod ways;
mod weight;
mod words;

pub use audit::{Audit, Open, Ruling, audit_json, audit_text};
pub use campaign::{Sampled, campaign_json, campaign_text};
pub use certificates::{answer_certificates, certificates};
pub use changes::{Change, Changes, Versions, changes_json, changes_text};
pub use conditional::title;
pub use coverage::{coverage_json, coverage_text};
pub use ends::{Endings, ends_json, ends_text};
pub use json::{SCHEMA_VERSION, check_json};
pub use layout::{Style, shell_word};
pub use markdown::page_markdown;
pub use matrix::{OrderSheet, order_text};
pub use matrix_json::{ORDER_VERSION, order_json};
pub use mutants::{
    By, Fate, Mutants, Place, Toll, listed_json, listed_text, mutants_json, mutants_text,
};
pub use occurs::{conditions, described};
pub use play::Play;
pub use questions::{Raised, catalogue_text, questions_json, questions_text};
pub use ranges::changed_by;
pub use sheet::{Policy, Sheet, Standing, Unfound};
pub use site::{Entry, Exposition, Graph, SiteFile, site_index, site_pages};
pub use space::{Account, Shortfall, space_json, space_text};
pub use summary::Tally;
pub use text::check_text;
pub use vectors::{
    Goal, VECTORS_VERSION, Vector, Vectors, Way, Within, vectors_json, vectors_text,
};
