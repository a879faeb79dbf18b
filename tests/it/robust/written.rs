//! What is written stays where it is meant to be.
#![cfg(unix)]

use super::{QUIET, ends};
use crate::folder::empty;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A folder with a specification and a file that must stay as it is.
fn folder(name: &str) -> PathBuf {
    let folder = empty(&format!("robust/{name}"));
    fs::write(folder.join("game.endstep"), QUIET).unwrap();
    fs::write(folder.join("victim"), "mine").unwrap();
    folder
}

fn is_whole(folder: &Path) {
    assert_eq!(fs::read_to_string(folder.join("victim")).unwrap(), "mine");
}

fn is_file(path: &Path) -> bool {
    path.symlink_metadata().unwrap().is_file()
}

#[test]
fn a_site_is_written_into_its_folder_and_nowhere_else() {
    let folder = folder("site");
    let report = ["report", "game.endstep", "-o", "site"];
    ends(&report, &folder, 0, "");
    let index = folder.join("site/index.html");
    fs::remove_file(&index).unwrap();
    symlink("../victim", &index).unwrap();
    ends(&report, &folder, 0, "");
    is_whole(&folder);
    assert!(is_file(&index));
    // A folder of the site that is a link could be anywhere.
    fs::create_dir(folder.join("elsewhere")).unwrap();
    fs::remove_dir_all(folder.join("site/game")).unwrap();
    symlink("../elsewhere", folder.join("site/game")).unwrap();
    ends(&report, &folder, 74, "found the link `site/game`");
    assert_eq!(fs::read_dir(folder.join("elsewhere")).unwrap().count(), 0);
}

#[test]
fn what_is_written_beside_a_specification_replaces_links() {
    let folder = folder("beside");
    for name in ["game.expected.json", "game.coverage.json"] {
        symlink("absent", folder.join(name)).unwrap();
    }
    fs::write(folder.join("rules.txt"), "Draw a card.\n").unwrap();
    ends(
        &["check", "game.endstep", "--update-expected"],
        &folder,
        0,
        "",
    );
    let update = [
        "coverage",
        "game.endstep",
        "--text",
        "rules.txt",
        "--update",
    ];
    ends(&update, &folder, 1, "");
    for name in ["game.expected.json", "game.coverage.json"] {
        assert!(is_file(&folder.join(name)), "{name}");
    }
    assert!(!folder.join("absent").exists());
    symlink("victim", folder.join("page.md")).unwrap();
    fs::create_dir(folder.join("pages")).unwrap();
    symlink("../victim", folder.join("pages/game.md")).unwrap();
    let pages = [
        "report",
        "game.endstep",
        "-o",
        "pages",
        "--format",
        "markdown",
    ];
    ends(&pages, &folder, 0, "");
    is_whole(&folder);
    // A file that the user names may be a link.
    ends(&["report", "game.endstep", "-o", "page.md"], &folder, 0, "");
    assert!(!is_file(&folder.join("page.md")));
    assert!(
        fs::read_to_string(folder.join("victim"))
            .unwrap()
            .starts_with('#')
    );
}

#[test]
fn a_path_says_whether_a_site_or_a_page_is_written() {
    let folder = folder("path");
    let report = |path: &str, code: i32, message: &str| {
        ends(
            &["report", "game.endstep", "-o", path],
            &folder,
            code,
            message,
        );
    };
    report("site", 0, "");
    assert!(folder.join("site/index.html").is_file());
    report("v1.2/", 0, "");
    assert!(folder.join("v1.2/index.html").is_file());
    report("v1.2", 0, "");
    report("page.md", 0, "");
    assert!(folder.join("page.md").is_file());
    let rule = "expected a folder for a site (a path without an extension, or one that ends in `/`) or \
                a file for one page (a path that ends in `.md`)";
    for wrong in ["page.txt", "page.html", "victim"] {
        report(wrong, 64, &format!("found `-o {wrong}`, {rule}"));
    }
    assert!(!folder.join("page.txt").exists());
    is_whole(&folder);
}
