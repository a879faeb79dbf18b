//! Which values are taken on a board where the largest or the smallest is asked for.
//!
//! ```text
//! question how_rich: largest coins of ann in upkeep
//! board [ann 3]    3 at the start, 5 after the tax, 4 at the end     5, after the tax
//! ```
//!
//! Of a board under one assignment only the best value counts, and of all boards together only the best of these;
//! the buckets see to the latter.

use super::harvest::{Collector, Ways};
use super::leaf::Leaf;
use super::watch::{Event, Mark};
use crate::verdict::{ClaimFailure, rank};
use endstep_semantics::witness::Violated;

/// Where a value is taken.
struct Moment<'l> {
    /// The question, by position.
    claim: usize,
    node: usize,
    /// On which edge that leads out of the node.
    edge: Option<usize>,
    /// The mark there; none of what is asked about ends.
    mark: Option<&'l Mark>,
    value: i64,
}

impl Collector<'_, '_> {
    /// Takes down where the best values of a leaf are taken.
    pub(super) fn extremes(&mut self, leaf: &Leaf, ways: &Ways<'_>) {
        let program = self.setup.program;
        for &claim in &self.setup.job.claims {
            let Some((extreme, _)) = program.claims[claim].kind.extreme() else {
                continue;
            };
            let moments = moments(leaf, claim);
            let best = moments.iter().map(|one| rank(extreme, one.value)).min();
            for moment in moments {
                if Some(rank(extreme, moment.value)) == best {
                    self.moment(leaf, ways, &moment);
                }
            }
        }
    }

    fn moment(&mut self, leaf: &Leaf, ways: &Ways<'_>, moment: &Moment<'_>) {
        let setup = self.setup;
        let hit = self.claimed(moment.claim, ClaimFailure::Takes(moment.value));
        let violated = Violated::Takes(moment.claim, moment.value);
        let least = ways.least(moment.node) + moment.mark.map_or(0, |mark| mark.offset);
        let place = self.place(leaf);
        self.shown.record(place, hit, least, || match moment.mark {
            Some(mark) => ways.at(setup, (moment.node, moment.edge), mark, violated),
            None => ways.ended(setup, moment.node, violated),
        });
    }
}

/// All moments of a leaf at which a value was taken down.
fn moments(leaf: &Leaf, claim: usize) -> Vec<Moment<'_>> {
    let marked = leaf.graph.all_marks().filter_map(|(node, edge, mark)| {
        let value = match mark.event {
            Event::Claim(of, ClaimFailure::Takes(value)) if of == claim => value,
            _ => return None,
        };
        Some(Moment {
            claim,
            node,
            edge,
            mark: Some(mark),
            value,
        })
    });
    let ends = leaf.taken.iter().filter(|taken| taken.claim == claim);
    let at_ends = ends.map(|taken| Moment {
        claim,
        node: taken.node,
        edge: None,
        mark: None,
        value: taken.value,
    });
    marked.chain(at_ends).collect()
}
