//! Pages of `endstep report`, read as Markdown: tables are tables, texts of the specification are
//! texts, and every link leads to an anchor of the page. And the files that they are written to.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::usage::endstep;

/// What a page consists of.
#[derive(Default, Debug)]
struct Page {
    /// Headings with their levels.
    headings: Vec<(u32, String)>,
    /// Tables: rows of cells.
    tables: Vec<Vec<Vec<String>>>,
    /// Where links lead.
    links: Vec<String>,
    /// Pieces of HTML.
    html: Vec<String>,
    /// All that is neither.
    text: String,
}

/// Reads Markdown with the extensions of GitHub.
fn read(markdown: &str) -> Page {
    let mut page = Page::default();
    let mut piece = String::new();
    let extensions = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM;
    for event in Parser::new_ext(markdown, extensions) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                page.headings.push((level as u32, String::new()));
                piece.clear();
            }
            Event::End(TagEnd::Heading(_)) => {
                page.text.push('\n');
                let last = page.headings.last_mut().unwrap();
                last.1 = std::mem::take(&mut piece);
            }
            Event::Start(Tag::Table(_)) => page.tables.push(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                page.tables.last_mut().unwrap().push(Vec::new());
            }
            Event::Start(Tag::TableCell) => piece.clear(),
            Event::End(TagEnd::TableCell) => {
                page.text.push('\n');
                let row = page.tables.last_mut().unwrap().last_mut().unwrap();
                row.push(std::mem::take(&mut piece));
            }
            Event::Start(Tag::Link { dest_url, .. }) => page.links.push(dest_url.to_string()),
            Event::Html(html) | Event::InlineHtml(html) => page.html.push(html.trim().to_owned()),
            Event::Text(text) | Event::Code(text) => {
                piece.push_str(&text);
                page.text.push_str(&text);
            }
            Event::SoftBreak | Event::HardBreak => page.text.push(' '),
            Event::End(TagEnd::Paragraph | TagEnd::Item) => page.text.push('\n'),
            other => assert!(
                matches!(other, Event::Start(_) | Event::End(_)),
                "found {other:?} in\n{markdown}"
            ),
        }
    }
    page
}

/// The names of the anchors; the other HTML is what folds a part.
fn anchors(page: &Page) -> BTreeMap<&str, usize> {
    let mut found = BTreeMap::new();
    let mut open = 0;
    for html in &page.html {
        if let Some(name) = html.strip_prefix("<a id=\"") {
            *found.entry(name.strip_suffix("\">").unwrap()).or_default() += 1;
            continue;
        }
        for line in html.lines() {
            match line {
                "</a>" => {}
                "</details>" => open -= 1,
                _ => {
                    let title = line.strip_prefix("<details><summary>");
                    assert!(
                        title.is_some_and(|title| title.ends_with("</summary>")),
                        "{line}"
                    );
                    open += 1;
                }
            }
        }
        assert!((0..=1).contains(&open), "{html}");
    }
    assert_eq!(open, 0);
    found
}

/// Every link leads to one anchor.
fn assert_linked(page: &Page) {
    let anchors = anchors(page);
    assert!(page.links.len() > 5, "{page:#?}");
    for link in &page.links {
        let name = link.strip_prefix('#').unwrap();
        assert_eq!(anchors.get(name), Some(&1), "{link} in {anchors:?}");
    }
}

/// The specifications of these tests.
fn inputs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/report.in")
}

fn folder(name: &str) -> PathBuf {
    crate::folder::empty(&format!("page/{name}"))
}

/// A folder with two games in a folder.
fn games(name: &str) -> PathBuf {
    crate::folder::with_games(&format!("page/{name}"))
}

/// The page of a specification.
fn report(folder: &Path, name: &str) -> String {
    let output = endstep(&["report", name], folder);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_page_has_the_structure_that_it_seems_to_have() {
    let page = read(&report(&inputs(), "tombs.endstep"));
    assert_linked(&page);
    let headings: Vec<_> = page
        .headings
        .iter()
        .map(|(level, text)| (*level, text.as_str()))
        .collect();
    assert_eq!(
        headings,
        [
            (1, "Tombs | a game of <b>cards</b>"),
            (2, "Summary"),
            (2, "How to read this page"),
            (2, "The rules of *Tombs*"),
            (3, "intro to turn"),
            (3, "1.1 (weak)"),
            (
                4,
                "Two readings of a sentence play differently: no health (F0401)"
            ),
            (3, "1.2 (rise)"),
            (4, "An endless loop with no way out: cleanup (heal) (F0501)"),
            (3, "1.3 (top)"),
            (4, "A rule cannot be followed: cleanup: turn (F0302)"),
            (3, "2 (all_buried)"),
            (3, "2, second sentence (all_gone)"),
            (
                4,
                "A claim of the document is not true: only undead (F0610)"
            ),
            (3, "3 (winner)"),
            (2, "What readings change"),
            (2, "What was asked"),
            (2, "What else holds"),
            (2, "What was explored"),
        ]
    );
    // The index, and what readings change.
    let sizes: Vec<_> = page
        .tables
        .iter()
        .map(|table| (table.len(), table[0].len()))
        .collect();
    assert_eq!(sizes, [(7, 3), (2, 5)]);
    for text in [
        "a greeting | not a rule",
        "# Thanks for playing.",
        "the next issue | mends <it>",
        "card 1: health = -1, undead = false, in board",
        "no health = \"or less\" · board = nothing",
        "cleanup: bury · card 2 moves from board to tomb",
    ] {
        assert!(page.text.contains(text), "{text}");
    }
}

/// Names, paraphrases and comments that look like Markdown or HTML are shown as they are.
#[test]
fn texts_of_the_specification_cannot_break_the_page() {
    let nasty = [
        "a | b",
        "<b>bold</b>",
        "a ` lone",
        "two ` lone ` ones",
        "`` empty",
        "# heading",
        "- item",
        "1. item",
        "> quote",
        "***",
        "===",
        "---",
        "[x](y)",
        "![x](y)",
        "[x]: y",
        "<!-- comment",
        "</details>",
        "&lt;",
        "$x$",
        "~~no~~",
        "back\\\\slash",
        "_a_ b_c",
        "`a|b`",
        "`a\\\\|b`",
        "a\\\\| b",
        "| --- |",
        ":-: | :-:",
        "[^1]",
        "{#id}",
        "`code` *and* | more",
    ];
    let folder = folder("texts");
    let template = fs::read_to_string(inputs().join("texts.endstep")).unwrap();
    for text in nasty {
        let game = template.replace("TEXT", text);
        fs::write(folder.join("game.endstep"), game).unwrap();
        let markdown = report(&folder, "game.endstep");
        let page = read(&markdown);
        assert_linked(&page);
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = text.replace("\\\\", "\\");
        let plain = one_line(&shown.replace('`', " "));
        let is = |found: &str| [&shown, &plain].contains(&&one_line(found));
        let has = |found: &str| {
            let found = one_line(found);
            found.contains(&shown) || found.contains(&plain)
        };
        assert!(has(&page.headings[0].1), "{text}:\n{markdown}");
        let chapters = page.headings.iter().filter(|(level, _)| *level == 2);
        assert_eq!(
            chapters.clone().filter(|(_, found)| has(found)).count(),
            1,
            "{text}:\n{markdown}"
        );
        let sections = page
            .headings
            .iter()
            .filter(|(level, found)| *level == 3 && has(found));
        assert_eq!(sections.count(), 2, "{text}:\n{markdown}");
        assert!(page.text.lines().any(is), "{text}:\n{markdown}");
        let terms = page.tables[0]
            .iter()
            .filter(|row| row[0].ends_with("(F0103)"));
        assert!(terms.clone().all(|row| has(&row[2])), "{text}:\n{markdown}");
        assert_eq!(terms.count(), 1, "{text}:\n{markdown}");
    }
}

#[test]
fn pages_go_where_they_are_told() {
    let folder = games("places");
    let ok = |arguments: &[&str], wrote: &[&str]| {
        let output = endstep(arguments, &folder);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
        let said: String = wrote.iter().map(|name| format!("wrote {name}\n")).collect();
        assert_eq!(String::from_utf8_lossy(&output.stdout), said);
        for name in wrote {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            assert!(text.starts_with("# Plain\n"), "{text}");
        }
    };
    ok(
        &["report", "games/plain.endstep", "-o", "one.md"],
        &["one.md"],
    );
    ok(
        &[
            "report",
            "games/plain.endstep",
            "-o",
            "new/",
            "--format",
            "markdown",
        ],
        &["new/plain.md"],
    );
    ok(
        &[
            "report",
            "games/plain.endstep",
            "-o",
            "new",
            "--format",
            "markdown",
        ],
        &["new/plain.md"],
    );
    ok(
        &["report", "games", "-o", "all", "--format", "markdown"],
        &["all/other.md", "all/plain.md"],
    );
    ok(
        &[
            "report",
            "games/deep",
            "-o",
            "deep.md",
            "--format",
            "markdown",
        ],
        &["deep.md/other.md"],
    );
    // An old page is replaced as a whole, and nothing is left beside it.
    fs::write(folder.join("one.md"), "x".repeat(100_000)).unwrap();
    ok(
        &["report", "games/plain.endstep", "-o", "one.md"],
        &["one.md"],
    );
    let mut left: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["all", "deep.md", "games", "new", "one.md"]);
}

#[test]
fn pages_that_have_no_place_are_refused() {
    let folder = games("no_places");
    fs::write(folder.join("one.md"), "old").unwrap();
    let fails = |arguments: &[&str], code: i32, message: &str| {
        let output = endstep(arguments, &folder);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
    };
    fails(
        &["report", "games"],
        64,
        "found 2 specifications, expected `-o FOLDER` with them",
    );
    fails(
        &["report", "games", "-o", "one.md", "--format", "markdown"],
        74,
        "cannot make `one.md`",
    );
    fails(
        &["report", "games/plain.endstep", "-o", "no/such/one.md"],
        74,
        "cannot write `no/such/one.md`",
    );
    fails(
        &[
            "report",
            "games",
            "games/plain.endstep",
            "-o",
            "x",
            "--format",
            "markdown",
        ],
        64,
        "would both be `x/plain.md`",
    );
    fails(
        &["report", "-", "-o", "new/", "--format", "markdown"],
        64,
        "standard input has no name for a page in a folder",
    );
    fails(
        &["report", "nowhere.endstep"],
        66,
        "cannot read `nowhere.endstep`",
    );
    fails(&["report"], 64, "<PATHS>");
    fails(
        &["report", "games/plain.endstep", "--only", "nothing"],
        64,
        "found `nothing`",
    );
}
