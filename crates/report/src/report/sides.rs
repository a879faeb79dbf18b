//! Two passages that disagree: what each says, and what follows from it on the board.
//!
//! ```text
//! One side (Page 3): "Everybody reacts once." By it, each player has one reaction; on the board below it
//! ends with health of card 1: 0. The other (Page 9): "…" By it, …
//! ```
//!
//! and what follows from two alternatives, orders or choices, each by its name:
//!
//! ```text
//! If the text means "only 0 counts", it ends normally. If it means "0 or less", it never ends.
//! With fighter 1 first, it ends normally. With fighter 2 first, it stops, because …
//! ```

use super::called;
use super::conditional::taken;
use super::differences::{ABSENT, Row, beside};
use super::outcome::ends;
use super::words::{Words, beside_others};
use endstep_language::diag::codes::finding as code;
use endstep_language::typing::program::{ClauseIdx, ReadingId, ReadingOrigin};
use endstep_semantics::semantics::Tag;
use endstep_semantics::witness::{Run, Versus, Witness};
use endstep_verdicts::verdict::{Detail, Difference, Finding};
use std::collections::BTreeSet;

/// So many places in which two ends differ are named in a sentence.
const MOST_VALUES: usize = 3;

/// So many passages are quoted for a side.
const MOST_PASSAGES: usize = 2;

/// The passages of two alternatives with what follows from them, as sentences; nothing if one of them
/// rests on no clause that says anything.
pub(super) fn of(
    words: Words<'_>,
    reading: ReadingId,
    alternatives: [u16; 2],
    finding: &Finding,
) -> Option<String> {
    let follows = match &finding.witness {
        Some(Witness::Versus(versus)) => follow(words, versus, true)
            .and_then(|ends| as_listed(versus, (reading, alternatives), ends)),
        _ => None,
    };
    let follows = follows.map_or([None, None], |both| both.map(Some));
    let declared = &words.program.readings[reading].alternatives;
    let [first, second] = alternatives.map(|at| declared.get(usize::from(at)));
    let (first, second) = (first?, second?);
    let sides = [("One side", first, second), ("The other", second, first)];
    let sides = sides.iter().zip(follows);
    let sides = sides.map(|((name, of, beside), follows)| {
        let passages = passages(words, &of.cites, &beside.cites);
        side(name, &passages, &of.text, follows)
    });
    Some(sides.collect::<Option<Vec<String>>>()?.join(" "))
}

/// Whether the passages of a finding are told with what follows from each.
pub(super) fn are_told(words: Words<'_>, finding: &Finding) -> bool {
    match &finding.detail {
        Detail::Reading {
            reading,
            first,
            second,
            difference,
        } if *difference != Difference::Ambiguity && finding.code != code::CHOICES_DIFFER => {
            of(words, *reading, [*first, *second], finding).is_some()
        }
        _ => false,
    }
}

/// The passages on which an alternative rests, and another does not, that say anything, each with its place. The place names the document if the passages are of several.
fn passages(words: Words<'_>, of: &[ClauseIdx], others: &[ClauseIdx]) -> Vec<String> {
    let clauses = &words.program.clauses;
    let says = |id: &&ClauseIdx| !clauses[**id].says.is_empty();
    let own = of.iter().filter(says).filter(|id| !others.contains(id));
    let documents = of.iter().chain(others).map(|&id| clauses[id].document);
    let documents: BTreeSet<_> = documents.collect();
    let place = |id: ClauseIdx| {
        let clause = &clauses[id];
        let document = clause.document.filter(|_| documents.len() > 1);
        match document.and_then(|id| words.program.documents.get(id)) {
            Some(document) => format!("{}, {}", document.title, clause.locator),
            None => clause.locator.clone(),
        }
    };
    let passage = |&id: &ClauseIdx| format!("({}): \"{}\"", place(id), clauses[id].says);
    own.map(passage).collect()
}

fn side(name: &str, passages: &[String], text: &str, follows: Option<String>) -> Option<String> {
    let shown = passages.get(..passages.len().min(MOST_PASSAGES))?;
    if shown.is_empty() {
        return None;
    }
    let mut out = format!("{name} {}", shown.join(" and "));
    let text = text.trim_end_matches('.');
    out.push_str(&match (text.is_empty(), follows) {
        (true, None) => String::new(),
        (true, Some(follows)) => format!(" By it, on the board below {follows}."),
        (false, None) => format!(" By it, {text}."),
        (false, Some(follows)) => format!(" By it, {text}; on the board below {follows}."),
    });
    Some(out)
}

/// What belongs to the two runs, in the order in which the alternatives of a reading are listed; nothing
/// if the runs are not under these.
fn as_listed<T>(
    versus: &Versus,
    (reading, [first, second]): (ReadingId, [u16; 2]),
    [one, other]: [T; 2],
) -> Option<[T; 2]> {
    let under = |run: &Run| run.readings.get(&reading).copied();
    match (under(&versus.run), under(&versus.against)) {
        (Some(a), Some(b)) if (a, b) == (first, second) => Some([one, other]),
        (Some(a), Some(b)) if (a, b) == (second, first) => Some([other, one]),
        _ => None,
    }
}

/// How two runs end that are compared, each by what it is called, as sentences; nothing if they end
/// alike, and do not differ by a reading.
pub(super) fn compared(words: Words<'_>, versus: &Versus, detail: &Detail) -> Option<String> {
    let reading = match detail {
        Detail::Reading {
            reading,
            first,
            second,
            ..
        } => Some((*reading, [*first, *second])),
        _ => None,
    };
    let ends = follow(words, versus, reading.is_some())?;
    let listed = reading.and_then(|of| Some((of, as_listed(versus, of, ends.clone())?)));
    let ([one, other], ends) = match listed {
        Some(((reading, alternatives), ends)) => (meant(words, reading, alternatives), ends),
        None => match called::compared(words, versus) {
            Some(names) => (names.map(|name| format!("With {name}")), ends),
            None => (
                ["In the first run below", "In the second"].map(str::to_owned),
                ends,
            ),
        },
    };
    let [first, second] = ends;
    Some(format!("{one}, {first}. {other}, {second}."))
}

/// Two alternatives of a reading, as conditions.
fn meant(words: Words<'_>, reading: ReadingId, alternatives: [u16; 2]) -> [String; 2] {
    let declared = &words.program.readings[reading];
    if declared.origin != ReadingOrigin::Declared {
        return alternatives.map(|at| format!("If {}", taken(words, reading, at)));
    }
    let [first, second] = alternatives.map(|at| words.meaning(reading, at));
    [
        format!("If the text means {first}"),
        format!("If it means {second}"),
    ]
}

/// How two runs end, if they do not end alike; else, if asked for, in what their ends differ.
pub(super) fn follow(words: Words<'_>, versus: &Versus, closely: bool) -> Option<[String; 2]> {
    let runs = [&versus.run, &versus.against];
    let ends = ends(words, runs);
    if ends[0] != ends[1] {
        return Some(ends);
    }
    if !closely || runs.iter().any(|run| run.tag() != Some(&Tag::End)) {
        return None;
    }
    let mut rows = beside(words, runs[0], runs[1], versus.observer);
    // That something is there or not is seen from where it lies.
    let is_there = |row: &Row| !row.values.iter().any(|one| one == ABSENT);
    if rows.iter().any(is_there) {
        rows.retain(is_there);
    }
    let side = |at: usize| {
        let values = rows.iter().take(MOST_VALUES);
        let values: Vec<String> = values
            .map(|row| format!("{}: {}", beside_others(&row.name()), row.values[at]))
            .collect();
        format!("it ends with {}", values.join("; "))
    };
    (!rows.is_empty()).then(|| [side(0), side(1)])
}
