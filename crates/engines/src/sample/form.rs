//! Which byte of an input means what: the places of the boards of one sequence.
//!
//! An input is a header, a record of the same length for each entity, and a schedule:
//!
//! ```text
//! which sequence | readings | variables | card: where, whose, fields | card … | 0 | choices
//! 00             | 01       | 02        | 01     00     03 01        | 02 …   | 00| 01 00 02
//! ```
//!
//! A byte stands for the value at its position among those that the place can have, counted round
//! and round, so that every byte stands for one and neighbours for neighbours. Of a place with more
//! than 256 values a byte reaches 256, spread evenly.

use endstep_kernel::lower::number;
use endstep_language::index::Id;
use endstep_language::typing::program::{
    Domain, FieldId, Program, ReadingId, SortId, Type, Value, VarId, ZoneId,
};

/// The bytes of a record before its fields: where the entity lies, and in whose zone.
pub const RECORD_HEAD: usize = 2;

/// What a place can hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    /// These numbers, in order.
    Listed(Vec<i64>),
    /// Numbers from one to another.
    Range(i64, i64),
    /// An entity of a sort, or none.
    Entity(SortId, bool),
}

/// A place whose value an input chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// What it can hold.
    pub values: Values,
    /// Where its byte is, counted from the start of the variables or of the fields of a record.
    pub at: usize,
    /// The byte of the value that it has if nothing is said.
    pub plain: u8,
}

/// A sort, and what an input says of its entities.
#[derive(Debug, Clone)]
pub struct SortForm {
    /// How many there are at least, and at most.
    pub size: (usize, usize),
    /// Its fields in order; those that are not chosen have one number.
    pub fields: Vec<Result<Slot, i64>>,
}

/// Where an entity may lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seat {
    /// Its sort.
    pub sort: SortId,
    /// A zone, or a family of them; `None` for sorts that lie nowhere.
    pub zone: Option<ZoneId>,
    /// Whose zones these are.
    pub per: Option<SortId>,
    /// How many fit into each.
    pub room: usize,
}

/// How the inputs of one sequence are read.
#[derive(Debug, Clone)]
pub struct Form {
    /// How many alternatives each reading has, and which one holds if it is fixed.
    pub readings: Vec<(u16, Option<u16>)>,
    /// Variables in order; those that are not chosen have one number.
    pub vars: Vec<Result<Slot, i64>>,
    /// Where the bytes of the variables begin.
    pub first_var: usize,
    /// Where the records begin.
    pub first_record: usize,
    /// How long a record is.
    pub record: usize,
    /// By sort.
    pub sorts: Vec<SortForm>,
    /// Where entities may lie.
    pub seats: Vec<Seat>,
}

/// What inputs are made for.
#[derive(Debug, Clone, Default)]
pub struct Sizes {
    /// Largest numbers of entities, for all sequences.
    pub most: Vec<(SortId, u32)>,
    /// Fields that take only some of their values.
    pub fields: Vec<(FieldId, Vec<Value>)>,
    /// Readings that are fixed.
    pub readings: Vec<(ReadingId, u16)>,
    /// Whether boards are no larger than those that are explored.
    pub explored: bool,
}

impl Form {
    /// Where the records of an input begin, and where they end.
    pub fn records(&self, input: &[u8]) -> (Vec<usize>, usize) {
        let (mut at, mut found) = (self.first_record, Vec::new());
        while input.get(at).is_some_and(|&kind| kind != 0) {
            found.push(at);
            at += self.record;
        }
        (found, at.min(input.len()))
    }

    /// For boards with the sizes of a `verify`, or larger ones, if those are wanted.
    pub fn new(program: &Program, verified: &[(SortId, u32)], sizes: &Sizes) -> Self {
        let mut next = 0;
        let vars = program
            .vars
            .iter()
            .map(|(_, var)| slot(program, var.domain(), &mut next));
        let vars: Vec<_> = vars.collect();
        let after_vars = next;
        let mut longest = 0;
        let mut sorts = Vec::new();
        for (id, sort) in program.sorts.iter() {
            let mut next = 0;
            let fields = sort.fields.iter().map(|&field| {
                let slot = slot(program, program.fields[field].domain(), &mut next);
                restricted(slot, sizes.fields.iter().find(|(of, _)| *of == field))
            });
            let fields = fields.collect();
            longest = longest.max(next);
            sorts.push(SortForm {
                size: size(program, id, verified, sizes),
                fields,
            });
        }
        let readings = program.readings.iter().map(|(id, reading)| {
            let fixed = sizes.readings.iter().find(|(of, _)| *of == id);
            (small(reading.alternatives.len()), fixed.map(|(_, at)| *at))
        });
        let readings: Vec<_> = readings.collect();
        let first_var = 1 + readings.len();
        Self {
            first_var,
            first_record: first_var + after_vars,
            record: RECORD_HEAD + longest,
            readings,
            vars,
            seats: seats(program, &sorts),
            sorts,
        }
    }

    /// The sort of an entity whose record begins with a byte.
    pub fn sort_of(&self, kind: u8) -> SortId {
        let at = usize::from(kind.wrapping_sub(1)) % self.seats.len().max(1);
        self.seats.get(at).map_or(SortId(0), |seat| seat.sort)
    }

    /// The bytes of the plainest variables, in order.
    pub fn plain_vars(&self) -> Vec<u8> {
        self.vars.iter().flatten().map(|slot| slot.plain).collect()
    }

    /// The bytes of the plainest fields of a sort, in order.
    pub fn plain_fields(&self, sort: SortId) -> Vec<u8> {
        let fields = self.sorts.get(sort.index()).map(|sort| &sort.fields);
        let slots = fields.into_iter().flatten().flatten();
        slots.map(|slot| slot.plain).collect()
    }

    /// The byte that says what a variable holds.
    pub fn var_byte(&self, var: VarId) -> Option<usize> {
        let slot = self.vars.get(var.index())?.as_ref().ok()?;
        Some(self.first_var + slot.at)
    }

    /// The byte of a record that says what a field holds.
    pub fn field_byte(&self, sort: SortId, at: usize) -> Option<usize> {
        let slot = self.sorts[sort.index()].fields.get(at)?.as_ref().ok()?;
        Some(RECORD_HEAD + slot.at)
    }
}

impl Values {
    /// A byte that stands for a number, or 0.
    fn byte(&self, number: i64) -> u8 {
        let at = match self {
            Self::Listed(all) => all.iter().position(|one| *one == number).unwrap_or(0) as i64,
            Self::Range(low, high) if high.saturating_sub(*low) <= 255 => number - low,
            Self::Range(..) | Self::Entity(..) => 0,
        };
        u8::try_from(at).unwrap_or(0)
    }

    /// The number that a byte stands for; `None`: there is no value. `entities` says where those of
    /// a sort begin, and how many there are.
    pub fn pick(&self, byte: u8, entities: impl Fn(SortId) -> (usize, usize)) -> Option<i64> {
        match self {
            Self::Listed(all) => all.get(usize::from(byte) % all.len().max(1)).copied(),
            Self::Range(low, high) => {
                let (byte, span) = (i64::from(byte), high.saturating_sub(*low));
                match span {
                    0..=255 => Some(low + byte % (span + 1)),
                    // So many are told apart no longer; both ends are among those that are.
                    _ => Some(low + span / 255 * byte + span % 255 * byte / 255),
                }
            }
            Self::Entity(sort, optional) => {
                let (first, count) = entities(*sort);
                let at = usize::from(byte) % (count + usize::from(*optional)).max(1);
                match (optional, at) {
                    (true, 0) => Some(endstep_kernel::ir::NONE),
                    (true, at) => Some((first + at - 1) as i64),
                    (false, at) => (count > 0).then_some((first + at) as i64),
                }
            }
        }
    }
}

fn small(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

/// What is chosen for a place, or the number that it always has.
fn slot(program: &Program, of: Domain<'_>, next: &mut usize) -> Result<Slot, i64> {
    if let Some(value) = of.starts {
        return Err(number(value));
    }
    let values = match of.ty {
        Type::Int if !of.listed.is_empty() => Values::Listed(
            of.listed
                .iter()
                .flat_map(|&(low, high)| low..=high)
                .collect(),
        ),
        Type::Int => match of.bounds.explore.or(of.bounds.document) {
            Some((low, high)) if low < high => Values::Range(low, high),
            Some((low, _)) => return Err(low),
            None => return Err(number(of.default)),
        },
        Type::Bool => Values::Listed(vec![0, 1]),
        Type::Enum(id) => Values::Range(0, program.enums[id].values.len() as i64 - 1),
        Type::Entity(sort) => Values::Entity(sort, false),
        Type::Optional(sort) => Values::Entity(sort, true),
    };
    let at = *next;
    *next += 1;
    let plain = values.byte(number(of.default));
    Ok(Slot { values, at, plain })
}

fn restricted(slot: Result<Slot, i64>, only: Option<&(FieldId, Vec<Value>)>) -> Result<Slot, i64> {
    let mut slot = slot?;
    if let Some((_, only)) = only {
        slot.values = Values::Listed(only.iter().map(|one| number(*one)).collect());
        slot.plain = 0;
    }
    Ok(slot)
}

/// How many entities there are: as many as asked for; else some more than a `verify` asks for,
/// except of players, and of sorts that it leaves out.
fn size(
    program: &Program,
    id: SortId,
    verified: &[(SortId, u32)],
    sizes: &Sizes,
) -> (usize, usize) {
    let sort = &program.sorts[id];
    let find = |all: &[(SortId, u32)]| all.iter().rev().find(|(of, _)| *of == id).map(|one| one.1);
    let explored = find(verified).unwrap_or(sort.explore.1);
    let usual = match sort.player || explored == 0 || sizes.explored {
        true => explored,
        false => 2 * explored + 2,
    };
    let (mut low, mut high) = (sort.explore.0, find(&sizes.most).unwrap_or(usual));
    if let Some((least, most)) = sort.document {
        (low, high) = (low.max(least), high.min(most));
    }
    (low.min(high) as usize, high as usize)
}

/// Where entities may lie when a run begins.
fn seats(program: &Program, sorts: &[SortForm]) -> Vec<Seat> {
    let mut seats = Vec::new();
    for (sort, form) in program.sorts.ids().zip(sorts) {
        if form.size.1 == 0 {
            continue;
        }
        let zones = program.zones.iter();
        let zones = zones.filter(|(_, zone)| zone.sort == sort && !zone.starts_empty);
        let before = seats.len();
        seats.extend(zones.map(|(id, zone)| {
            let room = [zone.capacity, zone.explore].into_iter().flatten().min();
            Seat {
                sort,
                zone: Some(id),
                per: zone.per,
                room: room.map_or(usize::MAX, |room| room as usize),
            }
        }));
        if seats.len() == before {
            seats.push(Seat {
                sort,
                zone: None,
                per: None,
                room: usize::MAX,
            });
        }
    }
    seats
}
