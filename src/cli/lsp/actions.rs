//! What can be done about what is wrong: names that were meant, findings that are known.

use super::complaints::findings_at;
use super::lens;
use super::open_order;
use super::view::View;
use endstep_language::diag::Severity;
use endstep_language::diag::codes::finding as code;
use endstep_report::report::exchange::{Found, Status};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Range, TextEdit, Uri, WorkspaceEdit,
};
use std::collections::HashMap;

/// What can be done at a range.
pub(super) fn at(view: View<'_>, range: Range) -> Vec<CodeActionOrCommand> {
    let Some(uri) = super::specification::uri(view.path, view.documents) else {
        return Vec::new();
    };
    let mut actions = meant(view, range, &uri);
    for finding in view
        .looked
        .iter()
        .flat_map(|looked| findings_at(view, looked, range))
    {
        actions.push(CodeActionOrCommand::Command(lens::replay(&uri, finding)));
        actions.extend(lens::repair(&uri, finding).map(CodeActionOrCommand::Command));
        actions.extend(reading(view, finding, &uri));
        if finding.status == Status::New {
            actions.extend(accept(view, finding, &uri));
            if finding.severity != Severity::Note {
                actions.push(CodeActionOrCommand::Command(lens::expect(&uri, finding)));
            }
        }
    }
    actions
}

#[allow(
    clippy::mutable_key_type,
    reason = "the protocol's type; a URI is never changed"
)]
fn edit(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit {
        changes: Some(HashMap::from([(uri.clone(), edits)])),
        ..WorkspaceEdit::default()
    }
}

/// The names that the complaints here propose instead of what stands there.
fn meant(view: View<'_>, range: Range, uri: &Uri) -> Vec<CodeActionOrCommand> {
    let mut actions = Vec::new();
    for one in &view.specification.diagnostics {
        let Some(place) = one.place() else {
            continue;
        };
        let Some(at) = view.range(place) else {
            continue;
        };
        if at.end < range.start || range.end < at.start {
            continue;
        }
        for name in one.help.iter().filter_map(|help| proposed(help)) {
            // What is quoted stays quoted.
            let found = view.specification.sources.text(place);
            let new_text = match found.starts_with('"') {
                true => format!("\"{name}\""),
                false => name.to_owned(),
            };
            let change = TextEdit {
                range: at,
                new_text,
            };
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: format!("Write `{name}`"),
                kind: Some(CodeActionKind::QUICKFIX),
                edit: Some(edit(uri, vec![change])),
                is_preferred: Some(true),
                ..CodeAction::default()
            }));
        }
    }
    actions
}

/// The name that a help proposes.
fn proposed(help: &str) -> Option<&str> {
    let rest = help.strip_prefix("did you mean ")?;
    let close = match rest.chars().next()? {
        '`' => '`',
        '"' => '"',
        _ => return None,
    };
    rest[1..].split_once(close).map(|(name, _)| name)
}

/// Makes an order that is open a reading.
fn reading(view: View<'_>, finding: &Found, uri: &Uri) -> Option<CodeActionOrCommand> {
    if finding.code != code::ORDER_MATTERS.id() {
        return None;
    }
    let edits = open_order::as_reading(view, finding)?;
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        title: "Make the open order a reading".to_owned(),
        kind: Some(CodeActionKind::REFACTOR_REWRITE),
        edit: Some(edit(uri, edits)),
        ..CodeAction::default()
    }))
}

/// A line that accepts a finding, at the end of the file.
fn accept(view: View<'_>, finding: &Found, uri: &Uri) -> Option<CodeActionOrCommand> {
    let clause = finding.clauses.first()?;
    let text = view.text();
    let line_end = if text.ends_with('\n') { "" } else { "\n" };
    let (code, id) = (&finding.code, &clause.id);
    let new_text = format!("{line_end}accept {code} at {id} because \"say why\"\n");
    let findings = view.looked.map(|looked| looked.told.findings.iter());
    let is_covered =
        |one: &&Found| one.code == *code && one.clauses.iter().any(|clause| clause.id == *id);
    let covered = findings.into_iter().flatten().filter(is_covered).count();
    let more = match covered {
        0 | 1 => String::new(),
        more => format!(" ({more} findings)"),
    };
    let range = view.bytes(text.len()..text.len())?;
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        title: format!("Accept {code} at {id} in the specification{more}"),
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(edit(uri, vec![TextEdit { range, new_text }])),
        ..CodeAction::default()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_from_the_help() {
        assert_eq!(proposed("did you mean `hand`?"), Some("hand"));
        assert_eq!(proposed("did you mean \"empty zone\"?"), Some("empty zone"));
        assert_eq!(proposed("did you mean that?"), None);
        assert_eq!(proposed("write `hand`"), None);
    }
}
