//! Where the boxes, arrows and labels of a diagram stand in a picture.
//!
//! The layered method of Sugiyama: boxes get *ranks* so that most arrows lead from a rank to a
//! later one, and a group has a range of ranks for itself. Each arrow becomes a chain of links
//! between neighbouring ranks, through its label, which takes up room in a rank as a box does, and
//! through places that are kept free for it. Crossings are reduced, ranks are spread out, and lines
//! run straight through a rank and bend between two.
//!
//! ```text
//! rank 0   ┌─destroy─┐             ranks of boxes are even,
//! rank 1     health    │           those of labels odd
//! rank 2   ┌─report──┐ │ (free)
//! rank 3               zone
//! rank 4            ┌─infect─┐
//! ```
//!
//! *Guarantees.* Boxes and labels do not overlap; no arrow runs through a box; every arrow ends at
//! the borders of its boxes; groups do not overlap; the same diagram gives the same layout.
//!
//! *Background.* Gansner, Koutsofios, North and Vo, "A technique for drawing directed graphs",
//! 1993; Brandes and Köpf, "Fast and simple horizontal coordinate assignment", 2002. Order and
//! coordinates within ranks are from the crate `rust-sugiyama`, which does not say where lines
//! pass a rank; hence the chains, whose links have no ranks to pass.

mod chain;
mod compact;
mod ladder;
mod order;
mod parts;
mod place;
mod rank;
mod route;

use super::Diagram;

/// A point, in pixels from the top left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    /// Its left side.
    pub x: f64,
    /// Its upper side.
    pub y: f64,
    /// Its width.
    pub w: f64,
    /// Its height.
    pub h: f64,
}

impl Rect {
    /// The smallest rectangle around both.
    fn around(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self {
            x,
            y,
            w: (self.x + self.w).max(other.x + other.w) - x,
            h: (self.y + self.h).max(other.y + other.h) - y,
        }
    }
}

/// A width and a height.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Size {
    /// The width.
    pub w: f64,
    /// The height.
    pub h: f64,
}

/// A piece of a line, from where the piece before ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Piece {
    /// A straight one.
    Line(Point),
    /// A Bézier curve with its two control points.
    Curve(Point, Point, Point),
}

/// How an edge is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Route {
    /// Where it begins, at the border of the first box.
    pub start: Point,
    /// How it goes on, to the border of the second.
    pub pieces: Vec<Piece>,
    /// Where its label stands; as the size was, around the line.
    pub label: Rect,
}

/// How large everything is that has to be placed.
#[derive(Debug, Clone)]
pub(super) struct Sizes {
    /// Each node.
    pub nodes: Vec<Size>,
    /// The label of each edge, nothing without one.
    pub labels: Vec<Size>,
    /// The heading of each group.
    pub headings: Vec<Size>,
}

/// A diagram with places.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    /// Each node.
    pub boxes: Vec<Rect>,
    /// Each group that has nodes, its heading included.
    pub groups: Vec<Option<Rect>>,
    /// Each edge whose ends exist.
    pub routes: Vec<Option<Route>>,
    /// All of it.
    pub size: Size,
}

/// In which direction ranks follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// Ranks are rows.
    Down,
    /// Ranks are columns.
    Right,
}

impl Flow {
    /// How far a size extends from rank to rank.
    fn along(self, size: Size) -> f64 {
        match self {
            Self::Down => size.h,
            Self::Right => size.w,
        }
    }

    /// How much of a rank a size takes up.
    fn across(self, size: Size) -> f64 {
        match self {
            Self::Down => size.w,
            Self::Right => size.h,
        }
    }

    /// The point so far along the ranks and across them.
    fn point(self, along: f64, across: f64) -> Point {
        match self {
            Self::Down => Point {
                x: across,
                y: along,
            },
            Self::Right => Point {
                x: along,
                y: across,
            },
        }
    }
}

/// The layout of a diagram: parts that nothing connects stand side by side, and each is laid out in
/// rows or columns, whichever fits a page better; the steps of a sequence one below the other.
pub(super) fn lay_out(diagram: &Diagram, sizes: &Sizes) -> Layout {
    parts::paged(diagram, sizes)
}

/// The layout in rows, and that in columns.
pub(super) fn both(diagram: &Diagram, sizes: &Sizes) -> [Layout; 2] {
    let ranks = rank::ranks(diagram);
    let chains = chain::chains(diagram, &ranks, sizes);
    [Flow::Down, Flow::Right].map(|flow| {
        let across = order::positions(&chains, flow);
        let placed = place::place(diagram, &chains, &across, flow);
        route::layout(diagram, &chains, &placed, sizes)
    })
}
