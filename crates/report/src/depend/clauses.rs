//! Clauses: what refers to what, what yields to what, and how their steps depend on each other.

use std::collections::BTreeSet;

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

pub(super) fn picture(source: Source<'_>) -> Picture {
    let program = source.program;
    let mut picture = Picture::default();
    let between = steps::picture(source);
    let clause = |at: usize| -> Option<ClauseIdx> {
        match between.things[at] {
            Thing::Step(step) => program.steps[step].clause,
            _ => None,
        }
    };
    let mut found = Vec::new();
    for (id, one) in program.clauses.iter() {
        found.extend(one.refers_to.iter().map(|&to| (id, to, Link::Refers)));
        found.extend(one.yields_to.iter().map(|&to| (id, to, Link::Yields)));
    }
    if source.sequence.is_some() {
        let shown: BTreeSet<ClauseIdx> = (0..between.things.len()).filter_map(clause).collect();
        found.retain(|(from, to, _)| shown.contains(from) || shown.contains(to));
    }
    let said = |(from, to, link)| Between {
        from,
        to,
        link,
        places: BTreeSet::new(),
        evidence: Evidence::Text,
        compared: BTreeSet::new(),
    };
    let mut links: Vec<Between> = found.into_iter().map(said).collect();
    for link in &between.links {
        if let (Some(from), Some(to)) = (clause(link.from), clause(link.to))
            && from != to
        {
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
