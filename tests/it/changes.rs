//! `endstep diff` and `check --watch`: what an edit of the rules means, between files and revisions.

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::ci::{folder, run};
use crate::usage::endstep;

fn order() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/check.in/order.endstep");
    fs::read_to_string(path).unwrap()
}

fn mended() -> String {
    order().replace(", rechecked", "")
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    let mut command = Command::new("git");
    let output = command
        .args(identity)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
}

/// A repository with two versions of a game: the second is not committed.
fn repository(name: &str) -> PathBuf {
    let folder = folder(name);
    git(&folder, &["init", "-q"]);
    fs::create_dir_all(folder.join("rules/parts")).unwrap();
    // The document is in a part of its own, which changes.
    let split = |text: &str| {
        let at = text.find("document").unwrap();
        (
            format!("{}include \"parts/../parts/text.endstep\"\n", &text[..at]),
            text[at..].to_owned(),
        )
    };
    let (head, text) = split(&order());
    fs::write(folder.join("rules/game.endstep"), head).unwrap();
    fs::write(folder.join("rules/parts/text.endstep"), text).unwrap();
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "one"]);
    git(&folder, &["tag", "v1"]);
    fs::write(folder.join("rules/parts/text.endstep"), split(&mended()).1).unwrap();
    folder
}

#[test]
fn what_is_mended_is_no_longer_so_and_turns_verdicts() {
    let folder = folder("diff");
    fs::write(folder.join("old.endstep"), order()).unwrap();
    fs::write(folder.join("new.endstep"), mended()).unwrap();
    let text = run(&folder, &["diff", "old.endstep", "new.endstep"], 1);
    assert!(
        text.starts_with("old.endstep -> new.endstep\n\nNo longer so\n\nF0610  a claim"),
        "{text}"
    );
    for part in [
        "    fighter 1  1       arena\n",
        "  claim any_order: refuted -> proved\n",
        "  order round/blows/for each#1: refuted -> proved\n",
        "findings: 0 new, 2 gone, 0 otherwise; verdicts: 2 changed\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("F0101"), "{text}");
    let json = run(
        &folder,
        &["diff", "new.endstep", "old.endstep", "--format", "json"],
        1,
    );
    let json: Value = serde_json::from_str(&json).unwrap();
    let codes = |name: &str| -> Vec<&str> {
        let all = json["findings"][name].as_array().unwrap().iter();
        all.map(|one| one["code"].as_str().unwrap()).collect()
    };
    assert_eq!(codes("new"), ["F0610", "F0201"]);
    assert!(json["findings"]["new"][0]["witness"]["runs"][1]["board"].is_object());
    assert_eq!((codes("gone").len(), codes("altered").len()), (0, 0));
    let verdict = &json["verdicts"][0];
    assert_eq!(verdict["subject"], "any_order");
    assert_eq!(
        (&verdict["old"], &verdict["new"]),
        (&"proved".into(), &"refuted".into())
    );
}

#[test]
fn an_edit_that_means_nothing_shows_nothing() {
    let folder = folder("no_diff");
    fs::write(folder.join("old.endstep"), order()).unwrap();
    let edited = order()
        .replace("each f:", "each fighter:")
        .replace("where f.", "where fighter.");
    let edited = edited
        .replace("other != f", "other != fighter")
        .replace("  ", "    ");
    fs::write(
        folder.join("new.endstep"),
        format!("-- Once more.\n\n{edited}"),
    )
    .unwrap();
    let text = run(&folder, &["diff", "old.endstep", "new.endstep"], 0);
    let nothing = "findings: 0 new, 0 gone, 0 otherwise; verdicts: 0 changed\n";
    assert_eq!(text, format!("old.endstep -> new.endstep\n\n{nothing}"));
}

#[test]
fn a_finding_on_other_boards_is_another_finding_of_the_same_name() {
    let folder = folder("otherwise");
    fs::write(folder.join("old.endstep"), order()).unwrap();
    let edited = order().replace("explore 0 to 1", "explore 0 to 2");
    assert_ne!(edited, order());
    fs::write(folder.join("new.endstep"), edited).unwrap();
    let text = run(
        &folder,
        &["diff", "old.endstep", "new.endstep", "--quiet"],
        1,
    );
    assert!(
        text.contains("Found in both, but otherwise\n  F0610 at any_order\n"),
        "{text}"
    );
    assert!(
        text.contains("    which boards, before: just those on which"),
        "{text}"
    );
    assert!(text.contains("    which boards, now: "), "{text}");
    assert!(
        text.contains("findings: 0 new, 0 gone, 2 otherwise; verdicts: 0 changed\n"),
        "{text}"
    );
}

#[test]
fn revisions_are_compared_with_all_that_they_include() {
    let folder = repository("revisions");
    let text = run(
        &folder,
        &[
            "diff",
            "HEAD:rules/game.endstep",
            "rules/game.endstep",
            "-q",
        ],
        1,
    );
    assert!(
        text.contains("HEAD:rules/game.endstep -> rules/game.endstep"),
        "{text}"
    );
    assert!(text.contains("findings: 0 new, 2 gone"), "{text}");
    git(&folder, &["commit", "-qam", "two"]);
    let inside = folder.join("rules");
    let text = run(
        &inside,
        &["diff", "v1:game.endstep", "HEAD:./game.endstep", "-q"],
        1,
    );
    assert!(
        text.contains("v1:game.endstep -> HEAD:game.endstep"),
        "{text}"
    );
    assert!(
        text.contains("claim any_order: refuted -> proved"),
        "{text}"
    );
    run(
        &folder,
        &["diff", "HEAD:rules/game.endstep", "rules/game.endstep"],
        0,
    );
    for (wrong, message) in [
        ("v7:rules/game.endstep", "git says"),
        ("HEAD:nowhere.endstep", "git says"),
        ("nowhere.endstep", "cannot read `nowhere.endstep`"),
    ] {
        let output = endstep(&["diff", wrong, "rules/game.endstep"], &folder);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(66), "{wrong}: {error}");
        assert!(error.contains(message), "{wrong}: {error}");
    }
    fs::write(folder.join("broken.endstep"), "game\n").unwrap();
    let output = endstep(&["diff", "rules/game.endstep", "broken.endstep"], &folder);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn what_is_watched_is_checked_again_when_a_part_changes() {
    let folder = repository("watch");
    let mut child = Command::new(env!("CARGO_BIN_EXE_endstep"))
        .args(["check", "rules/game.endstep", "--watch", "--quiet"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let mut until_watching = || -> Vec<String> {
        let mut seen = Vec::new();
        for line in lines.by_ref() {
            let ends = line.contains("watching for changes");
            seen.push(line);
            if ends {
                break;
            }
        }
        seen
    };
    // Whole at once: half of a file would be checked, too.
    let replace = |text: &str| {
        fs::write(folder.join("next"), text).unwrap();
        fs::rename(folder.join("next"), folder.join("rules/parts/text.endstep")).unwrap();
    };
    let first = until_watching();
    replace("document rules \"x\"\n");
    let second = until_watching();
    let text = order();
    replace(&text[text.find("document").unwrap()..]);
    let third = until_watching();
    child.kill().unwrap();
    child.wait().unwrap();
    let last = |lines: &[String]| lines.last().cloned().unwrap_or_default();
    assert_eq!(
        last(&first),
        "exit code 0; watching for changes, Ctrl-C stops"
    );
    assert!(last(&second).starts_with("exit code "), "{second:?}");
    assert_eq!(
        last(&third),
        "exit code 1; watching for changes, Ctrl-C stops"
    );
    assert!(third.iter().any(|line| line.contains("F0610")), "{third:?}");
}
