//! A document clause by clause: what each says and how it is formalised, and beside it what was found.

use super::checked::answer;
use super::findings;
use super::frame::{Frame, link, links, part, wide};
use super::prose::prose;
use crate::report::page::{Asked, Chapter, FindingText, Matters, Page, Passage, Section, Ways};
use endstep_tools::coverage::ClauseState;
use maud::{Markup, html};

/// The page.
pub(super) fn html(page: &Page) -> Markup {
    let several = page.chapters.len() > 1;
    let main = html! {
        h1 { (page.title) ", clause by clause" }
        p.aside { "What the document says is told in the words of the specification." }
        (part(page))
        @if several {
            nav.contents aria-label="Documents" {
                ul {
                    @for (at, chapter) in page.chapters.iter().enumerate() {
                        li { a href=(format!("#document-{}", at + 1)) { (chapter.title) } }
                    }
                }
            }
        }
        @for (at, one) in page.chapters.iter().enumerate() { (chapter(page, one, at)) }
        (outside(page))
    };
    let title = format!("{}, clause by clause", page.title);
    Frame::below(&title, page, "Clause by clause").around(&main)
}

/// A document.
fn chapter(page: &Page, chapter: &Chapter, at: usize) -> Markup {
    html! {
        section.chapter id=(format!("document-{}", at + 1)) {
            h2 { (chapter.title) }
            @for one in &chapter.sections { (section(page, one)) }
        }
    }
}

/// What stands at no clause.
fn outside(page: &Page) -> Markup {
    html! {
        @if !page.outside.is_empty() || !page.ways_outside.is_empty() {
            section #outside {
                h2 { "Outside of any clause" }
                (ways(&page.ways_outside))
                ul.beside-list { @for told in &page.outside { (findings::beside(told)) } }
            }
        }
    }
}

/// What a clause says, and where it stands.
pub(super) fn passage(passage: &Passage) -> Markup {
    html! {
        figure.passage {
            blockquote {
                @if passage.says.is_empty() { p { "(no paraphrase)" } } @else { p { (passage.says) } }
            }
            figcaption {
                (link(&passage.link))
                @if !passage.locator.is_empty() { ", " (passage.locator) }
                ", in the words of the specification"
            }
        }
    }
}

fn section(page: &Page, section: &Section) -> Markup {
    let is_empty = section.told.is_empty() && section.elsewhere.is_empty();
    html! {
        section.clause id=(section.anchor) {
            h3 {
                @if section.locator.is_empty() { code { (section.id) } }
                @else { (section.locator) " " code { (section.id) } }
            }
            div.both[!is_empty] {
                div.text {
                    @if !section.says.is_empty() { blockquote { p { (section.says) } } }
                    (standing(section))
                    (ways(&section.ways))
                    (asked(&section.asked, &section.told))
                    (formal(section))
                }
                @if !is_empty {
                    div.found {
                        h4 { "Found here" }
                        ul.beside-list {
                            @for told in &section.told { (findings::beside(told)) }
                            @for link in &section.elsewhere { (findings::elsewhere(page, link)) }
                        }
                    }
                }
            }
        }
    }
}

/// How far a clause got.
fn standing(section: &Section) -> Markup {
    html! {
        p.state {
            @if section.state == ClauseState::Missing { strong { (section.got()) } } @else { (section.got()) }
            @if let Some(reason) = &section.reason { ": " (reason.trim_end_matches('.')) }
            @if section.is_faultless() { "; nothing was found here" }
            "."
            @if !section.yields_to.is_empty() { " It yields to " (links(&section.yields_to)) "." }
        }
    }
}

fn formal(section: &Section) -> Markup {
    html! {
        @if !section.formal.lines.is_empty() {
            details.formal {
                summary { "How it is formalised (" (section.formal.place) ")" }
                (wide(
                    &format!("The lines of {}", section.id),
                    &html! { pre { code { (section.formal.lines.join("\n")) } } },
                ))
                @if !section.formal.cited.is_empty() {
                    p { "On it rest also: " (prose(&section.formal.cited.join(", "))) "." }
                }
            }
        }
    }
}

/// Readings with their alternatives.
fn ways(all: &[Ways]) -> Markup {
    html! {
        @if !all.is_empty() {
            ul.ways {
                @for ways in all {
                    li {
                        strong { (ways.name) } " can be read in " (ways.alternatives.len()) " ways; "
                        (matters(&ways.matters))
                        ul { @for one in &ways.alternatives { li { (prose(one)) } } }
                    }
                }
            }
        }
    }
}

/// Whether it matters how something is read, with what shows it.
pub(super) fn matters(matters: &Matters) -> Markup {
    let one = |link| std::slice::from_ref(link);
    html! {
        (prose(&matters.words()))
        @match matters {
            Matters::Yes(findings) => { ", see " (links(findings)) }
            Matters::Unused(finding) => { ", see " (links(one(finding))) }
            _ => {}
        }
    }
}

/// What was asked at a clause and is told by none of its findings.
fn asked(all: &[Asked], told: &[FindingText]) -> Markup {
    let is_told = |one: &&Asked| {
        let mut findings = one.findings.iter();
        findings.any(|link| told.iter().any(|told| told.anchor == link.anchor))
    };
    let open: Vec<&Asked> = all.iter().filter(|one| !is_told(one)).collect();
    html! {
        @if !open.is_empty() {
            p { "Asked here:" }
            ul { @for one in open { li { (prose(&one.question)) ": " (answer(one)) } } }
        }
    }
}
