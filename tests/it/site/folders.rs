//! The folders of sites: what a report may write there, and what it leaves alone.

use super::files;
use crate::folder::with_games;
use crate::usage::{endstep, fails};
use std::fs;
use std::path::{Path, PathBuf};

fn games(name: &str) -> PathBuf {
    with_games(&format!("site/{name}"))
}

fn ok(arguments: &[&str], folder: &Path) -> String {
    let output = endstep(arguments, folder);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_site_replaces_itself_and_nothing_else() {
    let folder = games("replaced");
    let site = folder.join("site");
    let both = ["report", "games", "-o", "site"];
    assert_eq!(ok(&both, &folder), "wrote site/index.html\n");
    let before = files(&site);
    assert!(site.join("plain/index.html").is_file() && site.join("other/index.html").is_file());
    // Again, over an old page.
    fs::write(site.join("plain/index.html"), "old").unwrap();
    ok(&both, &folder);
    assert_eq!(files(&site), before);
    // Without one of the two its pages go, and what somebody put there stays.
    fs::write(site.join("plain/notes.txt"), "mine").unwrap();
    ok(&["report", "games/deep", "-o", "site"], &folder);
    assert!(!site.join("plain/index.html").exists());
    assert_eq!(
        fs::read_to_string(site.join("plain/notes.txt")).unwrap(),
        "mine"
    );
    // A file that no report wrote is not replaced, and then nothing is.
    fs::write(site.join("plain/index.html"), "mine").unwrap();
    let message = "found `site/plain/index.html`, which is no part of the site";
    let after = files(&site);
    fails(&both, &folder, 74, message);
    assert_eq!(files(&site), after);
}

#[test]
fn a_folder_with_something_else_is_refused() {
    let folder = games("refused");
    let one = |output: &'static str| {
        [
            "report",
            "games/plain.endstep",
            "--format",
            "site",
            "-o",
            output,
        ]
    };
    fs::create_dir_all(folder.join("full")).unwrap();
    fs::write(folder.join("full/index.html"), "mine").unwrap();
    fails(
        &one("full"),
        &folder,
        74,
        "found `index.html` in `full`, expected a folder that is new",
    );
    assert_eq!(
        fs::read_to_string(folder.join("full/index.html")).unwrap(),
        "mine"
    );
    // Hidden files are no objection.
    fs::create_dir_all(folder.join("hidden/.git")).unwrap();
    ok(&one("hidden"), &folder);
    fs::write(folder.join("file"), "mine").unwrap();
    fails(&one("file"), &folder, 74, "cannot use `file` for a site");
    fails(
        &one("file/below"),
        &folder,
        74,
        "cannot use `file/below` for a site",
    );
    fs::create_dir_all(folder.join("broken")).unwrap();
    fs::write(folder.join("broken/endstep-site.json"), "{").unwrap();
    fails(
        &one("broken"),
        &folder,
        74,
        "cannot read the list `broken/endstep-site.json`",
    );
}

/// A list that names files which no site has removes nothing.
#[test]
fn a_list_cannot_remove_what_is_not_of_a_site() {
    let folder = games("list");
    fs::create_dir_all(folder.join("site/deep")).unwrap();
    let files = "\"../mine.html\", \"mine.txt\", \"deep/../../mine.html\", \"/mine.html\", \"a/b/c.html\", \"\"";
    let list = format!("{{\"version\": 1, \"files\": [{files}]}}");
    fs::write(folder.join("site/endstep-site.json"), list).unwrap();
    fs::write(folder.join("mine.html"), "mine").unwrap();
    fs::write(folder.join("site/mine.txt"), "mine").unwrap();
    ok(&["report", "games/plain.endstep", "-o", "site"], &folder);
    assert!(folder.join("mine.html").is_file() && folder.join("site/mine.txt").is_file());
}

#[test]
fn places_for_no_site_are_refused() {
    let folder = games("no_places");
    let html = ["report", "games/plain.endstep", "-o", "game.html"];
    fails(
        &html,
        &folder,
        64,
        "found `-o game.html`, expected a folder for a site (a path without an extension,",
    );
    let site = ["report", "games/plain.endstep", "--format", "site"];
    fails(
        &site,
        &folder,
        64,
        "found no folder for a site, expected `-o FOLDER`",
    );
    let twice = ["report", "games", "games/plain.endstep", "-o", "x"];
    fails(&twice, &folder, 64, "would both be `plain`");
    assert!(!folder.join("x").exists());
    // One in error has no pages, and the others have theirs.
    fs::write(folder.join("games/wrong.endstep"), "gam").unwrap();
    let output = endstep(&["report", "games", "-o", "site"], &folder);
    assert_eq!(output.status.code(), Some(3));
    assert!(folder.join("site/plain/index.html").is_file());
    assert!(!folder.join("site/wrong").exists());
    let output = endstep(&["report", "games/wrong.endstep", "-o", "none/"], &folder);
    assert_eq!(output.status.code(), Some(3));
    assert!(!folder.join("none").exists());
}

/// Whatever a file is called, its pages have an address.
#[test]
fn names_of_files_make_folders() {
    let folder = games("names");
    for name in [
        "a b%23#?.endstep",
        "index.html.endstep",
        "endstep.css.endstep",
    ] {
        fs::copy(
            folder.join("games/plain.endstep"),
            folder.join("games").join(name),
        )
        .unwrap();
    }
    ok(&["report", "games", "-o", "site"], &folder);
    let site = folder.join("site");
    let pages = super::pages(&site);
    super::assert_linked(&site, &pages);
    for name in ["a-b-23--", "index.html-", "endstep.css-", "other", "plain"] {
        assert!(
            pages.contains_key(&Path::new(name).join("index.html")),
            "{name}"
        );
    }
}
