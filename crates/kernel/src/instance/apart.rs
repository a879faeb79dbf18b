//! Whether the elements of an iteration have nothing to do with each other, where their order is open.
//!
//! Each element is done alone, from the state in which the next one is chosen, and the places that it reads and
//! writes are taken down:
//!
//! ```text
//! for each creature c, in any order          ogre  reads ogre.health     writes ogre.health
//!   decrease c.health by 1, at least 0       wolf  reads wolf.health     writes wolf.health        apart
//!   increase wounds by 1                     both  write wounds                                    not apart
//! ```
//!
//! *The argument.* If no element writes a place that another one reads or writes, each does the same wherever its turn
//! comes: whatever was done before it has changed nothing that it reads, so it takes the same steps and writes the
//! same numbers to the same places. So every order ends in the same state, with all writes done. Zones, queues and
//! which entities there are do not count among the places, since only iterations are asked about whose bodies change
//! none of them ([`candidates`]). What decides whose turn it is and who chooses is read with each choice, and counts
//! as read by another element.
//!
//! *Limits.* Where a pass restarts at once, no elements are apart: that can happen between any two statements.
//!
//! *Guarantees.* Elements that stop, choose, consult a reading or go round are never apart, and neither is what could
//! not be followed to its end.
//!
//! *Source.* P. Godefroid, *Partial-Order Methods for the Verification of Concurrent Systems*, LNCS 1032, 1996
//! (persistent sets); C. Flanagan, P. Godefroid, *Dynamic partial-order reduction for model checking software*, POPL
//! 2005 (dependences as they are met in a run).

use std::collections::{BTreeMap, BTreeSet};

use super::code::Instr;
use super::machine::{Machine, Outcome};
use super::point::{Point, Take};
use crate::footprint::{Place, Unit, of_element, units};
use crate::ir::{NONE, OpKind, System};
use endstep_language::index::Id;
use endstep_language::typing::program::{DomainPolicy, StmtId};
use endstep_semantics::semantics::{Note, Spot};

/// An element that takes more small steps is not followed to its end.
const MOST_STEPS: u64 = 1000;

/// What elements that are apart did.
#[derive(Debug, Clone, Copy, Default)]
pub struct Apart {
    /// How many small steps it took to find that out.
    pub steps: u64,
    /// The [`groups`](super::groups) in which they change something; `None`: they are not apart.
    pub changes: Option<u64>,
}

/// The iterations of which it can be asked: their bodies change fields and variables only, choose nothing and call
/// nothing, and which elements they have is known when they begin. They meet no gap either: which of the elements that
/// meet it comes first makes no difference to the end, but to the shortest way to the gap.
pub fn candidates(system: &System) -> BTreeSet<StmtId> {
    let units = units(system);
    let is_one = |&(&stmt, &unit): &(&StmtId, &Unit)| {
        let OpKind::Each(each) = &system.ops[stmt].kind else {
            return false;
        };
        let does = of_element(system, each, unit);
        let is_number = |place: &Place| matches!(place, Place::Field(_) | Place::Var(_));
        is_known(&each.domain)
            && does.writes.iter().all(is_number)
            && does.creates.is_empty()
            && does.removes.is_empty()
            && does.announces.is_empty()
            && does.performs.is_empty()
            && does.asks.is_empty()
            && !does.meets
    };
    let units: BTreeMap<&StmtId, &Unit> = units.iter().collect();
    units
        .into_iter()
        .filter(is_one)
        .map(|(&stmt, _)| stmt)
        .collect()
}

fn is_known(policy: &DomainPolicy) -> bool {
    match policy {
        DomainPolicy::Snapshot | DomainPolicy::Rechecked => true,
        DomainPolicy::Live | DomainPolicy::LiveByPosition | DomainPolicy::UntilAllPass => false,
        DomainPolicy::Per(_, all) => all.iter().all(is_known),
    }
}

/// Who reads or writes a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum By {
    #[default]
    Nobody,
    One(usize),
    Several,
}

impl By {
    fn and(self, one: usize) -> Self {
        match self {
            Self::Nobody => Self::One(one),
            Self::One(other) if other == one => self,
            Self::One(_) | Self::Several => Self::Several,
        }
    }

    fn is_none_but(self, one: usize) -> bool {
        matches!(self, Self::Nobody) || self == Self::One(one)
    }
}

impl Machine<'_> {
    /// The iteration that chooses its next element at a point.
    pub fn iteration(&self, point: &Point) -> Option<StmtId> {
        match point.take {
            Take::Visit {
                stmt, live: false, ..
            } => Some(stmt),
            _ => None,
        }
    }

    /// Whether the elements among which is chosen in a state are apart. The machine is used for that, and holds nothing
    /// of use afterwards.
    ///
    /// INVARIANT: the iteration is one of the [`candidates`].
    pub fn apart(&mut self, chosen: &Self, point: &Point) -> Apart {
        let mut found = Apart::default();
        let Some(stmt) = self.iteration(point) else {
            return found;
        };
        if self.setting.layout.shape.restarts {
            return found;
        }
        self.trace = Some(Box::default());
        found.changes = self.all_apart((chosen, point, stmt), &mut found.steps);
        self.trace = None;
        found
    }

    fn all_apart(
        &mut self,
        (chosen, point, stmt): (&Self, &Point, StmtId),
        steps: &mut u64,
    ) -> Option<u64> {
        let cells = chosen.data.cells.len();
        let (mut readers, mut writers) = (vec![By::Nobody; cells], vec![By::Nobody; cells]);
        // What the choice itself reads is read by somebody who is none of the elements.
        self.copy_from(chosen);
        *steps += 1;
        if !matches!(self.step(), Outcome::Choose(_)) {
            return None;
        }
        for at in self.traced().0 {
            readers[at] = By::Several;
        }
        let mut changes = 0;
        for element in 0..point.keys.len() {
            changes |= self.alone((chosen, point, stmt), element, steps)?;
            let (reads, writes) = self.traced();
            for at in reads {
                if !writers[at].is_none_but(element) {
                    return None;
                }
                readers[at] = readers[at].and(element);
            }
            for at in writes {
                if !writers[at].is_none_but(element) || !readers[at].is_none_but(element) {
                    return None;
                }
                writers[at] = By::One(element);
            }
        }
        Some(changes)
    }

    /// Does one element, to where the next one would be chosen; the groups that it changes.
    fn alone(
        &mut self,
        (chosen, point, stmt): (&Self, &Point, StmtId),
        element: usize,
        steps: &mut u64,
    ) -> Option<u64> {
        self.copy_from(chosen);
        self.changed = 0;
        self.take(point, element);
        let local = self.stack.last()?.locals + self.each(stmt).binder.local.index();
        let bound = self.locals[local];
        for _ in 0..MOST_STEPS {
            *steps += 1;
            if self.is_between(chosen, stmt) {
                return Some(self.changed);
            }
            // It left the iteration.
            if self.stack.len() < chosen.stack.len() {
                return None;
            }
            let goes_on = matches!(self.step(), Outcome::Step)
                && !self.notes.iter().any(|note| matches!(note, Note::Cut))
                // Another element may have begun; of one that is done nothing is bound.
                && matches!(self.locals.get(local), Some(&n) if n == bound || n == NONE);
            if !goes_on {
                return None;
            }
        }
        None
    }

    /// Whether an iteration that has chosen in a state would choose again next, or be over.
    fn is_between(&self, chosen: &Self, stmt: StmtId) -> bool {
        if self.stack.len() != chosen.stack.len() || self.frames.len() != chosen.frames.len() {
            return false;
        }
        let Some(mut at) = self.stack.last().map(|top| top.at) else {
            return false;
        };
        loop {
            match self.code.at(at) {
                Instr::End(_, then) => at = then,
                Instr::Next(of) => return of == stmt,
                _ => return false,
            }
        }
    }

    /// The cells that were read and written since this was asked last.
    fn traced(&mut self) -> (Vec<usize>, Vec<usize>) {
        let setting = self.setting;
        let Some(trace) = &mut self.trace else {
            return (Vec::new(), Vec::new());
        };
        let cells = |spots: Vec<Spot>| {
            let cells = spots.into_iter();
            cells
                .map(|spot| setting.layout.cell(setting.system, spot))
                .collect()
        };
        let reads = std::mem::take(trace.reads.get_mut());
        (cells(reads), cells(std::mem::take(&mut trace.writes)))
    }
}
