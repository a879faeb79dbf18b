//! Turns the paths on a command line into specifications: files, folders and
//! standard input.
//!
//! A folder stands for every file in it and below whose name ends in `.endstep`,
//! in order of names, except those that another of them includes: they are part of
//! that one. What has such a name and is no file, a pipe say, is left out with a note. Hidden
//! folders and those called `target` are left out. `-` is standard input.

use crate::driver::{Reader, included};
use crate::source::SourceId;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// More bytes than these are not read; the library refuses far fewer.
const MOST_BYTES: u64 = 64 << 20;

/// What the end of a specification's file name is.
pub(super) const ENDING: &str = "endstep";

/// The name of standard input in messages.
const STANDARD_INPUT: &str = "<standard input>";

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

/// Reads what a file holds.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        fs::File::open(path)?
            .take(MOST_BYTES)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| unreadable(path, &error))
}

/// Reads a file that may be absent.
pub(super) fn read_if_there(path: &Path) -> Result<Option<String>, Unreadable> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = read(path)?;
    let name = path.display();
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| Unreadable(format!("cannot read `{name}`: it is not UTF-8")))?;
    Ok(Some(text))
}

/// Reads one specification: a file, or `-`.
pub(super) fn one(path: &Path) -> Result<Input, Unreadable> {
    if path == Path::new("-") {
        return standard_input();
    }
    Ok(Input {
        name: path.display().to_string(),
        bytes: read(path)?,
        path: Some(path.to_owned()),
    })
}

fn standard_input() -> Result<Input, Unreadable> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes);
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
        if path.is_dir() {
            found.extend(of_folder(path)?);
        } else {
            found.push(one(path)?);
        }
    }
    Ok(found)
}

/// The specifications of a folder that are not merely part of others.
fn of_folder(folder: &Path) -> Result<Vec<Input>, Unreadable> {
    let mut inputs = Vec::new();
    for path in files(folder)? {
        inputs.push(one(&path)?);
    }
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
    Ok(inputs)
}

/// All files of specifications in a folder and below, in order.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    let mut found = Vec::new();
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
                // A pipe could keep the reader waiting for ever.
                if fs::metadata(&path).is_ok_and(|about| !about.is_file()) {
                    // Nobody can be told that standard error is closed.
                    let name = path.display();
                    let _ = writeln!(io::stderr(), "note: `{name}` is left out: it is no file");
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

/// Reads included files from the disk.
#[derive(Debug, Default)]
pub(super) struct Disk {
    /// Names of files that were read, by where they really are.
    names: BTreeMap<PathBuf, String>,
}

impl Disk {
    /// A disk from which one specification was read already.
    pub(super) fn with(input: &Input) -> Self {
        let place = input
            .path
            .as_ref()
            .and_then(|path| path.canonicalize().ok());
        Self {
            names: place
                .map(|place| (place, input.name.clone()))
                .into_iter()
                .collect(),
        }
    }
}

impl Reader for Disk {
    fn read(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), String> {
        let base = match from {
            STANDARD_INPUT => Path::new(""),
            from => Path::new(from).parent().unwrap_or(Path::new("")),
        };
        let path = base.join(path);
        let place = path.canonicalize().map_err(|error| error.to_string())?;
        if place.is_dir() {
            return Err("it is a folder".to_owned());
        }
        let name = self
            .names
            .entry(place)
            .or_insert_with(|| path.display().to_string());
        let bytes = read(&path).map_err(|Unreadable(why)| why)?;
        Ok((name.clone(), bytes))
    }
}
