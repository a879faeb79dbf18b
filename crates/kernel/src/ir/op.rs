//! Operations, procedures and triggers of a system.

use endstep_walk::Walk;

use super::expr::{Binder, Expr, Place, ZoneRef};
use super::walk::{Visit, VisitMut, Walk};
use endstep_language::source::Span;
use endstep_language::typing::program::{
    BlockId, EventId, FieldId, GapId, LocalId, Nest, QueueId, ReadingId, SequenceId, SortId,
    StepId, Type,
};

/// Operations with the locals that end with them.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// In order.
    pub ops: Vec<endstep_language::typing::program::StmtId>,
    /// Cleared when the block ends.
    pub binds: Vec<LocalId>,
}

/// An operation.
#[derive(Debug, Clone)]
pub struct Op {
    /// What it does.
    pub kind: OpKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of operations.
#[derive(Debug, Clone, Walk)]
#[walk(node = op)]
pub enum OpKind {
    /// Nothing.
    Skip,
    /// Nothing; the run meets a gap.
    Meet(GapId),
    /// The turn under way counts as passed.
    Pass,
    /// Binds.
    Let(LocalId, Expr),
    /// Writes.
    Set(Place, Expr),
    /// Adds `sign * by`, stopped by a bound from above (sign 1) or below (sign -1).
    Add {
        /// Where.
        place: Place,
        /// 1 or -1.
        sign: i64,
        /// How much.
        by: Expr,
        /// The bound.
        bound: Option<Expr>,
    },
    /// Takes and gives.
    Transfer {
        /// How much.
        amount: Expr,
        /// From.
        from: Place,
        /// To.
        to: Place,
    },
    /// Moves an entity.
    Move(Expr, Target),
    /// Moves all of a zone.
    MoveAll(ZoneRef, Target),
    /// Makes an entity.
    Create {
        /// The sort.
        sort: SortId,
        /// Its local.
        local: Option<LocalId>,
        /// Where it lies.
        target: Option<Target>,
        /// Fields.
        with: Vec<(FieldId, Expr)>,
    },
    /// Takes an entity of a sort out of the game.
    Remove(Expr, SortId),
    /// Announces.
    Announce(EventId, Vec<Expr>),
    /// The first true guard.
    If(Vec<(Expr, BlockId)>, Option<BlockId>),
    /// Guarded alternatives; none is a gap unless there is an `otherwise`.
    Cases {
        /// What several mean.
        policy: Policy,
        /// Guards and blocks.
        arms: Vec<(Expr, BlockId)>,
        /// If none holds.
        otherwise: Option<BlockId>,
    },
    /// By reading.
    Switch(ReadingId, Vec<BlockId>),
    /// Iteration.
    Each(Box<Each>),
    /// Reads the old state, writes together.
    Atomic(BlockId),
    /// Repeats.
    Repeat(Until, BlockId),
    /// Any arrangement.
    Shuffle(ZoneRef),
    /// Binds a chosen element.
    ChooseElement(Binder, Decider),
    /// Binds a chosen number.
    ChooseNumber {
        /// The local.
        local: LocalId,
        /// Smallest.
        low: Expr,
        /// Largest.
        high: Expr,
        /// Who.
        by: Decider,
    },
    /// One of several blocks.
    ChooseBlock(Vec<Arm>, Decider),
    /// Units, one at a time.
    Distribute {
        /// How many.
        amount: Expr,
        /// To what.
        binder: Binder,
        /// Into which place.
        into: Place,
        /// Who.
        by: Decider,
        /// What the place may hold.
        each: Option<Expr>,
    },
    /// Writes any value.
    ChooseValue {
        /// The place.
        place: Place,
        /// Its type.
        ty: Type,
        /// Which values of an integer.
        within: Option<(Expr, Expr)>,
    },
    /// Performs.
    Call(SequenceId, Vec<Expr>),
    /// Resolves one or all.
    Resolve {
        /// One.
        one: bool,
        /// From.
        queue: QueueId,
    },
    /// Ends an activation.
    Leave(SequenceId),
    /// Ends the step; this one of its list is next, and then those after it.
    GoTo(StepId),
    /// Ends the run.
    Stop(Effect),
}

/// A block that can be chosen.
#[derive(Debug, Clone, Walk)]
pub struct Arm {
    /// What it is called.
    pub label: String,
    /// Whether it is offered.
    pub guard: Option<Expr>,
    /// What is done.
    pub body: Option<BlockId>,
    /// `may`: whether it is taken; `None`: an option of `choose one`.
    pub taken: Option<bool>,
}

/// How an operation ends the run.
#[derive(Debug, Clone, Walk)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Effect {
    Win(Option<Expr>),
    Loss(Option<Expr>),
    Draw,
    End,
    Gap(GapId),
}

/// Where to.
#[derive(Debug, Clone, Walk)]
#[walk(node = target)]
pub enum Target {
    /// An end of a zone; `true`: the first place.
    Zone(bool, ZoneRef),
    /// Beside an entity; `true`: towards the last.
    Beside(bool, Expr),
}

/// An iteration.
#[derive(Debug, Clone, Walk)]
pub struct Each {
    /// Over what.
    pub binder: Binder,
    /// In which order.
    pub order: Order,
    /// Which elements.
    pub domain: endstep_language::typing::program::DomainPolicy,
    /// What is done for each.
    pub body: BlockId,
    /// Whether it binds nothing that an earlier operation of its block binds, so that its elements
    /// can be told before the block begins.
    pub standing: bool,
}

/// When a repeat ends.
#[derive(Debug, Clone, Walk)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Until {
    Until(Expr),
    While(Expr),
    Stable,
}

/// What several true guards mean.
#[derive(Debug, Clone, Walk)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Policy {
    Exclusive,
    InOrder,
    Chosen(Decider),
}

/// Who decides.
#[derive(Debug, Clone, Walk)]
#[walk(node = decider)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Decider {
    Player(Expr),
    Everyone,
    Chance,
    Nobody,
}

/// An order of elements.
#[derive(Debug, Clone, Walk)]
#[walk(node = order)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Order {
    Any,
    Chosen(Decider),
    Zone { reversed: bool, from: Option<Expr> },
    Players { reversed: bool, from: Option<Expr> },
    Own,
    Ranked(Box<Ranked>),
    Per(ReadingId, Vec<Order>),
}

/// An order of elements by what they are, and of equal ones in another.
#[derive(Debug, Clone, Walk)]
pub struct Ranked {
    /// Bound to each element in turn.
    pub element: LocalId,
    /// A number, a condition, or a player.
    pub key: Expr,
    /// Which come first.
    pub by: Rank,
    /// Of those that are equal.
    pub then: Order,
}

/// Which elements come first.
#[derive(Debug, Clone, Walk)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Rank {
    Smallest,
    Largest,
    Turn { reversed: bool, from: Option<Expr> },
}

impl OpKind {
    /// Whether it changes data by itself, so that the state may raise events: what stands in an `Atomic` changes
    /// nothing by itself, and what a contract allows raises nothing.
    pub fn changes_data(&self) -> bool {
        matches!(
            self,
            Self::Set(..)
                | Self::Add { .. }
                | Self::Transfer { .. }
                | Self::Move(..)
                | Self::MoveAll(..)
                | Self::Create { .. }
                | Self::Remove(..)
                | Self::Distribute { .. }
                | Self::ChooseValue { .. }
        )
    }
}

impl Order {
    /// Whether it goes by ranks, under some reading.
    pub fn goes_by_ranks(&self) -> bool {
        match self {
            Self::Ranked(_) => true,
            Self::Per(_, alternatives) => alternatives.iter().any(Self::goes_by_ranks),
            Self::Any | Self::Zone { .. } | Self::Players { .. } | Self::Chosen(_) | Self::Own => {
                false
            }
        }
    }
}

/// A procedure.
#[derive(Debug, Clone)]
pub struct Procedure {
    /// The name.
    pub name: String,
    /// How many parameters.
    pub params: u32,
    /// How many locals.
    pub locals: u32,
    /// Their types.
    pub types: Vec<Type>,
    /// Who decides the order of the steps; `None` if they bind. With a reading, only under its
    /// alternative 1.
    pub free: Option<(Decider, Option<ReadingId>)>,
    /// Of a list whose order is open: pairs of which the first always comes before the second.
    pub precedes: Vec<(StepId, StepId)>,
    /// The second loop.
    pub over: Option<(Binder, Order, Nest)>,
    /// The restart rule.
    pub restart: Option<Restart>,
    /// In order.
    pub steps: Vec<StepId>,
    /// What it may change: places with the values explored, and fields of all.
    pub changes: Vec<Change>,
    /// What then holds.
    pub ensures: Vec<Expr>,
    /// Whether there is a contract.
    pub contract: bool,
}

/// One thing that a contract may change.
#[derive(Debug, Clone)]
pub struct Change {
    /// One place and its type, or a field of every entity of its sort.
    pub target: Result<(Place, Type), FieldId>,
    /// Values.
    pub within: Option<(Expr, Expr)>,
}

/// A restart rule.
#[derive(Debug, Clone)]
pub struct Restart {
    /// When.
    pub when: Expr,
    /// How fine.
    pub cancel: endstep_language::typing::program::Cancel,
    /// What becomes of the rest.
    pub unfinished: endstep_language::typing::program::Unfinished,
    /// Before the next pass.
    pub before: Option<BlockId>,
}

/// A step.
#[derive(Debug, Clone)]
pub struct Step {
    /// The name, with that of its procedure.
    pub name: String,
    /// Of which procedure.
    pub procedure: SequenceId,
    /// What it does.
    pub body: BlockId,
    /// What holds when it has ended.
    pub ensures: Vec<Expr>,
    /// Whether those speak of `old`.
    pub old: bool,
}

/// A trigger.
#[derive(Debug, Clone)]
pub struct Trigger {
    /// The name.
    pub name: String,
    /// One instance for each.
    pub listener: Option<Binder>,
    /// The event.
    pub event: EventId,
    /// Locals of the payload.
    pub args: Vec<LocalId>,
    /// Looked at when the event is announced.
    pub condition: Option<Expr>,
    /// Larger first.
    pub priority: i64,
    /// What happens.
    pub body: BlockId,
    /// How many locals.
    pub locals: u32,
    /// Their types.
    pub types: Vec<Type>,
}
