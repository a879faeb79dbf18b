//! Enumerations and sorts: their values, and how many entities there are.
//!
//! `entity Card, explore up to 3, headroom 1` has 0 to 3 cards on a board, and room for one more.

use super::checker::Checker;
use super::program::{Enum, EnumId, Sort, SortId};
use crate::diag::{Diagnostic, codes};
use crate::resolve::{Entry, Table};
use crate::syntax::ast::{EntityDecl, ItemKind, Name, SizeBound};

/// Most sorts.
const MOST_SORTS: usize = 4096;

impl Checker<'_> {
    /// Enumerations and sorts, without fields.
    pub(super) fn declare_types(&mut self) {
        let outline = self.outline;
        for entry in &outline.items {
            match entry.kind {
                ItemKind::Type(item) => {
                    self.enumeration(&item.name, &item.values);
                }
                ItemKind::Table(item) => self.declare_rows(item),
                _ => {}
            }
        }
        for entry in &outline.items {
            if let ItemKind::Entity(item) = entry.kind {
                self.declare_sort(item, entry);
            }
        }
    }

    /// A new enumeration with these values.
    pub(super) fn enumeration(&mut self, name: &Name, values: &[Name]) -> EnumId {
        if values.is_empty() || values.len() > usize::from(u16::MAX) {
            let message = format!(
                "found {} values of `{}`, expected 1 to 65535",
                values.len(),
                name.text
            );
            self.error(codes::forms::TOO_FEW, message, name.loc, "declared here");
        }
        self.values_of(name, values)
    }

    /// A new enumeration with these values, however many they are.
    pub(super) fn values_of(&mut self, name: &Name, values: &[Name]) -> EnumId {
        let id = self.program.enums.next_id();
        self.places_of_values(id, values);
        let mut own = Table::new("value");
        for (number, value) in values.iter().enumerate() {
            let position = u16::try_from(number).unwrap_or(u16::MAX);
            let declared = own.declare(value, ());
            self.found(declared);
            let all = self.names.values.entry(value.text.clone()).or_default();
            all.push((id, position));
        }
        self.program.enums.push(Enum {
            name: name.text.clone(),
            values: values.iter().map(|value| value.text.clone()).collect(),
        })
    }

    fn declare_sort(&mut self, item: &EntityDecl, entry: &Entry<'_>) {
        let id = self.program.sorts.next_id();
        if item.player {
            self.declare_players(id, &item.name);
        }
        let document = item
            .document
            .map(|(low, high)| self.sizes(&item.name, low, high));
        let explore = match (&item.explore, document) {
            (Some(bound), document) => self.explored_sizes(item, bound, document),
            (None, Some(document)) => document,
            (None, None) => {
                let message = format!("nothing says how many `{}` are explored", item.name.text);
                let error = Diagnostic::error(codes::forms::NO_BOUND, message)
                    .at(item.name.loc, "expected a number")
                    .help(format!("write `{}, explore up to 3`", item.name.text));
                self.report(error);
                (0, 0)
            }
        };
        let headroom = self.size(&item.name, item.headroom.unwrap_or(0));
        if item.player && headroom > 0 {
            let message = "found headroom for players, expected none".to_owned();
            self.error(
                codes::forms::PLAYERS_FIXED,
                message,
                item.name.loc,
                "these are the players",
            );
        }
        self.program.sorts.push(Sort {
            name: item.name.text.clone(),
            player: item.player,
            document,
            explore,
            headroom,
            fields: Vec::new(),
            span: entry.loc.span(),
        });
        self.few_enough((self.program.sorts.len(), MOST_SORTS), "sorts", &item.name);
    }

    fn declare_players(&mut self, id: SortId, name: &Name) {
        let Some(first) = self.players else {
            self.players = Some(id);
            return;
        };
        let message = format!(
            "`{}` is a second sort of players, expected one sort",
            name.text
        );
        let mut error =
            Diagnostic::error(codes::forms::TWO_PLAYERS, message).at(name.loc, "second");
        if let Some(sort) = self.program.sorts.get(first) {
            error = error.also(sort.span, "first");
        }
        self.report(error.help("declare it with `entity`"));
    }

    fn explored_sizes(
        &mut self,
        item: &EntityDecl,
        bound: &SizeBound,
        document: Option<(u32, u32)>,
    ) -> (u32, u32) {
        let low = match (bound.low, bound.up_to) {
            (Some(low), _) => low,
            (None, true) => i64::from(item.player),
            (None, false) => bound.high,
        };
        let explored = self.sizes(&item.name, low, bound.high);
        if let Some((least, most)) = document
            && (explored.1 < least || most < explored.0)
        {
            let (low, high) = explored;
            let message =
                format!("found {low} to {high} to explore, and the document has {least} to {most}");
            self.error(
                codes::forms::BAD_RANGE,
                message,
                item.name.loc,
                "there is no such board",
            );
        }
        explored
    }

    fn sizes(&mut self, name: &Name, low: i64, high: i64) -> (u32, u32) {
        if low > high {
            let message = format!("found {low} to {high}, expected the smaller number first");
            self.error(
                codes::forms::BAD_RANGE,
                message,
                name.loc,
                "how many there are",
            );
        }
        (self.size(name, low), self.size(name, high))
    }

    /// A number of entities.
    pub(super) fn size(&mut self, name: &Name, number: i64) -> u32 {
        const MOST: u32 = 10_000;
        match u32::try_from(number) {
            Ok(size) if size <= MOST => size,
            _ => {
                let message = format!("found {number}, expected a number from 0 to {MOST}");
                self.error(
                    codes::forms::BAD_RANGE,
                    message,
                    name.loc,
                    "how many there are",
                );
                0
            }
        }
    }
}
