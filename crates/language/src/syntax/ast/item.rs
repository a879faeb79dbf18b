//! Items: clauses, declarations, sequences, triggers, claims, boards and examples.

use endstep_walk::Walk;
use serde::{Deserialize, Serialize};

use super::walk::{Visit, VisitMut, Walk};
use super::{
    Accept, Binder, Block, BoardItem, Cancel, Claim, ClauseId, Comment, Decider, Example,
    Experiment, Expr, Loc, Name, Observer, Order, Text, Trivia, Unfinished, Verify,
};

/// One item with its comments. Items stand at the top level or under a clause or document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Item {
    /// Comments around it.
    pub trivia: Trivia,
    /// What it is.
    pub kind: ItemKind,
    /// The heading line.
    pub loc: Loc,
}

/// The forms of items.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = item)]
pub enum ItemKind {
    /// What the parser could not understand (an error was reported).
    Error,
    /// `game "…"`
    Game(Text),
    /// `include "path"`: relative to the including file.
    Include(Text),
    /// `document gu "…"` with items under it.
    Document(Document, Vec<Item>, Vec<Comment>),
    /// `clause …` with items under it.
    Clause(Box<Clause>, Vec<Item>, Vec<Comment>),
    /// `type Faction is one of red, blue`
    Type(TypeDecl),
    /// `table Model` with its columns and rows.
    Table(TableDecl),
    /// `player Player, explore 2 to 3` or `entity Card, explore up to 3, headroom 2` with fields.
    Entity(EntityDecl),
    /// `var round: integer from 1 to 9`, `supply tokens: integer from 0 to 20`
    Var(VarDecl),
    /// `role champion: Player`
    Role(RoleDecl),
    /// `zone hand of Card per Player, starts empty, holds at most 5, explore at most 2`
    Zone(Zone),
    /// `define dead(c: Card) = c.health <= 0`, or `continuous attack(c: Card): integer from 0 to 9 = e`
    Define(Define),
    /// `legal NAME: e`, `explore only NAME: e`
    Legal(Legal),
    /// `queue effects, first in first out, explore up to 6`
    Queue(Queue),
    /// `event destroyed(c: Card), in effects` or `event revealed(c: Card), at once`
    Event(Event),
    /// `reading NAME` with alternatives.
    Reading(Reading),
    /// `trigger NAME [for each w: Card in Z where e,] on EVENT(args) [where e][, priority n]`
    Trigger(Trigger),
    /// `sequence NAME(params)[, POLICY]`
    Sequence(Sequence),
    /// `observer NAME "why"` with what it sees.
    Observer(Observer),
    /// `verify SEQUENCE [observing O] [up to Card = 2, …]`
    Verify(Verify),
    /// `experiment NAME: SEQUENCE but CHANGE, …`
    Experiment(Experiment),
    /// `claim NAME: …`, `question NAME: …`
    Claim(Claim),
    /// `board NAME` with its lines.
    Board(BoardItem),
    /// `example NAME` with its lines.
    Example(Example),
    /// `accept CODE [at NAME] because "…"`
    Accept(Accept),
}

/// `document ID "title"`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Document {
    /// A short name.
    pub name: Name,
    /// The title.
    pub title: Text,
}

/// `clause ID (KIND) at "LOCATOR"` and its own lines; what stands under it besides is its
/// formalisation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Clause {
    /// The id.
    pub id: ClauseId,
    /// The kind.
    pub kind: ClauseKind,
    /// Section, step, line.
    pub locator: Text,
    /// `says "…"`: the paraphrase, in our own words.
    pub says: Option<Text>,
    /// `waived "…"`, `refers to …`, `defines "…"`, `uses "…"`, `yields to …`, `basis …`, in the
    /// order written, each with its comments.
    pub lines: Vec<(Trivia, ClauseLine)>,
}

/// Kinds of clauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Walk)]
#[walk(node = clause_kind)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum ClauseKind {
    Rule,
    Definition,
    Example,
    Claim,
    Note,
    Reference,
}

/// Lines that belong to a clause, step, trigger or sequence rather than to its procedure.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = clause_line)]
pub enum ClauseLine {
    /// `waived "reason"` (clauses only)
    Waived(Text),
    /// `refers to b.3` or `refers to "End of Age Routine"` (clauses only)
    RefersTo(Reference),
    /// `defines "Void"` (clauses only)
    Defines(Vec<Text>),
    /// `uses "Void"` (clauses only)
    Uses(Vec<Text>),
    /// `yields to b.3` (clauses only): where both speak, the other prevails.
    YieldsTo(ClauseId),
    /// `cites a.1, a.2`
    Cites(Vec<ClauseId>),
    /// `basis invented "why"`
    Basis(BasisNote),
}

/// Where a reference leads.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub enum Reference {
    /// A clause of this specification.
    Clause(ClauseId),
    /// Something the document names; it leads nowhere unless some clause `defines` it.
    Title(Text),
}

/// `basis KIND "note"`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct BasisNote {
    /// The kind.
    pub kind: BasisKind,
    /// The source, or why.
    pub note: Option<Text>,
}

/// On what a rule stands, strongest first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Walk, Serialize, Deserialize,
)]
#[walk(node = basis)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum BasisKind {
    Text,
    External,
    Gap,
    Invented,
}

/// `type NAME is one of a, b, c`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct TypeDecl {
    /// The name.
    pub name: Name,
    /// The values.
    pub values: Vec<Name>,
}

/// `table Model`: an enumeration whose values are the rows, with what is printed in each.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct TableDecl {
    /// The name, which is that of the type.
    pub name: Name,
    /// What is printed in every row.
    pub columns: Vec<Column>,
    /// The values of the type, in order.
    pub rows: Vec<Row>,
    /// Comments after the last row.
    pub tail: Vec<Comment>,
}

/// `health: integer from 0 to 9, default 1` in a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Column {
    /// Comments.
    pub trivia: Trivia,
    /// The name, unique in its table.
    pub name: Name,
    /// The type of what is printed.
    pub ty: TypeExpr,
    /// What is printed in rows that do not say.
    pub default: Option<Expr>,
}

/// `row rat with health = 2, unit = true`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Row {
    /// Comments.
    pub trivia: Trivia,
    /// The name, which is that of the value.
    pub name: Name,
    /// Printed values, by the names of their columns.
    pub with: Vec<(Name, Expr)>,
}

/// `a to b`: both ends belong; the ends are constant expressions.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Range {
    /// Smallest.
    pub low: Expr,
    /// Largest.
    pub high: Expr,
}

/// Types of fields, variables and parameters.
#[allow(clippy::large_enum_variant, reason = "most are of the large form")]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = type_expr)]
pub enum TypeExpr {
    /// What the parser could not understand.
    Error(Loc),
    /// `boolean`
    Boolean,
    /// `integer [from a to b][, explore c to d, g, …][, reach e to f]`
    Integer {
        /// The document's bound: crossing it is a finding.
        document: Option<Range>,
        /// The values that boards take; none if nothing is said.
        explore: Vec<Range>,
        /// How far a run may go before it is given up as `limit`.
        reach: Option<Range>,
    },
    /// A sort or enumeration; with `optional` it may be `none`.
    Named {
        /// `optional`
        optional: bool,
        /// The name.
        name: Name,
    },
    /// `one of a, b, c`: an enumeration without a name.
    OneOf(Vec<Name>),
}

/// How many entities a board has.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct SizeBound {
    /// `explore [LOW to] HIGH`, `explore up to HIGH`
    pub low: Option<i64>,
    /// Largest number on a board.
    pub high: i64,
    /// `up to` was written.
    pub up_to: bool,
}

/// A sort of entities, or the players.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct EntityDecl {
    /// `player` instead of `entity`: cyclic order, can decide, can win.
    pub player: bool,
    /// The name.
    pub name: Name,
    /// `from 2 to 4`: the document's bound on their number.
    pub document: Option<(i64, i64)>,
    /// How many are explored.
    pub explore: Option<SizeBound>,
    /// `headroom n`: how many more a run may create before it is given up as `limit`.
    pub headroom: Option<i64>,
    /// The fields.
    pub fields: Vec<Field>,
    /// Comments after the last field.
    pub tail: Vec<Comment>,
}

/// `name: TYPE [, default e]`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Field {
    /// Comments.
    pub trivia: Trivia,
    /// The name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// The value of created entities and of board literals that do not say.
    pub default: Option<Expr>,
    /// `starts e`: the value on every enumerated board (it is not explored).
    pub starts: Option<Expr>,
}

/// `var NAME: TYPE`, `supply NAME: TYPE`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct VarDecl {
    /// `supply`: never below zero; taking more than there is is a gap.
    pub supply: bool,
    /// The name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// As for fields.
    pub default: Option<Expr>,
    /// As for fields.
    pub starts: Option<Expr>,
}

/// `role NAME: SORT[, starts e]`: held by one entity or vacant; using a vacant role is a gap.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct RoleDecl {
    /// The name.
    pub name: Name,
    /// By whom it can be held.
    pub sort: Name,
    /// As for fields; may be `none`.
    pub starts: Option<Expr>,
}

/// An ordered zone, or a family of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Zone {
    /// The name.
    pub name: Name,
    /// What lies in it.
    pub sort: Name,
    /// `per SORT`
    pub per: Option<Name>,
    /// In the order written.
    pub options: Vec<ZoneOption>,
}

/// Options of zones.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = zone_option)]
pub enum ZoneOption {
    /// `starts empty`
    StartsEmpty,
    /// `holds at most n`: the document's bound.
    HoldsAtMost(i64),
    /// `explore at most n`: on boards.
    ExploreAtMost(i64),
    /// `unordered`: boards and observers do not tell arrangements apart, and there are no ends.
    Unordered,
}

/// `define NAME(params) = e`, or `continuous NAME(param): TYPE = e`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Define {
    /// The type of a continuous value.
    pub continuous: Option<TypeExpr>,
    /// The name.
    pub name: Name,
    /// The parameters.
    pub params: Vec<Param>,
    /// The value.
    pub body: Expr,
}

/// `name: SORT` (also `integer`, `boolean`)
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Param {
    /// The name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// `= e`: what an event that the state raises carries.
    pub value: Option<Expr>,
}

/// `legal NAME: e`, or `explore only NAME: e`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Legal {
    /// `explore only`: says nothing about the document, only which boards are enumerated.
    pub explored: bool,
    /// The name.
    pub name: Name,
    /// What holds on every legal board.
    pub condition: Expr,
}

/// A queue of pending triggers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Queue {
    /// The name.
    pub name: Name,
    /// Which is taken next.
    pub discipline: QueueDiscipline,
    /// `explore up to n`: more pending is `limit`; not given: 8.
    pub capacity: Option<i64>,
}

/// Queue disciplines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Walk)]
#[walk(node = discipline)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum QueueDiscipline {
    FirstInFirstOut,
    LastInFirstOut,
    ByPriority,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Event {
    /// The name.
    pub name: Name,
    /// The payload, frozen when announced.
    pub params: Vec<Param>,
    /// `whenever e`: the state raises it.
    pub whenever: Option<Expr>,
    /// `in QUEUE`; otherwise `at once`.
    pub queue: Option<Name>,
    /// `listeners w: S …`: a name for the listener, where the order speaks of it, and its sort.
    pub listener: Option<(Name, Name)>,
    /// `listeners left to right from p`: in which order the listeners of its triggers act; not
    /// given: nobody says.
    pub listeners: Option<Order>,
}

/// `reading NAME` with alternatives under it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Reading {
    /// The name.
    pub name: Name,
    /// The alternatives in order.
    pub alternatives: Vec<ReadingAlt>,
    /// Comments after the last.
    pub tail: Vec<Comment>,
}

/// `name "in words" [cites ID, …]`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct ReadingAlt {
    /// Comments.
    pub trivia: Trivia,
    /// The name.
    pub name: Name,
    /// In words.
    pub text: Text,
    /// On which clauses it rests, if not on the enclosing one alone.
    pub cites: Vec<ClauseId>,
}

/// A trigger.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Trigger {
    /// The name.
    pub name: Name,
    /// `for each w: Card in Z where e,`: one instance for each listener.
    pub listener: Option<Binder>,
    /// The event.
    pub event: Name,
    /// Names for its payload.
    pub args: Vec<Name>,
    /// `where e`, looked at when the event is announced.
    pub condition: Option<Expr>,
    /// `priority n`: larger first, in queues by priority.
    pub priority: Option<i64>,
    /// What happens.
    pub body: Block,
}

/// A procedure.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Sequence {
    /// The name.
    pub name: Name,
    /// The parameters.
    pub params: Vec<Param>,
    /// In which order its steps run.
    pub policy: ListPolicy,
    /// `over each l: Location[, ORDER], nest steps | places | unspecified`
    pub over: Option<NestOver>,
    /// Restart rule, contract, clauses and steps, in the order written.
    pub items: Vec<SeqItem>,
    /// Comments after the last.
    pub tail: Vec<Comment>,
}

/// Whether the numbers of a list bind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = list_policy)]
pub enum ListPolicy {
    /// Not written or `steps in order`: they bind.
    InOrder {
        /// It was written out.
        written: bool,
    },
    /// `steps unspecified`: a reading {binding, free}.
    Unspecified,
    /// `steps in any order`
    Any,
    /// `steps in an order chosen by D`
    Chosen(Decider),
}

/// A second loop around the steps of a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct NestOver {
    /// Over what.
    pub binder: Binder,
    /// In which order.
    pub order: Option<Order>,
    /// Which is the outer loop.
    pub nest: Nest,
}

/// Which loop is the outer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Walk)]
#[walk(node = nest)]
pub enum Nest {
    /// `nest steps`: each step for every place, then the next step.
    Steps,
    /// `nest places`: every step for one place, then the next place.
    Places,
    /// `nest unspecified`: a reading {steps, places}.
    Unspecified,
}

/// A line or block of a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct SeqItem {
    /// Comments.
    pub trivia: Trivia,
    /// What it is.
    pub kind: SeqItemKind,
    /// The heading.
    pub loc: Loc,
}

/// The forms of sequence items.
#[allow(clippy::large_enum_variant, reason = "most are of the large form")]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = seq_item)]
pub enum SeqItemKind {
    /// What the parser could not understand.
    Error,
    /// `clause …` with sequence items (and readings, claims, defines) under it.
    Clause(Box<Clause>, Vec<SeqItem>, Vec<Comment>),
    /// `cites`, `basis`
    Annotation(ClauseLine),
    /// A declaration that may stand at the top level, written where it belongs.
    Item(ItemKind),
    /// `step NAME`
    Step(Step),
    /// `restart when e`
    Restart(Restart),
    /// `contract`
    Contract(Contract),
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Step {
    /// The name, unique in its sequence.
    pub name: Name,
    /// What it does; `ensures e` lines are in `ensures`.
    pub body: Block,
    /// `ensures e`: holds when the step has ended.
    pub ensures: Vec<(Trivia, Expr)>,
}

/// `restart when e` with `cancel …`, `unfinished …`, `before restarting`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Restart {
    /// When.
    pub when: Expr,
    /// How fine.
    pub cancel: Cancel,
    /// Lost or carried.
    pub unfinished: Unfinished,
    /// Done before the next pass.
    pub before: Option<(Trivia, Block)>,
}

/// `contract` with `changes PLACE …` and `ensures e` lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Contract {
    /// What it may write, each with the values that are explored.
    pub changes: Vec<(Trivia, Expr, Option<Range>)>,
    /// What then holds.
    pub ensures: Vec<(Trivia, Expr)>,
    /// Comments after the last line.
    pub tail: Vec<Comment>,
}
