//! Names of entities and words for choices, as people see them.

use super::next::{Key, KeyType};
use super::state::{Data, Spot, ZoneKey};
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, Program, SortId, StmtKind, Value};
use serde::{Deserialize, Serialize};

/// The names of a board's entities, by `EntityId`. Created entities are numbered after them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Names {
    /// As written on the board, or `card 1`, `card 2`, … on enumerated ones.
    pub board: Vec<String>,
}

impl Names {
    /// Names for an enumerated board: the sort in lower case and a number; `player 1`.
    pub fn numbered(program: &Program, data: &Data) -> Self {
        let mut seen = vec![0_u32; program.sorts.len()];
        let called: Vec<String> = program.sorts.ids().map(|id| called(program, id)).collect();
        let board = data
            .entities
            .iter()
            .map(|entity| {
                let sort = entity.sort.index();
                seen[sort] += 1;
                format!("{} {}", called[sort], seen[sort])
            })
            .collect();
        Self { board }
    }

    /// The name of an entity.
    pub fn entity(&self, id: EntityId) -> String {
        self.board.get(id.index()).map_or_else(
            || format!("{} {}", self.created(), id.index() + 1 - self.board.len()),
            Clone::clone,
        )
    }

    /// What created entities are called, before a number: a word that no name of the board begins with,
    /// whether it is written with spaces or not.
    pub fn created(&self) -> &'static str {
        let is_taken = |word: &str| {
            let mut names = self.board.iter();
            names.any(|name| {
                let name = name.to_lowercase().replace('_', " ");
                let after = name.strip_prefix(word);
                after.is_some_and(|after| after.starts_with(' '))
            })
        };
        let words = ["created", "new", "newly created"];
        let free = words.into_iter().find(|word| !is_taken(word));
        free.unwrap_or("created in play")
    }

    /// A value in words.
    pub fn value(&self, program: &Program, value: Value, ty: KeyType) -> String {
        match (value, ty) {
            (Value::None, _) => "none".to_owned(),
            (Value::Bool(b), _) => b.to_string(),
            (Value::Int(n), _) => n.to_string(),
            (Value::Entity(id), _) => self.entity(id),
            (Value::Enum(n), KeyType::Enum(id)) => program.enums[id]
                .values
                .get(usize::from(n))
                .map_or_else(|| format!("value {n}"), Clone::clone),
            (Value::Enum(n), KeyType::Plain) => format!("value {n}"),
        }
    }

    /// A place in words: `health of wolf`, `round`.
    pub fn spot(&self, program: &Program, spot: Spot) -> String {
        match spot {
            Spot::Var(var) => program.vars[var].name.clone(),
            Spot::Field(entity, field) => {
                format!("{} of {}", program.fields[field].name, self.entity(entity))
            }
        }
    }

    /// A zone in words: `board of ann`, `dying`.
    pub fn zone(&self, program: &Program, (zone, of): ZoneKey) -> String {
        let name = &program.zones[zone].name;
        of.map_or_else(
            || name.clone(),
            |owner| format!("{name} of {}", self.entity(owner)),
        )
    }

    /// What an alternative chooses, in words; the label that `choose "…"` in examples names.
    pub fn key(&self, program: &Program, key: &Key) -> String {
        match key {
            Key::Element(value, ty) => self.value(program, *value, *ty),
            Key::Step(step) => program.steps[*step].name.clone(),
            Key::Instance(instance) => {
                let trigger = &program.triggers[instance.trigger].name;
                match instance.listener {
                    Value::None => self.payload(program, trigger, instance),
                    listener => {
                        let who = self.value(program, listener, KeyType::Plain);
                        self.payload(program, &format!("{trigger} of {who}"), instance)
                    }
                }
            }
            Key::Option(stmt, at) => match &program.stmts[*stmt].kind {
                StmtKind::ChooseOne { options, .. } => options
                    .get(*at)
                    .map_or_else(String::new, |option| option.0.clone()),
                _ => format!("option {}", at + 1),
            },
            Key::Taken(stmt, taken) => match &program.stmts[*stmt].kind {
                StmtKind::May {
                    label: Some(label), ..
                } if *taken => label.clone(),
                StmtKind::May {
                    label: Some(label), ..
                } => format!("not {label}"),
                _ if *taken => "yes".to_owned(),
                _ => "no".to_owned(),
            },
            Key::Case(_, at) => format!("case {}", at + 1),
            Key::Write(spot, value) => {
                let ty = self.spot_type(program, *spot);
                let value = self.value(program, *value, ty);
                format!("{} = {value}", self.spot(program, *spot))
            }
            Key::Destination(entity, zone, first) => {
                let end = if *first { "top of " } else { "" };
                format!(
                    "{} to {end}{}",
                    self.entity(*entity),
                    self.zone(program, *zone)
                )
            }
            Key::Insert(entity) => self.entity(*entity),
            Key::Announce(event, payload) => {
                let event = &program.events[*event];
                let told = payload.iter().zip(&event.params);
                let told: Vec<String> = told
                    .map(|(value, param)| self.value(program, *value, param.ty.into()))
                    .collect();
                match told.is_empty() {
                    true => event.name.clone(),
                    false => format!("{}({})", event.name, told.join(", ")),
                }
            }
            Key::Values(values) => values
                .iter()
                .map(|(spot, value)| self.key(program, &Key::Write(*spot, *value)))
                .collect::<Vec<_>>()
                .join(", "),
        }
    }

    fn payload(
        &self,
        program: &Program,
        trigger: &str,
        instance: &super::state::Instance,
    ) -> String {
        if instance.payload.is_empty() {
            return trigger.to_owned();
        }
        let event = program.triggers[instance.trigger].event;
        let values = instance
            .payload
            .iter()
            .zip(&program.events[event].params)
            .map(|(value, param)| self.value(program, *value, param.ty.into()))
            .collect::<Vec<_>>();
        format!("{trigger} ({})", values.join(", "))
    }

    fn spot_type(&self, program: &Program, spot: Spot) -> KeyType {
        match spot {
            Spot::Var(var) => program.vars[var].ty.into(),
            Spot::Field(_, field) => program.fields[field].ty.into(),
        }
    }
}

/// What entities of a sort are called on enumerated boards: in lower case, unless another sort is called so.
fn called(program: &Program, sort: SortId) -> String {
    let name = &program.sorts[sort].name;
    let lower = name.to_lowercase();
    let same = program.sorts.values().iter();
    let same = same.filter(|one| one.name.to_lowercase() == lower).count();
    match same {
        1 => lower,
        _ => name.clone(),
    }
}
