//! JUnit reports fit the schema of Jenkins, and have what the JSON report has.

use roxmltree::{Document, Node};
use serde_json::Value;
use std::fs;
use std::path::Path;

use super::{all, check, check_json, each, folders, xsd};

/// The cases of a suite.
fn cases<'a, 'input>(suite: Node<'a, 'input>) -> Vec<Node<'a, 'input>> {
    suite
        .children()
        .filter(|node| node.has_tag_name("testcase"))
        .collect()
}

fn count(node: Node<'_, '_>, name: &str) -> usize {
    cases(node)
        .iter()
        .filter(|case| case.children().any(|told| told.has_tag_name(name)))
        .count()
}

#[test]
fn junit_reports_fit_the_schema_and_lose_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/junit-4.xsd");
    let schema = fs::read_to_string(path).unwrap();
    let schema = Document::parse(&schema).unwrap();
    for folder in folders() {
        let text = check(&folder, "junit");
        let document = Document::parse(&text).unwrap();
        let wrong = xsd::misfits(&schema, document.root_element());
        assert!(
            wrong.is_empty(),
            "{}:\n{}",
            folder.display(),
            wrong.join("\n")
        );
        let report = check_json(&folder);
        let suites = document.root_element().children();
        let suites: Vec<_> = suites.filter(Node::is_element).collect();
        let specifications: Vec<_> = all(&report, "specifications").collect();
        assert_eq!(suites.len(), specifications.len());
        for (suite, one) in suites.iter().zip(specifications) {
            assert_eq!(suite.attribute("name"), one["name"].as_str());
            let cases = cases(*suite);
            for (name, number) in [
                ("tests", cases.len()),
                ("failures", count(*suite, "failure")),
                ("errors", count(*suite, "error")),
                ("skipped", count(*suite, "skipped")),
            ] {
                assert_eq!(suite.attribute(name), Some(number.to_string().as_str()));
            }
            let mut names: Vec<_> = cases
                .iter()
                .filter_map(|case| case.attribute("name"))
                .collect();
            for answer in all(one, "answers") {
                let [kind, subject, text] =
                    ["kind", "subject", "text"].map(|name| answer[name].as_str().unwrap());
                let is_asked = kind == "claim" && text.starts_with("question ");
                let kind = if is_asked { "question" } else { kind };
                assert!(
                    names.contains(&format!("{kind} {subject}").as_str()),
                    "{answer}"
                );
            }
            let number = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(
                names.len(),
                number,
                "cases with one name in {}",
                one["name"]
            );
            assert_told(*suite, one);
        }
    }
}

/// Whatever was found in a specification stands in its suite.
fn assert_told(suite: Node<'_, '_>, one: &Value) {
    for finding in all(one, "findings") {
        let print = finding["fingerprint"].as_str().unwrap();
        let fails = finding["status"] == "new" && finding["severity"] == "warning";
        let element = if fails { "failure" } else { "system-out" };
        let mut told = suite
            .descendants()
            .filter(|node| node.has_tag_name(element));
        assert!(
            told.any(|node| node.text().unwrap_or_default().contains(print)),
            "{finding}"
        );
    }
    for fault in all(one, "diagnostics") {
        let message = fault["message"].as_str().unwrap();
        assert!(
            suite
                .descendants()
                .any(|node| node.text().is_some_and(|text| text.contains(message))),
            "{message}"
        );
    }
}

#[test]
fn what_is_open_is_skipped_and_what_is_gone_fails() {
    let folders = folders();
    let text = check(&folders[1], "junit");
    let document = Document::parse(&text).unwrap();
    let report = check_json(&folders[1]);
    let open = each(&report, "answers").into_iter();
    let open = open.filter(|one| one["verdict"] == "unknown").count();
    let skipped = document
        .descendants()
        .filter(|node| node.has_tag_name("skipped"));
    let (unanswered, kinds): (Vec<&str>, Vec<&str>) = skipped
        .filter_map(|node| node.text())
        .partition(|text| text.starts_with("not answered: "));
    assert!(open > 0);
    assert_eq!(unanswered.len(), open);
    assert!(!kinds.is_empty());
    for text in kinds {
        assert!(text.starts_with("Not everything was looked at: "), "{text}");
    }
    let text = check(&folders[0], "junit");
    let document = Document::parse(&text).unwrap();
    let kinds: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("failure"))
        .filter_map(|node| node.attribute("type"))
        .collect();
    for kind in ["vanished", "unused accept", "F0610"] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
}

#[test]
fn the_validator_sees_what_does_not_fit() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/junit-4.xsd");
    let schema = fs::read_to_string(path).unwrap();
    let schema = Document::parse(&schema).unwrap();
    let suites = |inner: &str| format!("<testsuites>{inner}</testsuites>");
    let suite = |inner: &str| {
        suites(&format!(
            "<testsuite name='a' tests='1'>{inner}</testsuite>"
        ))
    };
    for (text, number) in [
        (
            suite("<testcase name='x'><skipped/><failure type='a'>b</failure></testcase>"),
            0,
        ),
        (
            suite("<testcase name='x'><failure/><skipped/></testcase>"),
            1,
        ),
        (suite("<testcase/>"), 1),
        (suite("<testcase name='x' line='3'/>"), 1),
        (suite("<testcase name='x'>text</testcase>"), 1),
        (suite("<case name='x'/>"), 2),
        (suites("<testsuite name='a'/>"), 1),
        (
            suite("<testcase name='x'><skipped/><skipped/></testcase>"),
            1,
        ),
    ] {
        let document = Document::parse(&text).unwrap();
        let wrong = xsd::misfits(&schema, document.root_element());
        assert_eq!(wrong.len(), number, "{text}: {wrong:?}");
    }
}

#[test]
fn what_is_asked_of_two_sequences_has_two_names() {
    let folder = crate::folder::empty("junit-sequences");
    let text = "game \"Two\"\nentity Card, explore 2\n  v: integer from 0 to 1\n\
        zone row of Card, unordered\nvar x: integer from 0 to 3\n\
        sequence sub\n  basis text\n  step inner\n    for each c in row, in any order\n      set x to c.v\n\
        sequence s1\n  basis text\n  step one\n    perform sub\n    set x to 0\n\
        sequence s2\n  basis text\n  step two\n    perform sub\n";
    fs::write(folder.join("game.endstep"), text).unwrap();
    let arguments = ["check", "game.endstep", "--format", "junit"];
    let text = crate::ci::run(&folder, &arguments, 1);
    let document = Document::parse(&text).unwrap();
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    let mut failing = Vec::new();
    let mut names = Vec::new();
    for case in cases {
        let name = case.attribute("name").unwrap();
        names.push(name);
        if case.children().any(|told| told.has_tag_name("failure")) {
            failing.push(name);
        }
    }
    assert_eq!(failing, ["order sub/inner/for each#1 in s2"]);
    assert!(
        names.contains(&"order sub/inner/for each#1 in s1"),
        "{names:?}"
    );
    let number = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), number);
}
