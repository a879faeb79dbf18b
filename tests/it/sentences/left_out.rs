//! Formats, pages and differences that did not say that something was left out: boards that were given up, other
//! readings, what an option or a limit kept from being looked at.

use super::{never_says, printed, says};
use crate::folder::empty;
use crate::usage::endstep;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Half of an odd number is asked for if n is 2 or 3; from n = 2 a number leaves the reach before.
const AWAY: &str = r#"game "Told"
player Player, explore 1
var n: integer, explore 0 to 3
var m: integer from 0 to 9, starts 0
sequence s
  step a
    if n > 0
      set m to 3
  step b
    if n = 2
      set n to 400
  step c
    if n > 1
      set m to half of m
verify s
"#;

/// Under one way to read it, half of an odd number is asked for if n is 1 or 2.
const READ: &str = r#"game "Told"
player Player, explore 1
var n: integer from 0 to 2
var m: integer from 0 to 9, starts 3
reading r
  one "one"
  two "two"
sequence s
  step a
    if n > 0 and r is two
      set m to half of m
verify s
question odd: reachable m = 3 in s
"#;

/// A folder with files.
pub(super) fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = empty(name);
    for (file, text) in files {
        fs::write(folder.join(file), text).unwrap();
    }
    folder
}

/// The first boards only.
const FEW_BOARDS: (&str, &str) = (
    "endstep.toml",
    "specifications = [\"told.endstep\"]\n[limits]\nboards = 2\n",
);

/// What a command prints, as words with one space between them, and its exit code.
pub(super) fn said(folder: &Path, arguments: &[&str]) -> (String, i32) {
    let output = endstep(arguments, folder);
    let text = String::from_utf8(output.stdout).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (text, output.status.code().unwrap())
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = endstep(arguments, folder);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_format_says_on_which_boards_in_the_words_of_the_text() {
    let given_up = "at least 1 of 4 legal boards that were tried";
    let known = "just those on which n is 3, as far as it was seen: some boards were given up";
    let under = "2 of 3 legal boards, only if r = two";
    let text = printed("left-out-text", AWAY, &["check", "told.endstep"]);
    says(&text, &format!("occurs on: {given_up}"));
    says(&text, &format!("which ones: {known}"));
    for format in ["github", "sarif", "junit"] {
        let arguments = ["check", "told.endstep", "--format", format];
        let text = printed(&format!("left-out-{format}"), AWAY, &arguments);
        says(&text, &format!("It occurs on {given_up}: {known}."));
        let text = printed(&format!("left-out-{format}"), READ, &arguments);
        let told = format!("It occurs on {under}: just those on which n is not 0.");
        says(&text, &told);
    }
}

#[test]
fn every_format_says_of_boards_that_were_not_tried() {
    let text = READ.replace("n > 0 and", "n < 1 and");
    let folder = folder("left-out-tried", &[("told.endstep", &text), FEW_BOARDS]);
    for format in ["github", "sarif", "junit"] {
        let (text, _) = said(&folder, &["check", "--format", format]);
        says(
            &text,
            "It occurs on 1 of 2 legal boards that were tried, found only if r = two",
        );
    }
}

#[test]
fn boards_that_were_given_up_are_no_difference() {
    let other = AWAY.replace("if n = 2", "if n = 3");
    let folder = folder(
        "left-out-given-up",
        &[("old.endstep", AWAY), ("new.endstep", &other)],
    );
    let (text, exit) = said(&folder, &["diff", "old.endstep", "new.endstep"]);
    says(
        &text,
        "Neither version could be checked completely. On how many boards a finding occurs, and on which, is \
         compared only where that is known of both versions.",
    );
    says(&text, "0 otherwise");
    assert_eq!(exit, 2, "{text}");
}

#[test]
fn at_least_so_many_boards_are_more_than_fewer() {
    let few = AWAY
        .replace("if n = 2", "if n > 9")
        .replace("n > 1", "n = 3");
    let more = AWAY.replace("explore 0 to 3", "explore 0 to 5");
    let folder = folder(
        "left-out-more",
        &[("old.endstep", &few), ("new.endstep", &more)],
    );
    let (text, _) = said(&folder, &["diff", "old.endstep", "new.endstep"]);
    says(&text, "The new version could not be checked completely.");
    says(
        &text,
        "on how many boards, before: 1 of 4 legal boards on how",
    );
    says(
        &text,
        "on how many boards, now: at least 3 of 6 legal boards that were tried",
    );
    never_says(&text, "which boards");
}

#[test]
fn what_the_old_version_may_have_had_is_not_called_new() {
    let only_away = AWAY.replace("if n > 1", "if n = 2");
    let whole = AWAY.replace("if n = 2", "if n > 9");
    let folder = folder(
        "left-out-old",
        &[("old.endstep", &only_away), ("new.endstep", &whole)],
    );
    let (text, _) = said(&folder, &["diff", "old.endstep", "new.endstep"]);
    says(&text, "The old version could not be checked completely.");
    says(
        &text,
        "Found only now (the old version could not be checked completely) F0302",
    );
    says(&text, "findings: 3 found only now, 0 gone, 0 otherwise");
    let (text, _) = said(&folder, &["diff", "new.endstep", "old.endstep"]);
    says(&text, "findings: 0 new, 3 no longer found, 0 otherwise");
    let found = json(
        &folder,
        &["diff", "old.endstep", "new.endstep", "--format", "json"],
    );
    assert_eq!(found["complete"]["old"], false);
    assert_eq!(found["complete"]["new"], true);
    // Of what was looked at as a whole, nothing of this is said.
    let less = whole.replace("half of m", "2");
    fs::write(folder.join("old.endstep"), less).unwrap();
    let (text, _) = said(&folder, &["diff", "old.endstep", "new.endstep"]);
    says(&text, "old.endstep -> new.endstep New F0302");
    says(&text, "No longer found F0702");
    says(&text, "findings: 1 new, 1 gone, 0 otherwise");
}

/// Where there is no board, there is nothing more to be looked at.
#[test]
fn where_there_is_no_board_nothing_was_left_out() {
    let empty = "sequence t\n  step a\n    nothing\nverify t where n > 5\n";
    let old = READ.to_owned() + empty;
    let new = old.replace("half of m", "2");
    let folder = folder(
        "left-out-empty",
        &[("told.endstep", &old), ("new.endstep", &new)],
    );
    let (text, _) = said(&folder, &["diff", "told.endstep", "new.endstep"]);
    says(&text, "No longer found F0302");
    never_says(&text, "completely");
    said(&folder, &["check", "--update-expected", "told.endstep"]);
    fs::write(folder.join("told.endstep"), &new).unwrap();
    let (text, _) = said(&folder, &["check", "told.endstep"]);
    says(&text, "F0302 at s/a/set#1 was known and is gone");
}

#[test]
fn a_difference_of_parts_says_that_it_is_one() {
    let other = READ.replace("n > 0 and r is two", "n > 0 and r is one");
    let folder = folder(
        "left-out-part",
        &[("old.endstep", READ), ("new.endstep", &other)],
    );
    let diff = ["diff", "old.endstep", "new.endstep"];
    let with = |more: &[&'static str]| [&diff[..], more].concat();
    let (text, _) = said(&folder, &with(&["--reading", "r=one"]));
    says(
        &text,
        "old.endstep -> new.endstep Only a part was explored: `--reading r=one`. Boards that the prover \
         suggests were not tried, nor claims on boards of the file that they do not name. New in this part F0302",
    );
    let (text, _) = said(&folder, &with(&["--reading", "r=two"]));
    says(&text, "No longer found in this part F0302");
    let (text, _) = said(&folder, &with(&["--only", "F0610"]));
    says(&text, "Other findings are not shown: `--only F0610`.");
    let part = with(&["--reading", "r=one", "--only", "F0302", "--format", "json"]);
    assert_eq!(
        json(&folder, &part)["restrictions"],
        serde_json::json!(["--reading r=one", "--only F0302"])
    );
    let (text, _) = said(&folder, &diff);
    never_says(&text, "part");
}

#[test]
fn after_a_limit_nothing_that_was_not_found_is_gone() {
    let text = READ.replace("n > 0 and", "n > 1 and");
    let accepting = text.replace("verify s", "verify s\naccept F0302 because \"known\"");
    let folder = folder("left-out-gone", &[("told.endstep", &text)]);
    said(&folder, &["check", "--update-expected", "told.endstep"]);
    fs::write(folder.join(FEW_BOARDS.0), FEW_BOARDS.1).unwrap();
    let (told, exit) = said(&folder, &["check"]);
    let missed =
        "F0302 at s/a/set#1 was known and was not found, but not everything could be looked at";
    says(&told, missed);
    never_says(&told, "gone");
    assert_eq!(exit, 2, "{told}");
    for format in ["github", "sarif", "junit"] {
        let (told, _) = said(&folder, &["check", "--format", format]);
        says(&told, missed);
        never_says(&told, "is gone");
        never_says(&told, "failure ");
    }
    let found = json(&folder, &["check", "--format", "json"]);
    let found = &found["specifications"][0];
    assert_eq!(found["vanished"], serde_json::json!([]));
    assert_eq!(found["unfound"]["expected"][0]["code"], "F0302");
    let (told, _) = said(&folder, &["report", "told.endstep"]);
    never_says(&told, "was known and is gone");

    fs::write(folder.join("told.endstep"), &accepting).unwrap();
    let (told, exit) = said(&folder, &["check"]);
    says(
        &told,
        "covers nothing, but not everything could be looked at",
    );
    assert_eq!(exit, 2, "{told}");

    // Without the limit both are found; without what shows it, both are gone.
    fs::remove_file(folder.join(FEW_BOARDS.0)).unwrap();
    let (told, _) = said(&folder, &["check", "told.endstep"]);
    never_says(&told, "not everything");
    let whole = accepting.replace("half of m", "m");
    fs::write(folder.join("told.endstep"), whole).unwrap();
    let (told, exit) = said(&folder, &["check", "told.endstep"]);
    says(&told, "F0302 at s/a/set#1 was known and is gone");
    says(&told, "2 known findings are gone; 1 accept covers nothing");
    assert_eq!(exit, 1, "{told}");
}

#[test]
fn a_page_after_a_limit_does_not_speak_of_every_board() {
    let text = READ.replace("n > 0 and", "n > 1 and");
    let folder = folder("left-out-page", &[("told.endstep", &text)]);
    let page = |arguments: &[&str]| said(&folder, arguments).0;
    let whole = page(&["report", "told.endstep"]);
    says(
        &whole,
        "every legal board, and every run from it, for s with 1 Player.",
    );
    let away = AWAY.replace("if n > 1", "if n = 2");
    fs::write(folder.join("told.endstep"), away).unwrap();
    let limited = page(&["report", "told.endstep"]);
    says(
        &limited,
        "legal boards, and runs from them, for s with 1 Player. Not all of them could be looked at; ",
    );
    page(&["report", "told.endstep", "-o", "site/"]);
    let site = fs::read_to_string(folder.join("site/told/index.html")).unwrap();
    says(&site, "<h2>No problems in what was tried</h2>");
    says(&site, "Not everything could be looked at.");
    let home = fs::read_to_string(folder.join("site/index.html")).unwrap();
    says(
        &home,
        "Nothing was found that is more than a note. Not everything could be looked at.",
    );
}

#[test]
fn a_reading_that_nobody_sees_makes_no_difference_to_those() {
    let text = r#"game "Told"
var k: integer from 0 to 9, explore 0 to 1
var hidden: integer from 0 to 9, starts 0
reading r
  one "one"
  two "two"
observer o "table"
  sees k
sequence s
  step b
    set hidden to per r (one: 1 | two: 2)
verify s observing o
"#;
    let page = printed("left-out-seen", text, &["report", "told.endstep"]);
    let alike = "whichever is meant, everything verified comes out the same on every board in scope that was tried";
    says(&page, &format!("{alike} (comparing only what \"o\" sees)"));
    let open = text.replace("sees k", "sees k, hidden");
    let page = printed("left-out-seen", &open, &["report", "told.endstep"]);
    never_says(&page, alike);
}

#[test]
fn what_can_happen_is_shown_under_the_readings_of_its_run() {
    let text = READ.replace("half of m", "5") + "question five: reachable m = 5 in s\n";
    let folder = folder("left-out-shown", &[("told.endstep", &text)]);
    said(&folder, &["report", "told.endstep", "-o", "site/"]);
    let matrix = fs::read(folder.join("site/told/readings.json")).unwrap();
    let matrix: Value = serde_json::from_slice(&matrix).unwrap();
    assert_eq!(
        matrix["shown"],
        serde_json::json!([{ "name": "five", "under": "r = two" }])
    );
    // Its run comes to no place where it makes a difference.
    assert_eq!(matrix["independent"], serde_json::json!(["odd"]));
    let page = fs::read_to_string(folder.join("site/told/readings.html")).unwrap();
    says(&page, "whether it can happen under others was not asked");
    says(&page, "<dt>five</dt><dd>r = two</dd>");
}

/// How a case of a report came out.
pub(super) fn case<'d>(report: &'d roxmltree::Document<'_>, name: &str) -> Option<&'d str> {
    let mut cases = report.descendants();
    let case = cases.find(|node| {
        node.attribute("name")
            .is_some_and(|one| one.starts_with(name))
    });
    let case = case.unwrap_or_else(|| panic!("no case {name}"));
    let skipped = case.children().find(|node| node.has_tag_name("skipped"));
    skipped.and_then(|node| node.text())
}

#[test]
fn kinds_that_were_not_looked_at_do_not_pass() {
    let text = READ.replace("n > 0 and", "n > 1 and");
    let folder = folder("left-out-kinds", &[("told.endstep", &text)]);
    let report = |arguments: &[&str]| {
        let arguments = [&["check", "--format", "junit"], arguments].concat();
        String::from_utf8(endstep(&arguments, &folder).stdout).unwrap()
    };
    let whole = report(&["told.endstep"]);
    let whole = roxmltree::Document::parse(&whole).unwrap();
    assert_eq!(case(&whole, "F0401"), None);
    assert_eq!(case(&whole, "F0201"), None);

    let only = report(&["told.endstep", "--only", "odd"]);
    let only = roxmltree::Document::parse(&only).unwrap();
    let why = Some("Other findings are not shown: `--only odd`.");
    assert_eq!(case(&only, "F0101"), why);
    assert_eq!(case(&only, "F0302"), why);

    let code = report(&["told.endstep", "--only", "F0201"]);
    let code = roxmltree::Document::parse(&code).unwrap();
    assert_eq!(case(&code, "F0201"), None);
    assert!(case(&code, "F0302").is_some());

    let part = report(&["told.endstep", "--reading", "r=one"]);
    let part = roxmltree::Document::parse(&part).unwrap();
    let why = Some("Only a part was explored: `--reading r=one`.");
    assert_eq!(case(&part, "F0302"), why);
    assert_eq!(case(&part, "F0101"), None);

    fs::write(folder.join(FEW_BOARDS.0), FEW_BOARDS.1).unwrap();
    let limited = report(&[]);
    let limited = roxmltree::Document::parse(&limited).unwrap();
    let why = Some("Not everything was looked at: there are more than 2 boards.");
    assert_eq!(case(&limited, "F0302"), why);
    // What the text alone shows.
    assert_eq!(case(&limited, "F0101"), None);
}
