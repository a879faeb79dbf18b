//! The page about one specification as Markdown, for rules editors.
//!
//! ```text
//! ### Cleanup Step, 1 (`cleanup.1`)
//!
//! > Creatures with no health left are destroyed.
//! ```
//!
//! Tables, anchors and folded parts are those that GitHub, GitLab and most other renderers know; read
//! as plain text it is still in order. A paragraph is one line, so that an edit changes few lines.

mod escape;
mod link;
mod readings;
mod told;

use super::Sheet;
use super::layout::list;
use super::page::{
    self, ALSO_HOLDS, Asked, Chapter, FindingText, Kind, Line, Matters, Outcome, Page, Section,
    Ways,
};
use super::text::GONE;
use endstep_tools::coverage::ClauseState;
use escape::{block, code, inline, raw_row, rule};
use link::{anchor, link, links, title};

/// The page about a specification.
pub fn page_markdown(sheet: Sheet<'_>) -> String {
    let page = Page::of(sheet);
    let mut out = head(&page);
    out.push_str(&legend(&page));
    for chapter in &page.chapters {
        out.push_str(&self::chapter(chapter));
    }
    if !page.outside.is_empty() || !page.ways_outside.is_empty() {
        out.push_str(&title(2, "outside", "Outside of any clause"));
        out.push_str(&ways(&page.ways_outside, &page.outside));
        out.push_str(&told::all(&page.outside, 3));
    }
    out.push_str(&readings::readings(&page.versions));
    out.push_str(&asked(&page.asked));
    out.push_str(&unasked(&page));
    out.push_str(&explored(&page));
    if !page.gone.is_empty() {
        out.push_str(&title(2, "gone", GONE));
        out.push_str(&items(&page.gone));
    }
    format!("{}\n", out.trim_end())
}

fn items(lines: &[String]) -> String {
    let items: String = lines
        .iter()
        .map(|line| format!("- {}\n", block(line)))
        .collect();
    format!("{items}\n")
}

/// The title and the summary.
fn head(page: &Page) -> String {
    let documents = page
        .documents
        .iter()
        .map(|one| format!("\"{}\"", inline(one)));
    let documents: Vec<String> = documents.collect();
    let about = match documents.is_empty() {
        true => "the specification".to_owned(),
        false => list(&documents, "and"),
    };
    let mut out = format!(
        "# {}\n\nWhat Endstep finds in {about}. Made by `endstep report` from {}.\n\n",
        block(&page.title),
        code(&page.name)
    );
    if !page.restrictions.is_empty() {
        let options = page.restrictions.iter().map(|one| code(one));
        out.push_str(&format!(
            "**This is about a part only:** {}. {}\n\n",
            options.collect::<Vec<_>>().join(", "),
            page.left_out()
        ));
    }
    out.push_str(&title(2, "summary", "Summary"));
    out.push_str(&summary(page));
    out.push_str(&gravest(page));
    if !page.kinds.is_empty() {
        out.push_str("| What was found | How often | About what |\n");
        out.push_str(&rule(3));
        out.extend(page.kinds.iter().map(kind));
        out.push('\n');
    }
    out
}

fn summary(page: &Page) -> String {
    let piece = |(text, leads): &(String, Option<&str>)| match leads {
        Some(anchor) => format!("[{}](#{anchor})", inline(text)),
        None => inline_within(text),
    };
    let line = |line: &Line| {
        let title = match line.anchor {
            Some(anchor) => format!("**[{}](#{anchor}):**", line.title),
            None => format!("**{}:**", line.title),
        };
        let text: String = line.pieces.iter().map(piece).collect();
        format!("- {title} {text}\n")
    };
    let items: String = page.overview().iter().map(line).collect();
    format!("{items}\n")
}

/// The most serious problems.
fn gravest(page: &Page) -> String {
    let all = page.named(&page.gravest).enumerate();
    let item = |(at, told): (usize, &FindingText)| {
        let name = format!("{}: {}", told.title, told.label);
        let (name, number) = (escape::plain(&name), at + 1);
        format!("{number}. [{name}](#{})\n", told.anchor)
    };
    let items: String = all.map(item).collect();
    match items.is_empty() {
        true => items,
        false => format!("The most serious problems, each of another kind:\n\n{items}\n"),
    }
}

/// A piece of a sentence, with the spaces at its ends.
fn inline_within(text: &str) -> String {
    let [begins, ends] = [text.starts_with(' '), text.ends_with(' ')];
    let space = |is: bool| if is { " " } else { "" };
    format!("{}{}{}", space(begins), inline(text.trim()), space(ends))
}

fn kind(kind: &Kind) -> String {
    raw_row(&[
        format!("{} ({})", inline(&kind.title), kind.code),
        kind.links.len().to_string(),
        links(&kind.links),
    ])
}

fn legend(page: &Page) -> String {
    let mut out = title(2, "legend", "How to read this page");
    let items = page::legend("After `>`");
    out.extend(items.iter().map(|one| format!("- {one}\n")));
    if !page.in_common.is_empty() {
        let lines: Vec<String> = page.in_common.iter().map(|one| inline(one)).collect();
        out.push_str(&format!(
            "- Unless the file writes a board down, what is not shown of it is as all boards of the scopes have it: {}.\n",
            lines.join("; ")
        ));
    }
    out.push('\n');
    out
}

/// A document: its clauses, several in a row of which little is to be said as a list.
fn chapter(chapter: &Chapter) -> String {
    let mut out = format!("## {}\n\n", inline(&chapter.title));
    for run in chapter
        .sections
        .chunk_by(|one, other| one.is_short() && other.is_short())
    {
        match run {
            [one] => out.push_str(&section(one)),
            several => {
                let (first, last) = (several.first(), several.last());
                let [first, last] = [first, last].map(|one| one.map_or("", |one| &one.id));
                out.push_str(&format!("### {} to {}\n\n", code(first), code(last)));
                out.extend(several.iter().map(short));
                out.push('\n');
            }
        }
    }
    out
}

/// `Cleanup Step, 1 (`cleanup.1`)`
fn name(section: &Section) -> String {
    match section.locator.is_empty() {
        true => code(&section.id),
        false => format!("{} ({})", inline(&section.locator), code(&section.id)),
    }
}

fn short(section: &Section) -> String {
    let mut out = format!("- {}**{}**: ", anchor(&section.anchor), name(section));
    if !section.says.is_empty() {
        out.push_str(&format!("\"{}\" ", inline(&section.says)));
    }
    out.push_str(&format!("{}\n", standing(section)));
    out
}

fn section(section: &Section) -> String {
    let mut out = format!("### {}{}\n\n", anchor(&section.anchor), name(section));
    if !section.says.is_empty() {
        out.push_str(&format!("> {}\n\n", block(&section.says)));
    }
    out.push_str(&format!("{}\n\n", standing(section)));
    out.push_str(&ways(&section.ways, &section.told));
    // What a finding below tells is not told twice.
    let is_told = |one: &&Asked| {
        let mut findings = one.findings.iter();
        findings.any(|link| section.told.iter().any(|told| told.anchor == link.anchor))
    };
    let asked: Vec<&Asked> = section.asked.iter().filter(|one| !is_told(one)).collect();
    if !asked.is_empty() {
        let answers = asked
            .into_iter()
            .map(|one| format!("- {}: {}\n", inline(&one.question), answer(one)));
        out.push_str(&format!("Asked here:\n\n{}\n", answers.collect::<String>()));
    }
    out.push_str(&told::all(&section.told, 4));
    out
}

/// How far a clause got, and what is told elsewhere.
fn standing(section: &Section) -> String {
    let mut text = match section.state {
        ClauseState::Missing => format!("**{}**", section.got()),
        _ => section.got().to_owned(),
    };
    if let Some(reason) = &section.reason {
        text.push_str(&format!(": {}", inline(reason.trim_end_matches('.'))));
    }
    text.push_str(match section.is_faultless() {
        true => "; nothing was found here.",
        false => ".",
    });
    if !section.yields_to.is_empty() {
        text.push_str(&format!(" It yields to {}.", links(&section.yields_to)));
    }
    if !section.elsewhere.is_empty() {
        text.push_str(&format!(" Told elsewhere: {}.", links(&section.elsewhere)));
    }
    text
}

/// Readings with their alternatives, unless a finding that follows tells them all.
fn ways(all: &[Ways], follows: &[FindingText]) -> String {
    let mut out = String::new();
    for ways in all {
        let number = ways.alternatives.len();
        let known = inline(&ways.matters.words());
        let matters = match &ways.matters {
            Matters::Yes(findings) => format!("{known}, see {}", links(findings)),
            Matters::Unused(finding) => format!("{known}, see {}", link(finding)),
            _ => known,
        };
        let is_told = match &ways.matters {
            Matters::Yes(findings) => {
                let mut anchors = findings.iter().map(|one| &one.anchor);
                number == 2 && anchors.any(|one| follows.iter().any(|told| told.anchor == *one))
            }
            _ => false,
        };
        let name = inline(&ways.name);
        out.push_str(&format!(
            "- **{name}** can be read in {number} ways; {matters}\n"
        ));
        let lines = ways.alternatives.iter().filter(|_| !is_told);
        out.extend(lines.map(|one| format!("  - {}\n", block(one))));
    }
    match out.is_empty() {
        true => out,
        false => format!("Readings:\n\n{out}\n"),
    }
}

fn answer(asked: &Asked) -> String {
    match asked.result {
        Outcome::Bad if !asked.findings.is_empty() => {
            format!("**{}**, {}", inline(&asked.answer), links(&asked.findings))
        }
        _ => inline(&asked.answer),
    }
}

fn asked(all: &[Asked]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut out = title(2, "asked", "What was asked");
    out.push_str("| Who asks | What | Answer |\n");
    out.push_str(&rule(3));
    for one in all {
        let who = match &one.clause {
            Some(clause) => link(clause),
            None => "the author".to_owned(),
        };
        let mut what = escape::cell(&one.question);
        if let Some(formula) = &one.formally {
            what.push_str(&format!(". *Formally: {}*", escape::cell(formula)));
        }
        out.push_str(&raw_row(&[who, what, answer(one)]));
    }
    out.push('\n');
    for one in all {
        if let Some(shown) = &one.shown {
            out.push_str(&format!(
                "**{}**, as on this board:\n\n{}\n",
                inline(&shown.what),
                preformatted(&shown.run)
            ));
        }
    }
    out
}

/// Lines as they are, as a block of code: indented by four columns more.
fn preformatted(text: &str) -> String {
    let lines = text.trim_matches('\n').lines();
    let lines = lines.map(|line| match line.is_empty() {
        true => "\n".to_owned(),
        false => format!("    {line}\n"),
    });
    lines.collect()
}

/// What holds without anybody having asked, and what is unknown.
fn unasked(page: &Page) -> String {
    let mut out = String::new();
    if !page.unasked.is_empty() {
        out.push_str(&title(2, "unasked", "What else holds"));
        out.push_str(&format!("{ALSO_HOLDS}\n\n"));
        for group in &page.unasked {
            let head = format!("{}: {}", group.title, group.lines.len());
            out.push_str(&told::folded(&head, &items(&group.lines)));
        }
    }
    if !page.unknown.is_empty() {
        out.push_str(&title(2, "unknown", "What else is unknown"));
        out.push_str(&items(&page.unknown));
    }
    out
}

fn explored(page: &Page) -> String {
    if page.scopes.is_empty() {
        return String::new();
    }
    let mut out = title(2, "explored", "What was explored");
    out.push_str(&items(&page.scopes));
    if !page.conditions.is_empty() {
        out.push_str(&anchor("conditions"));
        out.push_str(
            "Of the legal boards of these sizes, only those were tried for which all of these are true; \
             boards that the file writes down, or that the prover suggested, need not meet them:\n\n",
        );
        let conditions = page.conditions.iter();
        out.extend(conditions.map(|(name, what)| format!("- {}: {}\n", code(name), code(what))));
        out.push('\n');
    }
    out
}
