//! Adds to results what they leave open about orders to which no run came.

use super::answers::{both, place};
use crate::order::{Unreached, unreached};
use crate::verdict::{Answer, Question, Results, Verdict};
use endstep_kernel::ir::System;
use endstep_language::typing::program::Program;

/// Adds an answer for each order of which some scope leaves it open whether there ever are two things to be put in
/// it, and whether that matters. `positions`: also for orders that the document fixes.
pub fn leave_open((program, system): (&Program, &System), positions: bool, results: &mut Results) {
    let proofs = std::mem::take(&mut results.proofs);
    let found = unreached((program, system), (results, &proofs));
    results.proofs = proofs;
    for Unreached {
        question,
        scope,
        limits,
    } in found
    {
        if matches!(question, Question::Position(..)) && !positions {
            continue;
        }
        let open = Verdict::Unknown(limits);
        let mut answers = results.answers.iter_mut();
        if let Some(known) = answers.find(|one| one.subject == question) {
            known.verdict = both(&known.verdict, open);
            known.scopes.push(scope);
            known.scopes.sort_unstable();
            continue;
        }
        let (clauses, span) = place(program, question);
        results.answers.push(Answer {
            subject: question,
            verdict: open,
            scopes: vec![scope],
            findings: Vec::new(),
            left_out: Vec::new(),
            clauses,
            span,
            untested: None,
            witness: None,
            suggested: false,
            best: None,
            proof: None,
        });
    }
}
