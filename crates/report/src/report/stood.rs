//! On which contracts a finding rests.
//!
//! ```text
//! rests on: the contract of pay: whatever it allows, of the values that were tried, counts as possible, …
//! ```

use super::caveat::{allowed, broken, compares, stood_for};
use super::layout::list;
use super::words::Words;
use endstep_language::typing::program::{Program, SequenceId};
use endstep_semantics::witness::Witness;
use endstep_verdicts::analysis::Reachable;
use endstep_verdicts::verdict::{Detail, Finding, Results, ScopeOf};
use std::collections::BTreeSet;

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
/// that were tried; nothing if none do. Every format tells it in these words.
pub(super) fn rests_on(results: &Results, words: Words<'_>, finding: &Finding) -> Option<String> {
    if finding.witness.is_some() {
        return allowed(words, by_contract(words, finding));
    }
    let scope = finding.scope.and_then(|at| results.scopes.get(at));
    let verifies = words.program.verifies.iter().enumerate();
    let tried = verifies.filter(|(at, verify)| match (scope, &finding.detail) {
        (Some(scope), _) => scope.subject == ScopeOf::Verify(*at),
        (None, Detail::IdleStep(_, sequences)) => sequences.contains(&verify.sequence),
        (None, detail) => leads_to(words.program, *at, detail),
    });
    let contracts: BTreeSet<SequenceId> = tried
        .flat_map(|(_, one)| one.contracts.iter().copied())
        .collect();
    let broken = broken(words, contracts.iter().copied(), results);
    let names: Vec<String> = contracts.into_iter().map(|id| words.sequence(id)).collect();
    match (&finding.detail, names.is_empty()) {
        (_, true) => None,
        (Detail::IdleStep(..), false) => Some(format!(
            "anything that the contract of {} allows: with the rules themselves it may make a difference",
            list(&names, "and")
        )),
        (Detail::Untested(asked, _), false) if compares(words.program, *asked) => Some(format!(
            "anything that the contract of {} allows: with the rules themselves it may be otherwise",
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
