//! Does something again whenever a file changes.
//!
//! The files are looked at a few times a second: that works on every system, over networks and in
//! containers, and costs next to nothing for the few files of a repository of rules.

use super::exit::Exit;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

/// How long files are not looked at.
const PAUSE: Duration = Duration::from_millis(250);

/// When a file was changed, and how long it is; nothing of one that is not there.
type Stamps = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Does something, and does it again whenever one of the files, or the list of a folder, is another one.
/// Ends only when the output cannot be written.
pub(super) fn watch(
    files: &dyn Fn() -> Vec<PathBuf>,
    once: &mut dyn FnMut(&mut dyn Write) -> io::Result<Exit>,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    loop {
        // Taken before, so that nothing is missed that changes while it is done.
        let files = files();
        let before = stamps(&files);
        let code = once(out)? as u8;
        writeln!(
            out,
            "\nexit code {code}; watching for changes, Ctrl-C stops"
        )?;
        out.flush()?;
        while stamps(&files) == before {
            sleep(PAUSE);
        }
        writeln!(out)?;
    }
}

fn stamps(files: &[PathBuf]) -> Stamps {
    let stamp = |path: &PathBuf| {
        let about = fs::metadata(path).ok();
        let about = about.and_then(|about| Some((about.modified().ok()?, about.len())));
        (path.clone(), about)
    };
    files.iter().map(stamp).collect()
}
