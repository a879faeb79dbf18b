//! How far a command is: in one line of a terminal, on standard error, once it takes long.
//!
//! ```text
//! gods-unchained (2 of 5): cleanup (2 of 4), 1,204 boards, 7 findings    ━━━━━━━╸     62 %, 9s, about 6s left of this part
//! ```
//!
//! Boards are looked at smallest first, and larger ones take longer. So how much is left is said only once the largest
//! are being looked at, from how fast that went lately, and of this part alone.

use super::escape::escaped;
use crate::driver::campaign::Status;
use endstep_verdicts::analysis::Progress;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// It is shown after this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// It is shown this often.
const PAUSE: Duration = Duration::from_millis(100);

/// Of boards of one size so much has to be seen before it is said how much is left.
const EVIDENCE: Duration = Duration::from_secs(2);

/// Where it is no terminal, the state of a campaign is told this often.
const LINES: Duration = Duration::from_secs(30);

/// A line that is not shown yet.
#[derive(Debug)]
struct Line {
    bar: ProgressBar,
    since: Instant,
    wanted: bool,
}

impl Line {
    fn new(quiet: bool) -> Self {
        Self {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            since: Instant::now(),
            wanted: !quiet && io::stderr().is_terminal(),
        }
    }

    /// Whether it is to be shown.
    fn is_due(&self) -> bool {
        self.wanted && self.since.elapsed() >= PATIENCE
    }

    /// Shows what was said of it.
    fn show(&self) {
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// So looks a line.
    fn style(&self, template: &str) {
        // A template that cannot be read leaves the usual one.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.progress_chars("━╸ "));
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows how far a check is.
#[derive(Debug)]
pub(super) struct Meter {
    line: Line,
    shown: Option<Instant>,
    /// What is looked at.
    what: String,
    /// Which part is looked at, and since when its largest boards are.
    part: usize,
    largest: Option<(Instant, u64)>,
}

impl Meter {
    /// For a specification with a name; which of how many it is, the first being 1.
    pub(super) fn new(name: &str, (at, of): (usize, usize), quiet: bool) -> Self {
        let name = escaped(name);
        Self {
            line: Line::new(quiet),
            shown: None,
            what: match of {
                1 => name.into_owned(),
                _ => format!("{name} ({at} of {of})"),
            },
            part: 0,
            largest: None,
        }
    }

    /// Shows progress if it is time.
    pub(super) fn show(&mut self, progress: &Progress) {
        let (passed, known) = progress.passed;
        if self.part != progress.part.0 {
            (self.part, self.largest) = (progress.part.0, None);
        }
        if progress.largest && self.largest.is_none() {
            self.largest = Some((Instant::now(), passed));
        }
        if known == 0 {
            return self.phase(&progress.subject);
        }
        let rested = self.shown.is_none_or(|shown| shown.elapsed() >= PAUSE);
        if !self.line.is_due() || !rested {
            return;
        }
        self.shown = Some(Instant::now());
        let bar = &self.line.bar;
        let left = self.largest.and_then(|(since, first)| {
            let more = known.saturating_sub(passed);
            left(since.elapsed(), passed.saturating_sub(first), more)
        });
        let left = left.map(|left| format!(", about {:#} left of this part", HumanDuration(left)));
        let left = left.unwrap_or_default();
        let part = match progress.part {
            (_, 1) => String::new(),
            (at, of) => format!(" ({at} of {of})"),
        };
        self.line.style(&format!(
            "{{wide_msg}} {{bar:12}} {{percent}} %, {{elapsed}}{left}"
        ));
        bar.set_length(known);
        bar.set_position(passed);
        bar.set_message(format!(
            "{}: {}{part}, {}, {}",
            self.what,
            escaped(&progress.subject),
            counted(progress.boards, "board"),
            counted(progress.findings as u64, "finding"),
        ));
        self.line.show();
    }

    /// Shows what is done, of which nothing is counted.
    fn phase(&self, what: &str) {
        if self.line.is_due() {
            let bar = &self.line.bar;
            self.line.style("{wide_msg} {elapsed}");
            bar.set_message(format!("{}: {what}", self.what));
            self.line.show();
            bar.enable_steady_tick(PATIENCE);
        }
    }
}

/// How long it takes to pass so many more boards, if so many took that long; nothing if too little is known.
fn left(took: Duration, passed: u64, more: u64) -> Option<Duration> {
    let known = took >= EVIDENCE && passed > 0;
    known.then(|| took.mul_f64(more as f64 / passed as f64))
}

/// So many things.
fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", HumanCount(number))
}

/// Shows how many of some things were done.
pub(super) struct Count(Line);

impl Count {
    pub(super) fn new(what: &str, all: usize, quiet: bool) -> Self {
        let line = Line::new(quiet);
        line.style(&format!(
            "{{pos}} of {{len}} {what} {{bar:24}} {{elapsed}}, about {{eta}} left"
        ));
        line.bar.set_length(all as u64);
        Self(line)
    }

    /// One more was done.
    pub(super) fn tick(&self) {
        self.0.bar.inc(1);
        if self.0.is_due() {
            self.0.show();
        }
    }
}
/// Shows how far a campaign is: on a terminal in one line, elsewhere by a line now and then.
pub(super) struct Ticker {
    name: String,
    line: Line,
    quiet: bool,
    shown: Mutex<Shown>,
}

/// What a ticker showed last.
struct Shown {
    at: Instant,
    /// Findings, and when the last new one came.
    findings: usize,
    news: Instant,
}

impl Ticker {
    pub(super) fn new(name: &str, quiet: bool) -> Self {
        let now = Instant::now();
        Self {
            name: escaped(name).into_owned(),
            line: Line::new(quiet),
            quiet,
            shown: Mutex::new(Shown {
                at: now,
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
        let pause = if self.line.wanted { PATIENCE } else { LINES };
        if self.quiet || shown.at.elapsed() < pause {
            return;
        }
        shown.at = Instant::now();
        let seconds = self.line.since.elapsed().as_secs();
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
        match self.line.is_due() {
            true => {
                self.line.style("{wide_msg}");
                self.line.bar.set_message(line);
                self.line.show();
            }
            // A state that cannot be shown is no reason to stop.
            false => {
                let _ = writeln!(io::stderr(), "{line}");
            }
        }
    }
}
