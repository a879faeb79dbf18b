//! `endstep fuzz`: sample runs of boards that nobody can enumerate.

use super::check::last_lines;
use super::exit::Exit;
use super::expected;
use super::folder::{self, Folder};
use super::include::Roots;
use super::input::{self, Input, Unreadable};
use super::part::{self, Shown};
use super::plain::show;
use super::progress::Ticker;
use super::selection::as_written;
use super::shape::{self, Format, Shape};
use super::signal;
use super::specification::{Specification, fail};
use super::terminal;
use crate::driver::campaign::{Account, Archive, Nowhere, Plan, campaign};
use crate::driver::{self, Checked, Choice, NotFound};
use clap::Args;
use endstep_engines::sample::{Scene, Sizes};
use endstep_language::diag::render;
use endstep_language::typing::program::Program;
use endstep_report::report::{Policy, Sampled, Sheet, Tally, campaign_json, campaign_text};
use serde_json::json;
use std::io::{self, BufRead, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a campaign is if nothing is said.
pub(super) const USUAL: Duration = Duration::from_secs(60);

/// Sample runs of boards that are too large to look at all of them
///
/// Makes boards and schedules of choices, keeps those that lead somewhere new, changes them, and
/// looks closely at whatever seems to be wrong, on a board made as small as it can be. What is
/// found was replayed; what is not found may be there.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep fuzz game.endstep
  endstep fuzz specs/ --time 8h --corpus campaign
  endstep fuzz game.endstep --size Card=8 --runs 100000 --jobs 1 --seed 7")]
pub(super) struct Arguments {
    /// Files, folders (every .endstep file that no other includes), or - for standard input;
    /// without any, the current folder
    paths: Vec<PathBuf>,
    /// How long, for all specifications together: 90s, 30m, 8h [default: 60s, unless --runs is given]
    #[arg(long, value_name = "TIME")]
    time: Option<Span>,
    /// End after so many runs of each specification (with several jobs, a few thousand more); with --jobs 1, the same seed then gives the same
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Where the dice start
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many threads sample [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Keep inputs and findings in this folder, and go on with what is there
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Deal at most so many of a sort [default: twice as many as are explored, and two more]
    #[arg(long, value_name = "SORT=N")]
    size: Vec<Choice>,
    /// Sample only runs under this alternative of a reading
    #[arg(long, value_name = "READING=ALTERNATIVE")]
    reading: Vec<Choice>,
    /// Deal legal boards that the specification leaves out of what is explored, too
    #[arg(long)]
    all_legal: bool,
    /// Expect nothing: do not look at SPEC.expected.json
    #[arg(long)]
    no_expected: bool,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Leave out boards, traces and progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    roots: Roots,
}

/// A length of time as people write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span(pub(super) Duration);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("found `{text}`, expected a time such as 90s, 30m or 8h");
        let end = text.find(|one: char| !one.is_ascii_digit());
        let (number, unit) = text.split_at(end.unwrap_or(text.len()));
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let unit = match unit {
            "" | "s" => 1,
            "m" | "min" => 60,
            "h" => 3600,
            _ => return Err(wrong()),
        };
        let seconds = number.checked_mul(unit).ok_or_else(wrong)?;
        Ok(Self(Duration::from_secs(seconds)))
    }
}

/// What is sampled, and until when.
struct Work<'a> {
    arguments: &'a Arguments,
    /// For each specification.
    time: Option<Duration>,
    /// Somebody at the terminal has had enough.
    enough: Arc<AtomicBool>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let inputs = match input::specifications(&arguments.paths) {
        Ok(inputs) => inputs,
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    if let Some(root) = &arguments.corpus
        && let Err((why, exit)) = folder::apart(root, &inputs)
    {
        return fail(&why, exit);
    }
    let time = match (arguments.time, arguments.runs) {
        (Some(Span(time)), _) => Some(time),
        (None, Some(_)) => None,
        (None, None) => Some(USUAL),
    };
    let share = u32::try_from(inputs.len().max(1)).unwrap_or(u32::MAX);
    let standard_input = inputs.iter().any(|input| input.path.is_none());
    let work = Work {
        arguments,
        time: time.map(|time| time / share),
        enough: Arc::new(AtomicBool::new(false)),
    };
    work.heed_signals();
    if !standard_input && !arguments.quiet {
        work.listen();
    }
    let mut worst = Exit::Ok;
    let mut all = Vec::new();
    for (position, input) in inputs.iter().enumerate() {
        let (exit, shown) = one(&work, input, out)?;
        worst = worst.worse(exit);
        all.extend(shown.map(|shown| (position, shown)));
    }
    match arguments.format {
        Format::Text => {
            let tallies = all.iter().map(|(_, shown)| shown.tally);
            last_lines(inputs.len(), tallies, worst, out)?;
        }
        Format::Json => {
            let report = part::report(all, worst, Policy::default(), None);
            shape::write(Shape::Json, report, out)?;
        }
    }
    Ok(worst)
}

impl Work<'_> {
    /// The signals SIGINT (ctrl-C) and SIGTERM end the campaign with its report.
    fn heed_signals(&self) {
        let enough = Arc::clone(&self.enough);
        signal::heed(move || enough.store(true, Ordering::Relaxed));
    }

    /// On a terminal the enter key ends the campaign with its report.
    fn listen(&self) {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return;
        }
        let enough = Arc::clone(&self.enough);
        let wait = move || {
            if matches!(io::stdin().lock().read_line(&mut String::new()), Ok(1..)) {
                enough.store(true, Ordering::Relaxed);
            }
        };
        // Without the thread a campaign ends when its time is over.
        let _ = std::thread::Builder::new().spawn(wait);
    }

    /// What a campaign on a program is.
    fn plan(&self, program: &Program) -> Result<Plan, NotFound> {
        let arguments = self.arguments;
        let readings = driver::readings(program, &arguments.reading)?;
        let threads = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(Plan {
            seed: arguments.seed,
            jobs: arguments.jobs.map_or_else(threads, usize::from),
            runs: arguments.runs,
            scene: Scene {
                sizes: Sizes {
                    most: driver::sizes(program, &arguments.size)?,
                    readings: readings.into_iter().collect(),
                    ..Sizes::default()
                },
                all_legal: arguments.all_legal,
            },
            extra: 0,
        })
    }

    /// Samples until it is time.
    fn sample(&self, name: &str, program: &Program, plan: &Plan, archive: &dyn Archive) -> Account {
        let since = Instant::now();
        let ticker = Ticker::new(name, self.arguments.quiet);
        let account = campaign(program, plan, archive, &|status| {
            ticker.tick(status);
            let time = self.time.is_none_or(|time| since.elapsed() < time);
            time && !self.enough.load(Ordering::Relaxed)
        });
        drop(ticker);
        account
    }
}

/// Samples one specification.
fn one(work: &Work<'_>, input: &Input, out: &mut dyn Write) -> io::Result<(Exit, Option<Shown>)> {
    let arguments = work.arguments;
    let specification = Specification::load(input, &arguments.roots);
    let is_text = arguments.format == Format::Text;
    if is_text {
        specification.complain()?;
    }
    let diagnostics = render::json(&specification.compiled.diagnostics, &specification.sources);
    let mut shown = Shown {
        json: json!({ "name": input.name, "compiled": false, "diagnostics": diagnostics }),
        text: String::new(),
        complaints: specification.complaints(),
        tally: Tally::default(),
    };
    let Some(program) = &specification.compiled.program else {
        return Ok((Exit::Specification, Some(shown)));
    };
    let plan = match work.plan(program) {
        Ok(plan) => plan,
        Err(NotFound(why)) => return Ok((fail(&why, Exit::Usage)?, None)),
    };
    let known = match expected::load(input, arguments.no_expected) {
        Ok(known) => known,
        Err(Unreadable(why)) => return Ok((fail(&why, Exit::Unreadable)?, None)),
    };
    let folder = arguments
        .corpus
        .as_ref()
        .map(|root| Folder::open(root, input, program));
    let folder = match folder.transpose() {
        Ok(folder) => folder,
        Err(Unreadable(why)) => return Ok((fail(&why, Exit::Output)?, None)),
    };
    let archive: &dyn Archive = match &folder {
        Some(folder) => folder,
        None => &Nowhere,
    };
    let account = work.sample(&input.name, program, &plan, archive);
    if let Some(why) = folder.as_ref().and_then(Folder::failure) {
        return Ok((fail(&why, Exit::Output)?, None));
    }
    let witnesses = folder.as_ref().map(Folder::witnesses);
    let checked = driver::campaign::checked(program, &account, known.as_ref());
    let options = options(arguments);
    let folder = witnesses.as_deref();
    let sampled = sampled(&account, folder, &options, arguments.all_legal);
    let sheet = Sheet {
        saved: Some(witnesses.as_deref().unwrap_or_default()).filter(|path| !path.is_empty()),
        ..specification.sheet((program, &checked), &[])
    };
    Ok((
        report((work, sheet, sampled), &mut shown, (&checked, out))?,
        Some(shown),
    ))
}

fn sampled<'a>(
    account: &'a Account,
    folder: Option<&'a str>,
    options: &'a [String],
    all_legal: bool,
) -> Sampled<'a> {
    Sampled {
        runs: account.runs,
        boards: account.boards,
        more_boards: account.more_boards,
        deals: account.deals,
        edges: account.edges,
        corpus: account.corpus,
        resumed: account.resumed,
        suspected: &account.suspected,
        folder,
        options,
        all_legal,
    }
}

/// The options that say what is sampled, as they are written.
fn options(arguments: &Arguments) -> Vec<String> {
    let size = arguments.size.iter().map(|one| as_written("size", one));
    let reading = arguments.reading.iter();
    let reading = reading.map(|one| as_written("reading", one));
    let all_legal = arguments.all_legal.then(|| "--all-legal".to_owned());
    size.chain(reading).chain(all_legal).collect()
}

/// Shows what was found.
fn report(
    (work, sheet, sampled): (&Work<'_>, Sheet<'_>, Sampled<'_>),
    shown: &mut Shown,
    (_, out): (&Checked, &mut dyn Write),
) -> io::Result<Exit> {
    let arguments = work.arguments;
    shown.tally = Tally::of(sheet);
    let diagnostics = shown.json["diagnostics"].take();
    shown.json = campaign_json(sheet, sampled);
    shown.json["compiled"] = json!(true);
    shown.json["diagnostics"] = diagnostics;
    if arguments.format == Format::Text {
        show(out, terminal::style(arguments.quiet), |style| {
            campaign_text(sheet, sampled, style)
        })?;
    }
    Ok(match shown.tally.is_news() {
        true => Exit::Findings,
        false => Exit::Ok,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let seconds = |text: &str| text.parse::<Span>().map(|span| span.0.as_secs());
        assert_eq!(seconds("90"), Ok(90));
        assert_eq!(seconds("90s"), Ok(90));
        assert_eq!(seconds("30m"), Ok(1800));
        assert_eq!(seconds("8h"), Ok(28_800));
        assert!(seconds("8 hours").is_err_and(|why| why.contains("expected a time such as")));
        assert!(seconds("").is_err() && seconds("99999999999999999999h").is_err());
    }
}
