//! Which findings share a cause (semantics.md, 10, "One cause"): pages explain it once.
//!
//! ```text
//! F0401  whether the order of the steps of fall binds     one cause: the order of fall
//! F0202  the order of two steps of fall
//! ```
//!
//! No verdict rests on it, and no finding is left out: of those of one cause the most telling one leads.

use super::Sheet;
use super::weight::ranked;
use endstep_language::diag::Severity;
use endstep_language::typing::program::{ReadingId, ReadingOrigin};
use endstep_semantics::semantics::Site;
use endstep_verdicts::verdict::{ClaimFailure, Detail, Finding, LoopClass, Origin, Under};

/// For each finding the one that leads those of the same cause, as a position; of that one, its own.
pub(super) fn leaders(sheet: Sheet<'_>) -> Vec<usize> {
    let findings = &sheet.results.findings;
    let order = ranked(sheet);
    let mut group: Vec<usize> = (0..findings.len()).collect();
    let mut is_more = vec![false; findings.len()];
    for &at in &order {
        let earlier = order.iter().take_while(|one| **one != at);
        let same = earlier.filter(|one| is_one_cause(&findings[**one], &findings[at]));
        for &other in same {
            join(&mut group, other, at);
        }
    }
    for &at in &order {
        if let Some(plainer) = plainer(sheet, &order, at) {
            is_more[at] = true;
            join(&mut group, plainer, at);
        }
    }
    // A fault comes before a note, and what is claimed after what was found by itself, as that tells why.
    let is_later = |at: &usize| {
        let finding = &findings[*at];
        let is_note = finding.severity == Severity::Note;
        (is_more[*at], is_note, finding.origin == Origin::Declared)
    };
    let leader = |of: usize| {
        let members = order.iter().filter(|one| group[**one] == group[of]);
        members.copied().min_by_key(is_later).unwrap_or(of)
    };
    (0..findings.len()).map(leader).collect()
}

fn join(group: &mut [usize], one: usize, other: usize) {
    let (kept, gone) = (group[one], group[other]);
    for of in group {
        if *of == gone {
            *of = kept;
        }
    }
}

/// What is open, and makes a difference.
#[derive(PartialEq)]
enum Open {
    /// How a sentence is read.
    Reading(ReadingId),
    /// What comes first, or is chosen, there.
    Point(Site),
}

/// What is open that makes the difference of a finding.
fn open(finding: &Finding) -> Option<Open> {
    match &finding.detail {
        Detail::Reading { reading, .. } | Detail::ReadingPower { reading, .. } => {
            Some(Open::Reading(*reading))
        }
        Detail::Order(pair)
        | Detail::NobodyChooses(pair)
        | Detail::Claim(_, ClaimFailure::Order(pair)) => Some(Open::Point(pair.site)),
        Detail::Position { stmt, .. } => Some(Open::Point(Site::Stmt(*stmt))),
        Detail::Claim(..) | Detail::Example { .. } => only_reading(finding).map(Open::Reading),
        // Nothing in particular is open where something else is found.
        _ => None,
    }
}

/// The reading that alone decides whether something is found.
fn only_reading(finding: &Finding) -> Option<ReadingId> {
    let Under::Listed(all) = &finding.readings else {
        return None;
    };
    let mut keys = all.iter().flat_map(|one| one.keys());
    let first = keys.next().filter(|_| finding.readings_known)?;
    keys.all(|one| one == first).then_some(*first)
}

/// Whether two findings have one cause.
fn is_one_cause(one: &Finding, other: &Finding) -> bool {
    // Of two that are claimed, one run can show two faults.
    let is_claim_of = one.origin != other.origin;
    if is_claim_of && one.witness.is_some() && one.witness == other.witness {
        return true;
    }
    match (&one.detail, &other.detail) {
        (Detail::DanglingReference(_, one), Detail::DanglingReference(_, other))
        | (Detail::UndefinedTerm(_, one), Detail::UndefinedTerm(_, other)) => {
            one.to_lowercase() == other.to_lowercase()
        }
        (Detail::MissingRecheck(_, one), Detail::MissingRecheck(_, other)) => one == other,
        (Detail::Loop { passes: one, .. }, Detail::Loop { passes: other, .. }) => one == other,
        _ => open(one).is_some_and(|cause| Some(cause) == open(other)),
    }
}

/// The finding that tells the same of less: of whether the order of a list binds, two of its steps whose order
/// matters; of a loop, one that passes only a part of what it passes, and is left no more easily.
fn plainer(sheet: Sheet<'_>, order: &[usize], at: usize) -> Option<usize> {
    let findings = &sheet.results.findings;
    let others = order.iter().copied();
    match &findings[at].detail {
        Detail::Reading { reading, .. } => {
            let ReadingOrigin::List(list) = sheet.program.readings[*reading].origin else {
                return None;
            };
            let is_about = |one: &Finding| match &one.detail {
                Detail::Steps(_, pair) => pair.site == Site::Sequence(list),
                _ => false,
            };
            let mut others = others;
            others.find(|&other| is_about(&findings[other]))
        }
        Detail::Loop { passes, class, .. } => {
            let part = |other: &usize| match &findings[*other].detail {
                Detail::Loop {
                    passes: fewer,
                    class: of,
                    ..
                } => {
                    let is_part = fewer.iter().all(|site| passes.contains(site));
                    is_part && fewer.len() < passes.len() && hardness(of) >= hardness(class)
                }
                _ => false,
            };
            let length = |other: &usize| match &findings[*other].detail {
                Detail::Loop { passes, .. } => passes.len(),
                _ => 0,
            };
            others.filter(part).min_by_key(length)
        }
        // Of nothing else is there a plainer form.
        _ => None,
    }
}

/// How little it takes to go round: the less, the larger.
fn hardness(class: &LoopClass) -> u8 {
    match class {
        LoopClass::Mandatory => 3,
        LoopClass::OrderDriven => 2,
        LoopClass::ByChance => 1,
        LoopClass::Optional(_) => 0,
    }
}
