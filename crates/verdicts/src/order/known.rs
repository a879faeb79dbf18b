//! What the engines know of a pair.

use super::source::{Source, is_beside, is_inside};
use super::{At, Evidence, Refuting, Unknown};
use crate::verdict::{Answer, Question, Scope, ScopeOf, Untested, Verdict};
use endstep_kernel::ir::OpKind;
use endstep_language::typing::program::{SequenceId, StepId, StmtId, TriggerId, Verify};
use endstep_semantics::semantics::Site;
use std::collections::BTreeSet;

/// What is known of a claim.
pub(super) fn claim(source: &Source<'_>, claim: usize) -> Evidence {
    let is_it = |question| question == Question::Claim(claim);
    let answers = source.results.map(|results| results.answers.as_slice());
    let mut answers = answers.unwrap_or_default().iter();
    let idle =
        answers.any(|one| is_it(one.subject) && one.untested == Some(Untested::NothingToOrder));
    match answered(source, &is_it) {
        Some(Evidence::Exhausted(scopes)) if idle => Evidence::NeverOpen(scopes),
        Some(found) => found,
        None => Evidence::Unknown(missing(source)),
    }
}

/// What is known of two steps of a list.
pub(super) fn steps(source: &Source<'_>, pair: (StepId, StepId)) -> Option<Evidence> {
    let is_it = |question| match question {
        Question::Steps(_, a, b) => (a, b) == pair || (b, a) == pair,
        _ => false,
    };
    answered(source, &is_it)
}

/// What is known of two triggers that match together.
pub(super) fn triggers(source: &Source<'_>, pair: (TriggerId, TriggerId)) -> Option<Evidence> {
    let is_it = |question| match question {
        Question::Triggers(_, a, b) => (a, b) == pair || (b, a) == pair,
        _ => false,
    };
    answered(source, &is_it)
}

/// What is known of the order at a statement.
pub(super) fn at(source: &Source<'_>, stmt: StmtId) -> Option<Evidence> {
    let is_it = |question| matches!(question, Question::Order(_, Site::Stmt(at)) if at == stmt);
    answered(source, &is_it)
}

/// What is known of another order than the fixed one.
pub(super) fn position(source: &Source<'_>, stmt: StmtId) -> Option<Evidence> {
    let is_it = |question| matches!(question, Question::Position(_, at) if at == stmt);
    answered(source, &is_it)
}

/// What is known of the order of the places of a sequence.
pub(super) fn places(source: &Source<'_>, sequence: SequenceId) -> Option<Evidence> {
    let is_it =
        |question| matches!(question, Question::Order(_, Site::Places(at)) if at == sequence);
    answered(source, &is_it)
}

/// What is known of the two alternatives of a reading.
pub(super) fn reading(
    source: &Source<'_>,
    reading: endstep_language::typing::program::ReadingId,
) -> Option<Evidence> {
    let is_it = |question| matches!(question, Question::Reading(_, at) if at == reading);
    answered(source, &is_it)
}

/// All answers to a question, of whatever sequence, taken together.
fn answered(source: &Source<'_>, is_it: &dyn Fn(Question) -> bool) -> Option<Evidence> {
    let results = source.results?;
    let answers = results.answers.iter().filter(|one| is_it(one.subject));
    let answers: Vec<&Answer> = answers.collect();
    let once = |of: &dyn Fn(&Answer) -> Vec<usize>| -> Vec<usize> {
        let all: BTreeSet<usize> = answers.iter().flat_map(|one| of(one)).collect();
        all.into_iter().collect()
    };
    let refuting = Refuting {
        shown: once(&|one| one.findings.clone()),
        left_out: once(&|one| one.left_out.clone()),
    };
    let refuted = answers.iter().any(|one| one.verdict == Verdict::Refuted);
    let mut limits = Vec::new();
    let mut scopes = Vec::new();
    for answer in &answers {
        match &answer.verdict {
            Verdict::Unknown(why) => limits.extend(why.iter().cloned()),
            _ => scopes.extend(&answer.scopes),
        }
    }
    limits.sort();
    limits.dedup();
    match () {
        () if answers.is_empty() => None,
        () if refuted || !refuting.shown.is_empty() => Some(Evidence::Refuted(refuting)),
        () if !limits.is_empty() => Some(Evidence::Unknown(Unknown::Limits(limits))),
        () => Some(Evidence::Exhausted(scopes)),
    }
}

/// What is known of something that was never asked: that there were never two, or nothing.
pub(super) fn never(source: &Source<'_>, point: At) -> Evidence {
    let Some(results) = source.results else {
        return Evidence::Unknown(Unknown::Unchecked);
    };
    let mut limits = Vec::new();
    let mut clean = Vec::new();
    for (at, scope) in results.scopes.iter().enumerate() {
        if verified(source, scope, point).is_none() {
            if comes_unasked(source, scope, point) {
                return Evidence::Unknown(Unknown::Uncompared);
            }
            continue;
        }
        match scope.limitations.is_empty() {
            true => clean.push(at),
            false => limits.extend(scope.limitations.iter().cloned()),
        }
    }
    limits.sort();
    limits.dedup();
    match () {
        () if !limits.is_empty() => Evidence::Unknown(Unknown::Limits(limits)),
        () if !clean.is_empty() => Evidence::NeverTwo(clean),
        () if is_narrowed(source, point) => Evidence::Unknown(Unknown::Narrowed),
        () => Evidence::Unknown(Unknown::Unverified),
    }
}

/// What is known of an order that the document fixes and of which no other was tried.
pub(super) fn untried(source: &Source<'_>, point: At) -> Evidence {
    let never = never(source, point);
    let At::Each(stmt) = point else {
        return never;
    };
    // There none ever is.
    let none_is = match &source.system.ops[stmt].kind {
        OpKind::Each(each) => !each.domain.visits_elements() || each.order.goes_by_ranks(),
        _ => false,
    };
    let mut results = source.results.iter();
    let is_wide = results.any(|results| results.coverage.has_wide(stmt));
    match never {
        Evidence::Unknown(Unknown::Unchecked) => never,
        _ if none_is => Evidence::Unknown(Unknown::Untried),
        Evidence::NeverTwo(_) if is_wide => Evidence::Unknown(Unknown::Untried),
        _ => never,
    }
}

/// Whether a `verify` comes to a point, and was looked at for some claims only, or not at all.
fn is_narrowed(source: &Source<'_>, point: At) -> bool {
    let mut verifies = source.program.verifies.iter();
    verifies.any(|verify| comes(source, point, verify) && !is_whole(source, verify.sequence))
}

/// Whether a run of a `verify` can come to a point, with contracts for what they stand for.
fn comes(source: &Source<'_>, point: At, verify: &Verify) -> bool {
    match verify.contracts.is_empty() {
        true => is_inside(source, point, verify.sequence),
        false => is_beside(source, point, (verify.sequence, &verify.contracts)),
    }
}

/// Whether a sequence was looked at as a whole, not only for claims.
fn is_whole(source: &Source<'_>, sequence: SequenceId) -> bool {
    let question = Question::Terminates(sequence);
    let mut answers = source.results.iter().flat_map(|results| &results.answers);
    answers.any(|answer| answer.subject == question)
}

/// The sequence of a scope in which everything was run and looked at, if a run of it can come to a point.
pub(super) fn verified(source: &Source<'_>, scope: &Scope, point: At) -> Option<SequenceId> {
    let verify = scope.subject.verify(source.program)?;
    let is_looked_at = is_whole(source, verify.sequence) && comes(source, point, verify);
    is_looked_at.then_some(verify.sequence)
}

/// Whether a run for claims alone, which ask nothing about orders, can come to a point.
fn comes_unasked(source: &Source<'_>, scope: &Scope, point: At) -> bool {
    let ScopeOf::Sequence(sequence) = scope.subject else {
        return false;
    };
    !source.program.sequences[sequence].is_experiment() && is_inside(source, point, sequence)
}

/// Why a claim has no answer: every claim is asked, unless only others are.
fn missing(source: &Source<'_>) -> Unknown {
    match source.results {
        Some(_) => Unknown::Narrowed,
        None => Unknown::Unchecked,
    }
}
