//! What is wrong with a specification, and what was found in it, where it stands.

use super::documents::known_as;
use super::looked::{Looked, span_of};
use super::specification::{Specification, uri};
use super::view::View;
use endstep_language::diag::codes::warnings;
use endstep_language::diag::{self, Severity};
use endstep_report::report::exchange::{Found, Status, Vanished};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Position, Range,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Who says so.
const SOURCE: &str = "endstep";

/// What can be taken out without a change.
const UNUSED: [diag::Code; 4] = [
    warnings::UNUSED_READING,
    warnings::UNUSED_DEFINITION,
    warnings::NEVER_ANNOUNCED,
    warnings::NEVER_READ,
];

/// What is wrong, by file.
pub(super) type Complaints = BTreeMap<PathBuf, Vec<Diagnostic>>;

/// All that is wrong with a specification and was found in it.
pub(super) fn of(view: View<'_>) -> Complaints {
    let specification = view.specification;
    let mut all: Complaints = specification
        .paths()
        .map(|path| (path.to_owned(), Vec::new()))
        .collect();
    for one in &specification.diagnostics {
        let (path, diagnostic) = complaint(view, one);
        all.entry(path).or_default().push(diagnostic);
    }
    if let Some(looked) = view.looked {
        for finding in &looked.told.findings {
            let (path, diagnostic) = found(view, looked, finding);
            all.entry(path).or_default().push(diagnostic);
        }
        for (path, diagnostic) in out_of_date(view, looked) {
            all.entry(path).or_default().push(diagnostic);
        }
    }
    for (path, diagnostic) in broken_parts(view) {
        all.entry(path).or_default().push(diagnostic);
    }
    all
}

/// What is expected or accepted and is not there.
fn out_of_date(view: View<'_>, looked: &Looked) -> Vec<(PathBuf, Diagnostic)> {
    let specification = view.specification;
    let mut all = Vec::new();
    for one in &looked.told.unused_accepts {
        let place = one.place.as_ref();
        let at = place.and_then(|place| span_of(specification, place, view.encoding));
        let (path, range) = at.unwrap_or_else(|| beginning(specification));
        let message = one.told();
        let range = heading(view, &path, range);
        all.push((path, warning(range, message)));
    }
    let gone: Vec<String> = looked.told.vanished.iter().map(Vanished::told).collect();
    if !gone.is_empty() {
        let gone = gone.join("\n");
        let message = format!(
            "{gone}\nhelp: `endstep check --update-expected` writes down what there is now"
        );
        let (path, range) = beginning(specification);
        let range = shown(view, &path, range);
        all.push((path, warning(range, message)));
    }
    all
}

fn warning(range: Range, message: String) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::WARNING),
        source: Some(SOURCE.to_owned()),
        message,
        ..Diagnostic::default()
    }
}

/// The lines that include a file in which something is in error.
fn broken_parts(view: View<'_>) -> Vec<(PathBuf, Diagnostic)> {
    let specification = view.specification;
    let errors = specification.diagnostics.iter();
    let errors = errors.filter(|one| one.severity == Severity::Error);
    let broken = errors.filter_map(|one| specification.path(one.place()?.source));
    let broken: BTreeSet<&Path> = broken.filter(|path| *path != specification.root).collect();
    let mut all = Vec::new();
    for path in specification.paths() {
        let Some((text, lines)) = specification.text(path) else {
            continue;
        };
        for number in 0..lines.count() {
            let line = lines.line(text, number);
            let Some(named) = included(line) else {
                continue;
            };
            let place = known_as(&path.parent().unwrap_or(Path::new("")).join(named));
            if broken.contains(place.as_path()) {
                let start = lines.start(text, number) + (line.len() - line.trim_start().len());
                let bytes = start..lines.start(text, number) + line.len();
                let range = lines.range(text, bytes, view.encoding);
                let diagnostic = Diagnostic {
                    severity: Some(DiagnosticSeverity::ERROR),
                    ..warning(range, "something in this file is in error".to_owned())
                };
                all.push((path.to_owned(), diagnostic));
            }
        }
    }
    all
}

/// The path in a line that includes a file.
fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("include")?.trim_start();
    let (path, _) = rest.strip_prefix('"')?.split_once('"')?;
    Some(path)
}

fn severity(of: Severity) -> DiagnosticSeverity {
    match of {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    }
}

/// The beginning of the specification, for what is about no place.
fn beginning(specification: &Specification) -> (PathBuf, Range) {
    (specification.root.clone(), Range::default())
}

/// Something that is wrong with the text.
fn complaint(view: View<'_>, one: &diag::Diagnostic) -> (PathBuf, Diagnostic) {
    let specification = view.specification;
    let at = one.place().and_then(|place| {
        let (path, range) = specification.range(place, view.encoding)?;
        Some((path.to_owned(), range))
    });
    let (path, range) = at.unwrap_or_else(|| beginning(specification));
    let main = one
        .labels
        .iter()
        .find(|label| Some(label.span) == one.place());
    let mut message = one.message.clone();
    let is_new = |label: &&diag::Label| !one.message.contains(label.text.as_str());
    if let Some(label) = main.filter(is_new) {
        message.push_str(&format!(" ({})", label.text));
    }
    for help in &one.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let others = one
        .labels
        .iter()
        .filter(|label| Some(label.span) != one.place());
    let others = others.filter_map(|label| {
        let message = match label.text.is_empty() {
            true => "here, too".to_owned(),
            false => label.text.clone(),
        };
        Some(DiagnosticRelatedInformation {
            location: view.location(label.span)?,
            message,
        })
    });
    let others: Vec<_> = others.collect();
    let is_unused = UNUSED.contains(&one.code);
    let diagnostic = Diagnostic {
        range: shown(view, &path, range),
        severity: Some(severity(one.severity)),
        code: Some(NumberOrString::String(one.code.id().to_owned())),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (!others.is_empty()).then_some(others),
        tags: is_unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..Diagnostic::default()
    };
    (path, diagnostic)
}

/// An empty range is one character, or the last one of its line: something has to be seen.
fn shown(view: View<'_>, path: &Path, range: Range) -> Range {
    if range.start != range.end {
        return range;
    }
    let Some((text, lines)) = view.specification.text(path) else {
        return range;
    };
    let line = lines.line(text, range.start.line as usize);
    let length = view.encoding.length(line);
    let Position { line, character } = range.start;
    match character < length {
        true => Range::new(range.start, Position::new(line, character + 1)),
        false => Range::new(Position::new(line, length.saturating_sub(1)), range.end),
    }
}

/// Something that was found.
fn found(view: View<'_>, looked: &Looked, finding: &Found) -> (PathBuf, Diagnostic) {
    let specification = view.specification;
    let mut places = finding.places.iter().flatten();
    let place = |place| span_of(specification, place, view.encoding);
    let at = places.next().and_then(place);
    let (path, range) = at.unwrap_or_else(|| beginning(specification));
    let others = places.filter_map(|one| {
        let (path, range) = place(one)?;
        Some(DiagnosticRelatedInformation {
            location: Location::new(uri(&path, view.documents)?, range),
            message: "this is part of it".to_owned(),
        })
    });
    let others: Vec<_> = others.collect();
    let mut message = format!("{}\n{}", finding.title, looked.in_short(&finding.told()));
    if let Some(board) = looked.board(&finding.fingerprint) {
        message.push_str(&format!("\nThe board:\n{board}"));
    }
    if !looked.whole && finding.witness.is_some() {
        message.push_str("\nSeen on one of the smallest boards; larger ones are still looked at.");
    }
    let known = match finding.status {
        Status::New => None,
        Status::Expected => Some("known"),
        Status::Accepted => Some("accepted"),
    };
    if let Some(known) = known {
        let reason = finding.reason.as_ref();
        let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        message.push_str(&format!("\nThis is {known}{reason}."));
    }
    let severity = match finding.status {
        Status::New => severity(finding.severity),
        Status::Expected | Status::Accepted => DiagnosticSeverity::HINT,
    };
    let diagnostic = Diagnostic {
        range: heading(view, &path, range),
        severity: Some(severity),
        code: Some(NumberOrString::String(finding.code.clone())),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (!others.is_empty()).then_some(others),
        data: Some(serde_json::json!({ "fingerprint": finding.fingerprint })),
        ..Diagnostic::default()
    };
    (path, diagnostic)
}

/// Of a range the part on its first line: a block that is underlined as a whole cannot be read.
fn heading(view: View<'_>, path: &Path, range: Range) -> Range {
    if range.start.line == range.end.line {
        return shown(view, path, range);
    }
    let Some((text, lines)) = view.specification.text(path) else {
        return range;
    };
    let line = lines.line(text, range.start.line as usize);
    let end = Position::new(range.start.line, view.encoding.length(line));
    Range::new(range.start, end)
}

/// The findings whose place has a position of this range.
pub(super) fn findings_at<'l>(
    view: View<'l>,
    looked: &'l Looked,
    range: Range,
) -> impl Iterator<Item = &'l Found> {
    looked.told.findings.iter().filter(move |finding| {
        let place = finding.places.iter().flatten().next();
        let place = place.and_then(|place| span_of(view.specification, place, view.encoding));
        place.is_some_and(|(path, at)| {
            path == view.path && at.start.line <= range.end.line && range.start.line <= at.end.line
        })
    })
}
