//! Names in the box of a step what it performs, instead of arrows across the picture.

use super::super::{Cycle, Diagram, Link, Shape};

/// What stands before something that a step performs.
pub(in super::super) const MARK: &str = "▸";

/// What stands before that if the step performs it through others, once for each.
pub(in super::super) const INDENT: &str = "\u{a0}\u{a0}\u{a0}";

/// What performs so many others is not told again and again.
const LONG: usize = 4;

/// What the mark means.
const MEANING: &str = "▸ is what is performed there. A number in brackets says which box shows it; what has no \
                       number is a single step, and stands nowhere else.";

/// Turns arrows from steps to what they perform into words.
pub(super) fn fold(diagram: &mut Diagram) {
    let performs = performs(diagram);
    if performs.iter().all(Vec::is_empty) {
        return;
    }
    let kept = kept(diagram, &performs);
    let mut numbers = vec![None; diagram.groups.len()];
    let told = performs.iter().flatten().copied();
    let told: Vec<usize> = told.filter(|&to| kept[to]).collect();
    let mut next = 0;
    for (group, number) in numbers.iter_mut().enumerate() {
        if told
            .iter()
            .any(|&to| diagram.nodes[to].group == Some(group))
        {
            next += 1;
            *number = Some(next);
        }
    }
    let teller = Teller {
        diagram,
        performs: &performs,
        kept: &kept,
        numbers: &numbers,
    };
    let lines = (0..kept.len()).map(|at| match kept[at] {
        true => teller.lines(at),
        false => Vec::new(),
    });
    let lines: Vec<Vec<String>> = lines.collect();
    for (node, lines) in diagram.nodes.iter_mut().zip(lines) {
        node.more.extend(lines);
    }
    for (group, number) in diagram.groups.iter_mut().zip(&numbers) {
        if let Some(number) = number {
            group.name = format!("[{number}] {}", group.name);
        }
    }
    let told = |edge: &super::super::Edge| {
        performs
            .get(edge.from)
            .is_some_and(|to| to.contains(&edge.to))
    };
    diagram
        .edges
        .retain(|edge| edge.link != Link::Causes || !told(edge));
    diagram.keep(&kept);
    diagram.notes.insert(0, MEANING.to_owned());
}

/// For each step the first steps of what it performs.
fn performs(diagram: &Diagram) -> Vec<Vec<usize>> {
    let count = diagram.nodes.len();
    let mut out = vec![Vec::new(); count];
    let step = |at: usize| {
        let node = diagram.nodes.get(at);
        node.is_some_and(|node| {
            let group = node.group.is_some_and(|group| group < diagram.groups.len());
            matches!(node.shape, Shape::Step | Shape::Restart) && group
        })
    };
    for edge in &diagram.edges {
        let plain = edge.link == Link::Causes && edge.cycle == Cycle::None;
        if plain && step(edge.from) && step(edge.to) && !out[edge.from].contains(&edge.to) {
            out[edge.from].push(edge.to);
        }
    }
    out
}

/// Which nodes stay: all but the only steps of sequences that another performs and that nothing
/// else is connected with; also those that several perform if there is much to say of them. Where such steps perform only each other, the first stays.
fn kept(diagram: &Diagram, performs: &[Vec<usize>]) -> Vec<bool> {
    let count = diagram.nodes.len();
    let mut kept = vec![true; count];
    for to in performs.iter().flatten() {
        kept[*to] = false;
    }
    for edge in &diagram.edges {
        let told = performs
            .get(edge.from)
            .is_some_and(|to| to.contains(&edge.to));
        if edge.link != Link::Causes || !told {
            for end in [edge.from, edge.to] {
                if let Some(kept) = kept.get_mut(end) {
                    *kept = true;
                }
            }
        }
    }
    for (at, node) in diagram.nodes.iter().enumerate() {
        let alike = diagram
            .nodes
            .iter()
            .filter(|other| other.group == node.group);
        kept[at] |= alike.count() > 1 || node.cycle != Cycle::None;
    }
    for (at, kept) in kept.iter_mut().enumerate() {
        let often = performs.iter().filter(|to| to.contains(&at)).count() > 1;
        *kept |= often && comes_to(performs, at) >= LONG;
    }
    let mut reached = vec![false; count];
    let mut todo: Vec<usize> = (0..count).filter(|&at| kept[at]).collect();
    loop {
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                todo.extend(&performs[at]);
            }
        }
        let Some(lost) = reached.iter().position(|reached| !reached) else {
            return kept;
        };
        kept[lost] = true;
        todo.push(lost);
    }
}

/// How many others a step performs, directly or through others.
fn comes_to(performs: &[Vec<usize>], from: usize) -> usize {
    let mut seen = vec![false; performs.len()];
    let mut todo = performs[from].clone();
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            todo.extend(&performs[at]);
        }
    }
    seen.iter().filter(|seen| **seen).count()
}

/// Puts into words what steps perform.
struct Teller<'a> {
    diagram: &'a Diagram,
    performs: &'a [Vec<usize>],
    kept: &'a [bool],
    numbers: &'a [Option<usize>],
}

impl Teller<'_> {
    /// What a step performs, and below what that performs if it has no box of its own.
    fn lines(&self, at: usize) -> Vec<String> {
        let mut out = Vec::new();
        let mut seen = vec![false; self.kept.len()];
        let mut todo: Vec<(usize, usize)> =
            self.performs[at].iter().rev().map(|&to| (to, 0)).collect();
        while let Some((at, depth)) = todo.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            out.push(format!("{}{MARK} {}", INDENT.repeat(depth), self.name(at)));
            if !self.kept[at] {
                let inside = self.performs[at].iter().rev();
                todo.extend(inside.map(|&to| (to, depth + 1)));
            }
        }
        out
    }

    /// `fall [3]`, `remove the dead`, `infect: kill`.
    fn name(&self, at: usize) -> String {
        let node = &self.diagram.nodes[at];
        let group = node.group.unwrap_or_default();
        let name = &self.diagram.groups[group].name;
        match self.numbers[group] {
            Some(number) if self.kept[at] => format!("[{number}] {name}"),
            _ if within(&node.label, name) => name.clone(),
            _ => format!("{name}: {}", node.label),
        }
    }
}

/// Whether all words of a name stand in another.
fn within(name: &str, other: &str) -> bool {
    name.split_whitespace()
        .all(|word| other.split_whitespace().any(|one| one == word))
}
