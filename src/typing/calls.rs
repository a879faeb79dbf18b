//! Who performs whom: calls are acyclic, and triggers resolve no queue.

use super::activation::Caller;
use super::checker::Checker;
use super::program::SequenceId;
use crate::diag::{Diagnostic, codes};
use crate::source::Span;
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::{BTreeMap, BTreeSet};

/// Calls and resolutions, as they were found.
#[derive(Debug, Default)]
pub(super) struct Calls {
    performs: Vec<(Caller, SequenceId, Span)>,
    resolves: Vec<(Caller, Span)>,
}

impl Calls {
    pub(super) fn perform(&mut self, caller: Caller, sequence: SequenceId, span: Span) {
        self.performs.push((caller, sequence, span));
    }

    pub(super) fn resolve(&mut self, caller: Caller, span: Span) {
        self.resolves.push((caller, span));
    }

    /// The sequences that something performs.
    pub(super) fn performed(&self) -> BTreeSet<SequenceId> {
        self.performs
            .iter()
            .map(|(_, sequence, _)| *sequence)
            .collect()
    }
}

impl Checker<'_> {
    /// Checks what was found.
    pub(super) fn calls(&mut self) {
        self.no_circles();
        self.no_resolution_in_triggers();
    }

    fn no_circles(&mut self) {
        let mut graph = DiGraphMap::<u32, ()>::new();
        for (caller, callee, _) in &self.calls.performs {
            if let Caller::Sequence(caller) = caller {
                graph.add_edge(caller.0, callee.0, ());
            }
        }
        let mut circles: Vec<BTreeSet<u32>> = kosaraju_scc(&graph)
            .into_iter()
            .filter(|all| all.len() > 1 || all.iter().any(|one| graph.contains_edge(*one, *one)))
            .map(|all| all.into_iter().collect())
            .collect();
        circles.sort();
        for circle in circles {
            let inside = |(caller, callee, span): &(Caller, SequenceId, Span)| match caller {
                Caller::Sequence(caller)
                    if circle.contains(&caller.0) && circle.contains(&callee.0) =>
                {
                    Some(*span)
                }
                _ => None,
            };
            let mut spans = self.calls.performs.iter().filter_map(inside);
            let first = circle.first().map(|first| SequenceId(*first));
            let name = first.and_then(|first| self.program.sequences.get(first));
            let name = name.map_or("?", |one| one.name.as_str());
            let message =
                format!("the sequence `{name}` performs itself, expected one that does not");
            let mut error = Diagnostic::error(codes::forms::CYCLE, message);
            if let Some(first) = spans.next() {
                error = error.at(first, "part of the circle");
            }
            for other in spans {
                error = error.also(other, "part of the circle");
            }
            self.report(error.help("use `repeat`, or announce an event"));
        }
    }

    fn no_resolution_in_triggers(&mut self) {
        let mut resolving: BTreeMap<Caller, Span> = BTreeMap::new();
        for (caller, span) in &self.calls.resolves {
            resolving.entry(*caller).or_insert(*span);
        }
        let mut callees: BTreeMap<Caller, Vec<(SequenceId, Span)>> = BTreeMap::new();
        for (caller, callee, span) in &self.calls.performs {
            callees.entry(*caller).or_default().push((*callee, *span));
        }
        let mut errors = Vec::new();
        for (caller, span) in &self.calls.resolves {
            if let Caller::Trigger(_) = caller {
                let error = resolves().at(*span, "resolved here");
                errors.push(
                    error.help("let a sequence resolve the queue, or declare the event `at once`"),
                );
            }
        }
        for (caller, calls) in &callees {
            if let Caller::Trigger(_) = caller {
                for (callee, span) in calls {
                    let place = first_reached(*callee, &callees, &resolving);
                    errors.extend(place.map(|place| {
                        let error = resolves().at(*span, "by way of this");
                        error
                            .also(place, "resolved here")
                            .help("declare the event `at once` to interrupt")
                    }));
                }
            }
        }
        for error in errors {
            self.report(error);
        }
    }
}

fn resolves() -> Diagnostic {
    let message = "this trigger resolves a queue, expected only sequences to do so";
    Diagnostic::error(codes::forms::RESOLVE_IN_TRIGGER, message)
}

/// Where a sequence, or one that it performs, resolves a queue.
fn first_reached(
    from: SequenceId,
    callees: &BTreeMap<Caller, Vec<(SequenceId, Span)>>,
    resolving: &BTreeMap<Caller, Span>,
) -> Option<Span> {
    let mut seen = BTreeSet::new();
    let mut left = vec![from];
    while let Some(next) = left.pop() {
        if !seen.insert(next) {
            continue;
        }
        let caller = Caller::Sequence(next);
        if let Some(span) = resolving.get(&caller) {
            return Some(*span);
        }
        left.extend(
            callees
                .get(&caller)
                .into_iter()
                .flatten()
                .map(|(callee, _)| *callee),
        );
    }
    None
}
