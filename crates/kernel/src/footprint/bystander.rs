//! Entities that no part of what is executed ever meets: however many more of them there are, it goes the same way.
//!
//! ```text
//! for each c in board where c.health <= 0        a Card on the board whose health is more than 0 stands by
//!   move c to bottom of discard                  whatever lies in the discard pile stands by
//! ```
//!
//! *Guarantees.* Let some statements be all that any run from a board executes. If to this board entities
//! are added that lie where [`Aside`] says and meet its conditions, and to which nothing on the board refers,
//! the runs are the same one for one, and leave these entities as they are: they pass no filter, nothing
//! chooses, moves, counts or compares them, and nobody looks at what lies next to what where they lie. For no
//! statement binds them, so none writes them, and the conditions, which speak of their own fields alone, stay
//! true. Nothing here depends on how many there are.
//!
//! *Limits.* Conditions are sufficient, not necessary. Of players there are never more. Where a contract
//! stands for a sequence, nothing is said.

use std::collections::{BTreeMap, BTreeSet};

use super::arranged::{placed, units};
use super::block::{alone, types};
use super::expr::Found;
use super::total::{has_no_value, raises};
use super::{of_heading, of_matching, of_restart};
use crate::ir::{
    Binder, Decider, Expr, ExprKind, Fold, Function, NONE, OpKind, Order, Place, Policy, Range,
    Rank, Relation, System,
};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    EventId, FieldId, LocalId, SequenceId, SortId, StmtId, Type, ZoneId,
};

/// What is executed.
#[derive(Debug, Clone)]
pub struct Executed<'a> {
    /// The statements.
    pub stmts: BTreeSet<StmtId>,
    /// What is performed.
    pub root: SequenceId,
    /// What else is looked at.
    pub also: Vec<&'a Function>,
}

/// Where entities stand by.
#[derive(Debug, Clone)]
pub struct Aside {
    /// Of which sort.
    pub sort: SortId,
    /// Where they lie; `None` of sorts without zones.
    pub zone: Option<ZoneId>,
    /// What is so of their own fields.
    pub only: Vec<Atom>,
}

/// A condition on the fields of an entity.
#[derive(Debug, Clone)]
pub struct Atom {
    /// The condition.
    pub expr: Expr,
    /// The local that stands for the entity.
    pub local: LocalId,
    /// Whether it is true of the entity.
    pub holds: bool,
}

impl Atom {
    /// Whether it is so of an entity with these values; `None` if that cannot be told.
    pub fn is_so(&self, system: &System, values: &dyn Fn(FieldId) -> i64) -> Option<bool> {
        let of = BTreeMap::from([(self.local, Mine::Itself)]);
        let value = evaluated(system, &self.expr, &of, values)?;
        Some((value != 0) == self.holds)
    }
}

/// Where entities stand by, for each sort and zone where any can; nothing where that cannot be told.
pub fn aside(system: &System, executed: &Executed<'_>) -> Vec<Aside> {
    let mut met = Met {
        system,
        looks: Vec::new(),
        closed: BTreeSet::new(),
        functions: BTreeSet::new(),
    };
    if met.gather(executed).is_none() {
        return Vec::new();
    }
    let sorts = system
        .sorts
        .ids()
        .filter(|sort| Some(*sort) != system.players);
    sorts.flat_map(|sort| met.of_sort(sort)).collect()
}

/// A look at the elements of a range.
struct Look {
    /// All of a sort, or those of a zone.
    range: Result<SortId, ZoneId>,
    /// What keeps an element out, if anything can.
    out: Option<Vec<Atom>>,
}

struct Met<'s> {
    system: &'s System,
    looks: Vec<Look>,
    /// Zones of which is looked at where something lies, or how much.
    closed: BTreeSet<ZoneId>,
    /// Functions that were gone through.
    functions: BTreeSet<usize>,
}

impl Met<'_> {
    fn of_sort(&self, sort: SortId) -> Vec<Aside> {
        let zones = self.system.zones.iter();
        let zones: Vec<_> = zones.filter(|(_, zone)| zone.sort == sort).collect();
        let places: Vec<Option<ZoneId>> = match zones.is_empty() {
            true => vec![None],
            false => {
                let open = zones.iter().filter(|(id, zone)| {
                    !zone.starts_empty && zone.capacity.is_none() && !self.closed.contains(id)
                });
                open.map(|(id, _)| Some(*id)).collect()
            }
        };
        let aside = places.into_iter().filter_map(|zone| {
            let mut only: Vec<Atom> = Vec::new();
            for look in &self.looks {
                let is_met = match look.range {
                    Ok(of) => of == sort,
                    Err(of) => Some(of) == zone,
                };
                if is_met {
                    only.extend(look.out.clone()?);
                }
            }
            let mut seen = BTreeSet::new();
            only.retain(|atom| seen.insert((atom.expr.span, atom.holds)));
            Some(Aside { sort, zone, only })
        });
        aside.collect()
    }

    /// All that is looked at; `None` if it cannot be told.
    fn gather(&mut self, executed: &Executed<'_>) -> Option<()> {
        let mut procedures = BTreeSet::from([executed.root]);
        let mut events: BTreeSet<EventId> = BTreeSet::new();
        let mut todo: Vec<StmtId> = executed.stmts.iter().copied().collect();
        let mut seen: BTreeSet<StmtId> = BTreeSet::new();
        let units = units(self.system);
        let placed = placed(self.system, &units);
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            let op = &self.system.ops[id].kind;
            // The state raises events for whatever is there.
            if raises(self.system, op) {
                return None;
            }
            let mut found = Found::new(self.system, types(self.system, *units.get(&id)?));
            found.placed = placed.get(&id).copied();
            alone(&mut found, op);
            self.closed.extend(found.footprint.arranged);
            self.op(op)?;
            match op {
                OpKind::Call(sequence, _) => {
                    procedures.insert(*sequence);
                }
                OpKind::Announce(event, _) => {
                    events.insert(*event);
                }
                // What is done together is not executed one after the other.
                OpKind::Atomic(block) => {
                    let mut inner = vec![*block];
                    while let Some(block) = inner.pop() {
                        for &op in &self.system.blocks[block].ops {
                            todo.push(op);
                            inner.extend(self.system.ops[op].kind.blocks());
                        }
                    }
                }
                _ => {}
            }
        }
        for id in procedures {
            self.procedure(id)?;
        }
        for id in events {
            self.event(id);
        }
        for function in &executed.also {
            let mut found = Found::new(self.system, &function.params);
            found.expr(&function.body);
            self.closed.extend(found.footprint.arranged);
            self.expr(&function.body);
        }
        Some(())
    }

    fn procedure(&mut self, id: SequenceId) -> Option<()> {
        let procedure = &self.system.procedures[id];
        if procedure.contract {
            return None;
        }
        for part in [of_heading(self.system, id), of_restart(self.system, id)] {
            self.closed.extend(part.arranged);
        }
        // What a step has to ensure is looked at when it ends, and may have no value.
        let steps = procedure.steps.iter().map(|&step| &self.system.steps[step]);
        let ensured: Vec<&Expr> = steps
            .flat_map(|step| &step.ensures)
            .chain(&procedure.ensures)
            .collect();
        let mut found = Found::new(self.system, &procedure.types);
        found.exprs(ensured.iter().copied());
        self.closed.extend(found.footprint.arranged);
        for e in ensured {
            self.expr(e);
        }
        if let Some((binder, order, _)) = &procedure.over {
            self.binder(binder, None);
            self.order(order);
        }
        if let Some((by, _)) = &procedure.free {
            self.decider(by);
        }
        if let Some(restart) = &procedure.restart {
            self.expr(&restart.when);
        }
        Some(())
    }

    fn event(&mut self, id: EventId) {
        let event = &self.system.events[id];
        if let Some(order) = &event.listeners {
            self.order(order);
        }
        for &trigger in &event.triggers {
            self.closed
                .extend(of_matching(self.system, trigger).arranged);
            let trigger = &self.system.triggers[trigger];
            if let Some(listener) = &trigger.listener {
                self.binder(listener, trigger.condition.as_ref().map(|e| (e, false)));
            }
            if let Some(condition) = &trigger.condition {
                self.expr(condition);
            }
        }
    }

    fn op(&mut self, op: &OpKind) -> Option<()> {
        for e in op.exprs() {
            self.expr(e);
        }
        match op {
            OpKind::Each(each) => {
                self.binder(&each.binder, None);
                self.order(&each.order);
            }
            OpKind::ChooseElement(binder, by) => {
                self.binder(binder, None);
                self.decider(by);
            }
            OpKind::Distribute { binder, by, .. } => {
                self.binder(binder, None);
                self.decider(by);
            }
            OpKind::ChooseNumber { by, .. } | OpKind::ChooseBlock(_, by) => self.decider(by),
            OpKind::Cases {
                policy: Policy::Chosen(by),
                ..
            } => self.decider(by),
            OpKind::MoveAll(zone, _) | OpKind::Shuffle(zone) => {
                self.closed.insert(zone.zone);
            }
            // Any of them can become the value.
            OpKind::ChooseValue {
                ty: Type::Entity(_) | Type::Optional(_),
                ..
            } => return None,
            _ => {}
        }
        let places = match op {
            OpKind::Set(place, _)
            | OpKind::Add { place, .. }
            | OpKind::Distribute { into: place, .. }
            | OpKind::ChooseValue { place, .. } => vec![place],
            OpKind::Transfer { from, to, .. } => vec![from, to],
            _ => Vec::new(),
        };
        for place in places {
            if let Place::Field(of, ..) = place {
                self.expr(of);
            }
        }
        Some(())
    }

    fn order(&mut self, order: &Order) {
        match order {
            Order::Any | Order::Own => {}
            Order::Ranked(ranked) => {
                self.expr(&ranked.key);
                if let Rank::Turn {
                    from: Some(from), ..
                } = &ranked.by
                {
                    self.expr(from);
                }
                self.order(&ranked.then);
            }
            Order::Chosen(by) => self.decider(by),
            Order::Zone { from, .. } | Order::Players { from, .. } => {
                if let Some(from) = from {
                    self.expr(from);
                }
            }
            Order::Per(_, all) => {
                for one in all {
                    self.order(one);
                }
            }
        }
    }

    fn decider(&mut self, by: &Decider) {
        if let Decider::Player(e) = by {
            self.expr(e);
        }
    }

    /// Elements of a binder, of which only those count that pass its filter, and for which another
    /// condition is not as it has to be to be kept out.
    fn binder(&mut self, binder: &Binder, also: Option<(&Expr, bool)>) {
        if let Some(filter) = &binder.filter {
            self.expr(filter);
        }
        let of = &BTreeMap::from([(binder.local, Mine::Itself)]);
        let refuted = |e: &Expr, as_: bool| forced(self.system, e, as_, of, binder.local);
        let mut out = binder.filter.as_ref().and_then(|e| refuted(e, false));
        let is_total = |e: &Expr| !has_no_value(self.system, e);
        if out.is_none() && binder.filter.as_deref().is_none_or(is_total) {
            out = also.and_then(|(e, as_)| refuted(e, as_));
        }
        let range = match &binder.range {
            Range::Sort(sort) => Ok(*sort),
            Range::Zone(zone) => {
                if let Some(of) = &zone.of {
                    self.expr(of);
                }
                Err(zone.zone)
            }
            Range::Enum(..) | Range::Bool => return,
        };
        self.looks.push(Look { range, out });
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Fold(fold, binder, operand) => {
                let also = match (fold, operand) {
                    (Fold::Every, Some(operand)) => Some((&**operand, true)),
                    (Fold::Some, Some(operand)) => Some((&**operand, false)),
                    _ => None,
                };
                self.binder(binder, also);
                if let Some(operand) = operand {
                    self.expr(operand);
                }
                return;
            }
            ExprKind::Endmost(_, binder) => {
                self.binder(binder, None);
                return;
            }
            ExprKind::Size(zone) | ExprKind::EndOf(_, zone) => {
                self.closed.insert(zone.zone);
            }
            ExprKind::Continuous(id, _) | ExprKind::Solutions(id, _) => {
                for &one in self.system.functions[*id].group() {
                    if self.functions.insert(one.index()) {
                        let function = &self.system.functions[one];
                        let looked = function.of().map(Ok);
                        let looked = looked.map(|range| Look { range, out: None });
                        self.looks.extend(looked);
                        self.expr(&function.body);
                    }
                }
            }
            ExprKind::Call(id, _) if self.functions.insert(id.index()) => {
                self.expr(&self.system.functions[*id].body);
            }
            _ => {}
        }
        for child in e.children() {
            self.expr(child);
        }
    }
}

/// What a local is, seen from an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mine {
    /// The entity.
    Itself,
    /// What follows from its fields.
    Value(i64),
}

/// What locals are; those that are not listed are something else.
type Locals = BTreeMap<LocalId, Mine>;

/// Whether an expression speaks of nothing but the fields of an entity, and always has a value.
fn is_own(system: &System, e: &Expr, of: &Locals) -> bool {
    fn own(system: &System, e: &Expr, of: &Locals) -> bool {
        match &e.kind {
            ExprKind::Const(_) => true,
            ExprKind::Local(local) => matches!(of.get(local), Some(Mine::Value(_))),
            ExprKind::Field(base, _) => {
                matches!(&base.kind, ExprKind::Local(local) if of.get(local) == Some(&Mine::Itself))
            }
            ExprKind::Call(id, args) => {
                let inner: Locals = parameters(args, of);
                let is_known = |(at, arg): (usize, &Expr)| {
                    inner.get(&LocalId::from_index(at)) == Some(&Mine::Itself)
                        || own(system, arg, of)
                };
                args.iter().enumerate().all(is_known)
                    && own(system, &system.functions[*id].body, &inner)
            }
            ExprKind::Unwrap(_)
            | ExprKind::Not(_)
            | ExprKind::Negate(_)
            | ExprKind::Compare(..)
            | ExprKind::Compute(..)
            | ExprKind::Clamp(..)
            | ExprKind::Half(..)
            | ExprKind::If(..) => e.children().into_iter().all(|one| own(system, one, of)),
            _ => false,
        }
    }
    own(system, e, of) && !has_no_value(system, e)
}

/// What the parameters of a function are, applied to these.
fn parameters(args: &[Expr], of: &Locals) -> Locals {
    let args = args.iter().enumerate();
    args.map(|(at, arg)| {
        let mine = match &arg.kind {
            ExprKind::Local(local) if of.get(local) == Some(&Mine::Itself) => Mine::Itself,
            _ => Mine::Value(0),
        };
        (LocalId::from_index(at), mine)
    })
    .collect()
}

/// Conditions on the fields of an entity under which a condition is as wanted, whatever else is so; the
/// fewest that are found.
fn forced(
    system: &System,
    e: &Expr,
    wanted: bool,
    of: &Locals,
    local: LocalId,
) -> Option<Vec<Atom>> {
    if let ExprKind::Const(value) = e.kind {
        return ((value != 0) == wanted).then(Vec::new);
    }
    if is_own(system, e, of) {
        let expr = e.clone();
        return Some(vec![Atom {
            expr,
            local,
            holds: wanted,
        }]);
    }
    let inner = |e: &Expr, wanted| forced(system, e, wanted, of, local);
    match &e.kind {
        ExprKind::Not(e) => inner(e, !wanted),
        ExprKind::If(condition, yes, no) => {
            let both = |one: Option<Vec<Atom>>, other: Option<Vec<Atom>>| {
                let (mut one, other) = (one?, other?);
                one.extend(other);
                Some(one)
            };
            let either = match has_no_value(system, condition) {
                true => None,
                false => both(inner(yes, wanted), inner(no, wanted)),
            };
            let ways = [
                both(inner(condition, false), inner(no, wanted)),
                both(inner(condition, true), inner(yes, wanted)),
                either,
            ];
            ways.into_iter().flatten().min_by_key(Vec::len)
        }
        ExprKind::Per(_, all) => {
            let all = all.iter().map(|one| inner(one, wanted));
            all.collect::<Option<Vec<_>>>().map(|all| all.concat())
        }
        ExprKind::Call(id, args) => {
            let at = args.iter().position(
                |arg| matches!(&arg.kind, ExprKind::Local(local) if of.get(local) == Some(&Mine::Itself)),
            )?;
            if args.iter().any(|arg| has_no_value(system, arg)) {
                return None;
            }
            let param = LocalId::from_index(at);
            let of = BTreeMap::from([(param, Mine::Itself)]);
            forced(system, &system.functions[*id].body, wanted, &of, param)
        }
        _ => None,
    }
}

/// The value of an expression that speaks only of an entity's fields; `None` of other ones.
fn evaluated(
    system: &System,
    e: &Expr,
    of: &Locals,
    values: &dyn Fn(FieldId) -> i64,
) -> Option<i64> {
    let inner = |e: &Expr| evaluated(system, e, of, values);
    Some(match &e.kind {
        ExprKind::Const(value) => *value,
        ExprKind::Local(local) => match of.get(local)? {
            Mine::Value(value) => *value,
            Mine::Itself => return None,
        },
        ExprKind::Field(base, field) => match &base.kind {
            ExprKind::Local(local) if of.get(local) == Some(&Mine::Itself) => values(*field),
            _ => return None,
        },
        ExprKind::Unwrap(e) => inner(e).filter(|value| *value != NONE)?,
        ExprKind::Not(e) => i64::from(inner(e)? == 0),
        ExprKind::Negate(e) => inner(e)?.checked_neg()?,
        ExprKind::Compare(relation, one, other) => {
            let (one, other) = (inner(one)?, inner(other)?);
            i64::from(match relation {
                Relation::Equal => one == other,
                Relation::NotEqual => one != other,
                Relation::Less => one < other,
                Relation::LessEqual => one <= other,
                Relation::Greater => one > other,
                Relation::GreaterEqual => one >= other,
            })
        }
        ExprKind::If(condition, yes, no) => match inner(condition)? != 0 {
            true => inner(yes)?,
            false => inner(no)?,
        },
        ExprKind::Call(id, args) => {
            let mut params = parameters(args, of);
            for (at, arg) in args.iter().enumerate() {
                if let Some(mine @ Mine::Value(_)) = params.get_mut(&LocalId::from_index(at)) {
                    *mine = Mine::Value(inner(arg)?);
                }
            }
            evaluated(system, &system.functions[*id].body, &params, values)?
        }
        _ => return None,
    })
}
