//! Under which readings something occurs.

use serde::{Deserialize, Serialize};

use endstep_semantics::semantics::Readings;

/// Under which readings a finding occurs (on one board or another).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Under {
    /// All.
    All,
    /// Those in which, for one of these, all the alternatives listed hold.
    Listed(Vec<Readings>),
}
