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
//! up last); its kind, in the order of [`KINDS`]; on how large a part of the boards it occurs; its place
//! among the findings. It is an order for reading. No verdict rests on it.

use super::verdict::of_finding;
use super::{Sheet, Standing};
use endstep_language::diag::{Code, Severity, codes::finding as code};
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::ReadingId;
use endstep_verdicts::verdict::{Detail, Finding, Under};
use std::collections::BTreeSet;

/// The kinds of findings, the most serious first, with why players and editors should care.
const KINDS: [(Code, &str); 36] = [
    (
        code::CONTRADICTION,
        "People who follow one passage play a different game from people who follow the other, and both \
         can point to the document.",
    ),
    (
        code::CLAIM_REFUTED,
        "Players rely on what is claimed of the rules, and the rules do not bear this out on every board.",
    ),
    (
        code::DEMANDS_AT_ODDS,
        "However it ends from this board, something that is demanded of it is not met.",
    ),
    (
        code::EXAMPLE_FAILS,
        "Many learn the rules from examples. One that the rules do not bear out teaches another game.",
    ),
    (
        code::MANDATORY_LOOP,
        "From there on nobody can bring the procedure to an end, so the game cannot be finished by its \
         rules.",
    ),
    (
        code::CONFLICT,
        "What is asked for at one moment cannot all be done, and the document does not say what gives way.",
    ),
    (
        code::IMPLICIT_GAP,
        "The rule cannot be followed as it stands, so the players have to make up what happens.",
    ),
    (
        code::NAMED_GAP,
        "The players have to make up a rule to go on, and another table will make up another one.",
    ),
    (
        code::ORDER_LOOP,
        "Whether the game can go on depends on an order, a value or a choice that the document leaves to \
         nobody.",
    ),
    (
        code::ORDER_MATTERS,
        "The document does not fix the order, yet it decides what happens.",
    ),
    (
        code::STEPS_MATTER,
        "A reader cannot know whether a list binds in its order, and here the order decides what happens.",
    ),
    (
        code::NOBODY_CHOOSES,
        "Somebody has to choose, the document does not say who, and the choice decides what happens.",
    ),
    (
        code::AMBIGUITY,
        "Two groups of players who both follow the text play different games.",
    ),
    (
        code::POWER_DIFFERS,
        "The two ways to read it can end alike, but they give the decision to different people.",
    ),
    (
        code::OUT_OF_RANGE,
        "The document says how much there can be, and following its rules leads beyond.",
    ),
    (
        code::GAP_MATTERS,
        "What the document does not say decides what happens, so the players have to fill it in.",
    ),
    (
        code::LEGAL_BROKEN,
        "The rules lead to a board that by the same rules should not exist.",
    ),
    (
        code::CONTRACT_BROKEN,
        "What else was said on the strength of this promise does not count until it is kept.",
    ),
    (
        code::ENSURES_FAILS,
        "A step does not see to what it is there for.",
    ),
    (
        code::STUCK,
        "Nothing that may be changed makes the promise true, so the procedure cannot be carried out.",
    ),
    (
        code::GROWTH,
        "Each time round there is more of something, and whether that ever ends is not known.",
    ),
    (
        code::CHANCE_LOOP,
        "Only luck ends it, and there is no bound on how long that takes.",
    ),
    (
        code::SAME_GAP,
        "Once the gap is filled, the order may matter too.",
    ),
    (
        code::NO_BOARD,
        "Nothing can be checked, because no board meets all conditions.",
    ),
    (
        code::MISSING_CLAUSE,
        "What this sentence says was not checked at all.",
    ),
    (
        code::DANGLING_REFERENCE,
        "Who follows the reference finds nothing there.",
    ),
    (
        code::UNDEFINED_TERM,
        "Readers take the word as they please, and whatever depends on it with it.",
    ),
    (
        code::OVERRULED,
        "The document settles it, but who reads the first passage alone plays another game.",
    ),
    (
        code::OPTIONAL_LOOP,
        "Somebody can keep the game from ending for as long as they like.",
    ),
    (
        code::QUESTION_NO,
        "The author asked to know. Whether the answer is a fault is for the author to say.",
    ),
    (
        code::POSITION_MATTERS,
        "It is settled and no fault, but players should know that it matters where things lie.",
    ),
    (
        code::DROPPED,
        "What is dropped is not kept: it is done only if another pass comes to it again. The document should \
         say whether that is meant.",
    ),
    (
        code::MISSING_RECHECK,
        "What the step sees to need not hold any more at the end. The document should say whether that is \
         meant.",
    ),
    (
        code::UNTESTED,
        "It is true, but as little or nothing of it could have failed, it says little.",
    ),
    (
        code::DEAD,
        "Either it is of no use, or what was tried does not come to it: the boards may be too small or too \
         few, or a contract may stand for it.",
    ),
    (
        code::IDLE,
        "Either it is of no use, or what it is for was not formalised, or the boards that were tried do not \
         show it.",
    ),
];

/// The place of a code among [`KINDS`].
fn kind(of: Code) -> usize {
    let mut kinds = KINDS.iter();
    let found = kinds.position(|(code, _)| *code == of);
    found.unwrap_or(KINDS.len())
}

/// Why a kind of finding matters, in a sentence or two.
pub(super) fn why(of: Code) -> &'static str {
    KINDS.get(kind(of)).map_or("", |(_, why)| why)
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
    let kind = kind(finding.code);
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
/// blame for what else depends on it. Notes are none of them.
pub(super) fn gravest(sheet: Sheet<'_>, most: usize) -> Vec<usize> {
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
        if readings.is_disjoint(&depends) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_finding_has_a_place_and_a_reason() {
        let codes = Code::all().filter(|code| code.id().starts_with('F'));
        let mut number = 0;
        for one in codes {
            number += 1;
            assert!(why(one).ends_with('.'), "{}", one.id());
        }
        assert_eq!(number, KINDS.len());
    }
}
