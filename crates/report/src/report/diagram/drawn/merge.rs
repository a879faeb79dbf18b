//! Makes one arrow of several between the same two, of many that undo the same step, or of many from a step that decides
//! on earlier ones, and few words of causes that end alike.

use super::super::{Diagram, Edge, Link, Shape};

/// Which of several links an arrow looks like; the first.
const FIRST: [Link; 9] = [
    Link::Undoes,
    Link::Conflicts,
    Link::Yields,
    Link::Feeds,
    Link::Enables,
    Link::Causes,
    Link::Refers,
    Link::Overwrites,
    Link::Commutes,
];

/// So many steps that undo the same one are told with one arrow.
const BUNDLED: usize = 3;

/// Of many steps of a group that can undo one step, the farthest keeps its arrow, which names all; and so does the
/// first of many on which a later one decides.
pub(super) fn bundle(diagram: &mut Diagram) {
    for to in 0..diagram.nodes.len() {
        let group = diagram.nodes[to].group;
        let in_group = |at: usize| group.is_some() && diagram.nodes[at].group == group;
        let edges = diagram.edges.iter().enumerate();
        let edges = edges.filter(|(_, edge)| edge.link == Link::Undoes && edge.to == to);
        let mut all: Vec<(usize, usize)> = edges
            .map(|(at, edge)| (edge.from, at))
            .filter(|&(from, _)| from != to && from < diagram.nodes.len() && in_group(from))
            .collect();
        if all.len() < BUNDLED {
            continue;
        }
        all.sort_unstable();
        let names: Vec<&str> = all.iter().map(|&(from, _)| short(diagram, from)).collect();
        let (last, first) = names.split_last().unwrap_or((&"", &[]));
        let mut places: Vec<String> = Vec::new();
        let mut labels = vec![format!("{} and {last} can undo it", first.join(", "))];
        for edge in all.iter().map(|&(_, at)| &diagram.edges[at]) {
            let (of_data, said) = edge.labels.split_at(edge.places.min(edge.labels.len()));
            for (list, more) in [(&mut places, of_data), (&mut labels, said)] {
                for label in more {
                    if !list.contains(label) {
                        list.push(label.clone());
                    }
                }
            }
        }
        let count = places.len();
        places.append(&mut labels);
        let cycle = all.iter().map(|&(_, at)| diagram.edges[at].cycle).max();
        if let Some((_, kept)) = all.pop() {
            diagram.edges[kept].labels = places;
            diagram.edges[kept].places = count;
            diagram.edges[kept].cycle = cycle.unwrap_or_default();
        }
        leave_out(diagram, &all);
    }
    for from in 0..diagram.nodes.len() {
        decide(diagram, from);
    }
}

/// Of many on which a later one decides, the first keeps its arrow, which names all; between clauses, which stand in no
/// list, a note does.
fn decide(diagram: &mut Diagram, from: usize) {
    if !matches!(diagram.nodes[from].shape, Shape::Step | Shape::Clause) {
        return;
    }
    let alike = |at: usize| {
        let [one, other] = [from, at].map(|at| &diagram.nodes[at]);
        (one.shape, one.group) == (other.shape, other.group)
    };
    let edges = diagram.edges.iter().enumerate();
    let edges = edges.filter(|(_, edge)| edge.link == Link::Enables && edge.from == from);
    let edges = edges.map(|(at, edge)| (edge.to, at));
    let mut all: Vec<(usize, usize)> = edges.filter(|&(to, _)| to < from && alike(to)).collect();
    if all.len() < BUNDLED {
        return;
    }
    all.sort_unstable();
    let names: Vec<&str> = all.iter().map(|&(to, _)| short(diagram, to)).collect();
    let [(first, kept), .., (last, _)] = *all.as_slice() else {
        return;
    };
    let between = (first..=last).filter(|&at| alike(at));
    let said = match (names.as_slice(), between.count() == names.len()) {
        ([first, .., last], true) => format!("decides on {first} to {last}"),
        ([first @ .., last], _) => format!("decides on {} and {last}", first.join(", ")),
        ([], _) => return,
    };
    match diagram.nodes[from].shape {
        Shape::Clause => {
            let from = short(diagram, from);
            let note = format!("Not drawn: {from} {said}, before it.");
            diagram.notes.push(note);
        }
        _ => {
            diagram.edges[kept].labels.push(said);
            all.remove(0);
        }
    }
    leave_out(diagram, &all);
}

/// The number of a step that has one, or the id of a clause; else the label.
fn short(diagram: &Diagram, at: usize) -> &str {
    let label = diagram.nodes[at].label.as_str();
    let numbered = label.split_once(". ").filter(|(number, _)| {
        let mut letters = number.chars();
        letters.all(|letter| letter.is_ascii_digit())
    });
    let clause = label
        .split_once(": ")
        .filter(|_| diagram.nodes[at].shape == Shape::Clause);
    numbered.or(clause).map_or(label, |(short, _)| short)
}

/// Leaves out arrows, by position, that another one names.
fn leave_out(diagram: &mut Diagram, all: &[(usize, usize)]) {
    let mut at = 0;
    diagram.edges.retain(|_| {
        at += 1;
        all.iter().all(|(_, gone)| *gone != at - 1)
    });
}

/// Merges edges from one node to another.
pub(super) fn merge(diagram: &mut Diagram) {
    let mut edges: Vec<Edge> = Vec::new();
    let place = |link: Link| FIRST.iter().position(|one| *one == link);
    let mut sorted = std::mem::take(&mut diagram.edges);
    let order: Vec<(usize, usize)> = sorted.iter().map(|edge| (edge.from, edge.to)).collect();
    sorted.sort_by_key(|edge| place(edge.link));
    for mut edge in sorted {
        let places = edge.places.min(edge.labels.len());
        // How it is known comes first, so that it is not what a label has no room for.
        let mut labels = edge.labels.split_off(places);
        labels.extend(together(&edge.labels));
        (edge.labels, edge.places) = (labels, 0);
        let same = |one: &&mut Edge| (one.from, one.to) == (edge.from, edge.to);
        match edges.iter_mut().find(same) {
            Some(one) => {
                one.cycle = one.cycle.max(edge.cycle);
                let also = edge.link.also();
                one.labels.push(match edge.labels.is_empty() {
                    true => also.to_owned(),
                    false => format!("{also}: {}", edge.labels.join(", ")),
                });
            }
            None => edges.push(edge),
        }
    }
    edges.sort_by_key(|edge| order.iter().position(|ends| *ends == (edge.from, edge.to)));
    diagram.edges = edges;
}

/// `piercing of Card`, `stack`, `damage of Card`, `aside` to `piercing, damage of Card` and `stack, aside`.
fn together(labels: &[String]) -> Vec<String> {
    let mut out: Vec<(String, Option<&str>)> = Vec::new();
    let mut plain: Vec<&str> = Vec::new();
    for label in labels {
        if label.contains([',', ';']) {
            out.push((label.clone(), None));
            continue;
        }
        let parts = label.rsplit_once(" of ").filter(|(start, end)| {
            let name = end.chars().all(char::is_alphanumeric);
            name && !end.is_empty() && !start.is_empty()
        });
        let Some((start, end)) = parts else {
            plain.push(label);
            continue;
        };
        match out.iter_mut().find(|one| one.1 == Some(end)) {
            Some(one) => one.0.push_str(&format!(", {start}")),
            None => out.push((start.to_owned(), Some(end))),
        }
    }
    let whole = out.into_iter().map(|(start, end)| match end {
        Some(end) => format!("{start} of {end}"),
        None => start,
    });
    let plain = (!plain.is_empty()).then(|| plain.join(", "));
    whole.chain(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::{Diagram, Group, Link, Node, Shape, sample};
    use super::{bundle, together};

    fn list(arrows: &[(usize, &str)]) -> Diagram {
        let node = |name: &str| Node {
            key: name.to_owned(),
            label: name.to_owned(),
            more: Vec::new(),
            shape: Shape::Step,
            group: Some(0),
            cycle: Default::default(),
            given: false,
        };
        let nodes = ["1. destroy", "2. hurt", "3. infect", "4. burn"].map(node);
        Diagram {
            title: String::new(),
            legend: Vec::new(),
            groups: vec![Group {
                name: "cleanup".to_owned(),
                remark: String::new(),
                is_part: false,
            }],
            nodes: nodes.to_vec(),
            edges: arrows
                .iter()
                .map(|&(from, label)| sample::edge(from, 0, Link::Undoes, &[label]))
                .collect(),
            notes: Vec::new(),
            restrictions: Vec::new(),
            only_claims: false,
        }
    }

    #[test]
    fn many_that_undo_one_step_have_one_arrow() {
        let mut few = list(&[(1, "health"), (2, "zone")]);
        bundle(&mut few);
        assert_eq!(few, list(&[(1, "health"), (2, "zone")]));
        let mut many = list(&[(1, "health"), (3, "zone"), (2, "health")]);
        bundle(&mut many);
        let [edge] = many.edges.as_slice() else {
            panic!("{:?}", many.edges);
        };
        assert_eq!((edge.from, edge.to), (3, 0));
        assert_eq!(edge.labels, ["health", "zone", "2, 3 and 4 can undo it"]);
        assert_eq!(edge.places, 2);
    }

    #[test]
    fn one_that_decides_on_many_before_it_has_one_arrow() {
        let arrows = |links: &[(usize, usize)]| {
            let edge = |&(from, to): &_| sample::edge(from, to, Link::Enables, &[]);
            let mut diagram = list(&[]);
            diagram.edges = links.iter().map(edge).collect();
            bundle(&mut diagram);
            let edges = diagram.edges.into_iter();
            edges
                .map(|edge| (edge.from, edge.to, edge.labels.concat()))
                .collect::<Vec<_>>()
        };
        let alone = |from, to| (from, to, String::new());
        assert_eq!(
            arrows(&[(2, 3), (2, 0), (2, 1)]),
            [alone(2, 3), alone(2, 0), alone(2, 1)]
        );
        assert_eq!(
            arrows(&[(3, 1), (3, 0), (3, 2)]),
            [(3, 0, "decides on 1 to 3".to_owned())]
        );
        let mut clauses = list(&[]);
        for node in &mut clauses.nodes {
            node.shape = Shape::Clause;
        }
        clauses.edges = [0, 1, 2]
            .map(|to| sample::edge(3, to, Link::Enables, &[]))
            .to_vec();
        bundle(&mut clauses);
        assert_eq!(clauses.edges, []);
        assert_eq!(
            clauses.notes,
            ["Not drawn: 4 decides on 1 to 3, before it."]
        );
    }

    #[test]
    fn causes_that_end_alike_are_put_together() {
        let labels = [
            "piercing of Card",
            "stack",
            "damage of Card",
            "one, two of Card",
            "aside",
        ];
        let labels = labels.map(str::to_owned);
        assert_eq!(
            together(&labels),
            [
                "piercing, damage of Card",
                "one, two of Card",
                "stack, aside"
            ]
        );
    }
}
