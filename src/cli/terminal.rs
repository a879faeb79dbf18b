//! What the terminal can show: colours, width, progress.

use super::escape::escaped;
use crate::driver::campaign::Status;
use clap::ValueEnum;
use endstep_language::diag;
use endstep_report::report;
use endstep_verdicts::analysis::Progress;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Progress is shown after this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress is shown this often.
const PAUSE: Duration = Duration::from_millis(100);

/// Where it is no terminal, the state of a campaign is told this often.
const LINES: Duration = Duration::from_secs(30);

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

/// When colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum Colour {
    // On a terminal, unless `NO_COLOR` is set; elsewhere if `CLICOLOR_FORCE` is.
    #[default]
    Auto,
    Always,
    Never,
}

/// What the command line says of colours.
static COLOUR: OnceLock<Colour> = OnceLock::new();

/// Takes down what the command line says of colours.
pub(super) fn colour_is(colour: Colour) {
    // Said once: there is one command line.
    let _ = COLOUR.set(colour);
}

fn colour(is_terminal: bool) -> bool {
    let value = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    match COLOUR.get().copied().unwrap_or_default() {
        Colour::Always => return true,
        Colour::Never => return false,
        Colour::Auto => {}
    }
    let forced = value("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let dumb = value("TERM").is_some_and(|term| term == "dumb");
    value("NO_COLOR").is_none() && (forced || is_terminal && !dumb)
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
            escaped(&progress.subject),
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

/// Shows how far a campaign is: on a terminal in one line, elsewhere by a line now and then.
pub(super) struct Ticker {
    name: String,
    since: Instant,
    terminal: bool,
    wanted: bool,
    shown: Mutex<Shown>,
}

/// What a ticker showed last.
struct Shown {
    at: Instant,
    /// Something was.
    any: bool,
    /// Findings, and when the last new one came.
    findings: usize,
    news: Instant,
}

impl Ticker {
    pub(super) fn new(name: &str, quiet: bool) -> Self {
        let now = Instant::now();
        Self {
            name: escaped(name).into_owned(),
            since: now,
            terminal: io::stderr().is_terminal() && io::stdout().is_terminal(),
            wanted: !quiet,
            shown: Mutex::new(Shown {
                at: now,
                any: false,
                findings: 0,
                news: now,
            }),
        }
    }

    /// Shows how far it is if it is time.
    pub(super) fn tick(&self, status: &Status) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if status.findings > shown.findings {
            (shown.findings, shown.news) = (status.findings, Instant::now());
        }
        let pause = if self.terminal { PATIENCE } else { LINES };
        if !self.wanted || shown.at.elapsed() < pause {
            return;
        }
        (shown.at, shown.any) = (Instant::now(), true);
        let seconds = self.since.elapsed().as_secs();
        let line = format!(
            "{}: {seconds} s, {} runs ({} a second), {} edges, {} inputs, {} findings, {} suspected, \
             last new {} s ago",
            self.name,
            status.runs,
            status.runs / seconds.max(1),
            status.edges,
            status.corpus,
            status.findings,
            status.suspected,
            shown.news.elapsed().as_secs()
        );
        // A state that cannot be shown is no reason to stop.
        let _ = match self.terminal {
            true => write!(io::stderr(), "\r\u{1b}[K{line}"),
            false => writeln!(io::stderr(), "{line}"),
        };
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.any && self.terminal {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}
