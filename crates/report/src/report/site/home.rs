//! The first page of a site: all documents, with the most serious problems of each.

use super::findings::name;
use super::frame::{Frame, finding_page, wide};
use super::prose::prose;
use crate::report::page::Page;
use crate::report::part::left_out;
use maud::{Markup, html};

/// What the first page says of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its folder.
    folder: String,
    /// What it is called.
    title: String,
    /// The titles of what it formalises.
    documents: Vec<String>,
    /// That the check looked at a part only, if it did.
    part: Option<String>,
    /// What is said if nothing is more than a note.
    clean: String,
    /// How far the clauses got.
    coverage: String,
    /// How many findings there are: those that are more than notes, and notes.
    numbers: [usize; 2],
    /// How many questions are open.
    open: usize,
    /// The most serious problems.
    gravest: Vec<Grave>,
}

/// A problem in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Grave {
    page: String,
    title: String,
    text: String,
    why: &'static str,
}

impl Entry {
    pub(super) fn of(page: &Page, folder: &str) -> Self {
        let notes = page.told().filter(|one| one.traits.severity == "note");
        let notes = notes.count();
        let gravest = page.named(&page.gravest).map(|told| Grave {
            page: finding_page(&told.anchor),
            title: name(told),
            text: told.in_short(),
            why: told.why,
        });
        Self {
            folder: folder.to_owned(),
            title: page.title.clone(),
            documents: page.documents.clone(),
            part: left_out(&page.restrictions, page.only_claims),
            clean: page.clean().1,
            coverage: page.coverage.clone().unwrap_or_default(),
            numbers: [page.told().count() - notes, notes],
            open: page.tally.unknown,
            gravest: gravest.collect(),
        }
    }

    fn target(&self) -> String {
        format!("{}/index.html", self.folder)
    }

    /// What documents are ordered by: those with more problems first.
    fn weight(&self) -> impl Ord + use<> {
        let [problems, _] = self.numbers;
        (std::cmp::Reverse(problems), self.folder.clone())
    }
}

/// The page.
pub(super) fn html(entries: &[Entry]) -> Markup {
    let mut entries: Vec<&Entry> = entries.iter().collect();
    entries.sort_by_key(|entry| entry.weight());
    let main = html! {
        h1 { "What is wrong with the rules" }
        p {
            "Endstep plays what rules say on the boards that each page names, in every \
             order, and shows where a rules document contradicts itself, says nothing, can be read in two \
             ways that play differently, or never ends. What the documents say is told in the words of the specifications."
        }
        (wide("Documents", &overview(&entries)))
        @for entry in &entries { (document(entry)) }
    };
    let frame = Frame {
        title: "What is wrong with the rules",
        way: Vec::new(),
        here: "All documents",
        up: "",
    };
    frame.around(&main)
}

fn overview(entries: &[&Entry]) -> Markup {
    let any_open = entries.iter().any(|entry| entry.open > 0);
    html! {
        table {
            thead { tr {
                th scope="col" { "Document" }
                th scope="col" { "Problems" }
                th scope="col" { "Worth knowing" }
                @if any_open { th scope="col" { "Not decided" } }
            } }
            tbody {
                @for entry in entries {
                    tr {
                        th scope="row" { a href=(entry.target()) { (entry.title) } }
                        @for number in entry.numbers { td.number { (number) } }
                        @if any_open { td.number { (entry.open) } }
                    }
                }
            }
        }
    }
}

fn document(entry: &Entry) -> Markup {
    html! {
        section id=(entry.folder) {
            h2 { a href=(entry.target()) { (entry.title) } }
            @if !entry.documents.is_empty() { p.aside { (entry.documents.join(", ")) } }
            @if let Some(sentence) = &entry.part { p.part { (prose(sentence)) } }
            @if !entry.coverage.is_empty() { p { (entry.coverage) "." } }
            @if entry.gravest.is_empty() {
                p { (entry.clean) }
            } @else {
                p { "The most serious problems:" }
                ol.grave {
                    @for one in &entry.gravest {
                        li {
                            p.name { a href=(format!("{}/{}", entry.folder, one.page)) { (one.title) } }
                            p { (prose(&one.text)) " " (one.why) }
                        }
                    }
                }
            }
            p { a href=(entry.target()) { "All about " (entry.title) } }
        }
    }
}
