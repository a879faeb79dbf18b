//! The readings matrix as Markdown.

use super::escape::{block, cell, inline, raw_row, rule};
use super::link::{link, links, title};
use crate::report::page::{Apart, Row, Versions};

/// What each reading changes, and when claims and questions can fail; nothing if no two readings differ.
pub(super) fn readings(versions: &Versions) -> String {
    let rows = versions.rows.iter();
    let pairs = rows.flat_map(|row| row.apart.iter().map(move |apart| (row, apart)));
    let pairs: Vec<String> = pairs.map(|(row, apart)| pair(row, apart)).collect();
    if pairs.is_empty() && versions.columns.is_empty() {
        return String::new();
    }
    let mut out = title(2, "readings", "What readings change");
    if !pairs.is_empty() {
        out.push_str("| Reading | The one | The other | In what they differ | Shown on |\n");
        out.push_str(&rule(5));
        out.extend(pairs);
        out.push('\n');
    }
    if !versions.columns.is_empty() {
        out.push_str("Claims and questions that depend on a reading, and when they can fail:\n\n");
        let columns = versions.columns.iter();
        out.extend(columns.map(|one| {
            let (name, under) = (inline(&one.name), block(&one.under));
            format!("- **{name}** ({}): {under}\n", links(&one.findings))
        }));
        out.push('\n');
    }
    out
}

fn pair(row: &Row, apart: &Apart) -> String {
    let at = row.clause.as_ref();
    let at = at.map_or_else(String::new, |clause| format!(" ({})", link(clause)));
    let [first, second] = apart.pair.each_ref().map(|name| {
        let found = row.alternatives.iter().find(|(one, _)| one == name);
        cell(found.map_or(name, |(_, words)| words))
    });
    raw_row(&[
        format!("{}{at}", cell(&row.name)),
        first,
        second,
        apart.effect.words().to_owned(),
        format!("{}, {}", cell(&apart.board), link(&apart.finding)),
    ])
}
