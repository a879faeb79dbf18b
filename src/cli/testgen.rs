//! `endstep testgen`: conformance vectors, with which other programs are tested.

use super::exit::Exit;
use super::include::Roots;
use super::input::Unreadable;
use super::output;
use super::plain::{self, err};
use super::specification::{fail, open};
use crate::driver::vectors::{Terms, vectors};
use crate::driver::{self, Choice, NotFound};
use clap::Args;
use endstep_engines::sample::{Scene, Sizes};
use endstep_language::typing::program::Program;
use endstep_report::report::{vectors_json, vectors_text};
use endstep_verdicts::analysis::Options;
use std::io::{self, Write};
use std::path::PathBuf;

/// Make conformance vectors, to test another program with
///
/// Boards and choices with all that has to happen: runs are sampled, and few are taken that together
/// cover every clause, branch, alternative of a reading, trigger, pair of triggers and choice that a
/// sampled run covers. Each vector has the board, the choices, the data whenever they change, the
/// outcome, and all outcomes that other choices allow. docs/conformance.md describes the format.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep testgen game.endstep -o vectors.json
  endstep testgen game.endstep --exhaust -o vectors.json
  endstep testgen game.endstep --sequence cleanup --runs 100000 > vectors.json")]
pub(super) struct Arguments {
    /// The specification
    file: PathBuf,
    /// Write to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only of this sequence; without it, of all that are verified
    #[arg(long, value_name = "NAME")]
    sequence: Option<String>,
    /// So many runs are sampled
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    runs: u64,
    /// Look for what no sampled run does on all boards that `check` tries, from each in every run
    #[arg(long)]
    exhaust: bool,
    /// Decides what is sampled: the same seed gives the same vectors
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Leave out the outcomes allowed of boards whose runs come to more states than this
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    states: usize,
    /// At most so many of a sort, or only some values of a field
    #[arg(long, value_name = "SORT=N | SORT.FIELD=A,B")]
    scope: Vec<Choice>,
    /// Only runs under this alternative of a reading
    #[arg(long, value_name = "READING=ALTERNATIVE")]
    reading: Vec<Choice>,
    #[command(flatten)]
    roots: Roots,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let (_, specification) = match open(&arguments.file, &arguments.roots)? {
        Ok(opened) => opened,
        Err(exit) => return Ok(exit),
    };
    let Some(program) = &specification.compiled.program else {
        return Ok(Exit::Specification);
    };
    let terms = match terms(arguments, program) {
        Ok(terms) => terms,
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    let found = vectors(program, &terms);
    let sheet = (program, &specification.sources);
    let text = plain::json(&vectors_json(sheet, &found))?;
    write!(err(), "{}", vectors_text(sheet, &found))?;
    if found.all.is_empty() {
        let why = match found.runs {
            0 => "no run was found that ends, on any legal board that was sampled",
            _ => {
                "no vector was made: nothing that can be covered is done in the runs that were found"
            }
        };
        return fail(why, Exit::Inconclusive);
    }
    match &arguments.output {
        Some(file) => {
            if let Err(Unreadable(why)) = output::write(file, &text) {
                return fail(&why, Exit::Output);
            }
        }
        None => out.write_all(text.as_bytes())?,
    }
    Ok(Exit::Ok)
}

fn terms(arguments: &Arguments, program: &Program) -> Result<Terms, NotFound> {
    let sequence = match &arguments.sequence {
        Some(name) => Some(driver::verified(program, name)?),
        None => None,
    };
    let readings = driver::readings(program, &arguments.reading)?;
    let (fields, sizes): (Vec<_>, Vec<_>) = arguments
        .scope
        .iter()
        .cloned()
        .partition(|choice| choice.name.contains('.'));
    let sizes = Sizes {
        most: driver::sizes(program, &sizes)?,
        fields: driver::fields(program, &fields)?,
        readings: readings.into_iter().collect(),
        explored: true,
    };
    let exhaust = arguments.exhaust.then(|| Options {
        sizes: sizes.most.clone(),
        fields: sizes.fields.clone(),
        readings: sizes.readings.iter().copied().collect(),
        ..Options::default()
    });
    Ok(Terms {
        exhaust,
        seed: arguments.seed,
        runs: arguments.runs,
        scene: Scene {
            sizes,
            all_legal: false,
        },
        sequence,
        states: arguments.states,
    })
}
