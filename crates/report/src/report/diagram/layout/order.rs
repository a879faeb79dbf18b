//! Says where in their ranks vertices stand: with few crossings, and lines as straight as may be.
//!
//! What is connected is laid out together; what is not is moved together as far as it goes.

use rust_sugiyama::configure::Config;
use rust_sugiyama::from_vertices_and_edges;

use super::Flow;
use super::chain::Chains;
use super::compact::compact;
use super::geometry::GAP;

/// Vertices of a part up to which neighbours are swapped for fewer crossings.
const SWAPPED: usize = 800;

/// The middle of each vertex, counted across ranks from 0.
pub(super) fn positions(chains: &Chains, flow: Flow) -> Vec<f64> {
    let links = links(chains);
    let mut middle = vec![0.0; chains.vertices.len()];
    let last = chains.vertices.iter().map(|vertex| vertex.rank).max();
    let mut filled = vec![0.0_f64; last.map_or(0, |last| last + 1)];
    for part in parts(chains.vertices.len(), &links) {
        spread(chains, flow, &part, &links, &mut middle);
        let sorted = separate(chains, flow, &part, &mut middle);
        let own = |link: &&(usize, usize)| part.binary_search(&link.0).is_ok();
        let mine: Vec<(usize, usize)> = links.iter().filter(own).copied().collect();
        compact(chains, flow, &sorted, &mine, &mut middle);
        // As far back as all of its ranks allow.
        let room = |&vertex: &usize| {
            let half = chains.vertices[vertex].across(flow) / 2.0;
            filled[chains.vertices[vertex].rank] - (middle[vertex] - half)
        };
        let shift = part.iter().map(room).fold(f64::NEG_INFINITY, f64::max);
        for &vertex in &part {
            middle[vertex] += shift;
            let half = chains.vertices[vertex].across(flow) / 2.0;
            let rank = chains.vertices[vertex].rank;
            filled[rank] = filled[rank].max(middle[vertex] + half + GAP);
        }
    }
    middle
}

/// The links of all chains, each from a rank to the next.
fn links(chains: &Chains) -> Vec<(usize, usize)> {
    let chains = chains.chains.iter().flatten();
    let links = chains.flat_map(|chain| chain.vertices.windows(2));
    links.map(|pair| (pair[0], pair[1])).collect()
}

/// Vertices that are connected, each in order of numbers.
fn parts(count: usize, links: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut sets = petgraph::unionfind::UnionFind::<usize>::new(count);
    for &(from, to) in links {
        sets.union(from, to);
    }
    let mut parts = indexmap::IndexMap::<usize, Vec<usize>>::new();
    for vertex in 0..count {
        parts.entry(sets.find(vertex)).or_default().push(vertex);
    }
    parts.into_values().collect()
}

/// Lays out what is connected.
fn spread(
    chains: &Chains,
    flow: Flow,
    part: &[usize],
    links: &[(usize, usize)],
    middle: &mut [f64],
) {
    if part.len() < 2 {
        return;
    }
    let own = |vertex: usize| part.binary_search(&vertex).is_ok();
    // The crate numbers vertices as they come.
    let number = |vertex: usize| part.partition_point(|&other| other < vertex) as u32;
    let sized = part.iter().map(|&vertex| {
        let across = chains.vertices[vertex].across(flow);
        (number(vertex), (across, 1.0))
    });
    let sized: Vec<(u32, (f64, f64))> = sized.collect();
    let mine = links.iter().filter(|link| own(link.0));
    let mine: Vec<(u32, u32)> = mine.map(|&(from, to)| (number(from), number(to))).collect();
    let config = Config {
        vertex_spacing: GAP,
        transpose: part.len() <= SWAPPED,
        ..Config::default()
    };
    for (placed, ..) in from_vertices_and_edges(&sized, &mine, &config) {
        for (at, (across, _)) in placed {
            middle[part[at]] = across;
        }
    }
}

/// Moves vertices of a rank apart where they are too close, and returns them by rank and place.
///
/// INVARIANT: afterwards no two of the part overlap, whatever the crate did.
fn separate(chains: &Chains, flow: Flow, part: &[usize], middle: &mut [f64]) -> Vec<usize> {
    let mut sorted = part.to_vec();
    let rank = |vertex: usize| chains.vertices[vertex].rank;
    sorted.sort_by(|&one, &other| {
        let across = middle[one].total_cmp(&middle[other]);
        rank(one)
            .cmp(&rank(other))
            .then(across)
            .then(one.cmp(&other))
    });
    for pair in sorted.windows(2) {
        if rank(pair[0]) == rank(pair[1]) {
            let halves = pair
                .iter()
                .map(|&at| chains.vertices[at].across(flow) / 2.0);
            let least = middle[pair[0]] + halves.sum::<f64>() + GAP;
            middle[pair[1]] = middle[pair[1]].max(least);
        }
    }
    sorted
}
