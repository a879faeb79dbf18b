//! How serious findings are, and why they matter, for people who edit rules.
//!
//! ```text
//! F0402  two clauses contradict each other, on a board, text alone       before
//! F0401  two readings of a sentence play differently, with made-up cards
//! ```
//!
//! One finding is more serious than another by the first of these in which they differ: what the
//! specification accepts comes last; severity; how well it is known (shown on a board, then seen in the
//! text, then true of all boards that were tried); on what it rests (the text alone first, what was made
//! up last); its kind, by [rank](endstep_language::diag::Kind); on how large a part of the boards it occurs; its place
//! among the findings. It is an order for reading. No verdict rests on it.

use super::verdict::of_finding;
use super::{Sheet, Standing};
use endstep_language::diag::codes::finding::kind;
use endstep_language::diag::{Code, Severity};
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::ReadingId;
use endstep_verdicts::verdict::{Detail, Finding, Under};
use std::collections::BTreeSet;

/// Why a kind of finding matters, in a sentence or two.
pub(super) fn why(of: Code) -> &'static str {
    kind(of).map_or("", |kind| kind.why)
}

/// What findings are ordered by; the smallest is the most serious.
fn weight(sheet: Sheet<'_>, at: usize, finding: &Finding) -> impl Ord + use<> {
    let is_accepted = matches!(sheet.standings.get(at), Some(Standing::Accepted(_)));
    let evidence = match of_finding(finding) {
        "shown" | "refuted" => 0,
        "by inspection" => 1,
        _ => 2,
    };
    let basis = match finding.basis {
        BasisKind::Text => 0,
        BasisKind::External => 1,
        BasisKind::Gap => 2,
        BasisKind::Invented => 3,
    };
    let scope = finding.scope.and_then(|at| sheet.results.scopes.get(at));
    let legal = scope.map_or(1, |scope| scope.legal.max(1));
    let part = u128::from(finding.boards) * 1_000_000 / u128::from(legal);
    let kind = kind(finding.code).map_or(u16::MAX, |kind| kind.rank);
    (
        is_accepted,
        finding.severity,
        (evidence, basis, kind),
        std::cmp::Reverse(part),
        at,
    )
}

/// The findings by how serious they are, as positions, the most serious first.
pub(super) fn ranked(sheet: Sheet<'_>) -> Vec<usize> {
    let findings = sheet.results.findings.iter().enumerate();
    let mut all: Vec<_> = findings
        .map(|(at, finding)| (weight(sheet, at, finding), at))
        .collect();
    all.sort();
    all.into_iter().map(|(_, at)| at).collect()
}

/// The most serious findings of all, as positions, up to `most`: of each kind the worst one, so that
/// many findings of a kind do not hide the others, and for each reading one, as the same sentence is to
/// blame for what else depends on it. Notes are none of them. `leaders`: for each finding the one that leads those of
/// its cause.
pub(super) fn gravest(sheet: Sheet<'_>, leaders: &[usize], most: usize) -> Vec<usize> {
    let findings = &sheet.results.findings;
    let (mut codes, mut readings) = (Vec::new(), BTreeSet::new());
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for at in ranked(sheet) {
        let Some(finding) = findings.get(at) else {
            continue;
        };
        if codes.contains(&finding.code) || finding.severity >= Severity::Note {
            continue;
        }
        let depends = depends(finding);
        let leads = leaders.get(at) == Some(&at);
        if leads && readings.is_disjoint(&depends) {
            codes.push(finding.code);
            readings.extend(depends);
            found.push(at);
        } else {
            others.push((finding.code, at));
        }
    }
    // What has the same cause is better than nothing.
    for (code, at) in others {
        if !codes.contains(&code) {
            codes.push(code);
            found.push(at);
        }
    }
    found.truncate(most);
    found
}

/// The readings that a finding is about: those that decide whether it occurs.
fn depends(finding: &Finding) -> BTreeSet<ReadingId> {
    if let Detail::Reading { reading, .. } | Detail::ReadingPower { reading, .. } = &finding.detail
    {
        return BTreeSet::from([*reading]);
    }
    let Under::Listed(all) = &finding.readings else {
        return BTreeSet::new();
    };
    let keys = all.iter().map(|one| one.keys().copied().collect());
    let common = keys.reduce(|one: BTreeSet<ReadingId>, other| &one & &other);
    common.unwrap_or_default()
}
