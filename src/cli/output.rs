//! Writes files: all of a file or nothing of it.

use super::exit::Exit;
use super::input::{Input, Unreadable};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder for what is written of one specification of several: `game.endstep` gives `ROOT/game`.
pub(super) fn folder(root: &Path, input: &Input, unnamed: &str) -> PathBuf {
    let stem = input.path.as_deref().and_then(Path::file_stem);
    root.join(stem.unwrap_or(unnamed.as_ref()))
}

/// Refuses two specifications of which something would be written to one place.
pub(super) fn apart(
    inputs: &[Input],
    targets: &[PathBuf],
    what: &str,
) -> Result<(), (String, Exit)> {
    let mut taken: BTreeMap<&Path, &str> = BTreeMap::new();
    for (input, target) in inputs.iter().zip(targets) {
        if let Some(other) = taken.insert(target, &input.name) {
            let (name, target) = (&input.name, target.display());
            let why = format!("{what} of `{other}` and `{name}` would both be `{target}`");
            return Err((why, Exit::Usage));
        }
    }
    Ok(())
}

/// Writes a file. One that is there is replaced when the new one is complete, so that nobody ever
/// reads half of it, and a full disk leaves the old one as it was. What is no file, a terminal or a
/// pipe say, is written to as it is.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Unreadable> {
    write_bytes(path, text.as_bytes())
}

/// Writes files to a folder, which is made if it is not there.
pub(super) fn write_all(folder: &Path, files: &[(String, String)]) -> Result<(), Unreadable> {
    let made = fs::create_dir_all(folder);
    made.map_err(|why| Unreadable(format!("cannot make `{}`: {why}", folder.display())))?;
    files
        .iter()
        .try_for_each(|(name, text)| write(&folder.join(name), text))
}

/// Writes bytes to a file in the same way.
pub(super) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Unreadable> {
    let write = || -> io::Result<()> {
        // The file behind a link, not the link.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&target).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return fs::write(&target, bytes);
        }
        let mut name = OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(".{}.part", std::process::id()));
        let part = target.with_file_name(name);
        let done = fs::write(&part, bytes)
            .and_then(|()| match &old {
                Some(old) => fs::set_permissions(&part, old.permissions()),
                None => Ok(()),
            })
            .and_then(|()| fs::rename(&part, &target));
        if done.is_err() {
            // What matters is why it failed.
            let _ = fs::remove_file(&part);
        }
        done
    };
    let name = path.display();
    write().map_err(|error| Unreadable(format!("cannot write `{name}`: {error}")))
}
