//! Many edits at random: the server never ends, and knows at the end what one knows that has seen the last text alone.

use super::{Editor, folder, uri};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Numbers that look like chance, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

/// How an editor counts.
fn units(encoding: &str, text: &str) -> usize {
    match encoding {
        "utf-8" => text.len(),
        "utf-16" => text.encode_utf16().count(),
        _ => text.chars().count(),
    }
}

fn position(encoding: &str, text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": before.matches('\n').count(), "character": units(encoding, &before[start..]) })
}

/// The nearest place before an offset at which no character and no line end is cut.
fn boundary(text: &str, offset: usize) -> usize {
    let at = text.floor_char_boundary(offset);
    match text[..at].ends_with('\r') && text[at..].starts_with('\n') {
        true => at - 1,
        false => at,
    }
}

const PIECES: [&str; 16] = [
    "\n",
    "  ",
    "x",
    "ä",
    "🂡",
    "\"",
    "--",
    "(",
    ")",
    "\r\n",
    "set ",
    "for each c in ",
    ":",
    "zone a of B\n",
    "\t",
    "clause a.1 (rule) at \"1\"\n",
];

/// Makes so many edits of a text; the text that is left.
fn edited(
    editor: &mut Editor,
    path: &Path,
    (text, encoding): (&str, &str),
    edits: usize,
    seed: u64,
) -> String {
    let mut chance = Chance(seed | 1);
    let mut now = text.to_owned();
    let mut before = Vec::new();
    for version in 0..edits {
        // Sometimes the text of some edits ago comes back.
        let (start, end, piece) = match chance.below(12) {
            0 if !before.is_empty() => {
                let back: String = before.swap_remove(chance.below(before.len()));
                (0, now.len(), back)
            }
            _ => {
                let start = boundary(&now, chance.below(now.len() + 1));
                let end = boundary(&now, (start + chance.below(30)).min(now.len())).max(start);
                let end = if chance.below(2) == 0 { start } else { end };
                let piece = if chance.below(4) == 0 {
                    ""
                } else {
                    PIECES[chance.below(PIECES.len())]
                };
                (start, end, piece.to_owned())
            }
        };
        let range = json!({ "start": position(encoding, &now, start), "end": position(encoding, &now, end) });
        if before.len() < 8 {
            before.push(now.clone());
        }
        now.replace_range(start..end, &piece);
        editor.change(
            path,
            version as i64 + 2,
            json!([{ "range": range, "text": piece }]),
        );
        // Now and then something is asked of the half-written text.
        let at = boundary(&now, chance.below(now.len() + 1));
        let here = json!({ "textDocument": { "uri": uri(path) }, "position": position(encoding, &now, at) });
        let method = match chance.below(24) {
            0 => "textDocument/hover",
            1 => "textDocument/definition",
            2 => "textDocument/documentSymbol",
            3 => "textDocument/foldingRange",
            4 => "textDocument/semanticTokens/full",
            5 if chance.below(3) == 0 => "textDocument/completion",
            _ => continue,
        };
        let answer = editor.ask(method, here);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
    }
    now
}

/// All that the server says of a text.
fn known(editor: &mut Editor, path: &Path) -> Vec<Value> {
    let document = json!({ "textDocument": { "uri": uri(path) } });
    let methods = [
        "textDocument/documentSymbol",
        "textDocument/semanticTokens/full",
        "textDocument/foldingRange",
    ];
    let mut known: Vec<Value> = methods
        .iter()
        .map(|method| editor.ask(method, document.clone()))
        .collect();
    known.push(Value::Array(editor.diagnostics(path)));
    known
}

fn specifications() -> Vec<PathBuf> {
    let folder = Path::new(crate::ROOT).join("specs");
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|end| end == "endstep"))
        .collect();
    paths.sort();
    paths
}

fn same_as_a_fresh_server(edits: usize) {
    for (number, original) in specifications().iter().enumerate() {
        let encoding = ["utf-16", "utf-8", "utf-32"][number % 3];
        let folder = folder(&format!("edits-{number}"));
        let path = folder.join("edited.endstep");
        let text = std::fs::read_to_string(original).unwrap();
        std::fs::write(&path, &text).unwrap();
        let mut editor = Editor::new(&folder, encoding, json!({ "check": "never" }));
        editor.open(&path, &text);
        let seed = 77 + number as u64;
        let some = edited(&mut editor, &path, (&text, encoding), edits / 2, seed);
        known(&mut editor, &path);
        let before = editor.memory();
        let left = edited(&mut editor, &path, (&some, encoding), edits / 2, !seed);
        let long = known(&mut editor, &path);
        // Half as many edits again take no more memory, but for what an allocator keeps.
        if let (Some(before), Some(after)) = (before, editor.memory()) {
            assert!(after < before + before / 2, "{before} kB, then {after} kB");
        }
        let mut fresh = Editor::new(&folder, encoding, json!({ "check": "never" }));
        fresh.open(&path, &left);
        let short = known(&mut fresh, &path);
        assert_eq!(long, short, "{}", original.display());
        assert_eq!(editor.leave(), Some(0));
        assert_eq!(fresh.leave(), Some(0));
    }
}

#[test]
fn after_many_edits_the_server_knows_the_last_text() {
    same_as_a_fresh_server(1000);
}
