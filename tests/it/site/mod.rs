//! Sites of `endstep report`, read as a browser reads them: every page is well-formed, every finding has
//! its page, links lead somewhere, and texts of the specification are texts. And the folders that
//! they are written to.

mod folders;

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::usage::endstep;

/// What a page consists of.
#[derive(Default, Debug)]
struct Page {
    /// What the parser has to complain about.
    errors: Vec<String>,
    /// The names of elements, with attributes, as they come.
    elements: Vec<(String, BTreeMap<String, String>)>,
    /// All text but that of scripts and style sheets.
    text: String,
}

impl Page {
    fn read(html: &str) -> Self {
        let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
        let mut page = Self {
            errors: dom
                .errors
                .borrow()
                .iter()
                .map(ToString::to_string)
                .collect(),
            ..Self::default()
        };
        page.walk(&dom.document);
        page
    }

    fn walk(&mut self, node: &Handle) {
        match &node.data {
            NodeData::Text { contents } => self.text.push_str(&contents.borrow()),
            NodeData::Element { name, attrs, .. } => {
                let attributes = attrs.borrow();
                let attributes = attributes.iter();
                let attributes = attributes
                    .map(|one| (one.name.local.to_string(), one.value.to_string()))
                    .collect();
                self.elements.push((name.local.to_string(), attributes));
            }
            NodeData::Comment { contents } => self.errors.push(format!("a comment: {contents}")),
            _ => {}
        }
        for child in node.children.borrow().iter() {
            self.walk(child);
        }
        self.text.push('\n');
    }

    /// The values of an attribute.
    fn all(&self, attribute: &str) -> Vec<&str> {
        let values = self.elements.iter();
        let values = values.filter_map(|(_, attributes)| attributes.get(attribute));
        values.map(String::as_str).collect()
    }

    fn number(&self, element: &str) -> usize {
        let elements = self.elements.iter();
        elements.filter(|(name, _)| name == element).count()
    }
}

/// The elements that pages consist of; anything else would come from a specification.
const ELEMENTS: &str = "html head meta title link script body a header nav ol ul li main footer p code h1 \
                        h2 h3 h4 section div span strong em table thead tbody tr th td dl dt dd pre \
                        details summary figure figcaption blockquote form label select option button img";

/// The pages of a site by their paths, looked at one by one.
fn pages(site: &Path) -> BTreeMap<PathBuf, Page> {
    let mut found = BTreeMap::new();
    for (path, text) in files(site) {
        if path.extension().is_none_or(|end| end != "html") {
            continue;
        }
        let page = Page::read(&text);
        assert_eq!(page.errors, [""; 0], "{}", path.display());
        let known: BTreeSet<&str> = ELEMENTS.split_whitespace().collect();
        for (name, attributes) in &page.elements {
            assert!(
                known.contains(name.as_str()),
                "{name} in {}",
                path.display()
            );
            let handler = attributes.keys().find(|name| name.starts_with("on"));
            assert_eq!(handler, None, "{name} in {}", path.display());
        }
        // What a browser may load; styles and scripts within the page it may not.
        let policies = page.elements.iter().filter(|(_, attributes)| {
            let kind = attributes.get("http-equiv");
            kind.is_some_and(|kind| kind == "Content-Security-Policy")
        });
        let policies: Vec<&str> = policies.map(|(_, all)| all["content"].as_str()).collect();
        let [policy] = policies[..] else {
            panic!("{policies:?} in {}", path.display());
        };
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        assert!(
            !policy.contains("unsafe") && !policy.contains("http"),
            "{policy}"
        );
        assert_eq!(page.all("style"), [""; 0], "{}", path.display());
        // One is run, another holds data.
        let scripts = page.elements.iter().filter(|(name, _)| name == "script");
        let run = scripts.filter(|(_, attributes)| {
            attributes
                .get("type")
                .is_none_or(|kind| kind != "application/json")
        });
        let sources: Vec<Option<&String>> = run.map(|(_, own)| own.get("src")).collect();
        assert!(matches!(sources[..], [Some(_)]), "{}", path.display());
        assert_eq!((page.number("h1"), page.number("main")), (1, 1));
        let ids = page.all("id");
        let once: BTreeSet<&&str> = ids.iter().collect();
        assert_eq!(ids.len(), once.len(), "{}: {ids:?}", path.display());
        found.insert(path, page);
    }
    found
}

/// All files of a folder, by their paths within it.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            found.insert(path.strip_prefix(folder).unwrap().to_owned(), text);
        }
    }
    found
}

/// Every link leads to a file, and to a place on it.
fn assert_linked(site: &Path, pages: &BTreeMap<PathBuf, Page>) {
    let mut number = 0;
    for (path, page) in pages {
        let links = page.all("href").into_iter().chain(page.all("src"));
        for link in links {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let from = path.parent().unwrap();
            let target = match file {
                "" => path.clone(),
                file => match file.strip_prefix("../") {
                    Some(up) => PathBuf::from(up),
                    None => from.join(file),
                },
            };
            assert!(site.join(&target).is_file(), "{link} in {}", path.display());
            if !anchor.is_empty() {
                let there = pages[&target].all("id");
                assert!(there.contains(&anchor), "{link} in {}", path.display());
            }
            number += 1;
        }
    }
    assert!(number > 20);
}

fn folder(name: &str) -> PathBuf {
    crate::folder::empty(&format!("site/{name}"))
}

/// Writes a site about specifications, which are those of a folder of the repository, and returns it.
fn report(name: &str, specifications: &str, more: &[&str]) -> PathBuf {
    let folder = folder(name);
    let specifications = Path::new(crate::ROOT).join(specifications);
    let specifications = specifications.to_string_lossy();
    let arguments = [&["report", &specifications, "-o", "site/"], more].concat();
    let output = endstep(&arguments, &folder);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said, "wrote site/index.html\n");
    folder.join("site")
}

/// The findings of a document, as its JSON has them.
fn findings(text: &str) -> Vec<Value> {
    let report: Value = serde_json::from_str(text).unwrap();
    report["specifications"][0]["findings"]
        .as_array()
        .unwrap()
        .clone()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_finding_has_a_page_that_tells_it() {
    let mut number = 0;
    let (mut boards, mut runs) = (0, 0);
    for feature in ["claim", "conflict", "gap", "loop", "order", "reading"] {
        let site = report(feature, &format!("tests/corpus/{feature}"), &[]);
        let pages = pages(&site);
        assert_linked(&site, &pages);
        for (path, text) in files(&site) {
            if path.file_name().is_none_or(|name| name != "report.json") {
                continue;
            }
            let folder = path.parent().unwrap();
            let document = &pages[&folder.join("index.html")];
            let all = findings(&text);
            assert_eq!(document.all("data-finding").len(), all.len());
            for finding in &all {
                let print = &finding["fingerprint"].as_str().unwrap()[..8];
                let page = &pages[&folder.join(format!("finding-{print}.html"))];
                let told = one_line(&page.text);
                let words = finding["text"].as_str().unwrap().replace('`', "");
                let spaced = |text: &str| one_line(text).replace(' ', "");
                assert!(spaced(&told).contains(&spaced(&words)), "{words}\n{told}");
                assert!(told.contains("Why it matters"), "{told}");
                if finding["witness"].is_null() {
                    continue;
                }
                boards += 1;
                assert!(told.contains("What happens"), "{told}");
                assert!(told.contains(&format!(" {print}")), "{told}");
                let ends = finding["witness"]["runs"].as_array().unwrap();
                runs += ends.len();
                for end in ends.iter().take(2) {
                    let end = one_line(end["text"].as_str().unwrap());
                    assert!(told.contains(&end), "{end}\n{told}");
                }
            }
            number += all.len();
        }
    }
    assert!(
        number > 60 && boards > 50 && runs > boards,
        "{number} {boards} {runs}"
    );
}

/// Names, paraphrases and comments that look like HTML are shown as they are.
#[test]
fn texts_of_the_specification_cannot_break_a_page() {
    let nasty = [
        "<script>alert(1)</script>",
        "</title><script>alert(1)</script>",
        "</code></pre></details>",
        "\\\" onmouseover=\\\"alert(1)",
        "' onmouseover='alert(1)",
        "<img src=x onerror=alert(1)>",
        "<!-- comment",
        "&lt;b&gt; &amp; &#60;",
        "javascript:alert(1)",
        "<svg/onload=alert(1)>",
        "]]> <![CDATA[ x",
        "a ` lone <b>",
        "``` <i>",
        "*bold* <em>",
    ];
    let folder = folder("texts");
    let inputs = Path::new(crate::ROOT).join("tests/cli/report.in");
    let template = fs::read_to_string(inputs.join("texts.endstep")).unwrap();
    for text in nasty {
        let game = format!("{}-- {text}\n", template.replace("TEXT", text));
        fs::write(folder.join("game.endstep"), game).unwrap();
        let output = endstep(&["report", "game.endstep", "-o", "site/"], &folder);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{text}: {error}");
        let site = folder.join("site");
        let pages = pages(&site);
        assert_linked(&site, &pages);
        let shown = one_line(&text.replace("\\\"", "\"")).replace('`', "");
        let first = one_line(&pages[Path::new("index.html")].text);
        assert!(
            first.contains(&shown) || text.contains('`'),
            "{shown}\n{first}"
        );
        let whole = ["index", "clauses", "checked"].map(|name| {
            let page = &pages[&Path::new("game").join(format!("{name}.html"))];
            one_line(&page.text).replace('`', "")
        });
        let number: usize = whole.iter().map(|one| one.matches(&shown).count()).sum();
        assert!(number > 3, "{shown}\n{whole:?}");
        for (path, text) in files(&site) {
            if path.extension().is_some_and(|end| end == "svg") {
                roxmltree::Document::parse(&text).unwrap();
                assert!(!text.contains("<script"), "{text}");
            }
        }
    }
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let one = report(
        "one_thread",
        "tests/cli/report.in/tombs.endstep",
        &["--threads", "1"],
    );
    let four = report(
        "four_threads",
        "tests/cli/report.in/tombs.endstep",
        &["--threads", "4"],
    );
    let (one, four) = (files(&one), files(&four));
    assert!(one.len() > 10);
    assert_eq!(one, four);
}

/// The Markdown and the JSON of a site are those of the other commands.
#[test]
fn a_site_has_the_same_as_markdown_and_json() {
    let site = report("same", "tests/cli/report.in/tombs.endstep", &[]);
    let path = Path::new(crate::ROOT).join("tests/cli/report.in/tombs.endstep");
    let path = path.to_string_lossy();
    for (command, file) in [
        (&["report", &path][..], "report.md"),
        (&["check", &path, "--format", "json"], "report.json"),
        (&["order", &path, "--format", "json"], "orders.json"),
        (&["graph", &path, "--format", "svg"], "graph-steps.svg"),
    ] {
        let output = endstep(command, &site);
        let expected = String::from_utf8(output.stdout).unwrap();
        let found = fs::read_to_string(site.join("tombs").join(file)).unwrap();
        if file == "report.json" {
            // It is large, so it has no line breaks.
            let read = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
            assert_eq!(read(&found), read(&expected), "{file}");
            continue;
        }
        assert_eq!(found, expected, "{file}");
    }
}

/// What is worst comes first, and a note is never among it.
#[test]
fn the_most_serious_problems_come_first() {
    let site = report("first", "tests/cli/report.in/tombs.endstep", &[]);
    let pages = pages(&site);
    let first = one_line(&pages[Path::new("index.html")].text);
    let at = |text: &str| {
        first
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {first}"))
    };
    // A claim that is not true, then a rule that cannot be followed, then what the text alone shows.
    assert!(at("A claim of the document is not true") < at("A rule cannot be followed"));
    let document = &pages[Path::new("tombs/index.html")];
    let order: Vec<&str> = document.all("data-kind");
    assert_eq!(order.first(), Some(&"F0610"));
    let of = |code: &str| order.iter().position(|one| *one == code).unwrap();
    assert!(
        of("F0302") < of("F0401") && of("F0401") < of("F0103"),
        "{order:?}"
    );
}

/// What each reading changes stands in the readings matrix.
#[test]
fn the_readings_matrix_tells_results_from_who_decides() {
    let site = report("power", "tests/corpus/reading/fail", &[]);
    let pages = pages(&site);
    let text: String = pages
        .iter()
        .filter(|(path, _)| path.ends_with("readings.html"))
        .map(|(_, page)| one_line(&page.text))
        .collect();
    assert!(text.contains("Who decides differs: 1"), "{text}");
    let site = report("matrix", "tests/cli/report.in/tombs.endstep", &[]);
    let text = fs::read_to_string(site.join("tombs/readings.html")).unwrap();
    let text = one_line(&Page::read(&text).text);
    for part in ["Results differ: 1", "no health", "2 Card"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn every_page_about_a_part_says_so() {
    let site = report(
        "partial",
        "tests/cli/order.in/sweep.endstep",
        &["--scope", "Card=1"],
    );
    let says = |path: &str, part: &str| {
        let page = &pages(&site)[Path::new(path)];
        let text = one_line(&page.text);
        assert!(text.contains(part), "{path}: {text}");
    };
    for name in ["index", "clauses", "checked", "readings"] {
        says(
            &format!("sweep/{name}.html"),
            "This is about a part only: --scope Card=1 . Nothing is said about the rest.",
        );
    }
    for path in ["index.html", "sweep/orders.html", "sweep/graphs.html"] {
        says(path, "Only a part was explored: --scope Card=1 .");
    }
    for name in ["orders", "readings"] {
        let json: Value =
            serde_json::from_str(&files(&site)[Path::new(&format!("sweep/{name}.json"))]).unwrap();
        assert_eq!(
            json["restrictions"],
            serde_json::json!(["--scope Card=1"]),
            "{name}"
        );
    }
    let whole = report("whole", "tests/cli/order.in/sweep.endstep", &[]);
    for (path, page) in pages(&whole) {
        let text = one_line(&page.text);
        assert!(!text.contains("a part"), "{}: {text}", path.display());
    }
}
