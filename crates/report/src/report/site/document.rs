//! The first page about a document: the most serious problems, what is wrong in short, all findings.

use super::clause;
use super::findings::{self, name};
use super::frame::{CHECKED, CLAUSES, Frame, finding_page, links, part, target};
use super::prose::prose;
use super::table::{First, table};
use crate::report::page::{FindingText, Kind, Line, Page};
use maud::{Markup, html};

/// The page.
pub(super) fn html(page: &Page) -> Markup {
    let main = html! {
        h1 { (page.title) }
        (head(page))
        (contents())
        (gravest(page))
        (summary(page))
        (findings::list(page))
    };
    let title = format!("{}: what was found", page.title);
    let frame = Frame {
        title: &title,
        way: vec![("All documents", "../index.html")],
        here: &page.title,
        up: "../",
    };
    frame.around(&main)
}

fn head(page: &Page) -> Markup {
    html! {
        p {
            "What Endstep finds in "
            @if page.documents.is_empty() { "the specification" }
            @for (at, title) in page.documents.iter().enumerate() {
                @if at > 0 { ", " }
                "“" (title) "”"
            }
            ". Made from " code { (page.name) } "."
        }
        (part(page))
    }
}

fn contents() -> Markup {
    html! {
        nav.contents aria-label="About this document" {
            ul {
                li { a href="#findings" { "All that was found" } }
                li { a href=(CLAUSES) { "Clause by clause" } }
                li { a href="readings.html" { "Readings" } }
                li { a href="orders.html" { "Orders" } }
                li { a href="graphs.html" { "Graphs" } }
                li { a href=(CHECKED) { "What was checked, and what the words mean" } }
                li { a href="report.md" { "As Markdown" } }
                li { a href="report.json" { "As JSON" } }
            }
        }
    }
}

/// The most serious problems, in full.
fn gravest(page: &Page) -> Markup {
    let all: Vec<&FindingText> = page.named(&page.gravest).collect();
    html! {
        section #gravest {
            @match all.len() {
                0 => {
                    @let (heading, sentence) = page.clean();
                    h2 { (heading) }
                    p { (sentence) }
                }
                1 => { h2 { "The most serious problem" } }
                2 => { h2 { "The two most serious problems" } }
                _ => {
                    h2 { "The three most serious problems" }
                    p.aside { "Each of another kind. What the document says is told in the words of the specification." }
                }
            }
            ol.grave {
                @for told in &all {
                    li {
                        h3 { a href=(finding_page(&told.anchor)) { (name(told)) } }
                        (findings::marks(told))
                        p { (prose(&told.in_short())) }
                        p { (told.why) }
                        @for one in told.passages.iter().take(MOST_PASSAGES) { (clause::passage(one)) }
                    }
                }
            }
        }
    }
}

/// So many clauses are quoted beside one of the most serious problems.
const MOST_PASSAGES: usize = 2;

fn summary(page: &Page) -> Markup {
    html! {
        section #summary {
            h2 { "In short" }
            ul { @for line in page.overview() { (self::line(&line)) } }
            @if !page.kinds.is_empty() {
                details {
                    summary { "What was found, by kind" }
                    (kinds(&page.kinds))
                }
            }
        }
    }
}

fn line(line: &Line) -> Markup {
    html! {
        li {
            strong {
                @match line.anchor {
                    Some(anchor) => a href=(target(anchor)) { (line.title) },
                    None => (line.title),
                }
                ":"
            }
            " "
            @for (text, leads) in &line.pieces {
                @match leads {
                    Some(anchor) => a href=(target(anchor)) { (text) },
                    None => (prose(text)),
                }
            }
        }
    }
}

fn kinds(all: &[Kind]) -> Markup {
    let row = |kind: &Kind| {
        vec![
            html! { (kind.title) " (" (kind.code) ")" },
            html! { (kind.links.len()) },
            links(&kind.links),
        ]
    };
    let rows: Vec<Vec<Markup>> = all.iter().map(row).collect();
    let heads = ["What was found", "How often", "About what"];
    table("Kinds of findings", &heads, First::Names, &rows)
}
