//! The shapes of boxes, and lines of text.

use super::super::Shape;
use super::super::layout::Rect;
use super::letters::escaped;

/// The outline of a box, within its rectangle.
pub(super) fn outline(shape: Shape, rect: Rect, class: &str) -> String {
    let round = match shape {
        Shape::Step | Shape::Restart => 6.0,
        Shape::Event => (rect.h / 2.0).min(18.0),
        Shape::Place => 0.0,
        Shape::Trigger | Shape::Clause => return cornered(shape, rect, class),
    };
    let mut out = format!(
        "<rect class=\"{class}\" {} rx=\"{round:.1}\"/>",
        place(rect)
    );
    if shape == Shape::Place && class == "box" {
        for x in [rect.x + 5.0, rect.x + rect.w - 5.0] {
            let (top, bottom) = (rect.y, rect.y + rect.h);
            let side = format!("<path class=\"side\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"/>");
            out.push_str(&side);
        }
    }
    out
}

/// A box with two pointed sides, or with a folded corner.
fn cornered(shape: Shape, rect: Rect, class: &str) -> String {
    let Rect { x, y, w, h } = rect;
    let d = if shape == Shape::Trigger {
        let cut = 10.0;
        format!(
            "M{:.1} {y:.1}H{:.1}L{:.1} {:.1}L{:.1} {:.1}H{:.1}L{x:.1} {:.1}Z",
            x + cut,
            x + w - cut,
            x + w,
            y + h / 2.0,
            x + w - cut,
            y + h,
            x + cut,
            y + h / 2.0
        )
    } else {
        let fold = 9.0;
        format!(
            "M{x:.1} {y:.1}H{:.1}L{:.1} {:.1}V{:.1}H{x:.1}ZM{:.1} {y:.1}V{:.1}H{:.1}",
            x + w - fold,
            x + w,
            y + fold,
            y + h,
            x + w - fold,
            y + fold,
            x + w
        )
    };
    format!("<path class=\"{class}\" d=\"{d}\"/>")
}

pub(super) fn place(rect: Rect) -> String {
    let Rect { x, y, w, h } = rect;
    format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\"")
}

pub(super) fn text(class: &str, x: f64, y: f64, line: &str) -> String {
    let line = escaped(line);
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{line}</text>")
}
