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

mod geometry;

mod chain;
mod compact;
mod ladder;
mod order;
mod parts;
mod place;
mod rank;
mod route;

pub(super) use geometry::{Layout, Piece, Point, Rect, Route, Size, Sizes};
pub(super) use parts::lay_out;

use super::Diagram;
use geometry::Flow;

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
