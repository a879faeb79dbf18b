//! Turns part of a board, as the prover names it, into a board.
//!
//! ```text
//! Card 0 strength 8, in board     Card 1 in board     the rest as little as possible
//! ```
//!
//! Values with which all boards start, and zones that start empty, stay as they are. What is not named takes
//! its default if that is explored, else the first value that is, and lies in the first zone in which anything
//! may lie; if such a board is not legal, a few other values are tried.
//!
//! *Limits.* Whoever wants a legal board has to look whether it is one.

use std::collections::BTreeMap;

use super::legal::is_legal_at_all;
use super::readings::completed;
use crate::verdict::{Sketch, Sketched};
use endstep_kernel::lower::value;
use endstep_language::index::Id;
use endstep_language::typing::program::{Bounds, EntityId, Program, SortId, Type, Value, VarKind};
use endstep_semantics::semantics::{Data, Entity, Interpreter, Readings, Variant, ZoneKey};

/// So many boards are tried to find a legal one.
const MOST_TRIED: usize = 64;

/// The number of `none` in a sketch.
const ABSENT: i64 = -1;

/// A place whose value is not named.
#[derive(Clone, Copy)]
enum Slot {
    Var(usize),
    Field(usize, usize),
}

/// Entities by their numbers in a sketch.
type Numbers = BTreeMap<(SortId, i64), EntityId>;

/// The board that a sketch is part of; `None`: it is part of none, as a value or a number of entities is
/// impossible. A legal one, if one was found.
pub fn sketched(program: &Program, sketch: &Sketch) -> Option<Data> {
    let mut entities: Vec<&Sketched> = sketch.entities.iter().collect();
    entities.sort_by_key(|one| (one.sort, one.place, one.position, one.number));
    let numbers = entities.iter().enumerate();
    let numbers: Numbers = numbers
        .map(|(at, one)| ((one.sort, one.number), EntityId::from_index(at)))
        .collect();
    let mut data = Data::empty(program);
    for one in &entities {
        data.entities.push(Entity {
            sort: one.sort,
            created: false,
            removed: false,
            fields: vec![Value::None; program.sorts[one.sort].fields.len()],
        });
    }
    for (id, sort) in program.sorts.iter() {
        let count = data.members(id).count();
        let (least, most) = sort.document.unwrap_or((0, u32::MAX));
        if count < least as usize || count > most as usize {
            return None;
        }
    }
    data.add_zones(program);
    for (at, one) in entities.iter().enumerate() {
        let Some(key) = lies((program, &data), &numbers, one)? else {
            continue;
        };
        data.zones.get_mut(&key)?.push(EntityId::from_index(at));
    }
    let fits = |(key, contents): (&ZoneKey, &Vec<EntityId>)| {
        let most = program.zones[key.0].capacity;
        most.is_none_or(|most| contents.len() <= most as usize)
    };
    if !data.zones.iter().all(fits) {
        return None;
    }
    let open = fill(program, &mut data, (sketch, &entities, &numbers))?;
    Some(legalised(program, data, &open))
}

/// Where an entity lies; `Some(None)`: nowhere.
fn lies(
    (program, data): (&Program, &Data),
    numbers: &Numbers,
    one: &Sketched,
) -> Option<Option<ZoneKey>> {
    let filled = |key: &&ZoneKey| {
        let zone = &program.zones[key.0];
        zone.sort == one.sort && !zone.starts_empty
    };
    let first = data.zones.keys().find(filled).copied();
    let Some(first) = first else {
        return Some(None);
    };
    let Some((Some(zone), holder)) = one.place else {
        return Some(Some(first));
    };
    let declared = &program.zones[zone];
    if declared.sort != one.sort || declared.starts_empty {
        return Some(Some(first));
    }
    Some(Some(match declared.per {
        None => (zone, None),
        Some(per) => (zone, Some(*numbers.get(&(per, holder))?)),
    }))
}

/// Gives every place a value. Those of which the sketch says nothing, each with the values that it could
/// have.
fn fill(
    program: &Program,
    data: &mut Data,
    (sketch, entities, numbers): (&Sketch, &[&Sketched], &Numbers),
) -> Option<Vec<(Slot, Vec<Value>)>> {
    let mut open = Vec::new();
    for (id, var) in program.vars.iter() {
        let named = sketch.vars.iter().find(|(one, _)| *one == id);
        let bounds = match (var.kind, var.bounds.document) {
            (VarKind::Supply, None) => Bounds {
                document: Some((0, i64::MAX)),
                ..var.bounds
            },
            _ => var.bounds,
        };
        let domain = (var.ty, bounds, var.default);
        data.vars[id.index()] = match (var.starts, named) {
            (Some(value), _) => value,
            (None, Some(&(_, number))) => told(program, (number, domain), numbers)?,
            (None, None) => {
                let values = values((program, data), domain);
                let first = *values.first()?;
                open.push((Slot::Var(id.index()), values));
                first
            }
        };
    }
    for (at, one) in entities.iter().enumerate() {
        for (position, &field) in program.sorts[one.sort].fields.iter().enumerate() {
            let declared = &program.fields[field];
            let named = one.fields.iter().find(|(id, _)| *id == field);
            let domain = (declared.ty, declared.bounds, declared.default);
            let value = match (declared.starts, named) {
                (Some(value), _) => value,
                (None, Some(&(_, number))) => told(program, (number, domain), numbers)?,
                (None, None) => {
                    let values = values((program, data), domain);
                    let first = *values.first()?;
                    open.push((Slot::Field(at, position), values));
                    first
                }
            };
            data.entities[at].fields[position] = value;
        }
    }
    Some(open)
}

/// A value that is named, if it is one that boards can have.
fn told(
    program: &Program,
    (number, (ty, bounds, _)): (i64, (Type, Bounds, Value)),
    numbers: &Numbers,
) -> Option<Value> {
    match ty {
        Type::Int => {
            let within = bounds
                .document
                .is_none_or(|(low, high)| (low..=high).contains(&number));
            within.then_some(Value::Int(number))
        }
        Type::Bool => (0..=1).contains(&number).then(|| value(number, ty)),
        Type::Enum(id) => {
            let count = program.enums[id].values.len() as i64;
            (0..count).contains(&number).then(|| value(number, ty))
        }
        Type::Optional(_) if number == ABSENT => Some(Value::None),
        Type::Entity(sort) | Type::Optional(sort) => {
            numbers.get(&(sort, number)).copied().map(Value::Entity)
        }
    }
}

/// The values that a place takes on explored boards, the default first if it is one of them.
fn values(
    (program, data): (&Program, &Data),
    (ty, bounds, default): (Type, Bounds, Value),
) -> Vec<Value> {
    let mut all: Vec<Value> = match ty {
        Type::Int => match bounds.explore.or(bounds.document) {
            // A few are enough.
            Some((low, high)) => (low..=high).take(MOST_TRIED).map(Value::Int).collect(),
            None => vec![default],
        },
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Enum(id) => {
            let numbers = 0..program.enums[id].values.len();
            let numbers = numbers.filter_map(|at| u16::try_from(at).ok());
            numbers.map(Value::Enum).collect()
        }
        Type::Entity(sort) => data.members(sort).map(Value::Entity).collect(),
        Type::Optional(sort) => {
            let members = data.members(sort).map(Value::Entity);
            std::iter::once(Value::None).chain(members).collect()
        }
    };
    if let Some(at) = all.iter().position(|value| *value == default) {
        all[..=at].rotate_right(1);
    }
    all
}

/// The board with the first other values for what is open with which it is legal, if there are such.
fn legalised(program: &Program, mut data: Data, open: &[(Slot, Vec<Value>)]) -> Data {
    let first = data.clone();
    let readings = completed(program, &Readings::new());
    let it = Interpreter {
        program,
        readings: &readings,
        variant: &Variant::default(),
    };
    let mut at = vec![0; open.len()];
    for _ in 0..MOST_TRIED {
        if is_legal_at_all(it, &data) == Ok(true) {
            return data;
        }
        let mut turns = (0..at.len()).rev();
        let Some(turn) = turns.find(|&i| at[i] + 1 < open[i].1.len()) else {
            break;
        };
        at[turn] += 1;
        at[turn + 1..].fill(0);
        for ((slot, values), &index) in open.iter().zip(&at) {
            match *slot {
                Slot::Var(var) => data.vars[var] = values[index],
                Slot::Field(entity, field) => data.entities[entity].fields[field] = values[index],
            }
        }
    }
    first
}
