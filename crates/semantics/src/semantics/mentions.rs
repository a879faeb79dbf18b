//! Which entities a state still speaks of, so that no slot is used again too early.

use std::collections::BTreeSet;

use super::state::{Activation, Data, Entity, Frame, Instance, Spot, State, Together, Who};
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, SortId, Value};

impl State {
    /// A removed created entity of a sort that nothing mentions; the first.
    pub(super) fn reusable(&self, sort: SortId) -> Option<EntityId> {
        let candidates = self.data.entities.iter().enumerate();
        candidates
            .filter(|(_, entity)| is_gone(entity) && entity.sort == sort)
            .map(|(at, _)| EntityId::from_index(at))
            .find(|&id| !self.mentions(id))
    }

    /// Whether the data are what they were, but for created entities that are forgotten: removed, and
    /// mentioned by nothing.
    pub fn is_as_it_was(&self, before: &Data) -> bool {
        let Data {
            entities,
            vars,
            zones,
            queues,
        } = &self.data;
        if (vars, zones, queues) != (&before.vars, &before.zones, &before.queues) {
            return false;
        }
        let ids = 0..entities.len().max(before.entities.len());
        ids.into_iter().all(|at| {
            entities.get(at) == before.entities.get(at)
                || entities.get(at).is_some_and(is_gone) && !self.mentions(EntityId::from_index(at))
        })
    }

    /// Whether the state speaks of an entity, but for its own slot.
    pub fn mentions(&self, id: EntityId) -> bool {
        let control = |id| self.control.iter().any(|of| activation_mentions(of, id));
        is_referred_to(&self.data, id, &|id| {
            data_mentions(&self.data, id) || control(id)
        })
    }
}

impl Data {
    /// Whether a created entity was removed, and nothing in the data mentions it.
    pub fn has_forgotten(&self, id: EntityId) -> bool {
        let gone = self.entities.get(id.index());
        gone.is_some_and(is_gone) && !is_referred_to(self, id, &|id| data_mentions(self, id))
    }
}

/// Whether it is no longer there, and would be forgotten if nothing referred to it.
fn is_gone(entity: &Entity) -> bool {
    entity.created && entity.removed
}

/// Whether anything refers to an entity that is not itself forgotten. `directly`: whether something does that is
/// there, or is none.
fn is_referred_to(data: &Data, id: EntityId, directly: &dyn Fn(EntityId) -> bool) -> bool {
    let mut seen = BTreeSet::from([id]);
    let mut todo = vec![id];
    while let Some(next) = todo.pop() {
        if directly(next) {
            return true;
        }
        let all = data.entities.iter().enumerate();
        let gone = all.filter(|(_, entity)| is_gone(entity));
        let through = gone.filter(|(_, entity)| entity.fields.iter().any(|value| is(value, next)));
        let through = through.map(|(at, _)| EntityId::from_index(at));
        todo.extend(through.filter(|one| seen.insert(*one)));
    }
    false
}

fn is(value: &Value, id: EntityId) -> bool {
    *value == Value::Entity(id)
}

fn data_mentions(data: &Data, id: EntityId) -> bool {
    let fields = data.entities.iter().enumerate();
    fields
        .filter(|(at, entity)| *at != id.index() && !is_gone(entity))
        .flat_map(|(_, entity)| &entity.fields)
        .chain(&data.vars)
        .any(|value| is(value, id))
        || data
            .queues
            .iter()
            .flatten()
            .any(|instance| instance_mentions(instance, id))
        || data.zones.values().flatten().any(|&other| other == id)
}

fn instance_mentions(instance: &Instance, id: EntityId) -> bool {
    is(&instance.listener, id) || instance.payload.iter().any(|value| is(value, id))
}

fn activation_mentions(activation: &Activation, id: EntityId) -> bool {
    activation.locals.iter().any(|value| is(value, id))
        || activation
            .frames
            .iter()
            .any(|frame| frame_mentions(frame, id))
}

fn frame_mentions(frame: &Frame, id: EntityId) -> bool {
    let any = |values: &[Value]| values.iter().any(|value| is(value, id));
    let instances = |list: &[Instance]| list.iter().any(|one| instance_mentions(one, id));
    match frame {
        Frame::Block { .. } | Frame::Recheck { .. } | Frame::Resolve { .. } | Frame::Before => {
            false
        }
        Frame::Iterate {
            todo,
            ranks,
            visited,
            ..
        } => any(todo) || any(visited) || ranks.iter().any(|rank| rank.player == Some(id)),
        // A snapshot that is compared with later; what was forgotten then is not compared.
        Frame::Repeat { before, .. } => before.as_ref().is_some_and(|data| {
            let known = data.entities.get(id.index());
            known.is_some() && !data.has_forgotten(id)
        }),
        // A snapshot that is read later, slot by slot.
        Frame::Step { old, .. } => old
            .as_ref()
            .is_some_and(|data| data.entities.len() > id.index()),
        Frame::Commit(together) => together_mentions(together, id),
        Frame::Write { writes, .. } => written(writes, id),
        Frame::Match {
            instances: left,
            placed,
            ..
        } => instances(left) || instances(placed),
        Frame::Interrupt { todo } => instances(todo),
        Frame::Shuffle { zone, .. } => zone.1 == Some(id),
        // What was put aside is compared with before anything else is made.
        Frame::Distribute {
            elements,
            into,
            who,
            ..
        } => any(elements) || written(into, id) || *who == Who::Player(id),
        Frame::Pass(pass) => {
            any(&pass.places) || pass.carried.iter().any(|(_, value)| is(value, id))
        }
    }
}

fn written(writes: &[(Spot, Value)], id: EntityId) -> bool {
    let mut all = writes.iter();
    all.any(|(spot, value)| spot_is(*spot, id) || is(value, id))
}

fn spot_is(spot: Spot, id: EntityId) -> bool {
    matches!(spot, Spot::Field(entity, _) if entity == id)
}

fn together_mentions(together: &Together, id: EntityId) -> bool {
    let announcements = together.announcements.iter().chain(&together.chosen);
    let competing = together.conflicts.iter();
    competing
        .flat_map(|(spot, values)| values.iter().map(move |value| (*spot, *value)))
        .chain(together.writes.iter().copied())
        .any(|(spot, value)| spot_is(spot, id) || is(&value, id))
        || together.torn.iter().any(|(entity, _)| *entity == id)
        || together
            .moves
            .iter()
            .chain(&together.ordered)
            .any(|(entity, _)| *entity == id)
        || announcements
            .flat_map(|(_, payload)| payload)
            .any(|value| is(value, id))
}
