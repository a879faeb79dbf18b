//! `endstep report`: what was found in a document, as a page for rules editors.

use super::exit::Exit;
use super::input::{self, ENDING, Input, Unreadable};
use super::output;
use super::selection::{Selection, look};
use super::specification::{Specification, fail};
use crate::report::page_markdown;
use clap::Args;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What the end of a page's file name is.
const PAGE: &str = "md";

/// Write a page about a document for rules editors, clause by clause
///
/// Checks specifications as `endstep check` does, and writes for each a Markdown page: what every
/// clause says, how it can be read, what was found at it, with the smallest board, and what holds.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep report game.endstep > game.md
  endstep report game.endstep -o game.md
  endstep report specs/ -o findings/               findings/NAME.md for each specification")]
pub(super) struct Arguments {
    /// Files, folders (every .endstep file that no other includes), or - for
    /// standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Write to this file, or, for several specifications or a folder of them, into this folder
    #[arg(long, short, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    selection: Selection,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let inputs = match input::specifications(&arguments.paths) {
        Ok(inputs) => inputs,
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let targets = match targets(arguments, &inputs) {
        Ok(targets) => targets,
        Err((why, exit)) => return fail(&why, exit),
    };
    let mut worst = Exit::Ok;
    for (input, target) in inputs.iter().zip(targets) {
        let page = match page(arguments, input, target.is_some())? {
            Ok(page) => page,
            Err(exit) => {
                worst = worst.worse(exit);
                continue;
            }
        };
        let Some(target) = target else {
            out.write_all(page.as_bytes())?;
            continue;
        };
        match output::write(&target, &page) {
            Ok(()) => writeln!(out, "wrote {}", target.display())?,
            Err(Unreadable(why)) => return fail(&why, Exit::Output),
        }
    }
    Ok(worst)
}

/// Where the page of each specification goes; `None` is standard output. Folders are made.
fn targets(
    arguments: &Arguments,
    inputs: &[Input],
) -> Result<Vec<Option<PathBuf>>, (String, Exit)> {
    let Some(output) = &arguments.output else {
        return match inputs.len() {
            0 | 1 => Ok(vec![None; inputs.len()]),
            number => {
                let why = format!("found {number} specifications, expected `-o FOLDER` with them");
                Err((why, Exit::Usage))
            }
        };
    };
    let several = arguments.paths.len() > 1 || arguments.paths.iter().any(|path| path.is_dir());
    let is_folder = several || output.is_dir() || output.to_string_lossy().ends_with('/');
    if !is_folder {
        return Ok(vec![Some(output.clone()); inputs.len()]);
    }
    let all: Result<Vec<PathBuf>, _> = inputs
        .iter()
        .map(|input| Ok(output.join(file_name(input)?)))
        .collect();
    let all = all?;
    output::apart(inputs, &all, "the pages")?;
    let made = fs::create_dir_all(output);
    made.map_err(|error| {
        let name = output.display();
        (format!("cannot make `{name}`: {error}"), Exit::Output)
    })?;
    Ok(all.into_iter().map(Some).collect())
}

/// `game.endstep` gives `game.md`.
fn file_name(input: &Input) -> Result<PathBuf, (String, Exit)> {
    let named = input.path.as_deref().and_then(Path::file_name);
    let Some(named) = named.map(Path::new) else {
        let why = "standard input has no name for a page in a folder: give `-o FILE`".to_owned();
        return Err((why, Exit::Usage));
    };
    let is_ours = named.extension().is_some_and(|end| end == ENDING);
    let stem = match is_ours {
        true => named.with_extension(""),
        false => named.to_owned(),
    };
    let mut name = stem.into_os_string();
    name.push(format!(".{PAGE}"));
    Ok(PathBuf::from(name))
}

/// The page of one specification, or how it failed.
fn page(
    arguments: &Arguments,
    input: &Input,
    shows_progress: bool,
) -> io::Result<Result<String, Exit>> {
    let specification = Specification::load(input);
    specification.complain()?;
    let Some(program) = &specification.compiled.program else {
        return Ok(Err(Exit::Specification));
    };
    let selection = (&arguments.selection, false);
    Ok(match look(program, input, selection, !shows_progress) {
        Ok(checked) => {
            let sheet = specification.sheet(program, &checked);
            Ok(page_markdown(sheet, &arguments.selection.restrictions()))
        }
        Err((why, exit)) => Err(fail(&why, exit)?),
    })
}
