//! Changes of data: writes within bounds, moves, new entities; and boards as data.

use super::GapCause;
use super::eval::Scope;
use super::interpreter::{Interpreter, Variant};
use super::names::Names;
use super::next::{Exceeded, Limit, Tag};
use super::state::{Data, Destination, Entity, Spot, State, ZoneKey};
use super::stop::Stop;
use endstep_language::index::Id;
use endstep_language::typing::program::{
    Board, Bounds, EntityId, Place, PlaceKind, Program, SortId, Tallies, Value, VarKind, ZoneRef,
};

impl Data {
    /// The data of a written board, with the names of its entities.
    pub fn from_board(program: &Program, board: &Board) -> (Self, Names) {
        let entities = board.entities.iter().map(|entity| Entity {
            sort: entity.sort,
            created: false,
            removed: false,
            fields: entity.fields.clone(),
        });
        let mut data = Self {
            entities: entities.collect(),
            vars: board.vars.clone(),
            ..Self::empty(program)
        };
        data.add_zones(program);
        for (zone, of, contents) in &board.zones {
            data.zones.insert((*zone, *of), contents.clone());
        }
        let board = board.entities.iter().map(|entity| entity.name.clone());
        (
            data,
            Names {
                board: board.collect(),
            },
        )
    }

    /// Data without entities: variables at their defaults, queues empty, no zones.
    pub fn empty(program: &Program) -> Self {
        Self {
            vars: program
                .vars
                .values()
                .iter()
                .map(|var| var.default)
                .collect(),
            queues: vec![Vec::new(); program.queues.len()],
            ..Self::default()
        }
    }

    /// Adds every zone that the entities give rise to, empty.
    pub fn add_zones(&mut self, program: &Program) {
        for (id, zone) in program.zones.iter() {
            let keys: Vec<ZoneKey> = match zone.per {
                None => vec![(id, None)],
                Some(sort) => self.members(sort).map(|of| (id, Some(of))).collect(),
            };
            for key in keys {
                self.zones.entry(key).or_default();
            }
        }
    }

    /// The content of a place.
    pub fn read(&self, program: &Program, spot: Spot) -> Value {
        match spot {
            Spot::Var(var) => self.vars[var.index()],
            Spot::Field(entity, field) => {
                self.entities[entity.index()].fields[program.fields[field].index as usize]
            }
        }
    }

    fn put(&mut self, program: &Program, spot: Spot, value: Value) {
        match spot {
            Spot::Var(var) => self.vars[var.index()] = value,
            Spot::Field(entity, field) => {
                let at = program.fields[field].index as usize;
                self.entities[entity.index()].fields[at] = value;
            }
        }
    }

    /// Lets tallies hold zero.
    pub(super) fn uncount(&mut self, program: &Program, tallies: &Tallies) {
        for var in &tallies.vars {
            self.vars[var.index()] = Value::Int(0);
        }
        for &field in &tallies.fields {
            let declared = &program.fields[field];
            let all = self.entities.iter_mut();
            for entity in all.filter(|one| one.sort == declared.sort) {
                entity.fields[declared.index as usize] = Value::Int(0);
            }
        }
    }

    fn take_out(&mut self, entity: EntityId) {
        for contents in self.zones.values_mut() {
            contents.retain(|&other| other != entity);
        }
    }
}

impl Interpreter<'_> {
    fn bounds(self, spot: Spot) -> Bounds {
        match spot {
            Spot::Var(var) => self.program.vars[var].bounds,
            Spot::Field(_, field) => self.program.fields[field].bounds,
        }
    }

    /// The values of an integer place on boards.
    pub(super) fn explored(self, spot: Spot) -> (i64, i64) {
        self.bounds(spot).explore.unwrap_or((0, 0))
    }

    /// Whether a variable is a supply.
    pub(super) fn is_supply(self, spot: Spot) -> bool {
        matches!(spot, Spot::Var(var) if self.program.vars[var].kind == VarKind::Supply)
    }

    /// Whether a value may be written.
    pub(super) fn admits(self, spot: Spot, value: Value) -> Result<(), Stop> {
        let Value::Int(n) = value else { return Ok(()) };
        let bounds = self.bounds(spot);
        let outside = |range: Option<(i64, i64)>| range.is_some_and(|(a, b)| n < a || n > b);
        // A supply is never below zero.
        let below = n < 0 && self.is_supply(spot);
        if below || outside(bounds.document) {
            return Err(Stop::Tag(Tag::Range(Exceeded::Spot(spot, n))));
        }
        let extra = i64::from(self.variant.extra);
        let reach = bounds
            .reach
            .map(|(a, b)| (a.saturating_sub(extra), b.saturating_add(extra)));
        if outside(reach) {
            return Err(Stop::Tag(Tag::Limit(Limit::Reach(spot, n))));
        }
        Ok(())
    }

    /// Which bound is left if places are written together: one of the document before one of
    /// exploration, then that of what is declared first.
    pub(super) fn left_by(self, writes: &[(Spot, Value)]) -> Option<Stop> {
        let declared = |spot: Spot| match spot {
            Spot::Var(var) => (0, var.index()),
            Spot::Field(_, field) => (1, field.index()),
        };
        let left = writes.iter().filter_map(|(spot, value)| {
            let stop = self.admits(*spot, *value).err()?;
            let explored = matches!(stop, Stop::Tag(Tag::Limit(_)));
            Some(((explored, declared(*spot)), stop))
        });
        left.min_by_key(|(first, _)| *first).map(|(_, stop)| stop)
    }

    /// Writes places, all or none.
    pub(super) fn write(self, data: &mut Data, writes: &[(Spot, Value)]) -> Result<(), Stop> {
        for (spot, value) in writes {
            self.admits(*spot, *value)?;
        }
        for (spot, value) in writes {
            data.put(self.program, *spot, *value);
        }
        Ok(())
    }

    /// Moves an entity to an end of a zone. One that was removed stays out.
    pub(super) fn move_to(
        self,
        data: &mut Data,
        entity: EntityId,
        (key, first): Destination,
    ) -> Result<(), Stop> {
        if data.entities[entity.index()].removed {
            return Ok(());
        }
        let unordered = self.program.zones[key.0].unordered;
        let before = data.clone_zone_without(key, entity);
        let at = if unordered {
            before.partition_point(|&other| other < entity)
        } else if first {
            0
        } else {
            before.len()
        };
        self.insert(data, entity, key, at)
    }

    /// Moves an entity next to another that lies in a zone: `after`, towards the last.
    pub(super) fn move_beside(
        self,
        data: &mut Data,
        entity: EntityId,
        (other, after): (EntityId, bool),
    ) -> Result<(), Stop> {
        let Some((key, _)) = data.place_of(other) else {
            unreachable!("lies nowhere: {other:?}");
        };
        if entity == other || data.entities[entity.index()].removed {
            return Ok(());
        }
        if self.program.zones[key.0].unordered {
            return self.move_to(data, entity, (key, after));
        }
        let rest = data.clone_zone_without(key, entity);
        let at = rest.iter().position(|&id| id == other).unwrap_or(0) + usize::from(after);
        self.insert(data, entity, key, at)
    }

    fn insert(
        self,
        data: &mut Data,
        entity: EntityId,
        key: ZoneKey,
        at: usize,
    ) -> Result<(), Stop> {
        let room = self.program.zones[key.0].capacity;
        let rest = data.clone_zone_without(key, entity);
        if room.is_some_and(|room| rest.len() >= room as usize) {
            return Err(Stop::Tag(Tag::Range(Exceeded::Zone(key.0))));
        }
        data.take_out(entity);
        let contents = data.zones.entry(key).or_default();
        contents.insert(at.min(contents.len()), entity);
        Ok(())
    }

    /// Makes an entity with default fields, lying nowhere. A slot of a created entity that was
    /// removed and that nothing mentions any more is used again.
    pub(super) fn create(self, state: &mut State, sort: SortId) -> Result<EntityId, Stop> {
        let declared = &self.program.sorts[sort];
        let fields = declared
            .fields
            .iter()
            .map(|&field| self.program.fields[field].default);
        let entity = Entity {
            sort,
            created: true,
            removed: false,
            fields: fields.collect(),
        };
        if let Some(id) = state.reusable(sort) {
            state.data.entities[id.index()] = entity;
            return Ok(id);
        }
        let made = state
            .data
            .entities
            .iter()
            .filter(|e| e.created && e.sort == sort);
        let all = self.program.sorts.values().iter().map(|sort| sort.headroom);
        if made.count() >= Variant::room(self.variant.extra, declared.headroom, all) {
            return Err(Stop::Tag(Tag::Limit(Limit::Headroom(sort))));
        }
        state.data.entities.push(entity);
        Ok(EntityId::from_index(state.data.entities.len() - 1))
    }

    /// Takes an entity out of the game.
    pub(super) fn remove(self, data: &mut Data, entity: EntityId) {
        data.take_out(entity);
        data.entities[entity.index()].removed = true;
    }
}

impl Data {
    fn clone_zone_without(&self, key: ZoneKey, entity: EntityId) -> Vec<EntityId> {
        let contents = self.zones.get(&key).into_iter().flatten();
        contents.copied().filter(|&id| id != entity).collect()
    }
}

impl Scope<'_> {
    /// The place that an expression names.
    pub fn spot(&mut self, place: &Place) -> Result<Spot, Stop> {
        Ok(match &place.kind {
            PlaceKind::Var(var) => Spot::Var(*var),
            PlaceKind::Field(of, field) => Spot::Field(self.entity(of)?, *field),
        })
    }

    /// The integer in a place.
    pub fn held(&mut self, spot: Spot) -> i64 {
        match self.data.read(self.program, spot) {
            Value::Int(n) => n,
            other => unreachable!("an integer place holds {other:?}"),
        }
    }

    /// One zone.
    pub fn zone(&mut self, zone: &ZoneRef) -> Result<ZoneKey, Stop> {
        let keys = self.zones(zone)?;
        keys.first()
            .copied()
            .ok_or_else(|| self.gap(GapCause::LiesNowhere, zone.span))
    }
}
