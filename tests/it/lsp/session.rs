//! What an author sees while writing.

use super::{Editor, folder, position, uri};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const DUEL: &str = "\
game \"duel\"
entity Fighter, explore up to 2
  health: integer, explore 0 to 1
-- Where they stand.
zone arena of Fighter
clause strikes (rule) at \"1\"
  says \"All strike.\"
  claim any_order: order irrelevant in fight.blows
  sequence fight
    step blows
      for each f: Fighter in arena where f.health > 0, in any order, rechecked
        for each other: Fighter in arena where other != f
          decrease other.health by 1
";

fn opened(name: &str, text: &str, options: Value) -> (Editor, PathBuf) {
    let folder = folder(name);
    let path = folder.join("duel.endstep");
    fs::write(&path, text).unwrap();
    let mut editor = Editor::new(&folder, "utf-8", options);
    editor.open(&path, text);
    (editor, path)
}

fn at(path: &Path, position: Value) -> Value {
    json!({ "textDocument": { "uri": uri(path) }, "position": position })
}

fn document(path: &Path) -> Value {
    json!({ "textDocument": { "uri": uri(path) } })
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    let codes = diagnostics.iter().map(|one| one["code"].as_str().unwrap());
    codes.collect()
}

#[test]
fn errors_are_told_at_once_and_findings_when_the_text_rests() {
    let (mut editor, path) = opened("told", DUEL, json!({}));
    editor.until("endstep/looked", |_| true);
    let begun = editor.until("$/progress", |said| said["value"]["kind"] == "begin");
    assert_eq!(begun["value"]["title"], "Checking duel.endstep");
    let ended = editor.until("$/progress", |said| said["value"]["kind"] == "end");
    assert_eq!(begun["token"], ended["token"]);
    assert_eq!(codes(&editor.diagnostics(&path)), ["F0610", "F0201"]);
    let found = editor.diagnostics(&path);
    let order = found.iter().find(|one| one["code"] == "F0201").unwrap();
    assert_eq!(order["range"]["start"], position(DUEL, "for each f", 0));
    assert!(
        order["message"].as_str().unwrap().contains("comes first"),
        "{order}"
    );

    // Half a line; what was found is gone with it.
    let insert = json!([{ "range": { "start": position(DUEL, "decrease", 0), "end": position(DUEL, "decrease", 8) }, "text": "decrese" }]);
    editor.heard.clear();
    editor.change(&path, 2, insert);
    let said = editor.until("textDocument/publishDiagnostics", |said| {
        said["version"] == 2
    });
    let diagnostics = said["diagnostics"].as_array().unwrap();
    assert_eq!(codes(diagnostics), ["E0110"], "{said}");
    let range = diagnostics[0]["range"].clone();
    let mut asked = document(&path);
    asked["range"] = range;
    asked["context"] = json!({ "diagnostics": [] });
    let actions = editor.ask("textDocument/codeAction", asked);
    assert_eq!(actions[0]["title"], "Write `decrease`");
    let edit = &actions[0]["edit"]["changes"][uri(&path)][0];
    assert_eq!(edit["newText"], "decrease");
    let mended = json!([{ "range": edit["range"], "text": edit["newText"] }]);
    editor.heard.clear();
    editor.change(&path, 3, mended);
    editor.until("endstep/looked", |_| true);
    assert_eq!(codes(&editor.diagnostics(&path)), ["F0610", "F0201"]);
    // All of it is what a server says that has seen nothing else.
    let folder = path.parent().unwrap();
    let mut fresh = Editor::new(folder, "utf-8", json!({}));
    fresh.open(&path, DUEL);
    fresh.until("endstep/looked", |_| true);
    assert_eq!(editor.diagnostics(&path), fresh.diagnostics(&path));
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn names_are_followed_listed_and_changed() {
    let (mut editor, path) = opened("names", DUEL, json!({ "check": "never" }));
    let found = editor.ask(
        "textDocument/definition",
        at(&path, position(DUEL, "f.health", 3)),
    );
    assert_eq!(found["range"]["start"], position(DUEL, "health:", 0));
    let mut asked = at(&path, position(DUEL, "health:", 2));
    asked["context"] = json!({ "includeDeclaration": false });
    assert_eq!(
        editor
            .ask("textDocument/references", asked)
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let marked = editor.ask(
        "textDocument/documentHighlight",
        at(&path, position(DUEL, "arena", 0)),
    );
    assert_eq!(marked.as_array().unwrap().len(), 3);
    // Of a place without a name.
    let nothing = editor.ask(
        "textDocument/definition",
        at(&path, position(DUEL, "decrease", 0)),
    );
    assert_eq!(nothing, Value::Null);

    let prepared = editor.ask(
        "textDocument/prepareRename",
        at(&path, position(DUEL, "blows", 0)),
    );
    assert_eq!(prepared["placeholder"], "blows");
    let mut rename = |part: &str, name: &str| {
        let mut asked = at(&path, position(DUEL, part, 0));
        asked["newName"] = json!(name);
        editor.ask("textDocument/rename", asked)
    };
    let changes = rename("blows", "hits");
    let changes = changes["changes"][uri(&path)].as_array().unwrap();
    assert_eq!(changes.len(), 2);
    let why = |refused: Value| refused["error"]["message"].as_str().unwrap().to_owned();
    assert!(why(rename("blows", "where")).contains("a word of the language"));
    assert!(why(rename("blows", "two words")).contains("cannot be the name"));
    assert!(why(rename("arena", "Fighter")).contains("already means something"));
    assert!(why(rename("game", "play")).contains("no name here"));
}

#[test]
fn what_a_word_means_is_shown() {
    let (mut editor, path) = opened("hover", DUEL, json!({}));
    editor.until("endstep/looked", |_| true);
    let mut shown = |part: &str, plus| {
        let shown = editor.ask("textDocument/hover", at(&path, position(DUEL, part, plus)));
        shown["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert!(shown("arena of", 1).contains("Where they stand."));
    assert!(shown("arena of", 1).contains("zone arena of Fighter"));
    assert!(shown("f.health", 0).contains("`f`: a `Fighter`"));
    assert!(shown("strikes", 0).contains("> All strike."));
    assert!(shown("any_order", 0).contains("Verdict: **refuted**"));
    assert!(shown("decrease", 3).contains("not below that"));
    assert!(shown("rechecked", 3).contains("looked at once more"));
    assert_eq!(shown("\"duel\"", 2), "");
}

#[test]
fn what_can_stand_at_a_place_is_offered() {
    let (mut editor, path) = opened("offered", DUEL, json!({ "check": "never" }));
    let mut version = 1;
    let mut offered = |line: &str, keep: &dyn Fn(&Value) -> bool| {
        let text = DUEL.replace(
            "          decrease other.health by 1\n",
            &format!("          {line}\n"),
        );
        version += 1;
        editor.change(&path, version, json!([{ "text": text }]));
        let end = json!({ "line": 12, "character": 10 + line.len() });
        let items = editor.ask("textDocument/completion", at(&path, end));
        let items = items.as_array().unwrap().iter().filter(|one| keep(one));
        items
            .map(|one| one["label"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let names = |one: &Value| one["sortText"].as_str().unwrap().starts_with('a');
    let all = |_: &Value| true;
    assert_eq!(offered("set other.", &all), ["health"]);
    assert_eq!(offered("set other.hea", &all), ["health"]);
    assert_eq!(offered("move f to ", &names), ["arena"]);
    assert_eq!(offered("for each x: ", &names), ["Fighter"]);
    assert_eq!(offered("if f.", &names), ["health"]);
    assert_eq!(offered("perform ", &names), ["fight"]);
    assert_eq!(offered("for ", &all), ["each"]);
    assert_eq!(offered("let ", &all), [""; 0]);
    assert!(offered("se", &all).contains(&"set".to_owned()));
    assert!(!offered("se", &all).contains(&"zone".to_owned()));
    assert_eq!(offered("-- set ", &all), [""; 0]);
    assert_eq!(offered("gap x \"se", &all), [""; 0]);
}

#[test]
fn the_text_is_an_outline_with_folds_and_colours() {
    let (mut editor, path) = opened("outline", DUEL, json!({ "check": "never" }));
    let symbols = editor.ask("textDocument/documentSymbol", document(&path));
    let names: Vec<_> = symbols
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Fighter", "arena", "strikes"]);
    let fight = &symbols[2]["children"][1];
    assert_eq!(
        (&fight["name"], &fight["children"][0]["name"]),
        (&json!("fight"), &json!("blows"))
    );
    assert_eq!(symbols[2]["range"]["end"]["line"], 12);
    let folds = editor.ask("textDocument/foldingRange", document(&path));
    let lines = |one: &Value| {
        (
            one["startLine"].as_u64().unwrap(),
            one["endLine"].as_u64().unwrap(),
        )
    };
    let folds: Vec<_> = folds.as_array().unwrap().iter().map(lines).collect();
    assert_eq!(
        folds,
        [(1, 2), (5, 12), (8, 12), (9, 12), (10, 12), (11, 12)]
    );
    let tokens = editor.ask("textDocument/semanticTokens/full", document(&path));
    let data: Vec<u64> = tokens["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_u64().unwrap())
        .collect();
    let legend = editor.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    let kind = |at: usize| {
        legend[data[5 * at + 3] as usize]
            .as_str()
            .unwrap()
            .to_owned()
    };
    // game "duel" / entity Fighter
    assert_eq!(
        [kind(0), kind(1), kind(2), kind(3)],
        ["keyword", "string", "keyword", "class"]
    );
    let found = editor.ask("workspace/symbol", json!({ "query": "hLth" }));
    assert_eq!(found[0]["name"], "health");
    assert_eq!(found.as_array().unwrap().len(), 1);
}

/// The command of the lens whose title begins so.
fn lens(editor: &mut Editor, path: &Path, title: &str) -> Value {
    let lenses = editor.ask("textDocument/codeLens", document(path));
    let mut all = lenses.as_array().unwrap().iter();
    let begins = |one: &&Value| one["command"]["title"].as_str().unwrap().starts_with(title);
    let found = all.find(begins).unwrap_or_else(|| panic!("{lenses}"));
    json!({ "command": found["command"]["command"], "arguments": found["command"]["arguments"] })
}

/// The text that a command returns.
fn done(editor: &mut Editor, command: Value) -> String {
    let done = editor.ask("workspace/executeCommand", command);
    let text = done["text"].as_str();
    text.unwrap_or_else(|| panic!("{done}")).to_owned()
}

#[test]
fn claims_can_be_checked_alone_and_findings_shown() {
    let (mut editor, path) = opened("commands", DUEL, json!({ "showsResults": true }));
    editor.until("endstep/looked", |_| true);
    let alone = lens(&mut editor, &path, "refuted");
    let told = done(&mut editor, alone);
    assert!(told.starts_with("any_order: refuted"), "{told}");
    let show = lens(&mut editor, &path, "Show F0201");
    let shown = done(&mut editor, show);
    assert!(
        shown.contains("health of fighter 2: from 1 to 0"),
        "{shown}"
    );
    let hints = json!({ "textDocument": { "uri": uri(&path) }, "range": {
        "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } } });
    let hints = editor.ask("textDocument/inlayHint", hints);
    assert_eq!(hints[0]["label"], "nobody decides; the order matters");
    let page = json!({ "command": "endstep.page", "arguments": [uri(&path)] });
    let page = done(&mut editor, page);
    assert!(page.contains("All strike."), "{page}");
    let unknown = json!({ "command": "endstep.fly", "arguments": [uri(&path)] });
    let refused = editor.ask("workspace/executeCommand", unknown);
    let why = refused["error"]["message"].as_str().unwrap();
    assert!(why.contains("no command"), "{why}");
}

#[test]
fn findings_can_be_expected_mended_and_made_readings() {
    let (mut editor, path) = opened("mended", DUEL, json!({ "showsResults": true }));
    editor.until("endstep/looked", |_| true);
    let place = position(DUEL, "for each f", 2);
    let mut asked = document(&path);
    asked["range"] = json!({ "start": place, "end": place });
    asked["context"] = json!({ "diagnostics": [] });
    let actions = editor.ask("textDocument/codeAction", asked);
    let mut actions = actions.as_array().unwrap().iter();
    let reading = actions.find(|one| one["title"] == "Make the open order a reading");
    let edits = reading.unwrap()["edit"]["changes"][uri(&path)]
        .as_array()
        .unwrap();
    let text = |at: usize| edits[at]["newText"].as_str().unwrap();
    assert!(
        text(0).starts_with("    reading order_in_blows\n"),
        "{}",
        text(0)
    );
    let policy = "per order_in_blows (any: in any order | fixed: left to right)";
    assert_eq!(text(1), policy);

    let mut mend = lens(&mut editor, &path, "Show F0201");
    mend["command"] = json!("endstep.repair");
    let mended = done(&mut editor, mend.clone());
    assert!(mended.contains("left to right"), "{mended}");

    mend["command"] = json!("endstep.expect");
    editor.heard.clear();
    done(&mut editor, mend);
    editor.until("endstep/looked", |_| true);
    let all = editor.diagnostics(&path);
    let severities: Vec<_> = all.iter().map(|one| one["severity"].clone()).collect();
    assert_eq!(severities, [2, 4]);
    let file = fs::read_to_string(path.with_extension("expected.json")).unwrap();
    assert!(file.contains("F0201") && !file.contains("F0610"), "{file}");
}

#[test]
fn a_board_is_drawn() {
    let text = format!("{DUEL}board two\n  Fighter ann, bob in arena with health = 1\n");
    let (mut editor, path) = opened("boards", &text, json!({ "check": "never" }));
    let lenses = editor.ask("textDocument/codeLens", document(&path));
    let mut lenses = lenses.as_array().unwrap().iter();
    let board = lenses
        .find(|one| one["command"]["command"] == "endstep.board")
        .unwrap();
    let arguments = board["command"]["arguments"].clone();
    let asked = json!({ "command": "endstep.board", "arguments": arguments });
    let drawn = editor.ask("workspace/executeCommand", asked);
    let drawn = drawn["text"].as_str().unwrap();
    assert!(drawn.contains("arena, first to last: ann, bob"), "{drawn}");
}

#[test]
fn a_text_is_laid_out_by_as_little_as_differs() {
    let text = DUEL.replace("zone arena of Fighter", "zone  arena of Fighter");
    let (mut editor, path) = opened("layout", &text, json!({ "check": "never" }));
    let mut asked = document(&path);
    asked["options"] = json!({ "tabSize": 2, "insertSpaces": true });
    let edits = editor.ask("textDocument/formatting", asked.clone());
    assert_eq!(edits.as_array().unwrap().len(), 1);
    assert_eq!(edits[0]["newText"], "");
    editor.change(
        &path,
        2,
        json!([{ "range": edits[0]["range"], "text": "" }]),
    );
    assert_eq!(
        editor.ask("textDocument/formatting", asked.clone()),
        json!([])
    );
    editor.change(&path, 3, json!([{ "text": "zone of of\n" }]));
    assert_eq!(editor.ask("textDocument/formatting", asked), Value::Null);
}

#[test]
fn what_a_file_includes_is_followed_into_the_text_that_is_open() {
    let folder = folder("include");
    let (game, cards) = (folder.join("game.endstep"), folder.join("cards.endstep"));
    let main = "include \"cards.endstep\"\nsequence s\n  basis invented \"x\"\n  step a\n    for each c in hand, in any order\n      move c to hand\nverify s\n";
    fs::write(&game, main).unwrap();
    fs::write(&cards, "entity Card, explore 1\nzone hand of Card\n").unwrap();
    let mut editor = Editor::new(&folder, "utf-16", json!({ "check": "never" }));
    // What is wrong with a part is found by reading the whole.
    let part = "entity Card, explore 1\nzone hand of Crad\n";
    editor.open(&cards, part);
    let said = editor.until("textDocument/publishDiagnostics", |said| {
        said["uri"] == uri(&cards)
    });
    assert_eq!(
        codes(said["diagnostics"].as_array().unwrap()),
        ["E0201"],
        "{said}"
    );
    let whole = "entity Card, explore 1\nzone hand of Card\n";
    editor.change(&cards, 2, json!([{ "text": whole }]));
    editor.open(&game, main);
    let found = editor.ask(
        "textDocument/definition",
        at(&game, position(main, "hand,", 0)),
    );
    assert_eq!(found["uri"], uri(&cards));
    let mut asked = at(&cards, position(whole, "hand", 0));
    asked["newName"] = json!("held");
    let changes = editor.ask("textDocument/rename", asked);
    let changes = changes["changes"].as_object().unwrap();
    assert_eq!(
        (
            changes.len(),
            changes[&uri(&game)].as_array().unwrap().len()
        ),
        (2, 2)
    );
}

#[test]
fn whoever_speaks_out_of_turn_gets_an_error_and_the_server_stays() {
    let (mut editor, path) = opened("turns", DUEL, json!({ "check": "never" }));
    let again = editor.ask("initialize", json!({ "capabilities": {} }));
    assert_eq!(again["error"]["code"], -32600);
    let unknown = editor.ask("textDocument/fly", json!({}));
    assert_eq!(unknown["error"]["code"], -32601);
    let malformed = editor.ask("textDocument/hover", json!({ "position": "here" }));
    assert_eq!(malformed["error"]["code"], -32602);
    editor.tell("textDocument/didChange", json!({ "nonsense": true }));
    editor.tell("$/setTrace", json!({ "value": "off" }));
    // A file that is not open, and a range beyond the end.
    editor.change(
        &path.with_file_name("other.endstep"),
        2,
        json!([{ "text": "x" }]),
    );
    let far = json!({ "line": 9999, "character": 9999 });
    editor.change(
        &path,
        2,
        json!([{ "range": { "start": far, "end": far }, "text": "zone far of Fighter\n" }]),
    );
    let symbols = editor.ask("textDocument/documentSymbol", document(&path));
    assert_eq!(symbols[3]["name"], "far");
    let nowhere = json!({ "textDocument": { "uri": "untitled:Untitled-1" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(editor.ask("textDocument/hover", nowhere), Value::Null);
    editor.tell("textDocument/didClose", document(&path));
    let said = editor.until("textDocument/publishDiagnostics", |said| {
        said["diagnostics"] == json!([])
    });
    assert_eq!(said["uri"], uri(&path));
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_name_that_two_specifications_share_is_changed_in_both_or_not_at_all() {
    let folder = folder("shared");
    let part = "entity Card, explore 1\n  hp: integer, explore 0 to 1\nzone hand of Card\n";
    let whole = |more: &str| {
        format!(
            "include \"part.endstep\"\n{more}sequence s\n  basis invented \"x\"\n  step a\n    for each c in hand, in any order\n      set c.hp to 0\nverify s\n"
        )
    };
    let files = ["part", "one", "two"].map(|name| folder.join(format!("{name}.endstep")));
    let [shared, one, two] = &files;
    fs::write(shared, part).unwrap();
    fs::write(one, whole("")).unwrap();
    fs::write(two, whole("var hand_size: integer, explore 0 to 1\n")).unwrap();
    let mut editor = Editor::new(&folder, "utf-8", json!({ "check": "never" }));
    editor.open(one, &whole(""));
    let mut rename = |plus: usize, part: &str, name: &str| {
        let mut asked = at(one, position(&whole(""), part, plus));
        asked["newName"] = json!(name);
        editor.ask("textDocument/rename", asked)
    };
    let changes = rename(2, "c.hp", "life");
    assert_eq!(
        changes["changes"].as_object().unwrap().len(),
        3,
        "{changes}"
    );
    let refused = rename(0, "hand,", "hand_size");
    let why = refused["error"]["message"].as_str().unwrap();
    assert!(why.contains("already means something"), "{why}");
    // What is wrong with the part is told where it is included.
    editor.open(
        shared,
        "entity Card, explore 1\n  hp: intger\nzone hand of Card\n",
    );
    let said = editor.until("textDocument/publishDiagnostics", |said| {
        said["uri"] == uri(one) && said["diagnostics"] != json!([])
    });
    let first = &said["diagnostics"][0];
    assert_eq!(first["message"], "something in this file is in error");
    assert_eq!(first["range"]["start"]["line"], 0);
}

#[test]
fn what_is_accepted_and_gone_is_told() {
    let text = format!("{DUEL}accept F0301 at strikes because \"it was silent\"\n");
    let (mut editor, path) = opened("gone", &text, json!({ "check": "never" }));
    let known = editor.ask(
        "workspace/executeCommand",
        json!({ "command": "endstep.check" }),
    );
    assert_eq!(known, Value::Null);
    editor.until("endstep/looked", |_| true);
    let messages = |editor: &mut Editor| -> Vec<String> {
        let all = editor.diagnostics(&path);
        let text = |one: &Value| one["message"].as_str().unwrap().to_owned();
        all.iter().map(text).collect()
    };
    let told = messages(&mut editor);
    let accept = told.iter().find(|one| one.contains("covers nothing"));
    assert!(accept.is_some_and(|one| one.contains("F0301")), "{told:?}");
    // The board of a finding is part of what is told of it.
    assert!(
        told.iter().any(|one| one.contains("arena, first to last")),
        "{told:?}"
    );
}

#[test]
fn the_report_says_what_sizes_left_out_and_is_what_check_prints() {
    let folder = folder("report");
    let path = folder.join("duel.endstep");
    fs::write(&path, DUEL).unwrap();
    fs::write(folder.join("endstep.toml"), "[sizes]\nFighter = 1\n").unwrap();
    let mut editor = Editor::new(&folder, "utf-8", json!({}));
    editor.open(&path, DUEL);
    editor.until("endstep/looked", |_| true);
    let asked = json!({ "command": "endstep.report", "arguments": [uri(&path)] });
    let mut report = editor.ask("workspace/executeCommand", asked);
    assert_eq!(report["restrictions"], json!(["sizes.Fighter = 1"]));
    let mut check = crate::endstep();
    check
        .current_dir(&folder)
        .args(["check", "--format", "json"])
        .arg(&path);
    let output = check.output().unwrap();
    let mut printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report.take(), printed["specifications"][0].take());
}

#[test]
fn who_leaves_before_coming_in_is_told_so() {
    let folder = folder("early");
    let mut editor = Editor::new(&folder, "utf-8", json!({ "check": "never" }));
    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
    let again = editor.ask("shutdown", Value::Null);
    assert_eq!(again["error"]["code"], -32600);
}
