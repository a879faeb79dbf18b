//! Who performs whom: calls are acyclic, and triggers resolve no queue.

use super::activation::Caller;
use super::checker::{Calls, Checker};
use super::program::SequenceId;
use crate::diag::{Diagnostic, codes};
use crate::source::Span;
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// So many sequences perform each other at most, one within the other.
// INVARIANT: the stack of activations is copied on every micro-step, so it must stay short.
const MOST_SEQUENCES: usize = 256;

impl Checker<'_> {
    /// Checks what was found.
    pub(super) fn calls(&mut self) {
        if !self.circles() {
            self.not_too_deep();
        }
        self.no_resolution_in_triggers();
    }

    /// Reports circles; whether there are any.
    fn circles(&mut self) -> bool {
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
        let mut found = false;
        for circle in circles {
            found = true;
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
        found
    }

    /// Looks at how deep sequences perform each other, callers first.
    fn not_too_deep(&mut self) {
        let mut callees: BTreeMap<SequenceId, Vec<(SequenceId, Span)>> = BTreeMap::new();
        let mut callers: BTreeMap<SequenceId, usize> = BTreeMap::new();
        for (caller, callee, span) in &self.calls.performs {
            if let Caller::Sequence(caller) = caller {
                callees.entry(*caller).or_default().push((*callee, *span));
                *callers.entry(*callee).or_default() += 1;
            }
        }
        let first = callees.keys().filter(|one| !callers.contains_key(one));
        let mut ready: Vec<SequenceId> = first.copied().collect();
        let mut depths: BTreeMap<SequenceId, usize> = BTreeMap::new();
        let mut too_deep = None;
        while let Some(caller) = ready.pop() {
            let depth = depths.get(&caller).copied().unwrap_or(1) + 1;
            for (callee, span) in callees.get(&caller).into_iter().flatten() {
                let deepest = depths.entry(*callee).or_default();
                *deepest = depth.max(*deepest);
                if depth == MOST_SEQUENCES + 1 {
                    too_deep = too_deep.max(Some((*callee, *span)));
                }
                if let Some(left) = callers.get_mut(callee) {
                    *left -= 1;
                    if *left == 0 {
                        ready.push(*callee);
                    }
                }
            }
        }
        if let Some((sequence, span)) = too_deep {
            let name = &self.program.sequences[sequence].name;
            let message = format!(
                "more than {MOST_SEQUENCES} sequences perform each other down to `{name}`, \
                 expected fewer"
            );
            let error = Diagnostic::error(codes::forms::DEEP_USE, message);
            self.report(error.at(span, "too deep"));
        }
    }

    fn no_resolution_in_triggers(&mut self) {
        let places = resolving_places(&self.calls);
        let mut errors = Vec::new();
        for (caller, span) in &self.calls.resolves {
            if let Caller::Trigger(_) = caller {
                let error = resolves().at(*span, "resolved here");
                errors.push(
                    error.help("let a sequence resolve the queue, or declare the event `at once`"),
                );
            }
        }
        for (caller, callee, span) in &self.calls.performs {
            if let (Caller::Trigger(_), Some(place)) = (caller, places.get(callee)) {
                let error = resolves().at(*span, "by way of this");
                let error = error.also(*place, "resolved here");
                errors.push(error.help("declare the event `at once` to interrupt"));
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

/// For each sequence that resolves a queue, or performs one that does: where.
fn resolving_places(calls: &Calls) -> BTreeMap<SequenceId, Span> {
    let mut callers: BTreeMap<SequenceId, Vec<SequenceId>> = BTreeMap::new();
    for (caller, callee, _) in &calls.performs {
        if let Caller::Sequence(caller) = caller {
            callers.entry(*callee).or_default().push(*caller);
        }
    }
    let mut places = BTreeMap::new();
    for (caller, span) in &calls.resolves {
        let Caller::Sequence(sequence) = caller else {
            continue;
        };
        let mut left = vec![*sequence];
        while let Some(next) = left.pop() {
            if let Entry::Vacant(place) = places.entry(next) {
                place.insert(*span);
                left.extend(callers.get(&next).into_iter().flatten());
            }
        }
    }
    places
}
