//! Says where ranks stand, and with them boxes, labels and groups.

use super::super::Diagram;
use super::chain::Chains;
use super::{Flow, Rect, Size};

/// The room around what is in a group.
const PADDING: f64 = 12.0;

/// The room before and after a box, for the heads of arrows.
const STUB: f64 = 10.0;

/// The least room between two ranks.
const LEAST: f64 = 8.0;

/// The most.
const MOST: f64 = 44.0;

/// The room around the picture.
const MARGIN: f64 = 12.0;

/// Everything in its place, but for lines.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    /// In which direction ranks follow each other.
    pub flow: Flow,
    /// Of each vertex where its rank begins and ends, along the ranks.
    pub spans: Vec<(f64, f64)>,
    /// The box of each vertex.
    pub boxes: Vec<Rect>,
    /// The box of each group.
    pub groups: Vec<Option<Rect>>,
    /// All of it.
    pub size: Size,
}

impl Placed {
    /// The middle of a box across the ranks.
    pub(super) fn across(&self, vertex: usize) -> f64 {
        let own = self.boxes[vertex];
        match self.flow {
            Flow::Down => own.x + own.w / 2.0,
            Flow::Right => own.y + own.h / 2.0,
        }
    }
}

/// Places everything whose middles across the ranks are given.
pub(super) fn place(diagram: &Diagram, chains: &Chains, across: &[f64], flow: Flow) -> Placed {
    let nodes = diagram.nodes.len();
    let ranks = rows(chains, across, flow, nodes);
    let boxes = chains.vertices.iter().enumerate().map(|(at, vertex)| {
        let (start, end) = ranks[vertex.rank];
        let along = flow.along(vertex.size);
        let wide = if at < nodes {
            vertex.across(flow)
        } else {
            flow.across(vertex.size)
        };
        let corner = flow.point((start + end - along) / 2.0, across[at] - wide / 2.0);
        let size = flow.point(along, wide);
        Rect {
            x: corner.x,
            y: corner.y,
            w: size.x,
            h: size.y,
        }
    });
    let boxes: Vec<Rect> = boxes.collect();
    let groups = (0..diagram.groups.len()).map(|group| {
        let inside = chains.vertices.iter().zip(&boxes);
        let inside = inside.filter(|(vertex, _)| vertex.band == Some(group));
        let around = inside.map(|(_, rect)| *rect).reduce(Rect::around)?;
        let heading = chains.headings[group];
        Some(Rect {
            x: around.x - PADDING,
            y: around.y - PADDING - heading.h,
            w: (around.w + 2.0 * PADDING).max(heading.w),
            h: around.h + 2.0 * PADDING + heading.h,
        })
    });
    let mut placed = Placed {
        flow,
        spans: chains
            .vertices
            .iter()
            .map(|vertex| ranks[vertex.rank])
            .collect(),
        groups: groups.collect(),
        boxes,
        size: Size::default(),
    };
    placed.move_to_corner();
    placed
}

/// Where ranks begin and end: as thick as what is in them, and farther apart where lines between
/// them go far to the side.
fn rows(chains: &Chains, across: &[f64], flow: Flow, nodes: usize) -> Vec<(f64, f64)> {
    let last = chains.vertices.iter().map(|vertex| vertex.rank + 1);
    let count = last.max().unwrap_or(0);
    let mut thick = vec![0.0_f64; count];
    for (at, vertex) in chains.vertices.iter().enumerate() {
        let stubs = if at < nodes { 2.0 * STUB } else { 0.0 };
        let along = flow.along(vertex.size) + stubs;
        thick[vertex.rank] = thick[vertex.rank].max(along);
    }
    let mut sideways = vec![0.0_f64; count];
    for chain in chains.chains.iter().flatten() {
        for pair in chain.vertices.windows(2) {
            let far = (across[pair[0]] - across[pair[1]]).abs();
            let before = &mut sideways[chains.vertices[pair[0]].rank];
            *before = before.max(far);
        }
    }
    let mut out = Vec::new();
    let mut at = 0.0_f64;
    let mut begun = 0.0;
    for rank in 0..count {
        let inside = |&(start, end): &(usize, usize)| (start..end).contains(&rank);
        let band = chains.bands.iter().position(inside);
        let heading = band.and_then(|band| chains.headings.get(band));
        let heading = heading.copied().unwrap_or_default();
        if band.is_some_and(|band| chains.bands[band].0 == rank) {
            at += PADDING;
            if flow == Flow::Down {
                at += heading.h;
            }
            begun = at;
        }
        out.push((at, at + thick[rank]));
        at += thick[rank] + (sideways[rank] * 0.08).clamp(LEAST, MOST);
        if band.is_some_and(|band| chains.bands[band].1 == rank + 1) {
            at += PADDING;
            if flow == Flow::Right {
                at = at.max(begun + STUB + heading.w);
            }
        }
    }
    out
}

impl Placed {
    /// Moves everything so that the picture begins at its corner.
    fn move_to_corner(&mut self) {
        let groups = self.groups.iter().flatten();
        let all = self.boxes.iter().chain(groups).copied();
        let Some(all) = all.reduce(Rect::around) else {
            return;
        };
        let (right, down) = (MARGIN - all.x, MARGIN - all.y);
        let groups = self.groups.iter_mut().flatten();
        for rect in self.boxes.iter_mut().chain(groups) {
            rect.x += right;
            rect.y += down;
        }
        let along = match self.flow {
            Flow::Down => down,
            Flow::Right => right,
        };
        for (start, end) in &mut self.spans {
            *start += along;
            *end += along;
        }
        self.size = Size {
            w: all.w + 2.0 * MARGIN,
            h: all.h + 2.0 * MARGIN,
        };
    }
}
