//! `endstep check`: what is wrong with specifications.

use super::exit::Exit;
use super::expected;
use super::input::{self, Input, Unreadable};
use super::specification::{Specification, fail};
use super::terminal::{self, Meter};
use super::witnesses;
use crate::analysis::Options;
use crate::diag::render;
use crate::driver::{self, Checked, Choice, Engine, NotFound};
use crate::report::{SCHEMA_VERSION, Sheet, Tally, check_json, check_text};
use crate::typing::program::Program;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

/// Find what is wrong with specifications
///
/// Explores every legal board of the sizes that a specification asks for, and every
/// run from it, and shows what the document contradicts, leaves open, or claims
/// wrongly, each with the smallest board that shows it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep check game.endstep
  endstep check specs/ --format json
  endstep check game.endstep --scope Card=2 --scope Card.afterlife=nothing,draw
  endstep check game.endstep --only F0301 --only cleanup.4")]
pub(super) struct Arguments {
    /// Files, folders (every .endstep file that no other includes), or - for
    /// standard input; without any, the current folder
    paths: Vec<PathBuf>,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Explore at most so many of a sort, or only some values of a field
    #[arg(long, value_name = "SORT=N | SORT.FIELD=A,B")]
    scope: Vec<Choice>,
    /// Look only at runs under this alternative of a reading
    #[arg(long, value_name = "READING=ALTERNATIVE")]
    reading: Vec<Choice>,
    /// Report only what has this code, clause, claim or subject
    #[arg(long, value_name = "CODE|CLAUSE|CLAIM")]
    only: Vec<String>,
    /// Write the findings to SPEC.expected.json: from now on they are expected
    #[arg(long, conflicts_with_all = ["no_expected", "only", "scope", "reading"])]
    update_expected: bool,
    /// Do not look at SPEC.expected.json
    #[arg(long)]
    no_expected: bool,
    /// Save the witness of each finding in this folder, for `endstep replay`
    #[arg(long, value_name = "DIR")]
    save_witnesses: Option<PathBuf>,
    /// How many threads look at boards; the results do not depend on it [default: one for each
    /// processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print what the engines run instead of checking it
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = [
        "format", "scope", "reading", "only", "update_expected", "save_witnesses"
    ])]
    emit: Option<Emit>,
    /// Which engine visits the runs
    #[arg(long, value_enum, default_value_t = EngineName::Fast, hide = true)]
    engine: EngineName,
    /// Leave out boards, traces and what holds
    #[arg(long, short)]
    quiet: bool,
}

/// The engines, as they are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum EngineName {
    Fast,
    Naive,
}

impl From<EngineName> for Engine {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Fast => Self::Fast,
            EngineName::Naive => Self::Naive,
        }
    }
}

/// What can be shown of a specification without checking it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Emit {
    /// The system: the specification without sugar
    Ir,
    /// What each step and trigger can read and write
    Footprints,
}

/// How results are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For programs; docs/json.md describes it
    Json,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let inputs = match input::specifications(&arguments.paths) {
        Ok(inputs) => inputs,
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let mut worst = Exit::Ok;
    let mut total = Tally::default();
    let mut shown = Vec::new();
    for input in &inputs {
        let (exit, tally, json) = one(arguments, input, out)?;
        worst = worst.worse(exit);
        total.add(tally);
        shown.push(json);
    }
    match arguments.format {
        Format::Json => {
            let all = json!({
                "version": SCHEMA_VERSION,
                "endstep": env!("CARGO_PKG_VERSION"),
                "exit": worst as u8,
                "specifications": shown,
            });
            serde_json::to_writer_pretty(&mut *out, &all)?;
            writeln!(out)?;
        }
        Format::Text if inputs.len() > 1 && arguments.emit.is_none() => {
            writeln!(out, "\n{} specifications: {}", inputs.len(), total.line())?;
            writeln!(out, "exit code {}: {}", worst as u8, worst.reason())?;
        }
        Format::Text => {}
    }
    Ok(worst)
}

/// Checks one specification; returns how it went, and the results as JSON if wanted.
fn one(
    arguments: &Arguments,
    input: &Input,
    out: &mut dyn Write,
) -> io::Result<(Exit, Tally, Value)> {
    let specification = Specification::load(input);
    let json = arguments.format == Format::Json;
    if !json {
        specification.complain()?;
    }
    let diagnostics = &specification.compiled.diagnostics;
    let diagnostics = render::json(diagnostics, &specification.sources);
    let Some(program) = &specification.compiled.program else {
        let value = json!({ "name": input.name, "compiled": false, "diagnostics": diagnostics });
        return Ok((Exit::Specification, Tally::default(), value));
    };
    let nothing = |exit| (exit, Tally::default(), Value::Null);
    if let Some(what) = arguments.emit {
        return emit(what, program, out).map(nothing);
    }
    let options = match options(program, arguments) {
        Ok(options) => options,
        Err(NotFound(why)) => return Ok(nothing(fail(&why, Exit::Usage)?)),
    };
    let known = match expected::load(input, arguments.no_expected) {
        Ok(known) => known,
        Err(Unreadable(why)) => return Ok(nothing(fail(&why, Exit::Unreadable)?)),
    };
    let mut meter = Meter::new(arguments.quiet);
    let checked = driver::check(
        program,
        (&options, arguments.engine.into()),
        known.as_ref(),
        &mut |progress| {
            meter.show(progress);
        },
    );
    drop(meter);
    let saved = save(arguments, input, program, &checked);
    if let Err(Unreadable(why)) = saved {
        return Ok(nothing(fail(&why, Exit::Output)?));
    }
    if arguments.update_expected {
        return updated(input, program, &checked, out).map(nothing);
    }
    let sheet = Sheet {
        name: &specification.name,
        sources: &specification.sources,
        program,
        results: &checked.results,
        standings: &checked.judged.standings,
        vanished: &checked.judged.vanished,
        unused: &checked.judged.unused,
    };
    let mut value = Value::Null;
    if json {
        value = check_json(sheet);
        value["compiled"] = json!(true);
        value["diagnostics"] = diagnostics;
    } else {
        out.write_all(check_text(sheet, terminal::style(arguments.quiet)).as_bytes())?;
    }
    let tally = Tally::of(sheet);
    Ok((exit(tally), tally, value))
}

/// Prints what the engines make of a specification.
fn emit(what: Emit, program: &Program, out: &mut dyn Write) -> io::Result<Exit> {
    let text = match what {
        Emit::Ir => driver::ir(program),
        Emit::Footprints => driver::footprints(program),
    };
    out.write_all(text.as_bytes())?;
    Ok(Exit::Ok)
}

/// The exit code that the numbers of findings call for.
fn exit(tally: Tally) -> Exit {
    match (tally.is_news(), tally.unknown) {
        (true, _) => Exit::Findings,
        (false, 0) => Exit::Ok,
        (false, _) => Exit::Inconclusive,
    }
}

/// The options of the exploration.
fn options(program: &Program, arguments: &Arguments) -> Result<Options, NotFound> {
    let scoped = scoped(
        program,
        &arguments.scope,
        &arguments.reading,
        &arguments.only,
    )?;
    Ok(Options {
        threads: arguments.threads.map_or(0, usize::from),
        ..scoped
    })
}

/// The options that a command line asks for.
pub(super) fn scoped(
    program: &Program,
    scope: &[Choice],
    reading: &[Choice],
    only: &[String],
) -> Result<Options, NotFound> {
    let (fields, sizes): (Vec<_>, Vec<_>) = scope
        .iter()
        .cloned()
        .partition(|choice| choice.name.contains('.'));
    Ok(Options {
        sizes: driver::sizes(program, &sizes)?,
        fields: driver::fields(program, &fields)?,
        readings: driver::readings(program, reading)?,
        only: driver::only(program, only)?,
        ..Options::default()
    })
}

fn save(
    arguments: &Arguments,
    input: &Input,
    program: &Program,
    checked: &Checked,
) -> Result<(), Unreadable> {
    match &arguments.save_witnesses {
        Some(folder) => witnesses::save(folder, &input.name, program, &checked.results.findings),
        None => Ok(()),
    }
}

/// Writes the file of expected findings.
fn updated(
    input: &Input,
    program: &Program,
    checked: &Checked,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    match expected::update(input, program, checked) {
        Ok(Some((path, count))) => {
            let findings = if count == 1 { "finding" } else { "findings" };
            writeln!(out, "{}: {count} expected {findings}", path.display())?;
            Ok(Exit::Ok)
        }
        Ok(None) => fail(
            "standard input has no file of expected findings",
            Exit::Usage,
        ),
        Err(Unreadable(why)) => fail(&why, Exit::Output),
    }
}
