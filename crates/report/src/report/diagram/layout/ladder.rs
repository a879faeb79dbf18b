//! Sets the steps of a sequence one below the other, with what leads from one to another beside them.
//!
//! ```text
//! ┌─1. destroy─┐──────────────────╮
//! ┌─2. report──┐◄──[ health ]─────┤
//!              ┐──────────────────┼─╮
//! ┌─3. infect──┐◄──[ health ]─────╯ │
//!              ┐◄──[ zone ]─────────╯
//! ```
//!
//! All arrows of a kind that leave a step share a *trunk*, a line downwards or upwards; each branches
//! off to its step, with its label beside that.
//!
//! *Guarantees.* The order is that of the diagram. Labels have a strip of their own beside their step,
//! and trunks lie right of all labels, so that nothing runs through a label but its own line.

use super::super::{Diagram, Link};
use super::{Layout, Piece, Point, Rect, Route, Size, Sizes};

/// The room around everything.
const PADDING: f64 = 12.0;

/// The room between two steps.
const GAP: f64 = 12.0;

/// The room for the head of an arrow, between a step and a label.
const HEAD: f64 = 20.0;

/// How far apart lines are.
const LANE: f64 = 10.0;

/// How far corners are rounded.
const ROUND: f64 = 5.0;

/// Lines of a kind that leave a step.
struct Trunk {
    from: usize,
    link: Link,
    /// From where to where, downwards.
    span: (f64, f64),
    /// Which line it is, counted from the steps.
    lane: usize,
    /// Where it leaves its step.
    leaves: f64,
}

/// What has a strip beside a step.
#[derive(Clone, Copy)]
enum Strip {
    /// An edge that ends there.
    Edge(usize),
    /// A trunk that begins there.
    Trunk(usize),
}

/// A layout of nodes in their order, with one group around all or none.
pub(super) fn ladder(diagram: &Diagram, sizes: &Sizes) -> Layout {
    let (mut trunks, of) = trunks(diagram);
    let labels = sizes
        .labels
        .iter()
        .fold(0.0, |wide: f64, size| wide.max(size.w));
    let heading = sizes.headings.first().copied().unwrap_or_default();
    let left = 2.0 * PADDING;
    let (boxes, ends) = column(diagram, sizes, &mut trunks);
    let lanes = lanes(&mut trunks, &of, &ends);
    let side = boxes.iter().fold(left, |side, one| side.max(one.x + one.w));
    let first = side + HEAD + labels + ROUND + 6.0;
    let routes = of.iter().enumerate().map(|(edge, trunk)| {
        let trunk = &trunks[(*trunk)?];
        let size = sizes.labels[edge];
        let label = Rect {
            x: side + HEAD,
            y: ends[edge] - size.h / 2.0,
            w: size.w,
            h: size.h,
        };
        let lane = first + trunk.lane as f64 * LANE;
        let (start, pieces) = line(side, lane, trunk.leaves, ends[edge]);
        Some(Route {
            start,
            pieces,
            label,
        })
    });
    let routes = routes.collect();
    let right = match lanes {
        0 => side,
        lanes => first + (lanes - 1) as f64 * LANE,
    };
    let group = Rect {
        x: PADDING,
        y: PADDING,
        w: (right - left + 2.0 * PADDING).max(heading.w),
        h: boxes.last().map_or(left, |last| last.y + last.h),
    };
    Layout {
        boxes,
        routes,
        size: Size {
            w: group.w + 2.0 * PADDING,
            h: group.h + 2.0 * PADDING,
        },
        groups: vec![Some(group); sizes.headings.len()],
    }
}

/// The boxes of steps, and where beside them edges end; says where trunks leave them.
fn column(diagram: &Diagram, sizes: &Sizes, trunks: &mut [Trunk]) -> (Vec<Rect>, Vec<f64>) {
    let wide = sizes.nodes.iter();
    let wide = wide.fold(0.0, |wide: f64, size| wide.max(size.w));
    let heading = sizes.headings.first().copied().unwrap_or_default();
    let mut at = 2.0 * PADDING + heading.h;
    let mut boxes = Vec::new();
    let mut ends = vec![0.0; diagram.edges.len()];
    for (node, size) in sizes.nodes.iter().enumerate() {
        let strips = strips(diagram, trunks, node);
        let high = |strip: &Strip| match strip {
            Strip::Edge(edge) => sizes.labels[*edge].h.max(LANE) + 4.0,
            Strip::Trunk(_) => LANE,
        };
        let needed: f64 = strips.iter().map(high).sum();
        let h = size.h.max(needed + 8.0);
        let mut y = at + (h - needed) / 2.0;
        for strip in &strips {
            let middle = y + high(strip) / 2.0;
            y += high(strip);
            match *strip {
                Strip::Edge(edge) => ends[edge] = middle,
                Strip::Trunk(trunk) => trunks[trunk].leaves = middle,
            }
        }
        boxes.push(Rect {
            x: 2.0 * PADDING,
            y: at,
            w: wide,
            h,
        });
        at += h + GAP;
    }
    (boxes, ends)
}

/// The trunks, and to which each edge belongs whose ends exist.
fn trunks(diagram: &Diagram) -> (Vec<Trunk>, Vec<Option<usize>>) {
    let mut trunks: Vec<Trunk> = Vec::new();
    let count = diagram.nodes.len();
    let of = diagram.edges.iter().map(|edge| {
        if edge.from >= count || edge.to >= count {
            return None;
        }
        let same = |trunk: &Trunk| (trunk.from, trunk.link) == (edge.from, edge.link);
        Some(trunks.iter().position(same).unwrap_or_else(|| {
            trunks.push(Trunk {
                from: edge.from,
                link: edge.link,
                span: (0.0, 0.0),
                lane: 0,
                leaves: 0.0,
            });
            trunks.len() - 1
        }))
    });
    let of = of.collect();
    (trunks, of)
}

/// What needs room beside a step, downwards: what comes from above, the nearest first, so that it
/// crosses nothing; what leaves, the farthest first; what comes from below.
fn strips(diagram: &Diagram, trunks: &[Trunk], node: usize) -> Vec<Strip> {
    let edges = diagram.edges.iter().enumerate();
    let edges = edges.filter(|(_, edge)| edge.to == node && edge.from < diagram.nodes.len());
    let mut ending: Vec<(usize, usize)> = edges.map(|(at, edge)| (edge.from, at)).collect();
    ending.sort_by_key(|&(from, at)| (std::cmp::Reverse(from), at));
    let strip = |&(_, at): &(usize, usize)| Strip::Edge(at);
    let above = ending.iter().filter(|(from, _)| *from < node).map(strip);
    let below = ending.iter().filter(|(from, _)| *from >= node).map(strip);
    let mut leaving: Vec<(usize, usize)> = Vec::new();
    for (at, trunk) in trunks
        .iter()
        .enumerate()
        .filter(|(_, trunk)| trunk.from == node)
    {
        let own = |edge: &&super::super::Edge| (edge.from, edge.link) == (node, trunk.link);
        let last = diagram.edges.iter().filter(own).map(|edge| edge.to).max();
        leaving.push((last.unwrap_or(node), at));
    }
    leaving.sort_by_key(|&(last, at)| (std::cmp::Reverse(last), at));
    let leaving = leaving.into_iter().map(|(_, at)| Strip::Trunk(at));
    above.chain(leaving).chain(below).collect()
}

/// Gives trunks lanes so that no two lie over each other, short ones near the steps, and says how
/// many lanes there are.
fn lanes(trunks: &mut [Trunk], of: &[Option<usize>], ends: &[f64]) -> usize {
    for trunk in trunks.iter_mut() {
        trunk.span = (trunk.leaves, trunk.leaves);
    }
    for (trunk, &end) in of.iter().zip(ends) {
        if let Some(trunk) = *trunk {
            let (low, high) = trunks[trunk].span;
            trunks[trunk].span = (low.min(end), high.max(end));
        }
    }
    let mut order: Vec<usize> = (0..trunks.len()).collect();
    let long = |at: usize| trunks[at].span.1 - trunks[at].span.0;
    order.sort_by(|&one, &other| long(one).total_cmp(&long(other)).then(one.cmp(&other)));
    let mut taken: Vec<Vec<(f64, f64)>> = Vec::new();
    for at in order {
        let (low, high) = trunks[at].span;
        let free = |lane: &Vec<(f64, f64)>| lane.iter().all(|&(from, to)| to < low || high < from);
        let lane = taken.iter().position(free).unwrap_or_else(|| {
            taken.push(Vec::new());
            taken.len() - 1
        });
        taken[lane].push((low, high));
        trunks[at].lane = lane;
    }
    taken.len()
}

/// A line from the side of a step to a lane, along it, and back to the side.
fn line(side: f64, lane: f64, from: f64, to: f64) -> (Point, Vec<Piece>) {
    let round = ROUND.min((to - from).abs() / 2.0);
    let turn = if to < from { -round } else { round };
    let point = |x: f64, y: f64| Point { x, y };
    let near = lane - round;
    let pieces = vec![
        Piece::Line(point(near, from)),
        Piece::Curve(
            point(lane, from),
            point(lane, from),
            point(lane, from + turn),
        ),
        Piece::Line(point(lane, to - turn)),
        Piece::Curve(point(lane, to), point(lane, to), point(near, to)),
        Piece::Line(point(side, to)),
    ];
    (point(side, from), pieces)
}
