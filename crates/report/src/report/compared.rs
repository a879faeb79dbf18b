//! What "no difference" speaks of: what an observer sees, and what a contract allows.
//!
//! ```text
//! verify s observing table         no difference on 2 legal boards (comparing only what "table" sees)
//! ```
//!
//! Findings name observers and contracts themselves; this is for what was compared and found to be alike.

use super::caveat::{by_contract, compared, decides};
use super::layout::list;
use super::words::Words;
use endstep_language::typing::program::{ObserverId, SequenceId};
use endstep_verdicts::verdict::Results;
use std::collections::BTreeSet;

/// What counted where some scopes were looked at.
#[derive(Debug, Clone, Default)]
pub(super) struct Compared {
    /// For each sequence: what is to be said of it.
    told: Vec<(SequenceId, Option<String>)>,
    /// The observers that were asked.
    pub observers: BTreeSet<ObserverId>,
    /// The sequences for which their contracts stood.
    pub contracts: BTreeSet<SequenceId>,
}

/// How something was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looked {
    /// Outcomes were compared, as the `verify` says.
    Compared,
    /// Outcomes were compared as an observer of a claim sees them.
    Seen(ObserverId),
    /// Nothing was compared.
    Run,
}

impl Compared {
    /// Of some scopes, by position.
    pub fn of(
        words: Words<'_>,
        results: &Results,
        scopes: impl IntoIterator<Item = usize>,
        how: Looked,
    ) -> Self {
        let mut found = Self::default();
        let scopes = scopes.into_iter();
        for scope in scopes.filter_map(|at| results.scopes.get(at)) {
            let Some(sequence) = scope.subject.sequence(words.program) else {
                continue;
            };
            let verify = scope.subject.verify(words.program);
            let observer = match how {
                Looked::Compared => verify.and_then(|one| one.observer),
                Looked::Seen(observer) => Some(observer),
                Looked::Run => None,
            };
            let contracts = verify.map_or(&[][..], |one| &one.contracts);
            found.observers.extend(observer);
            found.contracts.extend(contracts);
            let decided = how != Looked::Run && decides(words.program, sequence);
            let told = [
                compared(words, observer, decided),
                by_contract(words, contracts, true, results),
            ];
            let told: Vec<String> = told.into_iter().flatten().collect();
            let told = (!told.is_empty()).then(|| told.join("; "));
            if !found.told.contains(&(sequence, told.clone())) {
                found.told.push((sequence, told));
            }
        }
        found
    }

    /// Of what findings show: the contracts on which they rest.
    pub fn shown(contracts: BTreeSet<SequenceId>) -> Self {
        Self {
            contracts,
            ..Self::default()
        }
    }

    /// `comparing only what "table" sees`; nothing if everything was compared, with the rules themselves.
    pub fn words(&self, words: Words<'_>) -> Option<String> {
        let mut different: Vec<(Vec<String>, &str)> = Vec::new();
        for (sequence, told) in &self.told {
            let Some(told) = told else { continue };
            let name = words.sequence(*sequence);
            match different.iter_mut().find(|(_, other)| other == told) {
                Some((names, _)) => names.push(name),
                None => different.push((vec![name], told)),
            }
        }
        let everywhere = self.told.iter().all(|(_, told)| told.is_some());
        match different.as_slice() {
            [] => None,
            [(_, told)] if everywhere => Some((*told).to_owned()),
            all => {
                let all = all.iter();
                let all = all.map(|(names, told)| format!("in {} {told}", list(names, "and")));
                Some(all.collect::<Vec<_>>().join("; "))
            }
        }
    }
}
