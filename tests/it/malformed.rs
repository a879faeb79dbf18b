//! Input of any kind gives a message and a documented exit code, never a panic.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// An empty folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn endstep(arguments: &[&str], folder: &Path) -> Output {
    crate::endstep()
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The kinds of malformed input, each with a part of the message it gives.
fn inputs() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let game = "game \"g\"\n\nsequence s\n  step t\n    nothing\n";
    let nested = |open: &str, close: &str| {
        format!(
            "define x() = {}1{}\n",
            open.repeat(200_000),
            close.repeat(200_000)
        )
        .into_bytes()
    };
    let deep: String = (0..3000)
        .map(|depth| format!("{}repeat until stable\n", "  ".repeat(depth)))
        .collect();
    let noise: Vec<u8> = (0..20_000_u32)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    vec![
        ("empty", Vec::new(), "E0004"),
        ("comments", b"-- nothing\n\n-- at all\n".to_vec(), "E0004"),
        ("binary", noise, "E0001"),
        ("latin", b"game \"R\xe9initialisation\"\n".to_vec(), "E0001"),
        ("zeros", vec![0; 5000], "error["),
        ("large", vec![b'a'; 10_000_000], "E0002"),
        ("brackets", nested("(", ")"), "error["),
        ("open_brackets", nested("(", ""), "error["),
        (
            "nots",
            format!("define x() = {}true\n", "not ".repeat(200_000)).into_bytes(),
            "error[",
        ),
        (
            "long_line",
            format!("game \"{}\n", "a".repeat(3_000_000)).into_bytes(),
            "error[",
        ),
        ("deep", deep.into_bytes(), "error["),
        ("tabs", game.replace("  ", "\t").into_bytes(), "error["),
        ("quotes", vec![b'"'; 100_000], "error["),
    ]
}

#[test]
fn malformed_files_are_diagnosed_by_every_command() {
    let folder = folder("malformed");
    for (name, bytes, message) in inputs() {
        let file = format!("{name}.endstep");
        fs::write(folder.join(&file), bytes).unwrap();
        for command in ["check", "run", "coverage", "fmt"] {
            if command == "fmt" && message == "E0004" {
                continue; // There is nothing wrong with the layout of nothing.
            }
            let output = endstep(&[command, &file], &folder);
            let error = String::from_utf8_lossy(&output.stderr);
            let start: String = error.chars().take(300).collect();
            assert_eq!(output.status.code(), Some(3), "{command} {name}: {start}");
            assert!(error.contains(message), "{command} {name}: {start}");
            assert!(
                error.len() < 100_000,
                "{command} {name}: {} bytes",
                error.len()
            );
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_is_no_panic() {
    let folder = folder("truncated");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/check.in/readings.endstep");
    let whole = fs::read(path).unwrap();
    for end in (0..whole.len()).step_by(37) {
        fs::write(folder.join("cut.endstep"), &whole[..end]).unwrap();
        let output = endstep(&["check", "--quiet", "cut.endstep"], &folder);
        let code = output.status.code();
        assert!(
            [Some(0), Some(1), Some(3)].contains(&code),
            "cut at {end}: {code:?}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = folder("unreadable");
    fs::create_dir(folder.join("bare")).unwrap();
    fs::write(folder.join("game.endstep"), "game \"g\"\n").unwrap();
    fs::write(folder.join("latin.txt"), b"R\xe9gles").unwrap();
    fs::write(folder.join("bad.json"), "{").unwrap();
    for (arguments, message) in [
        (
            &["check", "absent.endstep"][..],
            "cannot read `absent.endstep`",
        ),
        (&["check", "bare"], "found no `.endstep` file in `bare`"),
        (&["run", "bare"], "cannot read `bare`"),
        (
            &["coverage", "game.endstep", "--text", "absent.txt"],
            "cannot read `absent.txt`",
        ),
        (
            &["coverage", "game.endstep", "--text", "latin.txt"],
            "it is not UTF-8",
        ),
        (&["init", "new", "--from", "latin.txt"], "it is not UTF-8"),
        (&["replay", "absent.json"], "cannot read `absent.json`"),
        (&["replay", "bad.json"], "`bad.json` is no saved witness"),
    ] {
        let output = endstep(arguments, &folder);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(66), "{arguments:?}: {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
    }
}

#[test]
fn a_damaged_file_beside_a_specification_is_named() {
    let folder = folder("damaged");
    fs::write(folder.join("game.endstep"), "game \"g\"\n").unwrap();
    fs::write(folder.join("rules.txt"), "Draw a card.\n").unwrap();
    for text in [
        "",
        "[]",
        "{\"version\": 7, \"findings\": [], \"texts\": []}",
    ] {
        fs::write(folder.join("game.expected.json"), text).unwrap();
        fs::write(folder.join("game.coverage.json"), text).unwrap();
        for (arguments, name) in [
            (&["check", "game.endstep"][..], "game.expected.json"),
            (
                &["coverage", "game.endstep", "--text", "rules.txt"],
                "game.coverage.json",
            ),
        ] {
            let output = endstep(arguments, &folder);
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(66), "{arguments:?}: {error}");
            assert!(error.contains(&format!("cannot read `{name}`")), "{error}");
        }
    }
    let output = endstep(&["check", "--no-expected", "game.endstep"], &folder);
    assert_eq!(output.status.code(), Some(0));
}
