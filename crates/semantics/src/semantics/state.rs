//! States of a run: data, and a stack of activations that says what is still to be done.

use endstep_language::source::Span;
use endstep_language::typing::program::{
    BlockId, EntityId, EventId, Program, QueueId, SequenceId, SortId, StepId, StmtId, Tallies,
    TriggerId, Value, ZoneId,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A zone of a state: its declaration, and whose it is if zones are `per` something.
pub type ZoneKey = (ZoneId, Option<EntityId>);

/// Everything that rules can read or write.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Data {
    /// By `EntityId`; removed ones stay.
    pub entities: Vec<Entity>,
    /// By `VarId`.
    pub vars: Vec<Value>,
    /// Every zone of the state, also the empty ones; first to last.
    pub zones: BTreeMap<ZoneKey, Vec<EntityId>>,
    /// By `QueueId`; in order of arrival.
    pub queues: Vec<Vec<Instance>>,
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entity {
    /// Its sort.
    pub sort: SortId,
    /// Made during the run.
    pub created: bool,
    /// Out of the game.
    pub removed: bool,
    /// In the order of `Sort::fields`.
    pub fields: Vec<Value>,
}

/// A trigger that has matched.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Instance {
    /// Which.
    pub trigger: TriggerId,
    /// For which listener; `Value::None` if it has none.
    pub listener: Value,
    /// The frozen payload.
    pub payload: Vec<Value>,
}

/// Data and control.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The data.
    pub data: Data,
    /// The stack, outermost first. Empty: the run has ended normally.
    pub control: Vec<Activation>,
}

/// A running sequence or trigger.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Activation {
    /// What runs.
    pub of: Running,
    /// By `LocalId`; those out of scope are `Value::None`.
    pub locals: Vec<Value>,
    /// Innermost last.
    pub frames: Vec<Frame>,
}

/// What an activation runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Running {
    Sequence(SequenceId),
    Trigger(TriggerId),
}

/// What is in progress inside an activation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Frame {
    /// Statements from `next` on are left.
    Block {
        /// Which.
        block: BlockId,
        /// The next statement.
        next: usize,
    },
    /// A `for each`.
    Iterate {
        /// Which.
        stmt: StmtId,
        /// Elements left (`snapshot`, `rechecked`, and carried ones).
        todo: Vec<Value>,
        /// Their ranks, if some come before others by what they are; they do not fall.
        ranks: Vec<Rank>,
        /// Elements visited (`live`).
        visited: Vec<Value>,
        /// Next position (`live by position`).
        position: usize,
    },
    /// A second look at the condition before the body (`rechecked`).
    Recheck {
        /// Which iteration.
        stmt: StmtId,
    },
    /// A `repeat`.
    Repeat {
        /// Which.
        stmt: StmtId,
        /// The data when the round began (`until stable`).
        before: Option<Box<Data>>,
    },
    /// Simultaneous effects that are being settled; see [`Together`].
    Commit(Box<Together>),
    /// Writes decided by a choice, made next.
    Write {
        /// The statement that asked; `None` of a distribution, which lies below and goes on, and of contracts, which
        /// raise nothing.
        by: Option<StmtId>,
        /// Places and values.
        writes: Vec<(Spot, Value)>,
    },
    /// Instances still to be put in order: into the queue, or into the interrupt above which it
    /// lies.
    Match {
        /// The event.
        event: EventId,
        /// Not yet placed.
        instances: Vec<Instance>,
        /// Placed (events at once).
        placed: Vec<Instance>,
    },
    /// Instances that interrupt, in order.
    Interrupt {
        /// Left.
        todo: Vec<Instance>,
    },
    /// `resolve`.
    Resolve {
        /// Which statement.
        stmt: StmtId,
        /// The queue.
        queue: QueueId,
        /// One only.
        one: bool,
    },
    /// A shuffle; the first `placed` places are settled.
    Shuffle {
        /// Which statement.
        stmt: StmtId,
        /// The zone.
        zone: ZoneKey,
        /// Settled places.
        placed: usize,
    },
    /// A distribution.
    Distribute {
        /// Which statement.
        stmt: StmtId,
        /// Units left.
        left: i64,
        /// Elements to which they may still go.
        elements: Vec<Value>,
        /// Of each, into which place, and what that may hold at most: as it was when all began.
        into: Vec<(Spot, Value)>,
        /// Who decides.
        who: Who,
        /// The data when all began, if the state raises events.
        before: Option<Box<Data>>,
    },
    /// A pass of a sequence.
    Pass(Pass),
    /// `before restarting` of the pass below.
    Before,
    /// A step.
    Step {
        /// Which.
        step: StepId,
        /// The data when it began, if its `ensures` ask for them.
        old: Option<Box<Data>>,
    },
}

/// Where an element stands in an order by rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank {
    /// Elements with a smaller number come before it.
    pub number: u32,
    /// Whose turn it is, if players take turns.
    pub player: Option<EntityId>,
}

/// A move to an end of a zone; `true`: to its first place.
pub type Destination = (ZoneKey, bool);

/// What a `simultaneously` does, or what another statement raises, in the stages in which it is settled: conflicts between writes,
/// conflicts between moves, the order of insertions; then writes and moves are made at once; then
/// the announcements, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Together {
    /// Which statement.
    pub stmt: StmtId,
    /// Places for which several values compete.
    pub conflicts: Vec<(Spot, Vec<Value>)>,
    /// Entities for which several destinations compete.
    pub torn: Vec<(EntityId, Vec<Destination>)>,
    /// Settled writes.
    pub writes: Vec<(Spot, Value)>,
    /// Moves whose order is not settled.
    pub moves: Vec<(EntityId, Destination)>,
    /// Moves in order.
    pub ordered: Vec<(EntityId, Destination)>,
    /// Writes and moves were made.
    pub made: bool,
    /// Announcements not yet made.
    pub announcements: Vec<(EventId, Vec<Value>)>,
    /// The next of them, if it was chosen.
    pub chosen: Option<(EventId, Vec<Value>)>,
}

impl Together {
    /// A statement of which nothing is known yet.
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

/// A pass of a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pass {
    /// Which sequence.
    pub sequence: SequenceId,
    /// Only this step, and no restart.
    pub only: Option<StepId>,
    /// Steps left (with `nest places`: for the current place).
    pub steps: Vec<StepId>,
    /// Places left (with `nest steps`: for the current step).
    pub places: Vec<Value>,
    /// The step in progress, with `nest steps`.
    pub current: Option<StepId>,
    /// Its steps and places have been determined.
    pub begun: bool,
    /// The places of the current step have been determined (`nest steps`).
    pub placed: bool,
    /// No statement has been executed in it yet.
    pub fresh: bool,
    /// Dropped elements that join their iterations in this pass.
    pub carried: Vec<(StmtId, Value)>,
}

/// A place of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Spot {
    /// A variable.
    Var(endstep_language::typing::program::VarId),
    /// A field of an entity.
    Field(EntityId, endstep_language::typing::program::FieldId),
}

/// Where in the specification something happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Site {
    /// A statement.
    Stmt(StmtId),
    /// The list of steps of a sequence, its restart rule or its contract.
    Sequence(SequenceId),
    /// The places for which a sequence is done (`over each`).
    Places(SequenceId),
    /// An event's matching triggers.
    Event(EventId),
    /// A trigger.
    Trigger(TriggerId),
    /// A step.
    Step(StepId),
    /// A condition outside the procedure.
    Outside(Span),
}

impl State {
    /// The same with nothing counted: what tallies hold is zero.
    pub fn uncounted(mut self, program: &Program, tallies: &Tallies) -> Self {
        self.data.uncount(program, tallies);
        for frame in self.control.iter_mut().flat_map(|one| &mut one.frames) {
            if let Frame::Repeat { before: data, .. }
            | Frame::Distribute { before: data, .. }
            | Frame::Step { old: data, .. } = frame
                && let Some(data) = data
            {
                data.uncount(program, tallies);
            }
        }
        self
    }

    /// Whether no statement that takes several small steps has begun and not ended.
    pub fn is_settled(&self) -> bool {
        let top = self.control.last().and_then(|one| one.frames.last());
        !matches!(
            top,
            Some(
                Frame::Commit(_)
                    | Frame::Write { .. }
                    | Frame::Match { .. }
                    | Frame::Shuffle { .. }
                    | Frame::Distribute { .. }
            )
        )
    }
}

impl Data {
    /// Where an entity lies: the zone and the position from the first.
    pub fn place_of(&self, entity: EntityId) -> Option<(ZoneKey, usize)> {
        self.zones.iter().find_map(|(key, contents)| {
            let at = contents.iter().position(|&other| other == entity)?;
            Some((*key, at))
        })
    }

    /// The players and other entities of a sort that are not removed, in order of identity.
    pub fn members(&self, sort: SortId) -> impl Iterator<Item = EntityId> + '_ {
        use endstep_language::index::Id as _;
        self.entities
            .iter()
            .enumerate()
            .filter(move |(_, entity)| entity.sort == sort && !entity.removed)
            .map(|(index, _)| EntityId::from_index(index))
    }
}

/// Who decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Who {
    Nobody,
    Player(EntityId),
    Everyone,
    Chance,
}

impl Who {
    /// A player, or else the players together.
    pub fn of(player: Option<EntityId>) -> Self {
        player.map_or(Self::Everyone, Self::Player)
    }

    /// Whether a choice of `other` is one of theirs: the players together make those of each player,
    /// too.
    pub fn speaks_for(self, other: Self) -> bool {
        self == other || (self == Self::Everyone && matches!(other, Self::Player(_)))
    }
}
