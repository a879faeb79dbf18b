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
        let list = way_lines(&page.ways_outside, &page.outside) + &told::items(&page.outside);
        out.push_str(&apart(list));
        out.push_str(&told::sections(&page.outside, 3));
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
        false => format!("The most serious problems:\n{items}\n"),
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
    out.push_str(
        "- Findings on a single line share their cause with another finding, or are notes; \"the board below\" is the \
         board that the command at the end of the line shows.\n",
    );
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

/// A document: its clauses, several in a row of which no board shows anything as a list.
fn chapter(chapter: &Chapter) -> String {
    let mut out = format!("## {}\n\n", inline(&chapter.title));
    for run in chapter
        .sections
        .chunk_by(|one, other| !is_played(one) && !is_played(other))
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

/// Whether a finding of the clause has a board, or a heading at least.
fn is_played(section: &Section) -> bool {
    !section.told.iter().all(FindingText::is_brief)
}

/// `Cleanup Step, 1 (`cleanup.1`)`
fn name(section: &Section) -> String {
    match section.locator.is_empty() {
        true => code(&section.id),
        false => format!("{} ({})", inline(&section.locator), code(&section.id)),
    }
}

/// A clause in an item, with what there is to be said about it below.
fn short(section: &Section) -> String {
    let mut out = format!("- {}**{}**: ", anchor(&section.anchor), name(section));
    if !section.says.is_empty() {
        out.push_str(&format!("\"{}\" ", inline(&section.says)));
    }
    let below = in_a_line(section);
    let below = below.lines().map(|line| format!("  {line}\n"));
    format!("{out}{}\n{}", standing(section), below.collect::<String>())
}

fn section(section: &Section) -> String {
    let mut out = format!("### {}{}\n\n", anchor(&section.anchor), name(section));
    if !section.says.is_empty() {
        out.push_str(&format!("> {}\n\n", block(&section.says)));
    }
    if !is_played(section) || !section.is_plain() {
        out.push_str(&format!("{}\n\n", standing(section)));
    }
    out.push_str(&apart(in_a_line(section)));
    out.push_str(&told::sections(&section.told, 4));
    out
}

/// What there is to be said of a clause in an item each: its readings, what was asked, findings without a board.
fn in_a_line(section: &Section) -> String {
    let ways = way_lines(&section.ways, &section.told);
    ways + &asked_here(section) + &told::items(&section.told)
}

/// A list that is apart from what follows.
fn apart(list: String) -> String {
    match list.is_empty() {
        true => list,
        false => format!("{list}\n"),
    }
}

/// What was asked at a clause. What a finding of it says is not said twice.
fn asked_here(section: &Section) -> String {
    let is_told = |one: &&Asked| {
        let mut findings = one.findings.iter();
        findings.any(|link| section.told.iter().any(|told| told.anchor == link.anchor))
    };
    let asked = section.asked.iter().filter(|one| !is_told(one));
    let line = |one: &Asked| format!("- {}\n", asked_line(&one.question, one));
    asked.map(line).collect()
}

/// What was asked, the answer, and the same as a formula.
fn asked_line(question: &str, asked: &Asked) -> String {
    let formally = asked.formally.as_ref();
    let formally = formally.map_or_else(String::new, |one| format!(" (formally {})", code(one)));
    format!("{}: {}{formally}", inline(question), answer(asked))
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

/// An item for each reading, with its alternatives unless a finding that follows has them all.
fn way_lines(all: &[Ways], follows: &[FindingText]) -> String {
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
    out
}

fn answer(asked: &Asked) -> String {
    match asked.result {
        Outcome::Bad if !asked.findings.is_empty() => {
            format!("**{}**, {}", inline(&asked.answer), links(&asked.findings))
        }
        _ => inline(&asked.answer),
    }
}

/// The questions of the author; claims and examples of clauses are listed with the clauses.
fn asked(all: &[Asked]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut out = title(2, "asked", "What was asked");
    let of_author: Vec<&Asked> = all.iter().filter(|one| one.clause.is_none()).collect();
    if of_author.len() < all.len() {
        out.push_str("Claims and examples of a clause are listed with the clause.");
        out.push_str(match of_author.is_empty() {
            true => "\n\n",
            false => " The author also asks:\n\n",
        });
    }
    for (one, others) in page::by_answer(&of_author) {
        out.push_str(&format!("- {}\n", asked_line(&one.with(others), one)));
    }
    if !of_author.is_empty() {
        out.push('\n');
    }
    for shown in all.iter().filter_map(|one| one.shown.as_ref()) {
        out.push_str(&format!(
            "**{}**, as on this board:\n\n",
            inline(&shown.what)
        ));
        out.push_str(&told::exhibit(&shown.exhibit));
    }
    out
}

/// What holds without anybody having asked, and what is unknown.
fn unasked(page: &Page) -> String {
    let mut out = String::new();
    if !page.unasked.is_empty() {
        out.push_str(&title(2, "unasked", "What else holds"));
        out.push_str(&format!("{ALSO_HOLDS}\n\n"));
        for group in &page.unasked {
            let head = format!("{}: {}", group.title, group.number);
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
