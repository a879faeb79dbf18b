//! Orders to which no run came, although not all runs were looked at.
//!
//! ```text
//! from 3 boards more than 6 states can be reached     step two, at `for each c in row`: two Cards? nobody knows
//! ```
//!
//! Where two things can be next at once is found out by running. Where that was given up, what the text tells of
//! (docs/semantics.md, 10) stays in question: a board that was given up can come to it.

use std::collections::BTreeSet;

use super::source::Source;
use super::{At, Evidence, Pair, Settled, Unknown, known, points};
use crate::verdict::{Limitation, Proof, Question, Results};
use endstep_kernel::ir::System;
use endstep_language::typing::program::{Program, SequenceId};
use endstep_semantics::semantics::Site;

/// A question that is open in a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreached {
    /// Which.
    pub question: Question,
    /// The scope of which not all was looked at, by position.
    pub scope: usize,
    /// Why not.
    pub limits: Vec<Limitation>,
}

/// The questions about orders that each scope leaves open because it has no answer to them, and was not looked at
/// completely; but for those that text or prover answer, and for what is refuted anyhow.
pub fn unreached(
    (program, system): (&Program, &System),
    (results, proofs): (&Results, &[Proof]),
) -> Vec<Unreached> {
    let scopes = results.scopes.iter().enumerate();
    let limited: Vec<usize> = scopes
        .filter(|(_, scope)| !scope.limitations.is_empty())
        .map(|(at, _)| at)
        .collect();
    if limited.is_empty() {
        return Vec::new();
    }
    let source = &Source::new((program, system), Some(results), proofs);
    let mut found = Vec::new();
    for (at, settled) in points(program, system) {
        let limited = limited.iter().filter_map(|&scope| {
            let sequence = known::verified(source, &results.scopes[scope], at)?;
            Some((scope, sequence))
        });
        let limited: Vec<(usize, SequenceId)> = limited.collect();
        let mut open: Vec<(Question, usize)> = Vec::new();
        for row in points::rows(source, at, settled) {
            if !is_unsettled(&row.evidence) {
                continue;
            }
            for &(scope, sequence) in &limited {
                open.extend(asked((at, settled), row.pair, sequence).map(|one| (one, scope)));
                // Another scope has an answer about all of them together.
                let all = asked_of_all(at, sequence).filter(|&all| is_answered(results, all, None));
                open.extend(all.map(|one| (one, scope)));
            }
        }
        let mut told = BTreeSet::new();
        open.retain(|&(question, scope)| {
            !is_answered(results, question, Some(scope)) && told.insert((question, scope))
        });
        found.extend(open.into_iter().map(|(question, scope)| Unreached {
            question,
            scope,
            limits: results.scopes[scope].limitations.clone(),
        }));
    }
    found
}

/// Whether there is an answer to a question, of a scope or of any.
fn is_answered(results: &Results, question: Question, scope: Option<usize>) -> bool {
    let mut answers = results.answers.iter().filter(|one| one.subject == question);
    answers.any(|one| scope.is_none_or(|scope| one.scopes.contains(&scope)))
}

/// What is asked of a whole list, or of all triggers of an event, in the runs of a sequence.
fn asked_of_all(at: At, sequence: SequenceId) -> Option<Question> {
    match at {
        At::List(list) => Some(Question::Order(sequence, Site::Sequence(list))),
        At::Event(event) => Some(Question::Order(sequence, Site::Event(event))),
        At::Places(_) | At::Each(_) | At::Together(_) => None,
    }
}

/// Whether boards of which not all is known could tell more.
fn is_unsettled(evidence: &Evidence) -> bool {
    match evidence {
        Evidence::Exhausted(_)
        | Evidence::NeverTwo(_)
        | Evidence::NeverOpen(_)
        | Evidence::Unknown(Unknown::Limits(_)) => true,
        Evidence::Unknown(
            Unknown::Unchecked
            | Unknown::Unverified
            | Unknown::Uncompared
            | Unknown::Narrowed
            | Unknown::Untried,
        )
        | Evidence::Disjoint
        | Evidence::Symmetric(_)
        | Evidence::Proved
        | Evidence::Closed(_)
        | Evidence::Refuted(_) => false,
    }
}

/// What is asked of a pair in the runs of a sequence. Which way to nest places is a reading, and asked anyhow.
fn asked((at, settled): (At, Settled), pair: Pair, sequence: SequenceId) -> Option<Question> {
    Some(match (pair, at) {
        (Pair::Steps(one, other), _) => Question::Steps(sequence, one.min(other), one.max(other)),
        (Pair::Triggers(one, other), _) => {
            Question::Triggers(sequence, one.min(other), one.max(other))
        }
        (Pair::Elements, At::Places(id)) => Question::Order(sequence, Site::Places(id)),
        (Pair::Elements, At::Each(stmt)) if settled == Settled::Fixed => {
            Question::Position(sequence, stmt)
        }
        (_, At::Each(stmt) | At::Together(stmt)) => Question::Order(sequence, Site::Stmt(stmt)),
        (Pair::Nesting(_) | Pair::Elements | Pair::Arrivals, _) => return None,
    })
}
