//! The graphs of a document: a picture each, and the same in a table.

use maud::{Markup, html};

use super::super::diagram::Diagram;
use super::super::page::Page;
use super::frame::{Frame, wide};
use super::prose::{list, prose};
use crate::report::diagram::{Edge, NOTHING};
use crate::report::layout::count;
use crate::report::part::left_out;

/// The name of the file with the picture of a graph.
pub(super) fn picture(name: &str) -> String {
    format!("graph-{name}.svg")
}

/// The page.
pub(super) fn html(page: &Page, graphs: &[Graph<'_>]) -> Markup {
    let main = html! {
        h1 { "Graphs of " (page.title) }
        @if let Some(sentence) = left_out(&page.restrictions, page.only_claims) { p.part { (prose(&sentence)) } }
        p { "What depends on what. Below each picture stands all of it in words." }
        @for graph in graphs { (one(*graph)) }
    };
    let title = format!("Graphs of {}", page.title);
    Frame::below(&title, page, "Graphs").around(&main)
}

fn one(graph: Graph<'_>) -> Markup {
    let Graph { name, diagram } = graph;
    let file = picture(name);
    let alt = format!(
        "{}, as a picture; the table below tells the same.",
        diagram.title
    );
    let image = html! { a href=(file) { img src=(file) alt=(alt) loading="lazy"; } };
    html! {
        section id=(name) {
            h2 { (diagram.title) }
            @if diagram.nodes.is_empty() {
                p { (NOTHING) }
            } @else {
                (wide(&format!("{}, a picture", diagram.title), &image))
                @if !diagram.notes.is_empty() { (list(&diagram.notes)) }
                details {
                    summary { "In words: " (count(diagram.nodes.len() as u64, "box", "boxes")) ", "
                        (count(diagram.edges.len() as u64, "connection", "connections")) }
                    (wide(&format!("{}, in words", diagram.title), &edges(diagram)))
                    @if let Some(alone) = alone(diagram, false) { p { "Connected with nothing: " (alone) "." } }
                    @if let Some(alone) = alone(diagram, true) { p { "Connected with nothing in their lists: " (alone) "." } }
                }
            }
        }
    }
}

fn edges(diagram: &Diagram) -> Markup {
    let label = |at: usize| diagram.nodes.get(at).map_or("", |node| node.label.as_str());
    let row = |edge: &Edge| {
        html! {
            tr {
                th scope="row" { (label(edge.from)) }
                td { (edge.link.verb()) }
                td { (label(edge.to)) }
                td { (edge.labels.join(", ")) }
            }
        }
    };
    html! {
        table {
            thead { tr {
                th scope="col" { "From" }
                th scope="col" { "What it does" }
                th scope="col" { "To" }
                th scope="col" { "By what" }
            } }
            tbody { @for edge in &diagram.edges { (row(edge)) } }
        }
    }
}

/// What is connected with nothing; of lists that something performs, or of all else.
fn alone(diagram: &Diagram, of_parts: bool) -> Option<String> {
    let touched = |at: usize| {
        diagram
            .edges
            .iter()
            .any(|edge| edge.from == at || edge.to == at)
    };
    let alone = diagram.nodes.iter().enumerate();
    let alone = alone.filter(|(at, _)| !touched(*at) && diagram.is_part(*at) == of_parts);
    let names: Vec<&str> = alone.map(|(_, node)| node.label.as_str()).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// A graph of a document: a short name for its files, and the graph.
#[derive(Debug, Clone, Copy)]
pub struct Graph<'a> {
    /// `steps`, `triggers`.
    pub name: &'a str,
    /// The graph.
    pub diagram: &'a Diagram,
}
