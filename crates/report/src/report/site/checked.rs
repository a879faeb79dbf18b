//! What was checked of a document: what was asked, what else holds, which boards were tried, what words mean.

use super::frame::{Frame, link, links, part, wide};
use super::prose::{emphasised, list, prose};
use super::table::{First, table};
use crate::report::page::{self, ALSO_HOLDS, Asked, Outcome, Page, by_answer};
use crate::report::text::GONE;
use maud::{Markup, html};

/// The page.
pub(super) fn html(page: &Page) -> Markup {
    let main = html! {
        h1 { "What was checked of " (page.title) }
        (part(page))
        (asked(&page.asked))
        (unasked(page))
        (explored(page))
        @if !page.gone.is_empty() {
            section #gone { h2 { (GONE) } (list(&page.gone)) }
        }
        (legend(page))
    };
    let title = format!("What was checked of {}", page.title);
    Frame::below(&title, page, "What was checked").around(&main)
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
    let row = |(one, others): (&Asked, &[&Asked])| {
        let who =
            html! { @match &one.clause { Some(clause) => (link(clause)), None => "the author" } };
        let what = html! {
            (prose(&one.with(others)))
            @if let Some(formula) = &one.formally { " " span.aside { "Formally: " code { (formula) } } }
        };
        vec![who, what, answer(one)]
    };
    let rows: Vec<Vec<Markup>> = by_answer(&all.iter().collect::<Vec<_>>())
        .map(row)
        .collect();
    let heads = ["Who asks", "What", "Answer"];
    html! {
        section #asked {
            h2 { "What was asked" }
            (table("What was asked", &heads, First::Cell, &rows))
            @for one in all {
                @if let Some(shown) = &one.shown {
                    p { strong { (prose(&shown.what)) } ", as on this board:" }
                    (wide(
                        &format!("The board and the run: {}", shown.what),
                        &html! { pre { (shown.run.trim_matches('\n')) } },
                    ))
                }
            }
        }
    }
}

fn unasked(page: &Page) -> Markup {
    html! {
        @if !page.unasked.is_empty() {
            section #unasked {
                h2 { "What else holds" }
                p { (ALSO_HOLDS) }
                @for group in &page.unasked {
                    details {
                        summary { (group.title) ": " (group.number) }
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
                    p #conditions {
                        "Of the legal boards of these sizes, only those were tried for which all of these are true; \
                         boards that the file writes down, or that the prover suggested, need not meet them:"
                    }
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
                    li { "Unless the file writes a board down, what is not shown of it is as all boards of the scopes have it: " (prose(&page.in_common.join("; "))) "." }
                }
            }
        }
    }
}
