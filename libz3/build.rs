//! Finds libz3, or fetches it, and tells Cargo where it is.
//!
//! The places, in this order:
//!
//! 1. the folder named by `Z3_LIB_DIR`;
//! 2. a system library that pkg-config knows and that is at least
//!    [`MIN_SYSTEM`];
//! 3. the wheel `z3-solver` from the Python package index, whose hash is pinned
//!    in `requirements.txt`, unpacked once per user.
//!
//! The third is kept outside the target folder, because an installed binary
//! loads the library at run time and has to outlive `cargo clean`.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// The version in `requirements.txt`.
const PINNED: &str = "5.4.0.0";

/// The oldest system library that is used unasked: the bindings of the crate
/// `z3` number operators as Z3 does since 5.3.0 and call functions new in 5.3.2,
/// and check neither at run time.
const MIN_SYSTEM: [u32; 3] = [5, 3, 2];

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() {
    for file in ["build.rs", "requirements.txt"] {
        println!("cargo::rerun-if-changed={file}");
    }
    for variable in ["Z3_LIB_DIR", "CARGO_HOME", "HOME", "PKG_CONFIG_PATH"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    if env::var_os("CARGO_FEATURE_VENDORED").is_some() {
        return;
    }
    match provide() {
        Ok(dir) => {
            // A library that vanished (a cleaned Cargo home) has to be fetched again.
            println!(
                "cargo::rerun-if-changed={}",
                dir.join(library_name()).display()
            );
            println!("cargo::rustc-link-search=native={}", dir.display());
            println!("cargo::metadata=LIB_DIR={}", dir.display());
        }
        Err(error) => {
            println!("cargo::error=cannot provide libz3: {}", one_line(&*error));
            std::process::exit(1);
        }
    }
}

fn one_line(error: &dyn Error) -> String {
    error.to_string().replace('\n', " | ")
}

fn provide() -> Result<PathBuf> {
    if let Some(dir) = env::var_os("Z3_LIB_DIR") {
        let dir = PathBuf::from(dir);
        return match library_in(&dir) {
            Some(_) => Ok(dir),
            None => Err(format!(
                "Z3_LIB_DIR is `{}`, which holds no {}",
                dir.display(),
                library_name()
            )
            .into()),
        };
    }
    match system() {
        Some(dir) => Ok(dir),
        None => from_wheel(),
    }
}

fn library_name() -> &'static str {
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos") => "libz3.dylib",
        _ => "libz3.so",
    }
}

fn library_in(dir: &Path) -> Option<PathBuf> {
    let file = dir.join(library_name());
    file.is_file().then_some(file)
}

/// The folder of the system's libz3, if pkg-config knows one that is new enough.
fn system() -> Option<PathBuf> {
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let ask = |question: &str| {
        let output = Command::new(&program)
            .args([question, "z3"])
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let version = ask("--modversion")?;
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    let found = [(); 3].map(|()| parts.next().unwrap_or(0));
    if found < MIN_SYSTEM {
        return None;
    }
    let dir = PathBuf::from(ask("--variable=libdir")?);
    library_in(&dir).map(|_| dir)
}

/// The per-user folder of the wheel's libz3; fetched if it is not there.
fn from_wheel() -> Result<PathBuf> {
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let requirements = fs::read_to_string(manifest.join("requirements.txt"))?;
    let name = format!("libz3-{PINNED}-{:016x}", fnv1a(&requirements));
    let store = cargo_home()?.join("endstep");
    let home = store.join(name);
    let lib = home.join("lib");
    if library_in(&lib).is_some() {
        return Ok(lib);
    }
    fs::create_dir_all(&store).map_err(|error| {
        format!(
            "cannot write to `{}` ({error}); set CARGO_HOME to a folder that can be written, \
             or Z3_LIB_DIR to one that holds {}",
            store.display(),
            library_name()
        )
    })?;
    // Unpacked beside its place and then renamed, so that a build that runs at
    // the same time sees either nothing or all of it.
    let scratch = store.join(format!(".unpacking-{}", std::process::id()));
    let done = fetch(&manifest, &scratch).and_then(|()| {
        match fs::rename(scratch.join("done"), &home) {
            Ok(()) => Ok(()),
            // Somebody else was first.
            Err(_) if library_in(&lib).is_some() => Ok(()),
            Err(error) => Err(error.into()),
        }
    });
    let _ = fs::remove_dir_all(&scratch);
    done.map(|()| lib)
}

/// Downloads and unpacks the wheel, leaving `done/lib` in `scratch`.
fn fetch(manifest: &Path, scratch: &Path) -> Result<()> {
    let _ = fs::remove_dir_all(scratch);
    let unpacked = scratch.join("wheel");
    let lib = scratch.join("done").join("lib");
    fs::create_dir_all(&unpacked)?;
    fs::create_dir_all(&lib)?;
    python(
        Command::new("python3")
            .args(["-m", "pip", "download", "--quiet", "--no-deps"])
            .args(["--only-binary=:all:", "--require-hashes", "--dest"])
            .arg(scratch)
            .arg("--requirement")
            .arg(manifest.join("requirements.txt")),
        "download the wheel z3-solver with pip",
    )?;
    let wheel = fs::read_dir(scratch)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or("pip downloaded no wheel")?;
    python(
        Command::new("python3")
            .args(["-m", "zipfile", "--extract"])
            .arg(&wheel)
            .arg(&unpacked),
        "unpack the wheel z3-solver",
    )?;
    // The wheel's library under the plain name and under the one that the
    // loader looks for are copies of each other.
    for entry in fs::read_dir(unpacked.join("z3").join("lib"))? {
        let entry = entry?;
        let file = lib.join(entry.file_name());
        fs::rename(entry.path(), &file)?;
        // Older than this build, or Cargo would take it for a change and build again.
        fs::File::options()
            .write(true)
            .open(&file)?
            .set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1))?;
    }
    match library_in(&lib) {
        Some(_) => Ok(()),
        None => Err(format!("the wheel holds no {}", library_name()).into()),
    }
}

/// Runs a Python command, and says what to do where it cannot be run.
fn python(command: &mut Command, purpose: &str) -> Result<()> {
    const REMEDY: &str = "install python3 with pip (Debian: python3-pip) and allow access to a \
         Python package index, or set Z3_LIB_DIR to a folder that holds libz3, or build with \
         `--features vendored`";
    let output = command
        .output()
        .map_err(|error| format!("cannot run python3 to {purpose}: {error}; {REMEDY}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("cannot {purpose}: {}; {REMEDY}", said.trim()).into())
}

fn cargo_home() -> Result<PathBuf> {
    if let Some(dir) = env::var_os("CARGO_HOME") {
        return Ok(std::path::absolute(dir)?);
    }
    let home = env::home_dir().ok_or("neither CARGO_HOME nor a home folder is set")?;
    Ok(home.join(".cargo"))
}

/// A name for the pinned hashes, not a check of anything: pip does the checking.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
