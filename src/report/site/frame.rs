//! What all pages have: a head, a way back, and where links lead.

use crate::report::page::Link;
use maud::{DOCTYPE, Markup, html};

/// The name of the style sheet.
pub(super) const STYLE: &str = "endstep.css";

/// The name of the script.
pub(super) const SCRIPT: &str = "endstep.js";

/// A page around its content.
pub(super) struct Frame<'a> {
    /// What stands in the title bar.
    pub title: &'a str,
    /// The way from the first page of the site to this one: what each is called, and where it is, seen
    /// from here. The page itself is left out.
    pub way: &'a [(&'a str, &'a str)],
    /// What this page is called on that way.
    pub here: &'a str,
    /// The way up to the folder of the site: `../`, or nothing.
    pub up: &'a str,
}

impl Frame<'_> {
    /// The page.
    pub(super) fn around(&self, main: &Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
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
                                @for (name, target) in self.way {
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

/// The page of a finding.
pub(super) fn finding_page(anchor: &str) -> String {
    format!("{anchor}.html")
}

/// Where a link leads, from a page of the same document.
pub(super) fn target(link: &Link) -> String {
    match link.anchor.starts_with("finding-") {
        true => finding_page(&link.anchor),
        false => format!("index.html#{}", link.anchor),
    }
}

/// A link to a page or a place of the same document.
pub(super) fn link(link: &Link) -> Markup {
    html! { a href=(target(link)) { (link.text) } }
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
