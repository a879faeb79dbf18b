//! What is remembered is what would be found out again: of random specifications, of random changes of them, and in a
//! folder in which anything may have happened.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use endstep::analysis::{Keep, Key, Memory, Options};
use endstep::driver::{self, Engine};
use endstep::mutate::mutants;
use endstep::source::SourceMap;
use endstep::syntax::parse;
use endstep::typing::program::Program;
use endstep::verdict::Results;

use super::engines::{LIMITS, random};

/// Keeps everything in memory.
#[derive(Debug, Default)]
struct Shelf {
    kept: Mutex<BTreeMap<[u8; 32], Vec<u8>>>,
    recalled: AtomicU64,
}

impl Keep for Shelf {
    fn recall(&self, key: &Key) -> Option<Vec<u8>> {
        let found = self.kept.lock().unwrap().get(&key.0).cloned();
        self.recalled.fetch_add(u64::from(found.is_some()), Relaxed);
        found
    }

    fn keep(&self, key: &Key, bytes: &[u8]) {
        self.kept.lock().unwrap().insert(key.0, bytes.to_vec());
    }
}

fn results(program: &Program, memory: Memory, also: impl FnOnce(&mut Options)) -> Results {
    let mut options = Options {
        limits: LIMITS,
        threads: 1,
        memory,
        ..Options::default()
    };
    also(&mut options);
    let checked = driver::check(program, (&options, Engine::Fast), None, &mut |_| {});
    checked.results
}

#[test]
fn what_is_recalled_is_what_is_found_out_anew() {
    let shelf = Arc::new(Shelf::default());
    let memory = || Memory::new(shelf.clone());
    let (mut specifications, mut changes) = (0, 0);
    for number in 0..60 {
        let text = random(number);
        let mut sources = SourceMap::new();
        let id = sources.load("remembered", text.as_bytes()).unwrap();
        let Some(program) = endstep::typing::check(&[parse(id, &text).file]).0 else {
            continue;
        };
        specifications += 1;
        let fresh = results(&program, Memory::default(), |_| {});
        assert_eq!(results(&program, memory(), |_| {}), fresh, "{number}");
        let before = shelf.recalled.load(Relaxed);
        assert_eq!(results(&program, memory(), |_| {}), fresh, "{number}");
        assert_eq!(shelf.recalled.load(Relaxed), before + 1, "{number}");
        // Another number of threads is no other question.
        let two = results(&program, memory(), |options| options.threads = 2);
        assert_eq!(two, fresh, "{number}");
        assert_eq!(shelf.recalled.load(Relaxed), before + 2, "{number}");
        for mutant in mutants(&program, &sources).iter().step_by(7).take(6) {
            changes += 1;
            let changed = mutant.apply(&program);
            let fresh = results(&changed, Memory::default(), |_| {});
            let remembered = results(&changed, memory(), |_| {});
            assert_eq!(remembered, fresh, "{number}: {}", mutant.text);
        }
    }
    assert!(
        specifications >= 40 && changes >= 150,
        "{specifications}, {changes}"
    );
}

#[test]
fn other_options_are_another_question() {
    let program = super::engines::compiled(&random(3)).unwrap();
    let shelf = Arc::new(Shelf::default());
    let memory = || Memory::new(shelf.clone());
    let ways: [fn(&mut Options); 5] = [
        |_| {},
        |options| options.limits.states = 399,
        |options| options.prove = true,
        |options| options.repairs = true,
        |options| options.only = vec!["F0301".to_owned()],
    ];
    for (at, way) in ways.into_iter().enumerate() {
        results(&program, memory(), way);
        assert_eq!(shelf.kept.lock().unwrap().len(), at + 1);
    }
    assert_eq!(shelf.recalled.load(Relaxed), 0);
}

/// A folder for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("endstep-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        Self(root)
    }

    /// The results in it.
    fn kept(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.0.join("kept")) else {
            return Vec::new();
        };
        let all = entries.map(|entry| entry.unwrap().path());
        let mut kept: Vec<PathBuf> = all.filter(|path| ends(path, "result")).collect();
        kept.sort();
        kept
    }

    /// What is printed of a specification that takes its time, with these options.
    fn said(&self, options: &[&str]) -> Output {
        self.command(options).output().unwrap()
    }

    fn command(&self, options: &[&str]) -> Command {
        let specification = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/rumblebots.endstep");
        let mut command = crate::endstep();
        command.env_remove("ENDSTEP_NO_CACHE");
        command.env("XDG_CACHE_HOME", self.0.join("user"));
        command.args(["check", "--no-expected", "--scope", "Bot=1", "--scope"]);
        command.arg("Player=2").arg(specification).args(options);
        command.current_dir(&self.0);
        command
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn ends(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|end| end == ending)
}

#[test]
fn a_folder_is_believed_only_where_it_is_whole_and_ones_own() {
    let folder = Folder::new("kept");
    let fresh = folder.said(&["--no-cache"]);
    assert!(!fresh.stdout.is_empty());
    assert!(folder.kept().is_empty() && !folder.0.join("user").exists());
    let said = |what: &str| {
        let output = folder.said(&["--cache", "kept"]);
        assert!(output.stdout == fresh.stdout, "{what}");
        assert_eq!(output.status.code(), fresh.status.code(), "{what}");
    };
    said("nothing is kept");
    let [kept] = &folder.kept()[..] else {
        panic!("{:?}", folder.kept());
    };
    assert!(folder.0.join("kept/CACHEDIR.TAG").exists());
    let whole = fs::read(kept).unwrap();
    said("it is kept");
    assert_eq!(fs::read(kept).unwrap(), whole);
    // One byte is another one; the end is missing; it is empty; it is a folder.
    let mut bent = whole.clone();
    let middle = bent.len() / 2;
    bent[middle] ^= 1;
    for other in [bent.as_slice(), &whole[..middle], &[]] {
        fs::write(kept, other).unwrap();
        said("it is broken");
        assert_eq!(fs::read(kept).unwrap(), whole);
    }
    // What belongs to another question is no answer to this one.
    let other = folder.said(&["--cache", "kept", "--only", "F0301"]);
    let kinds = folder.kept();
    let another = kinds.iter().find(|path| *path != kept).unwrap();
    fs::copy(another, kept).unwrap();
    said("it is of another question");
    fs::copy(kept, another).unwrap();
    let again = folder.said(&["--cache", "kept", "--only", "F0301"]);
    assert_eq!(again.stdout, other.stdout);
    fs::remove_file(kept).unwrap();
    fs::create_dir(kept).unwrap();
    said("a folder has its name");
    fs::remove_dir(kept).unwrap();
    // What is not of Endstep stays, however large and old; what nobody finished goes.
    let (own, part) = (
        folder.0.join("kept/notes.result"),
        format!("kept/.{}.result.1.0.part", "ab".repeat(32)),
    );
    let part = folder.0.join(part);
    for path in [&own, &part] {
        let file = fs::File::create(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    }
    said("there are other files");
    assert!(own.exists() && !part.exists());
}

#[test]
fn a_folder_that_cannot_be_used_is_told_only_if_it_was_named() {
    let folder = Folder::new("unusable");
    fs::write(folder.0.join("user"), "a file").unwrap();
    let fresh = folder.said(&["--no-cache"]);
    let silent = folder.said(&[]);
    assert!(silent.stdout == fresh.stdout && silent.status.code() == fresh.status.code());
    let named = folder.said(&["--cache", "user/inside"]);
    let error = String::from_utf8_lossy(&named.stderr).into_owned();
    assert_eq!(named.status.code(), Some(66), "{error}");
    assert!(error.contains("cannot make `user/inside`"), "{error}");
}

#[test]
fn several_processes_share_a_folder() {
    let folder = Folder::new("shared");
    let fresh = folder.said(&["--no-cache"]);
    let start = |_| {
        let mut command = folder.command(&["--cache", "kept"]);
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    let started: Vec<_> = (0..4).map(start).collect();
    for child in started {
        assert!(child.wait_with_output().unwrap().stdout == fresh.stdout);
    }
    assert_eq!(folder.kept().len(), 1);
    assert!(folder.said(&["--cache", "kept"]).stdout == fresh.stdout);
}
