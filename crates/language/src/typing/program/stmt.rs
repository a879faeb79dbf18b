//! Typed statements, sequences and triggers.

use endstep_walk::Walk;

use super::walk::{Visit, VisitMut, Walk};
use super::{
    Basis, Binder, BlockId, ClauseIdx, Contract, EventId, Expr, FieldId, LocalId, Place, QueueId,
    ReadingId, SequenceId, SortId, StepId, StmtId, TriggerId, Type, ZoneRef,
};
use crate::source::Span;

/// Statements with the locals that end with them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// In order; clauses around statements are gone (each statement knows its clause).
    pub stmts: Vec<StmtId>,
    /// Locals bound in this block, cleared when it ends.
    pub binds: Vec<LocalId>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// What it stands in; `None` of statements that no text has (probes).
    pub owner: Option<Owner>,
    /// A name that survives unrelated edits, for showing and for fingerprints:
    /// `cleanup/destroy/for each#1`.
    pub path: String,
    /// Its heading.
    pub span: Span,
}

/// What a body belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A step.
    Step(StepId),
    /// A trigger.
    Trigger(TriggerId),
    /// The `before restarting` of a sequence.
    Restart(SequenceId),
}

/// The forms of statements.
#[derive(Debug, Clone, PartialEq, Walk)]
#[walk(node = stmt)]
pub enum StmtKind {
    /// Nothing.
    Nothing,
    /// The turn under way counts as passed, in the innermost iteration that goes on until all pass.
    Pass,
    /// Binds a value for the rest of the block.
    Let(LocalId, Expr),
    /// Writes.
    Set(Place, Expr),
    /// Adds; then clamps from above.
    Increase(Place, Expr, Option<Expr>),
    /// Subtracts; then clamps from below.
    Decrease(Place, Expr, Option<Expr>),
    /// Takes and gives.
    Transfer {
        /// How much; negative is a gap.
        amount: Expr,
        /// From.
        from: Place,
        /// To.
        to: Place,
    },
    /// Moves an entity.
    Move(Expr, Target),
    /// Moves all entities of a zone, keeping their order.
    MoveAll(ZoneRef, Target),
    /// Any arrangement, by chance.
    Shuffle(ZoneRef),
    /// Makes an entity.
    Create {
        /// The sort.
        sort: SortId,
        /// Its name for the rest of the block.
        local: Option<LocalId>,
        /// Where.
        target: Option<Target>,
        /// Fields other than the default.
        with: Vec<(FieldId, Expr)>,
    },
    /// Takes an entity out of the game.
    Remove(Expr),
    /// Announces an event.
    Announce(EventId, Vec<Expr>),
    /// The first true guard, or the last block.
    If(#[walk(condition)] Vec<(Expr, BlockId)>, Option<BlockId>),
    /// Guarded alternatives: none is a gap.
    Cases {
        /// Several.
        policy: CasePolicy,
        /// Guards and bodies.
        #[walk(condition)]
        arms: Vec<(Expr, BlockId)>,
        /// If none is true.
        otherwise: Option<BlockId>,
    },
    /// One block for each alternative of the reading.
    Depending(ReadingId, Vec<BlockId>),
    /// Iteration.
    ForEach {
        /// Over what.
        binder: Binder,
        /// In which order.
        order: Order,
        /// Over which elements.
        domain: DomainPolicy,
        /// The body.
        body: BlockId,
    },
    /// Reads the old state, writes together. The body has only `Nothing`, `Let`, `Set`, `Increase`,
    /// `Decrease`, `Transfer`, `Move`, `Announce` (queued events), `If`, `Depending`, `ForEach`.
    Simultaneously(BlockId),
    /// Repeats.
    Repeat(When, BlockId),
    /// Binds a chosen element for the rest of the block; nothing to choose from is a gap.
    Choose(Binder, Decider),
    /// Binds a chosen number.
    ChooseNumber {
        /// The local.
        local: LocalId,
        /// Smallest.
        low: Expr,
        /// Largest; below the smallest is a gap.
        high: Expr,
        /// Who.
        by: Decider,
    },
    /// One of the offered options; none offered is a gap.
    ChooseOne {
        /// Who.
        by: Decider,
        /// Label, guard, body.
        #[walk(condition)]
        options: Vec<(String, Option<Expr>, BlockId)>,
    },
    /// Taken or not.
    May {
        /// Who.
        by: Decider,
        /// In words.
        label: Option<String>,
        /// If taken.
        body: BlockId,
        /// If not.
        otherwise: Option<BlockId>,
    },
    /// Units spread over elements. More units than the caps allow, or no element for at least one
    /// unit, is a gap.
    Distribute {
        /// How many; negative is a gap.
        amount: Expr,
        /// Over what.
        binder: Binder,
        /// Into which integer place of the element.
        into: Place,
        /// Who.
        by: Decider,
        /// Cap on what the place holds afterwards.
        each: Option<Expr>,
    },
    /// Calls. Calls are acyclic.
    Perform(SequenceId, Vec<Expr>),
    /// Resolves one pending trigger, or all until the queue is empty.
    Resolve {
        /// One.
        one: bool,
        /// From.
        queue: QueueId,
    },
    /// Skips the rest of the innermost activation of the sequence.
    Leave(SequenceId),
    /// Ends the step; this one of its list is next, and then those after it.
    GoTo(StepId),
    /// Ends the run.
    Declare(Declared),
    /// Ends the run in a gap.
    Gap(super::GapId),
    /// Meets a gap, and goes on.
    GapGoesOn {
        /// Which.
        gap: super::GapId,
        /// What the statements after it do in its place, in words.
        assuming: Option<String>,
    },
    /// Goes on with every value in the place.
    GapMayChange {
        /// Which.
        gap: super::GapId,
        /// The place.
        place: Place,
        /// Values; for enumerations, truth values and optionals all of the type.
        within: Option<(Expr, Expr)>,
    },
}

/// What a rule declares.
#[derive(Debug, Clone, PartialEq, Walk)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Declared {
    Win(Whom),
    Loss(Whom),
    Draw,
    End,
}

/// For whom.
#[derive(Debug, Clone, PartialEq, Walk)]
pub enum Whom {
    /// A player.
    Player(Expr),
    /// All.
    Everyone,
}

/// Where to.
#[derive(Debug, Clone, PartialEq, Walk)]
#[walk(node = target)]
pub enum Target {
    /// An end of one zone (never of a family). `true`: the first place.
    Zone(bool, ZoneRef),
    /// Next to an entity, towards the first. Not in any zone is a gap.
    Before(Expr),
    /// Next to an entity, towards the last.
    After(Expr),
}

/// When a `repeat` ends.
#[derive(Debug, Clone, PartialEq, Walk)]
#[allow(missing_docs, reason = "as in the syntax tree")]
pub enum When {
    Until(#[walk(condition)] Expr),
    While(#[walk(condition)] Expr),
    Stable,
}

/// What several true guards mean.
#[derive(Debug, Clone, PartialEq, Walk)]
#[allow(missing_docs, reason = "as in the syntax tree")]
pub enum CasePolicy {
    Exclusive,
    InOrder,
    Chosen(Decider),
}

/// Who takes a choice.
#[derive(Debug, Clone, PartialEq, Walk)]
#[walk(node = decider)]
#[allow(missing_docs, reason = "as in the syntax tree")]
pub enum Decider {
    Player(Expr),
    Everyone,
    Chance,
    Nobody,
}

/// In which order elements are taken.
#[derive(Debug, Clone, PartialEq, Walk)]
#[walk(node = order)]
#[allow(missing_docs, reason = "as in the syntax tree")]
pub enum Order {
    Any,
    Zone { reversed: bool, from: Option<Expr> },
    Players { reversed: bool, from: Option<Expr> },
    Chosen(Decider),
    Own,
    Ranked(Box<Ranked>),
    Per(ReadingId, Vec<Order>),
}

impl Order {
    /// Whether elements can be taken as they come: as they lie, or as their players follow each other.
    pub fn goes_along(&self) -> bool {
        match self {
            Order::Any | Order::Chosen(_) | Order::Own => false,
            Order::Ranked(ranked) => ranked.then.goes_along(),
            Order::Zone { .. } | Order::Players { .. } => true,
            Order::Per(_, orders) => orders.iter().any(Order::goes_along),
        }
    }
}

/// An order of elements by what they are, and of equal ones in another.
#[derive(Debug, Clone, PartialEq, Walk)]
pub struct Ranked {
    /// Bound to each element in turn while it is ranked.
    pub element: LocalId,
    /// The type of the elements.
    pub ty: Type,
    /// What is compared: a number, a condition, or a player.
    pub key: Expr,
    /// Which come first.
    pub by: Rank,
    /// Of those that are equal.
    pub then: Order,
}

/// Which elements come first.
#[derive(Debug, Clone, PartialEq, Walk)]
pub enum Rank {
    /// Those with the smallest number.
    Smallest,
    /// Those with the largest number, or for which the condition is true.
    Largest,
    /// Those whose player's turn comes first.
    Turn {
        /// Against the order of play.
        reversed: bool,
        /// Whose turn is first; `None`: the first player's.
        from: Option<Expr>,
    },
}

/// Which elements an iteration visits.
#[derive(Debug, Clone, PartialEq, Walk)]
#[walk(node = domain)]
#[allow(missing_docs, reason = "as in the syntax tree")]
pub enum DomainPolicy {
    Snapshot,
    Rechecked,
    Live,
    LiveByPosition,
    UntilAllPass,
    Per(ReadingId, Vec<DomainPolicy>),
}

/// How fine a cancel is.
#[derive(Debug, Clone, PartialEq, Walk)]
#[walk(node = cancel)]
#[allow(missing_docs, reason = "as in the syntax tree")]
pub enum Cancel {
    AtOnce,
    EndOfStep,
    EndOfPass,
    Per(ReadingId, Vec<Cancel>),
}

/// What becomes of the part not run.
#[derive(Debug, Clone, PartialEq, Walk)]
#[walk(node = unfinished)]
#[allow(missing_docs, reason = "as in the syntax tree")]
pub enum Unfinished {
    Lost,
    Carried,
    Per(ReadingId, Vec<Unfinished>),
}

impl DomainPolicy {
    /// Whether it goes on until all pass, under some reading.
    pub fn takes_turns(&self) -> bool {
        match self {
            Self::UntilAllPass => true,
            Self::Per(_, alternatives) => alternatives.iter().any(Self::takes_turns),
            Self::Snapshot | Self::Rechecked | Self::Live | Self::LiveByPosition => false,
        }
    }

    /// Whether it visits elements one after the other, and not players who take turns or whatever lies at a
    /// position, under every reading.
    pub fn visits_elements(&self) -> bool {
        match self {
            Self::Snapshot | Self::Rechecked | Self::Live => true,
            Self::UntilAllPass | Self::LiveByPosition => false,
            Self::Per(_, alternatives) => alternatives.iter().all(Self::visits_elements),
        }
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

impl Cancel {
    /// Whether a reading decides how fine it is.
    pub fn depends_on(&self, reading: ReadingId) -> bool {
        match self {
            Self::AtOnce | Self::EndOfStep | Self::EndOfPass => false,
            Self::Per(one, all) => *one == reading || all.iter().any(|e| e.depends_on(reading)),
        }
    }
}

impl Unfinished {
    /// Whether a reading decides what becomes of it.
    pub fn depends_on(&self, reading: ReadingId) -> bool {
        match self {
            Self::Lost | Self::Carried => false,
            Self::Per(one, all) => *one == reading || all.iter().any(|e| e.depends_on(reading)),
        }
    }
}

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A procedure. Its parameters are the first locals.
#[derive(Debug, Clone, PartialEq)]
pub struct Sequence {
    /// The name.
    pub name: String,
    /// The parameters.
    pub params: Vec<Param>,
    /// The types of the locals of an activation.
    pub locals: Vec<Type>,
    /// The order of its steps.
    pub policy: ListPolicy,
    /// Of a list whose order is open: pairs of which the first always comes before the second. The
    /// language has no words for it; repairs are tried with it.
    pub precedes: Vec<(StepId, StepId)>,
    /// The second loop.
    pub over: Option<NestOver>,
    /// The restart rule.
    pub restart: Option<Restart>,
    /// In the order in which they stand.
    pub steps: Vec<StepId>,
    /// What it promises.
    pub contract: Option<Contract>,
    /// On what it stands.
    pub basis: Basis,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// Clauses that it cites as a whole.
    pub cites: Vec<ClauseIdx>,
    /// What its comment says; it has no meaning.
    pub doc: Option<String>,
    /// If the author made it up: of what.
    pub experiment: Option<Experiment>,
    /// Its heading.
    pub span: Span,
}

/// What an experiment is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experiment {
    /// The sequence as it is written.
    pub of: SequenceId,
    /// What is changed, as it is written.
    pub alterations: String,
}

/// The order of the steps.
#[derive(Debug, Clone, PartialEq)]
pub enum ListPolicy {
    /// They bind.
    InOrder,
    /// By the reading made for this list: alternative 0 binding, 1 free.
    Unspecified(ReadingId),
    /// Any.
    Any,
    /// Somebody's choice.
    Chosen(Decider),
}

/// The second loop around the steps.
#[derive(Debug, Clone, PartialEq)]
pub struct NestOver {
    /// Over what.
    pub binder: Binder,
    /// In which order.
    pub order: Order,
    /// Which is outer.
    pub nest: Nest,
}

/// Which loop is the outer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nest {
    /// The steps.
    Steps,
    /// The places.
    Places,
    /// By the reading made for this sequence: alternative 0 steps, 1 places.
    Unspecified(ReadingId),
}

/// The restart rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Restart {
    /// When.
    pub when: Expr,
    /// How fine.
    pub cancel: Cancel,
    /// Lost or carried.
    pub unfinished: Unfinished,
    /// Done before the next pass.
    pub before: Option<BlockId>,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// Its heading.
    pub span: Span,
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// Of which sequence.
    pub sequence: SequenceId,
    /// What it does.
    pub body: BlockId,
    /// What holds when it has ended.
    pub ensures: Vec<Expr>,
    /// On what it stands.
    pub basis: Basis,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// Clauses it also cites.
    pub cites: Vec<ClauseIdx>,
    /// What its comment says; it has no meaning.
    pub doc: Option<String>,
    /// Its heading.
    pub span: Span,
}

/// A trigger.
#[derive(Debug, Clone, PartialEq)]
pub struct Trigger {
    /// The name.
    pub name: String,
    /// One instance for each.
    pub listener: Option<Binder>,
    /// The event.
    pub event: EventId,
    /// Locals for the payload.
    pub args: Vec<LocalId>,
    /// Looked at when the event is announced.
    pub condition: Option<Expr>,
    /// Larger first, in queues by priority.
    pub priority: i64,
    /// What happens.
    pub body: BlockId,
    /// The types of the locals of an activation.
    pub locals: Vec<Type>,
    /// On what it stands.
    pub basis: Basis,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// Clauses it also cites.
    pub cites: Vec<ClauseIdx>,
    /// What its comment says; it has no meaning.
    pub doc: Option<String>,
    /// Its heading.
    pub span: Span,
}
