//! Tells of all pairs of a list in any order the most frequent kind once, above the list.

use super::super::{Diagram, Edge, Link};
use super::UNKNOWN;

/// So many pairs of a kind are told in words.
const FEW: usize = 4;

/// Removes the edges of a kind that most pairs of a group have, and says so in the group.
pub(super) fn tell(diagram: &mut Diagram) {
    for group in 0..diagram.groups.len() {
        let inside = |at: usize| {
            diagram
                .nodes
                .get(at)
                .is_some_and(|n| n.group == Some(group))
        };
        let pair = |edge: &Edge| {
            let of_pair = matches!(edge.link, Link::Commutes | Link::Conflicts);
            of_pair && edge.from != edge.to && inside(edge.from) && inside(edge.to)
        };
        let pairs: Vec<&Edge> = diagram.edges.iter().filter(|edge| pair(edge)).collect();
        let members = (0..diagram.nodes.len()).filter(|&at| inside(at)).count();
        let mut joined: Vec<(usize, usize)> = pairs
            .iter()
            .map(|edge| (edge.from.min(edge.to), edge.from.max(edge.to)))
            .collect();
        joined.sort_unstable();
        joined.dedup();
        // Only where every pair is joined once, one that is not joined says something.
        if members < 2 || joined.len() * 2 != members * (members - 1) || pairs.len() != joined.len()
        {
            continue;
        }
        let commute = pairs
            .iter()
            .filter(|edge| edge.link == Link::Commutes)
            .count();
        let unknown = pairs.iter().filter(|edge| is_unknown(edge)).count();
        let (told, link) = match commute >= unknown {
            true => (commute, Link::Commutes),
            false => (unknown, Link::Conflicts),
        };
        if told < FEW {
            continue;
        }
        let remark = remark(&pairs, link, told == pairs.len());
        let gone = |edge: &Edge| match link {
            Link::Commutes => edge.link == link,
            _ => is_unknown(edge),
        };
        let gone: Vec<bool> = diagram.edges.iter().map(|e| pair(e) && gone(e)).collect();
        let mut at = 0;
        diagram.edges.retain(|_| {
            at += 1;
            !gone[at - 1]
        });
        diagram.groups[group].remark = remark;
    }
    unlabel(diagram);
}

/// What is said of all pairs of a kind, be they all there are or not.
fn remark(pairs: &[&Edge], link: Link, all: bool) -> String {
    let which = match all {
        true => "all pairs",
        false => "all pairs that are not joined",
    };
    if link != Link::Commutes {
        return format!("In any order: {which} are {UNKNOWN}");
    }
    let mut causes: Vec<&str> = Vec::new();
    let told = pairs.iter().filter(|edge| edge.link == link);
    for label in told.flat_map(|edge| &edge.labels) {
        if !causes.contains(&label.as_str()) {
            causes.push(label);
        }
    }
    match causes.is_empty() {
        true => format!("In any order: {which} can change places"),
        false => {
            let causes = causes.join(", or ");
            format!("In any order: {which} can change places ({causes})")
        }
    }
}

/// Whether nothing is known of a pair, not even what the two have in common.
fn is_unknown(edge: &Edge) -> bool {
    edge.link == Link::Conflicts && edge.labels.iter().eq([UNKNOWN])
}

/// Says in the legend what most labels of pairs say.
fn unlabel(diagram: &mut Diagram) {
    let mut found = false;
    for edge in diagram
        .edges
        .iter_mut()
        .filter(|edge| edge.link == Link::Conflicts)
    {
        let before = edge.labels.len();
        edge.labels.retain(|label| label != UNKNOWN);
        found |= edge.labels.len() < before;
    }
    for (link, meaning) in &mut diagram.legend {
        if found && *link == Link::Conflicts {
            "the order does not bind: it makes a difference if a finding (F…) is named, and is else not known to \
             make none"
                .clone_into(meaning);
        }
    }
}
