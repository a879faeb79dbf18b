//! Folders that tests write to.

use std::fs;
use std::path::{Path, PathBuf};

/// An empty folder of this name.
pub fn empty(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A folder of this name with two games in a folder `games`, one deeper than the other.
pub fn with_games(name: &str) -> PathBuf {
    let folder = empty(name);
    fs::create_dir_all(folder.join("games/deep")).unwrap();
    let plain = Path::new(crate::ROOT).join("tests/cli/report.in/plain.endstep");
    for name in ["games/plain.endstep", "games/deep/other.endstep"] {
        fs::copy(&plain, folder.join(name)).unwrap();
    }
    folder
}
