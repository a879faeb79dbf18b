//! What a cancelled pass has not begun: elements of its iterations, of those of its steps to come as well.

use super::inst::List;
use super::iterate::is_entity;
use super::machine::Machine;
use super::state::Frame;
use crate::ir::OpKind;
use endstep_language::typing::program::StmtId;
use endstep_semantics::semantics::{Site, Stop, Tag};

/// An element of an iteration that was not begun.
pub type Dropped = (StmtId, u16);

impl Machine<'_> {
    pub(super) fn owed_once(&self, elements: &[Dropped]) -> Vec<Dropped> {
        let mut once = Vec::new();
        for &(stmt, element) in elements {
            let gone =
                is_entity(self.each(stmt).binder.ty) && self.data.removed[usize::from(element)];
            if !gone && !once.contains(&(stmt, element)) {
                once.push((stmt, element));
            }
        }
        once
    }

    /// The elements not begun of the iterations of an activation whose frames end there.
    pub(super) fn unbegun(
        &mut self,
        activation: usize,
        end: usize,
        lost: bool,
    ) -> Result<Vec<Dropped>, Stop> {
        let mut found = Vec::new();
        for frame in self.stack[activation].frames..end {
            let Frame::Iterate {
                stmt,
                todo,
                visited,
                ..
            } = &self.frames[frame]
            else {
                continue;
            };
            let stmt = *stmt;
            let (mut left, visited) = (todo.clone(), visited.clone());
            // Nobody is left out whose turn has not come: turns go round.
            if self.takes_turns(stmt)? {
                continue;
            }
            if self.is_live(stmt)? {
                left.extend(self.dropped(activation, stmt, lost)?);
                left.retain(|one| !visited.contains(one));
            }
            found.extend(left.into_iter().map(|element| (stmt, element)));
        }
        Ok(found)
    }

    /// The elements, now, of the iterations that stand in the steps not begun.
    pub(super) fn unbegun_steps(
        &mut self,
        activation: usize,
        lost: bool,
    ) -> Result<Vec<Dropped>, Stop> {
        let pass = self.current_pass();
        let (steps, sequence) = (pass.steps.clone(), pass.sequence);
        let procedure = self.procedure(sequence);
        if procedure.over.is_some() {
            return Ok(Vec::new());
        }
        let system = self.setting.system;
        let mut found = Vec::new();
        for step in steps {
            for &stmt in &system.blocks[system.steps[step].body].ops {
                let OpKind::Each(each) = &system.ops[stmt].kind else {
                    continue;
                };
                if !each.standing || self.drops_no_turn(stmt, lost)? {
                    continue;
                }
                let mut elements = self.dropped(activation, stmt, lost)?;
                if !lost {
                    elements = self.as_taken(stmt, elements)?;
                }
                found.extend(elements.into_iter().map(|element| (stmt, element)));
            }
        }
        Ok(found)
    }

    /// Whether an iteration that has not begun takes turns, of which none is dropped; so too where a reading that is
    /// not fixed decides that, and what is dropped is only told.
    fn drops_no_turn(&mut self, stmt: StmtId, lost: bool) -> Result<bool, Stop> {
        if !self.each(stmt).domain.takes_turns() {
            return Ok(false);
        }
        match self.takes_turns(stmt) {
            Err(Stop::Consult(_)) if lost => Ok(true),
            turns => turns,
        }
    }

    /// The elements that an iteration has now; none where they lack a value, or where a reading that is not
    /// fixed decides and they are only told.
    fn dropped(&mut self, activation: usize, stmt: StmtId, lost: bool) -> Result<List, Stop> {
        let each = self.each(stmt);
        let mut scope = self.scope_of(activation, Site::Stmt(stmt));
        match scope.elements(&each.binder) {
            Err(Stop::Tag(Tag::Gap(_))) => Ok(List::new()),
            Err(Stop::Consult(_)) if lost => Ok(List::new()),
            elements => elements,
        }
    }

    /// Elements in the order in which they would be taken now; as they are if that has no value.
    fn as_taken(&mut self, stmt: StmtId, elements: List) -> Result<List, Stop> {
        let each = self.each(stmt);
        let lies = (each.binder.lies(), each.binder.ty);
        let site = Site::Stmt(stmt);
        let arranged = self.arrange(&each.order, lies, elements.clone(), site);
        match arranged.and_then(|arranged| self.ranked((&each.order, lies, site), arranged, &[])) {
            Err(Stop::Tag(Tag::Gap(_))) => Ok(elements),
            taken => Ok(taken?.0),
        }
    }
}
