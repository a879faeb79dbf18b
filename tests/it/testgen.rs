//! `endstep testgen`: the vectors are what the rules say, and tell a right implementation from a wrong one.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::ci::folder;
use crate::schema::misfits_of;

fn path(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(of)
}

fn testgen(file: &Path, arguments: &[&str]) -> Output {
    let mut command = crate::endstep();
    command.arg("testgen").arg(file).args(arguments);
    command.output().unwrap()
}

fn vectors(file: &Path, arguments: &[&str]) -> Value {
    let output = testgen(file, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}: {error}", file.display()))
}

fn words(list: &Value) -> BTreeSet<&str> {
    let words = list.as_array().unwrap().iter();
    words.map(|one| one.as_str().unwrap()).collect()
}

/// Runs the example's comparison with an implementation, changed by a replacement.
fn replay(name: &str, (old, new): (&str, &str)) -> (bool, String) {
    let folder = folder(name);
    let implementation = fs::read_to_string(path("examples/conformance/ember.py")).unwrap();
    assert!(implementation.contains(old), "{old}");
    fs::write(folder.join("ember.py"), implementation.replace(old, new)).unwrap();
    fs::copy(
        path("examples/conformance/replay.py"),
        folder.join("replay.py"),
    )
    .unwrap();
    let file = folder.join("vectors.json");
    let to = ["-o", file.to_str().unwrap()];
    let made = testgen(&path("examples/conformance/ember.endstep"), &to);
    assert!(made.status.success() && made.stdout.is_empty());
    let mut python = Command::new("python3");
    let output = python
        .args(["-B", "replay.py", "vectors.json"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.is_empty(), "{error}");
    (output.status.success(), said)
}

#[test]
fn a_right_implementation_agrees_and_wrong_ones_do_not() {
    let (agrees, said) = replay("testgen-right", ("", ""));
    assert!(agrees && said.contains("vectors agree"), "{said}");
    let wrong = [
        // Less damage.
        ("right.health -= 2", "right.health -= 1"),
        // The other neighbour.
        (
            "table.row[place + 1] if place + 1 < len",
            "table.row[place - 1] if place > 0 and place < len",
        ),
        // Always the first, where any order is allowed: a choice that is not offered.
        (
            "burning[0] if len(burning) == 1",
            "burning[0] if len(burning) >= 1",
        ),
        // It always rises.
        (
            "not phoenixes or not choose(\"whether\", [True, False])",
            "not phoenixes",
        ),
        // With two health, and not back into the row.
        ("card.health = 1", "card.health = 2"),
        ("table.row.append(card)", "pass"),
    ];
    for (at, change) in wrong.iter().enumerate() {
        let (agrees, said) = replay(&format!("testgen-wrong-{at}"), *change);
        assert!(!agrees, "{change:?}\n{said}");
    }
}

#[test]
fn vectors_cover_what_they_say_and_end_where_they_say() {
    let of = |name: &str| path("tests/corpus").join(name);
    let files = [
        path("examples/conformance/ember.endstep"),
        path("tests/cli/fuzz.in/duel.endstep"),
        of("event/pass/priority.endstep"),
        of("reading/pass/coincide.endstep"),
    ];
    for file in &files {
        let all = vectors(file, &["--runs", "2000"]);
        assert_eq!(
            misfits_of("docs/vectors.schema.json", &all),
            Vec::<String>::new()
        );
        let mut covered = BTreeSet::new();
        for vector in all["vectors"].as_array().unwrap() {
            covered.extend(words(&vector["covers"]));
            let outcome = &vector["outcome"];
            if outcome["tag"] == "never ends" {
                continue;
            }
            // The last data on the way are those at the end.
            let moments = vector["moments"].as_array().unwrap();
            let data = moments.iter().rev().find_map(|one| one.get("data"));
            assert_eq!(
                &outcome["data"],
                data.unwrap_or(&vector["board"]),
                "{vector:#}"
            );
            let allowed = vector["allowed"].as_array().unwrap();
            assert!(
                allowed.iter().any(|one| one["tag"] == outcome["tag"]),
                "{vector:#}"
            );
        }
        assert_eq!(covered, words(&all["covered"]));
        assert!(covered.is_disjoint(&words(&all["not_covered"])));
        assert_eq!(all, vectors(file, &["--runs", "2000"]), "the same again");
    }
}

#[test]
fn small_games_are_covered_whole() {
    let all = vectors(&path("examples/conformance/ember.endstep"), &[]);
    assert_eq!(words(&all["not_covered"]), BTreeSet::new());
    let number = all["vectors"].as_array().unwrap().len();
    assert!((2..=5).contains(&number), "{number}");
}

/// A card that no board and no run can have.
const NEVER: &str = "      clause never (rule) at \"Cleanup, 4\"
        step never
          for each c: Card in row where c.health > 2, in any order
            remove c
";

#[test]
fn all_boards_are_looked_at_for_what_samples_miss() {
    let ember = fs::read_to_string(path("examples/conformance/ember.endstep")).unwrap();
    let file = folder("exhaust").join("ember.endstep");
    let changed = ember.replace("\nverify cleanup", &format!("\n{NEVER}\nverify cleanup"));
    fs::write(&file, changed).unwrap();
    let sampled = vectors(&file, &["--runs", "1"]);
    assert!(words(&sampled["not_covered"]).len() > 2);
    assert_eq!(words(&sampled["nowhere"]), BTreeSet::new());
    let looked = vectors(&file, &["--runs", "1", "--exhaust"]);
    let nowhere = words(&looked["nowhere"]);
    let never = nowhere
        .iter()
        .all(|one| one.contains("cleanup/never/for each#1: some"));
    assert!(nowhere.len() == 1 && never, "{nowhere:?}");
    assert_eq!(words(&looked["not_covered"]), nowhere);
}

#[test]
fn what_cannot_be_done_is_said() {
    let ember = path("examples/conformance/ember.endstep");
    for (arguments, exit, said) in [
        (&["--sequence", "cleanip"][..], 64, "cleanip"),
        (&["--scope", "Cart=2"], 64, "Cart"),
        (&["-o", "/dev/null/vectors.json"], 74, "cannot"),
    ] {
        let output = testgen(&ember, arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(said), "{arguments:?}: {error}");
        assert_eq!(output.status.code(), Some(exit), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
}

/// A file with a specification.
fn written(name: &str, text: &str) -> PathBuf {
    let file = folder(name).join("game.endstep");
    fs::write(&file, text).unwrap();
    file
}

fn tags(list: &Value) -> Vec<&str> {
    let tags = list.as_array().unwrap().iter();
    tags.map(|one| one["tag"].as_str().unwrap()).collect()
}

#[test]
fn what_is_one_outcome_is_allowed_once() {
    let range = "game \"Range\"\nentity Card, explore 2\n  h: integer from 0 to 3, explore 0 to 0\n\
        zone row of Card, unordered\nsequence play\n  basis text\n  step hit\n    \
        for each c: Card in row, in any order\n      decrease c.h by 4\n";
    let gap = "game \"Gap\"\nplayer P, explore 1\nsupply gold: integer, explore 0 to 0\n\
        sequence play\n  basis text\n  step hit\n    choose one by nobody in particular\n      \
        option \"a\"\n        decrease gold by 1\n      option \"b\"\n        decrease gold by 1\n      \
        option \"c\"\n        nothing\n";
    for (name, text, number) in [("testgen-range", range, 1), ("testgen-gap", gap, 2)] {
        let all = vectors(&written(name, text), &["--runs", "500"]);
        for vector in all["vectors"].as_array().unwrap() {
            let allowed = tags(&vector["allowed"]);
            assert_eq!(allowed.len(), number, "{vector:#}");
            // Its own end is the one that stands for its outcome.
            let own = vector["outcome"]["tag"].as_str().unwrap();
            assert!(allowed.contains(&own), "{vector:#}");
        }
    }
}

#[test]
fn what_another_sequence_does_is_done_somewhere() {
    let text = "game \"Two\"\nvar x: integer, explore 0 to 2\n\
        sequence s\n  step a\n    if x = 1\n      set x to 0\n\
        sequence t\n  step a\n    if x = 1\n      set x to 0\n    if x = 2\n      set x to 2\n\
        verify s\nclaim h: equivalent s, t\n";
    let file = written("testgen-claimed", text);
    let all = vectors(&file, &["--runs", "500", "--exhaust"]);
    assert!(words(&all["not_covered"]).contains("branch t/a/if#2: case 1"));
    assert_eq!(words(&all["nowhere"]), BTreeSet::new());
    let text = text.replace("claim h: equivalent s, t\n", "");
    let example = "example e\n  given\n    x = 2\n  perform t\n  expect x = 2\n";
    let performed = written("testgen-performed", &format!("{text}{example}"));
    let all = vectors(&performed, &["--runs", "500", "--exhaust"]);
    assert_eq!(words(&all["nowhere"]), BTreeSet::new());
    // With which value it is performed only the example says.
    let text = text
        .replace("sequence t\n", "sequence t(q: integer)\n")
        .replace("if x = 2", "if q = 2");
    let example = example.replace("perform t", "perform t(2)");
    let performed = written("testgen-with-a-value", &format!("{text}{example}"));
    let all = vectors(&performed, &["--runs", "500", "--exhaust"]);
    assert_eq!(words(&all["nowhere"]), BTreeSet::new());
    // Of one sequence it is said.
    let all = vectors(&file, &["--runs", "500", "--exhaust", "--sequence", "s"]);
    assert!(words(&all["nowhere"]).contains("branch t/a/if#2: case 1"));
    assert_eq!(words(&all["nowhere_within"]), BTreeSet::from(["s"]));
}

/// What alone was looked at, as the text says it.
fn alone(within: &str) -> String {
    match within.strip_prefix("s where ") {
        Some(condition) => format!("s only where {condition}"),
        None => format!("only {within}"),
    }
}

#[test]
fn what_is_nowhere_is_so_within_what_was_looked_at() {
    let text = |head: &str, verify: &str| {
        format!(
            "game \"Part\"\nentity Card, explore 0 to 2\n  v: integer, explore 0 to 1\n\
             zone row of Card\nvar x: integer, explore 0 to 2\n{head}reading r\n  a \"one\"\n  b \"two\"\n\
             sequence s\n  step a\n    if x = 2\n      set x to 0\n    if r is b\n      \
             if size of row = 2\n        set x to 1\n{verify}"
        )
    };
    let case = "branch s/a/if#1: case 1";
    for (name, head, verify, options, goal, within) in [
        (
            "where",
            "",
            "verify s where x < 2\n",
            &[][..],
            case,
            "s where x < 2",
        ),
        (
            "only",
            "explore only small: x < 2\n",
            "",
            &[],
            case,
            "boards of `explore only small`",
        ),
        (
            "reading",
            "",
            "",
            &["--reading", "r=a"],
            "branch s/a/if#2: case 1",
            "r = a",
        ),
        (
            "scope",
            "",
            "",
            &["--scope", "Card=1"],
            "branch s/a/if#3: case 1",
            "up to 1 Card",
        ),
    ] {
        let file = written(&format!("testgen-{name}"), &text(head, verify));
        let options = [&["--runs", "500", "--exhaust"], options].concat();
        let output = testgen(&file, &options);
        let all: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(
            words(&all["nowhere"]).contains(goal),
            "{name}: {}",
            all["nowhere"]
        );
        assert_eq!(words(&all["nowhere_within"]), BTreeSet::from([within]));
        let said = String::from_utf8_lossy(&output.stderr);
        let line = format!(
            "not covered: {goal}; no run from any legal board of the sizes and values explored does it (looked at: {})\n",
            alone(within)
        );
        assert!(said.contains(&line), "{said}");
    }
    // All of it is looked at where nothing is left out.
    let all = vectors(
        &written(
            "testgen-whole",
            &text("", "verify s where x < 2\nverify s\n"),
        ),
        &["--runs", "500", "--exhaust"],
    );
    assert_eq!(words(&all["nowhere"]), BTreeSet::new());
    assert_eq!(words(&all["nowhere_within"]), BTreeSet::new());
}

#[test]
fn vectors_keep_to_the_readings_and_boards_asked_for() {
    let text = "game \"Asked\"\nentity Card from 0 to 3, explore 0 to 2\n  v: integer, explore 0 to 1\n\
        zone row of Card\nvar x: integer, explore 0 to 1\nreading r\n  a \"one\"\n  b \"two\"\n\
        sequence s\n  step a\n    if x = per r (a: 0 | b: 1)\n      if r is b\n        \
        for each c in row, in any order\n          if c.v = 1\n            set x to 0\n      \
        otherwise\n        gap stop\n";
    let file = written("testgen-asked", text);
    let boards = |options: &[&str]| -> Vec<Value> {
        let all = vectors(&file, &[&["--runs", "2000"], options].concat());
        assert_eq!(
            misfits_of("docs/vectors.schema.json", &all),
            Vec::<String>::new()
        );
        let all = all["vectors"].as_array().unwrap().clone();
        assert!(!all.is_empty());
        all
    };
    for exhaust in [
        &["--reading", "r=a"][..],
        &["--reading", "r=a", "--exhaust"],
    ] {
        let all = boards(exhaust);
        assert!(
            all.iter().all(|one| one["readings"]["r"] == "a"),
            "{exhaust:?}"
        );
    }
    let cards = |one: &Value| one["board"]["entities"].as_array().map_or(0, Vec::len);
    // No more than are explored, however many the document allows.
    assert!(boards(&[]).iter().all(|one| cards(one) <= 2));
    assert!(
        boards(&["--scope", "Card=1"])
            .iter()
            .all(|one| cards(one) <= 1)
    );
    assert!(
        boards(&["--scope", "Card=3"])
            .iter()
            .all(|one| cards(one) <= 3)
    );
    let plain = boards(&["--scope", "Card.v=0"]);
    let fields = plain
        .iter()
        .filter_map(|one| one["board"]["entities"].as_array())
        .flatten();
    assert!(fields.clone().count() > 0);
    assert!(fields.clone().all(|card| card["fields"]["v"] == 0));
}

/// Of what none of few samples does, everything is decided: what only one option is offered for, a reading behind
/// a choice that can go round for ever, and what shares a clause with what is done.
#[test]
fn what_is_looked_for_everywhere_is_decided() {
    let text = r#"game "Decided"
player Player, explore 1
var active: Player
var score: integer from 0 to 9, explore 0 to 1
event called, at once
clause c.1 (rule) at "1"
  trigger answers on called
    set score to 9
  sequence main, steps unspecified
    step forced
      choose one by active
        option "always" where score < 9
          increase score by 1, at most 3
        option "never" where score > 5
          set score to 0
    step turns
      for each p: Player, in player order from active, until all pass
        may by p
          nothing
        otherwise
          pass
    step rest
      if score > 6
        set score to 0
verify main
"#;
    let file = written("decided", text);
    for runs in ["1", "2", "2000"] {
        let found = vectors(&file, &["--runs", runs, "--exhaust"]);
        let (missed, nowhere) = (words(&found["not_covered"]), words(&found["nowhere"]));
        assert_eq!(missed, nowhere, "{runs} runs");
        let expected = [
            "branch main/forced/choose one#1: never",
            "branch main/rest/if#1: case 1",
            "branch main/turns/for each#1: none",
            "trigger answers",
        ];
        assert_eq!(nowhere, BTreeSet::from(expected), "{runs} runs");
    }
}
