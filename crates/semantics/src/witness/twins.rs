//! Orders of many created entities that have to be tried to find out whether some renaming makes two outcomes equal.
//!
//! ```text
//! row, first to last: c1, c2, c3 …    each lies elsewhere: one order
//! bag: c1, c2, c3 …                   each can stand for each: one order
//! ```
//!
//! What is so of an entity, whatever the others are called, tells it from others; those that nothing tells apart are
//! tried in all orders, unless any two of them can change places.
//!
//! *Guarantees.* Which orders are tried depends on nothing but the outcome up to renaming.

use crate::semantics::Data;
use endstep_language::index::Id;
use endstep_language::typing::program::EntityId;

/// More renamings of created entities than this are not tried.
const MOST_RENAMINGS: usize = 720;

/// Stands for the entity that is looked at.
const SELF: EntityId = EntityId(u32::MAX - 1);

/// Stands for any other.
const OTHER: EntityId = EntityId(u32::MAX);

/// The orders; nothing if there are too many. `kind` comes first of what tells entities apart, `seen` is the outcome
/// with other names.
pub(super) fn orders<K: Ord, P: Ord>(
    created: &[EntityId],
    kind: impl Fn(EntityId) -> K,
    seen: impl Fn(&dyn Fn(EntityId) -> EntityId) -> P,
) -> Option<Vec<Vec<EntityId>>> {
    let looked = |id: EntityId| {
        seen(&|other| match other == id {
            true => SELF,
            false if created.contains(&other) => OTHER,
            false => other,
        })
    };
    let mut told: Vec<(K, P, EntityId)> = created
        .iter()
        .map(|&id| (kind(id), looked(id), id))
        .collect();
    told.sort_by(|(a, b, _), (c, d, _)| (a, b).cmp(&(c, d)));
    let as_it_is = seen(&|id| id);
    let can_change = |pair: &[(K, P, EntityId)]| {
        let (one, two) = (pair[0].2, pair[1].2);
        let swapped = seen(&|id| match id {
            id if id == one => two,
            id if id == two => one,
            id => id,
        });
        swapped == as_it_is
    };
    let mut orders: Vec<Vec<EntityId>> = vec![Vec::new()];
    for alike in told.chunk_by(|(a, b, _), (c, d, _)| (a, b) == (c, d)) {
        let all: Vec<EntityId> = alike.iter().map(|(.., id)| *id).collect();
        let arrangements = match alike.windows(2).all(can_change) {
            true => vec![all],
            false => permutations(&all)?,
        };
        if orders.len() * arrangements.len() > MOST_RENAMINGS {
            return None;
        }
        let longer = orders.iter().flat_map(|order| {
            let arrangements = arrangements.iter();
            arrangements.map(|more| [order.as_slice(), more].concat())
        });
        orders = longer.collect();
    }
    Some(orders)
}

/// All orders of created entities that keep the order of their sorts, unless there are too many.
pub(super) fn renamings(data: &Data, created: &[EntityId]) -> Option<Vec<Vec<EntityId>>> {
    let mut orders: Vec<Vec<EntityId>> = vec![Vec::new()];
    for group in
        created.chunk_by(|a, b| data.entities[a.index()].sort == data.entities[b.index()].sort)
    {
        let arrangements = permutations(group)?;
        if orders.len() * arrangements.len() > MOST_RENAMINGS {
            return None;
        }
        orders = orders
            .iter()
            .flat_map(|order| {
                arrangements
                    .iter()
                    .map(|more| [order.as_slice(), more].concat())
            })
            .collect();
    }
    Some(orders)
}

/// All arrangements, unless there are too many.
pub fn permutations<T: Copy>(items: &[T]) -> Option<Vec<Vec<T>>> {
    let mut done: Vec<Vec<T>> = vec![Vec::new()];
    for &item in items {
        let longer = done.iter().flat_map(|order| {
            (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, item);
                order
            })
        });
        done = longer.collect();
        if done.len() > MOST_RENAMINGS {
            return None;
        }
    }
    Some(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks of entities, which of them point to which, and a row in which some lie.
    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
    struct Seen {
        marks: Vec<(EntityId, u32)>,
        links: Vec<(EntityId, EntityId)>,
        row: Vec<EntityId>,
    }

    impl Seen {
        fn renamed(&self, rename: &dyn Fn(EntityId) -> EntityId) -> Self {
            let mut marks: Vec<_> = self.marks.iter().map(|&(a, n)| (rename(a), n)).collect();
            let mut links: Vec<_> = self
                .links
                .iter()
                .map(|&(a, b)| (rename(a), rename(b)))
                .collect();
            marks.sort();
            links.sort();
            Self {
                marks,
                links,
                row: self.row.iter().map(|&a| rename(a)).collect(),
            }
        }

        fn smallest(&self, orders: &[Vec<EntityId>]) -> Option<Self> {
            let renamed = orders.iter().map(|order| {
                self.renamed(&|id| {
                    let at = order.iter().position(|&one| one == id);
                    at.map_or(id, EntityId::from_index)
                })
            });
            renamed.min()
        }
    }

    /// Outcomes are equal up to renaming exactly if they are the same in the smallest of these orders.
    #[test]
    fn fewer_orders_tell_the_same_outcomes_apart() {
        let mut state: u32 = 5;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let all: Vec<EntityId> = (0..4).map(EntityId::from_index).collect();
        let mut known: Vec<(Option<Seen>, Option<Seen>)> = Vec::new();
        let mut fewer = 0;
        for _ in 0..500 {
            let some = |next: &mut dyn FnMut(u32) -> u32| all[next(4) as usize];
            let links = next(3);
            let mut seen = Seen {
                marks: all.iter().map(|&id| (id, next(2))).collect(),
                links: (0..links)
                    .map(|_| (some(&mut next), some(&mut next)))
                    .collect(),
                row: all.iter().copied().filter(|_| next(3) == 0).collect(),
            };
            seen = seen.renamed(&|id| id);
            let orders = orders(&all, |_| (), |rename| seen.renamed(rename)).unwrap();
            fewer += usize::from(orders.len() == 1);
            let forced = seen.smallest(&permutations(&all).unwrap());
            known.push((forced, seen.smallest(&orders)));
        }
        assert!(fewer > 50, "{fewer}");
        for (one, mine) in &known {
            for (other, other_mine) in &known {
                assert_eq!(one == other, mine == other_mine, "{one:?} {other:?}");
            }
        }
    }
}
