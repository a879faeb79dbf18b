//! The control of a working state.

use std::sync::Arc;

use smallvec::SmallVec;

use super::cells::{Cells, End};
use super::code::Address;
use super::inst::{Inst, List, Rank};
use endstep_language::typing::program::{EventId, SequenceId, StepId, StmtId};
use endstep_semantics::semantics::{Running, Spot, Who};

/// A running procedure or trigger: where its locals and frames begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activation {
    /// What runs.
    pub of: Running,
    /// Its first local.
    pub locals: usize,
    /// Its first frame.
    pub frames: usize,
    /// Where it is.
    pub at: Address,
}

/// What is in progress in a state, with its locals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Control {
    /// The activations, outermost first.
    pub stack: Vec<Activation>,
    /// The locals of all.
    pub locals: Vec<i64>,
    /// The frames of all.
    pub frames: Vec<Frame>,
}

/// What is in hand of what is in progress; the frames of the interpreter that hold nothing are known from where an
/// activation is (`code.rs`).
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are those of `semantics::Frame`")]
pub enum Frame {
    Iterate {
        stmt: StmtId,
        todo: List,
        ranks: Vec<Rank>,
        visited: List,
        position: u32,
    },
    Repeat {
        stmt: StmtId,
        before: Box<Cells>,
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
        before: Option<Box<Cells>>,
    },
    /// Copies of a state share it until one of them changes it.
    Pass(Arc<Pass>),
    Step {
        step: StepId,
        old: Box<Cells>,
    },
}

impl Frame {
    /// Whether it comes before what stands where its activation is: of an operation that takes several small steps.
    pub fn is_half_done(&self) -> bool {
        match self {
            Self::Commit(_)
            | Self::Write { .. }
            | Self::Match { .. }
            | Self::Interrupt { .. }
            | Self::Shuffle { .. }
            | Self::Distribute { .. } => true,
            Self::Iterate { .. } | Self::Repeat { .. } | Self::Pass(_) | Self::Step { .. } => false,
        }
    }
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

impl Together {
    /// An operation of which nothing is known yet.
    pub fn of(stmt: StmtId) -> Self {
        Self {
            stmt,
            conflicts: Vec::new(),
            torn: Vec::new(),
            writes: Vec::new(),
            moves: Vec::new(),
            ordered: Vec::new(),
            made: false,
            announcements: Vec::new(),
            chosen: None,
        }
    }
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
