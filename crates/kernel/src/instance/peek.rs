//! What can be told of a working state without taking a step, and what is over in it.

use super::code::{Instr, PASS, asks};
use super::iterate::is_entity;
use super::machine::Machine;
use super::point::Point;
use super::state::Frame;
use crate::ir::NONE;
use crate::lower::value;
use endstep_language::index::Id;
use endstep_language::typing::program::{DomainPolicy, StepId, StmtId, Type, Value};
use endstep_semantics::semantics::{Key, Running};

impl Machine<'_> {
    /// What is in hand innermost in the innermost activation.
    pub fn top(&self) -> Option<&Frame> {
        let base = self.stack.last()?.frames;
        self.frames[base..].last()
    }

    /// How many activations there are, and how many frames the interpreter has in the innermost.
    pub fn height(&self) -> (usize, usize) {
        let Some(top) = self.stack.last() else {
            return (0, 0);
        };
        let frames = self.frames[top.frames..].iter().rev();
        let half_done = frames.take_while(|frame| frame.is_half_done()).count();
        (self.stack.len(), self.code.depth(top.at) + half_done)
    }

    /// Whether no operation is half done.
    pub fn is_settled(&self) -> bool {
        match self.top() {
            Some(Frame::Interrupt { .. }) | None => true,
            Some(frame) => !frame.is_half_done(),
        }
    }

    /// Whether the next step may be a choice or the end. A guess: what it says decides only what is
    /// copied, and gaps in expressions come without warning.
    #[inline]
    pub fn may_branch(&self) -> bool {
        !self.is_plain() && self.foresees_branch()
    }

    /// Whether what comes next looks as if it were no choice and no end.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.stack.last().is_some_and(|top| {
            let frame = self.frames[top.frames..].last();
            self.code.is_plain(top.at) && !frame.is_some_and(Frame::is_half_done)
        })
    }

    fn foresees_branch(&self) -> bool {
        let Some(top) = self.stack.last() else {
            return true;
        };
        let mut frames = self.frames[top.frames..].iter().rev();
        let mut frame = frames.next();
        loop {
            match frame {
                Some(Frame::Match { instances, .. }) => return instances.len() > 1,
                Some(Frame::Commit(_) | Frame::Distribute { .. } | Frame::Shuffle { .. }) => {
                    return true;
                }
                Some(Frame::Interrupt { todo }) if todo.is_empty() => frame = frames.next(),
                Some(Frame::Interrupt { .. } | Frame::Write { .. }) => return false,
                _ => break,
            }
        }
        let mut at = top.at;
        loop {
            at = match (self.code.at(at), frame) {
                (Instr::Op(op), _) => return asks(&self.setting.system.ops[op].kind),
                (Instr::End(_, then), _) => then,
                (Instr::Next(stmt), Some(Frame::Iterate { todo, .. })) => {
                    if let Some(branches) = self.may_choose_next(stmt, todo) {
                        return branches;
                    }
                    frame = frames.next();
                    self.code.after(stmt)
                }
                (Instr::EndBefore, _) => PASS,
                (Instr::Pass, Some(Frame::Pass(pass))) => {
                    let procedure = &self.setting.system.procedures[pass.sequence];
                    return procedure.over.is_some()
                        || (procedure.free.is_some() && pass.steps.len() > 1);
                }
                // A trigger that ends goes on with whatever is below it.
                (Instr::Return, _) => return !matches!(top.of, Running::Sequence(_)),
                (Instr::Recheck(_), _) => return true,
                // Every `Next` and `Pass` has its frame, and the others are sure to go on.
                _ => return false,
            };
        }
    }

    /// Whether the next element of an iteration may be chosen; `None`: there is none.
    fn may_choose_next(&self, stmt: StmtId, todo: &[u16]) -> Option<bool> {
        let each = self.each(stmt);
        let plain = matches!(
            each.domain,
            DomainPolicy::Snapshot | DomainPolicy::Rechecked
        );
        let removed = |&one: &u16| self.data.removed[usize::from(one)];
        match todo.len() {
            _ if !plain => Some(true),
            0 => None,
            1 => Some(false),
            _ if is_entity(each.binder.ty) && todo.iter().all(removed) => None,
            _ => Some(true),
        }
    }

    /// Ends blocks of which nothing is left, with what they bind and the element for which they were done, so that
    /// locals that are out of scope tell no states apart.
    #[inline]
    pub(super) fn end_blocks(&mut self) {
        while let Some(top) = self.stack.last()
            && let Instr::End(block, then) = self.code.at(top.at)
            && !self.top().is_some_and(Frame::is_half_done)
        {
            self.end_block(block, then);
            if let Instr::Next(stmt) = self.code.at(then) {
                let local = self.each(stmt).binder.local;
                self.bind(local.index(), NONE);
            }
        }
    }

    /// Of a point at which steps or places of a pass are chosen: the places left when a step is,
    /// the current step when a place is.
    pub fn chosen_place(&self, point: &Point) -> Option<(Option<StepId>, Vec<Value>)> {
        let base = self.stack.get(point.level.0)?.frames;
        // A procedure has its pass before all else.
        let frame = self.frames.get(base).filter(|_| point.level.1 == 0);
        match (frame, point.keys.first()) {
            (Some(Frame::Pass(pass)), Some(Key::Step(_))) => {
                let over = &self.setting.system.procedures[pass.sequence].over;
                let ty = over.as_ref().map_or(Type::Bool, |(binder, ..)| binder.ty);
                let places = pass.places.iter();
                let places = places.map(|&one| value(i64::from(one), ty));
                Some((None, places.collect()))
            }
            (Some(Frame::Pass(pass)), Some(_)) => Some((pass.current, Vec::new())),
            _ => None,
        }
    }
}
