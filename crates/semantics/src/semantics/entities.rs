//! Goes through the entities that a part of a state, or a choice, speaks of, to exchange them for others.

use super::next::Key;
use super::state::{Activation, Destination, Frame, Instance, Spot, Together, Who, ZoneKey};
use endstep_language::typing::program::{EntityId, Value};

/// What is done with each entity.
pub type Exchange<'a> = &'a mut dyn FnMut(&mut EntityId);

impl Activation {
    /// Goes through the entities of an activation, in a fixed order; those of data that were put
    /// aside when a step or a round began are left out.
    pub fn exchange(&mut self, with: Exchange<'_>) {
        values(&mut self.locals, with);
        for frame in &mut self.frames {
            frame.exchange(with);
        }
    }
}

impl Frame {
    fn exchange(&mut self, with: Exchange<'_>) {
        match self {
            Self::Block { .. }
            | Self::Recheck { .. }
            | Self::Repeat { .. }
            | Self::Resolve { .. }
            | Self::Before
            | Self::Step { .. } => {}
            Self::Iterate {
                todo,
                ranks,
                visited,
                ..
            } => {
                values(todo, with);
                let players = ranks.iter_mut().filter_map(|rank| rank.player.as_mut());
                players.for_each(&mut *with);
                values(visited, with);
            }
            Self::Commit(together) => together.exchange(with),
            Self::Write { writes, .. } => written(writes, with),
            Self::Match {
                instances, placed, ..
            } => {
                let all = instances.iter_mut().chain(placed);
                all.for_each(|one| one.exchange(with));
            }
            Self::Interrupt { todo } => todo.iter_mut().for_each(|one| one.exchange(with)),
            Self::Shuffle { zone: of, .. } => zone(of, with),
            Self::Distribute {
                elements,
                into,
                who,
                ..
            } => {
                values(elements, with);
                written(into, with);
                if let Who::Player(player) = who {
                    with(player);
                }
            }
            Self::Pass(pass) => {
                values(&mut pass.places, with);
                let carried = pass.carried.iter_mut();
                carried.for_each(|(_, element)| value(element, with));
            }
        }
    }
}

impl Together {
    fn exchange(&mut self, with: Exchange<'_>) {
        for (of, competing) in &mut self.conflicts {
            spot(of, with);
            values(competing, with);
        }
        for (entity, destinations) in &mut self.torn {
            with(entity);
            destinations
                .iter_mut()
                .for_each(|one| destination(one, with));
        }
        written(&mut self.writes, with);
        for (entity, to) in self.moves.iter_mut().chain(&mut self.ordered) {
            with(entity);
            destination(to, with);
        }
        for (_, payload) in self.announcements.iter_mut().chain(&mut self.chosen) {
            values(payload, with);
        }
    }
}

impl Instance {
    /// Goes through the entities of a trigger that has matched.
    pub fn exchange(&mut self, with: Exchange<'_>) {
        value(&mut self.listener, with);
        values(&mut self.payload, with);
    }
}

impl Key {
    /// Goes through the entities of what is chosen.
    pub fn exchange(&mut self, with: Exchange<'_>) {
        match self {
            Self::Element(of, _) => value(of, with),
            Self::Step(_) | Self::Option(..) | Self::Taken(..) | Self::Case(..) => {}
            Self::Instance(instance) => instance.exchange(with),
            Self::Write(of, to) => {
                spot(of, with);
                value(to, with);
            }
            Self::Destination(entity, of, _) => {
                with(entity);
                zone(of, with);
            }
            Self::Insert(entity) => with(entity),
            Self::Announce(_, payload) => values(payload, with),
            Self::Values(writes) => written(writes, with),
        }
    }
}

fn value(of: &mut Value, with: Exchange<'_>) {
    if let Value::Entity(entity) = of {
        with(entity);
    }
}

fn values(all: &mut [Value], with: Exchange<'_>) {
    all.iter_mut().for_each(|one| value(one, with));
}

fn spot(of: &mut Spot, with: Exchange<'_>) {
    if let Spot::Field(entity, _) = of {
        with(entity);
    }
}

fn written(writes: &mut [(Spot, Value)], with: Exchange<'_>) {
    for (of, to) in writes {
        spot(of, with);
        value(to, with);
    }
}

fn zone((_, owner): &mut ZoneKey, with: Exchange<'_>) {
    if let Some(owner) = owner {
        with(owner);
    }
}

fn destination((to, _): &mut Destination, with: Exchange<'_>) {
    zone(to, with);
}
