//! `endstep replay`: see a finding again.

use super::cache::Cache;
use super::exit::Exit;
use super::include::Roots;
use super::input::{Unreadable, json_if_there};
use super::plain::{self, show as show_text};
use super::selection::{once, scoped};
use super::specification::{Specification, fail, open};
use super::terminal;
use super::witnesses::{self, Saved};
use crate::driver::{self, Choice, NotFound, Still};
use clap::{Args, ValueEnum};
use endstep_language::diag::codes::finding::EXAMPLE_FAILS;
use endstep_language::typing::program::Program;
use endstep_report::report::exchange::itf;
use endstep_report::report::{Play, title};
use endstep_semantics::semantics::{Interpreter, Names};
use endstep_semantics::witness::{LoadError, ReplayError, Witness, from_json, replay};
use endstep_verdicts::analysis::{Options, is_legal_at_all};
use endstep_verdicts::verdict::{Finding, fingerprint};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// See a finding again: its board, its run, its end
///
/// The interpreter plays the run again, believes nothing that is written down, and
/// says whether it still shows what it showed.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep replay game.endstep 3f2a91c0        check again, show this finding
  endstep replay saved/F0301-3f2a91c0.json    replay a saved witness
  endstep replay saved/F0301-3f2a91c0.json edited.endstep
  endstep replay game.endstep 3f2a91c0 --format itf > run.itf.json")]
pub(super) struct Arguments {
    /// A specification, or a witness that `check --save-witnesses` saved
    file: PathBuf,
    /// Of a specification: the first digits of the finding's fingerprint; of a
    /// witness: the specification, if it is not where it was
    what: Option<String>,
    /// Explore as `check --scope` did
    #[arg(long, value_name = "SORT=N | SORT.FIELD=A,B")]
    scope: Vec<Choice>,
    /// Only runs under this alternative of a reading, as `check --reading` did
    #[arg(long, value_name = "READING=ALTERNATIVE")]
    reading: Vec<Choice>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Which of its runs, for a format that has one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    run: u8,
    #[command(flatten)]
    cache: Cache,
    #[command(flatten)]
    roots: Roots,
}

/// How a finding is shown again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For viewers of traces: the Informal Trace Format of Apalache and Quint
    Itf,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    if arguments.file.extension().is_some_and(|end| end == "json") {
        return saved(arguments, out);
    }
    let Some(print) = &arguments.what else {
        let message = "expected the fingerprint of a finding, as `endstep check` prints it";
        return fail(message, Exit::Usage);
    };
    let (_, specification) = match open(&arguments.file, &arguments.roots)? {
        Ok(opened) => opened,
        Err(exit) => return Ok(exit),
    };
    let Some(program) = &specification.compiled.program else {
        return Ok(Exit::Specification);
    };
    let memory = match arguments.cache.memory() {
        Ok(memory) => memory,
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let options = match scoped(program, &arguments.scope, &arguments.reading, &[]) {
        Ok(options) => Options { memory, ..options },
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    let checked = once(program, &specification.name, &options);
    let print = print.to_lowercase();
    let findings = checked.results.findings.iter();
    let found: Vec<_> = findings
        .filter(|finding| fingerprint(program, finding).starts_with(&print))
        .collect();
    match found[..] {
        [] => {
            let all = checked.results.findings.iter();
            let all: Vec<String> = all
                .map(|one| format!("`{:.8}` ({})", fingerprint(program, one), one.code))
                .collect();
            let there = match all.is_empty() {
                true => "there are no findings".to_owned(),
                false => format!("expected one of {}", all.join(", ")),
            };
            let message =
                format!("no finding has a fingerprint that begins with `{print}`: {there}");
            fail(&message, Exit::Usage)
        }
        [finding] => again(&specification, program, finding, arguments, out),
        _ => {
            let message = format!(
                "{} findings begin with `{print}`: give more digits",
                found.len()
            );
            fail(&message, Exit::Usage)
        }
    }
}

/// Shows a finding again.
fn again(
    specification: &Specification,
    program: &Program,
    finding: &Finding,
    arguments: &Arguments,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    match (&finding.witness, arguments.format) {
        (Some(witness), Form::Itf) => trace(specification, program, witness, arguments.run, out),
        (None, Form::Itf) => fail(
            "no single run shows this finding; there is no trace",
            Exit::Usage,
        ),
        (Some(witness), Form::Text) => {
            writeln!(out, "{}: {}", finding.code, title(program, finding))?;
            show(specification, program, witness, out)
        }
        (None, Form::Text) => {
            writeln!(out, "{}: {}", finding.code, title(program, finding))?;
            writeln!(
                out,
                "no single run shows this finding; there is nothing to replay"
            )?;
            Ok(Exit::Ok)
        }
    }
}

/// Replays a saved witness.
fn saved(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let name = arguments.file.display().to_string();
    let read = json_if_there(&arguments.file).and_then(|text| match text {
        Some(text) => witnesses::load(&name, &text),
        None => Err(Unreadable(format!(
            "cannot read `{name}`: there is no such file"
        ))),
    });
    let saved: Saved = match read {
        Ok(saved) => saved,
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let path = arguments.what.as_deref().unwrap_or(&saved.specification);
    let (_, specification) = match open(Path::new(path), &arguments.roots)? {
        Ok(opened) => opened,
        Err(exit) => return Ok(exit),
    };
    let Some(program) = &specification.compiled.program else {
        return Ok(Exit::Specification);
    };
    if arguments.format == Form::Text {
        writeln!(out, "{} at {}", saved.code, saved.subject)?;
    }
    match from_json(program, &saved.witness) {
        Ok(witness) if arguments.format == Form::Itf => {
            trace(&specification, program, &witness, arguments.run, out)
        }
        Ok(witness) => {
            let exit = show(&specification, program, &witness, out)?;
            // An example may begin in the middle of a run.
            let exit = match saved.code == EXAMPLE_FAILS.id() {
                true => exit,
                false => still_legal(program, &witness, exit, out)?,
            };
            match exit {
                Exit::Ok => still_found(program, &saved, &witness, out),
                other => Ok(other),
            }
        }
        Err(why @ (LoadError::Malformed | LoadError::Version(_))) => fail(
            &format!("`{name}` is no saved witness: {why}"),
            Exit::Unreadable,
        ),
        Err(why) => fail(
            &format!("the witness no longer fits `{path}`: {why}"),
            Exit::Findings,
        ),
    }
}

/// Says of a witness that was replayed if a check of its board alone does not find what it was saved for: its runs
/// can be as they were, and show something else.
fn still_found(
    program: &Program,
    saved: &Saved,
    witness: &Witness,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let (code, subject) = (&saved.code, &saved.subject);
    match driver::still_found(program, code, subject, &saved.print, witness) {
        Still::Found | Still::Elsewhere => Ok(Exit::Ok),
        Still::Otherwise => {
            writeln!(
                out,
                "but the example {subject} now has another board or performs something else; it still does not come out"
            )?;
            Ok(Exit::Findings)
        }
        Still::Gone => {
            writeln!(
                out,
                "but a check of this board no longer finds this: {code} at {subject}"
            )?;
            Ok(Exit::Findings)
        }
        Still::Open => {
            writeln!(
                out,
                "whether a check of this board still finds {code} at {subject} is not known: there is too much to look at"
            )?;
            Ok(Exit::Ok)
        }
    }
}

/// Says of a witness that was replayed if no run can begin with its board any more, or if it is not legal: no check looks
/// at it then.
fn still_legal(
    program: &Program,
    witness: &Witness,
    exit: Exit,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let runs = witness.runs();
    let Some(run) = runs.first().filter(|_| exit == Exit::Ok) else {
        return Ok(exit);
    };
    let it = Interpreter {
        program,
        readings: &run.readings,
        variant: &run.variant,
    };
    if !driver::could_begin(program, &run.board) && !driver::is_asked_of(program, &run.board) {
        writeln!(
            out,
            "but no run begins with its board, as the text is now, so a check does not look at it"
        )?;
        return Ok(Exit::Findings);
    }
    match is_legal_at_all(it, &run.board) {
        Ok(false) => {
            writeln!(
                out,
                "but its board is not legal, so a check does not look at it"
            )?;
            Ok(Exit::Findings)
        }
        Ok(true) | Err(_) => Ok(exit),
    }
}

/// Writes a run of a witness, of which the interpreter agrees that it shows what it says, in the Informal Trace Format.
fn trace(
    specification: &Specification,
    program: &Program,
    witness: &Witness,
    number: u8,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let names = witness.runs().first().map(|run| run.names.clone());
    let say = |error: ReplayError| {
        let why = error.message(program, &names.unwrap_or_default());
        fail(&format!("not replayed: {why}"), Exit::Findings)
    };
    if let Err(error) = replay(program, witness) {
        return say(error);
    }
    let at = usize::from(number) - 1;
    match itf(program, &specification.sources, witness, at) {
        Some(Ok(trace)) => {
            out.write_all(plain::json(&trace)?.as_bytes())?;
            Ok(Exit::Ok)
        }
        Some(Err(error)) => say(error),
        None => {
            let count = witness.runs().len();
            fail(
                &format!("there is no run {number}: the finding has {count}"),
                Exit::Usage,
            )
        }
    }
}

/// Shows a witness, and says whether the interpreter agrees.
fn show(
    specification: &Specification,
    program: &Program,
    witness: &Witness,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let names = witness
        .runs()
        .first()
        .map_or_else(Names::default, |run| run.names.clone());
    show_text(out, terminal::style(false), |style| {
        let play = Play {
            program,
            sources: &specification.sources,
            names: &names,
            style,
        };
        play.witness(witness)
    })?;
    match replay(program, witness) {
        Ok(_) => {
            writeln!(out, "replayed: the interpreter comes to the same")?;
            Ok(Exit::Ok)
        }
        Err(error) => {
            let why = error.message(program, &names);
            writeln!(out, "not replayed: {why}")?;
            Ok(Exit::Findings)
        }
    }
}
