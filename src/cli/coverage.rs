//! `endstep coverage`: what of a document is formalised.

use super::exit::Exit;
use super::include::Roots;
use super::input::{self, Input, Unreadable, json_if_there, text};
use super::output::replace;
use super::plain::{self, err, show};
use super::shape::Format;
use super::specification::{Specification, fail};
use super::terminal;
use clap::Args;
use endstep_report::report::{SCHEMA_VERSION, coverage_json, coverage_text};
use endstep_tools::coverage::{
    ClauseState, Clauses, Record, Sentence, TextAccount, TiedText, account, clauses, split, update,
};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The lines of the longest rules text: some ten times the longest rulebook that we know.
const MOST_LINES: usize = 100_000;

/// Its sentences.
const MOST_SENTENCES: usize = 100_000;

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
  endstep coverage specs/ --quiet
  endstep coverage game.endstep --text rules.txt --update
  endstep coverage game.endstep --text rules.txt")]
pub(super) struct Arguments {
    /// Files, folders (every .endstep file that no other includes), or - for standard input;
    /// without any, the current folder
    paths: Vec<PathBuf>,
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
    #[command(flatten)]
    roots: Roots,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let inputs = match input::specifications(&arguments.paths) {
        Ok(inputs) => inputs,
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let number = inputs.len();
    if arguments.text.is_some() && number != 1 {
        let why = format!("found {number} specifications, expected one that belongs to the text");
        return fail(&why, Exit::Usage);
    }
    // A list is one whatever is found.
    let is_list = match &arguments.paths[..] {
        [path] => path.is_dir(),
        _ => true,
    };
    let mut worst = Exit::Ok;
    let mut all = Vec::new();
    for (position, input) in inputs.iter().enumerate() {
        if is_list && arguments.format == Format::Text {
            let gap = if position > 0 { "\n" } else { "" };
            writeln!(out, "{gap}== {} ==", input.name)?;
        }
        let (exit, mut json) = one(arguments, input, out)?;
        worst = worst.worse(exit);
        if is_list {
            json["name"] = json!(input.name);
        }
        all.push(json);
    }
    if arguments.format == Format::Json {
        let value = match is_list {
            true => json!({ "version": SCHEMA_VERSION, "specifications": all }),
            false => all.pop().unwrap_or_default(),
        };
        if !value.is_null() {
            out.write_all(plain::json(&value)?.as_bytes())?;
        }
    }
    Ok(worst)
}

/// What of one document is formalised: how it went, and in JSON what is told, if there is something.
fn one(arguments: &Arguments, input: &Input, out: &mut dyn Write) -> io::Result<(Exit, Value)> {
    let specification = Specification::load(input, &arguments.roots);
    specification.complain()?;
    let Some(program) = &specification.compiled.program else {
        return Ok((Exit::Specification, Value::Null));
    };
    let document = arguments.document.as_deref();
    let mut documents = program.documents.values().iter();
    if let Some(name) = document
        && !documents.any(|one| one.name == name)
    {
        let why = format!("`{}` has no document `{name}`", input.name);
        return Ok((fail(&why, Exit::Usage)?, Value::Null));
    }
    let clauses = clauses(program).of(document);
    let mut text = None;
    if let Some(path) = &arguments.text {
        match of_text(arguments, input, path, &clauses) {
            Ok(found) => text = Some((path.display().to_string(), found)),
            Err((why, exit)) => return Ok((fail(&why, exit)?, Value::Null)),
        }
    }
    let shown = text.as_ref().map(|(name, found)| (name.as_str(), found));
    let from = (program, &specification.sources);
    let mut json = Value::Null;
    match arguments.format {
        Format::Text => show(out, terminal::style(arguments.quiet), |style| {
            coverage_text(from, &clauses, shown, style)
        })?,
        Format::Json => json = coverage_json(from, &clauses, shown),
    }
    let missing = clauses.count(ClauseState::Missing) > 0;
    let complete = !missing && text.is_none_or(|(_, account)| account.is_complete());
    Ok((if complete { Exit::Ok } else { Exit::Findings }, json))
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
    let mut record = match json_if_there(&place).map_err(unreadable)? {
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
        replace(&place, record.to_json().as_bytes())
            .map_err(|Unreadable(why)| (why, Exit::Output))?;
    } else if record.text(document).is_none() {
        // Nobody can be told that standard error is closed.
        let _ = writeln!(
            err(),
            "note: no record of coverage yet: the ties below are guesses; --update writes them to `{}`",
            place.display()
        );
    }
    Ok(account(&sentences, &tied, clauses))
}

/// The sentences of a rules text.
pub(super) fn sentences(path: &Path) -> Result<Vec<Sentence>, Unreadable> {
    let text = text(path)?;
    let too_long = |most: usize, what: &str| {
        let name = path.display();
        Unreadable(format!(
            "cannot read `{name}`: it is too long: expected at most {most} {what}"
        ))
    };
    if text.lines().count() > MOST_LINES {
        return Err(too_long(MOST_LINES, "lines"));
    }
    let sentences = split(text.trim_start_matches('\u{feff}'));
    match sentences.len() > MOST_SENTENCES {
        true => Err(too_long(MOST_SENTENCES, "sentences")),
        false => Ok(sentences),
    }
}
