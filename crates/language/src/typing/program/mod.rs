//! The typed program: what a specification means once every name is resolved and every type known.
//!
//! It is the input of the reference interpreter and of lowering, and is close to the text: blocks,
//! statements and expressions as written, with ids for names, explicit unwrapping of optionals, and
//! the clause of each statement. `docs/semantics.md` defines what it does.
//!
//! *Guarantees.* A program that type checking returns is well typed: evaluation never meets a value
//! of another type than the expression's, a local that is not bound, or a cyclic call.

mod ask;
mod concern;
mod contract;
mod domain;
mod expr;
mod gap;
mod stmt;
mod tally;
mod walk;
mod wording;

pub use ask::{
    Accept, Board, BoardEntity, Claim, ClaimKind, DECISIONS, Example, ExampleLine, ExpectedGap,
    Kinds, Observer, Sight, Verify,
};
pub use concern::{Concern, Named};
pub use contract::{Change, ChangeTarget, Contract};
pub use domain::Domain;
pub use expr::{Binder, Expr, ExprKind, Place, PlaceKind, Range, Solutions, Type, Value, ZoneRef};
pub use gap::GapCause;
pub use stmt::{
    Block, Cancel, CasePolicy, Decider, Declared, DomainPolicy, Experiment, ListPolicy, Nest,
    NestOver, Order, Owner, Param, Rank, Ranked, Restart, Sequence, Step, Stmt, StmtKind, Target,
    Trigger, Unfinished, When, Whom,
};
pub use tally::Tallies;
pub use walk::{Visit, VisitMut, Walk};
pub use wording::{Phrases, Wording};

use crate::define_id;
use crate::index::Arena;
use crate::source::Span;
use crate::syntax::ast::{BasisKind, ClauseKind, QueueDiscipline};
use std::collections::BTreeSet;

define_id! {
    /// A document.
    pub struct DocumentId;
    /// A clause, in the order in which they stand.
    pub struct ClauseIdx;
    /// An enumeration.
    pub struct EnumId;
    /// A sort of entities (the players are one).
    pub struct SortId;
    /// A field of a sort.
    pub struct FieldId;
    /// A variable, supply or role.
    pub struct VarId;
    /// A zone or family of zones.
    pub struct ZoneId;
    /// A definition.
    pub struct DefineId;
    /// A queue.
    pub struct QueueId;
    /// An event.
    pub struct EventId;
    /// A reading.
    pub struct ReadingId;
    /// A named gap.
    pub struct GapId;
    /// A trigger.
    pub struct TriggerId;
    /// A sequence.
    pub struct SequenceId;
    /// A step.
    pub struct StepId;
    /// A block of statements.
    pub struct BlockId;
    /// A statement.
    pub struct StmtId;
    /// An observer.
    pub struct ObserverId;
    /// A written board.
    pub struct BoardId;
    /// A local variable of an activation.
    pub struct LocalId;
    /// An entity of a state: those of the board first, in order of sort, then created ones.
    pub struct EntityId;
}

/// A typed specification.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "the fields are named after what they hold")]
pub struct Program {
    pub game: String,
    pub documents: Arena<DocumentId, Document>,
    pub clauses: Arena<ClauseIdx, Clause>,
    pub enums: Arena<EnumId, Enum>,
    pub sorts: Arena<SortId, Sort>,
    pub fields: Arena<FieldId, Field>,
    pub vars: Arena<VarId, Var>,
    pub zones: Arena<ZoneId, Zone>,
    pub defines: Arena<DefineId, Define>,
    pub legals: Vec<Legal>,
    /// Which boards are enumerated, of the legal ones; says nothing about the document.
    pub explored: Vec<Legal>,
    pub queues: Arena<QueueId, Queue>,
    pub events: Arena<EventId, Event>,
    pub readings: Arena<ReadingId, Reading>,
    pub gaps: Arena<GapId, Gap>,
    pub triggers: Arena<TriggerId, Trigger>,
    pub sequences: Arena<SequenceId, Sequence>,
    pub steps: Arena<StepId, Step>,
    pub blocks: Arena<BlockId, Block>,
    pub stmts: Arena<StmtId, Stmt>,
    pub observers: Arena<ObserverId, Observer>,
    /// As written, or, if none is, every sequence without parameters that no other performs.
    pub verifies: Vec<Verify>,
    pub claims: Vec<Claim>,
    pub boards: Arena<BoardId, Board>,
    pub examples: Vec<Example>,
    pub accepts: Vec<Accept>,
    /// Which words are the same.
    pub wording: Wording,
}

impl Sequence {
    /// Whether the author made it up, so that it is no rule of the document.
    pub fn is_experiment(&self) -> bool {
        self.experiment.is_some()
    }
}

/// On what something stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    /// The kind; `Text` if a clause stands around it and nothing else is said.
    pub kind: BasisKind,
    /// The source, or why.
    pub note: Option<String>,
}

/// A rules text.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Short name.
    pub name: String,
    /// Title.
    pub title: String,
    /// Its heading.
    pub span: Span,
}

/// A clause.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// Its id as written.
    pub id: String,
    /// Its document.
    pub document: Option<DocumentId>,
    /// Its kind.
    pub kind: ClauseKind,
    /// Where it stands in the document.
    pub locator: String,
    /// The paraphrase.
    pub says: String,
    /// Why it is not formalised.
    pub waived: Option<String>,
    /// Something formal stands under it, or cites it.
    pub formalised: bool,
    /// Clauses it refers to.
    pub refers_to: Vec<ClauseIdx>,
    /// References that lead nowhere, as written.
    pub dangling: Vec<(String, Span)>,
    /// Terms it defines.
    pub defines: Vec<String>,
    /// Terms it uses that no clause defines.
    pub undefined: Vec<(String, Span)>,
    /// Clauses that prevail over it.
    pub yields_to: Vec<ClauseIdx>,
    /// Its heading.
    pub span: Span,
}

impl Clause {
    /// Whether a clause of its kind has nothing that could be formalised.
    pub fn owes_nothing(&self) -> bool {
        match self.kind {
            ClauseKind::Rule | ClauseKind::Example | ClauseKind::Claim => false,
            ClauseKind::Definition => !self.defines.is_empty(),
            ClauseKind::Note | ClauseKind::Reference => true,
        }
    }
}

/// An enumeration; anonymous ones are named after their field, and the values of a table are its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Enum {
    /// The name.
    pub name: String,
    /// The values.
    pub values: Vec<String>,
}

/// A sort of entities.
#[derive(Debug, Clone, PartialEq)]
pub struct Sort {
    /// The name.
    pub name: String,
    /// The players: cyclic order, deciders.
    pub player: bool,
    /// The document's bound on how many there are.
    pub document: Option<(u32, u32)>,
    /// How many are explored on boards.
    pub explore: (u32, u32),
    /// How many more a run may create before it ends as `limit`.
    pub headroom: u32,
    /// In the order written.
    pub fields: Vec<FieldId>,
    /// Its heading.
    pub span: Span,
}

/// Bounds of a place; each pair is smallest and largest. Only integers have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// The document's: a write outside ends the run as `range`.
    pub document: Option<(i64, i64)>,
    /// Values on boards: `explore`, else the document's.
    pub explore: Option<(i64, i64)>,
    /// A write outside ends the run as `limit`: `reach`, else the explored values widened by 8 on
    /// each side.
    pub reach: Option<(i64, i64)>,
}

/// A field.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Of which sort.
    pub sort: SortId,
    /// Its position in `Sort::fields`.
    pub index: u32,
    /// The name.
    pub name: String,
    /// The type.
    pub ty: Type,
    /// Bounds.
    pub bounds: Bounds,
    /// The values on boards, from and to, the smaller ones first, if they are not all that the bounds have.
    pub listed: Vec<(i64, i64)>,
    /// For created entities and board literals that do not say.
    pub default: Value,
    /// On every enumerated board.
    pub starts: Option<Value>,
    /// Where it stands.
    pub span: Span,
}

/// What a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum VarKind {
    Var,
    Supply,
    Role,
}

/// A variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Var {
    /// The name.
    pub name: String,
    /// The kind.
    pub kind: VarKind,
    /// The type; of a role, optional.
    pub ty: Type,
    /// Bounds; of a supply, at least zero.
    pub bounds: Bounds,
    /// The values on boards, from and to, the smaller ones first, if they are not all that the bounds have.
    pub listed: Vec<(i64, i64)>,
    /// For board literals that do not say.
    pub default: Value,
    /// On every enumerated board.
    pub starts: Option<Value>,
    /// Where it stands.
    pub span: Span,
}

/// A zone or family.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    /// The name.
    pub name: String,
    /// What lies in it.
    pub sort: SortId,
    /// Of which sort there is one for each.
    pub per: Option<SortId>,
    /// Empty on enumerated boards.
    pub starts_empty: bool,
    /// The document's bound; one more ends the run as `range`.
    pub capacity: Option<u32>,
    /// Most on enumerated boards.
    pub explore: Option<u32>,
    /// Arrangements are not told apart.
    pub unordered: bool,
    /// Where it stands.
    pub span: Span,
}

/// A definition. Its parameters are its first locals.
#[derive(Debug, Clone, PartialEq)]
pub struct Define {
    /// The name.
    pub name: String,
    /// The parameters.
    pub params: Vec<Param>,
    /// The types of its locals.
    pub locals: Vec<Type>,
    /// The value.
    pub body: Expr,
    /// If it is a column of a table: what is printed there, which the body looks up.
    pub printed: Option<Printed>,
    /// If it is a continuous value.
    pub continuous: Option<Continuous>,
    /// Where it stands.
    pub span: Span,
}

/// A value that holds as long as the state is as it is, and may depend on itself. Its parameter, if it has one, is an
/// entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Continuous {
    /// Its type.
    pub ty: Type,
    /// The values that it can have, as numbers, first and last.
    pub range: (i64, i64),
    /// It and all others that depend on it and on which it depends, in the order of their ids.
    pub group: Vec<DefineId>,
    /// The readings of which their expressions speak, and those of what they use, in the order of their ids.
    pub readings: Vec<ReadingId>,
}

impl Define {
    /// The sort of the parameter of a continuous value, if it has one.
    pub fn of(&self) -> Option<SortId> {
        match self.params.first()?.ty {
            Type::Entity(sort) => Some(sort),
            Type::Int | Type::Bool | Type::Enum(_) | Type::Optional(_) => None,
        }
    }
}

/// What is printed in a column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    /// The type whose values are the rows.
    pub of: EnumId,
    /// In each row, and where that stands: in the row, or as the default of the column.
    pub rows: Vec<(Value, Span)>,
}

/// A condition of legality.
#[derive(Debug, Clone, PartialEq)]
pub struct Legal {
    /// The name.
    pub name: String,
    /// What holds on legal boards.
    pub condition: Expr,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// Where it stands.
    pub span: Span,
}

/// A queue.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    /// The name.
    pub name: String,
    /// Which is next.
    pub discipline: QueueDiscipline,
    /// One more pending ends the run as `limit`.
    pub capacity: u32,
    /// Where it stands.
    pub span: Span,
}

/// An event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The name.
    pub name: String,
    /// The payload.
    pub params: Vec<Param>,
    /// What raises it; `None`: statements announce it.
    pub whenever: Option<Whenever>,
    /// The queue of its triggers; `None`: they interrupt at once.
    pub queue: Option<QueueId>,
    /// In which order the listeners of its triggers act; `None`: nobody says.
    pub listeners: Option<Order>,
    /// The types of the locals of that order.
    pub locals: Vec<Type>,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// Where it stands.
    pub span: Span,
}

/// When the state raises an event. Its element is the first local.
#[derive(Debug, Clone, PartialEq)]
pub struct Whenever {
    /// The sort of its elements; `None`: there is one.
    pub element: Option<SortId>,
    /// What becomes true; it may speak of the data before the change by `old`.
    pub condition: Expr,
    /// What it carries after the element.
    pub with: Vec<Expr>,
    /// The types of its locals.
    pub locals: Vec<Type>,
    /// Whether the condition uses `old`. If so, it is never true of anything that has just been created.
    pub looks_back: bool,
}

/// Where a reading comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadingOrigin {
    /// `reading …`
    Declared,
    /// An unspecified list.
    List(SequenceId),
    /// An unspecified nesting.
    Nest(SequenceId),
}

/// A reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The name; of lists `S order`, of nestings `S nesting`.
    pub name: String,
    /// The alternatives.
    pub alternatives: Vec<Alternative>,
    /// Whence.
    pub origin: ReadingOrigin,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// Where it stands.
    pub span: Span,
}

/// An alternative of a reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// The name.
    pub name: String,
    /// In words.
    pub text: String,
    /// The clauses it rests on: those cited, else the enclosing one.
    pub cites: Vec<ClauseIdx>,
}

/// A named gap.
#[derive(Debug, Clone, PartialEq)]
pub struct Gap {
    /// The name.
    pub name: String,
    /// What is not said.
    pub text: String,
    /// The innermost clause around it.
    pub clause: Option<ClauseIdx>,
    /// Where it stands first.
    pub span: Span,
}

impl Program {
    /// The gap that a statement meets and goes on from, if it does.
    pub fn met_by(&self, stmt: StmtId) -> Option<GapId> {
        match self.stmts.get(stmt)?.kind {
            StmtKind::GapGoesOn { gap, .. } => Some(gap),
            _ => None,
        }
    }

    /// Whether runs go on from a gap, at some statement that has its name.
    pub fn goes_on(&self, gap: GapId) -> bool {
        self.stmts.ids().any(|stmt| self.met_by(stmt) == Some(gap))
    }

    /// Whether what a binder ranges over lies in an order, from left to right: in zones that have one, or all
    /// there can be of a sort without zones.
    pub fn lies_in_order(&self, binder: &Binder) -> bool {
        match (&binder.range, binder.ty) {
            (Range::Zone(zone), _) => self.zones.get(zone.zone).is_some_and(|one| !one.unordered),
            (_, Type::Entity(sort)) => {
                let zones = self.zones.values();
                let in_zones = zones.iter().any(|zone| zone.sort == sort);
                // What is created has no place among what was there before.
                let grows = self.sorts.get(sort).is_none_or(|one| one.headroom > 0);
                !in_zones && !grows
            }
            _ => true,
        }
    }

    /// Where steps of a sequence go to others of its list: from which, to which, and where that stands.
    pub fn jumps_of(&self, sequence: SequenceId) -> Vec<(StepId, StepId, Span)> {
        let stmts = self.statements_of(sequence).into_iter();
        let stmts = stmts.map(|id| &self.stmts[id]);
        let jumps = stmts.filter_map(|stmt| match (&stmt.kind, stmt.owner) {
            (StmtKind::GoTo(to), Some(Owner::Step(from))) => Some((from, *to, stmt.span)),
            _ => None,
        });
        jumps.collect()
    }

    /// The statements of a sequence, its own and those within them, not those of what it performs.
    pub fn statements_of(&self, sequence: SequenceId) -> BTreeSet<StmtId> {
        let declared = &self.sequences[sequence];
        let steps = declared.steps.iter().map(|step| self.steps[*step].body);
        let before = declared.restart.as_ref().and_then(|rule| rule.before);
        self.statements_within(steps.chain(before).collect())
    }

    /// The statements of blocks, and those within them.
    fn statements_within(&self, mut blocks: Vec<BlockId>) -> BTreeSet<StmtId> {
        let mut found = BTreeSet::new();
        while let Some(block) = blocks.pop() {
            for &stmt in &self.blocks[block].stmts {
                found.insert(stmt);
                blocks.extend(self.stmts[stmt].kind.blocks());
            }
        }
        found
    }

    /// The statements that take effect together with others, which not every statement can.
    pub fn simultaneous(&self) -> BTreeSet<StmtId> {
        let bodies = self
            .stmts
            .values()
            .iter()
            .filter_map(|stmt| match stmt.kind {
                StmtKind::Simultaneously(body) => Some(body),
                _ => None,
            });
        self.statements_within(bodies.collect())
    }

    /// Whether a claim or question is about an experiment.
    pub fn asks_about_experiment(&self, claim: &Claim) -> bool {
        let about = claim.kind.sequences();
        about.iter().any(|&id| self.sequences[id].is_experiment())
    }

    /// The statements of experiments.
    pub fn made_up(&self) -> BTreeSet<StmtId> {
        let experiments = self.sequences.iter().filter(|(_, one)| one.is_experiment());
        experiments
            .flat_map(|(id, _)| self.statements_of(id))
            .collect()
    }

    /// The clauses to which a clause yields, directly or not; itself among them if it yields in a circle.
    pub fn prevailing(&self, clause: ClauseIdx) -> BTreeSet<ClauseIdx> {
        let mut found = BTreeSet::new();
        let mut todo = self.clauses[clause].yields_to.clone();
        while let Some(next) = todo.pop() {
            if found.insert(next) {
                todo.extend(&self.clauses[next].yields_to);
            }
        }
        found
    }
}
