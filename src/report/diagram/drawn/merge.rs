//! Makes one arrow of several between the same two, and few words of causes that end alike.

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
    use super::together;

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
