//! What names mean, beside what [`checker`](super::checker) takes down where it looks a name up: declarations, and
//! names that are looked up in lists of their own.

use super::checker::{Checker, Global};
use super::program::{EnumId, FieldId, ReadingId, StepId};
use crate::resolve::NameKind;
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Loc, Name, SeqItemKind};

/// A declared name that nothing in the text reads.
fn alone(item: &ItemKind) -> Option<(&Name, NameKind)> {
    match item {
        ItemKind::Legal(item) => Some((&item.name, NameKind::Legal)),
        ItemKind::Claim(item) => Some((&item.name, NameKind::Claim)),
        ItemKind::Example(item) => Some((&item.name, NameKind::Example)),
        ItemKind::Trigger(item) => Some((&item.name, NameKind::Trigger)),
        _ => None,
    }
}

impl Checker<'_> {
    /// Takes down all declarations.
    pub(super) fn declarations(&mut self) {
        let outline = self.outline;
        for document in &outline.documents {
            self.declares(&document.name, NameKind::Document);
        }
        for entry in &outline.clauses {
            self.declares_at(entry.clause.id.loc, NameKind::Clause);
        }
        for entry in &outline.items {
            self.declares_item(entry.kind);
        }
    }

    fn declares(&mut self, name: &Name, kind: NameKind) {
        self.declares_at(name.loc, kind);
    }

    fn declares_at(&mut self, loc: Loc, kind: NameKind) {
        self.uses.add(loc.span(), loc.span(), kind);
    }

    fn declares_item(&mut self, item: &ItemKind) {
        if let Some((name, kind)) = alone(item) {
            self.declares(name, kind);
            return;
        }
        match item {
            ItemKind::Type(item) => self.declares(&item.name, NameKind::Type),
            ItemKind::Table(item) => {
                self.declares(&item.name, NameKind::Type);
                for column in &item.columns {
                    self.declares(&column.name, NameKind::Column);
                }
            }
            ItemKind::Entity(item) => {
                self.declares(&item.name, NameKind::Sort);
                for field in &item.fields {
                    self.declares(&field.name, NameKind::Field);
                }
            }
            ItemKind::Var(item) => self.declares(&item.name, NameKind::Variable),
            ItemKind::Role(item) => self.declares(&item.name, NameKind::Variable),
            ItemKind::Zone(item) => self.declares(&item.name, NameKind::Zone),
            ItemKind::Define(item) => self.declares(&item.name, NameKind::Definition),
            ItemKind::Queue(item) => self.declares(&item.name, NameKind::Queue),
            ItemKind::Reading(item) => {
                self.declares(&item.name, NameKind::Reading);
                for one in &item.alternatives {
                    self.declares(&one.name, NameKind::Alternative);
                }
            }
            ItemKind::Event(item) => self.declares(&item.name, NameKind::Event),
            ItemKind::Sequence(item) => {
                self.declares(&item.name, NameKind::Sequence);
                self.declares_steps(&item.items);
            }
            ItemKind::Observer(item) => self.declares(&item.name, NameKind::Observer),
            ItemKind::Experiment(item) => self.declares(&item.name, NameKind::Sequence),
            ItemKind::Board(item) => self.declares(&item.name, NameKind::Board),
            _ => {}
        }
    }

    fn declares_steps(&mut self, items: &[ast::SeqItem]) {
        for item in items {
            match &item.kind {
                SeqItemKind::Step(step) => self.declares(&step.name, NameKind::Step),
                SeqItemKind::Clause(_, inner, _) => self.declares_steps(inner),
                _ => {}
            }
        }
    }

    /// A name that is a value of a type.
    pub(super) fn means_value(&mut self, name: &Name, of: EnumId, value: u16) {
        if let Some(&declared) = self.value_places.get(&(of, value)) {
            self.uses.add(name.loc.span(), declared, NameKind::Value);
        }
    }

    /// A name that is a field.
    pub(super) fn means_field(&mut self, name: &Name, field: FieldId) {
        if let Some(field) = self.program.fields.get(field) {
            self.uses.add(name.loc.span(), field.span, NameKind::Field);
        }
    }

    /// A name that is an alternative of a reading.
    pub(super) fn means_alternative(&mut self, name: &Name, reading: ReadingId, at: usize) {
        let places = self.alternative_places.get(&reading);
        if let Some(&declared) = places.and_then(|places| places.get(at)) {
            let at = name.loc.span();
            self.uses.add(at, declared, NameKind::Alternative);
        }
    }

    /// What an `accept` names: a clause, or else a claim, reading, gap, sequence or the like, or a step of a sequence.
    pub(super) fn means_subject(&mut self, subject: &ast::ClauseId) {
        if self.clause_quietly(subject).is_some() {
            return;
        }
        let whole = subject.loc.span();
        let (first, rest) = match subject.text.split_once('.') {
            Some((first, rest)) => (first, Some(rest)),
            None => (subject.text.as_str(), None),
        };
        let length = u32::try_from(first.len()).unwrap_or(u32::MAX);
        let end = whole.start.saturating_add(length).min(whole.end);
        let own = Span::new(whole.source, whole.start, end);
        let names = &self.names;
        let found = [
            (names.sequences.place(first), NameKind::Sequence),
            (names.gaps.place(first), NameKind::Gap),
        ];
        let found = found
            .into_iter()
            .find_map(|(place, kind)| Some((place?, kind)));
        let declared = found.or_else(|| {
            let global = names.globals.get(first)?;
            Some((names.globals.place(first)?, global.name_kind()))
        });
        let declared = declared.or_else(|| {
            let mut items = self.outline.items.iter().filter_map(|one| alone(one.kind));
            let (name, kind) = items.find(|(name, _)| name.text == first)?;
            Some((name.loc.span(), kind))
        });
        let sequence = names.sequences.get(first);
        let steps = sequence.and_then(|sequence| names.steps.get(&sequence));
        let step = rest.and_then(|step| steps?.place(step));
        if let Some((place, kind)) = declared {
            self.uses.add(own, place, kind);
        }
        if let Some(step) = step {
            let at = Span::new(whole.source, end.saturating_add(1), whole.end);
            self.uses.add(at, step, NameKind::Step);
        }
    }

    /// A name that is bound here, or an entity of the board.
    pub(super) fn means_bound(&mut self, name: &Name) {
        let at = name.loc.span();
        // A name that is made up stands at a place where another one is written.
        if at.len() as usize != name.text.len() {
            return;
        }
        if let Some(local) = self.frame.local(&name.text) {
            self.uses.add(at, local.span, NameKind::Local);
        } else if let Some(&(_, _, declared)) = self.frame.entities.get(&name.text) {
            self.uses.add(at, declared, NameKind::Entity);
        }
    }

    /// A name that is a step, which may be looked at later.
    pub(super) fn means_step(&mut self, name: &Name, step: StepId) {
        self.step_uses.push((name.loc.span(), step));
    }

    /// The names that are steps, once all steps are known.
    pub(super) fn steps_that_are_meant(&mut self) {
        for (at, step) in std::mem::take(&mut self.step_uses) {
            if let Some(step) = self.program.steps.get(step) {
                self.uses.add(at, step.span, NameKind::Step);
            }
        }
    }

    /// Where the values of a type are declared.
    pub(super) fn places_of_values(&mut self, of: EnumId, values: &[Name]) {
        for (number, value) in (0..).zip(values) {
            let place = value.loc.span();
            self.uses.add(place, place, NameKind::Value);
            self.value_places.entry((of, number)).or_insert(place);
        }
    }

    /// Where the entities of a board are declared, for what speaks of the board.
    pub(super) fn places_of_entities(&mut self, board: &str) {
        let entities = self.frame.entities.iter();
        let places = entities.map(|(name, (_, _, place))| (name.clone(), *place));
        let places = places.collect();
        self.entity_places.insert(board.to_owned(), places);
    }

    /// Names that could stand where one is wanted, of one kind.
    pub(super) fn offer<'n>(
        &mut self,
        at: &Name,
        kind: NameKind,
        names: impl Iterator<Item = &'n str>,
    ) {
        if self.uses.is_probe(&at.text) {
            self.uses.offer(Some(kind), names);
        }
    }

    /// All names with which something begins that can be written.
    pub(super) fn offer_places(&mut self, at: &Name) {
        if self.uses.is_probe(&at.text) {
            let locals = self.frame.local_names();
            self.uses.offer(Some(NameKind::Local), locals);
        }
    }

    /// All names that could stand where a value is wanted: those of the wanted type first.
    pub(super) fn offer_values(&mut self, at: &Name, wanted: Option<EnumId>) {
        if !self.uses.is_probe(&at.text) {
            return;
        }
        let uses = &mut self.uses;
        if let Some(of) = wanted.and_then(|of| self.program.enums.get(of)) {
            let values = of.values.iter().map(String::as_str);
            uses.offer(Some(NameKind::Value), values);
        }
        uses.offer(Some(NameKind::Local), self.frame.local_names());
        let entities = self.frame.entities.keys().map(String::as_str);
        uses.offer(Some(NameKind::Entity), entities);
        let globals = &self.names.globals;
        for (kind, wanted) in [
            (NameKind::Variable, is_variable as fn(Global) -> bool),
            (NameKind::Definition, is_definition),
            (NameKind::Zone, is_zone),
            (NameKind::Queue, is_queue),
            (NameKind::Reading, is_reading),
        ] {
            let names = globals.names();
            let fits = names.filter(|name| globals.get(name).is_some_and(wanted));
            uses.offer(Some(kind), fits);
        }
        if wanted.is_none() {
            let values = self.names.values.keys().map(String::as_str);
            uses.offer(Some(NameKind::Value), values);
        }
    }

    /// The place of an entity of a board with a name.
    pub(super) fn entity_place(&self, board: &str, entity: &str) -> Option<Span> {
        self.entity_places.get(board)?.get(entity).copied()
    }
}

fn is_variable(global: Global) -> bool {
    matches!(global, Global::Var(_))
}

fn is_definition(global: Global) -> bool {
    matches!(global, Global::Define(_))
}

fn is_zone(global: Global) -> bool {
    matches!(global, Global::Zone(_))
}

fn is_queue(global: Global) -> bool {
    matches!(global, Global::Queue(_))
}

fn is_reading(global: Global) -> bool {
    matches!(global, Global::Reading(_))
}
