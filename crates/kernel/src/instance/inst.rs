//! Lists of elements, and triggers that have matched.

use smallvec::SmallVec;

use endstep_language::typing::program::TriggerId;

/// Elements: entities, values of an enumeration, truth values.
pub type List = SmallVec<[u16; 8]>;

/// A trigger that has matched.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Inst {
    /// Which.
    pub trigger: TriggerId,
    /// For which listener.
    pub listener: i64,
    /// The payload.
    pub payload: SmallVec<[i64; 4]>,
}

/// Where an element stands in an order by rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rank {
    /// Elements with a smaller number come before it.
    pub number: u16,
    /// Whose turn it is; [`NOWHERE`](super::layout::NOWHERE) if nobody's.
    pub player: u16,
}
