//! What can be told of a working state without taking a step, and what is over in it.

use super::iterate::is_entity;
use super::machine::{Machine, Point};
use super::state::Frame;
use crate::ir::{NONE, OpKind, Policy};
use crate::lower::value;
use endstep_language::index::Id;
use endstep_language::typing::program::{DomainPolicy, StepId, Type, Value};
use endstep_semantics::semantics::Key;

impl Machine<'_> {
    /// The innermost frame of the innermost activation.
    pub fn top(&self) -> Option<&Frame> {
        let base = self.stack.last()?.frames;
        self.frames[base..].last()
    }

    /// How many activations there are, and how many frames the innermost has.
    pub fn height(&self) -> (usize, usize) {
        let base = self
            .stack
            .last()
            .map_or(self.frames.len(), |top| top.frames);
        (self.stack.len(), self.frames.len() - base)
    }

    /// Whether no operation is half done.
    pub fn is_settled(&self) -> bool {
        !matches!(
            self.top(),
            Some(
                Frame::Commit(_)
                    | Frame::Write { .. }
                    | Frame::Match { .. }
                    | Frame::Shuffle { .. }
                    | Frame::Distribute { .. }
            )
        )
    }

    /// Whether the next step may be a choice or the end. A guess: what it says decides only what is
    /// copied, and gaps in expressions come without warning.
    pub fn may_branch(&self) -> bool {
        let Some(top) = self.stack.last() else {
            return true;
        };
        for frame in self.frames[top.frames..].iter().rev() {
            match frame {
                Frame::Block { block, next } => {
                    let ops = &self.setting.system.blocks[*block].ops;
                    if let Some(op) = ops.get(*next as usize) {
                        return asks(&self.setting.system.ops[*op].kind);
                    }
                }
                Frame::Iterate { stmt, todo, .. } => {
                    let each = self.each(*stmt);
                    let plain = matches!(
                        each.domain,
                        DomainPolicy::Snapshot | DomainPolicy::Rechecked
                    );
                    match todo.len() {
                        _ if !plain => return true,
                        0 => {}
                        1 => return false,
                        _ if is_entity(each.binder.ty)
                            && todo.iter().all(|&one| self.data.removed[usize::from(one)]) => {}
                        _ => return true,
                    }
                }
                Frame::Pass(pass) => {
                    let procedure = &self.setting.system.procedures[pass.sequence];
                    return procedure.over.is_some()
                        || (procedure.free.is_some() && pass.steps.len() > 1);
                }
                Frame::Match { instances, .. } => return instances.len() > 1,
                Frame::Commit(_) | Frame::Distribute { .. } | Frame::Shuffle { .. } => return true,
                Frame::Recheck { .. } => return true,
                Frame::Interrupt { todo } if todo.is_empty() => {}
                Frame::Before => {}
                _ => return false,
            }
        }
        // A trigger that ends goes on with whatever is below it.
        !matches!(top.of, endstep_semantics::semantics::Running::Sequence(_))
    }

    /// Ends blocks in which nothing is left, as the next step would do first anyway, so that locals
    /// that are out of scope tell no states apart.
    pub fn end_blocks(&mut self) {
        while let Some(Frame::Block { block, next }) = self.top() {
            let declared = &self.setting.system.blocks[*block];
            if declared.ops.len() > *next as usize {
                return;
            }
            self.pop();
            for local in &declared.binds {
                self.bind(local.index(), NONE);
            }
            if let Some(Frame::Iterate { stmt, .. }) = self.top() {
                let local = self.each(*stmt).binder.local;
                self.bind(local.index(), NONE);
                return;
            }
        }
    }

    /// Of a point at which steps or places of a pass are chosen: the places left when a step is,
    /// the current step when a place is.
    pub fn chosen_place(&self, point: &Point) -> Option<(Option<StepId>, Vec<Value>)> {
        let base = self.stack.get(point.level.0)?.frames;
        let frame = self.frames.get(base + point.level.1);
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

/// Whether an operation may ask somebody or end the run.
fn asks(op: &OpKind) -> bool {
    match op {
        OpKind::Cases { policy, .. } => !matches!(policy, Policy::InOrder),
        OpKind::ChooseElement(..)
        | OpKind::ChooseNumber { .. }
        | OpKind::ChooseBlock(..)
        | OpKind::ChooseValue { .. }
        | OpKind::Call(..)
        | OpKind::Stop(_) => true,
        _ => false,
    }
}
