//! Clauses: what refers to what, what yields to what, and how their statements depend on each other.

use std::collections::{BTreeMap, BTreeSet};

use super::passed::passed;
use super::reactions::{acting, brought};
use super::rests::Rests;
use super::{Dependence, Evidence, Link, Picture, Source, Thing, steps};
use endstep_kernel::footprint::{Place, Reader, Unit, reached_in_step};
use endstep_kernel::ir::{Effect, OpKind};
use endstep_language::index::Id;
use endstep_language::typing::program::{ClauseIdx, StmtId};

/// A connection of two clauses.
#[derive(Clone)]
struct Between {
    from: ClauseIdx,
    to: ClauseIdx,
    link: Link,
    places: BTreeSet<Place>,
    evidence: Evidence,
    compared: BTreeSet<usize>,
}

impl Between {
    /// As far as the text shows.
    fn said(from: ClauseIdx, to: ClauseIdx, link: Link, places: BTreeSet<Place>) -> Self {
        Self {
            from,
            to,
            link,
            places,
            evidence: Evidence::Text,
            compared: BTreeSet::new(),
        }
    }
}

pub(super) fn picture(source: Source<'_>) -> Picture {
    let rests = Rests::of(source);
    let mut links = named(&rests);
    for (from, to) in brought(&rests) {
        links.push(Between::said(from, to, Link::Causes, BTreeSet::new()));
    }
    for ((from, to), places) in passed(&rests) {
        links.push(Between::said(from, to, Link::Feeds, places));
    }
    links.extend(of_steps(&rests, &steps::picture(source)));
    let is_named = |one: &Between| matches!(one.link, Link::Refers | Link::Yields);
    links.retain(|one| is_named(one) || one.from != one.to);
    drawn(links)
}

/// What clauses say of each other; of one sequence, what those say, or what is said of those, on which anything in it
/// rests.
fn named(rests: &Rests<'_>) -> Vec<Between> {
    let mut found = Vec::new();
    for (from, one) in rests.source.program.clauses.iter() {
        for (link, others) in [
            (Link::Refers, &one.refers_to),
            (Link::Yields, &one.yields_to),
        ] {
            let said = |&to: &_| Between::said(from, to, link, BTreeSet::new());
            found.extend(others.iter().map(said));
        }
    }
    if rests.source.sequence.is_some() {
        let shown = acting(rests);
        found.retain(|one| shown.contains(&one.from) || shown.contains(&one.to));
    }
    found
}

/// The connections of steps and restarts as connections of clauses; what feeds what is known of each statement.
fn of_steps(rests: &Rests<'_>, between: &Picture) -> Vec<Between> {
    let mut found = Vec::new();
    for link in &between.links {
        let [from, to] = [link.from, link.to].map(|at| between.things[at]);
        let whole = |thing| {
            let clauses = rests.whole(thing).into_iter();
            let all = clauses.map(|one| (one, link.places.clone()));
            all.collect::<BTreeMap<_, _>>()
        };
        let (before, after) = match link.link {
            Link::Overwrites => (writing(rests, link, from), writing(rests, link, to)),
            Link::Undoes if link.places.is_empty() => (whole(from), whole(to)),
            Link::Undoes => (writing(rests, link, from), whole(to)),
            Link::Enables => (ending(rests, from), whole(to)),
            Link::Conflicts | Link::Commutes => (whole(from), whole(to)),
            Link::Feeds | Link::Causes | Link::Refers | Link::Yields => continue,
        };
        for (&from, written) in &before {
            for (&to, taken) in &after {
                let places: BTreeSet<Place> = written.intersection(taken).copied().collect();
                // Both write, but not the same.
                if link.link == Link::Overwrites && places.is_empty() {
                    continue;
                }
                found.push(Between {
                    evidence: link.evidence,
                    compared: link.compared.clone(),
                    ..Between::said(from, to, link.link, places)
                });
            }
        }
    }
    found
}

/// Which clauses write what of the places of a link, in what a step or restart comes to.
fn writing(
    rests: &Rests<'_>,
    link: &Dependence,
    thing: Thing,
) -> BTreeMap<ClauseIdx, BTreeSet<Place>> {
    let system = rests.source.system;
    let mut found = BTreeMap::<ClauseIdx, BTreeSet<Place>>::new();
    for (unit, op) in statements(rests, thing) {
        let writes = Reader::new(system, unit).itself(op).writes;
        let places: BTreeSet<Place> = writes.intersection(&link.places).copied().collect();
        for clause in rests.of_statement(unit, op) {
            if !places.is_empty() {
                found.entry(clause).or_default().extend(&places);
            }
        }
    }
    found
}

/// Which clauses can end the list of a step or restart, or the run, or go to another step, in what it comes to.
fn ending(rests: &Rests<'_>, thing: Thing) -> BTreeMap<ClauseIdx, BTreeSet<Place>> {
    let system = rests.source.system;
    let (list, performed) = match thing {
        Thing::Step(step) => {
            let list = system.steps[step].procedure;
            (list, reached_in_step(system, step).sequences)
        }
        Thing::Restart(list) => {
            let units = statements(rests, thing).into_iter().map(|(unit, _)| unit);
            let performed = units.filter_map(|unit| match unit {
                Unit::Procedure(id) if id != list => Some(id),
                Unit::Procedure(_) | Unit::Trigger(_) => None,
            });
            (list, performed.collect())
        }
        Thing::Event(_) | Thing::Trigger(_) | Thing::Place(_) | Thing::Clause(_) => {
            return BTreeMap::new();
        }
    };
    let ends = |op: StmtId| match &system.ops[op].kind {
        // What is performed there and left ends by itself.
        OpKind::Leave(id) => *id == list || !performed.contains(id),
        OpKind::GoTo(to) => system.steps[*to].procedure == list,
        OpKind::Stop(effect) => !matches!(effect, Effect::Gap(..)),
        // All else goes on to what comes next.
        _ => false,
    };
    let all = statements(rests, thing).into_iter();
    let all = all.filter(|(_, op)| ends(*op));
    let all = all.flat_map(|(unit, op)| rests.of_statement(unit, op));
    all.map(|clause| (clause, BTreeSet::new())).collect()
}

/// All statements of what a step or restart comes to.
fn statements(rests: &Rests<'_>, thing: Thing) -> Vec<(Unit, StmtId)> {
    let system = rests.source.system;
    let (sequence, block) = match thing {
        Thing::Step(id) => {
            let step = &system.steps[id];
            (step.procedure, Some(step.body))
        }
        Thing::Restart(id) => {
            let rule = system.procedures[id].restart.as_ref();
            (id, rule.and_then(|rule| rule.before))
        }
        Thing::Event(_) | Thing::Trigger(_) | Thing::Place(_) | Thing::Clause(_) => {
            return Vec::new();
        }
    };
    let unit = Unit::Procedure(sequence);
    block.map_or_else(Vec::new, |block| rests.reached(unit, block))
}

/// Connections of clauses as a picture.
fn drawn(links: Vec<Between>) -> Picture {
    let mut picture = Picture::default();
    // Clauses of which some steps may not change places may not either.
    let conflicts = |from: ClauseIdx, to: ClauseIdx| {
        let pairs = links.iter().filter(|one| one.link == Link::Conflicts);
        pairs
            .map(|one| (one.from, one.to))
            .any(|pair| pair == (from, to) || pair == (to, from))
    };
    let kept = |one: &Between| one.link != Link::Commutes || !conflicts(one.from, one.to);
    let links: Vec<Between> = links.iter().filter(|one| kept(one)).cloned().collect();
    // In the order of the document.
    let ends = links.iter().flat_map(|one| [one.from, one.to]);
    let mut shown: Vec<ClauseIdx> = ends.collect();
    shown.sort_by_key(|id| id.index());
    shown.dedup();
    for id in shown {
        picture.thing(Thing::Clause(id));
    }
    for one in links {
        let pair = (
            picture.thing(Thing::Clause(one.from)),
            picture.thing(Thing::Clause(one.to)),
        );
        picture.known(pair, one.link, one.places, one.evidence);
        picture.compared(pair, one.link, &one.compared);
    }
    picture
}
