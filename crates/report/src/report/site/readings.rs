//! The readings matrix as HTML.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::clause::matters;
use super::frame::{Frame, link, links, part, target, wide};
use super::prose::prose;
use super::table::{First, table};
use crate::report::page::{Effect, Matters, Page, Row, Versions};
use crate::report::words::capital;

/// The page.
pub(super) fn html(page: &Page) -> Markup {
    let versions = &page.versions;
    let main = html! {
        h1 { "Readings of " (page.title) }
        (part(page))
        @if versions.rows.is_empty() {
            p { "No sentence of the specification has several readings." }
        } @else {
            p {
                "A sentence that can be understood in several ways has several readings. For each two that \
                 were compared and play differently stands here in what they differ, and the smallest board found that shows it."
            }
            h2 #apart { "What each reading changes" }
            @for effect in EFFECTS {
                (differing(versions, effect))
            }
            (alike(versions))
            h2 #claims { "What becomes of claims and questions" }
            (answers(versions))
            p { a href="readings.json" { "The same as JSON" } }
        }
    };
    let title = format!("Readings of {}", page.title);
    Frame::below(&title, page, "Readings").around(&main)
}

/// In what two can differ, in the order of the page.
const EFFECTS: [Effect; 4] = [
    Effect::Results,
    Effect::Power,
    Effect::Silence,
    Effect::Silences,
];

/// The pairs of readings that differ in this.
fn differing(versions: &Versions, effect: Effect) -> Markup {
    let rows = versions.rows.iter();
    let pairs: Vec<_> = rows
        .flat_map(|row| row.apart.iter().map(move |apart| (row, apart)))
        .filter(|(_, apart)| apart.effect == effect)
        .collect();
    let means = match effect {
        Effect::Results => "The game comes out differently.",
        Effect::Power => {
            "The game can come out in the same ways, but under one of the two somebody can bring about or \
             prevent one of them, and not under the other."
        }
        Effect::Silence => {
            "On the board that is shown the document says nothing more under one of the two, and under the \
             other the game goes on."
        }
        Effect::Silences => {
            "In the runs that are shown the document says nothing more under either of the two, but it does not \
             fall silent in the same place, or not after the same things."
        }
    };
    let heading = &capital(effect.words());
    let cells = pairs.iter().map(|(row, apart)| {
        let name = html! { (row.name) (at(row)) };
        let pair = apart.pair.iter().map(|name| alternative(row, name));
        let board = html! { a href=(target(&apart.finding.anchor)) { (apart.board) } };
        std::iter::once(name).chain(pair).chain([board]).collect()
    });
    let cells: Vec<Vec<Markup>> = cells.collect();
    let heads = ["Reading", "The one", "The other", "Shown on"];
    html! {
        @if !pairs.is_empty() {
            h3 { (heading) ": " (pairs.len()) }
            p { (means) }
            (table(heading, &heads, First::Names, &cells))
        }
    }
}

/// The clause at which a reading stands.
fn at(row: &Row) -> Markup {
    html! { @if let Some(clause) = &row.clause { " (" (link(clause)) ")" } }
}

fn alternative(row: &Row, name: &str) -> Markup {
    let found = row.alternatives.iter().find(|(one, _)| one == name);
    html! { (prose(found.map_or(name, |(_, words)| words))) }
}

/// The readings of which no two differ.
fn alike(versions: &Versions) -> Markup {
    let rows = versions.rows.iter().filter(|row| row.apart.is_empty());
    let is_alike = |row: &&Row| matches!(row.matters, Matters::No(_) | Matters::Unused(_));
    let (alike, others): (Vec<&Row>, Vec<&Row>) = rows.partition(is_alike);
    let told = [
        ("No difference from any board in scope", alike),
        ("Not told here", others),
    ];
    html! {
        @for (heading, rows) in &told {
            @if !rows.is_empty() {
                h3 { (heading) ": " (rows.len()) }
                ul { @for row in rows { li { (row.name) (at(row)) ": " (matters(&row.matters)) } } }
            }
        }
    }
}

/// What the answers to claims and questions depend on.
fn answers(versions: &Versions) -> Markup {
    let telling = |row: &&Row| row.answers.iter().any(|one| !one.is_empty());
    let rows: Vec<&Row> = versions.rows.iter().filter(telling).collect();
    let table = html! {
        table.matrix {
            thead { tr {
                th scope="col" { "Reading" }
                @for column in &versions.columns {
                    th scope="col" { (column.name) " (" (links(&column.findings)) ")" }
                }
            } }
            tbody {
                @for row in &rows {
                    tr {
                        th scope="row" { (row.name) (at(row)) }
                        @for answer in &row.answers {
                            td { @if answer.is_empty() { span.aside { "no difference" } } @else { (answer) } }
                        }
                    }
                }
            }
        }
    };
    html! {
        @if versions.columns.is_empty() {
            p { "Of no claim or question it is shown here that it can fail under some readings and not under others." }
        } @else {
            p { "“Can fail” means that some run from some board that was tried breaks it." }
            (wide("Readings and claims", &table))
            p { "When each of them can fail:" }
            dl { @for column in &versions.columns { dt { (column.name) } dd { (column.under) } } }
        }
        @if !versions.shown.is_empty() {
            p {
                "Each of these can happen, as a run under the readings beside it shows; whether it can happen under \
                 others was not asked:"
            }
            dl { @for (name, under) in &versions.shown { dt { (name) } dd { (under) } } }
        }
        @if !versions.valued.is_empty() {
            p { "Each of these comes to its largest or smallest value only if the text is read like this (“found”: perhaps under other readings, too):" }
            dl { @for (name, under) in &versions.valued { dt { (name) } dd { (under) } } }
        }
        @if !versions.steady.is_empty() && !versions.columns.is_empty() {
            p { "Under every reading that leaves a board to look at, the answers to these are the same: " (versions.steady.join(", ")) "." }
        }
    }
}

/// The same for programs; `docs/json.md` describes it.
pub(super) fn json(page: &Page) -> Value {
    let versions = &page.versions;
    let id = |anchor: &str| anchor.trim_start_matches("finding-").to_owned();
    let row = |row: &Row| {
        let alternatives = row.alternatives.iter();
        let alternatives = alternatives.map(|(name, text)| json!({ "name": name, "text": text }));
        let apart = row.apart.iter().map(|apart| {
            json!({
                "pair": apart.pair,
                "effect": apart.effect.words(),
                "board": apart.board,
                "finding": id(&apart.finding.anchor),
            })
        });
        let answers = versions.columns.iter().zip(&row.answers);
        let answers = answers.filter(|(_, answer)| !answer.is_empty());
        let answers =
            answers.map(|(column, answer)| json!({ "claim": column.name, "text": answer }));
        json!({
            "name": row.name,
            "clause": row.clause.as_ref().map(|clause| clause.text.as_str()),
            "alternatives": alternatives.collect::<Vec<_>>(),
            "matters": row.matters.words(),
            "apart": apart.collect::<Vec<_>>(),
            "claims": answers.collect::<Vec<_>>(),
        })
    };
    let columns = versions.columns.iter().map(|column| {
        let findings = column.findings.iter().map(|link| id(&link.anchor));
        json!({
            "name": column.name,
            "under": column.under,
            "findings": findings.collect::<Vec<_>>(),
        })
    });
    let shown = versions.shown.iter();
    let shown = shown.map(|(name, under)| json!({ "name": name, "under": under }));
    let valued = versions.valued.iter();
    let valued = valued.map(|(name, under)| json!({ "name": name, "under": under }));
    json!({
        "version": 1,
        "restrictions": page.restrictions,
        "readings": versions.rows.iter().map(row).collect::<Vec<_>>(),
        "claims": columns.collect::<Vec<_>>(),
        "independent": versions.steady,
        "shown": shown.collect::<Vec<_>>(),
        "values": valued.collect::<Vec<_>>(),
    })
}
