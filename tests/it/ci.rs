//! A repository in CI: parts of a check joined, baselines, what is accepted, and `endstep.toml`.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::usage::endstep;

/// An empty folder.
pub fn folder(name: &str) -> PathBuf {
    crate::folder::empty(&format!("ci/{name}"))
}

/// A folder with the games of `tests/cli/check.in` that these tests speak of.
fn games(name: &str, files: &[&str]) -> PathBuf {
    let folder = folder(name);
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/check.in");
    for file in files {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from.join(file.rsplit('/').next().unwrap()), to).unwrap();
    }
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs a command that ends with an exit code, and returns what it prints.
pub fn run(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = endstep(arguments, folder);
    let error = String::from_utf8_lossy(&output.stderr);
    let out = text(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {error}{out}"
    );
    out
}

/// What a command that fails says.
fn refused(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = endstep(arguments, folder);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The JSON report of a check.
pub fn report(folder: &Path, arguments: &[&str], code: i32) -> Value {
    let all = [&["check", "--format", "json"], arguments].concat();
    serde_json::from_str(&run(folder, &all, code)).unwrap()
}

fn count(report: &Value, status: &str) -> u64 {
    let all = report["specifications"].as_array().unwrap().iter();
    all.filter_map(|one| one["summary"][status].as_u64()).sum()
}

#[test]
fn joined_parts_are_the_check_that_was_not_split() {
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/check.in");
    let parts = folder("parts");
    for of in [1, 2, 5, 40] {
        let mut files = Vec::new();
        // In no particular order.
        for index in (1..=of).rev() {
            let output = endstep(
                &["check", ".", "--shard", &format!("{index}/{of}")],
                &inputs,
            );
            assert_eq!(output.status.code(), Some(0));
            let file = parts.join(format!("{index}-{of}.json"));
            fs::write(&file, output.stdout).unwrap();
            files.push(file.display().to_string());
        }
        for format in ["json", "text", "sarif", "junit", "github"] {
            let whole = endstep(&["check", ".", "--format", format], &inputs);
            let mut arguments = vec!["merge", "--format", format];
            arguments.extend(files.iter().map(String::as_str));
            let joined = endstep(&arguments, &inputs);
            assert!(whole.stdout == joined.stdout, "{of} parts, {format}");
            assert_eq!(joined.status.code(), whole.status.code());
            let complaints = |output: &Output| text(&output.stderr);
            if format == "text" {
                assert_eq!(complaints(&joined), complaints(&whole));
            }
        }
    }
}

#[test]
fn what_is_no_whole_check_is_not_joined() {
    let folder = games("no_parts", &["order.endstep", "loop.endstep"]);
    for (name, shard) in [("1", "1/2"), ("2", "2/2"), ("other", "1/3")] {
        let part = run(&folder, &["check", ".", "--shard", shard], 0);
        fs::write(folder.join(name), part).unwrap();
    }
    let strict = run(
        &folder,
        &["check", ".", "--shard", "2/2", "--fail-on", "note"],
        0,
    );
    fs::write(folder.join("strict"), strict).unwrap();
    fs::write(
        folder.join("old"),
        fs::read_to_string(folder.join("2"))
            .unwrap()
            .replace("\"0.1.0\"", "\"0.0.9\""),
    )
    .unwrap();
    fs::write(
        folder.join("report"),
        run(&folder, &["check", ".", "--format", "json"], 1),
    )
    .unwrap();
    for (files, message) in [
        (&["1"][..], "found 1 of 2 parts: missing 2"),
        (&["1", "2", "1"], "found part 1 of 2 twice, in `1` and `1`"),
        (
            &["2", "other"],
            "`other` is part of another check than `2`: that one was split into 2, this one into 3",
        ),
        (
            &["1", "strict"],
            "`strict` is part of another check than `1`: only `strict` has the option `--fail-on note`",
        ),
        (
            &["1", "old"],
            "was written by endstep 0.0.9, expected 0.1.0",
        ),
        (&["report"], "`report` is no part of a check"),
        (&["order.endstep"], "`order.endstep` is no part of a check"),
        (&["nothing"], "cannot read `nothing`"),
    ] {
        let error = refused(&folder, &[&["merge"], files].concat(), 66);
        assert!(error.contains(message), "{files:?}: {error}");
    }
    let error = refused(&folder, &["check", ".", "--shard", "3/2"], 64);
    assert!(error.contains("expected I/N such as 2/3"), "{error}");
}

/// Parts of checks that are not one check, made in one folder, one after the other.
#[test]
fn parts_of_different_checks_are_not_joined() {
    let folder = games("other_checks", &["order.endstep", "loop.endstep"]);
    let part = |name: &str, arguments: &[&str]| {
        let all = [&["check", "."], arguments].concat();
        fs::write(folder.join(name), run(&folder, &all, 0)).unwrap();
    };
    let differ = |files: [&str; 2], why: &str| {
        let [first, second] = files;
        let error = refused(&folder, &["merge", first, second], 66);
        let message = format!("`{second}` is part of another check than `{first}`: {why}");
        assert!(error.contains(&message), "{error}");
    };
    part("1", &["--shard", "1/2"]);
    part("2", &["--shard", "2/2"]);
    run(&folder, &["merge", "1", "2"], 1);
    // Another option.
    part(
        "2-quiet",
        &["--shard", "2/2", "--quiet", "--scope", "Fighter=1"],
    );
    differ(["1", "2-quiet"], "only `2-quiet` has the option `--quiet`");
    // A file that was edited in between.
    let text = fs::read_to_string(folder.join("order.endstep")).unwrap();
    fs::write(folder.join("order.endstep"), format!("{text}\n-- edited\n")).unwrap();
    part("2-edited", &["--shard", "2/2"]);
    differ(["1", "2-edited"], "`order.endstep` was changed in between");
    // One that is included, and one with what is expected.
    let including = format!("{text}\ninclude \"parts/more.inc\"\n");
    fs::write(folder.join("order.endstep"), including).unwrap();
    fs::create_dir(folder.join("parts")).unwrap();
    fs::write(folder.join("parts/more.inc"), "-- one\n").unwrap();
    part("1-more", &["--shard", "1/2"]);
    fs::write(folder.join("parts/more.inc"), "-- two\n").unwrap();
    part("2-more", &["--shard", "2/2"]);
    differ(
        ["1-more", "2-more"],
        "`parts/more.inc` was changed in between",
    );
    run(&folder, &["check", "loop.endstep", "--update-expected"], 0);
    part("2-known", &["--shard", "2/2"]);
    differ(
        ["2-known", "2-more"],
        "only `2-known` has `loop.expected.json`",
    );
    // A configuration, and another set of specifications.
    fs::write(folder.join("endstep.toml"), "[limits]\nstates = 30000\n").unwrap();
    part("1-limits", &["--shard", "1/2"]);
    differ(
        ["2-known", "1-limits"],
        "only `1-limits` has `endstep.toml`",
    );
    fs::copy(folder.join("loop.endstep"), folder.join("third.endstep")).unwrap();
    part("2-third", &["--shard", "2/2"]);
    differ(
        ["1-limits", "2-third"],
        "only `2-third` has `third.endstep`",
    );
    // A part that lacks one of its specifications.
    let part: Value = serde_json::from_str(&fs::read_to_string(folder.join("1")).unwrap()).unwrap();
    let mut less = part.clone();
    less["specifications"] = Value::Array(Vec::new());
    fs::write(folder.join("less"), less.to_string()).unwrap();
    let error = refused(&folder, &["merge", "less", "2"], 66);
    assert!(
        error.contains("`less` is no whole part of a check"),
        "{error}"
    );
}

#[test]
fn with_a_baseline_only_what_is_new_fails() {
    let folder = games(
        "baseline",
        &[
            "rules/order.endstep",
            "rules/deep/loop.endstep",
            "known.endstep",
        ],
    );
    let baseline = ["--baseline", "lists/all.json"];
    fs::create_dir_all(folder.join("lists")).unwrap();
    let check = |more: &[&str], code| report(&folder, &[&baseline, more].concat(), code);
    let error = refused(&folder, &["check", "--baseline", "lists/all.json"], 66);
    assert!(error.contains("--update-baseline writes it"), "{error}");
    let update = ["check", "--baseline", "lists/all.json", "--update-baseline"];
    let wrote = run(&folder, &update, 0);
    assert!(wrote.starts_with("lists/all.json: "), "{wrote}");
    assert!(wrote.ends_with("of 3 specifications\n"), "{wrote}");
    let list = fs::read_to_string(folder.join("lists/all.json")).unwrap();
    for name in [
        "\"../rules/order.endstep\"",
        "\"../rules/deep/loop.endstep\"",
        "\"../known.endstep\"",
    ] {
        assert!(list.contains(name), "{list}");
    }
    let before = check(&[], 0);
    assert_eq!((count(&before, "new"), count(&before, "vanished")), (0, 0));
    // The same file from another folder.
    let inside = report(
        &folder.join("rules"),
        &["--baseline", "../lists/all.json"],
        0,
    );
    assert_eq!(count(&inside, "new"), 0);

    // One fault more is one new finding, whatever the file lists.
    let game = folder.join("rules/deep/loop.endstep");
    let old = fs::read_to_string(&game).unwrap();
    let worse = format!("{old}\nclaim nothing_is_left: must size of board > 9 after cleanup\n");
    fs::write(&game, worse).unwrap();
    let after = check(&[], 1);
    assert_eq!((count(&after, "new"), count(&after, "vanished")), (1, 0));
    assert_eq!(after["policy"]["vanished_fails"], false);
    fs::write(&game, &old).unwrap();

    // One that is mended is told of, and does not fail.
    let order = folder.join("rules/order.endstep");
    let mended = fs::read_to_string(&order)
        .unwrap()
        .replace(", rechecked", "");
    fs::write(&order, mended).unwrap();
    let after = check(&[], 0);
    assert_eq!((count(&after, "new"), count(&after, "vanished")), (0, 2));
    let told = run(&folder, &["check", "--baseline", "lists/all.json"], 0);
    assert!(
        told.contains("F0610 at any_order was known and is gone"),
        "{told}"
    );
    assert!(told.contains("--update-baseline"), "{told}");
}

#[test]
fn an_update_keeps_reasons_and_forgets_what_is_gone() {
    let folder = games(
        "update",
        &["rules/order.endstep", "known.endstep", "loop.endstep"],
    );
    let update = ["check", "--baseline", "all.json", "--update-baseline"];
    let wrote = run(&folder, &update, 0);
    assert!(wrote.ends_with("of 3 specifications\n"), "{wrote}");
    let file = folder.join("all.json");
    let list = fs::read_to_string(&file).unwrap();
    let reason = "\"because\": \"we know\",\n        \"fingerprint\"";
    fs::write(&file, list.replacen("\"fingerprint\"", reason, 1)).unwrap();
    fs::remove_file(folder.join("rules/order.endstep")).unwrap();
    let wrote = run(&folder, &update, 0);
    assert!(wrote.ends_with("of 2 specifications\n"), "{wrote}");
    let list = fs::read_to_string(&file).unwrap();
    assert!(
        list.contains("we know") && !list.contains("order.endstep"),
        "{list}"
    );
    for wrong in ["{}", "{\"version\": 7, \"specifications\": {}}"] {
        fs::write(&file, wrong).unwrap();
        refused(&folder, &["check", "--baseline", "all.json"], 66);
    }
}

#[test]
fn what_is_accepted_is_shown_with_its_reason_and_does_not_fail() {
    let folder = games("accepted", &["order.endstep"]);
    let game = folder.join("order.endstep");
    let old = fs::read_to_string(&game).unwrap();
    let accepts = "\naccept F0610 at any_order because \"a joke of the authors\"\n\
                   accept F0201 at round.blows because \"mended in the next printing\"\n";
    fs::write(&game, format!("{old}{accepts}")).unwrap();
    let good = report(&folder, &[], 0);
    assert_eq!((count(&good, "accepted"), count(&good, "new")), (2, 0));
    let told = run(&folder, &["check"], 0);
    assert!(told.contains("accepted: a joke of the authors"), "{told}");
    let useless = "accept F0301 because \"there was a gap once\"\n";
    fs::write(&game, format!("{old}{accepts}{useless}")).unwrap();
    let told = run(&folder, &["check"], 1);
    assert!(told.contains("accept F0301 (order.endstep:"), "{told}");
    assert!(told.contains("covers nothing"), "{told}");
}

#[test]
fn what_fails_depends_on_the_severity() {
    let folder = games("severity", &["order.endstep"]);
    report(&folder, &[], 1);
    report(&folder, &["--fail-on", "error"], 0);
    let mended = fs::read_to_string(folder.join("order.endstep"))
        .unwrap()
        .replace(", rechecked", "");
    fs::write(folder.join("order.endstep"), mended).unwrap();
    report(&folder, &[], 0);
    let strict = report(&folder, &["--fail-on", "note"], 1);
    assert_eq!(strict["policy"]["fail_on"], "note");
    assert_eq!((count(&strict, "new"), count(&strict, "notes")), (0, 1));
}

#[test]
fn the_file_of_the_repository_says_what_is_checked_and_how() {
    let folder = games("config", &["rules/order.endstep", "drafts/loop.endstep"]);
    let write = |text: &str| fs::write(folder.join("endstep.toml"), text).unwrap();
    write(
        "specifications = [\"rules\"]\nfail-on = \"error\"\n\n[profile.ci.sizes]\nFighter = 1\n\n\
         [profile.nightly]\nfail-on = \"warning\"\nspecifications = [\"rules\", \"drafts\"]\n\n\
         [profile.quick.limits]\nboards = 1\n\n[profile.wrong.sizes]\nFigther = 1\n",
    );
    let names = |report: &Value| -> Vec<String> {
        let all = report["specifications"].as_array().unwrap().iter();
        all.map(|one| one["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let top = report(&folder, &[], 0);
    assert_eq!(names(&top), ["rules/order.endstep"]);
    assert_eq!(count(&top, "new"), 2);
    assert_eq!(
        names(&report(&folder, &["drafts"], 0)),
        ["drafts/loop.endstep"]
    );
    let ci = report(&folder, &["--profile", "ci"], 0);
    assert_eq!(
        ci["specifications"][0]["scopes"][0]["sizes"][0]["largest"],
        1
    );
    assert_eq!(count(&ci, "new"), 0);
    let more = report(
        &folder,
        &[
            "--profile",
            "ci",
            "--scope",
            "Fighter=2",
            "--fail-on",
            "warning",
        ],
        1,
    );
    assert_eq!(count(&more, "new"), 2);
    let nightly = report(&folder, &["--profile", "nightly"], 1);
    assert_eq!(
        names(&nightly),
        ["rules/order.endstep", "drafts/loop.endstep"]
    );
    let quick = report(&folder, &["--profile", "quick"], 2);
    assert!(count(&quick, "unknown") > 0);
    let error = refused(&folder, &["check", "--profile", "wrong"], 64);
    assert!(error.contains("a size for `Figther`"), "{error}");
    let error = refused(&folder, &["check", "--profile", "weekly"], 66);
    assert!(
        error.contains("found no profile `weekly` in `endstep.toml`: expected one of `ci`"),
        "{error}"
    );
    let elsewhere = [
        "check",
        "--config",
        "../endstep.toml",
        "--profile",
        "nightly",
    ];
    let told = run(&folder.join("drafts"), &elsewhere, 1);
    assert!(told.contains("2 specifications:"), "{told}");
}

#[test]
fn a_file_of_the_repository_that_makes_no_sense_is_refused_at_its_place() {
    let folder = games("wrong_config", &["order.endstep"]);
    fs::write(folder.join("endstep.toml"), "[profile.ci]\nsize = 3\n").unwrap();
    let error = refused(&folder, &["check"], 66);
    assert!(
        error.contains("cannot read `endstep.toml`") && error.contains("line 2, column 1"),
        "{error}"
    );
    assert!(error.contains("unknown field `size`"), "{error}");
    fs::remove_file(folder.join("endstep.toml")).unwrap();
    let error = refused(&folder, &["check", "--profile", "ci"], 66);
    assert!(error.contains("found no `endstep.toml`"), "{error}");
}
