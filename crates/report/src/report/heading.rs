//! The headings of what happens in a run: the step or trigger that it stands in.
//!
//! ```text
//! u: one                              a step
//! the trigger "t" is resolved         a trigger; where it goes on after others: the trigger "t" goes on
//! the trigger "t" of card 2 is resolved, for card 1
//!                                     of that listener, told of that
//! u begins                            what is chosen before the first step
//! u, between its steps                what is chosen after one
//! u, before it begins again           `before restarting`
//! ```

use super::layout::list;
use super::words::{Words, plain, value_words};
use endstep_language::typing::program::{SequenceId, StepId, TriggerId, Value};
use endstep_semantics::semantics::{Instance, Names};
use endstep_semantics::witness::{Happening, Moment, Ongoing, Within};

/// What headings were put up.
#[derive(Default)]
pub(super) struct Headings {
    /// The last one.
    shown: Option<Within>,
    /// The triggers that had one.
    resolved: Vec<Within>,
    /// What was resolved so far, each with where it is.
    instances: Vec<(Within, Instance)>,
}

impl Headings {
    /// Notes what begins at a moment. Has to be called for each, whether anything is told of it or not.
    pub fn follow(&mut self, moment: &Moment) {
        if let (Happening::Trigger(instance), Some(within)) = (&moment.what, moment.within.last()) {
            self.instances.push((*within, instance.clone()));
        }
    }

    /// The heading over a moment, unless it stands under the last one.
    pub fn over(&mut self, words: Words<'_>, names: &Names, moment: &Moment) -> Option<String> {
        let within = moment.within.last().copied();
        if within == self.shown {
            return None;
        }
        self.shown = within;
        let within = within?;
        Some(match within.what {
            Ongoing::Trigger(id) => {
                let mut instances = self.instances.iter().rev();
                let instance = instances.find(|(at, _)| *at == within);
                let instance = instance.map(|(_, instance)| instance);
                if self.resolved.contains(&within) {
                    return Some(format!("{} goes on", whose(words, names, id, instance)));
                }
                self.resolved.push(within);
                resolved(words, names, id, instance)
            }
            Ongoing::Step(id) => step(words, id),
            Ongoing::Pass {
                sequence,
                begun: false,
            } => pass(words, sequence),
            Ongoing::Pass {
                sequence,
                begun: true,
            } => format!("{}, between its steps", words.sequence(sequence)),
            Ongoing::Restart(sequence) => {
                format!("{}, before it begins again", words.sequence(sequence))
            }
        })
    }
}

/// The heading of something that begins.
pub(super) fn begun(words: Words<'_>, names: &Names, what: &Happening) -> Option<String> {
    match what {
        Happening::Pass(id) => Some(pass(words, *id)),
        Happening::Step(id) => Some(step(words, *id)),
        Happening::Trigger(instance) => {
            Some(resolved(words, names, instance.trigger, Some(instance)))
        }
        _ => None,
    }
}

fn pass(words: Words<'_>, id: SequenceId) -> String {
    format!("{} begins", words.sequence(id))
}

fn step(words: Words<'_>, id: StepId) -> String {
    let step = &words.program.steps[id];
    format!("{}: {}", words.sequence(step.sequence), plain(&step.name))
}

/// That a trigger is resolved, and what it is told of, if that is not its listener alone.
fn resolved(words: Words<'_>, names: &Names, id: TriggerId, instance: Option<&Instance>) -> String {
    let program = words.program;
    let declared = &program.triggers[id];
    let mut out = format!("{} is resolved", whose(words, names, id, instance));
    let Some(instance) = instance else {
        return out;
    };
    let params = &program.events[declared.event].params;
    let told = instance.payload.iter().zip(params);
    let is_other = |value: &Value| declared.listener.is_none() || *value != instance.listener;
    let told = told.filter(|(value, _)| is_other(value));
    let told: Vec<String> = told
        .map(|(value, param)| {
            let called = value_words(program, names, (*value, param.ty.into()));
            match value {
                Value::Entity(_) => called,
                _ => format!("{} {called}", plain(&param.name)),
            }
        })
        .collect();
    if !told.is_empty() {
        out.push_str(&format!(", for {}", list(&told, "and")));
    }
    out
}

/// A trigger, and the listener whose it is.
fn whose(words: Words<'_>, names: &Names, id: TriggerId, instance: Option<&Instance>) -> String {
    let listener = words.program.triggers[id].listener.as_ref();
    match (listener, instance) {
        (Some(listener), Some(instance)) => {
            let ty = listener.ty.into();
            let listener = value_words(words.program, names, (instance.listener, ty));
            format!("{} of {listener}", words.trigger(id))
        }
        _ => words.trigger(id),
    }
}
