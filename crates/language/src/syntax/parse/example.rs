//! Reads boards and worked examples.

use super::heading::Context;
use super::{Parse, Parser};
use crate::syntax::ast::{
    BoardItem, BoardLine, Comment, Example, ExampleLine, ExpectedGap, Trivia,
};
use crate::syntax::lex::Kind;

impl Parser<'_> {
    /// `NAME` with board lines.
    pub(super) fn board(&mut self) -> Parse<BoardItem> {
        let name = self.name("the name of the board")?;
        let like = match self.eat_word("like") {
            true => Some(self.name("the name of another board")?),
            false => None,
        };
        self.expect_end()?;
        let (lines, tail) = self.board_lines();
        Ok(BoardItem {
            name,
            like,
            lines,
            tail,
        })
    }

    fn board_lines(&mut self) -> (Vec<(Trivia, BoardLine)>, Vec<Comment>) {
        let mut lines = Vec::new();
        let tail = self.block(&mut |parser, trivia| {
            let line = parser.attempt(Self::board_line, BoardLine::Error);
            lines.push((trivia, line));
        });
        (lines, tail)
    }

    fn board_line(&mut self) -> Parse<BoardLine> {
        let first = self.name("a sort, or a variable and its value")?;
        let line = if self.eat(Kind::Equal) {
            BoardLine::Var(first, self.expr()?)
        } else {
            let names = self.names("the name of an entity, or `=` and a value")?;
            let zone = if self.eat_word("in") {
                Some(self.operand()?)
            } else {
                None
            };
            BoardLine::Entities {
                sort: first,
                names,
                zone,
                with: self.with("the name of a field")?,
            }
        };
        self.expect_end()?;
        Ok(line)
    }

    /// `NAME` with example lines.
    pub(super) fn example(&mut self) -> Parse<Example> {
        let name = self.name("the name of the example")?;
        self.expect_end()?;
        let mut lines = Vec::new();
        let tail = self.block(&mut |parser, trivia| {
            let line = parser.attempt(Self::example_line, ExampleLine::Error);
            lines.push((trivia, line));
        });
        Ok(Example { name, lines, tail })
    }

    fn example_line(&mut self) -> Parse<ExampleLine> {
        let word = self.peek_word(0);
        let start = self.at;
        self.at += 1;
        let line = match word {
            "on" => ExampleLine::On(self.name("the name of a board")?),
            "given" => {
                self.expect_end()?;
                self.expect_block("lines as in a board")?;
                let (lines, tail) = self.board_lines();
                return Ok(ExampleLine::Given(lines, tail));
            }
            "perform" => {
                let sequence = self.name("the name of a sequence")?;
                ExampleLine::Perform(sequence, self.arguments()?)
            }
            "reading" => {
                let reading = self.name("the name of a reading")?;
                self.expect_words(&["is"])?;
                ExampleLine::Reading(reading, self.name("the name of an alternative")?)
            }
            "choose" => ExampleLine::Choose(self.quoted("what is chosen, in quotes")?),
            "after" => {
                let step = self.step_ref()?;
                self.expect_words(&["expect"])?;
                ExampleLine::After(step, self.expr()?)
            }
            "expect" => self.expectation()?,
            _ => {
                self.at = start;
                let words = &[
                    "on", "given", "perform", "reading", "choose", "after", "expect",
                ];
                return Err(self.unknown_heading(Context::Lines("an example", words)));
            }
        };
        self.expect_end()?;
        Ok(line)
    }

    /// What follows `expect`.
    fn expectation(&mut self) -> Parse<ExampleLine> {
        if self.eat_word("outcome") {
            let outcome = self.outcome_word()?;
            let whom = self.whom()?;
            return Ok(ExampleLine::ExpectOutcome(outcome, whom, self.line_loc()));
        }
        let possible = self.eat_word("possible");
        if self.eat_word("gap") {
            let gap = match self.maybe_quoted()? {
                Some(kind) => ExpectedGap::Kind(kind),
                None => ExpectedGap::Named(self.name("the name of a gap, or a kind in quotes")?),
            };
            return Ok(ExampleLine::ExpectGap { possible, gap });
        }
        Ok(ExampleLine::Expect {
            possible,
            condition: self.expr()?,
        })
    }
}
