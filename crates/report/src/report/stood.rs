//! On which contracts a finding rests.
//!
//! ```text
//! rests on: the contract of pay: whatever it allows, of the values that were tried, counts as possible, …
//! ```

use super::caveat::{allowed, broken, compares, stood_for};
use super::layout::list;
use super::ranges::{in_words, let_change};
use super::words::Words;
use endstep_language::typing::program::{Program, SequenceId, Verify};
use endstep_semantics::witness::Witness;
use endstep_verdicts::analysis::Reachable;
use endstep_verdicts::verdict::{Detail, Finding, Results, Scope, ScopeOf};
use std::collections::{BTreeMap, BTreeSet};

/// The sequences for which their contracts stand in the runs that show a finding.
pub(super) fn by_contract(words: Words<'_>, finding: &Finding) -> BTreeSet<SequenceId> {
    let runs = finding.witness.iter().flat_map(Witness::runs);
    runs.flat_map(|run| stood_for(words, run)).collect()
}

/// Where a finding refutes something: the contracts on which its runs rest, which the rules need not do; empty if none.
pub(super) fn what_allows(words: Words<'_>, finding: &Finding) -> String {
    let contracts = by_contract(words, finding).into_iter();
    let contracts: Vec<String> = contracts.map(|id| words.sequence(id)).collect();
    match contracts.as_slice() {
        [] => String::new(),
        [one] => format!(" (by what the contract of {one} allows)"),
        several => format!(" (by what the contracts of {} allow)", list(several, "and")),
    }
}

/// What a finding rests on where contracts stand for sequences: in the runs shown, or, if none is shown, in those
/// that were tried, and there on the values tried of what a gap or a contract may change, if the document allows
/// others; nothing if there is nothing of the kind. Every format tells it in these words.
pub(super) fn rests_on(results: &Results, words: Words<'_>, finding: &Finding) -> Option<String> {
    if finding.witness.is_some() {
        return allowed(words, by_contract(words, finding));
    }
    let scope = finding.scope.and_then(|at| results.scopes.get(at));
    let verifies = words.program.verifies.iter().enumerate();
    let tried = verifies.filter(|(at, verify)| match (scope, &finding.detail) {
        (Some(scope), _) => match scope.subject {
            // With the contracts that stand in any `verify` of the sequence: they are the same in all.
            ScopeOf::On(_, of) => verify.sequence == of,
            subject => subject == ScopeOf::Verify(*at),
        },
        (None, Detail::IdleStep(_, sequences)) => sequences.contains(&verify.sequence),
        (None, detail) => leads_to(words.program, *at, detail),
    });
    let tried: BTreeMap<usize, &Verify> = tried.collect();
    let contracts = tried.values().flat_map(|one| one.contracts.iter().copied());
    let contracts = by_contracts(words, contracts.collect(), results, &finding.detail);
    let is_tried = |scope: &&Scope| match scope.subject {
        ScopeOf::Verify(at) => tried.contains_key(&at),
        ScopeOf::Sequence(_) | ScopeOf::Example(_) | ScopeOf::On(..) => false,
    };
    let scopes = results.scopes.iter().filter(is_tried);
    let values: BTreeSet<_> = scopes
        .flat_map(|scope| let_change(words.program, scope))
        .collect();
    let values: Vec<_> = values.into_iter().collect();
    let values = (!values.is_empty()).then(|| {
        let values = in_words(&values);
        format!("the values tried for what a gap or contract may change: {values}")
    });
    let both: Vec<String> = contracts.into_iter().chain(values).collect();
    (!both.is_empty()).then(|| both.join("; "))
}

/// That what was tried rests on contracts.
fn by_contracts(
    words: Words<'_>,
    contracts: BTreeSet<SequenceId>,
    results: &Results,
    detail: &Detail,
) -> Option<String> {
    let broken = broken(words, contracts.iter().copied(), results);
    let names: Vec<String> = contracts.into_iter().map(|id| words.sequence(id)).collect();
    match (detail, names.is_empty()) {
        (_, true) => None,
        (Detail::IdleStep(..), false) => Some(format!(
            "what the contract of {} allows: with the rules themselves it may make a difference",
            list(&names, "and")
        )),
        (Detail::Untested(asked, _), false) if compares(words.program, *asked) => Some(format!(
            "what the contract of {} allows: with the rules themselves it may be otherwise",
            list(&names, "and")
        )),
        _ if broken.is_empty() => Some(format!(
            "the contract of {}, if it is kept",
            list(&names, "and")
        )),
        _ => Some(format!(
            "the contract of {}; that of {} is not kept (F0603), so that this need not be so",
            list(&names, "and"),
            list(&broken, "and")
        )),
    }
}

/// Whether a `verify`, by position, could come to what is dead if no contract stood for anything.
fn leads_to(program: &Program, at: usize, dead: &Detail) -> bool {
    let sequence = program.verifies[at].sequence;
    let all = || Reachable::from(program, sequence, &BTreeSet::new());
    match dead {
        Detail::DeadStatement(stmt) => all().stmts.contains(stmt),
        Detail::DeadStep(step) => all().steps.contains(step),
        // Any event may be announced.
        Detail::DeadTrigger(_) => true,
        _ => false,
    }
}
