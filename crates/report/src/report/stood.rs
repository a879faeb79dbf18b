//! On which contracts a finding rests.
//!
//! ```text
//! rests on: the contract of pay: whatever it allows, of the values that were tried, counts as possible, …
//! ```

use super::caveat::{allowed, broken, caveat, compares, stood_for};
use super::layout::list;
use super::ranges::{in_words, let_change};
use super::words::Words;
use endstep_language::typing::program::{Program, SequenceId, Verify};
use endstep_semantics::witness::Witness;
use endstep_verdicts::analysis::Reachable;
use endstep_verdicts::verdict::{Answer, Detail, Finding, Results, Scope, ScopeOf};
use std::collections::{BTreeMap, BTreeSet};

/// What refutes something, or shows it, and is not told.
pub(super) const LEFT_OUT: &str = "a finding that is left out here";

/// The sequences for which their contracts stand in the runs that show a finding.
pub(super) fn by_contract(words: Words<'_>, finding: &Finding) -> BTreeSet<SequenceId> {
    let runs = finding.witness.iter().flat_map(Witness::runs);
    runs.flat_map(|run| stood_for(words, run)).collect()
}

/// The same of findings that are left out: of none of them if the rules alone do what one of them shows.
pub(super) fn by_contract_left_out<'f>(
    words: Words<'_>,
    left_out: impl Iterator<Item = &'f Finding>,
) -> BTreeSet<SequenceId> {
    let each: Vec<BTreeSet<SequenceId>> = left_out.map(|one| by_contract(words, one)).collect();
    match each.iter().any(BTreeSet::is_empty) {
        true => BTreeSet::new(),
        false => each.into_iter().flatten().collect(),
    }
}

/// What an answer does not speak of, and what it rests on.
pub(super) fn unsaid(words: Words<'_>, answer: &Answer, results: &Results) -> Option<String> {
    caveat(words, answer, results).or_else(|| left_out_rests_on(words, answer, results))
}

/// The contracts behind a refutation if every finding that refutes is left out. A finding that is shown names its own.
fn left_out_rests_on(words: Words<'_>, answer: &Answer, results: &Results) -> Option<String> {
    if !answer.findings.is_empty() {
        return None;
    }
    let left_out = answer.left_out.iter();
    let mut left_out = left_out.filter_map(|&at| results.left_out.get(at));
    let first = rests_on(results, words, left_out.next()?)?;
    // Of several each speaks against it.
    let others: Option<Vec<String>> = left_out.map(|one| rests_on(results, words, one)).collect();
    let mut all = vec![first];
    for one in others? {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    Some(all.join("; "))
}

/// Where a finding refutes something: the contracts on which its runs rest, which the rules need not do; empty if none.
pub(super) fn what_allows(words: Words<'_>, finding: &Finding) -> String {
    allows(words, by_contract(words, finding))
}

/// ` (by what the contract of pay allows)`; nothing without contracts.
pub(super) fn allows(words: Words<'_>, contracts: BTreeSet<SequenceId>) -> String {
    let contracts: Vec<String> = contracts.into_iter().map(|id| words.sequence(id)).collect();
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
