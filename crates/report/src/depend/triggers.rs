//! Events, triggers, and the steps and restarts that announce: what brings what about.

use std::collections::BTreeSet;

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::known::{self, Goes, Way};
use super::source::{bodies, bodies_of, resolved, sequences};
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
    for body in bodies(source) {
        for event in announced(system, body.block, false) {
            let (from, to) = (
                picture.thing(body.thing),
                picture.thing(Thing::Event(event)),
            );
            picture.link((from, to), Link::Causes, BTreeSet::new());
        }
    }
    let resolved = resolved(source);
    // Only what something shown announces is shown.
    let mut next = 0;
    while let Some(&thing) = picture.things.get(next) {
        match thing {
            Thing::Event(id) => {
                let event = &system.events[id];
                let is_taken = event.queue.is_none_or(|queue| resolved.contains(&queue));
                for &trigger in event.triggers.iter().filter(|_| is_taken) {
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
            Thing::Step(_) | Thing::Restart(_) | Thing::Place(_) | Thing::Clause(_) => {}
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
                    let bodies = bodies_of(system, *called).into_iter();
                    todo.extend(bodies.map(|body| body.block));
                }
                _ => {}
            }
        }
    }
    found
}

/// Strongly connected parts of what brings what about, and what is known of them.
fn rounds(source: Source<'_>, picture: &mut Picture) {
    let ways = source
        .results
        .map(|results| known::rounds(source.program, results));
    let ways = ways.unwrap_or_default();
    let ends = known::all_end(source, &sequences(source));
    let links = picture.links.iter().map(|link| (link.from, link.to));
    for things in circles(links) {
        let mut round = Round {
            things,
            cycle: Cycle::Possible,
            shown: Vec::new(),
            followed: Vec::new(),
        };
        for (finding, goes, way) in &ways {
            let closed = closed(picture, &round.things, (*finding, way));
            match goes {
                Goes::Forever => round.shown.extend(closed),
                Goes::AsFollowed => round.followed.extend(closed),
            }
        }
        round.cycle = match round.shown.is_empty() {
            false => Cycle::Confirmed,
            true if ends => Cycle::Cleared,
            true => Cycle::Possible,
        };
        picture.rounds.push(round);
    }
    picture.rounds.sort_by(|a, b| a.things.cmp(&b.things));
    let endless = ways.iter().filter(|(_, goes, _)| *goes == Goes::Forever);
    let endless = endless.map(|(finding, _, way)| on_the_way(picture, (*finding, way)));
    picture.endless = endless.filter(|shown| !shown.things.is_empty()).collect();
}

/// The strongly connected parts of some links, each ascending.
fn circles(links: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut graph = DiGraphMap::<usize, ()>::new();
    for (from, to) in links {
        graph.add_edge(from, to, ());
    }
    let mut found = tarjan_scc(&graph);
    found.retain(|things| things.len() > 1 || graph.contains_edge(things[0], things[0]));
    for things in &mut found {
        things.sort_unstable();
    }
    found
}

/// What of a picture a run that goes round goes through.
fn on_the_way(picture: &Picture, (finding, way): (usize, &Way)) -> Shown {
    let is_met = |at: usize| match picture.things[at] {
        Thing::Trigger(id) => way.triggers.contains(&id),
        Thing::Restart(id) => way.restarts.contains(&id),
        Thing::Event(id) => way.announced.iter().any(|(_, event)| *event == id),
        Thing::Step(_) => way
            .announced
            .iter()
            .any(|(by, _)| *by == picture.things[at]),
        Thing::Place(_) | Thing::Clause(_) => false,
    };
    let is_taken = |from: usize, to: usize| match (picture.things[from], picture.things[to]) {
        (by, Thing::Event(event)) => way.announced.contains(&(by, event)),
        (_, Thing::Trigger(trigger)) => way.triggers.contains(&trigger),
        // Nothing else brings anything about here.
        _ => false,
    };
    let links = picture.links.iter().map(|link| (link.from, link.to));
    Shown {
        finding,
        things: (0..picture.things.len()).filter(|&at| is_met(at)).collect(),
        links: links.filter(|&(from, to)| is_taken(from, to)).collect(),
    }
}

/// The parts of some things that keep each other going in a run that goes round: each brings about another on the way,
/// and nothing else announces any of their events there.
fn closed(picture: &Picture, things: &[usize], (finding, way): (usize, &Way)) -> Vec<Shown> {
    let has = |things: &[usize], at: usize| things.binary_search(&at).is_ok();
    let way_through = on_the_way(picture, (finding, way));
    let within = |part: &[usize]| {
        let links = way_through.links.iter().copied();
        let links = links.filter(|&(from, to)| has(part, from) && has(part, to));
        links.collect::<Vec<_>>()
    };
    let alone = |part: &Vec<usize>| {
        let holds = |thing: Thing| part.iter().any(|&at| picture.things[at] == thing);
        way.caused.iter().all(|&(cause, event)| {
            let is_own = cause.is_some_and(|id| holds(Thing::Trigger(id)));
            is_own || !holds(Thing::Event(event))
        })
    };
    let parts = circles(within(things).into_iter()).into_iter();
    let parts = parts.filter(alone);
    let shown = parts.map(|part| Shown {
        finding,
        links: within(&part),
        things: part,
    });
    shown.collect()
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
