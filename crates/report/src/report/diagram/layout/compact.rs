//! Moves what was laid out together again, since straight lines were dear to the crate.
//!
//! Neighbours on a line that stand straight are a *block* and stay so. Blocks keep their order in
//! every rank. First all are as far to one side as they can be, and as far to the other within the
//! same width, of which the mean is taken; then each moves to the middle of what it is linked to, as
//! far as its neighbours allow.
//!
//! *Guarantees.* No step brings two vertices of a rank closer than they must be: the mean of two
//! layouts in the same order keeps the distances that both keep.

use super::Flow;
use super::chain::Chains;
use super::geometry::GAP;

/// How often blocks are moved.
const ROUNDS: usize = 24;

/// A block that stands before another in a rank, and how far their middles are apart at least.
#[derive(Debug, Clone, Copy)]
struct Apart {
    before: usize,
    after: usize,
    least: f64,
}

/// The blocks of a part.
struct Blocks {
    /// Where each is, across the ranks.
    at: Vec<f64>,
    /// For each the distances to those before it.
    before: Vec<Vec<Apart>>,
    /// For each those to the ones after it.
    after: Vec<Vec<Apart>>,
    /// For each the blocks that it is linked to, several times if by several links.
    linked: Vec<Vec<usize>>,
}

/// Moves vertices together that are sorted by rank, and in it from one side to the other.
pub(super) fn compact(
    chains: &Chains,
    flow: Flow,
    sorted: &[usize],
    links: &[(usize, usize)],
    middle: &mut [f64],
) {
    let block = blocks(sorted, links, middle);
    let count = block.values().max().map_or(0, |last| last + 1);
    let mut blocks = Blocks {
        at: vec![0.0; count],
        before: vec![Vec::new(); count],
        after: vec![Vec::new(); count],
        linked: vec![Vec::new(); count],
    };
    for pair in sorted.windows(2) {
        let [one, other] = [pair[0], pair[1]].map(|at| &chains.vertices[at]);
        if one.rank == other.rank {
            let apart = Apart {
                before: block[&pair[0]],
                after: block[&pair[1]],
                least: (one.across(flow) + other.across(flow)) / 2.0 + GAP,
            };
            blocks.before[apart.after].push(apart);
            blocks.after[apart.before].push(apart);
        }
    }
    for (from, to) in links {
        let (from, to) = (block[from], block[to]);
        if from != to {
            blocks.linked[from].push(to);
            blocks.linked[to].push(from);
        }
    }
    blocks.pack();
    for round in 0..ROUNDS {
        for at in 0..count {
            let turn = if round % 2 == 0 { at } else { count - 1 - at };
            blocks.settle(turn);
        }
    }
    for vertex in sorted {
        middle[*vertex] = blocks.at[block[vertex]];
    }
}

/// The block of each vertex, numbered from one side to the other, so that what stands before
/// another in a rank has the smaller number.
fn blocks(
    sorted: &[usize],
    links: &[(usize, usize)],
    middle: &[f64],
) -> indexmap::IndexMap<usize, usize> {
    let mut sets = petgraph::unionfind::UnionFind::<usize>::new(middle.len());
    for &(from, to) in links {
        if (middle[from] - middle[to]).abs() < 0.01 {
            sets.union(from, to);
        }
    }
    let mut ordered = sorted.to_vec();
    // All of a block stand at the same place, that of its representative.
    let place = |vertex: usize| middle[sets.find(vertex)];
    ordered.sort_by(|&one, &other| {
        let places = place(one).total_cmp(&place(other));
        places.then(sets.find(one).cmp(&sets.find(other)))
    });
    let mut out = indexmap::IndexMap::new();
    let mut last = None;
    let mut number = 0;
    for vertex in ordered {
        let set = sets.find(vertex);
        if last.is_some_and(|last| last != set) {
            number += 1;
        }
        last = Some(set);
        out.insert(vertex, number);
    }
    out
}

impl Blocks {
    /// The mean of everything at one side and everything at the other.
    fn pack(&mut self) {
        let count = self.at.len();
        let mut low = vec![0.0_f64; count];
        for at in 0..count {
            for apart in &self.before[at] {
                low[at] = low[at].max(low[apart.before] + apart.least);
            }
        }
        let wide = low.iter().copied().fold(0.0, f64::max);
        let mut high = vec![wide; count];
        for at in (0..count).rev() {
            for apart in &self.after[at] {
                high[at] = high[at].min(high[apart.after] - apart.least);
            }
        }
        for at in 0..count {
            self.at[at] = (low[at] + high[at]) / 2.0;
        }
    }

    /// Moves a block to the middle of what it is linked to, as far as its neighbours allow.
    fn settle(&mut self, block: usize) {
        let mut wanted: Vec<f64> = self.linked[block].iter().map(|&at| self.at[at]).collect();
        if wanted.is_empty() {
            return;
        }
        wanted.sort_by(f64::total_cmp);
        let half = wanted.len() / 2;
        let wish = if wanted.len() % 2 == 1 {
            wanted[half]
        } else {
            (wanted[half - 1] + wanted[half]) / 2.0
        };
        let before = self.before[block].iter();
        let low = before.map(|apart| self.at[apart.before] + apart.least);
        let after = self.after[block].iter();
        let high = after.map(|apart| self.at[apart.after] - apart.least);
        let (low, high) = (
            low.fold(f64::NEG_INFINITY, f64::max),
            high.fold(f64::INFINITY, f64::min),
        );
        // Rounding may have left less room than none.
        if low <= high {
            self.at[block] = wish.clamp(low, high);
        }
    }
}
