//! Typed expressions. Every name is an id, every optional that must be present says so.

use endstep_walk::Walk;
use serde::{Deserialize, Serialize};

use super::walk::{Visit, VisitMut, Walk};
use super::{
    DefineId, EntityId, EnumId, FieldId, LocalId, QueueId, ReadingId, SortId, VarId, ZoneId,
};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Extreme, Quantifier, Rounding, Side};

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// An integer; bounds belong to places, not to types.
    Int,
    /// A truth value.
    Bool,
    /// A value of an enumeration.
    Enum(EnumId),
    /// An entity of a sort.
    Entity(SortId),
    /// An entity of a sort, or none.
    Optional(SortId),
}

/// A value. Values of different types are never compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Value {
    /// The absent value of an optional; also the content of a local that is out of scope.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// The n-th value of an enumeration (the type says which).
    Enum(u16),
    /// An entity.
    Entity(EntityId),
}

/// A typed expression.
#[derive(Debug, Clone, PartialEq, Walk)]
#[walk(node = expr, tested)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// A zone, or all zones of a family.
#[derive(Debug, Clone, PartialEq, Walk)]
#[walk(node = zone)]
pub struct ZoneRef {
    /// The zone or family.
    pub zone: ZoneId,
    /// Whose; `None` for a single zone, and for a whole family (in player order from the first).
    pub of: Option<Box<Expr>>,
    /// Where it stands.
    pub span: Span,
}

/// Over what a binder ranges.
#[derive(Debug, Clone, PartialEq, Walk)]
pub enum Range {
    /// All entities of the sort that are not removed, in order of identity.
    Sort(SortId),
    /// The entities in a zone (or all zones of a family), first to last.
    Zone(ZoneRef),
    /// The values of an enumeration.
    Enum(EnumId),
    /// `false`, `true`
    Bool,
}

/// A bound variable with its range and filter.
#[derive(Debug, Clone, PartialEq, Walk)]
#[walk(node = binder)]
pub struct Binder {
    /// The local it is bound to.
    pub local: LocalId,
    /// Its name, for wording.
    pub name: String,
    /// The type of the local.
    pub ty: Type,
    /// Over what.
    pub range: Range,
    /// Which of them.
    #[walk(condition)]
    pub filter: Option<Box<Expr>>,
}

impl Binder {
    /// Whether one order puts the elements of both in order, as they lie or as players follow each other: they lie
    /// in one zone or family, or are of one sort or type.
    pub fn is_in_line_with(&self, other: &Self) -> bool {
        match (&self.range, &other.range) {
            (Range::Zone(a), Range::Zone(b)) => a.zone == b.zone,
            (Range::Zone(_), _) | (_, Range::Zone(_)) => false,
            (a, b) => a == b,
        }
    }
}

/// The forms of typed expressions.
#[derive(Debug, Clone, PartialEq, Walk)]
pub enum ExprKind {
    /// A constant; entities occur only in boards and examples.
    Const(Value),
    /// A local of the current activation.
    Local(LocalId),
    /// A variable, supply or role.
    Var(VarId),
    /// A field of an entity.
    Field(Box<Expr>, FieldId),
    /// The entity in an optional. Absent is a gap (vacant role or absent link).
    Unwrap(Box<Expr>),
    /// A definition applied.
    Call(DefineId, Vec<Expr>),
    /// A continuous value, of an entity or of nothing.
    Continuous(DefineId, Option<Box<Expr>>),
    /// How many stable assignments the group of a continuous value has.
    Solutions(DefineId, Solutions),
    /// Negation of a truth value.
    Not(Box<Expr>),
    /// Negation of an integer.
    Negate(Box<Expr>),
    /// `and` and `or` evaluate the right operand only if it matters.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Whether an optional is absent.
    IsNone(Box<Expr>),
    /// Whether a zone (or every zone of a family) is empty.
    ZoneEmpty(ZoneRef),
    /// Whether nothing is pending.
    QueueEmpty(QueueId),
    /// Whether an entity was removed.
    IsRemoved(Box<Expr>),
    /// Whether an entity lies in a zone.
    IsIn(Box<Expr>, ZoneRef),
    /// Whether an alternative holds.
    ReadingIs(ReadingId, u16),
    /// `if c then a else b`
    Cond(#[walk(condition)] Box<Expr>, Box<Expr>, Box<Expr>),
    /// Half; without rounding an odd number is a gap.
    Half(Box<Expr>, Option<Rounding>),
    /// The smaller.
    Min(Box<Expr>, Box<Expr>),
    /// The larger.
    Max(Box<Expr>, Box<Expr>),
    /// `max(low, min(e, high))`
    Clamp(Box<Expr>, Box<Expr>, Box<Expr>),
    /// How many.
    Count(Box<Binder>),
    /// Their sum.
    Sum(#[walk(after)] Box<Expr>, Box<Binder>),
    /// Their largest or smallest; over nothing a gap.
    Extreme(Extreme, #[walk(after)] Box<Expr>, Box<Binder>),
    /// For all, for some.
    Quantified(Quantifier, Box<Binder>, #[walk(condition)] Box<Expr>),
    /// The first or last of a zone; empty is a gap. `true`: the first.
    EndOf(bool, ZoneRef),
    /// Of those in an ordered zone for which the filter is true the one nearest to its first end
    /// (`true`) or its last, or none.
    Endmost(bool, Box<Binder>),
    /// How many lie there.
    ZoneSize(ZoneRef),
    /// How many are pending.
    QueueSize(QueueId),
    /// The next player. With a condition the type is optional, without it is an entity.
    Turn {
        /// In the order of play.
        forward: bool,
        /// From whom.
        from: Box<Expr>,
        /// Which.
        #[walk(condition)]
        such_that: Option<(LocalId, Box<Expr>)>,
    },
    /// Whether the first lies before (after) the second, in one ordered zone.
    Beside(Side, Box<Expr>, Box<Expr>),
    /// The neighbour in the same zone, or none.
    Neighbour(Side, Box<Expr>),
    /// Whose zone the entity lies in, or none.
    Holder(Box<Expr>),
    /// The value at the start of the step or run.
    Old(Box<Expr>),
    /// By reading.
    Per(ReadingId, Vec<Expr>),
}

/// How many stable assignments there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Solutions {
    /// The values contradict each other.
    None,
    /// They are determined.
    One,
    /// They are ambiguous.
    Several,
}

impl Solutions {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::One, Self::Several];

    /// The word that asks for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "contradictory",
            Self::One => "determined",
            Self::Several => "ambiguous",
        }
    }
}

/// Where something can be written.
#[derive(Debug, Clone, PartialEq, Walk)]
pub enum PlaceKind {
    /// A variable, supply or role.
    Var(VarId),
    /// A field of an entity.
    Field(Box<Expr>, FieldId),
}

impl PlaceKind {
    /// Whether both are one variable, or one field of one local.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Var(one), Self::Var(other)) => one == other,
            (Self::Field(of, one), Self::Field(whose, other)) => {
                let is_one = match (&of.kind, &whose.kind) {
                    (ExprKind::Local(one), ExprKind::Local(other)) => one == other,
                    // Of other expressions nobody knows whether they lead to one thing.
                    _ => false,
                };
                is_one && one == other
            }
            (Self::Var(_), Self::Field(..)) | (Self::Field(..), Self::Var(_)) => false,
        }
    }
}

/// A place with its span.
#[derive(Debug, Clone, PartialEq, Walk)]
#[walk(node = place)]
pub struct Place {
    /// What it is.
    pub kind: PlaceKind,
    /// The type of its content.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}
