//! Findings as a list that can be filtered, and the words and marks that go with each.

use super::frame::{finding_page, link};
use super::prose::{first_sentence, prose};
use crate::report::headline::REFUTED_BY_ALL;
use crate::report::page::{FindingText, Link, Page};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// `A rule cannot be followed: cleanup: turn`
pub(super) fn name(told: &FindingText) -> String {
    format!("{}: {}", told.title, told.label)
}

/// The marks of a finding: how well it is known, on what it rests; how bad it is, if it is no warning.
pub(super) fn marks(told: &FindingText) -> Markup {
    let traits = &told.traits;
    html! {
        ul.marks aria-label="Marks" {
            @if is_told(told) { li.severity.(traits.severity) { (traits.severity) } }
            li { (known(traits.verdict)) }
            li { (rests(traits.basis)) }
            li.code { (told.code) }
        }
    }
}

/// Whether it is said how bad a finding is: most are warnings.
fn is_told(told: &FindingText) -> bool {
    told.traits.severity != "warning"
}

fn badge(told: &FindingText) -> Markup {
    html! {
        @if is_told(told) { " " span.severity.(told.traits.severity) { (told.traits.severity) } }
    }
}

/// How well something is known, in a few words.
fn known(verdict: &'static str) -> &'static str {
    match verdict {
        "shown" => "happens on the board shown",
        "refuted" => "fails on the board shown",
        REFUTED_BY_ALL => "fails, and no single run shows it",
        "holds in scope" => "so on every board tried",
        "by inspection" => "seen in the text",
        other => other,
    }
}

/// On what something rests, in a few words.
fn rests(basis: &'static str) -> &'static str {
    match basis {
        "text" => "from the text alone",
        "external" => "with what another source says",
        "gap" => "with a gap filled in",
        "invented" => "with cards or boards that were made up",
        other => other,
    }
}

/// Who says so, in a few words.
fn says(origin: &'static str) -> &'static str {
    match origin {
        "discovered" => "nobody asked",
        "declared" => "claimed or asked",
        other => other,
    }
}

/// A finding in a few lines, with a link to its page.
pub(super) fn item(told: &FindingText) -> Markup {
    let traits = &told.traits;
    let clauses: Vec<&str> = told
        .passages
        .iter()
        .map(|one| one.link.anchor.as_str())
        .collect();
    html! {
        li.finding id=(told.anchor) data-finding data-kind=(told.code) data-severity=(traits.severity)
            data-basis=(traits.basis) data-origin=(traits.origin) data-clause=(clauses.join(" ")) {
            p.name { a href=(finding_page(&told.anchor)) { (name(told)) } }
            (marks(told))
            p.short { (prose(first_sentence(&told.paragraph))) }
            @for sentence in &told.qualifiers { p.aside { (prose(sentence)) } }
            @if told.follows { p.aside { "The same cause: " (told.same.first().map(link).unwrap_or_default()) } }
            @if !told.passages.is_empty() {
                p.aside {
                    "Clauses: "
                    @for (at, one) in told.passages.iter().enumerate() {
                        @if at > 0 { ", " }
                        (link(&one.link))
                    }
                }
            }
        }
    }
}

/// A finding at the clause where it stands.
pub(super) fn beside(told: &FindingText) -> Markup {
    html! {
        li { a href=(finding_page(&told.anchor)) { (name(told)) } (badge(told)) }
    }
}

/// A finding that stands at another clause, too.
pub(super) fn elsewhere(page: &Page, link: &Link) -> Markup {
    html! {
        @for told in page.named(std::slice::from_ref(&link.anchor)) {
            li {
                a href=(finding_page(&told.anchor)) { (name(told)) } (badge(told)) " "
                span.aside { "with another clause" }
            }
        }
    }
}

/// The filters, and the list that they act on.
pub(super) fn list(page: &Page) -> Markup {
    let all: Vec<&FindingText> = page.named(&page.ranked).collect();
    let number = all.len();
    html! {
        section #findings aria-labelledby="findings-title" {
            h2 #findings-title { "All that was found" }
            @if all.is_empty() {
                p { "Nothing." }
            } @else {
                p { "The most serious first. Each has a page of its own." }
                (filters(&all))
                p #count aria-live="polite" { (number) " of " (number) " shown" }
                ol.findings { @for told in &all { (item(told)) } }
            }
        }
    }
}

/// What can be chosen in a filter: what a finding has, and what it is called.
type Choices = BTreeMap<String, String>;

fn filters(all: &[&FindingText]) -> Markup {
    let mut kinds = Choices::new();
    let mut severities = Choices::new();
    let (mut bases, mut origins, mut clauses) = (Choices::new(), Choices::new(), Vec::new());
    for told in all {
        let of = |word: &str, text: &str| (word.to_owned(), text.to_owned());
        kinds.insert(
            told.code.to_owned(),
            format!("{} ({})", told.title, told.code),
        );
        let traits = &told.traits;
        severities.extend([of(traits.severity, traits.severity)]);
        bases.extend([of(traits.basis, rests(traits.basis))]);
        origins.extend([of(traits.origin, says(traits.origin))]);
        let links = told
            .passages
            .iter()
            .map(|one| (one.link.anchor.clone(), one.link.text.clone()));
        clauses.extend(links);
    }
    clauses.sort();
    clauses.dedup();
    let clauses: Choices = clauses.into_iter().collect();
    html! {
        // A script shows it; without one it would do nothing.
        details.filtering hidden {
            summary { "Show only some of it" }
            form.filters #filters {
                (filter("kind", "Kind", &kinds))
                (filter("severity", "How bad", &severities))
                (filter("basis", "On what it rests", &bases))
                (filter("origin", "Who asked", &origins))
                (filter("clause", "Clause", &clauses))
                button type="reset" { "Show all" }
            }
        }
    }
}

fn filter(name: &str, label: &str, choices: &Choices) -> Markup {
    let id = format!("filter-{name}");
    html! {
        p.field {
            label for=(id) { (label) }
            select id=(id) name=(name) {
                option value="" { "all" }
                @for (value, text) in choices { option value=(value) { (text) } }
            }
        }
    }
}
