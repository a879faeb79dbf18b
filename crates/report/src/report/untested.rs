//! Why something that holds was never, or hardly, put to the test.
//!
//! ```text
//! beside the verdict   (no run tried for it from a board that meets the condition ends normally)
//! in a note            It holds, but it could not have failed: no run tried for it ever does that step.
//! ```
//!
//! Where a claim speaks of some boards only, so does the reason: runs from others can do what these do not.

use super::asserted::asserted;
use super::words::{Words, plain};
use endstep_language::typing::program::{Claim, ClaimKind, Program, SequenceId};
use endstep_verdicts::verdict::{Question, Untested};

/// Why, in a few words.
pub(super) fn in_brief(program: &Program, question: Question, why: Untested) -> &'static str {
    match (why, is_conditional(claim(program, question))) {
        (Untested::NoEnd, _) if matches!(question, Question::Example(_)) => {
            "none of its runs ever ends"
        }
        (Untested::NoBoard, _) => "no board meets the condition",
        (Untested::NoEnd, true) => {
            "no run tried for it from a board that meets the condition ends normally"
        }
        (Untested::NoEnd, false) => "no run tried for it ends normally",
        (Untested::NotDone, _) => "no run tried for it comes to the end of the step",
        (Untested::NothingToOrder, _) => {
            "no run tried for it comes to two things whose order is open"
        }
        (Untested::NothingThere, true) => {
            "from boards that meet the condition, there is nothing of which it speaks"
        }
        (Untested::NothingThere, false) => "there is nothing of which it speaks",
        (Untested::NothingChanges, _) => {
            "at every normal end all that it lists is as it was at the start"
        }
    }
}

/// Why, in a note.
pub(super) fn in_a_note(words: Words<'_>, question: Question, why: Untested) -> String {
    let claim = claim(words.program, question);
    let intro = match (claim, question) {
        (Some(claim), _) => format!("{} It holds", asserted(words, claim)),
        (None, Question::Contract(sequence)) => {
            format!("{} keeps its contract", words.sequence(sequence))
        }
        (None, Question::Example(at)) => {
            let name = words.program.examples.get(at).map(|one| plain(&one.name));
            let name = name.unwrap_or_default();
            return format!(
                "Nothing speaks against the example \"{name}\", but it could not have failed: none of its runs ever ends."
            );
        }
        (None, _) => "It holds".to_owned(),
    };
    let kind = claim.map(|claim| &claim.kind);
    let from = match is_conditional(claim) {
        true => " from a board that meets the condition",
        false => "",
    };
    let reason = match why {
        Untested::NoBoard => "no legal board that was explored meets its condition".to_owned(),
        Untested::NoEnd => match kind {
            Some(ClaimKind::Must(_, of, _)) => {
                let mut verifies = words.program.verifies.iter();
                let or = match verifies.any(|one| one.sequence == *of && !one.contracts.is_empty())
                {
                    true => " or a contract cannot be met",
                    false => "",
                };
                format!(
                    "no run tried for it{from} comes to an end; each stops where the rules cannot be followed{or}, or \
                     never ends"
                )
            }
            _ => "no run tried for it ends normally".to_owned(),
        },
        Untested::NotDone => "no run tried for it ever comes to the end of that step".to_owned(),
        Untested::NothingToOrder => match kind {
            Some(ClaimKind::OrderIrrelevant(sequence, Some(step))) => format!(
                "no run tried for it ever comes to two things in {} whose order is left open{}",
                words.step(*step),
                places(words, *sequence)
            ),
            Some(ClaimKind::OrderIrrelevant(sequence, None)) => format!(
                "no run of {} tried for it ever comes to two things whose order is left open",
                words.sequence(*sequence)
            ),
            _ => "no run tried for it ever comes to two things whose order is left open".to_owned(),
        },
        Untested::NothingThere => {
            format!("at no end of a run tried for it{from} is there anything of which it speaks")
        }
        // What changed and changed back, and what it ensures, could have broken it.
        Untested::NothingChanges => {
            return format!(
                "{intro}, but at every normal end all that it lists is as it was at the start."
            );
        }
    };
    format!("{intro}, but it could not have failed: {reason}.")
}

/// Of a step that is done for several places, that which of them comes first is no matter of the step.
fn places(words: Words<'_>, sequence: SequenceId) -> String {
    match words.program.sequences[sequence].over {
        Some(_) => {
            let sequence = words.sequence(sequence);
            format!(" (for which place it is done first is asked of {sequence} as a whole)")
        }
        None => String::new(),
    }
}

fn claim(program: &Program, question: Question) -> Option<&Claim> {
    match question {
        Question::Claim(at) => program.claims.get(at),
        _ => None,
    }
}

/// Whether a claim speaks only of runs from boards that meet a condition.
fn is_conditional(claim: Option<&Claim>) -> bool {
    claim.is_some_and(|claim| {
        matches!(
            claim.kind,
            ClaimKind::Must(_, _, Some(_))
                | ClaimKind::Terminates(_, Some(_))
                | ClaimKind::Equivalent(_, _, Some(_))
        )
    })
}
