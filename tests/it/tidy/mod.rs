//! The rules of the source tree that the compiler does not know: layers, sizes,
//! headers and forbidden words.
//!
//! A failure names the file, the line and the rule. Comments and strings are
//! blanked first, so that only code counts.

mod circles;
mod layers;
mod paths;
mod scan;

use scan::{File, Place};

/// The longest file, in lines, modules of tests aside.
const MAX_LINES: usize = 600;

/// Folders whose files may need each other in circles; what is taken off the list stays off it.
const CIRCLES: &[&str] = &[
    // Trees: the traversal names every node, every node derives the traversal, and nodes hold each other.
    "crates/kernel/src/ir",
    "crates/language/src/syntax/ast",
    "crates/language/src/typing/program",
];

/// Names that say nothing about what is in a module.
const EMPTY_NAMES: [&str; 6] = ["util", "utils", "helper", "helpers", "common", "prelude"];

fn report(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n  {}\n", broken.join("\n  "));
}

#[test]
fn imports_go_strictly_downwards() {
    let files = scan::sources();
    let files: Vec<_> = files
        .into_iter()
        .filter(|file| !file.path.starts_with("crates/walk/"))
        .collect();
    assert!(files.len() > 10, "the source tree was not found");
    let broken: Vec<_> = files.iter().flat_map(layers::violations).collect();
    report("the layers of ARCHITECTURE.md", &broken);
}

#[test]
fn files_need_each_other_in_one_direction() {
    let files = scan::sources();
    let broken = circles::circles(&files, CIRCLES);
    report("no circles between the files of a folder", &broken);
}

#[test]
fn files_are_short() {
    let files = scan::sources().into_iter().chain(scan::files("tests/it"));
    let broken: Vec<_> = files
        .filter(|file| !file.is_test() && file.code_lines() > MAX_LINES)
        .map(|file| {
            format!(
                "{} has {} lines, not counting tests",
                file.path,
                file.code_lines()
            )
        })
        .collect();
    report("at most 600 lines a file", &broken);
}

#[test]
fn every_file_opens_with_what_it_is_about() {
    let roots = [
        "src",
        "crates",
        "editors",
        "tests/it",
        "libz3",
        "fuzz/fuzz_targets",
    ];
    let files = roots.into_iter().flat_map(scan::files);
    let broken: Vec<_> = files
        .filter(|file| {
            let first = file.raw.lines().next().unwrap_or_default();
            let text = first.strip_prefix("//! ").unwrap_or_default();
            text.len() <= 10
        })
        .map(|file| file.path)
        .collect();
    report("the first line is `//! ` and a sentence", &broken);
}

#[test]
fn modules_are_named_after_what_they_do() {
    let broken: Vec<_> = ["src", "crates", "editors", "tests/it"]
        .into_iter()
        .flat_map(scan::files)
        .map(|file| file.path)
        .filter(|path| {
            let parts = path.split(['/', '.']);
            parts.into_iter().any(|part| EMPTY_NAMES.contains(&part))
        })
        .collect();
    report("no module is called `utils` or the like", &broken);
}

#[test]
fn nothing_is_imported_wholesale() {
    let wildcard = |line: &str| {
        let line = line.trim_start();
        let import = line.starts_with("use ") || line.starts_with("pub use ");
        (import || line.starts_with("pub(")) && line.contains("::*")
    };
    let broken: Vec<_> = ["src", "crates", "editors", "tests/it"]
        .into_iter()
        .flat_map(scan::files)
        .flat_map(|file| {
            // Modules of tests see all of their parent.
            let found = file.find(|place| {
                wildcard(place.line) && !(place.in_test && place.line.trim() == "use super::*;")
            });
            found.collect::<Vec<_>>()
        })
        .collect();
    report("no glob imports, except `use super::*;` in tests", &broken);
}

#[test]
fn only_the_command_line_touches_the_outside() {
    let outside = [
        "std::fs",
        "std::env::",
        "std::process",
        "fs::read",
        "fs::write",
        "File::open",
    ];
    forbid(
        "files, environment and processes only in cli",
        &outside,
        |file| file.module() == "cli" || file.path == "src/main.rs",
    );
}

#[test]
fn only_the_command_line_and_reports_print() {
    let prints = [
        "println!",
        "print!",
        "eprintln!",
        "eprint!",
        "io::stdout",
        "io::stderr",
    ];
    forbid("nothing prints except cli and report", &prints, |file| {
        ["cli", "report"].contains(&file.module())
    });
}

#[test]
fn clocks_are_only_read_where_limits_live() {
    let clocks = ["Instant::now", "SystemTime::now"];
    forbid(
        "clocks only in cli and in files called limits.rs",
        &clocks,
        |file| file.module() == "cli" || file.path.ends_with("/limits.rs"),
    );
}

/// What the crates may not use, so that they can run where there is no operating system, and the files that
/// use it nevertheless, each of them left out without a feature.
#[test]
fn crates_need_no_operating_system() {
    let behind_features = [
        "crates/verdicts/src/analysis/threads.rs",
        "crates/proofs/src/smt/solver.rs",
    ];
    let system = [
        "std::env",
        "std::fs",
        "std::io",
        "std::net",
        "std::os",
        "std::process",
        "std::thread",
        "std::time",
        // What stands in the braces would go unseen.
        "std::{",
        "ctrlc::",
        "libc::",
        "rayon::",
        "z3::",
    ];
    forbid(
        "crates have no files, clocks, threads, signals and Z3 but behind features",
        &system,
        |file| !file.path.starts_with("crates/") || behind_features.contains(&file.path.as_str()),
    );
}

/// Fails where a word stands in code, outside of tests, in files that may not have it.
fn forbid(rule: &str, words: &[&str], allowed: impl Fn(&File) -> bool) {
    let has = |place: &Place| !place.in_test && words.iter().any(|word| place.has_word(word));
    let broken: Vec<_> = scan::sources()
        .into_iter()
        .filter(|file| !allowed(file) && !file.is_test())
        .flat_map(|file| file.find(has).collect::<Vec<_>>())
        .collect();
    report(rule, &broken);
}
