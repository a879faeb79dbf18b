//! Data on which two orders differ, asked for as those of a board with so many entities.
//!
//! ```text
//! size of board > 2     (c0 lies there) + (c1 lies there) + (c2 lies there) > 2, c2 is there only if c1 is, ...
//! ```
//!
//! Whether an entity is there is part of the question, so that one question is about boards of several sizes.

use std::collections::BTreeSet;

use super::commute::{any_board, difference};
use super::context::{Context, Exec};
use super::frame::Frame;
use super::instantiate::instantiate;
use super::state::{ABSENT, Cell, State, name};
use super::{Asked, Result};
use crate::smt::{Node, Symbol, Term, Values};
use endstep_kernel::footprint::{Place, Unit, of_condition};
use endstep_kernel::ir::{Function, System};
use endstep_kernel::lower::number;
use endstep_language::index::Id;
use endstep_language::typing::program::{
    Bounds, FieldId, Program, SequenceId, SortId, Type, Value, VarId, ZoneId,
};
use endstep_verdicts::verdict::{Obstacle, Sketch, Sketched};

/// With more terms nothing is asked.
const MOST_TERMS: usize = 12_000;

/// So many more entities of a sort than boards of the scope have.
const MORE: u32 = 2;

/// Boards with more entities are not asked for.
const MOST_ENTITIES: u32 = 12;

/// A place of boards, and the values that are explored there.
struct Slot {
    term: Term,
    low: i64,
    high: i64,
    /// Whether the two things look at it.
    concerned: bool,
    /// Whether the entity is there that has it.
    there: Option<Term>,
}

/// What is asked.
pub(super) struct Query<'s> {
    pub c: Context<'s>,
    board: State<'s>,
    /// Of each sort: whether each entity that there could be is there.
    pub there: Vec<(SortId, Vec<Term>)>,
    slots: Vec<Slot>,
    pub asserted: Vec<Term>,
}

/// What two things look at.
struct Concerned {
    vars: BTreeSet<VarId>,
    fields: BTreeSet<FieldId>,
    sorts: BTreeSet<SortId>,
}

impl<'s> Query<'s> {
    pub fn new(
        (program, system): (&Program, &'s System),
        Asked { mut c, pair }: Asked<'s>,
        (sizes, begins): (&Sizes, &'s [Function]),
    ) -> Result<Self> {
        let board = any_board(&mut c);
        let differ = difference(&mut c, &board, &pair)?;
        if c.terms.len() > MOST_TERMS {
            return Err(Obstacle::Size.into());
        }
        // Of what is counted somebody is spoken of.
        instantiate(&mut c)?;
        let concerned = concerned(&c, &board, &differ);
        let mut posed = Self {
            c,
            board,
            there: Vec::new(),
            slots: Vec::new(),
            asserted: differ,
        };
        let mut beyond = posed.populate(program, sizes, &concerned)?;
        // What has nothing to do with the two things, defaults can meet.
        let own = |of: &&'s Function| concerned.by(system, of);
        for condition in system.legal.iter().chain(begins).filter(own) {
            let met = posed.condition(condition);
            posed.asserted.extend(met);
            posed.check_size()?;
        }
        for condition in system.explored.iter().filter(own) {
            let met = posed.condition(condition);
            beyond.extend(met.map(|met| posed.c.terms.not(met)));
            posed.check_size()?;
        }
        beyond.extend(posed.crowded(program, &concerned)?);
        posed.exactly()?;
        beyond.extend(posed.values(program, &concerned)?);
        posed.exactly()?;
        let outside = posed.c.terms.or(&beyond);
        posed.asserted.push(outside);
        posed.asserted.extend(&posed.c.facts);
        posed.asserted.sort_unstable();
        posed.asserted.dedup();
        Ok(posed)
    }

    fn check_size(&self) -> Result<()> {
        match self.c.terms.len() > MOST_TERMS {
            true => Err(Obstacle::Size.into()),
            false => Ok(()),
        }
    }

    fn on(&mut self, cell: Cell, at: Term) -> Result<Term> {
        let mut x = Exec::new(&mut self.c, self.board.clone(), Vec::new());
        x.read(cell, at)
    }

    fn is_there(&mut self, sort: SortId, at: Term) -> Result<Term> {
        let there = self.on(Cell::There(sort), at)?;
        Ok(self.c.terms.is_one(there))
    }

    /// The entities that there could be. Whether there are more than on boards of the scope.
    fn populate(
        &mut self,
        program: &Program,
        sizes: &Sizes,
        concerned: &Concerned,
    ) -> Result<Vec<Term>> {
        let mut beyond = Vec::new();
        for &(sort, least, explored) in sizes {
            let document = program.sorts[sort].document;
            let most = document.map_or(u32::MAX, |(_, most)| most);
            let more = match concerned.sorts.contains(&sort) {
                true => MORE,
                false => 0,
            };
            let count = (explored + more).min(most).min(MOST_ENTITIES);
            let mut there = Vec::new();
            for at in 0..count {
                let entity = self.c.terms.number(i64::from(at));
                self.c.seen[sort.index()].push(entity);
                let is = self.is_there(sort, entity)?;
                if let Some(&before) = there.last() {
                    let first = self.c.terms.implies(is, before);
                    self.asserted.push(first);
                }
                if at < least {
                    self.asserted.push(is);
                }
                if at == explored {
                    beyond.push(is);
                }
                there.push(is);
            }
            self.there.push((sort, there));
        }
        Ok(beyond)
    }

    /// Whether a condition is true of the board, if that can be told.
    fn condition(&mut self, of: &'s Function) -> Option<Term> {
        let left = self.c.terms.truth(false);
        let unit = Unit::Procedure(SequenceId::from_index(0));
        let frame = Frame::new(vec![None; of.locals as usize], &of.params, unit, left);
        let mut x = Exec::new(&mut self.c, self.board.clone(), vec![frame]);
        let always = x.c.terms.truth(true);
        let value = x.strictly(|x| x.eval(&of.body, always)).ok()?;
        let met = x.required.is_empty();
        met.then(|| self.c.terms.is_one(value))
    }

    /// Whether more lie in a zone than on boards of the scope.
    fn crowded(&mut self, program: &Program, concerned: &Concerned) -> Result<Vec<Term>> {
        let mut found = Vec::new();
        for (id, zone) in program.zones.iter() {
            let Some(most) = zone
                .explore
                .filter(|_| concerned.sorts.contains(&zone.sort))
            else {
                continue;
            };
            for holder in self.holders(zone.per) {
                let mut shares = Vec::new();
                for at in self.numbers(zone.sort) {
                    let lies = self.lies(zone.sort, at, (id, holder))?;
                    shares.push(self.c.terms.bit(lies));
                }
                let count = self.c.terms.add(&shares);
                let most = self.c.terms.number(i64::from(most));
                found.push(self.c.terms.less(most, count));
            }
        }
        Ok(found)
    }

    fn holders(&mut self, per: Option<SortId>) -> Vec<Option<Term>> {
        match per {
            None => vec![None],
            Some(per) => self.numbers(per).into_iter().map(Some).collect(),
        }
    }

    fn numbers(&mut self, sort: SortId) -> Vec<Term> {
        let count = self.there.iter().find(|(of, _)| *of == sort);
        let count = count.map_or(0, |(_, there)| there.len() as i64);
        (0..count).map(|at| self.c.terms.number(at)).collect()
    }

    fn lies(&mut self, sort: SortId, at: Term, zone: (ZoneId, Option<Term>)) -> Result<Term> {
        let here = self.on(Cell::Zone(sort), at)?;
        let here = self.c.lies_in(here, Some(zone.0.index()));
        let Some(holder) = zone.1 else {
            return Ok(here);
        };
        let of = self.on(Cell::Holder(sort), at)?;
        let same = self.c.terms.equal(of, holder);
        Ok(self.c.terms.and(&[here, same]))
    }

    /// All entities that are spoken of are those of the board, and what is counted is what they give.
    fn exactly(&mut self) -> Result<()> {
        let mut done = 0;
        while done < self.c.totals.len() {
            let total = self.c.totals[done].clone();
            done += 1;
            let mut shares = Vec::new();
            for at in self.numbers(total.sort) {
                let mut x = Exec::new(&mut self.c, total.state.clone(), total.frames.clone());
                x.lenient = total.lenient;
                shares.push(x.strictly(|x| (total.share)(x, at))?);
            }
            let sum = self.c.terms.add(&shares);
            let fact = self.c.terms.equal(total.whole, sum);
            self.c.fact(fact);
            self.check_size()?;
        }
        instantiate(&mut self.c)?;
        let witnesses: BTreeSet<Term> = self.c.totals.iter().map(|one| one.witness).collect();
        for sort in self.c.system.sorts.ids() {
            let count = self.numbers(sort).len() as i64;
            for entity in self.c.seen[sort.index()].clone() {
                let within = self.c.within(entity, Some(ABSENT), Some(count - 1));
                self.c.fact(within);
                if witnesses.contains(&entity) || self.c.terms.is_number(entity).is_some() {
                    continue;
                }
                let absent = self.c.terms.number(ABSENT);
                let nobody = self.c.terms.equal(entity, absent);
                let there = self.is_there(sort, entity)?;
                let fact = self.c.terms.or(&[nobody, there]);
                self.c.fact(fact);
            }
        }
        self.check_size()
    }

    /// Places that are looked at. Whether a value is none that is explored.
    fn values(&mut self, program: &Program, concerned: &Concerned) -> Result<Vec<Term>> {
        let looked_at = self.c.terms.inside(&self.asserted);
        // Vars stand in what is asked itself, or as arguments of what is counted.
        let all = self
            .c
            .terms
            .inside(&[&self.asserted[..], &self.c.facts].concat());
        let read = symbols(&self.c, &all);
        let mut beyond = Vec::new();
        for (id, var) in program.vars.iter() {
            let term = self.board.vars[id.index()];
            let asked = looked_at.binary_search(&term).is_ok();
            if let (Type::Int, None, true) = (var.ty, var.starts, asked) {
                let explored = explored(var.bounds, var.default);
                let own = concerned.vars.contains(&id);
                beyond.extend(self.slot(term, explored, own, None));
            }
        }
        for (sort, there) in self.there.clone() {
            for &field in &self.c.system.sorts[sort].fields {
                let declared = &program.fields[field];
                let system = self.c.system;
                let symbol = self.c.terms.declare(&name(system, Cell::Field(field)), 1);
                if declared.ty != Type::Int || declared.starts.is_some() || !read.contains(&symbol)
                {
                    continue;
                }
                let explored = explored(declared.bounds, declared.default);
                let own = concerned.fields.contains(&field);
                for (at, &is) in there.iter().enumerate() {
                    let entity = self.c.terms.number(at as i64);
                    let term = self.on(Cell::Field(field), entity)?;
                    beyond.extend(self.slot(term, explored, own, Some(is)));
                }
            }
        }
        Ok(beyond)
    }

    fn slot(
        &mut self,
        term: Term,
        (low, high): (i64, i64),
        concerned: bool,
        there: Option<Term>,
    ) -> Option<Term> {
        self.slots.push(Slot {
            term,
            low,
            high,
            concerned,
            there,
        });
        let inside = self.c.within(term, Some(low), Some(high));
        let outside = self.c.terms.not(inside);
        let always = self.c.terms.truth(true);
        concerned.then(|| self.c.terms.and(&[there.unwrap_or(always), outside]))
    }

    /// That values are so near to what is explored; and not below it.
    pub fn near(&mut self, width: i64, below: bool) -> Vec<Term> {
        let mut all = Vec::new();
        for slot in &self.slots {
            let width = if slot.concerned { width } else { 0 };
            let low = match below {
                true => slot.low.saturating_sub(width),
                false => slot.low,
            };
            let high = slot.high.saturating_add(width);
            all.push(self.c.within(slot.term, Some(low), Some(high)));
        }
        all
    }

    /// That there are so many entities at most.
    pub fn few(&mut self, most: usize) -> Vec<Term> {
        let there: Vec<Term> = self
            .there
            .iter()
            .flat_map(|(_, all)| all)
            .copied()
            .collect();
        let bits: Vec<Term> = there.iter().map(|&is| self.c.terms.bit(is)).collect();
        let count = self.c.terms.add(&bits);
        let most = self.c.terms.number(most as i64);
        vec![self.c.terms.at_most(count, most)]
    }

    /// What values say of the board.
    pub fn sketch(&mut self, values: &Values) -> Sketch {
        let system = self.c.system;
        let mut sketch = Sketch::default();
        let told = |c: &Context<'s>, term: Term| {
            let value = values.evaluate(&c.terms, term)?;
            i64::try_from(value).ok()
        };
        for (at, &var) in self.board.vars.iter().enumerate() {
            let value = told(&self.c, var);
            sketch
                .vars
                .extend(value.map(|value| (VarId::from_index(at), value)));
        }
        for (sort, there) in self.there.clone() {
            let count = there.iter().filter(|&&is| told(&self.c, is) == Some(1));
            for number in 0..count.count() as i64 {
                let entity = self.c.terms.number(number);
                let mut value = |cell: Cell| {
                    let symbol = self.c.terms.declare(&name(system, cell), 1);
                    let term = self.c.terms.apply(symbol, &[entity]);
                    told(&self.c, term)
                };
                let fields = system.sorts[sort].fields.iter();
                let fields = fields.filter_map(|&id| Some((id, value(Cell::Field(id))?)));
                let fields = fields.collect();
                let zone = value(Cell::Zone(sort));
                let zone = zone.map(|zone| {
                    let zone = usize::try_from(zone - 1).ok();
                    zone.map(ZoneId::from_index)
                });
                let holder = value(Cell::Holder(sort)).unwrap_or(ABSENT);
                sketch.entities.push(Sketched {
                    sort,
                    number,
                    fields,
                    place: zone.map(|zone| (zone, holder)),
                    position: value(Cell::Position(sort)).unwrap_or(0),
                });
            }
        }
        sketch
    }

    /// That it is not the board that was sketched: what the two things look at is another.
    pub fn another(&mut self, values: &Values) -> Term {
        let told = |c: &Context<'s>, term: Term| {
            let value = values.evaluate(&c.terms, term)?;
            i64::try_from(value).ok()
        };
        let mut looked_at = Vec::new();
        for slot in self.slots.iter().filter(|slot| slot.concerned) {
            let there = slot.there.is_none_or(|is| told(&self.c, is) == Some(1));
            looked_at.extend(there.then_some(slot.term));
        }
        let mut same = Vec::new();
        for (sort, there) in self.there.clone() {
            let system = self.c.system;
            for (at, is) in there.into_iter().enumerate() {
                let entity = self.c.terms.number(at as i64);
                if told(&self.c, is) != Some(1) {
                    same.push(self.c.terms.not(is));
                    continue;
                }
                same.push(is);
                for cell in [Cell::Zone(sort), Cell::Holder(sort)] {
                    let symbol = self.c.terms.declare(&name(system, cell), 1);
                    looked_at.push(self.c.terms.apply(symbol, &[entity]));
                }
            }
        }
        for term in looked_at {
            if let Some(value) = told(&self.c, term) {
                let value = self.c.terms.number(value);
                same.push(self.c.terms.equal(term, value));
            }
        }
        let same = self.c.terms.and(&same);
        self.c.terms.not(same)
    }
}

impl Concerned {
    /// Whether a condition looks at what the two things look at.
    fn by(&self, system: &System, condition: &Function) -> bool {
        let reads = of_condition(system, condition).reads;
        reads.iter().any(|place| match place {
            Place::Field(field) => self.fields.contains(field),
            Place::Var(var) => self.vars.contains(var),
            Place::Sort(sort) => self.sorts.contains(sort),
            Place::Zone(zone) => self.sorts.contains(&system.zones[*zone].sort),
            Place::Queue(_) => false,
        })
    }
}

/// The symbols in terms.
fn symbols(c: &Context<'_>, terms: &[Term]) -> BTreeSet<Symbol> {
    let symbol = |&term: &Term| match c.terms.node(term) {
        Node::Apply(symbol, _) => Some(*symbol),
        _ => None,
    };
    terms.iter().filter_map(symbol).collect()
}

fn concerned(c: &Context<'_>, board: &State<'_>, differ: &[Term]) -> Concerned {
    let system = c.system;
    let inside = c.terms.inside(differ);
    let all = c.terms.inside(&[differ, &c.facts].concat());
    let read = symbols(c, &all);
    let names: BTreeSet<&str> = read.iter().map(|&one| c.terms.symbol(one).0).collect();
    let has = |cell: Cell| names.contains(name(system, cell).as_str());
    let vars = system.vars.ids();
    let vars = vars.filter(|id| inside.binary_search(&board.vars[id.index()]).is_ok());
    let fields: BTreeSet<FieldId> = system
        .fields
        .ids()
        .filter(|&id| has(Cell::Field(id)))
        .collect();
    let sorts = system.sorts.ids().filter(|&sort| {
        let mut own = system.sorts[sort].fields.iter();
        has(Cell::There(sort)) || has(Cell::Zone(sort)) || own.any(|field| fields.contains(field))
    });
    Concerned {
        vars: vars.collect(),
        sorts: sorts.collect(),
        fields,
    }
}

/// The values of an integer place on boards of a scope.
fn explored(bounds: Bounds, default: Value) -> (i64, i64) {
    let only = number(default);
    bounds.explore.or(bounds.document).unwrap_or((only, only))
}

/// How many entities of each sort boards of the scope have.
pub type Sizes = [(SortId, u32, u32)];
