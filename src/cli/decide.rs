//! `endstep decide`: what an editor has decided about a finding.
//!
//! ```text
//! endstep decide game.endstep 3a082aa4 "passed over; the next printing says so"
//!     game.expected.json: F0402 without_cards … "because": "passed over; the next printing says so"
//! ```

use super::cache::Cache;
use super::escape::escaped;
use super::exit::Exit;
use super::expected;
use super::include::Roots;
use super::input::{self, Unreadable};
use super::selection::once;
use super::specification::{fail, open};
use clap::Args;
use endstep_verdicts::analysis::Options;
use endstep_verdicts::verdict::{Expected, ExpectedFinding};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// So many digits of a fingerprint are shown.
const DIGITS: usize = 8;

/// Write down what is decided about a finding
///
/// It stands in the file of expected findings beside the specification, and with the finding in
/// reports. Without a fingerprint: what is decided, and what is open.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep decide game.endstep
  endstep decide game.endstep 3f2a91c0 \"the second reading; the next printing says so\"
  endstep decide game.endstep 3f2a91c0 --undo")]
pub(super) struct Arguments {
    /// The specification
    file: PathBuf,
    /// The first digits of the finding's fingerprint
    fingerprint: Option<String>,
    /// What is decided, and why
    #[arg(requires = "fingerprint")]
    decision: Option<String>,
    /// Take the decision back: the finding is known, and open
    #[arg(long, requires = "fingerprint", conflicts_with = "decision")]
    undo: bool,
    #[command(flatten)]
    cache: Cache,
    #[command(flatten)]
    roots: Roots,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let (path, known) = match file(&arguments.file) {
        Ok(found) => found,
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let Some(print) = &arguments.fingerprint else {
        return listed(&path, known.as_ref(), out);
    };
    let decision = arguments.decision.as_deref().map(in_a_line);
    let is_said = decision.as_ref().is_some_and(|words| !words.is_empty());
    if !is_said && !arguments.undo {
        return fail(
            "expected what is decided, in words, or `--undo`",
            Exit::Usage,
        );
    }
    let print = print.to_lowercase();
    let is_meant = |one: &ExpectedFinding| one.fingerprint.starts_with(&print);
    let mut all = known.map_or_else(Vec::new, |known| known.findings);
    if !all.iter().any(is_meant) && !arguments.undo {
        match found(arguments, &print)? {
            Ok(found) => all.extend(found),
            Err(exit) => return Ok(exit),
        }
    }
    let mut meant = all.iter_mut().filter(|one| is_meant(one));
    let (Some(one), None) = (meant.next(), meant.next()) else {
        return fail(&not_one(&path, &all, &print), Exit::Usage);
    };
    one.because = decision;
    let told = told(one);
    if let Err(Unreadable(why)) = expected::write(&path, all) {
        return fail(&why, Exit::Output);
    }
    writeln!(out, "{}: {told}", path.display())?;
    Ok(Exit::Ok)
}

/// The file of expected findings, and what it holds.
fn file(specification: &Path) -> Result<(PathBuf, Option<Expected>), Unreadable> {
    let input = input::one(specification)?;
    let Some(path) = input.beside("expected") else {
        let why = "standard input has no file of expected findings".to_owned();
        return Err(Unreadable(why));
    };
    Ok((path, expected::load(&input, false)?))
}

/// Words as one line.
fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is decided, and what is open.
fn listed(path: &Path, known: Option<&Expected>, out: &mut dyn Write) -> io::Result<Exit> {
    let all = known.map_or(&[][..], |known| &known.findings);
    if all.is_empty() {
        let path = path.display();
        writeln!(
            out,
            "{path}: no findings are written down, and nothing is decided"
        )?;
    }
    let (decided, open): (Vec<_>, Vec<_>) = all.iter().partition(|one| one.because.is_some());
    for one in decided.into_iter().chain(open) {
        writeln!(out, "{}", told(one))?;
    }
    Ok(Exit::Ok)
}

/// `F0402 without_cards (3a082aa4), decided: passed over`
fn told(one: &ExpectedFinding) -> String {
    let print = one.fingerprint.get(..DIGITS).unwrap_or(&one.fingerprint);
    let standing = match &one.because {
        Some(words) => format!("decided: {words}"),
        None => "open".to_owned(),
    };
    let text = format!("{} {} ({print}), {standing}", one.code, one.subject);
    escaped(&text).into_owned()
}

/// Why none of these is meant.
fn not_one(path: &Path, all: &[ExpectedFinding], print: &str) -> String {
    let meant = all.iter().filter(|one| one.fingerprint.starts_with(print));
    match meant.count() {
        0 => format!("no finding in `{}` begins with `{print}`", path.display()),
        many => format!("{many} findings begin with `{print}`: give more digits"),
    }
}

/// What a check finds that begins so; it is known from now on.
fn found(arguments: &Arguments, print: &str) -> io::Result<Result<Vec<ExpectedFinding>, Exit>> {
    let (_, specification) = match open(&arguments.file, &arguments.roots)? {
        Ok(opened) => opened,
        Err(exit) => return Ok(Err(exit)),
    };
    let Some(program) = &specification.compiled.program else {
        return Ok(Err(Exit::Specification));
    };
    let memory = match arguments.cache.memory() {
        Ok(memory) => memory,
        Err(Unreadable(why)) => return Ok(Err(fail(&why, Exit::Unreadable)?)),
    };
    let options = Options {
        memory,
        ..Options::default()
    };
    let checked = once(program, &specification.name, &options);
    let mut all = Expected::of(program, &checked.results.findings).findings;
    let there: Vec<String> = all.iter().map(told).collect();
    all.retain(|one| one.fingerprint.starts_with(print));
    if all.is_empty() {
        let there = match there.is_empty() {
            true => "there are no findings".to_owned(),
            false => format!("there are these:\n  {}", there.join("\n  ")),
        };
        let why = format!("no finding has a fingerprint that begins with `{print}`: {there}");
        return Ok(Err(fail(&why, Exit::Usage)?));
    }
    Ok(Ok(all))
}
