//! What stands below a picture: what its lines and boxes mean, and notes.

use super::super::layout::{Rect, Size};
use super::super::names::NOTHING;
use super::super::{Cycle, Diagram, Shape};
use super::letters;
use super::shape::{outline, text};

/// How high a line is.
const LINE: f64 = 18.0;

/// Where words begin beside a sample.
const WORDS: f64 = 76.0;

/// Letters in a line, at least and at most.
const LETTERS: (usize, usize) = (72, 130);

/// What grows line by line.
struct Below {
    out: String,
    y: f64,
    widest: f64,
    letters: usize,
}

/// What stands below a picture of a width, from a height on, and how large it is.
pub(super) fn key(diagram: &Diagram, wide: f64, from: f64) -> (String, Size) {
    let mut below = Below {
        out: String::new(),
        y: from,
        widest: 0.0,
        letters: ((wide - WORDS) / 7.9).clamp(LETTERS.0 as f64, LETTERS.1 as f64) as usize,
    };
    if diagram.nodes.is_empty() {
        below.words(16.0, NOTHING);
    }
    for (link, sentence) in &diagram.legend {
        below.line_sample(link.name(), link.is_directed());
        below.words(WORDS, sentence);
    }
    let shapes = [
        Shape::Step,
        Shape::Restart,
        Shape::Event,
        Shape::Trigger,
        Shape::Place,
        Shape::Clause,
    ];
    let occurs = |shape: &Shape| diagram.nodes.iter().any(|node| node.shape == *shape);
    let shapes: Vec<Shape> = shapes.into_iter().filter(occurs).collect();
    // One shape alone says nothing.
    if shapes.len() > 1 {
        for shape in shapes {
            below.box_sample(shape, Cycle::None);
            below.words(WORDS, shape.words());
        }
    }
    for cycle in [Cycle::Confirmed, Cycle::Cleared, Cycle::Possible] {
        let node = diagram.nodes.iter().find(|node| node.cycle == cycle);
        let edge = diagram.edges.iter().any(|edge| edge.cycle == cycle);
        let shape = node.map(|node| node.shape).or(edge.then_some(Shape::Step));
        if let (Some(shape), Some(words)) = (shape, cycle.words()) {
            below.box_sample(shape, cycle);
            below.words(WORDS, words);
        }
    }
    if !diagram.notes.is_empty() {
        below.y += 8.0;
    }
    for note in &diagram.notes {
        below.words(16.0, note);
        below.y += 4.0;
    }
    let size = Size {
        w: below.widest,
        h: below.y - from,
    };
    (below.out, size)
}

impl Below {
    fn line_sample(&mut self, class: &str, directed: bool) {
        let y = self.y + 8.0;
        self.out.push_str(&format!(
            "<g class=\"{class}\"><path class=\"line\" d=\"M16 {y:.1}H{}\"/>",
            if directed { 56 } else { 62 }
        ));
        if directed {
            let (above, under) = (y - 3.6, y + 3.6);
            let head = format!("M63 {y:.1}L55 {above:.1}L55 {under:.1}Z");
            self.out
                .push_str(&format!("<path class=\"head\" d=\"{head}\"/>"));
        }
        self.out.push_str("</g>");
    }

    fn box_sample(&mut self, shape: Shape, cycle: Cycle) {
        // The second outline needs room, too.
        self.y += 3.0;
        let rect = Rect {
            x: 20.0,
            y: self.y + 2.0,
            w: 38.0,
            h: 13.0,
        };
        let (kind, name) = (shape.name(), cycle.name());
        self.out
            .push_str(&format!("<g class=\"node {kind} {name}\">"));
        if cycle == Cycle::Cleared {
            let outer = Rect {
                x: rect.x - 3.0,
                y: rect.y - 3.0,
                w: rect.w + 6.0,
                h: rect.h + 6.0,
            };
            self.out.push_str(&outline(shape, outer, "outer"));
        }
        self.out.push_str(&outline(shape, rect, "box"));
        self.out.push_str("</g>");
    }

    fn words(&mut self, x: f64, sentence: &str) {
        for line in letters::lines(sentence, self.letters) {
            self.out.push_str(&text("remark", x, self.y + 12.5, &line));
            self.out.push('\n');
            self.y += LINE;
            self.widest = self.widest.max(x + letters::width(&line, 12.0));
        }
    }
}
