//! `examples/ci`: the commands of its workflow and its hook, in a clean clone, from end to end.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::ci::folder;

/// Runs a command line as a runner does, with the program of this build on the path.
fn shell(line: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_endstep")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.display());
    let mut command = Command::new("bash");
    command
        .args(["-e", "-c", line])
        .current_dir(folder)
        .env("PATH", path)
        .env("ENDSTEP_NO_CACHE", "1");
    command.output().unwrap()
}

fn done(line: &str, folder: &Path) -> String {
    let output = shell(line, folder);
    let error = String::from_utf8_lossy(&output.stderr);
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{line}: {error}{out}");
    out
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(fs::copy(&path, target).unwrap()),
        }
    }
}

/// A clean clone of a repository with the example at its root.
fn clone(name: &str) -> PathBuf {
    let folder = folder(name);
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ci"),
        &folder.join("origin"),
    );
    let commit =
        "git init -q && git add . && git -c user.name=A -c user.email=a@example.org commit -qm one";
    done(commit, &folder.join("origin"));
    done("git clone -q origin clone", &folder);
    folder.join("clone")
}

/// The commands of the workflow, those of a matrix once for each part.
fn commands() -> Vec<String> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ci/.github/workflows/rules.yml");
    let text = fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- run: "));
    let commands: Vec<String> = lines
        .flat_map(|line| match line.contains("${{ matrix.part }}") {
            true => vec![
                line.replace("${{ matrix.part }}", "1"),
                line.replace("${{ matrix.part }}", "2"),
            ],
            false => vec![line.to_owned()],
        })
        .collect();
    assert_eq!(commands.len(), 4, "{commands:?}");
    assert!(commands.iter().all(|line| !line.contains("${{")));
    commands
}

/// Runs the workflow up to the command that fails; what that one printed, if any failed.
fn workflow(folder: &Path) -> Option<String> {
    commands().iter().find_map(|line| {
        let output = shell(line, folder);
        let out = String::from_utf8(output.stdout).unwrap();
        (!output.status.success()).then(|| format!("{line}\n{out}"))
    })
}

fn edit(folder: &Path, file: &str, old: &str, new: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(old).count(), 1, "{old}");
    fs::write(path, text.replace(old, new)).unwrap();
}

fn new_findings(folder: &Path) -> Vec<Value> {
    let output = shell("endstep check --profile ci --format json", folder);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = report["specifications"].as_array().unwrap().iter();
    let all = all.flat_map(|one| one["findings"].as_array().unwrap().clone());
    all.filter(|one| one["status"] == "new").collect()
}

#[test]
fn a_clean_clone_passes() {
    let clone = clone("clean");
    assert_eq!(workflow(&clone), None);
    done("hooks/pre-commit", &clone);
    done("endstep check --profile nightly", &clone);
    done(
        "endstep coverage rules/cards.endstep --text rules/cards.txt",
        &clone,
    );
}

#[test]
fn a_new_fault_is_exactly_one_new_finding() {
    let clone = clone("fault");
    edit(
        &clone,
        "rules/cards.endstep",
        "c.health <= 0",
        "c.health = 0",
    );
    let found = new_findings(&clone);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "F0610");
    let failed = workflow(&clone).unwrap();
    assert!(failed.starts_with("endstep merge"), "{failed}");
    assert_eq!(
        failed
            .matches("::error file=rules/cards.endstep,line=")
            .count(),
        1,
        "{failed}"
    );
    assert!(!shell("hooks/pre-commit", &clone).status.success());
    // Once it is known, it fails no more.
    done("endstep check --update-baseline", &clone);
    assert_eq!(workflow(&clone), None);
}

#[test]
fn a_new_layout_fails_nothing() {
    let clone = clone("layout");
    let path = clone.join("rules/cards.endstep");
    let text = fs::read_to_string(&path).unwrap();
    let text = text
        .replace("  ", "    ")
        .replace('\n', "\n\n")
        .replace(" <= ", "<=");
    fs::write(&path, format!("-- Laid out anew.\n{text}")).unwrap();
    assert_eq!(workflow(&clone), None);
    done("hooks/pre-commit", &clone);
}

#[test]
fn a_sentence_that_changed_is_named() {
    let clone = clone("sentence");
    edit(
        &clone,
        "rules/cards.txt",
        "is zero or less",
        "is less than zero",
    );
    let failed = workflow(&clone).unwrap();
    assert!(failed.starts_with("endstep coverage"), "{failed}");
    assert!(
        failed.contains("Cards whose health is less than zero are discarded."),
        "{failed}"
    );
    assert!(failed.contains("discard"), "{failed}");
}
