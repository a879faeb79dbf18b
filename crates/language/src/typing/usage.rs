//! Warnings about what is declared and never used.

use super::checker::Checker;
use super::program::{ClauseIdx, ReadingOrigin, SequenceId};
use crate::diag::{Diagnostic, codes};
use std::collections::BTreeSet;

impl Checker<'_> {
    /// Warns about what is never used, unless an error may have hidden the use.
    pub(super) fn unused(&mut self) {
        if self.failed || self.outline.broken {
            return;
        }
        let mut warnings = Vec::new();
        for (id, reading) in self.program.readings.iter() {
            if reading.origin == ReadingOrigin::Declared && !self.usage.readings.contains(&id) {
                let message = format!("the reading `{}` is never consulted", reading.name);
                let warning = Diagnostic::warning(codes::warnings::UNUSED_READING, message)
                    .at(reading.span, "nothing depends on it");
                warnings.push(warning.help("use `per`, `depending on` or `is`, or leave it out"));
            }
        }
        for (id, define) in self.program.defines.iter() {
            if define.printed.is_none() && !self.usage.defines.contains(&id) {
                let what = match define.continuous {
                    Some(_) => "continuous value",
                    None => "definition",
                };
                let message = format!("the {what} `{}` is never used", define.name);
                let warning = Diagnostic::warning(codes::warnings::UNUSED_DEFINITION, message);
                warnings.push(warning.at(define.span, "nothing uses it"));
            }
        }
        for (id, event) in self.program.events.iter() {
            if !self.usage.announced.contains(&id) {
                let message = format!("the event `{}` is never announced", event.name);
                let mut warning = Diagnostic::warning(codes::warnings::NEVER_ANNOUNCED, message)
                    .at(event.span, "nothing announces it");
                for trigger in self
                    .program
                    .triggers
                    .values()
                    .iter()
                    .filter(|one| one.event == id)
                {
                    warning = warning.also(trigger.span, "this never happens");
                }
                warnings.push(warning);
            }
        }
        for (id, var) in self.program.vars.iter() {
            if !self.usage.vars.contains(&id) {
                let (changed, label) = match self.usage.written.contains(&id) {
                    true => (
                        "may be changed, and is ",
                        "only bounds see it, and what compares data (outcomes, `until stable`, contracts)",
                    ),
                    false => ("is ", "nothing depends on it"),
                };
                let message = format!("`{}` {changed}never read", var.name);
                let warning = Diagnostic::warning(codes::warnings::NEVER_READ, message);
                warnings.push(warning.at(var.span, label));
            }
        }
        self.unchecked(&mut warnings);
        self.unasked(&mut warnings);
        self.circular(&mut warnings);
        for warning in warnings {
            self.report(warning);
        }
    }

    /// Experiments that no question is about, and no other experiment performs.
    fn unasked(&self, warnings: &mut Vec<Diagnostic>) {
        let claims = self.program.claims.iter();
        let mut asked: BTreeSet<SequenceId> = claims.flat_map(|one| one.kind.sequences()).collect();
        asked.extend(self.calls.performed());
        for (id, one) in self.program.sequences.iter() {
            if one.is_experiment() && !asked.contains(&id) {
                let message = format!("nobody asks about the experiment `{}`", one.name);
                let warning = Diagnostic::warning(codes::warnings::NOT_ASKED, message);
                warnings.push(
                    warning
                        .at(one.span, "nothing is said of it")
                        .help("ask a `question` about it, such as `equivalent`, or leave it out"),
                );
            }
        }
    }

    /// Clauses that yield to themselves, directly or by way of others; of each circle the first.
    fn circular(&self, warnings: &mut Vec<Diagnostic>) {
        let clauses = &self.program.clauses;
        let above = |id: ClauseIdx| self.program.prevailing(id);
        let mut told: BTreeSet<ClauseIdx> = BTreeSet::new();
        for (id, clause) in clauses.iter() {
            let prevailing = above(id);
            if !prevailing.contains(&id) || !told.insert(id) {
                continue;
            }
            let message = format!("`{}` yields to itself", clause.id);
            let mut warning = Diagnostic::warning(codes::warnings::YIELDS_TO_ITSELF, message)
                .at(clause.span, "precedence settles nothing here");
            let circle = prevailing.iter().copied();
            for other in circle.filter(|&other| other != id && above(other).contains(&id)) {
                warning = warning.also(clauses[other].span, "by way of this clause");
                told.insert(other);
            }
            warnings.push(warning);
        }
    }

    /// Contracts that are relied on and checked nowhere.
    fn unchecked(&self, warnings: &mut Vec<Diagnostic>) {
        let verified = |id: SequenceId| {
            let mut verifies = self.program.verifies.iter();
            verifies.any(|one| one.sequence == id)
        };
        for verify in &self.program.verifies {
            for &id in verify.contracts.iter().filter(|id| !verified(**id)) {
                let sequence = &self.program.sequences[id];
                let name = &sequence.name;
                let help = match sequence.params.is_empty() {
                    true => format!("add `verify {name}`"),
                    false => format!(
                        "`{name}` has parameters, and is not verified by itself: leave its contract out, or claim what \
                         it promises of a sequence that performs it"
                    ),
                };
                let message = format!("the contract of `{name}` is relied on and checked nowhere");
                let warning = Diagnostic::warning(codes::warnings::CONTRACT_UNCHECKED, message)
                    .at(verify.span, "relied on here")
                    .also(sequence.span, "declared here")
                    .help(help);
                warnings.push(warning);
            }
        }
    }
}
