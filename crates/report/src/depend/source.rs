//! What graphs are made from.

use std::collections::BTreeSet;

use endstep_kernel::ir::System;
use endstep_language::typing::program::{Program, SequenceId, TriggerId};
use endstep_verdicts::verdict::Results;

/// What a picture is made from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The specification.
    pub program: &'a Program,
    /// The same without sugar.
    pub system: &'a System,
    /// What the engines know, if they were asked.
    pub results: Option<&'a Results>,
    /// Only this sequence and what it comes to.
    pub sequence: Option<SequenceId>,
}

/// The sequences that are shown: all of the document, or one with all that it comes to.
pub fn sequences(source: Source<'_>) -> Vec<SequenceId> {
    match source.sequence {
        None => {
            let all = source.program.sequences.iter();
            let rules = all.filter(|(_, one)| !one.is_experiment());
            rules.map(|(id, _)| id).collect()
        }
        Some(root) => performed(source.system, root).into_iter().collect(),
    }
}

/// A sequence and what it performs, directly, through others or through triggers.
pub(super) fn performed(system: &System, root: SequenceId) -> BTreeSet<SequenceId> {
    let steps = system.procedures[root].steps.iter();
    let all = steps.flat_map(|&step| endstep_kernel::footprint::of_step(system, step).performs);
    all.chain([root]).collect()
}

/// The triggers that can be woken by what is shown.
pub(super) fn woken(source: Source<'_>) -> BTreeSet<TriggerId> {
    let system = source.system;
    let shown = sequences(source);
    let steps = shown.iter().flat_map(|&id| &system.procedures[id].steps);
    let events = steps.flat_map(|&step| endstep_kernel::footprint::of_step(system, step).announces);
    let triggers = events.flat_map(|event| system.events[event].triggers.clone());
    triggers.collect()
}
