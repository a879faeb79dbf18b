//! Sets of boards as numbers that tell them apart, from one version of a specification to the next.
//!
//! ```text
//! row: [owl, wolf]   wolf 0, owl 1     41c6…
//! row: [owl, wolf]   wolf 1, owl 1     9e07…      a set is the sum of its boards
//! ```
//!
//! A board is what lies where and which values there are, by the names of the specification; neither the order
//! in which things are declared nor the numbers of entities count. What has the same value on all boards that
//! are enumerated is left out, so a variable that every board starts with alike changes nothing.
//!
//! *Guarantees.* One board, or one set of boards, has one number: on every machine, in every version.
//!
//! *Limits.* Two sets can have one number by chance (64 bits), or because of boards that differ only in how
//! entities that are alike are linked over more than [`ROUNDS`] links.

use endstep_language::index::Id;
use endstep_language::typing::program::{Concern, EntityId, EnumId, Program, Type, Value};
use endstep_semantics::semantics::{Data, ZoneKey};

use crate::analysis::numbered::numbered;

/// How many links are followed to tell an entity from one that looks the same.
const ROUNDS: usize = 3;

/// Names of a program as numbers.
#[derive(Debug)]
pub struct Digester {
    sorts: Vec<u64>,
    /// Sorts of which it counts how many there are.
    counted: Vec<bool>,
    /// Sorts whose entities are told apart by their numbers.
    numbered: Vec<bool>,
    /// What a field contributes, with its type; by sort, then in the order of its fields. `None`: it has one value
    /// on all boards.
    fields: Vec<Vec<Option<(u64, Type)>>>,
    vars: Vec<Option<(u64, Type)>>,
    /// Zones, and whether arrangements are told apart.
    zones: Vec<(u64, bool)>,
    /// The values of enumerations.
    enums: Vec<Vec<u64>>,
}

impl Digester {
    /// Of a program; boards are told apart by nothing of `alone`.
    pub fn new(program: &Program, alone: &Concern) -> Self {
        let numbered = numbered(program);
        let fields = program.sorts.values().iter().map(|sort| {
            let fields = sort.fields.iter().map(|&id| (id, &program.fields[id]));
            let fields = fields.map(|(id, one)| {
                let varies = one.starts.is_none() && !alone.fields.contains(&id);
                varies.then(|| (named("field", &one.name), one.ty))
            });
            fields.collect()
        });
        let vars = program.vars.iter().map(|(id, one)| {
            let varies = one.starts.is_none() && !alone.vars.contains(&id);
            varies.then(|| (named("var", &one.name), one.ty))
        });
        let zones = program.zones.values().iter();
        let enums = program.enums.values().iter();
        let sorts = program.sorts.values().iter();
        Self {
            sorts: sorts.map(|one| named("sort", &one.name)).collect(),
            counted: program
                .sorts
                .ids()
                .map(|id| !alone.sorts.contains(&id))
                .collect(),
            numbered: program
                .sorts
                .ids()
                .map(|id| numbered.contains(&id))
                .collect(),
            fields: fields.collect(),
            vars: vars.collect(),
            zones: zones
                .map(|one| (named("zone", &one.name), !one.unordered))
                .collect(),
            enums: enums
                .map(|one| one.values.iter().map(|name| named("value", name)).collect())
                .collect(),
        }
    }

    /// The number of a board.
    pub fn of(&self, board: &Data) -> u64 {
        let mut colours = self.first(board);
        for _ in 0..ROUNDS {
            colours = self.next(board, &colours);
        }
        let vars = board.vars.iter().zip(&self.vars);
        let vars = vars.filter_map(|(value, var)| {
            let (name, ty) = (*var)?;
            Some(both(name, self.value(ty, *value, &colours)))
        });
        let entities = board.entities.iter().zip(&colours);
        let entities = entities.filter(|(one, _)| self.counted[one.sort.index()]);
        let entities = entities.map(|(_, &colour)| both(1, colour));
        vars.chain(entities).fold(0, u64::wrapping_add)
    }

    /// What can be told of each entity without looking at others.
    fn first(&self, board: &Data) -> Vec<u64> {
        let mut counts = vec![0; self.sorts.len()];
        let entities = board.entities.iter().map(|one| {
            let sort = one.sort.index();
            counts[sort] += u64::from(self.numbered[sort]);
            both(self.sorts[sort], counts[sort])
        });
        entities.collect()
    }

    /// What can be told of each entity if that is known of all.
    fn next(&self, board: &Data, colours: &[u64]) -> Vec<u64> {
        let entities = board.entities.iter().zip(colours);
        let with_fields = entities.map(|(one, &colour)| {
            let fields = one.fields.iter().zip(&self.fields[one.sort.index()]);
            let fields = fields.filter_map(|(value, field)| {
                let (name, ty) = (*field)?;
                Some(both(name, self.value(ty, *value, colours)))
            });
            both(colour, fields.fold(0, u64::wrapping_add))
        });
        let mut next: Vec<u64> = with_fields.collect();
        for ((zone, owner), contents) in &board.zones {
            let zone: ZoneKey = (*zone, *owner);
            for (at, entity) in contents.iter().enumerate() {
                next[entity.index()] = both(next[entity.index()], self.seat(zone, at, colours));
            }
        }
        next
    }

    /// A place in a zone.
    fn seat(&self, (zone, owner): ZoneKey, at: usize, colours: &[u64]) -> u64 {
        let (name, ordered) = self.zones[zone.index()];
        let owner = owner.map_or(0, |owner: EntityId| colours[owner.index()]);
        let at = if ordered { at as u64 + 1 } else { 0 };
        both(both(name, owner), at)
    }

    fn value(&self, ty: Type, value: Value, colours: &[u64]) -> u64 {
        let of_enum = |id: EnumId, at: u16| self.enums[id.index()][usize::from(at)];
        match (value, ty) {
            (Value::None, _) => both(2, 0),
            (Value::Bool(is), _) => both(3, u64::from(is)),
            (Value::Int(number), _) => both(4, number.cast_unsigned()),
            (Value::Enum(at), Type::Enum(id)) => both(5, of_enum(id, at)),
            // Values of an enumeration have its type.
            (Value::Enum(at), _) => both(5, u64::from(at)),
            (Value::Entity(id), _) => both(6, colours[id.index()]),
        }
    }
}

/// The number of a set of boards.
pub fn of_set(boards: impl Iterator<Item = u64>) -> u64 {
    boards.map(|one| both(7, one)).fold(0, u64::wrapping_add)
}

/// A name, as what (FNV-1a).
fn named(kind: &str, name: &str) -> u64 {
    let bytes = kind.bytes().chain([0]).chain(name.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Two numbers as one, in this order (the finaliser of SplitMix64).
fn both(one: u64, other: u64) -> u64 {
    let mut mixed = one
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(other.rotate_left(31))
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    for (shift, by) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
        mixed = (mixed ^ (mixed >> shift)).wrapping_mul(by);
    }
    mixed ^ (mixed >> 31)
}
