//! Command lines that would otherwise pass without having looked at anything, and
//! witnesses that say of themselves what they do not show.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const GAME: &str = "game \"Usage\"\n\
    entity Card, explore up to 2\n  health: integer, explore 0 to 1\n  worn: boolean, starts true\n\
    zone board of Card\n\
    sequence play\n  step hurt\n    for each c: Card in board\n      set n to c.health\n\
    var n: integer, starts 0\n\
    claim low: must n <= 0 after play\n";

fn folder(name: &str) -> PathBuf {
    let folder = crate::folder::empty(name);
    fs::write(folder.join("game.endstep"), GAME).unwrap();
    folder
}

/// Runs the command in a folder.
pub fn endstep(arguments: &[&str], folder: &Path) -> Output {
    let mut command = crate::endstep();
    command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// That a command ends with a code and says this.
pub fn fails(arguments: &[&str], folder: &Path, code: i32, message: &str) {
    let output = endstep(arguments, folder);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(error.contains(message), "{arguments:?}: {error}");
}

#[test]
fn what_matches_nothing_is_bad_usage() {
    let folder = folder("matches_nothing");
    for (option, value, message) in [
        (
            "--only",
            "hrut",
            "found `hrut`, expected the code of a finding such as F0201, or one of `low`",
        ),
        ("--only", "F9999", "found `F9999`, expected"),
        ("--only", "E0108", "found `E0108`, expected"),
        (
            "--scope",
            "Card.health=5",
            "found `5` for `Card.health`, expected a value that is explored, from 0 to 1",
        ),
        ("--scope", "Card.health=0,7", "found `7` for `Card.health`"),
        (
            "--scope",
            "Card.worn=false",
            "expected the value with which all boards start",
        ),
        (
            "--scope",
            "Card=65",
            "found 65 of `Card`, expected a number from 0 to 64",
        ),
        ("--scope", "Card=-1", "expected how many Card"),
    ] {
        fails(
            &["check", "game.endstep", option, value],
            &folder,
            64,
            message,
        );
    }
    for (option, value) in [
        ("--only", "F0201"),
        ("--only", "low"),
        ("--only", "play.hurt"),
        ("--only", "play/hurt/for each#1"),
        ("--scope", "Card.health=1"),
        ("--scope", "Card=3"),
    ] {
        let output = endstep(&["check", "game.endstep", option, value], &folder);
        assert_eq!(output.status.code(), Some(1), "{option} {value}");
    }
}

#[test]
fn an_unknown_fingerprint_is_bad_usage() {
    let folder = folder("unknown_fingerprint");
    let message = "no finding has a fingerprint that begins with `zzzz`: expected one of `";
    fails(&["replay", "game.endstep", "zzzz"], &folder, 64, message);
}

#[test]
fn an_edited_witness_is_refused() {
    let folder = folder("edited_witness");
    endstep(
        &["check", "game.endstep", "--save-witnesses", "saved"],
        &folder,
    );
    let mut seen = 0;
    for entry in fs::read_dir(folder.join("saved")).unwrap() {
        let whole: Value =
            serde_json::from_slice(&fs::read(entry.unwrap().path()).unwrap()).unwrap();
        let edited = folder.join("edited.json");
        fs::write(&edited, whole.to_string()).unwrap();
        let output = endstep(&["replay", "edited.json"], &folder);
        assert_eq!(output.status.code(), Some(0), "{whole:#}");
        for member in [
            "code",
            "fingerprint",
            "subject",
            "seal",
            "version",
            "witness",
            "specification",
        ] {
            for value in [json!("F0101"), json!(7), json!(null), json!({})] {
                let mut other = whole.clone();
                other[member] = value.clone();
                fs::write(&edited, other.to_string()).unwrap();
                let output = endstep(&["replay", "edited.json"], &folder);
                let error = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(66), "{member}: {value}: {error}");
                assert!(output.stdout.is_empty(), "{member}: {value}");
                for jargon in ["Saved", "struct", "variant", "u32", "map"] {
                    assert!(!error.contains(jargon), "{error}");
                }
            }
            let mut other = whole.clone();
            other.as_object_mut().unwrap().remove(member);
            fs::write(&edited, other.to_string()).unwrap();
            fails(&["replay", "edited.json"], &folder, 66, "edited.json");
        }
        for (from, to) in [
            ("\"claim\":\"low\"", "\"claim\":\"none\""),
            ("\"fixed\":0", "\"fixed\":1"),
        ] {
            fs::write(&edited, whole.to_string().replace(from, to)).unwrap();
            if whole.to_string().contains(from) {
                fails(
                    &["replay", "edited.json"],
                    &folder,
                    66,
                    "it was changed after it was saved",
                );
                seen += 1;
            }
        }
    }
    assert!(seen >= 1, "{seen} edits of witnesses");
}

#[test]
fn a_run_that_is_given_up_is_inconclusive() {
    let folder = folder("given_up");
    let game = "game \"g\"\nvar n: integer, explore 0 to 0, reach 0 to 2\n\
        sequence play\n  step t\n    repeat until n > 9\n      increase n by 1\n";
    fs::write(folder.join("far.endstep"), game).unwrap();
    let output = endstep(&["run", "far.endstep"], &folder);
    assert_eq!(output.status.code(), Some(2));
    let output = endstep(&["run", "far.endstep", "-i"], &folder);
    assert_eq!(output.status.code(), Some(2));
    fails(
        &["run", "far.endstep", "--board", "0"],
        &folder,
        64,
        "found board 0, expected a number from 1 to 1",
    );
}

#[test]
fn expected_findings_do_not_answer_what_is_unknown() {
    let folder = folder("unknown");
    let game = "game \"g\"\nvar n: integer, explore 0 to 0, reach 0 to 2\n\
        sequence play\n  step t\n    repeat until n > 9\n      increase n by 1\n";
    fs::write(folder.join("far.endstep"), game).unwrap();
    for (file, code, open) in [
        ("far", 2, "1 question is open"),
        ("game", 0, "expected finding"),
    ] {
        let file = format!("{file}.endstep");
        let output = endstep(&["check", "--update-expected", &file], &folder);
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(open), "{said}");
        let output = endstep(&["check", "--quiet", &file], &folder);
        assert_eq!(output.status.code(), Some(code));
    }
}

#[test]
fn all_that_holds_is_listed_on_demand() {
    let folder = folder("all");
    let claim = |n: u32| format!("claim low_{n}: must n < {n} after play\n");
    let claims: String = (2..20).map(claim).collect();
    fs::write(folder.join("many.endstep"), format!("{GAME}{claims}")).unwrap();
    let said = |options: &[&str]| {
        let output = endstep(&[&["check", "many.endstep"], options].concat(), &folder);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let (some, all) = (said(&[]), said(&["--all"]));
    assert!(some.contains("more; --all lists them"), "{some}");
    assert!(!some.contains("low_19"), "{some}");
    assert!(all.contains("low_19") && !all.contains(" more"), "{all}");
}

#[test]
fn old_line_ends_are_read() {
    let folder = folder("line_ends");
    for (name, end) in [("cr", "\r"), ("crlf", "\r\n")] {
        let file = format!("{name}.endstep");
        fs::write(folder.join(&file), GAME.replace('\n', end)).unwrap();
        let output = endstep(&["check", "--quiet", &file], &folder);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_left_out_of_a_folder() {
    let folder = folder("no_file");
    let made = Command::new("mkfifo")
        .arg("pipe.endstep")
        .current_dir(&folder)
        .status();
    assert!(made.unwrap().success());
    fails(
        &["check", "."],
        &folder,
        1,
        "pipe.endstep` is left out: it is no file",
    );
    let output = endstep(&["check", "game.endstep", "game.endstep"], &folder);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(
        shown.ends_with("\nexit code 1: something is new, or not as it was written down\n"),
        "{shown}"
    );
    fs::write(folder.join("empty.txt"), "").unwrap();
    let output = endstep(&["init", "new", "--from", "empty.txt"], &folder);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error, "warning: found no sentence in `empty.txt`\n");
}

#[test]
fn answers_that_are_no_text_are_an_input_error() {
    use std::io::Write;
    use std::process::Stdio;
    let folder = folder("no_text");
    let mut child = crate::endstep()
        .args(["run", "game.endstep", "-i", "--board", "7"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"\xff\xfe\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(66));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read the answer"));
}

#[test]
fn an_example_that_fixes_a_reading_is_no_part() {
    let folder = crate::folder::empty("usage-example");
    let example = |name: &str, reading: &str| {
        format!(
            "example {name}\n  given\n    x = 1\n{reading}  perform s\n  expect possible x = 1\n"
        )
    };
    let text = format!(
        "game \"Read\"\nvar x: integer, explore 0 to 1\nreading r\n  a \"one\"\n  b \"two\"\n\
         sequence s\n  basis text\n  step one\n    set x to per r (a: 0 | b: 1)\n{}{}",
        example("own", "  reading r is b\n"),
        example("open", "")
    );
    fs::write(folder.join("game.endstep"), text).unwrap();
    let output = endstep(&["check", "game.endstep", "--reading", "r=a"], &folder);
    let text = String::from_utf8_lossy(&output.stdout);
    let explored = &text[text.find("\nExplored\n").unwrap()..];
    let line = |name: &str| -> &str {
        let mut lines = explored.lines();
        lines
            .find(|line| line.contains(&format!("the example \"{name}\"")))
            .unwrap()
    };
    assert!(!line("own").contains("a part only"), "{explored}");
    assert!(line("open").contains("; a part only: r = a"), "{explored}");
}
