//! Splits a diagram into parts that nothing connects, and sets them side by side on a page.

use super::super::{Diagram, Shape};
use super::ladder::ladder;
use super::{Layout, Piece, Point, Rect, Size, Sizes, both};

/// A width to a height, as a page or a screen has.
const PAGE: Size = Size { w: 4.0, h: 3.0 };

/// What of a diagram is laid out together, by position.
struct Part {
    nodes: Vec<usize>,
    edges: Vec<usize>,
    groups: Vec<usize>,
}

/// The layout of a diagram: parts that nothing connects stand side by side, and each is laid out in
/// rows or columns, whichever fits a page better; the steps of a sequence one below the other.
pub(in crate::report::diagram) fn lay_out(diagram: &Diagram, sizes: &Sizes) -> Layout {
    let parts = parts(diagram);
    let choices = parts.iter().map(|part| {
        let (own, sizes) = part.taken(diagram, sizes);
        if is_list(&own) {
            return vec![ladder(&own, &sizes)];
        }
        both(&own, &sizes).to_vec()
    });
    let choices: Vec<Vec<Layout>> = choices.collect();
    // All in rows, all in columns, and each as it fits a page best itself.
    let alone = |choice: &Vec<Layout>| {
        let mut best: Vec<usize> = (0..choice.len()).collect();
        best.sort_by(|&one, &other| {
            let scales = [one, other].map(|at| scale(choice[at].size));
            scales[0].total_cmp(&scales[1])
        });
        best[0]
    };
    let mut ways: Vec<Vec<usize>> = vec![choices.iter().map(alone).collect()];
    for flow in 0..2 {
        ways.push(choices.iter().map(|all| flow.min(all.len() - 1)).collect());
    }
    let pages = ways.iter().map(|way| {
        let sizes = choices.iter().zip(way).map(|(all, &at)| all[at].size);
        let (corners, size) = columns(&sizes.collect::<Vec<_>>());
        (way, corners, size)
    });
    let best = pages.reduce(|one, other| match scale(other.2) < scale(one.2) {
        true => other,
        false => one,
    });
    let (way, corners, size) = best.unwrap_or((&ways[0], Vec::new(), Size::default()));
    let layouts = choices.iter().zip(way).map(|(all, &at)| all[at].clone());
    let nowhere = Rect {
        x: 0.0,
        y: 0.0,
        w: 0.0,
        h: 0.0,
    };
    let mut out = Layout {
        boxes: vec![nowhere; diagram.nodes.len()],
        groups: vec![None; diagram.groups.len()],
        routes: vec![None; diagram.edges.len()],
        size,
    };
    for ((part, layout), corner) in parts.iter().zip(layouts).zip(corners) {
        let layout = layout.moved(corner);
        for (&node, rect) in part.nodes.iter().zip(layout.boxes) {
            out.boxes[node] = rect;
        }
        for (&group, rect) in part.groups.iter().zip(layout.groups) {
            out.groups[group] = rect;
        }
        for (&edge, route) in part.edges.iter().zip(layout.routes) {
            out.routes[edge] = route;
        }
    }
    out
}

/// Whether everything stands best one below the other: the steps of a sequence, and clauses most of
/// whose arrows have labels.
fn is_list(part: &Diagram) -> bool {
    let all = |shape: Shape| part.nodes.iter().all(|node| node.shape == shape);
    let labelled = part.edges.iter().filter(|edge| !edge.labels.is_empty());
    match part.groups.len() {
        0 => all(Shape::Clause) && labelled.count() * 2 > part.edges.len(),
        1 => part.nodes.iter().all(|node| {
            let in_list = matches!(node.shape, Shape::Step | Shape::Restart);
            in_list && node.group.is_some()
        }),
        _ => false,
    }
}

/// How much a size has to be made smaller to fit a page.
fn scale(size: Size) -> f64 {
    (size.w / PAGE.w).max(size.h / PAGE.h)
}

/// What is connected or in one group; what is neither is one part, the last.
fn parts(diagram: &Diagram) -> Vec<Part> {
    let count = diagram.nodes.len();
    let mut sets = petgraph::unionfind::UnionFind::<usize>::new(count + diagram.groups.len());
    let mut alone = vec![true; count];
    for (at, node) in diagram.nodes.iter().enumerate() {
        if let Some(group) = node.group.filter(|&group| group < diagram.groups.len()) {
            sets.union(at, count + group);
            alone[at] = false;
        }
    }
    for edge in &diagram.edges {
        if edge.from < count && edge.to < count {
            sets.union(edge.from, edge.to);
            alone[edge.from] = false;
            alone[edge.to] = false;
        }
    }
    let mut found = indexmap::IndexMap::<usize, Part>::new();
    let key = |at: usize| if alone[at] { usize::MAX } else { sets.find(at) };
    for at in 0..count {
        found
            .entry(key(at))
            .or_insert_with(Part::empty)
            .nodes
            .push(at);
    }
    for (at, edge) in diagram.edges.iter().enumerate() {
        if edge.from < count && edge.to < count {
            found
                .entry(key(edge.from))
                .or_insert_with(Part::empty)
                .edges
                .push(at);
        }
    }
    for at in 0..diagram.groups.len() {
        if let Some(part) = found.get_mut(&sets.find(count + at)) {
            part.groups.push(at);
        }
    }
    if let Some(alone) = found.shift_remove(&usize::MAX) {
        found.insert(usize::MAX, alone);
    }
    found.into_values().collect()
}

impl Part {
    fn empty() -> Self {
        Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// The part as a diagram of its own.
    fn taken(&self, diagram: &Diagram, sizes: &Sizes) -> (Diagram, Sizes) {
        let node = |at: &usize| {
            let mut node = diagram.nodes[*at].clone();
            node.group = node
                .group
                .and_then(|group| self.groups.binary_search(&group).ok());
            node
        };
        let edge = |at: &usize| {
            let mut edge = diagram.edges[*at].clone();
            edge.from = self.nodes.partition_point(|&node| node < edge.from);
            edge.to = self.nodes.partition_point(|&node| node < edge.to);
            edge
        };
        let own = Diagram {
            title: String::new(),
            legend: Vec::new(),
            groups: self
                .groups
                .iter()
                .map(|&at| diagram.groups[at].clone())
                .collect(),
            nodes: self.nodes.iter().map(node).collect(),
            edges: self.edges.iter().map(edge).collect(),
            notes: Vec::new(),
            restrictions: Vec::new(),
            only_claims: false,
        };
        let sizes = Sizes {
            nodes: self.nodes.iter().map(|&at| sizes.nodes[at]).collect(),
            labels: self.edges.iter().map(|&at| sizes.labels[at]).collect(),
            headings: self.groups.iter().map(|&at| sizes.headings[at]).collect(),
        };
        (own, sizes)
    }
}

/// Sets sizes into columns one after the other, as high as fits a page best: the corner of each,
/// and how large the page is.
fn columns(sizes: &[Size]) -> (Vec<Point>, Size) {
    let highest = sizes.iter().fold(0.0, |high: f64, size| high.max(size.h));
    let all: f64 = sizes.iter().map(|size| size.h).sum();
    let mut best = filled(sizes, highest);
    let mut high = highest;
    while high < all {
        high = (high * 1.03).max(high + 1.0);
        let other = filled(sizes, high);
        if scale(other.1) < scale(best.1) {
            best = other;
        }
    }
    best
}

/// Columns of a height at most.
fn filled(sizes: &[Size], high: f64) -> (Vec<Point>, Size) {
    let mut corners = Vec::new();
    let mut page = Size::default();
    let (mut x, mut y, mut wide) = (0.0, 0.0, 0.0_f64);
    for size in sizes {
        if y > 0.0 && y + size.h > high + 0.01 {
            x += wide;
            (y, wide) = (0.0, 0.0);
        }
        corners.push(Point { x, y });
        y += size.h;
        wide = wide.max(size.w);
        page.w = page.w.max(x + wide);
        page.h = page.h.max(y);
    }
    (corners, page)
}

impl Layout {
    /// The same so far to the right and downwards.
    fn moved(mut self, by: Point) -> Self {
        let rect = |rect: &mut Rect| {
            rect.x += by.x;
            rect.y += by.y;
        };
        let point = |point: &mut Point| {
            point.x += by.x;
            point.y += by.y;
        };
        self.boxes.iter_mut().for_each(rect);
        self.groups.iter_mut().flatten().for_each(rect);
        for route in self.routes.iter_mut().flatten() {
            point(&mut route.start);
            rect(&mut route.label);
            for piece in &mut route.pieces {
                match piece {
                    Piece::Line(to) => point(to),
                    Piece::Curve(one, two, to) => [one, two, to].into_iter().for_each(point),
                }
            }
        }
        self
    }
}
