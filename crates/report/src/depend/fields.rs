//! Places of the data: what is read to write what, and what decides whether it is written.

use std::collections::{BTreeMap, BTreeSet};

use super::{Link, Picture, Source, Thing, sequences, woken};
use endstep_kernel::footprint::{Place, Reader, claimed, cone};
use endstep_language::typing::program::{BlockId, LocalId};

pub(super) fn picture(source: Source<'_>) -> Picture {
    let system = source.system;
    let mut picture = Picture::default();
    let shown = sequences(source);
    for &sequence in &shown {
        let procedure = &system.procedures[sequence];
        let steps = procedure.steps.iter();
        let steps = steps.map(|&step| system.steps[step].body);
        let before = procedure.restart.as_ref().and_then(|rule| rule.before);
        for block in steps.chain(before) {
            let reader = Reader::of_procedure(system, sequence);
            flows(reader, block, &Around::default(), &mut picture);
        }
    }
    for id in woken(source) {
        let reader = Reader::of_trigger(system, id);
        flows(
            reader,
            system.triggers[id].body,
            &Around::default(),
            &mut picture,
        );
    }
    for (at, claim) in source.program.claims.iter().enumerate() {
        let sequence = claim.kind.sequence();
        let wanted = claimed(system, at);
        if shown.contains(&sequence) && !wanted.is_empty() {
            picture.cones.push((at, cone(system, sequence, &wanted)));
        }
    }
    picture
}

/// What decides whether a statement is reached, and what locals were made from.
#[derive(Clone, Default)]
struct Around {
    decides: BTreeSet<Place>,
    locals: BTreeMap<LocalId, BTreeSet<Place>>,
}

fn flows(reader: Reader<'_>, block: BlockId, around: &Around, picture: &mut Picture) {
    let mut around = around.clone();
    for &op in &reader.system.blocks[block].ops {
        let alone = reader.alone(op);
        let bound = |local: &LocalId| around.locals.get(local).into_iter().flatten();
        let used: BTreeSet<Place> = alone.locals.iter().flat_map(bound).copied().collect();
        let own: BTreeSet<Place> = alone.footprint.reads.union(&used).copied().collect();
        let from: BTreeSet<Place> = own.union(&around.decides).copied().collect();
        for &written in &alone.footprint.writes {
            let to = picture.thing(Thing::Place(written));
            for &read in from.iter().filter(|place| **place != written) {
                let from = picture.thing(Thing::Place(read));
                picture.link((from, to), Link::Feeds, BTreeSet::new());
            }
        }
        if let Some(local) = alone.binds {
            around.locals.insert(local, own.clone());
        }
        let inside = Around {
            decides: from,
            locals: around.locals.clone(),
        };
        for inner in reader.system.ops[op].kind.blocks() {
            flows(reader, inner, &inside, picture);
        }
    }
}
