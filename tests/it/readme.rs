//! The commands of the README's first ten minutes do what it shows.
//!
//! Blocks marked `console` are run in order in one folder. A line `...` stands for
//! any lines that the README leaves out.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A command of the README with the output that it shows.
struct Shown {
    command: String,
    output: Vec<String>,
}

fn shown(readme: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match (line.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => found.push(Shown {
                    command: command.to_owned(),
                    output: Vec::new(),
                }),
                (None, Some(last)) => last.output.push(line.to_owned()),
                (None, None) => panic!("output without a command: {line}"),
            },
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

#[test]
fn the_first_ten_minutes_are_as_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_endstep"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let all = shown(&readme);
    assert!(all.len() >= 7, "found {} commands", all.len());
    for one in all {
        let output = Command::new("sh")
            .args(["-c", &format!("{} 2>&1", one.command)])
            .env("PATH", &path)
            .current_dir(&folder)
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
