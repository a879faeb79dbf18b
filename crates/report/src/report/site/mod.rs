//! A site about specifications, for rules editors: HTML pages that need no network and no server.
//!
//! ```text
//! index.html                   all documents, the most serious problems first
//! endstep.css, endstep.js      how pages look; filters
//! GAME/index.html              a document: the most serious problems, all that was found
//! GAME/clauses.html            clause by clause: what it says, how it is formalised, what was found
//! GAME/checked.html            what was asked, what else holds, which boards were tried
//! GAME/finding-1a2b3c4d.html   a finding: why it matters, the board, what happens on it
//! GAME/readings.html           what each reading changes
//! GAME/orders.html             which orders matter, and how that is known
//! GAME/graphs.html             what depends on what, with a picture each beside it
//! GAME/report.md, report.json, orders.json, readings.json    the same for other uses
//! ```
//!
//! Pages are made from what Markdown is made from, [`Page`], so what is said is worded once.
//!
//! *Guarantees*: the same results give the same bytes. Whatever a specification says is shown as text:
//! `maud` escapes it, and nothing here writes HTML by hand. Without scripts everything is shown; the
//! filters are then hidden. Every link between pages leads to something that is there.
//!
//! *Limits*: pictures show what fits, and say what they leave out; the table below each has all.

mod checked;
mod clause;
mod document;
mod film;
mod finding;
mod findings;
mod frame;
mod graphs;
mod home;
mod orders;
mod prose;
mod readings;
mod scene;
mod table;
mod timeline;

use serde_json::Value;

use super::Sheet;
use super::markdown::page_markdown;
use super::matrix::OrderSheet;
use super::matrix_json::order_json;
use super::page::Page;

pub use graphs::Graph;
pub use home::Entry;

/// How pages look, on screens and on paper.
const STYLE: &str = concat!(
    include_str!("endstep.css"),
    include_str!("board.css"),
    include_str!("player.css"),
    include_str!("paper.css")
);

/// The filters, and the player of a finding.
const SCRIPT: &str = concat!(include_str!("endstep.js"), include_str!("player.js"));

/// A file of a site: its path, with slashes, and what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFile {
    /// The path within the site.
    pub path: String,
    /// The text.
    pub text: String,
}

/// All that a site shows of one specification.
#[derive(Debug, Clone, Copy)]
pub struct Exposition<'a> {
    /// What was found.
    pub sheet: Sheet<'a>,
    /// The same for programs, as `check --format json` writes it.
    pub report: &'a Value,
    /// The orders in question.
    pub orders: OrderSheet<'a>,
    /// The graphs.
    pub graphs: &'a [Graph<'a>],
    /// The name of its folder, of letters that need no escapes in an address.
    pub folder: &'a str,
}

/// The pages about a specification, and what the first page of the site says of it.
pub fn site_pages(about: Exposition<'_>) -> (Vec<SiteFile>, Entry) {
    let page = Page::of(about.sheet);
    let mut files = vec![
        file(about, "index.html", document::html(&page).into_string()),
        file(about, frame::CLAUSES, clause::html(&page).into_string()),
        file(about, frame::CHECKED, checked::html(&page).into_string()),
        file(about, "readings.html", readings::html(&page).into_string()),
        file(
            about,
            "orders.html",
            orders::html(&page, about.orders).into_string(),
        ),
        file(
            about,
            "graphs.html",
            graphs::html(&page, about.graphs).into_string(),
        ),
    ];
    for graph in about.graphs {
        let name = graphs::picture(graph.name);
        files.push(file(about, &name, graph.diagram.drawn().svg()));
    }
    let ranked: Vec<_> = page.named(&page.ranked).collect();
    for (at, told) in ranked.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| ranked.get(at)).copied();
        let beside = (before, ranked.get(at + 1).copied());
        let html = finding::html(&page, told, beside);
        files.push(file(
            about,
            &frame::finding_page(&told.anchor),
            html.into_string(),
        ));
    }
    let markdown = page_markdown(about.sheet);
    files.push(file(about, "report.md", markdown));
    files.push(file(about, "report.json", format!("{}\n", about.report)));
    files.push(file(
        about,
        "orders.json",
        pretty(&order_json(about.orders)),
    ));
    files.push(file(about, "readings.json", pretty(&readings::json(&page))));
    let entry = Entry::of(&page, about.folder);
    (files, entry)
}

/// What all pages of a site share, and its first page.
pub fn site_index(entries: &[Entry]) -> Vec<SiteFile> {
    let shared = |path: &str, text: &str| SiteFile {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    vec![
        shared("index.html", &home::html(entries).into_string()),
        shared(frame::STYLE, STYLE),
        shared(frame::SCRIPT, SCRIPT),
    ]
}

fn file(about: Exposition<'_>, name: &str, text: String) -> SiteFile {
    SiteFile {
        path: format!("{}/{name}", about.folder),
        text,
    }
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
