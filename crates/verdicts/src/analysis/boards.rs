//! Enumerates the boards of an instance, smallest first (`docs/semantics.md`, 1.2).
//!
//! ```text
//! Card explore 0 to 2, zones deck, hand; health 0 to 1
//!   0 cards     1 board
//!   1 card      deck or hand, health 0 or 1                        4 boards
//!   2 cards     deck deck, deck hand, hand hand, healths           12 boards
//! ```
//!
//! Where nothing can see the numbers of entities, they are numbered as they lie, so a way of dealing
//! them is a number for each zone; and where nothing but their fields tells them apart (sorts without
//! zones, unordered zones), only the smallest of the boards that differ in their numbering is kept. Of
//! sorts whose numbers can be seen ([`numbered`]) all numberings are enumerated.

mod values;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::job::Job;
use super::numbered::numbered;
use super::options::Options;
use super::sieve::{Sieves, Sifter};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    Concern, EntityId, FieldId, Named, Program, SortId, Type, Value, VarId, ZoneId,
};
use endstep_semantics::semantics::{Data, Entity, Spot, ZoneKey};
use values::values;

/// Of entities to which others refer, groups with more arrangements than this are not told apart from
/// their renumberings.
const MOST_ARRANGEMENTS: usize = 5040;

/// The sizes, values and zones of the boards of an instance.
pub struct Boards<'p> {
    program: &'p Program,
    /// Smallest and largest number of each sort.
    pub sizes: Vec<(SortId, u32, u32)>,
    /// Sorts of which all numberings are enumerated.
    numbered: BTreeSet<SortId>,
    restricted: BTreeMap<FieldId, Vec<Value>>,
    /// Sorts of which somebody says how many there are.
    asked: BTreeSet<SortId>,
    /// What takes all its values; everything if `None`.
    concern: Option<Concern>,
    /// The only board, if there is to be one.
    only: Option<Data>,
    /// So many boards may be refuted by a sieve, one after the other.
    most: u64,
    refuted: Cell<u64>,
    known: Cell<(u64, bool)>,
}

/// A place whose value is chosen.
#[derive(Clone, Copy)]
enum Slot {
    Var(VarId),
    Field(EntityId, usize),
}

/// Visits a board with its number.
pub type Visit<'a> = &'a mut dyn FnMut(u64, &Data) -> ControlFlow<()>;

impl<'p> Boards<'p> {
    /// The boards of a program; `sizes` are the largest numbers that a `verify` asks for.
    pub fn new(program: &'p Program, sizes: &[(SortId, u32)], options: &Options) -> Self {
        let bounds = program.sorts.iter().map(|(id, sort)| {
            let (mut low, mut high) = sort.explore;
            for (of, most) in sizes.iter().chain(&options.sizes) {
                if *of == id {
                    high = *most;
                }
            }
            if let Some((least, most)) = sort.document {
                (low, high) = (low.max(least), high.min(most));
            }
            (id, low.min(high.max(low)), high)
        });
        Self {
            program,
            sizes: bounds.collect(),
            numbered: match options.all_numberings {
                true => program.sorts.ids().collect(),
                false => numbered(program),
            },
            restricted: options.fields.iter().cloned().collect(),
            asked: sizes.iter().map(|(of, _)| *of).collect(),
            concern: None,
            only: options.board.clone(),
            most: options.limits.candidates,
            refuted: Cell::new(0),
            known: Cell::new((1, true)),
        }
    }

    /// Those on which only this takes all its values, and of other sorts there are as few as are explored.
    pub fn about(mut self, concern: Concern) -> Self {
        for (sort, low, high) in &mut self.sizes {
            if !concern.sorts.contains(sort) && !self.asked.contains(sort) {
                *high = *low;
            }
        }
        self.concern = Some(concern);
        self
    }

    /// What of something that is declared in this version alone these boards have nothing to do with.
    pub fn alone(&self, declared: &Named) -> Concern {
        let Some(concern) = &self.concern else {
            return Concern::default();
        };
        let mut alone = Concern::default().and(self.program, declared);
        alone.vars.retain(|id| !concern.vars.contains(id));
        alone.fields.retain(|id| !concern.fields.contains(id));
        let many = |id: &SortId| {
            self.sizes
                .iter()
                .any(|(of, low, high)| of == id && low < high)
        };
        let sorts = &mut alone.sorts;
        sorts.retain(|id| !concern.sorts.contains(id) && !many(id));
        alone
    }

    /// The boards of a job.
    pub fn of(program: &'p Program, job: &Job, options: &Options) -> Self {
        let boards = Self::new(program, &job.sizes, options);
        let mut boards = match options.every_value {
            true => boards,
            false => {
                let concern = Concern::of(program, job.sequence);
                let beside = options.beside.get(&program.sequences[job.sequence].name);
                boards.about(match beside {
                    Some(beside) => concern.and(program, beside),
                    None => concern,
                })
            }
        };
        if let Some(on) = job.on {
            let (board, _) = Data::from_board(program, &program.boards[on]);
            let sorts = program.sorts.ids();
            let many = |sort| board.members(sort).count() as u32;
            boards.sizes = sorts.map(|sort| (sort, many(sort), many(sort))).collect();
            boards.only.get_or_insert(board);
        }
        boards
    }

    /// Calls `visit` with each board and its number, in order of the number of entities, until it
    /// breaks. Boards that a sieve refutes are left out, but have their numbers. How many there are if
    /// nothing breaks.
    pub fn each(&self, sieves: Sieves<'_>, visit: Visit<'_>) -> ControlFlow<(), u64> {
        if let Some(board) = &self.only {
            visit(1, board)?;
            return ControlFlow::Continue(1);
        }
        let mut passed = 0;
        let mut sizes: Vec<Vec<u32>> = vec![Vec::new()];
        for &(_, low, high) in &self.sizes {
            let longer = sizes.iter().flat_map(|counts| {
                (low..=high).map(move |count| [counts.as_slice(), &[count]].concat())
            });
            sizes = longer.collect();
        }
        sizes.sort_by_key(|counts| (counts.iter().sum::<u32>(), counts.clone()));
        for (at, counts) in sizes.iter().enumerate() {
            self.known.set((passed, at + 1 == sizes.len()));
            passed = self.of_size(counts, passed, (sieves, visit))?;
        }
        ControlFlow::Continue(passed)
    }

    fn of_size(
        &self,
        counts: &[u32],
        mut passed: u64,
        (sieves, visit): (Sieves<'_>, Visit<'_>),
    ) -> ControlFlow<(), u64> {
        let bare = self.entities(counts);
        let mut dealt = vec![bare];
        for &(sort, ..) in &self.sizes {
            let more = dealt.iter().flat_map(|data| self.deal(sort, data));
            dealt = more.collect();
        }
        let (known, largest) = self.known.get();
        let known = dealt.iter().fold(known, |known, data| {
            let domains = self.domains(data);
            known.saturating_add(domains.map_or(0, |domains| product(&domains)))
        });
        self.known.set((known, largest));
        for data in dealt {
            passed = self.fill(data, passed, (sieves, visit))?;
        }
        ControlFlow::Continue(passed)
    }

    /// Entities without values, in no zone; all zones, empty.
    fn entities(&self, counts: &[u32]) -> Data {
        let mut data = Data {
            vars: vec![Value::None; self.program.vars.len()],
            queues: vec![Vec::new(); self.program.queues.len()],
            ..Data::default()
        };
        for (&(sort, ..), &count) in self.sizes.iter().zip(counts) {
            let fields = vec![Value::None; self.program.sorts[sort].fields.len()];
            for _ in 0..count {
                data.entities.push(Entity {
                    sort,
                    created: false,
                    removed: false,
                    fields: fields.clone(),
                });
            }
        }
        for (id, zone) in self.program.zones.iter() {
            match zone.per {
                None => {
                    data.zones.insert((id, None), Vec::new());
                }
                Some(owner) => {
                    for one in data.members(owner).collect::<Vec<_>>() {
                        data.zones.insert((id, Some(one)), Vec::new());
                    }
                }
            }
        }
        data
    }

    /// All ways to deal the entities of a sort to its zones.
    fn deal(&self, sort: SortId, data: &Data) -> Vec<Data> {
        let members: Vec<EntityId> = data.members(sort).collect();
        let filled = |zone: &ZoneId| {
            let zone = &self.program.zones[*zone];
            zone.sort == sort && !zone.starts_empty
        };
        if !self.program.zones.ids().any(|zone| filled(&zone)) {
            return vec![data.clone()];
        }
        let places = data.zones.keys().copied();
        let places: Vec<ZoneKey> = places.filter(|(zone, _)| filled(zone)).collect();
        let room: Vec<usize> = places.iter().map(|key| self.room(key.0)).collect();
        let mut ways = Vec::new();
        shares(members.len(), &room, &mut Vec::new(), &mut ways);
        let numberings = match self.numbered.contains(&sort) {
            true => permutations(&members),
            false => vec![members],
        };
        let mut dealt = Vec::new();
        for way in &ways {
            for numbering in &numberings {
                let mut one = data.clone();
                let mut left = numbering.iter().copied();
                let mut lies_once = true;
                for (key, &count) in places.iter().zip(way) {
                    let contents: Vec<EntityId> = left.by_ref().take(count).collect();
                    // In no order, things lie in that of their numbers.
                    lies_once &= !self.program.zones[key.0].unordered || contents.is_sorted();
                    one.zones.insert(*key, contents);
                }
                if lies_once {
                    dealt.push(one);
                }
            }
        }
        dealt
    }

    fn room(&self, zone: ZoneId) -> usize {
        let zone = &self.program.zones[zone];
        let most = [zone.capacity, zone.explore].into_iter().flatten().min();
        most.map_or(usize::MAX, |most| most as usize)
    }

    /// All values of all places, the first place slowest. `passed` boards came before; how many have
    /// then.
    fn fill(
        &self,
        data: Data,
        passed: u64,
        (sieves, visit): (Sieves<'_>, Visit<'_>),
    ) -> ControlFlow<(), u64> {
        let Some(domains) = self.domains(&data) else {
            return ControlFlow::Continue(passed);
        };
        let weights = weights(&domains);
        let all = product(&domains);
        // More than can be numbered by their values are numbered as they come.
        let numbers_fit = all < u64::MAX;
        let mut kept = 0;
        let renumberings = self.renumberings(&data);
        let places = domains.iter().map(|(slot, _)| self.spot(&data, *slot));
        let sifter = sieves(&data).map(|sieve| Sifter::new(sieve, places));
        let mut board = data;
        let mut at = vec![0; domains.len()];
        let mut changed = 0;
        loop {
            for ((slot, values), &index) in domains.iter().zip(&at).skip(changed) {
                match *slot {
                    Slot::Var(var) => board.vars[var.index()] = values[index],
                    Slot::Field(id, field) => {
                        board.entities[id.index()].fields[field] = values[index];
                    }
                }
            }
            // Boards that differ only in places which were not read are refuted with it; most are by the
            // condition that reads the shortest way into the places.
            let refuted = sifter.as_ref().and_then(|one| one.refuted(&board, changed));
            let mut last = refuted.map_or(Some(domains.len()), |end| end.checked_sub(1));
            // And so are boards with the same things in another order.
            let unsorted = renumberings.unsorted(&board);
            if let Some(pair) = unsorted {
                last = last.min(last_of(&domains, pair));
            }
            match refuted.is_some() {
                true => {
                    self.refuted.set(self.refuted.get() + 1);
                    if self.gave_up() {
                        return ControlFlow::Break(());
                    }
                }
                false if unsorted.is_none() && renumberings.keep(&board) => {
                    kept += 1;
                    let number = match numbers_fit {
                        true => at
                            .iter()
                            .zip(&weights)
                            .fold(passed, |number, (&at, &weight)| {
                                number.saturating_add((at as u64).saturating_mul(weight))
                            }),
                        false => passed.saturating_add(kept - 1),
                    };
                    visit(number.saturating_add(1), &board)?;
                }
                false => {}
            }
            let turn = last.and_then(|last| {
                let places = (0..at.len().min(last + 1)).rev();
                places.into_iter().find(|&i| at[i] + 1 < domains[i].1.len())
            });
            let Some(turn) = turn else {
                let here = if numbers_fit { all } else { kept };
                return ControlFlow::Continue(passed.saturating_add(here));
            };
            at[turn] += 1;
            at[turn + 1..].fill(0);
            changed = turn;
        }
    }

    /// How many boards there are of the sizes looked at so far, and whether there are no larger ones.
    pub fn known(&self) -> (u64, bool) {
        self.known.get()
    }

    /// Whether too many boards had to be refuted.
    pub fn gave_up(&self) -> bool {
        self.refuted.get() > self.most
    }

    fn spot(&self, data: &Data, slot: Slot) -> Spot {
        match slot {
            Slot::Var(var) => Spot::Var(var),
            Slot::Field(id, at) => {
                let sort = data.entities[id.index()].sort;
                Spot::Field(id, self.program.sorts[sort].fields[at])
            }
        }
    }

    /// Every place with its values; `None` if one has none.
    fn domains(&self, data: &Data) -> Option<Vec<(Slot, Vec<Value>)>> {
        let mut domains = Vec::new();
        for (id, var) in self.program.vars.iter() {
            let mut values = values(var.domain(), self.program, data);
            self.concern
                .iter()
                .for_each(|one| one.of_var(id, &mut values, var.default));
            domains.push((Slot::Var(id), values));
        }
        for (index, entity) in data.entities.iter().enumerate() {
            for (at, &field) in self.program.sorts[entity.sort].fields.iter().enumerate() {
                let declared = &self.program.fields[field];
                let mut values = values(declared.domain(), self.program, data);
                if let Some(only) = self.restricted.get(&field) {
                    values.retain(|value| only.contains(value));
                }
                self.concern
                    .iter()
                    .for_each(|one| one.of_field(field, &mut values, declared.default));
                domains.push((Slot::Field(EntityId::from_index(index), at), values));
            }
        }
        let empty = domains.iter().any(|(_, values)| values.is_empty());
        (!empty).then_some(domains)
    }

    /// The values that the fields of an entity take on boards, in order of its fields.
    pub fn of_entity(&self, data: &Data, entity: EntityId) -> Option<Vec<Vec<Value>>> {
        let domains = self.domains(data)?.into_iter();
        let own = domains.filter_map(|(slot, values)| match slot {
            Slot::Field(id, _) if id == entity => Some(values),
            _ => None,
        });
        Some(own.collect())
    }

    /// The renumberings that lead to the same board.
    fn renumberings(&self, data: &Data) -> Renumberings {
        let mut orders: Vec<Vec<EntityId>> =
            vec![(0..data.entities.len()).map(EntityId::from_index).collect()];
        let mut sorted = Vec::new();
        for (sort, group) in self.alike(data) {
            if !self.refers(sort) {
                sorted.push(group);
                continue;
            }
            let arrangements = permutations(&group);
            if orders.len().saturating_mul(arrangements.len()) > MOST_ARRANGEMENTS {
                continue;
            }
            let mut more = Vec::new();
            for order in &orders {
                for arrangement in &arrangements {
                    let mut order = order.clone();
                    for (&from, &to) in group.iter().zip(arrangement) {
                        order[from.index()] = to;
                    }
                    more.push(order);
                }
            }
            orders = more;
        }
        orders.retain(|order| order.iter().enumerate().any(|(at, id)| id.index() != at));
        Renumberings { sorted, orders }
    }

    /// Groups of entities that only their fields tell apart, with their sorts.
    fn alike(&self, data: &Data) -> Vec<(SortId, Vec<EntityId>)> {
        let mut groups = Vec::new();
        let sorts = self.sizes.iter().map(|&(sort, ..)| sort);
        for sort in sorts.filter(|sort| !self.numbered.contains(sort)) {
            let lies = |id: &EntityId| data.zones.values().any(|contents| contents.contains(id));
            let nowhere = data.members(sort).filter(|id| !lies(id)).collect();
            groups.push((sort, nowhere));
            for ((zone, _), contents) in &data.zones {
                let zone = &self.program.zones[*zone];
                if zone.unordered && zone.sort == sort {
                    groups.push((sort, contents.clone()));
                }
            }
        }
        groups.retain(|(_, group): &(SortId, Vec<EntityId>)| group.len() > 1);
        groups
    }

    /// Whether places that are chosen lead to entities of a sort, or from them to others: their fields
    /// alone do not say then which of two boards is the smaller.
    fn refers(&self, sort: SortId) -> bool {
        let links = |ty: Type, starts: Option<Value>| match ty {
            Type::Entity(to) | Type::Optional(to) if starts.is_none() => Some(to),
            _ => None,
        };
        let vars = self.program.vars.values().iter();
        let mut vars = vars.filter_map(|var| links(var.ty, var.starts));
        let fields = self.program.fields.values().iter();
        let fields = fields.filter_map(|field| Some((field.sort, links(field.ty, field.starts)?)));
        let numbered = |to: SortId| self.numbered.contains(&to);
        let mut fields = fields.filter(|&(_, to)| !numbered(to));
        vars.any(|to| to == sort) || fields.any(|(from, to)| from == sort || to == sort)
    }
}

/// The renumberings under which boards are one.
struct Renumberings {
    /// Groups to which nothing refers, and which refer to nothing that has no number: of these, those in
    /// order of their fields are kept.
    sorted: Vec<Vec<EntityId>>,
    /// All others, each as the new number of every entity.
    orders: Vec<Vec<EntityId>>,
}

/// Two entities, and how many of their first fields it takes to tell that they would have to change places.
type Pair = (EntityId, EntityId, usize);

impl Renumberings {
    /// Two neighbours of a group that are not in order.
    fn unsorted(&self, board: &Data) -> Option<Pair> {
        let fields = |id: EntityId| &board.entities[id.index()].fields;
        let pairs = self.sorted.iter().flat_map(|group| group.windows(2));
        let mut pairs = pairs.map(|pair| (pair[0], pair[1]));
        pairs.find_map(|(one, other)| {
            let mut both = fields(one).iter().zip(fields(other));
            let at = both.position(|(one, other)| one != other)?;
            (fields(other)[at] < fields(one)[at]).then_some((one, other, at + 1))
        })
    }

    /// Whether no other numbering of a board is smaller whose groups are in order.
    fn keep(&self, board: &Data) -> bool {
        self.orders.iter().all(|order| !smaller(board, order))
    }
}

/// The last place on which it depends whether a pair is in order.
fn last_of(domains: &[(Slot, Vec<Value>)], (one, other, fields): Pair) -> Option<usize> {
    domains.iter().rposition(|(slot, _)| match *slot {
        Slot::Field(id, at) => (id == one || id == other) && at < fields,
        Slot::Var(_) => false,
    })
}

/// How many boards these values make.
fn product(domains: &[(Slot, Vec<Value>)]) -> u64 {
    let counts = domains.iter().map(|(_, values)| values.len() as u64);
    counts.fold(1, u64::saturating_mul)
}

/// How many boards each value of each place makes.
fn weights(domains: &[(Slot, Vec<Value>)]) -> Vec<u64> {
    let mut weights = vec![1_u64; domains.len()];
    for at in (0..domains.len().saturating_sub(1)).rev() {
        weights[at] = weights[at + 1].saturating_mul(domains[at + 1].1.len() as u64);
    }
    weights
}

/// All ways to share out so many among places with so much room, the first place getting most first.
fn shares(count: usize, room: &[usize], done: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    let Some((&first, rest)) = room.split_first() else {
        if count == 0 {
            found.push(done.clone());
        }
        return;
    };
    for here in (0..=count.min(first)).rev() {
        done.push(here);
        shares(count - here, rest, done, found);
        done.pop();
    }
}

fn permutations(items: &[EntityId]) -> Vec<Vec<EntityId>> {
    let mut done: Vec<Vec<EntityId>> = vec![Vec::new()];
    for &item in items {
        let longer = done.iter().flat_map(|order| {
            (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, item);
                order
            })
        });
        done = longer.collect();
        if done.len() > MOST_ARRANGEMENTS {
            break;
        }
    }
    done
}

/// Whether the board with other numbers is smaller than the board itself. Owners of zones keep theirs.
fn smaller(board: &Data, order: &[EntityId]) -> bool {
    let value = |value: Value| match value {
        Value::Entity(id) => Value::Entity(order[id.index()]),
        other => other,
    };
    let mut entities = board.entities.clone();
    for (at, entity) in board.entities.iter().enumerate() {
        let fields = entity.fields.iter().map(|&one| value(one)).collect();
        entities[order[at].index()].fields = fields;
    }
    let vars: Vec<Value> = board.vars.iter().map(|&one| value(one)).collect();
    (&vars, &entities) < (&board.vars, &board.entities)
}

#[cfg(test)]
mod tests;
