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
//! Fields and variables that have one value on all boards can be left out. Zones that hold nothing are
//! not shown, except where all of a sort are empty. Where a table
//! would be wider than the page, the fields that are at their default on all of a sort become a
//! line below it; what is still too wide becomes several tables.

use super::layout::{hang, table, table_width};
use super::words::plain;
use crate::index::Id;
use crate::semantics::{Data, Names, ZoneKey};
use crate::typing::program::{EntityId, FieldId, Program, SortId, Value};
use serde_json::{Value as Json, json};

/// Which fields and variables are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// All.
    All,
    /// Without those that start with one value on all boards, and have it.
    Telling,
}

/// The board as text, each line with the indent and, where it can be, no wider than `width`.
pub(super) fn text(
    program: &Program,
    names: &Names,
    (data, shown): (&Data, Shown),
    indent: usize,
    width: usize,
) -> String {
    let mut out = String::new();
    for (sort, _) in program.sorts.iter() {
        let fields = fields(program, (data, shown), sort);
        let rows = rows(program, names, data, (sort, &fields));
        let room = width.saturating_sub(indent);
        if table_width(&rows) <= room {
            out.push_str(&table(&rows, indent));
            continue;
        }
        let default = at_default(program, data, (sort, &fields));
        let (kept, folded) = fold(&rows, &default);
        for part in parts(&kept, room) {
            out.push_str(&table(&part, indent));
        }
        if !folded.is_empty() {
            let name = &program.sorts[sort].name;
            let note = format!("not shown, since every {name} has its default there: {folded}");
            out.push_str(&hang(&note, width, indent, indent + 2));
        }
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
        if shown == Shown::Telling && var.starts == Some(*value) {
            continue;
        }
        let value = plain(&names.value(program, *value, var.ty.into()));
        out.push_str(&format!("{pad}{} = {value}\n", plain(&var.name)));
    }
    if out.is_empty() {
        out = format!("{pad}nothing lies on it\n");
    }
    out
}

/// A heading, and a row for each entity of a sort: its name, its fields, its zone.
fn rows(
    program: &Program,
    names: &Names,
    data: &Data,
    (sort, fields): (SortId, &[FieldId]),
) -> Vec<Vec<String>> {
    let declared = &program.sorts[sort];
    let mut members = data.members(sort).peekable();
    if members.peek().is_none() {
        return Vec::new();
    }
    let in_zones = program.zones.values().iter().any(|zone| zone.sort == sort);
    let mut heading = vec![declared.name.clone()];
    heading.extend(
        fields
            .iter()
            .map(|&field| plain(&program.fields[field].name)),
    );
    if in_zones {
        heading.push("in".to_owned());
    }
    let mut rows = vec![heading];
    for id in members {
        let mut row = vec![names.entity(id)];
        row.extend(
            values(program, names, data, (id, fields))
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

/// The fields of a sort that are shown.
fn fields(program: &Program, (data, shown): (&Data, Shown), sort: SortId) -> Vec<FieldId> {
    let tells = |field: &FieldId| {
        let starts = program.fields[*field].starts;
        !starts.is_some_and(|value| all_have(program, data, (sort, *field), value))
    };
    let fields = program.sorts[sort].fields.iter().copied();
    fields
        .filter(|field| shown == Shown::All || tells(field))
        .collect()
}

/// Whether a field has one value on all entities of a sort.
fn all_have(
    program: &Program,
    data: &Data,
    (sort, field): (SortId, FieldId),
    value: Value,
) -> bool {
    let at = program.fields[field].index as usize;
    let of = |id: EntityId| {
        let entity = data.entities.get(id.index());
        entity.and_then(|entity| entity.fields.get(at).copied())
    };
    data.members(sort).all(|id| of(id) == Some(value))
}

/// Which fields have their default on all entities of a sort.
fn at_default(program: &Program, data: &Data, (sort, fields): (SortId, &[FieldId])) -> Vec<bool> {
    let is_default =
        |&field: &FieldId| all_have(program, data, (sort, field), program.fields[field].default);
    fields.iter().map(is_default).collect()
}

/// The rows without the fields that are at their default, and those in words.
fn fold(rows: &[Vec<String>], default: &[bool]) -> (Vec<Vec<String>>, String) {
    // The first column is the name.
    let is_folded = |column: usize| {
        let field = column.checked_sub(1);
        field.is_some_and(|field| default.get(field) == Some(&true))
    };
    let keep = |row: &Vec<String>| {
        let cells = row
            .iter()
            .enumerate()
            .filter(|(column, _)| !is_folded(*column));
        cells.map(|(_, cell)| cell.clone()).collect()
    };
    let mut folded = Vec::new();
    if let [heading, first, ..] = rows {
        let cells = heading.iter().zip(first).enumerate();
        let cells = cells.filter(|(column, _)| is_folded(*column));
        folded.extend(cells.map(|(_, (name, value))| format!("{name} = {value}")));
    }
    (rows.iter().map(keep).collect(), folded.join(", "))
}

/// A table that is too wide, as several that have the column of names and some others each.
fn parts(rows: &[Vec<String>], room: usize) -> Vec<Vec<Vec<String>>> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut found: Vec<Vec<Vec<String>>> = Vec::new();
    for column in 1..columns {
        let with = |part: &[Vec<String>]| -> Vec<Vec<String>> {
            let longer = part.iter().zip(rows).map(|(cells, row)| {
                let mut cells = cells.clone();
                cells.push(row[column].clone());
                cells
            });
            longer.collect()
        };
        let longer = found.last().map(|part| with(part));
        match longer.filter(|part| table_width(part) <= room) {
            Some(longer) => {
                found.pop();
                found.push(longer);
            }
            None => {
                let names: Vec<Vec<String>> = rows.iter().map(|row| row[..1].to_vec()).collect();
                found.push(with(&names));
            }
        }
    }
    match found.is_empty() {
        true => vec![rows.to_vec()],
        false => found,
    }
}

/// The fields of an entity with their values in words.
fn values<'p>(
    program: &'p Program,
    names: &Names,
    data: &Data,
    (id, fields): (EntityId, &[FieldId]),
) -> Vec<(&'p str, String)> {
    let Some(entity) = data.entities.get(id.index()) else {
        return Vec::new();
    };
    let shown = fields.iter().filter_map(|&field| {
        let field = &program.fields[field];
        let value = *entity.fields.get(field.index as usize)?;
        let value = names.value(program, value, field.ty.into());
        Some((field.name.as_str(), plain(&value)))
    });
    shown.collect()
}

/// The board as JSON: entities with fields, zones with contents, variables.
pub(super) fn json(program: &Program, names: &Names, data: &Data) -> Json {
    let entity = |(index, entity): (usize, &crate::semantics::Entity)| {
        let id = EntityId::from_index(index);
        let fields = &program.sorts[entity.sort].fields;
        let fields = values(program, names, data, (id, fields));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|&cell| cell.to_owned()).collect()
    }

    #[test]
    fn fields_at_their_default_are_told_below() {
        let rows = [
            row(&["Card", "health", "gone", "in"]),
            row(&["card 1", "0", "false", "board"]),
        ];
        let (kept, folded) = fold(&rows, &[false, true]);
        assert_eq!(kept[0], row(&["Card", "health", "in"]));
        assert_eq!(kept[1], row(&["card 1", "0", "board"]));
        assert_eq!(folded, "gone = false");
    }

    #[test]
    fn a_wide_table_is_cut_between_columns() {
        let rows = [row(&["Card", "a", "b", "c"]), row(&["x", "1", "2", "3"])];
        let parts = parts(&rows, 10);
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0][0], row(&["Card", "a", "b"]));
        assert_eq!(parts[1][1], row(&["x", "3"]));
        let narrow = super::parts(&rows, 1);
        assert_eq!(narrow.len(), 3, "each column has a table of its own");
    }
}
