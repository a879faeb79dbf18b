//! The control of a working state.

use smallvec::SmallVec;

use super::words::{End, Words};
use endstep_language::typing::program::{
    BlockId, EventId, QueueId, SequenceId, StepId, StmtId, TriggerId,
};
use endstep_semantics::semantics::{Running, Spot, Who};

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

/// A running procedure or trigger: where its locals and frames begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activation {
    /// What runs.
    pub of: Running,
    /// Its first local.
    pub locals: usize,
    /// Its first frame.
    pub frames: usize,
}

/// What is in progress; as in the interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are those of `semantics::Frame`")]
pub enum Frame {
    Block {
        block: BlockId,
        next: u32,
    },
    Iterate {
        stmt: StmtId,
        todo: List,
        visited: List,
        position: u32,
    },
    Recheck {
        stmt: StmtId,
    },
    Repeat {
        stmt: StmtId,
        before: Option<Box<Words>>,
    },
    Commit(Box<Together>),
    Write {
        by: Option<StmtId>,
        writes: SmallVec<[(Spot, i64); 1]>,
    },
    Match {
        event: EventId,
        instances: Vec<Inst>,
        placed: Vec<Inst>,
    },
    Interrupt {
        todo: Vec<Inst>,
    },
    Resolve {
        stmt: StmtId,
        queue: QueueId,
        one: bool,
    },
    Shuffle {
        stmt: StmtId,
        zone: u16,
        placed: u32,
    },
    Distribute {
        stmt: StmtId,
        left: i64,
        elements: List,
        into: Vec<(Spot, i64)>,
        who: Who,
    },
    Pass(Box<Pass>),
    Before,
    Step {
        step: StepId,
        old: Option<Box<Words>>,
    },
}

/// Simultaneous effects that are being settled.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are those of `semantics::Together`")]
pub struct Together {
    pub stmt: StmtId,
    pub conflicts: Vec<(Spot, Vec<i64>)>,
    pub torn: Vec<(u16, Vec<End>)>,
    pub writes: Vec<(Spot, i64)>,
    pub moves: Vec<(u16, End)>,
    pub ordered: Vec<(u16, End)>,
    pub made: bool,
    pub announcements: Vec<(EventId, Vec<i64>)>,
    pub chosen: Option<(EventId, Vec<i64>)>,
}

/// A pass of a procedure.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are those of `semantics::Pass`")]
pub struct Pass {
    pub sequence: SequenceId,
    pub only: Option<StepId>,
    pub steps: SmallVec<[StepId; 6]>,
    pub places: List,
    pub current: Option<StepId>,
    pub begun: bool,
    pub placed: bool,
    pub fresh: bool,
    pub carried: Vec<(StmtId, u16)>,
}
