//! Turns the JSON report of a check into the formats of other programs: SARIF for viewers of code
//! scans, JUnit for boards of test results, annotations for GitHub, a table for spreadsheets; and a run into the trace
//! format of other model checkers.
//!
//! They are made from the report and not from results, so that a report which was joined from parts
//! (`endstep merge`) looks as if it had been made at once:
//!
//! ```text
//! results --check_json--> report --record--> Record --sarif, junit, github, csv--> text
//! ```
//!
//! *Guarantees*: every diagnostic and every new finding of the report stands in each format, however bad
//! or harmless it is. What is expected or accepted is marked so in SARIF and JUnit and left out of
//! annotations. The same report gives the same bytes: there are no times in them.

mod csv;
mod github;
mod itf;
mod junit;
mod record;
mod sarif;

pub use csv::csv;
pub use github::github;
pub use itf::itf;
pub use junit::junit;
pub use record::{
    Answered, At, Checked, Clause, Fault, Found, GivenUp, Label, Moment, Occurs, Place, Record,
    Repair, Run, Scope, Status, Unfound, Unused, Vanished, Witness,
};
pub use sarif::sarif;
