//! `endstep check`: what is wrong with specifications.

use super::exit::Exit;
use super::expected;
use super::input::{self, Input, Unreadable};
use super::selection::{Selection, look};
use super::specification::{Specification, fail};
use super::terminal;
use super::witnesses;
use crate::diag::Severity;
use crate::diag::render;
use crate::driver::{self, Checked};
use crate::report::exchange::{Record, github, junit, sarif};
use crate::report::{Policy, SCHEMA_VERSION, Style, Tally, check_json, check_text};
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
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    format: Shape,
    /// How bad a new finding has to be to fail: only a specification in error, a warning, or a note
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = Level::Warning)]
    fail_on: Level,
    #[command(flatten)]
    selection: Selection,
    /// Write the findings to SPEC.expected.json: from now on they are expected
    #[arg(long, conflicts_with_all = ["no_expected", "only", "scope", "reading"])]
    update_expected: bool,
    /// Do not look at SPEC.expected.json
    #[arg(long)]
    no_expected: bool,
    /// Save the witness of each finding in this folder, for `endstep replay`
    #[arg(long, value_name = "DIR")]
    save_witnesses: Option<PathBuf>,
    /// Print what the engines run instead of checking it
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = [
        "format", "scope", "reading", "only", "update_expected", "save_witnesses"
    ])]
    emit: Option<Emit>,
    /// List all that holds, not only the first of it
    #[arg(long, conflicts_with = "quiet")]
    all: bool,
    /// Leave out boards, traces and what holds
    #[arg(long, short)]
    quiet: bool,
}

/// What can be shown of a specification without checking it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Emit {
    /// The system: the specification without sugar
    Ir,
    /// What each step and trigger can read and write
    Footprints,
}

/// How bad something is; docs/cli.md defines it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Level {
    Error,
    Warning,
    Note,
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Error => Self::Error,
            Level::Warning => Self::Warning,
            Level::Note => Self::Note,
        }
    }
}

/// How the results of a check are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Shape {
    /// For people
    Text,
    /// For programs; docs/json.md describes it
    Json,
    /// For viewers of code scans: SARIF 2.1.0
    Sarif,
    /// For boards of test results: JUnit XML
    Junit,
    /// Annotations in GitHub Actions
    Github,
}

/// How results are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For programs; docs/json.md describes it
    Json,
}

impl Arguments {
    /// What fails.
    fn policy(&self) -> Policy {
        Policy {
            fail_on: self.fail_on.into(),
            ..Policy::default()
        }
    }
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
        shown.extend(json);
    }
    if arguments.format != Shape::Text {
        let report = json!({
            "version": SCHEMA_VERSION,
            "endstep": env!("CARGO_PKG_VERSION"),
            "exit": worst as u8,
            "policy": arguments.policy(),
            "specifications": shown,
        });
        write(arguments.format, report, out)?;
    } else if inputs.len() > 1 && arguments.emit.is_none() {
        writeln!(out, "\n{} specifications: {}", inputs.len(), total.line())?;
        writeln!(out, "exit code {}: {}", worst as u8, worst.reason())?;
    }
    Ok(worst)
}

/// Shows a report to programs.
fn write(shape: Shape, report: Value, out: &mut dyn Write) -> io::Result<()> {
    if matches!(shape, Shape::Text | Shape::Json) {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        return writeln!(out);
    }
    let record: Record = serde_json::from_value(report)?;
    match shape {
        Shape::Sarif => {
            serde_json::to_writer_pretty(&mut *out, &sarif(&record))?;
            writeln!(out)
        }
        Shape::Junit => out.write_all(junit(&record).as_bytes()),
        _ => out.write_all(github(record).as_bytes()),
    }
}

/// Checks one specification; returns how it went, and the results as JSON if wanted.
fn one(
    arguments: &Arguments,
    input: &Input,
    out: &mut dyn Write,
) -> io::Result<(Exit, Tally, Option<Value>)> {
    let specification = Specification::load(input);
    let json = arguments.format != Shape::Text;
    if !json {
        specification.complain()?;
    }
    let diagnostics = &specification.compiled.diagnostics;
    let diagnostics = render::json(diagnostics, &specification.sources);
    let Some(program) = &specification.compiled.program else {
        let value = json!({ "name": input.name, "compiled": false, "diagnostics": diagnostics });
        return Ok((Exit::Specification, Tally::default(), Some(value)));
    };
    let nothing = |exit| (exit, Tally::default(), None);
    if let Some(what) = arguments.emit {
        return emit(what, program, out).map(nothing);
    }
    let looked = look(
        program,
        input,
        (&arguments.selection, arguments.no_expected),
        arguments.quiet,
    );
    let checked = match looked {
        Ok(mut checked) => {
            checked.judged.policy = arguments.policy();
            checked
        }
        Err((why, exit)) => return Ok(nothing(fail(&why, exit)?)),
    };
    let saved = save(arguments, input, program, &checked);
    if let Err(Unreadable(why)) = saved {
        return Ok(nothing(fail(&why, Exit::Output)?));
    }
    let sheet = specification.sheet(program, &checked);
    if arguments.update_expected {
        let unknown = Tally::of(sheet).unknown;
        return updated((input, program), (&checked, unknown), out).map(nothing);
    }
    let mut shown = None;
    if json {
        let mut value = check_json(sheet);
        value["compiled"] = json!(true);
        value["diagnostics"] = diagnostics;
        shown = Some(value);
    } else {
        let style = Style {
            all: arguments.all,
            ..terminal::style(arguments.quiet)
        };
        out.write_all(check_text(sheet, style).as_bytes())?;
    }
    let tally = Tally::of(sheet);
    Ok((exit(tally), tally, shown))
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

/// Writes the file of expected findings. What is unknown is not in it.
fn updated(
    (input, program): (&Input, &Program),
    (checked, unknown): (&Checked, usize),
    out: &mut dyn Write,
) -> io::Result<Exit> {
    match expected::update(input, program, checked) {
        Ok(Some((path, count))) => {
            let findings = if count == 1 { "finding" } else { "findings" };
            let (open, exit) = match unknown {
                0 => (String::new(), Exit::Ok),
                1 => ("; 1 question is open".to_owned(), Exit::Inconclusive),
                _ => (
                    format!("; {unknown} questions are open"),
                    Exit::Inconclusive,
                ),
            };
            writeln!(out, "{}: {count} expected {findings}{open}", path.display())?;
            Ok(exit)
        }
        Ok(None) => fail(
            "standard input has no file of expected findings",
            Exit::Usage,
        ),
        Err(Unreadable(why)) => fail(&why, Exit::Output),
    }
}
