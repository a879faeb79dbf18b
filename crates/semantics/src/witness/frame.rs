//! What a run changed, against what a contract lists.

use std::collections::BTreeSet;

use super::moment::Difference;
use crate::semantics::{Data, Interpreter, Spot, Stop};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    ChangeTarget, EntityId, PlaceKind, Program, QueueId, SequenceId, Value, VarId,
};

/// All that differs between two data, in the order of [`Difference`]. What came and went, and is forgotten, is
/// no difference.
pub fn differences(program: &Program, old: &Data, new: &Data) -> Vec<Difference> {
    let mut found = Vec::new();
    for (index, entity) in new.entities.iter().enumerate() {
        let id = EntityId::from_index(index);
        // A removed entity never comes back: one that is there again is another one, in its slot.
        let known = old.entities.get(index);
        if known.is_none() && new.has_forgotten(id) {
            continue;
        }
        let Some(before) = known.filter(|before| entity.removed || !before.removed) else {
            found.push(Difference::Created(id));
            continue;
        };
        if entity.removed && !before.removed {
            found.push(Difference::Removed(id));
        }
        let fields = program.sorts[entity.sort].fields.iter();
        for (&field, (a, b)) in fields.zip(before.fields.iter().zip(&entity.fields)) {
            if a != b {
                found.push(Difference::Spot(Spot::Field(id, field), *a, *b));
            }
        }
    }
    for (index, (&before, &after)) in old.vars.iter().zip(&new.vars).enumerate() {
        if before != after {
            let spot = Spot::Var(VarId::from_index(index));
            found.push(Difference::Spot(spot, before, after));
        }
    }
    for (key, contents) in &new.zones {
        let before = old.zones.get(key).cloned().unwrap_or_default();
        if before != *contents {
            found.push(Difference::Zone(*key, before, contents.clone()));
        }
    }
    for (index, (before, after)) in old.queues.iter().zip(&new.queues).enumerate() {
        if before != after {
            let queue = QueueId::from_index(index);
            found.push(Difference::Queue(queue, before.clone(), after.clone()));
        }
    }
    found.sort();
    found
}

/// Something that a contract does not allow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outside {
    /// What was changed; of what left its bounds, what it was and is, also if these are the same.
    pub difference: Difference,
    /// Whether the contract lists it, and it left the bounds that stand there.
    pub listed: bool,
}

/// What the contract of a sequence does not allow of the changes from one data to others: those that it does
/// not list, and what it lists `within` bounds (those at the start) and is outside of them.
///
/// Contracts list variables and fields; anything else that changed is outside of all of them.
///
/// # Errors
///
/// Where a place or a bound has no value, or depends on a reading that is not fixed.
pub fn outside_contract(
    it: Interpreter<'_>,
    sequence: SequenceId,
    old: &Data,
    new: &Data,
) -> Result<Vec<Outside>, Stop> {
    let Some(contract) = &it.program.sequences[sequence].contract else {
        return Ok(Vec::new());
    };
    let mut listed: BTreeSet<Spot> = BTreeSet::new();
    let mut found = Vec::new();
    for change in &contract.changes {
        let spots: Vec<Spot> = match &change.target {
            ChangeTarget::FieldOfAll(field) => {
                let sort = it.program.fields[*field].sort;
                let all = (0..old.entities.len()).filter(|&at| old.entities[at].sort == sort);
                all.map(|at| Spot::Field(EntityId::from_index(at), *field))
                    .collect()
            }
            ChangeTarget::Place(place) => match &place.kind {
                PlaceKind::Var(var) => vec![Spot::Var(*var)],
                PlaceKind::Field(of, field) => match it.value(of, old, None)? {
                    Value::Entity(id) => vec![Spot::Field(id, *field)],
                    _ => Vec::new(),
                },
            },
        };
        if let Some((low, high)) = &change.within {
            let bounds = it.value(low, old, None)?..=it.value(high, old, None)?;
            for &spot in spots.iter().filter(|spot| is_there(new, **spot)) {
                let (was, is) = (old.read(it.program, spot), new.read(it.program, spot));
                if !bounds.contains(&is) {
                    found.push(Outside {
                        difference: Difference::Spot(spot, was, is),
                        listed: true,
                    });
                }
            }
        }
        listed.extend(spots);
    }
    let all = differences(it.program, old, new).into_iter();
    let unlisted =
        all.filter(|one| !matches!(one, Difference::Spot(spot, ..) if listed.contains(spot)));
    found.extend(unlisted.map(|difference| Outside {
        difference,
        listed: false,
    }));
    found.sort();
    found.dedup();
    Ok(found)
}

/// Whether an entity that has the place was not removed.
fn is_there(data: &Data, spot: Spot) -> bool {
    match spot {
        Spot::Var(_) => true,
        Spot::Field(id, _) => !data.entities[id.index()].removed,
    }
}
