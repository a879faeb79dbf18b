//! Gives every node a rank: groups one after the other, and most arrows forwards.
//!
//! Arrows that would close a cycle, found by depth-first search in the order of nodes, are looked
//! at backwards. A node is one rank of boxes after the last of those from which arrows come, and
//! moves back to those to which its arrows lead if it has more of these.

use super::super::Diagram;
use std::collections::BTreeSet;

/// Unconnected nodes of a group that share a rank, at least.
const ROW: usize = 5;

/// The ranks of a diagram.
#[derive(Debug, Clone)]
pub(super) struct Ranks {
    /// Of each node, an even number.
    pub of: Vec<usize>,
    /// Of each group, and last of the nodes in none, the first rank and that after its last one.
    pub bands: Vec<(usize, usize)>,
    /// To which of them each node belongs.
    pub band: Vec<usize>,
}

/// The edges within bands that connect two nodes, with the number of their other edges.
struct Within {
    arcs: Vec<(usize, usize)>,
    touched: Vec<bool>,
}

/// The ranks of all nodes.
pub(super) fn ranks(diagram: &Diagram) -> Ranks {
    let count = diagram.nodes.len();
    let free = diagram.groups.len();
    let band: Vec<usize> = diagram
        .nodes
        .iter()
        .map(|node| node.group.filter(|&group| group < free).unwrap_or(free))
        .collect();
    let within = within(diagram, &band);
    let mut of = longest_paths(&within.arcs, count);
    let mut bands = vec![(0, 0); free + 1];
    let mut base = 0;
    for own in order_of_bands(diagram, &band) {
        let members: Vec<usize> = (0..count).filter(|&node| band[node] == own).collect();
        let alone = members.iter().filter(|&&node| !within.touched[node]);
        let alone: Vec<usize> = alone.copied().collect();
        let row = alone.len().isqrt().max(ROW);
        for (at, &node) in alone.iter().enumerate() {
            of[node] = at / row * 2;
        }
        let mut end = base;
        for &node in &members {
            of[node] += base;
            end = end.max(of[node] + 1);
            let loops = diagram.edges.iter();
            if loops
                .filter(|edge| edge.from == edge.to)
                .any(|edge| edge.from == node)
            {
                end = end.max(of[node] + 2);
            }
        }
        bands[own] = (base, end);
        // A rank of labels stands between two groups.
        if end > base {
            base = (end + 1).next_multiple_of(2);
        }
    }
    Ranks { of, bands, band }
}

/// The bands in an order in which most arrows between them lead forwards.
fn order_of_bands(diagram: &Diagram, band: &[usize]) -> Vec<usize> {
    let mut next = vec![Vec::new(); diagram.groups.len() + 1];
    for edge in &diagram.edges {
        let (Some(&from), Some(&to)) = (band.get(edge.from), band.get(edge.to)) else {
            continue;
        };
        if from != to && edge.link.is_directed() {
            next[from].push(to);
        }
    }
    let turn = order(&next);
    let mut bands: Vec<usize> = (0..next.len()).collect();
    bands.sort_by_key(|&band| turn[band]);
    bands
}

/// The edges within bands, in the direction in which ranks grow.
fn within(diagram: &Diagram, band: &[usize]) -> Within {
    let count = diagram.nodes.len();
    let mut touched = vec![false; count];
    let mut next = vec![Vec::new(); count];
    let mut arcs = Vec::new();
    for edge in &diagram.edges {
        if edge.from >= count || edge.to >= count || edge.from == edge.to {
            continue;
        }
        touched[edge.from] = true;
        touched[edge.to] = true;
        if band[edge.from] == band[edge.to] {
            arcs.push((edge.from, edge.to));
            if edge.link.is_directed() {
                next[edge.from].push(edge.to);
            }
        }
    }
    let turn = order(&next);
    for arc in &mut arcs {
        if turn[arc.0] > turn[arc.1] {
            *arc = (arc.1, arc.0);
        }
    }
    arcs.sort_by_key(|arc| turn[arc.0]);
    Within { arcs, touched }
}

/// When each node comes in an order in which most arrows lead forwards: the first that has no
/// arrow from one to come, but for arrows that close cycles.
fn order(next: &[Vec<usize>]) -> Vec<usize> {
    let found = search(next);
    let forwards = |from: usize, to: usize| found[from] < found[to];
    let mut awaited = vec![0_usize; next.len()];
    for (from, heads) in next.iter().enumerate() {
        for &to in heads.iter().filter(|&&to| forwards(from, to)) {
            awaited[to] += 1;
        }
    }
    let ready = (0..next.len()).filter(|&node| awaited[node] == 0);
    let mut ready: BTreeSet<usize> = ready.collect();
    let mut turn = vec![0; next.len()];
    let mut at = 0;
    while let Some(node) = ready.pop_first() {
        turn[node] = at;
        at += 1;
        for &to in next[node].iter().filter(|&&to| forwards(node, to)) {
            awaited[to] -= 1;
            if awaited[to] == 0 {
                ready.insert(to);
            }
        }
    }
    turn
}

/// When a search from arrow to arrow leaves nodes, backwards.
fn search(next: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
    let mut left = Vec::new();
    // Cycles are best entered where arrows come from outside, so nodes to which none leads begin.
    let mut entered = vec![false; next.len()];
    for &to in next.iter().flatten() {
        entered[to] = true;
    }
    let roots = (0..next.len()).filter(|&node| !entered[node]);
    let roots: Vec<usize> = roots.chain(0..next.len()).collect();
    for root in roots {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut stack = vec![(root, 0)];
        while let Some((node, at)) = stack.pop() {
            let Some(&to) = next[node].get(at) else {
                left.push(node);
                continue;
            };
            stack.push((node, at + 1));
            if !seen[to] {
                seen[to] = true;
                stack.push((to, 0));
            }
        }
    }
    let mut turn = vec![0; next.len()];
    for (at, &node) in left.iter().rev().enumerate() {
        turn[node] = at;
    }
    turn
}

/// Ranks from 0 for arcs without cycles, sorted so that arcs to a node come before those from it.
fn longest_paths(arcs: &[(usize, usize)], count: usize) -> Vec<usize> {
    let mut of = vec![0; count];
    let (mut from, mut to) = (vec![0_usize; count], vec![0_usize; count]);
    for &(tail, head) in arcs {
        of[head] = of[head].max(of[tail] + 2);
        from[tail] += 1;
        to[head] += 1;
    }
    // Backwards, so that what an arrow leads to has moved before.
    for group in arcs.chunk_by(|one, other| one.0 == other.0).rev() {
        let tail = group[0].0;
        let first = group.iter().map(|arc| of[arc.1]).min();
        if let Some(first) = first.filter(|_| from[tail] > to[tail]) {
            of[tail] = of[tail].max(first - 2);
        }
    }
    of
}
