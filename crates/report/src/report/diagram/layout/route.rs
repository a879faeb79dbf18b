//! Draws the lines of edges: straight through ranks, bent between them.

use super::super::Diagram;
use super::chain::{Chain, Chains};
use super::place::Placed;
use super::{Flow, Layout, Piece, Point, Rect, Route, Sizes};

/// How far apart lines at a side of a box are at most.
const APART: f64 = 16.0;

/// What is left free at the ends of a side.
const CORNER: f64 = 6.0;

/// Half of what a line from a node to itself leaves open.
const LOOP: f64 = 5.0;

/// A line at a box.
#[derive(Debug, Clone, Copy)]
struct Port {
    node: usize,
    /// Whether it is at the side where later ranks are.
    after: bool,
    /// Where, across the ranks, it comes from.
    towards: f64,
    edge: usize,
    /// Whether it is the second line of an edge from a node to itself.
    second: bool,
}

/// The layout of a diagram whose boxes are placed.
pub(super) fn layout(diagram: &Diagram, chains: &Chains, placed: &Placed, sizes: &Sizes) -> Layout {
    let nodes = diagram.nodes.len();
    let ports = ports(chains, placed, nodes);
    let found = |edge: usize, second: bool, after: bool| {
        let mut ports = ports.iter();
        let port = ports
            .find(|(port, _)| port.edge == edge && port.second == second && port.after == after);
        port.map_or(0.0, |(_, across)| *across)
    };
    let routes = chains.chains.iter().enumerate().map(|(edge, chain)| {
        let chain = chain.as_ref()?;
        let label = placed.boxes[chain.vertices[chain.label]];
        let (start, pieces) = if chain.vertices.len() == 2 {
            let (there, back) = (found(edge, false, true), found(edge, true, true));
            round(chain, placed, (there, back), sizes.labels[edge].w > 0.0)
        } else {
            let (first, last) = (found(edge, false, true), found(edge, false, false));
            through(chain, placed, first, last)
        };
        Some(Route {
            start,
            pieces,
            label,
        })
    });
    Layout {
        routes: routes.collect(),
        boxes: placed.boxes[..nodes].to_vec(),
        groups: placed.groups.clone(),
        size: placed.size,
    }
}

/// Where lines touch the boxes of nodes, across the ranks: in the order of where they come from.
fn ports(chains: &Chains, placed: &Placed, nodes: usize) -> Vec<(Port, f64)> {
    let mut ports = Vec::new();
    for (edge, chain) in chains.chains.iter().enumerate() {
        let Some(chain) = chain else { continue };
        let end = chain.vertices.len() - 1;
        let (first, last) = (chain.vertices[0], chain.vertices[end]);
        let mut add = |node, after, towards: usize, second| {
            let towards = placed.across(towards);
            ports.push(Port {
                node,
                after,
                towards,
                edge,
                second,
            });
        };
        add(first, true, chain.vertices[1], false);
        if last < nodes {
            add(last, false, chain.vertices[end - 1], false);
        } else {
            add(first, true, chain.vertices[1], true);
        }
    }
    ports.sort_by(|one, other| {
        let key = |port: &Port| (port.node, port.after);
        let towards = one.towards.total_cmp(&other.towards);
        let rest = (one.edge, one.second).cmp(&(other.edge, other.second));
        key(one).cmp(&key(other)).then(towards).then(rest)
    });
    let mut out = Vec::new();
    for side in ports.chunk_by(|one, other| (one.node, one.after) == (other.node, other.after)) {
        let node = placed.boxes[side[0].node];
        let middle = placed.across(side[0].node);
        let long = match placed.flow {
            Flow::Down => node.w,
            Flow::Right => node.h,
        };
        let half = (long / 2.0 - CORNER).max(0.0);
        let apart = (half * 2.0 / side.len() as f64).min(APART);
        for (at, port) in side.iter().enumerate() {
            let across = if side.len() == 1 {
                port.towards.clamp(middle - half, middle + half)
            } else {
                middle + (at as f64 - (side.len() - 1) as f64 / 2.0) * apart
            };
            out.push((*port, across));
        }
    }
    out
}

/// The ends of a box along the ranks.
fn ends(flow: Flow, rect: Rect) -> (f64, f64) {
    match flow {
        Flow::Down => (rect.y, rect.y + rect.h),
        Flow::Right => (rect.x, rect.x + rect.w),
    }
}

/// A line from box to box, between the given places at their sides.
fn through(chain: &Chain, placed: &Placed, first: f64, last: f64) -> (Point, Vec<Piece>) {
    let flow = placed.flow;
    // Where it is straight: along from, along to, across.
    let mut straight = Vec::new();
    let end = chain.vertices.len() - 1;
    for (at, &vertex) in chain.vertices.iter().enumerate() {
        let (low, high) = placed.spans[vertex];
        let own = ends(flow, placed.boxes[vertex]);
        straight.push(match at {
            0 => (own.1, high, first),
            _ if at == end => (low, own.0, last),
            _ => (low, high, placed.across(vertex)),
        });
    }
    let mut points: Vec<(f64, f64)> = straight
        .iter()
        .flat_map(|&(low, high, across)| [(low, across), (high, across)])
        .collect();
    if chain.backwards {
        points.reverse();
    }
    drawn(flow, &points)
}

/// A line from a box to a label and back.
fn round(chain: &Chain, placed: &Placed, ports: (f64, f64), labelled: bool) -> (Point, Vec<Piece>) {
    let flow = placed.flow;
    let (node, label) = (chain.vertices[0], chain.vertices[1]);
    let start = ends(flow, placed.boxes[node]).1;
    let (low, high) = ends(flow, placed.boxes[label]);
    let turn = if labelled { (low + high) / 2.0 } else { high };
    let middle = placed.across(label);
    let edge = placed.spans[node].1;
    let points = [
        (start, ports.0),
        (edge, ports.0),
        (low, middle - LOOP),
        (turn, middle - LOOP),
        (turn, middle + LOOP),
        (low, middle + LOOP),
        (edge, ports.1),
        (start, ports.1),
    ];
    let (first, mut pieces) = drawn(flow, &points[..4]);
    let back = drawn(flow, &points[4..]);
    pieces.push(Piece::Line(back.0));
    pieces.extend(back.1);
    (first, pieces)
}

/// A line through points, straight and bent by turns.
fn drawn(flow: Flow, points: &[(f64, f64)]) -> (Point, Vec<Piece>) {
    let point = |&(along, across): &(f64, f64)| flow.point(along, across);
    let mut pieces = Vec::new();
    for (at, pair) in points.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        pieces.push(if at % 2 == 0 || from.1 == to.1 {
            Piece::Line(point(&to))
        } else {
            let half = (from.0 + to.0) / 2.0;
            let (before, after) = (flow.point(half, from.1), flow.point(half, to.1));
            Piece::Curve(before, after, point(&to))
        });
    }
    (point(&points[0]), pieces)
}
