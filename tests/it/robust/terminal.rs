//! What a terminal would obey is shown.

use super::{end, start};
use crate::folder::empty;
use serde_json::Value;
use std::fs;

/// Sets the title of a terminal, clears it, in one byte and in two, and writes backwards.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{9b}2J\u{7f}\u{202e}\u{2066}";

/// Whether a terminal would do something else than show it.
fn is_plain(text: &str) -> bool {
    let obeyed = |one: char| {
        (one.is_control() && one != '\n' && one != '\t')
            || ('\u{202a}'..='\u{202e}').contains(&one)
            || ('\u{2066}'..='\u{2069}').contains(&one)
    };
    !text.contains(obeyed)
}

#[test]
fn nothing_that_a_terminal_obeys_is_printed() {
    let folder = empty("robust/terminal");
    let text = format!(
        "game \"{HOSTILE}\"\ndocument rules \"{HOSTILE}\"\n  clause one (claim) at \"{HOSTILE}\"\n    \
         says \"{HOSTILE}\"\n    claim low: must n <= 0 after play  -- {HOSTILE}\n\
         var n: integer, explore 0 to 1, reach 0 to 9\n\
         sequence play\n  step rise\n    set n to 1\nverify play\n"
    );
    let name = format!("{HOSTILE}.endstep");
    fs::write(folder.join(&name), &text).unwrap();
    fs::write(folder.join("bad.endstep"), format!("{text}{HOSTILE}\n")).unwrap();
    fs::write(folder.join("why.json"), format!("{{\"{HOSTILE}\": 1}}")).unwrap();
    let mut shown = 0;
    for arguments in [
        &["check", "."][..],
        &["check", &name, "--format", "github"],
        &["check", &name, "--format", "junit"],
        &["check", &name, "--baseline", "why.json"],
        &["check", HOSTILE],
        &["report", &name],
        &["coverage", &name],
        &["run", &name],
        &["explore", &name],
        &["order", &name],
        &["graph", &name],
        &["graph", &name, "--format", "mermaid"],
        &["mutate", &name, "--list"],
        &["fuzz", &name, "--runs", "10", "--jobs", "1"],
        &["diff", &name, "bad.endstep"],
        &["explain", HOSTILE],
        &[HOSTILE],
        &["check", "--only", HOSTILE, &name],
    ] {
        let output = end(start(arguments, &folder));
        for stream in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(stream);
            assert!(is_plain(&text), "{arguments:?}: {text:?}");
            shown += usize::from(text.contains("\\u{1b}"));
        }
    }
    assert!(shown >= 14, "{shown}");
    for format in ["json", "sarif"] {
        let output = end(start(&["check", &name, "--format", format], &folder));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(is_plain(&text), "{format}: {text:?}");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert!(value.to_string().contains('\u{9b}'), "{value}");
    }
}

#[test]
fn what_is_laid_out_for_another_program_stays_as_it_is() {
    let folder = empty("robust/layout");
    let text = format!("-- {HOSTILE}\ngame \"{HOSTILE}\"\n");
    fs::write(folder.join("game.endstep"), &text).unwrap();
    let mut child = crate::endstep()
        .args(["fmt", "-"])
        .stdin(fs::File::open(folder.join("game.endstep")).unwrap())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    assert!(child.wait().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
}

#[test]
fn colours_are_used_where_they_are_wanted_and_safe() {
    let folder = empty("robust/colour");
    fs::write(folder.join("game.endstep"), super::QUIET).unwrap();
    let named = super::QUIET.replace("Quiet", HOSTILE);
    fs::write(folder.join("hostile.endstep"), named).unwrap();
    let run = |file: &str, option: &str, variables: &[(&str, &str)]| {
        let output = crate::endstep()
            .args(["check", file, option])
            .current_dir(&folder)
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let is_coloured = |text: &str| text.contains('\u{1b}');
    let force = ("CLICOLOR_FORCE", "1");
    let plain = ("NO_COLOR", "1");
    assert!(!is_coloured(&run("game.endstep", "--color=auto", &[])));
    assert!(is_coloured(&run("game.endstep", "--color=auto", &[force])));
    assert!(!is_coloured(&run(
        "game.endstep",
        "--color=auto",
        &[force, plain]
    )));
    assert!(is_coloured(&run(
        "game.endstep",
        "--color=always",
        &[plain]
    )));
    assert!(!is_coloured(&run(
        "game.endstep",
        "--color=never",
        &[force]
    )));
    // A text that brings escapes of its own is shown without any.
    let shown = run("hostile.endstep", "--color=always", &[]);
    assert!(
        is_plain(&shown) && shown.contains("\\u{1b}]0;x"),
        "{shown:?}"
    );
}

/// Runs a program with a terminal as its standard error, and shows what was written there.
const ON_A_TERMINAL: &str = "\
import os, pty, subprocess, sys
shown, terminal = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal)
os.close(terminal)
while True:
    try:
        some = os.read(shown, 4096)
    except OSError:
        break
    if not some:
        break
    os.write(1, some)
sys.exit(child.wait())
";

#[test]
fn a_terminal_is_shown_how_far_a_check_is() {
    let shown = |arguments: &[&str]| {
        let program = env!("CARGO_BIN_EXE_endstep");
        let mut command = std::process::Command::new("python3");
        command.args(["-c", ON_A_TERMINAL, program, "check", "--no-cache"]);
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        let output = command.args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let long = ["specs/rumblebots.endstep", "specs/xenoshyft.endstep"];
    let text = shown(&long);
    for part in [
        "(1 of 2)",
        "(2 of 2)",
        "clashes (2 of 4)",
        " boards",
        " %, ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Nothing is left of it.
    assert!(text.ends_with("\u{1b}[2K"), "{text:?}");
    let quiet = shown(&[long[0], "--quiet"]);
    let quick = shown(&["tests/cli/check.in/readings.endstep"]);
    assert_eq!((quiet.as_str(), quick.as_str()), ("", ""));
}
