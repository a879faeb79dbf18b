//! `endstep coverage`: what of a document is formalised.

use super::check::Format;
use super::exit::Exit;
use super::input::{Input, Unreadable, read, read_if_there};
use super::output::write;
use super::specification::{fail, open};
use super::terminal;
use crate::coverage::{
    ClauseState, Clauses, Record, Sentence, TextAccount, TiedText, account, clauses, split, update,
};
use crate::report::{coverage_json, coverage_text};
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// See which clauses are formalised, and which sentences no clause covers
///
/// With --text the rules text is split into sentences, and a record beside the
/// specification, SPEC.coverage.json, ties each to clauses. The record is made with
/// --update, and can be edited: give a sentence other clauses, or a reason to "skip"
/// it. When the text changes, changed and vanished sentences are listed until the
/// record is updated again.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep coverage game.endstep
  endstep coverage game.endstep --text rules.txt --update
  endstep coverage game.endstep --text rules.txt")]
pub(super) struct Arguments {
    /// The specification
    file: PathBuf,
    /// The rules text
    #[arg(long, value_name = "FILE")]
    text: Option<PathBuf>,
    /// The document that the text belongs to, if the specification has several
    #[arg(long, value_name = "NAME")]
    document: Option<String>,
    /// Write the record of ties between sentences and clauses
    #[arg(long, requires = "text")]
    update: bool,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Show only what is missing
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let (input, specification) = match open(&arguments.file)? {
        Ok(opened) => opened,
        Err(exit) => return Ok(exit),
    };
    let Some(program) = &specification.compiled.program else {
        return Ok(Exit::Specification);
    };
    let document = arguments.document.as_deref();
    let known = |name: &str| {
        program
            .documents
            .values()
            .iter()
            .any(|one| one.name == name)
    };
    if let Some(name) = document.filter(|name| !known(name)) {
        return fail(
            &format!("the specification has no document `{name}`"),
            Exit::Usage,
        );
    }
    let clauses = clauses(program).of(document);
    let mut text = None;
    if let Some(path) = &arguments.text {
        match of_text(arguments, &input, path, &clauses) {
            Ok(found) => text = Some((path.display().to_string(), found)),
            Err((why, exit)) => return fail(&why, exit),
        }
    }
    let shown = text.as_ref().map(|(name, found)| (name.as_str(), found));
    let from = (program, &specification.sources);
    match arguments.format {
        Format::Text => {
            let text = coverage_text(from, &clauses, shown, terminal::style(arguments.quiet));
            out.write_all(text.as_bytes())?;
        }
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &coverage_json(from, &clauses, shown))?;
            writeln!(out)?;
        }
    }
    let missing = clauses.count(ClauseState::Missing) > 0;
    let complete = !missing && text.is_none_or(|(_, account)| account.is_complete());
    Ok(if complete { Exit::Ok } else { Exit::Findings })
}

/// The account of a text, after its record was read, and written if wanted.
fn of_text(
    arguments: &Arguments,
    input: &Input,
    path: &Path,
    clauses: &Clauses,
) -> Result<TextAccount, (String, Exit)> {
    let unreadable = |Unreadable(why)| (why, Exit::Unreadable);
    let Some(place) = input.beside("coverage") else {
        let why = "standard input has no file with a record of coverage".to_owned();
        return Err((why, Exit::Usage));
    };
    let sentences = sentences(path).map_err(unreadable)?;
    let mut record = match read_if_there(&place).map_err(unreadable)? {
        None => Record::default(),
        Some(text) => Record::from_json(&text).map_err(|error| {
            let why = format!("cannot read `{}`: {error}", place.display());
            (why, Exit::Unreadable)
        })?,
    };
    let document = arguments.document.as_deref();
    let known = record.text(document);
    let source = path
        .file_name()
        .map_or_else(String::new, |name| name.display().to_string());
    let fresh = TiedText {
        document: document.map(str::to_owned),
        source,
        sentences: Vec::new(),
    };
    let tied = match known {
        Some(known) if !arguments.update => known.clone(),
        known => update(&sentences, known, fresh, clauses),
    };
    if arguments.update {
        record.put(tied.clone());
        write(&place, &record.to_json()).map_err(|Unreadable(why)| (why, Exit::Output))?;
    } else if record.text(document).is_none() {
        // Nobody can be told that standard error is closed.
        let _ = writeln!(
            io::stderr(),
            "note: no record of coverage yet: the ties below are guesses; --update writes them to `{}`",
            place.display()
        );
    }
    Ok(account(&sentences, &tied, clauses))
}

/// The sentences of a rules text.
pub(super) fn sentences(path: &Path) -> Result<Vec<Sentence>, Unreadable> {
    let bytes = read(path)?;
    let text = String::from_utf8(bytes);
    let name = path.display();
    let text = text.map_err(|_| Unreadable(format!("cannot read `{name}`: it is not UTF-8")))?;
    Ok(split(text.trim_start_matches('\u{feff}')))
}
