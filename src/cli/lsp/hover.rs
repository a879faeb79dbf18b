//! What is shown of a place: what a name means, or a word of the language.

use super::view::View;
use super::{complete, inside, words};
use endstep_language::resolve::{NameKind, Use};
use endstep_language::typing::program::{Clause, Program};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Range};

/// What is shown of a position.
pub(super) fn hover(view: View<'_>, at: Position) -> Option<Hover> {
    let (text, range) = match view.name(at) {
        Some(name) => (told(view, name), view.range(name.at)),
        None => {
            let (word, range, begins) = word_at(view, at)?;
            let found = match begins {
                true => words::find(&word),
                false => None,
            };
            let word = found.or_else(|| inside::inside(&word))?;
            let form = words::plain(word.form).replace('\t', "  ");
            (
                format!("{}\n\n```endstep\n{form}\n```", word.meaning),
                Some(range),
            )
        }
    };
    let contents = MarkupContent {
        kind: MarkupKind::Markdown,
        value: text,
    };
    Some(Hover {
        contents: HoverContents::Markup(contents),
        range,
    })
}

/// The word at a position, and whether it begins its line; none in a comment or a text.
fn word_at(view: View<'_>, at: Position) -> Option<(String, Range, bool)> {
    let (text, lines) = view.specification.text(view.path)?;
    let offset = lines.offset(text, at, view.encoding);
    let start = lines.start(text, at.line as usize);
    let line = lines.line(text, at.line as usize);
    let (before, after) = line.split_at_checked(offset.checked_sub(start)?)?;
    if complete::is_said(before) {
        return None;
    }
    let is_part = |one: char| one.is_alphanumeric() || one == '_';
    let begin = before.trim_end_matches(is_part).len();
    let rest = after.trim_start_matches(is_part);
    let end = line.len() - rest.len();
    let word = line.get(begin..end).filter(|word| !word.is_empty())?;
    let range = view.bytes(start + begin..start + end)?;
    Some((word.to_owned(), range, before[..begin].trim().is_empty()))
}

/// The description of a name: its kind, what declares it, and the verdict on it.
fn told(view: View<'_>, name: Use) -> String {
    let specification = view.specification;
    let text = specification.sources.text(name.at);
    let mut told = Vec::new();
    match specification.uses.type_of(name.declared) {
        Some(ty) if name.kind == NameKind::Local => told.push(format!("`{text}`: {ty}")),
        _ => told.push(format!("{} `{text}`", name.kind.word())),
    }
    let program = specification.program.as_deref();
    if let (NameKind::Clause, Some(program)) = (name.kind, program) {
        told.extend(clause_told(program, text));
    } else if let Some((heading, comment)) = declaration(view, name) {
        told.extend(comment);
        told.push(format!("```endstep\n{heading}\n```"));
    }
    if matches!(name.kind, NameKind::Claim | NameKind::Example)
        && let Some(verdict) = view.looked.and_then(|looked| looked.verdict(text))
    {
        told.push(format!("Verdict: **{verdict}**"));
    }
    told.join("\n\n")
}

/// What a clause says.
fn clause_told(program: &Program, id: &str) -> Vec<String> {
    let mut clauses = program.clauses.values().iter();
    let Some(clause) = clauses.find(|clause| clause.id == id) else {
        return Vec::new();
    };
    let Clause {
        locator,
        says,
        waived,
        ..
    } = clause;
    let mut told = vec![format!("at “{locator}”")];
    if !says.is_empty() {
        told.push(format!("> {says}"));
    }
    if let Some(waived) = waived {
        told.push(format!("not formalised: {waived}"));
    }
    told
}

/// The line that declares a name, and what the comment above it says.
fn declaration(view: View<'_>, name: Use) -> Option<(String, Option<String>)> {
    let path = view.specification.path(name.declared.source)?;
    let (text, lines) = view.specification.text(path)?;
    let at = lines.position(text, name.declared.range().start, view.encoding);
    let line = at.line as usize;
    let heading = lines.line(text, line).trim().to_owned();
    let above = (0..line).rev().map(|line| lines.line(text, line).trim());
    let comment = above.map_while(|line| {
        line.strip_prefix("--")
            .filter(|rest| !rest.starts_with('-'))
    });
    let mut comment: Vec<&str> = comment.map(str::trim).collect();
    comment.reverse();
    let comment = comment.join(" ");
    Some((heading, (!comment.is_empty()).then_some(comment)))
}
