//! Takes down which expressions and statements are written alike.
//!
//! ```text
//! increase hero.h by 1     `hero`: 0    `hero.h`: 1
//! set x to hero .h         `hero`: 0    `hero.h`: 1
//! ```
//!
//! Trees are compared, which know nothing of white space and places; comments are left out.

use std::collections::HashMap;

use super::program::{Phrases, StmtId, Wording};
use crate::syntax::ast::{Arm, Block, ChoiceOption, Expr, ExprKind, Stmt, StmtKind, Trivia};

/// Words that were met, and what stands where.
#[derive(Debug, Default)]
pub(super) struct Wordbook {
    exprs: HashMap<ExprKind, u32>,
    stmts: HashMap<StmtKind, u32>,
    found: Phrases,
}

impl Wordbook {
    /// Takes down an expression, or a zone.
    pub(super) fn expr(&mut self, expr: &Expr) {
        let next = number(self.exprs.len());
        let number = match self.exprs.get(&expr.kind) {
            Some(known) => *known,
            None => *self.exprs.entry(expr.kind.clone()).or_insert(next),
        };
        self.found.exprs.insert(expr.loc.span(), number);
    }

    /// Takes down a statement, if its words matter.
    pub(super) fn stmt(&mut self, id: StmtId, stmt: &Stmt) {
        if let Some(words) = heading(&stmt.kind) {
            let next = number(self.stmts.len());
            let number = *self.stmts.entry(words).or_insert(next);
            self.found.stmts.insert(id, number);
        }
    }

    /// All that was taken down.
    pub(super) fn wording(self) -> Wording {
        Wording::new(self.found)
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// What is said by a statement that may conflict, or fall silent by itself: all of what takes effect at once, and of
/// others what stands before their blocks.
fn heading(kind: &StmtKind) -> Option<StmtKind> {
    let nothing = || Block {
        stmts: Vec::new(),
        tail: Vec::new(),
    };
    match kind {
        StmtKind::Simultaneously(block) => Some(StmtKind::Simultaneously(bare(block))),
        StmtKind::Choose(..)
        | StmtKind::ChooseNumber { .. }
        | StmtKind::Distribute { .. }
        | StmtKind::GapMayChange { .. }
        | StmtKind::Leave(_)
        | StmtKind::GoTo(_) => Some(kind.clone()),
        StmtKind::ChooseOne { by, options, .. } => {
            let options = options.iter().map(|one| ChoiceOption {
                trivia: Trivia::default(),
                body: nothing(),
                ..one.clone()
            });
            Some(StmtKind::ChooseOne {
                by: by.clone(),
                options: options.collect(),
                tail: Vec::new(),
            })
        }
        StmtKind::Cases { policy, arms, .. } => {
            let arms = arms.iter().map(|one| Arm {
                trivia: Trivia::default(),
                body: nothing(),
                ..one.clone()
            });
            Some(StmtKind::Cases {
                policy: policy.clone(),
                arms: arms.collect(),
                otherwise: None,
                tail: Vec::new(),
            })
        }
        _ => None,
    }
}

/// A block without comments.
fn bare(block: &Block) -> Block {
    let stmts = block.stmts.iter().map(|stmt| Stmt {
        trivia: Trivia::default(),
        kind: bare_kind(&stmt.kind),
        loc: stmt.loc,
    });
    Block {
        stmts: stmts.collect(),
        tail: Vec::new(),
    }
}

/// Of what may stand in simultaneous effects; nothing else has blocks there.
fn bare_kind(kind: &StmtKind) -> StmtKind {
    match kind {
        StmtKind::If(arms, otherwise) => StmtKind::If(
            arms.iter()
                .map(|(guard, block)| (guard.clone(), bare(block)))
                .collect(),
            otherwise
                .as_ref()
                .map(|(_, block)| (Trivia::default(), bare(block))),
        ),
        StmtKind::Depending { reading, arms, .. } => StmtKind::Depending {
            reading: reading.clone(),
            arms: arms
                .iter()
                .map(|(_, name, block)| (Trivia::default(), name.clone(), bare(block)))
                .collect(),
            tail: Vec::new(),
        },
        StmtKind::ForEach {
            binder,
            order,
            domain,
            body,
        } => StmtKind::ForEach {
            binder: binder.clone(),
            order: order.clone(),
            domain: domain.clone(),
            body: bare(body),
        },
        StmtKind::Clause(clause, block) => StmtKind::Clause(clause.clone(), bare(block)),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use crate::source::{SourceId, Span};
    use crate::syntax::parse;
    use crate::typing::program::{Program, StmtId};

    fn program(text: &str) -> Program {
        let (program, found) = crate::typing::check(&[parse(SourceId(0), text).file]);
        program.unwrap_or_else(|| panic!("{found:?}"))
    }

    #[test]
    fn what_is_written_alike_has_one_number() {
        let text = "game \"W\"\nvar x: integer from 0 to 9\nsequence s\n  step a\n    \
                    set x to (x+1)\n    set x to ( x  + 1 )\n    set x to x + 1 + 1\n";
        let program = program(text);
        let at = |what: &str, skip: usize| {
            let found: Vec<_> = text.match_indices(what).collect();
            let start = found[skip].0 as u32;
            let span = Span::new(SourceId(0), start, start + what.len() as u32);
            program.wording.expr(span)
        };
        assert!(at("x+1", 0).is_some());
        assert_eq!(at("x+1", 0), at("x  + 1", 0));
        assert_eq!(at("x+1", 0), at("x + 1", 0));
        assert_ne!(at("x+1", 0), at("x + 1 + 1", 0));
    }

    #[test]
    fn comments_make_no_other_words() {
        let block = |comment: &str, to: &str| {
            format!(
                "    simultaneously\n      for each c: Card\n{comment}        set c.h to {to}\n"
            )
        };
        let text = format!(
            "game \"W\"\nentity Card, explore 1\n  h: integer from 0 to 9\nzone row of Card\nsequence s\n  step a\n{}{}{}",
            block("", "1"),
            block("        -- so it is\n", "1"),
            block("", "2")
        );
        let program = program(&text);
        let of = |id| program.wording.stmt(StmtId(id));
        assert!(of(0).is_some());
        assert_eq!(of(0), of(3));
        assert_ne!(of(0), of(6));
        assert_eq!(of(1), None);
    }
}
