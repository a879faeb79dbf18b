//! Expressions of a system.

use super::Function;
use crate::source::Span;
use crate::syntax::ast::{Rounding, Side};
use crate::typing::program::{
    DefineId, EnumId, FieldId, LocalId, QueueId, ReadingId, SortId, Type, VarId, ZoneId,
};

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands; gaps are named by it.
    pub span: Span,
}

/// A place that can be written.
#[derive(Debug, Clone)]
pub enum Place {
    /// A variable.
    Var(VarId, Span),
    /// A field of an entity.
    Field(Box<Expr>, FieldId, Span),
}

/// A zone, or all zones of a family.
#[derive(Debug, Clone)]
pub struct ZoneRef {
    /// Which.
    pub zone: ZoneId,
    /// Whose; `None`: the single zone, or all of the family.
    pub of: Option<Box<Expr>>,
    /// Where it stands.
    pub span: Span,
}

/// Over what a binder ranges.
#[derive(Debug, Clone)]
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
#[derive(Debug, Clone)]
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
    Min,
    Max,
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
#[derive(Debug, Clone)]
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
    /// The next player for whom a condition holds, or none; without one, simply the next.
    Turn {
        /// In the order of play.
        forward: bool,
        /// From whom.
        from: Box<Expr>,
        /// Which.
        such_that: Option<(LocalId, Box<Expr>)>,
    },
    /// The neighbour in the zone, or none.
    Neighbour(Side, Box<Expr>),
    /// Whose zone the entity lies in, or none.
    Holder(Box<Expr>),
    /// In the data at the start.
    Old(Box<Expr>),
}

impl Expr {
    /// The expressions directly inside.
    pub fn children(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Var(_)
            | ExprKind::Pending(_)
            | ExprKind::ReadingIs(..) => Vec::new(),
            ExprKind::Field(e, _)
            | ExprKind::Unwrap(e)
            | ExprKind::Not(e)
            | ExprKind::Negate(e)
            | ExprKind::Half(e, _)
            | ExprKind::IsRemoved(e)
            | ExprKind::Neighbour(_, e)
            | ExprKind::Holder(e)
            | ExprKind::Old(e) => vec![e],
            ExprKind::Call(_, list) | ExprKind::Per(_, list) => list.iter().collect(),
            ExprKind::Compare(_, a, b) | ExprKind::Compute(_, a, b) => vec![a, b],
            ExprKind::Clamp(a, b, c) | ExprKind::If(a, b, c) => vec![a, b, c],
            ExprKind::IsIn(e, zone) => std::iter::once(&**e).chain(zone.of.as_deref()).collect(),
            ExprKind::Size(zone) | ExprKind::EndOf(_, zone) => {
                zone.of.as_deref().into_iter().collect()
            }
            ExprKind::Fold(_, binder, e) => {
                let mut all = binder.children();
                all.extend(e.as_deref());
                all
            }
            ExprKind::Turn {
                from, such_that, ..
            } => std::iter::once(&**from)
                .chain(such_that.as_ref().map(|(_, e)| &**e))
                .collect(),
        }
    }

    /// The same, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Self> {
        match &mut self.kind {
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Var(_)
            | ExprKind::Pending(_)
            | ExprKind::ReadingIs(..) => Vec::new(),
            ExprKind::Field(e, _)
            | ExprKind::Unwrap(e)
            | ExprKind::Not(e)
            | ExprKind::Negate(e)
            | ExprKind::Half(e, _)
            | ExprKind::IsRemoved(e)
            | ExprKind::Neighbour(_, e)
            | ExprKind::Holder(e)
            | ExprKind::Old(e) => vec![e],
            ExprKind::Call(_, list) | ExprKind::Per(_, list) => list.iter_mut().collect(),
            ExprKind::Compare(_, a, b) | ExprKind::Compute(_, a, b) => vec![a, b],
            ExprKind::Clamp(a, b, c) | ExprKind::If(a, b, c) => vec![a, b, c],
            ExprKind::IsIn(e, zone) => {
                let of = zone.of.as_deref_mut();
                std::iter::once(&mut **e).chain(of).collect()
            }
            ExprKind::Size(zone) | ExprKind::EndOf(_, zone) => {
                zone.of.as_deref_mut().into_iter().collect()
            }
            ExprKind::Fold(_, binder, e) => {
                let of = match &mut binder.range {
                    Range::Zone(zone) => zone.of.as_deref_mut(),
                    Range::Sort(_) | Range::Enum(..) | Range::Bool => None,
                };
                let all = of.into_iter().chain(binder.filter.as_deref_mut());
                all.chain(e.as_deref_mut()).collect()
            }
            ExprKind::Turn {
                from, such_that, ..
            } => std::iter::once(&mut **from)
                .chain(such_that.as_mut().map(|(_, e)| &mut **e))
                .collect(),
        }
    }

    /// Whether this or an expression inside meets a condition.
    pub fn any(&self, test: &dyn Fn(&Self) -> bool) -> bool {
        test(self) || self.children().into_iter().any(|child| child.any(test))
    }

    /// One more than the largest local that it binds or reads.
    pub fn locals(&self) -> u32 {
        let own = match &self.kind {
            ExprKind::Local(local) => local.0 + 1,
            ExprKind::Fold(_, binder, _) => binder.local.0 + 1,
            ExprKind::Turn {
                such_that: Some((local, _)),
                ..
            } => local.0 + 1,
            _ => 0,
        };
        let inner = self.children().into_iter().map(Self::locals);
        inner.fold(own, u32::max)
    }
}

impl Binder {
    /// The expressions in its range and filter.
    pub fn children(&self) -> Vec<&Expr> {
        let of = match &self.range {
            Range::Zone(zone) => zone.of.as_deref(),
            Range::Sort(_) | Range::Enum(..) | Range::Bool => None,
        };
        of.into_iter().chain(self.filter.as_deref()).collect()
    }

    /// Whether its elements are taken as they lie.
    pub fn lies(&self) -> bool {
        matches!(self.range, Range::Zone(_))
    }
}

impl Function {
    /// A condition, or another value of a type, without parameters.
    pub fn condition(name: &str, ty: Type, body: Expr) -> Self {
        Self {
            name: name.to_owned(),
            params: Vec::new(),
            locals: body.locals(),
            ty,
            body,
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
