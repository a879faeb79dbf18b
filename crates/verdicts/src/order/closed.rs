//! Whether the order of two things is open at all.
//!
//! ```text
//! for each c in row, in an order chosen by chance     chance decides, whatever the board
//! event now, at once, listeners left to right         a trigger with a listener comes before one without
//! steps unspecified, --reading "s order=binding"      fixed by the one alternative that was looked at
//! ```
//!
//! *Guarantees.* Where it says that an order is closed, no engine comes to an order choice between the two
//! (docs/semantics.md, 4.1), so that nothing was compared there.

use std::collections::BTreeSet;

use super::source::Source;
use super::{At, Closed, Pair};
use crate::verdict::{Results, ScopeOf};
use endstep_kernel::ir::{Decider, OpKind, Order, System};
use endstep_language::syntax::ast::QueueDiscipline;
use endstep_language::typing::program::{EventId, Nest, ReadingId, SequenceId, TriggerId};
use endstep_semantics::semantics::Readings;

/// Whether the order of two is left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Openness {
    /// Wherever there are two.
    Always,
    /// Where something that the text does not tell is so: under some alternative, or for one listener.
    Sometimes,
    /// Never.
    Never(Closed),
}

/// Who says which comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    /// Nobody, or somebody who chooses.
    Choice,
    Chance,
    Document,
}

/// Whether the order of a pair is open at a point, of what was looked at.
pub(super) fn openness(source: &Source<'_>, at: At, pair: Pair) -> Openness {
    let system = source.system;
    let fixed = source.results.map(fixed_outside).unwrap_or_default();
    let mut asked = Asked {
        fixed: &fixed,
        by: BTreeSet::new(),
        assumed: None,
    };
    match (at, pair) {
        (At::List(id), _) => match &system.procedures[id].free {
            Some((by, Some(reading))) => match asked.alternative(*reading) {
                Some(BINDING) => asked.take(By::Document),
                Some(_) => asked.decider(by),
                None => {
                    asked.take(By::Document);
                    asked.decider(by);
                }
            },
            Some((by, None)) => asked.decider(by),
            None => asked.take(By::Document),
        },
        (At::Places(id), Pair::Nesting(_)) => match &system.procedures[id].over {
            Some((.., Nest::Unspecified(reading))) => match asked.alternative(*reading) {
                Some(_) => asked.take(By::Document),
                None => asked.take(By::Choice),
            },
            Some((.., Nest::Steps | Nest::Places)) | None => asked.take(By::Document),
        },
        (At::Places(id), _) => {
            if let Some((_, order, _)) = &system.procedures[id].over {
                asked.order(order);
            }
        }
        (At::Each(stmt), _) => {
            if let OpKind::Each(each) = &system.ops[stmt].kind {
                asked.order(&each.order);
            }
        }
        (At::Together(_), _) => asked.take(By::Choice),
        (At::Event(id), Pair::Triggers(one, other)) => {
            return of_triggers(system, id, (one, other), asked);
        }
        (At::Event(_), _) => asked.take(By::Choice),
    }
    asked.openness()
}

/// Whether the steps of a list bind in all that was looked at.
pub(super) fn binds(source: &Source<'_>, sequence: SequenceId) -> bool {
    let fixed = source.results.map(fixed_outside).unwrap_or_default();
    match &source.system.procedures[sequence].free {
        Some((_, Some(reading))) => fixed.get(reading) == Some(&BINDING),
        Some((_, None)) => false,
        None => true,
    }
}

/// The alternative of a list with `steps unspecified` under which they bind.
const BINDING: u16 = 0;

/// Of two triggers that match together.
fn of_triggers(
    system: &System,
    event: EventId,
    (one, other): (TriggerId, TriggerId),
    mut asked: Asked<'_>,
) -> Openness {
    if puts_apart(system, event, (one, other)) {
        return Openness::Never(Closed::Document);
    }
    let Some(order) = &system.events[event].listeners else {
        return Openness::Always;
    };
    if !is_alike(system, (one, other)) {
        asked.last(order);
        return asked.openness();
    }
    asked.order(order);
    // Where the document fixes their order, it says nothing of those of one listener, or of none.
    match asked.by.contains(&By::Document) {
        true => Openness::Sometimes,
        false => asked.openness(),
    }
}

/// Whether the document fixes which of two triggers that match together comes first, whatever is read: by priority in a
/// queue, or since those without a listener come last.
pub(super) fn puts_apart(
    system: &System,
    event: EventId,
    (one, other): (TriggerId, TriggerId),
) -> bool {
    let declared = &system.events[event];
    let by_priority = declared
        .queue
        .is_some_and(|queue| system.queues[queue].discipline == QueueDiscipline::ByPriority);
    if by_priority && system.triggers[one].priority != system.triggers[other].priority {
        return true;
    }
    let listeners = declared.listeners.as_ref();
    !is_alike(system, (one, other)) && listeners.is_some_and(leaves_others_last)
}

/// Whether both have a listener, or neither.
fn is_alike(system: &System, (one, other): (TriggerId, TriggerId)) -> bool {
    let [one, other] = [one, other].map(|id| system.triggers[id].listener.is_some());
    one == other
}

/// Whether what has no listener comes last with an order, under every reading.
fn leaves_others_last(order: &Order) -> bool {
    match order {
        Order::Any | Order::Own | Order::Chosen(_) => false,
        Order::Ranked(_) | Order::Zone { .. } | Order::Players { .. } => true,
        Order::Per(_, all) => all.iter().all(leaves_others_last),
    }
}

/// The readings of which only one alternative was looked at, whatever was verified.
fn fixed_outside(results: &Results) -> Readings {
    let scopes = results.scopes.iter();
    let mut verified = scopes.filter(|one| matches!(one.subject, ScopeOf::Verify(_)));
    let Some(first) = verified.next() else {
        return Readings::new();
    };
    let mut fixed = first.fixed.clone();
    for scope in verified {
        fixed.retain(|reading, at| scope.fixed.get(reading) == Some(at));
    }
    fixed
}

/// What an order comes to under the readings that are fixed.
struct Asked<'a> {
    fixed: &'a Readings,
    by: BTreeSet<By>,
    /// A reading on which it depends, and the alternative that alone was looked at.
    assumed: Option<(ReadingId, u16)>,
}

impl Asked<'_> {
    fn take(&mut self, by: By) {
        self.by.insert(by);
    }

    fn decider(&mut self, by: &Decider) {
        self.take(match by {
            Decider::Nobody | Decider::Player(_) | Decider::Everyone => By::Choice,
            Decider::Chance => By::Chance,
        });
    }

    fn alternative(&mut self, reading: ReadingId) -> Option<u16> {
        let at = *self.fixed.get(&reading)?;
        self.assumed = Some((reading, at));
        Some(at)
    }

    fn order(&mut self, order: &Order) {
        match order {
            Order::Any | Order::Own => self.take(By::Choice),
            Order::Ranked(ranked) => {
                self.take(By::Document);
                self.order(&ranked.then);
            }
            Order::Chosen(by) => self.decider(by),
            Order::Zone { .. } | Order::Players { .. } => self.take(By::Document),
            Order::Per(reading, all) => match self.alternative(*reading) {
                Some(at) => {
                    if let Some(one) = all.get(usize::from(at)) {
                        self.order(one);
                    }
                }
                None => all.iter().for_each(|one| self.order(one)),
            },
        }
    }

    /// Of something with a listener and something without, which comes last where listeners have places or ranks.
    fn last(&mut self, order: &Order) {
        match order {
            Order::Per(reading, all) => match self.alternative(*reading) {
                Some(at) => all
                    .get(usize::from(at))
                    .into_iter()
                    .for_each(|one| self.last(one)),
                None => all.iter().for_each(|one| self.last(one)),
            },
            order if leaves_others_last(order) => self.take(By::Document),
            order => self.order(order),
        }
    }

    fn openness(&self) -> Openness {
        let by: Vec<By> = self.by.iter().copied().collect();
        match (by.as_slice(), self.assumed) {
            ([By::Choice] | [], _) => Openness::Always,
            ([By::Choice, ..], _) => Openness::Sometimes,
            (_, Some((reading, at))) => Openness::Never(Closed::Reading(reading, at)),
            ([By::Chance], None) => Openness::Never(Closed::Chance),
            ([By::Document], None) => Openness::Never(Closed::Document),
            ([By::Chance | By::Document, ..], None) => Openness::Never(Closed::Either),
        }
    }
}
