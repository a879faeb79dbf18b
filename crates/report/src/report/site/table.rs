//! Tables as HTML, each of which can be moved sideways where it does not fit.

use super::frame::wide;
use super::prose::prose;
use maud::{Markup, html};

/// What the first cell of a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    /// What the row is about.
    Names,
    /// A cell as the others.
    Cell,
}

/// Rows under their headings; `name` tells those who cannot see it what the table is.
pub(super) fn table(name: &str, heads: &[&str], first: First, rows: &[Vec<Markup>]) -> Markup {
    let inside = html! {
        table {
            thead { tr { @for text in heads { (head(text)) } } }
            tbody {
                @for row in rows {
                    tr {
                        @for (at, cell) in row.iter().enumerate() {
                            @if at == 0 && first == First::Names {
                                th scope="row" { (cell) }
                            } @else { td { (cell) } }
                        }
                    }
                }
            }
        }
    };
    wide(name, &inside)
}

/// Rows of text, of which the first has the headings; the first cell of each other names it.
pub(super) fn of_text(rows: &[Vec<String>], name: &str) -> Markup {
    let (heading, body) = match rows.split_first() {
        Some((heading, body)) => (heading.as_slice(), body),
        None => (&[][..], &[][..]),
    };
    let heads: Vec<&str> = heading.iter().map(String::as_str).collect();
    let cells = |row: &Vec<String>| row.iter().map(|cell| prose(cell)).collect();
    let rows: Vec<Vec<Markup>> = body.iter().map(cells).collect();
    table(name, &heads, First::Names, &rows)
}

/// A heading; over what names rows there may be none.
fn head(text: &str) -> Markup {
    html! { @if text.is_empty() { td {} } @else { th scope="col" { (text) } } }
}
