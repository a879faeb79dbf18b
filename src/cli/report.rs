//! `endstep report`: what was found in documents, as a site or as pages for rules editors.

use super::exit::Exit;
use super::include::Roots;
use super::input::{self, ENDING, Input, Unreadable};
use super::output;
use super::selection::{Selection, look};
use super::site::{self, FIRST, Site};
use super::specification::{Specification, fail};
use crate::driver::Checked;
use clap::{Args, ValueEnum};
use endstep_report::report::{page_markdown, site_index};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What the end of a page's file name is.
const PAGE: &str = "md";

/// Write a site about documents for rules editors, clause by clause
///
/// Checks specifications as `endstep check` does, and writes what every clause says, how it can be read,
/// what was found at it, with the smallest board, and what holds: into a folder as a site that needs no
/// network, else as a Markdown page.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep report specs/ -o site/                   open site/index.html in a browser
  endstep report game.endstep > game.md
  endstep report game.endstep -o game.md
  endstep report specs/ -o findings/ --format markdown
                                                   findings/NAME.md for each specification")]
pub(super) struct Arguments {
    /// Files, folders (every .endstep file that no other includes), or - for
    /// standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Write a page to this file (NAME.md), or a site into this folder (a path without an extension, or
    /// one that ends in /)
    #[arg(long, short, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    /// What to write [default: a site into a folder, else Markdown]
    #[arg(long, value_enum)]
    format: Option<ReportFormat>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    roots: Roots,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ReportFormat {
    /// HTML pages that need no network, with the same as Markdown and JSON
    Site,
    /// A page for each specification
    Markdown,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let inputs = match input::specifications(&arguments.paths) {
        Ok(inputs) => inputs,
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let root = match root(arguments) {
        Ok(root) => root,
        Err((why, exit)) => return fail(&why, exit),
    };
    match root {
        Some(root) => site(arguments, &inputs, root, out),
        None => pages(arguments, &inputs, out),
    }
}

/// Whether `-o` is a folder: one that is there, a path that ends in `/` or has no extension, or any path
/// for several specifications.
fn is_folder(arguments: &Arguments, output: &Path) -> bool {
    let several = arguments.paths.len() > 1 || arguments.paths.iter().any(|path| path.is_dir());
    let name = output.to_string_lossy();
    several
        || name.ends_with('/')
        || output.is_dir()
        || !output.exists() && output.extension().is_none()
}

/// Whether `-o` is a file for a page, as its name says, or something that is there and no folder, a
/// terminal say.
fn is_page(output: &Path) -> bool {
    let is_special = fs::metadata(output).is_ok_and(|about| !about.is_file() && !about.is_dir());
    is_special || output.extension().is_some_and(|end| end == PAGE)
}

/// The folder of the site, if one is to be written.
fn root(arguments: &Arguments) -> Result<Option<&Path>, (String, Exit)> {
    let wanted = |why: String| Err((why, Exit::Usage));
    match (&arguments.output, arguments.format) {
        (None, Some(ReportFormat::Markdown) | None) => Ok(None),
        (None, Some(ReportFormat::Site)) => {
            wanted("found no folder for a site, expected `-o FOLDER`".to_owned())
        }
        (Some(output), Some(ReportFormat::Site)) => Ok(Some(output)),
        (Some(output), None) if is_folder(arguments, output) && !output.is_file() => {
            Ok(Some(output))
        }
        (Some(output), Some(ReportFormat::Markdown)) if is_folder(arguments, output) => Ok(None),
        (Some(output), Some(ReportFormat::Markdown) | None) if is_page(output) => Ok(None),
        (Some(output), _) => wanted(format!(
            "found `-o {}`, expected a folder for a site (a path without an extension, or one that ends \
             in `/`) or a file for one page (a path that ends in `.{PAGE}`)",
            output.display()
        )),
    }
}

/// Writes a site about all that could be checked.
fn site(
    arguments: &Arguments,
    inputs: &[Input],
    root: &Path,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let folders = match site::folders(inputs) {
        Ok(folders) => folders,
        Err((why, exit)) => return fail(&why, exit),
    };
    let site = match Site::open(root) {
        Ok(site) => site,
        Err(Unreadable(why)) => return fail(&why, Exit::Output),
    };
    let mut worst = Exit::Ok;
    let (mut files, mut entries) = (Vec::new(), Vec::new());
    for (input, folder) in inputs.iter().zip(&folders) {
        let specification = Specification::load(input, &arguments.roots);
        match checked(arguments, (input, &specification), true)? {
            Ok(checked) => {
                let Some(program) = &specification.compiled.program else {
                    continue;
                };
                let about = (program, &checked);
                let restrictions = arguments.selection.kept_from(program, &checked.results);
                let (pages, entry) = site::pages(&specification, about, &restrictions, folder);
                files.extend(pages);
                entries.push(entry);
            }
            Err(exit) => worst = worst.worse(exit),
        }
    }
    if entries.is_empty() {
        return Ok(worst);
    }
    files.extend(site_index(&entries));
    match site.write(&files) {
        Ok(()) => writeln!(out, "wrote {}", root.join(FIRST).display())?,
        Err(Unreadable(why)) => return fail(&why, Exit::Output),
    }
    Ok(worst)
}

/// Writes a Markdown page for each.
fn pages(arguments: &Arguments, inputs: &[Input], out: &mut dyn Write) -> io::Result<Exit> {
    let targets = match targets(arguments, inputs) {
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
        let is_named = arguments.output.as_ref() == Some(&target);
        let written = match is_named {
            true => output::write(&target, &page),
            false => output::replace(&target, page.as_bytes()),
        };
        match written {
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
    if !is_folder(arguments, output) {
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
    let specification = Specification::load(input, &arguments.roots);
    let checked = checked(arguments, (input, &specification), shows_progress)?;
    let Some(program) = &specification.compiled.program else {
        return Ok(Err(Exit::Specification));
    };
    Ok(checked.map(|checked| {
        let restrictions = arguments.selection.kept_from(program, &checked.results);
        page_markdown(specification.sheet((program, &checked), &restrictions))
    }))
}

/// What was found in a specification, or how it failed.
fn checked(
    arguments: &Arguments,
    (input, specification): (&Input, &Specification),
    shows_progress: bool,
) -> io::Result<Result<Checked, Exit>> {
    specification.complain()?;
    let Some(program) = &specification.compiled.program else {
        return Ok(Err(Exit::Specification));
    };
    let selection = (&arguments.selection, false);
    Ok(match look(program, input, selection, !shows_progress) {
        Ok(checked) => Ok(checked),
        Err((why, exit)) => Err(fail(&why, exit)?),
    })
}
