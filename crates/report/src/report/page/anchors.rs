//! Names for places on a page, each once.

use crate::report::Sheet;
use crate::report::finding::short_print;
use endstep_language::index::Id;
use endstep_language::typing::program::ClauseIdx;
use std::collections::BTreeSet;

/// The anchors of clauses and findings. They do not depend on what else stands on the page, as long
/// as no two things have the same name.
pub(super) struct Anchors {
    clauses: Vec<String>,
    findings: Vec<String>,
}

impl Anchors {
    pub(super) fn of(sheet: Sheet<'_>) -> Self {
        let mut taken = BTreeSet::new();
        let clauses = sheet.program.clauses.values().iter();
        let clauses = clauses.map(|clause| free(&mut taken, &format!("clause-{}", clause.id)));
        let clauses = clauses.collect();
        let findings = sheet.results.findings.iter();
        let findings = findings.map(|one| format!("finding-{}", short_print(sheet.program, one)));
        let findings = findings.map(|name| free(&mut taken, &name)).collect();
        Self { clauses, findings }
    }

    /// Of a clause.
    pub(super) fn clause(&self, id: ClauseIdx) -> String {
        self.clauses.get(id.index()).cloned().unwrap_or_default()
    }

    /// Of the n-th finding.
    pub(super) fn finding(&self, at: usize) -> String {
        self.findings.get(at).cloned().unwrap_or_default()
    }
}

/// A name like this one that is not taken, of letters that need no escapes in an address.
fn free(taken: &mut BTreeSet<String>, name: &str) -> String {
    let plain = |one: char| match one {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' | '-' => one,
        _ => '-',
    };
    let name: String = name.chars().map(plain).collect();
    let mut free = name.clone();
    let mut number = 1;
    while !taken.insert(free.clone()) {
        number += 1;
        free = format!("{name}-{number}");
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once_and_need_no_escapes() {
        let mut taken = BTreeSet::new();
        assert_eq!(free(&mut taken, "clause-a.1"), "clause-a.1");
        assert_eq!(free(&mut taken, "clause-a.1"), "clause-a.1-2");
        assert_eq!(free(&mut taken, "clause-ä \"<"), "clause-----");
    }
}
