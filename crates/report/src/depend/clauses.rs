//! Clauses: what refers to what, what yields to what, and how their steps depend on each other.

use std::collections::BTreeSet;

use super::{Evidence, Link, Picture, Source, Thing, steps};
use endstep_language::index::Id;
use endstep_language::typing::program::ClauseIdx;

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
    let mut links: Vec<(ClauseIdx, ClauseIdx, Link, BTreeSet<_>, Evidence)> = found
        .into_iter()
        .map(|(from, to, link)| (from, to, link, BTreeSet::new(), Evidence::Text))
        .collect();
    for link in &between.links {
        if let (Some(from), Some(to)) = (clause(link.from), clause(link.to))
            && from != to
        {
            links.push((from, to, link.link, link.places.clone(), link.evidence));
        }
    }
    // Clauses of which some steps may not change places may not either.
    let conflicts = |from: ClauseIdx, to: ClauseIdx| {
        let pairs = links.iter().filter(|link| link.2 == Link::Conflicts);
        pairs
            .map(|link| (link.0, link.1))
            .any(|pair| pair == (from, to) || pair == (to, from))
    };
    let kept = |link: &(ClauseIdx, ClauseIdx, Link, BTreeSet<_>, Evidence)| {
        link.2 != Link::Commutes || !conflicts(link.0, link.1)
    };
    let links: Vec<_> = links.iter().filter(|link| kept(link)).cloned().collect();
    // In the order of the document.
    let ends = links.iter().flat_map(|link| [link.0, link.1]);
    let mut shown: Vec<ClauseIdx> = ends.collect();
    shown.sort_by_key(|id| id.index());
    shown.dedup();
    for id in shown {
        picture.thing(Thing::Clause(id));
    }
    for (from, to, link, places, evidence) in links {
        let from = picture.thing(Thing::Clause(from));
        let to = picture.thing(Thing::Clause(to));
        picture.known((from, to), link, places, evidence);
    }
    picture
}
