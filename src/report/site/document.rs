//! The page about a document: what is wrong in short, all findings, then clause by clause.

use super::clause;
use super::findings::{self, name};
use super::frame::{Frame, finding_page, link, links, wide};
use super::prose::{emphasised, list, prose};
use crate::report::page::{self, Asked, Kind, Line, Outcome, Page, Told};
use crate::report::text::GONE;
use maud::{Markup, html};

/// The page.
pub(super) fn html(page: &Page) -> Markup {
    let main = html! {
        h1 { (page.title) }
        (head(page))
        (contents(page))
        (gravest(page))
        (summary(page))
        (findings::list(page))
        @for (at, chapter) in page.chapters.iter().enumerate() { (clause::chapter(page, chapter, at)) }
        (clause::outside(page))
        (asked(&page.asked))
        (unasked(page))
        (explored(page))
        @if !page.gone.is_empty() {
            section #gone { h2 { (GONE) } (list(&page.gone)) }
        }
        (legend(page))
    };
    let title = format!("{}: what was found", page.title);
    let frame = Frame {
        title: &title,
        way: &[("All documents", "../index.html")],
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
        @if !page.restrictions.is_empty() {
            p.part {
                strong { "This is about a part only: " }
                @for (at, option) in page.restrictions.iter().enumerate() {
                    @if at > 0 { ", " }
                    code { (option) }
                }
                ". Nothing is said about the rest."
            }
        }
    }
}

fn contents(page: &Page) -> Markup {
    html! {
        nav.contents aria-label="About this document" {
            ul {
                li { a href="#summary" { "In short" } }
                li { a href="#findings" { "Findings" } }
                @for (at, chapter) in page.chapters.iter().enumerate() {
                    li { a href=(format!("#{}", clause::chapter_anchor(at))) { "Clauses: " (chapter.title) } }
                }
                @if !page.asked.is_empty() { li { a href="#asked" { "What was asked" } } }
                @if !page.scopes.is_empty() { li { a href="#explored" { "What was explored" } } }
                li { a href="#legend" { "What the words mean" } }
                li { a href="readings.html" { "Readings" } }
                li { a href="orders.html" { "Orders" } }
                li { a href="graphs.html" { "Graphs" } }
                li { a href="report.md" { "As Markdown" } }
                li { a href="report.json" { "As JSON" } }
            }
        }
    }
}

/// The most serious problems, in full.
fn gravest(page: &Page) -> Markup {
    let all: Vec<&Told> = page.named(&page.gravest).collect();
    html! {
        section #gravest {
            @match all.len() {
                0 => {
                    h2 { "No problems" }
                    p { "Nothing was found that is more than a note." }
                }
                1 => { h2 { "The most serious problem" } }
                2 => { h2 { "The two most serious problems" } }
                _ => {
                    h2 { "The three most serious problems" }
                    p.aside { "Each of another kind. What the document says is told in our own words." }
                }
            }
            ol.grave {
                @for told in &all {
                    li {
                        h3 { a href=(finding_page(&told.anchor)) { (name(told)) } }
                        (findings::marks(told))
                        p { (prose(&told.paragraph)) }
                        p { (told.why) }
                        @if let Some(only) = told.only() { p.aside { "It is so only if " (prose(only)) "." } }
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
                    (wide("Kinds of findings", &kinds(&page.kinds)))
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
                    Some(anchor) => a href=(format!("#{anchor}")) { (line.title) },
                    None => (line.title),
                }
                ":"
            }
            " "
            @for (text, leads) in &line.pieces {
                @match leads {
                    Some(anchor) => a href=(format!("#{anchor}")) { (text) },
                    None => (prose(text)),
                }
            }
        }
    }
}

fn kinds(all: &[Kind]) -> Markup {
    html! {
        table {
            thead { tr {
                th scope="col" { "What was found" }
                th scope="col" { "How often" }
                th scope="col" { "About what" }
            } }
            tbody {
                @for kind in all {
                    tr {
                        th scope="row" { (kind.title) " (" (kind.code) ")" }
                        td { (kind.links.len()) }
                        td { (links(&kind.links)) }
                    }
                }
            }
        }
    }
}

/// An answer, with the findings that give it if it is not as it should be.
pub(super) fn answer(asked: &Asked) -> Markup {
    html! {
        @match asked.result {
            Outcome::Bad if !asked.findings.is_empty() => {
                strong { (prose(&asked.answer)) } ", " (links(&asked.findings))
            }
            _ => (prose(&asked.answer)),
        }
    }
}

fn asked(all: &[Asked]) -> Markup {
    if all.is_empty() {
        return html! {};
    }
    let rows = html! {
        table {
            thead { tr {
                th scope="col" { "Who asks" }
                th scope="col" { "What" }
                th scope="col" { "Answer" }
            } }
            tbody {
                @for one in all {
                    tr {
                        td { @match &one.clause { Some(clause) => (link(clause)), None => "the author" } }
                        td { (prose(&one.question)) }
                        td { (answer(one)) }
                    }
                }
            }
        }
    };
    html! {
        section #asked {
            h2 { "What was asked" }
            (wide("What was asked", &rows))
        }
    }
}

fn unasked(page: &Page) -> Markup {
    html! {
        @if !page.unasked.is_empty() {
            section #unasked {
                h2 { "What else holds" }
                p { "Nobody asked, and on every board that was tried it is so:" }
                @for group in &page.unasked {
                    details {
                        summary { (group.title) ": " (group.lines.len()) }
                        (list(&group.lines))
                    }
                }
            }
        }
        @if !page.unknown.is_empty() {
            section #unknown { h2 { "What else is unknown" } (list(&page.unknown)) }
        }
    }
}

fn explored(page: &Page) -> Markup {
    html! {
        @if !page.scopes.is_empty() {
            section #explored {
                h2 { "What was explored" }
                (list(&page.scopes))
                @if !page.conditions.is_empty() {
                    p #conditions { "Of the legal boards, only those were tried for which all of these are true:" }
                    ul {
                        @for (name, what) in &page.conditions { li { code { (name) } ": " code { (what) } } }
                    }
                }
            }
        }
    }
}

fn legend(page: &Page) -> Markup {
    html! {
        section #legend {
            h2 { "What the words mean" }
            ul {
                @for one in page::legend("With a line on its left") { li { (emphasised(&one)) } }
                @if !page.in_common.is_empty() {
                    li { "Not shown is what all boards begin with: " (prose(&page.in_common.join("; "))) "." }
                }
            }
        }
    }
}
