//! `endstep questions`: what the sentences of a rules text leave open.

use super::coverage::sentences;
use super::exit::Exit;
use super::input::Unreadable;
use super::plain::{self, show};
use super::shape::Format;
use super::specification::fail;
use super::terminal;
use clap::Args;
use endstep_report::report::{Raised, catalogue_text, questions_json, questions_text};
use endstep_tools::coverage::{Sentence, SentenceKind};
use endstep_tools::questions::{Asked, questions};
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;

/// Ask what the sentences of a rules text leave open
///
/// No specification is needed: each sentence is searched for the words by which rules texts leave
/// something open ("all players", "the most", "half of", "as possible", "again"), and what is open is
/// asked. The answer may stand in another sentence.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep questions rules.txt
  endstep questions rules.txt --all --format json
  endstep questions --list")]
pub(super) struct Arguments {
    /// The rules text
    #[arg(required_unless_present = "list")]
    text: Option<PathBuf>,
    /// Ask also what is seldom worth asking
    #[arg(long)]
    all: bool,
    /// List what is looked for, with examples, and read no text
    #[arg(long, conflicts_with_all = ["text", "all", "format"])]
    list: bool,
    /// How to show the questions
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Leave out the sentences
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let style = terminal::style(arguments.quiet);
    let Some(path) = arguments.text.as_ref().filter(|_| !arguments.list) else {
        show(out, style, catalogue_text)?;
        return Ok(Exit::Ok);
    };
    let sentences = match sentences(path) {
        Ok(sentences) => sentences,
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let is_said = |one: &&Sentence| one.kind == SentenceKind::Sentence;
    let number = sentences.iter().filter(is_said).count();
    if number == 0 {
        let why = format!(
            "found no sentence in `{}`, expected a rules text",
            path.display()
        );
        return fail(&why, Exit::Unreadable);
    }
    let count = |asked: &[Asked<'_>]| asked.iter().map(|one| one.questions.len()).sum::<usize>();
    let all = questions(&sentences);
    let number_of_all = count(&all);
    let asked = match arguments.all {
        true => all,
        false => all.into_iter().filter_map(Asked::usual).collect(),
    };
    let name = path.display().to_string();
    let raised = Raised {
        name: &name,
        asked: &asked,
        sentences: number,
        more: number_of_all - count(&asked),
    };
    match arguments.format {
        Format::Text => show(out, style, |style| questions_text(raised, style))?,
        Format::Json => {
            let mut value = questions_json(raised);
            value["endstep"] = json!(env!("CARGO_PKG_VERSION"));
            value["exit"] = json!(Exit::Ok as u8);
            out.write_all(plain::json(&value)?.as_bytes())?;
        }
    }
    Ok(Exit::Ok)
}
