//! The pictures of the five documents: what they say, and that they can be read.

use endstep::depend::{Kind, Link, Source, picture};
use endstep::lower::lower;
use endstep::report::diagram::{Diagram, sketch};
use endstep::source::SourceMap;

use super::texts::Texts;

const KINDS: [Kind; 4] = [Kind::Steps, Kind::Triggers, Kind::Fields, Kind::Clauses];

/// The document, and of each kind how large its picture is at most: the sides, in hundred pixels.
const LARGEST: [(&str, [(f64, f64); 4]); 5] = [
    (
        "apex-predator",
        [(19.0, 16.0), (5.0, 2.0), (14.0, 12.0), (15.0, 13.0)],
    ),
    (
        "gods-unchained",
        [(17.0, 20.0), (12.0, 11.0), (14.0, 17.0), (22.0, 15.0)],
    ),
    (
        "price-of-power",
        [(17.0, 15.0), (7.0, 2.0), (12.0, 10.0), (12.0, 18.0)],
    ),
    (
        "rumblebots",
        [(13.0, 13.0), (8.0, 7.0), (7.0, 13.0), (24.0, 14.0)],
    ),
    (
        "xenoshyft",
        [(26.0, 22.0), (8.0, 9.0), (23.0, 18.0), (18.0, 19.0)],
    ),
];

/// What is told of a document, and what is drawn of that.
fn diagrams(name: &str) -> Vec<(Kind, Diagram, Diagram)> {
    let texts = Texts::read(&format!("specs/{name}.endstep"));
    let program = texts.compile().unwrap();
    let sources = SourceMap::new();
    let system = lower(&program);
    let source = Source {
        program: &program,
        system: &system,
        results: None,
        sequence: None,
    };
    let told = KINDS.map(|kind| {
        let told = sketch(source, &sources, (kind, &picture(source, kind)), &[]);
        let drawn = told.drawn();
        (kind, told, drawn)
    });
    told.into()
}

/// Left, top, right, bottom.
type Rect = [f64; 4];

/// The rectangle of an outline: the `x`, `y`, `width` and `height` of one, or around a path of
/// absolute moves.
fn outline(shape: roxmltree::Node<'_, '_>) -> Rect {
    let number = |name: &str| -> Option<f64> { shape.attribute(name)?.parse().ok() };
    if let (Some(x), Some(y), Some(w), Some(h)) =
        (number("x"), number("y"), number("width"), number("height"))
    {
        return [x, y, x + w, y + h];
    }
    let path = shape.attribute("d").unwrap();
    let mut out = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
    let mut rest = path;
    while let Some(letter) = rest.chars().next() {
        let end = rest[1..]
            .find(char::is_alphabetic)
            .map_or(rest.len(), |at| at + 1);
        let numbers = rest[1..end].split(' ').filter_map(|one| one.parse().ok());
        let numbers: Vec<f64> = numbers.collect();
        let (x, y) = match (letter, numbers.as_slice()) {
            ('M' | 'L', &[x, y]) => (Some(x), Some(y)),
            ('H', &[x]) => (Some(x), None),
            ('V', &[y]) => (None, Some(y)),
            _ => (None, None),
        };
        if let Some(x) = x {
            (out[0], out[2]) = (out[0].min(x), out[2].max(x));
        }
        if let Some(y) = y {
            (out[1], out[3]) = (out[1].min(y), out[3].max(y));
        }
        rest = &rest[end..];
    }
    out
}

fn overlap(a: Rect, b: Rect) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// The outlines of a class that stand in groups of a class.
fn outlines(document: &roxmltree::Document<'_>, group: &str, class: &str) -> Vec<Rect> {
    let has = |node: &roxmltree::Node<'_, '_>, class: &str| {
        let classes = node.attribute("class").unwrap_or_default();
        classes.split(' ').any(|one| one == class)
    };
    let groups = document.descendants().filter(|node| has(node, group));
    let shapes = groups.filter_map(|group| group.children().find(|shape| has(shape, class)));
    shapes.map(outline).collect()
}

/// Where the legend begins.
fn legend(svg: &str) -> usize {
    svg.rfind("\n</g>\n").unwrap()
}

#[test]
fn nothing_lies_over_anything() {
    for (name, _) in LARGEST {
        for (kind, told, drawn) in diagrams(name) {
            let svg = drawn.svg();
            let document = roxmltree::Document::parse(&svg).unwrap();
            // The legend has samples of boxes, outside of what is drawn.
            let whole = document.root_element();
            let picture = whole
                .children()
                .filter(|node| node.attribute("transform").is_some());
            assert_eq!(picture.count(), 1);
            let boxes = outlines(&document, "node", "box");
            let boxes = &boxes[..drawn.nodes.len()];
            let labels = outlines(&document, "label", "plate");
            let labelled = drawn.edges.iter().filter(|edge| !edge.labels.is_empty());
            assert_eq!(labels.len(), labelled.count(), "{name} {kind:?}");
            let solid: Vec<Rect> = boxes.iter().chain(&labels).copied().collect();
            for (at, &one) in solid.iter().enumerate() {
                let hit = solid[at + 1..].iter().find(|other| overlap(one, **other));
                assert!(hit.is_none(), "{name} {kind:?}: {one:?} {hit:?}");
            }
            assert!(drawn.nodes.len() <= told.nodes.len());
        }
    }
}

#[test]
fn every_arrow_is_explained() {
    for (name, _) in LARGEST {
        for (kind, _, drawn) in diagrams(name) {
            let svg = drawn.svg();
            let (picture, legend) = svg.split_at(legend(&svg));
            let mut explained = 0;
            for link in Link::ALL {
                let edge = format!("<g class=\"edge {}\">", link.name());
                let sample = format!("<g class=\"{}\">", link.name());
                let drawn = picture.matches(&edge).count();
                assert_eq!(
                    drawn > 0,
                    legend.contains(&sample),
                    "{name} {kind:?} {link:?}"
                );
                explained += drawn;
            }
            assert_eq!(explained, drawn.edges.len());
            // Between steps, what passes from one to another is said beside the arrow.
            let feeds = drawn.edges.iter().filter(|edge| edge.link == Link::Feeds);
            let silent = feeds.filter(|edge| edge.labels.is_empty()).count();
            assert!(silent == 0 || kind == Kind::Fields, "{name} {kind:?}");
        }
    }
}

#[test]
fn pictures_are_no_larger_than_they_have_to_be() {
    let mut broken = Vec::new();
    for (name, largest) in LARGEST {
        for ((kind, _, drawn), (wide, high)) in diagrams(name).into_iter().zip(largest) {
            let svg = drawn.svg();
            let document = roxmltree::Document::parse(&svg).unwrap();
            let side = |side: &str| -> f64 {
                let value = document.root_element().attribute(side).unwrap();
                value.parse().unwrap()
            };
            let (w, h) = (side("width"), side("height"));
            if w > wide * 100.0 || h > high * 100.0 {
                broken.push(format!("{name} {kind:?}: {w} x {h}"));
            }
            let page = drawn.nodes.is_empty() || (0.4..=2.2).contains(&(w / h));
            if !page {
                broken.push(format!("{name} {kind:?}: {w} to {h} is no page"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// What a picture leaves out it says, and the other forms have.
#[test]
fn what_is_left_out_is_said() {
    for (name, _) in LARGEST {
        for (kind, told, drawn) in diagrams(name) {
            let notes = drawn.notes.join("\n");
            if kind == Kind::Fields && drawn.edges.len() < told.edges.len() {
                assert!(notes.contains(&format!("Of {} arrows", told.edges.len())));
                assert!(notes.contains(&format!("{} are drawn", drawn.edges.len())));
            }
            let json = told.json();
            assert_eq!(json["edges"].as_array().unwrap().len(), told.edges.len());
            let lines: Vec<&String> = drawn.nodes.iter().flat_map(|node| &node.more).collect();
            for node in &told.nodes {
                let kept = drawn.nodes.iter().any(|one| one.key == node.key);
                let group = node.group.map(|at| told.groups[at].name.as_str());
                let named = |line: &&&String| {
                    line.contains(&node.label) || group.is_some_and(|group| line.contains(group))
                };
                let said = lines.iter().any(|line| named(&line)) || notes.contains(&node.label);
                assert!(kept || said, "{name} {kind:?}: {} is lost", node.key);
            }
        }
    }
}
