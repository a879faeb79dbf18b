//! Parts of a system, each run once from any data, and what is asked of all of them.
//!
//! Whatever happens between the beginning of a sequence and any later moment is made of runs of its
//! parts, one after the other and one inside the other. So a relation between data that holds between
//! the beginning of every part and its end, and that can be put together (if it holds from a to b and
//! from b to c, then from a to c), holds between any two ends; where an operation inside a part was not
//! followed, it is taken for granted that the relation holds between before and after: that is the
//! induction over how long the run is.
//!
//! *Background.* C. A. R. Hoare, *An axiomatic basis for computer programming*, CACM 1969; C. B. Jones,
//! rely-guarantee reasoning, 1983; C. Flanagan, K. R. M. Leino, *Houdini, an annotation assistant for
//! ESC/Java*, FME 2001, for candidates of which those are kept that support each other.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::commute::any_board;
use super::context::{Context, Exec};
use super::exec::open_locals;
use super::frame::Frame;
use super::instantiate::instantiate;
use super::loose::procedure;
use super::met::{Inner, Met, Point, Unknown};
use super::reach::{Key, frozen, removes};
use super::state::{Cell, State};
use crate::smt::{Reply, Solver, Term, script};
use endstep_kernel::footprint::{self, Place, Unit};
use endstep_kernel::ir::{Binder, Each, Expr, Function, OpKind, Range, System};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    Cancel, DomainPolicy, EventId, SequenceId, TriggerId, Unfinished,
};
use endstep_verdicts::verdict::{Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

/// More parts are not looked at.
const MOST_PARTS: usize = 400;

/// A part that was run.
pub(super) struct Summary<'s> {
    /// Tells it from others.
    pub number: usize,
    /// Which.
    pub key: Key,
    /// Its terms and facts.
    pub c: Context<'s>,
    /// What there was.
    pub start: State<'s>,
    /// What there is after each statement.
    pub points: Vec<Point<'s>>,
    /// What was not followed.
    pub unknown: Vec<Unknown<'s>>,
    /// What there is at the end.
    pub end: State<'s>,
    /// What may be taken for granted.
    pub assumed: Vec<Term>,
    /// What has to be so for the terms to mean what the rules do.
    pub required: Vec<Term>,
    /// Rules that are not due at the beginning, if they are looked at after every statement.
    pub uncut: BTreeSet<SequenceId>,
    inner: Vec<Inner>,
    values: FxHashMap<(usize, Vec<usize>), Option<Term>>,
    reads: FxHashMap<usize, Vec<Place>>,
}

/// All parts that some parts come to, these included.
pub(super) fn closure<'s>(
    system: &'s System,
    solver: &mut Solver,
    begin: (Vec<Key>, &Rc<BTreeSet<EventId>>),
) -> Result<Vec<Summary<'s>>> {
    all(system, solver, begin, beneath)
}

fn all<'s>(
    system: &'s System,
    solver: &mut Solver,
    (begin, heard): (Vec<Key>, &Rc<BTreeSet<EventId>>),
    beneath: fn(&System, &Key, Inner) -> Key,
) -> Result<Vec<Summary<'s>>> {
    solver.forget();
    let mut known: BTreeMap<Key, usize> = BTreeMap::new();
    let mut todo = begin;
    let mut all = Vec::new();
    let frozen = frozen(system, &todo);
    while let Some(key) = todo.pop() {
        if known.contains_key(&key) {
            continue;
        }
        if all.len() >= MOST_PARTS {
            return Err(Obstacle::Size.into());
        }
        known.insert(key.clone(), all.len());
        let mut ran = run(system, (all.len(), key), (&frozen, heard))?;
        settle_members(&mut ran, solver)?;
        for inner in std::mem::take(&mut ran.inner) {
            todo.push(beneath(system, &ran.key, inner));
        }
        all.push(ran);
    }
    Ok(all)
}

/// The same, but what may cut parts off is left out: for what holds after every statement, cut off or not.
pub(super) fn uncut<'s>(
    system: &'s System,
    solver: &mut Solver,
    (begin, heard): (Vec<Key>, &Rc<BTreeSet<EventId>>),
) -> Result<Vec<Summary<'s>>> {
    let bare = |_: &System, _: &Key, inner| (inner, BTreeSet::new());
    let begin = begin.into_iter().map(|(inner, _)| (inner, BTreeSet::new()));
    all(system, solver, (begin.collect(), heard), bare)
}

/// A part inside of another, with the restart rules that may cut it off. Nothing cuts off what a trigger
/// does, nor what is done before a sequence starts again.
fn beneath(system: &System, (around, cuts): &Key, inner: Inner) -> Key {
    let mut cuts = cuts.clone();
    match inner {
        Inner::Trigger(_) => cuts.clear(),
        Inner::Block(block, Unit::Procedure(id)) => {
            let rule = system.procedures[id].restart.as_ref();
            let within = match around {
                Inner::Element(_, unit) | Inner::Block(_, unit) => *unit == Unit::Procedure(id),
                Inner::Trigger(_) => false,
            };
            let before = rule.and_then(|rule| rule.before);
            if before == Some(block) {
                cuts.remove(&id);
            } else if rule.is_some() && !within {
                cuts.insert(id);
            }
        }
        Inner::Block(..) | Inner::Element(..) => {}
    }
    (inner, cuts)
}

/// The parts of a sequence, as it is performed from nowhere.
pub(super) fn parts(system: &System, id: SequenceId) -> Vec<Key> {
    let nowhere = (Inner::Trigger(TriggerId::from_index(0)), BTreeSet::new());
    let parts = procedure(system, id).into_iter();
    parts
        .map(|inner| beneath(system, &nowhere, inner))
        .collect()
}

/// What a part can change.
pub(super) fn writes(system: &System, inner: Inner) -> BTreeSet<Place> {
    let of_block = |block, unit| {
        let mut all = BTreeSet::new();
        let ops: &Vec<_> = &system.blocks[block].ops;
        for &op in ops {
            all.extend(footprint::of_statement(system, op, unit).writes);
        }
        all
    };
    match inner {
        Inner::Element(stmt, unit) => footprint::of_statement(system, stmt, unit).writes,
        Inner::Block(block, unit) => of_block(block, unit),
        Inner::Trigger(id) => of_block(system.triggers[id].body, Unit::Trigger(id)),
    }
}

fn run<'s>(
    system: &'s System,
    (number, key): (usize, Key),
    (frozen, heard): (&BTreeSet<Place>, &Rc<BTreeSet<EventId>>),
) -> Result<Summary<'s>> {
    let mut c = Context::new(system);
    c.heard = Some(heard.clone());
    c.lasting = system
        .sorts
        .ids()
        .filter(|&sort| !removes(system, sort))
        .collect();
    c.pairs = false;
    let start = any_board(&mut c);
    let unit = match key.0 {
        Inner::Element(_, unit) | Inner::Block(_, unit) => unit,
        Inner::Trigger(id) => Unit::Trigger(id),
    };
    let mut frame = open_locals(&mut c, unit);
    if let Unit::Procedure(id) = unit {
        frame.sequence = Some(id);
    }
    let mut x = Exec::new(&mut c, start.clone(), vec![frame]);
    x.loose = Some(Box::default());
    "any".clone_into(&mut x.whose);
    let always = x.c.terms.truth(true);
    let mut assumed = Vec::new();
    match key.0 {
        Inner::Block(block, _) => x.block(block, always)?,
        Inner::Trigger(id) => {
            assumed.extend(matched(&mut x, id, frozen)?);
            x.block(system.triggers[id].body, always)?;
        }
        Inner::Element(stmt, _) => {
            let OpKind::Each(each) = &system.ops[stmt].kind else {
                return Err(Obstacle::Form.into());
            };
            let element = x.c.any("element", each.binder.ty);
            x.frame_mut()
                .bind(each.binder.local, Some(each.binder.ty), Some(element));
            let here = x.in_turn(each, element)?;
            x.block(each.body, here)?;
        }
    }
    for one in std::mem::take(&mut x.chosen) {
        assumed.push(x.c.terms.implies(one.guard, one.possible));
    }
    let (end, required) = (x.s, x.required);
    let Met {
        points,
        unknown,
        inner,
    } = x.loose.map(|met| *met).unwrap_or_default();
    Ok(Summary {
        number,
        key,
        c,
        start,
        points,
        unknown,
        end,
        assumed,
        required,
        uncut: BTreeSet::new(),
        inner,
        values: FxHashMap::default(),
        reads: FxHashMap::default(),
    })
}

/// That a trigger has matched, if that cannot have changed since.
fn matched<'s>(
    x: &mut Exec<'_, 's>,
    id: TriggerId,
    frozen: &BTreeSet<Place>,
) -> Result<Option<Term>> {
    let system = x.c.system;
    let trigger = &system.triggers[id];
    let Some(condition) = &trigger.condition else {
        return Ok(None);
    };
    let print = footprint::of_matching(system, id);
    let lasts = print.reads.iter().all(|place| frozen.contains(place));
    if !lasts || trigger.listener.is_some() {
        return Ok(None);
    }
    let always = x.c.terms.truth(true);
    let truth = x.strictly(|x| x.truth(condition, always));
    Ok(truth.ok())
}

impl<'s> Exec<'_, 's> {
    /// Whether an element has its turn: what is known of it whatever was done since the iteration began.
    fn in_turn(&mut self, each: &'s Each, element: Term) -> Result<Term> {
        let exact = matches!(each.domain, DomainPolicy::Rechecked | DomainPolicy::Live);
        if !exact {
            return Ok(match super::frame::sort(each.binder.ty) {
                Some(sort) => {
                    let there = self.read(Cell::There(sort), element)?;
                    self.c.terms.is_one(there)
                }
                None => self.c.terms.truth(true),
            });
        }
        let always = self.c.terms.truth(true);
        let of = match &each.binder.range {
            // Whose zone it is was told when the iteration began.
            Range::Zone(zone) if zone.of.is_some() => {
                return Ok(always);
            }
            _ => None,
        };
        match self.strictly(|x| x.belongs(&each.binder, of, element)) {
            Ok(belongs) => Ok(belongs),
            Err(_) => Ok(always),
        }
    }
}

/// Of an iteration that takes its elements once: whether an element that waits for its turn still belongs
/// when it comes, because no turn of another changes that. Then that is taken for granted.
fn settle_members<'s>(ran: &mut Summary<'s>, solver: &mut Solver) -> Result<()> {
    let Inner::Element(stmt, unit) = ran.key.0 else {
        return Ok(());
    };
    let system = ran.c.system;
    let OpKind::Each(each) = &system.ops[stmt].kind else {
        return Ok(());
    };
    let carried = system.procedures.values().iter().any(|one| {
        one.restart
            .as_ref()
            .is_some_and(|rule| !matches!(rule.unfinished, Unfinished::Lost))
    });
    if carried || !matches!(each.domain, DomainPolicy::Snapshot) {
        return Ok(());
    }
    let element = ran.c.any("element", each.binder.ty);
    let other = ran.c.any("another element", each.binder.ty);
    let frame = {
        let mut frame = open_locals(&mut ran.c, unit);
        frame.sequence = None;
        frame
    };
    let (start, end) = (ran.start.clone(), ran.end.clone());
    let own = belongs(&mut ran.c, &start, (&each.binder, element, &frame));
    let before = belongs(&mut ran.c, &start, (&each.binder, other, &frame));
    let after = belongs(&mut ran.c, &end, (&each.binder, other, &frame));
    let (Some(own), Some(before), Some(after)) = (own, before, after) else {
        return Ok(());
    };
    let t = &mut ran.c.terms;
    let same = t.equal(element, other);
    let zero = t.number(0);
    let goes_on = t.equal(end.ended, zero);
    let over = t.not(goes_on);
    let mut stays = vec![after, over];
    if let Some(sort) = super::frame::sort(each.binder.ty) {
        let mut x = Exec::new(&mut ran.c, end, Vec::new());
        let there = x.read(Cell::There(sort), other)?;
        let there = x.c.terms.is_one(there);
        stays.push(x.c.terms.not(there));
    }
    let stays = ran.c.terms.or(&stays);
    let apart = ran.c.terms.not(same);
    let assumed = [own, before, apart];
    if ran.follows(solver, &assumed, stays)?.is_some() {
        ran.assumed.push(own);
    }
    Ok(())
}

/// Whether an entity belongs to what a binder ranges over, seen from a frame in which that is told.
fn belongs<'s>(
    c: &mut Context<'s>,
    state: &State<'s>,
    (binder, entity, frame): (&'s Binder, Term, &Frame),
) -> Option<Term> {
    let mut frame = frame.clone();
    frame.bind(binder.local, Some(binder.ty), Some(entity));
    let mut x = Exec::new(c, state.clone(), vec![frame]);
    // Where something was missing when the iteration began, there are no turns.
    x.lenient = true;
    let always = x.c.terms.truth(true);
    let of = match &binder.range {
        Range::Zone(zone) => match &zone.of {
            // Whose zone it is has to be told by what stays as it is.
            Some(of) if !is_steady(of) => return None,
            _ => x.strictly(|x| x.zone_holder(zone, always)).ok()?,
        },
        _ => None,
    };
    x.strictly(|x| x.belongs(binder, of, entity)).ok()
}

/// Whether an expression is a local: then it means the same later.
fn is_steady(e: &Expr) -> bool {
    matches!(e.kind, endstep_kernel::ir::ExprKind::Local(_))
}

impl<'s> Summary<'s> {
    /// The value of a condition or measure, if it can be told.
    pub fn value(
        &mut self,
        (at, of): (usize, &'s Function),
        counted: bool,
        state: &State<'s>,
    ) -> Option<Term> {
        let key = (at, self.signature((at, of), state));
        if let Some(&known) = self.values.get(&key) {
            return known;
        }
        let left = self.c.terms.truth(false);
        let unit = Unit::Procedure(SequenceId::from_index(0));
        let frame = Frame::new(vec![None; of.locals as usize], &of.params, unit, left);
        let value = {
            let mut x = Exec::new(&mut self.c, state.clone(), vec![frame]);
            let always = x.c.terms.truth(true);
            x.c.counted = counted;
            let value = x.strictly(|x| x.eval(&of.body, always));
            x.c.counted = true;
            value.ok().filter(|_| x.required.is_empty())
        };
        self.values.insert(key, value);
        value
    }

    /// What the value of a condition depends on.
    fn signature(&mut self, (at, of): (usize, &Function), state: &State<'s>) -> Vec<usize> {
        let system = self.c.system;
        let reads = self.reads.entry(at).or_insert_with(|| {
            let print = footprint::of_condition(system, of);
            print.reads.into_iter().collect()
        });
        let mut found = Vec::new();
        let map = |cell| std::rc::Rc::as_ptr(&state.map(system, cell).0).addr();
        for &place in reads.iter() {
            match place {
                Place::Field(field) => found.push(map(Cell::Field(field))),
                Place::Var(var) => found.push(state.vars[var.index()].index()),
                Place::Queue(queue) => found.push(state.queues[queue.index()].index()),
                Place::Zone(zone) => {
                    let sort = system.zones[zone].sort;
                    found.push(map(Cell::Zone(sort)));
                    found.push(map(Cell::Holder(sort)));
                    found.push(map(Cell::Position(sort)));
                    found.push(map(Cell::There(sort)));
                }
                Place::Sort(sort) => found.push(map(Cell::There(sort))),
            }
        }
        // Binders look at whether entities are there.
        for sort in system.sorts.ids() {
            found.push(map(Cell::There(sort)));
        }
        found
    }

    /// Whether the run goes on at the end, or has left what is around the part.
    pub fn goes_on(&mut self) -> Term {
        let system = self.c.system;
        let mut any = Vec::new();
        let zero = self.c.terms.number(0);
        any.push(self.c.terms.equal(self.end.ended, zero));
        for id in system.procedures.ids() {
            let tag = self.c.tag(&format!("left {}", id.index()));
            let tag = self.c.terms.number(tag);
            any.push(self.c.terms.equal(self.end.ended, tag));
        }
        self.c.terms.or(&any)
    }

    /// Where a restart rule may cut the part off: under which condition, and what there is then.
    pub fn cuts(&mut self) -> Result<Vec<(Term, State<'s>)>> {
        let mut found = Vec::new();
        let system = self.c.system;
        let points: Vec<(Term, State<'s>)> = self
            .points
            .iter()
            .map(|one| (one.guard, one.state.clone()))
            .collect();
        let rules: Vec<SequenceId> = self.key.1.iter().copied().collect();
        for id in rules {
            let at_once = self.at_once(id);
            if self.c.terms.is_truth(at_once) == Some(false) {
                continue;
            }
            let start = self.start.clone();
            let was = self.due(id, &start)?;
            for (guard, state) in &points {
                let due = self.due(id, state)?;
                if due == was && self.uncut.contains(&id) {
                    continue;
                }
                let here = self.c.terms.and(&[*guard, at_once, due]);
                if self.c.terms.is_truth(here) != Some(false) {
                    found.push((here, state.clone()));
                }
            }
            // Somewhere inside of what was not followed.
            let reads = footprint::of_restart(system, id).reads;
            let unknown: Vec<(Term, State<'s>)> = self
                .unknown
                .iter()
                .filter(|one| !one.writes.is_disjoint(&reads))
                .map(|one| (one.guard, one.before.clone()))
                .collect();
            for (guard, state) in unknown {
                found.push((self.c.terms.and(&[guard, at_once]), state));
            }
        }
        Ok(found)
    }

    /// Whether a rule is looked at after every statement.
    pub fn at_once(&mut self, id: SequenceId) -> Term {
        let system = self.c.system;
        let rule = system.procedures[id].restart.as_ref();
        match rule.map(|rule| &rule.cancel) {
            Some(cancel) => self.immediately(cancel),
            None => self.c.terms.truth(false),
        }
    }

    fn immediately(&mut self, cancel: &Cancel) -> Term {
        match cancel {
            Cancel::AtOnce => self.c.terms.truth(true),
            Cancel::EndOfStep | Cancel::EndOfPass => self.c.terms.truth(false),
            Cancel::Per(reading, all) => {
                let reading = self.c.reading(*reading);
                let mut any = Vec::new();
                for (at, one) in all.iter().enumerate() {
                    let at = self.c.terms.number(at as i64);
                    let is = self.c.terms.equal(reading, at);
                    let one = self.immediately(one);
                    any.push(self.c.terms.and(&[is, one]));
                }
                self.c.terms.or(&any)
            }
        }
    }

    /// Whether a rule would start its sequence again.
    pub fn due(&mut self, id: SequenceId, state: &State<'s>) -> Result<Term> {
        let system = self.c.system;
        let Some(rule) = &system.procedures[id].restart else {
            return Err(Obstacle::Form.into());
        };
        let frame = open_locals(&mut self.c, Unit::Procedure(id));
        let mut x = Exec::new(&mut self.c, state.clone(), vec![frame]);
        let always = x.c.terms.truth(true);
        x.strictly(|x| x.truth(&rule.when, always))
    }

    /// The question that shows that a goal follows from what is assumed; none if it may not.
    pub fn follows(
        &mut self,
        solver: &mut Solver,
        assumed: &[Term],
        goal: Term,
    ) -> Result<Option<String>> {
        let (asserted, reply) = self.ask(solver, assumed, goal)?;
        Ok(match reply {
            Reply::Unsatisfiable => {
                let comment = format!("{:?}", self.key.0);
                Some(script(&self.c.terms, &asserted, &comment, "unsat"))
            }
            Reply::Satisfiable(_) | Reply::Unknown(_) => None,
        })
    }

    /// What the solver says of data on which all that is assumed is so, and a goal is not.
    pub fn ask(
        &mut self,
        solver: &mut Solver,
        assumed: &[Term],
        goal: Term,
    ) -> Result<(Vec<Term>, Reply)> {
        self.c.check_size()?;
        instantiate(&mut self.c)?;
        let mut asserted = self.assumed.clone();
        asserted.extend(assumed);
        asserted.extend(&self.c.facts);
        asserted.push(self.c.terms.not(goal));
        asserted.sort_unstable();
        asserted.dedup();
        solver.about(self.number);
        let reply = solver.ask(&self.c.terms, &asserted);
        Ok((asserted, reply))
    }
}
