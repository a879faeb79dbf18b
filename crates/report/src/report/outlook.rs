//! Whether two versions of a specification look at the same: a finding that only one of them has need not be new, or
//! gone, where they do not.
//!
//! ```text
//! verify s                   verify s observing table        what "table" does not see is no longer compared
//! ```

use super::Sheet;
use super::layout::list;
use super::words::Words;
use endstep_language::typing::program::{Program, SequenceId, Verify};
use std::collections::BTreeSet;

/// What is not looked at in the same way, in a sentence; nothing if all is that both versions verify.
pub(super) fn differs(old: Sheet<'_>, new: Sheet<'_>) -> Option<String> {
    let [before, after] = [old, new].map(Outlook::of);
    let both = before.sequences.intersection(&after.sequences);
    let otherwise = both.filter(|name| before.of_sequence(name) != after.of_sequence(name));
    let mut all: Vec<String> = otherwise
        .map(|name| format!("the `verify` of {name}"))
        .collect();
    if before.only != after.only {
        all.push("`explore only`".to_owned());
    }
    (!all.is_empty()).then(|| {
        format!(
            "Not the same was looked at: {} differs. What only one version shows need not be new or gone.",
            list(&all, "or")
        )
    })
}

/// What a version looks at, by the names of the specification.
struct Outlook {
    /// The sequences that are verified.
    sequences: BTreeSet<String>,
    /// Of each `verify` its sequence, and its observer, contracts, condition and sizes as text.
    verifies: BTreeSet<(String, String)>,
    /// The conditions of `explore only`.
    only: BTreeSet<String>,
}

impl Outlook {
    fn of(sheet: Sheet<'_>) -> Self {
        let program = sheet.program;
        let words = Words {
            program,
            sources: sheet.sources,
        };
        let name = |id: SequenceId| program.sequences[id].name.clone();
        let verifies = program.verifies.iter();
        Self {
            sequences: verifies.clone().map(|one| name(one.sequence)).collect(),
            verifies: verifies
                .map(|one| (name(one.sequence), told(words, one)))
                .collect(),
            only: program
                .explored
                .iter()
                .map(|one| words.quote(one.condition.span))
                .collect(),
        }
    }

    /// How a sequence is verified.
    fn of_sequence(&self, sequence: &str) -> Vec<&str> {
        let of = self.verifies.iter().filter(|(name, _)| name == sequence);
        of.map(|(_, told)| told.as_str()).collect()
    }
}

/// What a `verify` looks at.
fn told(words: Words<'_>, verify: &Verify) -> String {
    let program: &Program = words.program;
    let observer = verify.observer.map(|id| &program.observers[id].name);
    let contracts = verify.contracts.iter();
    let contracts: BTreeSet<&str> = contracts
        .map(|&id| program.sequences[id].name.as_str())
        .collect();
    let condition = verify.condition.as_ref().map(|one| words.quote(one.span));
    let sizes = verify.sizes.iter();
    let sizes: BTreeSet<(&str, u32)> = sizes
        .map(|(sort, most)| (program.sorts[*sort].name.as_str(), *most))
        .collect();
    format!("{observer:?} {contracts:?} {condition:?} {sizes:?}")
}
