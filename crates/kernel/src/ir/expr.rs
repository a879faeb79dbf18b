//! Expressions of a system.

use endstep_walk::Walk;

use super::Function;
use super::walk::{Visit, VisitMut, Walk};
use endstep_language::source::Span;
use endstep_language::syntax::ast::{Rounding, Side};
use endstep_language::typing::program::{
    DefineId, EnumId, FieldId, GapCause, LocalId, QueueId, ReadingId, Solutions, SortId, Type,
    VarId, ZoneId,
};

/// An expression.
#[derive(Debug, Clone, Walk)]
#[walk(node = expr)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands; gaps are named by it.
    pub span: Span,
}

/// A place that can be written.
#[derive(Debug, Clone, Walk)]
#[walk(node = place)]
pub enum Place {
    /// A variable.
    Var(VarId, Span),
    /// A field of an entity.
    Field(Box<Expr>, FieldId, Span),
}

/// A zone, or all zones of a family.
#[derive(Debug, Clone, Walk)]
#[walk(node = zone)]
pub struct ZoneRef {
    /// Which.
    pub zone: ZoneId,
    /// Whose; `None`: the single zone, or all of the family.
    pub of: Option<Box<Expr>>,
    /// Where it stands.
    pub span: Span,
}

/// Over what a binder ranges.
#[derive(Debug, Clone, Walk)]
pub enum Range {
    /// Entities that are not removed, by number.
    Sort(SortId),
    /// As they lie.
    Zone(ZoneRef),
    /// Values of an enumeration.
    Enum(EnumId, u16),
    /// `false`, `true`
    Bool,
}

/// A bound local with its range and filter.
#[derive(Debug, Clone, Walk)]
#[walk(node = binder)]
pub struct Binder {
    /// The local.
    pub local: LocalId,
    /// Its type.
    pub ty: Type,
    /// Over what.
    pub range: Range,
    /// Which of them.
    pub filter: Option<Box<Expr>>,
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Arithmetic on two numbers; leaving 64 bits is a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Compute {
    Add,
    Subtract,
    Multiply,
    Divide,
    Min,
    Max,
}

/// Why arithmetic has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoNumber {
    /// It leaves 64 bits.
    TooLarge,
    /// There is none.
    Gap(GapCause),
}

impl Compute {
    /// The result.
    ///
    /// # Errors
    ///
    /// [`NoNumber`], if it has none.
    #[inline]
    pub fn apply(self, a: i64, b: i64) -> Result<i64, NoNumber> {
        let result = match self {
            Self::Add => a.checked_add(b),
            Self::Subtract => a.checked_sub(b),
            Self::Multiply => a.checked_mul(b),
            Self::Divide => return floor(a, b),
            Self::Min => Some(a.min(b)),
            Self::Max => Some(a.max(b)),
        };
        result.ok_or(NoNumber::TooLarge)
    }

    /// Whether there may be no number with such a second operand, however large numbers may become.
    pub fn lacks_with(self, second: &Expr) -> bool {
        match self {
            Self::Divide => !matches!(second.kind, ExprKind::Const(by) if by != 0),
            Self::Add | Self::Subtract | Self::Multiply | Self::Min | Self::Max => false,
        }
    }

    /// How it is printed.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "div",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// The quotient, rounded towards minus infinity.
fn floor(a: i64, b: i64) -> Result<i64, NoNumber> {
    if b == 0 {
        return Err(NoNumber::Gap(GapCause::DivisionByZero));
    }
    // Euclid's remainder is never negative, so of a negative divisor it rounds up where it does not divide.
    let quotient = a.checked_div_euclid(b).ok_or(NoNumber::TooLarge)?;
    Ok(quotient - i64::from(b < 0 && a.rem_euclid(b) != 0))
}

/// What is made of the elements of a binder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Fold {
    Count,
    Sum,
    Largest,
    Smallest,
    Every,
    Some,
}

/// The forms of expressions.
#[derive(Debug, Clone, Walk)]
pub enum ExprKind {
    /// A constant.
    Const(i64),
    /// A local.
    Local(LocalId),
    /// A variable.
    Var(VarId),
    /// A field of an entity.
    Field(Box<Expr>, FieldId),
    /// What an optional holds; none is a gap at the place of the operand.
    Unwrap(Box<Expr>),
    /// A function applied.
    Call(DefineId, Vec<Expr>),
    /// A continuous value, of an entity or of nothing.
    Continuous(DefineId, Option<Box<Expr>>),
    /// Whether the group of a continuous value has so many stable assignments.
    Solutions(DefineId, Solutions),
    /// Whether not.
    Not(Box<Expr>),
    /// The negative.
    Negate(Box<Expr>),
    /// A comparison of values of one type.
    Compare(Relation, Box<Expr>, Box<Expr>),
    /// Arithmetic.
    Compute(Compute, Box<Expr>, Box<Expr>),
    /// `max(low, min(e, high))`, operands in this order: e, low, high.
    Clamp(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Half; an odd number without rounding is a gap.
    Half(Box<Expr>, Option<Rounding>),
    /// One of two, the other is not evaluated.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Whether an entity was removed.
    IsRemoved(Box<Expr>),
    /// Whether an entity lies in a zone.
    IsIn(Box<Expr>, ZoneRef),
    /// How many lie in a zone.
    Size(ZoneRef),
    /// How many are pending.
    Pending(QueueId),
    /// Whether an alternative holds.
    ReadingIs(ReadingId, u16),
    /// By reading; consulted only if the alternatives differ.
    Per(ReadingId, Vec<Expr>),
    /// Over the elements of a binder; of `count` there is no operand.
    Fold(Fold, Box<Binder>, Option<Box<Expr>>),
    /// The first (`true`) or last of a zone; empty is a gap.
    EndOf(bool, ZoneRef),
    /// The first (`true`) or last of the elements of a binder, or none.
    Endmost(bool, Box<Binder>),
    /// The next player for whom a condition holds, or none; without one, simply the next.
    Turn {
        /// In the order of play.
        forward: bool,
        /// From whom.
        from: Box<Expr>,
        /// Which.
        such_that: Option<(LocalId, Box<Expr>)>,
    },
    /// Whether the first lies before (after) the second in one ordered zone.
    Beside(Side, Box<Expr>, Box<Expr>),
    /// The neighbour in the zone, or none.
    Neighbour(Side, Box<Expr>),
    /// Whose zone the entity lies in, or none.
    Holder(Box<Expr>),
    /// In the data at the start.
    Old(Box<Expr>),
}

impl Expr {
    /// One more than the largest local that it binds or reads.
    pub fn locals(&self) -> u32 {
        let mut most = Locals(0);
        self.meet(&mut most);
        most.0
    }
}

/// One more than the largest local.
struct Locals(u32);

impl Visit<'_> for Locals {
    fn local(&mut self, id: LocalId) {
        self.0 = self.0.max(id.0 + 1);
    }
}

impl Binder {
    /// Whether its elements are taken as they lie.
    pub fn lies(&self) -> bool {
        matches!(self.range, Range::Zone(_))
    }
}

impl Function {
    /// The group of a continuous value; nothing of other functions.
    pub fn group(&self) -> &[DefineId] {
        let continuous = self.continuous.as_ref();
        continuous.map_or(&[], |continuous| &continuous.group)
    }

    /// The sort of the first parameter, if it is an entity.
    pub fn of(&self) -> Option<SortId> {
        match self.params.first()? {
            Type::Entity(sort) => Some(*sort),
            Type::Int | Type::Bool | Type::Enum(_) | Type::Optional(_) => None,
        }
    }

    /// A condition, or another value of a type, without parameters.
    pub fn condition(name: &str, ty: Type, body: Expr) -> Self {
        Self {
            name: name.to_owned(),
            params: Vec::new(),
            locals: body.locals(),
            ty,
            body,
            continuous: None,
        }
    }
}

impl Place {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Var(_, span) | Self::Field(_, _, span) => *span,
        }
    }
}
