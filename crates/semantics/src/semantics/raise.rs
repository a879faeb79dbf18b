//! Events that the state raises: after each statement that changes data, what has become true.
//!
//! ```text
//! event dies(c: Card), whenever c is in board and c.health <= 0, in effects
//!
//! decrease owl.health by 2      before: 1, not true; now: -1, true      owl dies
//! decrease owl.health by 1      before: -1, true                        nothing
//! ```

use super::machine::Machine;
use super::next::Tag;
use super::state::{Data, Frame, Site, Together};
use super::stop::{Lacking, Stop};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    EntityId, EventId, Expr, StmtId, StmtKind, Value, Whenever,
};

/// An announcement: which event, and its payload.
pub(super) type Raised = (EventId, Vec<Value>);

/// A change for an element: where its condition is looked at.
#[derive(Clone, Copy)]
struct Change<'a> {
    event: EventId,
    whenever: &'a Whenever,
    element: Option<EntityId>,
    before: &'a Data,
}

impl Machine<'_> {
    /// The data before a statement, if the state raises events and it may be what does.
    pub(super) fn before(&self, kind: &StmtKind) -> Option<Box<Data>> {
        (kind.changes_data() && self.is_watched()).then(|| Box::new(self.state.data.clone()))
    }

    pub(super) fn is_watched(&self) -> bool {
        let mut events = self.program().events.values().iter();
        events.any(|event| event.whenever.is_some())
    }

    /// A statement has changed what it changes: it announces what that raises.
    pub(super) fn changed(&mut self, stmt: StmtId, before: &Data) -> Result<(), Stop> {
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
    pub(super) fn raised(&mut self, before: &Data) -> Result<Vec<Raised>, Stop> {
        let program = self.program();
        let mut raised = Vec::new();
        for (event, declared) in program.events.iter() {
            let Some(whenever) = &declared.whenever else {
                continue;
            };
            let of = |element| Change {
                event,
                whenever,
                element,
                before,
            };
            let mut lacking = Lacking::default();
            let elements = self.touched(whenever, before).into_iter();
            let risen: Vec<Change<'_>> = elements
                .map(of)
                .filter(|one| lacking.value(self.has_risen(*one)) == Some(true))
                .collect();
            lacking.told()?;
            let mut lacking = Lacking::default();
            for one in risen {
                raised.extend(
                    lacking
                        .value(self.payload(one))
                        .map(|payload| (event, payload)),
                );
            }
            lacking.told()?;
        }
        Ok(raised)
    }

    /// What was in the game before, or is now.
    fn touched(&self, whenever: &Whenever, before: &Data) -> Vec<Option<EntityId>> {
        let Some(sort) = whenever.element else {
            return vec![None];
        };
        let now = &self.state.data;
        let all = (0..now.entities.len()).map(EntityId::from_index);
        let there = |data: &Data, id: &EntityId| is_there(data, *id);
        all.filter(|id| now.entities[id.index()].sort == sort)
            .filter(|id| there(before, id) || there(now, id))
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
        let was_there = element.is_none_or(|id| is_there(before, id));
        if !was_there && whenever.looks_back {
            return Ok(false);
        }
        let is_there = element.is_none_or(|id| is_there(&self.state.data, id));
        let now = self.of_change(change, false, &whenever.condition);
        let now = if is_there { now? } else { if_any(now)? };
        if now != Value::Bool(true) {
            return Ok(false);
        }
        if !was_there {
            return Ok(true);
        }
        let was = self.of_change(change, true, &whenever.condition);
        Ok(if_any(was)? != Value::Bool(true))
    }

    fn payload(&mut self, change: Change<'_>) -> Result<Vec<Value>, Stop> {
        let element = change.element.map(|id| Ok(Value::Entity(id)));
        let with = change.whenever.with.iter();
        let rest = with.map(|value| self.of_change(change, false, value));
        element.into_iter().chain(rest).collect()
    }

    /// The value of an expression of a change, or as if nothing had changed.
    fn of_change(
        &mut self,
        change: Change<'_>,
        is_before: bool,
        value: &Expr,
    ) -> Result<Value, Stop> {
        let mut locals = vec![Value::None; change.whenever.locals.len()];
        if let Some(element) = change.element {
            locals[0] = Value::Entity(element);
        }
        let now = match is_before {
            true => change.before,
            false => &self.state.data,
        };
        let site = Site::Event(change.event);
        let mut scope = self
            .it
            .scope((now, Some(change.before)), &mut locals, site, &self.budget);
        scope.value(value)
    }
}

/// Without a value it is not true.
fn if_any(value: Result<Value, Stop>) -> Result<Value, Stop> {
    match value {
        Err(Stop::Tag(Tag::Gap(_))) => Ok(Value::Bool(false)),
        value => value,
    }
}

fn is_there(data: &Data, id: EntityId) -> bool {
    let held = data.entities.get(id.index());
    held.is_some_and(|one| !one.removed)
}
