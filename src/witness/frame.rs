//! What a run changed, against what a contract lists.

use super::trace::Difference;
use crate::index::Id;
use crate::semantics::{Data, Interpreter, Spot, Stop};
use crate::typing::program::{
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

/// The changes from one data to others that the contract of a sequence does not list.
///
/// Contracts list variables and fields; anything else that changed is outside of all of them.
pub fn outside_contract(
    it: Interpreter<'_>,
    sequence: SequenceId,
    old: &Data,
    new: &Data,
) -> Result<Vec<Difference>, Stop> {
    let Some(contract) = &it.program.sequences[sequence].contract else {
        return Ok(Vec::new());
    };
    let mut spots = Vec::new();
    let mut fields = Vec::new();
    for change in &contract.changes {
        match &change.target {
            ChangeTarget::FieldOfAll(field) => fields.push(*field),
            ChangeTarget::Place(place) => match &place.kind {
                PlaceKind::Var(var) => spots.push(Spot::Var(*var)),
                PlaceKind::Field(of, field) => {
                    if let Value::Entity(id) = it.value(of, old, None)? {
                        spots.push(Spot::Field(id, *field));
                    }
                }
            },
        }
    }
    let listed = |difference: &Difference| match difference {
        Difference::Spot(spot, ..) => {
            spots.contains(spot) || matches!(spot, Spot::Field(_, field) if fields.contains(field))
        }
        Difference::Created(_)
        | Difference::Removed(_)
        | Difference::Zone(..)
        | Difference::Queue(..) => false,
    };
    let mut found = differences(it.program, old, new);
    found.retain(|one| !listed(one));
    Ok(found)
}
