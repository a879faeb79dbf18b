//! Reads items: what stands at the top level, under a document or under a clause there.

use super::heading::Context;
use super::{Parse, Parser};
use crate::syntax::ast::{Document, Item, ItemKind, Text, Trivia};

impl Parser<'_> {
    /// The item that begins with the current line.
    pub(super) fn item(&mut self, mut trivia: Trivia) -> Item {
        let loc = self.line_loc();
        let kind = self.attempt(|parser| parser.item_kind(&mut trivia), ItemKind::Error);
        Item { trivia, kind, loc }
    }

    fn item_kind(&mut self, trivia: &mut Trivia) -> Parse<ItemKind> {
        if self.eat_word("game") {
            return self
                .lone_text("the name of the game, in quotes")
                .map(ItemKind::Game);
        }
        if self.eat_word("include") {
            return self
                .lone_text("the path of a file, in quotes")
                .map(ItemKind::Include);
        }
        if self.eat_word("document") {
            return self.document();
        }
        if self.eat_word("clause") {
            let mut items = Vec::new();
            let (clause, tail) = self.clause(trivia, &mut |parser, trivia| {
                items.push(parser.item(trivia));
            })?;
            return Ok(ItemKind::Clause(Box::new(clause), items, tail));
        }
        if self.eat_word("sequence") {
            return self.sequence().map(ItemKind::Sequence);
        }
        match self.declaration()? {
            Some(item) => Ok(item),
            None => Err(self.unknown_heading(Context::Item)),
        }
    }

    fn lone_text(&mut self, what: &str) -> Parse<Text> {
        let text = self.quoted(what)?;
        self.expect_end()?;
        Ok(text)
    }

    fn document(&mut self) -> Parse<ItemKind> {
        let name = self.name("a short name for the document")?;
        let title = self.lone_text("the title of the document, in quotes")?;
        let mut items = Vec::new();
        let tail = self.block(&mut |parser, trivia| items.push(parser.item(trivia)));
        Ok(ItemKind::Document(Document { name, title }, items, tail))
    }

    /// An item that may also stand in a sequence, if one begins here.
    pub(super) fn declaration(&mut self) -> Parse<Option<ItemKind>> {
        let word = self.peek_word(0);
        let start = self.at;
        self.at += 1;
        Ok(Some(match word {
            "type" => ItemKind::Type(self.type_decl()?),
            "table" => ItemKind::Table(self.table()?),
            "entity" => ItemKind::Entity(self.entity(false)?),
            "player" => ItemKind::Entity(self.entity(true)?),
            "var" => ItemKind::Var(self.var(false)?),
            "supply" => ItemKind::Var(self.var(true)?),
            "role" => ItemKind::Role(self.role()?),
            "zone" => ItemKind::Zone(self.zone()?),
            "define" => ItemKind::Define(self.define(false)?),
            "continuous" => ItemKind::Define(self.define(true)?),
            "legal" => ItemKind::Legal(self.legal(false)?),
            "explore" => ItemKind::Legal(self.legal(true)?),
            "queue" => ItemKind::Queue(self.queue()?),
            "event" => ItemKind::Event(self.event()?),
            "reading" => ItemKind::Reading(self.reading()?),
            "trigger" => ItemKind::Trigger(self.trigger()?),
            "observer" => ItemKind::Observer(self.observer()?),
            "verify" => ItemKind::Verify(self.verify()?),
            "experiment" => ItemKind::Experiment(self.experiment()?),
            "claim" => ItemKind::Claim(self.claim(false)?),
            "question" => ItemKind::Claim(self.claim(true)?),
            "board" => ItemKind::Board(self.board()?),
            "example" => ItemKind::Example(self.example()?),
            "accept" => ItemKind::Accept(self.accept()?),
            _ => {
                self.at = start;
                return Ok(None);
            }
        }))
    }
}
