//! Adds the folder of libz3 to the run-time search path of the fuzz targets, and writes
//! `specifications.rs`: the specifications of this repository as they are, each with the files in the
//! folder of its name, so that a target needs no file when it runs.
//!
//! ```text
//! &[&[("specs/xenoshyft.endstep", include_str!("…")), ("specs/xenoshyft/combat.endstep", include_str!("…")), …], …]
//! ```

use std::env::var;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a folder that are called `.endstep`, in order of their names.
fn endstep(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.retain(|path| path.extension().is_some_and(|last| last == "endstep"));
    files.sort();
    Ok(files)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../specs");
    println!("cargo::rerun-if-env-changed=DEP_ENDSTEP_LIBZ3_LIB_DIR");
    // Absent when Z3 is built from source and linked statically.
    if let Ok(dir) = var("DEP_ENDSTEP_LIBZ3_LIB_DIR") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{dir}");
    }
    let root = fs::canonicalize(Path::new(&var("CARGO_MANIFEST_DIR")?).join(".."))?;
    let mut written = String::from("&[\n");
    for specification in endstep(&root.join("specs"))? {
        let folder = specification.with_extension("");
        let mut files = vec![specification];
        if folder.is_dir() {
            files.extend(endstep(&folder)?);
        }
        written += "&[";
        for file in files {
            let name = file.strip_prefix(&root)?.to_string_lossy();
            written += &format!("({name:?}, include_str!({file:?})),\n");
        }
        written += "],\n";
    }
    written += "]";
    fs::write(
        Path::new(&var("OUT_DIR")?).join("specifications.rs"),
        written,
    )?;
    Ok(())
}
