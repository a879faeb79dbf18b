//! Events, triggers, and the steps that announce: what brings what about.

use std::collections::BTreeSet;

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::known::{self, Way};
use super::source::sequences;
use super::{Cycle, Link, Picture, Round, Shown, Source, Thing};
use endstep_kernel::footprint::{Footprint, Place, of_matching, of_trigger};
use endstep_kernel::ir::{OpKind, System};
use endstep_language::typing::program::{BlockId, EventId};

pub(super) fn picture(source: Source<'_>) -> Picture {
    let mut picture = chain(source);
    rounds(source, &mut picture);
    enabled(source.system, &mut picture);
    picture
}

/// What brings what about, as far as the text shows.
pub(super) fn chain(source: Source<'_>) -> Picture {
    let system = source.system;
    let mut picture = Picture::default();
    for sequence in sequences(source) {
        for &step in &system.procedures[sequence].steps {
            for event in announced(system, system.steps[step].body, false) {
                let (from, to) = (
                    picture.thing(Thing::Step(step)),
                    picture.thing(Thing::Event(event)),
                );
                picture.link((from, to), Link::Causes, BTreeSet::new());
            }
        }
        if let Some(before) = system.procedures[sequence]
            .restart
            .as_ref()
            .and_then(|rule| rule.before)
        {
            for event in announced(system, before, false) {
                picture.thing(Thing::Event(event));
            }
        }
    }
    // Only what something shown announces is shown.
    let mut next = 0;
    while let Some(&thing) = picture.things.get(next) {
        match thing {
            Thing::Event(event) => {
                for &trigger in &system.events[event].triggers {
                    let to = picture.thing(Thing::Trigger(trigger));
                    picture.link((next, to), Link::Causes, BTreeSet::new());
                }
            }
            Thing::Trigger(trigger) => {
                for event in announced(system, system.triggers[trigger].body, true) {
                    let to = picture.thing(Thing::Event(event));
                    picture.link((next, to), Link::Causes, BTreeSet::new());
                }
            }
            _ => {}
        }
        next += 1;
    }
    picture
}

/// What the statements of a block announce, and, if wanted, those of what they perform.
pub(super) fn announced(system: &System, block: BlockId, follow: bool) -> BTreeSet<EventId> {
    let mut found = BTreeSet::new();
    let mut todo = vec![block];
    let mut seen = BTreeSet::new();
    while let Some(block) = todo.pop() {
        for &op in &system.blocks[block].ops {
            let kind = &system.ops[op].kind;
            todo.extend(kind.blocks());
            found.extend(system.announced_by(kind));
            match kind {
                OpKind::Call(called, _) if follow && seen.insert(*called) => {
                    let steps = system.procedures[*called].steps.iter();
                    todo.extend(steps.map(|&step| system.steps[step].body));
                }
                _ => {}
            }
        }
    }
    found
}

/// Strongly connected parts of what brings what about, and what is known of them.
fn rounds(source: Source<'_>, picture: &mut Picture) {
    let system = source.system;
    let mut graph = DiGraphMap::<usize, ()>::new();
    for link in &picture.links {
        graph.add_edge(link.from, link.to, ());
    }
    let shown = source
        .results
        .map(|results| known::rounds(source.program, results));
    let ends = known::all_end(source, &sequences(source));
    for mut things in tarjan_scc(&graph) {
        let alone = things.len() == 1 && !graph.contains_edge(things[0], things[0]);
        if alone {
            continue;
        }
        things.sort_unstable();
        let shown = shown.iter().flatten();
        let shown = shown
            .filter_map(|(finding, way)| on_the_way(system, picture, &things, (*finding, way)));
        let shown: Vec<Shown> = shown.collect();
        let cycle = match shown.is_empty() {
            false => Cycle::Confirmed,
            true if ends => Cycle::Cleared,
            true => Cycle::Possible,
        };
        picture.rounds.push(Round {
            things,
            cycle,
            shown,
        });
    }
    picture.rounds.sort_by(|a, b| a.things.cmp(&b.things));
}

/// What of some things that can bring each other about a run that goes round goes through; nothing if it resolves none
/// of their triggers.
fn on_the_way(
    system: &System,
    picture: &Picture,
    things: &[usize],
    (finding, way): (usize, &Way),
) -> Option<Shown> {
    let of = |thing: Thing| {
        let mut things = things.iter().copied();
        things.find(|&at| picture.things[at] == thing)
    };
    let mut links = Vec::new();
    for &trigger in &way.triggers {
        let Some(at) = of(Thing::Trigger(trigger)) else {
            continue;
        };
        let woken = of(Thing::Event(system.triggers[trigger].event));
        links.extend(woken.map(|event| (event, at)));
        let announced = way.announced.iter().filter(|(by, _)| *by == trigger);
        let announced = announced.filter_map(|(_, event)| of(Thing::Event(*event)));
        links.extend(announced.map(|event| (at, event)));
    }
    let ends: BTreeSet<usize> = links.iter().flat_map(|&(from, to)| [from, to]).collect();
    (!links.is_empty()).then(|| Shown {
        finding,
        things: ends.into_iter().collect(),
        links,
    })
}

/// Within what can go round: what one trigger writes that decides whether another matches.
fn enabled(system: &System, picture: &mut Picture) {
    let mut found = Vec::new();
    for round in &picture.rounds {
        let triggers = round
            .things
            .iter()
            .filter_map(|&at| match picture.things[at] {
                Thing::Trigger(id) => Some((at, of_trigger(system, id), of_matching(system, id))),
                _ => None,
            });
        let triggers: Vec<(usize, Footprint, Footprint)> = triggers.collect();
        for (from, does, _) in &triggers {
            for (to, _, matches) in &triggers {
                let places: BTreeSet<Place> =
                    does.writes.intersection(&matches.reads).copied().collect();
                if !places.is_empty() {
                    found.push(((*from, *to), places));
                }
            }
        }
    }
    for (pair, places) in found {
        picture.link(pair, Link::Enables, places);
    }
}
