//! Who interrupts a check is shown what was known by then, and never that all is well.
#![cfg(unix)]

use super::{LIMIT, QUIET, end, start};
use crate::folder::empty;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A specification with more boards than anybody waits for.
const LONG: &str = "game \"Long\"\nentity Card, explore up to 5\n  \
    health: integer, explore 0 to 9, reach 0 to 9\nzone board of Card\n\
    sequence play\n  step hurt\n    for each c: Card in board where c.health > 0, in any order\n      \
    decrease c.health by 1\n      move c to bottom of board\nverify play\n";

fn folder(name: &str) -> PathBuf {
    let folder = empty(&format!("robust/{name}"));
    fs::write(folder.join("a.endstep"), QUIET).unwrap();
    fs::write(folder.join("b.endstep"), LONG).unwrap();
    fs::write(folder.join("c.endstep"), QUIET).unwrap();
    folder
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([name, &id])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn an_interrupted_check_tells_what_it_knew() {
    let folder = folder("interrupt");
    for name in ["-TERM", "-INT"] {
        let mut child = start(&["check", "."], &folder);
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut shown = String::new();
        while !shown.contains("no findings") {
            assert!(lines.read_line(&mut shown).unwrap() > 0, "{shown}");
        }
        signal(&child, name);
        let since = Instant::now();
        lines.read_to_string(&mut shown).unwrap();
        let output = end(child);
        assert!(since.elapsed() < LIMIT);
        assert_eq!(output.status.code(), Some(130), "{shown}");
        let error = String::from_utf8_lossy(&output.stderr);
        for name in ["b", "c"] {
            let told = format!("the check of `{name}.endstep` was interrupted");
            assert!(error.contains(&told), "{error}");
        }
        assert!(shown.starts_with("Quiet (a.endstep)"), "{shown}");
        let last = "\nexit code 130: the check was interrupted: what is shown is not all\n";
        assert!(shown.ends_with(last), "{shown}");
    }
}

#[test]
fn whoever_interrupts_a_trial_of_mutants_gets_those_that_were_tried() {
    let folder = folder("mutants");
    let child = start(&["mutate", "b.endstep", "--jobs", "1"], &folder);
    sleep(Duration::from_secs(3));
    signal(&child, "-TERM");
    let output = end(child);
    let shown = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{shown}{error}");
    assert!(
        error.contains("the trial of `b.endstep` was interrupted: what is shown is not all"),
        "{error}"
    );
    assert!(shown.contains(" (of "), "{shown}");
}

#[test]
fn no_format_takes_an_interrupted_check_for_a_whole_one() {
    let folder = folder("formats");
    for format in ["json", "sarif", "junit", "github"] {
        let mut child = start(
            &["check", "b.endstep", "c.endstep", "--format", format],
            &folder,
        );
        // Not before there is somebody to heed it.
        sleep(Duration::from_secs(3));
        assert!(child.try_wait().unwrap().is_none());
        signal(&child, "-TERM");
        let output = end(child);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{format}: {text}");
        assert!(text.contains("E0005"), "{format}: {text}");
        if format == "json" {
            let report: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(report["exit"], 130);
            let all = report["specifications"].as_array().unwrap();
            assert!(all.len() == 2 && all[1]["compiled"] == false, "{text}");
        }
    }
}

#[test]
fn an_interrupted_check_updates_nothing_and_is_no_part() {
    let folder = folder("part");
    for arguments in [
        &["check", "b.endstep", "--update-expected"][..],
        &[
            "check",
            "b.endstep",
            "--baseline",
            "all.json",
            "--update-baseline",
        ],
        &["check", "b.endstep", "--shard", "1/1"],
    ] {
        let child = start(arguments, &folder);
        sleep(Duration::from_secs(3));
        signal(&child, "-TERM");
        let output = end(child);
        assert_eq!(output.status.code(), Some(130), "{arguments:?}");
        fs::write(folder.join("part"), output.stdout).unwrap();
    }
    assert!(!folder.join("b.expected.json").exists() && !folder.join("all.json").exists());
    super::ends(&["merge", "part"], &folder, 66, "it was interrupted");
}
