//! Turns a diagram into a picture in one SVG file that needs nothing else.
//!
//! *Guarantees.* No scripts, fonts or images; what the lines, colours and shapes mean stands at
//! the bottom; every box and arrow has its words as a tooltip; text is escaped.
//!
//! *Limits.* How wide text is, is estimated from its letters. Labels of arrows have four lines
//! at most; the tooltip has all.

mod key;
mod letters;
mod shape;
mod style;

use super::drawn::{INDENT, MANY, MARK};
use super::layout::{Layout, Piece, Point, Rect, Route, Size, Sizes, lay_out};
use super::{Cycle, Diagram, Edge, Group, Node, Shape};
use crate::report::layout::count;
use letters::{escaped, lines, shortened, width};
use shape::{outline, place, text};

/// Letters in a line of a box, at most.
const BOX_LETTERS: usize = 24;

/// Letters in a line of a heading, at most.
const HEADING_LETTERS: usize = 30;

/// Letters in a line of a label, at most.
const LABEL_LETTERS: usize = 38;

/// The same, where there are many boxes.
const FEW_LETTERS: usize = 26;

/// Lines that a label has.
const LABEL_LINES: usize = 4;

/// Letters in a line below the label of a box, at most.
const MORE_LETTERS: usize = 34;

/// Letters in a line of what is said of a group, at most.
const REMARK_LETTERS: usize = 44;

/// How high a line of text is in a box.
const BOX_LINE: f64 = 16.0;

/// How high a line of text is in a label.
const LABEL_LINE: f64 = 13.0;

/// How high a line of a heading is.
const HEADING_LINE: f64 = 18.0;

/// The size of the letters of headings, as if they were not bold.
const BOLD: f64 = 12.5;

/// How long the head of an arrow is.
const HEAD: f64 = 8.0;

impl Diagram {
    /// The diagram as an SVG document.
    pub fn svg(&self) -> String {
        let sizes = self.sizes();
        let layout = lay_out(self, &sizes);
        let title = lines(&self.title, 80);
        let top = 16.0 + HEADING_LINE * title.len() as f64;
        let (below, key_size) = key::key(self, layout.size.w - 32.0, top + layout.size.h + 8.0);
        let wide = title.iter().map(|line| width(line, BOLD * 1.25) + 32.0);
        let wide = wide.fold(layout.size.w.max(key_size.w + 32.0), f64::max);
        let (w, h) = (wide, top + layout.size.h + key_size.h + 24.0);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title desc\" \
             width=\"{w:.0}\" height=\"{h:.0}\" viewBox=\"0 0 {w:.0} {h:.0}\">\n"
        );
        out.push_str(&format!(
            "<title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n",
            escaped(&self.title),
            escaped(&self.description())
        ));
        out.push_str(&format!("<style>{}</style>\n", style::STYLE));
        out.push_str(&format!(
            "<rect class=\"ground\" width=\"{w:.0}\" height=\"{h:.0}\"/>\n"
        ));
        for (at, line) in title.iter().enumerate() {
            let y = 24.0 + HEADING_LINE * at as f64;
            out.push_str(&text("heading", 16.0, y, line));
        }
        let left = ((w - layout.size.w) / 2.0).max(0.0);
        out.push_str(&format!(
            "<g transform=\"translate({left:.1} {top:.1})\">\n"
        ));
        self.draw(&mut out, &layout);
        out.push_str("</g>\n");
        out.push_str(&below);
        out.push_str("</svg>\n");
        out
    }

    fn sizes(&self) -> Sizes {
        let nodes = self.nodes.iter().map(|node| {
            let (lines, more) = (called(node), below(node));
            let widest = lines.iter().map(|line| width(line, 12.0));
            let widest = widest.chain(more.iter().map(|(x, line)| x + width(line, 10.5)));
            Size {
                w: widest.fold(56.0, f64::max).ceil() + 28.0,
                h: BOX_LINE * lines.len() as f64 + LABEL_LINE * more.len() as f64 + 16.0,
            }
        });
        let labels = self.edges.iter().map(|edge| {
            let lines = self.causes(edge);
            if lines.is_empty() {
                return Size::default();
            }
            let widest = lines.iter().map(|line| width(line, 10.5));
            Size {
                w: widest.fold(0.0, f64::max).ceil() + 10.0,
                h: LABEL_LINE * lines.len() as f64 + 5.0,
            }
        });
        let headings = self.groups.iter().map(|group| {
            let (lines, remark) = (lines(&group.name, HEADING_LETTERS), remark(group));
            let widest = lines.iter().map(|line| width(line, BOLD));
            let widest = widest.chain(remark.iter().map(|line| width(line, 10.5)));
            let below = if remark.is_empty() { 0.0 } else { 4.0 };
            Size {
                w: widest.fold(0.0, f64::max).ceil() + 20.0,
                h: HEADING_LINE * lines.len() as f64 + LABEL_LINE * remark.len() as f64 + below,
            }
        });
        Sizes {
            nodes: nodes.collect(),
            labels: labels.collect(),
            headings: headings.collect(),
        }
    }

    /// What somebody hears who does not see the picture.
    fn description(&self) -> String {
        let (nodes, edges) = (self.nodes.len(), self.edges.len());
        let nodes = count(nodes as u64, "box", "boxes");
        let edges = count(edges as u64, "connection", "connections");
        let mut out =
            format!("A graph of {nodes} and {edges}; --format text tells all of it in words.");
        for note in &self.notes {
            out.push(' ');
            out.push_str(note);
        }
        out
    }

    /// Groups, then lines, then labels, then boxes, so that nothing hides text.
    fn draw(&self, out: &mut String, layout: &Layout) {
        for rect in layout.groups.iter().flatten() {
            out.push_str(&format!(
                "<rect class=\"group\" {} rx=\"10\"/>\n",
                place(*rect)
            ));
        }
        let routes = self.edges.iter().zip(&layout.routes);
        let routes: Vec<(&Edge, &Route)> = routes
            .filter_map(|(edge, route)| Some((edge, route.as_ref()?)))
            .collect();
        for (edge, route) in &routes {
            self.line(out, edge, route);
        }
        for (edge, route) in &routes {
            self.label(out, edge, route);
        }
        for (group, rect) in self.groups.iter().zip(&layout.groups) {
            let Some(rect) = rect else { continue };
            let name = lines(&group.name, HEADING_LETTERS);
            let under = rect.y + 14.0 + HEADING_LINE * name.len() as f64;
            for (at, line) in remark(group).iter().enumerate() {
                let y = under + LABEL_LINE * at as f64;
                out.push_str(&text("said", rect.x + 10.0, y, line));
            }
            for (at, line) in name.iter().enumerate() {
                let y = rect.y + 17.0 + HEADING_LINE * at as f64;
                let plate = Rect {
                    x: rect.x + 6.0,
                    y: y - 13.0,
                    w: width(line, BOLD) + 8.0,
                    h: 17.0,
                };
                out.push_str(&format!(
                    "<rect class=\"veil\" {} rx=\"3\"/>\n",
                    place(plate)
                ));
                out.push_str(&text("name", rect.x + 10.0, y, line));
            }
        }
        for (node, rect) in self.nodes.iter().zip(&layout.boxes) {
            draw_node(out, node, *rect);
        }
    }

    fn line(&self, out: &mut String, edge: &Edge, route: &Route) {
        let tip = self.tooltip(edge);
        let link = edge.link.name();
        out.push_str(&format!(
            "<g class=\"edge {link}\"><title>{}</title>",
            escaped(&tip)
        ));
        let whole = path(route.start, &route.pieces);
        if edge.cycle != Cycle::None {
            let cycle = edge.cycle.name();
            out.push_str(&format!("<path class=\"halo {cycle}\" d=\"{whole}\"/>"));
        }
        let head = edge.link.is_directed().then(|| head(route)).flatten();
        match head {
            Some((shortened, head)) => {
                let line = path(route.start, &shortened);
                out.push_str(&format!("<path class=\"line\" d=\"{line}\"/>"));
                out.push_str(&format!("<path class=\"head\" d=\"{head}\"/>"));
            }
            None => out.push_str(&format!("<path class=\"line\" d=\"{whole}\"/>")),
        }
        out.push_str("</g>\n");
    }

    fn label(&self, out: &mut String, edge: &Edge, route: &Route) {
        let lines = self.causes(edge);
        if lines.is_empty() {
            return;
        }
        let tip = self.tooltip(edge);
        let link = edge.link.name();
        out.push_str(&format!(
            "<g class=\"label {link}\"><title>{}</title>",
            escaped(&tip)
        ));
        let cycle = edge.cycle.name();
        let group = |at: usize| self.nodes.get(at).and_then(|node| node.group);
        let within = match group(edge.from).is_some() && group(edge.from) == group(edge.to) {
            true => " within",
            false => "",
        };
        out.push_str(&format!(
            "<rect class=\"plate {cycle}{within}\" {} rx=\"3\"/>",
            place(route.label)
        ));
        let x = route.label.x + route.label.w / 2.0;
        for (at, line) in lines.iter().enumerate() {
            let y = route.label.y + 12.0 + LABEL_LINE * at as f64;
            out.push_str(&text("cause", x, y, line));
        }
        out.push_str("</g>\n");
    }

    /// The lines of the label of an edge; the last says if there is more.
    fn causes(&self, edge: &Edge) -> Vec<String> {
        let most = match self.nodes.len() > MANY {
            true => FEW_LETTERS,
            false => LABEL_LETTERS,
        };
        let all = edge.labels.iter().flat_map(|label| lines(label, most));
        let mut all: Vec<String> = all.collect();
        if all.len() > LABEL_LINES {
            all.truncate(LABEL_LINES);
            if let Some(last) = all.last_mut() {
                *last = format!("{} …", shortened(last, most - 2));
            }
        }
        all
    }

    /// `destroy feeds report: health of Card`.
    fn tooltip(&self, edge: &Edge) -> String {
        let label = |at: usize| self.nodes.get(at).map_or("", |node| node.label.as_str());
        let mut out = format!(
            "{} {} {}",
            label(edge.from),
            edge.link.verb(),
            label(edge.to)
        );
        for (at, cause) in edge.labels.iter().enumerate() {
            out.push_str(if at == 0 { ": " } else { "; " });
            out.push_str(cause);
        }
        if let Some(words) = edge.cycle.words() {
            out.push_str(&format!(" ({words})"));
        }
        out
    }
}

/// The lines of what a box is called; places that share a box are all called so.
fn called(node: &Node) -> Vec<String> {
    let mut out = lines(&node.label, BOX_LETTERS);
    if node.shape == Shape::Place {
        out.extend(node.more.iter().flat_map(|more| lines(more, BOX_LETTERS)));
    }
    out
}

/// What stands in a box below its label: how far to the right each line begins, and the line.
fn below(node: &Node) -> Vec<(f64, String)> {
    let mut out = Vec::new();
    let more = node.more.iter().filter(|_| node.shape != Shape::Place);
    for line in more {
        let (mut rest, mut right) = (line.as_str(), 0.0);
        while let Some(inner) = rest.strip_prefix(INDENT) {
            (rest, right) = (inner, right + 10.0);
        }
        for (at, part) in lines(rest, MORE_LETTERS).into_iter().enumerate() {
            let hangs = if at > 0 && rest.starts_with(MARK) {
                12.0
            } else {
                0.0
            };
            out.push((right + hangs, part));
        }
    }
    out
}

/// The lines of what is said of a group.
fn remark(group: &Group) -> Vec<String> {
    match group.remark.is_empty() {
        true => Vec::new(),
        false => lines(&group.remark, REMARK_LETTERS),
    }
}

fn draw_node(out: &mut String, node: &Node, rect: Rect) {
    let (shape, cycle) = (node.shape.name(), node.cycle.name());
    out.push_str(&format!("<g class=\"node {shape} {cycle}\"><title>"));
    let mut tip = node.words();
    if let Some(words) = node.cycle.words() {
        tip.push_str(&format!(": {words}"));
    }
    out.push_str(&format!("{}</title>", escaped(&tip)));
    if node.cycle == Cycle::Cleared {
        let outer = Rect {
            x: rect.x - 4.0,
            y: rect.y - 4.0,
            w: rect.w + 8.0,
            h: rect.h + 8.0,
        };
        out.push_str(&outline(node.shape, outer, "outer"));
    }
    out.push_str(&outline(node.shape, rect, "box"));
    let (lines, more) = (called(node), below(node));
    let high = BOX_LINE * lines.len() as f64 + LABEL_LINE * more.len() as f64;
    let x = rect.x + rect.w / 2.0;
    let first = rect.y + (rect.h - high) / 2.0 + 12.0;
    for (at, line) in lines.iter().enumerate() {
        out.push_str(&text("in", x, first + BOX_LINE * at as f64, line));
    }
    let first = first + BOX_LINE * lines.len() as f64 - 2.0;
    let listed = node.more.iter().any(|line| line.contains(MARK));
    for (at, (right, line)) in more.iter().enumerate() {
        let y = first + LABEL_LINE * at as f64;
        out.push_str(&match listed {
            true => text("more", rect.x + 12.0 + right, y, line),
            false => text("cause", x, y, line),
        });
    }
    out.push_str("</g>\n");
}

fn path(start: Point, pieces: &[Piece]) -> String {
    let mut out = format!("M{:.1} {:.1}", start.x, start.y);
    for piece in pieces {
        match piece {
            Piece::Line(to) => out.push_str(&format!("L{:.1} {:.1}", to.x, to.y)),
            Piece::Curve(one, two, to) => out.push_str(&format!(
                "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
                one.x, one.y, two.x, two.y, to.x, to.y
            )),
        }
    }
    out
}

/// The pieces of a line up to the head of its arrow, and the head, which points where the last
/// piece goes.
fn head(route: &Route) -> Option<(Vec<Piece>, String)> {
    let mut pieces = route.pieces.clone();
    let Some(Piece::Line(tip)) = pieces.pop() else {
        return None;
    };
    let from = match pieces.last() {
        Some(Piece::Line(point) | Piece::Curve(_, _, point)) => *point,
        None => route.start,
    };
    let length = (tip.x - from.x).hypot(tip.y - from.y);
    let (right, down) = ((tip.x - from.x) / length, (tip.y - from.y) / length);
    if !right.is_finite() || !down.is_finite() {
        return None;
    }
    let back = Point {
        x: tip.x - right * HEAD,
        y: tip.y - down * HEAD,
    };
    pieces.push(Piece::Line(back));
    let half = HEAD * 0.45;
    let head = format!(
        "M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
        tip.x,
        tip.y,
        back.x - down * half,
        back.y + right * half,
        back.x + down * half,
        back.y - right * half
    );
    Some((pieces, head))
}

#[cfg(test)]
mod tests;
