//! Leaves out of a picture the arrows that are too many to be followed, and says so: what a restart and the steps of its
//! list feed each other, and what clauses do.

use super::super::{Diagram, Edge, Link, Shape};
use crate::report::layout::list;

/// So many arrows of a restart are too many.
const OF_RESTART: usize = 3;

/// So many arrows for each clause are too many.
const OF_CLAUSE: usize = 2;

/// Whether an arrow says what is read and written.
fn is_about_data(edge: &Edge) -> bool {
    matches!(edge.link, Link::Feeds | Link::Overwrites)
}

/// A restart has to do with most steps of its list.
pub(super) fn restarts(diagram: &mut Diagram) {
    let mut kept = vec![true; diagram.nodes.len()];
    for (at, kept) in kept.iter_mut().enumerate() {
        let node = &diagram.nodes[at];
        let touches = |edge: &&Edge| edge.from == at || edge.to == at;
        let touching = diagram.edges.iter().filter(touches);
        let count = touching.clone().filter(|edge| is_about_data(edge)).count();
        if node.shape != Shape::Restart || count < OF_RESTART {
            continue;
        }
        *kept = !touching.clone().all(is_about_data);
        let group = node.group.and_then(|group| diagram.groups.get(group));
        let of = group.map_or_else(String::new, |group| format!(" of {}", group.name));
        let (whole, it) = match *kept {
            true => ("what the restart", ""),
            false => ("the restart", ", and what it"),
        };
        diagram.notes.push(format!(
            "Not drawn: {whole}{of}{it} and the steps read and write of each other ({count} arrows; --format text has them)."
        ));
        let gone = |edge: &Edge| (edge.from == at || edge.to == at) && is_about_data(edge);
        diagram.edges.retain(|edge| !gone(edge));
    }
    diagram.keep(&kept);
}

/// Clauses have much to do with each other.
pub(super) fn clauses(diagram: &mut Diagram) {
    if diagram.nodes.iter().any(|node| node.shape != Shape::Clause) {
        return;
    }
    let many = OF_CLAUSE * diagram.nodes.len();
    let is_cause = |edge: &Edge| edge.link == Link::Causes;
    let data = "of which one reads or writes what the other writes";
    let causes = "of which one can bring the other about";
    let mut told = Vec::new();
    let mut left = diagram.edges.clone();
    for (is_it, what) in [
        (is_about_data as fn(&Edge) -> bool, data),
        (is_cause as fn(&Edge) -> bool, causes),
    ] {
        let count = diagram.edges.iter().filter(|edge| is_it(edge)).count();
        if count > many {
            left.retain(|edge| !is_it(edge));
            told.push(format!("{count} arrows between clauses {what}"));
        }
    }
    // A picture of nothing would say that there is nothing.
    if told.is_empty() || left.is_empty() {
        return;
    }
    diagram.edges = left;
    let touched = |at: usize| {
        let mut edges = diagram.edges.iter();
        edges.any(|edge| edge.from == at || edge.to == at)
    };
    let kept: Vec<bool> = (0..diagram.nodes.len()).map(touched).collect();
    let alone = diagram.nodes.iter().zip(&kept).filter(|(_, kept)| !**kept);
    let alone: Vec<String> = alone
        .map(|(node, _)| format!("\"{}\"", node.label))
        .collect();
    let told = list(&told, "and");
    let mut note = format!("Not drawn: {told} (--format text has them).");
    if !alone.is_empty() {
        note.push_str(&format!(" Nothing else connects {}.", list(&alone, "and")));
    }
    diagram.notes.push(note);
    diagram.keep(&kept);
}
