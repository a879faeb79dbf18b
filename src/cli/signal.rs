//! Ctrl-C, and SIGTERM: who sends them gets what is known by then, soon.
//!
//! The first signal asks the work to come to its end and show what it knows; a second one, or some
//! seconds without an end, end the program.

use super::exit::Exit;
use super::plain::err;
use std::io::Write;
use std::process::exit;
use std::thread::{Builder, sleep};
use std::time::Duration;

/// So long the work may take to come to its end.
const PATIENCE: Duration = Duration::from_secs(4);

/// Calls `stop` at the first signal.
pub(super) fn heed(stop: impl Fn() + Send + 'static) {
    let mut is_first = true;
    let code = i32::from(Exit::Interrupted as u8);
    let heed = move || {
        if !std::mem::take(&mut is_first) {
            exit(code);
        }
        stop();
        let watch = move || {
            sleep(PATIENCE);
            // Nobody can be told that standard error is closed.
            let _ = writeln!(
                err(),
                "error: interrupted; what is shown was known by then, and the rest is not known"
            );
            exit(code);
        };
        if Builder::new().spawn(watch).is_err() {
            exit(code);
        }
    };
    // Without a handler a signal ends the program at once.
    let _ = ctrlc::set_handler(heed);
}
