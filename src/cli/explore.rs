//! `endstep explore`: how large a state space is.

use super::exit::Exit;
use super::include::Roots;
use super::input::{self, Unreadable};
use super::plain::{self, show};
use super::selection::{as_written, scoped};
use super::shape::Format;
use super::specification::{Specification, fail, in_error};
use super::terminal;
use crate::driver::{self, Choice, NotFound, Request};
use clap::Args;
use endstep_report::report::{Account, space_json, space_text};
use serde_json::Value;
use std::io::{self, Write};
use std::path::PathBuf;

/// Count the states that a sequence can reach, and the transitions between them
///
/// A state is one in which something is chosen, a control cycle begins anew, or the run
/// has ended; what happens between two of them is one transition.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep explore game.endstep                            on all legal boards, summed
  endstep explore game.endstep --sequence cleanup --board davids_lane
  endstep explore game.endstep --board 12 --states 1000000 --no-points")]
pub(super) struct Arguments {
    /// The specification
    file: PathBuf,
    /// What is performed; without it, the first sequence that is verified
    #[arg(long, value_name = "NAME")]
    sequence: Option<String>,
    /// A board of the specification, or the number of a legal one, smallest first, as for `run`;
    /// without it, all legal boards
    #[arg(long, value_name = "NAME|N", conflicts_with = "scope")]
    board: Option<String>,
    /// Count only runs under this alternative of a reading
    #[arg(long, value_name = "READING=ALTERNATIVE")]
    reading: Vec<Choice>,
    /// Take at most so many of a sort, or only some values of a field
    #[arg(long, value_name = "SORT=N | SORT.FIELD=A,B")]
    scope: Vec<Choice>,
    /// Give up when there are more states than this, on all boards together
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    states: u64,
    /// Do not count distinct data at choices and ends of steps, which takes time and memory
    #[arg(long)]
    no_points: bool,
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
            write(out, &in_error(&specification))?;
        }
        return Ok(Exit::Specification);
    };
    let options = match scoped(program, &arguments.scope, &arguments.reading, &[]) {
        Ok(options) => options,
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    let request = Request {
        sequence: arguments.sequence.as_deref(),
        board: arguments.board.as_deref(),
        options: &options,
        states: arguments.states,
        points: !arguments.no_points,
    };
    let sheet = (program, &specification.sources);
    let account = match driver::count(sheet, request) {
        Ok(account) => Account {
            options: written(arguments),
            ..account
        },
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    let exit = match account.shortfalls.is_empty() {
        true => Exit::Ok,
        false => Exit::Inconclusive,
    };
    let name = &specification.name;
    if json {
        write(out, &space_json(sheet, name, &account, exit as u8))?;
    } else {
        show(out, terminal::style(false), |style| {
            space_text(sheet, name, &account, style)
        })?;
    }
    Ok(exit)
}

/// The options that say on what is counted, as they are written.
fn written(arguments: &Arguments) -> Vec<String> {
    let scope = arguments.scope.iter();
    let scope = scope.map(|one| as_written("scope", one));
    let reading = arguments.reading.iter();
    scope
        .chain(reading.map(|one| as_written("reading", one)))
        .collect()
}

fn write(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    out.write_all(plain::json(value)?.as_bytes())
}
