//! Makes one arrow of several between the same two, or of many that undo the same step, and few words of
//! causes that end alike.

use super::super::{Diagram, Edge, Link};

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

/// Of many steps of a group that can undo one step, the farthest keeps its arrow, which names all.
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
        let name = |&(from, _): &(usize, usize)| {
            let label = diagram.nodes[from].label.as_str();
            let numbered = label.split_once(". ").filter(|(number, _)| {
                let mut letters = number.chars();
                letters.all(|letter| letter.is_ascii_digit())
            });
            numbered.map_or(label, |(number, _)| number)
        };
        let names: Vec<&str> = all.iter().map(name).collect();
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
        let mut at = 0;
        diagram.edges.retain(|_| {
            at += 1;
            all.iter().all(|(_, gone)| *gone != at - 1)
        });
    }
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
