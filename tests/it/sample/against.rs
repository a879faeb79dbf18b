//! A sampled run, compared with all runs of its board. The fuzz target `interaction` does the same.

use std::cell::Cell;
use std::collections::BTreeSet;

use endstep::analysis::{Engine, Graph, Halt, Job, Limits, NO_ORDERS, Task};
use endstep::explore::Explorer;
use endstep::sample::{Decoded, Last, RunResult};
use endstep::semantics::Names;
use endstep::typing::program::Program;
use endstep::witness::Root;

/// What the explorer says of the board of a run.
pub fn explored(
    (program, explorer): (&Program, &Explorer),
    job: &Job,
    (dealt, limits): (&Decoded, Limits),
) -> Result<Graph, Halt> {
    let board = dealt.data(explorer.ground());
    let task = Task {
        program,
        readings: &dealt.assignment(),
        variant: &job.variant,
        names: &Names::numbered(program, &board),
        watches: &[],
        keep: &BTreeSet::new(),
        orders: &NO_ORDERS,
        states: limits.states,
        steps: limits.steps,
        spent: &Cell::new(0),
        kept: None,
    };
    explorer.graph(task, &Root::Sequence(job.sequence, Vec::new()), &board)
}

/// How a sampled run and all runs of its board differ.
pub fn contradicts(ran: &RunResult, graph: &Graph, explorer: &Explorer) -> Option<String> {
    let mut ends = graph.nodes.iter().filter_map(|node| node.end());
    match &ran.last {
        Last::Ended(tag) => {
            let there = ends.any(|end| end.ended.tag == *tag);
            (!there).then(|| format!("no run ends in {tag:?}"))
        }
        Last::Again => explorer
            .loops(graph)
            .is_empty()
            .then(|| "all runs end".to_owned()),
        Last::GivenUp => None,
    }
}
