//! What is shown between and behind the lines: verdicts, findings, which orders matter; and what can be asked for there.

use super::looked::{Looked, span_of};
use super::specification::uri;
use super::view::View;
use endstep_language::diag::codes::finding as code;
use endstep_language::resolve::NameKind;
use endstep_report::report::exchange::{Answered, Found, Status};
use lsp_types::{CodeLens, Command, InlayHint, InlayHintLabel, InlayHintTooltip, Range, Uri};
use serde_json::json;

/// Looks at a specification now.
pub(super) const CHECK: &str = "endstep.check";
/// Looks at one claim, question or example alone.
pub(super) const CHECK_ONE: &str = "endstep.checkOne";
/// Shows a finding: what it says, and its runs.
pub(super) const REPLAY: &str = "endstep.replay";
/// Looks for the smallest change after which a finding is gone.
pub(super) const REPAIR: &str = "endstep.repair";
/// Draws a board that is written out.
pub(super) const BOARD: &str = "endstep.board";
/// Adds a finding to those that are expected.
pub(super) const EXPECT: &str = "endstep.expect";
/// What was found, as `check --format json` tells it.
pub(super) const REPORT: &str = "endstep.report";

/// The same as a page of Markdown, clause by clause.
pub(super) const PAGE: &str = "endstep.page";

/// All that can be asked for.
pub(super) const COMMANDS: [&str; 8] = [
    CHECK, CHECK_ONE, REPLAY, REPAIR, BOARD, EXPECT, REPORT, PAGE,
];

/// Shows a finding.
pub(super) fn replay(uri: &Uri, finding: &Found) -> Command {
    let on = finding.occurs_on.as_ref();
    let on = on.map_or_else(String::new, |on| format!(" ({on})"));
    Command {
        title: format!("Show {}: {}{on}", finding.code, finding.title),
        command: REPLAY.to_owned(),
        arguments: Some(vec![json!(uri), json!(finding.fingerprint)]),
    }
}

/// Looks for a change that mends a finding, if it is of a kind of which changes are tried.
pub(super) fn repair(uri: &Uri, finding: &Found) -> Option<Command> {
    let mendable = [
        code::ORDER_MATTERS,
        code::STEPS_MATTER,
        code::AMBIGUITY,
        code::MISSING_RECHECK,
    ];
    let is_one = mendable.iter().any(|code| code.id() == finding.code);
    is_one.then(|| Command {
        title: format!("Look for a change that mends {}", finding.code),
        command: REPAIR.to_owned(),
        arguments: Some(vec![json!(uri), json!(finding.fingerprint)]),
    })
}

/// Expects a finding.
pub(super) fn expect(uri: &Uri, finding: &Found) -> Command {
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
        let Some(range) = view.range(one.at) else {
            continue;
        };
        let name = view.specification.sources.text(one.at);
        if matches!(one.kind, NameKind::Board) {
            let command = Command {
                title: "show the board".to_owned(),
                command: BOARD.to_owned(),
                arguments: Some(vec![json!(own), json!(name)]),
            };
            lenses.push(lens(range, command));
        }
        if !matches!(one.kind, NameKind::Claim | NameKind::Example) {
            continue;
        }
        let verdict = view.looked.and_then(|looked| looked.verdict(name));
        let is_open = view.looked.is_some_and(|looked| !looked.whole);
        let title = match verdict {
            Some(verdict) => format!("{verdict} · check this alone"),
            None if is_open => "is being checked".to_owned(),
            None => "check this alone".to_owned(),
        };
        let command = Command {
            title,
            command: CHECK_ONE.to_owned(),
            arguments: Some(vec![json!(own), json!(name)]),
        };
        lenses.push(lens(range, command));
    }
    if let Some(looked) = view.looked {
        let findings = looked.told.findings.iter();
        // What somebody knows already needs no line of its own.
        let new = findings.filter(|one| one.status == Status::New && one.witness.is_some());
        let here = new.filter_map(|finding| {
            let place = finding.places.iter().flatten().next()?;
            let (path, range) = span_of(view.specification, place, view.encoding)?;
            (path == view.path).then(|| lens(range, replay(&own, finding)))
        });
        lenses.extend(here);
    }
    lenses.sort_by_key(|one| one.range.start);
    lenses
}

/// Joins hints of one place that say the same.
fn joined(mut hints: Vec<InlayHint>) -> Vec<InlayHint> {
    hints.sort_by_key(|one| one.position);
    hints.dedup_by(|next, first| {
        let same = first.position == next.position && label(first) == label(next);
        if let (true, Some(InlayHintTooltip::String(all)), Some(InlayHintTooltip::String(one))) =
            (same, &mut first.tooltip, &next.tooltip)
        {
            all.push('\n');
            all.push_str(one);
        }
        same
    });
    hints
}

fn label(hint: &InlayHint) -> &str {
    match &hint.label {
        InlayHintLabel::String(text) => text,
        InlayHintLabel::LabelParts(_) => "",
    }
}

/// What is known of the order at a line, in a few words, and who decides if the line says that nobody does.
fn order(answer: &Answered, line: &str) -> Option<String> {
    let matters = match answer.verdict.as_str() {
        "refuted" => "the order matters",
        "proved" => "the order does not matter (proved)",
        "holds in scope" => "the order does not matter on the boards that were tried",
        "unknown" => "whether the order matters is not known",
        // Nothing else is a verdict on an order.
        _ => return None,
    };
    Some(
        match line.contains("in any order") || line.contains("steps unspecified") {
            true => format!("nobody decides; {matters}"),
            false => matters.to_owned(),
        },
    )
}

/// What stands behind lines.
pub(super) fn hints(view: View<'_>, within: Range) -> Vec<InlayHint> {
    let answers = view.looked.map(Looked::answers);
    let orders = answers
        .into_iter()
        .flatten()
        .filter(|one| one.kind == "order");
    let hint = |answer: &Answered| {
        let (path, range) = span_of(view.specification, answer.place.as_ref()?, view.encoding)?;
        let line = range.start.line;
        let is_asked = within.start.line <= line && line <= within.end.line;
        if path != view.path || !is_asked {
            return None;
        }
        let (text, lines) = view.specification.text(view.path)?;
        let line_text = lines.line(text, line as usize);
        let length = view.encoding.length(line_text);
        Some(InlayHint {
            position: lsp_types::Position::new(line, length),
            label: InlayHintLabel::String(order(answer, line_text)?),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(tooltip(view, answer))),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        })
    };
    joined(orders.filter_map(hint).collect())
}

/// What was asked of an order, and how it came out.
fn tooltip(view: View<'_>, answer: &Answered) -> String {
    let text = match view.looked {
        Some(looked) => looked.in_short(&answer.text),
        None => answer.text.clone(),
    };
    let sequence = answer.sequence.as_ref();
    let sequence = sequence.map_or_else(String::new, |name| format!("In {name}: "));
    format!("{sequence}that {text} is {}.", answer.verdict)
}
