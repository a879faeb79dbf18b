//! Reads sequences, their steps, restart rules and contracts, and triggers.

use super::clause::move_comments;
use super::heading::Context;
use super::{Failed, Parse, Parser};
use crate::diag::Diagnostic;
use crate::diag::codes::syntax as codes;
use crate::syntax::ast::{
    Block, Cancel, Contract, Expr, ListPolicy, Loc, Name, Nest, NestOver, Restart, SeqItem,
    SeqItemKind, Sequence, Step, Trigger, Trivia, Unfinished,
};
use crate::syntax::lex::Kind;

/// What stands under a heading that takes statements.
const STATEMENTS: &str = "at least one statement, or `nothing`";

/// The lines of a restart rule as far as they were read.
#[derive(Default)]
struct RestartLines {
    cancel: Option<(Cancel, Loc)>,
    unfinished: Option<(Unfinished, Loc)>,
    before: Option<(Trivia, Block, Loc)>,
    failed: bool,
    comments: Trivia,
}

impl Parser<'_> {
    /// `NAME[(params)][, steps …][, over each …]` with its lines.
    pub(super) fn sequence(&mut self) -> Parse<Sequence> {
        let name = self.name("the name of the sequence")?;
        let params = self.parameters()?;
        let policy = if self.eat_option("steps") {
            self.list_policy(true)?
        } else {
            ListPolicy::InOrder { written: false }
        };
        let over = if self.eat_option("over") {
            Some(self.nest_over()?)
        } else {
            None
        };
        if !self.is_over() {
            return Err(self.unexpected("`, steps …`, `, over each …` or the end of the line"));
        }
        let mut items = Vec::new();
        let tail = self.block(&mut |parser, trivia| items.push(parser.seq_item(trivia)));
        Ok(Sequence {
            name,
            params,
            policy,
            over,
            items,
            tail,
        })
    }

    /// What follows `steps`; of what somebody makes up nothing is unspecified.
    pub(super) fn list_policy(&mut self, open: bool) -> Parse<ListPolicy> {
        if open && self.eat_word("unspecified") {
            Ok(ListPolicy::Unspecified)
        } else if self.eat_words(&["in", "order"]) {
            Ok(ListPolicy::InOrder { written: true })
        } else if self.eat_words(&["in", "any", "order"]) {
            Ok(ListPolicy::Any)
        } else if self.eat_words(&["in", "an", "order", "chosen", "by"]) {
            self.decider().map(ListPolicy::Chosen)
        } else {
            Err(self.unexpected(match open {
                true => "`in order`, `unspecified`, `in any order` or `in an order chosen by …`",
                false => "`in order`, `in any order` or `in an order chosen by …`",
            }))
        }
    }

    /// What follows `over`.
    fn nest_over(&mut self) -> Parse<NestOver> {
        self.expect_words(&["each"])?;
        let binder = self.binder()?;
        let order = if self.is(Kind::Comma) && !self.is_word_at(1, "nest") {
            self.take();
            Some(self.order()?)
        } else {
            None
        };
        if !self.eat_option("nest") {
            return Err(self.unexpected("`, nest steps`, `, nest places` or `, nest unspecified`"));
        }
        let nest = match self.peek_word(0) {
            "steps" => Nest::Steps,
            "places" => Nest::Places,
            "unspecified" => Nest::Unspecified,
            _ => return Err(self.unexpected("`steps`, `places` or `unspecified`")),
        };
        self.take();
        Ok(NestOver {
            binder,
            order,
            nest,
        })
    }

    fn seq_item(&mut self, mut trivia: Trivia) -> SeqItem {
        let loc = self.line_loc();
        let kind = self.attempt(|parser| parser.seq_kind(&mut trivia), SeqItemKind::Error);
        SeqItem { trivia, kind, loc }
    }

    fn seq_kind(&mut self, trivia: &mut Trivia) -> Parse<SeqItemKind> {
        match self.peek_word(0) {
            "step" => self.step().map(SeqItemKind::Step),
            "restart" => self.restart(trivia).map(SeqItemKind::Restart),
            "contract" => self.contract().map(SeqItemKind::Contract),
            "cites" | "basis" => self.clause_line().map(SeqItemKind::Annotation),
            "clause" => {
                self.take();
                let mut items = Vec::new();
                let (clause, tail) = self.clause(trivia, &mut |parser, trivia| {
                    items.push(parser.seq_item(trivia));
                })?;
                Ok(SeqItemKind::Clause(Box::new(clause), items, tail))
            }
            _ => match self.declaration()? {
                Some(item) => Ok(SeqItemKind::Item(item)),
                None => Err(self.unknown_heading(Context::Sequence)),
            },
        }
    }

    /// `step NAME` with statements and `ensures` lines.
    fn step(&mut self) -> Parse<Step> {
        self.take();
        let name = self.name("the name of the step")?;
        self.expect_end()?;
        self.expect_block(STATEMENTS)?;
        let mut stmts = Vec::new();
        let mut ensures = Vec::new();
        let tail = self.block(&mut |parser, trivia| {
            if parser.is_word("ensures") {
                ensures.extend(parser.ensures(trivia));
            } else {
                parser.statement_line(&mut stmts, trivia);
            }
        });
        Ok(Step {
            name,
            body: Block { stmts, tail },
            ensures,
        })
    }

    fn ensures(&mut self, trivia: Trivia) -> Option<(Trivia, Expr)> {
        self.attempt(
            |parser| {
                parser.take();
                let condition = parser.expr()?;
                parser.expect_end()?;
                Ok(Some((trivia, condition)))
            },
            None,
        )
    }

    /// The statements nested under the current line; there has to be one.
    pub(super) fn statements(&mut self) -> Parse<Block> {
        self.expect_end()?;
        self.expect_block(STATEMENTS)?;
        let mut stmts = Vec::new();
        let tail = self.block(&mut |parser, trivia| parser.statement_line(&mut stmts, trivia));
        Ok(Block { stmts, tail })
    }

    /// `restart when e` with its lines, whose comments move to the heading.
    fn restart(&mut self, trivia: &mut Trivia) -> Parse<Restart> {
        self.take();
        self.expect_words(&["when"])?;
        let when = self.expr()?;
        self.expect_end()?;
        let heading = self.line_loc();
        let mut lines = RestartLines::default();
        let tail = self.block(&mut |parser, trivia| {
            let failed = parser.attempt(
                |parser| parser.restart_line(&mut lines, trivia).map(|()| false),
                true,
            );
            lines.failed |= failed;
        });
        lines.comments.comments.extend(tail);
        move_comments(trivia, lines.comments);
        if let (Some((cancel, _)), Some((unfinished, _))) = (&lines.cancel, &lines.unfinished) {
            return Ok(Restart {
                when,
                cancel: cancel.clone(),
                unfinished: unfinished.clone(),
                before: lines.before.map(|(trivia, block, _)| (trivia, block)),
            });
        }
        if !lines.failed {
            self.incomplete_restart(heading, lines.cancel.is_none());
        }
        Err(Failed)
    }

    fn restart_line(&mut self, lines: &mut RestartLines, trivia: Trivia) -> Parse<()> {
        let place = self.line_loc();
        let word = self.peek_word(0);
        let earlier = match word {
            "cancel" => lines.cancel.as_ref().map(|(_, place)| *place),
            "unfinished" => lines.unfinished.as_ref().map(|(_, place)| *place),
            "before" => lines.before.as_ref().map(|(_, _, place)| *place),
            _ => {
                let words = &["cancel", "unfinished", "before restarting"];
                return Err(self.unknown_heading(Context::Lines("a restart rule", words)));
            }
        };
        if let Some(earlier) = earlier {
            return Err(self.twice(word, place, earlier));
        }
        self.take();
        match word {
            "cancel" => lines.cancel = Some((self.cancel()?, place)),
            "unfinished" => lines.unfinished = Some((self.unfinished()?, place)),
            _ => {
                self.expect_words(&["restarting"])?;
                lines.before = Some((trivia, self.statements()?, place));
                return Ok(());
            }
        }
        move_comments(&mut lines.comments, trivia);
        self.expect_end()
    }

    fn incomplete_restart(&mut self, heading: Loc, lacks_cancel: bool) {
        let (word, choices) = if lacks_cancel {
            (
                "cancel",
                "`cancel at once`, `cancel at end of step` or `cancel at end of pass`",
            )
        } else {
            ("unfinished", "`unfinished lost` or `unfinished carried`")
        };
        let message = format!("found no `{word}` line in a restart rule, expected one");
        let wrong = Diagnostic::error(codes::MISSING_LINE, message)
            .at(heading, format!("does not say {choices}"))
            .help(format!(
                "nest {choices} under it; if the document does not say, make it a reading: \
                 `{word} per r (a: … | b: …)`"
            ));
        self.complaints.add(wrong);
    }

    /// `contract` with its lines.
    fn contract(&mut self) -> Parse<Contract> {
        self.take();
        self.expect_end()?;
        self.expect_block("`changes` and `ensures` lines")?;
        let mut contract = Contract {
            changes: Vec::new(),
            ensures: Vec::new(),
            tail: Vec::new(),
        };
        contract.tail = self.block(&mut |parser, trivia| match parser.peek_word(0) {
            "ensures" => contract.ensures.extend(parser.ensures(trivia)),
            "changes" => {
                let line = |parser: &mut Self| {
                    parser.take();
                    let place = parser.place()?;
                    let within = parser.within()?;
                    parser.expect_end()?;
                    Ok(Some((trivia, place, within)))
                };
                contract.changes.extend(parser.attempt(line, None));
            }
            _ => {
                let context = Context::Lines("a contract", &["changes", "ensures"]);
                parser.attempt(|parser| Err(parser.unknown_heading(context)), ());
            }
        });
        Ok(contract)
    }

    /// `NAME [for each BINDER,] on EVENT(args) [where e][, priority n]` with statements.
    pub(super) fn trigger(&mut self) -> Parse<Trigger> {
        let name = self.name("the name of the trigger")?;
        let listener = if self.eat_words(&["for", "each"]) {
            let binder = self.binder()?;
            self.expect(Kind::Comma, "`, on` and an event")?;
            Some(binder)
        } else {
            None
        };
        self.expect_words(&["on"])?;
        let event = self.name("the name of an event")?;
        let args = self.argument_names()?;
        let condition = self.condition()?;
        let priority = if self.eat_option("priority") {
            Some(self.signed()?)
        } else {
            None
        };
        let body = self.statements()?;
        Ok(Trigger {
            name,
            listener,
            event,
            args,
            condition,
            priority,
            body,
        })
    }

    fn argument_names(&mut self) -> Parse<Vec<Name>> {
        if !self.eat(Kind::Open) || self.eat(Kind::Close) {
            return Ok(Vec::new());
        }
        let names = self.names("a name for what the event carries")?;
        self.expect(Kind::Close, "`,` or `)`")?;
        Ok(names)
    }

    fn signed(&mut self) -> Parse<i64> {
        let negative = self.eat(Kind::Minus);
        let value = self.integer("a number")?;
        Ok(if negative { -value } else { value })
    }
}
