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
        text.starts_with("old.endstep -> new.endstep\n\nNo longer found\n\nF0610  a claim"),
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
        text.contains("Not the same was looked at: what is explored of health of Fighter differs."),
        "{text}"
    );
    assert!(
        text.contains(", 2 otherwise; verdicts: 0 changed\n"),
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
    let mut child = crate::endstep()
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

/// A folder with two versions.
fn versions(name: &str, old: &str, new: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("old.endstep"), old).unwrap();
    fs::write(folder.join("new.endstep"), new).unwrap();
    folder
}

/// What `diff` says of two versions; nothing may differ, or something has to.
fn differing(name: &str, (old, new): (&str, &str), differs: bool) -> String {
    let folder = versions(name, old, new);
    let quiet = ["diff", "old.endstep", "new.endstep", "--quiet"];
    run(&folder, &quiet, i32::from(differs))
}

/// Two sequences with a reading each; which of the two depends on it is left open.
fn readings(first: &str, second: &str, verify: &str) -> String {
    format!(
        "game \"Two\"\nvar x: integer from 0 to 3\nvar y: integer from 0 to 3\n\
         reading r\n  a \"one\"\n  b \"two\"\n\
         sequence s1\n  basis text\n  step one\n    set x to per r (a: 1 | b: {first})\n\
         sequence s2\n  basis text\n  step two\n    set y to per r (a: 1 | b: {second})\n{verify}"
    )
}

#[test]
fn another_contract_that_stands_for_a_sequence_is_told() {
    let promising = |most: &str, least: &str| {
        format!(
            "game \"Two\"\nvar n: integer from 0 to 9, starts 3\nsequence inner\n  contract\n    \
             changes n within 0 to {most}\n    ensures n >= {least}\n  step x\n    set n to 2\n\
             sequence s\n  step a\n    perform inner\nverify s with inner by contract\n"
        )
    };
    let old = promising("3", "0");
    for (name, new) in [
        ("ensures", promising("3", "2")),
        ("within", promising("2", "0")),
    ] {
        let text = differing(&format!("diff-contract-{name}"), (&old, &new), false);
        assert!(
            text.contains("Not the same was looked at: the `verify` of s differs."),
            "{text}"
        );
    }
}

#[test]
fn each_sequence_has_an_answer_of_its_own() {
    let (alike, apart) = ("min(1, 2)", "2");
    let texts = (readings(apart, alike, ""), readings(alike, apart, ""));
    let text = differing("diff-sequences", (&texts.0, &texts.1), true);
    for part in [
        "  reading r in s1: refuted -> holds in scope\n",
        "  reading r in s2: holds in scope -> refuted\n",
        "on how many boards in s2, before: none\n",
        "verdicts: 2 changed\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let both = readings(apart, apart, "");
    let text = differing("diff-sequences-both", (&both, &texts.1), true);
    assert!(text.contains("  reading r in s1: refuted -> holds in scope\n"));
    assert!(text.contains("verdicts: 1 changed\n"), "{text}");
    let folder = versions("diff-sequences-json", &both, &texts.1);
    let json = run(
        &folder,
        &["diff", "old.endstep", "new.endstep", "--format", "json"],
        1,
    );
    let json: Value = serde_json::from_str(&json).unwrap();
    let turned = &json["verdicts"][0];
    assert_eq!(
        (&turned["subject"], &turned["sequence"]),
        (&"r".into(), &"s1".into())
    );
    // The order of what is verified is nothing that differs.
    let [one, other] = ["verify s1\nverify s2\n", "verify s2\nverify s1\n"]
        .map(|verify| readings(apart, alike, verify));
    differing("diff-verify", (&one, &other), false);
}

#[test]
fn mutants_that_one_of_two_sequences_tells_are_killed() {
    let folder = folder("mutate-sequences");
    fs::write(folder.join("game.endstep"), readings("2", "2", "")).unwrap();
    // With 1 instead of 2 the reading no longer matters in s1, and still does in s2.
    let json = endstep(&["mutate", "game.endstep", "--format", "json"], &folder);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let mutants = json["mutants"].as_array().unwrap();
    let alike = mutants
        .iter()
        .filter(|one| one["text"].as_str().unwrap().contains("`2` becomes `1`"));
    let fates: Vec<&str> = alike.map(|one| one["fate"].as_str().unwrap()).collect();
    assert_eq!(fates, ["killed", "killed"], "{json:#}");
}

#[test]
fn an_example_whose_board_is_not_legal_is_on_none_of_the_legal_boards() {
    let folder = folder("diff-illegal-example");
    let text = |small: u32, end: u32| {
        format!(
            "game \"M\"\nvar n: integer from 0 to 9, explore 0 to 1\nlegal small: n < {small}\nsequence s\n  step a\n    \
             increase n by 1\nverify s\nexample ex\n  given\n    n = 3\n  perform s\n  expect n = {end}\n"
        )
    };
    for (name, small, end) in [("old", 5, 3), ("new", 2, 3), ("fine", 2, 4)] {
        fs::write(folder.join(format!("{name}.endstep")), text(small, end)).unwrap();
    }
    let told = endstep(&["diff", "old.endstep", "new.endstep"], &folder);
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(
        told.contains("F0612") && !told.contains("of 0 legal"),
        "{told}"
    );
    // Its run comes out as expected: only its board is wrong.
    let told = endstep(&["check", "fine.endstep"], &folder);
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(
        told.contains("by inspection") && !told.contains("no single run"),
        "{told}"
    );
    let json = endstep(&["check", "fine.endstep", "--format", "json"], &folder);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let found = json["specifications"][0]["findings"].as_array().unwrap();
    let example = found.iter().find(|one| one["code"] == "F0612").unwrap();
    assert!(example["legal_boards"].is_null(), "{example:#}");
}

#[test]
fn as_many_other_boards_are_other_boards() {
    let power = |sum: u32| {
        format!(
            "game \"Power\"\nentity Card, explore 4\n  v: integer from 0 to 3\n\
             zone row of Card, unordered\nsequence s\n  basis text\n  step a\n    \
             if sum of c.v over c in row = {sum}\n      gap stop\n"
        )
    };
    let text = differing("diff-boards", (&power(5), &power(7)), true);
    assert!(
        text.contains("F0301 at stop\n    which boards, before: "),
        "{text}"
    );
    assert!(
        text.contains("which boards, now: as many, but other boards\n"),
        "{text}"
    );
    assert!(text.contains("0 new, 0 gone, 1 otherwise; verdicts: 0 changed\n"));
}

#[test]
fn every_scope_in_which_something_occurs_counts() {
    let gap = |least: u32| {
        format!(
            "game \"Gap\"\nvar x: integer from 0 to 3\n\
             sequence sub\n  basis text\n  step inner\n    if x >= 2\n      gap stop\n\
             sequence s1\n  basis text\n  step one\n    perform sub\n\
             sequence s2\n  basis text\n  step two\n    if x >= {least}\n      perform sub\n"
        )
    };
    let text = differing("diff-scopes", (&gap(3), &gap(0)), true);
    for part in [
        "    on how many boards in s2, before: 1 of 4 legal boards\n",
        "    on how many boards in s2, now: 2 of 4 legal boards\n",
        "0 new, 0 gone, 1 otherwise; verdicts: 0 changed\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn the_order_of_declarations_is_nothing_that_differs() {
    let trigger =
        |name: &str, value: u32| format!("trigger {name} on e\n  basis text\n  set x to {value}\n");
    let step = |name: &str, value: u32| format!("  step {name}\n    set x to {value}\n");
    let game = |text: String| format!("game \"Order\"\n{text}");
    let triggers = |first: String, second: String| {
        game(format!(
            "var x: integer from 0 to 9, explore 0 to 1\nevent e, at once\n{first}{second}\
             sequence s\n  basis text\n  step a\n    announce e\n"
        ))
    };
    let steps = |first: String, second: String| {
        game(format!(
            "var x: integer from 0 to 9, explore 0 to 2\nsequence s, steps in any order\n  \
             basis text\n{first}{second}"
        ))
    };
    let alternatives = |first: &str, second: &str, values: &str| {
        game(format!(
            "var x: integer from 0 to 9, explore 0 to 2\nreading r\n  {first} \"1\"\n  {second} \"2\"\n\
             sequence s\n  basis text\n  step one\n    if x > per r ({values})\n      gap stop\n"
        ))
    };
    let zones = |first: &str, second: &str| {
        game(format!(
            "entity Card, explore 2\n  v: integer from 0 to 1\nzone {first} of Card\nzone {second} of Card\n\
             sequence s\n  basis text\n  step one\n    if row is empty\n      gap stop\n    \
             if sum of c.v over c in row = 1\n      gap other\n"
        ))
    };
    let (one, two) = (trigger("one", 1), trigger("two", 2));
    let (first, second) = (step("one", 1), step("two", 2));
    for (what, old, new) in [
        (
            "triggers",
            triggers(one.clone(), two.clone()),
            triggers(two, one),
        ),
        (
            "steps",
            steps(first.clone(), second.clone()),
            steps(second, first),
        ),
        (
            "alternatives",
            alternatives("a", "b", "a: 0 | b: 1"),
            alternatives("b", "a", "b: 1 | a: 0"),
        ),
        ("zones", zones("row", "heap"), zones("heap", "row")),
    ] {
        let text = differing(&format!("diff-order-{what}"), (&old, &new), false);
        assert!(
            text.contains("0 otherwise; verdicts: 0 changed\n"),
            "{text}"
        );
        let folder = versions(&format!("diff-order-{what}"), &old, &new);
        run(&folder, &["check", "new.endstep", "--quiet"], 1);
    }
}

/// A scope that the other version has not is none in which a finding does not occur.
#[test]
fn a_scope_that_was_not_there_was_not_explored() {
    let text = |verify: &str| {
        format!(
            "game \"Parts\"\nvar n: integer from 0 to 9, explore 0 to 1\nsequence s\n  basis text\n  step a\n    \
             set n to n + 9\n{verify}question q: reachable n = 5 in s\n"
        )
    };
    let (all, some) = (text("verify s\n"), text("verify s where n = 1\n"));
    let told = differing("diff-verify-gone", (&all, &some), true);
    for part in [
        "    on how many boards in s, now: not explored: there is no such `verify`\n",
        "    on how many boards in s, where n = 1, before: not explored: there was no such `verify`\n",
        "    on how many boards in s, where n = 1, now: 1 of 1 legal board\n",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    // Explored there, and found on no board.
    let both = text("verify s\nverify s where n = 0\n");
    let more =
        text("verify s\nverify s where n = 0\n").replace("n + 9", "n + 9 + per r (a: 0 | b: 1)");
    let more = more.replace("sequence", "reading r\n  a \"one\"\n  b \"two\"\nsequence");
    let told = differing("diff-verify-both", (&both, &more), true);
    assert!(
        told.contains("on how many boards in s, where n = 0, before: none\n"),
        "{told}"
    );
    // Scopes that begin alike in name are none of one another.
    assert!(!told.contains("of several"), "{told}");
}

#[test]
fn a_question_is_not_called_a_claim() {
    let text = |to: u32| {
        format!(
            "game \"Asks\"\nvar n: integer from 0 to 9, explore 0 to 0\nsequence s\n  basis text\n  step a\n    \
             set n to {to}\nverify s\nquestion q: reachable n = 5 in s\nclaim c: must n = 5 after s\n"
        )
    };
    let told = differing("diff-question", (&text(4), &text(5)), true);
    assert!(
        told.contains("  question q: none in scope -> shown\n"),
        "{told}"
    );
    assert!(told.contains("  claim c: refuted -> "), "{told}");
}

/// Of the other version the prover may suggest other boards: what one showed is not said to be gone, or new.
#[test]
fn what_a_suggested_board_showed_may_still_be_so() {
    let text = |condition: &str| {
        format!(
            "game \"g\"\nentity Card, explore up to 2\n  health: integer, explore 0 to 5\nzone board of Card\n\
             zone heap of Card\nvar score: integer, explore 0 to 1, reach -99 to 99\n\
             sequence cleanup, steps in any order\n  basis text\n  step first\n\
             \x20   if some c: Card in board has {condition}\n      increase score by 1\n\
             \x20 step second\n    set score to 0\nclaim any_order: order irrelevant in cleanup\n"
        )
    };
    let folder = folder("diff-suggested");
    fs::write(folder.join("old.endstep"), text("c.health > 7")).unwrap();
    fs::write(folder.join("new.endstep"), text("c.health > 7 and false")).unwrap();
    let gone = run(&folder, &["diff", "old.endstep", "new.endstep"], 1);
    assert!(
        gone.contains("the board was one that the prover suggested, and the new version may"),
        "{gone}"
    );
    assert!(
        gone.contains("0 gone, 0 otherwise, 2 on suggested"),
        "{gone}"
    );
    let new = run(&folder, &["diff", "new.endstep", "old.endstep"], 1);
    assert!(
        new.contains("Found only now, on a board that the prover suggested"),
        "{new}"
    );
}
