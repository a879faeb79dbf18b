//! Writes down what happens on each micro-step, and in which step or trigger it stands.
//!
//! What was begun last need not be what goes on: after `perform help` a statement of `one` is done again.
//!
//! ```text
//! step one
//!   perform help                  u > one > help > cure
//!   for each p: P                 u > one
//!     set p.up to true            u > one
//! ```
//!
//! It is read off the stack of the interpreter; a statement stands in its owner.

use std::sync::Arc;

use super::moment::{Difference, Follows, Happening, Made, Moment, Ongoing, Within};
use crate::semantics::{Activation, Data, Ended, Frame, Instance, Note, Pass, Running, State, Tag};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    Program, SequenceId, StepId, StmtId, StmtKind, TriggerId, Value,
};

/// A micro-step that was made.
#[derive(Clone, Copy)]
pub(super) struct Taken<'a> {
    /// Its number.
    pub step: u64,
    /// Where it began.
    pub before: &'a State,
    /// Where it led; if it was the last, where it began, with other data.
    pub after: &'a State,
    /// What happened on it.
    pub notes: &'a [Note],
}

/// Something that goes on, and where on the stack: the index of its activation, and of its frame.
#[derive(Clone, Copy)]
struct Open {
    at: (usize, Option<usize>),
    within: Within,
}

/// Writes moments down.
pub(super) struct Writer<'p> {
    program: &'p Program,
    moments: Vec<Moment>,
    open: Vec<Open>,
}

impl<'p> Writer<'p> {
    pub fn new(program: &'p Program, start: &State) -> Self {
        Self {
            program,
            moments: Vec::new(),
            open: opened(start, &[], 0, &[]),
        }
    }

    pub fn cycle(&mut self, step: u64) {
        self.moments.push(Moment {
            step,
            within: chain(&self.open),
            by: None,
            what: Happening::CycleBegins,
            changes: Vec::new(),
            follows: Vec::new(),
            data: None,
        });
    }

    /// Adds what happened on a micro-step; its changes belong to the last thing that did.
    pub fn write(&mut self, taken: Taken<'_>, made: Option<Made>, changes: Vec<Difference>) {
        let before = std::mem::take(&mut self.open);
        self.open = opened(taken.after, &before, taken.step, taken.notes);
        let first = self.moments.len();
        let by = self.doing(taken);
        let happened = taken.notes.iter();
        let happened = happened.filter_map(|note| self.happening(taken, note));
        let mut happened: Vec<Happening> = happened.chain(made.map(Happening::Choice)).collect();
        happened.extend(self.passed(taken).map(Happening::Passed));
        let is_own = |what: &Happening| !matches!(what, Happening::StepEnd(_));
        if !changes.is_empty() && !happened.iter().any(is_own) {
            happened.push(Happening::Other);
        }
        for what in happened {
            self.moments.push(Moment {
                step: taken.step,
                within: self.within(&before, &what, by, taken.notes),
                by,
                what,
                changes: Vec::new(),
                follows: Vec::new(),
                data: None,
            });
        }
        let mut own = self.moments[first..].iter_mut().rev();
        if let Some(moment) = own.find(|one| is_own(&one.what)) {
            moment.changes = changes;
        }
    }

    /// Adds the data after the last micro-step, which changed some, and which continuous values are something else.
    pub fn follow(&mut self, data: Data, follows: Vec<Follows>) {
        let mut changed = self.moments.iter_mut().rev();
        if let Some(moment) = changed.find(|one| !one.changes.is_empty()) {
            moment.follows = follows;
            moment.data = Some(Arc::new(data));
        }
    }

    /// All moments of a run that ends so. That more is taken than there is is told by the end alone.
    pub fn finish(mut self, ended: Option<&Ended>) -> Vec<Moment> {
        if ended.is_some_and(|ended| matches!(ended.tag, Tag::Conflict(_))) {
            self.moments
                .pop_if(|last| matches!(last.what, Happening::Conflict(_)));
        }
        self.moments
    }

    /// What something that happened stands in.
    fn within(
        &self,
        before: &[Open],
        what: &Happening,
        by: Option<StmtId>,
        notes: &[Note],
    ) -> Vec<Within> {
        match what {
            // It stands in what it breaks off.
            Happening::Cancelled { .. } => {
                let ended = notes.iter().any(|note| matches!(note, Note::StepEnded(..)));
                chain(&before[..before.len() - usize::from(ended && !before.is_empty())])
            }
            Happening::Statement(stmt) => self.around(before, *stmt),
            Happening::Announced(..)
            | Happening::Passed(_)
            | Happening::Conflict(_)
            | Happening::Other => match by {
                Some(stmt) => self.around(before, stmt),
                None => chain(&self.open),
            },
            _ => chain(&self.open),
        }
    }

    /// What a statement stands in that is done on this micro-step: what it begins is not part of it, and
    /// what it leaves still is.
    fn around(&self, before: &[Open], stmt: StmtId) -> Vec<Within> {
        let Some(owner) = self.program.stmts[stmt].owner else {
            return chain(&self.open);
        };
        let found = [self.open.as_slice(), before].into_iter().find_map(|open| {
            let at = open.iter().rposition(|one| one.within.what.is(owner))?;
            open.get(..=at)
        });
        chain(found.unwrap_or(&self.open))
    }

    /// The statement that is done on a micro-step, or that has taken several and is done further.
    fn doing(&self, taken: Taken<'_>) -> Option<StmtId> {
        let executed = taken.notes.iter().find_map(|note| match note {
            Note::Executed(stmt) => Some(*stmt),
            _ => None,
        });
        executed.or_else(|| {
            let decided = taken.before.control.last()?.frames.last();
            if let Some(Frame::Write { by: Some(stmt), .. }) = decided {
                return Some(*stmt);
            }
            // A trigger that is over is nothing but its activation.
            let mut running = taken.before.control.iter().rev();
            let top = running.find(|one| !one.frames.is_empty())?;
            let mut frames = top.frames.iter().rev();
            let (block, last) = frames.find_map(|frame| match frame {
                Frame::Block { block, next } => Some((*block, next.checked_sub(1)?)),
                _ => None,
            })?;
            self.program.blocks[block].stmts.get(last).copied()
        })
    }

    /// Who passes a turn on this micro-step.
    fn passed(&self, taken: Taken<'_>) -> Option<Value> {
        let is_pass = |note: &Note| matches!(note, Note::Executed(stmt) if self.program.stmts[*stmt].kind == StmtKind::Pass);
        if !taken.notes.iter().any(is_pass) {
            return None;
        }
        let depth = taken.before.control.len().checked_sub(1)?;
        let frames = |state: &'_ State| state.control.get(depth).map(|one| one.frames.clone());
        let (before, after) = (frames(taken.before)?, frames(taken.after)?);
        let under_way = |frame: &Frame| match frame {
            Frame::Iterate { todo, visited, .. } if todo == visited => todo.first().copied(),
            _ => None,
        };
        let ended = |frame: &Frame| matches!(frame, Frame::Iterate { todo, .. } if todo.is_empty());
        let mut frames = before.iter().zip(&after).rev();
        frames.find_map(|(before, after)| under_way(before).filter(|_| ended(after)))
    }

    fn happening(&self, taken: Taken<'_>, note: &Note) -> Option<Happening> {
        Some(match note {
            Note::Executed(stmt) => Happening::Statement(*stmt),
            Note::StepBegan(step) => Happening::Step(*step),
            Note::StepEnded(step, _) => Happening::StepEnd(*step),
            Note::PassBegan(sequence) => Happening::Pass(*sequence),
            Note::Cancelled {
                sequence,
                steps,
                elements,
                lost,
            } => Happening::Cancelled {
                sequence: *sequence,
                steps: self.not_begun(taken, *sequence, steps),
                elements: elements.clone(),
                lost: lost.clone(),
            },
            Note::Announced(event, count) => Happening::Announced(*event, *count),
            Note::Resolving(trigger) => {
                let top = taken.after.control.last();
                Happening::Trigger(self.instance(*trigger, top))
            }
            Note::Conflict(site) => Happening::Conflict(*site),
            Note::EnsuresFailed(..) | Note::SequenceEnded(_) | Note::Cut => return None,
        })
    }

    /// What was pending of a trigger that has just begun.
    fn instance(&self, trigger: TriggerId, top: Option<&Activation>) -> Instance {
        let declared = &self.program.triggers[trigger];
        let of = |local: &endstep_language::typing::program::LocalId| {
            let locals = top.map_or(&[][..], |top| top.locals.as_slice());
            locals.get(local.index()).copied().unwrap_or(Value::None)
        };
        let listener = declared.listener.as_ref();
        Instance {
            trigger,
            listener: listener.map_or(Value::None, |binder| of(&binder.local)),
            payload: declared.args.iter().map(of).collect(),
        }
    }

    /// The steps that a cancelled pass and those that it performs have not begun, innermost first, each with
    /// the places for which it was not.
    fn not_begun(
        &self,
        taken: Taken<'_>,
        sequence: SequenceId,
        steps: &[StepId],
    ) -> Vec<(StepId, Option<Value>)> {
        // What is cancelled is the innermost pass that is left, with all in it.
        let at = passes(taken.after).len().saturating_sub(1);
        let dropped = passes(taken.before).split_off(at);
        let mut all: Vec<_> = dropped
            .iter()
            .skip(1)
            .rev()
            .flat_map(|(pass, locals)| self.left_of(pass, locals))
            .collect();
        match dropped
            .first()
            .filter(|_| self.program.sequences[sequence].over.is_some())
        {
            Some((pass, locals)) => all.extend(self.left_of(pass, locals)),
            None => all.extend(steps.iter().map(|step| (*step, None))),
        }
        all
    }

    /// The steps that a pass has not begun. `locals` are those of its sequence.
    fn left_of(&self, pass: &Pass, locals: &[Value]) -> Vec<(StepId, Option<Value>)> {
        let sequence = &self.program.sequences[pass.sequence];
        let here = sequence.over.as_ref().filter(|_| pass.current.is_none());
        let here = here.and_then(|over| locals.get(over.binder.local.index()).copied());
        let own = pass.steps.iter().map(|step| (*step, here));
        let later = pass.places.iter().flat_map(|place| {
            let all = &sequence.steps;
            let steps = pass.current.map_or_else(|| all.clone(), |step| vec![step]);
            steps.into_iter().map(|step| (step, Some(*place)))
        });
        match pass.current {
            Some(_) => later.chain(own).collect(),
            None => own.chain(later).collect(),
        }
    }
}

/// The passes that go on in a state, outermost first, each with the locals of what it stands in.
fn passes(state: &State) -> Vec<(&Pass, &[Value])> {
    let mut all = Vec::new();
    for activation in &state.control {
        let found = activation.frames.iter().filter_map(|frame| match frame {
            Frame::Pass(pass) => Some((pass, activation.locals.as_slice())),
            _ => None,
        });
        all.extend(found);
    }
    all
}

fn chain(open: &[Open]) -> Vec<Within> {
    open.iter().map(|one| one.within).collect()
}

/// What goes on in a state; what went on before it and still does keeps its beginning.
fn opened(state: &State, before: &[Open], step: u64, notes: &[Note]) -> Vec<Open> {
    let all = ongoing(state);
    let last = all.len().saturating_sub(1);
    let mut stays = true;
    let mut open: Vec<Open> = Vec::new();
    for (index, (at, what)) in all.into_iter().enumerate() {
        let old = before
            .get(index)
            .filter(|old| stays && old.at == at && old.within.what.is_same(what));
        let anew = index == last && notes.iter().any(|note| begins(note, what));
        let kept = old.filter(|_| !anew).map(|old| old.within);
        stays = kept.is_some();
        let within = kept.unwrap_or(Within { what, since: step });
        open.push(Open { at, within });
    }
    if notes.iter().any(|note| matches!(note, Note::StepBegan(_)))
        && let Some(pass) = last.checked_sub(1).and_then(|at| open.get_mut(at))
        && let Ongoing::Pass { begun, .. } = &mut pass.within.what
    {
        *begun = true;
    }
    open
}

/// Whether something begins that goes on from now.
fn begins(note: &Note, what: Ongoing) -> bool {
    match (note, what) {
        (Note::StepBegan(one), Ongoing::Step(other)) => *one == other,
        (Note::PassBegan(one), Ongoing::Pass { sequence, .. }) => *one == sequence,
        (Note::Resolving(one), Ongoing::Trigger(other)) => *one == other,
        _ => false,
    }
}

/// What goes on in a state, and where.
fn ongoing(state: &State) -> Vec<((usize, Option<usize>), Ongoing)> {
    let mut found = Vec::new();
    for (index, activation) in state.control.iter().enumerate() {
        if let Running::Trigger(id) = activation.of {
            found.push(((index, None), Ongoing::Trigger(id)));
        }
        let mut around = None;
        for (at, frame) in activation.frames.iter().enumerate() {
            let what = match frame {
                Frame::Pass(pass) => {
                    let sequence = pass.sequence;
                    around = Some(sequence);
                    let begun = false;
                    Some(Ongoing::Pass { sequence, begun })
                }
                Frame::Step { step, .. } => Some(Ongoing::Step(*step)),
                Frame::Before => around.map(Ongoing::Restart),
                _ => None,
            };
            found.extend(what.map(|what| ((index, Some(at)), what)));
        }
    }
    found
}
