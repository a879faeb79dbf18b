//! Makes nodes of the syntax tree, with brackets where the grammar needs them.
//!
//! A tree is only printed and parsed back equal if its brackets are nodes: the product of `a + b`
//! and `c` is made as `(a + b) * c`, with a [`ExprKind::Paren`].

use endstep_language::syntax::ast::{
    BinaryOp, Block, ClauseId, Expr, ExprKind, IsTest, Item, ItemKind, Loc, Name, OperatorClass,
    Range, SeqItem, SeqItemKind, Stmt, StmtKind, Text, Trivia,
};

/// A name.
pub(super) fn name(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        loc: Loc::default(),
    }
}

/// A quoted text.
pub(super) fn text(text: impl Into<String>) -> Text {
    Text {
        text: text.into(),
        loc: Loc::default(),
    }
}

/// The id of a clause.
pub(super) fn clause_id(text: &str) -> ClauseId {
    ClauseId {
        text: text.to_owned(),
        loc: Loc::default(),
    }
}

/// An expression.
pub(super) fn expr(kind: ExprKind) -> Expr {
    Expr {
        kind,
        loc: Loc::default(),
    }
}

/// An expression that is a name.
pub(super) fn named(text: &str) -> Expr {
    expr(ExprKind::Name(name(text)))
}

/// A number, with a sign if it is negative.
pub(super) fn int(value: i64) -> Expr {
    let digits = expr(ExprKind::Int(value.saturating_abs()));
    if value < 0 {
        expr(ExprKind::Negate(Box::new(digits)))
    } else {
        digits
    }
}

/// `a to b`
pub(super) fn range((low, high): (i64, i64)) -> Range {
    Range {
        low: int(low),
        high: int(high),
    }
}

/// `of.field`
pub(super) fn field(of: Expr, field: &str) -> Expr {
    expr(ExprKind::Field(Box::new(primary(of)), name(field)))
}

/// `f(arguments)`; without arguments a name.
pub(super) fn call(of: &str, arguments: Vec<Expr>) -> Expr {
    if arguments.is_empty() {
        return named(of);
    }
    expr(ExprKind::Call(name(of), arguments))
}

/// Two operands, each in brackets unless it binds tighter than any operator.
pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let fit = match op.class() {
        OperatorClass::And | OperatorClass::Or => condition,
        OperatorClass::Sum | OperatorClass::Product => tight,
        OperatorClass::Comparison => sum,
    };
    expr(ExprKind::Binary(
        op,
        Box::new(fit(left)),
        Box::new(fit(right)),
    ))
}

/// `subject is [not] test`
pub(super) fn is(subject: Expr, negated: bool, test: IsTest) -> Expr {
    expr(ExprKind::Is {
        subject: Box::new(sum(subject)),
        negated,
        test,
    })
}

/// `not e`
pub(super) fn not(of: Expr) -> Expr {
    expr(ExprKind::Not(Box::new(condition(of))))
}

/// Something that can have a field: in brackets unless it is a name, a call or the like.
fn primary(of: Expr) -> Expr {
    if is_primary(&of) { of } else { bracketed(of) }
}

/// Something that can be an operand of any operator.
pub(super) fn tight(of: Expr) -> Expr {
    if is_tight(&of) { of } else { bracketed(of) }
}

/// Something that can be compared.
pub(super) fn sum(of: Expr) -> Expr {
    use OperatorClass::{Product, Sum};
    let fits = matches!(of.kind, ExprKind::Binary(op, ..) if matches!(op.class(), Sum | Product));
    if fits || is_tight(&of) {
        of
    } else {
        bracketed(of)
    }
}

/// Something that can stand under `and`, `or`, `not`, and before words that go on.
pub(super) fn condition(of: Expr) -> Expr {
    use BinaryOp::{And, Or};
    let fits = match of.kind {
        ExprKind::Binary(op, ..) => !matches!(op, And | Or),
        ExprKind::Is { .. } => true,
        _ => is_tight(&of),
    };
    if fits { of } else { bracketed(of) }
}

fn bracketed(of: Expr) -> Expr {
    expr(ExprKind::Paren(Box::new(of)))
}

fn is_primary(of: &Expr) -> bool {
    matches!(
        of.kind,
        ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Name(_)
            | ExprKind::Field(..)
            | ExprKind::Call(..)
            | ExprKind::Builtin(..)
            | ExprKind::Paren(_)
            | ExprKind::Per(..)
    )
}

// Forms with words before one operand, which is tight itself, take in nothing that follows.
fn is_tight(of: &Expr) -> bool {
    is_primary(of)
        || matches!(
            of.kind,
            ExprKind::Negate(_)
                | ExprKind::EndOf(..)
                | ExprKind::Size(_)
                | ExprKind::Neighbour(..)
                | ExprKind::Holder(_)
                | ExprKind::Old(_)
                | ExprKind::Turn {
                    such_that: None,
                    ..
                }
        )
}

/// A statement.
pub(super) fn stmt(kind: StmtKind) -> Stmt {
    Stmt {
        trivia: Trivia::default(),
        kind,
        loc: Loc::default(),
    }
}

/// A block of statements; `nothing` if there are none.
pub(super) fn block(mut stmts: Vec<Stmt>) -> Block {
    let says_nothing = |one: &Stmt| matches!(one.kind, StmtKind::Annotation(_));
    if stmts.iter().all(says_nothing) {
        stmts.push(stmt(StmtKind::Nothing));
    }
    Block {
        stmts,
        ..Block::default()
    }
}

/// An item.
pub(super) fn item(kind: ItemKind) -> Item {
    Item {
        trivia: Trivia::default(),
        kind,
        loc: Loc::default(),
    }
}

/// A line of a sequence.
pub(super) fn seq_item(kind: SeqItemKind) -> SeqItem {
    SeqItem {
        trivia: Trivia::default(),
        kind,
        loc: Loc::default(),
    }
}
