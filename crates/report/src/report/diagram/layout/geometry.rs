//! Places, sizes and ways in a picture.

/// A point, in pixels from the top left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::report::diagram) struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::report::diagram) struct Rect {
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
    pub(in crate::report::diagram) fn around(self, other: Self) -> Self {
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
pub(in crate::report::diagram) struct Size {
    /// The width.
    pub w: f64,
    /// The height.
    pub h: f64,
}

/// A piece of a line, from where the piece before ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::report::diagram) enum Piece {
    /// A straight one.
    Line(Point),
    /// A Bézier curve with its two control points.
    Curve(Point, Point, Point),
}

/// How an edge is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::report::diagram) struct Route {
    /// Where it begins, at the border of the first box.
    pub start: Point,
    /// How it goes on, to the border of the second.
    pub pieces: Vec<Piece>,
    /// Where its label stands; as the size was, around the line.
    pub label: Rect,
}

/// How large everything is that has to be placed.
#[derive(Debug, Clone)]
pub(in crate::report::diagram) struct Sizes {
    /// Each node.
    pub nodes: Vec<Size>,
    /// The label of each edge, nothing without one.
    pub labels: Vec<Size>,
    /// The heading of each group.
    pub headings: Vec<Size>,
}

/// A diagram with places.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::report::diagram) struct Layout {
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
pub(super) enum Flow {
    /// Ranks are rows.
    Down,
    /// Ranks are columns.
    Right,
}

impl Flow {
    /// How far a size extends from rank to rank.
    pub(super) fn along(self, size: Size) -> f64 {
        match self {
            Self::Down => size.h,
            Self::Right => size.w,
        }
    }

    /// How much of a rank a size takes up.
    pub(super) fn across(self, size: Size) -> f64 {
        match self {
            Self::Down => size.w,
            Self::Right => size.h,
        }
    }

    /// The point so far along the ranks and across them.
    pub(super) fn point(self, along: f64, across: f64) -> Point {
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

/// What is left free between neighbours in a rank.
pub(super) const GAP: f64 = 14.0;
