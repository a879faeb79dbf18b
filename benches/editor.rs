//! How long an author waits: from a key to what is wrong, and to what the smallest boards show then.
//!
//! `cargo bench --bench editor` runs it, on the largest specification. The time for which the text has to rest (0.3 s) counts.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on fails")]
#![allow(missing_docs, reason = "the macros of criterion make a function")]
#![allow(dead_code, reason = "tests use more of the editor")]

#[path = "../tests/it/lsp/editor.rs"]
mod editor;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use editor::Editor;
use serde_json::json;

/// A folder for the largest specification.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editor");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.canonicalize().unwrap()
}

/// The program.
fn endstep() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endstep"));
    command.env("ENDSTEP_NO_CACHE", "1");
    command
}

/// The largest specification of one file.
fn largest() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|end| end == "endstep"));
    let texts = paths.map(|path| fs::read_to_string(path).unwrap());
    texts.max_by_key(String::len).unwrap()
}

fn keys(criterion: &mut Criterion) {
    let folder = folder();
    let (path, text) = (folder.join("game.endstep"), largest());
    fs::write(&path, &text).unwrap();
    let mut editor = Editor::new(&folder, "utf-8", json!({ "check": "never" }));
    editor.open(&path, &text);
    let mut version = 1;
    let mut group = criterion.benchmark_group("editor");
    group.sample_size(20);
    group.bench_function("from a key to what is wrong", |bencher| {
        bencher.iter_custom(|times| {
            let mut spent = Duration::ZERO;
            for _ in 0..times {
                version += 1;
                editor.heard.clear();
                // A line that is in error comes, and goes again.
                let start = json!({ "line": 40, "character": 0 });
                let (end, piece) = match version % 2 {
                    0 => (start.clone(), "x\n"),
                    _ => (json!({ "line": 41, "character": 0 }), ""),
                };
                let range = json!([{ "range": { "start": start, "end": end }, "text": piece }]);
                let begin = Instant::now();
                editor.change(&path, version, range);
                editor.until("textDocument/publishDiagnostics", |said| {
                    said["version"] == version
                });
                spent += begin.elapsed();
            }
            spent
        });
    });
    group.finish();
}

fn clauses(criterion: &mut Criterion) {
    let folder = folder();
    let (path, text) = (folder.join("game.endstep"), largest());
    fs::write(&path, &text).unwrap();
    let mut editor = Editor::new(&folder, "utf-8", json!({}));
    editor.open(&path, &text);
    editor.until("endstep/looked", |_| true);
    // Another amount each time, in a statement.
    let amounts: Vec<usize> = text.match_indices(" by 1\n").map(|(at, _)| at).collect();
    let mut version = 1;
    let mut group = criterion.benchmark_group("editor");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(30));
    group.bench_function("from a key to what was found", |bencher| {
        bencher.iter_custom(|times| {
            let mut spent = Duration::ZERO;
            for _ in 0..times {
                version += 1;
                editor.heard.clear();
                let mut other = text.clone();
                let at = amounts[version as usize % amounts.len()];
                other.insert_str(at + " by 1".len(), &format!(" + {version} - {version}"));
                let begin = Instant::now();
                editor.change(&path, version, json!([{ "text": other }]));
                editor.until("textDocument/publishDiagnostics", |said| {
                    said["version"] == version && said.to_string().contains("smallest boards")
                });
                spent += begin.elapsed();
            }
            spent
        });
    });
    group.finish();
}

criterion_group!(benches, keys, clauses);
criterion_main!(benches);
