//! A folder that keeps what was found out, for the next time it is asked.
//!
//! ```text
//! ~/.cache/endstep/5e0c….result      one file for each result; its name is a hash of all on which it depends
//! ~/.cache/endstep/CACHEDIR.TAG      tells backups to leave the folder out
//! ```
//!
//! *Guarantees.* The name of a file is a hash of this very program and of what was asked, and each file begins with a
//! checksum: what another program, another version or a failing disk left there is not believed. Files appear whole or
//! not at all, so several processes can share a folder. Only files that look as if they were written here are ever
//! removed: the ones not asked for longest, when all together are too large. Whatever fails with a folder that nobody
//! named costs time, and nothing else.

use super::input::Unreadable;
use super::output;
use clap::Args;
use endstep_proofs::smt::solver;
use endstep_verdicts::analysis::{Keep, Key, Memory};
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How large all files together may be, in bytes.
const LARGEST: u64 = 256 << 20;

/// What is found out faster is not kept.
const WORTH: Duration = Duration::from_millis(50);

/// When a file that nobody finished has been forgotten.
const FORGOTTEN: Duration = Duration::from_secs(3600);

/// How the names of results end.
const ENDING: &str = "result";

/// The length of a checksum, in bytes.
const SUM: usize = 32;

/// Where results are kept.
#[derive(Args, Debug)]
pub(super) struct Cache {
    /// Keep results in this folder, and take from there what was found out before (environment:
    /// `ENDSTEP_CACHE`) [default: `endstep` in the folder for caches of this user]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Look at everything anew, and keep nothing (environment: `ENDSTEP_NO_CACHE=1`)
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
}

impl Cache {
    /// What remembers results.
    ///
    /// # Errors
    ///
    /// The folder that the user named cannot be used.
    pub(super) fn memory(&self) -> Result<Memory, Unreadable> {
        let said = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let none = said("ENDSTEP_NO_CACHE").is_some_and(|value| value != "0");
        if self.no_cache || none && self.cache.is_none() {
            return Ok(Memory::default());
        }
        let named = self.cache.clone();
        match named.or_else(|| said("ENDSTEP_CACHE").map(PathBuf::from)) {
            Some(named) => Ok(Memory::new(Arc::new(Folder::open(&named)?))),
            None => {
                let user = choose_native_strategy().ok();
                let folder = user.and_then(|of| Folder::open(&of.cache_dir().join("endstep")).ok());
                Ok(folder.map_or_else(Memory::default, |folder| Memory::new(Arc::new(folder))))
            }
        }
    }
}

/// The folder.
#[derive(Debug)]
struct Folder {
    root: PathBuf,
    /// How large it may be, in bytes.
    largest: u64,
    /// When something was asked for that was not there.
    missed: Mutex<BTreeMap<[u8; SUM], Instant>>,
    /// How many bytes may be written before sizes are looked at again.
    room: Mutex<u64>,
}

impl Folder {
    /// Makes the folder if it is not there.
    fn open(root: &Path) -> Result<Self, Unreadable> {
        output::make(root)?;
        let tag = root.join("CACHEDIR.TAG");
        if !tag.exists() {
            let text = "Signature: 8a477f597d28d172789f06886806bc55\n\
                        # Results of endstep. They are found out again if they are deleted.\n";
            output::replace(&tag, text.as_bytes())?;
        }
        Ok(Self {
            root: root.to_owned(),
            largest: LARGEST,
            missed: Mutex::default(),
            room: Mutex::default(),
        })
    }

    /// Where something is kept; nothing if this program cannot be told from another one.
    fn place(&self, key: &Key) -> Option<(PathBuf, [u8; SUM])> {
        let name: [u8; SUM] = Sha256::new()
            .chain_update(this_program()?)
            .chain_update(key.0)
            .finalize()
            .into();
        let hex: String = name.iter().map(|byte| format!("{byte:02x}")).collect();
        Some((self.root.join(format!("{hex}.{ENDING}")), name))
    }

    /// Removes what was not asked for longest if all together is too large, and what nobody finished.
    fn tidy(&self) {
        let Ok(entries) = fs::read_dir(&self.root) else {
            return;
        };
        let now = SystemTime::now();
        let mut kept = Vec::new();
        for entry in entries.flatten() {
            let Ok(about) = entry.metadata() else {
                continue;
            };
            let (path, when) = (entry.path(), about.modified().unwrap_or(now));
            let age = now.duration_since(when).unwrap_or_default();
            match kind(&path) {
                Some(Kind::Result) => kept.push((when, about.len(), path)),
                Some(Kind::Part) if age > FORGOTTEN => {
                    let _ = fs::remove_file(path);
                }
                Some(Kind::Part) | None => {}
            }
        }
        kept.sort();
        let mut size: u64 = kept.iter().map(|(_, length, _)| length).sum();
        for (_, length, path) in kept {
            if size <= self.largest {
                break;
            }
            // Another process may have removed it.
            let _ = fs::remove_file(path);
            size -= length;
        }
    }
}

/// What a file of the folder is.
enum Kind {
    Result,
    Part,
}

/// Whether a file was written here, by its name.
fn kind(path: &Path) -> Option<Kind> {
    let name = path.file_name()?.to_str()?;
    let is_hash = |text: &str| {
        let mut digits = text.bytes();
        text.len() == 2 * SUM && digits.all(|digit| digit.is_ascii_hexdigit())
    };
    let (first, rest) = name.strip_prefix('.').unwrap_or(name).split_once('.')?;
    match is_hash(first) {
        true if rest == ENDING => Some(Kind::Result),
        true if rest.starts_with(ENDING) && rest.ends_with(".part") => Some(Kind::Part),
        _ => None,
    }
}

impl Keep for Folder {
    fn recall(&self, key: &Key) -> Option<Vec<u8>> {
        let (path, name) = self.place(key)?;
        let found = fs::read(&path).ok().and_then(|mut bytes| {
            let sum = bytes.get(..SUM)?;
            let is_whole = sum == checksum(&name, bytes.get(SUM..)?);
            is_whole.then(|| bytes.split_off(SUM))
        });
        match &found {
            // It is wanted still.
            Some(_) => {
                let touched = File::options().append(true).open(&path);
                let _ = touched.and_then(|file| file.set_modified(SystemTime::now()));
            }
            None => {
                let mut missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
                missed.insert(key.0, Instant::now());
            }
        }
        found
    }

    fn keep(&self, key: &Key, bytes: &[u8]) {
        let missed = &mut self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        let since = missed.remove(&key.0);
        if since.is_some_and(|since| since.elapsed() < WORTH) {
            return;
        }
        let Some((path, name)) = self.place(key) else {
            return;
        };
        let mut all = checksum(&name, bytes).to_vec();
        all.extend_from_slice(bytes);
        // What cannot be kept is found out again.
        let _ = output::replace(&path, &all);
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let written = all.len() as u64;
        *room = match room.checked_sub(written) {
            Some(left) => left,
            None => {
                self.tidy();
                self.largest / 16
            }
        };
    }
}

/// What a file begins with.
fn checksum(name: &[u8; SUM], bytes: &[u8]) -> [u8; SUM] {
    let sum = Sha256::new().chain_update(name).chain_update(bytes);
    sum.finalize().into()
}

/// A hash of this program and its solver; nothing if the program cannot be read.
fn this_program() -> Option<&'static [u8; SUM]> {
    static PROGRAM: OnceLock<Option<[u8; SUM]>> = OnceLock::new();
    let read = || {
        let program = fs::read(env::current_exe().ok()?).ok()?;
        let solver = Sha256::digest(solver());
        Some(checksum(&solver.into(), &program))
    };
    PROGRAM.get_or_init(read).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_asked_for_longest_goes_first() {
        let root = std::env::temp_dir().join(format!("endstep-cache-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let mut folder = Folder::open(&root).unwrap();
        folder.largest = 4000;
        let key = |n: u8| Key([n; SUM]);
        let long_ago = SystemTime::now() - Duration::from_secs(1000);
        for n in 0..3 {
            folder.keep(&key(n), &[n; 1000]);
            let (path, _) = folder.place(&key(n)).unwrap();
            let when = long_ago + Duration::from_secs(n.into());
            let file = File::options().append(true).open(path).unwrap();
            file.set_modified(when).unwrap();
        }
        // Asked for, the first is wanted more than the second.
        assert_eq!(folder.recall(&key(0)), Some(vec![0; 1000]));
        folder.keep(&key(3), &[3; 1000]);
        let there = |n| folder.place(&key(n)).unwrap().0.exists();
        assert_eq!([0, 1, 2, 3].map(there), [true, false, true, true]);
        // Larger than all that is there may be.
        folder.keep(&key(4), &[4; 5000]);
        assert_eq!([0, 1, 2, 3, 4].map(there), [false; 5]);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn what_is_found_out_at_once_is_not_kept() {
        let root = std::env::temp_dir().join(format!("endstep-quick-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let folder = Folder::open(&root).unwrap();
        let key = Key([7; SUM]);
        assert_eq!(folder.recall(&key), None);
        folder.keep(&key, &[1]);
        assert!(!folder.place(&key).unwrap().0.exists());
        assert_eq!(folder.recall(&key), None);
        std::thread::sleep(2 * WORTH);
        folder.keep(&key, &[1]);
        assert_eq!(folder.recall(&key), Some(vec![1]));
        fs::remove_dir_all(&root).unwrap();
    }
}
