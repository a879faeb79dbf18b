//! What graphs are made from.

use std::collections::BTreeSet;

use super::Thing;
use endstep_kernel::ir::{OpKind, System};
use endstep_language::typing::program::{BlockId, Program, QueueId, SequenceId, StmtId, TriggerId};
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

/// A block of a sequence, and what it is the body of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body {
    /// A step, or a restart: then what is done before the sequence begins again.
    pub thing: Thing,
    /// What is done.
    pub block: BlockId,
}

/// The bodies of all that is shown: those of each sequence together.
pub(super) fn bodies(source: Source<'_>) -> Vec<Body> {
    let all = sequences(source).into_iter();
    all.flat_map(|id| bodies_of(source.system, id)).collect()
}

/// The bodies of a sequence: its steps in order, and its restart.
pub(super) fn bodies_of(system: &System, id: SequenceId) -> Vec<Body> {
    let procedure = &system.procedures[id];
    let steps = procedure.steps.iter().map(|&step| Body {
        thing: Thing::Step(step),
        block: system.steps[step].body,
    });
    let before = procedure.restart.as_ref().and_then(|rule| rule.before);
    let restart = before.map(|block| Body {
        thing: Thing::Restart(id),
        block,
    });
    steps.chain(restart).collect()
}

/// The statements of some blocks, and those inside of these.
pub(super) fn ops(system: &System, blocks: impl IntoIterator<Item = BlockId>) -> Vec<StmtId> {
    let mut todo: Vec<BlockId> = blocks.into_iter().collect();
    let mut found = Vec::new();
    while let Some(block) = todo.pop() {
        for &op in &system.blocks[block].ops {
            found.push(op);
            todo.extend(system.ops[op].kind.blocks());
        }
    }
    found
}

/// Whether the statements of a step or restart perform a sequence themselves.
pub fn performs(system: &System, thing: Thing, sequence: SequenceId) -> bool {
    let block = match thing {
        Thing::Step(step) => Some(system.steps[step].body),
        Thing::Restart(id) => {
            let rule = system.procedures[id].restart.as_ref();
            rule.and_then(|rule| rule.before)
        }
        Thing::Event(_) | Thing::Trigger(_) | Thing::Place(_) | Thing::Clause(_) => None,
    };
    block.is_some_and(|block| calls(system, block).contains(&sequence))
}

/// Whether something shown performs a sequence.
pub fn is_performed(source: Source<'_>, sequence: SequenceId) -> bool {
    let system = source.system;
    let triggers = woken(source).into_iter();
    let triggers = triggers.map(|id| system.triggers[id].body);
    let mut blocks = bodies(source)
        .into_iter()
        .map(|body| body.block)
        .chain(triggers);
    blocks.any(|block| calls(system, block).contains(&sequence))
}

/// What the statements of a block perform themselves.
pub(super) fn calls(system: &System, block: BlockId) -> BTreeSet<SequenceId> {
    let all = ops(system, [block]).into_iter();
    let called = all.filter_map(|op| match system.ops[op].kind {
        OpKind::Call(sequence, _) => Some(sequence),
        _ => None,
    });
    called.collect()
}

/// The queues that something shown resolves: what waits in others brings nothing about.
pub(super) fn resolved(source: Source<'_>) -> BTreeSet<QueueId> {
    let system = source.system;
    let blocks = bodies(source).into_iter().map(|body| body.block);
    let triggers = woken(source).into_iter();
    let blocks = blocks.chain(triggers.map(|id| system.triggers[id].body));
    let kinds = ops(system, blocks).into_iter();
    let queues = kinds.filter_map(|op| match system.ops[op].kind {
        OpKind::Resolve { queue, .. } => Some(queue),
        _ => None,
    });
    queues.collect()
}
