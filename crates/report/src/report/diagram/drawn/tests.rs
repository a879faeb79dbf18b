//! What is drawn is told completely, and nothing is told twice.

use super::super::{Cycle, Diagram, Edge, Group, Link, Node, Shape, sample};
use crate::depend::Kind;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, Strategy, proptest};

fn node(key: &str, shape: Shape, group: Option<usize>) -> Node {
    Node {
        key: key.to_owned(),
        label: key.to_owned(),
        more: Vec::new(),
        shape,
        group,
        cycle: Cycle::None,
        given: false,
    }
}

fn edge(from: usize, to: usize, link: Link, labels: &[&str]) -> Edge {
    Edge {
        from,
        to,
        link,
        labels: labels.iter().map(|&label| label.to_owned()).collect(),
        places: labels.len(),
        cycle: Cycle::None,
    }
}

fn diagram(groups: &[&str], nodes: Vec<Node>, edges: Vec<Edge>) -> Diagram {
    let meaning = |&link: &Link| (link, link.meaning(Kind::Steps).to_owned());
    Diagram {
        title: "Test".to_owned(),
        legend: Link::ALL.iter().map(meaning).collect(),
        groups: groups
            .iter()
            .map(|&name| Group {
                name: name.to_owned(),
                remark: String::new(),
                is_part: false,
            })
            .collect(),
        nodes,
        edges,
        notes: Vec::new(),
        restrictions: Vec::new(),
        only_claims: false,
    }
}

/// Steps, each with its group, and which performs which.
fn steps(groups: &[&str], steps: &[(&str, usize)], performs: &[(usize, usize)]) -> Diagram {
    let nodes = steps
        .iter()
        .map(|&(key, group)| node(key, Shape::Step, Some(group)));
    let edges = performs
        .iter()
        .map(|&(from, to)| edge(from, to, Link::Causes, &["performs"]));
    diagram(groups, nodes.collect(), edges.collect())
}

#[test]
fn a_sequence_of_one_step_is_told_where_it_is_performed() {
    let drawn = steps(
        &["turn", "burn the dead", "count"],
        &[("begin", 0), ("end", 0), ("burn", 1), ("each", 2)],
        &[(0, 2), (1, 2), (2, 3)],
    )
    .drawn();
    let labels: Vec<&str> = drawn.nodes.iter().map(|node| node.label.as_str()).collect();
    assert_eq!(labels, ["1. begin", "2. end"]);
    for node in &drawn.nodes {
        assert_eq!(
            node.more,
            ["▸ burn the dead", "\u{a0}\u{a0}\u{a0}▸ count: each"]
        );
    }
    assert!(drawn.edges.is_empty() && drawn.groups.len() == 1);
}

#[test]
fn a_sequence_of_several_steps_has_a_number() {
    let drawn = steps(
        &["turn", "fight"],
        &[("begin", 0), ("strike", 1), ("bury", 1)],
        &[(0, 1)],
    )
    .drawn();
    assert_eq!(drawn.nodes[0].more, ["▸ [1] fight"]);
    assert_eq!(drawn.groups[1].name, "[1] fight");
    assert_eq!(drawn.nodes.len(), 3);
    assert!(drawn.edges.is_empty());
}

#[test]
fn what_performs_only_itself_stays() {
    let drawn = steps(&["a", "b"], &[("one", 0), ("two", 1)], &[(0, 1), (1, 0)]).drawn();
    assert_eq!(drawn.nodes.len(), 1);
    assert_eq!(drawn.nodes[0].more[0], "▸ b: two");
}

/// A list in any order, with a link for each pair in turn.
fn list(steps: usize, links: &[(Link, &[&str])]) -> Diagram {
    let nodes = (0..steps).map(|at| node(&format!("s{at}"), Shape::Step, Some(0)));
    let pairs = (0..steps).flat_map(|one| (one + 1..steps).map(move |other| (one, other)));
    let edges = pairs
        .zip(links)
        .map(|((from, to), (link, labels))| edge(from, to, *link, labels));
    let mut out = diagram(&["list"], nodes.collect(), edges.collect());
    for edge in &mut out.edges {
        edge.places = 0;
    }
    out
}

const COMMUTES: (Link, &[&str]) = (Link::Commutes, &["nothing in common"]);
const UNKNOWN: (Link, &[&str]) = (Link::Conflicts, &[super::UNKNOWN]);
const FOUND: (Link, &[&str]) = (Link::Conflicts, &["F0202 1a2b3c4d"]);

#[test]
fn most_pairs_of_a_list_are_told_at_once() {
    let drawn = list(4, &[COMMUTES, FOUND, COMMUTES, COMMUTES, UNKNOWN, COMMUTES]).drawn();
    assert_eq!(
        drawn.groups[0].remark,
        "In any order: all pairs that are not joined can change places (nothing in common)"
    );
    let ends: Vec<(usize, usize)> = drawn
        .edges
        .iter()
        .map(|edge| (edge.from, edge.to))
        .collect();
    assert_eq!(ends, [(0, 2), (1, 3)]);
    assert_eq!(drawn.edges[0].labels, ["F0202 1a2b3c4d"]);
    assert!(drawn.edges[1].labels.is_empty(), "the legend says it");
    assert_eq!(
        drawn.nodes[0].label, "s0",
        "no numbers where the order is open"
    );
    let all = list(4, &[COMMUTES; 6]).drawn();
    assert!(all.groups[0].remark.contains("all pairs can"));
    let none = list(4, &[UNKNOWN; 6]).drawn();
    assert!(none.groups[0].remark.contains("all pairs are not known"));
    assert!(none.edges.is_empty());
}

#[test]
fn what_was_found_is_never_told_at_once() {
    let links = [FOUND, FOUND, FOUND, FOUND, FOUND, COMMUTES];
    let drawn = list(4, &links).drawn();
    assert_eq!(drawn.edges.len(), 6);
    // A pair that is not joined says nothing where not every pair was.
    let drawn = list(4, &links[..5]).drawn();
    assert_eq!(drawn.edges.len(), 5);
}

#[test]
fn one_arrow_tells_all_between_two() {
    let mut whole = list(2, &[]);
    whole.edges = vec![
        edge(0, 1, Link::Overwrites, &["hand"]),
        edge(
            0,
            1,
            Link::Feeds,
            &["health of Card", "zone of Card", "deck", "turn"],
        ),
        edge(1, 0, Link::Undoes, &["deck"]),
    ];
    let drawn = whole.drawn();
    assert_eq!(drawn.edges.len(), 2);
    assert_eq!(drawn.edges[0].link, Link::Feeds);
    assert_eq!(
        drawn.edges[0].labels,
        ["health, zone of Card", "deck, turn", "both write: hand"]
    );
}

#[test]
fn large_pictures_say_how_to_get_small_ones() {
    let told = |steps: usize| {
        let drawn = list(steps, &[]).drawn();
        drawn.notes.iter().any(|note| note.contains("--sequence"))
    };
    assert!(told(super::MANY + 1) && !told(super::MANY));
}

/// Places, which of them nothing changes, and what feeds what.
fn places() -> impl Strategy<Value = Diagram> {
    let edges = vec((0_usize..10, 0_usize..10), 0..40);
    (edges, vec(proptest::bool::ANY, 10)).prop_map(|(pairs, given)| {
        let nodes = given.iter().enumerate().map(|(at, &given)| {
            let mut node = node(&format!("p{at}x"), Shape::Place, None);
            node.given = given;
            node
        });
        let mut edges: Vec<Edge> = Vec::new();
        for (from, to) in pairs {
            let new = |edge: &Edge| (edge.from, edge.to) != (from, to);
            if from != to && edges.iter().all(new) {
                edges.push(edge(from, to, Link::Feeds, &[]));
            }
        }
        diagram(&[], nodes.collect(), edges)
    })
}

fn leads(diagram: &Diagram, from: usize, to: usize) -> bool {
    let mut seen = vec![false; diagram.nodes.len()];
    let mut todo = vec![from];
    while let Some(at) = todo.pop() {
        for edge in diagram.edges.iter().filter(|edge| edge.from == at) {
            if edge.to == to {
                return true;
            }
            if !std::mem::replace(&mut seen[edge.to], true) {
                todo.push(edge.to);
            }
        }
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_node_is_drawn_or_named(diagram in sample::diagrams()) {
        let drawn = diagram.drawn();
        let text = |node: &Node| format!("{} {}", node.label, node.more.join(" "));
        let words: String = drawn.nodes.iter().map(text).chain(drawn.notes.clone()).collect();
        for node in &diagram.nodes {
            let kept = drawn.nodes.iter().any(|one| one.key == node.key);
            let group = node.group.map(|group| diagram.groups[group].name.as_str());
            let named = words.contains(&node.label)
                || group.is_some_and(|group| words.contains(group));
            assert!(kept || named, "{} of {group:?} is lost", node.label);
        }
        let known = |edge: &Edge| drawn.legend.iter().any(|(link, _)| *link == edge.link);
        if !diagram.legend.is_empty() {
            assert!(drawn.edges.iter().all(known), "every arrow is explained");
        }
        assert_eq!(drawn, diagram.drawn(), "the same each time");
    }

    #[test]
    fn what_can_influence_what_is_drawn(whole in places()) {
        let drawn = whole.drawn();
        let place = |key: &String| drawn.nodes.iter().position(|node| node.key == *key || node.more.contains(key));
        for (from, one) in whole.nodes.iter().enumerate() {
            let Some(at) = place(&one.key) else {
                assert!(drawn.notes.iter().any(|note| note.contains(&one.key)));
                assert!(one.given);
                continue;
            };
            for (to, other) in whole.nodes.iter().enumerate() {
                if let Some(end) = place(&other.key).filter(|&end| end != at) {
                    assert_eq!(leads(&whole, from, to), leads(&drawn, at, end), "{} {}", one.key, other.key);
                }
            }
        }
        // None is left without which the same could be said.
        for gone in 0..drawn.edges.len() {
            let mut less = drawn.clone();
            let edge = less.edges.remove(gone);
            assert!(!leads(&less, edge.from, edge.to));
        }
    }
}
