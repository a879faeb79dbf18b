//! Writes items.

use super::Printer;
use crate::syntax::ast::{Item, ItemKind, Trivia};

impl Printer {
    pub(super) fn item(&mut self, item: &Item) {
        self.item_kind(&item.trivia, &item.kind);
    }

    pub(super) fn item_kind(&mut self, trivia: &Trivia, kind: &ItemKind) {
        match kind {
            ItemKind::Error => self.error(trivia),
            ItemKind::Game(title) => self.put("game ").quoted(title).end_line(trivia),
            ItemKind::Include(path) => self.put("include ").quoted(path).end_line(trivia),
            ItemKind::Document(document, items, tail) => {
                self.put("document ").name(&document.name).put(" ");
                self.quoted(&document.title).end_line(trivia);
                self.nested(|printer| {
                    printer.items(items);
                    printer.comments(tail);
                });
            }
            ItemKind::Clause(clause, items, tail) => {
                self.clause(trivia, clause, tail, |printer| printer.items(items));
            }
            ItemKind::Type(decl) => self.type_decl(trivia, decl),
            ItemKind::Table(table) => self.table(trivia, table),
            ItemKind::Entity(entity) => self.entity(trivia, entity),
            ItemKind::Var(var) => self.var(trivia, var),
            ItemKind::Role(role) => self.role(trivia, role),
            ItemKind::Zone(zone) => self.zone(trivia, zone),
            ItemKind::Define(define) => self.define(trivia, define),
            ItemKind::Legal(legal) => {
                self.put(if legal.explored {
                    "explore only "
                } else {
                    "legal "
                })
                .name(&legal.name)
                .put(": ");
                self.expr(&legal.condition).end_line(trivia);
            }
            ItemKind::Queue(queue) => self.queue(trivia, queue),
            ItemKind::Event(event) => self.event(trivia, event),
            ItemKind::Reading(reading) => self.reading(trivia, reading),
            ItemKind::Trigger(trigger) => self.trigger(trivia, trigger),
            ItemKind::Sequence(sequence) => self.sequence(trivia, sequence),
            ItemKind::Observer(observer) => self.observer(trivia, observer),
            ItemKind::Verify(verify) => self.verify(trivia, verify),
            ItemKind::Experiment(experiment) => self.experiment(trivia, experiment),
            ItemKind::Claim(claim) => self.claim(trivia, claim),
            ItemKind::Board(board) => {
                self.put("board ").name(&board.name);
                if let Some(like) = &board.like {
                    self.put(" like ").name(like);
                }
                self.end_line(trivia);
                self.board_lines(&board.lines, &board.tail);
            }
            ItemKind::Example(example) => self.example(trivia, example),
            ItemKind::Accept(accept) => self.accept(trivia, accept),
        }
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            self.item(item);
        }
    }
}
