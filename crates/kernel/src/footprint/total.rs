//! Whether an operation always comes to its end, so that what follows is reached.
//!
//! An operation fails to complete where something has no value, a bound of the document is left, no
//! case holds, something cannot be chosen, or where it ends a run or goes on for ever. Bounds of
//! exploration (reach, headroom, length of a queue) do not count: a run that meets them says nothing.
//!
//! Whether a bound can be left is told by intervals: what a place can hold lies within the
//! document's bounds, so `set health to clamp(health - harm, 0, 5)` stays within `0..5`.
//!
//! *Background.* P. Cousot, R. Cousot, *Static determination of dynamic properties of programs*, 1976.

use std::collections::BTreeSet;

use crate::ir::{
    Compute, Decider, Domain, Each, Expr, ExprKind, Fold, OpKind, Order, Place, Policy, Rank,
    System, Target, ZoneRef,
};
use endstep_language::typing::program::{DefineId, DomainPolicy, SequenceId, Type};

/// Whether the state may raise an event where an operation has been done, or the run stop there since it cannot
/// be told: a condition that has a value before, and of which nothing changes, has the same value after.
pub fn raises(system: &System, op: &OpKind) -> bool {
    let events = system.events.values().iter();
    let mut conditions = events.filter_map(|event| event.whenever.as_ref());
    system.is_watched_at(op)
        && (!system.raised_by(op).is_empty()
            || conditions.any(|whenever| has_no_value(system, &whenever.condition)))
}

/// Whether an operation may fail to complete, apart from what stands inside and what it comes to.
pub(super) fn may_fail(system: &System, op: &OpKind) -> bool {
    let no = |e: &Expr| has_no_value(system, e);
    if raises(system, op) {
        return true;
    }
    match op {
        OpKind::Skip | OpKind::Meet(_) | OpKind::Pass | OpKind::Switch(..) => false,
        OpKind::Let(..)
        | OpKind::Remove(..)
        | OpKind::Set(..)
        | OpKind::Add { .. }
        | OpKind::Transfer { .. }
        | OpKind::Move(..)
        | OpKind::MoveAll(..)
        | OpKind::Shuffle(_)
        | OpKind::Create { .. } => change_fails(system, op),
        OpKind::Announce(event, args) => {
            let event = &system.events[*event];
            let triggers = event.triggers.iter().map(|&id| &system.triggers[id]);
            let mut matching = triggers.flat_map(|one| {
                let listener = one.listener.iter().flat_map(|binder| binder.children());
                listener.chain(&one.condition)
            });
            args.iter().any(no)
                || matching.any(no)
                || event
                    .listeners
                    .as_ref()
                    .is_some_and(|order| unsettled(system, order))
        }
        OpKind::If(arms, _) => arms.iter().any(|(guard, _)| no(guard)),
        OpKind::Cases {
            policy,
            arms,
            otherwise,
        } => {
            let settled = match policy {
                Policy::InOrder => true,
                Policy::Chosen(by) => !undecided(system, by),
                Policy::Exclusive => false,
            };
            !settled || otherwise.is_none() || arms.iter().any(|(guard, _)| no(guard))
        }
        OpKind::Each(each) => iterates_badly(system, each),
        // An option without a condition is always there.
        OpKind::ChooseBlock(arms, by) => {
            let guards = arms.iter().map(|arm| arm.guard.as_ref());
            undecided(system, by)
                || guards.clone().all(|guard| guard.is_some())
                || guards.flatten().any(no)
        }
        OpKind::Call(_, args) => args.iter().any(no),
        OpKind::Atomic(_)
        | OpKind::Repeat(..)
        | OpKind::ChooseElement(..)
        | OpKind::ChooseNumber { .. }
        | OpKind::Distribute { .. }
        | OpKind::ChooseValue { .. }
        | OpKind::Resolve { .. }
        | OpKind::Leave(_)
        | OpKind::GoTo(_)
        | OpKind::Stop(_) => true,
    }
}

/// The same of an operation that binds or changes something.
fn change_fails(system: &System, op: &OpKind) -> bool {
    let no = |e: &Expr| has_no_value(system, e);
    match op {
        OpKind::Let(_, e) | OpKind::Remove(e, _) => no(e),
        OpKind::Set(to, e) => no(e) || unplaced(system, to) || leaves(system, to, of(system, e)),
        OpKind::Add {
            place,
            sign,
            by,
            bound,
        } => {
            let sum = sum(system, place, *sign, (by, bound.as_ref()));
            no(by)
                || bound.as_ref().is_some_and(no)
                || unplaced(system, place)
                || leaves(system, place, sum)
        }
        OpKind::Transfer { amount, from, to } => {
            let bounded = |place: &Place| leaves(system, place, Interval::ALL);
            // A negative amount is a gap.
            no(amount)
                || of(system, amount).low < 0
                || [from, to]
                    .into_iter()
                    .any(|place| unplaced(system, place) || bounded(place))
        }
        OpKind::Move(e, to) => no(e) || no_room(system, to),
        OpKind::MoveAll(zone, to) => not_there(system, zone) || no_room(system, to),
        OpKind::Shuffle(zone) => not_there(system, zone),
        OpKind::Create { target, with, .. } => {
            let bad = |(field, e): &(_, Expr)| {
                no(e) || outside(&system.fields[*field].domain, of(system, e))
            };
            with.iter().any(bad) || target.as_ref().is_some_and(|to| no_room(system, to))
        }
        _ => true,
    }
}

/// Whether something around the blocks of a procedure may fail: its places, who decides on the order
/// of its steps, what they ensure.
pub fn heading_may_fail(system: &System, id: SequenceId) -> bool {
    let procedure = &system.procedures[id];
    let no = |e: &Expr| has_no_value(system, e);
    let steps = procedure.steps.iter().map(|&step| &system.steps[step]);
    let mut ensured = steps.flat_map(|step| &step.ensures);
    let over = procedure.over.as_ref();
    let free = procedure.free.as_ref();
    ensured.any(no)
        || procedure.ensures.iter().any(no)
        || free.is_some_and(|(by, _)| undecided(system, by))
        || over.is_some_and(|(binder, order, _)| {
            unsettled(system, order) || binder.children().into_iter().any(no)
        })
}

/// Whether an iteration may not come to an end, or not begin.
pub fn iterates_badly(system: &System, each: &Each) -> bool {
    fn finite(domain: &DomainPolicy) -> bool {
        match domain {
            DomainPolicy::Snapshot | DomainPolicy::Rechecked => true,
            DomainPolicy::Live | DomainPolicy::LiveByPosition | DomainPolicy::UntilAllPass => false,
            DomainPolicy::Per(_, all) => all.iter().all(finite),
        }
    }
    let mut parts = each.binder.children().into_iter();
    !finite(&each.domain)
        || unsettled(system, &each.order)
        || parts.any(|e| has_no_value(system, e))
}

/// Whether an order may not be told.
pub fn unsettled(system: &System, order: &Order) -> bool {
    match order {
        Order::Any | Order::Own => false,
        Order::Ranked(ranked) => {
            let from = match &ranked.by {
                Rank::Turn { from, .. } => from.as_ref(),
                Rank::Smallest | Rank::Largest => None,
            };
            let mut looked_at = from.into_iter().chain([&ranked.key]);
            looked_at.any(|e| has_no_value(system, e)) || unsettled(system, &ranked.then)
        }
        Order::Chosen(by) => undecided(system, by),
        Order::Zone { from, .. } | Order::Players { from, .. } => {
            from.as_ref().is_some_and(|e| has_no_value(system, e))
        }
        Order::Per(_, all) => all.iter().any(|one| unsettled(system, one)),
    }
}

fn undecided(system: &System, by: &Decider) -> bool {
    match by {
        Decider::Player(e) => has_no_value(system, e),
        Decider::Everyone | Decider::Chance | Decider::Nobody => false,
    }
}

/// Whether the place written is found through something without a value.
fn unplaced(system: &System, place: &Place) -> bool {
    match place {
        Place::Var(..) => false,
        Place::Field(e, ..) => has_no_value(system, e),
    }
}

fn not_there(system: &System, zone: &ZoneRef) -> bool {
    zone.of.as_ref().is_some_and(|e| has_no_value(system, e))
}

fn no_room(system: &System, to: &Target) -> bool {
    match to {
        Target::Zone(_, zone) => {
            system.zones[zone.zone].capacity.is_some() || not_there(system, zone)
        }
        // It may lie nowhere.
        Target::Beside(..) => true,
    }
}

/// Whether an expression may have no value. Numbers are as large as they need to be: leaving 64 bits
/// is a limit of exploration.
pub(super) fn has_no_value(system: &System, e: &Expr) -> bool {
    // A chain of functions each of which uses the one before twice is gone through once.
    let mut seen: BTreeSet<DefineId> = BTreeSet::new();
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        if may_lack(&e.kind) {
            return true;
        }
        if let ExprKind::Call(id, _) = &e.kind
            && seen.insert(*id)
        {
            todo.push(&system.functions[*id].body);
        }
        todo.extend(e.children());
    }
    false
}

/// Whether there may be no value although there are those that it is made from.
pub(super) fn may_lack(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Unwrap(_)
        | ExprKind::Continuous(..)
        | ExprKind::EndOf(..)
        | ExprKind::Endmost(..)
        | ExprKind::Half(_, None)
        | ExprKind::Fold(Fold::Largest | Fold::Smallest, ..)
        | ExprKind::Turn { .. }
        | ExprKind::Holder(_)
        | ExprKind::Neighbour(..) => true,
        ExprKind::Compute(compute, _, by) => compute.lacks_with(by),
        ExprKind::Const(_)
        | ExprKind::Local(_)
        | ExprKind::Var(_)
        | ExprKind::Call(..)
        | ExprKind::Solutions(..)
        | ExprKind::Field(..)
        | ExprKind::Not(_)
        | ExprKind::Negate(_)
        | ExprKind::Compare(..)
        | ExprKind::Clamp(..)
        | ExprKind::Half(_, Some(_))
        | ExprKind::If(..)
        | ExprKind::IsRemoved(_)
        | ExprKind::IsIn(..)
        | ExprKind::Beside(..)
        | ExprKind::Size(_)
        | ExprKind::Pending(_)
        | ExprKind::ReadingIs(..)
        | ExprKind::Per(..)
        | ExprKind::Fold(Fold::Count | Fold::Sum | Fold::Every | Fold::Some, ..)
        | ExprKind::Old(_) => false,
    }
}

/// Between which numbers something lies; far ones stand for any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Interval {
    low: i128,
    high: i128,
}

impl Interval {
    const ALL: Self = Self {
        low: i128::MIN,
        high: i128::MAX,
    };

    const fn at(value: i64) -> Self {
        Self {
            low: value as i128,
            high: value as i128,
        }
    }

    fn plus(self, other: Self) -> Self {
        let add = |a: i128, b: i128, none| match (a, b) {
            _ if a == none || b == none => none,
            _ => a.saturating_add(b),
        };
        Self {
            low: add(self.low, other.low, i128::MIN),
            high: add(self.high, other.high, i128::MAX),
        }
    }

    fn negated(self) -> Self {
        let turn = |one: i128| match one {
            i128::MIN => i128::MAX,
            i128::MAX => i128::MIN,
            other => -other,
        };
        Self {
            low: turn(self.high),
            high: turn(self.low),
        }
    }

    fn min(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.min(other.high),
        }
    }

    fn max(self, other: Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.max(other.high),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}

/// The numbers that a domain has.
fn held(domain: &Domain) -> Interval {
    let all = match domain.bounds.document {
        Some((low, high)) => Interval {
            low: low.into(),
            high: high.into(),
        },
        None => Interval::ALL,
    };
    match domain.supply {
        true => all.max(Interval {
            low: 0,
            high: i128::MIN,
        }),
        false => all,
    }
}

/// So many parts of an expression are looked at; what is not could be any number.
const MOST_PARTS: u32 = 1000;

/// Between which numbers a value lies.
fn of(system: &System, e: &Expr) -> Interval {
    let mut fuel = MOST_PARTS;
    within(system, e, &mut fuel)
}

fn within(system: &System, e: &Expr, fuel: &mut u32) -> Interval {
    let Some(less) = fuel.checked_sub(1) else {
        return Interval::ALL;
    };
    *fuel = less;
    let mut inner = |e: &Expr| within(system, e, fuel);
    match &e.kind {
        ExprKind::Const(value) => Interval::at(*value),
        ExprKind::Var(var) => held(&system.vars[*var].domain),
        ExprKind::Field(_, field) => held(&system.fields[*field].domain),
        ExprKind::Negate(e) => inner(e).negated(),
        ExprKind::Old(e) => inner(e),
        ExprKind::Compute(Compute::Add, a, b) => inner(a).plus(inner(b)),
        ExprKind::Compute(Compute::Subtract, a, b) => inner(a).plus(inner(b).negated()),
        ExprKind::Compute(Compute::Min, a, b) => inner(a).min(inner(b)),
        ExprKind::Compute(Compute::Max, a, b) => inner(a).max(inner(b)),
        ExprKind::Clamp(e, low, high) => inner(low).max(inner(e).min(inner(high))),
        ExprKind::If(_, a, b) => inner(a).or(inner(b)),
        ExprKind::Size(_) | ExprKind::Pending(_) | ExprKind::Fold(Fold::Count, ..) => Interval {
            low: 0,
            high: i128::MAX,
        },
        ExprKind::Call(id, _) => inner(&system.functions[*id].body),
        _ => Interval::ALL,
    }
}

/// Between which numbers a place lies after an addition.
fn sum(system: &System, place: &Place, sign: i64, (by, bound): (&Expr, Option<&Expr>)) -> Interval {
    let before = held(domain(system, place));
    let by = match sign < 0 {
        true => of(system, by).negated(),
        false => of(system, by),
    };
    let after = before.plus(by);
    // A bound stops a change in one direction, and does not turn it round.
    match bound.map(|bound| of(system, bound)) {
        None => after,
        Some(bound) if sign > 0 => Interval {
            low: after.low,
            high: before.high.max(after.high.min(bound.high)),
        },
        Some(bound) => Interval {
            low: before.low.min(after.low.max(bound.low)),
            high: after.high,
        },
    }
}

/// What a place can hold.
pub(super) fn domain<'s>(system: &'s System, place: &Place) -> &'s Domain {
    match place {
        Place::Var(var, _) => &system.vars[*var].domain,
        Place::Field(_, field, _) => &system.fields[*field].domain,
    }
}

/// Whether a place may not hold what lies between some numbers.
fn leaves(system: &System, place: &Place, value: Interval) -> bool {
    outside(domain(system, place), value)
}

fn outside(domain: &Domain, value: Interval) -> bool {
    let held = held(domain);
    domain.ty == Type::Int && (value.low < held.low || value.high > held.high)
}
