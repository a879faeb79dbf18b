//! Expressions: values, tests and counts over the state.
//!
//! `count of c in hand(p) where c.ready` is an [`ExprKind::Count`] of a [`Binder`].

use endstep_walk::Walk;

use super::walk::{Visit, VisitMut, Walk};
use super::{Loc, Name};

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = expr, tested)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub loc: Loc,
}

/// The forms of expressions.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub enum ExprKind {
    /// What the parser could not understand (an error was reported).
    Error,
    /// `12`
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// `none`: the absent value of an optional.
    None,
    /// A variable, local, role, enumeration value, board entity, reading-free name.
    Name(Name),
    /// `c.health`
    Field(Box<Expr>, Name),
    /// `board(p)`, `strength(c)`: a zone of a player or entity, or a definition.
    Call(Name, Vec<Expr>),
    /// `not e`
    Not(Box<Expr>),
    /// `-e`
    Negate(Box<Expr>),
    /// `a + b`, `a and b`, `a <= b`, …
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `e is none`, `c is in board`, `c is before d`, `r is alternative`, `e is not …`
    Is {
        /// What is tested.
        subject: Box<Expr>,
        /// `is not`.
        negated: bool,
        /// The test.
        test: IsTest,
    },
    /// `if c then a else b`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `half of e rounded up`, `half of e rounded down`, `half of e` (a gap where odd)
    Half(Box<Expr>, Option<Rounding>),
    /// `min(a, b)`, `max(a, b)`, `clamp(e, low, high)`
    Builtin(Builtin, Vec<Expr>),
    /// `count of BINDER`
    Count(Box<Binder>),
    /// `sum of e over BINDER`
    Sum(Box<Expr>, Box<Binder>),
    /// `largest e over BINDER`, `smallest e over BINDER`: a gap over nothing.
    Extreme(Extreme, Box<Expr>, Box<Binder>),
    /// `every BINDER has e`, `some BINDER has e`
    Quantified(Quantifier, Box<Binder>, Box<Expr>),
    /// `top of z`, `bottom of z`, `first of z`, `last of z`: a gap where z is empty.
    EndOf(End, Box<Expr>),
    /// `first c in z where e`, `last …`, `top …`, `bottom …`: the one that is nearest to that end of
    /// the zone, or `none`.
    Endmost(End, Box<Binder>),
    /// `size of z`: how many entities a zone, or pending triggers a queue, holds.
    Size(Box<Expr>),
    /// `next after p`, `previous before p`; with a name and a condition the first such player in
    /// that direction, going once round and ending with `p` itself, or `none`:
    /// `next q after p where deck(q) is not empty`
    Turn {
        /// `next … after` (forward) or `previous … before`.
        forward: bool,
        /// From whom.
        from: Box<Expr>,
        /// The bound name and the condition.
        such_that: Option<(Name, Box<Expr>)>,
    },
    /// `neighbour before c`, `neighbour after c`: the entity next to it in its zone, or `none`.
    Neighbour(Side, Box<Expr>),
    /// `holder of c`: whose zone `c` is in, where zones are `per` something; else `none`.
    Holder(Box<Expr>),
    /// `old e`: `e` as it was when the enclosing step (in `ensures`) or run (in claims) began.
    Old(Box<Expr>),
    /// `per r (x: a | y: b)`: what goes with the alternative that holds.
    Per(Name, Vec<(Name, Expr)>),
    /// `(e)`
    Paren(Box<Expr>),
}

/// Tests that follow `is`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = test)]
pub enum IsTest {
    /// `is none`
    None,
    /// `is empty` (a zone or a queue)
    Empty,
    /// `is removed` (an entity taken out of the game by `remove`)
    Removed,
    /// `is in Z`
    In(Box<Expr>),
    /// `is before e`, `is after e`: how two lie in one zone.
    Beside(Side, Box<Expr>),
    /// `is e`: equality; for a reading, the alternative that holds.
    Equal(Box<Expr>),
}

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Walk)]
#[walk(node = operator)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// Operators that bind alike, loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum OperatorClass {
    Or,
    And,
    Comparison,
    Sum,
    Product,
}

impl BinaryOp {
    /// How it is written, how it is said, and what it is like.
    const fn row(self) -> (&'static str, &'static str, OperatorClass) {
        match self {
            Self::Or => ("or", "or", OperatorClass::Or),
            Self::And => ("and", "and", OperatorClass::And),
            Self::Equal => ("=", "is", OperatorClass::Comparison),
            Self::NotEqual => ("!=", "is not", OperatorClass::Comparison),
            Self::Less => ("<", "is less than", OperatorClass::Comparison),
            Self::LessEqual => ("<=", "is at most", OperatorClass::Comparison),
            Self::Greater => (">", "is more than", OperatorClass::Comparison),
            Self::GreaterEqual => (">=", "is at least", OperatorClass::Comparison),
            Self::Add => ("+", "plus", OperatorClass::Sum),
            Self::Subtract => ("-", "minus", OperatorClass::Sum),
            Self::Multiply => ("*", "times", OperatorClass::Product),
            Self::Divide => ("divided by", "divided by", OperatorClass::Product),
        }
    }

    /// How it is written in specifications.
    pub const fn word(self) -> &'static str {
        self.row().0
    }

    /// How it is said in English.
    pub const fn spoken(self) -> &'static str {
        self.row().1
    }

    /// How tightly it binds.
    pub const fn class(self) -> OperatorClass {
        self.row().2
    }
}

/// How a half is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Walk)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Rounding {
    Up,
    Down,
}

/// Functions that are part of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Walk)]
#[walk(node = builtin)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Builtin {
    Min,
    Max,
    Clamp,
}

/// `largest` or `smallest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Walk)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Extreme {
    Largest,
    Smallest,
}

impl Extreme {
    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Largest => "largest",
            Self::Smallest => "smallest",
        }
    }
}

/// `every` or `some`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Walk)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Quantifier {
    Every,
    Some,
}

/// An end of an ordered zone. `top` and `first` are the same end, as are `bottom` and `last`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Walk)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum End {
    Top,
    Bottom,
    First,
    Last,
}

/// `before` (towards the first) or `after` (towards the last).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Walk)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum Side {
    Before,
    After,
}

/// `c: Card in board(p) where c.ready`: a name that ranges over entities, players or enumeration
/// values. At least one of sort and zone is given.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Binder {
    /// The bound name.
    pub name: Name,
    /// `: Card`
    pub sort: Option<Name>,
    /// `in Z`; a zone family without argument means all of its zones.
    pub zone: Option<Expr>,
    /// `where e`
    pub filter: Option<Expr>,
}
