//! Turns the paths on a command line into specifications: files, folders and
//! standard input.
//!
//! A folder stands for every file in it and below whose name ends in `.endstep`,
//! in order of names, except those that another of them includes: they are part of
//! that one. What has such a name and is no regular file, a pipe say, or a link that leads out of the
//! folder, is left out with a note. Hidden folders and those called `target` are left out. `-` is
//! standard input.
//!
//! *Guarantees.* Nothing is opened but regular files, and of none is more read than is accepted.

use super::plain::err;
use crate::driver::included;
use endstep_language::source::{MAX_SOURCE_BYTES, SourceId};
use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// More bytes than these are not read of a file that is no specification and no text.
pub(super) const MOST_BYTES: u64 = 64 << 20;

/// The bytes of a specification or a text that are read: one more than are accepted, so that what is
/// too large is known to be.
const MOST_OF_A_TEXT: u64 = MAX_SOURCE_BYTES as u64 + 1;

/// The specifications of one command have at most so many bytes together.
const MOST_TOGETHER: u64 = 128 << 20;

/// A file in JSON has at most so many values: each takes far more memory than text.
const MOST_VALUES: usize = 1_000_000;

/// What the end of a specification's file name is.
pub(super) const ENDING: &str = "endstep";

/// The name of standard input in messages.
pub(super) const STANDARD_INPUT: &str = "<standard input>";

/// A specification as it was found.
#[derive(Debug)]
pub(super) struct Input {
    /// Its name in messages; a path as the user would write it.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Its path; none of standard input.
    pub path: Option<PathBuf>,
}

impl Input {
    /// The path of the file beside a specification that holds something about it:
    /// `game.endstep` and `expected` give `game.expected.json`.
    pub(super) fn beside(&self, what: &str) -> Option<PathBuf> {
        let path = self.path.as_ref()?;
        Some(path.with_extension(format!("{what}.json")))
    }
}

/// Why something cannot be read, as a line for a person.
#[derive(Debug)]
pub(super) struct Unreadable(pub String);

fn unreadable(path: &Path, error: &io::Error) -> Unreadable {
    Unreadable(format!("cannot read `{}`: {error}", path.display()))
}

/// Opens a regular file. Anything else is refused and never waited for: a pipe that nobody writes to
/// would keep the reader for ever.
fn open(path: &Path) -> io::Result<File> {
    regular(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    // What is there now may be something else than a moment ago.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// Refuses what is no regular file.
fn regular(about: &Metadata) -> io::Result<()> {
    if about.is_file() {
        return Ok(());
    }
    let found = match about.is_dir() {
        true => "a folder",
        false => special(about),
    };
    Err(io::Error::other(format!(
        "found {found}, expected a regular file"
    )))
}

#[cfg(unix)]
fn special(about: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = about.file_type();
    match (kind.is_fifo(), kind.is_socket()) {
        (true, _) => "a pipe",
        (_, true) => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn special(_: &Metadata) -> &'static str {
    "something else"
}

/// Reads a file, but no more than so many bytes.
fn read_up_to(path: &Path, most: u64) -> Result<Vec<u8>, Unreadable> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        open(path)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| unreadable(path, &error))
}

/// Reads a whole file; one that is larger than this is refused.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, Unreadable> {
    let bytes = read_up_to(path, most + 1)?;
    match bytes.len() as u64 > most {
        true => Err(Unreadable(format!(
            "cannot read `{}`: it is too large: expected at most {most} bytes",
            path.display()
        ))),
        false => Ok(bytes),
    }
}

fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, Unreadable> {
    let name = path.display();
    let text = String::from_utf8(bytes);
    text.map_err(|_| Unreadable(format!("cannot read `{name}`: it is not UTF-8")))
}

/// Reads a text, of at most the size of a specification.
pub(super) fn text(path: &Path) -> Result<String, Unreadable> {
    utf8(path, read(path, MAX_SOURCE_BYTES as u64)?)
}

/// Reads a text that may be absent.
pub(super) fn text_if_there(path: &Path) -> Result<Option<String>, Unreadable> {
    path.exists().then(|| text(path)).transpose()
}

/// Reads the text of a file in JSON. One with more values than fit into memory is refused.
pub(super) fn json(path: &Path) -> Result<String, Unreadable> {
    let text = utf8(path, read(path, MOST_BYTES)?)?;
    match values(&text) > MOST_VALUES {
        true => Err(Unreadable(format!(
            "cannot read `{}`: it is too large: expected at most {MOST_VALUES} values",
            path.display()
        ))),
        false => Ok(text),
    }
}

/// Reads the text of a file in JSON that may be absent.
pub(super) fn json_if_there(path: &Path) -> Result<Option<String>, Unreadable> {
    path.exists().then(|| json(path)).transpose()
}

/// How many values a text in JSON has at most.
fn values(text: &str) -> usize {
    let (mut count, mut quoted, mut escaped) = (1, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b',' | b':' | b'[' | b'{' if !quoted => count += 1,
            _ => {}
        }
    }
    count
}

/// Reads one specification: a file, or `-`.
pub(super) fn one(path: &Path) -> Result<Input, Unreadable> {
    if path == Path::new("-") {
        return standard_input();
    }
    Ok(Input {
        name: path.display().to_string(),
        bytes: read_up_to(path, MOST_OF_A_TEXT)?,
        path: Some(path.to_owned()),
    })
}

fn standard_input() -> Result<Input, Unreadable> {
    let mut bytes = Vec::new();
    let mut input = io::stdin().lock().take(MOST_OF_A_TEXT);
    let read = input.read_to_end(&mut bytes);
    read.map_err(|error| Unreadable(format!("cannot read standard input: {error}")))?;
    Ok(Input {
        name: STANDARD_INPUT.to_owned(),
        bytes,
        path: None,
    })
}

/// The specifications that paths stand for; the current folder's without any.
pub(super) fn specifications(paths: &[PathBuf]) -> Result<Vec<Input>, Unreadable> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let mut found = Vec::new();
    for path in paths {
        let is_folder = path.is_dir();
        let files = match is_folder {
            true => files(path)?,
            false => vec![path.clone()],
        };
        let inputs = all(&files, &found)?;
        found.extend(match is_folder {
            true => without_parts(inputs),
            false => inputs,
        });
    }
    Ok(found)
}

/// Reads specifications, together with others not more than fit into memory.
pub(super) fn all(files: &[PathBuf], others: &[Input]) -> Result<Vec<Input>, Unreadable> {
    let mut bytes: u64 = others.iter().map(|one| one.bytes.len() as u64).sum();
    let mut inputs = Vec::new();
    for path in files {
        let input = one(path)?;
        bytes += input.bytes.len() as u64;
        if bytes > MOST_TOGETHER {
            return Err(Unreadable(format!(
                "found more than {MOST_TOGETHER} bytes of specifications up to `{}`, expected fewer",
                input.name
            )));
        }
        inputs.push(input);
    }
    Ok(inputs)
}

/// The specifications of a folder that are not merely part of others.
fn without_parts(mut inputs: Vec<Input>) -> Vec<Input> {
    let mut parts = BTreeSet::new();
    for input in &inputs {
        let text = String::from_utf8_lossy(&input.bytes);
        let base = input.path.as_ref().and_then(|path| path.parent());
        let paths = included(SourceId::default(), &text).into_iter();
        let paths = paths.map(|path| base.unwrap_or(Path::new("")).join(path));
        parts.extend(paths.filter_map(|path| path.canonicalize().ok()));
    }
    let is_part = |input: &Input| {
        let path = input
            .path
            .as_ref()
            .and_then(|path| path.canonicalize().ok());
        path.is_some_and(|path| parts.contains(&path))
    };
    // If they all include each other, the circle is reported when they are read.
    if !inputs.iter().all(is_part) {
        inputs.retain(|input| !is_part(input));
    }
    inputs
}

/// All files of specifications in a folder and below, in order.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    let mut found = Vec::new();
    let root = folder.canonicalize();
    let root = root.map_err(|error| unreadable(folder, &error))?;
    let mut left = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let kind = entry
                .file_type()
                .map_err(|error| unreadable(&folder, &error))?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if kind.is_dir() && !name.starts_with('.') && name != "target" {
                left.push(entry.path());
            } else if !kind.is_dir() && entry.path().extension().is_some_and(|end| end == ENDING) {
                let path = entry.path();
                if let Some(why) = objection(&root, &path) {
                    // Nobody can be told that standard error is closed.
                    let name = path.display();
                    let _ = writeln!(err(), "note: `{name}` is left out: {why}");
                    continue;
                }
                found.push(path.strip_prefix("./").map_or(path.clone(), Path::to_owned));
            }
        }
    }
    if found.is_empty() {
        let name = folder.display();
        return Err(Unreadable(format!("found no `.{ENDING}` file in `{name}`")));
    }
    found.sort();
    Ok(found)
}

/// Why a file that was found in a folder is none of its specifications, if so.
fn objection(root: &Path, path: &Path) -> Option<&'static str> {
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Some("it is no file");
    }
    // What is shown of a specification that is in error shows its text.
    let place = path.canonicalize().ok()?;
    (!place.starts_with(root)).then_some("it is a link that leads out of the folder")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_texts() {
        assert_eq!(values("{}"), 2);
        assert!(values("[1, 2, 3]") >= 4);
        assert_eq!(values(r#"["a,b:[{", "\",\\"]"#), 3);
    }
}
