//! Places of the data: what is read to write what, and what decides whether it is written.

use std::collections::BTreeSet;

use super::flow::Flow;
use super::source::{sequences, woken};
use super::{Link, Picture, Source, Thing};
use endstep_kernel::footprint::{Place, Unit, claimed, cone, of_condition, of_procedure};
use endstep_language::typing::program::{ClaimKind, SequenceId};

pub(super) fn picture(source: Source<'_>) -> Picture {
    let system = source.system;
    let mut picture = Picture::default();
    let shown = sequences(source);
    let sequences = shown.iter().map(|&id| Unit::Procedure(id));
    let triggers = woken(source).into_iter().map(Unit::Trigger);
    let units: Vec<Unit> = sequences.chain(triggers).collect();
    let mut flow = Flow::of(system, &units);
    for &unit in &units {
        flow.writes(unit, &mut |from, writes| {
            for &written in writes {
                let to = picture.thing(Thing::Place(written));
                for &read in from.iter().filter(|place| **place != written) {
                    let from = picture.thing(Thing::Place(read));
                    picture.link((from, to), Link::Feeds, BTreeSet::new());
                }
            }
        });
    }
    for (at, claim) in source.program.claims.iter().enumerate() {
        let wanted = claimed(system, at);
        let is_shown = shown.contains(&claim.kind.sequence()) && !wanted.is_empty();
        if is_shown && !is_by_contract(source, &claim.kind) {
            let cone = influences(source, &claim.kind, wanted);
            picture.cones.push((at, cone));
        }
    }
    picture
}

/// Whether a contract stands for a sequence where a claim is asked: what it reads and changes is not what the rules do.
fn is_by_contract(source: Source<'_>, kind: &ClaimKind) -> bool {
    let other = match kind {
        ClaimKind::Equivalent(_, other, _) => Some(*other),
        _ => None,
    };
    let asked = |id: SequenceId| id == kind.sequence() || Some(id) == other;
    let mut verifies = source.program.verifies.iter();
    verifies.any(|verify| asked(verify.sequence) && !verify.contracts.is_empty())
}

/// All places that can influence a claim.
fn influences(
    source: Source<'_>,
    kind: &ClaimKind,
    mut wanted: BTreeSet<Place>,
) -> BTreeSet<Place> {
    let system = source.system;
    let (run, compared): (Vec<SequenceId>, bool) = match kind {
        ClaimKind::Equivalent(one, other, _) => (vec![*one, *other], true),
        ClaimKind::OrderIrrelevant(one, _) | ClaimKind::Idempotent(one, _) => (vec![*one], true),
        ClaimKind::Terminates(one, _)
        | ClaimKind::Invariant(_, _, one)
        | ClaimKind::Must(_, one, _)
        | ClaimKind::Reachable(_, _, one)
        | ClaimKind::ReachableAfter(_, one, _)
        | ClaimKind::ExtremeIn(_, _, one)
        | ClaimKind::ExtremeAfter(_, _, one, _)
        | ClaimKind::Conserves(_, one) => (vec![*one], false),
    };
    // Where outcomes are compared, all that is written counts.
    if compared {
        let written = run.iter().flat_map(|&id| of_procedure(system, id).writes);
        wanted.extend(written);
    }
    let cones = run.iter().flat_map(|&id| cone(system, id, &wanted));
    tied(source, &run, cones.collect())
}

/// Some places, and those tied to them by a condition of which boards there are: what is in the one bounds
/// what can be in the other.
fn tied(source: Source<'_>, run: &[SequenceId], mut places: BTreeSet<Place>) -> BTreeSet<Place> {
    let system = source.system;
    let verified = source.program.verifies.iter().zip(&system.verified);
    let verified = verified.filter(|(verify, _)| run.contains(&verify.sequence));
    let verified = verified.filter_map(|(_, condition)| condition.as_ref());
    let all = system.legal.iter().chain(&system.explored).chain(verified);
    let ties = all.map(|one| of_condition(system, one).reads);
    let mut ties: Vec<BTreeSet<Place>> = ties.collect();
    loop {
        let before = ties.len();
        ties.retain(|tie| {
            let apart = tie.is_disjoint(&places);
            if !apart {
                places.extend(tie);
            }
            apart
        });
        if ties.len() == before {
            return places;
        }
    }
}
