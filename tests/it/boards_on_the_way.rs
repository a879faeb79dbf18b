//! Boards on the way of a run: what `patch` makes of them in JSON and what the states of an ITF trace are is one thing,
//! though they are made apart.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::folder::empty;
use super::usage::endstep;

/// Specifications in which things move, come and go, wait in queues, repeat for ever and are chosen.
const FEATURES: [&str; 10] = [
    "choice",
    "claim",
    "event",
    "iteration",
    "link",
    "loop",
    "move",
    "order",
    "restart",
    "together",
];

/// A board: variables, entities with their fields, zones, queues.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Board {
    variables: BTreeMap<String, String>,
    entities: BTreeMap<String, BTreeMap<String, String>>,
    zones: BTreeMap<String, Vec<String>>,
    waiting: BTreeMap<String, Vec<String>>,
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().unwrap().iter();
    list.map(|one| one.as_str().unwrap().to_owned()).collect()
}

fn members(object: &Value) -> impl Iterator<Item = (String, &Value)> {
    let all = object.as_object().into_iter().flatten();
    all.map(|(name, value)| (name.clone(), value))
}

impl Board {
    /// With what a patch says, or with all of a board.
    fn patch(&mut self, patch: &Value) {
        for entity in patch["entities"].as_array().unwrap() {
            let name = entity["name"].as_str().unwrap().to_owned();
            if entity["removed"] == true {
                self.entities.remove(&name);
                continue;
            }
            let fields = self.entities.entry(name).or_default();
            for (name, value) in members(&entity["fields"]) {
                fields.insert(name, read(value));
            }
        }
        for (name, contents) in members(&patch["zones"]) {
            self.zones.insert(name, texts(contents));
        }
        for (name, value) in members(&patch["variables"]) {
            self.variables.insert(name, read(value));
        }
        for (name, waiting) in members(&patch["waiting"]) {
            self.waiting.insert(name, texts(waiting));
        }
        self.waiting.retain(|_, all| !all.is_empty());
    }

    /// A state of a trace; `sorts`, `queues`: which of its variables are these.
    fn of_state(state: &Value, sorts: &BTreeSet<String>, queues: &BTreeSet<String>) -> Self {
        let mut board = Self::default();
        for (name, value) in members(state) {
            match value {
                _ if name == "#meta" || name == "happened" => {}
                _ if sorts.contains(&name) => {
                    for pair in value["#map"].as_array().unwrap() {
                        let fields = members(&pair[1]).map(|(name, value)| (name, plain(value)));
                        let whose = pair[0].as_str().unwrap().to_owned();
                        board.entities.insert(whose, fields.collect());
                    }
                }
                Value::Array(_) if queues.contains(&name) => {
                    board.waiting.insert(name, texts(value));
                }
                Value::Array(_) => {
                    board.zones.insert(name, texts(value));
                }
                Value::Object(map) if map.contains_key("#map") => {
                    for pair in value["#map"].as_array().unwrap() {
                        let whose = format!("{name} of {}", pair[0].as_str().unwrap());
                        board.zones.insert(whose, texts(&pair[1]));
                    }
                }
                value => {
                    board.variables.insert(name, plain(value));
                }
            }
        }
        board.waiting.retain(|_, all| !all.is_empty());
        board
    }
}

/// A name of several words, as it is read: fields of boards are told so.
fn read(text: &Value) -> String {
    text.as_str().unwrap().replace('_', " ")
}

/// A value as it is written on boards.
fn plain(value: &Value) -> String {
    match value {
        Value::Object(number) => number["#bigint"].as_str().unwrap().to_owned(),
        Value::Bool(holds) => holds.to_string(),
        other => read(other),
    }
}

/// Without those that are what the one before them is.
fn distinct(mut boards: Vec<Board>) -> Vec<Board> {
    boards.dedup();
    boards
}

/// The boards of a run of a report.
fn patched(run: &Value) -> Vec<Board> {
    let mut board = Board::default();
    board.patch(&run["board"]);
    let mut all = vec![board.clone()];
    for moment in run["trace"].as_array().unwrap() {
        if !moment["patch"].is_null() {
            board.patch(&moment["patch"]);
            all.push(board.clone());
        }
    }
    distinct(all)
}

/// What the text says is a sort, or a queue.
fn named(text: &str, words: &[&str]) -> BTreeSet<String> {
    let lines = text.lines().map(str::trim_start);
    let named = lines.filter_map(|line| {
        let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        Some(rest[..end.unwrap_or(rest.len())].to_owned())
    });
    named.collect()
}

#[test]
fn patches_and_traces_have_the_same_boards() {
    let folder = empty("boards-on-the-way");
    let (mut runs, mut loops, mut changes, mut made) = (0, 0, 0, 0);
    for feature in FEATURES {
        let corpus = Path::new(crate::ROOT).join("tests/corpus").join(feature);
        let mut files: Vec<_> = fs::read_dir(corpus.join("fail"))
            .unwrap()
            .map(|one| one.unwrap().path())
            .collect();
        files.sort();
        for file in files.iter().take(12) {
            let text = fs::read_to_string(file).unwrap();
            let sorts = named(&text, &["entity ", "player "]);
            let queues = named(&text, &["queue ", "stack "]);
            let path = file.to_str().unwrap();
            let output = endstep(&["check", path, "--format", "json", "--no-cache"], &folder);
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            let findings = report["specifications"][0]["findings"].as_array();
            for finding in findings.into_iter().flatten() {
                let all = finding["witness"]["runs"].as_array();
                for (at, run) in all.into_iter().flatten().enumerate() {
                    let print = finding["fingerprint"].as_str().unwrap();
                    let number = (at + 1).to_string();
                    let arguments = [
                        "replay",
                        path,
                        print,
                        "--format",
                        "itf",
                        "--run",
                        &number,
                        "--no-cache",
                    ];
                    let output = endstep(&arguments, &folder);
                    let trace: Value = serde_json::from_slice(&output.stdout).unwrap();
                    let states = trace["states"].as_array().unwrap();
                    let boards = states.iter();
                    let boards = boards.map(|one| Board::of_state(one, &sorts, &queues));
                    let boards = distinct(boards.collect());
                    assert_eq!(boards, patched(run), "{path} {print} {number}");
                    for state in states {
                        let own: BTreeSet<String> = members(state).map(|(name, _)| name).collect();
                        let vars = texts(&trace["vars"]);
                        assert!(
                            vars.iter().all(|name| own.contains(name)),
                            "{path} {vars:?}"
                        );
                    }
                    runs += 1;
                    changes += boards.len() - 1;
                    made += usize::from(path_makes(run));
                    if run["outcome"] == "diverges" {
                        let back = trace["loop"].as_u64().unwrap() as usize;
                        assert!(back < states.len(), "{path} {print}");
                        loops += 1;
                    } else {
                        assert!(trace.get("loop").is_none(), "{path} {print}");
                    }
                }
            }
        }
    }
    assert!(
        runs > 60 && loops > 3 && changes > 120 && made > 3,
        "{runs} {loops} {changes} {made}"
    );
}

/// Whether something is created or removed on the way.
fn path_makes(run: &Value) -> bool {
    let known = run["board"]["entities"].as_array().unwrap();
    let known: BTreeSet<&str> = known
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    let moments = run["trace"].as_array().unwrap().iter();
    let mut entities =
        moments.flat_map(|one| one["patch"]["entities"].as_array().into_iter().flatten());
    entities.any(|one| one["removed"] == true || !known.contains(one["name"].as_str().unwrap()))
}

#[test]
fn a_table_has_a_row_for_each_finding() {
    let folder = empty("table");
    let text = "game \"Two, \\\"three\\\"\"\nvar n: integer from 0 to 3\nsequence s\n  step a\n    basis text\n    set n to n + 1\nverify s\n";
    fs::write(folder.join("told.endstep"), text).unwrap();
    let output = endstep(
        &["check", "told.endstep", "--format", "csv", "--no-cache"],
        &folder,
    );
    let table = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = table.split("\n").collect();
    assert!(
        lines[0].starts_with("specification,kind,code,title,"),
        "{table}"
    );
    assert!(
        lines[1].starts_with("told.endstep,finding,F0304,"),
        "{table}"
    );
    assert_eq!(lines.len(), 3, "{table}");
}

/// The frames of the runs of the first finding with a code, as the page of a site has them.
fn frames(folder: &Path, text: &str, code: &str) -> Vec<Vec<Value>> {
    fs::write(folder.join("told.endstep"), text).unwrap();
    let arguments = ["report", "told.endstep", "-o", "site/", "--no-cache"];
    assert!(endstep(&arguments, folder).status.success());
    let pages = fs::read_dir(folder.join("site/told")).unwrap();
    let mut pages: Vec<_> = pages.map(|one| one.unwrap().path()).collect();
    pages.sort();
    let mut texts = pages.iter().map(|page| fs::read_to_string(page).unwrap());
    let begins = "<script id=\"film\" type=\"application/json\">";
    let wanted = texts.find(|text| text.contains(begins) && text.contains(code));
    let wanted = wanted.unwrap();
    let (_, film) = wanted.split_once(begins).unwrap();
    let (film, _) = film.split_once("</script>").unwrap();
    let film: Value = serde_json::from_str(film).unwrap();
    let reels = film["reels"].as_array().unwrap().iter();
    reels
        .map(|reel| reel["frames"].as_array().unwrap().clone())
        .collect()
}

/// However long runs are, where they part is on the film, after as many frames of each.
#[test]
fn where_two_runs_part_is_never_cut_out() {
    let folder = empty("parting-frames");
    for (before, after) in [(30, 400), (120, 10), (140, 300), (300, 10), (300, 400)] {
        let text = format!(
            "game \"Long\"\nvar n: integer from 0 to 5000, starts 0\nvar m: integer from 0 to 5, starts 0\n\
             sequence main\n  basis text\n  step a\n    repeat while n < {before}\n      increase n by 1\n  step b\n    \
             choose one by nobody in particular\n      option \"x\"\n        set m to 1\n      option \"y\"\n        \
             set m to 2\n  step c\n    repeat while m = 1 and n < {before} + {after}\n      increase n by 1\nverify main\n"
        );
        let reels = frames(&folder, &text, "F0306");
        let [one, other] = &reels[..] else {
            panic!("{} runs", reels.len());
        };
        let shared = one
            .iter()
            .zip(other)
            .take_while(|(one, other)| one == other)
            .count();
        for frame in [&one[shared], &other[shared]] {
            let told = frame["lines"].to_string();
            assert!(
                told.contains("chosen: ") || told.contains("m: from 0 to"),
                "{before} {after}: {told}"
            );
        }
        assert!(
            one.len() < 320 && other.len() < 320,
            "{} {}",
            one.len(),
            other.len()
        );
    }
}
