//! What is shown between and behind the lines: verdicts, findings, which orders matter; and what can be asked for there.

use super::looked::{Answer, Finding, Looked, span_of};
use super::specification::uri;
use super::view::View;
use endstep_language::resolve::NameKind;
use lsp_types::{CodeLens, Command, InlayHint, InlayHintLabel, InlayHintTooltip, Range, Uri};
use serde_json::json;

/// Looks at a specification now.
pub(super) const CHECK: &str = "endstep.check";
/// Looks at one claim, question or example alone.
pub(super) const CHECK_ONE: &str = "endstep.checkOne";
/// Shows a finding: what it says, and its runs.
pub(super) const REPLAY: &str = "endstep.replay";
/// Adds a finding to those that are expected.
pub(super) const EXPECT: &str = "endstep.expect";
/// What was found, as `check --format json` tells it.
pub(super) const REPORT: &str = "endstep.report";

/// All that can be asked for.
pub(super) const COMMANDS: [&str; 5] = [CHECK, CHECK_ONE, REPLAY, EXPECT, REPORT];

/// Shows a finding.
pub(super) fn replay(uri: &Uri, finding: &Finding) -> Command {
    Command {
        title: format!("Show {}: {}", finding.code, finding.title),
        command: REPLAY.to_owned(),
        arguments: Some(vec![json!(uri), json!(finding.fingerprint)]),
    }
}

/// Expects a finding.
pub(super) fn expect(uri: &Uri, finding: &Finding) -> Command {
    Command {
        title: format!("Expect {} from now on", finding.code),
        command: EXPECT.to_owned(),
        arguments: Some(vec![json!(uri), json!(finding.fingerprint)]),
    }
}

/// What stands above lines.
pub(super) fn lenses(view: View<'_>) -> Vec<CodeLens> {
    let Some(own) = uri(view.path, view.documents) else {
        return Vec::new();
    };
    let mut lenses = Vec::new();
    let lens = |range: Range, command: Command| CodeLens {
        range: Range::new(range.start, range.start),
        command: Some(command),
        data: None,
    };
    let uses = view.specification.uses.all();
    for one in uses.filter(|one| one.is_declaration()) {
        if !matches!(one.kind, NameKind::Claim | NameKind::Example) {
            continue;
        }
        let Some(range) = view.range(one.at) else {
            continue;
        };
        let name = view.specification.sources.text(one.at);
        let verdict = view.looked.and_then(|looked| looked.verdict(name));
        let title = verdict.map_or_else(|| "check".to_owned(), |one| format!("{one} · check"));
        let command = Command {
            title,
            command: CHECK_ONE.to_owned(),
            arguments: Some(vec![json!(own), json!(name)]),
        };
        lenses.push(lens(range, command));
    }
    if let Some(looked) = view.looked {
        let here = looked.told.findings.iter().filter_map(|finding| {
            let place = finding.places.iter().flatten().next()?;
            let (path, range) = span_of(view.specification, place, view.encoding)?;
            (path == view.path).then(|| lens(range, replay(&own, finding)))
        });
        lenses.extend(here);
    }
    lenses.sort_by_key(|one| one.range.start);
    lenses
}

/// What is known of the order at a place, in a few words.
fn order(answer: &Answer) -> Option<&'static str> {
    Some(match answer.verdict.as_str() {
        "refuted" => "the order matters",
        "proved" => "the order does not matter (proved)",
        "holds in scope" => "the order does not matter on the boards that were tried",
        "unknown" => "whether the order matters is not known",
        _ => return None,
    })
}

/// What stands behind lines.
pub(super) fn hints(view: View<'_>, within: Range) -> Vec<InlayHint> {
    let answers = view
        .looked
        .map(|looked: &Looked| looked.told.answers.iter());
    let orders = answers
        .into_iter()
        .flatten()
        .filter(|one| one.kind == "order");
    let hint = |answer: &Answer| {
        let (path, range) = span_of(view.specification, answer.place.as_ref()?, view.encoding)?;
        let line = range.start.line;
        let is_asked = within.start.line <= line && line <= within.end.line;
        if path != view.path || !is_asked {
            return None;
        }
        let (text, lines) = view.specification.text(view.path)?;
        let length = view.encoding.length(lines.line(text, line as usize));
        Some(InlayHint {
            position: lsp_types::Position::new(line, length),
            label: InlayHintLabel::String(order(answer)?.to_owned()),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(format!(
                "Asked: {}. The verdict: {}.",
                answer.text, answer.verdict
            ))),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        })
    };
    orders.filter_map(hint).collect()
}
