//! What a sign may mean where nobody could decide it.

use super::sign::Sign;
use endstep_language::typing::program::SequenceId;
use endstep_semantics::witness::Witness;

/// Something that a run shows, and that could not be decided: the runs of its board are too many, or were given up.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspicion {
    /// Of which sequence.
    pub sequence: SequenceId,
    /// What was seen.
    pub sign: Sign,
    /// What that means.
    pub why: Why,
    /// A run that shows it, if a single one does; it was replayed.
    pub witness: Option<Witness>,
}

/// Why something is only suspected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// A run comes back to a state; whether there is a way out is not known.
    Loop,
    /// Two runs of one board end differently, and in nothing but the order of things; which order it is
    /// was not found out.
    Orders,
    /// Two runs of one board end differently; whether somebody could make up for it is not known.
    Differs,
    /// A run leaves the bounds of exploration, or is very long; what comes then is not known.
    Long,
}
