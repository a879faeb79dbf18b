//! The intermediate representation: a *system*, a typed program without sugar.
//!
//! It is parametric: fields are maps over the entities of a sort, iterations are not unrolled and
//! no number of entities is fixed. Choosing sizes and a board makes an *instance* of it
//! (`instance`), which the explorer runs; the prover and the dependency analysis read the system
//! itself.
//!
//! ```text
//! step destroy                                       step cleanup.destroy
//!   for each c: Card in board where c.health <= 0      %3 each l0: Card in board if (l0.health <= 0), as they lie, snapshot
//!     move c to dying                                    %4 move l0 to bottom of dying
//! ```
//!
//! What is gone: `and`, `or`, `is none`, `is empty` and `clamp`-like forms are conditionals and
//! comparisons; `count`, `sum`, `largest`, `every`, `some` are one fold; `increase` and `decrease`
//! are one addition; `may` and `choose one` are one choice between blocks; declared outcomes and
//! gaps are one stop. What stays is what cannot be expressed by the rest: additions are no
//! assignments, because simultaneous ones are summed.
//!
//! *Numbers.* Every value is an `i64`: entities by number, enumerations by position, truth values 0
//! and 1, and the absent value is [`NONE`]. The type of an expression says which is meant.
//!
//! *Guarantees.* [`fault`] returns `None` for every system that lowering makes; it is asked in
//! debug builds and in tests. Operations have the numbers of the statements they come from, so that
//! runs of both can be compared.

mod check;
mod expr;
mod op;
mod print;
mod under;
mod walk;

pub use check::fault;
pub use expr::{Binder, Compute, Expr, ExprKind, Fold, NoNumber, Place, Range, Relation, ZoneRef};
pub use op::{
    Arm, Block, Change, Decider, Each, Effect, Op, OpKind, Order, Policy, Procedure, Rank, Ranked,
    Restart, Step, Target, Trigger, Until,
};
pub use print::print;
pub use under::Under;
pub use walk::{Visit, VisitMut, Walk};

use std::collections::BTreeSet;

use endstep_language::index::Arena;
use endstep_language::syntax::ast::QueueDiscipline;
use endstep_language::typing::program::{
    BlockId, Bounds, Continuous, DefineId, EnumId, EventId, FieldId, GapId, QueueId, ReadingId,
    SequenceId, SortId, StepId, StmtId, TriggerId, Type, VarId, ZoneId,
};

/// The absent value of an optional, and the content of a local that is out of scope.
pub const NONE: i64 = i64::MIN;

/// A system.
#[derive(Debug, Clone, Default)]
pub struct System {
    /// Enumerations.
    pub enums: Arena<EnumId, Enum>,
    /// Sorts.
    pub sorts: Arena<SortId, Sort>,
    /// The sort of the players, if there is one.
    pub players: Option<SortId>,
    /// Fields.
    pub fields: Arena<FieldId, Field>,
    /// Variables, supplies, roles.
    pub vars: Arena<VarId, Var>,
    /// Zones and families.
    pub zones: Arena<ZoneId, Zone>,
    /// Queues.
    pub queues: Arena<QueueId, Queue>,
    /// Events.
    pub events: Arena<EventId, Event>,
    /// How many alternatives each reading has, and its name.
    pub readings: Arena<ReadingId, Reading>,
    /// The names of gaps.
    pub gaps: Arena<GapId, String>,
    /// Definitions.
    pub functions: Arena<DefineId, Function>,
    /// Triggers.
    pub triggers: Arena<TriggerId, Trigger>,
    /// Sequences.
    pub procedures: Arena<SequenceId, Procedure>,
    /// Steps.
    pub steps: Arena<StepId, Step>,
    /// Blocks.
    pub blocks: Arena<BlockId, Block>,
    /// Operations.
    pub ops: Arena<StmtId, Op>,
    /// Conditions of legality.
    pub legal: Vec<Function>,
    /// Restrictions of which boards are explored.
    pub explored: Vec<Function>,
    /// The same for the n-th `verify` alone.
    pub verified: Vec<Option<Function>>,
    /// The conditions of claims; what `claims[i]` means depends on the form of claim `i`.
    pub claims: Vec<Vec<Function>>,
    /// Whether the state raises events. The events tell it too; it is asked for at every operation.
    pub is_watched: bool,
}

impl System {
    /// Whether conditions of events are looked at where an operation has been done.
    pub fn is_watched_at(&self, op: &OpKind) -> bool {
        self.is_watched && op.changes_data()
    }

    /// Whether some step of a procedure goes to another one, so that its steps can be done more than once, or not at all.
    pub fn jumps(&self, id: SequenceId) -> bool {
        let mut steps = self.procedures[id].steps.iter();
        steps.any(|&step| !self.targets(step).is_empty())
    }

    /// To which steps of its list a step can go.
    pub fn targets(&self, step: StepId) -> Vec<StepId> {
        let mut found = Vec::new();
        let mut blocks = vec![self.steps[step].body];
        while let Some(block) = blocks.pop() {
            for &op in &self.blocks[block].ops {
                if let OpKind::GoTo(to) = self.ops[op].kind {
                    found.push(to);
                }
                blocks.extend(self.ops[op].kind.blocks());
            }
        }
        found
    }

    /// The events that the state may raise where an operation has been done.
    pub fn raised_by(&self, op: &OpKind) -> Vec<EventId> {
        if !self.is_watched_at(op) {
            return Vec::new();
        }
        let looks_at = |whenever: &Whenever, place: &Place| match place {
            Place::Var(var, _) => whenever.vars.contains(var),
            Place::Field(_, field, _) => whenever.fields.contains(field),
        };
        let may_raise = |whenever: &Whenever| match op {
            OpKind::Set(to, _) | OpKind::Add { place: to, .. } => looks_at(whenever, to),
            OpKind::ChooseValue { place: to, .. } | OpKind::Distribute { into: to, .. } => {
                looks_at(whenever, to)
            }
            OpKind::Transfer { from, to, .. } => looks_at(whenever, from) || looks_at(whenever, to),
            OpKind::Move(..) | OpKind::MoveAll(..) => whenever.zones,
            // It is raised for what is new as well, unless it has to have been there before.
            OpKind::Create { sort, .. } => {
                let is_about_it = whenever.element == Some(*sort) && !whenever.looks_back;
                is_about_it || whenever.sorts.contains(sort)
            }
            // What is removed keeps its fields.
            OpKind::Remove(_, sort) => whenever.sorts.contains(sort),
            _ => true,
        };
        let events = self.events.iter();
        let raised = events.filter(|(_, event)| event.whenever.as_ref().is_some_and(may_raise));
        raised.map(|(id, _)| id).collect()
    }

    /// The events that are announced where an operation is done: by it, or by the state.
    pub fn announced_by(&self, op: &OpKind) -> Vec<EventId> {
        match op {
            OpKind::Announce(event, _) => vec![*event],
            _ => self.raised_by(op),
        }
    }
}

/// An enumeration.
#[derive(Debug, Clone)]
pub struct Enum {
    /// The name.
    pub name: String,
    /// Of its values.
    pub values: Vec<String>,
}

/// A sort of entities.
#[derive(Debug, Clone)]
pub struct Sort {
    /// The name.
    pub name: String,
    /// How many a run may create.
    pub headroom: u32,
    /// In the order in which entities hold them.
    pub fields: Vec<FieldId>,
}

/// What a place may hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Domain {
    /// The type.
    pub ty: Type,
    /// The bounds of an integer.
    pub bounds: Bounds,
    /// Never below zero: taking more than it holds is a gap.
    pub supply: bool,
    /// Its value on all boards, if the document says so.
    pub starts: Option<i64>,
}

/// A field.
#[derive(Debug, Clone)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Of which sort.
    pub sort: SortId,
    /// Its position in the entity.
    pub index: u32,
    /// What it may hold.
    pub domain: Domain,
    /// Of created entities.
    pub default: i64,
}

/// A variable.
#[derive(Debug, Clone)]
pub struct Var {
    /// The name.
    pub name: String,
    /// What it may hold.
    pub domain: Domain,
}

/// A zone or family of zones.
#[derive(Debug, Clone)]
pub struct Zone {
    /// The name.
    pub name: String,
    /// What lies in it.
    pub sort: SortId,
    /// One for each entity of this sort.
    pub per: Option<SortId>,
    /// Empty on all boards.
    pub starts_empty: bool,
    /// The document's bound.
    pub capacity: Option<u32>,
    /// Arrangements are not told apart.
    pub unordered: bool,
}

/// A queue.
#[derive(Debug, Clone)]
pub struct Queue {
    /// The name.
    pub name: String,
    /// Which is next.
    pub discipline: QueueDiscipline,
    /// Most pending instances.
    pub capacity: u32,
}

/// An event.
#[derive(Debug, Clone)]
pub struct Event {
    /// The name.
    pub name: String,
    /// The types of its payload.
    pub payload: Vec<Type>,
    /// Where its triggers wait; `None`: they interrupt.
    pub queue: Option<QueueId>,
    /// The order of listeners.
    pub listeners: Option<Order>,
    /// How many locals that order needs.
    pub locals: u32,
    /// The triggers that listen, in the order written.
    pub triggers: Vec<TriggerId>,
    /// What raises it; `None`: operations announce it.
    pub whenever: Option<Whenever>,
}

/// When the state raises an event. Its element is the first local.
#[derive(Debug, Clone)]
pub struct Whenever {
    /// The sort of its elements; `None`: there is one.
    pub element: Option<SortId>,
    /// What becomes true.
    pub condition: Expr,
    /// What it carries after the element.
    pub with: Vec<Expr>,
    /// The types of the locals that these need.
    pub types: Vec<Type>,
    /// The fields that the condition looks at, also by way of definitions.
    pub fields: BTreeSet<FieldId>,
    /// The variables.
    pub vars: BTreeSet<VarId>,
    /// Whether it looks at what lies where.
    pub zones: bool,
    /// Of which sorts it looks at which entities there are, or where they lie.
    pub sorts: BTreeSet<SortId>,
    /// Whether the condition uses `old`. If so, it is never true of anything that has just been created.
    pub looks_back: bool,
}

/// A reading.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The name.
    pub name: String,
    /// How many alternatives.
    pub alternatives: u16,
    /// What they are called.
    pub names: Vec<String>,
}

/// An expression with its own locals; parameters are the first of them.
#[derive(Debug, Clone)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The types of the parameters.
    pub params: Vec<Type>,
    /// How many locals, parameters included.
    pub locals: u32,
    /// The type of the value.
    pub ty: Type,
    /// The value.
    pub body: Expr,
    /// If it is a continuous value.
    pub continuous: Option<Continuous>,
}
