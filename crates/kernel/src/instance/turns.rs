//! Turns that go round until all pass. What the frame of such an iteration holds is said at the interpreter's.

use super::inst::List;
use super::machine::{Flow, Machine};
use super::state::Frame;
use crate::ir::{NONE, Order};
use endstep_language::index::Id;
use endstep_language::typing::program::{DomainPolicy, StmtId};
use endstep_semantics::semantics::{Note, Site, Stop};

impl Machine<'_> {
    /// Whether an iteration goes on until all pass.
    pub(super) fn takes_turns(&mut self, stmt: StmtId) -> Result<bool, Stop> {
        Ok(matches!(self.domain(stmt)?, DomainPolicy::UntilAllPass))
    }

    /// The innermost frame is an iteration that goes on until all pass: the next turn begins, or it is over.
    pub(super) fn turn(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let Some(Frame::Iterate {
            todo,
            visited,
            position,
            ..
        }) = self.frames.last()
        else {
            unreachable!("expected an iteration");
        };
        let passes = if todo.is_empty() { *position } else { 0 };
        let last = visited.first().copied();
        if let Some(next) = self.next_turn(stmt, last, passes)? {
            self.take_turn(stmt, next, passes);
            return Ok(Flow::Go);
        }
        self.pop();
        self.jump(self.code.after(stmt));
        self.bind(self.each(stmt).binder.local.index(), NONE);
        Ok(Flow::On)
    }

    /// Who is asked next of those who take turns; nobody once all have passed in a row.
    fn next_turn(
        &mut self,
        stmt: StmtId,
        last: Option<u16>,
        passes: u32,
    ) -> Result<Option<u16>, Stop> {
        let each = self.each(stmt);
        let site = Site::Stmt(stmt);
        let all = self.scope(site).elements(&each.binder)?;
        if passes as usize >= all.len() {
            return Ok(None);
        }
        let Some(last) = last else {
            let of = (each.binder.lies(), each.binder.ty);
            let first = self.arrange(&each.order, of, all, site)?;
            return Ok(first.first().copied());
        };
        let meant = self.meant(&each.order, site)?;
        let mut round = self.scope(site).players();
        if matches!(meant, Order::Players { reversed: true, .. }) {
            round.reverse();
        }
        // The one asked last comes last.
        let at = round.iter().position(|&one| one == last);
        round.rotate_left(at.map_or(0, |at| at + 1));
        Ok(round.into_iter().find(|one| all.contains(one)))
    }

    /// A turn begins, after so many that were passed in a row; it counts as taken until somebody passes.
    fn take_turn(&mut self, stmt: StmtId, element: u16, passes: u32) {
        let each = self.each(stmt);
        if let Some(Frame::Iterate {
            todo,
            visited,
            position,
            ..
        }) = self.frames.last_mut()
        {
            *todo = List::from_slice(&[element]);
            *visited = List::from_slice(&[element]);
            *position = passes;
        }
        self.notes.push(Note::Cut);
        self.bind(each.binder.local.index(), i64::from(element));
        self.jump(self.code.entry(each.body));
    }

    /// The turn under way counts as passed.
    pub(super) fn pass_turn(&mut self) -> Result<(), Stop> {
        let base = self.stack.last().map_or(0, |top| top.frames);
        for at in (base..self.frames.len()).rev() {
            let Frame::Iterate { stmt, .. } = self.frames[at] else {
                continue;
            };
            if !self.takes_turns(stmt)? {
                continue;
            }
            if let Frame::Iterate { todo, position, .. } = &mut self.frames[at]
                && !todo.is_empty()
            {
                todo.clear();
                *position += 1;
            }
            break;
        }
        Ok(())
    }
}
