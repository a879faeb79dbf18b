//! What the terminal can show: colours, width, progress.

use crate::analysis::Progress;
use crate::diag;
use crate::report;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Progress is shown after this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress is shown this often.
const PAUSE: Duration = Duration::from_millis(100);

/// The width of lines where nothing says otherwise.
const WIDTH: usize = 100;

/// How reports on standard output look.
pub(super) fn style(quiet: bool) -> report::Style {
    report::Style {
        colour: colour(io::stdout().is_terminal()),
        width: width(io::stdout().is_terminal()),
        quiet,
        ..report::Style::default()
    }
}

/// How diagnostics on standard error look.
pub(super) fn diagnostics_style() -> diag::Style {
    diag::Style {
        colour: colour(io::stderr().is_terminal()),
        width: width(io::stderr().is_terminal()),
        ..diag::Style::default()
    }
}

fn colour(is_terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    is_terminal && !set("NO_COLOR") && !dumb
}

fn width(is_terminal: bool) -> usize {
    let columns = std::env::var("COLUMNS").ok().filter(|_| is_terminal);
    let columns = columns.and_then(|columns| columns.parse().ok());
    columns.unwrap_or(WIDTH).clamp(40, 160)
}

/// Shows how far a check is, on a terminal, once it takes long.
#[derive(Debug)]
pub(super) struct Meter {
    since: Instant,
    shown: Option<Instant>,
    wanted: bool,
}

impl Meter {
    pub(super) fn new(quiet: bool) -> Self {
        Self {
            since: Instant::now(),
            shown: None,
            wanted: !quiet && io::stderr().is_terminal() && io::stdout().is_terminal(),
        }
    }

    /// Shows progress if it is time.
    pub(super) fn show(&mut self, progress: &Progress) {
        let rested = self.shown.is_none_or(|shown| shown.elapsed() >= PAUSE);
        if !self.wanted || self.since.elapsed() < PATIENCE || !rested {
            return;
        }
        self.shown = Some(Instant::now());
        // Progress that cannot be shown is no reason to stop.
        let _ = write!(
            io::stderr(),
            "\r\u{1b}[K{}: {} boards, {} steps, {} findings",
            progress.subject,
            progress.boards,
            progress.steps,
            progress.findings
        );
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}
