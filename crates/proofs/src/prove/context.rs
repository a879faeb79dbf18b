//! What all runs that are compared share: terms, facts, and which entities are spoken of; and a run as data.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::frame::Frame;
use super::met::Met;
use super::state::{ABSENT, Cell, State};
use crate::smt::{Symbol, Term, Terms};
use endstep_kernel::ir::{Domain, Expr, System};
use endstep_language::index::Id;
use endstep_language::typing::program::{EventId, ReadingId, SortId, StmtId, TriggerId, Type};
use endstep_verdicts::verdict::{Obstacle, Refusal};

/// So many terms, and the question is given up.
const MOST_TERMS: usize = 60_000;

/// More expressions than this are not evaluated for one question.
const MOST_EVALUATED: u32 = 500_000;

/// What an entity gives to a sum or count over entities.
pub(super) type Share<'s> = Rc<dyn Fn(&mut Exec<'_, 's>, Term) -> Result<Term, Refusal> + 's>;

/// A sum or count over the entities of a sort of which nothing is known but what single entities give.
#[derive(Clone)]
pub(super) struct Total<'s> {
    /// The whole.
    pub whole: Term,
    /// Over which sort.
    pub sort: SortId,
    /// Whether nobody gives less than nothing.
    pub counts: bool,
    /// An entity that gives something, if one does; of those that count.
    pub witness: Term,
    /// What one gives, as the whole sees it.
    pub share: Share<'s>,
    /// The data that the whole sees.
    pub state: State<'s>,
    /// The locals.
    pub frames: Vec<Frame>,
    /// Whether it does not matter what is missing.
    pub lenient: bool,
}

/// The first or last of a zone.
#[derive(Clone)]
pub(super) struct End<'s> {
    /// Which entity that is.
    pub entity: Term,
    /// Of which sort.
    pub sort: SortId,
    /// Whether an entity lies there.
    pub member: Share<'s>,
    /// Whether it is the first.
    pub first: bool,
    /// The data.
    pub state: State<'s>,
    /// The locals.
    pub frames: Vec<Frame>,
}

/// What was looked at while something was evaluated for any entity.
#[derive(Debug, Default, Clone)]
pub(super) struct Trace {
    /// Cells of that entity.
    pub own: BTreeSet<Cell>,
    /// Cells of others.
    pub others: BTreeSet<Cell>,
    /// Values of variables and locals, in order.
    pub values: Vec<Term>,
}

/// Terms, facts, and the entities that are spoken of.
pub(super) struct Context<'s> {
    /// The system.
    pub system: &'s System,
    /// The terms.
    pub terms: Terms,
    /// What is true on every board.
    pub facts: Vec<Term>,
    stated: BTreeSet<Term>,
    /// Entities that are spoken of, by sort.
    pub seen: Vec<Vec<Term>>,
    /// Sums and counts.
    pub totals: Vec<Total<'s>>,
    /// Firsts and lasts.
    pub ends: Vec<End<'s>>,
    /// What is looked at, if somebody wants to know.
    pub traces: Vec<(Term, Trace)>,
    known: BTreeSet<(Symbol, Term)>,
    /// To what a symbol belongs that says what there is after something unknown, by its number.
    later: BTreeMap<Symbol, u32>,
    /// Whether facts about pairs are needed: no count is less than what two give together.
    pub pairs: bool,
    /// Whether something is to be known of how counts and what single entities give to them compare.
    pub counted: bool,
    /// The events that are announced at all, if that is known.
    pub heard: Option<Rc<BTreeSet<EventId>>>,
    /// Sorts of which nothing is ever removed: what is spoken of is there.
    pub lasting: BTreeSet<SortId>,
    tags: BTreeMap<String, i64>,
    /// Triggers that are being resolved, the innermost last.
    pub active: Vec<TriggerId>,
    exprs: Vec<&'s Expr>,
    /// Of copies of operations: of which each is one. What reads the same in two copies is the same.
    pub twins: BTreeMap<StmtId, StmtId>,
    next: u32,
    /// How many expressions were evaluated.
    evaluated: u32,
}

/// Something that was chosen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chosen {
    /// Under which condition.
    pub guard: Term,
    /// Who decided: a player, or a number of its own for nobody, chance and the players together.
    pub who: Term,
    /// What.
    pub value: Term,
    /// Whether that could be chosen.
    pub possible: Term,
}

/// A run.
pub(super) struct Exec<'c, 's> {
    /// What all runs share.
    pub c: &'c mut Context<'s>,
    /// The data.
    pub s: State<'s>,
    /// The activations, the innermost last.
    pub frames: Vec<Frame>,
    /// What was chosen.
    pub chosen: Vec<Chosen>,
    /// What has to be so for the terms to mean what the rules do.
    pub required: Vec<Term>,
    /// For whom it is done; choices of two are two.
    pub whose: String,
    /// Where the run is.
    pub site: Option<StmtId>,
    /// More than 0: nothing may be missing.
    pub strict: u32,
    /// Whether it does not matter what is missing: who asks knows that nothing is.
    pub lenient: bool,
    /// Whether nothing may be chosen.
    pub alone: bool,
    /// How often it was asked for a choice.
    pub asked: u32,
    /// What was over-approximated by what it may change; `None`: nothing may be.
    pub loose: Option<Box<Met<'s>>>,
}

impl<'s> Context<'s> {
    /// Nothing yet.
    pub fn new(system: &'s System) -> Self {
        Self {
            system,
            terms: Terms::new(),
            facts: Vec::new(),
            stated: BTreeSet::new(),
            seen: vec![Vec::new(); system.sorts.len()],
            totals: Vec::new(),
            ends: Vec::new(),
            traces: Vec::new(),
            known: BTreeSet::new(),
            later: BTreeMap::new(),
            pairs: true,
            counted: true,
            heard: None,
            lasting: BTreeSet::new(),
            tags: BTreeMap::new(),
            active: Vec::new(),
            exprs: Vec::new(),
            twins: BTreeMap::new(),
            next: 0,
            evaluated: 0,
        }
    }

    /// A number that was not used before.
    pub fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// Tells an expression from others that read the same.
    pub fn number_of(&mut self, e: &'s Expr) -> usize {
        let copies = !self.twins.is_empty();
        let text = copies.then(|| format!("{e:?}"));
        let known = self.exprs.iter().position(|&one| {
            std::ptr::eq(one, e)
                || text
                    .as_ref()
                    .is_some_and(|text| format!("{one:?}") == *text)
        });
        known.unwrap_or_else(|| {
            self.exprs.push(e);
            self.exprs.len() - 1
        })
    }

    /// The number of a way to end; 0 is for a run that goes on.
    pub fn tag(&mut self, name: &str) -> i64 {
        let next = i64::try_from(self.tags.len()).unwrap_or(i64::MAX - 1) + 1;
        *self.tags.entry(name.to_owned()).or_insert(next)
    }

    /// Counts an expression; an error if there were too many: a definition costs as much each time it is used.
    pub fn evaluated(&mut self) -> Result<(), Refusal> {
        self.evaluated += 1;
        match self.evaluated > MOST_EVALUATED {
            true => Err(Obstacle::Size.into()),
            false => Ok(()),
        }
    }

    /// Whether there are too many terms.
    pub fn check_size(&self) -> Result<(), Refusal> {
        match self.terms.len() > MOST_TERMS {
            true => Err(Obstacle::Size.into()),
            false => Ok(()),
        }
    }

    /// States a fact.
    pub fn fact(&mut self, fact: Term) {
        if self.terms.is_truth(fact) != Some(true) && self.stated.insert(fact) {
            self.facts.push(fact);
        }
    }

    /// Notes that an entity is spoken of.
    pub fn see(&mut self, sort: SortId, entity: Term) {
        let seen = &mut self.seen[sort.index()];
        if !seen.contains(&entity) && self.terms.is_number(entity).is_none() {
            seen.push(entity);
        }
    }

    /// `low <= term <= high`
    pub fn within(&mut self, term: Term, low: Option<i64>, high: Option<i64>) -> Term {
        let mut all = Vec::new();
        if let Some(low) = low {
            let low = self.terms.number(low);
            all.push(self.terms.at_most(low, term));
        }
        if let Some(high) = high {
            let high = self.terms.number(high);
            all.push(self.terms.at_most(term, high));
        }
        self.terms.and(&all)
    }

    /// Whether a value is one of its type.
    pub fn typed(&mut self, term: Term, ty: Type) -> Term {
        match ty {
            Type::Int => self.terms.truth(true),
            Type::Bool => self.within(term, Some(0), Some(1)),
            Type::Enum(id) => {
                let last = self.system.enums[id].values.len() as i64 - 1;
                self.within(term, Some(0), Some(last))
            }
            Type::Entity(sort) => {
                self.see(sort, term);
                self.within(term, Some(0), None)
            }
            Type::Optional(sort) => {
                self.see(sort, term);
                self.within(term, Some(ABSENT), None)
            }
        }
    }

    /// Whether a value is one that a place can hold.
    pub fn held(&mut self, term: Term, domain: &Domain) -> Term {
        let typed = self.typed(term, domain.ty);
        let (low, high) = match domain.bounds.document {
            Some((low, high)) if domain.ty == Type::Int => (Some(low), Some(high)),
            _ => (None, None),
        };
        let low = match domain.supply {
            true => Some(low.unwrap_or(0).max(0)),
            false => low,
        };
        let within = self.within(term, low, high);
        self.terms.and(&[typed, within])
    }

    /// Which alternative of a reading holds.
    pub fn reading(&mut self, id: ReadingId) -> Term {
        let reading = &self.system.readings[id];
        let term = self.terms.constant(&format!("reading {}", reading.name));
        let fact = self.within(term, Some(0), Some(i64::from(reading.alternatives) - 1));
        self.fact_once(fact);
        term
    }

    /// A named value of a type.
    pub fn any(&mut self, name: &str, ty: Type) -> Term {
        let term = self.terms.constant(name);
        let fact = self.typed(term, ty);
        self.fact_once(fact);
        term
    }

    /// That an entity that somebody remembers is there, if none of its sort is ever removed.
    pub fn lasts(&mut self, ty: Type, value: Term) {
        let (Type::Entity(sort) | Type::Optional(sort)) = ty else {
            return;
        };
        if !self.lasting.contains(&sort) {
            return;
        }
        let cell = Cell::There(sort);
        let name = super::state::name(self.system, cell);
        let symbol = self.terms.declare(&name, 1);
        let there = self.on_board(cell, symbol, value);
        let there = self.terms.is_one(there);
        let absent = self.terms.number(ABSENT);
        let nobody = self.terms.equal(value, absent);
        let fact = self.terms.or(&[there, nobody]);
        self.fact_once(fact);
    }

    /// States a fact unless it was.
    pub fn fact_once(&mut self, fact: Term) {
        self.fact(fact);
    }

    /// What an entity has on the board, with what is known of it.
    pub fn on_board(&mut self, cell: Cell, symbol: Symbol, at: Term) -> Term {
        let value = self.terms.apply(symbol, &[at]);
        if !self.known.insert((symbol, at)) {
            return value;
        }
        let fact = match cell {
            Cell::Field(field) => {
                let system = self.system;
                self.held(value, &system.fields[field].domain)
            }
            Cell::There(_) => self.within(value, Some(0), Some(1)),
            Cell::Zone(sort) => self.zone_fact(sort, (symbol, value), at),
            Cell::Holder(sort) => self.holder_fact(sort, (symbol, value), at),
            Cell::Position(sort) => self.position_fact(sort, (symbol, value), at),
            Cell::Low(_) | Cell::High(_) => self.terms.truth(true),
        };
        self.fact(fact);
        value
    }

    /// What there is of a cell after something unknown; all of where the entities of a sort are becomes
    /// unknown together, so that what is known of boards is known of it.
    pub fn later(&mut self, cell: Cell, number: u32) -> Symbol {
        let name = super::state::name(self.system, cell);
        let symbol = self.terms.declare(&format!("{name} #{number}"), 1);
        self.later.insert(symbol, number);
        symbol
    }

    /// Of the same data as a symbol.
    fn beside(&mut self, symbol: Symbol, cell: Cell, at: Term) -> Term {
        let beside = match self.later.get(&symbol) {
            Some(&number) => self.later(cell, number),
            None => {
                let name = super::state::name(self.system, cell);
                self.terms.declare(&name, 1)
            }
        };
        self.on_board(cell, beside, at)
    }

    /// It lies in a zone of its sort, or nowhere; if it is removed, nowhere.
    fn zone_fact(&mut self, sort: SortId, (symbol, value): (Symbol, Term), at: Term) -> Term {
        let mut one_of = vec![self.lies_in(value, None)];
        for (id, zone) in self.system.zones.iter() {
            if zone.sort == sort {
                one_of.push(self.lies_in(value, Some(id.index())));
            }
        }
        let one_of = self.terms.or(&one_of);
        let nowhere = self.lies_in(value, None);
        let there = self.beside(symbol, Cell::There(sort), at);
        let there = self.terms.is_one(there);
        let present = self.terms.or(&[nowhere, there]);
        self.terms.and(&[one_of, present])
    }

    /// Whether the number of a zone is that of one, or of none.
    pub fn lies_in(&mut self, value: Term, zone: Option<usize>) -> Term {
        let number = zone.map_or(0, |zone| zone as i64 + 1);
        let number = self.terms.number(number);
        self.terms.equal(value, number)
    }

    /// Somebody's zone has a holder, and no other.
    fn holder_fact(&mut self, sort: SortId, (symbol, value): (Symbol, Term), at: Term) -> Term {
        let zone = self.beside(symbol, Cell::Zone(sort), at);
        let mut families = Vec::new();
        for (id, declared) in self.system.zones.iter() {
            if let (true, Some(per)) = (declared.sort == sort, declared.per) {
                families.push(self.lies_in(zone, Some(id.index())));
                self.see(per, value);
            }
        }
        let family = self.terms.or(&families);
        let absent = self.terms.number(ABSENT);
        let nobody = self.terms.equal(value, absent);
        let range = self.within(value, Some(ABSENT), None);
        let somebody = self.terms.not(nobody);
        let same = {
            let one = self.terms.implies(family, somebody);
            let other = self.terms.implies(somebody, family);
            self.terms.and(&[one, other])
        };
        self.terms.and(&[range, same])
    }

    /// Between the ends of its zone, if that is ordered; else 0.
    fn position_fact(&mut self, sort: SortId, (symbol, value): (Symbol, Term), at: Term) -> Term {
        let zone = self.beside(symbol, Cell::Zone(sort), at);
        let holder = self.beside(symbol, Cell::Holder(sort), at);
        let zero = self.terms.number(0);
        let mut all = Vec::new();
        let mut ordered = Vec::new();
        for (id, declared) in self.system.zones.iter() {
            if declared.sort != sort || declared.unordered {
                continue;
            }
            let of = if declared.per.is_some() { holder } else { zero };
            let low = self.beside(symbol, Cell::Low(id), of);
            let high = self.beside(symbol, Cell::High(id), of);
            let here = self.lies_in(zone, Some(id.index()));
            let (above, below) = (self.terms.less(low, value), self.terms.less(value, high));
            let between = self.terms.and(&[above, below]);
            all.push(self.terms.implies(here, between));
            ordered.push(here);
        }
        let ordered = self.terms.or(&ordered);
        let none = self.terms.equal(value, zero);
        all.push(self.terms.or(&[ordered, none]));
        self.terms.and(&all)
    }
}
