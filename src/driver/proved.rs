//! What is true of boards of every size, of what was asked.
//!
//! The engines say what is so on the boards that they tried; here it is said of which answers the text
//! or the prover shows that they are so on every board. Nothing that was refuted can be proved: that
//! would be a fault of one of them, and ends the program.

use std::collections::{BTreeMap, BTreeSet};

use endstep_kernel::ir::{Function, System};
use endstep_kernel::lower::lower;
use endstep_language::typing::program::{ClaimKind, Program, ReadingId, SequenceId, ZoneId};
use endstep_proofs::prove::{
    Throughout, apart, coincide, goes_straight, prove, terminates, throughout,
};
use endstep_verdicts::analysis::{Options, seen_by};
use endstep_verdicts::order::{self, Matrix};
use endstep_verdicts::verdict::{
    Certificate, Commuting, Exchangeable, Outcome, Proof, Question, Results, Verdict,
};

/// Adds what is proved: of pairs, and so of orders, and that what has no loops ends; if asked for, also
/// what takes longer.
pub(super) fn proved(program: &Program, options: &Options, results: &mut Results) {
    let system = &lower(program);
    let of = (program, system);
    let Orders {
        overlooked,
        matrix,
        proofs,
    } = orders(of, Some(results));
    // Of readings, too, nobody knows in which order things lie where nobody looks.
    let same = &order::overlooking(system, &overlooked);
    let (exchangeable, held) = match options.prove && !options.stop.is_wanted() {
        true => (
            order::exchangeable(same, &matrix, &proofs),
            held(of, results),
        ),
        false => (Exchangeable::default(), BTreeMap::new()),
    };
    for (at, answer) in results.answers.iter_mut().enumerate() {
        // Who interrupts a check has what was proved by then.
        if options.stop.is_wanted() {
            break;
        }
        let mut found = order::settled(&matrix, &proofs, answer.subject);
        found = found.or_else(|| held.get(&at).cloned());
        if found.is_none() && answer.verdict != Verdict::Refuted {
            found = match options.prove {
                true => {
                    let alike = || alike((program, same), answer.subject, &exchangeable);
                    ends(of, answer.subject).or_else(alike)
                }
                false => straight(of, answer.subject),
            };
        }
        assert!(
            found.is_none() || answer.verdict != Verdict::Refuted,
            "proof and runs disagree on {:?}",
            answer.subject
        );
        answer.proof = found;
    }
    results.proofs = proofs;
    results.overlooked = overlooked;
}

/// What is known of the orders of a system on boards of every size.
#[derive(Debug, Clone)]
pub struct Orders {
    /// The zones of which nobody looks at the arrangement.
    pub overlooked: BTreeSet<ZoneId>,
    /// The order matrix of the system in which those are not told apart.
    pub matrix: Matrix,
    /// What the prover was asked about it.
    pub proofs: Vec<Proof>,
}

/// What the text and the prover tell of orders; with results, also what these show or refute.
pub fn orders((program, system): (&Program, &System), results: Option<&Results>) -> Orders {
    let of = (program, system);
    let proofs = prove(system, &order::questions(of, results));
    let matrix = order::matrix(of, results, &proofs);
    let exchangeable = order::exchangeable(system, &matrix, &proofs);
    let overlooked = order::overlooked(program, system, &exchangeable);
    if overlooked.is_empty() {
        return Orders {
            overlooked,
            matrix,
            proofs,
        };
    }
    let system = &order::overlooking(system, &overlooked);
    let of = (program, system);
    let mut known: BTreeMap<Commuting, Proof> = BTreeMap::new();
    for proof in proofs {
        if matches!(proof.outcome, Outcome::Proved(_)) {
            known.insert(proof.of, proof);
        }
    }
    let asked = order::questions(of, results).into_iter();
    let (told, open): (Vec<_>, Vec<_>) = asked.partition(|(of, _)| known.contains_key(of));
    let mut proofs = prove(system, &open);
    proofs.extend(told.iter().filter_map(|(of, _)| known.remove(of)));
    Orders {
        matrix: order::matrix(of, results, &proofs),
        overlooked,
        proofs,
    }
}

/// Whether a contract stands for what a sequence performs: then it is not run.
fn is_contracted(program: &Program, sequence: SequenceId) -> bool {
    let mut verifies = program.verifies.iter();
    verifies.any(|one| one.sequence == sequence && !one.contracts.is_empty())
}

/// The sequence of which it is asked whether it ends, and the conditions of the boards that are meant.
fn asked_to_end<'a>(
    (program, system): (&Program, &'a System),
    subject: Question,
) -> Option<(SequenceId, &'a [Function])> {
    let (sequence, conditions): (_, &[Function]) = match subject {
        Question::Terminates(sequence) => (sequence, &[]),
        // A single board is looked at.
        Question::Claim(at) if program.claims[at].on.is_some() => return None,
        Question::Claim(at) => match program.claims[at].kind {
            ClaimKind::Terminates(sequence, _) => (sequence, &system.claims[at]),
            _ => return None,
        },
        _ => return None,
    };
    (!is_contracted(program, sequence)).then_some((sequence, conditions))
}

/// That a sequence ends because nothing in it is done again and again.
fn straight(of: (&Program, &System), subject: Question) -> Option<Certificate> {
    let (sequence, _) = asked_to_end(of, subject)?;
    goes_straight(of.1, sequence)
}

/// That a sequence ends.
fn ends((program, system): (&Program, &System), subject: Question) -> Option<Certificate> {
    let (sequence, conditions) = asked_to_end((program, system), subject)?;
    let conditions = apart(system.legal.iter().chain(conditions));
    terminates(system, sequence, &conditions).ok()
}

/// Whether what some observer sees depends on a reading: then the same data can be seen in two ways.
fn is_seen(program: &Program, reading: ReadingId) -> bool {
    let mut observers = program.observers.ids();
    observers.any(|observer| seen_by(program, observer).contains(&reading))
}

/// That all ways to read a sentence play alike.
fn alike(
    (program, system): (&Program, &System),
    subject: Question,
    exchangeable: &Exchangeable,
) -> Option<Certificate> {
    match subject {
        Question::Reading(sequence, reading)
            if !is_contracted(program, sequence) && !is_seen(program, reading) =>
        {
            coincide(system, (sequence, reading), exchangeable).ok()
        }
        _ => None,
    }
}

/// What holds throughout, by the positions of answers; what was refuted is not tried.
fn held((program, system): (&Program, &System), results: &Results) -> BTreeMap<usize, Certificate> {
    let mut asked: BTreeMap<SequenceId, Vec<(usize, Throughout<'_>)>> = BTreeMap::new();
    for (at, answer) in results.answers.iter().enumerate() {
        if answer.verdict == Verdict::Refuted {
            continue;
        }
        let (sequence, what) = match answer.subject {
            Question::Legal(sequence, legal) => (sequence, Throughout::Holds(&system.legal[legal])),
            Question::Claim(claim) => {
                let first = system.claims[claim].first();
                let of_all = |_: &&Function| program.claims[claim].on.is_none();
                let Some(first) = first.filter(of_all) else {
                    continue;
                };
                match program.claims[claim].kind {
                    ClaimKind::Invariant(_, _, sequence) | ClaimKind::Must(_, sequence, _) => {
                        (sequence, Throughout::Holds(first))
                    }
                    ClaimKind::Conserves(_, sequence) => (sequence, Throughout::Stays(first)),
                    _ => continue,
                }
            }
            _ => continue,
        };
        if !is_contracted(program, sequence) {
            asked.entry(sequence).or_default().push((at, what));
        }
    }
    let mut found = BTreeMap::new();
    for (sequence, all) in asked {
        let claims: Vec<Throughout<'_>> = all.iter().map(|(_, what)| *what).collect();
        let told = throughout(system, sequence, (&system.legal, &claims));
        for ((at, _), one) in all.iter().zip(told.into_iter().flatten()) {
            found.extend(one.map(|one| (*at, one)));
        }
    }
    found
}
