//! Files, texts and signals of somebody who means no good.

mod files;
mod interrupt;
mod size;
mod terminal;
mod written;

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A specification in which nothing is wrong.
const QUIET: &str = "game \"Quiet\"\nvar n: integer, explore 0 to 1, reach 0 to 9\n\
    sequence play\n  step rise\n    set n to 1\nverify play\n";

/// So long a command may take that must not hang.
const LIMIT: Duration = Duration::from_secs(120);

/// Starts a command in a folder.
fn start(arguments: &[&str], folder: &Path) -> Child {
    crate::endstep()
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for a command that must not hang, and prints little.
fn end(mut child: Child) -> Output {
    let since = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if since.elapsed() > LIMIT {
            child.kill().unwrap();
            panic!("it hangs");
        }
        sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

/// That a command does not hang, ends with a code and says this on standard error; what it says.
fn ends(arguments: &[&str], folder: &Path, code: i32, message: &str) -> String {
    let output = end(start(arguments, folder));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(error.contains(message), "{arguments:?}: {error}");
    error
}

/// Makes a pipe that nobody writes to.
#[cfg(unix)]
fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}
