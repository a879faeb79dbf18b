//! A finding as Markdown.

use super::escape::{block, code, inline, table};
use super::link::{anchor, link, links};
use crate::report::board::{IN, NOTHING, NOWHERE};
use crate::report::called::HAPPENS;
use crate::report::exhibit::{ALIKE, DIFFERENCES, Exhibit};
use crate::report::layout;
use crate::report::occurs::NO_DESCRIPTION;
use crate::report::page::{Evidence, FindingText};
use crate::report::trace::{Line, LineKind};

/// A board with more columns than these is cut down to those that are not at their default.
const MOST_COLUMNS: usize = 8;

/// A board with more columns than these is a table, others are lines.
const MOST_IN_A_LINE: usize = 5;

/// The findings of which little is to be told, an item each.
pub(super) fn items(told: &[FindingText]) -> String {
    let brief = told.iter().filter(|one| one.is_brief());
    brief.map(item).collect()
}

/// The others, each under a heading.
pub(super) fn sections(told: &[FindingText], level: usize) -> String {
    let others = told.iter().filter(|one| !one.is_brief());
    others.map(|one| section(one, level)).collect()
}

/// A finding in a few lines.
fn item(told: &FindingText) -> String {
    let title = match &told.evidence {
        Evidence::Text => inline(&told.title),
        _ => format!("{}: {}", inline(&told.title), inline(&told.label)),
    };
    let mut text = inline(&told.in_short());
    match told.same.first() {
        Some(first) if told.follows => text.push_str(&format!(" The same cause: {}.", link(first))),
        Some(_) => text.push_str(&format!(" The same cause: {}.", links(&told.same))),
        None => {}
    }
    if !told.clauses.is_empty() {
        text.push_str(&format!(" See also {}.", links(&told.clauses)));
    }
    let mut more = vec![inline(&told.standing)];
    let place = told.facts.iter().find(|(name, _)| *name == "at");
    more.extend(place.map(|(_, place)| inline(place)));
    let replay = told.replay.iter();
    more.extend(replay.map(|command| format!("board and runs: {}", code(command))));
    format!(
        "- {}**{title}** ({}). {text} *({})*\n",
        anchor(&told.anchor),
        told.code,
        more.join("; "),
    )
}

fn section(told: &FindingText, level: usize) -> String {
    let mut out = format!(
        "{} {}{}: {} ({})\n\n{}\n\n",
        "#".repeat(level),
        anchor(&told.anchor),
        inline(&told.title),
        inline(&told.label),
        told.code,
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
            out.push_str(&self::exhibit(exhibit));
        }
        Evidence::Exhibit(exhibit) => {
            out.push_str(&board(exhibit));
            out.push_str(&differences(exhibit));
            out.push_str(&folded("What happens, step by step", &runs(exhibit)));
        }
    }
    out + &facts(told)
}

/// What is known beside what it says, and how it is seen again.
fn facts(told: &FindingText) -> String {
    let mut out = String::new();
    let mut last = vec![format!("*{}*", inline(&told.standing))];
    for (name, text) in &told.facts {
        match *name {
            "at" => last.push(inline(text)),
            // The legend says so of all.
            "size" if told.is_smallest => {}
            "occurs on" => {
                let which = told.facts.iter().find(|(name, _)| *name == "which ones");
                let which = which.filter(|(_, which)| which != NO_DESCRIPTION);
                let which = which.map_or_else(String::new, |(_, which)| format!(": {which}"));
                out.push_str(&format!(
                    "- occurs on {}\n",
                    inline(&format!("{text}{which}"))
                ));
            }
            "which ones" => {}
            "formally" => out.push_str(&format!("- formally: {}\n", code(text))),
            _ => out.push_str(&format!("- {name}: {}\n", inline(text))),
        }
    }
    if !told.clauses.is_empty() {
        out.push_str(&format!("- other clauses: {}\n", links(&told.clauses)));
    }
    if !told.same.is_empty() {
        out.push_str(&format!("- the same cause: {}\n", links(&told.same)));
    }
    let replay = told.replay.as_ref();
    last.extend(replay.map(|command| format!("see it again: {}", code(command))));
    format!("{out}- {}\n\n", last.join("; "))
}

/// A board and what happens on it, folded.
pub(super) fn exhibit(exhibit: &Exhibit) -> String {
    let inside = board(exhibit) + &differences(exhibit) + &runs(exhibit);
    folded("The board, and what happens on it", &inside)
}

/// A part that is shown when it is asked for.
pub(super) fn folded(title: &str, inside: &str) -> String {
    format!(
        "<details><summary>{title}</summary>\n\n{}\n</details>\n\n",
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
            [line] if members.as_many && has_no_names(&members.sort, line) => {}
            [line] => lines.extend(line.first().cloned()),
            [heading, ..] if heading.len() > MOST_IN_A_LINE => {
                out.push_str(&format!("{}\n", table(&rows)));
            }
            [heading, rows @ ..] => lines.extend(in_lines(heading, rows)),
            [] => {}
        }
    }
    let vars = exhibit.board.vars.iter().zip(&exhibit.board.as_at_start);
    let vars: Vec<&str> = vars
        .filter(|(_, at_start)| !**at_start)
        .map(|(line, _)| line.as_str())
        .collect();
    lines.extend(exhibit.board.notes.iter().cloned());
    let readings = match exhibit.readings.is_empty() {
        true => None,
        false => Some(format!("readings: {}", exhibit.readings)),
    };
    if out.is_empty() && lines.is_empty() && vars.is_empty() {
        lines.push(NOTHING.to_owned());
    }
    let vars = Some(vars.join(", ")).filter(|vars| !vars.is_empty());
    let last: Vec<String> = vars.into_iter().chain(readings).collect();
    if !last.is_empty() {
        lines.push(last.join("; "));
    }
    match out.is_empty() {
        true => format!("The board:\n{}", list(&lines)),
        false => format!("The board:\n\n{out}{}", list(&lines)),
    }
}

/// Whether a line names entities of a sort by numbers alone: `Player: player 1, player 2`.
fn has_no_names(sort: &str, line: &[String]) -> bool {
    let names = line.iter().flat_map(|line| line.split_once(": "));
    let mut names = names.flat_map(|(_, names)| names.split(", "));
    let sort = sort.to_lowercase();
    names.all(|name| name.starts_with(&sort))
}

/// A line for the entities of a sort that have the same: `bot 1 and bot 2: model = ram, in deck of ann`.
fn in_lines(heading: &[String], rows: &[Vec<String>]) -> Vec<String> {
    let Some((sort, columns)) = heading.split_first() else {
        return Vec::new();
    };
    let cells = |row: &[String]| -> Vec<String> {
        let cells = columns.iter().zip(row.iter().skip(1));
        let cell = |(name, value): (&String, &String)| match (name.as_str(), value.as_str()) {
            (IN, NOWHERE) => value.clone(),
            (IN, _) => format!("{name} {value}"),
            _ => format!("{name} = {value}"),
        };
        cells.map(cell).collect()
    };
    let alike = rows.chunk_by(|one, other| one[1..] == other[1..]);
    let line = |alike: &[Vec<String>]| {
        let names: Vec<String> = alike.iter().map(|row| row[0].clone()).collect();
        let says_sort = |name: &String| name.to_lowercase().starts_with(&sort.to_lowercase());
        let of_sort = match names.iter().all(says_sort) {
            true => String::new(),
            false => format!(" ({sort})"),
        };
        let has = cells(&alike[0]).join(", ");
        format!("{}{of_sort}: {has}", layout::list(&names, "and"))
    };
    alike.map(line).collect()
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
    let sides = exhibit.columns.iter().enumerate();
    let side = |(at, name): (usize, &String)| {
        let rows = exhibit.differences.iter();
        let rows = rows.map(|row| format!("{} = {}", inline(&row[0]), inline(&row[at + 1])));
        let rows: Vec<String> = rows.collect();
        format!("- *{}* · {}\n", inline(name), rows.join(" · "))
    };
    let sides: String = sides.map(side).collect();
    format!("{DIFFERENCES}:\n{sides}\n")
}

/// The runs; what two of them begin with alike is told once.
fn runs(exhibit: &Exhibit) -> String {
    let (alike, rests) = exhibit.parted();
    let mut parts = Vec::new();
    if !alike.is_empty() {
        parts.push((ALIKE, lines(alike)));
    }
    parts.extend(rests.iter().map(|(one, rest)| {
        let end = block(&format!("⇒ {}", one.end));
        (one.title.as_str(), format!("{}- {end}\n", lines(rest)))
    }));
    match parts.as_slice() {
        // One run needs no name beside that of the part.
        [(HAPPENS, only)] => only.clone(),
        several => several
            .iter()
            .map(|(title, lines)| part(title, lines))
            .collect(),
    }
}

/// An item with others below it.
fn part(title: &str, items: &str) -> String {
    let items = items.lines().map(|line| format!("  {line}\n"));
    format!("- **{}**\n{}", inline(title), items.collect::<String>())
}

/// An item for each step, with what changes in it behind it.
fn lines(all: &[Line]) -> String {
    let is_heading = |line: &Line| line.kind == LineKind::Heading;
    let steps = all.chunk_by(|_, next| !is_heading(next));
    let item = |step: &[Line]| {
        let texts = step
            .iter()
            .map(|line| match is_heading(line) && step.len() > 1 {
                true => format!("*{}*", inline(&line.text)),
                false => block(&line.text),
            });
        format!("- {}\n", texts.collect::<Vec<_>>().join(" · "))
    };
    steps.map(item).collect()
}
