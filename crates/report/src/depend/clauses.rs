//! Clauses: what refers to what, what yields to what, and how their steps depend on each other.

use std::collections::BTreeSet;

use super::reactions::{Found, brought, clause_of, passed};
use super::{Evidence, Link, Picture, Source, Thing, steps};
use endstep_kernel::footprint::Place;
use endstep_language::index::Id;
use endstep_language::typing::program::ClauseIdx;

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
    fn said(((from, to), link, places): Found) -> Self {
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
    let program = source.program;
    let between = steps::picture(source);
    let (acting, brought) = brought(source);
    let mut found: Vec<Found> = Vec::new();
    for (id, one) in program.clauses.iter() {
        let said = |link| move |&to: &_| ((id, to), link, BTreeSet::new());
        found.extend(one.refers_to.iter().map(said(Link::Refers)));
        found.extend(one.yields_to.iter().map(said(Link::Yields)));
    }
    if source.sequence.is_some() {
        let steps = between.things.iter();
        let steps = steps.filter_map(|&thing| clause_of(source, thing));
        let shown: BTreeSet<ClauseIdx> = steps.chain(acting).collect();
        found.retain(|((from, to), ..)| shown.contains(from) || shown.contains(to));
    }
    found.extend(brought);
    found.extend(passed(source, &between));
    let mut links: Vec<Between> = found.into_iter().map(Between::said).collect();
    for link in &between.links {
        let [from, to] = [link.from, link.to].map(|at| clause_of(source, between.things[at]));
        if let (Some(from), Some(to)) = (from, to) {
            links.push(Between {
                from,
                to,
                link: link.link,
                places: link.places.clone(),
                evidence: link.evidence,
                compared: link.compared.clone(),
            });
        }
    }
    let said = |one: &Between| matches!(one.link, Link::Refers | Link::Yields);
    links.retain(|one| said(one) || one.from != one.to);
    drawn(links)
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
