//! A finding as Markdown.

use super::escape::{block, cell, code, inline, raw_row, rule, table};
use super::link::{anchor, link, links};
use crate::report::board::NOTHING;
use crate::report::exhibit::{ALIKE, DIFFERENCES, Exhibit, Played};
use crate::report::page::{Evidence, FindingText};
use crate::report::trace::Line;

/// A board with more columns than these is cut down to those that are not at their default.
const MOST_COLUMNS: usize = 8;

/// Findings: those that the text shows as items, the others under headings.
pub(super) fn all(told: &[FindingText], level: usize) -> String {
    let mut out = String::new();
    let (text, played): (Vec<&FindingText>, Vec<&FindingText>) = told
        .iter()
        .partition(|one| matches!(one.evidence, Evidence::Text));
    if !text.is_empty() {
        out.push_str("Seen without a board:\n\n");
    }
    for one in &text {
        out.push_str(&item(one));
    }
    if !text.is_empty() {
        out.push('\n');
    }
    for one in played {
        out.push_str(&section(one, level));
    }
    out
}

/// A finding in a few lines.
fn item(told: &FindingText) -> String {
    let mut more = vec![told.standing.clone()];
    let place = told.facts.iter().find(|(name, _)| *name == "at");
    more.extend(place.map(|(_, place)| place.clone()));
    let also = match told.clauses.is_empty() {
        true => String::new(),
        false => format!(" See also {}.", links(&told.clauses)),
    };
    format!(
        "- {}**{}** ({}). {}{also} *({})*\n",
        anchor(&told.anchor),
        inline(&told.title),
        told.code,
        inline(&told.in_short()),
        inline(&more.join("; ")),
    )
}

fn section(told: &FindingText, level: usize) -> String {
    let mut out = format!(
        "{} {}{}: {} ({})\n\n*{}*\n\n{}\n\n",
        "#".repeat(level),
        anchor(&told.anchor),
        inline(&told.title),
        inline(&told.label),
        told.code,
        inline(&told.standing),
        block(&told.paragraph),
    );
    match &told.evidence {
        Evidence::Text => {}
        Evidence::SameAs(other, _) => {
            out.push_str(&format!(
                "The board and the runs are those of {}.\n\n",
                link(other)
            ));
        }
        // A note is no fault; who wants to see it opens it.
        Evidence::Exhibit(exhibit) if told.is_note => {
            let inside = board(exhibit) + &differences(exhibit) + &runs(exhibit);
            out.push_str(&folded("The board, and what happens on it", &inside));
        }
        Evidence::Exhibit(exhibit) => {
            out.push_str(&board(exhibit));
            out.push_str(&differences(exhibit));
            out.push_str(&folded("What happens, step by step", &runs(exhibit)));
        }
    }
    for (name, text) in &told.facts {
        let text = match *name {
            "formally" => code(text),
            _ => inline(text),
        };
        out.push_str(&format!("- {name}: {text}\n"));
    }
    if !told.clauses.is_empty() {
        out.push_str(&format!("- other clauses: {}\n", links(&told.clauses)));
    }
    if let Some(command) = &told.replay {
        out.push_str(&format!("- replay: {}\n", code(command)));
    }
    out.push('\n');
    out
}

/// A part that is shown when it is asked for.
pub(super) fn folded(title: &str, inside: &str) -> String {
    format!(
        "<details>\n<summary>{title}</summary>\n\n{}\n\n</details>\n\n",
        inside.trim_end()
    )
}

fn board(exhibit: &Exhibit) -> String {
    let mut out = String::new();
    let mut lines = Vec::new();
    for members in &exhibit.board.sorts {
        let (mut rows, _) = members.without(&members.as_at_start);
        if rows.first().map_or(0, Vec::len) > MOST_COLUMNS {
            let fields = members.as_at_start.iter().zip(&members.at_default);
            let fields: Vec<bool> = fields.map(|(start, default)| *start || *default).collect();
            rows = members.without(&fields).0;
            let shown = members.as_at_start.iter().zip(&members.at_default);
            let only: Vec<bool> = shown.map(|(start, default)| *default && !*start).collect();
            lines.extend(members.left_out(&members.without(&only).1));
        }
        match rows.as_slice() {
            [_] if members.as_many => {}
            [line] => lines.extend(line.first().cloned()),
            _ => out.push_str(&format!("{}\n", table(&rows))),
        }
    }
    let vars = exhibit.board.vars.iter().zip(&exhibit.board.as_at_start);
    let vars: Vec<&str> = vars
        .filter(|(_, at_start)| !**at_start)
        .map(|(line, _)| line.as_str())
        .collect();
    lines.extend(exhibit.board.notes.iter().cloned());
    if !vars.is_empty() {
        lines.push(vars.join(", "));
    }
    if out.is_empty() && lines.is_empty() {
        lines.push(NOTHING.to_owned());
    }
    if !exhibit.readings.is_empty() {
        lines.push(format!("readings: {}", exhibit.readings));
    }
    format!("The board:\n\n{out}{}", list(&lines))
}

fn list(lines: &[String]) -> String {
    let items: String = lines
        .iter()
        .map(|line| format!("- {}\n", block(line)))
        .collect();
    match items.is_empty() {
        true => items,
        false => format!("{items}\n"),
    }
}

fn differences(exhibit: &Exhibit) -> String {
    if exhibit.differences.is_empty() {
        return String::new();
    }
    let [first, second] = &exhibit.columns;
    let mut out = format!("{DIFFERENCES}:\n\n");
    out.push_str(&raw_row(&[String::new(), cell(first), cell(second)]));
    out.push_str(&rule(3));
    let rows = exhibit.differences.iter();
    out.extend(rows.map(|row| raw_row(&row.each_ref().map(|one| cell(one)))));
    out.push('\n');
    out
}

/// The runs; what two of them begin with alike is told once.
fn runs(exhibit: &Exhibit) -> String {
    let (alike, rests) = exhibit.parted();
    let mut out = match alike {
        [] => String::new(),
        _ => format!("**{ALIKE}**\n\n{}\n", lines(alike)),
    };
    out.extend(rests.iter().map(|(one, rest)| run(one, rest)));
    out
}

fn run(run: &Played, told: &[Line]) -> String {
    let end = block(&format!("⇒ {}", run.end));
    format!("**{}**\n\n{}- {end}\n\n", inline(&run.title), lines(told))
}

fn lines(all: &[Line]) -> String {
    let line = |line: &Line| format!("{}- {}\n", " ".repeat(line.depth()), block(&line.text));
    all.iter().map(line).collect()
}
