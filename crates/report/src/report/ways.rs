//! Two ways to read a sentence, and what comes of it.

use super::caveat::sees;
use super::conditional::taken;
use super::sides;
use super::words::{Words, alike, capital};
use endstep_language::diag::codes::finding as code;
use endstep_language::typing::program::{Alternative, ClauseIdx, ReadingId, ReadingOrigin};
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
                None => apart(words, both, *difference, finding.witness.as_ref()),
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

/// Two ways to read something that play differently, and how each ends.
fn apart(
    words: Words<'_>,
    (reading, alternatives): (ReadingId, [u16; 2]),
    difference: Difference,
    witness: Option<&Witness>,
) -> String {
    let both = (reading, alternatives);
    let which = match words.program.readings[reading].alternatives.len() {
        2 => "they play",
        _ => "two of these play",
    };
    let what = two_ways(words, both, difference);
    format!(
        "{what}, and {which} differently. {}",
        each(words, both, witness)
    )
}

/// Two alternatives, each with how it ends.
fn each(
    words: Words<'_>,
    (reading, alternatives): (ReadingId, [u16; 2]),
    witness: Option<&Witness>,
) -> String {
    let [one, other] = alternatives.map(|at| {
        let stated = stated(words, reading, at);
        let end = if stated.ends_with(['!', '?']) {
            ""
        } else {
            "."
        };
        format!("{stated}{end}")
    });
    let follows = sides::under(words, (reading, alternatives), witness);
    let follows = follows.map(|both| both.map(|follows| format!(" Then {follows}.")));
    let [first, second] = follows.unwrap_or_default();
    format!("(a) {one}{first} (b) {other}{second}")
}

/// An alternative as a sentence without its full stop.
fn stated(words: Words<'_>, reading: ReadingId, at: u16) -> String {
    let declared = &words.program.readings[reading];
    let alternative = declared.alternatives.get(usize::from(at));
    let text = alternative.map_or("", |one| one.text.trim_end_matches('.'));
    let is_declared = declared.origin == ReadingOrigin::Declared;
    match is_declared && !text.is_empty() && tells_apart(&declared.alternatives, at) {
        true => capital(text),
        false => capital(&taken(words, reading, at)),
    }
}

/// Whether no other alternative has the text of one.
fn tells_apart(all: &[Alternative], at: u16) -> bool {
    let text = |at: usize| all.get(at).map(|one| alike(&one.text));
    let mut others = (0..all.len()).filter(|&other| other != usize::from(at));
    !others.any(|other| text(other) == text(usize::from(at)))
}

/// Two ways to read something, and what comes of it.
fn either(
    words: Words<'_>,
    (reading, alternatives): (ReadingId, [u16; 2]),
    difference: Difference,
    effect: &str,
    witness: Option<&Witness>,
) -> String {
    let both = each(words, (reading, alternatives), witness);
    let what = two_ways(words, (reading, alternatives), difference);
    let observer = match witness {
        Some(Witness::Versus(versus)) => versus.observer,
        Some(Witness::Power(power)) => power.observer,
        _ => None,
    };
    let seen = observer.map(|observer| format!(" ({})", sees(words, observer)));
    format!("{what}. {both} {effect}{}.", seen.unwrap_or_default())
}

fn two_ways(
    words: Words<'_>,
    (id, alternatives): (ReadingId, [u16; 2]),
    difference: Difference,
) -> String {
    let declared = &words.program.readings[id].alternatives;
    let ways = number(declared.len());
    let [one, other] = alternatives.map(|at| &declared[usize::from(at)].cites);
    let all_of = |one: &[ClauseIdx], other: &[ClauseIdx]| one.iter().all(|id| other.contains(id));
    match difference {
        // One of the two has no passage to itself.
        Difference::Overruled if all_of(one, other) || all_of(other, one) => {
            format!(
                "The text can be read in {ways} ways, though a passage to which another yields settles which"
            )
        }
        Difference::Ambiguity => format!("The text can be read in {ways} ways"),
        Difference::Contradiction => "Two passages of the text disagree".to_owned(),
        Difference::Overruled => {
            "Two passages of the text disagree, though one of them yields to the other".to_owned()
        }
    }
}

fn number(count: usize) -> String {
    let words = ["two", "three", "four", "five", "six"];
    let word = count.checked_sub(2).and_then(|at| words.get(at));
    word.map_or_else(|| count.to_string(), |word| (*word).to_owned())
}
