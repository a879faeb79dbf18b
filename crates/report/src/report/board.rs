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
//! Zones that hold nothing are not shown, except where all of a sort are empty. Where a table
//! would be wider than the page, the fields that are at their default on all of a sort become a
//! line below it; what is still too wide becomes several tables.

use super::follows;
use super::layout::{hang, table, table_width};
use super::words::plain;
use endstep_language::index::Id;
use endstep_language::typing::program::{
    EntityId, Field, FieldId, Program, QueueId, SortId, Value, Var, VarId,
};
use endstep_semantics::semantics::{Data, Instance, Key, Names, Spot, ZoneKey};
use endstep_semantics::witness::Difference;
use serde_json::{Map, Value as Json, json};

/// What is said of a board without anything on it.
pub(super) const NOTHING: &str = "nothing lies on it";

/// A board in words, before it is laid out.
pub(super) struct Shown {
    /// The sorts of which there are any.
    pub sorts: Vec<Members>,
    /// What lies in ordered zones with more than one entity: `board, first to last: wolf, owl`; and the continuous values
    /// that consult no reading: `power: wolf 2, owl 1`.
    pub notes: Vec<String>,
    /// The variables: `active = ann`.
    pub vars: Vec<String>,
    /// For each of them whether it has the value with which all boards start.
    pub as_at_start: Vec<bool>,
}

/// The heading over the zones in which entities lie.
pub(super) const IN: &str = "in";

/// Where an entity lies that is in no zone.
pub(super) const NOWHERE: &str = "nowhere";

/// The entities of a sort.
pub(super) struct Members {
    /// The name of the sort.
    pub sort: String,
    /// A heading, and a row for each entity: its name, its fields, its zone.
    pub rows: Vec<Vec<String>>,
    /// For each field whether all entities have its default.
    pub at_default: Vec<bool>,
    /// For each field whether all boards start alike there, and this one does.
    pub as_at_start: Vec<bool>,
    /// Whether all boards have as many, and this one does.
    pub as_many: bool,
}

/// The board in words.
pub(super) fn shown(program: &Program, names: &Names, data: &Data) -> Shown {
    let members = |sort: SortId| {
        let rows = rows(program, names, data, sort);
        (!rows.is_empty()).then(|| Members {
            sort: program.sorts[sort].name.clone(),
            rows,
            at_default: all_have(program, data, sort, |field| Some(field.default)),
            as_at_start: all_have(program, data, sort, |field| field.starts),
            as_many: always(program, sort) == Some(data.members(sort).count() as u32),
        })
    };
    let ordered = data.zones.iter().filter(|(_, contents)| contents.len() > 1);
    let ordered = ordered.filter(|(key, _)| !program.zones[key.0].unordered);
    let order = |(key, contents): (&ZoneKey, &Vec<EntityId>)| {
        let contents: Vec<String> = contents.iter().map(|&id| names.entity(id)).collect();
        let zone = zone(program, names, *key);
        format!("{zone}, first to last: {}", contents.join(", "))
    };
    let vars = program.vars.values().iter().zip(&data.vars);
    let var = |(var, value): (&Var, &Value)| {
        let value = plain(&names.value(program, *value, var.ty.into()));
        format!("{} = {value}", plain(&var.name))
    };
    Shown {
        sorts: program.sorts.ids().filter_map(members).collect(),
        notes: ordered
            .map(order)
            .chain(follows::at(program, names, data))
            .collect(),
        vars: vars.clone().map(var).collect(),
        as_at_start: vars
            .map(|(var, value)| var.starts == Some(*value))
            .collect(),
    }
}

/// The board as text, each line with the indent and, where it can be, no wider than `width`.
pub(super) fn text(
    program: &Program,
    names: &Names,
    data: &Data,
    indent: usize,
    width: usize,
) -> String {
    shown(program, names, data).text(indent, width)
}

impl Shown {
    /// Without the fields and variables that all boards start with alike, and this one has so.
    pub(super) fn telling(&self) -> Self {
        let sorts = self.sorts.iter().map(|members| {
            let (mut rows, _) = members.without(&members.as_at_start);
            only_names(&mut rows);
            let told = members.as_at_start.iter().zip(&members.at_default);
            let at_default = told.filter(|(constant, _)| !**constant);
            let at_default: Vec<bool> = at_default.map(|(_, default)| *default).collect();
            Members {
                sort: members.sort.clone(),
                rows,
                as_at_start: vec![false; at_default.len()],
                at_default,
                as_many: members.as_many,
            }
        });
        let vars = self.vars.iter().zip(&self.as_at_start);
        let vars: Vec<String> = vars
            .filter(|(_, constant)| !**constant)
            .map(|(var, _)| var.clone())
            .collect();
        Self {
            sorts: sorts.collect(),
            notes: self.notes.clone(),
            as_at_start: vec![false; vars.len()],
            vars,
        }
    }

    /// As text, each line with the indent and, where it can be, no wider than `width`.
    pub(super) fn text(&self, indent: usize, width: usize) -> String {
        let mut out = String::new();
        let room = width.saturating_sub(indent);
        for members in &self.sorts {
            if table_width(&members.rows) <= room {
                out.push_str(&table(&members.rows, indent));
                continue;
            }
            let (kept, folded) = members.without(&members.at_default);
            for part in parts(&kept, room) {
                out.push_str(&table(&part, indent));
            }
            if let Some(note) = members.left_out(&folded) {
                out.push_str(&hang(&note, width, indent, indent + 2));
            }
        }
        let pad = " ".repeat(indent);
        for line in self.notes.iter().chain(&self.vars) {
            out.push_str(&format!("{pad}{line}\n"));
        }
        if out.is_empty() {
            out = format!("{pad}{NOTHING}\n");
        }
        out
    }
}

impl Members {
    /// The rows without some of the fields, and the value that all have there, in words.
    pub(super) fn without(&self, fields: &[bool]) -> (Vec<Vec<String>>, Vec<String>) {
        fold(&self.rows, fields)
    }

    /// Which fields are left out because they are at their default.
    pub(super) fn left_out(&self, folded: &[String]) -> Option<String> {
        let (sort, folded) = (&self.sort, folded.join(", "));
        (!folded.is_empty())
            .then(|| format!("not shown, since every {sort} has its default there: {folded}"))
    }
}

/// How many entities of a sort all boards have, if all have as many.
pub(super) fn always(program: &Program, sort: SortId) -> Option<u32> {
    let (least, most) = program.sorts[sort].explore;
    let mut sizes = program.verifies.iter().flat_map(|verify| &verify.sizes);
    let differs = sizes.any(|(of, size)| *of == sort && *size != most);
    (least == most && !differs).then_some(most)
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
        heading.push(IN.to_owned());
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
            row.push(
                place.map_or_else(|| NOWHERE.to_owned(), |(key, _)| zone(program, names, key)),
            );
        }
        rows.push(row);
    }
    only_names(&mut rows);
    rows
}

/// Makes one line of rows that say nothing of entities but that they are there.
fn only_names(rows: &mut Vec<Vec<String>>) {
    let heading = match rows.first() {
        Some(heading) if heading.len() == 1 && rows.len() > 1 => heading[0].clone(),
        _ => return,
    };
    let all: Vec<String> = rows.drain(1..).flatten().collect();
    rows[0][0] = format!("{heading}: {}", all.join(", "));
}

fn zone(program: &Program, names: &Names, key: ZoneKey) -> String {
    plain(&names.zone(program, key))
}

/// For each field of a sort whether all of its entities have a certain value there.
fn all_have(
    program: &Program,
    data: &Data,
    sort: SortId,
    wanted: impl Fn(&Field) -> Option<Value>,
) -> Vec<bool> {
    let fields = program.sorts[sort].fields.iter();
    let has = |&field: &FieldId| {
        let field = &program.fields[field];
        let value = |id: EntityId| {
            let entity = data.entities.get(id.index());
            entity.and_then(|entity| entity.fields.get(field.index as usize).copied())
        };
        let wanted = wanted(field);
        wanted.is_some() && data.members(sort).all(|id| value(id) == wanted)
    };
    fields.map(has).collect()
}

/// The rows without some fields, and what the first row has there: `health = 1`.
fn fold(rows: &[Vec<String>], fields: &[bool]) -> (Vec<Vec<String>>, Vec<String>) {
    // The first column is the name.
    let is_folded = |column: usize| {
        let field = column.checked_sub(1);
        field.is_some_and(|field| fields.get(field) == Some(&true))
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
    let mut kept = rows.iter().map(keep).collect();
    only_names(&mut kept);
    (kept, folded)
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

/// The board as JSON: entities with fields, zones with contents, variables, and what waits in queues, if anything does.
pub(super) fn json(program: &Program, names: &Names, data: &Data) -> Json {
    let told = Told {
        program,
        names,
        data,
    };
    let entities = (0..data.entities.len()).map(EntityId::from_index);
    let mut board = json!({
        "entities": entities.filter_map(|id| told.entity(id, &|_| true)).collect::<Vec<_>>(),
        "zones": told.zones(&|_| true),
        "variables": told.vars(&|_| true),
    });
    let waiting = told.queues(&|queue| {
        data.queues
            .get(queue.index())
            .is_some_and(|all| !all.is_empty())
    });
    if !waiting.is_empty() {
        board["waiting"] = Json::Object(waiting);
    }
    board
}

/// What some changes made different on a board, in the form of the board: of an entity that was there, only the fields
/// that changed; and what waits in the queues that changed.
pub(super) fn patch(program: &Program, names: &Names, changes: &[Difference], data: &Data) -> Json {
    let told = Told {
        program,
        names,
        data,
    };
    let has = |wanted: &dyn Fn(&Difference) -> bool| changes.iter().any(wanted);
    let changed =
        |place: Spot| has(&|one| matches!(one, Difference::Spot(spot, ..) if *spot == place));
    let entity = |id: EntityId| {
        let comes = has(&|one| *one == Difference::Created(id));
        let goes = has(&|one| *one == Difference::Removed(id));
        let whole = told.entity(id, &|field| comes || changed(Spot::Field(id, field)))?;
        let is_told = goes
            || whole["fields"]
                .as_object()
                .is_some_and(|all| !all.is_empty());
        (comes || is_told).then_some(whole)
    };
    let entities = (0..data.entities.len()).map(EntityId::from_index);
    json!({
        "entities": entities.filter_map(entity).collect::<Vec<_>>(),
        "zones": told.zones(&|key| {
            has(&|one| matches!(one, Difference::Zone(zone, ..) if *zone == key))
        }),
        "variables": told.vars(&|var| changed(Spot::Var(var))),
        "waiting": told.queues(&|queue| {
            has(&|one| matches!(one, Difference::Queue(other, ..) if *other == queue))
        }),
    })
}

/// A board, parts of which are written as JSON.
struct Told<'a> {
    program: &'a Program,
    names: &'a Names,
    data: &'a Data,
}

impl Told<'_> {
    /// An entity with some of its fields.
    fn entity(&self, id: EntityId, is_wanted: &dyn Fn(FieldId) -> bool) -> Option<Json> {
        let entity = self.data.entities.get(id.index())?;
        let sort = &self.program.sorts[entity.sort];
        let fields = sort
            .fields
            .iter()
            .zip(values(self.program, self.names, self.data, id))
            .filter(|(field, _)| is_wanted(**field))
            .map(|(_, (name, value))| (name.to_owned(), Json::String(value)));
        Some(json!({
            "name": self.names.entity(id),
            "sort": sort.name,
            "removed": entity.removed,
            "fields": fields.collect::<Map<_, _>>(),
        }))
    }

    fn zones(&self, is_wanted: &dyn Fn(ZoneKey) -> bool) -> Map<String, Json> {
        let zones = self.data.zones.iter().filter(|(key, _)| is_wanted(**key));
        let zone = |(key, contents): (&ZoneKey, &Vec<EntityId>)| {
            let contents = contents
                .iter()
                .map(|&id| Json::String(self.names.entity(id)));
            (self.names.zone(self.program, *key), contents.collect())
        };
        zones.map(zone).collect()
    }

    fn vars(&self, is_wanted: &dyn Fn(VarId) -> bool) -> Map<String, Json> {
        let vars = self.program.vars.ids().zip(&self.data.vars);
        let var = |(id, value): (VarId, &Value)| {
            let var = &self.program.vars[id];
            let value = self.names.value(self.program, *value, var.ty.into());
            (var.name.clone(), Json::String(value))
        };
        vars.filter(|(id, _)| is_wanted(*id)).map(var).collect()
    }

    fn queues(&self, is_wanted: &dyn Fn(QueueId) -> bool) -> Map<String, Json> {
        let queues = self.program.queues.ids().zip(&self.data.queues);
        let queue = |(id, pending): (QueueId, &Vec<Instance>)| {
            let key = |one: &Instance| self.names.key(self.program, &Key::Instance(one.clone()));
            let pending = pending.iter().map(|one| Json::String(key(one)));
            (self.program.queues[id].name.clone(), pending.collect())
        };
        queues.filter(|(id, _)| is_wanted(*id)).map(queue).collect()
    }
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
        assert_eq!(folded, ["gone = false"]);
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
