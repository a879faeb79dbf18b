//! Pairs many created things of two ends, so that those that look alike are one.
//!
//! ```text
//! c1 → c2 → c3 (marked)      d1 → d2 → d3      c1 with d1, c2 with d2; what is left is paired as it comes
//! ```
//!
//! What a thing looks like is what it holds and where it lies, and what that to which it points looks like, and so on.
//! Those that look alike as far as it is followed are paired first, then those that do so a step less.
//!
//! *Limits.* Another pairing may leave less that differs.

use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, Program, Value};
use endstep_semantics::semantics::Data;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// So many links are followed.
const ROUNDS: usize = 8;

/// A pair for each thing of either end, of one sort; with nothing, where there are more at the other end.
pub(super) fn paired(
    program: &Program,
    both: [&Data; 2],
    created: &[Vec<EntityId>; 2],
) -> Vec<[Option<EntityId>; 2]> {
    let looks = [0, 1].map(|at| looks(program, both[at], &created[at]));
    let mut left = [0, 1].map(|at| (0..created[at].len()).collect::<Vec<usize>>());
    let mut found = Vec::new();
    for round in (0..=ROUNDS).rev() {
        let mut rest = Vec::new();
        for one in std::mem::take(&mut left[0]) {
            let other = left[1]
                .iter()
                .position(|&other| looks[0][round][one] == looks[1][round][other]);
            match other {
                Some(at) => {
                    let other = left[1].remove(at);
                    found.push([Some(created[0][one]), Some(created[1][other])]);
                }
                None => rest.push(one),
            }
        }
        left[0] = rest;
    }
    let sort = |at: usize, id: EntityId| both[at].entities[id.index()].sort;
    for one in std::mem::take(&mut left[0]) {
        let one = created[0][one];
        let other = left[1]
            .iter()
            .position(|&other| sort(1, created[1][other]) == sort(0, one));
        let other = other.map(|at| created[1][left[1].remove(at)]);
        found.push([Some(one), other]);
    }
    found.extend(left[1].iter().map(|&other| [None, Some(created[1][other])]));
    found
}

/// What each thing looks like, by how far links are followed.
fn looks(program: &Program, data: &Data, created: &[EntityId]) -> Vec<Vec<u64>> {
    let place = |id: EntityId| {
        let ((zone, of), at) = data.place_of(id)?;
        let at = (!program.zones[zone].unordered).then_some(at);
        let of = of.filter(|of| !created.contains(of));
        Some((zone, of, at))
    };
    let mut all: Vec<Vec<u64>> = Vec::new();
    for _ in 0..=ROUNDS {
        let before = all.last();
        let look = |&id: &EntityId| {
            let entity = &data.entities[id.index()];
            let mut hash = DefaultHasher::new();
            (entity.sort, entity.removed, place(id)).hash(&mut hash);
            for value in &entity.fields {
                match value {
                    Value::Entity(of) => match created.iter().position(|one| one == of) {
                        Some(at) => (true, before.map(|before| before[at])).hash(&mut hash),
                        None => (false, of).hash(&mut hash),
                    },
                    other => (false, other).hash(&mut hash),
                }
            }
            hash.finish()
        };
        let next = created.iter().map(look).collect();
        all.push(next);
    }
    all
}
