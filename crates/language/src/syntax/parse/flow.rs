//! Reads statements with others nested under them.

use super::heading::Context;
use super::{Failed, Parse, Parser};
use crate::diag::Diagnostic;
use crate::diag::codes::syntax as codes;
use crate::syntax::ast::{
    Arm, Block, CasePolicy, ChoiceOption, Comment, DomainPolicy, Order, StmtKind, Trivia, When,
};
use crate::syntax::lex::Kind;

impl Parser<'_> {
    /// `if c` … `otherwise if d` … `otherwise`. The comments above an `otherwise if` move to the
    /// end of the block before it.
    pub(super) fn if_statement(&mut self) -> Parse<StmtKind> {
        let condition = self.expr()?;
        let mut arms = vec![(condition, self.statements()?)];
        while self.next_line_begins("otherwise") {
            let trivia = self.begin_line();
            self.take();
            if !self.eat_word("if") {
                let block = self.statements()?;
                return Ok(StmtKind::If(arms, Some((trivia, block))));
            }
            let condition = self.expr()?;
            if let Some((_, block)) = arms.last_mut() {
                move_to_tail(&mut block.tail, trivia);
            }
            arms.push((condition, self.statements()?));
        }
        Ok(StmtKind::If(arms, None))
    }

    /// `otherwise` with statements, if it comes next in the same column.
    fn otherwise(&mut self) -> Parse<Option<(Trivia, Block)>> {
        if !self.next_line_begins("otherwise") {
            return Ok(None);
        }
        let trivia = self.begin_line();
        self.take();
        Ok(Some((trivia, self.statements()?)))
    }

    /// `cases [in order | chosen by D]` with `when` arms and perhaps `otherwise`.
    pub(super) fn cases(&mut self) -> Parse<StmtKind> {
        let policy = if self.eat_words(&["in", "order"]) {
            CasePolicy::InOrder
        } else if self.eat_words(&["chosen", "by"]) {
            CasePolicy::Chosen(self.decider()?)
        } else if self.is_over() {
            CasePolicy::Exclusive
        } else {
            return Err(self.unexpected("`in order`, `chosen by …` or the end of the line"));
        };
        self.expect_end()?;
        self.expect_block("`when` lines")?;
        let mut arms = Vec::new();
        let mut otherwise = None;
        let tail = self.block(&mut |parser, trivia| {
            let arm = |parser: &mut Self| {
                if parser.is_word("otherwise") && otherwise.is_none() {
                    parser.take();
                    otherwise = Some((trivia, parser.statements()?));
                    return Ok(None);
                }
                if otherwise.is_some() {
                    return Err(parser.after_otherwise());
                }
                parser.arm(trivia).map(Some)
            };
            arms.extend(parser.attempt(arm, None));
        });
        Ok(StmtKind::Cases {
            policy,
            arms,
            otherwise,
            tail,
        })
    }

    fn after_otherwise(&mut self) -> Failed {
        let message = format!(
            "found {} after `otherwise`, expected no more cases",
            self.first_word()
        );
        let wrong = Diagnostic::error(codes::MISPLACED, message)
            .at(self.line_loc(), "comes too late")
            .help("put `otherwise` last");
        self.complaints.add(wrong);
        Failed
    }

    /// `when e` with statements.
    fn arm(&mut self, trivia: Trivia) -> Parse<Arm> {
        if !self.eat_word("when") {
            return Err(self.unknown_heading(Context::Lines("`cases`", &["when", "otherwise"])));
        }
        let guard = self.expr()?;
        let body = self.statements()?;
        Ok(Arm {
            trivia,
            guard,
            body,
        })
    }

    /// `depending on READING` with `when ALTERNATIVE` arms.
    pub(super) fn depending(&mut self) -> Parse<StmtKind> {
        self.expect_words(&["on"])?;
        let reading = self.name("the name of a reading")?;
        self.expect_end()?;
        self.expect_block("`when` lines, one for each alternative of the reading")?;
        let mut arms = Vec::new();
        let tail = self.block(&mut |parser, trivia| {
            let arm = |parser: &mut Self| {
                if !parser.eat_word("when") {
                    let context = Context::Lines("`depending on`", &["when"]);
                    return Err(parser.unknown_heading(context));
                }
                let alternative = parser.name("the name of an alternative")?;
                Ok(Some((trivia, alternative, parser.statements()?)))
            };
            arms.extend(parser.attempt(arm, None));
        });
        Ok(StmtKind::Depending {
            reading,
            arms,
            tail,
        })
    }

    /// `for each BINDER[, ORDER][, DOMAIN]`
    pub(super) fn for_each(&mut self) -> Parse<StmtKind> {
        self.expect_words(&["each"])?;
        let binder = self.binder()?;
        let mut order: Option<Order> = None;
        let mut domain: Option<DomainPolicy> = None;
        while self.eat(Kind::Comma) {
            if domain.is_none() && self.is_domain_at(0) {
                domain = Some(self.domain()?);
            } else if order.is_none() && domain.is_none() {
                order = Some(self.order()?);
            } else {
                return Err(self.unexpected("nothing more: first the order, then the elements"));
            }
        }
        let body = self.statements()?;
        Ok(StmtKind::ForEach {
            binder,
            order,
            domain,
            body,
        })
    }

    /// `repeat until e`, `repeat while e`, `repeat until stable`.
    pub(super) fn repeat(&mut self) -> Parse<StmtKind> {
        let when = if self.eat_words(&["until", "stable"]) {
            When::Stable
        } else if self.eat_word("until") {
            When::Until(self.expr()?)
        } else if self.eat_word("while") {
            When::While(self.expr()?)
        } else {
            return Err(self.unexpected("`until` or `while` and a condition, or `until stable`"));
        };
        Ok(StmtKind::Repeat(when, self.statements()?))
    }

    /// What follows `choose`.
    pub(super) fn choose(&mut self) -> Parse<StmtKind> {
        if self.are_words(&["one", "by"]) {
            return self.choose_one();
        }
        let chosen = if self.is_word("number") && self.is_word_at(2, "from") {
            self.take();
            let name = self.name("a name for the number")?;
            self.expect_words(&["from"])?;
            let range = self.range()?;
            StmtKind::ChooseNumber {
                name,
                low: range.low,
                high: range.high,
                by: self.by()?,
            }
        } else {
            let binder = self.binder()?;
            StmtKind::Choose(binder, self.by()?)
        };
        self.expect_end()?;
        Ok(chosen)
    }

    fn choose_one(&mut self) -> Parse<StmtKind> {
        self.take();
        let by = self.by()?;
        self.expect_end()?;
        self.expect_block("`option` lines")?;
        let mut options = Vec::new();
        let tail = self.block(&mut |parser, trivia| {
            let option = |parser: &mut Self| parser.option(trivia).map(Some);
            options.extend(parser.attempt(option, None));
        });
        Ok(StmtKind::ChooseOne { by, options, tail })
    }

    /// `option "label" [where e]` with statements.
    fn option(&mut self, trivia: Trivia) -> Parse<ChoiceOption> {
        if !self.eat_word("option") {
            return Err(self.unknown_heading(Context::Lines("`choose one`", &["option"])));
        }
        let label = self.quoted("what the option is, in quotes")?;
        let guard = self.condition()?;
        let body = self.statements()?;
        Ok(ChoiceOption {
            trivia,
            label,
            guard,
            body,
        })
    }

    /// `may by D ["…"]` with statements, and perhaps `otherwise`.
    pub(super) fn may(&mut self) -> Parse<StmtKind> {
        let by = self.by()?;
        let label = self.maybe_quoted()?;
        let body = self.statements()?;
        let otherwise = self.otherwise()?;
        Ok(StmtKind::May {
            by,
            label,
            body,
            otherwise,
        })
    }
}

/// Moves the comments of a line without a place for them to the end of a block.
fn move_to_tail(tail: &mut Vec<Comment>, trivia: Trivia) {
    tail.extend(trivia.comments);
    tail.extend(trivia.trailing.map(|text| Comment {
        blank_before: false,
        text,
    }));
}
