//! The headings of what happens in a run: the step or trigger that it stands in.
//!
//! ```text
//! u: one                              a step
//! the trigger "t" is resolved         a trigger; where it goes on after others: the trigger "t" goes on
//! u begins                            what is chosen before the first step
//! u, between its steps                what is chosen after one
//! u, before it begins again           `before restarting`
//! ```

use super::words::{Words, plain};
use endstep_language::typing::program::{SequenceId, StepId, TriggerId};
use endstep_semantics::witness::{Happening, Moment, Ongoing, Within};

/// What headings were put up.
#[derive(Default)]
pub(super) struct Headings {
    /// The last one.
    shown: Option<Within>,
    /// The triggers that had one.
    resolved: Vec<Within>,
}

impl Headings {
    /// The heading over a moment, unless it stands under the last one.
    pub fn over(&mut self, words: Words<'_>, moment: &Moment) -> Option<String> {
        let within = moment.within.last().copied();
        if within == self.shown {
            return None;
        }
        self.shown = within;
        let within = within?;
        Some(match within.what {
            Ongoing::Trigger(id) if self.resolved.contains(&within) => {
                format!("{} goes on", words.trigger(id))
            }
            Ongoing::Trigger(id) => {
                self.resolved.push(within);
                trigger(words, id)
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
pub(super) fn begun(words: Words<'_>, what: &Happening) -> Option<String> {
    match what {
        Happening::Pass(id) => Some(pass(words, *id)),
        Happening::Step(id) => Some(step(words, *id)),
        Happening::Trigger(instance) => Some(trigger(words, instance.trigger)),
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

fn trigger(words: Words<'_>, id: TriggerId) -> String {
    format!("{} is resolved", words.trigger(id))
}
