//! A board as what lies where: zones with the entities in them, and what is to be said of each.
//!
//! ```text
//! board of ann     [wolf  health 1] [owl  health 0]
//! void of ann      nothing
//! ```
//!
//! Of each entity are shown the fields that tell something: those that not all boards start with alike,
//! and those that a run changes. A board after a run says what is another than on the board before it.

use super::board::always;
use super::outcome::end_data;
use super::spoken::phrase::{fact_words, trait_words};
use super::words::plain;
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, FieldId, Program, SortId, Value, VarId};
use endstep_semantics::semantics::{Data, Names, ZoneKey};
use endstep_semantics::witness::Run;
use std::collections::BTreeSet;

/// What lies where.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Scene {
    /// The zones, then what lies in none.
    pub spreads: Vec<Spread>,
    /// The variables: names and values.
    pub vars: Vec<Fact>,
}

/// Where entities lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Where {
    /// In a zone.
    Zone(ZoneKey),
    /// Those of a sort that lie in none.
    Nowhere(SortId),
}

/// What lies in a zone, or what lies nowhere and is of one sort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spread {
    /// Where.
    pub at: Where,
    /// What it is called.
    pub name: String,
    /// Whether it tells that one lies before the other.
    pub is_ordered: bool,
    /// What lies there.
    pub cards: Vec<Card>,
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Card {
    /// Which.
    pub id: EntityId,
    /// What it is called.
    pub name: String,
    /// What is to be said of it.
    pub facts: Vec<Fact>,
    /// Whether it was not here before the run.
    pub came: bool,
}

/// A field or variable and its value; the same ones in the same order wherever scenes are made together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact {
    /// What it is called.
    pub name: String,
    /// The value.
    pub value: String,
    /// Whether it was another before the run.
    pub changed: bool,
}

/// The board from which the first of some runs starts.
pub(super) fn before(program: &Program, runs: &[&Run]) -> Scene {
    let told = Relevant::of_runs(program, runs);
    match runs.first() {
        Some(run) => told.scene(&run.names, &run.board, None),
        None => Scene::default(),
    }
}

/// The board on which one of some runs ends or is left.
pub(super) fn after(program: &Program, runs: &[&Run], run: &Run) -> Option<Scene> {
    let end = end_data(run)?;
    Some(Relevant::of_runs(program, runs).scene(&run.names, end, Some(&run.board)))
}

/// What of some boards is worth telling.
pub(super) struct Relevant<'a> {
    program: &'a Program,
    fields: BTreeSet<FieldId>,
    zones: BTreeSet<ZoneKey>,
    vars: BTreeSet<VarId>,
}

impl Fact {
    /// What is said of an entity.
    pub fn of_card(&self) -> String {
        self.text(" ", trait_words)
    }

    /// What is said of the board.
    pub fn of_board(&self) -> String {
        self.text(" = ", fact_words)
    }

    fn text(&self, between: &str, is_so: fn(&str, bool) -> String) -> String {
        match self.value.as_str() {
            "true" => is_so(&self.name, true),
            "false" => is_so(&self.name, false),
            "none" => format!("{}: none", self.name),
            value => format!("{}{between}{value}", self.name),
        }
    }
}

impl<'a> Relevant<'a> {
    fn of_runs(program: &'a Program, runs: &[&Run]) -> Self {
        let mut boards: Vec<&Data> = runs.iter().map(|run| &run.board).collect();
        let ends = runs.iter().filter_map(|run| end_data(run));
        boards.extend(ends);
        Self::of(program, &boards)
    }

    /// What some boards are worth telling.
    pub(super) fn of(program: &'a Program, boards: &[&Data]) -> Self {
        let values = |field: FieldId| {
            let sort = program.fields[field].sort;
            let members = boards
                .iter()
                .flat_map(move |data| data.members(sort).map(move |id| (data, id)));
            let values: BTreeSet<Value> = members
                .filter_map(|(data, id)| value(data, id, program.fields[field].index))
                .collect();
            values
        };
        let tells = |&field: &FieldId| {
            let values = values(field);
            let at_start = program.fields[field].starts;
            let is_plain = |one: Option<Value>| one.is_some_and(|one| values.iter().eq([&one]));
            let many = program.sorts[program.fields[field].sort].fields.len() > MANY_FIELDS;
            !(values.is_empty()
                || is_plain(at_start)
                || many && is_plain(Some(program.fields[field].default)))
        };
        let zones = boards.iter().flat_map(|data| &data.zones);
        let zones = zones.filter(|(_, contents)| !contents.is_empty());
        let moved = |&var: &VarId| {
            let starts = program.vars[var].starts;
            let mut boards = boards.iter();
            boards.any(|data| starts.is_none() || data.vars.get(var.index()).copied() != starts)
        };
        Self {
            program,
            fields: program.fields.ids().filter(tells).collect(),
            zones: zones.map(|(key, _)| *key).collect(),
            vars: program.vars.ids().filter(moved).collect(),
        }
    }

    /// A board, with what is something else on it than on the one before.
    pub(super) fn scene(&self, names: &Names, data: &Data, before: Option<&Data>) -> Scene {
        let program = self.program;
        let spread = |key: &ZoneKey| {
            let contents = data.zones.get(key).map_or(&[][..], Vec::as_slice);
            let was = before.map(|before| before.zones.get(key).map_or(&[][..], Vec::as_slice));
            let came = |id: &EntityId| was.is_some_and(|was| !was.contains(id));
            let cards = contents.iter();
            Spread {
                at: Where::Zone(*key),
                name: plain(&names.zone(program, *key)),
                is_ordered: contents.len() > 1 && !program.zones[key.0].unordered,
                cards: cards
                    .map(|id| self.card(names, data, (before, *id), came(id)))
                    .collect(),
            }
        };
        let mut spreads: Vec<Spread> = self.zones.iter().map(spread).collect();
        let sorts = program.sorts.ids();
        spreads.extend(sorts.filter_map(|sort| self.outside(names, data, before, sort)));
        let vars = self.vars.iter().filter_map(|&id| {
            let var = &program.vars[id];
            let value = *data.vars.get(id.index())?;
            let was = before.and_then(|before| before.vars.get(id.index()));
            Some(Fact {
                name: plain(&var.name),
                value: plain(&names.value(program, value, var.ty.into())),
                changed: was.is_some_and(|was| *was != value),
            })
        });
        Scene {
            spreads,
            vars: vars.collect(),
        }
    }

    /// The entities of a sort that lie nowhere; nothing if there is nothing to be said of them.
    fn outside(
        &self,
        names: &Names,
        data: &Data,
        before: Option<&Data>,
        sort: SortId,
    ) -> Option<Spread> {
        let members = data.members(sort).filter(|&id| data.place_of(id).is_none());
        let came = |id: EntityId| {
            let was = |before: &Data| {
                before.members(sort).any(|one| one == id) && before.place_of(id).is_none()
            };
            before.is_some_and(|before| !was(before))
        };
        let cards: Vec<Card> = members
            .map(|id| self.card(names, data, (before, id), came(id)))
            .collect();
        let is_known = always(self.program, sort) == Some(cards.len() as u32);
        let says_nothing = cards.iter().all(|card| card.facts.is_empty() && !card.came);
        let in_zones = self
            .program
            .zones
            .values()
            .iter()
            .any(|zone| zone.sort == sort);
        let name = &self.program.sorts[sort].name;
        if cards.is_empty() || is_known && says_nothing {
            return None;
        }
        Some(Spread {
            at: Where::Nowhere(sort),
            name: match in_zones {
                true => format!("{name} in no zone"),
                false => name.clone(),
            },
            is_ordered: false,
            cards,
        })
    }

    fn card(
        &self,
        names: &Names,
        data: &Data,
        (before, id): (Option<&Data>, EntityId),
        came: bool,
    ) -> Card {
        let program = self.program;
        let entity = data.entities.get(id.index());
        let fields = entity.map_or(&[][..], |entity| &program.sorts[entity.sort].fields);
        let facts = fields.iter().filter(|id| self.fields.contains(id));
        let facts = facts.filter_map(|&field| {
            let field = &program.fields[field];
            let now = value(data, id, field.index)?;
            let was = before.and_then(|before| value(before, id, field.index));
            Some(Fact {
                name: plain(&field.name),
                value: plain(&names.value(program, now, field.ty.into())),
                changed: was.is_some_and(|was| was != now),
            })
        });
        Card {
            id,
            name: names.entity(id),
            facts: facts.collect(),
            came,
        }
    }
}

/// Of a sort with more fields than these, those that are at their default everywhere are left out.
const MANY_FIELDS: usize = 6;

fn value(data: &Data, id: EntityId, field: u32) -> Option<Value> {
    let entity = data.entities.get(id.index())?;
    entity.fields.get(field as usize).copied()
}
