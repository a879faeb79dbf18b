//! What a claim that holds does not say, beside findings that could be taken to refute it.
//!
//! ```text
//! claim as_many: As many come as go (runs that stop or never end do not count: F0301)
//! claim any_order: It makes no difference who is first (the order that the document fixes in the step
//! "score", at `for each c: Card in row, left to right` (row.endstep:12) matters: F0203)
//! ```

use super::layout::list;
use super::words::Words;
use crate::semantics::Site;
use crate::syntax::ast::At;
use crate::typing::program::{ClaimKind, SequenceId, StepId, StmtId};
use crate::verdict::{Answer, Detail, Finding, Question, Results, ScopeOf, Untested, Verdict};
use std::collections::BTreeSet;

/// What is to be added to a claim that holds, or is proved, if there is a finding beside it that it does
/// not speak of.
pub(super) fn caveat(words: Words<'_>, answer: &Answer, results: &Results) -> Option<String> {
    let holds = answer.proof.is_some() || answer.verdict == Verdict::HoldsInScope;
    let Question::Claim(at) = answer.subject else {
        return None;
    };
    let claim = words.program.claims.get(at).filter(|_| holds)?;
    match &claim.kind {
        // Where no run ends, that is said anyhow.
        ClaimKind::Invariant(_, At::End, _) | ClaimKind::Must(..)
            if answer.untested == Some(Untested::NoEnd) =>
        {
            None
        }
        ClaimKind::Invariant(_, At::End, of) | ClaimKind::Must(_, of, _) => {
            without_end(words, *of, results)
        }
        ClaimKind::OrderIrrelevant(of, step) => fixed(words, (*of, *step), results),
        _ => None,
    }
}

/// Of a claim about the end: that runs from the same boards come to none.
fn without_end(words: Words<'_>, of: SequenceId, results: &Results) -> Option<String> {
    let is_here = |finding: &&Finding| {
        let scope = finding.scope.and_then(|at| results.scopes.get(at));
        scope.is_some_and(|scope| match scope.subject {
            ScopeOf::Verify(at) => {
                let verify = words.program.verifies.get(at);
                verify.is_some_and(|verify| verify.sequence == of)
            }
            ScopeOf::Sequence(id) => id == of,
            ScopeOf::Example(_) => false,
        })
    };
    let has_none = |finding: &&Finding| {
        matches!(
            finding.detail,
            Detail::Gap(_)
                | Detail::Conflict(_, None)
                | Detail::Range(_)
                | Detail::Stuck(_)
                | Detail::Loop { .. }
                | Detail::Growth { .. }
        )
    };
    let found = results.findings.iter().filter(is_here).filter(has_none);
    let codes: BTreeSet<&str> = found.map(|finding| finding.code.id()).collect();
    let codes: Vec<String> = codes.into_iter().map(str::to_owned).collect();
    (!codes.is_empty()).then(|| {
        let codes = list(&codes, "and");
        format!("runs that stop or never end do not count: {codes}")
    })
}

/// Of a claim about orders: that one which the document fixes decides all the same.
fn fixed(
    words: Words<'_>,
    (of, step): (SequenceId, Option<StepId>),
    results: &Results,
) -> Option<String> {
    let decides = |answer: &&Answer| answer.verdict == Verdict::Refuted;
    let refuted = results.answers.iter().filter(decides);
    let here = refuted.filter_map(|answer| match answer.subject {
        Question::Position(sequence, stmt) if sequence == of => Some(stmt),
        _ => None,
    });
    // What another sequence or a trigger does can be a part of the step.
    let within = |stmt: &StmtId| match (step, words.step_around(*stmt)) {
        (Some(step), Some(around)) => {
            let sequence = |id: StepId| words.program.steps[id].sequence;
            around == step || sequence(around) != sequence(step)
        }
        _ => true,
    };
    let sites: Vec<String> = here
        .filter(within)
        .map(|stmt| words.site(Site::Stmt(stmt)))
        .collect();
    (!sites.is_empty()).then(|| {
        let sites = list(&sites, "and");
        format!("the order that the document fixes in {sites} matters: F0203")
    })
}
