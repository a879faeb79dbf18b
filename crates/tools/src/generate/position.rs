//! Random boards of a typed program, within what is explored.
//!
//! Where `docs/semantics.md` (1.2) enumerates the boards of an instance, this takes one of them;
//! whether it is legal is for the caller to find out. The boards are literals, so that no engine
//! and not even the interpreter is needed to make one.

use arbitrary::{Result, Unstructured};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    Board, BoardEntity, EntityId, Program, SortId, Type, Value, ZoneId,
};

type Contents = Vec<(ZoneId, Option<EntityId>, Vec<EntityId>)>;

/// A random board; none if the program has no board of the sizes that were taken.
///
/// # Errors
///
/// None: the type is that of [`arbitrary::Arbitrary::arbitrary`].
pub fn position(u: &mut Unstructured<'_>, program: &Program) -> Result<Option<Board>> {
    let mut sorts = Vec::new();
    for (id, sort) in program.sorts.iter() {
        let (low, high) = sort.explore;
        let count = u.int_in_range(low..=high.max(low))?;
        sorts.extend((0..count).map(|_| id));
    }
    let mut entities = Vec::new();
    for (at, &sort) in sorts.iter().enumerate() {
        let mut fields = Vec::new();
        for &field in &program.sorts[sort].fields {
            let field = &program.fields[field];
            match content(
                u,
                (field.ty, field.bounds.explore, field.starts),
                (program, &sorts),
            )? {
                Some(value) => fields.push(value),
                None => return Ok(None),
            }
        }
        entities.push(BoardEntity {
            sort,
            name: format!("e{at}"),
            fields,
        });
    }
    let mut vars = Vec::new();
    for var in program.vars.values() {
        match content(
            u,
            (var.ty, var.bounds.explore, var.starts),
            (program, &sorts),
        )? {
            Some(value) => vars.push(value),
            None => return Ok(None),
        }
    }
    let zones = zones(u, program, &sorts)?;
    Ok(zones.map(|zones| Board {
        name: "random".to_owned(),
        entities,
        zones,
        vars,
        span: Default::default(),
    }))
}

/// The entities of a sort, of which there is one for each element of `sorts`.
fn members(sorts: &[SortId], sort: SortId) -> Vec<EntityId> {
    let all = sorts
        .iter()
        .enumerate()
        .filter(|(_, other)| **other == sort);
    all.map(|(at, _)| EntityId::from_index(at)).collect()
}

/// What a place holds; none if there is no such entity.
fn content(
    u: &mut Unstructured<'_>,
    (ty, explore, starts): (Type, Option<(i64, i64)>, Option<Value>),
    (program, sorts): (&Program, &[SortId]),
) -> Result<Option<Value>> {
    if starts.is_some() {
        return Ok(starts);
    }
    let values = match ty {
        Type::Int => {
            let (low, high) = explore.unwrap_or((0, 0));
            return Ok(Some(Value::Int(u.int_in_range(low..=high.max(low))?)));
        }
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Enum(id) => {
            let count = program.enums[id].values.len();
            let each = (0..count).filter_map(|at| u16::try_from(at).ok());
            each.map(Value::Enum).collect()
        }
        Type::Entity(sort) | Type::Optional(sort) => {
            let none = matches!(ty, Type::Optional(_)).then_some(Value::None);
            let each = members(sorts, sort).into_iter().map(Value::Entity);
            none.into_iter().chain(each).collect()
        }
    };
    if values.is_empty() {
        return Ok(None);
    }
    u.choose(&values).copied().map(Some)
}

/// Every zone, with everything in some zone of its sort; none if there is no room.
fn zones(
    u: &mut Unstructured<'_>,
    program: &Program,
    sorts: &[SortId],
) -> Result<Option<Contents>> {
    let mut zones: Contents = Vec::new();
    for (id, zone) in program.zones.iter() {
        match zone.per {
            None => zones.push((id, None, Vec::new())),
            Some(per) => {
                let each = members(sorts, per).into_iter();
                zones.extend(each.map(|of| (id, Some(of), Vec::new())));
            }
        }
    }
    for (at, &sort) in sorts.iter().enumerate() {
        let mut sorted = zones
            .iter()
            .filter(|(id, ..)| program.zones[*id].sort == sort);
        let has_zone =
            sorted.next().is_some() || program.zones.values().iter().any(|zone| zone.sort == sort);
        if !has_zone {
            continue;
        }
        let mut open: Vec<_> = zones
            .iter_mut()
            .filter(|(id, _, contents)| {
                let zone = &program.zones[*id];
                let room = zone.capacity.into_iter().chain(zone.explore).min();
                zone.sort == sort
                    && !zone.starts_empty
                    && room.is_none_or(|room| contents.len() < room as usize)
            })
            .collect();
        if open.is_empty() {
            return Ok(None);
        }
        let chosen = u.choose_index(open.len())?;
        let (id, _, contents) = &mut *open[chosen];
        let place = if program.zones[*id].unordered {
            contents.len()
        } else {
            u.int_in_range(0..=contents.len())?
        };
        contents.insert(place, EntityId::from_index(at));
    }
    Ok(Some(zones))
}
