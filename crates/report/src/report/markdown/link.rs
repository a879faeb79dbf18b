//! Links, what they lead to, and headings.

use super::super::page::Link;
use super::escape::{self, inline};

/// An anchor of the page.
pub(super) fn anchor(name: &str) -> String {
    format!("<a id=\"{name}\"></a>")
}

pub(super) fn link(link: &Link) -> String {
    format!("[{}](#{})", escape::plain(&link.text), link.anchor)
}

pub(super) fn links(all: &[Link]) -> String {
    all.iter().map(link).collect::<Vec<_>>().join(", ")
}

pub(super) fn title(level: usize, name: &str, text: &str) -> String {
    format!("{} {}{}\n\n", "#".repeat(level), anchor(name), inline(text))
}
