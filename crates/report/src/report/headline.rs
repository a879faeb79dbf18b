//! The head of a finding: code, title, and how it stands.

use super::Standing;
use super::conditional::title;
use super::layout::{Style, Tone};
use super::verdict::of_finding;
use super::words::basis;
use endstep_language::diag::Severity;
use endstep_language::typing::program::Program;
use endstep_verdicts::verdict::{Finding, Origin};

/// `F0201  the order of an iteration matters`
pub(super) fn headline(
    program: &Program,
    style: Style,
    finding: &Finding,
    standing: &Standing,
) -> String {
    let tone = match (standing, finding.severity) {
        (Standing::Expected(_) | Standing::Accepted(_), _) => Tone::Faint,
        (Standing::New, Severity::Error) => Tone::Bad,
        (Standing::New, Severity::Warning) => Tone::Odd,
        (Standing::New, Severity::Note) => Tone::Strong,
    };
    let code = style.paint(tone, finding.code.id());
    let title = style.paint(Tone::Strong, &title(program, finding));
    format!("{code}  {title}\n")
}

/// Refuted, though no single run can show it.
pub(super) const REFUTED_BY_ALL: &str = "refuted by no single run";

/// How well a finding is known, in a word or a few.
pub(super) fn known(finding: &Finding) -> &'static str {
    match of_finding(finding) {
        "refuted" if finding.witness.is_none() => REFUTED_BY_ALL,
        other => other,
    }
}

/// `shown · discovered · basis text · known`
pub(super) fn standing_line(style: Style, finding: &Finding, standing: &Standing) -> String {
    let mut parts = vec![
        known(finding).to_owned(),
        origin(finding.origin).to_owned(),
        format!("basis {}", basis(finding.basis)),
    ];
    match standing {
        Standing::New if finding.severity == Severity::Note => parts.push("note".to_owned()),
        _ => parts.push(status(standing)),
    }
    style.paint(Tone::Faint, &parts.join(" · "))
}

/// `decided: the next issue mends it`
pub(super) fn status(standing: &Standing) -> String {
    match standing {
        Standing::New => "new".to_owned(),
        Standing::Expected(None) => "known".to_owned(),
        Standing::Expected(Some(why)) => format!("decided: {why}"),
        Standing::Accepted(why) => format!("accepted: {why}"),
    }
}

/// `discovered` or `declared`.
pub(super) fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Discovered => "discovered",
        Origin::Declared => "declared",
    }
}
