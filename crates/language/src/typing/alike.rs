//! Warnings about names that read alike where they are said in sentences.
//!
//! ```text
//! zone deck of Card per Player, role boss: Player      "deck of boss"
//! zone deck_of_boss of Card                            "deck of boss"
//! ```
//!
//! A sentence says `_` as a space, and begins with a capital.

use super::checker::Checker;
use super::program::{ReadingOrigin, SortId, Type};
use crate::diag::{Diagnostic, codes};
use crate::source::Span;
use std::collections::BTreeMap;

/// What reports say of nobody and nothing.
const SAID: [&str; 5] = ["nobody", "nothing", "none", "everyone", "everybody"];

/// What a sentence says, where it was declared, and how it is written.
type Said = (String, Span, String);

impl Checker<'_> {
    /// Warns about each name that reads as another does, or as a word of the sentences around it.
    pub(super) fn alike(&mut self) {
        if self.failed || self.outline.broken {
            return;
        }
        let mut first: BTreeMap<String, (Span, String)> = BTreeMap::new();
        let mut warnings = Vec::new();
        for (said, span, written) in self.all_said() {
            let warning = |message: String| {
                Diagnostic::warning(codes::warnings::READS_ALIKE, message).at(span, "called so")
            };
            if SAID.contains(&said.as_str()) {
                let message = format!("in a sentence `{written}` reads as a word, not as a name");
                warnings.push(warning(message).help("give it another name"));
            } else if let Some((other, known)) = first.get(&said) {
                if *known != written {
                    let message = format!("in a sentence `{known}` and `{written}` read alike");
                    let warning = warning(message).also(*other, "the other one");
                    warnings.push(warning.help("give one of them another name"));
                }
            } else {
                first.insert(said, (span, written));
            }
        }
        for warning in warnings {
            self.report(warning);
        }
    }

    /// What sentences call things.
    fn all_said(&self) -> Vec<Said> {
        let program = &self.program;
        let vars = program.vars.values().iter();
        let zones = program.zones.values().iter();
        let sequences = program.sequences.values().iter();
        let queues = program.queues.values().iter();
        let events = program.events.values().iter();
        let readings = program.readings.values().iter();
        let readings = readings.filter(|one| one.origin == ReadingOrigin::Declared);
        let observers = program.observers.values().iter();
        let names = (vars.map(|one| (&one.name, one.span)))
            .chain(zones.map(|one| (&one.name, one.span)))
            .chain(sequences.map(|one| (&one.name, one.span)))
            .chain(queues.map(|one| (&one.name, one.span)))
            .chain(events.map(|one| (&one.name, one.span)))
            .chain(readings.map(|one| (&one.name, one.span)))
            .chain(observers.map(|one| (&one.name, one.span)));
        let mut found: Vec<Said> = names
            .map(|(name, span)| (said(name), span, name.clone()))
            .collect();
        let boards = program.boards.values().iter();
        found.extend(boards.flat_map(|board| {
            let entities = board.entities.iter();
            let odd = entities.filter(|one| SAID.contains(&said(&one.name).as_str()));
            odd.map(|one| (said(&one.name), board.span, one.name.clone()))
        }));
        let families = program.zones.values().iter();
        let families = families.filter_map(|zone| Some((&zone.name, zone.per?)));
        let fields = program.fields.values().iter();
        let owned = families.chain(fields.map(|field| (&field.name, field.sort)));
        for (name, sort) in owned {
            for (var, span) in self.called(sort) {
                let both = format!("{} of {}", said(name), said(var));
                found.push((both, span, format!("{name} of {var}")));
            }
        }
        found
    }

    /// The variables that hold an entity of a sort.
    fn called(&self, sort: SortId) -> impl Iterator<Item = (&String, Span)> {
        let vars = self.program.vars.values().iter();
        let of_sort = vars.filter(
            move |var| matches!(var.ty, Type::Entity(of) | Type::Optional(of) if of == sort),
        );
        of_sort.map(|var| (&var.name, var.span))
    }
}

/// A name as sentences say it, wherever they do: at their beginning it has a capital.
fn said(name: &str) -> String {
    plain(name).to_lowercase()
}

/// A name of the specification as people write it: `turn_over` is "turn over".
pub fn plain(name: &str) -> String {
    // At an end it may be all that tells two names apart.
    let inner = name.trim_matches('_');
    match inner.is_empty() {
        true => name.to_owned(),
        false => name.replacen(inner, &inner.replace('_', " "), 1),
    }
}
