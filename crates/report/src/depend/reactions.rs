//! What the triggers of clauses have to do with what other clauses do.
//!
//! ```text
//! step enter          clause 1    announces "grabbed"       clause 1 can bring about clause 4
//! trigger sees_it     clause 4    on grabbed: writes alarm  clause 4 feeds clause 3: alarm
//! step flight         clause 3    reads alarm
//! ```
//!
//! *Guarantees.* Arrows come from those of the steps: what a trigger writes goes where the arrows of the step lead in
//! which it is resolved, and what it reads comes from where they come from.
//!
//! *Limits.* What passes between the triggers of one step, or between a step and its own, is left out.

use std::collections::{BTreeMap, BTreeSet};

use super::source::sequences;
use super::steps::calls;
use super::triggers::{announced, chain};
use super::{Dependence, Link, Picture, Source, Thing};
use endstep_kernel::footprint::{Place, of_matching, of_step, of_trigger, reached_in_step};
use endstep_kernel::ir::System;
use endstep_language::typing::program::{ClauseIdx, StepId, TriggerId};

/// Some places.
type Places = BTreeSet<Place>;

/// What a trigger can do in a step.
struct Reaction {
    trigger: TriggerId,
    reads: Places,
    writes: Places,
}

/// A connection of two clauses, with the places because of which there is one.
pub(super) type Found = ((ClauseIdx, ClauseIdx), Link, Places);

/// What announces, or is brought about by what is announced: which clauses, and which of them bring others about.
pub(super) fn brought(source: Source<'_>) -> (BTreeSet<ClauseIdx>, Vec<Found>) {
    let (program, system) = (source.program, source.system);
    let chain = chain(source);
    let shown = sequences(source);
    let clause = |at: usize| clause_of(source, chain.things[at]);
    let mut pairs: Vec<(Option<ClauseIdx>, Option<ClauseIdx>)> = Vec::new();
    for (event, thing) in chain.things.iter().enumerate() {
        let Thing::Event(id) = *thing else {
            continue;
        };
        let woken = chain.links.iter().filter(|link| link.from == event);
        let woken: Vec<Option<ClauseIdx>> = woken.map(|link| clause(link.to)).collect();
        let announcing = chain.links.iter().filter(|link| link.to == event);
        let announcing = announcing.map(|link| clause(link.from));
        let restarts = shown.iter().filter_map(|&sequence| {
            let before = system.procedures[sequence].restart.as_ref()?.before?;
            let is_it = announced(system, before, false).contains(&id);
            let rule = program.sequences[sequence].restart.as_ref();
            is_it.then(|| rule.and_then(|rule| rule.clause))
        });
        for from in announcing.chain(restarts) {
            pairs.extend(woken.iter().map(|&to| (from, to)));
        }
    }
    for thing in &chain.things {
        let Thing::Trigger(trigger) = *thing else {
            continue;
        };
        for called in calls(system, system.triggers[trigger].body) {
            let first = system.procedures[called].steps.first();
            let to = first.and_then(|&step| program.steps[step].clause);
            pairs.push((program.triggers[trigger].clause, to));
        }
    }
    let acting = (0..chain.things.len()).filter_map(clause).collect();
    let both = pairs
        .into_iter()
        .filter_map(|(from, to)| Some((from?, to?)));
    let found = both.map(|pair| (pair, Link::Causes, Places::new()));
    (acting, found.collect())
}

/// The clause in which something is said.
pub(super) fn clause_of(source: Source<'_>, thing: Thing) -> Option<ClauseIdx> {
    match thing {
        Thing::Step(step) => source.program.steps[step].clause,
        Thing::Trigger(trigger) => source.program.triggers[trigger].clause,
        Thing::Event(_) | Thing::Place(_) | Thing::Clause(_) => None,
    }
}

/// What passes between steps by way of triggers, of a picture of the steps.
pub(super) fn passed(source: Source<'_>, between: &Picture) -> Vec<Found> {
    let system = source.system;
    let steps = between.things.iter().filter_map(|thing| match thing {
        Thing::Step(step) => Some(*step),
        _ => None,
    });
    let reactions: BTreeMap<StepId, Vec<Reaction>> =
        steps.map(|step| (step, reactions(system, step))).collect();
    let mut found = Vec::new();
    for link in &between.links {
        let ends = [link.from, link.to].map(|at| between.things[at]);
        let [Thing::Step(from), Thing::Step(to)] = ends else {
            continue;
        };
        let (Some(before), Some(after)) = (reactions.get(&from), reactions.get(&to)) else {
            continue;
        };
        let writing = taking_part(source, (link, before), (from, |one| &one.writes));
        let taking = match link.link {
            Link::Feeds => taking_part(source, (link, after), (to, |one| &one.reads)),
            Link::Overwrites => taking_part(source, (link, after), (to, |one| &one.writes)),
            _ => continue,
        };
        for (one, written) in &writing {
            for (other, taken) in &taking {
                let places: Places = written.intersection(taken).copied().collect();
                if !places.is_empty() {
                    found.push(((*one, *other), link.link, places));
                }
            }
        }
    }
    found
}

/// The clauses that take part in an arrow of steps at one of its ends: the step there, and its triggers by what they do.
fn taking_part(
    source: Source<'_>,
    (link, reactions): (&Dependence, &[Reaction]),
    (step, does): (StepId, impl Fn(&Reaction) -> &Places),
) -> Vec<(ClauseIdx, Places)> {
    let own = source.program.steps[step].clause;
    let own = own.map(|clause| (clause, link.places.clone()));
    let triggers = reactions.iter().filter_map(|one| {
        let clause = source.program.triggers[one.trigger].clause?;
        Some((
            clause,
            does(one).intersection(&link.places).copied().collect(),
        ))
    });
    own.into_iter().chain(triggers).collect()
}

/// What triggers can do in a step: those that match where it announces something, and those that are resolved.
fn reactions(system: &System, step: StepId) -> Vec<Reaction> {
    let resolved = reached_in_step(system, step).triggers;
    let events = of_step(system, step).announces;
    let matched = events
        .iter()
        .flat_map(|&event| &system.events[event].triggers);
    let matched: BTreeSet<TriggerId> = matched.copied().collect();
    let one = |&trigger: &TriggerId| {
        let mut reaction = Reaction {
            trigger,
            reads: Places::new(),
            writes: Places::new(),
        };
        if matched.contains(&trigger) {
            reaction.reads.extend(of_matching(system, trigger).reads);
        }
        if resolved.contains(&trigger) {
            let does = of_trigger(system, trigger);
            reaction.reads.extend(does.reads);
            reaction.writes.extend(does.writes);
        }
        reaction
    };
    matched.union(&resolved).map(one).collect()
}
