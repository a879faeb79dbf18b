//! What all pages have: a head, a way back, and where links lead.

use crate::report::page::{Link, Page};
use maud::{DOCTYPE, Markup, html};

/// The name of the style sheet.
pub(super) const STYLE: &str = "endstep.css";

/// The name of the script.
pub(super) const SCRIPT: &str = "endstep.js";

/// The page of a document that goes through its clauses.
pub(super) const CLAUSES: &str = "clauses.html";

/// The page of a document that says what was checked.
pub(super) const CHECKED: &str = "checked.html";

/// What a page may load: the style, the script and the pictures of its own site, and nothing else.
/// Browsers do not agree whether `'self'` covers pages that are opened as files, so these are named.
const POLICY: &str = "default-src 'none'; style-src 'self' file:; script-src 'self' file:; \
                      img-src 'self' file:; base-uri 'none'; form-action 'none'";

/// What stands on [`CHECKED`].
const ON_CHECKED: [&str; 7] = [
    "asked",
    "conditions",
    "explored",
    "gone",
    "legend",
    "unasked",
    "unknown",
];

/// A page around its content.
pub(super) struct Frame<'a> {
    /// What stands in the title bar.
    pub title: &'a str,
    /// The way from the first page of the site to this one: what each is called, and where it is, seen
    /// from here. The page itself is left out.
    pub way: Vec<(&'a str, &'a str)>,
    /// What this page is called on that way.
    pub here: &'a str,
    /// The way up to the folder of the site: `../`, or nothing.
    pub up: &'a str,
}

impl<'a> Frame<'a> {
    /// Of a page below that of its document.
    pub(super) fn below(title: &'a str, page: &'a Page, here: &'a str) -> Self {
        Self {
            title,
            way: vec![
                ("All documents", "../index.html"),
                (&page.title, "index.html"),
            ],
            here,
            up: "../",
        }
    }

    /// The page.
    pub(super) fn around(&self, main: &Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="generator" content="endstep";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) }
                    link rel="stylesheet" href=(format!("{}{STYLE}", self.up));
                    script src=(format!("{}{SCRIPT}", self.up)) defer {}
                }
                body {
                    a.skip href="#main" { "Skip to the content" }
                    header.top {
                        nav aria-label="Where this page is" {
                            ol.way {
                                @for (name, target) in &self.way {
                                    li { a href=(target) { (name) } }
                                }
                                li aria-current="page" { (self.here) }
                            }
                        }
                    }
                    main #main tabindex="-1" { (main) }
                    footer.bottom {
                        p { "Made by " code { "endstep report" } "." }
                    }
                }
            }
        }
    }
}

/// That a page is about a part only, if it is.
pub(super) fn part(page: &Page) -> Markup {
    html! {
        @if !page.restrictions.is_empty() {
            p.part {
                strong { "This is about a part only: " }
                @for (at, option) in page.restrictions.iter().enumerate() {
                    @if at > 0 { ", " }
                    code { (option) }
                }
                ". " (page.left_out())
            }
        }
    }
}

/// The page of a finding.
pub(super) fn finding_page(anchor: &str) -> String {
    format!("{anchor}.html")
}

/// Where an anchor leads, from a page of the same document.
pub(super) fn target(anchor: &str) -> String {
    if anchor.starts_with("finding-") {
        finding_page(anchor)
    } else if anchor.starts_with("clause-") {
        format!("{CLAUSES}#{anchor}")
    } else if ON_CHECKED.contains(&anchor) {
        format!("{CHECKED}#{anchor}")
    } else {
        format!("index.html#{anchor}")
    }
}

/// A link to a page or a place of the same document.
pub(super) fn link(link: &Link) -> Markup {
    html! { a href=(target(&link.anchor)) { (link.text) } }
}

/// Several, with commas.
pub(super) fn links(all: &[Link]) -> Markup {
    html! {
        @for (at, one) in all.iter().enumerate() {
            @if at > 0 { ", " }
            (link(one))
        }
    }
}

/// Something wide that is moved sideways where it does not fit; `name` tells what it is to those who
/// cannot see it.
pub(super) fn wide(name: &str, inside: &Markup) -> Markup {
    html! { div.wide role="region" tabindex="0" aria-label=(name) { (inside) } }
}
