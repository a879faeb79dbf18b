//! Pictures are well-formed, and nothing in them lies over what it must not.

use super::super::layout::Route;
use super::super::layout::{Layout, Piece, Point, Rect, both, lay_out};
use super::super::{Diagram, Shape, sample};
use proptest::prelude::{ProptestConfig, proptest};

fn overlap(one: Rect, other: Rect) -> bool {
    let apart = |low: f64, long: f64, from: f64, far: f64| low + long <= from || from + far <= low;
    !apart(one.x, one.w, other.x, other.w) && !apart(one.y, one.h, other.y, other.h)
}

fn on_border(point: Point, rect: Rect) -> bool {
    let near = |one: f64, other: f64| (one - other).abs() < 0.01;
    let within = |at: f64, low: f64, long: f64| (low - 0.01..=low + long + 0.01).contains(&at);
    let upright = near(point.x, rect.x) || near(point.x, rect.x + rect.w);
    let level = near(point.y, rect.y) || near(point.y, rect.y + rect.h);
    upright && within(point.y, rect.y, rect.h) || level && within(point.x, rect.x, rect.w)
}

fn end(piece: Piece) -> Point {
    match piece {
        Piece::Line(to) | Piece::Curve(_, _, to) => to,
    }
}

/// Points along a line, some for each piece.
fn points(start: Point, pieces: &[Piece]) -> Vec<Point> {
    let mut out = vec![start];
    for &piece in pieces {
        let from = out[out.len() - 1];
        let (one, two, to) = match piece {
            Piece::Line(to) => (from, to, to),
            Piece::Curve(one, two, to) => (one, two, to),
        };
        for at in 1..=12 {
            let t = f64::from(at) / 12.0;
            let s = 1.0 - t;
            let mix = |a: f64, b: f64, c: f64, d: f64| {
                a * s * s * s + 3.0 * b * s * s * t + 3.0 * c * s * t * t + d * t * t * t
            };
            out.push(Point {
                x: mix(from.x, one.x, two.x, to.x),
                y: mix(from.y, one.y, two.y, to.y),
            });
        }
    }
    out
}

fn inside(point: Point, rect: Rect) -> bool {
    let within = |at: f64, low: f64, long: f64| at > low + 0.1 && at < low + long - 0.1;
    within(point.x, rect.x, rect.w) && within(point.y, rect.y, rect.h)
}

/// Looks at the diagram in rows, in columns and on a page, and at what is drawn of it.
fn sound_all_ways(diagram: &Diagram) {
    let drawn = diagram.drawn();
    for one in [diagram, &drawn] {
        let sizes = one.sizes();
        for layout in both(one, &sizes) {
            sound(one, &layout);
        }
        sound(one, &lay_out(one, &sizes));
    }
}

/// Fails where boxes, labels or groups overlap, or lines do not end at or run through boxes.
fn sound(diagram: &Diagram, layout: &Layout) {
    let labels = diagram.edges.iter().zip(&layout.routes);
    let labels = labels.filter(|(edge, _)| !edge.labels.is_empty());
    let labels = labels.filter_map(|(_, route)| Some(route.as_ref()?.label));
    let solid: Vec<Rect> = layout.boxes.iter().copied().chain(labels).collect();
    let groups: Vec<Rect> = layout.groups.iter().flatten().copied().collect();
    for rects in [&solid, &groups] {
        for (at, &one) in rects.iter().enumerate() {
            let mut others = rects[at + 1..].iter();
            let hit = others.find(|&&other| overlap(one, other));
            assert!(hit.is_none(), "{one:?} and {hit:?} overlap");
            assert!(one.x >= 0.0 && one.y >= 0.0, "{one:?} is in the picture");
            let (right, bottom) = (one.x + one.w, one.y + one.h);
            assert!(right <= layout.size.w && bottom <= layout.size.h);
        }
    }
    for (edge, route) in diagram.edges.iter().zip(&layout.routes) {
        let route = route.as_ref().unwrap();
        let last = end(*route.pieces.last().unwrap());
        assert!(
            on_border(route.start, layout.boxes[edge.from]),
            "{edge:?} {route:?}"
        );
        assert!(on_border(last, layout.boxes[edge.to]), "{edge:?} {route:?}");
        for point in points(route.start, &route.pieces) {
            let hit = layout.boxes.iter().find(|rect| inside(point, **rect));
            assert!(hit.is_none(), "{edge:?} runs through {hit:?}");
        }
    }
    for (edge, route) in diagram.edges.iter().zip(&layout.routes) {
        let [from, to] = [edge.from, edge.to].map(|at| diagram.nodes[at].group);
        if from != to && !edge.labels.is_empty() {
            let label = route.as_ref().unwrap().label;
            assert!(
                !groups.iter().any(|group| overlap(label, *group)),
                "{edge:?}"
            );
        }
    }
    for (node, rect) in diagram.nodes.iter().zip(&layout.boxes) {
        for (group, around) in layout.groups.iter().enumerate() {
            let belongs = node.group == Some(group);
            let hit = around.is_some_and(|around| overlap(*rect, around));
            assert_eq!(hit, belongs, "{} and group {group}", node.key);
        }
    }
}

#[test]
fn samples_are_sound() {
    for diagram in sample::all() {
        sound_all_ways(&diagram);
    }
}

#[test]
fn pictures_need_nothing_else() {
    for diagram in sample::all() {
        let svg = diagram.svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        for node in document.descendants().filter(roxmltree::Node::is_element) {
            let name = node.tag_name().name();
            assert!(
                ["svg", "title", "desc", "style", "rect", "path", "text", "g"].contains(&name),
                "{name}"
            );
            let calls = |name: &str| name.starts_with("on") || name.contains("href");
            assert!(!node.attributes().any(|attribute| calls(attribute.name())));
        }
        assert!(!svg.contains("url(") && !svg.contains("@import"));
    }
}

#[test]
fn words_are_shown_as_they_are() {
    let svg = sample::awkward().svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let tips = document
        .descendants()
        .filter(|node| node.has_tag_name("title"));
    let tips: Vec<&str> = tips.filter_map(|node| node.text()).collect();
    assert!(
        tips.contains(&"say \"hello\" <to> a & b]: goes round without end"),
        "{tips:?}"
    );
    let long = "one, two; three; four; five; six; seven";
    assert!(tips.iter().any(|tip| tip.ends_with(long)), "{tips:?}");
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    let texts: Vec<&str> = texts.filter_map(|node| node.text()).collect();
    assert!(texts.contains(&"five …"));
    assert!(!texts.contains(&"six"));
}

/// In a list no line but its own runs through a label, and steps keep their order.
#[test]
fn labels_of_a_list_are_free() {
    let mut diagram = sample::dense(14, 40, 1);
    for node in &mut diagram.nodes {
        node.shape = Shape::Step;
    }
    let layout = lay_out(&diagram, &diagram.sizes());
    sound(&diagram, &layout);
    assert!(
        layout
            .boxes
            .windows(2)
            .all(|two| two[0].y + two[0].h < two[1].y)
    );
    let routes = layout.routes.iter().flatten();
    let routes: Vec<&Route> = routes.collect();
    assert_eq!(routes.len(), 40);
    for (at, one) in routes.iter().enumerate() {
        for (other, route) in routes.iter().enumerate() {
            let hit = |point: &Point| inside(*point, one.label);
            let through = points(route.start, &route.pieces).iter().any(hit);
            assert!(
                at == other || !through,
                "{other} runs through the label of {at}"
            );
        }
    }
}

/// Lines that lie over each other leave the same step and mean the same.
#[test]
fn trunks_of_a_list_lie_apart() {
    let mut diagram = sample::dense(14, 40, 1);
    for node in &mut diagram.nodes {
        node.shape = Shape::Step;
    }
    let layout = lay_out(&diagram, &diagram.sizes());
    let upright = |route: &Route| {
        let [_, Piece::Curve(_, _, from), Piece::Line(to), ..] = route.pieces[..] else {
            panic!("{route:?}");
        };
        (from.x, from.y.min(to.y), from.y.max(to.y))
    };
    let edges: Vec<_> = diagram
        .edges
        .iter()
        .zip(layout.routes.iter().flatten())
        .collect();
    for (one, route) in &edges {
        for (other, second) in &edges {
            let (a, b) = (upright(route), upright(second));
            let over = (a.0 - b.0).abs() < 1.0 && a.1 < b.2 && b.1 < a.2;
            assert!(!over || (one.from, one.link) == (other.from, other.link));
        }
    }
}

/// What nothing connects stands side by side.
#[test]
fn parts_fill_a_page() {
    let mut diagram = sample::dense(60, 0, 12);
    for node in &mut diagram.nodes {
        node.shape = Shape::Step;
    }
    let size = lay_out(&diagram, &diagram.sizes()).size;
    assert!((0.8..2.2).contains(&(size.w / size.h)), "{size:?}");
}

#[test]
fn nothing_is_said_to_be_nothing() {
    let mut diagram = sample::chain();
    diagram.nodes.clear();
    diagram.edges.clear();
    assert!(diagram.svg().contains("There is nothing of the kind."));
    assert!(diagram.text(80).contains("There is nothing of the kind."));
}

#[test]
fn many_boxes_are_drawn() {
    let diagram = sample::dense(80, 200, 4);
    sound_all_ways(&diagram);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_diagram_can_be_drawn(diagram in sample::diagrams()) {
        sound_all_ways(&diagram);
        let svg = diagram.svg();
        roxmltree::Document::parse(&svg).unwrap();
        assert_eq!(svg, diagram.svg(), "the same bytes");
    }
}
