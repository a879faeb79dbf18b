//! `endstep init`: a specification to begin with.
//!
//! Without a rules text it is a small game with one fault that a check finds. With
//! one, it has a clause for each sentence of the text, none of them formalised yet,
//! and a record that ties them to the text.

use super::coverage::sentences;
use super::exit::Exit;
use super::input::{ENDING, Unreadable};
use super::output::write;
use super::plain::err;
use super::specification::fail;
use clap::Args;
use endstep_language::source::SourceId;
use endstep_language::syntax::{parse, print};
use endstep_tools::coverage::{Record, Sentence, SentenceKind, Tie, TiedText};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The game, with gaps for its name and title.
const TEMPLATE: &str = include_str!("template.endstep");

/// Begin a specification
///
/// Writes NAME.endstep: a small game with one fault that `endstep check` finds, or,
/// with --from, a clause for each sentence of a rules text. Never overwrites a file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep init duel
  endstep init chess --from fide-laws.txt")]
pub(super) struct Arguments {
    /// The name: letters, digits, - and _
    name: String,
    /// The rules text
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let name = &arguments.name;
    let plain = |one: char| one.is_alphanumeric() || one == '-' || one == '_';
    if name.is_empty() || !name.chars().all(plain) {
        let message = format!("found the name `{name}`, expected letters, digits, - and _");
        return fail(&message, Exit::Usage);
    }
    let files = match &arguments.from {
        None => vec![(format!("{name}.{ENDING}"), game(name))],
        Some(path) => match sentences(path) {
            Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
            Ok(sentences) => {
                let is_said = |one: &Sentence| one.kind == SentenceKind::Sentence;
                if !sentences.iter().any(is_said) {
                    let path = path.display();
                    writeln!(err(), "warning: found no sentence in `{path}`")?;
                }
                of_text(name, path, &sentences)
            }
        },
    };
    if let Some((there, _)) = files.iter().find(|(path, _)| Path::new(path).exists()) {
        return fail(
            &format!("`{there}` is already there; nothing was written"),
            Exit::Usage,
        );
    }
    for (path, text) in &files {
        if let Err(Unreadable(why)) = write(Path::new(path), text) {
            return fail(&why, Exit::Output);
        }
        writeln!(out, "wrote {path}")?;
    }
    let next = match &arguments.from {
        None => format!("endstep check {name}.{ENDING}"),
        Some(_) => format!("endstep coverage {name}.{ENDING}"),
    };
    writeln!(out, "next: {next}")?;
    Ok(Exit::Ok)
}

/// A name as a title.
fn title(name: &str) -> String {
    name.replace(['-', '_'], " ")
}

/// The small game.
fn game(name: &str) -> String {
    TEMPLATE
        .replace("{name}", name)
        .replace("{title}", &title(name))
}

/// The specification of a text, and the record that ties the two.
fn of_text(name: &str, path: &Path, sentences: &[Sentence]) -> Vec<(String, String)> {
    let source = path
        .file_name()
        .map_or_else(String::new, |name| name.display().to_string());
    let mut text = format!(
        "game {title}\n\ndocument rules {heading}\n",
        title = quoted(&title(name)),
        heading = quoted(&source),
    );
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut ties = Vec::new();
    let said = sentences
        .iter()
        .filter(|one| one.kind == SentenceKind::Sentence);
    for sentence in said {
        let under = identifier(&sentence.heading);
        let count = counts.entry(under.clone()).or_insert(0);
        *count += 1;
        let id = format!("{under}.{count}");
        text.push_str(&format!(
            "\n  clause {id} (rule) at {}\n    says {}\n",
            quoted(&locator(sentence)),
            quoted(&sentence.text)
        ));
        let mut tie = Tie::untied(sentence);
        tie.clauses.push(id);
        ties.push(tie);
    }
    // The printer knows how long lines are broken.
    let parsed = parse(SourceId::default(), &text);
    if parsed.diagnostics.is_empty() {
        text = print(&parsed.file);
    }
    let mut record = Record::default();
    record.put(TiedText {
        document: None,
        source,
        sentences: ties,
    });
    vec![
        (format!("{name}.{ENDING}"), text),
        (format!("{name}.coverage.json"), record.to_json()),
    ]
}

/// Where a sentence stands: `The Cleanup Step, item 4, second sentence, lines 12 to 13`.
fn locator(sentence: &Sentence) -> String {
    let mut parts = Vec::new();
    if !sentence.heading.is_empty() {
        parts.push(sentence.heading.clone());
    }
    if let Some(item) = &sentence.item {
        let marked = item.chars().any(char::is_alphanumeric);
        parts.push(if marked {
            format!("item {item}")
        } else {
            "an item".to_owned()
        });
    }
    match sentence.lines {
        (from, to) if from == to => parts.push(format!("line {from}")),
        (from, to) => parts.push(format!("lines {from} to {to}")),
    }
    parts.join(", ")
}

/// Two words of a heading as a name; `text` where there are none.
fn identifier(heading: &str) -> String {
    let words = heading.split(|one: char| !one.is_ascii_alphanumeric());
    let telling = words
        .filter(|word| word.starts_with(|one: char| one.is_ascii_alphabetic()))
        .filter(|word| !["the", "a", "an", "of", "and"].contains(&word.to_lowercase().as_str()));
    let words: Vec<String> = telling.take(2).map(str::to_lowercase).collect();
    match words.is_empty() {
        true => "text".to_owned(),
        false => words.join("_"),
    }
}

/// A text between quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_game_has_25_lines_and_no_gaps() {
        let game = game("my-duel");
        assert_eq!(game.lines().count(), 25);
        assert!(game.contains("game \"my duel\""), "{game}");
        assert!(!game.contains('{'), "{game}");
    }

    #[test]
    fn names_and_texts_are_made_safe() {
        assert_eq!(identifier("The Cleanup Step"), "cleanup_step");
        assert_eq!(identifier("4.5 — 6"), "text");
        assert_eq!(quoted("a \"b\" \\"), "\"a \\\"b\\\" \\\\\"");
    }
}
