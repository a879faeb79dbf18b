//! Pages that show commands and specifications: what they show is so.
//!
//! Fenced blocks marked `console` are run in order in one folder. A line `...` stands for any lines
//! that the page leaves out.
//!
//! ```text
//! $ endstep init duel
//! wrote duel.endstep
//! next: endstep check duel.endstep
//! ```

mod modelling;
mod readme;

use std::fs;
use std::path::Path;
use std::process::Command;

/// A fenced block of a page: the line of its fence, what stands behind the fence, its lines.
#[derive(Debug)]
struct Block {
    line: usize,
    info: String,
    lines: Vec<String>,
}

/// A command of a page with the output that it shows.
struct Shown {
    command: String,
    output: Vec<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let inside = lines.by_ref().map(|(_, line)| line.to_owned());
            found.push(Block {
                line: number + 1,
                info: info.to_owned(),
                lines: inside.take_while(|line| line != "```").collect(),
            });
        }
    }
    found
}

fn shown(page: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    for block in blocks(page)
        .into_iter()
        .filter(|block| block.info == "console")
    {
        for line in block.lines {
            match (line.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => found.push(Shown {
                    command: command.to_owned(),
                    output: Vec::new(),
                }),
                (None, Some(last)) => last.output.push(line),
                (None, None) => panic!("output without a command: {line}"),
            }
        }
    }
    found
}

/// Whether the output is the one shown, with any lines for each `...`.
fn fits(expected: &[String], actual: &[&str]) -> bool {
    match expected {
        [] => actual.is_empty(),
        [first, rest @ ..] if first == "..." => {
            (0..=actual.len()).any(|skip| fits(rest, &actual[skip..]))
        }
        [first, rest @ ..] => {
            actual.first().is_some_and(|line| line.trim_end() == first) && fits(rest, &actual[1..])
        }
    }
}

/// The text of a page, by its path in the repository.
fn page(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Runs the commands of a page in a folder, at least so many, and compares what they print.
fn follow(page: &str, folder: &Path, at_least: usize) {
    let program = Path::new(env!("CARGO_BIN_EXE_endstep"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let all = shown(page);
    assert!(all.len() >= at_least, "found {} commands", all.len());
    for one in all {
        let output = Command::new("sh")
            .args(["-c", &format!("{} 2>&1", one.command)])
            .env("PATH", &path)
            .env("ENDSTEP_NO_CACHE", "1")
            .current_dir(folder)
            .output()
            .unwrap();
        let actual = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = actual.lines().collect();
        assert!(
            fits(&one.output, &lines),
            "$ {}\nshown:\n{}\nfound:\n{actual}",
            one.command,
            one.output.join("\n")
        );
    }
}

#[test]
fn dots_stand_for_any_lines() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&lines("a\n...\nd"), &["a", "b", "c", "d"]));
    assert!(fits(&lines("a\n..."), &["a"]));
    assert!(!fits(&lines("a\n...\nd"), &["a", "b"]));
    assert!(!fits(&lines("a"), &["a", "b"]));
}
