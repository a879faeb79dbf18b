//! Annotations of GitHub: what fails is an error with its place, and no more of a kind than are shown.

use std::fs;
use std::path::{Path, PathBuf};

use super::check;

fn folder(name: &str) -> PathBuf {
    crate::folder::empty(&format!("github/{name}"))
}

#[test]
fn what_fails_is_an_error_at_its_place() {
    let folder = folder("one");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/check.in");
    fs::copy(root.join("order.endstep"), folder.join("a, b%.endstep")).unwrap();
    let text = check(&folder, "github");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    let error = "::error file=a%2C b%25.endstep,line=14,col=5,endColumn=53,endLine=14,title=F0610 a claim \
                 of the document is not true::In short, the document says: It makes no difference";
    assert!(lines[0].starts_with(error), "{text}");
    assert!(lines[0].contains("%0Afingerprint: ce085b20"), "{text}");
    assert!(lines[2].starts_with("::notice file="), "{text}");
    assert_eq!(
        lines[3],
        "endstep: 2 errors, 0 warnings, 1 notice, exit code 1"
    );
}

#[test]
fn beyond_what_github_shows_there_are_ordinary_lines() {
    let folder = folder("many");
    let mut game = "game \"Many\"\n".to_owned();
    for at in 0..13 {
        game.push_str(&format!("entity Card{at}, explore up to Nonsense{at}\n"));
    }
    fs::write(folder.join("game.endstep"), game).unwrap();
    let text = check(&folder, "github");
    let errors = text
        .lines()
        .filter(|line| line.starts_with("::error "))
        .count();
    let plain = text
        .lines()
        .filter(|line| line.starts_with("error: game.endstep:"))
        .count();
    assert_eq!((errors, plain), (10, 3), "{text}");
    assert!(text.ends_with("exit code 3\n"), "{text}");
}
