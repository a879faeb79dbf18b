//! `endstep ends`: what can come of one board.

use super::exit::Exit;
use super::include::Roots;
use super::input::{self, Unreadable};
use super::plain::{self, show};
use super::selection::scoped;
use super::shape::Format;
use super::specification::{Specification, fail, in_error};
use super::terminal;
use crate::driver::{self, Asked, Choice, NotFound};
use clap::Args;
use endstep_report::report::{Endings, ends_json, ends_text};
use std::io::{self, Write};
use std::path::PathBuf;

/// List every way in which a sequence can end from one board, with a shortest run to each
///
/// Two ends are one if the observer of the first `verify` of the sequence sees no difference. Runs
/// that go on for ever are listed last. Numbers of steps are those of small steps.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep ends game.endstep --board davids_lane
  endstep ends game.endstep cleanup --board 12 --reading zero=exactly")]
pub(super) struct Arguments {
    /// The specification
    file: PathBuf,
    /// What is performed; without it, the first sequence that is verified
    sequence: Option<String>,
    /// A board of the specification, or the number of a legal one, counted as for `run`
    #[arg(long, value_name = "NAME|N")]
    board: String,
    /// Only runs under this alternative of a reading
    #[arg(long, value_name = "READING=ALTERNATIVE")]
    reading: Vec<Choice>,
    /// Give up when there are more states than this under one combination of readings
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    states: u64,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    roots: Roots,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let specification = match input::one(&arguments.file) {
        Ok(input) => Specification::load(&input, &arguments.roots),
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let json = arguments.format == Format::Json;
    if !json {
        specification.complain()?;
    }
    let Some(program) = &specification.compiled.program else {
        if json {
            out.write_all(plain::json(&in_error(&specification))?.as_bytes())?;
        }
        return Ok(Exit::Specification);
    };
    let mut options = match scoped(program, &[], &arguments.reading, &[]) {
        Ok(options) => options,
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    options.limits.states = usize::try_from(arguments.states).unwrap_or(usize::MAX);
    let asked = Asked {
        sequence: arguments.sequence.as_deref(),
        board: &arguments.board,
        options: &options,
    };
    let found = match driver::ends(program, asked) {
        Ok(found) => found,
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    let endings = Endings {
        name: &specification.name,
        program,
        sources: &specification.sources,
        sequence: found.sequence(),
        called: &arguments.board,
        board: &found.board,
        names: &found.names,
        observer: found.job.observer,
        ends: &found.ends,
    };
    let exit = match endings.are_all() {
        true => Exit::Ok,
        false => Exit::Inconclusive,
    };
    match json {
        true => out.write_all(plain::json(&ends_json(endings, exit as u8))?.as_bytes())?,
        false => show(out, terminal::style(false), |style| {
            ends_text(endings, style)
        })?,
    }
    Ok(exit)
}
