//! A board as a small table: zones with what lies in them, fields, variables.
//!
//! ```text
//! player     god health
//! player 1   1
//!
//! creature      health  afterlife  where
//! creature 1    0       come back  board of player 1, 1st
//! active = player 1
//! ```
//!
//! Zones that hold nothing are not shown, except where all of a sort are empty.

use super::layout::table;
use super::words::plain;
use crate::index::Id;
use crate::semantics::{Data, Names, ZoneKey};
use crate::typing::program::{EntityId, Program, SortId};
use serde_json::{Value as Json, json};

/// The board as text, each line with the indent.
pub(super) fn text(program: &Program, names: &Names, data: &Data, indent: usize) -> String {
    let mut out = String::new();
    for (sort, _) in program.sorts.iter() {
        out.push_str(&table(&rows(program, names, data, sort), indent));
    }
    let pad = " ".repeat(indent);
    let ordered = data.zones.iter().filter(|(_, contents)| contents.len() > 1);
    for (key, contents) in ordered.filter(|(key, _)| !program.zones[key.0].unordered) {
        let zone = plain(&names.zone(program, *key));
        let contents: Vec<String> = contents.iter().map(|&id| names.entity(id)).collect();
        out.push_str(&format!(
            "{pad}{zone}, first to last: {}\n",
            contents.join(", ")
        ));
    }
    for (id, var) in program.vars.iter() {
        let Some(value) = data.vars.get(id.index()) else {
            continue;
        };
        let value = plain(&names.value(program, *value, var.ty.into()));
        out.push_str(&format!("{pad}{} = {value}\n", plain(&var.name)));
    }
    if out.is_empty() {
        out = format!("{pad}nothing lies on it\n");
    }
    out
}

/// A heading, and a row for each entity of a sort: its name, its fields, its zone.
fn rows(program: &Program, names: &Names, data: &Data, sort: SortId) -> Vec<Vec<String>> {
    let declared = &program.sorts[sort];
    let mut members = data.members(sort).peekable();
    if members.peek().is_none() {
        return Vec::new();
    }
    let in_zones = program.zones.values().iter().any(|zone| zone.sort == sort);
    let mut heading = vec![declared.name.clone()];
    let fields = declared.fields.iter().map(|&field| &program.fields[field]);
    heading.extend(fields.map(|field| plain(&field.name)));
    if in_zones {
        heading.push("in".to_owned());
    }
    let mut rows = vec![heading];
    for id in members {
        let mut row = vec![names.entity(id)];
        row.extend(
            values(program, names, data, id)
                .into_iter()
                .map(|(_, value)| value),
        );
        if in_zones {
            let place = data.place_of(id);
            row.push(place.map_or_else(
                || "nowhere".to_owned(),
                |(key, _)| zone(program, names, key),
            ));
        }
        rows.push(row);
    }
    if rows[0].len() == 1 {
        // Nothing to say about them but that they are there.
        let all: Vec<String> = rows.drain(1..).flatten().collect();
        rows[0][0] = format!("{}: {}", declared.name, all.join(", "));
    }
    rows
}

fn zone(program: &Program, names: &Names, key: ZoneKey) -> String {
    plain(&names.zone(program, key))
}

/// The fields of an entity with their values in words.
fn values<'p>(
    program: &'p Program,
    names: &Names,
    data: &Data,
    id: EntityId,
) -> Vec<(&'p str, String)> {
    let Some(entity) = data.entities.get(id.index()) else {
        return Vec::new();
    };
    let fields = program.sorts[entity.sort].fields.iter();
    let fields = fields
        .map(|&field| &program.fields[field])
        .zip(&entity.fields);
    let shown = fields.map(|(field, value)| {
        let value = names.value(program, *value, field.ty.into());
        (field.name.as_str(), plain(&value))
    });
    shown.collect()
}

/// The board as JSON: entities with fields, zones with contents, variables.
pub(super) fn json(program: &Program, names: &Names, data: &Data) -> Json {
    let entity = |(index, entity): (usize, &crate::semantics::Entity)| {
        let id = EntityId::from_index(index);
        let fields = values(program, names, data, id);
        let fields: serde_json::Map<String, Json> = fields
            .into_iter()
            .map(|(name, value)| (name.to_owned(), Json::String(value)))
            .collect();
        json!({
            "name": names.entity(id),
            "sort": program.sorts[entity.sort].name,
            "removed": entity.removed,
            "fields": fields,
        })
    };
    let entities: Vec<Json> = data.entities.iter().enumerate().map(entity).collect();
    let zones: serde_json::Map<String, Json> = data
        .zones
        .iter()
        .map(|(key, contents)| {
            let contents: Vec<String> = contents.iter().map(|&id| names.entity(id)).collect();
            (names.zone(program, *key), json!(contents))
        })
        .collect();
    let vars: serde_json::Map<String, Json> = program
        .vars
        .iter()
        .zip(&data.vars)
        .map(|((_, var), value)| {
            let value = names.value(program, *value, var.ty.into());
            (var.name.clone(), Json::String(value))
        })
        .collect();
    json!({ "entities": entities, "zones": zones, "variables": vars })
}
