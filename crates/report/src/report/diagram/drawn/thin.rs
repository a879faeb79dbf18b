//! Leaves out places and arrows between them that tell nothing new.

use super::super::{Cycle, Diagram, Edge, Link, Shape};
use crate::report::layout::list;
use std::collections::BTreeSet;

/// So many sentences about claims are too many for a picture.
const MANY_CLAIMS: usize = 8;

/// What feeds a node and what it feeds.
type Around = (BTreeSet<usize>, BTreeSet<usize>);

/// Draws of places what can influence what, with few arrows.
pub(super) fn thin(diagram: &mut Diagram) {
    let place = |node: &super::super::Node| node.shape == Shape::Place && node.cycle == Cycle::None;
    let feeds = |edge: &Edge| {
        let plain = edge.link == Link::Feeds && edge.cycle == Cycle::None;
        let ends = edge.from < diagram.nodes.len() && edge.to < diagram.nodes.len();
        plain && ends && edge.labels.is_empty() && edge.from != edge.to
    };
    if !diagram.nodes.iter().all(place) || !diagram.edges.iter().all(feeds) {
        return;
    }
    for node in &mut diagram.nodes {
        node.group = None;
    }
    diagram.drop_empty_groups();
    if diagram.notes.len() > MANY_CLAIMS {
        diagram.notes = vec!["What can influence each claim is told by --format text.".to_owned()];
    }
    let before = diagram.edges.len();
    given(diagram);
    let named = before - diagram.edges.len();
    let whole = diagram.edges.len();
    alike(diagram);
    shorten(diagram);
    let left = whole - diagram.edges.len();
    if named + left > 0 {
        diagram.notes.insert(
            0,
            format!(
                "Of {before} arrows {} are drawn: what can influence something, directly or through others, has \
                 a way of arrows to it. --format text and json have all.",
                before - named - left
            ),
        );
    }
}

/// Names what nothing changes in a note.
fn given(diagram: &mut Diagram) {
    let fed = |at: usize| diagram.edges.iter().any(|edge| edge.to == at);
    let kept = (0..diagram.nodes.len()).map(|at| !diagram.nodes[at].given || fed(at));
    let kept: Vec<bool> = kept.collect();
    let gone = diagram.nodes.iter().zip(&kept).filter(|(_, kept)| !**kept);
    let names: Vec<String> = gone.map(|(node, _)| node.label.clone()).collect();
    if names.is_empty() {
        return;
    }
    diagram.keep(&kept);
    let note = format!(
        "Read, but never changed, and not drawn: {}.",
        list(&names, "and")
    );
    diagram.notes.insert(0, note);
}

/// Puts places into one box that are fed by the same and feed the same.
fn alike(diagram: &mut Diagram) {
    let count = diagram.nodes.len();
    let mut around: Vec<Around> = vec![Around::default(); count];
    for edge in &diagram.edges {
        around[edge.from].1.insert(edge.to);
        around[edge.to].0.insert(edge.from);
    }
    let mut kept = vec![true; count];
    for one in 0..count {
        if around[one].0.is_empty() && around[one].1.is_empty() {
            continue;
        }
        for other in one + 1..count {
            if kept[one] && kept[other] && same(&around, one, other) {
                kept[other] = false;
                let label = diagram.nodes[other].label.clone();
                diagram.nodes[one].more.push(label);
            }
        }
    }
    let shared = kept.iter().any(|kept| !kept);
    diagram.keep(&kept);
    if shared {
        let note = "What stands in one box is fed by the same and feeds the same.";
        diagram.notes.insert(0, note.to_owned());
    }
}

/// Whether two places stand alike to all others, and each to the other.
fn same(around: &[Around], one: usize, other: usize) -> bool {
    let without = |set: &BTreeSet<usize>| -> Vec<usize> {
        let others = set.iter().filter(|&&at| at != one && at != other);
        others.copied().collect()
    };
    let (a, b) = (&around[one], &around[other]);
    a.1.contains(&other) == b.1.contains(&one)
        && without(&a.0) == without(&b.0)
        && without(&a.1) == without(&b.1)
}

/// Leaves out arrows beside which others lead to the same place, first those of places that are
/// busiest, since what everything does tells least.
fn shorten(diagram: &mut Diagram) {
    let count = diagram.nodes.len();
    let mut next: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
    let mut busy = vec![0_usize; count];
    for edge in &diagram.edges {
        next[edge.from].insert(edge.to);
        busy[edge.from] += 1;
        busy[edge.to] += 1;
    }
    let mut order: Vec<(usize, usize)> = diagram.edges.iter().map(|e| (e.from, e.to)).collect();
    order.sort_by_key(|&(from, to)| (std::cmp::Reverse(busy[from] + busy[to]), from, to));
    for (from, to) in order {
        next[from].remove(&to);
        if !leads(&next, from, to) {
            next[from].insert(to);
        }
    }
    diagram
        .edges
        .retain(|edge| next[edge.from].contains(&edge.to));
}

/// Whether there is a way.
fn leads(next: &[BTreeSet<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; next.len()];
    let mut todo: Vec<usize> = next[from].iter().copied().collect();
    while let Some(at) = todo.pop() {
        if at == to {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            todo.extend(&next[at]);
        }
    }
    false
}
