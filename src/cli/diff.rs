//! `endstep diff`: what an edit of the rules means.

use super::exit::Exit;
use super::include::Roots;
use super::input::{self, Unreadable};
use super::plain::{self, show};
use super::revision::{Revision, Tree};
use super::selection::{self, How, Selection};
use super::shape::Format;
use super::specification::{Specification, fail};
use super::terminal;
use crate::driver::Checked;
use clap::Args;
use endstep_language::typing::program::{Concern, Program};
use endstep_report::report::{Changes, Tally, Versions, changes_json, changes_text};
use endstep_verdicts::analysis::{Limits, Stop};
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Show what an edit of the rules means: which findings and verdicts differ
///
/// Both versions are checked. What only one of them has is shown with its smallest board; what is
/// the same in both is left out, wherever it stands and however it is worded.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep diff old.endstep new.endstep
  endstep diff HEAD:game.endstep game.endstep            what is not committed yet
  endstep diff v1.0:rules/game.endstep main:rules/game.endstep --format json")]
pub(super) struct Arguments {
    /// The version before: a file, or REVISION:PATH of the git repository around the current folder
    old: PathBuf,
    /// The version after
    new: PathBuf,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    selection: Selection,
    /// Leave out boards and runs
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    roots: Roots,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let mut both = Vec::new();
    for path in [&arguments.old, &arguments.new] {
        match version(arguments, path)? {
            Ok(version) => both.push(version),
            Err(exit) => return Ok(exit),
        }
    }
    let [old, new] = &both[..] else {
        return Ok(Exit::Internal);
    };
    let (Some(old_program), Some(new_program)) = (&old.compiled.program, &new.compiled.program)
    else {
        return Ok(Exit::Specification);
    };
    let before = match checked(arguments, (old, old_program), new_program)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    let after = match checked(arguments, (new, new_program), old_program)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    let restrictions = restrictions(
        &arguments.selection,
        [(old_program, &before), (new_program, &after)],
    );
    let versions = Versions {
        old: old.sheet((old_program, &before), &restrictions),
        new: new.sheet((new_program, &after), &restrictions),
    };
    let changes = Changes::of(versions);
    let unknown = [versions.old, versions.new].map(|sheet| Tally::of(sheet).unknown);
    let exit = match (changes.is_empty(), unknown) {
        (false, _) => Exit::Findings,
        (true, [0, 0]) if versions.are_complete() => Exit::Ok,
        (true, _) => Exit::Inconclusive,
    };
    match arguments.format {
        Format::Text => {
            show(out, terminal::style(arguments.quiet), |style| {
                changes_text(versions, &changes, &restrictions, style)
            })?;
        }
        Format::Json => {
            let mut value = changes_json(versions, &changes, &restrictions);
            value["endstep"] = json!(env!("CARGO_PKG_VERSION"));
            value["exit"] = json!(exit as u8);
            out.write_all(plain::json(&value)?.as_bytes())?;
        }
    }
    Ok(exit)
}

/// The options that kept the check of one version or of both from looking at everything.
fn restrictions(selection: &Selection, both: [(&Program, &Checked); 2]) -> Vec<String> {
    let [mut all, others] = both.map(|(program, one)| selection.kept_from(program, &one.results));
    let others = others.into_iter().filter(|one| !all.contains(one));
    let others: Vec<String> = others.collect();
    all.extend(others);
    all
}

/// A version that was read and has a program.
fn version(arguments: &Arguments, path: &Path) -> io::Result<Result<Specification, Exit>> {
    let specification = match read(path, &arguments.roots) {
        Ok(specification) => specification,
        Err(Unreadable(why)) => return Ok(Err(fail(&why, Exit::Unreadable)?)),
    };
    specification.complain()?;
    Ok(match specification.compiled.program {
        Some(_) => Ok(specification),
        None => Err(Exit::Specification),
    })
}

/// What is found of a version; what is expected of it does not matter. On its boards takes all its values of what
/// either version speaks: numbers of boards can be compared then.
fn checked(
    arguments: &Arguments,
    (specification, program): (&Specification, &Program),
    other: &Program,
) -> io::Result<Result<Checked, Exit>> {
    let spoken_of = |id| {
        let named = Concern::of(other, id).named(other);
        (other.sequences[id].name.clone(), named)
    };
    let how = How {
        name: &specification.name,
        position: (1, 1),
        sizes: &[],
        limits: Limits::default(),
        quiet: arguments.quiet,
        stop: Stop::default(),
        beside: other.sequences.ids().map(spoken_of).collect(),
        alone: Concern::alone(program, other),
    };
    match selection::check(program, &arguments.selection, &how, None) {
        Ok(checked) => Ok(Ok(checked)),
        // Only one of the versions can have what an option names.
        Err((why, exit)) => {
            let why = format!("`{}`: {why}", specification.name);
            Ok(Err(fail(&why, exit)?))
        }
    }
}

fn read(path: &Path, roots: &Roots) -> Result<Specification, Unreadable> {
    if let Some(revision) = Revision::of(path) {
        let bytes = revision.read()?;
        let name = revision.name();
        let mut tree = Tree::of(revision, roots);
        return Ok(Specification::read(&name, &bytes, &mut tree));
    }
    let input = input::one(path)?;
    Ok(Specification::load(&input, roots))
}
