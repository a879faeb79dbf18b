//! Turns diagnostics into text for people, or JSON for programs.

use super::diagnostic::{Diagnostic, Label, Severity, sort};
use crate::source::{SourceFile, SourceId, SourceMap, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;

/// Of lines with more bytes than these only the place is shown.
const LONGEST_SNIPPET: usize = 1 << 16;

/// How diagnostics are shown as text.
#[derive(Clone, Debug)]
pub struct Style {
    /// Whether to colour the text with ANSI escapes.
    pub colour: bool,
    /// The width of the terminal in columns.
    pub width: usize,
    /// How many diagnostics are shown; the others are counted.
    pub limit: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            colour: false,
            width: 100,
            limit: 50,
        }
    }
}

/// Shows the diagnostics in the order of their places, each with the lines it
/// speaks of and followed by an empty line.
///
/// Beyond the limit the least severe are left out, and a last line counts them.
pub fn text(diagnostics: &[Diagnostic], sources: &SourceMap, style: &Style) -> String {
    let mut shown = diagnostics.to_vec();
    sort(&mut shown);
    shown.sort_by_key(|one| one.severity);
    shown.truncate(style.limit);
    sort(&mut shown);
    let renderer = match style.colour {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    let renderer = renderer.term_width(style.width);
    let mut out = String::new();
    for one in &shown {
        out.push_str(&renderer.render(&[group(one, sources)]));
        out.push_str("\n\n");
    }
    let hidden = diagnostics.len() - shown.len();
    if hidden > 0 {
        out.push_str(&format!("{hidden} more not shown\n"));
    }
    out
}

fn group<'a>(one: &'a Diagnostic, sources: &'a SourceMap) -> Group<'a> {
    let level = match one.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = level
        .primary_title(one.message.as_str())
        .id(one.code.id())
        .elements(snippets(one, sources))
        .elements(places(one, sources));
    for text in &one.help {
        group = group.element(Level::HELP.message(text.as_str()));
    }
    group
}

/// The lines that a diagnostic speaks of, one snippet for each source; that of
/// the fault itself first.
fn snippets<'a>(one: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Snippet<'a, Annotation<'a>>> {
    let mut by_source: BTreeMap<(bool, SourceId), Vec<&Label>> = BTreeMap::new();
    let home = one.place().map(|span| span.source);
    for label in &one.labels {
        let source = label.span.source;
        let key = (home != Some(source), source);
        by_source.entry(key).or_default().push(label);
    }
    let present = by_source.iter().filter_map(|((_, id), labels)| {
        let (_, file) = sources.files().nth(id.0 as usize)?;
        is_short(file, labels).then(|| snippet(file, labels))
    });
    present.collect()
}

/// The places of faults in lines that are too long to be shown.
fn places<'a>(one: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Origin<'a>> {
    let primary = one.labels.iter().filter(|label| label.primary);
    let long = primary.filter_map(|label| {
        let (_, file) = sources.files().nth(label.span.source.0 as usize)?;
        let at = file.line_column(label.span.start);
        let origin = Origin::path(file.name()).line(at.line as usize);
        let origin = origin.char_column(at.column as usize);
        (!is_short(file, &[label])).then_some(origin)
    });
    long.collect()
}

/// Whether the lines in question are such as a person reads.
fn is_short(file: &SourceFile, labels: &[&Label]) -> bool {
    let lines = lines(file.text(), &ranges(file.text(), labels));
    lines.len() <= LONGEST_SNIPPET
}

fn snippet<'a>(file: &'a SourceFile, labels: &[&'a Label]) -> Snippet<'a, Annotation<'a>> {
    let text = file.text();
    let ranges = ranges(text, labels);
    // Only the lines in question: a source may be far larger than they are.
    let Range {
        start: from,
        end: to,
    } = lines(text, &ranges);
    let annotations = labels.iter().zip(ranges).map(|(label, range)| {
        let kind = match label.primary {
            true => AnnotationKind::Primary,
            false => AnnotationKind::Context,
        };
        let text = (!label.text.is_empty()).then_some(label.text.as_str());
        kind.span(range.start - from..range.end - from).label(text)
    });
    Snippet::source(&text[from..to])
        .line_start(file.line_column(from as u32).line as usize)
        .path(file.name())
        .annotations(annotations)
}

fn ranges(text: &str, labels: &[&Label]) -> Vec<Range<usize>> {
    labels.iter().map(|label| range(text, label.span)).collect()
}

/// The lines of a text in which some ranges lie.
fn lines(text: &str, ranges: &[Range<usize>]) -> Range<usize> {
    let first = ranges.iter().map(|range| range.start).min().unwrap_or(0);
    let last = ranges.iter().map(|range| range.end).max().unwrap_or(0);
    let from = text[..first].rfind('\n').map_or(0, |end| end + 1);
    let to = text[last..].find('\n').map_or(text.len(), |end| last + end);
    from..to
}

/// The span as a range of the text, whatever the span.
fn range(text: &str, span: Span) -> Range<usize> {
    let start = text.floor_char_boundary(span.start as usize);
    let end = text.ceil_char_boundary(span.end as usize).max(start);
    start..end
}

/// All diagnostics in the order of their places, as an array of objects.
///
/// Each has `code`, `severity`, `message`, `labels` and `help`. A label has
/// `file`, `start` and `end` (each with `line` and `column`, counted from 1 in
/// characters, and `offset`, counted from 0 in bytes), `text` and `primary`.
pub fn json(diagnostics: &[Diagnostic], sources: &SourceMap) -> Value {
    let mut all = diagnostics.to_vec();
    sort(&mut all);
    let objects = all.iter().map(|one| {
        let labels = one.labels.iter().map(|label| label_json(label, sources));
        json!({
            "code": one.code,
            "severity": one.severity,
            "message": one.message,
            "labels": labels.collect::<Vec<_>>(),
            "help": one.help,
        })
    });
    Value::Array(objects.collect())
}

fn label_json(label: &Label, sources: &SourceMap) -> Value {
    let file = sources.files().nth(label.span.source.0 as usize);
    let file = file.map(|(_, file)| file);
    let place = |offset: u32| {
        let at = file.map(|file| file.line_column(offset));
        json!({
            "line": at.map(|at| at.line),
            "column": at.map(|at| at.column),
            "offset": offset,
        })
    };
    json!({
        "file": file.map(SourceFile::name),
        "start": place(label.span.start),
        "end": place(label.span.end),
        "text": label.text,
        "primary": label.primary,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::codes::source::NOT_UTF8;

    fn sources() -> SourceMap {
        let mut sources = SourceMap::new();
        sources
            .load("a.endstep", "game \"Ñandú\"\n\nstep destroy\n".as_bytes())
            .unwrap();
        sources.load("b.endstep", b"step x").unwrap();
        sources
    }

    fn span(source: u32, start: u32, end: u32) -> Span {
        Span::new(SourceId(source), start, end)
    }

    #[test]
    fn text_shows_the_lines_and_the_help() {
        let one = Diagnostic::error(NOT_UTF8, "the step `destroy` is declared twice")
            .at(span(0, 21, 28), "second declaration")
            .also(span(1, 5, 6), "first declaration")
            .help("rename one of them");
        insta::assert_snapshot!(text(&[one], &sources(), &Style::default()), @r"
        error[E0001]: the step `destroy` is declared twice
         --> a.endstep:3:6
          |
        3 | step destroy
          |      ^^^^^^^ second declaration
          |
         ::: b.endstep:1:6
          |
        1 | step x
          |      - first declaration
          |
          = help: rename one of them
        ");
    }

    #[test]
    fn spans_that_fit_no_text_are_shown_somehow() {
        let sources = sources();
        let ends = [0, 6, 7, 13, 28, 29, 30, u32::MAX];
        for start in ends {
            for end in ends {
                for source in [0, 1, 7] {
                    let one = Diagnostic::error(NOT_UTF8, "m").at(span(source, start, end), "here");
                    let shown = text(std::slice::from_ref(&one), &sources, &Style::default());
                    assert!(shown.starts_with("error[E0001]: m"), "{shown}");
                    assert_eq!(json(&[one], &sources)[0]["code"], "E0001");
                }
            }
        }
    }

    #[test]
    fn beyond_the_limit_errors_are_kept_and_the_rest_is_counted() {
        let warn = |start| Diagnostic::warning(NOT_UTF8, "w").at(span(0, start, start + 1), "");
        let mut all: Vec<_> = (0..4).map(warn).collect();
        all.push(Diagnostic::error(NOT_UTF8, "e").at(span(1, 0, 1), ""));
        let style = Style {
            limit: 2,
            ..Style::default()
        };
        let shown = text(&all, &sources(), &style);
        assert!(shown.contains("error[E0001]: e"), "{shown}");
        assert_eq!(shown.matches("warning[E0001]: w").count(), 1);
        assert!(shown.ends_with("3 more not shown\n"), "{shown}");
    }

    #[test]
    fn colour_is_only_added_where_it_is_wanted() {
        let one = [Diagnostic::error(NOT_UTF8, "m").at(span(1, 0, 4), "")];
        let mut style = Style::default();
        assert!(!text(&one, &sources(), &style).contains('\u{1b}'));
        style.colour = true;
        assert!(text(&one, &sources(), &style).contains('\u{1b}'));
    }

    #[test]
    fn json_gives_lines_columns_and_offsets() {
        let one = Diagnostic::note(NOT_UTF8, "m").at(span(0, 14, 18), "t");
        let label = &json(&[one], &sources())[0]["labels"][0];
        assert_eq!(label["file"], "a.endstep");
        assert_eq!(
            label["start"],
            json!({"line": 1, "column": 13, "offset": 14})
        );
        assert_eq!(label["primary"], true);
    }
}
