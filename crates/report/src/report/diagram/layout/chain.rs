//! Makes a chain of each edge: from box to label to box, with a vertex in every rank between.

use super::super::{Diagram, Edge};
use super::rank::Ranks;
use super::{Flow, Size, Sizes};

/// The side of a box that a line needs.
const LANE: f64 = 9.0;

/// What takes up room in a rank.
#[derive(Debug, Clone)]
pub(super) struct Vertex {
    /// Its rank.
    pub rank: usize,
    /// The group within which it stands, if any does.
    pub band: Option<usize>,
    /// Its size, without what surrounds it.
    pub size: Size,
    /// How many lines leave it at its busier side.
    pub lines: usize,
}

impl Vertex {
    /// How much of a rank it takes up.
    pub(super) fn across(&self, flow: Flow) -> f64 {
        let lines = self.lines as f64;
        flow.across(self.size).max(lines * LANE)
    }
}

/// An edge as a chain.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    /// Its vertices by rank; two of an edge from a node to itself.
    pub vertices: Vec<usize>,
    /// Which of them is the label, by position.
    pub label: usize,
    /// Whether it leads from the last to the first.
    pub backwards: bool,
}

/// A graph of which every link leads from a rank to the next.
#[derive(Debug, Clone)]
pub(super) struct Chains {
    /// The nodes, then labels and free places.
    pub vertices: Vec<Vertex>,
    /// Each edge whose ends exist.
    pub chains: Vec<Option<Chain>>,
    /// The first rank of each band and that after its last.
    pub bands: Vec<(usize, usize)>,
    /// The headings of groups.
    pub headings: Vec<Size>,
}

/// The chains of all edges.
pub(super) fn chains(diagram: &Diagram, ranks: &Ranks, sizes: &Sizes) -> Chains {
    let vertices = (0..diagram.nodes.len()).map(|node| Vertex {
        rank: ranks.of[node],
        band: Some(ranks.band[node]),
        size: sizes.nodes[node],
        lines: 0,
    });
    let mut built = Chains {
        vertices: vertices.collect(),
        chains: Vec::new(),
        bands: ranks.bands.clone(),
        headings: sizes.headings.clone(),
    };
    let last = ranks.bands.iter().map(|band| band.1).max().unwrap_or(0);
    // How many labels there are in a rank, so that they are spread.
    let mut load = vec![0_usize; last + 2];
    for (at, edge) in diagram.edges.iter().enumerate() {
        let count = diagram.nodes.len();
        let chain = (edge.from < count && edge.to < count)
            .then(|| built.chain(edge, ranks, sizes.labels[at], &mut load));
        built.chains.push(chain);
    }
    built.count_lines(diagram.nodes.len());
    built
}

impl Chains {
    fn chain(&mut self, edge: &Edge, ranks: &Ranks, label: Size, load: &mut [usize]) -> Chain {
        let shared = ranks.band[edge.from] == ranks.band[edge.to];
        let band = shared.then_some(ranks.band[edge.from]);
        let backwards = ranks.of[edge.from] > ranks.of[edge.to];
        let (first, last) = if backwards {
            (edge.to, edge.from)
        } else {
            (edge.from, edge.to)
        };
        let (low, high) = (ranks.of[first], ranks.of[last].max(ranks.of[first] + 2));
        // Labels between groups stand in none of them.
        let free = |rank: &usize| {
            let mut bands = ranks.bands.iter();
            shared || !bands.any(|&(from, to)| (from..to).contains(rank))
        };
        let middle = (low + high) / 2;
        let chosen = (low + 1..high)
            .step_by(2)
            .filter(free)
            .min_by_key(|&rank| (load[rank], rank.abs_diff(middle)))
            .unwrap_or(low + 1);
        load[chosen] += usize::from(label.w > 0.0);
        let mut vertices = vec![first];
        let end = if first == last { low + 2 } else { high };
        for rank in low + 1..end {
            if first == last && rank > chosen {
                break;
            }
            vertices.push(self.vertices.len());
            let is_label = rank == chosen;
            self.vertices.push(Vertex {
                rank,
                band: band.filter(|_| is_label),
                size: if is_label { label } else { Size::default() },
                lines: if first == last { 2 } else { 1 },
            });
        }
        let position = chosen - low;
        if first != last {
            vertices.push(last);
        }
        Chain {
            vertices,
            label: position,
            backwards,
        }
    }

    /// Makes boxes as long as the lines at their sides need.
    fn count_lines(&mut self, nodes: usize) {
        let (mut before, mut after) = (vec![0_usize; nodes], vec![0_usize; nodes]);
        for chain in self.chains.iter().flatten() {
            let (first, last) = (chain.vertices[0], chain.vertices[chain.vertices.len() - 1]);
            after[first] += 1;
            match before.get_mut(last) {
                Some(count) => *count += 1,
                None => after[first] += 1,
            }
        }
        for (node, vertex) in self.vertices.iter_mut().take(nodes).enumerate() {
            vertex.lines = before[node].max(after[node]) + 1;
        }
    }
}
