//! A mutant in the making: what is changed, and what stands there instead.

use super::operator::Operator;
use endstep_language::source::Span;
use endstep_language::typing::program::{
    Block, BlockId, ClauseIdx, DefineId, Event, EventId, Expr, Queue, QueueId, Sequence,
    SequenceId, StmtId, StmtKind, Trigger, TriggerId,
};

/// What stands where something else stood.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Edit {
    Stmt(StmtId, Box<StmtKind>),
    Block(BlockId, Block),
    Sequence(SequenceId, Box<Sequence>),
    Trigger(TriggerId, Box<Trigger>),
    Event(EventId, Box<Event>),
    Queue(QueueId, Queue),
    Define(DefineId, Box<Expr>),
}

/// A mutant without a name.
pub(super) struct Draft {
    pub(super) operator: Operator,
    pub(super) span: Span,
    pub(super) clause: Option<ClauseIdx>,
    pub(super) text: String,
    pub(super) edit: Edit,
}
