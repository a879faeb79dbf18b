//! `endstep decide`: what an editor decided stands with the finding, until the finding is gone.

use super::folder::empty;
use super::usage::endstep;
use std::fs;
use std::path::Path;

const GAME: &str = "game \"g\"\nreading r\n  one \"one card\"\n  two \"two cards\"\nvar k: integer from 0 to 9, starts 0\ndocument d \
                    \"d\"\n  clause a (rule) at \"1\"\n    says \"Draw some.\"\n    sequence s\n      step draw\n        set k to per r \
                    (one: 1 | two: 2)\nverify s\n";

/// Standard output and standard error of a command that ends with a code.
fn told(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = endstep(arguments, folder);
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}:\n{text}");
    text
}

/// The fingerprint of the only finding that is shown in full.
fn print(folder: &Path) -> String {
    let text = told(folder, &["check", "game.endstep"], 1);
    let line = text.lines().find(|line| line.contains("replay: ")).unwrap();
    line.rsplit(' ').next().unwrap().to_owned()
}

#[test]
fn what_is_decided_stands_with_the_finding_until_it_is_gone() {
    let folder = empty("decide/whole");
    fs::write(folder.join("game.endstep"), GAME).unwrap();
    let print = print(&folder);
    let nothing = told(&folder, &["decide", "game.endstep"], 0);
    assert!(nothing.contains("nothing is decided"), "{nothing}");

    // The finding need not be written down before.
    let decided = [
        "decide",
        "game.endstep",
        &print,
        "  one card;\n next printing ",
    ];
    let text = told(&folder, &decided, 0);
    let line = format!("game.expected.json: F0401 r ({print}), decided: one card; next printing\n");
    assert!(text.starts_with(&line), "{text}");
    let text = told(&folder, &["check", "game.endstep"], 0);
    assert!(
        text.contains("shown · discovered · basis text · decided: one card; next printing"),
        "{text}"
    );
    assert!(text.contains("1 finding: 1 decided\n"), "{text}");
    let list = told(&folder, &["decide", "game.endstep"], 0);
    assert!(list.starts_with("F0401 r ("), "{list}");

    // It is kept when the file is made anew, and changed and taken back without a check.
    told(&folder, &["check", "--update-expected", "game.endstep"], 0);
    let again = ["decide", "game.endstep", &print[..4], "two cards"];
    assert!(told(&folder, &again, 0).contains("decided: two cards"));
    let page = told(&folder, &["report", "game.endstep"], 0);
    assert!(page.contains("decided: two cards"), "{page}");
    let mended = GAME.replace("two: 2", "two: 1");
    fs::write(folder.join("game.endstep"), mended).unwrap();
    let text = told(&folder, &["check", "game.endstep"], 1);
    assert!(
        text.contains("F0401 at r was known and is gone (decided: two cards)"),
        "{text}"
    );
    let text = told(&folder, &["decide", "game.endstep", &print, "--undo"], 0);
    assert!(
        text.ends_with(&format!("F0401 r ({print}), open\n")),
        "{text}"
    );
}

#[test]
fn what_cannot_be_decided_is_said() {
    let folder = empty("decide/faults");
    fs::write(folder.join("game.endstep"), GAME).unwrap();
    for (arguments, code, says) in [
        (
            &["decide", "game.endstep", "ffff", "x"][..],
            64,
            "there are these:",
        ),
        (
            &["decide", "game.endstep", "ffff"],
            64,
            "expected what is decided",
        ),
        (
            &["decide", "game.endstep", "ffff", "  "],
            64,
            "expected what is decided",
        ),
        (
            &["decide", "game.endstep", "ffff", "--undo"],
            64,
            "no finding in `game.expected.json` begins with",
        ),
        (
            &["decide", "nowhere.endstep", "ffff", "x"],
            66,
            "cannot read `nowhere.endstep`",
        ),
        (
            &["decide", "game.endstep", "ffff", "x", "--undo"],
            64,
            "cannot be used with",
        ),
    ] {
        let text = told(&folder, arguments, code);
        assert!(text.contains(says), "{arguments:?}:\n{text}");
        assert!(!folder.join("game.expected.json").exists());
    }
    fs::write(folder.join("game.expected.json"), "{").unwrap();
    let text = told(&folder, &["decide", "game.endstep", "ffff", "x"], 66);
    assert!(text.contains("cannot read `game.expected.json`"), "{text}");
}
