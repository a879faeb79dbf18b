//! The page of a finding.

use super::clause::passage;
use super::findings::{marks, name};
use super::frame::{Frame, finding_page, link, links};
use super::prose::prose;
use super::scene::{scene, tables};
use super::table::of_text;
use super::timeline::runs;
use crate::report::exhibit::{DIFFERENCES, Exhibit};
use crate::report::page::{Evidence, FindingText, Page, meaning};
use crate::report::words::plain;
use maud::{Markup, html};

/// The findings before and after one, by how serious they are.
type Beside<'a> = (Option<&'a FindingText>, Option<&'a FindingText>);

/// The page.
pub(super) fn html(page: &Page, told: &FindingText, beside: Beside<'_>) -> Markup {
    let main = html! {
        h1 { (name(told)) }
        (marks(told))
        p.lead { (prose(&told.paragraph)) }
        h2 #why { "Why it matters" }
        p { (told.why) }
        (clauses(told))
        @match &told.evidence {
            Evidence::Text => {}
            Evidence::Exhibit(shown) => (exhibit(told, shown)),
            Evidence::SameAs(other, shown) => {
                p { "The board and the runs are those of " (link(other)) "." }
                (exhibit(told, shown))
            }
        }
        (facts(told))
        (again(told))
        (neighbours(beside))
    };
    let title = format!("{} ({})", name(told), page.title);
    Frame::below(&title, page, &name(told)).around(&main)
}

fn clauses(told: &FindingText) -> Markup {
    html! {
        h2 #clauses { "Which clauses" }
        @if told.passages.is_empty() { p { "It stands outside of any clause." } }
        @for one in &told.passages { (passage(one)) }
    }
}

fn exhibit(told: &FindingText, exhibit: &Exhibit) -> Markup {
    let happens = match exhibit.runs.as_slice() {
        [only] => plain(&only.title),
        _ => "What happens, one beside the other".to_owned(),
    };
    html! {
        h2 #board { "The board" }
        (scene(&exhibit.scene, "The board at the beginning"))
        @if !exhibit.readings.is_empty() { p { "Readings: " (plain(&exhibit.readings)) "." } }
        details {
            summary { "Everything on it, as tables" }
            (tables(&exhibit.board))
        }
        @if !exhibit.differences.is_empty() {
            h2 #differences { (DIFFERENCES) }
            (differences(exhibit))
        }
        @if let Some((film, clauses)) = &told.film { (super::film::film(film, clauses)) }
        h2 #runs { (happens) }
        (runs(exhibit))
    }
}

fn differences(exhibit: &Exhibit) -> Markup {
    let [first, second] = exhibit.columns.clone();
    let mut rows = vec![vec![String::new(), first, second]];
    rows.extend(exhibit.differences.iter().map(|row| row.to_vec()));
    of_text(&rows, DIFFERENCES)
}

/// What else is known, and what the marks mean.
fn facts(told: &FindingText) -> Markup {
    let traits = &told.traits;
    let meant = |word: &str| format!("{word}: {}", meaning(word));
    html! {
        h2 #facts { "What else is known" }
        dl.known {
            @for (name, text) in &told.facts { (self::told(name, text)) }
            @if !told.same.is_empty() { dt { "The same cause" } dd { (links(&told.same)) } }
            (fact("How well it is known", &meant(traits.verdict)))
            (fact("Who says so", &meant(traits.origin)))
            (fact("On what it rests", &meant(traits.basis)))
            (fact("How it stands", stands(&traits.status)))
        }
    }
}

/// How a finding stands, for those who did not write down what is expected.
fn stands(status: &str) -> &str {
    match status {
        "known" => "it was found before",
        "new" => "it was not found before",
        other => other,
    }
}

fn fact(name: &str, text: &str) -> Markup {
    html! { dt { (name) } dd { (prose(text)) } }
}

/// A fact under the name that it has here.
fn told(name: &str, text: &str) -> Markup {
    match name {
        "at" => fact("Where it stands", text),
        // It names readings.
        "occurs on" => fact("Occurs on", &plain(text)),
        "which ones" => fact("On which boards", text),
        "size" => fact("Is the board the smallest?", text),
        "larger boards" => fact("On larger boards", text),
        "suggestion" => fact("Suggested repair", text),
        "what was checked" => fact("What was checked", text),
        "formally" => html! { dt { "Formally" } dd { code { (text) } } },
        other => fact(other, text),
    }
}

fn again(told: &FindingText) -> Markup {
    html! {
        h2 #again { "See it again" }
        @match &told.replay {
            Some(command) => { pre.command tabindex="0" role="region" aria-label="The command" { code { (command) } } }
            None if told.traits.verdict == "by inspection" => {
                p { "The text alone shows it, so there is nothing to be played." }
            }
            None if matches!(told.evidence, Evidence::Text) => {
                p { "No single run shows it, so there is none to be played." }
            }
            None => { p { "No command plays it again." } }
        }
        p { code { "endstep explain " (told.code) } " says more about findings of this kind." }
    }
}

fn neighbours((before, after): Beside<'_>) -> Markup {
    html! {
        nav.neighbours aria-label="Other findings" {
            ul {
                @if let Some(told) = before {
                    li { "More serious: " a rel="prev" href=(finding_page(&told.anchor)) { (name(told)) } }
                }
                @if let Some(told) = after {
                    li { "Less serious: " a rel="next" href=(finding_page(&told.anchor)) { (name(told)) } }
                }
            }
        }
    }
}
