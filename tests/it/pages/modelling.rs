//! What docs/modelling.md shows: commands, parts of the files in docs/examples/orchard, and a
//! phrase book whose snippets have to be without errors in the small game that stands above them.
//!
//! ```text
//! -- "may": the phrase, and perhaps a remark
//! may by owner "pay a coin"
//!   decrease owner.coins by 1
//! ```

use std::fs;
use std::path::Path;

use endstep::diag::{Severity, Style, render};
use endstep::source::SourceMap;
use endstep::syntax::parse;
use endstep::typing::check;

use super::{Block, blocks, follow, page};
use crate::folder::empty;

const PAGE: &str = "docs/modelling.md";
const STAGES: &str = "docs/examples/orchard";

/// Around the snippets of statements.
const AROUND: &str = "sequence turn
  step begin
    basis text
    perform phrase(active, first of row)
sequence phrase(owner: Player, card: Card)
  step say
    basis text
";

#[test]
fn the_commands_do_what_the_page_shows() {
    let folder = empty("modelling");
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(STAGES)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    follow(&page(PAGE), &folder, 18);
}

/// Lines without the indentation that they share.
fn flush(lines: &[String]) -> Vec<&str> {
    let indentation = |line: &&String| line.len() - line.trim_start().len();
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let shared = filled.map(|line| indentation(&line)).min().unwrap_or(0);
    let cut = |line| str::get(line, shared..).unwrap_or_default();
    lines.iter().map(|line| cut(line)).collect()
}

#[test]
fn parts_of_specifications_are_as_in_their_files() {
    let mut parts = 0;
    for block in blocks(&page(PAGE)) {
        let file = block.info.strip_prefix("endstep ");
        let Some(file) = file.filter(|file| file.ends_with(".endstep")) else {
            continue;
        };
        let text = page(&format!("{STAGES}/{file}"));
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let wanted = flush(&block.lines);
        let mut windows = lines.windows(wanted.len());
        let line = block.line;
        assert!(
            windows.any(|window| flush(window) == wanted),
            "{PAGE}:{line}: not in {file}"
        );
        parts += 1;
    }
    assert!(parts > 10, "only {parts} parts were found");
}

#[test]
fn the_stages_are_laid_out_as_the_printer_does() {
    for stage in ["1-first", "2-bounds", "3-whole", "4-mended"] {
        let text = page(&format!("{STAGES}/{stage}.endstep"));
        let mut sources = SourceMap::new();
        let id = sources.load(stage, text.as_bytes()).unwrap();
        assert_eq!(endstep::syntax::print(&parse(id, &text).file), text);
    }
}

/// The errors of a specification, as they are shown.
fn errors(name: &str, text: &str) -> String {
    let mut sources = SourceMap::new();
    let id = sources.load(name, text.as_bytes()).unwrap();
    let parsed = parse(id, text);
    let (_, found) = check(&[parsed.file]);
    let mut all = parsed.diagnostics;
    all.extend(found);
    all.retain(|one| one.severity == Severity::Error);
    render::text(&all, &sources, &Style::default())
}

/// The snippets of a block: each begins with a comment in the first column.
fn snippets(block: &Block) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in &block.lines {
        match (line.starts_with("-- "), found.last_mut()) {
            (false, Some(last)) => {
                last.push_str("    ");
                last.push_str(line);
                last.push('\n');
            }
            _ => found.push(format!("    {line}\n")),
        }
    }
    found
}

#[test]
fn every_phrase_type_checks() {
    let blocks = blocks(&page(PAGE));
    let begins =
        |block: &Block, with: &str| block.lines.first().is_some_and(|one| one.starts_with(with));
    let game = blocks.iter().find(|block| begins(block, "game ")).unwrap();
    let game = game.lines.join("\n") + "\n";
    let mut phrases = 0;
    for block in &blocks {
        let name = format!("{PAGE}:{}", block.line);
        if block.info == "endstep statements" {
            for snippet in snippets(block) {
                let shown = errors(&name, &format!("{game}{AROUND}{snippet}"));
                assert!(shown.is_empty(), "{snippet}{shown}");
                phrases += 1;
            }
        } else if block.info == "endstep" && begins(block, "-- ") {
            let shown = errors(&name, &format!("{game}{}\n", block.lines.join("\n")));
            assert!(shown.is_empty(), "{shown}");
            phrases += snippets(block).len();
        }
    }
    assert!(phrases > 50, "only {phrases} phrases were found");
}
