//! Two ways to read a sentence, and what comes of it.

use super::caveat::sees;
use super::sides;
use super::words::Words;
use endstep_language::diag::codes::finding as code;
use endstep_language::typing::program::{ClauseIdx, ReadingId};
use endstep_semantics::witness::Witness;
use endstep_verdicts::verdict::{Detail, Difference, Finding};

/// What is said of a reading that matters.
pub(super) fn told(words: Words<'_>, finding: &Finding) -> String {
    match &finding.detail {
        Detail::Reading {
            reading,
            first,
            second,
            difference,
        } => {
            let both = (*reading, [*first, *second]);
            if finding.code == code::CHOICES_DIFFER {
                let effect = "The game can end in the same ways under both, but not once the same has been chosen";
                return either(words, both, *difference, effect, finding.witness.as_ref());
            }
            let sides = sides::of(words, *reading, [*first, *second], finding);
            match sides.filter(|_| *difference != Difference::Ambiguity) {
                Some(sides) => format!("{}. {sides}", two_ways(words, both, *difference)),
                None => either(words, both, *difference, "They play differently", None),
            }
        }
        Detail::ReadingPower {
            reading,
            able,
            unable,
            difference,
            ..
        } => {
            let effect =
                "The game can end in the same ways under both, but who decides that differs";
            let witness = finding.witness.as_ref();
            either(
                words,
                (*reading, [*able, *unable]),
                *difference,
                effect,
                witness,
            )
        }
        _ => String::new(),
    }
}

/// Two ways to read something, and what comes of it.
fn either(
    words: Words<'_>,
    (reading, alternatives): (ReadingId, [u16; 2]),
    difference: Difference,
    effect: &str,
    witness: Option<&Witness>,
) -> String {
    let [one, other] = alternatives.map(|at| words.alternative(reading, at));
    let what = two_ways(words, (reading, alternatives), difference);
    let observer = match witness {
        Some(Witness::Versus(versus)) => versus.observer,
        Some(Witness::Power(power)) => power.observer,
        _ => None,
    };
    let seen = observer.map(|observer| format!(" ({})", sees(words, observer)));
    format!(
        "{what}: {one}; or {other}. {effect}{}.",
        seen.unwrap_or_default()
    )
}

fn two_ways(
    words: Words<'_>,
    (id, alternatives): (ReadingId, [u16; 2]),
    difference: Difference,
) -> String {
    let what = words.reading(id);
    let declared = &words.program.readings[id].alternatives;
    let [one, other] = alternatives.map(|at| &declared[usize::from(at)].cites);
    let all_of = |one: &[ClauseIdx], other: &[ClauseIdx]| one.iter().all(|id| other.contains(id));
    match difference {
        // One of the two has no passage to itself.
        Difference::Overruled if all_of(one, other) || all_of(other, one) => {
            format!(
                "The text can be understood in two ways, and a passage to which another yields settles which ({what})"
            )
        }
        Difference::Ambiguity => format!("The text can be understood in two ways ({what})"),
        Difference::Contradiction => format!("Two passages of the text disagree ({what})"),
        Difference::Overruled => {
            format!(
                "Two passages of the text disagree, but one of them yields to the other ({what})"
            )
        }
    }
}
