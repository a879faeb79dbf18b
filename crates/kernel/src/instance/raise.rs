//! Events that the state raises: after each operation that changes data, what has become true
//! (`docs/semantics.md`, 4.7).

use super::cells::Cells;
use super::eval::Scope;
use super::lacking::Lacking;
use super::machine::Machine;
use super::state::{Frame, Together};
use crate::ir::{Expr, NONE, OpKind, Whenever};
use endstep_language::typing::program::{EventId, StmtId};
use endstep_semantics::semantics::{Site, Stop, Tag};

/// An announcement: which event, and its payload.
pub(super) type Announcement = (EventId, Vec<i64>);

/// A change for an element: where its condition is looked at.
#[derive(Clone, Copy)]
struct Change<'a> {
    event: EventId,
    whenever: &'a Whenever,
    element: Option<usize>,
    before: &'a Cells,
}

impl Machine<'_> {
    /// The data before an operation, if the state raises events and it may be what does.
    pub(super) fn before(&self, kind: &OpKind) -> Option<Box<Cells>> {
        (self.setting.system.is_watched && kind.changes_data()).then(|| Box::new(self.data.clone()))
    }

    /// An operation has changed what it changes: it announces what that raises.
    pub(super) fn raise(&mut self, stmt: StmtId, before: &Cells) -> Result<(), Stop> {
        let announcements = self.raised(before)?;
        if !announcements.is_empty() {
            self.push(Frame::Commit(Box::new(Together {
                announcements,
                made: true,
                ..Together::of(stmt)
            })));
        }
        Ok(())
    }

    /// What a change raises.
    pub(super) fn raised(&mut self, before: &Cells) -> Result<Vec<Announcement>, Stop> {
        let system = self.setting.system;
        let mut raised = Vec::new();
        for (event, declared) in system.events.iter() {
            let Some(whenever) = &declared.whenever else {
                continue;
            };
            let of = |element| Change {
                event,
                whenever,
                element,
                before,
            };
            let mut risen = Vec::new();
            let mut lacking = Lacking::default();
            for element in self.touched(whenever, before) {
                if lacking.value(self.has_risen(of(element))) == Some(true) {
                    risen.push(of(element));
                }
            }
            lacking.told()?;
            let mut lacking = Lacking::default();
            for change in risen {
                let payload = lacking.value(self.carried_by(change));
                raised.extend(payload.map(|payload| (event, payload)));
            }
            lacking.told()?;
        }
        Ok(raised)
    }

    /// What was in the game before, or is now.
    fn touched(&self, whenever: &Whenever, before: &Cells) -> Vec<Option<usize>> {
        let Some(sort) = whenever.element else {
            return vec![None];
        };
        let all = 0..self.data.count();
        all.filter(|&at| self.data.sorts[at] == sort)
            .filter(|&at| is_there(before, at) || is_there(&self.data, at))
            .map(Some)
            .collect()
    }

    /// Whether the condition is true of the change, and was not true already.
    fn has_risen(&mut self, change: Change<'_>) -> Result<bool, Stop> {
        let Change {
            whenever,
            element,
            before,
            ..
        } = change;
        let was_there = element.is_none_or(|at| is_there(before, at));
        if !was_there && whenever.looks_back {
            return Ok(false);
        }
        let is_there = element.is_none_or(|at| is_there(&self.data, at));
        let now = self.of_change(change, &self.data, &whenever.condition);
        let now = if is_there { now? } else { if_any(now)? };
        if now == 0 {
            return Ok(false);
        }
        if !was_there {
            return Ok(true);
        }
        let was = self.of_change(change, before, &whenever.condition);
        Ok(if_any(was)? == 0)
    }

    fn carried_by(&mut self, change: Change<'_>) -> Result<Vec<i64>, Stop> {
        let element = change.element.map(|at| Ok(at as i64));
        let with = change.whenever.with.iter();
        let rest = with.map(|value| self.of_change(change, &self.data, value));
        element.into_iter().chain(rest).collect()
    }

    /// The value of an expression of a change, or as if nothing had changed.
    fn of_change(&self, change: Change<'_>, now: &Cells, value: &Expr) -> Result<i64, Stop> {
        let mut locals = vec![NONE; change.whenever.types.len()];
        if let Some(element) = change.element {
            locals[0] = element as i64;
        }
        let mut scope = Scope {
            system: self.setting.system,
            layout: self.setting.layout,
            readings: self.setting.readings,
            data: now,
            old: Some(change.before),
            locals: &mut locals,
            assigned: None,
            site: Site::Event(change.event),
            budget: &self.budget,
            depended: &self.depended,
            trace: self.trace.as_ref().map(|trace| &trace.reads),
        };
        scope.value(value)
    }
}

/// Without a value it is not true.
fn if_any(value: Result<i64, Stop>) -> Result<i64, Stop> {
    match value {
        Err(Stop::Tag(Tag::Gap(_))) => Ok(0),
        value => value,
    }
}

fn is_there(data: &Cells, at: usize) -> bool {
    data.removed.get(at).is_some_and(|&removed| !removed)
}
