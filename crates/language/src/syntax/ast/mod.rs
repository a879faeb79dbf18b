//! The syntax tree: what a specification says, line by line, before any name is resolved.
//!
//! The tree keeps everything the author wrote except layout: comments, the order of items, which of
//! two spellings of a zone end was used. `print(parse(text))` is the canonical layout of `text`,
//! and parsing that again gives an equal tree. Positions are kept in [`Loc`], which compares equal
//! whatever it holds, so that "equal" means "says the same".
//!
//! ```text
//! for each c: Card in board where c.health <= 0, left to right from active
//!   move c to dying
//! ```
//!
//! is one [`StmtKind::ForEach`] with a [`Binder`], an [`Order::Zone`] and a [`Block`] of one
//! statement.
//!
//! *Guarantees.* Every tree that the parser returns without an error prints to text that parses to
//! the same tree. A tree with errors still covers every line of the file: what could not be
//! understood is an `Error` node, and its nested lines are skipped as a block.

mod claim;
mod expr;
mod item;
mod stmt;
mod walk;

use endstep_walk::Walk;

pub use crate::source::Loc;
pub use claim::{
    Accept, Alteration, At, BoardItem, BoardLine, Claim, ClaimKind, Example, ExampleLine,
    ExpectedGap, Experiment, Observer, Sight, StepRef, Verify,
};
pub use expr::{
    BinaryOp, Binder, Builtin, End, Expr, ExprKind, Extreme, IsTest, OperatorClass, Quantifier,
    Rounding, Side,
};
pub use item::{
    BasisKind, BasisNote, Clause, ClauseKind, ClauseLine, Column, Contract, Define, Document,
    EntityDecl, Event, Field, Item, ItemKind, Legal, ListPolicy, Nest, NestOver, Param, Queue,
    QueueDiscipline, Range, Reading, ReadingAlt, Reference, Restart, RoleDecl, Row, SeqItem,
    SeqItemKind, Sequence, SizeBound, Step, TableDecl, Trigger, TypeDecl, TypeExpr, VarDecl, Zone,
    ZoneOption,
};
pub use stmt::{
    Arm, Block, Cancel, CasePolicy, ChoiceOption, Decider, DomainPolicy, MoveTarget, Order,
    OutcomeWord, Per, Rank, Ranked, Stmt, StmtKind, Unfinished, When, Whom,
};
pub use walk::{Visit, VisitMut, Walk};

/// A name as written, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Name {
    /// The text, without quotes or layout.
    pub text: String,
    /// Where it stands.
    pub loc: Loc,
}

/// A quoted text, unescaped.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Text {
    /// The text between the quotes, with escapes resolved.
    pub text: String,
    /// Where it stands.
    pub loc: Loc,
}

impl Text {
    /// What is printed of it: a line break is a blank.
    pub fn line(&self) -> String {
        self.text.replace('\n', " ")
    }
}

/// A dotted clause id such as `cleanup.1` or `b.3.second`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ClauseId {
    /// The parts joined by dots, as written.
    pub text: String,
    /// Where it stands.
    pub loc: Loc,
}

/// What surrounds a line and means nothing: kept so that formatting loses nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Trivia {
    /// Whole-line comments above.
    pub comments: Vec<Comment>,
    /// Whether at least one empty line stood directly before this line, after its comments; not
    /// for the first line of a file.
    pub blank_before: bool,
    /// A comment at the end of the line, without the `--`, trimmed on the right.
    pub trailing: Option<String>,
}

impl Trivia {
    /// What the comment directly above a line says, as one paragraph: its documentation.
    ///
    /// An empty line ends it, upwards and downwards; and comments of three hyphens or more are
    /// headings of parts of a file, no documentation.
    pub fn documentation(&self) -> Option<String> {
        if self.blank_before {
            return None;
        }
        let mut lines: Vec<&str> = Vec::new();
        for comment in self.comments.iter().rev() {
            if comment.text.starts_with('-') {
                break;
            }
            lines.push(comment.text.trim());
            if comment.blank_before {
                break;
            }
        }
        lines.reverse();
        lines.retain(|line| !line.is_empty());
        (!lines.is_empty()).then(|| lines.join(" "))
    }
}

/// A comment that fills a line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Comment {
    /// Whether at least one empty line stood directly before it.
    pub blank_before: bool,
    /// What follows the `--`, trimmed on the right.
    pub text: String,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Walk)]
pub struct File {
    /// The items in the order in which they stand.
    pub items: Vec<Item>,
    /// Comments after the last item.
    pub tail: Vec<Comment>,
}
