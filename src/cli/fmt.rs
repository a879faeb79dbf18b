//! `endstep fmt`: the one layout of specifications.

use super::exit::Exit;
use super::input::{self, Input, Unreadable};
use super::output;
use super::plain::show_error;
use super::specification::fail;
use clap::Args;
use endstep_language::diag::{Diagnostic, has_errors, render};
use endstep_language::source::SourceMap;
use endstep_language::syntax::{parse, print};
use std::io::{self, Write};
use std::path::PathBuf;

/// Give specifications the one layout
///
/// Only layout changes; comments stay. Files with an error of syntax stay as they are; types are not looked at.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep fmt specs/
  endstep fmt --check game.endstep
  endstep fmt - < game.endstep")]
pub(super) struct Arguments {
    /// Files, folders, or - to turn standard input into standard output; without
    /// any, the current folder
    paths: Vec<PathBuf>,
    /// Change nothing; list the files that would change, and fail if there are any
    #[arg(long)]
    check: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let inputs = match gather(&arguments.paths) {
        Ok(inputs) => inputs,
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let mut worst = Exit::Ok;
    for input in &inputs {
        worst = worst.worse(one(arguments, input, out)?);
    }
    Ok(worst)
}

/// The files; unlike for a check, also those that others include.
fn gather(paths: &[PathBuf]) -> Result<Vec<Input>, Unreadable> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let mut found = Vec::new();
    for path in paths {
        let files = match path.is_dir() {
            true => input::files(path)?,
            false => vec![path.clone()],
        };
        found.extend(input::all(&files, &found)?);
    }
    Ok(found)
}

fn one(arguments: &Arguments, input: &Input, out: &mut dyn Write) -> io::Result<Exit> {
    let mut sources = SourceMap::new();
    let (text, diagnostics) = match sources.load(input.name.as_str(), &input.bytes) {
        Ok(id) => {
            let parsed = parse(id, sources.file(id).text());
            (print(&parsed.file), parsed.diagnostics)
        }
        Err(error) => (String::new(), vec![Diagnostic::from(error)]),
    };
    if has_errors(&diagnostics) {
        show_error(|style| render::text(&diagnostics, &sources, style))?;
        return Ok(Exit::Specification);
    }
    let same = text.as_bytes() == input.bytes;
    match (&input.path, arguments.check) {
        (_, true) if same => Ok(Exit::Ok),
        (_, true) => {
            writeln!(out, "{} would change", input.name)?;
            Ok(Exit::Findings)
        }
        (None, false) => {
            out.write_all(text.as_bytes())?;
            Ok(Exit::Ok)
        }
        (Some(_), false) if same => Ok(Exit::Ok),
        (Some(path), false) => match output::write(path, &text) {
            Ok(()) => Ok(Exit::Ok),
            Err(Unreadable(why)) => fail(&why, Exit::Output),
        },
    }
}
