//! Diagrams that tests draw: some by hand, some at random.

use super::{Cycle, Diagram, Edge, Group, Link, Node, Shape};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any};
use proptest::sample::select;

const SHAPES: [Shape; 5] = [
    Shape::Step,
    Shape::Event,
    Shape::Trigger,
    Shape::Place,
    Shape::Clause,
];

const CYCLES: [Cycle; 4] = [
    Cycle::None,
    Cycle::Possible,
    Cycle::Cleared,
    Cycle::Confirmed,
];

/// Labels with what formats have to escape, and words that are too long.
const LABELS: [&str; 8] = [
    "health of Card",
    "say \"hello\" <to> a & b]",
    "back\\slash\\",
    "Größe der Straße",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenhalter",
    "`1.` {x} [y] |z| #1; %%",
    "",
    "two\nlines\u{1}",
];

fn node(key: &str, label: &str, shape: Shape, group: Option<usize>) -> Node {
    Node {
        key: key.to_owned(),
        label: label.to_owned(),
        more: Vec::new(),
        shape,
        group,
        cycle: Cycle::None,
        given: false,
    }
}

fn group(name: &str) -> Group {
    Group {
        name: name.to_owned(),
        remark: String::new(),
        is_part: false,
    }
}

pub(super) fn edge(from: usize, to: usize, link: Link, labels: &[&str]) -> Edge {
    Edge {
        from,
        to,
        link,
        labels: labels.iter().map(|&label| label.to_owned()).collect(),
        places: labels.len(),
        cycle: Cycle::None,
    }
}

/// A sentence for each kind of edge that occurs.
fn legend(edges: &[Edge]) -> Vec<(Link, String)> {
    let links = Link::ALL.into_iter();
    let links = links.filter(|&link| edges.iter().any(|edge| edge.link == link));
    links
        .map(|link| {
            (
                link,
                format!("what “{}” means, in a sentence.", link.name()),
            )
        })
        .collect()
}

fn diagram(title: &str, groups: &[&str], nodes: Vec<Node>, edges: Vec<Edge>) -> Diagram {
    Diagram {
        title: title.to_owned(),
        legend: legend(&edges),
        groups: groups.iter().map(|&name| group(name)).collect(),
        nodes,
        edges,
        notes: Vec::new(),
        restrictions: Vec::new(),
        only_claims: false,
    }
}

/// Few nodes, with everything that has to be escaped.
pub(super) fn awkward() -> Diagram {
    let nodes = vec![
        node(
            "a.\"first\"",
            "say \"hello\" <to> a & b]",
            Shape::Step,
            Some(0),
        ),
        node("b\\", "back\\slash\\", Shape::Trigger, Some(0)),
        node("c", "Größe\nder Straße", Shape::Place, None),
        node("d", LABELS[4], Shape::Event, Some(0)),
        node("e", "alone {1}", Shape::Clause, Some(0)),
    ];
    let edges = vec![
        edge(0, 1, Link::Feeds, &["a|b", "c & \"d\""]),
        edge(0, 3, Link::Commutes, &[]),
        edge(1, 0, Link::Undoes, &["x < y"]),
        edge(2, 2, Link::Causes, &["1. `first`"]),
        edge(
            2,
            3,
            Link::Enables,
            &["one, two", "three", "four", "five", "six", "seven"],
        ),
    ];
    let title = "Steps & \"more\" <of> a \\ game]";
    let mut out = diagram(title, &["Group [1] & \"co\"", "empty"], nodes, edges);
    out.nodes[2].cycle = Cycle::Possible;
    out.edges[3].cycle = Cycle::Possible;
    out.nodes[0].cycle = Cycle::Confirmed;
    out.notes = vec!["Größe goes round <perhaps>.".to_owned()];
    out
}

/// Steps of a sequence, one after the other.
pub(super) fn chain() -> Diagram {
    let names = [
        "destroy cards without health",
        "report deaths to their owners",
        "infect",
        "shuffle the graveyard into the deck",
        "draw",
        "discard down to the hand limit",
        "end the turn",
    ];
    let nodes = names.iter().enumerate();
    let nodes: Vec<Node> = nodes
        .map(|(at, name)| node(&format!("cleanup.{at}"), name, Shape::Step, Some(0)))
        .collect();
    let mut edges = Vec::new();
    for at in 0..names.len() - 1 {
        edges.push(edge(
            at,
            at + 1,
            Link::Feeds,
            &["health of Card", "zone of Card"][..1 + at % 2],
        ));
    }
    edges.push(edge(0, 2, Link::Commutes, &["nothing in common"]));
    edges.push(edge(
        1,
        4,
        Link::Overwrites,
        &["a", "bb", "ccc", "dddd", "eeeee", "ffffff"],
    ));
    edges.push(edge(2, 5, Link::Conflicts, &["who is infected first"]));
    edges.push(edge(0, 6, Link::Undoes, &["hand of Player"]));
    diagram("Steps of Cleanup", &["Cleanup"], nodes, edges)
}

/// Events and triggers that bring each other about.
pub(super) fn wheel() -> Diagram {
    let nodes = vec![
        node("death", "death of a Card", Shape::Event, None),
        node("revenge", "Revenge: deal 1 damage", Shape::Trigger, None),
        node("damage", "damage", Shape::Event, None),
        node("thorns", "Thorns", Shape::Trigger, None),
        node("heal", "heal", Shape::Event, None),
        node("regrow", "Regrow", Shape::Trigger, None),
        node("draw", "draw a card", Shape::Event, None),
    ];
    let mut edges = vec![
        edge(0, 1, Link::Causes, &["wakes"]),
        edge(1, 2, Link::Causes, &["announces"]),
        edge(2, 0, Link::Causes, &["health of Card"]),
        edge(2, 3, Link::Causes, &["wakes"]),
        edge(3, 2, Link::Causes, &["announces"]),
        edge(4, 5, Link::Causes, &["wakes"]),
        edge(5, 4, Link::Enables, &["health of Card", "may heal"]),
        edge(0, 6, Link::Enables, &[]),
        edge(6, 6, Link::Causes, &["draw again"]),
    ];
    for at in [0, 1, 2] {
        edges[at].cycle = Cycle::Confirmed;
    }
    edges[5].cycle = Cycle::Cleared;
    edges[6].cycle = Cycle::Cleared;
    edges[8].cycle = Cycle::Possible;
    let mut out = diagram("Events and triggers", &[], nodes, edges);
    for (at, cycle) in [(0, 3), (1, 3), (2, 3), (4, 2), (5, 2), (6, 1)] {
        out.nodes[at].cycle = CYCLES[cycle];
    }
    out.notes = vec![
        "death of a Card, Revenge and damage go round: a run of 3 cards does so.".to_owned(),
        "heal and Regrow could go round without end, as far as the text shows; no run on a board of up to 4 cards does.".to_owned(),
    ];
    out
}

/// Two groups with arrows between them.
pub(super) fn two_groups() -> Diagram {
    let mut nodes = Vec::new();
    for at in 0..5 {
        nodes.push(node(
            &format!("up.{at}"),
            &format!("upkeep {at}"),
            Shape::Step,
            Some(0),
        ));
    }
    for at in 0..6 {
        nodes.push(node(
            &format!("c.{at}"),
            &format!("{at} combat step"),
            Shape::Step,
            Some(1),
        ));
    }
    nodes.push(node("health", "health of Card", Shape::Place, None));
    let edges = vec![
        edge(0, 1, Link::Feeds, &["mana of Player"]),
        edge(1, 2, Link::Feeds, &["hand of Player"]),
        edge(0, 3, Link::Feeds, &["turn"]),
        edge(5, 6, Link::Feeds, &["attackers"]),
        edge(6, 7, Link::Feeds, &["blockers"]),
        edge(7, 8, Link::Undoes, &["damage of Card"]),
        edge(6, 9, Link::Commutes, &["no field in common"]),
        edge(2, 6, Link::Feeds, &["hand of Player"]),
        edge(3, 8, Link::Conflicts, &["turn"]),
        edge(8, 1, Link::Enables, &["mana of Player"]),
        edge(4, 10, Link::Overwrites, &["the winner"]),
        edge(8, 11, Link::Feeds, &["writes"]),
        edge(11, 0, Link::Feeds, &["reads"]),
    ];
    let groups = ["Upkeep", "Combat, with a name that is long for its box"];
    diagram("Two sequences", &groups, nodes, edges)
}

/// Many steps that write few places.
pub(super) fn fields() -> Diagram {
    let mut nodes: Vec<Node> = (0..4)
        .map(|at| {
            node(
                &format!("f{at}"),
                &format!("field {at} of Card"),
                Shape::Place,
                None,
            )
        })
        .collect();
    let mut edges = Vec::new();
    for at in 0..18 {
        let name = format!("step {at} of the sequence");
        nodes.push(node(&format!("s{at}"), &name, Shape::Step, None));
        edges.push(edge(at % 4, at + 4, Link::Feeds, &["reads it"]));
        edges.push(edge(at + 4, (at + 1) % 4, Link::Feeds, &[]));
    }
    edges.push(edge(5, 5, Link::Conflicts, &["with itself", "again"]));
    diagram("Fields", &[], nodes, edges)
}

/// As many nodes and edges as asked for, the same each time.
pub(super) fn dense(nodes: usize, edges: usize, groups: usize) -> Diagram {
    let mut seed: usize = 17;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345) & 0x7fff_ffff;
        (seed >> 8) % below
    };
    let fields = [
        "health of Card",
        "zone of Card",
        "owner",
        "hand of Player",
        "turn",
        "damage marked on Card",
    ];
    let made = (0..nodes).map(|at| {
        let group = (groups > 0).then(|| at * groups / nodes);
        node(
            &format!("s{at}"),
            &format!("step number {at}"),
            SHAPES[next(2) * 3],
            group,
        )
    });
    let made = made.collect();
    let mut links = Vec::new();
    for _ in 0..edges {
        let from = next(nodes);
        // Mostly near, mostly forwards.
        let to = if next(6) == 0 {
            next(nodes)
        } else {
            (from + 1 + next(6)) % nodes
        };
        let count = 1 + next(3);
        let labels: Vec<&str> = (0..count)
            .map(|at| fields[(from + to + at) % fields.len()])
            .collect();
        links.push(edge(
            from.min(to),
            from.max(to),
            Link::ALL[next(9)],
            &labels,
        ));
    }
    let names: Vec<String> = (0..groups).map(|group| format!("Part {group}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    diagram("Many steps", &names, made, links)
}

/// All of the above.
pub(super) fn all() -> Vec<Diagram> {
    vec![
        awkward(),
        chain(),
        wheel(),
        two_groups(),
        fields(),
        dense(30, 80, 0),
        dense(40, 90, 5),
    ]
}

/// Diagrams of up to twelve nodes.
pub(super) fn diagrams() -> impl Strategy<Value = Diagram> {
    let label = || select(&LABELS[..]).prop_map(str::to_owned);
    let box_of = (
        label(),
        select(&SHAPES[..]),
        0_usize..6,
        select(&CYCLES[..]),
    );
    let parts = (0_usize..4, vec(box_of, 0..12), any::<bool>());
    let parts = parts.prop_flat_map(move |(groups, boxes, legend)| {
        let count = boxes.len().max(1);
        let ends = (0..count, 0..count, select(&Link::ALL[..]));
        let edge = (ends, vec(label(), 0..6), select(&CYCLES[..]));
        let edges = vec(edge, 0..if boxes.is_empty() { 1 } else { 24 });
        (Just(groups), Just(boxes), edges, label(), Just(legend))
    });
    parts.prop_map(|(groups, boxes, edges, title, with_legend)| {
        let nodes = boxes.into_iter().enumerate();
        let nodes: Vec<Node> = nodes
            .map(|(at, (label, shape, group, cycle))| Node {
                key: format!("{at}]\"\\"),
                label,
                more: vec![LABELS[at % 8].to_owned(); at % 3],
                shape,
                group: (group < groups).then_some(group),
                cycle,
                given: at % 7 == 5,
            })
            .collect();
        let edges = edges.into_iter().filter(|_| !nodes.is_empty());
        let edges: Vec<Edge> = edges
            .map(|((from, to, link), labels, cycle)| Edge {
                from,
                to,
                link,
                places: labels.len() / 2,
                labels,
                cycle,
            })
            .collect();
        Diagram {
            legend: if with_legend {
                legend(&edges)
            } else {
                Vec::new()
            },
            groups: (0..groups).map(|at| group(LABELS[at + 1])).collect(),
            notes: vec![title.clone()],
            restrictions: Vec::new(),
            only_claims: false,
            title,
            nodes,
            edges,
        }
    })
}
