//! Writes files: all of a file or nothing of it.

use super::exit::Exit;
use super::input::{Input, Unreadable};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

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

/// Writes a file that the user has named. One that is there is replaced when the new one is complete, so
/// that nobody ever reads half of it, and a full disk leaves the old one as it was. Of a link, the file
/// behind it is written. What is no file, a terminal or a pipe say, is written to as it is.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Unreadable> {
    // The file behind a link, not the link.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_special = fs::metadata(&target).is_ok_and(|old| !old.is_file());
    let written = match is_special {
        true => fs::write(&target, text),
        false => put(&target, text.as_bytes()),
    };
    written.map_err(|error| cannot_write(path, &error))
}

/// Writes a file whose name the user has not chosen. Whatever has that name is replaced, a link too: what
/// it leads to stays as it is.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Unreadable> {
    put(path, bytes).map_err(|error| cannot_write(path, &error))
}

/// Writes files to a folder, which is made if it is not there.
pub(super) fn write_all(folder: &Path, files: &[(String, String)]) -> Result<(), Unreadable> {
    make(folder)?;
    let mut files = files.iter();
    files.try_for_each(|(name, text)| replace(&folder.join(name), text.as_bytes()))
}

/// Makes a folder that the user has named, if it is not there.
pub(super) fn make(folder: &Path) -> Result<(), Unreadable> {
    let made = fs::create_dir_all(folder);
    made.map_err(|why| Unreadable(format!("cannot make `{}`: {why}", folder.display())))
}

/// Makes a folder in one that the user has named. A link in its place is refused, since it can lead
/// anywhere.
pub(super) fn make_in(root: &Path, name: impl AsRef<Path>) -> Result<PathBuf, Unreadable> {
    let folder = root.join(name);
    if is_link(&folder) {
        return Err(Unreadable(format!(
            "found the link `{}`, expected a folder or nothing",
            folder.display()
        )));
    }
    make(&folder)?;
    Ok(folder)
}

/// Whether a path is a link, wherever it leads.
pub(super) fn is_link(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|about| about.file_type().is_symlink())
}

fn cannot_write(path: &Path, error: &io::Error) -> Unreadable {
    Unreadable(format!("cannot write `{}`: {error}", path.display()))
}

/// Writes a new file, which then takes the name.
fn put(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    // Several threads may write the same file.
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}.{number}.part", std::process::id()));
    let part = target.with_file_name(name);
    let old = target.symlink_metadata().ok();
    let old = old.filter(fs::Metadata::is_file);
    let fill = || -> io::Result<()> {
        // What is there already, a link say, is not written to.
        let mut file = File::options().write(true).create_new(true).open(&part)?;
        file.write_all(bytes)?;
        if let Some(old) = &old {
            file.set_permissions(old.permissions())?;
        }
        fs::rename(&part, target)
    };
    // Left by a process with the same number that was killed.
    if part.symlink_metadata().is_ok() {
        let _ = fs::remove_file(&part);
    }
    let done = fill();
    if done.is_err() {
        // What matters is why it failed.
        let _ = fs::remove_file(&part);
    }
    done
}
