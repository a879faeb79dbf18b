//! Reads statements that stand on one line, and tells which production reads which line.

use super::heading::Context;
use super::{Failed, Parse, Parser};
use crate::diag::codes::syntax::UNEXPECTED;
use crate::syntax::ast::{Block, Expr, Name, Stmt, StmtKind, Text, Trivia};
use crate::syntax::lex::Kind;

impl Parser<'_> {
    /// Reads a line of a block of statements. An `otherwise` after a statement that could not be
    /// read belongs to that one, and is skipped.
    pub(super) fn statement_line(&mut self, stmts: &mut Vec<Stmt>, mut trivia: Trivia) {
        let after_error = stmts
            .last()
            .is_some_and(|last| last.kind == StmtKind::Error);
        if after_error && self.is_word("otherwise") {
            self.skip_block();
            return;
        }
        let loc = self.line_loc();
        let kind = self.attempt(|parser| parser.statement(&mut trivia), StmtKind::Error);
        stmts.push(Stmt { trivia, kind, loc });
    }

    fn statement(&mut self, trivia: &mut Trivia) -> Parse<StmtKind> {
        let word = self.peek_word(0);
        let start = self.at;
        self.at += 1;
        match word {
            "if" => return self.if_statement(),
            "cases" => return self.cases(),
            "depending" => return self.depending(),
            "for" => return self.for_each(),
            "simultaneously" => return self.statements().map(StmtKind::Simultaneously),
            "repeat" => return self.repeat(),
            "choose" => return self.choose(),
            "may" => return self.may(),
            "clause" => {
                let mut stmts = Vec::new();
                let (clause, tail) = self.clause(trivia, &mut |parser, trivia| {
                    parser.statement_line(&mut stmts, trivia);
                })?;
                return Ok(StmtKind::Clause(Box::new(clause), Block { stmts, tail }));
            }
            "cites" | "basis" => {
                self.at = start;
                return self.clause_line().map(StmtKind::Annotation);
            }
            _ => {}
        }
        let stmt = match word {
            "nothing" => StmtKind::Nothing,
            "pass" => StmtKind::Pass,
            "let" => self.let_statement()?,
            "set" => self.set()?,
            "increase" => self.increase()?,
            "decrease" => self.decrease()?,
            "transfer" => self.transfer()?,
            "move" => self.move_statement()?,
            "shuffle" => StmtKind::Shuffle(self.operand()?),
            "create" => self.create()?,
            "remove" => StmtKind::Remove(self.expr()?),
            "announce" => {
                let event = self.name("the name of an event")?;
                StmtKind::Announce(event, self.arguments()?)
            }
            "distribute" => self.distribute()?,
            "perform" => {
                let sequence = self.name("the name of a sequence")?;
                StmtKind::Perform(sequence, self.arguments()?)
            }
            "resolve" => StmtKind::Resolve {
                one: self.eat_words(&["next", "of"]),
                queue: self.name("the name of a queue")?,
            },
            "go" => {
                self.expect_words(&["to"])?;
                StmtKind::GoTo(self.name("the name of a step")?)
            }
            "leave" => StmtKind::Leave(self.name("the name of a sequence")?),
            "declare" => {
                let outcome = self.outcome_word()?;
                StmtKind::Declare(outcome, self.whom()?)
            }
            "gap" => self.gap()?,
            _ => {
                self.at = start;
                return Err(self.unknown_heading(Context::Statement));
            }
        };
        self.expect_end()?;
        Ok(stmt)
    }

    fn let_statement(&mut self) -> Parse<StmtKind> {
        let name = self.name("a name for the value")?;
        self.expect(Kind::Equal, "`=` and the value")?;
        Ok(StmtKind::Let(name, self.expr()?))
    }

    fn set(&mut self) -> Parse<StmtKind> {
        let place = self.place()?;
        self.expect_words(&["to"])?;
        Ok(StmtKind::Set(place, self.expr()?))
    }

    /// `PLACE by e`
    fn change(&mut self) -> Parse<(Expr, Expr)> {
        let place = self.place()?;
        self.expect_words(&["by"])?;
        Ok((place, self.expr()?))
    }

    /// `, at most e` or `, at least e`, if it is next.
    fn bound(&mut self, word: &str) -> Parse<Option<Expr>> {
        if !self.eat_option("at") {
            return Ok(None);
        }
        self.expect_words(&[word])?;
        self.expr().map(Some)
    }

    fn increase(&mut self) -> Parse<StmtKind> {
        let (place, amount) = self.change()?;
        Ok(StmtKind::Increase(place, amount, self.bound("most")?))
    }

    fn decrease(&mut self) -> Parse<StmtKind> {
        let (place, amount) = self.change()?;
        Ok(StmtKind::Decrease(place, amount, self.bound("least")?))
    }

    fn transfer(&mut self) -> Parse<StmtKind> {
        let amount = self.expr()?;
        self.expect_words(&["from"])?;
        let from = self.place()?;
        self.expect_words(&["to"])?;
        let to = self.place()?;
        Ok(StmtKind::Transfer { amount, from, to })
    }

    fn move_statement(&mut self) -> Parse<StmtKind> {
        let all = self.eat_words(&["all", "of"]);
        let moved = if all { self.operand()? } else { self.expr()? };
        self.expect_words(&["to"])?;
        let target = self.target()?;
        Ok(if all {
            StmtKind::MoveAll(moved, target)
        } else {
            StmtKind::Move(moved, target)
        })
    }

    fn create(&mut self) -> Parse<StmtKind> {
        let sort = self.name("a sort such as `Card`")?;
        let name = if self.eat_word("as") {
            Some(self.name("a name for what is created")?)
        } else {
            None
        };
        let target = if self.eat_word("in") {
            Some(self.target()?)
        } else {
            None
        };
        let with = self.with("the name of a field")?;
        Ok(StmtKind::Create {
            sort,
            name,
            target,
            with,
        })
    }

    /// `with f = e, g = e`, if it is next.
    pub(super) fn with(&mut self, what: &str) -> Parse<Vec<(Name, Expr)>> {
        let mut with = Vec::new();
        if !self.eat_word("with") {
            return Ok(with);
        }
        loop {
            let field = self.name(what)?;
            self.expect(Kind::Equal, "`=` and the value")?;
            with.push((field, self.expr()?));
            if !self.eat(Kind::Comma) {
                return Ok(with);
            }
        }
    }

    fn distribute(&mut self) -> Parse<StmtKind> {
        let amount = self.expr()?;
        self.expect_words(&["over"])?;
        let binder = self.binder()?;
        self.expect_words(&["into"])?;
        let into = self.place()?;
        let by = self.by()?;
        let each = self.bound("most")?;
        if each.is_some() {
            self.expect_words(&["each"])?;
        }
        Ok(StmtKind::Distribute {
            amount,
            binder,
            into,
            by,
            each,
        })
    }

    fn gap(&mut self) -> Parse<StmtKind> {
        let name = self.name("a name for the gap")?;
        let text = self.maybe_quoted()?;
        if self.is_word("and") {
            return self.gap_goes_on(name, text);
        }
        if self.is_word("go") || self.is_word("assuming") {
            return Err(self.unexpected("`and go on`"));
        }
        if !self.eat_words(&["may", "change"]) {
            return Ok(StmtKind::Gap(name, text));
        }
        let place = self.place()?;
        let within = self.within()?;
        if self.is_word("and") {
            return Err(self.goes_on_anyway());
        }
        Ok(StmtKind::GapMayChange {
            name,
            text,
            place,
            within,
        })
    }

    /// `may change` and `and go on` stand together.
    fn goes_on_anyway(&mut self) -> Failed {
        let message = format!(
            "found `{}`, expected the end of the line: a gap that `may change` a place goes on with every value, \
             and one that says `and go on` changes nothing",
            self.peek_word(0)
        );
        self.fail(UNEXPECTED, message, "one or the other")
    }

    /// `and go on [assuming "…"]`
    fn gap_goes_on(&mut self, name: Name, text: Option<Text>) -> Parse<StmtKind> {
        self.expect_words(&["and", "go", "on"])?;
        if self.are_words(&["may", "change"]) {
            return Err(self.goes_on_anyway());
        }
        let assuming = match self.eat_word("assuming") {
            true => Some(self.quoted("what is assumed, as a text such as \"nobody does\"")?),
            false => None,
        };
        Ok(StmtKind::GapGoesOn {
            name,
            text,
            assuming,
        })
    }
}
