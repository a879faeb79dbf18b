//! Numbers all declarations, and refuses second ones, before any of them is looked at.
//!
//! The second `zone` of the text is `ZoneId(1)`. Ids are positions in the text, so that the arenas
//! can be filled in the same order by [`sorts`](super::sorts) and [`state`](super::state).

use super::checker::{Checker, Global};
use super::program::{BoardId, DocumentId, SequenceId};
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::Table;
use crate::syntax::ast::ItemKind;

/// Numbers of one kind.
#[derive(Default)]
pub(super) struct Count(usize);

impl Count {
    pub(super) fn next<I: Id>(&mut self) -> I {
        let id = I::from_index(self.0);
        self.0 += 1;
        id
    }
}

/// The numbers given so far.
#[derive(Default)]
struct Counts {
    enums: Count,
    sorts: Count,
    vars: Count,
    zones: Count,
    defines: Count,
    queues: Count,
    readings: Count,
    events: Count,
    triggers: Count,
    sequences: Count,
    /// They are sequences, and come after the others.
    experiments: Count,
    observers: Count,
    boards: Count,
}

impl Checker<'_> {
    /// Numbers all names and refuses second declarations.
    pub(super) fn declare_names(&mut self) {
        self.declare_documents();
        let items = self.outline.items.iter();
        let sequences = items.filter(|entry| matches!(entry.kind, ItemKind::Sequence(_)));
        let mut counts = Counts {
            experiments: Count(sequences.count()),
            ..Counts::default()
        };
        let mut claims = Table::new("claim");
        let mut legals = Table::new("`legal` condition");
        let mut examples = Table::new("board or example");
        for entry in &self.outline.items {
            let result = match entry.kind {
                ItemKind::Legal(item) => legals.declare(&item.name, ()),
                ItemKind::Claim(item) => claims.declare(&item.name, ()),
                ItemKind::Example(item) => examples.declare(&item.name, ()),
                ItemKind::Board(item) => {
                    let id: BoardId = counts.boards.next();
                    let names = &mut self.names.boards;
                    examples
                        .declare(&item.name, ())
                        .and_then(|()| names.declare(&item.name, id))
                }
                ItemKind::Experiment(item) => {
                    let id: SequenceId = counts.experiments.next();
                    self.names.experiments.insert(id, None);
                    self.names.sequences.declare(&item.name, id)
                }
                kind => self.declare_name(kind, &mut counts),
            };
            self.found(result);
        }
    }

    fn declare_documents(&mut self) {
        let outline = self.outline;
        let mut games = outline.games.iter();
        if let Some(first) = games.next() {
            self.program.game = first.line();
            for again in games {
                let (span, first) = (again.loc.span(), first.loc.span());
                let message = format!("found a second game, `{}`, expected one", again.text);
                let error = Diagnostic::error(codes::names::DECLARED_TWICE, message)
                    .at(span, "second game")
                    .also(first, "first game");
                self.report(error.help("leave out one of them"));
            }
        }
        for (number, document) in outline.documents.iter().enumerate() {
            let result = self
                .names
                .documents
                .declare(&document.name, DocumentId::from_index(number));
            self.found(result);
        }
    }

    fn declare_name(
        &mut self,
        kind: &ItemKind,
        counts: &mut Counts,
    ) -> Result<(), Box<Diagnostic>> {
        let names = &mut self.names;
        let (name, global) = match kind {
            ItemKind::Type(item) => (&item.name, Global::Enum(counts.enums.next())),
            ItemKind::Table(item) => (&item.name, Global::Enum(counts.enums.next())),
            ItemKind::Entity(item) => (&item.name, Global::Sort(counts.sorts.next())),
            ItemKind::Var(item) => (&item.name, Global::Var(counts.vars.next())),
            ItemKind::Role(item) => (&item.name, Global::Var(counts.vars.next())),
            ItemKind::Zone(item) => (&item.name, Global::Zone(counts.zones.next())),
            ItemKind::Define(item) => (&item.name, Global::Define(counts.defines.next())),
            ItemKind::Queue(item) => (&item.name, Global::Queue(counts.queues.next())),
            ItemKind::Reading(item) => (&item.name, Global::Reading(counts.readings.next())),
            ItemKind::Event(item) => return names.events.declare(&item.name, counts.events.next()),
            ItemKind::Trigger(item) => {
                return names.triggers.declare(&item.name, counts.triggers.next());
            }
            ItemKind::Sequence(item) => {
                return names.sequences.declare(&item.name, counts.sequences.next());
            }
            ItemKind::Observer(item) => {
                return names.observers.declare(&item.name, counts.observers.next());
            }
            _ => return Ok(()),
        };
        names.globals.declare(name, global)
    }
}
